"""The result of ballots, for `nomicwolf tally`.

The shapes of what goes in and comes out are a public promise (docs/json.md).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from textwrap import fill
from typing import Any, Final

from nomicwolf.language.reader import read
from nomicwolf.nomic.times import instant_in
from nomicwolf.plainyaml import PlainYamlError, load, truth
from nomicwolf.reading.deeds import BallotError, People
from nomicwolf.reading.lark_driver import read_ballot
from nomicwolf.reading.vocabulary import reserved, words
from nomicwolf.village.ballots import NOT_A_WEREWOLF, Ballot, For, Nobody, Town
from nomicwolf.village.explaining import explain
from nomicwolf.village.resolution import Table, has_pins, pin, resolve, thresholds
from nomicwolf.village.rules import either

KEYS: Final = ("townspersons", "now", "phase", "killed", "disclosed", "facts", "votes")
SIDES: Final = {
    "werewolf": "werewolf", "a werewolf": "werewolf", "not a werewolf": NOT_A_WEREWOLF,
    "villager": "villager", "a villager": "villager", "not a villager": "werewolf",
}
MAX_STRANGERS: Final = 20
"""Unknown names that one ballot may have."""
WIDTH: Final = 72
"""Columns of a line."""


class TallyError(ValueError):
    """Invalid input: *key* is its place, *hint* what to write instead."""

    def __init__(self, key: str, problem: str, hint: str) -> None:
        super().__init__(f"{key}: {problem}; {hint}")
        self.key = key
        self.problem = problem
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote as written: *key* is its place in the input, *at* its time (UTC seconds), if given."""

    key: str
    by: str
    text: str
    at: int | None = None


def load_tally(text: str) -> Mapping[str, object]:
    """Return the input mapping of YAML or JSON; TallyError if it is none."""
    try:
        data = load(text)
    except PlainYamlError as error:
        raise TallyError("the input", str(error), "see `nomicwolf tally --help` for the form") from error
    if not isinstance(data, Mapping):
        raise TallyError("the input", "is no mapping", "write `townspersons: [...]` and `votes: {...}`")
    return data


def tally(data: Mapping[str, object]) -> dict[str, Any]:
    """Return the result of the votes in *data* for ``tally --json``; TallyError says what to mend.

    Votes are taken in the order in which they were cast, so that ``copy Bex`` and ``as of now`` mean what they meant
    then; a later vote replaces an earlier one of the same townsperson.
    """
    for key in data:
        if key not in KEYS:
            near = get_close_matches(str(key), KEYS, 1)
            raise TallyError(str(key), "no such key", f"write `{near[0] if near else '`, `'.join(KEYS)}`")
    town = read_town(data)
    votes = read_votes(data.get("votes", ""), town)
    people = People(living=town.living, dead=town.dead)
    ballots: dict[str, Ballot] = {}
    for vote in votes:
        if not vote.text.strip() and vote.by not in ballots:
            continue  # nothing was cast
        at = town.now if vote.at is None else vote.at
        ballot = ballot_of(vote, people, at)
        if thresholds(ballot) and not data.get("now"):
            raise TallyError("now", f"missing, and {vote.by}'s vote names a time", "write `now: 2026-12-01T12:00:00Z`")
        if has_pins(ballot):
            then = replace(town, now=at)
            ballot = pin(ballot, then, resolve(then, ballots), vote.by)
        ballots[vote.by] = ballot
    return table_json(town, ballots, resolve(town, ballots))


def table_json(town: Town, ballots: Mapping[str, Ballot], table: Table) -> dict[str, Any]:
    """Return the public form of a *table*, which other commands print too."""
    return {
        "schema": 1,
        "majority": table.majority,
        "counts": dict(table.counts),
        "lynched": table.lynched,
        "votes": {
            who: {"value": value, "status": table.statuses[who], "why": list(explain(town, ballots, table, who))}
            for who, value in table.values.items()
        },
    }


