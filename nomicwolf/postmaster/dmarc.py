"""DMARC: what a domain wants done with letters in its name that neither SPF nor DKIM proves (RFC 7489)."""

from __future__ import annotations

from dataclasses import dataclass

from nomicwolf.postmaster.asking import Dns

POLICIES = ("none", "quarantine", "reject")


@dataclass(frozen=True, slots=True)
class Dmarc:
    """The record at *name* and its *policy* for the domain; *trouble* is why receivers take it for none.

    With *strict_spf* or *strict_dkim* the domains must be the same, not only of one organisation.
    """

    name: str
    policy: str = "none"
    strict_spf: bool = False
    strict_dkim: bool = False
    trouble: str = ""


def parents(domain: str) -> tuple[str, ...]:
    """Return *domain* and those above it, down to two labels.

    >>> parents("wolf.games.example.org")
    ('wolf.games.example.org', 'games.example.org', 'example.org')
    """
    labels = domain.lower().rstrip(".").split(".")
    return tuple(".".join(labels[at:]) for at in range(max(1, len(labels) - 1)))


def found(dns: Dns, domain: str) -> Dmarc | None:
    """Return the record that holds for *domain*: its own, or that of the nearest domain above; None without any."""
    for name in parents(domain):
        texts = _texts(dns, name)
        if texts:
            return _read(name, texts, below=name != domain.lower())
    return None


def aligned(dns: Dns, one: str, other: str, *, strict: bool) -> bool:
    """Return whether *one* speaks for *other*: the same domain or, if not *strict*, of the same organisation."""
    if one.lower() == other.lower():
        return True
    return not strict and organisation(dns, one) == organisation(dns, other)


def organisation(dns: Dns, domain: str) -> str:
    """Return the domain highest above *domain* that has a DMARC record; without any, *domain* itself."""
    return next((name for name in reversed(parents(domain)) if _texts(dns, name)), domain.lower())


def _texts(dns: Dns, name: str) -> tuple[str, ...]:
    return tuple(text for text in dns.texts(f"_dmarc.{name}")
                 if text.partition(";")[0].replace(" ", "").lower() == "v=dmarc1")


def _read(name: str, texts: tuple[str, ...], *, below: bool) -> Dmarc:
    if len(texts) > 1:
        return Dmarc(name, trouble=f"there are {len(texts)} of them, and receivers take that for none; keep one")
    pairs = [part.partition("=") for part in texts[0].split(";")]
    tags = {key.strip().lower(): value.strip().lower() for key, _, value in pairs}
    policy = tags.get("sp", tags.get("p", "")) if below else tags.get("p", "")
    if policy not in POLICIES:
        return Dmarc(name, trouble=f"it has no policy; write p={', p='.join(POLICIES[:-1])} or p={POLICIES[-1]}")
    return Dmarc(name, policy, tags.get("aspf") == "s", tags.get("adkim") == "s")
