"""Hints to authors whose words were not understood.

The author is told of near misses, which look like a deed in a place where it can't count; they are never done. The
author of a private letter in which nothing was understood is told as well: they may think that it is done, and if only
those who owe something were answered, whoever carries the mail would see who does. So is a member whose objection
fits no open intent, for the intent would happen against their word.

A player may seem to accuse, second, nominate or judge in a forum, in words that were not understood. The player is
asked once, and nothing is done. Only a player who could do it now, and has not, is asked, so that talk about guilt
stays talk.

Players who join or leave by the contest's own name are asked, and strangers reported (NC 1c). The language knows the
contract as “this contract”, and by the names of its kind. What a contest is called is its contestmaster's choice, and
so such words are never done, only asked about.

A player who quotes in a forum what they were told of their role is reported to the contestmaster (D-G13).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import zip_longest

from nomicwolf.contest.deeds import can_ask
from nomicwolf.contest.law import is_member
from nomicwolf.contest.step import ReadLetter, Work
from nomicwolf.language.reader import Place, read
from nomicwolf.nomic.duties import open_intents
from nomicwolf.nomic.events import Asked, Noted
from nomicwolf.nomic.setup import PRIVATE, Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.set_phrases import ACCUSING, JUDGING, NOMINATING, SECONDING, only_agrees, says_nothing
from nomicwolf.reports.journal import worth_a_journal
from nomicwolf.reports.prose import tag_of
from nomicwolf.reports.views import own_frames, people_of
from nomicwolf.village.game import Game
from nomicwolf.village.laws.majority import cast_in_stage
from nomicwolf.village.laws.trials import ACCUSATION, on_trial
from nomicwolf.village.rules import listed

ANSWERED = re.compile(r"^(?:\s*(?:re|aw|sv|fwd?|fw|wg)\s*:|\s*\[[^\]]*\]|\s*[A-Z]{3}:)+", re.IGNORECASE)
"""The prefixes of a subject: answers, forwards, a list's tag."""
OBJECTS = re.compile(r"\bI (?:(?!do|don't|would|might|may|could|will|can|cannot|never|not)\w+ ){0,2}object(?:ed)?\b"
                     r"|^\W*(?:my )?objection\b", re.IGNORECASE)
WHERE = {
    "quoted": "it stands only in quoted text", "signature": "it stands below your signature",
    "footer": "it stands in a list's footer", "forwarded": "it stands in a forwarded letter",
    "html-only-copy": "it stands only in the HTML copy of your letter, or is hidden there",
    "attachment": "it stands in an attachment",
}


def near_misses(work: Work, heard: ReadLetter) -> None:
    """Tell a letter's author of the first deed in a part of it that doesn't count.

    A quotation counts as a near miss only in a letter without words of its author's own: whoever quotes and answers
    knows that they quote.
    """
    text, author = heard.text, heard.author
    mute = says_nothing(line for _, line in text.lines)
    people = people_of(work.contest, author)
    for line, words, why in text.ignored:
        if why not in WHERE or (why in ("quoted", "forwarded", "footer") and not mute):
            continue
        plain = words.lstrip("> ").strip()
        if work.contest.said.get(plain, author) != author:
            continue
        reading = read(((max(line, 1), plain),), people, to="forum")
        if reading.deeds:
            hint = f"Nothing was done, since {WHERE[why]}. Write it again as your own words, on a line of its own."
            _ask(work, heard, (line, plain), "quoted only", hint)
            return
    if not mute and only_agrees(line for _, line in text.lines) and _agrees_to(work, heard):
        return
    if not mute or not _in_subject(work, heard):
        _unheard(work, heard)


def _ask(
    work: Work, heard: ReadLetter, line: tuple[int, str], problem: str, hint: str, cites: tuple[str, ...] = ("D-N10",),
) -> None:
    """Ask a letter's author about a *line*, by its number and words."""
    work.add(Asked(heard.number, heard.author, *line, problem, hint), cites=cites, cause=f"letter {heard.number}")


def _asked_before(work: Work, game: Game, heard: ReadLetter, words: str) -> bool:
    """Return whether a letter's author was asked about the same *words* in this phase."""
    return any(isinstance(e.event, Asked) and (e.event.who, e.event.text) == (heard.author, words)
               for e in work.contest.entries[game.phase_mark:])


def _agrees_to(work: Work, heard: ReadLetter) -> bool:
    """Ask the author of a bare "so do I" below another's vote whether they vote so; return whether they are asked."""
    people = people_of(work.contest, heard.author)
    for line, words, why in heard.text.ignored:
        if why == "quoted" and (deeds := read(((max(line, 1), words.lstrip("> ").strip()),), people, to="forum").deeds):
            own = next((place, written.strip()) for place, written in heard.text.lines if written.strip())
            hint = f"Nothing was done: what you answer to is quoted. If you do the same, write “{deeds[0].says}”."
            _ask(work, heard, own, "ambiguous", hint)
            return True
    return False


