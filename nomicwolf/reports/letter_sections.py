"""Sections of letters, public and private (NC 6).

Those to the forums are a function of a `PublicView` and of entries that everyone may read, private ones of a
`PlayerView` and of entries that everyone or this player may read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import and_

from nomicwolf.nomic.events import (
    ActedFor,
    Answered,
    Asked,
    CountPosted,
    DeedDone,
    DeedHeard,
    PartyJoined,
    PartyLeft,
    Refused,
    Reminded,
    Ruled,
    SessionStarted,
    SessionStopped,
)
from nomicwolf.nomic.setup import PolicyAnnounced, Prodded
from nomicwolf.nomic.times import left, when
from nomicwolf.reports.answers import answer_section
from nomicwolf.reports.awards import ending_section
from nomicwolf.reports.history import DECLARATIONS, side_name, with_article
from nomicwolf.reports.law_sections import (
    LAW_MAKERS,
    LAW_NOTE_MAKERS,
    policy_lines,
    private_prod_section,
    reminder_section,
    telling_one,
)
from nomicwolf.reports.layout import beside, clean, straight
from nomicwolf.reports.prose import Section, by_contract, plural
from nomicwolf.reports.sections import (
    STAGE_MAKERS,
    Maker,
    Note,
    NoteMaker,
    Page,
    at_once,
    count_section,
    late_vote_section,
    lynching_section,
    public_duty_lines,
    recount_section,
    telling,
    votes_stand,
)
from nomicwolf.reports.views import (
    STORY,
    TAKES_OVER,
    PlayerView,
    PublicView,
    dead_with_fates,
    killed_by,
    stories,
    unheard,
)
from nomicwolf.reports.vote_counts import Vote, how_to_vote, status_words
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
    Opened,
    PhaseBegan,
    Published,
    Recounted,
    Removed,
    Replaced,
    RolesBrought,
    StageBegan,
    Told,
    Voted,
)
from nomicwolf.village.game import FALLEN, for_fellows
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.laws.actions import FEEDBACK, NO_NEWS
from nomicwolf.village.lots import NOTHING, Row, is_choice, rows_of
from nomicwolf.village.role_duties import REPLACED
from nomicwolf.village.role_file import is_announced
from nomicwolf.village.rules import Refusal, either, listed
from nomicwolf.village.rulesets import rules_with, ruleset
from nomicwolf.village.rulesets.nomic_crossing import LAST_SHOT

BY_LOT = {"dealt_by_moderator": "off"}
"""Switches under which a deal by hand has the same cards as one by lot (D-G14)."""
SUBJECT = 44
"""An announcement of at most so many characters is its own subject; a longer one is named by its topic."""


def public_sections(page: Page) -> list[Section]:
    """Return the sections of one letter to the forums; none if nothing in it needs a letter."""
    found, view = list[Section](), page.view
    for entry in page.entries:
        maker = None if is_routine(entry.event) else PUBLIC_MAKERS.get(type(entry.event))
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


def titles_in_words(rules: Ruleset, roles: Mapping[str, int], more: Container[str] = ()) -> str:
    """Return how many there are of each of *roles*, by their titles; those that are called the same as one.

    Of titles in *more* there may be more.
    """
    titles = by_title(rules, roles)
    return listed(tuple(f"{n} or more {plural_title(title)}" if title in more else plural(n, title, plural_title(title))
                        for title, n in titles.most_common()))


def by_title(rules: Ruleset, roles: Mapping[str, int]) -> Counter[str]:
    """Return how many of *roles* go by each title."""
    titles = Counter[str]()
    for role, number in roles.items():
        titles[rules.roles[role].title or role] += number
    return titles


def _number(side: str, numbers: set[int]) -> str:
    """Return how many of *side* there are, of the *numbers* that there can be."""
    name, least, most = side_name(side), min(numbers), max(numbers)
    return plural(most, side_member(name), name) if least == most else f"{least} to {most} {name}"


def rows_in_words(rules: Ruleset, items: Iterable[str]) -> list[str]:
    """Return what is told of each choice among *items*: its rows, with the titles of their roles.

    Where some are the same they are told once, with how many they are of how many.
    """
    return [_rows(rules, rows_of(item)) for item in items if is_choice(item)]


def _rows(rules: Ruleset, rows: Sequence[Row]) -> str:
    told = Counter(titles_in_words(rules, Counter(row)) if row else NOTHING for row in rows)
    odds = len(told) < len(rows)
    every = "; or ".join(f"{row} ({number} in {len(rows)})" if odds else row for row, number in told.items())
    cards = (rules.roles[role] for row in rows for role in row)
    shown = dict.fromkeys(card.title for card in cards if is_announced(card))
    if not shown:
        return f"Drawn by lot, and known to nobody: {every}."
    return f"Drawn by lot: {every}. Everyone is told at the start who is {either(shown)}, if anyone is."


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
    """Report what somebody was; None where the letter says it with the death."""
    deaths = {who for e in page.entries if isinstance(e.event, Lynched | DeathsAnnounced)
              for who in (e.event.killed if isinstance(e.event, DeathsAnnounced) else (e.event.who,))}
    left = {e.event.who for e in page.entries if isinstance(e.event, Removed)}
    if told.who in deaths - left:
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
        disclosed=[(e.event.who, with_article(e.event.what)) for e in page.entries
                   if isinstance(e.event, Disclosed) and e.event.who in victims],
        **({} if name == "public-dawn" else {"brief": at_once(page, entry)}))


def _removed(page: Page, entry: Entry, gone: Removed, now: PublicView) -> Section | None:
    """Report the effect of leaving on the session; None for those known to be dead, whose leaving is reported."""
    if gone.who in now.dead:
        return None
    kills = _departing_kills(now)
    cites = "NC 2a, D-N11" if by_contract(ruleset(now.ruleset)) else "D-A2"
    return page.prose.section("public-removed", 40, who=gone.who, why=gone.why, kills=kills, cites=cites,
        left=any(isinstance(e.event, PartyLeft) and e.event.who == gone.who for e in page.entries))


def _departing_kills(now: PublicView) -> bool:
    """Return whether leaving kills (D-A2, D-N11), which the report on it says."""
    return dict(now.switches).get("departure") == "kill"


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
    still = tuple(page.title(nomic) for nomic, names in page.view.parties.items() if left.who in names)
    return page.prose.section(
        "public-left", 20, who=left.who, nomics=nomics, at=entry.at, why=left.why, still=still)


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


PUBLIC_MAKERS: dict[type, Maker] = {
    SessionStarted: _session, PhaseBegan: _phase, Lynched: lynching_section, Disclosed: _disclosed,
    DeathsAnnounced: _deaths, CountPosted: count_section, Recounted: recount_section, Voted: late_vote_section,
    Removed: _removed, Ended: ending_section, PartyJoined: _joined, PartyLeft: _left, Announced: _announced,
    Declared: _declared,
    Published: telling("public-fact", 35, "place", "at", "text", "value"),
    Replaced: telling("public-replaced", 40, "old", "new", "at"),
    SessionStopped: telling("public-stopped", 95, "session", "at", "why"),
    Ruled: telling("public-ruled", 35, "at", "text", "authority", "about"),
    **STAGE_MAKERS, **LAW_MAKERS,
}


def headline(found: Sequence[Section]) -> tuple[str, str]:
    """Return the subject and the opening paragraph of a letter made of *found*; the weightiest section names it."""
    named = max(found, key=lambda s: s.weight)
    return named.subject, "\n".join(s.headline for s in found)


PROOF_WORDS = {"confirmed": "your confirmation", "openpgp": "your OpenPGP signature"}
"""How the author confirmed a deed, in receipts; nothing is said where it took no effort."""
REPLIES = (DeedDone, Asked, Refused)
"""Answers to a letter's deeds, which come before the news."""
VOTES = ("vote", "unvote")
MAX_INLINE_STEPS = 2
"""The reasons of a null vote are given in its first sentences if there are no more than these, else below."""
ONLY_WHILE_OPEN = {FALLEN: ("vote",), LAST_SHOT: ("shoot",)}
"""Messages that are sent only while their reader can respond with one of these deeds."""


