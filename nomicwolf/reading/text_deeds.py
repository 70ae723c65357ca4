"""Parsed rules to deeds that carry text.

Each rule of `grammar/written.lark` has its method here: verdicts, questions, and acts with words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from lark import Token, Transformer, v_args

from nomicwolf.reading.condition_transformer import always
from nomicwolf.reading.day_spans import is_span
from nomicwolf.reading.deeds import Act, BallotError
from nomicwolf.reading.law_checks import award_claimed, away, meant, singled, unconditional
from nomicwolf.reading.vocabulary import Fellows

OVER = ("over", "off", "none", "stop", "no", "end")
"""What ends what one has asked for."""
OUT, LISTED = ("off", "no", "none", "out", "over", "without me"), ("on", "yes", "in", "again", "with me")
"""What one says who is not to be in the statistics, or is again."""
DAILY = ("daily", "each day", "every day", "digest", "daily digest")
_BACK = "withdraw my objection to"

_DAYS = re.compile(r".*\d", re.DOTALL)
_COURTESY = re.compile(r"[,;.!—–-] *(?:(?:so|very|and) )*(?:sorry|apologies|thanks|thank you|thx|cheers)\b",
                       re.IGNORECASE)
"""What one says behind the `_DAYS` on which one is away."""


def _with_text(verb: str, fitted: Callable[[str], str] = str) -> Callable[..., Act]:
    """Return a rule that is the deed *verb*, with its text *fitted*."""
    return lambda _rules, *parts: Act(verb, words=fitted(_text(parts)))


@v_args(inline=True)
class WrittenRules(Transformer[Token, Any]):
    """Verdicts, questions to the contest, and deeds that carry text."""

    guilty = always(Act("guilty"))
    innocent = always(Act("innocent"))
    help = always(Act("help"))
    status = always(Act("status"))
    votes_asked = always(Act("votes"))
    history = always(Act("history"))
    resend = always(Act("resend"))

    def question(self, word: Token) -> Act:
        """Ask for one's ``role``, or ``who`` lives."""
        return Act("role" if "role" in word.casefold() else "who")

    def standby(self, word: Token, *parts: Token) -> Act:
        """``standby``, for whoever is to be replaced; ``standby: over``."""
        return Act("standby", words=_plain(parts, OVER, "" if "replac" in word or "for" in word else "over"))

    standby_over = always(Act("standby", words="over"))

    def observe(self, _word: Token, *parts: Token) -> Act:
        """``observe``, as letters go out; ``observe: daily``; ``observe: over``."""
        return Act("observe", words=_plain(parts, (*DAILY, *OVER), "daily, or over"))

    def digest(self, *parts: Token) -> Act:
        """``digest: daily``, all that isn't due today in one letter; ``digest: over``."""
        return Act("digest", words=_plain(parts, (*DAILY, *OVER), "daily, or over"))

    def timezone(self, *parts: Token) -> Act:
        """``timezone: Europe/Berlin``; ``timezone: UTC`` ends it."""
        return Act("timezone", words=_text(parts).rstrip(" .!"))

    def statistics(self, *parts: Token) -> Act:
        """``statistics: off``, not to be listed there; ``statistics: on``."""
        said = _text(parts).strip(" .!").casefold()
        if said not in (*OUT, *LISTED):
            raise BallotError("ambiguous", f"“{said}” says nothing here.", hint="write off, or on, there")
        return Act("statistics", words="off" if said in OUT else "on")

    unlisted = always(Act("statistics", words="off"))
    check = _with_text("check")  # to learn how it would be understood

    def say(self, _say: Token, group: Token, *parts: Token) -> Act:
        """``say pack: TEXT``."""
        return Act("say", words=f"{_group(group)}: {_text(parts)}", grouped=True)

    say_it = _with_text("say")  # to whomever one may speak to now

    def say_to(self, group: Token, *parts: Token) -> Act:
        """``to the pack: TEXT``."""
        return Act("say", words=f"{_group(group)}: {_text(parts)}", grouped=True)

    ask = _with_text("ask")  # the contestmaster
    intend = _with_text("intend")  # without member objection
    object = _with_text("object", unconditional)
    support = _with_text("support", partial(unconditional, verb="support"))
    withdraw = _with_text("withdraw", partial(unconditional, verb=_BACK))  # an objection, support or accusation
    withdraw_all = always(Act("withdraw", words="all"))
    claim = _with_text("claim", award_claimed)  # an error in an award (NC 5i)

    def resolve(self, *parts: Token) -> Act:
        """``resolve`` an intent that is ripe."""
        return Act("resolve", words=singled(meant(_text(parts), "I resolve intent 1.")))

    def act_for(self, _word: Token, name: str, *parts: Token) -> Act:
        """``act-for NAME: DEED`` (NC 1j)."""
        text = _text(parts)
        for opening in ("to cause em to ", "to make em ", "to "):
            text = text.removeprefix(opening)
        return Act("act-for", (name,), words=text.strip("'\" "))

    confirm = _with_text("confirm", lambda token: token.rstrip("."))
    alias = _with_text("alias")
    address = _with_text("address")
    holiday = _with_text("holiday", away)

    def away(self, *parts: Token) -> Act:
        """``I am away`` on days that are named; others are asked for."""
        words = _text(parts).lstrip(": ")
        days = _DAYS.match(words)
        courtesy = _COURTESY.search(words, days.end() if days else 0)
        words = words[:courtesy.start() if courtesy else len(words)].rstrip(" .!")
        if not is_span(words):
            raise BallotError("ambiguous", "From when to when are you away?", hint=(
                "write “holiday: 2026-12-20 to 2027-01-03”"))
        return Act("holiday", words=away(words))

    def back_on(self, *parts: Token) -> Act:
        """``I'll be back on`` a day: away until it begins."""
        away = self.away(*parts)
        return Act("holiday", words=f"back on {away.words.removeprefix('on ')}")


def _plain(parts: tuple[Token, ...], known: tuple[str, ...], hint: str) -> str:
    """Return ``daily`` or ``over`` for what one of the words *known* says; other words are asked about by *hint*."""
    text = _text(parts).strip(" .!:").casefold()
    if text in known:
        return "over" if text in OVER else "daily"
    if text and hint:
        raise BallotError("ambiguous", f"“{text}” says nothing here.", hint=f"write {hint} there, or nothing")
    return ""


def _text(parts: tuple[Token, ...]) -> str:
    """The free text among *parts*, single-spaced."""
    return next((" ".join(str(part.value).split()) for part in parts if part.type == "TEXT"), "")


_GROUPS = {
    "mason": "masons", "freemason": "masons", "lover": "lovers", "partner": "lovers", "spirit": "spirits",
    "dead": "spirits", "medium": "spirits", "polic": "policemen", "prophet": "prophets",
}


def _group(words: Token) -> str:
    """Whom a `say` is for: pack, masons, lovers, spirits, policemen, prophets, or a group of the session's own."""
    if isinstance(words.value, Fellows):
        return words.value.name
    folded = str(words).casefold()
    return next((group for start, group in _GROUPS.items() if start in folded), "pack")
