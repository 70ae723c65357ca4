"""The command line: statuses, helps, what is said and where, and a contest run by commands alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from nomicwolf.cli.app import app, order_of, run
from nomicwolf.contest.commands import COMMANDS
from nomicwolf.maillist import MailingList
from nomicwolf.mailworld import MailWorld
from tests.tables import each

FORUM = MailingList("agora@lists.agora.example", "Agora", "BUS:", "footer\n", ("wolf@contest.example",))
INIT = (
    "--yes", "--contestmaster", "Murphy", "--address", "murphy@players.example", "--contest-address",
    "wolf@contest.example", "--forum", "agora=agora@lists.agora.example",
)  # fmt: skip
PROGRAM = Path(sys.executable).with_name("nomicwolf")
GROUP: Any = get_command(app)
LEAVES: list[tuple[str, ...]] = [(name,) for name, c in GROUP.commands.items() if not hasattr(c, "commands")]
LEAVES += [(name, sub) for name, c in GROUP.commands.items() for sub in getattr(c, "commands", {})]


@each("words", LEAVES)
def test_each_help_has_an_example(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    """``--help`` of each command says what it does and shows it once, and the example is understood."""
    assert run([*words, "--help"]) == 0

    text = capsys.readouterr().out
    assert "Example: nomicwolf " in text
    assert " ".join(words).split(" ")[-1] in text.partition("Example:")[2]


@each(
    ("line", "name", "args"),
    [
        (["act-for", "Cam", "see Bex"], "act-for", {"who": "Cam", "deed": "see Bex"}),
        (["start", "--roles", "seer,witch", "--limit", "agora=50"], "start",
         {"roles": "seer,witch", "limit": ("agora=50",)}),
        (["party", "add", "Bex", "bex@x.example", "--nomic", "b"], "party-add",
         {"who": "Bex", "address": "bex@x.example", "nomic": ("b",)}),
        (["ruling", "So be it.", "--authority", "D-N3"], "ruling", {"text": "So be it.", "authority": "D-N3"}),
        (["award", "--limit", "agora=50"], "award", {"limit": ("agora=50",)}),
        (["extend", "2026-12-03T20:00Z"], "extend", {"until": "2026-12-03T20:00Z"}),
        (["intend", "remove", "--who", "Bex"], "intend", {"what": "remove", "who": "Bex"}),
        (["resolve", "1"], "resolve", {"number": "1"}),
        (["holiday", "agora", "2026-12-20", "2027-01-03"], "holiday",
         {"nomic": "agora", "from": "2026-12-20", "to": "2027-01-03"}),
        (["holiday", "agora", "2026-12-20", "2027-01-03", "--undo", "--why", "a slip"], "holiday",
         {"nomic": "agora", "from": "2026-12-20", "to": "2027-01-03", "undo": "yes", "why": "a slip"}),
        (["clock", "b", "off"], "clock", {"nomic": "b", "turned": "off"}),
        (["party", "statistics", "Bex", "no"], "party-statistics", {"who": "Bex", "listed": "no"}),
        (["party", "rename", "Bex", "Rebecca"], "party-rename", {"who": "Bex", "new": "Rebecca"}),
        (["reject", "17", "--why", "not eirs"], "reject", {"number": "17", "why": "not eirs"}),
    ],
)
def test_an_order_can_be_read_without_being_given(line: list[str], name: str, args: dict[str, object]) -> None:
    """Rehearsals read commands by the same parser."""
    order = order_of(line)

    assert (order.name, dict(order.args)) == (name, args)
    assert order.name in COMMANDS


@each("line", [["strat"], ["act-for", "Cam"], ["start", "--rolls", "seer"], ["status"], []])
def test_what_is_no_order_is_refused(line: list[str]) -> None:
    """A line that is none says so, and nothing is done."""
    with pytest.raises((ValueError, AssertionError)):
        order_of(line)


def test_wrong_use_is_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    """No such command, option or file: status 2, the nearest one named on standard error."""
    assert run(["strat"]) == 2
    assert "start" in capsys.readouterr().err
    assert run(["tally", "no-such-file.yaml"]) == 2
    assert run(["rehearse", "no-such-folder"]) == 2
    assert run(["rules", "chess"]) == 2
    assert run(["read", "--to", "moon", "--text", "x"]) == 2
    assert capsys.readouterr().out == ""


def test_without_a_contest_it_says_how_to_make_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 1, and the next step."""
    assert run(["-C", str(tmp_path), "status"]) == 1
    assert "nomicwolf init" in capsys.readouterr().err


