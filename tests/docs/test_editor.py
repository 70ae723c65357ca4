"""The editor's page in Chromium: it checks as the program does, and saves files that the program takes."""

from __future__ import annotations

import json
import random
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, FilePayload, Page

from nomicwolf.reports.setups import checked_role, checked_setup, rules_as_data
from nomicwolf.reports.setups import page as made_page
from nomicwolf.village.forms import Form
from nomicwolf.village.role_file import DUTY, ROLE, Key, RoleError, role_of, terms_of
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
    for key, value in {"name": "warden", "story": "You are the Warden."}.items():
        editor.locator(f"[data-key={key}]").fill(value)
    editor.locator("[data-key=side]").select_option("good")
    editor.get_by_text("Else", exact=True).click()
    editor.locator("[data-key=title]").fill("Warden")
    editor.get_by_role("button", name="Add a duty").click()
    assert editor.locator("#save").is_disabled()
    editor.get_by_text("Else", exact=True).last.click()
    for key, value in {"verb": "jail", "says": "e can do nothing tonight", "words": "lock up, detain"}.items():
        editor.locator(f"[data-key={key}]").fill(value)
    for effect in ("block", "protect"):
        editor.locator(f"[data-key=does][data-value={effect}]").check()
    editor.locator("[data-key=same_again]").uncheck()
    with editor.expect_download() as saved:
        editor.locator("#save").click()

    assert saved.value.suggested_filename == "warden.toml"
    saved.value.save_as(tmp_path / "warden.toml")
    role = checked_role((tmp_path / "warden.toml").read_text(), ruleset("nomic-crossing"), "roles/warden.toml")
    assert role.duties[0].does == ("block", "protect")
    assert role.duties[0].words == ("lock up", "detain")
    assert tomllib.loads(role.text)["duty"][0]["same_again"] is False


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


def written(editor: Page) -> dict[str, Any]:
    """What the file on the page holds."""
    return tomllib.loads(editor.locator("#file").text_content() or "")


def handed(editor: Page, **files: bytes) -> None:
    """Open *files* on the page."""
    payloads: list[FilePayload] = [
        {"name": f"{name}.toml", "mimeType": "", "buffer": data} for name, data in files.items()]
    editor.locator("#open").set_input_files(payloads)


def test_lists_are_taken_as_the_hints_show_them(editor: Page) -> None:
    """With brackets and quotes as in a file, or with commas alone; what is neither stays to be mended."""
    editor.get_by_text("Else", exact=True).click()
    shown = {name: found[0] for name, key in ROLE.items() if (found := re.search(r"\[\".*?\]", key.can))}
    assert {*shown} == {"clauses", "knows", "rulesets", "succeeds"}
    for name, text in shown.items():
        for said in (text, text.strip("[]"), text.strip("[]").replace('"', ""), f"{text},"):
            editor.locator(f"[data-key={name}]").fill(said)
            assert (written(editor)[name] == json.loads(text)) is (said[-1] != ","), said
            assert (f"{name}: write" in editor.locator("#faults").inner_text()) is (said[-1] == ","), said
    editor.get_by_text("By night", exact=True).click()
    editor.locator("[data-key=survives]").fill('"always"')
    assert written(editor)["survives"] == "always"


BY_HAND = r"""
# A contest's.
'name' = 'a-b'  # quoted
story = '''
It's "so".'''
says.more = "tab\t, \u00e9 \U0001F43A"
"odd key" = '''one \'''
list = [ [1, +2,], # three
  [{ a = 1, b.c = true }], -3, 1_000 ]
[roles]
mason = 2
[[choice]]
rows = [["cop"], []]
[choice.more]
a = 0
[[choice]]
rows = []
"""


def test_it_reads_files_as_the_program_does(editor: Page) -> None:
    """The program's, one in all spellings, and those with a slip: each alike, or refused by both, with the line."""
    chance = random.Random(9)
    texts = [BY_HAND, *library().values(), *setups().values()]
    for _ in range(1500):
        text = chance.choice((BY_HAND, *texts[:60]))
        at, most = chance.randrange(len(text)), chance.choice((0, 1, 1, 2, 30))
        put_in = chance.choice(("", "", '"', "\n", "]", "[", "=", ",", "#", "'", "a", "}"))
        texts.append(text[:at] + put_in + text[at + most:])
    found = editor.evaluate("""texts => texts.map(text => {
        try { return [toml(text), ""]; } catch (error) { return [null, error.message]; }
    })""", texts)

    refused = 0
    for text, (raw, why) in zip(texts, found, strict=True):
        try:
            meant = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            assert re.match(r"line \d+: ", why), text
            refused += 1
        else:
            assert raw == meant, (text, why)
    assert 300 < refused < 1400


