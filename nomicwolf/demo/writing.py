"""How people write: the same sentence as a plain letter, below a quotation, as HTML, over a signature."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape

from nomicwolf.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Post:
    """What someone wants to send: *text* to the addresses *to*, in a *manner*, perhaps answering a letter.

    *manner* is ``plain``, ``top`` (own words over a quotation), ``below``, ``html`` or ``signed``; *quotes* is
    (Message-ID, author, text) of the letter that it answers.
    """

    to: tuple[str, ...]
    subject: str
    text: str
    manner: str = "plain"
    quotes: tuple[str, str, str] | None = None


def composed(post: Post, name: str, address: str, at: int, message_id: str) -> bytes:
    """Return the letter as *name* sends it from *address* at *at* (UTC seconds)."""
    body, kind = _body(post, name)
    head = [
        f"Date: {format_datetime(datetime.fromtimestamp(at, UTC))}", f"From: {name} <{address}>",
        f"To: {', '.join(post.to)}", f"Message-ID: {message_id}", f"Subject: {post.subject}", "MIME-Version: 1.0",
        f"Content-Type: {kind}; charset=utf-8", "Content-Transfer-Encoding: 8bit",
    ]
    if post.quotes:
        head[4:4] = [f"In-Reply-To: {post.quotes[0]}", f"References: {post.quotes[0]}"]
    return ("\r\n".join(head) + "\r\n\r\n" + body.replace("\n", "\r\n") + "\r\n").encode()


def _body(post: Post, name: str) -> tuple[str, str]:
    if post.manner == "html":
        lines = "".join(f"<p>{escape(line)}</p>" for line in post.text.splitlines() if line)
        return f"<html><body>{lines}<p>-- <br>Sent from my <b>telephone</b></p></body></html>", "text/html"
    parts = [post.text]
    if post.quotes:
        quoted = f"{post.quotes[1]} wrote:\n{_quoted(post.quotes[2].splitlines())}"
        parts = [quoted, post.text] if post.manner == "below" else [post.text, quoted]
    if post.manner == "signed":
        parts.append(f"-- \n{name}\n“I vote for peace.”")
    return "\n\n".join(parts), "text/plain"


def _quoted(lines: Sequence[str]) -> str:
    return "\n".join(f"> {line}".rstrip() for line in lines[:8])