def private_sections(note: Note) -> tuple[list[Section], list[Entry]]:
    """Return the sections of one private letter, none if there is nothing to say, with the entries they are about.

    What the reader's own letters did comes before the news, each in the order of events.
    """
    found = [_role(note)] if note.begins else []
    told = list[Entry]()
    for entry in sorted(note.entries, key=lambda e: not isinstance(e.event, REPLIES)):
        maker = PRIVATE_MAKERS.get(type(entry.event))
        section = maker(note, entry, entry.event) if maker else None
        if section is not None:
            found.append(section)
            told.append(entry)
    if note.night and not note.begins:
        found.append(_night(note))
    return found, told


def due_lines(view: PlayerView, now: int, zone: str = "") -> str:
    """Return a line for each instant by which the reader has to do something, '' if they owe nothing as of *now*.

    *now* is in UTC seconds, as are the instants; each is in *zone*, too ('': in UTC alone).
    """
    by: dict[int, list[str]] = {}
    for duty in sorted(view.owes, key=lambda d: d.until):
        by.setdefault(duty.until, []).append(duty.verb)
    return "".join(f"Due by {when(until)}{beside(until, zone)}{', ' * (until - now >= 60)}{left(until - now)}: "
                   f"{listed(tuple(verbs))}.\n" for until, verbs in by.items() if until)


