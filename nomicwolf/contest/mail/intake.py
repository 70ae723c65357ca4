"""Deeds taken from what a letter's author says.

Private deeds in a forum are refused, and public ones by private mail (NC 1g, D-N25).

The author is asked about a deed that may be a repetition of another's (D-N10, D-N52). What is in a public letter
that this one answers, word for word, is that letter's: where its own quotation marks are lost, nobody has to be asked
about it.

“I second that.” seconds the one accusation that is open (GA 5c, D-G19).

Last words are a whole private letter that is one deed without a verb, if it is meant for all (D-M14).

Words about a person's own entry in the roster, such as their names and address, are no deed in a forum (D-N53): there
they are in talk, in logs and in reports of machines, and everyone could read the address. So does "I confirm that
...", which gives no word.

A mail program's button ends an observer's letters by a subject alone (D-A18).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TypeAlias, cast

from nomicwolf.contest import clock, rosters
from nomicwolf.contest.clock import settle
from nomicwolf.contest.deeds import refusal_text
from nomicwolf.contest.mail import assurance
from nomicwolf.contest.rosters import ROSTER_VERBS
from nomicwolf.contest.step import (
    DEAD,
    ReadLetter,
    Work,
    answers_left,
    can_do,
    channel_of,
    effective_at,
    forums_reached,
    why_no_accusation,
    wrong_channel,
)
from nomicwolf.language.reader import Place, read
from nomicwolf.letters import attribution
from nomicwolf.letters.attribution import Authored, authored, is_reply
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.events import Answered, Asked, DeedHeard, LetterHeard, Noted, Refused
from nomicwolf.nomic.law import BALLOTS, LAW
from nomicwolf.nomic.setup import PRIVATE
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import Deed, People, Problem, Reading
from nomicwolf.reading.lark_driver import Wording
from nomicwolf.reading.set_phrases import disclaimer, forum_slip, last_words
from nomicwolf.reading.times import WHEN_CAST
from nomicwolf.reports.answers import QUESTIONS
from nomicwolf.reports.owed_letters import NO_MORE
from nomicwolf.reports.views import own_frames, people_of
from nomicwolf.village.game import replay
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.rules import Refusal, listed
from nomicwolf.village.rulesets import rules_in


def complete_second(work: Work, letter: Letter, author: str, text: Authored, reading: Reading) -> Reading:
    """Return *reading* with each nameless second completed, asked about, or dropped as talk.

    It is clear in a public letter that begins with it, where a single accusation is open to them at that instant, one
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
    """Return *reading*, or if nothing was read in a private letter of one who may speak, the letter as their speech.

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
    if game is None or author not in game.alive or not any(d.speech for d in work.rules.common_duties):
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


def _without_accusations(rules: Ruleset, reading: Reading) -> Reading:
    """Return *reading* without questions about accusations where *rules* have none: whoever "accuses" there talks."""
    asked = tuple(p for p in reading.problems if not p.suggestions or any(
        not why_no_accusation(rules, says.split()[0]) for says in p.suggestions))
    return replace(reading, problems=asked)


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


def misplace(work: Work, heard: ReadLetter, deed: Deed, wrong: str) -> None:
    """Refuse a deed that came by the wrong way, and say *wrong*, why; never where others can see it."""
    number, author, channel = heard.number, heard.author, heard.channel
    strange = bool(why_no_accusation(work.rules, deed.verb))
    cites = () if strange else ("NC 1g", "D-N25") if channel == PRIVATE else ("NC 1g",)
    game = work.contest.running
    dead = game is not None and author in game.shown_dead and not can_do(work.rules, game, author, deed.verb)
    if dead and deed.verb not in LAW:
        wrong = DEAD
    elif deed.verb in BALLOTS:
        wrong = _closed_ballot(work, heard, deed) or wrong
    work.add(Refused(0, author, deed.verb, deed.text, wrong), cites=cites, cause=f"letter {number}")
    if channel != PRIVATE and deed.verb not in ("vote", "unvote") and not strange:
        work.add(Noted("misplaced", f"Letter {number}: a private action came through {channel}; it was not done."))


ASKED = tuple(QUESTIONS)
"""Verbs of questions, which are answered and do nothing."""
ReadAs: TypeAlias = Callable[[Sequence[tuple[int, str]]], Reading]
"""A reader of numbered lines."""
_MOST_ANSWERED = 20
"""So many letters that a letter answers are looked at, the latest first."""
_MOST_READ = 8192
"""So many characters in doubt are read at each end."""
_EVIDENCE = {
    attribution.UNMARKED: "It stands below a quotation whose lines have no quote mark",
    attribution.ATTRIBUTED: "It stands in what looks like the line that says whom you quote",
    attribution.BETWEEN: "It stands between the line that says whom you quote and the quotation",
    attribution.OUTDENTED: "It stands below a quotation that is only set in",
    attribution.WITHIN: "It stands below lines with a quote mark which may be the quoted letter's own",
    attribution.CHAT: "It stands below what was copied out of a chat",
    attribution.DEVICE: "It stands below the line that your device writes under letters",
}
_AGAIN = ("so it may be yours or somebody else's. Nothing was done by it. If it is yours, write it again, above all "
          "that you quote.")
_REPEATED = ("Somebody else has posted the same line, and in your answer it may be quoted. Nothing was done by it. If "
             "you mean it, write it again in a new letter.")


def own_deeds(contest: Contest, letter: Letter, author: str, text: Authored, reading: Reading) -> Reading:
    """Return *reading* without what *author* seems to repeat in an answer, which is asked about.

    So it seems where somebody else has posted the line, word for word, and their letter has another deed of the same
    kind; or where it is the answered letter's, and *text* quotes something, but not that. Else it is their own: two who
    both write “I vote for Gus.” do not quote each other.
    """
    if not reading.deeds or not is_reply(letter):
        return reading
    others = answered_sentences(contest, letter, but=author)
    same = [deed for deed in reading.deeds if (line := deed.text.strip()) in others
            or contest.said.get(line, author) != author]
    anew = {deed.verb for deed in reading.deeds if deed not in same}
    quoted = [line for _, line, why in text.ignored if why in ("quoted", "forwarded")]
    doubtful = [deed for deed in same if deed.verb in anew or (
        quoted and deed.text.strip() in others and not any(deed.text.strip() in line for line in quoted))]
    if not doubtful:
        return reading
    asked = tuple(_question(deed, _REPEATED) for deed in doubtful)
    kept = tuple(deed for deed in reading.deeds if deed not in doubtful)
    return replace(reading, deeds=kept, problems=(*reading.problems, *asked))


def attribution_questions(text: Authored, reading: Reading, said: Counter[str], read_as: ReadAs) -> tuple[Problem, ...]:
    """Return the questions to the author of *text* about what isn't in *reading*, their own part.

    *said* are sentences of letters that this one answers, and how often each is there: so often it is no question.
    Nor is what a quotation to the letter's end holds, if its author does something of the kind above it. *read_as*
    reads lines.
    """
    if not text.doubtful:
        return ()
    evidence = {number: doubt for number, _, doubt in text.doubtful}
    mine = {deed.verb for deed in reading.deeds}
    left, asked = Counter(said), []
    for deed in (deed for lines in _paragraphs(text.doubtful) for deed in read_as(lines).deeds):
        doubt = evidence.get(deed.line, attribution.UNMARKED)
        if left[deed.text.strip()] > 0:
            left[deed.text.strip()] -= 1
        elif deed.verb not in ASKED and not (doubt == attribution.UNMARKED and deed.verb in mine):
            asked.append(_question(deed, f"{_EVIDENCE[doubt]}, {_AGAIN}"))
    return tuple(asked)


def answered_sentences(contest: Contest, letter: Letter, but: str = "") -> Counter[str]:
    """Return the sentences that did something in the public letters that *letter* answers, *but* those of one author.

    What others have written in private is not known here.
    """
    found: Counter[str] = Counter()
    ids = dict.fromkeys(each for each in (letter.in_reply_to, *reversed(letter.references)) if each)
    for name in [*ids][:_MOST_ANSWERED]:
        for number in contest.by_message.get(name, ())[:2]:
            found.update(_done_by(contest, number, but))
    return found


def _done_by(contest: Contest, number: int, but: str) -> list[str]:
    """Return the public sentences of letter *number*: what it does is recorded right behind it."""
    found = []
    for entry in contest.entries[number:]:
        event = entry.event
        if isinstance(event, LetterHeard) and entry.number != number:
            break
        if isinstance(event, DeedHeard) and event.letter == number and event.channel != PRIVATE and event.who != but:
            found.append(event.text.strip())
    return found


def _paragraphs(doubtful: Sequence[tuple[int, str, str]]) -> list[list[tuple[int, str]]]:
    """Return the paragraphs' lines; what is above a paragraph may be another's, and says nothing about it."""
    found: list[list[tuple[int, str]]] = []
    for number, line, _ in _ends(doubtful):
        if not found or number > found[-1][-1][0] + 1:
            found.append([])
        found[-1].append((number, line))
    return found


def _ends(doubtful: Sequence[tuple[int, str, str]]) -> Sequence[tuple[int, str, str]]:
    """Return the lines at both ends of *doubtful*: within long quotations nobody writes."""
    lengths = [len(line) for _, line, _ in doubtful]
    first = sum(total <= _MOST_READ for total in accumulate(lengths))
    last = sum(total <= _MOST_READ for total in accumulate(reversed(lengths)))
    return doubtful if first + last >= len(lengths) else (*doubtful[:first], *doubtful[len(lengths) - last:])


def _question(deed: Deed, hint: str) -> Problem:
    suggested = () if deed.verb in ROSTER_VERBS else (deed.says,)
    return Problem(deed.line, deed.text, "ambiguous", suggested, hint)


def deeds_in(contest: Contest, letter: Letter, author: str) -> Reading | None:
    """Return what *letter* does as *author*'s; None where it says of itself that it may not count, or is too long."""
    text = authored(letter, heard_from_others(contest, author))
    void = text.too_long or disclaimer([line for _, line in text.lines])
    return None if void else read_letter(contest, letter, author, text)


