"""Score the new reader on sentences with verdicts (`tests/language/sets/README.md`)."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any

import yaml

from nomicwolf.language.reader import Place, frame_of, own_duties, read
from nomicwolf.reading.deeds import People
from nomicwolf.village.rulesets import library, rules_with, ruleset

SETS = Path(__file__).with_name("sets")
TOWN = People(("Ash", "Bex", "Cam", "Dov", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jon"), others=("Murphy",), author="Ash")
SENT = 1_796_119_200
"""2026-12-01T10:00Z."""
ROLES = {"mafia": "mafioso", "wolf": "werewolf"}
"""What holders of a role call it, and its name."""
SAME_DEEDS = (("~away", "~holiday"), ("~unaccuse", "~withdraw"), ("~deadline", "~status"), ("=deadline", "=~status"),
              ("~rules", "~help"))
"""What judges call deeds that the program has under another name."""
CHANNELS: dict[str, Place] = {"forum": "forum", "private": "contestmaster"}


def rows(file: Path) -> list[dict[str, Any]]:
    """The rows of a set, or of a table in `phrases/`, whose channels get the names that the reader has for them."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".yaml":
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    usual = "private" if file.stem.startswith("night") else "forum"
    table = yaml.load(text, Loader=yaml.CBaseLoader)
    return [{**row, "to": CHANNELS[row.get("to", usual)]} for row in table]


def score(row: dict[str, Any]) -> tuple[str, list[str]]:
    """How a row was judged (right, asked, silent, needless, wrong), and the deeds that were read."""
    role = ROLES.get(row.get("role", ""), row.get("role", ""))
    rules = row.get("ruleset", "nomic-crossing")
    brought = library().get(role, "") if role not in ruleset(rules).roles else ""
    known = rules_with(rules, (brought,) if brought else ()).roles
    own = tuple(map(frame_of, own_duties(known[role].duties))) if brought else ()
    open_verbs = frozenset(duty.verb for duty in known[role].duties) if role in known else None
    lines = [(number, line) for number, line in enumerate(row["text"].split("\n\n-- \n")[0].split("\n"), 1)
             if not line.startswith(">")]
    town = replace(TOWN, living=(*TOWN.living, *row.get("players", ())))
    found = read(lines, town, to=row["to"], instant=SENT, day_began=SENT - 5 * 3600, role=role, open_verbs=open_verbs,
                 own=own)
    deeds = [("back" if each.says == "holiday: over" else each.verb, _canonical(each.says)) for each in found.deeds]
    wanted = [reduce(lambda told, word: told.replace(*word), SAME_DEEDS, each.strip())
              for each in row["verdict"].split("|")]
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
    if re.fullmatch(r"(?!heal|poison|vote)\w+ nobody", says):
        return "pass"
    return "no vote" if says in {"unvote", "vote nobody"} else says


def _last_vote(deeds: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Of votes and retractions right after one another the last counts."""
    return [deed for deed, after in zip(deeds, [*deeds[1:], ("", "")], strict=True)
            if not (_votes(deed) and _votes(after))]


def _votes(deed: tuple[str, str]) -> bool:
    return deed[0] == "vote" or "no vote" in deed


def _same(deeds: list[tuple[str, str]], wanted: str) -> bool:
    parts = [part.strip() for part in wanted.split(";")]
    left = [deed for deed in deeds if deed[1] not in {"heal nobody", "poison nobody"}]
    if len(left) < len(deeds) and left and _same(left, wanted):
        return True
    want = _last_vote([("~", part[1:]) if part.startswith("~") else (part.split()[0], _canonical(part))
                       for part in parts])
    got = _last_vote(deeds)
    return len(want) == len(got) and all(
        verb == says_wanted if kind == "~" else says == says_wanted
        for (kind, says_wanted), (verb, says) in zip(want, got, strict=True))


SAME = (
    lambda text: f"ok, {text}",
    lambda text: f"Sigh. {text}",
    lambda text: f"Agreed. {text}",
    lambda text: f"{text.rstrip('.!')} - sorry, nothing personal",
    lambda text: f"{text.rstrip('.')}. Thanks!",
    str.upper,
    lambda text: f"{text.rstrip('.')}!!!",
    lambda text: text.rstrip("."),
    lambda text: f"{text} \N{SLIGHTLY SMILING FACE}",
    lambda text: f"**{text}**",
    lambda text: f"- {text}",
    lambda text: text.replace(" ", "  "),
    lambda text: re.sub(r"^((?:\S+ ){3,5})", lambda found: f"{found[1].rstrip()}\n", text, count=1),
    lambda text: text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}"),
    lambda text: f"{text}\n\n-- \nAsh",
    lambda text: f"Hi all,\n\n{text}",
)
"""Changes that change nothing."""


def unchanged(file: Path) -> tuple[int, int]:
    """How many readings of understood deeds stay right after each change that changes nothing, and of how many.

    Whole letters, and letters that begin with a quotation, are left out.
    """
    understood = [row for row in rows(file) if row.get("kind") != "long" and not row["text"].startswith(">")]
    understood = [row for row in understood if score(row)[0] == "right" and score(row)[1]]
    same = sum(score({**row, "text": change(row["text"])})[0] == "right" for row in understood for change in SAME)
    return same, len(understood) * len(SAME)


def main(files: list[str]) -> None:
    """Print what was wrong, and the figures, of each of *files*; behind `--changes` only how many stay the same."""
    if files[:1] == ["--changes"]:
        for file in files[1:]:
            same, changed = unchanged(Path(file))
            sys.stdout.write(f"{file}: {same / changed:.2%} of {changed} as they were\n")
        return
    for file in files:
        judged = [(row, *score(row)) for row in rows(Path(file))]
        for row, how, said in judged:
            if how == "wrong":
                sys.stdout.write(f"wrong: {row['text']!r} {said}, wanted {row['verdict']}\n")
        only, total = Counter(how for row, how, _ in judged if plain(row)), Counter(how for _, how, _ in judged)
        shares = ", ".join(f"{name} {only[key] / max(1, only.total()):.0%}" for name, key in (
            ("done", "right"), ("asked", "asked"), ("silent", "silent")))
        sys.stdout.write(f"{file}: {shares} of {only.total()}; wrong {total['wrong']} of {total.total()}, "
                         f"needless {total['needless']}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