def ballot_of(vote: Vote, people: People, at: int) -> Ballot:
    """Return the ballot of *vote*; an unknown name is a stranger's, unless it is close to a known one in a longer text.

    A retraction (``unvote``, or nothing after an earlier vote) is a vote for nobody.
    """
    if not vote.text.strip():
        return Nobody()
    known = replace(people, author=vote.by)
    try:
        return read_ballot(vote.text, known, at)
    except BallotError as error:
        deeds = read(((1, vote.text),), known, to="forum").deeds
        retracts = [deed.verb for deed in deeds] == ["unvote"]
        ballot = Nobody() if retracts else _for_strangers(vote.text, known, at, error)
        if ballot is not None:
            return ballot
        meant = f"did you mean {either(error.suggestions)}?" if error.suggestions else ""
        hint = meant or error.hint or "see `votes` in the handbook for what a ballot may say"
        raise TallyError(vote.key, f"“{vote.text}”, at column {error.at}: {error.message.rstrip('.')}", hint) from error


def _for_strangers(text: str, people: People, at: int, error: BallotError) -> Ballot | None:
    """Return the ballot of *text* with unknown names as strangers'; None if that doesn't cure *error*.

    In a condition, an unknown word is a name if it has a capital letter or a digit, and if everything can be read then.
    """
    strangers: list[str] = []
    known = (*people.living, *people.dead)
    while error.problem in ("unknown player", "not understood") and len(strangers) < MAX_STRANGERS:
        named = error.message[error.message.find("“") + 1 : error.message.rfind("”")]
        if named == text.strip() and error.problem == "unknown player":
            return For(named)
        if error.suggestions or not named or named in strangers or get_close_matches(named, known, 1):
            return None
        if error.problem == "not understood" and not _like_a_name(named):
            return None
        strangers.append(named)
        try:
            return read_ballot(text, replace(people, others=tuple(strangers)), at)
        except BallotError as other:
            error = other
    return None


def _like_a_name(word: str) -> bool:
    """Return whether *word* can only be a name: it begins like one, and is no word of the grammar."""
    return (word[0].isupper() or word[0].isdecimal()) and word.casefold() not in words() | reserved()


def read_town(data: Mapping[str, object]) -> Town:
    """Return the town by the public record."""
    living = name_list("townspersons", data.get("townspersons", ""))
    if not living:
        raise TallyError("townspersons", "missing", "list the living ones: `townspersons: [Ash, Bex, Cam]`")
    dead = name_list("killed", data.get("killed", ""))
    both = [who for who in dead if who in living]
    if both:
        raise TallyError("killed", f"{both[0]} is among the townspersons too", "list em in one of the two")
    phase, day = read_phase(str(data.get("phase", "") or "day 1"))
    return Town(
        living=living,
        dead=dead,
        disclosed={who: read_side(who, side, (*living, *dead)) for who, side in mapping("disclosed", data).items()},
        day=day,
        phase="night" if phase == "night" else "day",
        now=instant("now", data["now"]) if data.get("now") else 0,
        facts={text: read_fact(text, value) for text, value in mapping("facts", data).items()},
    )


def name_list(key: str, value: object) -> tuple[str, ...]:
    """Return a list of distinct names."""
    if value in ("", None):
        return ()
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise TallyError(key, "is no list", f"write `{key}: [Ash, Bex, Cam]`")
    found = [name.strip() if isinstance(name, str) else "" for name in value]
    if not all(found):
        raise TallyError(key, "has an entry that is no name", 'write names only; quote one that is odd: "- Zed"')
    twice = [name for name in found if found.count(name) > 1]
    if twice:
        raise TallyError(key, f"{twice[0]} stands twice", "name each townsperson once")
    return tuple(found)


def mapping(key: str, data: Mapping[str, object]) -> dict[str, object]:
    """Return an optional mapping."""
    value = data.get(key)
    if value in ("", None):
        return {}
    if not isinstance(value, Mapping):
        example = "Gus: not a werewolf" if key == "disclosed" else "some text: true"
        raise TallyError(key, "is no mapping", f"write `{key}: {{{example}}}`")
    return {str(name): what for name, what in value.items()}


def read_phase(text: str) -> tuple[str, int]:
    """Return (day or night, number) of ``day 2`` or ``night 1``."""
    found = re.fullmatch(r"\s*(day|night) (\d{1,4})\s*", text, re.IGNORECASE)
    if not found:
        raise TallyError("phase", f"“{text}” is no phase", "write `phase: day 2` or `phase: night 1`")
    return found[1].lower(), int(found[2])


