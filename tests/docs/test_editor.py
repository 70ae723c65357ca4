"""The editor's page in Chromium: it checks as the program does, and saves files that the program takes."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from nomicwolf.reports.setups import checked_role, checked_setup
from nomicwolf.reports.setups import page as made_page
from nomicwolf.village.role_file import DUTY, ROLE, Form, Key, RoleError, role_of, terms_of
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import BUILT_IN, SETUP, library, ruleset, setup_of, setups
from tests.servers.chromium import needs_chromium

FILE = Path(__file__).parents[2] / "docs" / "editor.html"
pytestmark = [
    pytest.mark.slow,
    needs_chromium,
]
ODD: tuple[Any, ...] = (
    "", "x" * 700, "Jail", "jail", "lock up", "vote", "join us", "object to", "night-nurse", "good", "evil",
    "own", "mafia", "always", "each night", "night 3", "from night 12", "night 0", "day", "any time", "\u202e",
    "a\u00a0b", "caf\u00e9", "\ufeff", "\U0001f43a", "tab\there", "line\nbreak", "seer", "attack", "pack", "D-A5",
    "NC 3", 0, 1, 2, 9, 10, 99, 100, -1, True, False, [], ["block"], ["kill"], ["kill", "kill"], ["pardon"],
    ["redirect"], ["a", 1], {}, {"a": 1},
)
"""Values that a hostile file may have, or a tired moderator's."""


@pytest.fixture
def editor(browser: Browser) -> Iterator[Page]:
    """The page, which complains of nothing and asks for no other file."""
    opened = browser.new_page(viewport={"width": 1200, "height": 900})
    complaints: list[str] = []
    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("request", lambda r: complaints.append(r.url) if not r.url.startswith(("file:///", "blob:")) else None)
    opened.goto(FILE.as_uri())
    yield opened
    opened.close()
    assert complaints == []


def test_the_page_is_that_of_the_code() -> None:
    """``nomicwolf setup editor docs/editor.html`` writes it anew."""
    assert FILE.read_text(encoding="utf-8") == made_page()


def fitting(form: Form, chance: random.Random) -> Any:
    """Return a value that *form* takes, or nearly."""
    if form.kind == "many":
        return [fitting(form.parts[0], chance) for _ in range(chance.choice((0, 1, 1, 2, 3)))]
    if form.kind == "either":
        return fitting(chance.choice(form.parts), chance)
    if form.kind == "one":
        return chance.choice(form.choices)
    if form.kind == "number":
        return chance.choice((1, 2, form.most, form.most + 1))
    if form.kind == "flag":
        return chance.random() < 0.5
    return chance.choice(("jail", "night-nurse", "lock up", "good", "evil", "own", "villagers", "NC 3", "night 2",
                          "seer", "nomic-crossing", "any", "A jail keeps."))


def table(keys: Mapping[str, Key], chance: random.Random) -> dict[str, Any]:
    """A table with most needed keys and some others, of which few hold something odd."""
    found = {name: fitting(key.form, chance) for name, key in keys.items()
             if chance.random() < (0.97 if key.needed else 0.15)}
    if chance.random() < 0.2:
        found[chance.choice([*keys, "colour"])] = chance.choice(ODD)
    return found


def a_role(chance: random.Random) -> dict[str, Any]:
    """A role's file as a table."""
    duties = [table(DUTY, chance) for _ in range(chance.choice((0, 1, 1, 2, 3, 4)))]
    made = table(ROLE, chance) | ({"side": chance.choice(("good", "evil", "own"))} if chance.random() < 0.7 else {})
    return {**made, "duty": duties} if duties else made


def a_setup(chance: random.Random) -> dict[str, Any]:
    """A setup's file as a table."""
    made = table(SETUP, chance)
    if chance.random() < 0.9:
        made["ruleset"] = chance.choice(sorted(BUILT_IN))
    names = ("seer", "cop", "mafioso", "wolf", "mason", "wizard", "jailkeeper", "townie", "nothing", "a b", "X")
    made["roles"] = {chance.choice(names): chance.choice((1, 1, 1, 2, 0, 61)) for _ in range(chance.randint(0, 3))}
    if chance.random() < 0.4:
        made["choice"] = [{"rows": [[chance.choice(names) for _ in range(chance.randint(0, 2))] for _ in range(
            chance.choice((1, 2, 3, 9)))]} for _ in range(chance.choice((1, 2, 4, 7)))]
    if chance.random() < 0.3:
        made["hours"] = {chance.choice(("night", "discussion", "noon")): chance.choice((0, 24, 100_000, -1))}
    if chance.random() < 0.4:
        made["switches"] = {chance.choice(("cards", "mafia_picks", "dawn", "day_limit", "deadlines")): chance.choice(
            ("hidden", "each", "8:00", "14 plurality", "1, 2, 3, 4, 5", True))}
    if chance.random() < 0.1:
        made[chance.choice(("roles", "hours", "switches", "choice"))] = chance.choice(ODD)
    return made


