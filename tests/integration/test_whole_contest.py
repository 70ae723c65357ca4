"""The main proof: Dovecot and Postfix carry a whole contest, polled as cron would, and every letter is as it should be.

Seven players join by mail, a session with Witch, Seer, Hunter and Cupid is played, and awards are given. The players
are the demo's: they know nothing but what lies in eir mailboxes.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path

from nomicwolf.demo.play import Desk, Play, letters_out
from nomicwolf.demo.players import CONTEST, NAMES, forums, settings_text, write_settings
from nomicwolf.ledger.store import Store
from nomicwolf.nomic.times import iso
from nomicwolf.run.replay import foreign_heads, printed_heads
from nomicwolf.settings.keys import Settings
from nomicwolf.settings.load import load, secret_of
from tests.servers.dovecot import PASSWORD
from tests.servers.site import MailSite

GOLDEN = Path(__file__).parents[2] / "examples" / "nomic-crossing"
SEED = "8"
PROGRAM = Path(sys.executable).with_name("nomicwolf")


@dataclass
class Site:
    """The tests' mail site as a world for the play."""

    site: MailSite

    def post(self, sender: str, recipients: Sequence[str], data: bytes) -> None:
        """Hand a letter to Postfix, and wait until it lies in all mailboxes."""
        self.site.send(sender, list(recipients), data)

    def inbox(self, address: str) -> list[bytes]:
        """Read a mailbox by IMAP."""
        return self.site.inbox(address.partition("@")[0])


@dataclass
class Machine:
    """The contestmaster's machine: the installed program, in processes of its own."""

    site: MailSite
    settings: Settings
    asked: Desk

    def run(self, *words: str) -> None:
        """Run ``nomicwolf`` as cron or the contestmaster does; it must be content, and a poll silent."""
        done = subprocess.run(
            [PROGRAM, "-C", str(self.settings.folder), *words], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), (words, done.stderr)
        assert words[0] != "poll" or done.stdout == ""
        self.site.settle()

    def poll(self, at: int) -> None:
        """Do one cron run."""
        self.run("poll", "--at", iso(at))

    def order(self, name: str, args: Mapping[str, str | Sequence[str]], at: int) -> None:
        """Start the session; the seed comes from a file, as drawn before witnesses."""
        file = self.settings.folder / "seed"
        file.write_text(str(args["seed"]))
        self.run(name, "--roles", str(args["roles"]), "--seed-from", str(file), "--at", iso(at))

    def alarm(self) -> int | None:
        """Return what the ledger waits for."""
        return self.asked.alarm()

    def over(self) -> bool:
        """Return whether all is done."""
        return self.asked.over()


RECORD = re.compile(rb"(?m)^Record: [0-9a-f]{64}\r$")
"""The record holds letters as they came in, with the stamps of their servers; so its head is another one here."""


def same_letter(data: bytes) -> tuple[str, ...]:
    """Return what makes a letter this one for its reader: its headers as sent, and its text but for a list's footer."""
    message = message_from_bytes(data.replace(b"\r\n", b"\n"))
    text = str(message.get_payload())
    return (str(message["Message-ID"]), str(message["Date"]), str(message["From"]), str(message["To"]), text)


def test_a_whole_contest_goes_through_real_servers(mail_site: MailSite, tmp_path: Path) -> None:
    """From joining to awards: each letter that the contest sends is that of the example, and arrives."""
    names = NAMES[:7]
    for forum in forums(names):
        mail_site.add_list(forum)
    text = settings_text("nomic-crossing", SEED, mail_site.imap_port, mail_site.smtp_port, "wolf", PASSWORD)
    write_settings(tmp_path, text)
    settings = load(tmp_path, {})
    machine = Machine(mail_site, settings, Desk(settings, lambda kind, line: None))
    play = Play(
        Site(mail_site), machine, names, SEED, "seer,witch,hunter,cupid", lambda kind, line: None, mail_site.stand_at)

    assert play.run()

    with closing(Store.open(settings.ledger.url, "demo", readonly=True)) as store:
        sent = letters_out(store)
        heard = "\n".join(f"{kept.entry} {kept.bucket} {kept.author} {kept.letter.place} {kept.letter.message_id} "
                          f"{kept.letter.through}" for kept in store.letters())
        assert store.verify() == []
        assert foreign_heads(store, secret_of(settings).encode()) == []
    golden = {path.name: path.read_bytes() for path in sorted((GOLDEN / "out").iterdir())}
    assert list(sent) == list(golden)
    for name, data in golden.items():
        assert RECORD.sub(b"", sent[name]).decode() == RECORD.sub(b"", data).decode(), f"{name}; heard:\n{heard}"
        assert len(printed_heads(sent[name])) == len(printed_heads(data))
    arrived_as_sent(mail_site, sent)


def arrived_as_sent(site: MailSite, sent: Mapping[str, bytes]) -> None:
    """Hold what lies in mailboxes against what was sent: each private letter with its one reader, once."""
    boxes = {name.lower(): site.inbox(name.lower()) for name in (*NAMES[:7], "murphy")}
    for name, data in sent.items():
        whom = name.partition("-")[2].removesuffix(".eml")
        if whom in ("agora", "b"):
            continue
        readers = [box for box, letters in boxes.items() if same_letter(data) in map(same_letter, letters)]
        assert readers == [whom], name
    mine = message_from_bytes(sent["0001-agora.eml"])
    assert sum(mine["Message-ID"] in letter.decode() for letter in boxes["ash"]) == 1
    assert all(CONTEST not in str(message_from_bytes(x)["To"]) or b"List-Id" in x for x in boxes["murphy"])