def read_side(who: str, side: object, known: Sequence[str]) -> str:
    """Return what was published about *who*."""
    if who not in known:
        near = get_close_matches(who, known, 1)
        raise TallyError("disclosed", f"{who} is nobody here", f"write {near[0]}" if near else "list em under `killed`")
    words = str(side).strip().lower()
    if words not in SIDES:
        raise TallyError("disclosed", f"“{side}” is no side, for {who}", f"write one of {', '.join(SIDES)}")
    return SIDES[words]


def read_fact(text: str, value: object) -> bool:
    """Return whether a published fact is true."""
    so = truth(value)
    if so is None:
        raise TallyError("facts", f"“{value}” is neither true nor false, for “{text}”", "write true or false")
    return so


def instant(key: str, value: object) -> int:
    """Return an ISO 8601 time with its offset as UTC seconds."""
    try:
        return instant_in(str(value))
    except ValueError as error:
        raise TallyError(key, f"“{value}” is no time", "write it like 2026-12-01T12:00:00Z") from error


def read_votes(value: object, town: Town) -> list[Vote]:
    """Return the votes in the order in which they were cast; those of the dead count for nothing."""
    if value in ("", None):
        return []
    if isinstance(value, Mapping):
        found = [Vote(f"votes: {by}", str(by).strip(), str(text or "")) for by, text in value.items()]
    elif isinstance(value, Sequence) and not isinstance(value, str):
        found = [vote_entry(number, entry) for number, entry in enumerate(value, 1)]
    else:
        raise TallyError("votes", "is neither a mapping nor a list", 'write `votes: {Ash: "Dov"}`')
    for vote in found:
        if vote.by not in (*town.living, *town.dead):
            near = get_close_matches(vote.by, town.living, 1)
            hint = f"write {near[0]}" if near else "add em to `townspersons`"
            raise TallyError(vote.key, f"{vote.by} is no townsperson", hint)
        if vote.at is not None and town.now and vote.at > town.now:
            raise TallyError(vote.key, "was cast later than `now`", "leave it out, or move `now`")
    if all(vote.at is not None for vote in found):
        found.sort(key=lambda vote: vote.at or 0)
    return [vote for vote in found if vote.by in town.seats]


def vote_entry(number: int, entry: object) -> Vote:
    """Return an entry of a list of votes: ``{by: Ash, vote: "Dov", at: 2026-12-01T12:00Z}``."""
    key = f"votes: entry {number}"
    if not isinstance(entry, Mapping) or not entry.get("by") or set(entry) - {"by", "vote", "at"}:
        raise TallyError(key, "is no vote", 'write {by: Ash, vote: "Dov"}, with `at` if you like')
    at = instant(f"{key}: at", entry["at"]) if entry.get("at") else None
    return Vote(f"{key}, by {entry['by']}", str(entry["by"]).strip(), str(entry.get("vote") or ""), at)


def tally_text(result: Mapping[str, Any]) -> str:
    """Return the *result* of ``tally`` as text: every vote in order, the count, and the reasons as footnotes."""
    votes: Mapping[str, Mapping[str, Any]] = result["votes"]
    lines: list[str] = []
    notes: list[str] = []
    for who, vote in votes.items():
        line = f"{who}: {vote['value'] or 'nobody'}"
        if vote["status"] != "determined":
            line += f" ({vote['status']})"
        if vote["why"]:
            notes.append(f"[{len(notes) + 1}] {'; '.join(vote['why'])}")
            line += f" [{len(notes)}]"
        lines.append(wrapped(line, "  "))
    counts = ", ".join(f"{who} {number}" for who, number in result["counts"].items()) or "no votes"
    end = f"{result['lynched']} has a majority." if result["lynched"] else "Nobody has a majority."
    head = f"Votes of {len(votes)} townspersons; a majority is {result['majority']}."
    parts = [wrapped(head), "\n".join(lines), wrapped(f"{counts}. {end}"), "\n".join(wrapped(note) for note in notes)]
    return "\n\n".join(part for part in parts if part) + "\n"


def wrapped(text: str, indent: str = "") -> str:
    """Return *text* in lines of at most 72 columns."""
    return fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent + "    ")
