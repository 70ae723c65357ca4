"""Servers that misbehave as they are told: IMAP and SMTP on loopback, a thread for each connection."""

from __future__ import annotations

import re
import socketserver
import sys
import threading
import time
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from tests.servers.here import PATIENCE

STAND_IN = (b"From: System Administrator <root@localhost>\r\nSubject: message unavailable\r\n\r\n"
            b"This message is no longer available on the server.\r\n")  # courier-imap 5.0.13


@dataclass
class ImapScript:
    """A mailbox and its manners: *letters* by UID, *dates* (UTC seconds), what is cut, hung, refused, asked.

    Letters that are *withheld* are found, but not given; *expunged* ones are gone when they are asked for; for
    those that are *unavailable* Courier's stand-in is given, and where it was another client who took them away
    (*taken*), NOOP shows that they are gone. *beginnings* tells what becomes of a question for the first bytes of
    letters: they are given, or whole letters are, or nothing but the other facts, or the command is refused; or the
    facts come in another order. Of a part at most *most* bytes are given, of the *empty* letters none; *status* is
    said in place of STATUS's answer, and *listed* (lines) in place of SEARCH's to a range that begins behind the
    first letter, *listed_all* in place of the others. A server that speaks *low* says all but letters and tags in
    lower case, and nothing behind OK. Where numbers are not *sticky*, each look has another validity. LIST is answered
    by *folders*, as they stand behind the word, GETQUOTAROOT by *quotas* likewise, or refused. The *refusals* are said
    to commands that begin so. What AUTHENTICATE brought is *authenticated*, what LOGIN brought *logged_in*; the next of
    *token_answers* is said to each login by a token, a no behind a challenge as Google has it. The *challenges* are
    said in a login by SCRAM.
    """

    letters: dict[int, bytes] = field(default_factory=dict)
    dates: dict[int, int] = field(default_factory=dict)
    validity: int = 7
    uidnext: int = 0
    withheld: frozenset[int] = frozenset()
    expunged: frozenset[int] = frozenset()
    unavailable: frozenset[int] = frozenset()
    taken: bool = True
    greeting: str = "OK [CAPABILITY IMAP4rev1] scripted"
    refuse_login: str = ""
    folders: tuple[str, ...] = ()
    quotas: tuple[str, ...] | None = None
    refusals: dict[str, str] = field(default_factory=dict)
    most: int = 1 << 30
    low: bool = False
    sticky: bool = True
    capability: str = "IMAP4rev1"
    authenticated: bytes = b""
    logged_in: str = ""
    token_answers: list[str] = field(default_factory=list)
    challenges: list[str] = field(default_factory=list)
    empty: frozenset[int] = frozenset()
    status: tuple[str, str] | None = None
    listed: tuple[str, ...] | None = None
    listed_all: tuple[str, ...] | None = None
    cut_in: str = ""
    hang_in: str = ""
    beginnings: Literal["given", "whole", "ignored", "refused", "turned"] = "given"
    asked: list[str] = field(default_factory=list)
    gone: threading.Event = field(default_factory=threading.Event)
    hung: threading.Event = field(default_factory=threading.Event)

    def next(self) -> int:
        """Return UIDNEXT."""
        return self.uidnext or max(self.letters, default=0) + 1