def can_act_privately(view: PlayerView) -> bool:
    """Return whether the reader can do anything by private mail now but talk, which they were told with their role."""
    return any(not duty.public and duty.verb not in ("say", "ask") for duty in view.duties)


def duties_text(note: Note, told: Sequence[Entry]) -> str:
    """Return what is open to the reader; of what they were told when it opened, only until when it can be changed.

    *told* are the entries of their letter.
    """
    view, public = note.view, note.view.public
    if told and not (note.begins or note.night) and all(map(_only_follows, told)):
        if view.ballot:
            return f"You can change your ballot until {note.prose.ahead(public.deadline)}."
        if public.phase == "night":
            closes = min((d.closes for d in view.duties if d.owed and d.closes and not d.until), default=0)
            return f"You can change your choice until {note.prose.ahead(closes)}." if closes else ""
    return note.prose.text(
        "duties", mail=[d for d in view.duties if not d.public], forum=[d for d in view.duties if d.public],
        address=view.public.setup.address, tagged=view.public.setup.subaddresses,
    )


def _only_follows(entry: Entry) -> bool:
    """Return whether *entry* opens nothing to its reader: a receipt, or what a fellow does."""
    return isinstance(entry.event, DeedDone) or (isinstance(entry.event, Told) and for_fellows(entry.event))


def _role(note: Note) -> Section:
    view = note.view
    told = [e.event.text for e in note.entries if isinstance(e.event, Told)]
    return note.prose.section(
        "private-role", session=note.begins, name=view.public.title or view.public.setup.name, title=view.title,
        story=view.story, told=told,
        contest=view.public.setup.contest, who=view.who, role=view.role, nonce=view.nonce)


def _night(note: Note) -> Section:
    view = note.view
    return note.prose.section(
        "private-night", number=note.night, title=view.title, living=view.public.living, told=())


def _told(note: Note, entry: Entry, told: Told) -> Section | None:
    view = note.view
    verbs = ONLY_WHILE_OPEN.get(told.topic)
    if note.begins or (verbs is not None and not any(d.verb in verbs for d in view.duties)):
        return None
    if told.topic == REPLACED and any(_replaces(later) for later in note.entries if later.number > entry.number):
        return None
    if told.topic == FEEDBACK and told.text == NO_NEWS and view.public.phase == "over":
        return None
    text = unheard(view, entry.number, told) if told.topic == STORY else told.text
    if not text:
        return None
    return note.prose.section(
        "private-told", text=text, topic=told.topic, again=bool(stories(view, entry.number)),
        over=view.public.phase == "over", contest=view.public.setup.contest, session=view.public.session,
        who=view.bound_as, role=view.role, nonce=view.nonce if told.topic == TAKES_OVER else "")


def _replaces(entry: Entry) -> bool:
    """Return whether by *entry* another deed of the night counts, or none."""
    event = entry.event
    declines = isinstance(event, DeedDone) and event.says.endswith(" nobody")
    return declines or (isinstance(event, Told) and event.topic == REPLACED)


def _done(note: Note, entry: Entry, done: DeedDone) -> Section | None:
    deed = note.deed(done.deed)
    if deed is not None and deed.channel in note.view.public.setup.nomics:
        return _null(note, done) if entry.number == note.last_posted else None
    return note.prose.section("private-receipt", says=_words(done), note=done.note, sure=_sure(note, entry, deed))


def _words(done: DeedDone) -> str:
    """Return how the reader would write what was *done*: an endorsement without the vote that it is."""
    return done.says.removeprefix("vote ") if done.says.startswith("vote endorse ") else done.says


def _sure(note: Note, entry: Entry, deed: DeedHeard | None) -> str:
    """Return how the author of *deed* was confirmed, for the last receipt of each kind in a letter; else ''."""
    sure = deed.sure if deed is not None else ""
    later = (note.deed(e.event.deed) for e in note.entries if isinstance(e.event, DeedDone) and e.number > entry.number)
    return "" if any(d is not None and d.sure == sure for d in later) else PROOF_WORDS.get(sure, "")


