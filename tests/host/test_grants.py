"""What a tenant's settings may reach: the public network, and what the operator grants."""

from __future__ import annotations

import os
import socket
from ipaddress import ip_address
from pathlib import Path

import pytest

from nomicwolf.host.health import Meters
from nomicwolf.host.settings import granted
from nomicwolf.host.worker import Worker
from nomicwolf.post.refusals import Denied
from nomicwolf.post.routes import Found, allowed, effective_address, is_public, restricted_to
from tests.host.hosted import Host
from tests.post.scripted import ImapScript, imap_server
from tests.tables import each

PRIVATE = ("127.0.0.1", "127.8.9.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
           "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "fec0::1", "::127.0.0.1",
           "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:7f00:1::", "ff02::1")


def change(folder: Path, old: str, new: str) -> None:
    """Change a contest's settings."""
    toml = (folder / "contest.toml").read_text()
    assert old in toml
    (folder / "contest.toml").write_text(toml.replace(old, new))


def add(host: Host, folder: Path, capsys: pytest.CaptureFixture[str], tenant: str = "murphy") -> str:
    """Return why the host doesn't take a contest, '' if it does."""
    capsys.readouterr()
    status = host.host("add", str(folder), "--tenant", tenant)
    said = capsys.readouterr().err
    assert bool(status) == bool(said)
    return said


def by_imap(folder: Path, more: str) -> None:
    """Let a contest read its letters by IMAP."""
    toml = (folder / "contest.toml").read_text()
    imap = f'[imap]\nuser = "x"\npassword = "y"\n{more}\n'
    (folder / "contest.toml").write_text(toml[:toml.index("[maildir]")] + imap + toml[toml.index("[smtp]"):])


