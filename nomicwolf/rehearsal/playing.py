"""A rehearsal, played step by step.

Each step becomes mail, a command or nothing but time, and the contest hears it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from nomicwolf.contest import Command, Contest, LetterCame, Outcome, Setup, Tick, hear
from nomicwolf.contest.channels import forums_of
from nomicwolf.contest.positions import Position, people, rules_for, stand
from nomicwolf.contest.step import Happening, Parse, parsed
from nomicwolf.letters.letter import Letter, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.maillist import MailingList
from nomicwolf.nomic.delivery import slots_of
from nomicwolf.nomic.setup import Caps, Other
from nomicwolf.reading.ballots import read_ballot
from nomicwolf.reading.deeds import People
from nomicwolf.reading.errors import BallotError
from nomicwolf.rehearsal import posting
from nomicwolf.rehearsal.checking import check
from nomicwolf.rehearsal.script import Script, ScriptError, Step, make_sense, with_settings
from nomicwolf.rehearsal.shown import Denied, Played, denied
from nomicwolf.reports.posting import letters_for
from nomicwolf.village.ballots import Ballot, For
from nomicwolf.village.day_replay import POLICIES
from nomicwolf.village.laws.verdicts import GUILTY, INNOCENT
from nomicwolf.village.rule_helpers import either
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import ruleset

TOKEN = re.compile(r'"confirm ([A-Z2-7-]+)"')


def rehearse(script: Script, parse: Parse, until: int | None = None) -> Played:
    """Play *script*, up to step *until* if that is given; ScriptError if it can't begin as it says."""
    stage = _Stage(script, parse)
    for step in script.steps[:until]:
        stage.play(step)
        if step.then is not None:
            stage.expect(f"after step {step.number}", step.then)
    if script.then is not None and (until is None or until >= len(script.steps)):
        stage.expect("at the end", script.then)
    return stage.played


class _Stage:
    """Where a rehearsal plays."""

    def __init__(self, script: Script, parse: Parse) -> None:
        self._script = script
        self._parse = parse
        names = (*script.given.people, script.given.contestmaster, *(s.who for s in script.steps if s.who))
        self._addresses = posting.addresses(dict.fromkeys(names))
        self._letters: dict[str, Letter] = {}
        self._run = 0
        try:
            setup = setup_of(script, self._addresses[script.given.contestmaster])
            self._setup = replace(setup, others=tuple(self._other(*found) for found in script.given.others),
                                  caps=replace(Caps(), **script.given.caps))
            self._forums = forums_of(self._setup)
            make_sense(script.given, self._setup, rules_for(self._setup, script.given.position)[0])
            self.played = self._begun()
        except Refusal as refused:
            hint = f"; possible: {', '.join(refused.untold)}" if refused.untold else ""
            raise ScriptError(f"given: it can't stand so: {refused.why}{hint}") from refused

    def _other(self, name: str, members: Sequence[str]) -> Other:
        """Return a further contest in the same mailbox, which knows *members*."""
        known = tuple(posting.known_at(self._addresses, who) for who in members)
        return Other((name,), f"{name}@werewolf.example", tuple(f.address for f in posting.FORUMS), members=known)

    def _begun(self) -> Played:
        given, at = self._script.given, self._script.given.position.at
        known = {who: self._addresses[who] for who in given.people if who != given.contestmaster}
        before = people(Contest(self._setup), known, given.limit, at)
        if not given.position.roles:
            return Played(self._script, before)
        contest = stand(before, position_of(self._script))
        if given.position.phase != "setup":
            began = contest.game.phase_mark if contest.game is not None else 0
            return Played(self._script, contest, [e for e in contest.entries if e.number >= began])
        dealt = contest.entries[before.last:]
        return Played(self._script, contest, list(dealt), list(letters_for(before, contest, dealt, at)))

    def play(self, step: Step) -> None:
        """Let one step happen, and poll at its time."""
        self._run = self.played.contest.last + 1
        if step.command is not None:
            self._command(step, step.command)
        for raw in self._mail(step):
            letter = make_letter(raw, self._forums, (posting.CONTEST,))
            self._letters[letter.content] = letter
            self._hear(LetterCame(letter, self._parse, run=self._run), step.at)
        self._hear(Tick(step.outage, self._run), step.at)

    def expect(self, where: str, then: Mapping[str, Any]) -> None:
        """Check what must be so by now."""
        played = self.played
        played.checked = True
        played.failures += [f"{where}: {failure}" for failure in check(then, played)]

    def _mail(self, step: Step) -> list[Raw]:
        if step.letter is not None:
            return self._whole(step, step.letter.read_bytes())
        if step.says is None:
            return []
        forums = self._lists(step)
        to = [forum.address for forum in forums] or [posting.CONTEST]
        address = posting.known_at(self._addresses, step.who)
        says = step.says.replace("{token}", self._token(step.who))
        post = posting.written(step.who, address, says, to, step.at, step.number)
        return posting.arriving(post, forums, step.at, step.number)

    def _token(self, who: str) -> str:
        """Return the word of the latest letter that asked *who* for a confirmation, '' if none did."""
        found = [m[1] for x in self.played.letters if x.person == who and (m := TOKEN.search(x.body))]
        return found[-1] if found else ""

    def _whole(self, step: Step, data: bytes) -> list[Raw]:
        """Return a whole letter as it comes in: through the lists that it is addressed to, if it didn't come by one."""
        letter = make_letter(posting.raw(data, step.at, step.number), self._forums, (posting.CONTEST,))
        if step.to:
            forums = () if letter.forums else self._lists(step)
        else:
            forums = posting.addressed(letter, (a for each in self._addresses.values() for a in each))
        return posting.arriving(data, forums, step.at, step.number) if forums else [
            posting.raw(data, step.at, step.number)]

    def _lists(self, step: Step) -> tuple[MailingList, ...]:
        forums = posting.lists(step.to)
        if forums is None:
            raise ScriptError(f"when, step {step.number}: to: “{step.to}” is none; write forum, discussion, "
                              f"contestmaster or {', '.join(self._setup.nomics)}")
        return forums

    def _command(self, step: Step, line: str) -> None:
        master = self._setup.contestmaster
        if step.who != master:
            why = f"Only the contestmaster, {master}, gives commands."
            self.played.refused.append(Denied(step.who, step.at, line, why))
            return
        try:
            command = parsed(line, self._parse)
        except ValueError as error:
            self.played.refused.append(Denied(step.who, step.at, line, str(error)))
            return
        if command.name == "start" and not command.get("seed"):
            number = self.played.contest.session + 1
            seed = self._script.seed if number == 1 else f"{self._script.seed} {number}"
            command = replace(command, args={**command.args, "seed": seed})
        if command.name in ("release", "reject"):
            command = self._about_held(command)
        outcome = self._hear(replace(command, since=step.outage, run=self._run), step.at)
        if outcome.said:
            self.played.said.append(outcome.said)
        if outcome.status:
            self.played.refused.append(Denied(step.who, step.at, line, outcome.said))

    def _about_held(self, command: Command) -> Command:
        """Return *command* with the held letter that it is about: by its number, or by its place among those held.

        A rehearsal's writer can't see the numbers that letters get.
        """
        text, held = command.get("number"), sorted(self.played.contest.held)
        number = int(text) if text.isdecimal() else 0
        if number not in held and 1 <= number <= len(held):
            number = held[number - 1]
        heard = self.played.contest.letters.get(number)
        letter = self._letters.get(heard.content) if heard and command.name == "release" else None
        return replace(command, args={**command.args, "number": str(number) if number in held else text}, letter=letter)

    def _hear(self, happening: Happening, at: int) -> Outcome:
        played = self.played
        outcome = hear(played.contest, happening, at)
        played.contest = outcome.contest
        played.entries += outcome.entries
        played.letters += outcome.letters
        played.refused += [d for e in outcome.entries if (d := denied(outcome.contest, e))]
        return outcome


