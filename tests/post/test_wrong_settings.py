"""Each wrong setting that people make at a provider or a server of their own leads to the right one, by its own words.

The fakes answer as Outlook.com, Exchange Online, Gmail, Yahoo, Fastmail, Dovecot, Courier, Postfix and Exim do.
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import pytest

from nomicwolf.post.imap import ImapAccount, ImapSource
from nomicwolf.post.refusals import Away, Denied, PostError, class_of
from nomicwolf.post.smtp import Fate, Job, Wire, greet, send
from tests.post.scripted import ImapScript, SmtpScript, imap_server, smtp_server
from tests.post.test_by_token import Bearer

Security: TypeAlias = Literal["tls", "starttls", "none"]
GMAIL_IN = "IMAP4rev1 UNSELECT IDLE NAMESPACE QUOTA ID XLIST SASL-IR AUTH=XOAUTH2 AUTH=PLAIN AUTH=OAUTHBEARER"
EXCHANGE_IN = "IMAP4 IMAP4rev1 AUTH=PLAIN AUTH=XOAUTH2 SASL-IR UIDPLUS ID UNSELECT CHILDREN IDLE NAMESPACE LITERAL+"
YAHOO_IN = "IMAP4rev1 ID MOVE NAMESPACE XYMHIGHESTMODSEQ UIDPLUS LITERAL+ CHILDREN AUTH=PLAIN AUTH=XOAUTH2"
FASTMAIL_IN = "IMAP4 IMAP4rev1 LITERAL+ ENABLE UIDPLUS SASL-IR NAMESPACE CONDSTORE AUTH=PLAIN"
DOVECOT_IN = "IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE LITERAL+ AUTH=PLAIN AUTH=LOGIN"
OAUTH = r"write \[oauth\] into contest.toml without a password"
LOGIN = "give nomicwolf login"
WOLF = "wolf@contest.example"


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong at which *provider*, what its server does (*script*), with which settings, and what must be said.

    *way* is ``in``, ``out`` (connecting, and naming the sender, as `check` does) or ``send`` (a letter). *never* is
    what would lead astray. Where the fault passes by itself, *later* says so.
    """

    provider: str
    what: str
    way: str
    advice: str
    script: dict[str, Any] = field(default_factory=dict)
    user: str = WOLF
    token: bool = False
    never: str = ""
    later: bool = False
    mailbox: str = "INBOX"
    security: Security = "none"


def at_imap(provider: str, what: str, capability: str, said: str, advice: str, **more: Any) -> Wrong:
    """Return a login at an IMAP server that is refused with what it *said*."""
    script = {"capability": capability, **({"token_answers": [said] * 2} if more.get("token") else
                                           {"refuse_login": said})}
    return Wrong(provider, what, "in", advice, script, **more)


def at_smtp(provider: str, what: str, offers: str, said: str, advice: str, **more: Any) -> Wrong:
    """Return a login at an SMTP server that is refused with what it *said*."""
    script = {"offers": offers, "auth": said, **({"token_answers": [said] * 2} if more.get("token") else {})}
    return Wrong(provider, what, "out", advice, script, **more)


def sending(provider: str, what: str, advice: str, *, user: str = WOLF, later: bool = False, **script: Any) -> Wrong:
    """Return a letter that a server doesn't take, once it is logged in."""
    return Wrong(provider, what, "send", advice, {"auth": "235 ok" if user else "", "offers": "PLAIN", **script}, user,
                 later=later)


