"""A letter's reading as `nomicwolf read` prints it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from nomicwolf.contest import Contest
from nomicwolf.contest.mail.assurance import identified, is_enough
from nomicwolf.contest.mail.intake import (
    ASKED,
    answered_sentences,
    attribution_questions,
    role_and_verbs,
    without_personal_deeds,
)
from nomicwolf.contest.rosters import ROSTER_VERBS
from nomicwolf.contest.step import channel_of, effective_at, forums_of, marks_of, wrong_channel
from nomicwolf.language.reader import Place, judgements, read
from nomicwolf.letters.attribution import Authored, authored
from nomicwolf.letters.headers import every
from nomicwolf.letters.letter import Assurance, Letter, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.letters.origin import hop, is_own, machine
from nomicwolf.nomic.law import BALLOTS, duty_verb
from nomicwolf.nomic.times import iso
from nomicwolf.reading.deeds import Deed, Ignored, People, Problem, Reading
from nomicwolf.reading.set_phrases import disclaimer, only_agrees, says_nothing
from nomicwolf.reports.layout import marks_named
from nomicwolf.reports.views import own_frames, people_of
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import either
from nomicwolf.village.rulesets import BUILT_IN, rules_in, ruleset

LISTS = ("List-Id", "List-Post", "X-BeenThere", "Mailing-List")
NO_HEAD = (
    b"From: someone@example.invalid\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
)
EXPOSED = "others can read it; it belongs in private mail to the contestmaster alone"
COMES_TO = {"does": "done", "ask": "asked about", "talk": "talk"}
ALL_TO_SEE = (*BALLOTS, "accuse", "second", "join", "leave")


@dataclass(frozen=True, slots=True)
class Terms:
    """What is known about a letter beforehand: its *author*, where it was sent *to* ('' = see its headers), *people*.

    *prove* adds what its bytes prove about its author, where a contest knows keys and servers. *alone* marks a body
    without headers, which has no author or destination unless these are given. *role* and the *verbs* of its duties are
    the author's, as a running contest knows them; a private letter is read with them. *ruleset* is the rule set where
    there is no contest. *why* adds each sentence with the row of the grammar that decides it.
    """

    author: str = ""
    to: str = ""
    people: People = field(default_factory=lambda: People(()))
    contest: Contest | None = None
    prove: Callable[[Raw, Letter], Letter] | None = None
    alone: bool = False
    role: str = ""
    verbs: frozenset[str] | None = None
    ruleset: str = "nomic-crossing"
    why: bool = False


def from_text(text: str, terms: Terms) -> dict[str, Any]:
    """Return how a body without headers is understood."""
    data = NO_HEAD + text.encode("utf-8", "replace")
    letter = make_letter(Raw("text", 1, 0, data, len(data)))
    found = _read_out(letter, replace(terms, alone=True))
    found["letter"] |= {"message_id": "", "from": "", "assurance": "none", "sent": None, "received": None}
    return found


def from_bytes(data: bytes, terms: Terms) -> dict[str, Any]:
    """Return how a message (RFC 5322) is understood."""
    contest = terms.contest
    raw = Raw("file", 1, 0, data, len(data))
    letter = make_letter(raw, forums_of(contest.setup), (contest.setup.address,), own=own_frames(contest)) if (
        contest) else make_letter(raw)
    hops = [hop(value).at for value in every(letter.headers, "Received")[:1]]
    stamps = dict(letter.stamps)
    arrived = min(stamps.values(), default=(hops[0] if hops else None) or letter.sent or 0)
    if terms.prove is not None:
        letter = terms.prove(replace(raw, arrived=arrived), letter)
    return _read_out(replace(letter, arrived=arrived), terms)


def _read_out(letter: Letter, terms: Terms) -> dict[str, Any]:
    author, assurance, reason, held = _author(letter, terms)
    to = terms.to or _place(letter, terms)
    text = authored(letter)
    bucket, why = _bucket(letter, terms, text, author, reason if held else "")
    reading = _reading(letter, terms, text, author, to) if bucket == "deeds" else Reading()
    if bucket == "deeds" and not reading.deeds:
        bucket = "no-deed"
    return {
        "schema": 1,
        "letter": {
            "message_id": letter.message_id, "from": letter.senders[0][1] if letter.senders else "",
            "author": author or None, "assurance": assurance, "to": to,
            "sent": iso(letter.sent) if letter.sent is not None else None,
            "received": iso(letter.arrived) if letter.arrived else None, "subject": letter.subject,
        },
        "bucket": bucket,
        **({"why": why} if why else {}),
        "deeds": [_deed(d, waits=_waits(d, terms, to, assurance), void=_exposed(d, terms, to)) for d in reading.deeds],
        "problems": [_problem(p) for p in reading.problems],
        "ignored": [{"line": i.line, "text": i.text, "why": i.why} for i in reading.ignored],
        **({"sentences": _sentences(letter, terms, text, author, to)} if terms.why else {}),
    }


def _sentences(letter: Letter, terms: Terms, text: Authored, author: str, to: str) -> list[Mapping[str, Any]]:
    """Return each of the author's sentences, its meaning, and the row that decides it."""
    people, place, role, verbs = _known(terms, author, to)
    instant = letter.arrived or letter.sent
    found = judgements(text.lines, people, to=place, instant=instant, role=role, open_verbs=verbs)
    return [{"line": one.line, "text": one.text, "comes_to": COMES_TO[one.mood], "row": one.row, "reason": one.reason,
             "features": list(one.features)} for one in found]