def setup_of(script: Script, contestmaster: tuple[str, ...]) -> Setup:
    """Return the contest that *script* is of; nothing settles later unless it says so."""
    given = dict(script.switches)
    settling, instant = given.pop("settling", "0"), given.pop("instant", "forum")
    try:
        cover = slots_of(given.pop("cover", "off"))
    except ValueError as error:
        raise ScriptError(f"switches: {error}") from error
    policy = next((known for known in POLICIES if known == instant), None)
    if not settling.isdecimal() or policy is None:
        raise ScriptError(f"switches: settling is whole minutes; instant is {either(POLICIES)}")
    assurance = {name.partition(".")[2]: given.pop(name) for name in list(given) if name.startswith("assurance.")}
    known = {switch.name for switch in ruleset(script.ruleset).switches}
    if unknown := sorted(set(given) - known):
        near = get_close_matches(unknown[0], sorted(known), 1)
        raise ScriptError(f"switches: {script.ruleset} has no {unknown[0]}; write "
                          f"{near[0] if near else ', '.join(sorted((*known, 'settling', 'instant', 'cover')))}")
    forums = tuple(replace(forum, instant=policy) for forum in posting.FORUMS)
    return with_settings(Setup(
        contest="rehearsal", name="The Werewolves of Nomic Crossing", ruleset=script.ruleset,
        contestmaster=script.given.contestmaster, contestmaster_addresses=contestmaster, address=posting.CONTEST,
        forums=forums, switches=given, settling=60 * int(settling), secret=b"a rehearsal has no secrets",
        cover=cover, assurance=assurance,
    ), script.settings)


def position_of(script: Script) -> Position:
    """Return how the session stands at first; ScriptError for a vote that is none."""
    votes = tuple((who, _ballot(script, who, text)) for who, text in script.given.votes)
    return replace(script.given.position, votes=votes, seed=script.seed)


def _ballot(script: Script, who: str, text: str) -> Ballot:
    if text.strip().lower() in (GUILTY, INNOCENT):
        return For(text.strip().lower())
    given, dead = script.given, script.given.position.dead
    living = tuple(name for name in given.people if name not in dead)
    try:
        return read_ballot(text, People(living, dead, (given.contestmaster,), author=who), given.position.at)
    except BallotError as error:
        raise ScriptError(f"given: votes: {who}: “{text}”: {error.message} {error.hint}".rstrip()) from error