def test_a_file_that_was_saved_is_opened_again(editor: Page) -> None:
    """Each of the program's setups and roles is as it was."""
    for what, texts in (("role", library()), ("setup", setups())):
        editor.locator("#what").select_option(what)
        for name, text in texts.items():
            editor.locator("#which").select_option(name)
            raw = tomllib.loads(text)
            assert written(editor) == {
                key: " ".join(value.split()) if key in ("story", "about") else value for key, value in raw.items()}
            if what == "setup":
                assert editor.locator("#ruleset").input_value() == raw["ruleset"]
                assert editor.locator("#faults li").count() == 0, name


def test_what_cannot_be_read_is_said_and_nothing_is_lost(editor: Page) -> None:
    """Files of another shape are left; strange keys are shown, to be emptied."""
    editor.locator("#what").select_option("setup")
    editor.locator("[data-key=title]").fill("Mine")
    before = written(editor)
    handed(editor, a=b'title = "A"\nplayers = \n', b=b"x" * 9000, c=b"[roles]\n[[choice]]\nrows = 1\n",
           d=b'name = "d"\nduty = 1\n')
    editor.get_by_text("d.toml:").wait_for()
    lines = [line.split(": ")[:2] for line in editor.locator("#refused p").all_inner_texts()]
    assert lines == [
        ["a.toml", "line 2"], ["b.toml", "it is larger than 8192 bytes"],
        ["c.toml", "choice has another shape than the handbook's"],
        ["d.toml", "duty has another shape than the handbook's"]]
    assert written(editor) == before

    odd = b'\xef\xbb\xbftitle = "A"\nruleset = "chess"\ncolour = ["a", 1]\n[roles]\nqueen = 1\n'
    handed(editor, odd=odd)
    editor.get_by_text("colour: there is no such key").wait_for()
    assert written(editor) == tomllib.loads(odd.decode("utf-8-sig"))
    editor.locator("[data-key=colour]").fill("")
    assert "there is no such rule set" in editor.locator("#faults").inner_text()
    editor.locator("#ruleset").select_option("tabula")
    assert editor.locator("#faults").inner_text().startswith("queen: no such role")
    editor.locator("[data-key=queen]").fill("")
    assert written(editor) == {"title": "A", "ruleset": "tabula"}
    editor.locator("#which").select_option("Mine")
    assert written(editor) == before


def test_the_form_shows_whatever_a_file_holds(editor: Page) -> None:
    """Of hostile files, too, unless they have another shape: it changes nothing that nobody touches."""
    chance = random.Random(7)
    odd: tuple[Any, ...] = ({"toString": 1}, {"a": [[]]}, [[1], {"valueOf": 2}], "constructor", [], {})
    files = [{"ruleset": "tabula"} | make(chance) | {chance.choice((*ROLE, *SETUP, "constructor")): chance.choice(odd)}
             for _ in range(100) for make in (a_role, a_setup)]
    found = editor.evaluate("""files => files.map(raw => {
        const as = file => text(filled(file));
        try { $("what").value = take(text(raw)); } catch (error) { return error.message; }
        draw();
        return [as(fileOf(text(raw))), as(now())];
    })""", files)

    shown = [each for each in found if isinstance(each, list)]
    assert [after for _, after in shown] == [before for before, _ in shown]
    assert {each for each in found if isinstance(each, str)} <= {
        f"{key} has another shape than the handbook's" for key in ("duty", "roles", "hours", "switches", "choice")}
    assert 100 < len(shown) < 200


WARDEN = """
name = "warden"
side = "good"
story = "You are the Warden."
[[duty]]
verb = "jail"
says = "e can do nothing tonight"
does = ["block"]
"""


