"""Short sentences about votes, for pictures, their text alternatives and the feed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from nomicwolf.nomic.times import when
from nomicwolf.reports.archive.following import Following
from nomicwolf.reports.archive.tracks import Cast, Moment, Track
from nomicwolf.reports.statistics import PlayerRecord, rating_text
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rule_helpers import listed


def clock(at: int) -> str:
    """Return an instant as short as a picture needs it.

    >>> clock(1796119200)
    '1 Dec 10:00'
    """
    moment = datetime.fromtimestamp(at, UTC)
    return f"{moment.day} {moment:%b %H:%M}" + (f":{moment:%S}" if moment.second else "")


def cast_said(cast: Cast) -> str:
    """Return what a vote was, and what it came to at once."""
    comes = "" if cast.value == cast.ballot else f"; it comes to {cast.value or 'nobody'}"
    late = " (a late copy)" if cast.late else ""
    return f"Vote {cast.nth}, {when(cast.at)}: {cast.who} {deed_said(cast.ballot)}{comes}{late}"


def deed_said(ballot: str) -> str:
    """Return what someone does by a *ballot*.

    >>> deed_said("Gus"), deed_said("endorse Eli")
    ('votes Gus', 'endorses Eli')
    """
    verb, _, whom = ballot.partition(" ")
    return f"endorses {whom}" if verb == "endorse" and whom else f"votes {ballot}"


def role_said(role: str, rules: Ruleset | None) -> str:
    """Return how players call a role, as the letters do; a role of *rules* that aren't at hand by its name."""
    known = rules.roles.get(role) if rules is not None else None
    return (known.title if known is not None else "") or role


def rating_told(record: PlayerRecord) -> str:
    """Return a player's rating with how far it can be relied on."""
    return f"{rating_text(record)} (OpenSkill; everyone begins at 25.0 ± 8.3)"


def roles_said(roles: Sequence[str], rules: Ruleset | None) -> str:
    """Return which roles of *rules* are in play, and how often.

    >>> from nomicwolf.village.rulesets import ruleset
    >>> roles_said(("seer", "witch"), ruleset("nomic-crossing")), roles_said(("cop", "townie", "townie"), None)
    ('Seer and Witch', 'cop and townie (2)')
    """
    counted = Counter(role_said(role, rules) for role in roles)
    return listed(tuple(f"{role} ({number})" if number > 1 else role for role, number in counted.items()))


def legend(track: Track) -> str:
    """Return how the picture of *track* is read: nothing is explained that is not in it."""
    majority = ", the thin dashed one the majority" if any(m.majority for m in track.moments) else ""
    ring = "; a ring and a line from top to bottom mark the instant of a lynching" if track.lynchings else ""
    dots = ", a dot is a ballot" if track.casts else ""
    arrows = ", and an arrow leads from who endorses to whom e endorses" if any(c.endorses for c in track.casts) else ""
    return (f"The upper lines are the wagons{majority}{ring}. "
            f"Below, each row is a voter's vote over time{dots}{arrows}.")


def followed_told(found: Following) -> str:
    """Return who followed whom most often, in a sentence."""
    most = [pair for pair in found.most if pair[2] == found.most[0][2]]
    times = "once" if most[0][2] == 1 else f"{most[0][2]} times"
    if len(most) > 3:
        return f"{len(most)} pairs did so {times} each, which is the most."
    pairs = listed(tuple(f"{follower} followed {leader}" for follower, leader, _ in most))
    return f"{pairs} {times}, which is the most."


def counts_said(moment: Moment) -> str:
    """Return who has how many votes."""
    counts = ", ".join(f"{who} {votes}" for who, votes in moment.counts.items()) or "nobody has a vote"
    return f"{counts}; majority {moment.majority}" if moment.majority else counts


def moment_said(moment: Moment) -> str:
    """Return how the count stands after a moment."""
    what = cast_said(moment.cast) if moment.cast else f"{when(moment.at)}: {moment.what}"
    lynched = f" {moment.lynched} is lynched." if moment.lynched else ""
    return f"{what}. Count: {counts_said(moment)}.{lynched}"


def told(track: Track) -> str:
    """Return the picture of *track* in words: how many voted, whose wagon grew how far, and what came of it."""
    most: dict[str, int] = {}
    for moment in track.moments:
        for who, votes in moment.counts.items():
            most[who] = max(most.get(who, 0), votes)
    grew = ", ".join(f"{who} up to {votes}" for who, votes in sorted(most.items(), key=lambda item: -item[1]))
    number = len(track.casts)
    ballots = f"{number} ballot{'' if number == 1 else 's'}" if number else "ballots opened together"
    chains = [f"{c.who} endorsed {c.endorses}" for c in track.casts if c.endorses]
    guilty = " of guilty" if track.verdict else ""
    ends = [f"{m.lynched} was lynched at {when(m.at)}, with {m.against} vote{'' if m.against == 1 else 's'}{guilty}"
            + (f" where {m.majority} are a majority" if m.majority else "") for m in track.lynchings]
    heirs = [f"{new} plays on for {old}" for old, new in track.heirs.items() if new in track.voters]
    parts = [f"{ballots}; votes: {grew or 'none'}", listed(tuple(heirs)) if heirs else "",
             listed(tuple(chains)) if chains else "",
             listed(tuple(ends)) if ends else _open_or_over(track)]
    return ". ".join(p[:1].upper() + p[1:] for p in parts if p) + "."


def _open_or_over(track: Track) -> str:
    """Return how a vote stands that lynched nobody; a verdict's sentence may be carried out later."""
    if not track.ended:
        return "the vote is open"
    return "" if track.verdict or track.stage == "nominations" else "nobody was lynched by it"


SURE = {
    "none": "nothing", "from": "the address that it is from", "forum": "the forum, which took it from its address",
    "signed": "a signature of the sender's domain", "confirmed": "eir confirmation", "openpgp": "eir OpenPGP signature",
}
"""By what the author of a ballot is known, for each level of assurance."""


def usually_sure(tracks: Iterable[Track]) -> str:
    """Return the level by which most ballots' authors are known, the first of those that are as frequent; '' if none.

    >>> usually_sure([])
    ''
    """
    levels = Counter(cast.sure for track in tracks for cast in track.casts if cast.sure)
    return max(levels, key=lambda level: levels[level], default="")


def sure_said(level: str) -> str:
    """Return how sure it is who cast a ballot.

    >>> sure_said("confirmed"), sure_said("")
    ('Its author is known by eir confirmation (confirmed)', 'By what its author is known was not kept')
    """
    return f"Its author is known by {SURE.get(level, level)} ({level})" if level else (
        "By what its author is known was not kept")
