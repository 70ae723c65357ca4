"""Two contests in one mailbox, both in the same forums, over real SMTP and IMAP (D-N43)."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import formatdate
from pathlib import Path

import pytest

from nomicwolf.ledger.store import Store
from nomicwolf.maillist import MailingList
from nomicwolf.mailworld import MailWorld
from nomicwolf.nomic.events import DeedHeard, LetterHeard
from nomicwolf.nomic.law import SetAside
from nomicwolf.run import command, poll
from nomicwolf.settings.keys import Settings, SettingsError
from nomicwolf.settings.load import load
from nomicwolf.village.events import Voted

pytestmark = pytest.mark.slow

BEGIN = 1_796_083_200  # 2026-12-01T00:00Z
MINUTE = 60
TOWN = ("Ash", "Bex", "Cam", "Dov", "Eli")
FAIR = ("Ash", "Bex", "Ida", "Jon", "Kit")
EVERYONE = tuple(dict.fromkeys((*TOWN, *FAIR)))
AGORA = "agora-business@lists.agora.example"
ADDRESS = {"town": "wolf+town@contest.example", "fair": "wolf+fair@contest.example", "forum": AGORA}
TOML = """
[contest]
id = "{id}"
name = "{name}"
contestmaster = {{name = "Murphy", addresses = ["murphy@players.example"]}}
daily_count = false
others = ["../{other}"]

[imap]
host = "127.0.0.1"
port = {imap}
security = "none"
user = "wolf@contest.example"
password = "{password}"

[smtp]
host = "127.0.0.1"
port = {smtp}
security = "none"
from = "{address}"
connections = 1

[nomic.agora]
forum = "agora-business@lists.agora.example"
limit = 35

[switches]
settling = 0
"""


def mail_of(name: str) -> str:
    """Where *name* writes from."""
    return f"{name.lower()}@players.example"


@dataclass
class Place:
    """The mail world, two contests in it, and a clock."""

    folder: Path
    now: int = BEGIN
    world: MailWorld = field(init=False)

    def __post_init__(self) -> None:
        """Make the world; it is up within its ``with`` block."""
        everyone = ("wolf@contest.example", *map(mail_of, EVERYONE))
        lists = (MailingList(AGORA, "Agora", "BUS:", "a footer", everyone),)
        self.world = MailWorld(lists, lambda: self.now, mailboxes=everyone)

    def settings(self, contest: str) -> Settings:
        """Read a contest's settings."""
        return load(self.folder / contest, {})

    def found(self) -> None:
        """Write both folders."""
        for contest, other, name in (("town", "fair", "The Werewolves of the Town"),
                                     ("fair", "town", "The Fair of Wolves")):
            folder = self.folder / contest
            folder.mkdir()
            (folder / "contest.toml").write_text(TOML.format(
                id=contest, name=name, other=other, imap=self.world.imap_port, smtp=self.world.smtp_port,
                password=self.world.password, address=ADDRESS[contest]))

    def order(self, contest: str, name: str, **args: str) -> None:
        """Give a command in one contest; it must be done."""
        done = command(self.settings(contest), name, args, lambda: self.now)
        assert done.status == 0, done.said

    def poll(self) -> None:
        """Poll both contests, the one after the other, twice: what was sent comes back."""
        for contest in ("town", "fair") * 2:
            self.now += MINUTE
            report = poll(self.settings(contest), lambda: self.now)
            assert report.status == 0, report

    def write(self, who: str, text: str, to: str = "forum", subject: str = "hello", answers: str = "") -> str:
        """Let *who* send a letter, and both contests poll; return its Message-ID."""
        self.now += MINUTE
        letter = EmailMessage()
        letter["From"], letter["To"], letter["Subject"] = f"{who} <{mail_of(who)}>", ADDRESS.get(to, to), subject
        letter["Date"], letter["Message-ID"] = formatdate(self.now), f"<{self.now}@players.example>"
        if answers:
            letter["In-Reply-To"] = answers
        letter.set_content(text + "\n")
        with smtplib.SMTP("127.0.0.1", self.world.smtp_port) as smtp:
            smtp.send_message(letter)
        self.poll()
        return str(letter["Message-ID"])

    def ends(self, message_id: str) -> dict[str, tuple[str, str]]:
        """In which bucket a letter ended in each contest, and why."""
        found = {}
        for contest in ("town", "fair"):
            with Store.open(self.settings(contest).ledger.url, contest) as store:
                heard = [e.event for e in store.record() if isinstance(e.event, LetterHeard)]
                assert store.check() is not None
            (one,) = [h for h in heard if h.message_id == message_id]
            found[contest] = (one.bucket, one.why)
        return found

    def buckets(self, message_id: str) -> tuple[str, str]:
        """The buckets of a letter in the town and in the fair."""
        ends = self.ends(message_id)
        return ends["town"][0], ends["fair"][0]

    def votes(self, contest: str) -> list[str]:
        """Who has voted in a contest, in order."""
        with Store.open(self.settings(contest).ledger.url, contest) as store:
            return [e.event.who for e in store.record() if isinstance(e.event, Voted)]

    def posted(self, tag: str) -> str:
        """The Message-ID of a letter that a contest posted to the forum, by the brackets of its subject."""
        for data in self.world.inbox(mail_of("Ash")):
            letter = message_from_bytes(data, policy=policy.default)
            if f"[{tag}]" in str(letter["Subject"]) and str(letter["To"]) == AGORA:
                return str(letter["Message-ID"])
        raise AssertionError(f"nothing was posted under [{tag}]")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A town and a fair with a session each; Ash and Bex play in both."""
    here = Place(tmp_path_factory.mktemp("two"))
    with here.world:
        here.found()
        for contest, names in (("town", TOWN), ("fair", FAIR)):
            for who in names:
                here.order(contest, "party-add", who=who, address=mail_of(who))
            here.order(contest, "start", seed="7")
        here.poll()
        yield here


def test_our_own_letters_are_own_in_both(place: Place) -> None:
    """What one contest posts comes back to both, and neither takes it for a stranger's."""
    assert place.buckets(place.posted("Werewolves")) == ("own", "own")
    assert place.buckets(place.posted("Fair")) == ("own", "own")


