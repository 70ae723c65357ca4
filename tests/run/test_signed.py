"""Letters that nomicwolf signs, through a real Postfix and lists: they are proven, unless a list broke them."""

from __future__ import annotations

from pathlib import Path

import pytest

from nomicwolf.maillist import MailingList
from nomicwolf.proofs.dkim import dkim_signers, new_key, record_of
from tests.post.scripted import SmtpScript
from tests.run.world import BEGIN, PLAYERS, SEED, World, make_world
from tests.servers.site import MailSite

pytestmark = pytest.mark.slow

KEY = new_key()


def lookup(name: str) -> bytes | None:
    """Have the contest's key where its domain tells it."""
    return record_of(KEY).encode() if name == "wolf1._domainkey.contest.example" else None


@pytest.fixture
def world(mail_site: MailSite, tmp_path: Path) -> World:
    """A contest on the site, whose own program signs; its players read one list that changes letters, and one not."""
    members = ("ash@players.example",)
    mail_site.add_list(MailingList("agora-business@lists.agora.example", "agora", "BUS:", "a footer", members))
    mail_site.add_list(MailingList("b-business@lists.b.example", "b", "", "", members))
    mail_site.stand_at(BEGIN)
    made = make_world(tmp_path / "contest", mail_site.smtp_port, SmtpScript())
    made.live_on_site(mail_site.imap_port)
    (made.folder / "dkim.key").write_bytes(KEY)
    made.add('\n[domain]\ndkim_sign = true\ndkim_selector = "wolf1"\n')
    for who in PLAYERS:
        assert made.command("party-add", who=who, address=f"{who.lower()}@players.example").status == 0
    return made


def test_what_arrives_is_proven_but_for_what_a_list_has_changed(mail_site: MailSite, world: World) -> None:
    """Private letters and those of a list that keeps them are; a tag and a footer break the signature (RFC 6377)."""
    assert world.command("start", seed=SEED).status == 0
    mail_site.settle()
    proven: dict[str, set[tuple[str, ...]]] = {}
    for data in mail_site.inbox("ash"):
        by = "agora" if b"lists.agora.example" in data else "b" if b"lists.b.example" in data else "private"
        proven.setdefault(by, set()).add(dkim_signers(data, lookup, 2 * BEGIN))
    assert proven == {"private": {("contest.example",)}, "b": {("contest.example",)}, "agora": {()}}