MS_OUT, GMAIL_OUT, PLAIN_OUT = "LOGIN XOAUTH2", "LOGIN PLAIN XOAUTH2 PLAIN-CLIENTTOKEN OAUTHBEARER", "PLAIN LOGIN"
ID = "[AM0PR01CA0001.eurprd01.prod.exchangelabs.com 2026-11-25T10:00:00.000Z 08DE2B]"
CASES = (
    # Outlook.com and Exchange Online: passwords are over
    at_imap("Outlook.com", "a password", EXCHANGE_IN, "NO LOGIN failed.",
            rf"if they are right, it takes OAuth.*{OAUTH}"),
    at_smtp("Outlook.com", "a password", MS_OUT,
            f"535 5.7.139 Authentication unsuccessful, basic authentication is disabled. {ID}",
            rf"no password: {OAUTH}", never="smtp.password"),
    at_smtp("Exchange", "a wrong password", MS_OUT,
            f"535 5.7.139 Authentication unsuccessful, the user credentials were incorrect. {ID}", OAUTH),
    at_smtp("Exchange", "sending is off for the organisation", MS_OUT,
            "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant. Visit "
            "https://aka.ms/smtp_auth_disabled for more information.", "as its administrator", token=True),
    at_smtp("Exchange", "sending is off for the mailbox", MS_OUT,
            "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Mailbox. Visit "
            "https://aka.ms/smtp_auth_disabled for more information.", "as its administrator", token=True),
    at_smtp("Exchange", "security defaults", MS_OUT,
            "535 5.7.139 Authentication unsuccessful, user is locked by your organization's security defaults policy. "
            "Contact your administrator.", "security defaults"),
    at_smtp("Exchange", "a conditional access policy", MS_OUT,
            "535 5.7.139 Authentication unsuccessful, the request did not meet the criteria to be authenticated "
            f"successfully. Contact your administrator. {ID}", "administrator"),
    at_imap("Exchange", "a token of another account", EXCHANGE_IN, "NO AUTHENTICATE failed.",
            rf"{LOGIN} anew, as the account that imap\.user names", token=True),
    Wrong("Exchange", "IMAP is off for the mailbox", "in", r"allow IMAP .* imap\.user is the account",
          {"capability": EXCHANGE_IN, "refusals": {"EXAMINE": "BAD User is authenticated but not connected."}},
          token=True, never=r"imap\.mailbox"),
    at_smtp("Exchange", "a token without the right to send", MS_OUT,
            f"535 5.7.3 Authentication unsuccessful {ID}", rf"{LOGIN} anew, as the account that smtp\.user names.*SMTP",
            token=True),
    at_smtp("Exchange", "no encryption before the login", MS_OUT, "504 5.7.4 Unrecognized authentication type",
            r"set smtp\.security", never=r"smtp\.password"),
    Wrong("Exchange", "no login", "out", r"it wants a login; set smtp\.user and smtp\.password",
          {"mail": f"530 5.7.57 Client not authenticated to send mail. {ID}"}, user=""),
    sending("Exchange", "another's address", r"may not send as wolf@.*set smtp\.from",
            rcpt={"*": "550 5.7.60 SMTP; Client does not have permissions to send as this sender"}),
    sending("Exchange", "another's address, told late", r"may not send as wolf@.*set smtp\.from",
            data={"*": "554 5.2.252 SendAsDenied; me@contoso.example not allowed to send as wolf@contest.example; "
                       "STOREDRV.Submission.Exception:SendAsDeniedException.MapiExceptionSendAsDenied"}),
    sending("Outlook.com", "a mailbox that was stopped", "unblock it there",
            rcpt={"*": "550 5.1.8 Access denied, bad outbound sender AS(42003)"}),
    sending("Exchange", "too many a day", "the server's limits", later=True,
            data={"*": "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Failed to process "
                       "message due to a permanent exception with message The message can't be submitted"}),
    sending("Exchange", "too many connections", "the server's limits", later=True,
            mail="432 4.3.2 Concurrent connections limit exceeded. Visit https://aka.ms/concurrent_sending"),
    # Gmail
    at_imap("Gmail", "the account's own password", GMAIL_IN,
            "NO [ALERT] Application-specific password required: https://support.google.com/accounts/answer/185833 "
            "(Failure)", rf"make an app password .* imap\.password to it, or {OAUTH}"),
    at_imap("Gmail", "a wrong password", GMAIL_IN, "NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)",
            rf"imap\.user and imap\.password; if they are right, it takes OAuth.*app password.*{OAUTH}"),
    at_imap("Gmail", "IMAP is off", GMAIL_IN,
            "NO [ALERT] Your account is not enabled for IMAP use. Please visit your Gmail settings page and enable "
            "your account for IMAP access. (Failure)", "allow IMAP in the mailbox's own settings",
            never=r"imap\.password"),
    at_imap("Gmail", "a place that it doesn't know", GMAIL_IN,
            "NO [ALERT] Please log in via your web browser: https://support.google.com/mail/accounts/answer/78754 "
            "(Failure)", "in a web browser once"),
    at_imap("Gmail", "a token that was withdrawn", GMAIL_IN, "NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)",
            LOGIN, token=True, never=r"imap\.password"),
    Wrong("Gmail", "a label in another language", "in", r"the server has '\[Gmail\]/Alle Nachrichten'.*imap\.mailbox",
          {"capability": GMAIL_IN,
           "refusals": {"EXAMINE": "NO [NONEXISTENT] Unknown Mailbox: Alle Nachrichten (Failure)"},
           "folders": ('(\\HasNoChildren \\All) "/" "[Gmail]/Alle Nachrichten"',)}, mailbox="Alle Nachrichten"),
    at_imap("Gmail", "too many programs at once", GMAIL_IN, "NO [ALERT] Too many simultaneous connections. (Failure)",
            "next run tries again", later=True),
    at_smtp("Gmail", "the account's own password", GMAIL_OUT,
            "534-5.7.9 Application-specific password required. For more information, go to\r\n534 5.7.9 "
            "https://support.google.com/mail/?p=InvalidSecondFactor - gsmtp", rf"make an app password .*{OAUTH}"),
    at_smtp("Gmail", "a wrong password", GMAIL_OUT,
            "535-5.7.8 Username and Password not accepted. For more information, go to\r\n535 5.7.8 "
            "https://support.google.com/mail/?p=BadCredentials - gsmtp",
            rf"smtp\.user and smtp\.password; if.*app password.*{OAUTH}"),
    at_smtp("Gmail", "a place that it doesn't know", GMAIL_OUT,
            "534-5.7.14 <https://accounts.google.com/signin/continue> Please log in via\r\n534 5.7.14 your web browser "
            "and then try again.", "in a web browser once"),
    Wrong("Gmail", "no encryption", "out", r'set smtp\.security = "starttls"',
          {"mail": "530 5.7.0 Must issue a STARTTLS command first. - gsmtp"}, user=""),
    Wrong("Gmail", "no login", "out", r"it wants a login; set smtp\.user and smtp\.password",
          {"mail": "530-5.7.0 Authentication Required. For more information, go to\r\n530 5.7.0 "
                   "https://support.google.com/accounts/troubleshooter/2402620. - gsmtp"}, user=""),
    sending("Gmail", "too many a day", "the server's limits", later=True,
            data={"*": "550 5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits go "
                       "to https://support.google.com/a/answer/166852 - gsmtp"}),
    sending("Gmail", "too many at once", "the server's limits", later=True,
            data={"*": "421 4.7.28 Our system has detected an unusual rate of unsolicited mail"}),
    # Yahoo and AOL
    at_imap("Yahoo", "the account's own password", YAHOO_IN, "NO [AUTHENTICATIONFAILED] LOGIN Invalid credentials",
            rf"make an app password .*{OAUTH}"),
    at_smtp("Yahoo", "wrong again and again", PLAIN_OUT, "535 5.7.0 (#AUTH005) Too many bad auth attempts.",
            r"wait an hour .* smtp\.password to an app password"),
    sending("Yahoo", "another's address", r"may not send as wolf@.*set smtp\.from",
            mail="553 5.7.1 From address not verified - see https://help.yahoo.com/kb/SLN3523.html"),
    sending("Yahoo", "a bad reputation", "the server's limits", later=True,
            mail="421 4.7.0 [TSS04] Messages from 192.0.2.1 temporarily deferred due to unexpected volume"),
    # Fastmail
    at_imap("Fastmail", "the account's own password", FASTMAIL_IN, "NO Incorrect username or password.",
            r"make an app password .* set imap\.password"),
    at_smtp("Fastmail", "the account's own password", PLAIN_OUT, "535 5.7.8 Incorrect username or password",
            r"make an app password .* set smtp\.password"),
    sending("Fastmail", "another's address", r"may not send as wolf@.*set smtp\.from",
            data={"*": "551 5.7.1 Not authorised to send from this header address"}),
    # A server of one's own: Dovecot, Courier, Cyrus
    at_imap("own server", "a wrong password", DOVECOT_IN, "NO [AUTHENTICATIONFAILED] Authentication failed.",
            r"set imap\.user and imap\.password$"),
    at_imap("own server", "a user without its domain", DOVECOT_IN, "NO [AUTHENTICATIONFAILED] Authentication failed.",
            r"set imap\.user \(often the whole address\) and imap\.password$", user="wolf"),
    at_imap("own server", "no encryption", "IMAP4rev1 STARTTLS LOGINDISABLED",
            "NO [PRIVACYREQUIRED] Plaintext authentication disallowed on non-secure (SSL/TLS) connections.",
            r"set imap\.security$", never=r"imap\.password"),
    at_imap("own server", "tokens alone", "IMAP4rev1 AUTH=OAUTHBEARER AUTH=XOAUTH2 LOGINDISABLED", "", OAUTH,
            never=r"imap\.security"),
    at_imap("own server", "no tokens", DOVECOT_IN, "", r"set imap\.password, for it takes no OAuth", token=True),
    at_imap("own server", "an account that ran out", DOVECOT_IN, "NO [EXPIRED] Password expired.", "it has run out"),
    at_imap("own server", "an account that is closed", DOVECOT_IN, "NO [CONTACTADMIN] Account is disabled.",
            "ask whoever runs that server"),
    at_imap("own server", "a server out of order", DOVECOT_IN, "NO [UNAVAILABLE] Temporary authentication failure.",
            "next run tries again", later=True),
    Wrong("own server", "a folder below INBOX", "in", r"the server has 'INBOX\.wolf'.*imap\.mailbox",
          {"capability": DOVECOT_IN, "refusals": {"EXAMINE": "NO Mailbox doesn't exist: wolf"},
           "folders": ('(\\HasNoChildren) "." INBOX.wolf',)}, mailbox="wolf"),
    Wrong("own server", "STARTTLS where there is none", "out", r"Set smtp\.security and smtp\.user to what it offers",
          {}, security="starttls"),
    # Postfix and Exim
    at_smtp("own server", "a wrong password, out", PLAIN_OUT, "535 5.7.8 Error: authentication failed: UGFzc3dvcmQ6",
            r"set smtp\.user and smtp\.password$"),
    at_smtp("own server", "a login server out of order", PLAIN_OUT,
            "454 4.7.0 Temporary authentication failure: Connection lost to authentication server",
            "next run tries again", later=True),
    sending("own server", "no login, for good", r"it wants a login; set smtp\.user and smtp\.password", user="",
            rcpt={"*": "554 5.7.1 <bex@p.example>: Relay access denied"}),
    sending("own server", "no login, for now", r"it wants a login; set smtp\.user and smtp\.password", user="",
            rcpt={"*": "454 4.7.1 <bex@p.example>: Relay access denied"}),
    sending("own server", "a login that brings nothing", r"set smtp\.port and smtp\.security as for who logs in",
            rcpt={"*": "550 relay not permitted"}),
    sending("own server", "another's address", r"may not send as wolf@.*set smtp\.from",
            rcpt={"*": "553 5.7.1 <wolf@contest.example>: Sender address rejected: not owned by user me@own.example"}),
    sending("own server", "a name that the DNS doesn't give now", "a passing trouble", user="", later=True,
            rcpt={"*": "450 4.7.25 Client host rejected: cannot find your hostname, [192.0.2.1]"}),
    sending("own server", "no name in the DNS, for good", r"by its address or name; set smtp\.host", user="",
            rcpt={"*": "550 5.7.25 Client host rejected: cannot find your reverse hostname, [192.0.2.1]"}),
    sending("own server", "an address on a list", r"by its address or name; set smtp\.host", user="",
            rcpt={"*": "554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org"}),
    sending("own server", "a domain that proves nothing", r"what nomicwolf check says of the domain", user="",
            data={"*": "550 5.7.26 Unauthenticated email from contest.example is not accepted due to domain's DMARC"}),
    sending("own server", "a sender that there isn't", r"contest\.example may not send; set smtp\.from", user="",
            rcpt={"*": "550 5.1.8 <wolf@contest.example>: Sender address rejected: Domain not found"}),
)