@pytest.mark.parametrize(("who", "text", "to", "subject", "contest"), [
    ("Ash", "contest fair\n\nI vote for Bex.", "forum", "hello", "fair"),
    ("Ash", "Contest: The Werewolves of the Town\n\nI vote for Bex.", "forum", "hello", "town"),
    ("Ash", "I vote for Bex.", "forum", "Re: BUS: [Fair] Day 1", "fair"),
    ("Ash", "I vote for Bex.", "forum", "Re: BUS: [Werewolves] Day 1", "town"),
    ("Ash", "status", "town", "hello", "town"),
    ("Ash", "status", "fair", "Re: [Werewolves] hello", "fair"),
    ("Cam", "I vote for Bex.", "forum", "hello", "town"),
    ("Ida", "I vote for Bex.", "forum", "hello", "fair"),
    ("Ash", "I vote for Cam.", "forum", "hello", "town"),
    ("Ash", "I vote for Kit if Bex does.", "forum", "hello", "fair"),
])
def test_a_letter_is_heard_in_one_contest(
    place: Place, who: str, text: str, to: str, subject: str, contest: str
) -> None:
    """By its own line, its subject, its address, who knows its author, whom it names; in the other it's a stranger."""
    before = {c: len(place.votes(c)) for c in ("town", "fair")}
    other = "fair" if contest == "town" else "town"
    ends = place.ends(place.write(who, text, to, subject))

    assert ends[contest][0] == "deeds"
    assert ends[other] == ("stranger", ends[other][1])
    assert ends[other][1].startswith(f"for another contest, {contest}")
    assert len(place.votes(other)) == before[other]
    assert len(place.votes(contest)) == before[contest] + ("vote" in text)


def test_an_answer_is_for_the_contest_that_it_answers(place: Place) -> None:
    """Message-IDs are sealed with a contest's own key."""
    assert place.buckets(place.write("Bex", "I vote for Ash.", answers=place.posted("Fair"))) == ("stranger", "deeds")
    answer = place.write("Bex", "I vote for Ash.", answers=place.posted("Werewolves"))
    assert place.buckets(answer) == ("deeds", "stranger")


