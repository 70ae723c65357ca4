"""Who is contestmaster, for letters: the settings name one, each nomic's own law may have made it another (NC 1d)."""

from __future__ import annotations

from nomicwolf.reports.views import PublicView


def master(view: PublicView, nomic: str = "") -> str:
    """Return who is contestmaster in *nomic*, whose awards are void if another gives them (NC 5i).

    Without one, of all nomics; where these disagree each with eir nomic.
    """
    usual = view.setup.contestmaster
    if nomic:
        return view.law.masters.get(nomic, usual)
    masters = {f.title or f.nomic.capitalize(): view.law.masters.get(f.nomic, usual) for f in view.setup.forums}
    if len(set(masters.values())) <= 1:
        return next(iter(masters.values()), usual)
    return ", ".join(f"{who} ({where})" for where, who in masters.items())