def heard_from_others(contest: Contest, author: str) -> Callable[[str], bool]:
    """Return a test of whether a line was first written by somebody else, where *author* could read it."""
    return lambda line: contest.said.get(line, author) != author


def read_letter(contest: Contest, letter: Letter, author: str, text: Authored) -> Reading:
    """Return what the author's own text does; after "TTttPF" over their own quoted letter, that letter's deeds."""
    instant = effective_at(contest, letter)
    people = people_of(contest, author, instant)
    to: Place = "contestmaster" if channel_of(contest, letter) == PRIVATE else "forum"
    game = contest.running
    role, verbs = role_and_verbs(contest, author) if to == "contestmaster" else ("", None)

    own = own_frames(contest)
    wording = cast(Wording, game.switches.get("copy_wording", "ask")) if game is not None else "ask"

    def read_as(lines: Iterable[tuple[int, str]]) -> Reading:
        return read(lines, people, to=to, instant=instant, day_began=WHEN_CAST, role=role, open_verbs=verbs, own=own,
                    wording=wording)

    reading = without_personal_deeds(read_as(text.lines), to, text.lines)
    if game is not None and to == "forum":
        reading = _without_accusations(rules_in(game), reading)
    reading = own_deeds(contest, letter, author, text, reading)
    if forum_slip("\n".join(line for _, line in text.lines)) != "ttpf" or reading.deeds:
        return _with_authorship_questions(contest, letter, text, reading, read_as)
    first = contest.by_message.get(letter.in_reply_to, ())
    if not first or contest.letters[first[0]].author != author:
        return reading
    lines = tuple((n, line.lstrip("> ")) for n, line, why in text.ignored if why == "quoted" and line.startswith(">"))
    return read_as(lines)


