"""A provider of tokens is asked: by a device's code, by a browser with PKCE, for new tokens; each no has its advice."""

from __future__ import annotations

import socket
import threading
from dataclasses import replace
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from nomicwolf.post.oauth import Client, Tokens, by_browser, by_device, discovered, renewed
from nomicwolf.post.refusals import Away, Denied
from tests.servers.provider import Provider


def client_of(provider: Provider, secret: str = "") -> Client:
    """Return a program that the provider knows."""
    return Client("werewolves", token_url=provider.url("token"), scope="imap smtp", device_url=provider.url("device"),
                  authorize_url=provider.url("authorize"), client_secret=secret)


def test_a_device(provider: Provider) -> None:
    """The person is told page and code; the provider is asked as often as it allows, until e has entered it."""
    provider.answers = [(400, {"error": "authorization_pending"}), (400, {"error": "slow_down"})]
    said, naps = list[tuple[str, str]](), list[float]()
    tokens = by_device(client_of(provider), lambda page, code: said.append((page, code)), naps.append)
    assert said == [(provider.url("enter"), "ABCD-EFGH")]
    assert naps == [5, 5, 10]
    assert provider.good[tokens.access] == "wolf"
    assert tokens.refresh in provider.refresh


@pytest.mark.parametrize(("error", "said"), [
    ("access_denied", "nobody has allowed it .* give nomicwolf login anew"), ("expired_token", "login anew"),
    ("authorization_pending", "in time; give nomicwolf login anew"),
])
def test_a_device_that_nobody_uses(provider: Provider, error: str, said: str) -> None:
    """It ends after what the provider gives as time, or says."""
    provider.answers = [(400, {"error": error})] * 1000
    with pytest.raises(Denied, match=said):
        by_device(client_of(provider), lambda page, code: None, lambda _: None)
    assert len(provider.asked) in (1, 180)


def in_a_browser(provider: Provider, client: Client, *before: str, patience: float = 20) -> Tokens:
    """Log in while a browser goes to some addresses first, made from the answer's, and then to the answer."""
    threads = []

    def go(page: str) -> None:
        answer = provider.log_in_at(page)

        def visit() -> None:
            for form in before:
                with pytest.raises(HTTPError) as caught:
                    urlopen(form.format(answer=answer, root=answer.partition("?")[0]))
                caught.value.close()
            urlopen(answer).close()

        threads.append(threading.Thread(target=visit))
        threads[0].start()

    try:
        return by_browser(client, "wolf", go, patience)
    finally:
        threads[0].join()


def test_a_browser(provider: Provider) -> None:
    """The code comes to loopback and is changed for tokens with the verifier of its challenge (RFC 7636)."""
    tokens = in_a_browser(provider, client_of(provider))
    assert provider.good[tokens.access] == "wolf"
    assert len(provider.asked[0]["code_verifier"]) >= 43


def test_a_page_that_sends_a_browser_here(provider: Provider) -> None:
    """Another's code isn't taken: it has not the state (RFC 6749 10.12)."""
    tokens = in_a_browser(provider, client_of(provider), "{root}?code=eve", "{root}?code=eve&state=x", "{root}icon")
    assert provider.good[tokens.access] == "wolf"
    assert [form["code"] for form in provider.asked] == ["code-1"]


def test_nobody_comes_back(provider: Provider) -> None:
    """After a while the command ends."""
    with pytest.raises(Denied, match="no browser came back"):
        by_browser(client_of(provider), "wolf", lambda _: None, patience=0.05)


