"""`check`: each thing that can be wrong with a setup is named, with what to do about it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from email import message_from_bytes
from pathlib import Path

import pytest

from nomicwolf.cli import check
from nomicwolf.cli.app import run
from nomicwolf.cli.check import identity_faults, weak_settings
from nomicwolf.settings.keys import Settings
from nomicwolf.settings.load import load
from nomicwolf.village.rulesets import ruleset
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, World, letter, make_world, new_world, running_world

TOML = """
[contest]
id = "w1"
contestmaster = {name = "Murphy", addresses = ["murphy@masters.test"]}
[imap]
host = "imap.example.org"
user = "wolf@contest.test"
password_file = "mail.password"
[smtp]
host = "smtp.example.org"
user = "wolf@contest.test"
from = "wolf@contest.test"
password_file = "mail.password"
[nomic.agora]
forum = "agora-business@lists.agora.test"
[archive]
path = "pages"
"""
RULESETS = ("nomic-crossing", "gadianton", "tabula", "six-phases", "narrated-mafia")
Trial = Callable[[Settings], Iterator[str]]


def settings_of(folder: Path, old: str = "", new: str = "") -> Settings:
    """Write settings into *folder*, with *old* replaced, and read them back."""
    assert old in TOML
    (folder / "mail.password").write_text("secret")
    (folder / "mail.password").chmod(0o600)
    (folder / "contest.toml").write_text(TOML.replace(old, new, 1))
    (folder / "contest.toml").chmod(0o600)
    return load(folder, {})


ALL = (check.rule_faults, check.file_faults, check.forum_faults, check.port_faults, check.archive_faults,
       check.timer_faults)


@pytest.mark.parametrize("trial", ALL)
def test_good_settings_have_no_fault(trial: Trial, tmp_path: Path) -> None:
    """Nothing is said of what is as it should be."""
    assert list(trial(settings_of(tmp_path))) == []


@pytest.mark.parametrize(("trial", "old", "new", "said"), [
    (check.port_faults, 'host = "smtp.example.org"', 'host = "smtp.example.org"\nport = 587', 'security = "starttls"'),
    (check.port_faults, 'host = "imap.example.org"', 'host = "imap.example.org"\nport = 993\nsecurity = "starttls"',
     'security = "tls"'),
    (check.port_faults, 'host = "smtp.example.org"\nuser = "wolf', 'host = "smtp.gmail.com"\nuser = "cub', "smtp.from"),
    (check.forum_faults, '"murphy@masters.test"', '"Wolf@contest.test"', "give em another of eir own"),
    (check.forum_faults, 'forum = "agora', 'received_by = "agora"\nforum = "agora', "no host's whole name"),
    (check.forum_faults, 'forum = "agora', 'zone = "Europe/Nowhere"\nforum = "agora', "not known on this machine"),
    (check.archive_faults, 'path = "pages"', 'url = "wolf.example"', "write it like https://"),
    (check.archive_faults, 'path = "pages"', 'path = "mail.password"', "name a folder"),
    (check.archive_faults, 'path = "pages"', 'path = "pages"\nwrite = true\npublish = "rsync -a pages/ www:"',
     "each argument as a text of its own"),
    (check.file_faults, "[archive]", '[keep]\ncopy = ["rsink", "backups/"]\n[archive]', "keep.copy: there is no"),
    (check.forum_faults, "[archive]", '[webhook.x]\nurl = "https://x.example/"\nevents = ["lynch"]\n[archive]',
     "no event is called lynch; did you mean lynched?"),
    (check.rule_faults, "[archive]", '[switches]\nreveal_after = "maybe"\n[archive]', "Mend [contest] or [switches]"),
    (check.rule_faults, "[archive]", '[switches]\ndawn = "8"\n[archive]', "it can't be '8'"),
    (check.rule_faults, "[archive]", '[switches]\ndawn = ["08:00", "25:00"]\n[archive]', "it can't be"),
    (check.rule_faults, 'id = "w1"', 'id = "w1"\nruleset = "chess"', "There is no rule set"),
])
def test_a_wrong_setting_is_explained(trial: Trial, old: str, new: str, said: str, tmp_path: Path) -> None:
    """Each fault says which key it is and what to write in its place."""
    assert [fault for fault in trial(settings_of(tmp_path, old, new)) if said in fault]


@pytest.mark.parametrize("name", sorted(RULESETS))
def test_the_usual_switches_can_be_written_down(name: str, tmp_path: Path) -> None:
    """No switch of any rule set is a fault with its own default."""
    switches = "".join(f'{s.name} = "{s.usual}"\n' for s in ruleset(name).switches)
    settings = settings_of(tmp_path, 'id = "w1"', f'id = "w1"\nruleset = "{name}"')
    (tmp_path / "contest.toml").write_text((tmp_path / "contest.toml").read_text() + f"[switches]\n{switches}")

    assert settings.contest.ruleset == name
    assert list(check.rule_faults(load(tmp_path, {}))) == []


@pytest.mark.parametrize("name", ["contest.toml", "mail.password", "contest.key"])
def test_what_others_can_read_is_named(name: str, tmp_path: Path) -> None:
    """Settings, passwords and the key are for one user alone."""
    settings = settings_of(tmp_path)
    (tmp_path / name).touch()
    (tmp_path / name).chmod(0o644)

    assert [fault for fault in check.file_faults(settings) if f"chmod 600 {tmp_path / name}" in fault]


@pytest.mark.skipif(os.geteuid() == 0 and not Path("/proc/self").is_dir(), reason="needs a folder nobody writes in")
def test_a_folder_that_can_not_be_written_is_named(tmp_path: Path) -> None:
    """Neither the ledger nor the archive could be kept there."""
    settings = settings_of(tmp_path, 'path = "pages"', 'path = "/proc/self/pages"')

    assert [fault for fault in check.archive_faults(settings) if "can't write" in fault]


def test_a_contest_that_nobody_polls_is_named(tmp_path: Path) -> None:
    """The mailbox was read once, and then no more: the crontab line is missing."""
    with running_world(tmp_path / "contest") as world:
        world.poll(BEGIN)
    (world.folder / "w1.lock").write_text("1700000000\n")

    assert [fault for fault in check.timer_faults(load(world.folder, {})) if "crontab" in fault]


def test_a_test_letter_is_sent_if_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It goes to the contestmaster alone, nothing of it is kept, and without --send nothing leaves."""
    with new_world(tmp_path / "contest") as world:
        run(["-C", str(world.folder), "check"])
        assert world.smtp.taken == []
        run(["-C", str(world.folder), "check", "--send"])
    told = capsys.readouterr()
    ((to, data),) = world.smtp.taken
    letter = message_from_bytes(data)

    assert to == "murphy@masters.test"
    assert letter["Subject"] == "[Werewolves] A test letter"
    assert "test letter: good" in told.out
    assert "look whether it arrives" in told.out
    with world.store() as store:
        assert store.counts().owed == 0


