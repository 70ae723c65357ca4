"""How mail programs quote: what each puts above the letter that it answers, before its lines, and around it."""

from __future__ import annotations

from pathlib import Path

import yaml

HERE = Path(__file__).parent
WHO = "Bex Example <bex@players.example>"
ANNOUNCED: dict[str, str] = {
    name: shape.replace("{who}", WHO)
    for name, shape in yaml.load((HERE / "mailers.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader).items()
}
"""By the program's name."""
IN_HTML: dict[str, str] = yaml.load((HERE / "mailers-html.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)


def quoting(mailer: str, *parts: str, own: str = "") -> str:
    """Return how *mailer* quotes the *parts* of a text, with the words *own* of its user's between two of them."""
    before, _, after = ANNOUNCED[mailer].partition("{text}")
    mark = before.rpartition("\n")[2]
    quoted = [[f"{mark}{line}" for line in part.split("\n")] for part in parts]
    return before.removesuffix(mark) + f"\n\n{own}\n\n".join("\n".join(part) for part in quoted) + after


def in_html(mailer: str, theirs: str, *, above: str = "", below: str = "") -> str:
    """Return *theirs* as *mailer* quotes it in HTML, with what its user writes above and below."""
    shape = IN_HTML[mailer]
    for name, text in (("above", above), ("below", below), ("text", theirs)):
        shape = shape.replace(f"{{{name}}}", _divs(text))
    return f"<html><body>{shape}</body></html>"


def _divs(text: str) -> str:
    lines = [line.replace("  ", "&nbsp; ").replace("<", "&lt;") or "<br>" for line in text.split("\n")]
    return "".join(f"<div>{line}</div>" for line in lines) if text else ""
