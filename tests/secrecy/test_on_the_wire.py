"""Two worlds on the wire: what an SMTP server, a cron mail and the ledger's clock see of a night tells no secret.

The same contest, its key and all, is polled twice at the same times; only who holds what, and whom e attacks or sees,
differs. All write private letters of one length at the same times.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from nomicwolf.cli.app import run
from nomicwolf.run.letter_intake import open_desk
from nomicwolf.run.resources import PollReport, ensure_founded
from tests.post.scripted import SmtpScript, smtp_server
from tests.run.world import BEGIN, PLAYERS, World, letter, make_world

pytestmark = pytest.mark.slow

HOUR = 3600
DEALS = ({"Ash": "werewolf", "Bex": "seer", "Gus": "villager", "Fay": "villager"},
         {"Cam": "werewolf", "Dov": "seer", "Gus": "villager", "Fay": "villager"})
DEEDS = ({"Ash": "attack Fay", "Bex": "see Cam"}, {"Cam": "attack Fay", "Dov": "see Ash"})
POLLS = (2, 5, 6, 8, 8.5, 14, 20, 20.5, 26)
SECRETS = re.compile(rb"(?<=<)[a-z2-7]{24}\.[a-z2-7]{16}(?=@)|"
                     rb"(?<==_)[a-z2-7]{24}\.[a-z2-7]{16}|(?<=\+b-)[a-z2-7]{24}\.[a-z2-7]{16}(?=@)|"
                     rb"(?<=\+)[a-z2-7]{26}(?=@)|\b[0-9a-f]{64}\b")
"""What only the contest's key makes, or commits to the deal: Message-IDs, return paths, reply addresses, hashes."""


def roles(world: World) -> dict[str, str]:
    """Return who holds what."""
    with world.store() as store:
        contest = open_desk(world.settings, ensure_founded(world.settings), store).contest
        assert contest.running is not None
        return dict(contest.running.roles)


@pytest.fixture
def worlds(dealt: tuple[World, World], tmp_path: Path) -> tuple[World, World]:
    """Return copies of both contests."""
    one, other = (World(shutil.copytree(world.folder, tmp_path / world.folder.name), world.smtp) for world in dealt)
    return one, other


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[World, World]]:
    """Return two contests with one past, one key and two deals, and one server that takes the letters of both."""
    folder, script = tmp_path_factory.mktemp("wire"), SmtpScript()
    with smtp_server(script) as port:
        template = make_world(folder / "template", port, script)
        template.change("connections = 2", "connections = 1")
        template.change("[switches]", '[switches]\ncover = "strict"')
        for who in PLAYERS:
            assert template.command("party-add", who=who, address=f"{who.lower()}@players.test").status == 0
        found: dict[int, World] = {}
        for seed in range(1000):
            shutil.copytree(template.folder, folder / "next")
            world = World(folder / "next", script)
            assert world.command("start", seed=f"{seed:064x}", roles="seer").status == 0
            held = roles(world)
            for number, deal in enumerate(DEALS):
                if number not in found and deal.items() <= held.items():
                    found[number] = World(world.folder.rename(folder / str(number)), script)
                    break
            else:
                shutil.rmtree(folder / "next")
            if len(found) == len(DEALS):
                break
        yield found[0], found[1]


def carried(script: SmtpScript) -> list[tuple[str, str, bytes, int, bytes]]:
    """Return what the server saw since it was last asked, in its order.

    Of each letter that is MAIL, RCPT, the headers, the size, and of public ones the body too.
    """
    seen = []
    for mail, (to, data) in zip(script.mails, script.taken, strict=True):
        head, _, body = SECRETS.sub(b"...", data).partition(b"\r\n\r\n")
        shown = b"" if b"multipart/mixed" in head else body
        seen.append((SECRETS.sub(b"...", mail.encode()).decode(), to, head, len(data), shown))
    script.mails.clear()
    script.taken.clear()
    return seen


def reply_addresses(script: SmtpScript) -> dict[str, str]:
    """Return where each player answers eir letters."""
    found = ((to, re.search(rb"Reply-To: (\S+)", data)) for to, data in script.taken)
    return {to.partition("@")[0].title(): match[1].decode() for to, match in found if match}


