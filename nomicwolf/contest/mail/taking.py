"""What a letter's author says in it, and eir deeds taken: each waits for its instant, or is answered at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from nomicwolf.contest import capping, pausing, rosters
from nomicwolf.contest.arriving import channel_of, effective
from nomicwolf.contest.channels import misplaced
from nomicwolf.contest.closed import not_open
from nomicwolf.contest.happenings import ReadLetter
from nomicwolf.contest.mail import assurance, spending
from nomicwolf.contest.mail.likewise import as_switched
from nomicwolf.contest.mail.misplacing import misplace
from nomicwolf.contest.mail.personal import personal
from nomicwolf.contest.mail.whose import ASKED, ReadAs, answered, own_deeds, questions
from nomicwolf.contest.work import Work
from nomicwolf.language.reader import Place, read
from nomicwolf.letters.attribution import Authored, authored
from nomicwolf.letters.letter import Letter
from nomicwolf.nomic.events import Answered, Asked, DeedHeard, Refused
from nomicwolf.nomic.setup import PRIVATE
from nomicwolf.nomic.state import Contest
from nomicwolf.reading.deeds import Deed, Reading
from nomicwolf.reading.set_phrases import disclaimer, forum_slip
from nomicwolf.reading.times import WHEN_CAST
from nomicwolf.reports.people import own_frames, people_of
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import rules_in


def deeds_in(contest: Contest, letter: Letter, author: str) -> Reading | None:
    """Return what *letter* does as *author*'s; None where it says of itself that it may not count, or is too long."""
    text = authored(letter, heard_from_others(contest, author))
    void = text.too_long or disclaimer([line for _, line in text.lines])
    return None if void else read_letter(contest, letter, author, text)


def heard_from_others(contest: Contest, author: str) -> Callable[[str], bool]:
    """Return what tells whether a line was first written by somebody else, where *author* could read it."""
    return lambda line: contest.said.get(line, author) != author


def read_letter(contest: Contest, letter: Letter, author: str, text: Authored) -> Reading:
    """Return what the author's own text does; after "TTttPF" over eir own quoted letter, that letter's deeds."""
    instant = effective(contest, letter)
    people = people_of(contest, author, instant)
    to: Place = "contestmaster" if channel_of(contest, letter) == PRIVATE else "forum"
    game = contest.running
    role, verbs = open_to(contest, author) if to == "contestmaster" else ("", None)

    own = own_frames(contest)

    def read_as(lines: Iterable[tuple[int, str]]) -> Reading:
        return read(lines, people, to=to, instant=instant, day_began=WHEN_CAST, role=role, open_verbs=verbs, own=own)

    reading = personal(read_as(text.lines), to, text.lines)
    wording = game.switches.get("copy_wording", "ask") if game is not None else "ask"
    reading = own_deeds(contest, letter, author, text, as_switched(reading, people, wording, to, instant))
    if forum_slip("\n".join(line for _, line in text.lines)) != "ttpf" or reading.deeds:
        return _asked_whose(contest, letter, text, reading, read_as)
    first = contest.by_message.get(letter.in_reply_to, ())
    if not first or contest.letters[first[0]].author != author:
        return reading
    lines = tuple((n, line.lstrip("> ")) for n, line, why in text.ignored if why == "quoted" and line.startswith(">"))
    return read_as(lines)


def open_to(contest: Contest, author: str) -> tuple[str, frozenset[str] | None]:
    """Return the role that *author* plays and the verbs of its duties, by which eir private letters are read.

    The verbs are None where e plays none. A forum's letters are never read by them: what is public tells of no role.
    """
    game = contest.running
    if game is None or game.opened is None or author not in game.roles:
        return "", None
    role = game.roles[author]
    return role, frozenset(duty.verb for duty in rules_in(game).roles[role].duties)


def _asked_whose(
    contest: Contest, letter: Letter, text: Authored, reading: Reading, read_as: ReadAs
) -> Reading:
    """Return *reading* with the questions about lines of which nobody can tell whose they are."""
    asked = questions(text, reading, answered(contest, letter), read_as) if text.doubtful else ()
    return replace(reading, problems=(*reading.problems, *asked)) if asked else reading


def take_reading(work: Work, heard: ReadLetter) -> None:
    """Let the deeds of a letter wait for their instant, answer its questions, and ask about its problems.

    Within one second the nomic decides, then the place in the mailbox (D-N30). What its author isn't certain enough
    for is put aside (D-N44).
    """
    setup, author, cause = work.contest.setup, heard.author, f"letter {heard.number}"
    unsure: list[DeedHeard] = []
    for place, deed in enumerate(heard.reading.deeds):
        if deed.verb in ASKED:
            if capping.answers_left(work, heard.letter, author):
                work.add(Answered(author, deed.verb, deed.words), cause=cause)
        elif deed.verb in rosters.VERBS:
            _roster(work, heard, deed, place)
        elif wrong := misplaced(work.rules, deed.verb, heard.channel, setup.nomics):
            misplace(work, heard, deed, wrong)
        elif assurance.enough(setup, deed.verb, heard.channel, heard.sure):
            entry = work.add(kept := as_heard(work.contest, heard, deed, place), cites=("D-N9",), cause=cause)
            pausing.put_off(work, entry.number, kept)
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
        says=deed.says, line=deed.line, text=deed.text, channel=channel, instant=effective(contest, letter),
        key=(letter.arrived, rank, letter.order, place), sure=heard.sure)


def _ask(work: Work, heard: ReadLetter, cause: str) -> None:
    """Ask the author about what could be meant otherwise, as often as eir day has answers left.

    What e would be asked to write, and has written beside it, e isn't asked.
    """
    said = {deed.says for deed in heard.reading.deeds}
    for problem in heard.reading.problems:
        meant = [_meant(work, heard, words) for words in problem.suggestions]
        if any(deed is not None and deed.says in said for deed in meant):
            continue
        if not capping.answers_left(work, heard.letter, heard.author):
            break
        closed = [_not_heard(work, heard, deed) for deed in meant]
        if closed and all(closed):
            work.add(Refused(0, heard.author, "say", problem.text, closed[0]), cause=cause)
            continue
        event = Asked(heard.number, heard.author, problem.line, problem.text, problem.problem, problem.hint,
                      problem.suggestions)
        work.add(event, cites=("D-N10",), cause=cause)


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
        return not_open(work.rules, game, as_heard(work.contest, heard, deed, 0))
    return ""


def _roster(work: Work, heard: ReadLetter, deed: Deed, place: int) -> None:
    """Do what concerns the roster; a confirmation may also be of acts that were put aside, if no forum has seen it."""
    if deed.verb == "confirm" and spending.told(work, heard.author):
        return
    meant = assurance.meant_by(work, heard.author, deed.words) if deed.verb == "confirm" else 0
    if meant:
        assurance.confirm(work, heard.letter, heard.author, meant, f"letter {heard.number}")
    else:
        rosters.do(work, heard.letter, heard.author, deed, heard.number, place)