def keys_of(error: RoleError) -> set[tuple[int, str]]:
    """At which key of which duty (0: of the whole) something is wrong, by the messages."""
    found = [re.match(r"the \w+(?:, line \d+)?: (?:duty (\d+): )?([^:]+): ", problem) for problem in error.problems]
    return {(int(each[1] or 0), each[2]) for each in found if each}


def wrong_with_role(text: str, name: str) -> set[tuple[int, str]]:
    """What the program finds wrong with a role's file."""
    try:
        role_of(text, terms_of(ruleset(name)))
    except RoleError as error:
        return keys_of(error)
    return set()


def wrong_with_setup(text: str) -> tuple[set[str], str]:
    """What the program finds wrong with a setup's file, by its keys, or else by the rule set."""
    try:
        setup_of(text, "the setup")
    except RoleError as error:
        return {key for _, key in keys_of(error)}, ""
    try:
        checked_setup(text, "the setup", {})
    except Refusal as refused:
        return set(), refused.why
    return set(), ""


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_it_finds_the_same_faults_in_roles(editor: Page, name: str) -> None:
    """Of generated files and of the library's, key by key; and what it writes is read as what it was."""
    chance = random.Random(name)
    files = [a_role(chance) for _ in range(400)] + [tomllib.loads(text) for text in library().values()]
    found = editor.evaluate("([files, name]) => files.map(raw => [text(raw), roleFaults(raw, name)])", [files, name])

    fine = 0
    for raw, (text, faults) in zip(files, found, strict=True):
        assert tomllib.loads(text) == raw
        assert {(each["nth"], each["key"]) for each in faults} == wrong_with_role(text, name), text
        fine += not faults
    assert 40 < fine < 420


def test_it_finds_the_same_faults_in_setups(editor: Page) -> None:
    """Of generated files and the program's; only how cards are dealt is for the program alone."""
    chance = random.Random(31)
    files = [a_setup(chance) for _ in range(500)] + [tomllib.loads(text) for text in setups().values()]
    found = editor.evaluate("files => files.map(raw => [text(raw), setupFaults(raw)])", files)

    fine = 0
    for raw, (text, faults) in zip(files, found, strict=True):
        assert tomllib.loads(text) == raw
        wrong, (keys, why) = {each["key"] for each in faults}, wrong_with_setup(text)
        if keys:
            assert wrong == keys, text
        elif why:
            assert wrong or ": roles: " in why, text
        else:
            assert not wrong, text
            fine += 1
    assert fine > 30


def test_a_role_is_made_by_choosing(editor: Page, tmp_path: Path) -> None:
    """What is missing is said until nothing is; what is saved can be played."""
    assert "name: is missing" in editor.locator("#faults").inner_text()
    for key, value in {"name": "warden", "title": "Warden", "story": "You are the Warden."}.items():
        editor.locator(f"[data-key={key}]").fill(value)
    editor.locator("[data-key=side]").select_option("good")
    editor.get_by_role("button", name="Add a duty").click()
    assert editor.locator("#save").is_disabled()
    for key, value in {"verb": "jail", "says": "e can do nothing tonight", "words": "lock up, detain"}.items():
        editor.locator(f"[data-key={key}]").fill(value)
    for effect in ("block", "protect"):
        editor.locator(f"[data-key=does][data-value={effect}]").check()
    editor.locator("[data-key=same_again]").select_option("false")
    with editor.expect_download() as saved:
        editor.locator("#save").click()

    assert saved.value.suggested_filename == "warden.toml"
    saved.value.save_as(tmp_path / "warden.toml")
    role = checked_role((tmp_path / "warden.toml").read_text(), ruleset("nomic-crossing"), "roles/warden.toml")
    assert role.duties[0].does == ("block", "protect")
    assert role.duties[0].words == ("lock up", "detain")


def test_a_setup_is_made_by_choosing(editor: Page, tmp_path: Path) -> None:
    """With rows by lot, and a switch."""
    editor.locator("#what").select_option("setup")
    editor.locator("#ruleset").select_option("six-phases")
    for key, value in {"title": "Friday", "players": "9", "mafioso": "2", "discussion": "24"}.items():
        editor.locator(f"[data-key={key}]").fill(value)
    editor.locator("[data-key=mafia_picks]").select_option("each")
    editor.get_by_role("button", name="Add a choice of rows").click()
    editor.locator("[data-key=rows]").fill("cop, doctor\nmason, mason\n")
    with editor.expect_download() as saved:
        editor.locator("#save").click()

    saved.value.save_as(tmp_path / "setup.toml")
    found, rules, players = checked_setup((tmp_path / "setup.toml").read_text(), "setup.toml", {})
    assert (rules.name, players) == ("six-phases", (9,))
    assert found.roles == ("mafioso", "mafioso", "cop+doctor|mason+mason|nothing")
    assert found.switches == {"mafia_picks": "each", "deadlines": "24, 48, 24, 48, 72"}


def test_it_is_for_everyone(editor: Page) -> None:
    """No fault that axe knows, and no scrolling sideways on a phone."""
    for what in ("role", "setup"):
        editor.locator("#what").select_option(what)
        assert Axe().run(editor).response["violations"] == []
    editor.set_viewport_size({"width": 360, "height": 800})
    assert editor.evaluate("document.documentElement.scrollWidth") <= 360