def writes(world: World, who: str, text: str, at: int, to: str) -> None:
    """Let *who* write a private letter, of one length whatever it says."""
    filled = f"{text}\n\n-- \n{(30 - len(text)) * 'x'}"
    world.deliver(f"{at}{who}", letter(f"{at}{who}", who, filled, at, to), at)


def night(
    world: World, deeds: dict[str, str], others: str, *, certain: bool, until: int = 24
) -> tuple[list[object], list[PollReport]]:
    """Play a day and a night, for less than *until* hours; return what could be seen of each poll, and their reports.

    Who has no deed writes what *others* do; all are *certain* if they answer letters of their own.
    """
    seen: list[object] = []
    reports = []
    for at, who in enumerate(PLAYERS):
        world.post(f"v{who}", who, "I vote for Gus.", BEGIN + HOUR + at)
    carried(world.smtp)
    addresses: dict[str, str] = {}
    for hour in (hour for hour in POLLS if hour < until):
        for at, who in enumerate(PLAYERS[:6] if hour == POLLS[1] else ()):
            to = addresses[who] if certain else "wolf@contest.test"
            writes(world, who, deeds.get(who, others), BEGIN + 4 * HOUR + at, to)
        report = world.poll(BEGIN + int(hour * HOUR))
        reports.append(report)
        addresses |= reply_addresses(world.smtp)
        with world.store() as store:
            seen.append((hour, carried(world.smtp), report, store.alarm, store.counts().buckets))
    assert run(["-C", str(world.folder), "export", "--public", str(world.folder / "public")]) == 0
    seen.append(sorted((p.name, p.stat().st_size, p.stat().st_mode)
                       for p in (world.folder / "public").rglob("*") if p.is_file()))
    return seen, reports


@pytest.mark.parametrize(("others", "certain"), [("status", False), ("pass", True)])
def test_nothing_on_the_wire_tells_who_did_what_by_night(
    worlds: tuple[World, World], others: str, certain: bool
) -> None:
    """Order, senders, recipients, headers, sizes; reports and alarms; what the archive's files weigh.

    What is to be confirmed is asked at once, as a question is answered; what is done is answered with the batch, and so
    is what nobody can do. The night whose deeds are certain ends at its dawn.
    """
    mine, yours = (night(world, deeds, others, certain=certain) for world, deeds in zip(worlds, DEEDS, strict=True))
    for one, other in zip(mine[0], yours[0], strict=True):
        assert one == other
    assert [(report.status, report.sent > 0) for report in mine[1]].count((0, True)) >= 2
    for world in worlds:
        assert any('"deaths-announced"' in line for line in world.record()) is certain


@pytest.mark.parametrize("less", [{"Cam": "attack Fay"}, {"Dov": "see Ash"}, {}])
def test_a_night_that_is_done_looks_like_one_that_waits_until_its_slot(
    worlds: tuple[World, World], less: dict[str, str]
) -> None:
    """Neither what is sent nor what a poll says, nor when time acts next, tells that somebody has not done eir part."""
    mine, yours = (night(world, deeds, "pass", certain=True, until=8)
                   for world, deeds in zip(worlds, (DEEDS[0], less), strict=True))
    for one, other in zip(mine[0], yours[0], strict=True):
        assert one == other


def test_no_file_of_the_archive_is_touched_by_what_happens_by_night(worlds: tuple[World, World]) -> None:
    """A web server tells when a file changed (Last-Modified): none does, and all weigh the same in both worlds."""
    sites = []
    for world, deeds in zip(worlds, DEEDS, strict=True):
        site = world.folder / "site"
        night(world, {}, "pass", certain=True, until=3)
        assert run(["-C", str(world.folder), "archive", str(site)]) == 0
        before = {path: path.stat().st_mtime_ns for path in site.rglob("*")}
        for who, text in deeds.items():
            writes(world, who, text, BEGIN + 4 * HOUR, "wolf@contest.test")
        heard = world.poll(BEGIN + 5 * HOUR).heard
        assert run(["-C", str(world.folder), "archive", str(site)]) == 0
        assert {path: path.stat().st_mtime_ns for path in site.rglob("*")} == before
        assert heard == len(deeds)
        sites.append({str(path.relative_to(site)): SECRETS.sub(b"...", path.read_bytes())
                      for path in before if path.is_file()})
    assert sites[0] == sites[1]