def _in_subject(work: Work, heard: ReadLetter) -> bool:
    """Tell the author of an empty letter that a deed in its subject isn't done; return whether it has one."""
    plain = ANSWERED.sub("", heard.letter.subject).strip()
    to: Place = "contestmaster" if heard.channel == PRIVATE else "forum"
    people, own = people_of(work.contest, heard.author), own_frames(work.contest)
    if not plain or not read(((1, plain),), people, to=to, own=own).deeds:
        return False
    hint = "Nothing was done, since it stands in the subject. Write it again in the letter, on a line of its own."
    _ask(work, heard, (0, plain), "quoted only", hint)
    return True


def _unheard(work: Work, heard: ReadLetter) -> None:
    """Tell a player that their private letter did nothing; silence would show who has nothing to do.

    The same words are answered once in a phase, for they may be a machine's that doesn't say what it is.
    """
    game, author = work.contest.running, heard.author
    written = next(((line, words.strip()) for line, words in heard.text.lines if words.strip()), None)
    if game is None or written is None or heard.channel != PRIVATE:
        return
    if author in game.seats and not _asked_before(work, game, heard, written[1]):
        hint = "Nothing in your letter was understood as an action, so nothing was done."
        asks = ' If it is for the contestmaster, put "ask:" before it.' * can_ask(work.rules, game, author)
        _ask(work, heard, written, "not understood", hint + asks)


def objection_missed(work: Work, heard: ReadLetter) -> None:
    """Ask a member who seems to object, in words that were not understood, while an intent is open (D-N36)."""
    reading, lines = heard.reading, heard.text.lines
    known = {d.line for d in reading.deeds if d.verb in ("object", "withdraw")} | {p.line for p in reading.problems}
    missed = next(((n, line.strip()) for n, line in lines if n not in known and OBJECTS.search(line)), None)
    if missed is None or any(d.verb == "object" for d in reading.deeds) or not is_member(work.contest, heard.author):
        return
    if not (open_ := open_intents(work.contest)):
        return
    hint = (f"If you object to what the contestmaster intends, write “I object to intent {open_[0].number}.” in a "
            "forum, on a line of its own; you can withdraw it when you like.")
    _ask(work, heard, missed, "not understood", hint, ("NC 1c", "D-N36"))


def tell_of_wording(work: Work, posted: Contest) -> None:
    """Note, with a journal that is due anyway, what authors were asked about in forums since the last such note.

    Others may have understood it. *posted* is the contest as the letters so far report it.
    """
    contest = work.contest
    if not worth_a_journal(contest.entries[len(posted.entries):]):
        return
    asked = dict[str, list[str]]()
    for event in (e.event for e in reversed(contest.entries)):
        if isinstance(event, Noted) and event.topic == WORDING:
            break
        if isinstance(event, Asked) and (letter := contest.letters.get(event.letter)) and letter.channel != PRIVATE:
            where = f"{event.who} was asked to say more clearly, in the forum of {letter.channel}"
            asked.setdefault(where, []).insert(0, f'"{event.text}" ({event.problem})')
    for where in reversed(asked):
        work.add(Noted(WORDING, f"{where}: {'; '.join(asked[where])}."), cites=("D-N10",), cause="clock")


WORDING = "wording"
"""The topic of notes on what was not understood in a forum."""


JUDGES = ("guilty", "innocent", "vote", "unvote")
"""By what someone gives their verdict."""
NOMINATIONS = "nominations"
NAMES = ("nominate", "vote", "unvote")
"""By what someone names another, where all do."""


def trial_missed(work: Work, heard: ReadLetter) -> None:
    """Ask the author of a post about the first words that seem to accuse, second, nominate or judge."""
    game, author = work.contest.running, heard.author
    if game is None or author not in game.shown_living() or heard.channel not in work.contest.setup.nomics:
        return
    if game.stage != NOMINATIONS and not any(law.name == ACCUSATION for law in work.rules.laws):
        return
    open_now = {duty.verb: duty for duty in work.rules.duties(game, author) if duty.public}
    if game.stage == NOMINATIONS:
        hint = "If you nominate somebody, write “I nominate NAME.” in a forum, on a line of its own."
        if "vote" in open_now:
            _ask_about_trial(work, heard, (NOMINATING, NAMES, hint))
        return
    judges = {*cast_in_stage(game), *(d.who for d in work.contest.pending.values() if d.verb in JUDGES)}
    if on_trial(game) and "vote" in open_now and author not in judges:
        hint = (f"If this is your verdict on {on_trial(game)}, write “guilty” or “innocent” in a forum, on a line of "
                "its own.")
        if _ask_about_trial(work, heard, (JUDGING, JUDGES, hint)):
            return
    if "accuse" in open_now:
        hint = "If you accuse somebody, write “I accuse NAME.” in a forum, on a line of its own."
        if _ask_about_trial(work, heard, (ACCUSING, ("accuse", "second"), hint)):
            return
    if "second" in open_now and (whom := work.rules.options(game, author, open_now["second"])):
        hint = (f"If you second an accusation, name who is accused: write “second {whom[0]}” in a forum, on a line of "
                "its own.")
        more = f" You could second those of {listed(whom)}." if len(whom) > 1 else ""
        _ask_about_trial(work, heard, (SECONDING, ("second", "accuse"), hint + more))