def test_own_roles_are_counted_in_setups(editor: Page, tmp_path: Path) -> None:
    """Those whose files were opened; a fault in one that is counted is the setup's, too."""
    editor.locator("#what").select_option("setup")
    editor.locator("#ruleset").select_option("six-phases")
    editor.locator("[data-key=title]").fill("Friday")
    editor.locator("[data-key=mafioso]").fill("2")
    handed(editor, warden=WARDEN.encode(), keeper=WARDEN.replace("warden", "keeper").replace("good", "evill").encode())
    editor.locator("[data-key=warden]").fill("1")
    editor.locator("[data-key=keeper]").fill("1")
    assert editor.locator("#faults").inner_text().startswith("keeper: roles/keeper.toml: side: 'evill' isn't allowed")
    editor.locator("[data-key=keeper]").fill("")
    with editor.expect_download() as saved:
        editor.locator("#save").click()

    saved.value.save_as(tmp_path / "setup.toml")
    found, _, _ = checked_setup((tmp_path / "setup.toml").read_text(), "setup.toml", {"warden": WARDEN})
    assert found.roles == ("mafioso", "mafioso", "warden")


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_it_offers_what_can_be_dealt(name: str) -> None:
    """Each role that it offers is in some deal of the rule set's that is asked for, and no other of its roles is."""
    rules, offered = ruleset(name), rules_as_data()["rulesets"][name]["roles"]
    packs = [(), *((role,) for role in rules.roles if rules.roles[role].side == rules.evil)]

    def fits(count: int, *roles: str) -> bool:
        counts = "\n".join(f"{each} = {count}" for each in dict.fromkeys(roles))
        try:
            checked_setup(f'title = "A"\nruleset = "{name}"\n[roles]\n{counts}\n', "a", {})
        except Refusal:
            return False
        return True

    every = dict.fromkeys((*offered, *rules.roles))
    can = {role for role in every if any(fits(count, *pack, role) for count in (1, 2) for pack in packs)}
    assert can | {rules.plain} == {*offered}


def test_roles_are_found_by_what_they_do(editor: Page) -> None:
    """By a word of the story; those that are counted stay in sight."""
    editor.locator("#what").select_option("setup")
    assert editor.locator("[data-key=seer]").count() == 1
    assert editor.locator("[data-key=werewolf]").count() == 0
    editor.locator("[data-key=title]").fill("Friday")
    editor.locator("#ruleset").select_option("six-phases")
    editor.locator("[data-key=mafioso]").fill("2")
    editor.get_by_label("Search").fill("Poison")
    sought = editor.locator("#form input:visible").evaluate_all("all => all.map(each => each.dataset.key)")
    assert {"mafioso", "poisoner"} <= {*sought}
    assert not {"cop", "tracker"} & {*sought}
    assert re.search(r"\d+ of \d+ roles", editor.locator("#form").inner_text())
    editor.locator("#ruleset").select_option("nomic-crossing")
    assert "mafioso: no such role" in editor.locator("#faults").inner_text()


def test_the_file_stands_beside_the_form_or_below(editor: Page) -> None:
    """Beside on a wide screen, where it stays in sight; below on a phone."""
    editor.locator("#what").select_option("setup")
    form, file = editor.locator("#form").bounding_box(), editor.locator("#result").bounding_box()
    assert form
    assert file
    assert file["x"] >= form["x"] + form["width"]
    editor.evaluate("scrollTo(0, 3000)")
    assert editor.locator("#save").evaluate("each => scrollY > 1000 && each.getBoundingClientRect().top < 900")
    editor.set_viewport_size({"width": 360, "height": 800})
    form, file = editor.locator("#form").bounding_box(), editor.locator("#result").bounding_box()
    assert form
    assert file
    assert file["y"] >= form["y"] + form["height"]


def test_the_keyboard_is_enough(editor: Page) -> None:
    """To unfold, to tick, to add a duty."""
    editor.get_by_text("By night", exact=True).focus()
    editor.keyboard.press("Enter")
    editor.locator("[data-key=unseen]").focus()
    editor.keyboard.press("Space")
    assert written(editor) == {"unseen": True}
    editor.keyboard.press("Space")
    assert written(editor) == {}
    editor.get_by_role("button", name="Add a duty").focus()
    editor.keyboard.press("Enter")
    assert editor.locator("[data-key=verb]").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_for_everyone(editor: Page, scheme: Literal["light", "dark"]) -> None:
    """No fault that axe knows, and no scrolling sideways on a phone."""
    editor.emulate_media(color_scheme=scheme)
    for what in ("role", "setup"):
        editor.locator("#what").select_option(what)
        editor.locator("#which").select_option("cop" if what == "role" else "two-packs")
        editor.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true; })")
        assert Axe().run(editor).response["violations"] == []
    editor.set_viewport_size({"width": 360, "height": 800})
    assert editor.evaluate("document.documentElement.scrollWidth") <= 360