def test_reading_a_body(capsys: pytest.CaptureFixture[str]) -> None:
    """``read --text --json`` in the promised shape: deeds, problems and what does not count, each with its line."""
    text = "> I vote for Bex\n\nI vote for Gus if Bex does, otherwise nobody.\nI vote for Hall.\n-- \nI vote for Ash"
    line = ["read", "--json", "--text", text, "--players", "Ash,Bex,Gus,Hal", "--author", "Ash"]
    assert run(line) == 0

    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"schema", "letter", "bucket", "deeds", "problems", "ignored"}
    assert found["bucket"] == "deeds"
    assert found["deeds"] == [{
        "line": 3, "text": "I vote for Gus if Bex does, otherwise nobody.", "verb": "vote",
        "says": "vote Gus if Bex is voting for Gus, otherwise nobody",
    }]
    assert [(p["line"], p["problem"], p["suggestions"]) for p in found["problems"]] == [(4, "unknown player", ["Hal"])]
    assert [(i["line"], i["why"]) for i in found["ignored"]] == [(1, "quoted"), (6, "signature")]


def test_who_can_be_meant_may_be_told_in_several_options(capsys: pytest.CaptureFixture[str]) -> None:
    """Of an option that comes again no value is lost."""
    line = ["read", "--json", "--text", "I vote for GG.\nI vote for Becky.\nI vote for Cam.\nI vote for Dov."]
    assert run([*line, "--players", "Ash,Bex", "--players", "Cam,Dov,Gus", "--dead", "Cam", "--dead", "Dov",
                "--aliases", "Gus=GG", "--aliases", "Bex=Becky"]) == 0

    found = json.loads(capsys.readouterr().out)
    assert [deed["says"] for deed in found["deeds"]] == ["vote Gus", "vote Bex"]
    assert [one["problem"] for one in found["problems"]] == ["not a townsperson"] * 2


@each(("where", "text", "void"), [
    (["--to", "forum"], "see Bex", True), (["--to", "discussion"], "attack Bex", True),
    (["--to", "forum"], "pass", True), (["--to", "forum"], "vote Bex", False), (["--to", "forum"], "help", False),
    (["--to", "forum"], "accuse Bex", False),
    (["--to", "contestmaster"], "see Bex", False), ([], "see Bex", False)])