def role_and_verbs(contest: Contest, author: str) -> tuple[str, frozenset[str] | None]:
    """Return the role that *author* plays and the verbs of its duties, by which their private letters are read.

    The verbs are None where they play none. A forum's letters are never read by them: what is public tells of no role.
    """
    game = contest.running
    if game is None or game.opened is None or author not in game.roles:
        return "", None
    role = game.roles[author]
    return role, frozenset(duty.verb for duty in rules_in(game).roles[role].duties)


def _with_authorship_questions(
    contest: Contest, letter: Letter, text: Authored, reading: Reading, read_as: ReadAs
) -> Reading:
    """Return *reading* with the questions about lines of unknown authorship."""
    asked = attribution_questions(text, reading, answered_sentences(contest, letter), read_as) if text.doubtful else ()
    return replace(reading, problems=(*reading.problems, *asked)) if asked else reading


def take_reading(work: Work, heard: ReadLetter) -> None:
    """Queue the deeds of a letter for their instants, answer its questions, and ask about its problems.

    Within one second the nomic decides, then the place in the mailbox (D-N30). What its author isn't certain enough
    for is put aside (D-N44).
    """
    setup, author, cause = work.contest.setup, heard.author, f"letter {heard.number}"
    unsure: list[DeedHeard] = []
    for place, deed in enumerate(heard.reading.deeds):
        if deed.verb in ASKED:
            if answers_left(work, heard.letter, author):
                work.add(Answered(author, deed.verb, deed.words), cause=cause)
        elif deed.verb in rosters.ROSTER_VERBS:
            _roster(work, heard, deed, place)
        elif wrong := wrong_channel(work.rules, deed.verb, heard.channel, setup.nomics):
            misplace(work, heard, deed, wrong)
        elif assurance.is_enough(setup, deed.verb, heard.channel, heard.sure):
            entry = work.add(kept := as_heard(work.contest, heard, deed, place), cites=("D-N9",), cause=cause)
            clock.postpone_for_pause(work, entry.number, kept)
        else:
            unsure.append(as_heard(work.contest, heard, deed, place))
    if unsure:
        assurance.set_aside(work, author, heard.number, heard.sure, unsure)
    _ask(work, heard, cause)


