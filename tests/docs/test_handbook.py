"""The handbook as a site: every page is in it, warnings are errors, links hold, and nothing comes from elsewhere."""

from __future__ import annotations

import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from scripts.handbook import FOLDERS, PAGES, faults
from tests.docs.pages import ROOT
from tests.servers.chromium import needs_chromium

CONFIG = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
AWAY = {"examples/a-year/amended.md", "examples/a-year/before.md"}  # examples of files, not pages
REPOSITORY = "https://forge.example/wolf/nomicwolf"
WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
LOOKED_FOR = {
    "how do I vote": "docs/players.html",
    "pause": "docs/every-day.html",
    "password": "docs/first-evening.html",
    "change my address": "docs/players.html",
    "silent player": "docs/troubleshooting.html",
    "erase": "docs/privacy.html",
    "spam": "docs/server.html",
    "award points": "docs/officers.html",
}
"""What a reader types into the search, and the page that must be among the first three answers."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as ``make docs`` does, in a folder of its own."""
    target = tmp_path_factory.mktemp("handbook")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOMICWOLF_REPOSITORY", f"{REPOSITORY}.git")
        done = subprocess.run(
            [sys.executable, "scripts/handbook.py", str(target)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 faults" in done.stdout
    return target / "site"


def named(nav: Any) -> Iterator[str]:
    """Yield every page that a navigation names."""
    for entry in nav:
        for value in entry.values():
            if isinstance(value, str):
                yield value
            else:
                yield from named(value)


def built(site: Path, name: str) -> Path:
    """Return the file of the site that was built from a page."""
    return site / name.replace("README.md", "index.md").replace(".md", ".html")


def test_every_page_is_in_the_navigation() -> None:
    """Each page that is gathered stands in the navigation once."""
    pages = {name for name in PAGES if name.endswith(".md")}
    for folder in FOLDERS:
        pages |= {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*.md")}
    found = list(named(CONFIG["nav"]))

    assert set(found) == pages - AWAY
    assert len(found) == len(set(found))


def test_links_and_parts_of_the_site_are_there(site: Path) -> None:
    """Links, anchors, styles, scripts and pictures of all pages lead to files of the site."""
    pages = list(site.rglob("*.html"))

    assert len(pages) > 30
    assert list(faults(site)) == []


@pytest.mark.parametrize(("text", "said"), [
    ('<a href="gone.html">x</a>', "gone.html leads nowhere"),
    ('<p id="here"></p><a href="#there">x</a>', "#there leads nowhere"),
    ('<img src="gone.png">', "gone.png leads nowhere"),
    ('<script src="https://elsewhere.example/x.js"></script>', "loads https://elsewhere.example/x.js"),
    ('<link rel="stylesheet" href="//elsewhere.example/x.css">', "loads //elsewhere.example/x.css"),
    ("<p>```yaml votes.yaml townspersons: [Ash]</p>", "a block became text: ```yaml votes.yaml"),
])
def test_faults_of_a_site_are_found(tmp_path: Path, text: str, said: str) -> None:
    """What leads nowhere, comes from elsewhere or isn't shown as it is meant is named with its page."""
    (tmp_path / "index.html").write_text(text, encoding="utf-8")

    assert [fault for fault in faults(tmp_path) if said in fault]


def test_a_warning_is_an_error(tmp_path: Path) -> None:
    """A link to a page that is not there ends the build."""
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "index.md").write_text("# Title\n\n[gone](gone.md)\n", encoding="utf-8")
    (tmp_path / "zensical.toml").write_text(
        '[project]\nsite_name = "x"\ndocs_dir = "pages"\nsite_dir = "site"\n', encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--strict"]

    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode != 0


def test_the_search_leaves_the_changelog_out(site: Path) -> None:
    """It has the words of every page, and would win against the page that a reader wants."""
    index = (site / "search.json").read_text(encoding="utf-8")

    assert "docs/players.html" in index
    assert "CHANGELOG.html" not in index


def test_every_page_leads_on_and_to_the_repository(site: Path) -> None:
    """Previous and next follow the navigation, and each page links to the repository."""
    order = list(named(CONFIG["nav"]))
    for number, name in enumerate(order):
        text = built(site, name).read_text(encoding="utf-8")

        assert f'href="{REPOSITORY}"' in text, name
        assert ('aria-label="Previous: ' in text) == (number > 0), name
        assert ('aria-label="Next: ' in text) == (number < len(order) - 1), name


@pytest.fixture(scope="module")
def served(site: Path) -> Iterator[str]:
    """The address of the site on a web server of its own; the search needs one."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    """A web server that logs nothing."""

    def log_message(self, *args: Any) -> None:
        """Log nothing."""


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("path", ["index.html", "docs/first-evening.html", "contract/rulings.html"])
def test_a_browser_asks_nobody_else(browser: Browser, site: Path, path: str) -> None:
    """A page of the site loads files of the site and nothing more."""
    asked: list[str] = []
    page = browser.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / path).as_uri())
    page.wait_for_load_state("networkidle")
    assert page.locator("h1").count() == 1
    page.close()

    assert [url for url in asked if not url.startswith(("file://", "data:", "blob:"))] == []


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("words", LOOKED_FOR)
def test_the_search_finds_what_readers_look_for(browser: Browser, served: str, words: str) -> None:
    """The page that answers is among the first three results."""
    page = browser.new_page()
    page.goto(f"{served}/index.html")
    page.wait_for_load_state("networkidle")
    page.keyboard.press("/")
    page.keyboard.type(words)
    page.locator("a[href*='?h=']").first.wait_for()
    page.wait_for_timeout(500)
    found = page.eval_on_selector_all("a[href*='?h=']", "links => links.map(link => link.href)")
    page.close()

    assert [link for link in found[:3] if link.startswith(f"{served}/{LOOKED_FOR[words]}")], found


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("section", CONFIG["nav"], ids=lambda section: next(iter(section)))
def test_axe_finds_nothing(browser: Browser, site: Path, served: str, section: dict[str, Any]) -> None:
    """axe-core knows the rules of WCAG 2.2 A and AA that a program can check; dark pages (slate) differ by contrast."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    violations = []
    for name in named([section]):
        page.goto(f"{served}/{built(site, name).relative_to(site).as_posix()}")
        for scheme, tags in (("default", WCAG), ("slate", ["wcag2aa"])):
            page.evaluate("scheme => { document.body.dataset.mdColorScheme = scheme; }", scheme)
            page.wait_for_timeout(500)
            found = Axe().run(page, options={"runOnly": tags}).response
            violations += [(name, scheme, v["id"], v["nodes"][0]["html"]) for v in found["violations"]]
    page.close()

    assert violations == []
