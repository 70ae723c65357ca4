"""Public facts are told to addresses of the web: signed, once at most, nothing secret, nobody within on a host."""

from __future__ import annotations

import json
import threading
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import new as keyed
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from nomicwolf.cli.app import run
from nomicwolf.host.settings import Granted
from nomicwolf.post.routes import deliver, restricted_to, signature
from nomicwolf.settings.keys import SettingsError
from nomicwolf.settings.load import load
from tests.docs.pages import blocks
from tests.run.steps import Died, Fuse, burning
from tests.run.world import BEGIN, World, letter

HOUR = 3600
KEY = "whsec_" + b64encode(b"k" * 32).decode()


@dataclass
class Hook:
    """What listens: every request as (method, path, fields, body), and the next *answers* (statuses; 0: hangs up)."""

    port: int = 0
    heard: list[tuple[str, str, dict[str, str], dict[str, Any]]] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)

    @property
    def told(self) -> list[str]:
        """Return the events in the order in which they came."""
        return [body["event"] for *_, body in self.heard]


@contextmanager
def listening() -> Iterator[Hook]:
    """Listen on loopback."""
    hook = Hook()

    class Page(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            status = hook.answers.pop(0) if hook.answers else 204
            if status in (0, 204, 200):
                hook.raw.append(data)
                hook.heard.append((self.command, self.path, {k.lower(): v for k, v in self.headers.items()},
                                   json.loads(data)))
            if status == 0:
                return
            self.send_response(status)
            if status in (301, 307):
                self.send_header("Location", f"http://127.0.0.1:{hook.port}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_PUT = do_POST  # noqa: N815 - its name

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        hook.port = server.server_port
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield hook
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def hook() -> Iterator[Hook]:
    """Return what listens."""
    with listening() as found:
        yield found


def hooked(world: World, hook: Hook, *lines: str) -> World:
    """Let a contest tell what listens; the first poll says from where on."""
    file = world.folder / "contest.toml"
    more = "\n".join(lines)
    file.write_text(f'{file.read_text()}\n[webhook.chat]\nurl = "http://127.0.0.1:{hook.port}/hook?room=1"\n{more}\n')
    world.deliver("first", letter("first", "Cam", "help", BEGIN + 60, "wolf@contest.test"), BEGIN + 60)
    assert world.poll(BEGIN + 120).status == 0
    assert hook.heard == []
    return world


def lynching(world: World, at: int = BEGIN + HOUR) -> None:
    """Let four of seven vote for Gus."""
    for who in ("Ash", "Bex", "Cam", "Dov"):
        world.post(f"v-{who}", who, "I vote for Gus.", at)


def test_each_fact_is_told_once_in_order(world: World, hook: Hook) -> None:
    """What happens from then on, with its words; a second poll tells nothing again."""
    hooked(world, hook)
    lynching(world)
    assert world.poll(BEGIN + 2 * HOUR).status == 0
    assert world.poll(BEGIN + 3 * HOUR).status in (0, 75)

    assert hook.told[:2] == ["lynched", "disclosed"] or hook.told[0] == "lynched"
    assert "phase-began" in hook.told
    method, path, _, body = hook.heard[0]
    assert (method, path) == ("POST", "/hook?room=1")
    assert body == {"schema": 1, "contest": "w1", "name": "Werewolves", "id": body["id"], "at": body["at"],
                    "event": "lynched", "text": body["text"], "url": ""}
    assert "Gus" in body["text"]
    assert len({one[3]["id"] for one in hook.heard}) == len(hook.heard)


def test_nothing_secret_is_told(world: World, hook: Hook) -> None:
    """With all events on, still only public ones; no number tells how much happened in secret."""
    hooked(world, hook, 'events = ["*"]')
    lynching(world)
    with world.store() as store:
        wolves = [e.event for e in store.record() if e.event.name == "opened"]
    for who in ("Ash", "Bex", "Cam"):
        world.deliver(f"n-{who}", letter(f"n-{who}", who, "see Fay", BEGIN + HOUR + 9, "wolf@contest.test"),
                      BEGIN + HOUR + 9)
    world.poll(BEGIN + 2 * HOUR)

    assert wolves
    assert "voted" in hook.told
    secret = {"opened", "drawn", "seen", "chose", "letter-heard", "person-known", "asked", "refused"}
    assert secret.isdisjoint(hook.told)
    assert all(set(body) == {"schema", "contest", "name", "id", "at", "event", "text", "url"}
               for *_, body in hook.heard)
    assert not any("@" in body["text"] for *_, body in hook.heard)


def test_it_is_signed(world: World, hook: Hook) -> None:
    """As Standard Webhooks has it: id, time and body, by HMAC-SHA-256."""
    hooked(world, hook, f'secret = "{KEY}"')
    lynching(world)
    world.poll(BEGIN + 2 * HOUR)

    for (*_, fields, body), raw in zip(hook.heard, hook.raw, strict=True):
        signed = f"{fields['webhook-id']}.{fields['webhook-timestamp']}.".encode() + raw
        made = b64encode(keyed(b64decode(KEY.removeprefix("whsec_")), signed, sha256).digest()).decode()
        assert fields["webhook-signature"] == f"v1,{made}"
        assert fields["webhook-id"] == body["id"]


@pytest.mark.parametrize(("answer", "status"), [(500, 75), (429, 75), (404, 1), (307, 1)])
def test_who_is_away_is_told_later(world: World, hook: Hook, answer: int, status: int) -> None:
    """Not at once, and then all of it, once; a no for good needs the contestmaster; nothing is followed elsewhere."""
    hooked(world, hook)
    lynching(world)
    hook.answers = [answer]
    report = world.poll(BEGIN + 2 * HOUR)
    assert report.status == status
    assert [line for line in report.said if f"webhook.chat: answers {answer}; it is tried again from" in line]
    assert hook.heard == []
    assert world.poll(BEGIN + 2 * HOUR + 60).status == 0
    assert hook.heard == []

    assert not world.poll(BEGIN + 9 * HOUR).idle

    assert hook.told[0] == "lynched"
    assert hook.told.count("lynched") == 1


def test_who_hangs_up_is_not_told_twice(world: World, hook: Hook) -> None:
    """It may have been heard: nobody is told twice."""
    hooked(world, hook)
    lynching(world)
    hook.answers = [0]
    report = world.poll(BEGIN + 2 * HOUR)
    assert any("nobody knows whether it was told of lynched" in line for line in report.said)
    world.poll(BEGIN + 9 * HOUR)
    assert hook.told.count("lynched") == 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.usefixtures("swept")
def test_a_run_that_dies_tells_nothing_twice(file_world: World, hook: Hook) -> None:
    """Stopped at every seventh step, and gone on with."""
    hooked(file_world, hook)
    lynching(file_world)
    for place in range(5, 400, 7):
        with burning(Fuse(place)) as fuse, suppress(Died):
            file_world.poll(BEGIN + 2 * HOUR)
        if len(fuse.passed) < place:
            break
    file_world.poll(BEGIN + 9 * HOUR)
    ids = [body["id"] for *_, body in hook.heard]
    assert len(ids) == len({*ids})


def test_commands_are_facts_too(world: World, hook: Hook) -> None:
    """What the contestmaster does in public is told at once."""
    hooked(world, hook)
    assert world.command("end", why="enough", at=BEGIN + HOUR).status == 0
    assert "session-stopped" in hook.told or "ended" in hook.told


def test_discord(world: World, hook: Hook) -> None:
    """Its own form, and nobody is pinged by a name."""
    hooked(world, hook, 'format = "discord"')
    lynching(world)
    world.poll(BEGIN + 2 * HOUR)
    body = hook.heard[0][3]
    assert set(body) == {"content", "allowed_mentions"}
    assert body["allowed_mentions"] == {"parse": []}
    assert "**Werewolves**: " in body["content"]


def test_matrix(world: World, hook: Hook) -> None:
    """A notice, put under its own id, so that the server itself drops a second one."""
    hooked(world, hook, 'format = "matrix"', 'token = "syt_x"')
    lynching(world)
    world.poll(BEGIN + 2 * HOUR)
    method, path, fields, body = hook.heard[0]
    assert method == "PUT"
    assert path == f"/hook/{fields['webhook-id']}?room=1"
    assert fields["authorization"] == "Bearer syt_x"
    assert body["msgtype"] == "m.notice"


@pytest.mark.parametrize(("lines", "said"), [
    ('url = "http://chat.example/x"', "webhook.chat.url: must be an address that begins with https://"),
    ('url = "https://chat.example/x"\nformat = "matrix"', "webhook.chat.token: missing; Matrix wants"),
    ('url = "https://chat.example/x"\nsecret = "whsec_%"', "webhook.chat.secret: what stands behind whsec_"),
    ('url = "https://chat.example/x"\nevent = ["x"]', "webhook.chat.event: unknown key; did you mean events?"),
    ("", "webhook.chat.url: missing"),
])
def test_wrong_settings(file_world: World, lines: str, said: str) -> None:
    """Each is named before anything is told; an address is never repeated, for it may be a secret."""
    file_world.add(f"\n[webhook.chat]\n{lines}\n")
    with pytest.raises(SettingsError) as raised:
        load(file_world.folder, {})
    assert any(problem.startswith(said) for problem in raised.value.problems)
    assert "chat.example" not in str(raised.value)


def test_the_address_is_a_secret(file_world: World, hook: Hook, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither a poll that fails nor `check` prints it; it may come from a file."""
    hooked(file_world, hook)
    file = file_world.folder / "contest.toml"
    (file_world.folder / "hook").write_text(f"http://127.0.0.1:{hook.port}/very-secret")
    file.write_text(file.read_text().replace(f'url = "http://127.0.0.1:{hook.port}/hook?room=1"', 'url_file = "hook"'))
    lynching(file_world)
    hook.answers = [403]
    report = file_world.poll(BEGIN + 2 * HOUR)
    assert "very-secret" not in repr(report)
    run(["-C", str(file_world.folder), "check"])
    out, err = capsys.readouterr()
    assert "very-secret" not in out + err
    assert "webhook.chat.url from the file hook" in out


@pytest.mark.parametrize("url", ["http://127.0.0.1:{port}/", "https://127.0.0.1:{port}/", "https://localhost:{port}/"])
def test_a_host_tells_nobody_within(hook: Hook, url: str) -> None:
    """A tenant's webhook reaches the public network alone, whatever its name comes to."""
    with restricted_to(Granted((), ())):
        fate, why = deliver(url.format(port=hook.port), "id", 1, b"{}")
    assert fate == "refused"
    assert "private network" in why
    assert hook.heard == []


def test_the_example_receiver_checks_what_it_gets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the handbook shows takes our signature, and no other."""
    (block,) = [block for block in blocks("docs/webhooks.md") if block.kind == "python"]
    (tmp_path / "shown_receiver.py").write_text(block.text)
    monkeypatch.syspath_prepend(str(tmp_path))
    is_ours = import_module("shown_receiver").is_ours
    fields = {"webhook-id": "a", "webhook-timestamp": "1", "webhook-signature": signature(KEY, "a", 1, b"{}")}
    assert is_ours(KEY, fields, b"{}")
    assert not is_ours(KEY, fields, b'{"x":1}')
