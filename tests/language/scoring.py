"""Score the new reader on sentences with verdicts (`tests/language/sets/README.md`)."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from nomicwolf.language.reader import read
from nomicwolf.reading.deeds import People
from nomicwolf.village.rulesets import ruleset

SETS = Path(__file__).with_name("sets")
TOWN = People(("Ash", "Bex", "Cam", "Dov", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jon"), others=("Murphy",), author="Ash")
SENT = 1_796_119_200
"""2026-12-01T10:00Z."""
ROLES = {"mafia": "mafioso", "wolf": "werewolf"}
"""What holders of a role call it, and its name."""


def rows(file: Path) -> list[dict[str, Any]]:
    """The rows of a set."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


def score(row: dict[str, Any]) -> tuple[str, list[str]]:
    """How a row was judged (right, asked, silent, needless, wrong), and the deeds that were read."""
    role = ROLES.get(row.get("role", ""), row.get("role", ""))
    known = ruleset(row.get("ruleset", "nomic-crossing")).roles
    open_verbs = frozenset(duty.verb for duty in known[role].duties) if role in known else None
    lines = [(number, line) for number, line in enumerate(row["text"].split("\n\n-- \n")[0].split("\n"), 1)
             if not line.startswith(">")]
    found = read(lines, TOWN, to=row["to"], instant=SENT, day_began=SENT - 5 * 3600, role=role, open_verbs=open_verbs)
    deeds = [("back" if each.says == "holiday: over" else each.verb, _canonical(each.says)) for each in found.deeds]
    wanted = [each.strip().replace("~away", "~holiday") for each in row["verdict"].split("|")]
    said = [says for _, says in deeds]
    if deeds:
        fits = any(each.startswith("=") and _same(deeds, each[1:]) for each in wanted)
        return ("asked" if found.problems else "right") if fits else "wrong", said
    if found.problems:
        meant = any(each.startswith("=") for each in wanted)
        return "right" if "?" in wanted else "asked" if meant else "needless", said
    return "right" if "-" in wanted else "silent", said


def plain(row: dict[str, Any]) -> bool:
    """Whether only a deed is right."""
    return all(each.strip().startswith("=") for each in row["verdict"].split("|"))


def _canonical(says: str) -> str:
    says = re.sub(r"^(guilty|innocent) \w+$", r"\1", " ".join(says.split()))
    return "no vote" if says in {"unvote", "vote nobody"} else says


def _last_vote(deeds: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """A retraction right before a vote is part of it."""
    while len(deeds) > 1 and deeds[0][1] == "no vote" and deeds[1][0] == "vote":
        deeds = deeds[1:]
    return deeds


def _same(deeds: list[tuple[str, str]], wanted: str) -> bool:
    parts = [part.strip() for part in wanted.split(";")]
    want = _last_vote([("~", part[1:]) if part.startswith("~") else (part.split()[0], _canonical(part))
                       for part in parts])
    got = _last_vote(deeds)
    return len(want) == len(got) and all(
        verb == says_wanted if kind == "~" else says == says_wanted
        for (kind, says_wanted), (verb, says) in zip(want, got, strict=True))


def main(files: list[str]) -> None:
    """Print what was wrong, and the figures, of each of *files*."""
    for file in files:
        judged = [(row, *score(row)) for row in rows(Path(file))]
        for row, how, said in judged:
            if how == "wrong":
                sys.stdout.write(f"wrong: {row['text']!r} {said}, wanted {row['verdict']}\n")
        only, total = Counter(how for row, how, _ in judged if plain(row)), Counter(how for _, how, _ in judged)
        shares = ", ".join(f"{name} {only[key] / only.total():.0%}" for name, key in (
            ("done", "right"), ("asked", "asked"), ("silent", "silent")))
        sys.stdout.write(f"{file}: {shares} of {only.total()}; wrong {total['wrong']} of {total.total()}, "
                         f"needless {total['needless']}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
