"""Readings completed from the state of the contest.

“I second that.” seconds the one accusation that is open (GA 5c, D-G19).

Last words are a whole private letter that is one deed without a verb, if it is meant for all (D-M14).

Words about a person's own entry in the roster, such as eir names and address, are no deed in a forum (D-N53): there
they stand in talk, in logs and in reports of machines, and everyone could read the address. So does "I confirm that
...", which gives no word.

A mail program's button ends an observer's letters by a subject alone (D-A18).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from nomicwolf.contest.channels import effective_at, forums_reached
from nomicwolf.contest.clock import settle
from nomicwolf.contest.step import Work
from nomicwolf.language.reader import Place, read
from nomicwolf.letters.attribution import Authored
from nomicwolf.letters.letter import Letter
from nomicwolf.reading.deeds import Deed, People, Problem, Reading
from nomicwolf.reading.set_phrases import last_words
from nomicwolf.reports.owed_letters import NO_MORE
from nomicwolf.reports.views import people_of
from nomicwolf.village.game import replay
from nomicwolf.village.rule_helpers import listed


def complete_second(work: Work, letter: Letter, author: str, text: Authored, reading: Reading) -> Reading:
    """Return *reading*, each second that names nobody with whom it seconds, asked about, or left out as talk.

    It is clear in a public letter that begins with it, where a single accusation is open to em at that instant, one
    that still settles included; and below a quotation only if that accuses the same person. Where none is open it is
    talk.
    """
    unnamed = [deed for deed in reading.deeds if deed.verb == "second" and not deed.names]
    if not unnamed:
        return reading
    public = forums_reached(work.contest.setup.nomics, letter)
    whom = _open_to(work, author, effective_at(work.contest, letter)) if public else set()
    first = next((number for number, words in text.lines if words.strip()), 0)
    quoted = any(why == "quoted" for _, _, why in text.ignored)
    clear = len(whom) == 1 and (not quoted or whom <= _accused_in(work, author, text))
    if clear and unnamed[0].line == first and not any(deed.verb == "accuse" for deed in reading.deeds):
        name = whom.pop()
        named = replace(unnamed[0], says=f"second {name}", names=(name,))
        kept = _without(reading, unnamed[1:])
        return replace(reading, deeds=tuple(named if deed is unnamed[0] else deed for deed in kept))
    hint = f"If you second an accusation, name who is accused: write “second {min(whom)}”." if whom else ""
    more = f" You could second those of {listed(tuple(sorted(whom)))}." if len(whom) > 1 else ""
    asked = tuple(Problem(deed.line, deed.text, "ambiguous", (), hint + more) for deed in unnamed[:1] if whom)
    return replace(reading, deeds=_without(reading, unnamed), problems=(*reading.problems, *asked))


def _without(reading: Reading, unnamed: list[Deed]) -> tuple[Deed, ...]:
    return tuple(deed for deed in reading.deeds if deed not in unnamed)


def _open_to(work: Work, author: str, at: int) -> set[str]:
    """Return whose accusations *author* could second at *at*, the session as it was or, played on, will be then."""
    then = Work(work.contest, work.now)
    settle(then, at)
    game = then.contest.running
    if game is None:
        return set()
    if at < game.clock:
        game = replay(e for e in game.entries if e.at <= at)
    duty = next((duty for duty in then.rules.duties(game, author) if duty.verb == "second"), None)
    return set() if duty is None else {*then.rules.options(game, author, duty)} - {author}


def _accused_in(work: Work, author: str, text: Authored) -> set[str]:
    """Return who is accused in what *text* quotes."""
    people = people_of(work.contest, author)
    quoted = tuple((max(number, 1), words.lstrip("> ")) for number, words, why in text.ignored if why == "quoted")
    return {name for row in quoted for deed in read((row,), people, to="forum").deeds if deed.verb == "accuse"
            for name in deed.names}


DOUBT = (
    "If these are your last words, which everyone will read, send them again below a line “Last words:”. Nothing of "
    "this letter has been published.")


def complete_speech(work: Work, letter: Letter, author: str, text: Authored, reading: Reading) -> Reading:
    """Return *reading*, or if nothing was read in a private letter of one who may speak, the letter as eir speech.

    Where it may not be meant for everyone its author is asked, since what is published can't be taken back.
    """
    lines = [line for _, line in text.lines]
    written = any(line.strip() for line in lines)
    if reading.deeds or letter.forums or not written or not _may_speak(work, author, letter.arrived):
        return reading
    line, first = next((number, line.strip()) for number, line in text.lines if line.strip())
    words = last_words(lines, letter.subject, work.contest.setup.contestmaster)
    if not words:
        return replace(reading, problems=(*reading.problems, Problem(line, first, "ambiguous", hint=DOUBT)))
    deed = Deed(line, words, "say", f"say: {' '.join(words.split())}", words=words)
    return replace(reading, deeds=(deed,), problems=())


def _may_speak(work: Work, author: str, at: int) -> bool:
    """Return whether *author* can speak at *at*, the session played on until then."""
    game = work.contest.running
    if game is None or author not in game.alive or not any(d.speech for law in work.rules.laws for d in law.duties):
        return False
    then = Work(work.contest, at)
    settle(then, at - work.contest.setup.settling)
    game = then.contest.running
    return game is not None and any(d.speech for d in work.rules.duties(game, author))


OWN_ENTRY_VERBS = ("alias", "address", "observe", "digest", "timezone", "statistics")
TALK_QUESTIONS = ("role", "who")
"""Questions that are also words of talk: in a forum they ask nobody."""
PRIVATELY = "Nothing was done. This is between the contest and you alone: send this to its own address."


def without_personal_deeds(reading: Reading, to: Place, lines: Iterable[tuple[int, str]]) -> Reading:
    """Return *reading* without personal deeds that are in a forum, or give no address.

    Who writes nothing else to a forum than such a line means it, and is asked to write it elsewhere.
    """
    if to == "forum":
        problems = tuple(each for each in reading.problems if not _personal(each.suggestions))
        reading = replace(reading, deeds=tuple(d for d in reading.deeds if not _talk(d)), problems=problems)
    meant = [deed for deed in reading.deeds if deed.verb in OWN_ENTRY_VERBS]
    wrong = [deed for deed in meant if to == "forum" or _prose(deed)]
    if not wrong:
        return reading
    kept = tuple(deed for deed in reading.deeds if deed not in wrong)
    alone = sum(bool(line.strip()) for _, line in lines) == 1 and not _prose(wrong[0])
    asked = (Problem(wrong[0].line, wrong[0].text, "ambiguous", (), PRIVATELY),) if alone else ()
    return replace(reading, deeds=kept, problems=(*reading.problems, *asked))


def _personal(suggested: Sequence[str]) -> bool:
    """Return whether all that is *suggested* concerns one's own entry."""
    return bool(suggested) and all(says.partition(":")[0] in OWN_ENTRY_VERBS for says in suggested)


def _talk(deed: Deed) -> bool:
    """Return whether *deed* asks something, or confirms by what can be no word of ours, with digits and hyphens."""
    return deed.verb in TALK_QUESTIONS or (deed.verb == "confirm" and not re.search(r"[0-9-]", deed.words))


def _prose(deed: Deed) -> bool:
    """Return whether *deed* is "address the above": no address, and no colon behind the verb."""
    return deed.verb == "address" and "@" not in deed.words and ":" not in deed.text


def complete_unsubscription(work: Work, letter: Letter, author: str, reading: Reading) -> Reading:
    """Return what ends an observer's letters where *letter* says so in its subject alone, else *reading* (D-A18).

    So mail programs write that have a button for it; what they put into the letter itself differs.
    """
    said = not letter.through and letter.subject.strip().casefold() == NO_MORE
    if not said or reading.deeds or author not in work.contest.law.observers:
        return reading
    return read(((0, NO_MORE),), People(living=()), to="contestmaster")
