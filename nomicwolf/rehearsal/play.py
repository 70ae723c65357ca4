"""A rehearsal, played step by step.

Each step becomes mail, a command or nothing but time, and the contest hears it. Letters are bytes that come through the
forums' lists, with their stamps.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from difflib import get_close_matches
from email.header import Header
from email.utils import format_datetime
from typing import Any

from nomicwolf.contest import Command, Contest, LetterCame, Outcome, Setup, Tick, hear
from nomicwolf.contest.sessions import people, rules_for, stand
from nomicwolf.contest.step import Happening, Parse, forums_of, parse_order
from nomicwolf.letters.headers import every
from nomicwolf.letters.identity import addr_spec, addresses_in, fold_address
from nomicwolf.letters.letter import Letter, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.letters.origin import machine
from nomicwolf.maillist import MailingList, distributed, trace
from nomicwolf.nomic.delivery import slots_of
from nomicwolf.nomic.setup import Caps, Forum, Other
from nomicwolf.reading.deeds import BallotError, People
from nomicwolf.reading.lark_driver import read_ballot
from nomicwolf.rehearsal.outcome import Denied, Played, check, denied
from nomicwolf.rehearsal.script import Script, ScriptError, Step, demand_sense, with_settings
from nomicwolf.reports.owed_letters import letters_for
from nomicwolf.reports.views import own_frames
from nomicwolf.village.ballots import Ballot, For
from nomicwolf.village.day_replay import POLICIES
from nomicwolf.village.laws.majority import GUILTY, INNOCENT
from nomicwolf.village.rules import Refusal, either
from nomicwolf.village.rulesets import ruleset

HOST = "players.example"
CONTEST = "contest@werewolf.example"
FORUMS = (
    Forum("agora", "agora-business@lists.agora.example", "agora-discussion@lists.agora.example", title="Agora"),
    Forum("b", "spoon-business@lists.b.example", "spoon-discuss@lists.b.example", profile="b-2009", title="B"),
)
TAGS = {"agora": "BUS:", "b": "[s-b]", "discussion": "DIS:"}
NAMES_OF = {"agora": ("agora",), "b": ("b", "spoon", "bnomic", "nomic.net")}
"""Words in a real list's address that identify its nomic."""
TALK = ("discuss", "discussion")
PRIVATE = ("contest", "contestmaster", "gm", "moderator", "master", "werewolf", "werewolves", "nomicwolf")
"""The first words of private addresses."""
FOOTER = "\n_______________________________________________\n{0} mailing list\n{0}@{1}\n"