def _known(terms: Terms, author: str, to: str) -> tuple[People, Place, str, frozenset[str] | None]:
    """Return who can be named, where the letter was sent, and its author's role and verbs if it is private."""
    contest = terms.contest
    people = people_of(contest, author or None) if contest is not None else replace(terms.people, author=author or None)
    if to != "contestmaster":
        return people, "forum", "", None
    role, verbs = terms.role, terms.verbs
    if contest is not None and not role:
        role, verbs = role_and_verbs(contest, author)
    return people, "contestmaster", role, verbs


def _author(letter: Letter, terms: Terms) -> tuple[str, Assurance, str, bool]:
    """Return the author, how certain that is, why not more certain, and whether the letter must be held for that."""
    through = bool(letter.through) or any(every(letter.headers, name) for name in LISTS)
    if terms.author:
        return terms.author, "forum" if through else "from", "", False
    if terms.contest is None or terms.alone:
        return "", "none", "", False
    found = identified(terms.contest, letter)
    name = found.person.name if found.person else ""
    return name, found.assurance, found.reason, found.held


def _place(letter: Letter, terms: Terms) -> str:
    if terms.contest is None or terms.alone:
        return "forum"
    channel = channel_of(terms.contest, letter)
    return "forum" if channel in terms.contest.setup.nomics else channel


def _bucket(letter: Letter, terms: Terms, text: Authored, author: str, held: str) -> tuple[str, str]:
    """Return the bucket of the letter as a whole, ``deeds`` meaning that it is to be read, and why."""
    contest = terms.contest
    if contest is not None and is_own(letter, marks_of(contest.setup)):
        return "own", ""
    if reason := machine(letter if contest is not None else _sent_on(letter)):
        return "machine", reason
    if letter.trouble or held:
        return "held", letter.trouble or held
    if contest is not None and not author and not terms.alone:
        return "stranger", "no one is registered with this address"
    if text.too_long:
        return "held", text.too_long
    if voids := disclaimer([line for _, line in text.lines]):
        return "held", f"it disclaims what it says: {voids}"
    return "deeds", ""


def _sent_on(letter: Letter) -> Letter:
    """Return *letter* as one that a list has forwarded, if a list's headers say so.

    Without settings no forum is known, and headers that lists add to personal letters look like those of machines.
    """
    listed = ("forum",) if any(every(letter.headers, name) for name in LISTS) else ()
    return replace(letter, forums=listed, through=listed)


def _reading(letter: Letter, terms: Terms, text: Authored, author: str, to: str) -> Reading:
    contest = terms.contest
    people, place, role, verbs = _known(terms, author, to)
    dated = letter.arrived or letter.sent is not None
    instant = (effective_at(contest, letter) if contest is not None else letter.arrived) if dated else None
    game = contest.running if contest is not None else None
    began = game.began if game is not None and game.phase == "day" else None
    own = own_frames(contest) if contest is not None else ()

    def read_as(lines: Sequence[tuple[int, str]]) -> Reading:
        return read(lines, people, to=place, instant=instant, day_began=began, role=role, open_verbs=verbs,
                    own=own)

    reading = without_personal_deeds(read_as(text.lines), place, text.lines)
    said = answered_sentences(contest, letter) if contest is not None else Counter[str]()
    asked = attribution_questions(text, reading, said, read_as)
    dropped = _dropped(text, people, place)
    deeds, private = _by_place(reading.deeds, terms, to)
    problems = [*reading.problems, *private, *asked]
    if not deeds and not asked and says_nothing(line for _, line in text.lines):
        hint = "Write it again without the quote mark, if it is yours."
        problems += [Problem(i.line, i.text, "quoted only", (), hint) for i in dropped if i.why == "quoted"]
    elif not deeds and not problems and only_agrees(line for _, line in text.lines):
        problems += _agreed(text, dropped, people, place)
    dropped = [i for i in dropped if i.line not in {problem.line for problem in asked}]
    ignored = sorted((*reading.ignored, *dropped), key=lambda i: i.line)
    return Reading(deeds, tuple(sorted(problems, key=lambda p: p.line)), tuple(ignored))


def _agreed(text: Authored, dropped: Sequence[Ignored], people: People, place: Place) -> list[Problem]:
    """Return the question to someone who only says "so do I" below another's deed."""
    own = next((number, line.strip()) for number, line in text.lines if line.strip())
    quoted = (read(((1, i.text.lstrip("> ")),), people, to=place).deeds for i in dropped if i.why == "quoted")
    meant = next((deeds[0].says for deeds in quoted if deeds), "")
    hint = f"What you answer to is quoted. If you do the same, write “{meant}”."
    return [Problem(*own, "ambiguous", (meant,), hint)] if meant else []


