"""A contest's turn on a worker: its files, its threads, and when it is due again."""

from __future__ import annotations

import os
import stat
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from random import Random
from threading import Barrier

import pytest
from sqlalchemy import make_url

from nomicwolf.cli.app import order_of
from nomicwolf.host import registry
from nomicwolf.host.admission import take_folder
from nomicwolf.host.health import Meters
from nomicwolf.host.registry import lay_out, place_of, places, settings_in, take_away
from nomicwolf.host.worker import NotNow, Worker
from nomicwolf.ledger.records import write_entry
from nomicwolf.ledger.store import Store
from nomicwolf.maillist import distributed
from nomicwolf.settings.keys import SettingsError
from tests.host.hosted import CONTEST, Host, new_host, until
from tests.run.world import BEGIN, FORUMS, letter
from tests.servers.here import PATIENCE
from tests.servers.postgres import Postgres

PLACES = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid::int = hashtext('127.0.0.1')"


def due(host: Host) -> int:
    """Return when the contest is due again (UTC seconds)."""
    return int(host.ask("SELECT due_at FROM host.contests")[0][0])


def start(host: Host) -> None:
    """Begin a session of a contest's, with five players."""
    host.contest("c1", player=False)
    for who in ("Ash", "Bex", "Cam", "Dov", "Eli"):
        assert host.host("do", "c1", "party", "add", who, f"{who.lower()}@players.test") == 0
    assert host.host("do", "c1", "start") == 0
    host.smtp.taken.clear()


def test_a_deadline_is_kept_between_two_polls(host: Host) -> None:
    """What the contest's own clock says next comes on time, however seldom it is polled."""
    host.configure(every=600)
    start(host)
    alarm = int(host.ask("SELECT alarm FROM contests")[0][0])
    for before, then in ((700, 600), (60, 60)):
        worker = Worker(host.settings, "w1", Meters(), now=lambda now=alarm - before: now)  # type: ignore[misc]
        assert worker.take("c1").status == 0
        assert due(host) == alarm - before + then


def test_nothing_of_a_turn_stays_behind(host: Host) -> None:
    """A worker that lives on holds no place at a mail server, and no contest seems to be at work for ever."""
    host.configure(every=600)
    host.contest("c1")
    host.deliver("c1", "q1")
    host.smtp.go.clear()
    worker = Worker(host.settings, "w1", Meters())
    turn = threading.Thread(target=worker.take, args=("c1",))
    turn.start()
    until("the letter to be on its way", lambda: host.ask("SELECT 1 FROM outbox WHERE state = 'sending'"))
    found = [*worker.at_work], host.ask(PLACES), due(host) > time.time()
    host.smtp.go.set()
    turn.join(PATIENCE)
    assert found == (["c1"], [(1,)], True), "nobody is asked for it meanwhile"
    assert ([*worker.at_work], host.ask(PLACES)) == ([], [(0,)])


def test_a_database_that_is_away_is_asked_again(host: Host) -> None:
    """It lets nobody in for a while: the turn is for later, and no defect; then it is one as any."""
    host.contest("c1")
    host.deliver("c1", "q1")
    worker, database = Worker(host.settings, "w1", Meters()), make_url(host.url).database
    host.postgres.run(f"ALTER DATABASE {database} ALLOW_CONNECTIONS false")
    try:
        with pytest.raises(NotNow):
            worker.take("c1")
    finally:
        host.postgres.run(f"ALTER DATABASE {database} ALLOW_CONNECTIONS true")
    assert worker.take("c1").sent == 1


def test_a_contestmasters_orders_by_mail_are_read(host: Host) -> None:
    """As by cron: e is asked to confirm what e orders in a letter."""
    start(host)
    data = letter("o1", "Ash", 'nomicwolf: announce --phase "day 1"', int(time.time()), "wolf@contest.test")
    (host.folder / "mail" / "c1" / "new" / "o1").write_bytes(data.replace(b"ash@players", b"murphy@masters"))
    host.start("w1")
    until("an answer", lambda: host.smtp.taken)
    (data,) = (data for to, data in host.smtp.taken if to == "murphy@masters.test")
    assert '"confirm ' in message_from_bytes(data, policy=default).get_content()


FILES = {"contest.toml": b"title", "contest.key": b"secret", "templates/private.txt": b"{{ who }}",
         "secrets/mail/smtp.password": b"sesame"}