def _null(note: Note, done: DeedDone) -> Section | None:
    """Explain to the author why a public vote counts as null; any other is acknowledged in the public count.

    It is explained once, however often the author has voted since the last letter.
    """
    vote = _own_vote(note)
    if vote is None or vote.value is not None or vote.ballot in ("", "nobody") or not _votes(note):
        return None
    why = [clean(step).replace("→", "->").removeprefix(f"{clean(vote.who)}'s vote counts as null: ")
           for step in vote.why]
    inline = vote.status == "determined" and 0 < len(why) <= MAX_INLINE_STEPS
    short = ("it " if vote.endorses else "") + "; ".join(why) if inline else status_words(vote)
    public = note.view.public
    ends = "as long as the day lasts" if votes_stand(public) else f"until {note.prose.ahead(public.deadline)}"
    return note.prose.section(
        "private-null", at=vote.at, ballot=_words(done), why_short=short, why=() if inline else why, ends=ends)


def _votes(note: Note) -> bool:
    """Return whether the reader can vote now; not once somebody was lynched, even if a Hunter still has to choose."""
    return any(d.verb == "vote" for d in note.view.duties)


def _own_vote(note: Note) -> Vote | None:
    """Return the reader's vote as it stands, None if there are no votes."""
    public = note.view.public
    if public.phase != "day" or public.count is None:
        return None
    return next((v for v in public.count.votes if v.who == note.view.who), None)


def _refused(note: Note, entry: Entry, refused: Refused) -> Section | None:
    """Explain why something was not done and which vote stands; deeds refused for one reason share a section."""
    reason = refused.verb, refused.why, refused.options, entry.cites
    alike = {e.number: e.event.text for e in note.entries if isinstance(e.event, Refused)
             and (e.event.verb, e.event.why, e.event.options, e.cites) == reason}
    if entry.number != min(alike):
        return None
    first, _, more = straight(refused.why).partition("\n")
    more = more.partition("Open to you now:")[0].strip()  # that block ends every private letter
    cites = ", ".join(entry.cites)
    if cites and not any(c in first for c in entry.cites):
        first = f"{first} ({cites})"
    return note.prose.section(
        "private-refused", verb=refused.verb, why=first, text="\n".join(filter(None, alike.values())), more=more,
        options=refused.options, vote=_standing(note, entry) if refused.verb in VOTES else "")


def _standing(note: Note, entry: Entry) -> str:
    """Return which of the reader's votes stands, after the first of a letter that did not count."""
    public, sealed = note.view.public, note.view.ballot
    if entry.number != next(e.number for e in note.entries if isinstance(e.event, Asked) or (
            isinstance(e.event, Refused) and e.event.verb in VOTES)):
        return ""
    if sealed is not None:
        yours = f'Your ballot "{clean(sealed)}" stands as before' if sealed else "You have cast no ballot yet"
        return f"{yours}."
    vote = _own_vote(note)
    if vote is None or not public.polls or not _votes(note):
        return ""
    yours = f'Your vote "{clean(vote.ballot)}" stands as before' if vote.ballot else "You have no vote standing"
    return f"{yours}. Votes are open until somebody is lynched." if votes_stand(public) else f"{yours}."


def _asked(note: Note, entry: Entry, asked: Asked) -> Section:
    return note.prose.section("private-asked", line=asked.line, text=asked.text, problem=asked.problem,
                              hint=straight(asked.hint), suggestions=asked.suggestions, standing=_standing(note, entry))


def _answered(note: Note, entry: Entry, answered: Answered) -> Section:
    return answer_section(note.view, answered.topic, answered.text, note.prose, entry.at)


PRIVATE_MAKERS: dict[type, NoteMaker] = {
    Told: _told, DeedDone: _done, Refused: _refused, Asked: _asked, Answered: _answered,
    ActedFor: telling_one("private-acted", "says", "since", "lot"),
    Prodded: private_prod_section, Reminded: reminder_section, **LAW_NOTE_MAKERS,
}


def paragraphs(found: Sequence[Section]) -> list[str]:
    """Return the paragraphs of a private letter: headlines stand together up to one with details, which follow it."""
    done, lines = list[str](), list[str]()
    for section in found:
        lines += filter(None, [section.headline])
        if section.details:
            done += ["\n".join(lines), section.details]
            lines = []
    return [part for part in (*done, "\n".join(lines)) if part]


def session_dealt(entries: Sequence[Entry]) -> int:
    """Return the number of the session dealt in *entries*, 0 if there is none."""
    return max((e.event.session for e in entries if isinstance(e.event, Opened)), default=0)


def night_begun(entries: Sequence[Entry], phase: str) -> int:
    """Return the number of the night that began in *entries* and is still on, else 0."""
    numbers = [e.event.number for e in entries if isinstance(e.event, PhaseBegan) and e.event.phase == "night"]
    return numbers[-1] if numbers and phase == "night" else 0
