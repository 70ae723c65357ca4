"""A worker with several threads: what each contest hears and says is what it would with one thread, to the byte."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Barrier

from nomicwolf.cli.app import order_of
from nomicwolf.host import registry
from nomicwolf.host.health import Meters
from nomicwolf.host.registry import settings_in
from nomicwolf.host.worker import Worker
from nomicwolf.ledger.records import write_entry
from nomicwolf.ledger.store import Store
from nomicwolf.maillist import distributed
from tests.host.hosted import CONTEST, Host, new_host
from tests.run.world import BEGIN, FORUMS, letter
from tests.servers.postgres import Postgres

PLAYERS = ("Ash", "Bex", "Cam", "Dov", "Eli")
KEY = "gm9YLYcPkMJ7EGmV4QmDxXr0cYqD6bW7oYNVdE2jWmA="
OWN = "Refused: {{ text if 'Bex' in text else text[9999] }}"
"""A template that can't tell of a line without Bex."""
GAMES = {  # rule set, tenant, mailbox, who else reads that, the ledger's key, a template, roles
    "c0": ("nomic-crossing", "murphy", "c0", "c1", "", "", ""),
    "c1": ("six-phases", "murphy", "c0", "c0", KEY, "", "mafioso,cop,doctor"),
    "c2": ("narrated-mafia", "ann", "c2", "", "", OWN, "mafioso,policeman,doctor"),
    "c3": ("nomic-crossing", "bob", "c3", "", "", OWN, ""),
}
TEXTS = (
    "I vote for Gus.", "I vote for Dov if Bex does, otherwise nobody.", "help", "status", "votes", "see Bex", "see Cam",
    "protect Ash", "I nominate Eli.", "I endorse Ash.", "> I vote for Bex\nNo.", "check: I vote for Ash or Dov",
    "I vote for Bex once Cam is dead", "I vote for hla", "nomicwolf announce",
)


def prepare(host: Host) -> None:
    """Let the host take all contests, each with its players and a session."""
    for again in (False, True):
        for name, (rules, tenant, box, other, key, template, _) in GAMES.items():
            folder, mail = host.folder / "contests" / name, host.folder / "mail" / box
            (folder / "templates").mkdir(parents=True, exist_ok=True)
            for part in ("new", "cur", "tmp"):
                (mail / part).mkdir(parents=True, exist_ok=True)
            others = f'others = ["../{other}"]\n' if again and other else ""
            more = f'ruleset = "{rules}"\nsecret = "{name * 32}"\n{others}'
            text = CONTEST.format(contest=name, mail=mail, port=host.port, more="") + f'\n[ledger]\nkey = "{key}"\n'
            (folder / "contest.toml").write_text(text.replace("daily_count = false", more))
            if template:
                (folder / "templates" / "private-refused.txt").write_text(template)
            assert (again and not other) or host.host("add", str(folder), "--tenant", tenant) == 0
    for name, game in GAMES.items():
        for who in PLAYERS:
            command(host, name, "party", "add", who, f"{who.lower()}@players.test")
        seed = host.folder / "seed"
        seed.write_text("".join(f"{ord(c):x}" for c in name * 16))
        command(host, name, "start", "--seed-from", str(seed), *(["--roles", game[-1]] if game[-1] else []))


def command(host: Host, contest: str, *words: str) -> None:
    """Give a command at the beginning."""
    assert host.host("do", contest, *words, "--at", "2026-12-01T00:00:00Z") == 0


def deliver(host: Host) -> None:
    """Put the same letters, in the same order, into the mailboxes: private ones and through the forum."""
    lots = Random(7)
    for number in range(60):
        name, who, text = lots.choice([*GAMES]), lots.choice(PLAYERS), lots.choice(TEXTS)
        at, mail = BEGIN + 3600 + number, host.folder / "mail" / GAMES[name][2]
        data = letter(f"q{number:02}", who, text, at, "wolf@contest.test")
        if lots.random() < 0.4:
            data = distributed(letter(f"q{number:02}", who, text, at), FORUMS["agora"], at)
        if text.startswith("nomicwolf"):
            data = data.replace(f"{who.lower()}@players.test".encode(), b"murphy@masters.test")
        file = mail / "tmp" / f"q{number:02}"
        file.write_bytes(data.replace(b"Subject: a letter", f"Subject: [{name}] a letter".encode()))
        os.utime(file, (at, at))
        file.rename(mail / "new" / file.name)


def kept(host: Host) -> Iterator[tuple[str, list[str], list[object], list[object]]]:
    """Give of each contest its record, where its letters went, and what it sent, all unsealed."""
    with registry.opened(host.settings) as connection:
        for one in registry.hosted(connection):
            settings = settings_in(host.settings, registry.laid_out(connection, host.settings, one)[0], one.tenant)
            with Store.open(settings.ledger.url, one.contest, keys=settings.ledger.key) as store:
                assert store.verify() == []
                yield (one.contest, [write_entry(entry) for entry in store.record()],
                       [(found.letter, found.bucket, found.author, found.why) for found in store.letters()],
                       [(owed.letter, owed.state, owed.data, owed.message_id) for owed in store.outbox().each()])


def turned(host: Host, threads: int) -> list[tuple[str, list[str], list[object], list[object]]]:
    """Let a worker with so many threads take a turn of each contest, all at once; return what was kept."""
    worker, together = Worker(host.settings, "w", Meters(), order_of, now=lambda: BEGIN + 7200), Barrier(threads)

    def take(contests: list[str]) -> None:
        together.wait()
        for contest in contests:
            assert worker.take(contest).heard

    with ThreadPoolExecutor(threads) as pool:
        [*pool.map(take, [[*GAMES][place::threads] for place in range(threads)])]
    worker.pool.close()
    return [*kept(host)]


def test_threads_play_as_one_does(postgres: Postgres, tmp_path: Path) -> None:
    """Contests of several rule sets, two of them in one mailbox, one sealed, two with a template that not all fits."""
    found, often = [], sys.getswitchinterval()
    for threads in (1, len(GAMES)):
        with new_host(postgres, tmp_path / "host") as host:
            host.configure(at_once=threads)
            prepare(host)
            deliver(host)
            sys.setswitchinterval(1e-6 if threads > 1 else often)
            try:
                found.append(turned(host, threads))
            finally:
                sys.setswitchinterval(often)
        (tmp_path / "host").rename(tmp_path / f"host-{threads}")
    assert found[0] == found[1]
    said = "".join(repr(owed) for *_, sent in found[0] for owed in sent)
    assert "Refused: " in said
    assert "Not done" in said
