"""The pages in a real browser: headless Chromium opens them from the disk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from nomicwolf.archive import write
from nomicwolf.reports.archive import pages
from tests.archive.stories import going_on
from tests.servers.chromium import needs_chromium

pytestmark = [
    pytest.mark.slow,
    needs_chromium,
]
EVERY = [page.path for page in pages(going_on()) if page.path.endswith(".html")]


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive on the disk."""
    folder = tmp_path_factory.mktemp("archive")
    write(going_on(), folder)
    return folder


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page that keeps what it complains of, and asks for no file but its own."""
    opened = browser.new_page(viewport={"width": 1440, "height": 900})
    complaints: list[str] = []
    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("request", lambda r: complaints.append(r.url) if not r.url.startswith("file:///") else None)
    yield opened
    opened.close()
    assert complaints == []


@pytest.mark.parametrize("path", EVERY)
@pytest.mark.parametrize("width", [360, 1440])
def test_pages_fit(page: Page, archive: Path, path: str, width: int) -> None:
    """Pages open without errors, and never scroll sideways; only pictures and tables do, in their own boxes."""
    page.set_viewport_size({"width": width, "height": 800})
    page.goto((archive / path).as_uri())

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("h1").count() == 1


def test_what_a_switch_decides_is_read_on_a_phone_without_scrolling(page: Page, archive: Path) -> None:
    """At 360 px what each switch decides stands below its name and value, as wide as the screen; it was cut off."""
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto((archive / "index.html").as_uri())
    table = page.locator(".told")

    assert table.evaluate("table => table.parentElement.scrollWidth <= table.parentElement.clientWidth")
    rows = table.locator("tbody tr").all()
    assert rows
    for row in rows:
        name, says = row.locator("th").bounding_box(), row.locator("td").last.bounding_box()
        assert name
        assert says
        assert says["y"] >= name["y"] + name["height"]
        assert says["width"] > 300


def test_letters_wrap_on_a_phone(page: Page, archive: Path) -> None:
    """Ours of 72 columns, too: nobody has to push each line to and fro. A wide screen keeps their columns."""
    beyond = "[...document.querySelectorAll('.scroll')].filter(box => box.scrollWidth > box.clientWidth).length"
    page.goto((archive / "letters/session-1.html").as_uri())
    page.set_viewport_size({"width": 375, "height": 800})
    assert page.locator("pre.letter").count() > 3
    assert page.evaluate(beyond) == 0
    page.set_viewport_size({"width": 1440, "height": 900})
    assert page.locator("pre.letter:not(.player)").first.evaluate("e => getComputedStyle(e).whiteSpace") == "pre"


def test_hovering_a_vote_tells_of_it(page: Page, archive: Path) -> None:
    """A ballot under the pointer is told below the picture, and its row lights up."""
    page.goto((archive / "session-1/day-1.html").as_uri())
    page.locator("a.cast").nth(1).hover()

    assert "Cam endorses Ash; it comes to Bex" in page.locator("output").inner_text()
    assert page.locator("svg.wide.lit .lane.hot .name").text_content() == "Cam"
    assert page.locator("svg.wide.lit .chain.hot").count() == 1


def test_the_keyboard_walks_through_votes(page: Page, archive: Path) -> None:
    """One tab stop leads into the picture, arrow keys from ballot to ballot, Enter to what was written (WCAG 2.1.1)."""
    page.goto((archive / "session-1/day-1.html").as_uri())
    page.locator("a.cast").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")

    assert "Dov votes Bex if Cam is voting for Bex" in page.locator("output").inner_text()
    assert page.locator("svg.wide a.cast[tabindex='0']").count() == 1
    page.keyboard.press("End")
    assert "Bex is lynched" in page.locator("output").inner_text()
    page.keyboard.press("Enter")
    assert page.url.endswith("#vote-7")


def test_the_day_can_be_scrubbed(page: Page, archive: Path) -> None:
    """The slider goes through the moments of the day, and says to screen readers where it is."""
    page.goto((archive / "session-1/day-1.html").as_uri())
    slider = page.get_by_label("Move through the vote")
    slider.focus()
    page.keyboard.press("Home")

    assert "Ash votes Bex. Count: Bex 1; majority 4" in page.locator("output").inner_text()
    cursor, ballot = (page.locator(f"svg {part}").first.bounding_box() for part in (".cursor", ".dot"))
    assert cursor is not None
    assert ballot is not None
    assert abs(cursor["x"] + cursor["width"] / 2 - ballot["x"] - ballot["width"] / 2) < 2
    assert (slider.get_attribute("aria-valuetext") or "").startswith("Vote 1,")


def test_the_slider_hides_what_came_later(page: Page, archive: Path) -> None:
    """Ballots, arrows, the lynching and the votes beside the wagons are those of then; at its end all is there."""
    page.goto((archive / "session-1/day-1.html").as_uri())
    slider = page.get_by_label("Move through the vote")
    labels, dots = page.locator("svg.wide .label"), page.locator("svg.wide a.cast")
    whole = [labels.all_text_contents(), dots.count()]
    slider.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")

    assert [dot.is_visible() for dot in dots.all()] == [True, True, *[False] * 5]
    assert [label.text_content() for label in labels.all() if label.is_visible()] == ["Bex 2"]
    assert not page.locator("svg.wide .ring").is_visible()
    cut = float(page.locator("svg.wide clipPath rect").get_attribute("width") or 0)
    assert cut < float(page.locator("svg.wide a.cast .dot").nth(2).get_attribute("cx") or 0)
    page.keyboard.press("End")
    assert page.locator("svg.wide .ring").is_visible()
    assert [labels.all_text_contents(), sum(dot.is_visible() for dot in dots.all())] == whole


def test_words_are_searched_for_without_a_server(page: Page, archive: Path) -> None:
    """Letters by their words and deeds, phases by what happened, players by name; what was written is only text."""
    page.goto((archive / "search.html").as_uri())
    box = page.get_by_label("Words")
    box.fill("gus cam")
    found = page.locator("#results a")
    assert "found" in page.locator("#found").inner_text()
    assert any("votes Cam" in text for text in found.all_text_contents())
    box.fill("alert(1)")
    assert page.locator("#results li").count() >= 1
    assert page.locator("#results script, #results img").count() == 0
    box.fill("no such word anywhere")
    assert page.locator("#found").inner_text() == "Nothing found."
    box.fill("votes cam")
    found.first.click()
    assert "/letters/session-" in page.url
    page.goto((archive / "search.html").as_uri() + "?q=ash")
    assert page.locator("#results a").first.inner_text() == "Ash"


@pytest.mark.parametrize("path", ["index.html", "statistics.html", "players/index.html", "awards.html",
                                  "session-1/index.html", "session-1/day-1.html"])
def test_tables_show_on_a_phone_what_one_wants(page: Page, archive: Path, path: str) -> None:
    """At 360 px no table has to be pushed sideways, and its first column and the one that matters are seen."""
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto((archive / path).as_uri())
    boxes = page.locator(".scroll:has(table)")

    assert boxes.count() >= 1
    for box in boxes.all():
        assert box.evaluate("box => box.scrollWidth <= box.clientWidth"), box.get_attribute("aria-label")
        assert box.locator("th:visible").count() >= 2


def test_a_phone_has_a_picture_of_its_own(page: Page, archive: Path) -> None:
    """At 360 px the whole day is on the screen, and a tap on a ballot tells of it and leads to it."""
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto((archive / "session-1/day-1.html").as_uri())
    box = page.locator("svg.narrow").bounding_box()

    assert not page.locator("svg.wide").is_visible()
    assert box is not None
    assert box["x"] + box["width"] <= 360
    page.locator("svg.narrow a.cast").nth(1).click()
    assert "Cam endorses Ash" in page.locator("output").inner_text()
    assert page.url.endswith("#vote-2")


def test_pages_read_without_script(browser: Browser, archive: Path) -> None:
    """With JavaScript off, the picture, the count and every ballot are there, and ballots are links."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((archive / "session-1/day-1.html").as_uri())

    assert page.locator("svg.wide").is_visible()
    assert page.locator(".ballots li").count() == 7
    page.locator("a.cast").first.click()
    assert page.url.endswith("#vote-1")
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", EVERY)
def test_axe_finds_nothing(browser: Browser, archive: Path, path: str, scheme: str) -> None:
    """axe-core knows the rules of WCAG 2.2 A and AA that a program can check, and good practice."""
    page = browser.new_page(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto((archive / path).as_uri())
    rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = Axe().run(page, options={"runOnly": rules}).response
    page.close()

    assert [(v["id"], v["nodes"][0]["html"]) for v in found["violations"]] == []
    assert len(found["passes"]) > 20


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read(browser: Browser, archive: Path, scheme: str) -> None:
    """Text stands out from what is behind it by 4.5 to 1 at least, in both colour schemes (WCAG 1.4.3)."""
    page = browser.new_page(color_scheme=scheme)  # type: ignore[arg-type]
    page.goto((archive / "session-1/day-1.html").as_uri())
    colours = page.evaluate("""() => {
      const style = getComputedStyle(document.documentElement);
      const names = ["--bg", "--panel", "--fg", "--faint", "--link", "--strong", ...Array(8).keys()]
      return names.map((name) => style.getPropertyValue(typeof name === "number" ? `--w${name}` : name).trim());
    }""")
    page.close()
    grounds, inks = colours[:2], colours[2:]

    assert min(contrast(ink, ground) for ink in inks for ground in grounds) >= 4.5


def contrast(one: str, other: str) -> float:
    """The contrast of two colours like ``#a1b2c3`` (WCAG 2.2, relative luminance)."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """The relative luminance of a colour, 0 to 1."""
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_paper_is_white(browser: Browser, archive: Path) -> None:
    """Printed from a dark screen, pages have dark ink on white, without what only works on a screen."""
    page = browser.new_page(color_scheme="dark")
    page.goto((archive / "session-1/day-1.html").as_uri())
    page.emulate_media(media="print")
    ground, ink = page.evaluate("""() => {
      const style = getComputedStyle(document.documentElement);
      return ["--bg", "--w0"].map((name) => style.getPropertyValue(name).trim());
    }""")

    assert ground == "#fff"
    assert contrast(ink, "#ffffff") >= 4.5
    assert not page.locator(".scrub").first.is_visible()
    assert page.locator("svg.votes").first.is_visible()
    page.close()
