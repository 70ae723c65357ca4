"""The handbook as a site: every page is in it, warnings are errors, links hold, and nothing comes from elsewhere."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from scripts.handbook import FOLDERS, PAGES, faults
from tests.docs.pages import ROOT

CONFIG = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
CHROMIUM = shutil.which("chromium")
AWAY = {"examples/a-year/amended.md", "examples/a-year/before.md"}  # examples of files, not pages


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as ``make docs`` does, in a folder of its own."""
    target = tmp_path_factory.mktemp("handbook")
    built = subprocess.run(
        [sys.executable, "scripts/handbook.py", str(target)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    assert "0 faults" in built.stdout
    return target / "site"


def named(nav: Any) -> Iterator[str]:
    """Yield every page that a navigation names."""
    for entry in nav:
        for value in entry.values():
            if isinstance(value, str):
                yield value
            else:
                yield from named(value)


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


@pytest.mark.slow
@pytest.mark.skipif(not CHROMIUM, reason="no Chromium here: as root, apt-get install chromium")
@pytest.mark.parametrize("path", ["index.html", "docs/first-evening.html", "contract/rulings.html"])
def test_a_browser_asks_nobody_else(site: Path, path: str) -> None:
    """A page of the site loads files of the site and nothing more."""
    asked: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--headless", "--no-sandbox"])
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / path).as_uri())
        page.wait_for_load_state("networkidle")
        assert page.locator("h1").count() == 1
        browser.close()

    assert [url for url in asked if not url.startswith(("file://", "data:", "blob:"))] == []