def test_files_are_this_users_alone(host: Host) -> None:
    """Others on the machine neither read them nor learn their names."""
    place = lay_out(host.settings, "c1", 7, FILES)
    assert {file.relative_to(place).as_posix(): file.read_bytes() for file in place.rglob("*.*")} == FILES
    found = [place.parent, place, *place.rglob("*")]
    assert {stat.S_IMODE(file.stat().st_mode) for file in found if file.is_file()} == {0o600}
    assert {stat.S_IMODE(file.stat().st_mode) for file in found if file.is_dir()} == {0o700}


def test_two_workers_of_one_machine_lay_out_the_same(host: Host) -> None:
    """Who is later finds the files there, and leaves no pieces; who can't write says so."""
    first = lay_out(host.settings, "c1", 7, FILES)
    assert lay_out(host.settings, "c1", 7, FILES) == first
    assert [place.name for place in first.parent.iterdir()] == ["7"]
    (first.parent / "8").write_text("in the way")
    with pytest.raises(NotADirectoryError):
        lay_out(host.settings, "c1", 8, FILES)
    assert sorted(place.name for place in first.parent.iterdir()) == ["7", "8"]


def test_the_files_before_stay_for_the_turn_that_is_at_them(host: Host) -> None:
    """Those of still earlier settings go; what isn't ours stays."""
    folder = host.contest("c1", player=False)
    laid = host.folder / "laid-out" / "c1"
    (laid / "notes").mkdir(parents=True)
    worker, revisions = Worker(host.settings, "w1", Meters()), []
    for _ in range(4):
        assert worker.take("c1").status == 0
        revisions += [str(revision) for (revision,) in host.ask("SELECT revision FROM host.contests")]
        assert sorted(place.name for place in laid.iterdir()) == [*revisions[-2:], "notes"]
        assert host.host("add", str(folder), "--tenant", "murphy") == 0


def test_places_are_those_of_contests(host: Host) -> None:
    """Whatever else lies there is left alone, and an empty folder of a contest's goes with its files."""
    assert places(host.settings) == {}
    found = [lay_out(host.settings, name, 7, FILES) for name in ("c1", "c2")]
    (host.settings.worker.folder / "README").write_text("ours")
    (found[0].parent / "notes").mkdir()
    assert places(host.settings) == {"c1": [found[0]], "c2": [found[1]]}
    take_away(found)
    assert sorted(place.name for place in host.settings.worker.folder.iterdir()) == ["README", "c1"]
    assert [place.name for place in found[0].parent.iterdir()] == ["notes"]


def test_no_machines_environment_reaches_a_contest(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker is started with is the host's: it would be every contest's."""
    folder = host.contest("c1", player=False)
    monkeypatch.setenv("NOMICWOLF_CONTEST_NAME", "Elsewhere")
    assert host.host("add", str(folder), "--tenant", "murphy") == 0
    with registry.opened(host.settings) as connection:
        (one,) = registry.hosted(connection)
        place, _ = registry.laid_out(connection, host.settings, one)
    assert settings_in(host.settings, place, one.tenant).contest.name != "Elsewhere"
    assert place == place_of(host.settings, "c1", one.revision)


def test_all_that_polls_need_comes_along(host: Host) -> None:
    """Settings, templates, key and the files that any table names; not what else lies in the folder."""
    folder = host.contest("c1", player=False)
    (folder / "contest.toml").write_text((folder / "contest.toml").read_text().replace(
        "[smtp]", '[smtp]\nuser = "u"\npassword_file = "passwords/smtp"') + '\n[ledger]\nkey_file = "ledger"\n')
    (folder / "c.toml").write_text("# a nomic's profile")
    for name in ("passwords/smtp", "ledger", "templates/public.txt", "templates/public.txt~", "contest.db", "notes"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("KrKZVnqf9k5FAoECgsOp25xs5ZszWwxCAeBd1Pnvv24=")
    with take_folder(folder) as found:
        assert sorted(found.files) == [
            "c.toml", "contest.key", "contest.toml", "ledger", "passwords/smtp", "templates/public.txt"]


def test_a_mailbox_in_the_folder_is_refused_whatever_its_kind(host: Host) -> None:
    """An mbox there would be a copy that nothing is delivered to, as a Maildir would."""
    folder = host.contest("c1", player=False)
    toml = (folder / "contest.toml").read_text()
    (folder / "contest.toml").write_text(toml.replace("[maildir]", "[mbox]").replace(
        f"{host.folder / 'mail' / 'c1'}", f"{Path('inbox.mbox')}"))
    with pytest.raises(SettingsError, match=r"mbox\.path: is in the contest's folder"), take_folder(folder):
        pass


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
