"""Each nomic's law by year, as data.

It covers time, joining and awards; nothing of it is code.

Sources: Agora's R1728 (dependent actions), R2124 (objectors), R2136 and R2233 (contests), R1023 ("as soon as
possible") as quoted in CFJ 2296, 2330, 2424, 2451 and 2670; B's 4E14 (ndays), 4E16 (Trophies) and 4E21 (without
objection).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal, TypeVar

DAY = 86_400
HOUR = 3_600


@dataclass(frozen=True, slots=True)
class Window:
    """When an announced action may happen.

    In ``days`` it is done by a second announcement, from *earliest* to *latest* days after the first; in ``ndays``
    the days on which the nomic's clock is on are counted, from the end of the announcement's own. *by_itself*: it
    happens at *earliest*, with no second announcement. *cooling* is how many hours an objection still stops it after
    it has been withdrawn.
    """

    earliest: int
    latest: int
    unit: Literal["days", "ndays"] = "days"
    by_itself: bool = False
    cooling: int = 0


@dataclass(frozen=True, slots=True)
class Profile:
    """One nomic's law: *title* in prose, *tags* that its lists put into subjects, *joins* when joining takes effect.

    *soon* is "as soon as possible" in days; *awards* is ``points`` or ``trophies``; P is *factor* times the
    parties that have every one of *counted*, or a number to be entered where *factor* is 0; *formula* says it in words.
    """

    name: str
    title: str
    tags: tuple[str, ...]
    window: Window
    joins: Literal["published", "at once"] = "published"
    soon: int = 7
    awards: Literal["points", "trophies"] = "points"
    factor: int = 0
    counted: tuple[str, ...] = ("player",)
    formula: str = ""


T = TypeVar("T", Window, Profile)
_AGORA_TAGS = ("BUS:", "OFF:", "DIS:", "BAK:")
_FIVE = "5 times the number of the contest's parties that are active first-class players (R2136, CFJ 2296)"
_FOUR_TO_FOURTEEN = Window(4, 14)
_ELIGIBLE = ("player", "first-class", "active")
PROFILES: Mapping[str, Profile] = {
    p.name: p for p in (
        Profile("agora-2007", "Agora", _AGORA_TAGS, _FOUR_TO_FOURTEEN, factor=5, counted=("player", "first-class"),
                formula="5 times the number of first-class players in the bases of its members"),
        Profile("agora-2008", "Agora", _AGORA_TAGS, _FOUR_TO_FOURTEEN, factor=5, counted=_ELIGIBLE, formula=_FIVE),
        Profile("agora-2009", "Agora", _AGORA_TAGS, _FOUR_TO_FOURTEEN, factor=5, counted=_ELIGIBLE, formula=_FIVE),
        Profile("agora-2009-06", "Agora", _AGORA_TAGS, Window(4, 14, cooling=24), counted=_ELIGIBLE,
                formula="the contest's threshold index, as entered (R2233, CFJ 2686: for each axis, and over the "
                        "contest's whole life)"),
        Profile("b-2008", "B Nomic", ("[s-b]", "[s-d]", "[s-n]"), Window(2, 4, "ndays", by_itself=True), "at once",
                awards="trophies"),
        Profile("b-2009", "B Nomic", ("[s-b]", "[s-d]", "[s-n]"), Window(2, 4, "ndays", by_itself=True), "at once",
                awards="trophies"),
    )
}


def profile(name: str) -> Profile:
    """Return the profile called *name*; ValueError says which there are."""
    if name not in PROFILES:
        raise ValueError(f"There is no profile {name!r}; there are {', '.join(PROFILES)}, or write one of your own.")
    return PROFILES[name]


def profile_of(data: Mapping[str, object]) -> Profile:
    """Return the profile that *data* tells, as it stands in a TOML file: ``base`` names the one that it changes.

    Unknown keys, and values of another kind than the base's, are a ValueError that names them.
    """
    given = dict(data)
    base = profile(str(given.pop("base", "agora-2009")))
    window = _changed(base.window, _table(given.pop("window", {})))
    return _changed(base, {"window": window, **given})


def _table(value: object) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise ValueError("A profile's window is a table: [window] with earliest, latest, unit, by_itself, cooling.")  # noqa: TRY004 - the file's value is wrong, not a caller's type
    return {str(k): v for k, v in value.items()}


def _changed(base: T, given: Mapping[str, object]) -> T:
    """Return *base* with the fields that are *given*; ValueError for an unknown one, or a value of another kind."""
    known = {f.name: getattr(base, f.name) for f in fields(base)}
    for key, value in given.items():
        if key not in known:
            raise ValueError(f"A profile has no {key!r}; it has {', '.join(known)}.")
        good = tuple(value) if isinstance(value, list) else value
        if type(good) is not type(known[key]):
            raise ValueError(f"{key} in a profile is like {known[key]!r}; not {value!r}.")
        known[key] = good
    return type(base)(**known)