def deeds(place: Place, contest: str) -> list[tuple[str, str, str]]:
    """Who did what by private mail in a contest, and how certain that was."""
    with Store.open(place.settings(contest).ledger.url, contest) as store:
        return [(e.event.who, e.event.says, e.event.sure) for e in store.record()
                if isinstance(e.event, DeedHeard) and e.event.channel == "contestmaster"]


def reply_address(place: Place, contest: str, who: str) -> str:
    """Where *who* is to answer a contest's private letters: the contest's own tag, and eirs in it."""
    letters = (message_from_bytes(data, policy=policy.default) for data in place.world.inbox(mail_of(who)))
    name = ADDRESS[contest].partition("@")[0]
    return next(str(m["Reply-To"]) for m in letters if str(m["Reply-To"]).startswith(f"{name}-"))


@pytest.mark.parametrize(("contest", "other"), [("town", "fair"), ("fair", "town")])
def test_a_night_deed_lands_where_its_reply_address_says(place: Place, contest: str, other: str) -> None:
    """Ash plays in both: what e answers to one contest's private letter is done in that one, and certain."""
    before = {c: deeds(place, c) for c in ADDRESS if c != "forum"}
    to = reply_address(place, contest, "Ash")
    ends = place.ends(place.write("Ash", "attack Bex", to))

    assert (ends[contest][0], ends[other][0]) == ("deeds", "stranger")
    assert deeds(place, other) == before[other]
    assert deeds(place, contest) == [*before[contest], ("Ash", "attack Bex", "signed")]


@pytest.mark.parametrize(("contest", "other", "whose"), [
    ("town", "fair", "Ash"), ("fair", "town", "Ash"), ("town", "town", "Bex"), ("fair", "fair", "Bex")])
def test_another_contests_or_players_tag_proves_nothing(place: Place, contest: str, other: str, whose: str) -> None:
    """At a contest's address with the tag that Ash has in the other one, or with Bex's: set aside, not done."""
    before = {c: deeds(place, c) for c in ADDRESS if c != "forum"}
    tag = reply_address(place, other, whose).removeprefix(ADDRESS[other].partition("@")[0])
    ends = place.ends(place.write("Ash", "attack Bex", ADDRESS[contest].partition("@")[0] + tag))

    assert ends[contest][0] == "deeds"
    assert {c: deeds(place, c) for c in before} == before
    with Store.open(place.settings(contest).ledger.url, contest) as store:
        aside = [e.event for e in store.record() if isinstance(e.event, SetAside)][-1]
    assert (aside.who, [deed.says for deed in aside.deeds]) == ("Ash", ["attack Bex"])


def test_what_could_be_for_both_is_asked_about_once(place: Place) -> None:
    """Nothing is done and nothing is lost: one contest holds it and asks, the other leaves it alone."""
    before = {c: place.votes(c) for c in ("town", "fair")}
    seen = len(place.world.inbox(mail_of("Ash")))
    ends = place.ends(place.write("Ash", "I vote for Bex."))
    asked = [message_from_bytes(d, policy=policy.default) for d in place.world.inbox(mail_of("Ash"))[seen:]]
    private = [m.get_content() for m in asked if str(m["To"]) == mail_of("Ash")]

    assert ends["fair"] == ("held", "it could be for fair or town")
    assert ends["town"][0] == "stranger"
    assert {c: place.votes(c) for c in ("town", "fair")} == before
    assert len(private) == 1
    assert "contest fair or contest town" in " ".join(private[0].split())


def test_talk_that_could_be_for_both_is_nobodys_question(place: Place) -> None:
    """Prose is a letter without deeds in one of them, and nobody is asked."""
    assert place.buckets(place.write("Ash", "Nice weather.")) == ("stranger", "no-deed")


def test_a_folder_that_cant_be_read_is_named(tmp_path: Path) -> None:
    """Whoever mistypes it is told which and why, before a letter is heard."""
    (tmp_path / "town").mkdir()
    (tmp_path / "town" / "contest.toml").write_text(TOML.format(
        id="town", name="Town", other="nowhere", imap=1, smtp=1, password="x", address=ADDRESS["town"]))
    from nomicwolf.run.contest_setup import others_of

    with pytest.raises(SettingsError, match=r"contest\.others: \.\./nowhere"):
        others_of(load(tmp_path / "town", {}))
