"""A pooler before PostgreSQL gives one session to many: it is refused, for roles and locks hang on sessions."""

from __future__ import annotations

import pytest

from nomicwolf.cli.app import run
from tests.host.hosted import Host
from tests.servers.pooler import KINDS, Kind, pooled


@pytest.mark.parametrize("kind", KINDS)
def test_a_pooler_is_refused(host: Host, kind: Kind, capsys: pytest.CaptureFixture[str]) -> None:
    """Workers, commands, polls and `check` say so at once, and that waiting doesn't mend it."""
    folder = host.contest("c1")
    host.deliver("c1", "q1")
    toml = folder / "contest.toml"
    with pooled(host.url, kind) as url:
        host.url = url
        host.configure()
        toml.write_text(f'{toml.read_text()}\n[ledger]\nurl = "{url}"\n')
        for words in (["worker"], ["list"], ["do", "c1", "poll"], ["-C", str(folder), "poll"],
                      ["-C", str(folder), "status"], ["-C", str(folder), "check"]):
            capsys.readouterr()
            status = run(words) if words[0] == "-C" else host.host(*words)
            said = capsys.readouterr()
            assert (status, "a pooler such as PgBouncer" in said.err + said.out) == (1, True), (words, said)
    assert host.smtp.taken == []