def test_a_registered_port(provider: Provider) -> None:
    """A redirect with a port is used as it is; one that is taken is told."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        client = replace(client_of(provider), redirect_url=f"http://localhost:{taken.getsockname()[1]}/back")
        with pytest.raises(Denied, match=r"oauth\.redirect_url: .*name another port"):
            by_browser(client, "wolf", lambda _: None)
    in_a_browser(provider, client)
    assert provider.asked[0]["redirect_uri"] == client.redirect_url


def test_new_tokens(provider: Provider) -> None:
    """A refresh token is changed for new ones; where only an access token comes, the old one stays."""
    first = str(provider.new()["refresh_token"])
    second = renewed(client_of(provider), first)
    assert (second.refresh in provider.refresh, second.refresh == first) == (True, False)
    provider.answers = [(200, {"access_token": "a", "expires_in": "60"})]
    assert renewed(client_of(provider), second.refresh) == Tokens("a", second.refresh, 60)


@pytest.mark.parametrize(("status", "told", "kind", "said"), [
    (400, {"error": "invalid_grant", "error_description": "AADSTS70008: expired\r\nTrace ID: 1"}, Denied,
     r"withdrawn or ran out \(400 invalid_grant\); give nomicwolf login$"),
    (400, {"error": "invalid_grant", "error_description": "Token has been expired or revoked."}, Denied,
     r"\(400 invalid_grant Token has been expired or revoked\.\); give nomicwolf login$"),
    (400, {"error": "interaction_required"}, Denied, "give nomicwolf login$"),
    (401, {"error": "invalid_client", "error_description": "AADSTS7000218: must contain client_secret"}, Denied,
     r"set oauth\.client_id and oauth\.client_secret .* allow public clients"),
    (400, {"error": "invalid_scope"}, Denied, r"set oauth\.scope"),
    (404, {}, Denied, r"look at oauth\.provider, oauth\.token_url"),
    (200, {"access_token": "a\nb"}, Denied, "gives no token"),
    (503, {}, Away, "next run tries again"),
    (429, {}, Away, "next run tries again"),
    (400, {"error": "temporarily_unavailable"}, Away, "next run tries again"),
    (400, {"error": "odd", "error_description": "the-refresh-token and the-secret"}, Denied, r"odd \.\.\. and \.\.\."),
])
def test_what_a_provider_refuses(
    provider: Provider, status: int, told: dict[str, object], kind: type[Exception], said: str
) -> None:
    """What mends itself is tried again; else the reader is told what to do, and no secret is."""
    provider.answers = [(status, told)]
    with pytest.raises(kind, match=said) as caught:
        renewed(client_of(provider, "the-secret"), "the-refresh-token")
    assert "the-" not in str(caught.value)


def test_no_provider_there(provider: Provider) -> None:
    """One that can't be reached is asked again by the next run; one without a refresh token is no good."""
    client = client_of(provider)
    provider.answers = [(200, {"access_token": "a"})]
    with pytest.raises(Denied, match=r"no refresh token.*oauth\.scope"):
        by_device(client, lambda page, code: None, lambda _: None)
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    with pytest.raises(Away, match="next run tries again"):
        renewed(replace(client, token_url=f"http://127.0.0.1:{port}/token"), "r")


KNOWN = "/.well-known/"
BARE = Client("werewolves", token_url="", scope="imap smtp")


@pytest.mark.parametrize(("path", "page"), [
    ("", f"{KNOWN}oauth-authorization-server"), ("/mail", f"{KNOWN}oauth-authorization-server/mail"),
    ("", f"{KNOWN}openid-configuration"), ("/mail", f"/mail{KNOWN}openid-configuration"),
])
def test_an_issuer_tells_its_addresses(provider: Provider, path: str, page: str) -> None:
    """On either of the pages that are usual; what was set stays."""
    issuer = provider.url(path.lstrip("/")).rstrip("/")
    provider.tell(page, issuer)
    found = discovered(BARE, issuer)
    assert (found.token_url, found.device_url) == (provider.url("token"), provider.url("device"))
    assert discovered(replace(BARE, token_url="https://mine.example/"), issuer).token_url == "https://mine.example/"
    assert renewed(found, str(provider.new()["refresh_token"])).access in provider.good


@pytest.mark.parametrize(("told", "kind", "said"), [
    ((404, {}), Denied, r"tells no addresses for oauth\.issuer; look at it, or set oauth\.token_url"),
    ((200, {"issuer": "https://eve.example", "token_endpoint": "https://eve.example/t"}), Denied,
     r"says that it is https://eve\.example, and not oauth\.issuer"),
    ((200, {"token_endpoint": "x"}), Denied, "says that it is nobody"),
    ((503, {}), Away, "next run tries again"),
])
def test_an_issuer_that_is_none(
    provider: Provider, told: tuple[int, dict[str, object]], kind: type[Exception], said: str,
) -> None:
    """Whoever is another, or tells nothing, is told no secret."""
    provider.told[f"{KNOWN}oauth-authorization-server"] = told
    with pytest.raises(kind, match=said):
        discovered(BARE, provider.url("").rstrip("/"))
    assert provider.asked == []


def test_an_address_that_is_not_encrypted(provider: Provider) -> None:
    """An issuer that is asked over TLS may not lead to an address without it; here the reverse stands for that."""
    provider.tell(f"{KNOWN}openid-configuration", provider.url("").rstrip("/"), token_endpoint="https://x.example/t")
    with pytest.raises(Denied, match="isn't encrypted"):
        discovered(BARE, provider.url("").rstrip("/"))