def said_in(wrong: Wrong) -> PostError:
    """Return what opening the mailbox ends with."""
    with imap_server(ImapScript(**wrong.script)) as port:
        account = ImapAccount("127.0.0.1", wrong.user, "" if wrong.token else "secret", port, wrong.security,
                              wrong.mailbox, 5, bearer=Bearer("token") if wrong.token else None)
        with pytest.raises(PostError) as caught, closing(ImapSource(account, 100_000)) as source:
            list(source.fetch(None, lambda _: set()))
    return caught.value


def wire_of(wrong: Wrong, port: int) -> Wire:
    """Return how the server for letters out is reached."""
    return Wire("127.0.0.1", WOLF, wrong.user, "" if wrong.token else "secret", port, wrong.security, 5, 1,
                bearer=Bearer("token") if wrong.token else None)


def said_out(wrong: Wrong) -> PostError:
    """Return what connecting, as `check` does, ends with."""
    with smtp_server(SmtpScript(**wrong.script)) as port, pytest.raises(PostError) as caught:
        greet(wire_of(wrong, port))
    return caught.value


def said_sending(wrong: Wrong) -> PostError:
    """Return what sending a letter ends with; of one that is put off, what is told of its class."""
    fates: list[tuple[Fate, str]] = []
    with smtp_server(SmtpScript(**wrong.script)) as port:
        try:
            send([Job("1", "bex@p.example", b"Subject: x\r\n\r\nx\r\n")], wire_of(wrong, port), lambda _: None,
                 lambda _, fate, why: fates.append((fate, why)))
        except PostError as error:
            return error
    ((fate, why),) = fates
    assert fate == "later", why
    pause = class_of(why)
    return Away(pause.name if pause else why)