def test_anothers_mailbox_is_not_polled(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """A path is the operator's to grant, each tenant eir own; a link and a `..` lead nowhere else."""
    host.contest("c1", "ann")
    folder = host.contest("c2", "bob")
    host_toml = host.folder / "host.toml"
    text = host_toml.read_text()
    ours = f'mailboxes = ["{host.folder / "mail"}"]'
    host_toml.write_text(text.replace(ours, f'mailboxes = ["{host.folder}/mail/c2"]'))
    change(folder, "/mail/c2", "/mail/c1")
    assert "mailboxes on the host's machines are for its operator to grant" in add(host, folder, capsys, "bob")
    change(folder, "/mail/c1", "/mail/c2/../c1")
    assert "for its operator to grant" in add(host, folder, capsys, "bob")
    change(folder, "/mail/c2/../c1", "/mail/c2/box")
    (host.folder / "mail" / "c2" / "box").symlink_to(host.folder / "mail" / "c1")
    assert add(host, folder, capsys, "bob") == ""
    assert Worker(host.settings, "w1", Meters()).take("c2").status == 1
    assert "set maildir.path to a Maildir" in host.ask("SELECT said FROM host.contests WHERE contest = 'c2'")[0][0]


def test_a_mailbox_that_was_granted_is_read_and_its_links_are_not(host: Host) -> None:
    """A file in it that is a link to another's letter, or to the host's key, is no letter."""
    host.contest("c1")
    host.deliver("c1", "q1")
    new = host.folder / "mail" / "c1" / "new"
    (new / "stolen").symlink_to(host.folder / "host.key")
    os.mkfifo(new / "pipe")
    assert Worker(host.settings, "w1", Meters()).take("c1").heard == 1
    assert host.ask("SELECT count(*) FROM letters") == [(1,)]


def test_a_folder_of_letters_that_is_a_link_is_not_read(host: Host) -> None:
    """The tenant may have put it there after the host took eir settings."""
    host.contest("c1")
    host.contest("c2", "ann")
    host.deliver("c2", "q1")
    new = host.folder / "mail" / "c1" / "new"
    new.rmdir()
    new.symlink_to(host.folder / "mail" / "c2" / "new")
    assert Worker(host.settings, "w1", Meters()).take("c1").status == 1
    assert host.ask("SELECT count(*) FROM letters") == [(0,)]


def test_an_mbox_that_is_a_link_is_not_read(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """As a Maildir isn't."""
    folder = host.contest("c1")
    host.contest("c2", "ann")
    box = host.folder / "mail" / "box"
    (host.folder / "mail" / "anothers").write_bytes(b"From x Sat Nov 21 02:00:00 2026\nFrom: ash@players.test\n\nx\n")
    box.symlink_to(host.folder / "mail" / "anothers")
    change(folder, "[maildir]", "[mbox]")
    change(folder, "/mail/c1", "/mail/box")
    assert add(host, folder, capsys) == ""
    assert Worker(host.settings, "w1", Meters()).take("c1").status == 1
    box.unlink()
    (host.folder / "mail" / "anothers").rename(box)
    assert Worker(host.settings, "w1", Meters()).take("c1").heard == 1


@pytest.mark.parametrize("named", ["127.0.0.1", "localhost"])
def test_no_server_on_the_machine_is_reached_ungranted(
    host: Host, capsys: pytest.CaptureFixture[str], named: str
) -> None:
    """By number or by name, by worker or by command: it is never connected to; granted, it is."""
    folder, script = host.contest("c1"), ImapScript()
    with imap_server(script) as port:
        by_imap(folder, f'host = "{named}"\nport = {port}\nsecurity = "none"')
        assert add(host, folder, capsys) == ""
        assert Worker(host.settings, "w1", Meters()).take("c1").status == 1
        assert "has not granted it (grants.servers" in host.ask("SELECT said FROM host.contests")[0][0]
        for words in (["poll"], ["check"]):
            assert host.host("do", "c1", *words) == 1
            assert "has not granted it" in "".join(capsys.readouterr())
        assert script.asked == []
        host.configure(servers=[f"127.0.0.1:{host.port}", f"127.0.0.1:{port}"])
        assert Worker(host.settings, "w1", Meters()).take("c1").status == 0
        assert script.asked != []


def test_no_letter_goes_to_a_server_on_the_machine_ungranted(host: Host) -> None:
    """Letters stay owed, and the contestmaster is told."""
    host.contest("c1")
    host.deliver("c1", "q1")
    host.configure(servers=["127.0.0.1:1"])
    assert Worker(host.settings, "w1", Meters()).take("c1").status == 1
    assert host.smtp.taken == []
    assert f"127.0.0.1:{host.port}: is on this machine" in host.ask("SELECT said FROM host.contests")[0][0]
    host.configure()
    assert Worker(host.settings, "w1", Meters()).take("c1").status == 0
    assert len(host.smtp.taken) == 1


def test_mail_in_the_clear_is_granted_with_its_server(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """Who was granted no server has none that may be reached without encryption."""
    folder = host.contest("c1")
    file = host.folder / "host.toml"
    file.write_text(file.read_text().replace(f'servers = ["127.0.0.1:{host.port}"]\n', ""))
    assert "smtp.security: none is for the host's operator to grant" in add(host, folder, capsys)


def test_nameservers_nearby_are_granted_too(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """They are asked by addresses, of which a tenant may write any."""
    folder = host.contest("c1")
    text = (folder / "contest.toml").read_text()
    for server in ("10.0.0.1", "127.0.0.1:5432", "::1", "localhost", "10.0.0.1:x"):
        (folder / "contest.toml").write_text(f'{text}\n[identity]\nnameservers = ["9.9.9.9", "{server}"]\n')
        assert f"identity.nameservers: {server}: is no address of the public" in add(host, folder, capsys), server
    (folder / "contest.toml").write_text(f'{text}\n[identity]\nnameservers = ["9.9.9.9", "127.0.0.1:{host.port}"]\n')
    assert add(host, folder, capsys) == ""


@each("address", PRIVATE)
def test_what_is_not_of_the_public_network(address: str) -> None:
    """Loopback, private networks, and the ways in which IPv6 writes them."""
    assert not is_public(effective_address(ip_address(address)))


def place(address: str) -> Found:
    """Return an address as the DNS's answer comes."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return (family, socket.SOCK_STREAM, 6, "", (address, 993))


def test_a_name_leads_where_it_may_alone(host: Host) -> None:
    """Of a name's addresses those are asked that may be reached, whatever else its owner writes into the DNS."""
    found = [place(address) for address in ("127.0.0.1", "9.9.9.9", "::1", "2620:fe::fe", "10.1.0.7")]
    host.configure(servers=["10.1.0.0/16:993"])
    with restricted_to(granted(host.settings, "murphy")):
        assert [where[4][0] for where in allowed("mx.test", 993, found, encrypted=True)] == [
            "9.9.9.9", "2620:fe::fe", "10.1.0.7"]
        with pytest.raises(Denied):
            allowed("mx.test", 993, found, encrypted=False)
        with pytest.raises(Denied):
            allowed("mx.test", 993, found[:1], encrypted=True)
        with pytest.raises(Denied):
            allowed("mx.test", 5432, found[-1:], encrypted=True)
    assert allowed("mx.test", 993, found, encrypted=False) == found, "elsewhere settings are of whoever runs it"


@pytest.mark.parametrize(("grant", "says"), [
    ('servers = ["127.0.0.1"]', "must be an address or a network, and a port"),
    ('servers = ["10.0.0.1/8:25"]', "must be an address or a network, and a port"),
    ('mailboxes = ["mail"]', "must be a whole path"),
    ('mailboxes = ["/var/../etc"]', "must be a whole path"),
    ('mailbox = ["/var/mail"]', "did you mean mailboxes?"),
])
def test_odd_grants_are_told(host: Host, capsys: pytest.CaptureFixture[str], grant: str, says: str) -> None:
    """With what to write in their place."""
    with (host.folder / "host.toml").open("a") as file:
        file.write(f"[grants.cam]\n{grant}\n")
    assert host.host("list") == 1
    assert says in capsys.readouterr().err


def test_a_grant_for_everybody_names_each(host: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """Folders that were every tenant's would be each other's mailboxes; with the name in them they aren't."""
    file = host.folder / "host.toml"
    text = file.read_text()
    file.write_text(text.replace('[grants."*"]', '[grants."*"]\nmailboxes = ["/var/vmail"]'))
    assert host.host("list") == 1
    assert "write {tenant} where the name stands" in capsys.readouterr().err
    file.write_text(text.replace('[grants."*"]', '[grants."*"]\nmailboxes = ["/var/vmail/{tenant}"]'))
    assert granted(host.settings, "cam").mailbox(Path("/var/vmail/cam/box")) == Path("/var/vmail/cam")
    assert granted(host.settings, "cam").mailbox(Path("/var/vmail/ann/box")) is None


def test_a_settings_file_of_earlier_days_is_looked_at_again(host: Host) -> None:
    """What was granted once may be taken back: the next turn says so, and `host list` shows it."""
    host.contest("c1")
    file = host.folder / "host.toml"
    file.write_text(file.read_text().replace("[grants.murphy]\nmailboxes", "[grants.someone]\nmailboxes"))
    assert Worker(host.settings, "w1", Meters()).take("c1").status == 1
    assert "for its operator to grant" in host.ask("SELECT said FROM host.contests")[0][0]
