"""What words a sentence has: whether it speaks of voting, has a condition, or is a heading such as "Plan:"."""

from __future__ import annotations

from nomicwolf.reading.everyday import CONSIDERED, VOTING_WORDS
from nomicwolf.reading.telling import without


def begins_condition(text: str) -> bool:
    """Whether a condition stands somewhere in *text*."""
    words = text.casefold().replace(",", " ").split()
    return any(word in {"if", "unless", "otherwise", "else", "provided", "when"} for word in words)


def about_votes(text: str) -> bool:
    """Whether *text* speaks of voting."""
    if without(text, VOTING_WORDS):
        return False
    words = {word.strip(".,;:!?()[]*_#\"'") for word in text.casefold().split()}
    return bool(words & VOTING_WORDS)


def is_heading(text: str) -> bool:
    """Whether *text* is a heading such as "Plan:", under which nothing is done."""
    return text.rstrip().endswith(":") and bool(words_in(text) & CONSIDERED)


def words_in(text: str) -> set[str]:
    """The words of *text*, casefolded, without the marks around them."""
    return {word.strip(".,;:!?()*_-") for word in text.casefold().split()}