def _by_place(deeds: Sequence[Deed], terms: Terms, to: str) -> tuple[tuple[Deed, ...], list[Problem]]:
    """Divide *deeds* into those that came the right way, and problems for those that must be public (NC 1g)."""
    right, wrong = [], []
    for deed in deeds:
        hint = _misplaced(deed, terms, to)
        if hint:
            wrong.append(Problem(deed.line, deed.text, "not public", (), hint))
        else:
            right.append(deed)
    return tuple(right), wrong


def _misplaced(deed: Deed, terms: Terms, to: str) -> str:
    if to not in ("contestmaster", "discussion") or deed.verb not in ALL_TO_SEE:
        return ""
    rules = _rules(terms)
    if terms.contest is not None and deed.verb not in ("join", "leave"):
        return wrong_channel(rules, deed.verb, to, terms.contest.setup.nomics)
    return "" if _is_private(rules, deed.verb) else "Post it to the forum, where everyone can see it."


def _rules(terms: Terms) -> Ruleset:
    if terms.contest is None:
        return ruleset(terms.ruleset)
    game = terms.contest.game
    return rules_in(game) if game and game.opened else ruleset(terms.contest.setup.ruleset)


def _is_private(rules: Ruleset, verb: str) -> bool:
    """Return whether *verb* is done by private mail, as secret ballots are."""
    return any(duty.verb == duty_verb(verb) and not duty.public for duty in rules.all_duties)


def _exposed(deed: Deed, terms: Terms, to: str) -> str:
    """Return why an understood deed is not done: it is private, and others can read it here.

    Nothing is said about a body without a known destination, or about a power that is public in some game.
    """
    known = terms.contest is not None and not terms.alone
    if to == "contestmaster" or not (terms.to or known) or deed.verb in (*ASKED, *ROSTER_VERBS):
        return ""
    rules, common = _rules(terms), deed.verb in ALL_TO_SEE
    if common and not _is_private(rules, deed.verb):
        return ""
    games = [rules] if common or terms.contest is not None else list(BUILT_IN.values())
    return EXPOSED if all(wrong_channel(rules, deed.verb, "forum", ("forum",)) for rules in games) else ""


def _dropped(text: Authored, people: People, place: Place) -> list[Ignored]:
    """Return the lines that look like deeds but are not the author's own."""
    found = []
    for line, words, why in text.ignored:
        said = read(((1, words.lstrip("> |")),), people, to=place)
        if said.deeds or said.problems or said.ignored:
            found.append(Ignored(line, words, why))  # type: ignore[arg-type] # authored() has just these reasons
    return found


def _waits(deed: Deed, terms: Terms, to: str, assurance: Assurance) -> bool:
    """Return whether a deed would be set aside until its author confirms it (D-N44)."""
    contest = terms.contest
    if contest is None or terms.author or deed.verb in ASKED or deed.verb in ROSTER_VERBS:
        return False
    channel = to if to in ("contestmaster", "discussion") else "forum"
    return not is_enough(contest.setup, deed.verb, channel, assurance)


def _deed(deed: Deed, *, waits: bool, void: str) -> Mapping[str, Any]:
    found = {"line": deed.line, "text": deed.text, "verb": deed.verb, "says": deed.says}
    if void:
        return {**found, "void": void}
    return {**found, "waits": "to be confirmed"} if waits else found


def _problem(problem: Problem) -> Mapping[str, Any]:
    found = {"line": problem.line, "text": problem.text, "problem": problem.problem}
    return {**found, "suggestions": list(problem.suggestions), "hint": problem.hint}


def as_text(found: Mapping[str, Any]) -> str:
    """Return how a letter is understood, as text."""
    letter = found["letter"]
    why = f" ({found['why']})" if "why" in found else ""
    author = letter["author"] or letter["from"] or "someone"
    lines = [f"A letter by {author} to the {letter['to']}: {found['bucket']}{why}"]
    lines += [f"  line {d['line']}: {d['says']}{_obstacle(d)}" for d in found["deeds"]]
    for p in found["problems"]:
        mean = f" Did you mean {either(p['suggestions'])}?" if p["suggestions"] else ""
        lines.append(f"  line {p['line']}: {p['problem']}: “{p['text']}”. {_sentence(p['hint'])}{mean}")
    lines += [f"  line {i['line']}: does not count ({i['why']}): “{i['text']}”" for i in found["ignored"]]
    for s in found.get("sentences", ()):
        features = f" ({', '.join(s['features'])})" if s["features"] else ""
        lines.append(f"  why, line {s['line']}: “{s['text']}” is {s['comes_to']}: {s['row']}. {s['reason']}{features}")
    return "\n".join(lines)


def _obstacle(deed: Mapping[str, Any]) -> str:
    """Return in brackets what keeps a deed from being done now; '' if nothing does."""
    if "void" in deed:
        return f" (not done: {deed['void']})"
    return " (waits to be confirmed)" if "waits" in deed else ""


def _sentence(hint: str) -> str:
    """Return *hint* as a sentence, with a capital and a full stop."""
    whole = marks_named(hint[:1].upper() + hint[1:])
    return whole if whole.endswith((".", "!", "?", "”")) else f"{whole}."
