"""Paragraphs of format=flowed text, put together again (RFC 3676)."""

from __future__ import annotations


def unwrap(text: str, delsp: bool = False) -> str:
    """Join flowed lines of the same quote depth; quoted lines come out as ``>> text``, the rest unstuffed.

    A line of the author's own that begins with a stuffed ``>`` keeps its space: it reads as a quote, which is
    the careful choice. ``-- `` is never flowed.
    """
    out: list[str] = []
    pieces: list[str] = []
    open_depth = -1
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        content = _unstuffed(content)
        signature = content == "-- "
        if pieces and (depth != open_depth or signature):
            out.append(_shown(open_depth, "".join(pieces)))
            pieces = []
        open_depth = depth
        if content.endswith(" ") and not signature:
            pieces.append(content[:-1] if delsp else content)
            continue
        out.append(_shown(depth, "".join(pieces) + content))
        pieces = []
    if pieces:
        out.append(_shown(open_depth, "".join(pieces)))
    return "\n".join(out)


def _unstuffed(content: str) -> str:
    """*content* without its stuffed space, unless a quote mark would then begin it."""
    return content[1:] if content.startswith(" ") and not content[1:].lstrip().startswith(">") else content


def _shown(depth: int, content: str) -> str:
    """A paragraph with its quote marks in front."""
    return f"{'>' * depth} {content}".rstrip() if depth else content