def test_a_refused_test_letter_is_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the server answers is told."""
    script = SmtpScript(rcpt={"murphy@masters.test": "550 no such user"})
    with smtp_server(script) as port:
        world = make_world(tmp_path / "contest", port, script)
        assert run(["-C", str(world.folder), "check", "--send"]) == 1

    assert "test letter: the letter to murphy@masters.test was not taken (refused): 550" in capsys.readouterr().err


def test_another_contest_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A folder in `contest.others` without a contest would fail each poll (D-N43), so `check` says it first."""
    settings = settings_of(tmp_path, 'id = "w1"', 'id = "w1"\nothers = ["../nowhere"]')

    assert [fault for fault in check.file_faults(settings) if "contest.others: ../nowhere" in fault]


@pytest.mark.parametrize(("old", "new", "said"), [
    ('forum = "agora', 'profile = "b-2010"\nforum = "agora', "nomic.agora.profile: There is no profile 'b-2010'"),
    ("[imap]", "[imap", "mend that place"),
    ('id = "w1"', "", "contest.id: missing; write id = ... under [contest]"),
    ('host = "imap.example.org"', 'host = "imaps://imap.test"', "imap.host: 'imaps://imap.test' is no host's name"),
])
def test_settings_that_can_not_be_used_are_explained(
    old: str, new: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`check` and `poll` say it in a line, and neither ends in a traceback."""
    settings_of(tmp_path)
    (tmp_path / "contest.toml").write_text(TOML.replace(old, new, 1))
    for command in ("check", "poll"):
        assert run(["-C", str(tmp_path), command]) == 1
        assert said in capsys.readouterr().err


def test_the_key_of_the_ledger_is_for_its_owner_alone(tmp_path: Path) -> None:
    """It opens what is sealed."""
    (tmp_path / "ledger.key").write_text("key")
    (tmp_path / "ledger.key").chmod(0o644)
    settings = settings_of(tmp_path, "[archive]", '[ledger]\nkey_file = "ledger.key"\n[archive]')
    assert any("ledger.key: others can read it" in fault for fault in check.file_faults(settings))


def test_a_nomic_whose_law_is_only_guessed_is_noted(tmp_path: Path) -> None:
    """A slip in its name would give it Agora's law."""
    assert not any("no law" in note for note in weak_settings(settings_of(tmp_path)))
    notes = list(weak_settings(settings_of(tmp_path, "[nomic.agora]", "[nomic.spoon]")))
    assert any("nomic.spoon: no law is known by that name, and agora-2009 is taken" in note for note in notes)


def test_questions_can_be_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C or Ctrl-D at a question of `init`: nothing is founded, and the entry point says so (`test_stopping`)."""
    ours, theirs = os.openpty()
    os.write(ours, b"\x04")
    with Path(os.ttyname(theirs)).open(encoding="utf-8") as terminal:
        monkeypatch.setattr("sys.stdin", terminal)
        with pytest.raises(KeyboardInterrupt):
            run(["init", str(tmp_path / "new")])
    os.close(ours)
    os.close(theirs)
    assert not (tmp_path / "new").exists()


def test_a_switch_that_no_rule_set_has_is_told_by_whatever_reads_the_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str],
) -> None:
    """Like any other unknown key; one of another rule set may be for a session that is played by that."""
    with running_world(tmp_path / "w") as world:
        toml = world.folder / "contest.toml"
        usual = toml.read_text()
        toml.write_text(usual.replace("[switches]", '[switches]\ndepartur = "stay"'))
        world.post("m9", "Ash", "I vote for Gus.", BEGIN + 9000)
        for words in (["status"], ["unsent"], ["poll"], ["end", "--why", "enough"], ["check"]):
            assert run(["-C", str(world.folder), *words]) == 1
            assert "switches.departur: unknown key; did you mean departure?" in capsys.readouterr().err
        toml.write_text(usual.replace("[switches]", '[switches]\nmafia_picks = "each"'))
        assert run(["-C", str(world.folder), "status"]) == 0


def test_a_broken_template_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that replaces no letter, before any letter needs it."""
    with running_world(tmp_path / "contest") as world:
        (world.folder / "templates").mkdir()
        (world.folder / "templates" / "public-lynching.txt").write_text("x", encoding="utf-8")

        run(["-C", str(world.folder), "check"])

    told = capsys.readouterr()
    assert "public-lynching.txt replaces no letter" in told.out + told.err


def test_a_template_that_is_no_utf8_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the check, whose test letter isn't made then, and by a poll, which has letters to hear: with what to do."""
    said = "templates/journal.txt: 'utf-8' codec can't decode byte 0xff"
    with running_world(tmp_path / "contest") as world:
        (world.folder / "templates").mkdir()
        (world.folder / "templates" / "journal.txt").write_bytes(b"\xff")
        world.post("m", "Ash", "hello", BEGIN + 60)
        capsys.readouterr()

        assert run(["-C", str(world.folder), "check", "--send"]) == 1
        assert capsys.readouterr().err.count(said) == 2
        report = world.poll(BEGIN + 120)

    assert report.status == 1
    assert said in report.said[0]
    assert "save it as a UTF-8 file that this user can read" in report.said[0]


HOUR = 3600


def world_of(folder: Path, more: str) -> World:
    """A contest with more settings."""
    made = make_world(folder / "c", 25, SmtpScript())
    made.add("\n" + more)
    return made


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ('[identity]\narc_sealers = ["lists.agora.test"]', "arc_sealers"),
        ('[identity]\nnameservers = ["dns.example"]', "nameservers"),
        ("[identity]\nsubaddresses = true", ""),
        ('[assurance]\npublic = "forum"', "contest.mail_hosts"),
    ],
)
def test_settings_that_cannot_work_are_told(tmp_path: Path, more: str, fault: str) -> None:
    """Each with what to do."""
    found = list(identity_faults(world_of(tmp_path, more).settings))
    assert [fault in line for line in found] == ([True] if fault else [])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("", "wolf+TAG@contest.test"),
        ("[identity]\nsubaddresses = false", "forges"),
        ('[identity]\nsubaddresses = false\n[assurance]\nprivate = "confirmed"', ""),
        ('[assurance]\nprivate = "from"', "forges"),
    ],
)
def test_what_is_left_open_is_told(tmp_path: Path, more: str, said: str) -> None:
    """Where there are no subaddresses, what follows from that is said, and how to mend it."""
    found = list(weak_settings(world_of(tmp_path, more).settings))
    assert [said in line for line in found] == ([True] if said else [])


def test_read_tells_what_would_wait(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The level that a letter reaches, and whether its acts would be put aside."""
    with running_world(tmp_path / "c") as world:
        file = tmp_path / "letter.eml"
        file.write_bytes(letter("one", "Bex", "ask: may I?", BEGIN + HOUR, "wolf@contest.test"))

        assert run(["-C", str(world.folder), "read", "--json", str(file)]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["letter"]["assurance"] == "from"
        assert [deed.get("waits") for deed in found["deeds"]] == ["to be confirmed"]

        tags = [data for to, data in world.smtp.taken if to == "bex@players.test" and b"Reply-To: wolf+" in data]
        address = tags[-1].partition(b"Reply-To: ")[2].partition(b"\r\n")[0].decode()
        file.write_bytes(letter("one", "Bex", "ask: may I?", BEGIN + HOUR, address))
        assert run(["-C", str(world.folder), "read", "--json", str(file)]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["letter"]["assurance"], [deed.get("waits") for deed in found["deeds"]]) == ("signed", [None])