def _ask_about_trial(work: Work, heard: ReadLetter, what: tuple[re.Pattern[str], tuple[str, ...], str]) -> bool:
    """Ask about the first line that looks so, unless such a deed was understood; the same words once in a phase.

    *what* is how a line looks so, the verbs of such deeds, and what is told with the question.
    """
    (looks, verbs, hint), reading = what, heard.reading
    understood = {d.line for d in reading.deeds} | {p.line for p in reading.problems}
    line = next(((n, x.strip()) for n, x in heard.text.lines if n not in understood and looks.search(x)), None)
    if line is None or any(d.verb in verbs for d in reading.deeds):
        return False
    game = work.contest.running
    assert game is not None
    if _asked_before(work, game, heard, line[1]):
        return False
    _ask(work, heard, line, "not understood", hint)
    return True


_DOES = re.compile(
    r"^\W*(?:(?:ok|okay|so|then|and|but|well|now|hi all)\W+)*I\b[^.!?]*?\b(?:(?P<join>join|become|agree|consent|enter)"
    r"|leave|quit|resign|withdraw|cease)\b[^.!?]*$", re.IGNORECASE)
_TALK = re.compile(
    r"n't\b|\b(?:not|never|would|might|may|could|should|if|unless|until|when|who|whoever|that|think|guess|did)\b",
    re.IGNORECASE)


def by_name(setup: Setup, lines: Iterable[tuple[int, str]]) -> tuple[int, str, str] | None:
    """Return the line, the words and the kind of joining or leaving the contest by its own name, None if there is none.

    A name may be wrapped, so each line is looked at together with the next.
    """
    names = "|".join(r"\s+".join(map(re.escape, name.split())) for name in (setup.name, tag_of(setup)) if name.split())
    called = re.compile(rf"\b(?:{names})\b", re.IGNORECASE)
    every = list(lines)
    for (number, line), (_, after) in zip_longest(every, every[1:], fillvalue=(0, "")):
        found = called.search(f"{line} {after}")
        if found is None or found.start() >= len(line):
            continue
        before = line[:found.start()]
        does = _DOES.match(before)
        if does is not None and not _TALK.search(before):
            return number, line.strip(), "join" if does["join"] else "leave"
    return None


def joining_missed(work: Work, heard: ReadLetter) -> None:
    """Ask who posts that they join or leave the contest by its name, if nothing of it was understood."""
    reading, channel = heard.reading, heard.channel
    said = by_name(work.contest.setup, heard.text.lines) if channel in work.contest.setup.nomics else None
    if said is None or said[0] in {p.line for p in reading.problems} or any(
            d.verb in ("join", "leave") for d in reading.deeds):
        return
    line, words, verb = said
    if (heard.author in work.contest.parties.get(channel, ())) is (verb == "join"):
        return
    hint = f"If you {verb}, write “I {verb} this contract.” in a forum, on a line of its own."
    _ask(work, heard, (line, words), "not understood", hint, ("NC 1c",))


REPEATED = ("quoted", "forwarded")


def note_shown_card(work: Work, heard: ReadLetter) -> None:
    """Note for the contestmaster that a public letter repeats one about a role.

    That it is no deed follows from its being quoted; whether it is the author's true role is not looked at.
    """
    game, rules = work.contest.running, work.rules
    if not rules.cards or game is None or not heard.letter.forums or heard.author not in game.seats:
        return
    titles = "|".join(re.escape(role.title or name) for name, role in rules.roles.items())
    repeated = " ".join(line.strip("> ") for _, line, why in heard.text.ignored if why in REPEATED)
    if re.search(rf"\byou are (?:an? |the |one of the )?(?:{titles})\b", repeated, re.IGNORECASE):
        told = f"Letter {heard.number}: {heard.author} quotes a letter about a card, and no card may be shown."
        work.add(Noted("card", told), cites=rules.cards, cause=f"letter {heard.number}")