def test_a_secret_deed_in_a_forum_is_said_not_to_be_done(
    where: list[str], text: str, void: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """NC 1g: it is understood as anywhere, but a contest would not do it; of no place that is said nothing is told."""
    line = ["read", "--text", text, "--players", "Ash,Bex", "--author", "Ash", *where]
    assert run([*line, "--json"]) == 0
    (deed,) = json.loads(capsys.readouterr().out)["deeds"]
    assert ("private mail" in deed.get("void", "")) is void

    assert run(line) == 0
    assert ("not done" in capsys.readouterr().out) is void


def test_reading_several_files_gives_a_line_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One JSON object a line, in the order of the files; a machine's letter and a broken one have their buckets."""
    (tmp_path / "a.eml").write_bytes(b"From: a@x.example\nMessage-ID: <1@x.example>\n\nI vote for Gustav.\n")
    (tmp_path / "b.eml").write_bytes(b"From: a@x.example\nAuto-Submitted: auto-replied\n\nI vote for Gus.\n")
    (tmp_path / "c.eml").write_bytes(b"From: a@x.example, b@x.example\n\nI vote for Gus.\n")
    files = [str(tmp_path / name) for name in ("a.eml", "b.eml", "c.eml")]
    assert run(["read", "--json", *files, "--players", "Ash,Gus", "--aliases", "Gus=Gustav,GG", "--author", "Ash"]) == 0

    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [f["bucket"] for f in found] == ["deeds", "machine", "held"]
    assert found[0]["deeds"][0]["says"] == "vote Gus"
    assert found[0]["letter"]["message_id"] == "<1@x.example>"


@pytest.mark.parametrize("command", ["read", "tally", "rehearse"])
def test_a_file_that_cannot_be_read_keeps_no_other_from_it(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each of the others has its line; what is wrong is said on standard error, and the status is 2."""
    good = {
        "read": "From: a@x.example\n\nI vote for Gus.\n",
        "tally": "townspersons: [Ash, Gus]\n",
        "rehearse": "ruleset: nomic-crossing\ngiven: {contestants: [Ash], at: 2026-12-01T00:00Z}\nwhen: []\n",
    }[command]
    for name in ("1.yaml", "3.yaml"):
        (tmp_path / name).write_text(good, encoding="utf-8")
    files = [str(tmp_path / f"{number}.yaml") for number in (1, 2, 3)]

    assert run([command, "--json", *files]) == 2

    told = capsys.readouterr()
    assert [json.loads(line)["schema"] for line in told.out.splitlines()] == [1, 1]
    assert "2.yaml: No such file" in told.err


def test_a_tally_that_is_wrong_keeps_no_other_from_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is told, the one behind it is counted."""
    (tmp_path / "1.yaml").write_text("townspersons: Ash\n", encoding="utf-8")
    (tmp_path / "2.yaml").write_text("townspersons: [Ash, Gus]\n", encoding="utf-8")

    assert run(["tally", "--json", str(tmp_path / "1.yaml"), str(tmp_path / "2.yaml")]) == 2

    told = capsys.readouterr()
    assert json.loads(told.out)["majority"] == 2
    assert "1.yaml: townspersons: is no list" in told.err


@each(("text", "to", "says"), [
    ("I nominate Gus.", "contestmaster", ""), ("I nominate Gus.", "forum", "not done: others can read it"),
    ("guilty", "contestmaster", ""), ("guilty", "forum", "not done: others can read it")])
def test_a_secret_ballot_is_private(text: str, to: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """SP 2a, SP 3b: by the rule set that is named a ballot is for the contestmaster alone."""
    assert run(["read", "--to", to, "--players", "Ash,Gus", "--ruleset", "six-phases", "--text", text]) == 0
    told = capsys.readouterr().out

    assert "line 1: " in told
    assert "not public" not in told
    assert ("not done" in told) == bool(says)
    assert says in told


def test_a_vote_by_private_mail_is_not_public(capsys: pytest.CaptureFixture[str]) -> None:
    """NC 3: what all must see is a problem in private mail; a night deed is none."""
    assert run(["read", "--json", "--to", "contestmaster", "--players", "Ash,Gus", "--text", "I vote for Gus."]) == 0
    assert [p["problem"] for p in json.loads(capsys.readouterr().out)["problems"]] == ["not public"]
    assert run(["read", "--json", "--to", "contestmaster", "--players", "Ash,Gus", "--text", "attack Gus"]) == 0
    assert json.loads(capsys.readouterr().out)["deeds"][0]["says"] == "attack Gus"


def test_a_rehearsal_that_fails_is_status_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 0, 1 and 2 for one that passes, fails, or can't be played; a folder is played whole."""
    good = "ruleset: nomic-crossing\ngiven: {contestants: [Ash], at: 2026-12-01T00:00Z}\nwhen: []\nthen: {alive: []}\n"
    (tmp_path / "good.yaml").write_text(good)
    assert run(["rehearse", "--json", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out)["passed"] is True
    (tmp_path / "late.yaml").write_text(good.replace("alive: []", "alive: [Ash]"))
    assert run(["rehearse", str(tmp_path)]) == 1
    assert "missing Ash" in capsys.readouterr().out
    (tmp_path / "wrong.yaml").write_text(good.replace("given", "gven"))
    assert run(["rehearse", str(tmp_path)]) == 2
    assert "write given" in capsys.readouterr().err


def test_a_contest_from_its_founding_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``init``, ``check``, parties, ``start`` and the questions, on real servers."""
    folder = str(tmp_path / "crossing")
    with MailWorld((FORUM,), lambda: 1_796_126_400, ("wolf@contest.example",)) as world:
        monkeypatch.setenv("NOMICWOLF_IMAP_PASSWORD", world.password)
        servers = ("--imap", f"127.0.0.1:{world.imap_port}", "--smtp", f"127.0.0.1:{world.smtp_port}")
        assert run(["init", folder, *INIT, *servers]) == 0
        toml = tmp_path / "crossing" / "contest.toml"
        toml.write_text(toml.read_text().replace('user = "wolf@contest.example"\nfrom', "from"))
        assert run(["-C", folder, "check"]) == 0, capsys.readouterr().err
        for name in ("Ash", "Bex", "Cam", "Dov", "Eli"):
            assert run(["-C", folder, "party", "add", name, f"{name.lower()}@players.example"]) == 0
        assert run(["-C", folder, "start", "--dry-run"]) == 0
        assert "Nothing was done" in capsys.readouterr().out
        assert run(["-C", folder, "start", "--roles", "seer"]) == 0
        assert run(["-C", folder, "poll"]) == 0
        assert run(["-C", folder, "start"]) == 1
        assert "one session at a time" in capsys.readouterr().err
        assert len(world.inbox("ash@players.example")) > 0

    for command in ("status", "votes", "history", "held", "award", "parties"):
        assert run(["-C", folder, command, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["schema"] == 1
        assert run(["-C", folder, command]) == 0
        assert capsys.readouterr().out.strip()
    assert run(["-C", folder, "explain", "Ash", "--json"]) == 0
    assert run(["-C", folder, "explain", "nobody at all"]) == 1
    assert run(["-C", folder, "ledger", "verify"]) == 0
    capsys.readouterr()
    assert run(["-C", folder, "backup", str(tmp_path / "copy.db")]) == 0
    told = capsys.readouterr().out
    assert "Keep contest.key with it" in told
    assert "keep the ledger's key (ledger.key) too" in told
    assert (tmp_path / "copy.db").stat().st_mode & 0o077 == 0
    assert run(["-C", folder, "poll"]) == 75


def test_a_founding_writes_over_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A second ``init`` is wrong use; what lacks is named."""
    line = ["init", str(tmp_path / "new"), *INIT, "--imap", "mail.example", "--smtp", "mail.example"]
    assert run(line) == 0
    assert (tmp_path / "new" / "contest.db").stat().st_mode & 0o077 == 0
    assert "poll" in (tmp_path / "new" / "crontab").read_text()
    assert run(line) == 2
    assert "is there already" in capsys.readouterr().err
    assert run(["init", str(tmp_path / "other"), "--yes"]) == 2
    assert "--contestmaster is missing" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()


def test_a_founding_leaves_a_ledger_and_its_key_as_they_are(tmp_path: Path) -> None:
    """Whose settings were lost writes them anew: another key would open nothing of the ledger that is there."""
    folder = tmp_path / "new"
    line = ["init", str(folder), *INIT, "--imap", "mail.example", "--smtp", "mail.example"]
    assert run(line) == 0
    keys = [(folder / name).read_bytes() for name in ("ledger.key", "contest.key")]
    (folder / "contest.toml").unlink()

    assert run(line) == 0
    assert [(folder / name).read_bytes() for name in ("ledger.key", "contest.key")] == keys
    assert run(["-C", str(folder), "status"]) == 0


def test_a_founding_is_called_by_its_rule_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Letters of Gadianton don't come from Nomic Crossing; where there is no such rule set, nothing is founded."""
    line = ["init", str(tmp_path / "new"), *INIT, "--imap", "mail.example", "--smtp", "mail.example"]
    assert run([*line, "--ruleset", "gadianto"]) == 2
    assert "There is no rule set 'gadianto'; there are gadianton" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
    assert run([*line, "--ruleset", "gadianton"]) == 0
    settings = (tmp_path / "new" / "contest.toml").read_text()
    assert 'name = "Gadianton"' in settings
    assert "nomicwolf rules gadianton --switches" in settings


def test_a_file_of_a_secret_that_is_gone_is_told_plainly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The path and what it is for; a password can be written anew, the key that seals the ledger can't."""
    run(["init", str(tmp_path), *INIT, "--imap", "mail.example", "--smtp", "mail.example", "--user", "x"])
    toml = tmp_path / "contest.toml"
    toml.write_text(toml.read_text().replace("# password", "password"))
    (tmp_path / "ledger.key").unlink()
    capsys.readouterr()

    assert run(["-C", str(tmp_path), "check"]) == 1
    told = capsys.readouterr().err
    assert f"imap.password_file: {tmp_path / 'mail.password'}: No such file or directory; put the secret there" in told
    assert f"ledger.key_file: {tmp_path / 'ledger.key'}: No such file or directory; put the key back" in told
    assert "Errno" not in told


def test_a_check_names_each_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Wrong keys are named with the nearest known one; servers that are away are told with their settings."""
    run(["init", str(tmp_path), *INIT, "--imap", "127.0.0.1:9", "--smtp", "127.0.0.1:9", "--user", "x"])
    toml = tmp_path / "contest.toml"
    (tmp_path / "mail.password").write_text("secret")
    toml.write_text(toml.read_text().replace("# password", "password").replace("ruleset", "rulset"))
    assert run(["-C", str(tmp_path), "check"]) == 1
    assert "did you mean ruleset" in capsys.readouterr().err
    toml.write_text(toml.read_text().replace("rulset", "ruleset").replace('"nomic-crossing"', '"chess"'))
    assert run(["-C", str(tmp_path), "check"]) == 1
    told = capsys.readouterr().err
    assert "letters in: imap 127.0.0.1:9" in told
    assert "letters out: smtp 127.0.0.1:9" in told
    assert "rule set: There is no rule set 'chess'" in told


def test_an_idle_poll_loads_little(tmp_path: Path) -> None:
    """From the entry point on: no command line, no database layer, no grammar before there is work."""
    code = (
        "import sys; sys.argv = ['nomicwolf', '-C', sys.argv[1], 'poll']\n"
        "from nomicwolf.cli.main import main\n"
        "try: main()\n"
        "finally: print(*sorted({'typer', 'rich', 'sqlmodel', 'lark', 'asyncio', 'aiosmtplib'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout.strip()) == (1, "")
    assert "nomicwolf init" in done.stderr


def test_the_program_is_installed() -> None:
    """The entry point is a command, and says its version."""
    done = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True)

    assert done.stdout.startswith("nomicwolf ")


def test_a_path_that_can_not_be_is_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """What the system refuses is told with the path and the next step, not as a traceback."""
    assert run(["verify", "x" * 5_000]) == 1
    said = capsys.readouterr().err
    assert said.startswith("nomicwolf: xxx")
    assert "look at that path" in said
    assert said.count("\n") == 1