def _date(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%d-%b-%Y %H:%M:%S +0000")


class _Imap(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True
    script: ImapScript

    def say(self, line: bytes) -> None:
        self.write(line + b"\r\n")

    def write(self, said: bytes) -> None:
        if not self.script.low:
            self.wfile.write(said)
        elif said.startswith((b"* ", b"+")):
            facts, brace, letter = said.partition(b"{")
            self.wfile.write(facts.lower() + brace + letter)
        else:
            tag, word, _ = said.split(b" ", 2)
            self.wfile.write(tag + b" " + word.lower() + b"\r\n")

    def handle(self) -> None:
        other = not self.script.greeting.startswith(("OK", "NO", "BYE", "PREAUTH"))
        self.say(("" if other else "* ").encode() + self.script.greeting.encode())
        if self.script.greeting.startswith("BYE"):
            return
        for line in self.rfile:
            tag, _, command = line.decode().strip().partition(" ")
            if command.startswith("LOGIN "):
                self.script.logged_in = command.removeprefix("LOGIN ")
            self.script.asked.append(re.sub(r"LOGIN .*", "LOGIN", command))
            if self.script.hang_in and self.script.hang_in in command:
                self.script.hung.set()
                self.script.gone.wait(PATIENCE)
                return
            if self.script.cut_in and self.script.cut_in in command:
                self.wfile.write(b"* 1 FETCH (UID 1 BODY[] {500}\r\nhalf a let")
                return
            if not self.obey(tag.encode(), command):
                return

    def obey(self, tag: bytes, command: str) -> bool:
        script, said = self.script, b"OK done"
        refusal = next((answer for start, answer in script.refusals.items() if command.startswith(start)), "")
        if refusal:
            said = refusal.encode()
        elif command.startswith("LOGIN") and script.refuse_login:
            said = script.refuse_login.encode()
            if not script.refuse_login.startswith(("NO", "BAD")):  # an answer out of step, before the right one
                self.say(said)
                said = b"OK welcome"
        elif command.startswith("AUTHENTICATE PLAIN"):
            self.say(b"+ ")
            script.asked[-1] = "AUTHENTICATE"
            script.authenticated = b64decode(self.rfile.readline())
        elif re.match("AUTHENTICATE (XOAUTH2|OAUTHBEARER)", command):
            self.say(b"+ ")
            script.authenticated = b64decode(self.rfile.readline())
            said = (script.token_answers.pop(0) if script.token_answers else "OK done").encode()
            if not said.startswith(b"OK"):
                self.say(b"+ " + b64encode(b'{"status":"400","schemes":"Bearer","scope":"https://mail.google.com/"}'))
                script.asked.append(f"nod {b64decode(self.rfile.readline())!r}")
        elif command.startswith("AUTHENTICATE SCRAM"):
            for challenge in ("+ ", *script.challenges):
                self.say(challenge.encode())
                if self.rfile.readline().strip() in {b"", b"*"}:
                    break
        elif command.startswith("CAPABILITY"):
            self.say(b"* CAPABILITY " + script.capability.encode())
        elif command.startswith("STATUS") and script.status is not None:
            line, ending = script.status
            if line:
                self.say(line.encode())
            said = ending.encode()
        elif command.startswith("STATUS"):
            self.say(b'* STATUS "INBOX" (UIDVALIDITY %d UIDNEXT %d)' % (script.validity, script.next()))
        elif command.startswith("LIST"):
            for folder in script.folders:
                self.say(b"* LIST " + folder.encode())
        elif command.startswith("GETQUOTAROOT"):
            self.say(b'* QUOTAROOT "INBOX" "User quota"')
            for quota in script.quotas or ():
                self.say(b"* QUOTA " + quota.encode())
            said = b"NO not for you (STORAGE 9 10)" if script.quotas is None else said
        elif command.startswith("EXAMINE"):
            self.say(b"* %d EXISTS" % len(script.letters))
            if not script.sticky:
                script.validity += 1
                self.say(b"* NO [UIDNOTSTICKY] Non-persistent UIDs")
            self.say(b"* OK [UIDVALIDITY %d] v" % script.validity)
            self.say(b"* OK [UIDNEXT %d] n" % script.next())
        elif (found := re.match(r"UID SEARCH UID (\d+):\*", command)) and (
                listed := script.listed_all if found[1] == "1" else script.listed) is not None:
            for line in listed:
                self.say(line.encode())
        elif found:
            there = {*script.letters, *script.expunged}
            uids = [uid for uid in there if uid >= int(found[1])] or [max(there, default=0)]
            self.say(b"* SEARCH " + b" ".join(b"%d" % uid for uid in sorted(uids, reverse=True) if uid))
        elif found := re.match(r"UID SEARCH (\d+):(\d+|\*) UID (\d+):\*", command):
            part = sorted(script.letters)[int(found[1]) - 1:None if found[2] == "*" else int(found[2])]
            self.say(b"* SEARCH " + b" ".join(b"%d" % uid for uid in part if uid >= int(found[3])))
        elif found := re.match(r"UID SEARCH UID (\d+)$", command):
            self.say(b"* SEARCH" + (b" " + found[1].encode() if int(found[1]) in script.letters else b""))
        elif "<0." in command and script.beginnings == "refused":
            said = b"BAD what parts?"
        elif found := re.match(r"UID FETCH ([\d,:]+) \((.*)\)", command):
            self.fetch([uid for part in found[1].split(",") for uid in _range(part)], found[2])
        elif command.startswith("NOOP") and script.taken:
            for uid in script.unavailable & script.letters.keys():
                del script.letters[uid]
                self.say(b"* 1 EXPUNGE")
        elif command.startswith("LOGOUT"):
            self.say(b"* BYE")
        self.say(tag + b" " + said)
        return not command.startswith("LOGOUT")

    def fetch(self, uids: list[int], parts: str) -> None:
        self.say(b"* 1 FETCH (FLAGS (\\Seen))")  # servers may tell of flags at any time
        for uid in uids:
            data = b"" if uid in self.script.empty else self.script.letters.get(uid)
            if data is None or uid in self.script.withheld:
                continue
            if uid in self.script.unavailable:
                data = STAND_IN
            if "RFC822.SIZE" in parts:
                date = _date(self.script.dates.get(uid, 1_800_000_000 + uid)).encode()
                size = len(STAND_IN if data is STAND_IN else self.script.letters[uid])
                facts = b'RFC822.SIZE %d INTERNALDATE "%s"' % (size, date)
                self.write(b"* 1 FETCH (UID %d %s)\r\n" % (uid, self.beginning(facts, data, parts)))
            else:
                name, body = (b"BODY[HEADER]", data.partition(b"\r\n\r\n")[0] + b"\r\n\r\n") if "HEADER" in parts else (
                    b"BODY[]", data)
                self.write(b"* 1 FETCH (UID %d %s {%d}\r\n%s)\r\n" % (uid, name, len(body), body))
            self.say(b"* 1 FETCH (UID %d FLAGS (\\Seen))" % uid)  # one letter's facts may come in several answers

    def beginning(self, facts: bytes, data: bytes, parts: str) -> bytes:
        most = re.search(r"BODY\.PEEK\[\]<0\.(\d+)>", parts)
        if most is None or self.script.beginnings == "ignored":
            return facts
        first, origin = (data, b"") if self.script.beginnings == "whole" else (
            data[:min(int(most[1]), self.script.most)], b"<0>")
        body = b"BODY[]%s {%d}\r\n%s" % (origin, len(first), first)
        return body + b" " + facts if self.script.beginnings == "turned" else facts + b" " + body


def _range(part: str) -> range:
    first, _, last = part.partition(":")
    return range(int(first), int(last or first) + 1)


def _set(event: threading.Event) -> threading.Event:
    event.set()
    return event


@dataclass
class SmtpScript:
    """A server's manners, by recipient or for all (``*``): the reply to RCPT, the reply to the end of DATA.

    *mail*, if any, is the reply to every MAIL, *mail_utf8* to those that name SMTPUTF8, and *mail_after* (how many are
    taken first, over all connections, and the reply) to those that follow; soon after the first of these *at_refusal*
    is set. *begin* holds replies to DATA itself other than 354; a *strict* server refuses a MAIL before the last one's
    letter has come or RSET was said.
    *hello* holds what is said to EHLO and HELO, if not the usual. With *utf8* it offers SMTPUTF8 (RFC 6531), and
    *mails* are the words of each MAIL. A *greeting* that is none of 2yz is all that is said.
    A reply of ``drop`` closes the connection without a word; *most* is how many letters one connection may bring.
    What AUTH is answered is *auth*, or the next of *token_answers* if by a token, behind a challenge; it *offers* it.
    While *go* isn't set, letters that are whole wait for their reply; every reply takes *latency* (seconds).
    """

    rcpt: dict[str, str] = field(default_factory=dict)
    data: dict[str, str] = field(default_factory=dict)
    auth: str = ""
    offers: str = "PLAIN"
    token_answers: list[str] = field(default_factory=list)
    greeting: str = "220 scripted"
    mail: str = ""
    mail_after: tuple[int, str] | None = None
    mail_utf8: str = ""
    at_refusal: threading.Event | None = None
    begin: dict[str, str] = field(default_factory=dict)
    strict: bool = False
    utf8: bool = False
    hello: dict[str, str] = field(default_factory=dict)
    mails: list[str] = field(default_factory=list)
    most: int = 1000
    taken: list[tuple[str, bytes]] = field(default_factory=list)
    connections: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    latency: float = 0.0
    go: threading.Event = field(default_factory=lambda: _set(threading.Event()))
    whole: threading.Event = field(default_factory=threading.Event)


class _Smtp(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True
    script: SmtpScript

    def say(self, line: str) -> None:
        if self.script.latency:
            time.sleep(self.script.latency)
        self.wfile.write(line.encode() + b"\r\n")

    def handle(self) -> None:
        with self.script.lock:
            self.script.connections += 1
        self.say(self.script.greeting)
        if not self.script.greeting.startswith("2"):
            return
        self.recipient, self.brought, self.open = "", 0, False
        for line in self.rfile:
            command = line.decode().strip()
            if not self.obey(command):
                return

    def obey(self, command: str) -> bool:
        verb = command[:4].upper()
        if verb in self.script.hello:
            if self.script.hello[verb] == "drop":
                return False
            self.say(self.script.hello[verb])
        elif verb == "EHLO":
            login = [f"AUTH {self.script.offers}"] if self.script.auth else []
            said = ["scripted", *login, *(["SMTPUTF8"] if self.script.utf8 else [])]
            self.say("\r\n".join([*(f"250-{each}" for each in said[:-1]), f"250 {said[-1]}"]))
        elif command.startswith("AUTH XOAUTH2"):
            answer = self.script.token_answers.pop(0) if self.script.token_answers else "235 2.7.0 Accepted"
            if answer.startswith("535-"):
                self.say("334 eyJzdGF0dXMiOiI0MDAifQ==")
                self.rfile.readline()
            self.say(answer)
        elif verb == "AUTH":
            self.say(self.script.auth)
        elif verb == "MAIL":
            with self.script.lock:
                self.script.mails.append(command)
                late = self.script.mail_after is not None and len(self.script.mails) > self.script.mail_after[0]
            if late and self.script.at_refusal:
                threading.Timer(0.3, self.script.at_refusal.set).start()
            after = self.script.mail_after[1] if late and self.script.mail_after else ""
            answer = after or (self.script.mail_utf8 if " SMTPUTF8" in command else "") or self.script.mail
            full = self.brought >= self.script.most
            nested, self.open = self.open and self.script.strict, True
            self.say("503 nested MAIL" if nested else
                     "452 too many for one connection" if full else answer or "250 ok")
        elif verb == "RCPT":
            self.recipient = command.partition("<")[2].rstrip(">")
            return self.reply(self.script.rcpt)
        elif verb == "DATA" and self.recipient in self.script.begin:
            self.say(self.script.begin[self.recipient])
        elif verb == "DATA":
            self.open = False
            return self.take()
        else:
            self.open = self.open and verb != "RSET"
            self.say("221 bye" if verb == "QUIT" else "250 ok")
        return verb != "QUIT"

    def take(self) -> bool:
        self.say("354 go on")
        lines: list[bytes] = []
        for line in self.rfile:
            if line == b".\r\n":
                break
            lines.append(line[1:] if line.startswith(b".") else line)
        else:
            return False  # cut off within the letter
        self.script.whole.set()
        self.script.go.wait(PATIENCE)
        if not self.script.data.get(self.recipient, "250").startswith(("4", "5")):
            with self.script.lock:
                self.script.taken.append((self.recipient, b"".join(lines)))
        self.brought += 1
        return self.reply(self.script.data)

    def reply(self, replies: dict[str, str]) -> bool:
        said = replies.get(self.recipient, replies.get("*", "250 ok"))
        if said == "drop":
            return False
        self.say(said)
        return True


@contextmanager
def _serving(handler: type[socketserver.StreamRequestHandler]) -> Iterator[int]:
    class Server(socketserver.ThreadingTCPServer):
        allow_reuse_address = True
        daemon_threads = True
        block_on_close = False

        def handle_error(self, request: object, client_address: object) -> None:
            if not isinstance(sys.exc_info()[1], ConnectionError):  # clients of these servers go as they like
                raise  # noqa: PLE0704 - called while the error is handled

    with Server(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join(PATIENCE)


@contextmanager
def imap_server(script: ImapScript) -> Iterator[int]:
    """Serve a script on a port of loopback."""
    with _serving(type("Imap", (_Imap,), {"script": script})) as port:
        yield port
    script.gone.set()


@contextmanager
def smtp_server(script: SmtpScript) -> Iterator[int]:
    """Serve a script on a port of loopback."""
    with _serving(type("Smtp", (_Smtp,), {"script": script})) as port:
        yield port