WAYS: dict[str, Callable[[Wrong], PostError]] = {"in": said_in, "out": said_out, "send": said_sending}


def test_there_are_enough() -> None:
    """Of each provider, and no two alike."""
    assert len(CASES) >= 40
    assert {case.provider for case in CASES} == {
        "Outlook.com", "Exchange", "Gmail", "Yahoo", "Fastmail", "own server"}
    assert len({(case.provider, case.what, case.way) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("wrong", CASES, ids=lambda case: f"{case.provider}, {case.way}: {case.what}")
def test_a_wrong_setting(wrong: Wrong) -> None:
    """What is said names the thing to change, and nothing that is right; what passes by itself is no fault."""
    error = WAYS[wrong.way](wrong)

    said = str(error)
    assert re.search(wrong.advice, said), said
    assert not (wrong.never and re.search(wrong.never, said)), said
    assert isinstance(error, Away if wrong.later else Denied), said
    assert "secret" not in said


@pytest.mark.parametrize(("greeting", "at", "security", "advice"), [
    ("220 mail.example ESMTP", "imap", "none", r"no IMAP server answers there; look at imap\.host, imap\.port"),
    ("* OK IMAP4 ready", "smtp", "none", r"smtp\.host, smtp\.port"),
    ("* OK IMAP4 ready", "imap", "tls", r"doesn't speak TLS at that port; set imap\.security and imap\.port"),
    ("220 mail.example ESMTP", "smtp", "tls", r"doesn't speak TLS at that port; set smtp\.security and smtp\.port"),
    ("", "imap", "none", r"hangs up before a word; .* look at imap\.port and imap\.security"),
])
def test_the_wrong_port(greeting: str, at: str, security: Security, advice: str) -> None:
    """IMAP at a server for letters out, and the reverse; TLS where there is none, and none where there is TLS."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        def answer() -> None:
            line, _ = listening.accept()
            with line:
                line.settimeout(1)
                try:
                    line.sendall(f"{greeting}\r\n".encode() if greeting else b"")
                    line.recv(1000)
                except OSError:
                    return

        thread = threading.Thread(target=answer)
        thread.start()
        port = listening.getsockname()[1]
        with pytest.raises(PostError, match=advice):
            (said_at_imap if at == "imap" else said_at_smtp)(port, security)
        thread.join()


def said_at_imap(port: int, security: Security) -> None:
    """Open a mailbox."""
    with closing(ImapSource(ImapAccount("127.0.0.1", "w", "x", port, security, timeout=2), 1000)) as source:
        list(source.fetch(None, lambda _: set()))


def said_at_smtp(port: int, security: Security) -> None:
    """Connect, and name the sender."""
    greet(Wire("127.0.0.1", WOLF, port=port, security=security, timeout=2))