def as_heard(contest: Contest, heard: ReadLetter, deed: Deed, place: int) -> DeedHeard:
    """Return *deed*, at *place* in its letter, as it waits for its instant."""
    nomics, letter, channel = contest.setup.nomics, heard.letter, heard.channel
    rank = nomics.index(channel) if channel in nomics else 9
    return DeedHeard(
        letter=heard.number, who=heard.author, verb=deed.verb, names=deed.names, ballot=deed.ballot, words=deed.words,
        says=deed.says, line=deed.line, text=deed.text, channel=channel, instant=effective_at(contest, letter),
        key=(letter.arrived, rank, letter.order, place), sure=heard.sure)


def _ask(work: Work, heard: ReadLetter, cause: str) -> None:
    """Ask the author about ambiguous words, as long as their day has answers left.

    They aren't asked to write what they have written elsewhere in the letter.
    """
    said = {deed.says for deed in heard.reading.deeds}
    for problem in heard.reading.problems:
        meant = [_meant(work, heard, words) for words in problem.suggestions]
        if any(deed is not None and deed.says in said for deed in meant):
            continue
        if not answers_left(work, heard.letter, heard.author):
            break
        closed = [_not_heard(work, heard, deed) for deed in meant]
        if closed and all(closed):
            work.add(Refused(0, heard.author, "say", problem.text, closed[0]), cause=cause)
            continue
        if why := _vote_refused(work, heard, problem):
            work.add(Refused(0, heard.author, "vote", problem.text, why), cause=cause)
            continue
        event = Asked(heard.number, heard.author, problem.line, problem.text, problem.problem, problem.hint,
                      problem.suggestions)
        work.add(event, cites=("D-N10",), cause=cause)


def _vote_refused(work: Work, heard: ReadLetter, problem: Problem) -> str:
    """Return why a vote with its name set right would be refused all the same, '' if it would not.

    So it is by the wrong way, or while no vote is open when the letter came.
    """
    named = problem.problem in ("unknown player", "ambiguous player", "not a townsperson")
    if not named or not VOTES.search(problem.text) or work.contest.running is None:
        return ""
    closed = _closed_ballot(work, heard, Deed(problem.line, problem.text, "vote", problem.text))
    return closed or wrong_channel(work.rules, "vote", heard.channel, work.contest.setup.nomics)


def _closed_ballot(work: Work, heard: ReadLetter, deed: Deed) -> str:
    """Return why no vote was open to a letter's living author when it came, '' if one was."""
    then = Work(work.contest, heard.letter.arrived)
    settle(then, then.now - work.contest.setup.settling)
    game = then.contest.running
    if game is None or heard.author not in game.shown_living() or can_do(then.rules, game, heard.author, "vote"):
        return ""
    return refusal_text(then.rules, game, as_heard(then.contest, heard, deed, 0))


VOTES = re.compile(r"\b(?:vote|endorse|nominate)\b", re.IGNORECASE)


def _meant(work: Work, heard: ReadLetter, words: str) -> Deed | None:
    """Return what *words* would do as this letter's, None if nothing, or not one thing."""
    to: Place = "contestmaster" if heard.channel == PRIVATE else "forum"
    people = people_of(work.contest, heard.author)
    deeds = read(((1, words),), people, to=to, own=own_frames(work.contest)).deeds
    return deeds[0] if len(deeds) == 1 else None


def _not_heard(work: Work, heard: ReadLetter, deed: Deed | None) -> str:
    """Return why *deed*, words for a group, would be refused its author now; '' if it would not, or is another deed."""
    game = work.contest.running
    if game is None or deed is None or deed.verb != "say" or heard.author not in game.seats:
        return ""
    try:
        work.rules.speak(game, game.clock, heard.author, deed.verb, deed.words)
    except Refusal:
        return refusal_text(work.rules, game, as_heard(work.contest, heard, deed, 0))
    return ""


def _roster(work: Work, heard: ReadLetter, deed: Deed, place: int) -> None:
    """Do what concerns the roster; a confirmation may also be of acts that were put aside, if no forum has seen it."""
    if deed.verb == "confirm" and assurance.was_told_spent(work, heard.author):
        return
    meant = assurance.act_meant_by(work, heard.author, deed.words) if deed.verb == "confirm" else 0
    if meant:
        assurance.confirm(work, heard.letter, heard.author, meant, f"letter {heard.number}")
    else:
        rosters.change_roster(work, heard.letter, heard.author, deed, heard.number, place)