def addresses(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return each person's addresses: the name in lower case without spaces at players.example, if that is valid.

    >>> addresses(["Ash", "D. Margaux", "G."])
    {'Ash': ('ash@players.example',), 'D. Margaux': ('d.margaux@players.example',), 'G.': ('g@players.example',)}
    """
    found: dict[str, tuple[str, ...]] = {}
    for place, name in enumerate(names, 1):
        taken = {address for known in found.values() for address in known}
        found[name] = (next(a for a in (address_of(name), f"player{place}@{HOST}") if a and a not in taken),)
    return found


def address_of(name: str) -> str:
    """Return the address of *name*, '' if the name can't be part of one."""
    local = unicodedata.normalize("NFC", "".join(name.lower().split()))
    plain = ".".join(part for part in local.split(".") if part)
    kept = "".join(c for c in plain if c.isalnum() or c in "._+-'!#$%&*/=?^`{|}~")
    return addr_spec(f"{local}@{HOST}") or addr_spec(f"{kept}@{HOST}") or ""


def lists_for(to: str) -> tuple[MailingList, ...] | None:
    """Return the lists for *to*: none for private mail, None if there is no such place."""
    if to in ("contestmaster", "private"):
        return ()
    chosen = {"forum": FORUMS, "discussion": FORUMS}.get(to, tuple(f for f in FORUMS if f.nomic == to))
    kind = "discussion" if to == "discussion" else ""
    return tuple(_list(f, f.discussion if kind else f.address, kind or f.nomic) for f in chosen) or None


def lists_reached(letter: Letter, persons: Iterable[str]) -> tuple[MailingList, ...]:
    """Return the lists that would distribute a whole *letter*: none if it came through one, or is for *persons* alone.

    It may be addressed to a real forum, or to an address that readers would take for one. Automatic mail is not
    distributed, because a list's headers would disguise it.
    """
    values = [v for name in ("To", "Cc", "List-Post", "X-BeenThere") for v in every(letter.headers, name)]
    found = {fold_address(address) for value in values for address in addresses_in(value)}
    known = {fold_address(CONTEST), *map(fold_address, persons)}
    unknown = {a for a in found - known if _words(a.partition("@")[0])[:1] not in [(word,) for word in PRIVATE]}
    if letter.forums or not unknown or machine(letter):
        return ()
    nomics = [nomic for nomic, names in NAMES_OF.items()
              if any(set(_words(a)) & set(names) or a.endswith("@" + names[-1]) for a in unknown)]
    if all(set(_words(a)) & set(TALK) for a in unknown):
        return lists_for("discussion") or ()
    return tuple(each for nomic in nomics or [f.nomic for f in FORUMS] for each in lists_for(nomic) or ())


def _words(address: str) -> tuple[str, ...]:
    """Return the words that an address is made of."""
    return tuple("".join(c if c.isalnum() else " " for c in address).split())


def _list(forum: Forum, address: str, tag: str) -> MailingList:
    name, _, host = address.partition("@")
    return MailingList(address, forum.title, TAGS[tag], FOOTER.format(name, host), (CONTEST,))


def step_letter(who: str, address: str, text: str, to: Iterable[str], at: int, number: int) -> bytes:
    """Return the letter that *who* sends at *at* (UTC seconds); *number* is the step's."""
    moment = datetime.fromtimestamp(at, UTC)
    phrase = who if who.isascii() and who.isalnum() else Header(who, "utf-8").encode()
    head = (
        f"Date: {format_datetime(moment)}\r\nFrom: {phrase} <{address}>\r\nTo: {', '.join(to)}\r\n"
        f"Message-ID: <step-{number}.{at}@{HOST}>\r\nSubject: werewolves\r\nMIME-Version: 1.0\r\n"
        "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    )
    body = text.replace("\r\n", "\n").rstrip("\n").replace("\n", "\r\n") + "\r\n"
    return head.encode() + body.encode("utf-8", "replace")


def arriving_copies(post: bytes, forums: Iterable[MailingList], at: int, number: int) -> list[Raw]:
    """Return the copies of *post* that reach the contest's mailbox: one through each list, or the letter itself."""
    copies = [distributed(post, forum, at) for forum in forums] or [post]
    marked = [trace("[127.0.0.1]", "mx.werewolf.example", at) + copy for copy in copies]
    return [raw_letter(copy, at, number, place) for place, copy in enumerate(marked)]


def raw_letter(data: bytes, at: int, number: int, place: int = 0) -> Raw:
    """Return *data* as fetched from a mailbox; *number* is the step's, *place* counts copies from 0."""
    return Raw(f"rehearsal:step-{number}/{place}", 10 * number + place, at, data, len(data))


def known_at(known: Mapping[str, tuple[str, ...]], who: str) -> str:
    """Return the address of *who*, a party or a stranger."""
    return known[who][0] if who in known else address_of(who) or f"stranger@{HOST}"


TOKEN = re.compile(r'"confirm ([A-Z2-7-]+)"')


def rehearse(script: Script, parse: Parse, until: int | None = None) -> Played:
    """Play *script*, up to step *until* if given; ScriptError if its start is impossible."""
    stage = _Stage(script, parse)
    for step in script.steps[:until]:
        stage.play(step)
        if step.then is not None:
            stage.expect(f"after step {step.number}", step.then)
    if script.then is not None and (until is None or until >= len(script.steps)):
        stage.expect("at the end", script.then)
    return stage.played


class _Stage:
    """A rehearsal in progress."""

    def __init__(self, script: Script, parse: Parse) -> None:
        self._script = script
        self._parse = parse
        names = (*script.given.people, script.given.contestmaster, *(s.who for s in script.steps if s.who))
        self._addresses = addresses(dict.fromkeys(names))
        self._letters: dict[str, Letter] = {}
        self._run = 0
        try:
            setup = setup_of(script, self._addresses[script.given.contestmaster])
            self._setup = replace(setup, others=tuple(self._other(*found) for found in script.given.others),
                                  caps=replace(Caps(), **script.given.caps))
            self._forums = forums_of(self._setup)
            demand_sense(script.given, self._setup, rules_for(self._setup, script.given.position)[0])
            self.played = self._begun()
        except Refusal as refused:
            hint = f"; possible: {', '.join(refused.untold)}" if refused.untold else ""
            raise ScriptError(f"given: this can't be so: {refused.why}{hint}") from refused

    def _other(self, name: str, members: Sequence[str]) -> Other:
        """Return another contest in the same mailbox, with these *members*."""
        known = tuple(known_at(self._addresses, who) for who in members)
        return Other((name,), f"{name}@werewolf.example", tuple(f.address for f in FORUMS), members=known)

    def _begun(self) -> Played:
        given, at = self._script.given, self._script.given.position.at
        known = {who: self._addresses[who] for who in given.people if who != given.contestmaster}
        before = people(Contest(self._setup), known, given.limit, at)
        if not given.position.roles:
            return Played(self._script, before)
        contest = stand(before, replace(given.position, votes=tuple(
            (who, _ballot(self._script, who, text)) for who, text in given.votes), seed=self._script.seed))
        if given.position.phase != "setup":
            began = contest.game.phase_mark if contest.game is not None else 0
            return Played(self._script, contest, [e for e in contest.entries if e.number >= began])
        dealt = contest.entries[before.last:]
        return Played(self._script, contest, list(dealt), list(letters_for(before, contest, dealt, at)))

    def play(self, step: Step) -> None:
        """Perform one step, and poll at its time."""
        self._run = self.played.contest.last + 1
        if step.command is not None:
            self._command(step, step.command)
        for raw in self._mail(step):
            letter = make_letter(raw, self._forums, (CONTEST,), own=own_frames(self.played.contest))
            self._letters[letter.content] = letter
            self._hear(LetterCame(letter, self._parse, run=self._run), step.at)
        self._hear(Tick(step.outage, self._run), step.at)

    def expect(self, where: str, then: Mapping[str, Any]) -> None:
        """Check the expectations for this time."""
        played = self.played
        played.checked = True
        played.failures += [f"{where}: {failure}" for failure in check(then, played)]

    def _mail(self, step: Step) -> list[Raw]:
        if step.letter is not None:
            return self._whole(step, step.letter.read_bytes())
        if step.says is None:
            return []
        forums = self._lists(step)
        to = [forum.address for forum in forums] or [CONTEST]
        address = known_at(self._addresses, step.who)
        says = step.says.replace("{token}", self._token(step.who))
        post = step_letter(step.who, address, says, to, step.at, step.number)
        return arriving_copies(post, forums, step.at, step.number)

    def _token(self, who: str) -> str:
        """Return the token of the latest letter that asked *who* for a confirmation, '' if there is none."""
        found = [m[1] for x in self.played.letters if x.person == who and (m := TOKEN.search(x.body))]
        return found[-1] if found else ""

    def _whole(self, step: Step, data: bytes) -> list[Raw]:
        """Return a whole letter as it arrives: through the lists in its headers, unless it came through one."""
        letter = make_letter(raw_letter(data, step.at, step.number), self._forums, (CONTEST,))
        if step.to:
            forums = () if letter.forums else self._lists(step)
        else:
            forums = lists_reached(letter, (a for each in self._addresses.values() for a in each))
        return arriving_copies(data, forums, step.at, step.number) if forums else [
            raw_letter(data, step.at, step.number)]

    def _lists(self, step: Step) -> tuple[MailingList, ...]:
        forums = lists_for(step.to)
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
            command = parse_order(line, self._parse)
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
        """Return *command* with the number of its held letter, given by number or by place among those held.

        The author of a rehearsal can't see the numbers of letters.
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
    """Return the contest's setup; letters settle at once unless *script* says otherwise."""
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
    forums = tuple(replace(forum, instant=policy) for forum in FORUMS)
    return with_settings(Setup(
        contest="rehearsal", name=ruleset(script.ruleset).title, ruleset=script.ruleset,
        contestmaster=script.given.contestmaster, contestmaster_addresses=contestmaster, address=CONTEST,
        forums=forums, switches=given, settling=60 * int(settling), secret=b"a rehearsal has no secrets",
        cover=cover, assurance=assurance, roles=script.roles,
    ), script.settings)


def _ballot(script: Script, who: str, text: str) -> Ballot:
    if text.strip().lower() in (GUILTY, INNOCENT):
        return For(text.strip().lower())
    given, dead = script.given, script.given.position.dead
    living = tuple(name for name in given.people if name not in dead)
    try:
        return read_ballot(text, People(living, dead, (given.contestmaster,), author=who), given.position.at)
    except BallotError as error:
        raise ScriptError(f"given: votes: {who}: “{text}”: {error.message} {error.hint}".rstrip()) from error
