"""Sections of letters to the forums.

Everything here is a function of a `PublicView` and of entries that everyone may read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import and_

from nomicwolf.nomic.events import CountPosted, DeedHeard, PartyJoined, PartyLeft, Ruled, SessionStarted, SessionStopped
from nomicwolf.nomic.setup import PolicyAnnounced
from nomicwolf.nomic.times import when
from nomicwolf.reports.awards import ending_section
from nomicwolf.reports.history import DECLARATIONS, side_name
from nomicwolf.reports.law_sections import LAW_MAKERS, policy_lines
from nomicwolf.reports.layout import clean
from nomicwolf.reports.prose import Section, by_contract, plural
from nomicwolf.reports.sections import (
    STAGE_MAKERS,
    Maker,
    Page,
    at_once,
    count_section,
    late_vote_section,
    lynching_section,
    public_duty_lines,
    recount_section,
    with_article,
)
from nomicwolf.reports.views import PublicView, dead_with_fates, killed_by
from nomicwolf.reports.vote_counts import how_to_vote
from nomicwolf.village.events import (
    Announced,
    Counted,
    DeathsAnnounced,
    Declared,
    Disclosed,
    Ended,
    Entry,
    Event,
    Lynched,
    PhaseBegan,
    Published,
    Recounted,
    Removed,
    Replaced,
    RolesBrought,
    StageBegan,
    Voted,
)
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.lots import NOTHING, is_choice, rows_of
from nomicwolf.village.rules import Refusal, listed
from nomicwolf.village.rulesets import rules_with, ruleset

BY_LOT = {"dealt_by_moderator": "off"}
"""Switches under which a deal by hand has the same cards as one by lot (D-G14)."""
SUBJECT = 44
"""An announcement of at most so many characters is its own subject; a longer one is named by its topic."""


def sections(page: Page) -> list[Section]:
    """Return the sections of one letter to the forums; none if nothing in it needs a letter."""
    found, view = list[Section](), page.view
    for entry in page.entries:
        maker = None if is_routine(entry.event) else MAKERS.get(type(entry.event))
        if maker is None:
            continue
        now = view.upto(entry.number)
        view = replace(view, earlier=now.earlier)
        if section := maker(page, entry, entry.event, now):
            found.append(section)
    return found


def is_routine(event: Event) -> bool:
    """Return whether *event* is an ordinary ballot or a waiting deed, which are reported by their effects."""
    return isinstance(event, (Counted, DeedHeard)) or (isinstance(event, Voted) and not event.late)


def _session(page: Page, entry: Entry, started: SessionStarted, now: PublicView) -> Section:
    """Announce a session: who plays, which roles there are, how to vote, what binds the seed."""
    later = [e.event for e in page.later(entry, RolesBrought)]
    brought = tuple(text for event in later if isinstance(event, RolesBrought) for text in event.roles)
    rules = rules_with(started.ruleset, brought)
    usual = {s.name: s for s in rules.switches}
    told = [e.event.policy for e in page.later(entry, PolicyAnnounced) if isinstance(e.event, PolicyAnnounced)]
    switched = [(f"{name} = {value}", f"{usual[name].says} ({usual[name].decision})")
                for name, value in now.switches if value != usual[name].usual]
    return page.prose.section(
        "public-session", 90, session=started.session, title=rules.title, players=started.players,
        composition=composition(rules, started, dict(now.switches)), odds=started.odds, prefix=rules.prefix,
        roles=[rules.roles[r].title or r for r in started.roles if not is_choice(r)],
        rows=rows_in_words(rules, started.roles), switched=switched, commitment=started.commitment,
        bound=started.bound, brought=_brought(rules, brought), voting=how_to_vote(rules, now.setup.address),
        address=now.setup.address,
        contest=now.setup.contest, rulings=f"{rules.rulings}1 and following" if rules.rulings else "as published",
        opens=any(isinstance(e.event, PhaseBegan) for e in page.entries), **_version(page),
        silence=policy_lines(now.law.policy if not told else told[0], rules, now.setup.remind),
    )


def _version(page: Page) -> dict[str, int]:
    """Return the version of the contract in force, and since when (UTC seconds); nothing before the first."""
    law = page.view.law
    return {"version": law.amended[-1].version if law.amended else 0, "amended": law.amended_at}


def _brought(rules: Ruleset, brought: tuple[str, ...]) -> list[tuple[str, list[str]]]:
    """Return what everyone may know of each role that the session adds to the rule set, with its deeds."""
    own = [role for role in rules.roles.values() if role.text in brought]
    return [(f"{role.title} ({side_name(role.side)}): {role.story}",
             [duty.written(passing=duty.may_pass) for duty in role.duties]) for role in own]


def composition(rules: Ruleset, started: SessionStarted, switches: dict[str, str]) -> list[str]:
    """Return how many of each side are dealt; of each role too, unless the contract announces these apart (NC 2b, 2c).

    Anyone can work it out: it depends only on the number of players, the roles in play and the switches. Where rows
    are drawn it is what there is in all cases, and of sides how many there can be.
    """
    try:
        decks = rules.decks(started.players, started.roles, switches | BY_LOT)
    except Refusal as refused:
        return [refused.why]
    counts = [Counter(rules.roles[role].side for role in deck.elements()) for deck in decks]
    order = counts[0].most_common()[::-1] + [(side, 0) for count in counts[1:] for side in count]
    sides = listed(tuple(_number(side, {count[side] for count in counts}) for side in dict(order)))
    if by_contract(rules):
        return [sides]
    return [sides, titles_in_words(rules, in_each(decks))]


def in_each(decks: Sequence[Counter[str]]) -> Counter[str]:
    """Return how many of each role are in every one of *decks*."""
    return reduce(and_, decks)


def titles_in_words(rules: Ruleset, roles: Mapping[str, int]) -> str:
    """Return how many there are of each of *roles*, by their titles; those that are called the same as one."""
    titles = Counter[str]()
    for role, number in roles.items():
        titles[rules.roles[role].title or role] += number
    return listed(tuple(plural(n, title, plural_title(title)) for title, n in titles.most_common()))


def _number(side: str, numbers: set[int]) -> str:
    """Return how many of *side* there are, of the *numbers* that there can be."""
    name, least, most = side_name(side), min(numbers), max(numbers)
    return plural(most, side_member(name), name) if least == most else f"{least} to {most} {name}"


def rows_in_words(rules: Ruleset, items: Iterable[str]) -> list[str]:
    """Return each choice among *items* in words: its rows, with the titles of their roles."""
    return ["; or ".join(titles_in_words(rules, Counter(row)) if row else NOTHING for row in rows_of(item))
            for item in items if is_choice(item)]


def side_member(side: str) -> str:
    """Return the word for one member of a side.

    >>> side_member("werewolves"), side_member("villagers"), side_member("mafia")
    ('werewolf', 'villager', 'mafia')
    """
    if side == "alone":
        return "who plays alone"
    if side.endswith("lves"):
        return side[:-3] + "f"
    return side.removesuffix("s")


def plural_title(title: str) -> str:
    """Return the plural of a role's title.

    >>> plural_title("Werewolf"), plural_title("Nephite"), plural_title("mafioso"), plural_title("policeman")
    ('Werewolves', 'Nephites', 'mafiosi', 'policemen')
    """
    for end, plural_end in (("olf", "olves"), ("mafioso", "mafiosi"), ("man", "men")):
        if title.endswith(end):
            return title.removesuffix(end) + plural_end
    return f"{title}s"


def _phase(page: Page, entry: Entry, began: PhaseBegan, now: PublicView) -> Section:
    rules = ruleset(now.ruleset)
    own = by_contract(rules) and (rules.votes_stand if began.phase == "day" else began.phase == "night")
    name = f"public-{began.phase}" if own else "public-phase"
    known = any(isinstance(e.event, SessionStarted) for e in page.entries)
    return page.prose.section(
        name, 50, phase=began.phase, number=began.number, at=entry.at, living=now.living, dead=dead_with_fates(now),
        known=known, brief=at_once(page, entry), majority=now.majority,
        slots=dict(now.switches).get("dawn", "").replace(", ", " or "),
        **({} if own else {"staged": bool(page.later(entry, StageBegan)), "asked": public_duty_lines(entry, now)}))


def _disclosed(page: Page, entry: Entry, told: Disclosed, now: PublicView) -> Section | None:
    if any(isinstance(e.event, Lynched) and e.event.who == told.who for e in page.entries):
        return None
    return page.prose.section("public-disclosed", 40, who=told.who, what=with_article(told.what))


def _deaths(page: Page, entry: Entry, deaths: DeathsAnnounced, now: PublicView) -> Section | None:
    """Report who was killed and who came back; None if all of them died by leaving, which is reported separately."""
    before = page.view.upto(entry.number - 1)
    left = {e.event.who for e in now.session_record() if isinstance(e.event, Removed)} if _departing_kills(now) else ()
    victims = [p for p in deaths.killed if p not in left]
    if deaths.killed and not victims:
        return None
    killed = sorted((clean(p) for p in victims), key=str.casefold)  # an order that tells nothing of why
    words = f"{listed(tuple(killed))} {'was' if len(killed) == 1 else 'were'} killed" if killed else "nobody was killed"
    words += f" by {by}" if victims and (by := killed_by(before, before.phase)) else ""
    name, weight = ("public-dawn", 70) if before.phase == "night" else ("public-deaths", 60)
    return page.prose.section(
        name, weight, place=before.place, at=entry.at, summary=words, revived=deaths.revived, killed=deaths.killed,
        **({} if name == "public-dawn" else {"brief": at_once(page, entry)}))


def _fact(page: Page, entry: Entry, fact: Published, now: PublicView) -> Section:
    return page.prose.section("public-fact", 35, place=now.place, at=entry.at, text=fact.text, value=fact.value)


def _removed(page: Page, entry: Entry, gone: Removed, now: PublicView) -> Section | None:
    """Report the effect of leaving on the session; None for those known to be dead, whose leaving is reported."""
    if gone.who in now.dead:
        return None
    kills = _departing_kills(now)
    cites = "NC 2a, D-N11" if by_contract(ruleset(now.ruleset)) else "D-A2"
    return page.prose.section("public-removed", 40, who=gone.who, why=gone.why, kills=kills, cites=cites)


def _departing_kills(now: PublicView) -> bool:
    """Return whether leaving kills (D-A2, D-N11), which the report on it says."""
    return dict(now.switches).get("departure") == "kill"


def _replaced(page: Page, entry: Entry, swap: Replaced, now: PublicView) -> Section:
    return page.prose.section("public-replaced", 40, old=swap.old, new=swap.new, at=entry.at)


def _stopped(page: Page, entry: Entry, stopped: SessionStopped, now: PublicView) -> Section:
    return page.prose.section(
        "public-stopped", 95, session=stopped.session, at=entry.at, why=stopped.why)


def _joined(page: Page, entry: Entry, joined: PartyJoined, now: PublicView) -> Section | None:
    """Report who has joined where, once for the whole letter, with the rosters as they are now."""
    same = [(e.at, e.event) for e in page.entries if isinstance(e.event, PartyJoined)]
    if same[0][1] is not joined:
        return None
    where: dict[str, dict[str, None]] = {}
    since: dict[str, int] = {}
    rosters: dict[tuple[str, ...], list[str]] = {}
    for at, event in same:
        where.setdefault(event.who, {})[page.title(event.nomic)] = None
        since.setdefault(event.who, at)
    for nomic in dict.fromkeys(event.nomic for _, event in same):
        rosters.setdefault(tuple(sorted(page.view.parties.get(nomic, ()))), []).append(page.title(nomic))
    running = now.phase not in ("none", "over") and not set(where) <= set(now.players)
    names = listed(tuple(map(clean, where)))
    return page.prose.section(
        "public-joined", 20, names=names if len(names) <= SUBJECT else plural(len(where), "player"),
        joined=[{"who": who, "nomics": tuple(nomics), "at": since[who]} for who, nomics in where.items()],
        rows=[(who, f"{when(since[who])}, in {listed(tuple(nomics))}") for who, nomics in where.items()],
        rosters=[{"nomics": where, "names": names} for names, where in rosters.items()], running=running)


def _left(page: Page, entry: Entry, left: PartyLeft, now: PublicView) -> Section | None:
    same = [e for e in page.entries if isinstance(e.event, PartyLeft) and e.event.who == left.who]
    if same[0] is not entry:
        return None
    nomics = [*dict.fromkeys(page.title(e.event.nomic) for e in same if isinstance(e.event, PartyLeft))]
    return page.prose.section("public-left", 20, who=left.who, nomics=nomics, at=entry.at, why=left.why)


def _ruled(page: Page, entry: Entry, ruled: Ruled, now: PublicView) -> Section:
    return page.prose.section(
        "public-ruled", 35, at=entry.at, text=ruled.text, authority=ruled.authority, about=ruled.about)


def _announced(page: Page, entry: Entry, told: Announced, now: PublicView) -> Section:
    short = told.text.rstrip(".")
    said = short if len(short) <= SUBJECT else told.topic[:1].upper() + told.topic[1:]
    return page.prose.section("public-announced", 53 if told.topic == "verdict" else 35, place=now.place, said=said,
                              text=told.text)


def _declared(page: Page, entry: Entry, did: Declared, now: PublicView) -> Section:
    return page.prose.section(
        "public-declared", 30, place=now.place, who=did.who, verb=did.verb, what=did.what, at=entry.at,
        said=DECLARATIONS.get(did.verb, f"does this: {did.verb}"),
        seconds=did.verb == "accuse" and not page.later(entry, Declared))


MAKERS: dict[type, Maker] = {
    SessionStarted: _session, PhaseBegan: _phase, Lynched: lynching_section, Disclosed: _disclosed,
    DeathsAnnounced: _deaths, CountPosted: count_section, Recounted: recount_section, Voted: late_vote_section,
    Published: _fact, Removed: _removed, Replaced: _replaced, Ended: ending_section, SessionStopped: _stopped,
    PartyJoined: _joined, PartyLeft: _left, Ruled: _ruled, Announced: _announced, Declared: _declared,
    **STAGE_MAKERS, **LAW_MAKERS,
}


def headline(found: Sequence[Section]) -> tuple[str, str]:
    """Return the subject and the opening paragraph of a letter made of *found*; the weightiest section names it."""
    named = max(found, key=lambda s: s.weight)
    return named.subject, "\n".join(s.headline for s in found)
