"""Build the handbook as a site: ``python scripts/handbook.py [DIR]`` writes DIR/site (build/handbook/site).

The pages are gathered as they lie in the tree, so that links between them hold on a forge and on the site alike. Then
zensical builds them with warnings as errors, and what it made is checked: each link and each part of a page leads to
something that is there, nothing is loaded from elsewhere, and no block of code has become running text.

Each page links to the repository: to $NOMICWOLF_REPOSITORY, or else to git's remote `origin`, if it is on the web.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[1]
BUILT = ROOT / "build" / "handbook"
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE")
FOLDERS = ("docs", "contract", "examples")
LOADS = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}
UNSEARCHED = ("CHANGELOG.md",)
"""Pages that the site's search leaves out, because they have the words of every other page."""
ELSEWHERE = re.compile(r"(?:[a-z][a-z+.-]*:)?//")


class Page(HTMLParser):
    """A built page: its *ids*, what its *links* lead to, what it *loads*, and the *fences* that show as text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.fences: list[str] = []
        self._verbatim = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element's id, and what it leads to or loads."""
        self._verbatim += tag == "code"
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif tag in LOADS and LOADS[tag] in given and given.get("rel") not in {"canonical", "prev", "next"}:
            self.loads.append(given[LOADS[tag]])

    def handle_endtag(self, tag: str) -> None:
        """Note the end of what is shown as it is written."""
        self._verbatim -= tag == "code"

    def handle_data(self, data: str) -> None:
        """Note a mark of a block that became none."""
        if not self._verbatim and data.lstrip().startswith("```"):
            self.fences.append(" ".join(data.split())[:40])


def gather(pages: Path) -> None:
    """Copy the pages, and what they show, as they lie in the tree."""
    shutil.rmtree(pages, ignore_errors=True)
    pages.mkdir(parents=True)
    for name in PAGES:
        head = "---\nsearch:\n  exclude: true\n---\n\n" if name in UNSEARCHED else ""
        (pages / name).write_text(head + (ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, pages / name, ignore=shutil.ignore_patterns("__pycache__", "*.py"))


def repository() -> str:
    """Return the web address of the repository, or "" if it has none."""
    given = os.environ.get("NOMICWOLF_REPOSITORY", "")
    if not given:
        asked = ["git", "config", "--get", "remote.origin.url"]
        given = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    by_ssh = re.fullmatch(r"(?:ssh://)?git@([\w.-]+)[:/](.+)", given)
    address = f"https://{by_ssh[1]}/{by_ssh[2]}" if by_ssh else given
    return address.removesuffix(".git") if re.fullmatch(r"https://[\w.-]+/[\w./-]+", address) else ""


def build(target: Path) -> int:
    """Build the site of the pages in *target*; return zensical's status."""
    shutil.rmtree(target / "site", ignore_errors=True)
    config = (ROOT / "zensical.toml").read_text(encoding="utf-8").replace('"build/handbook/', '"')
    if address := repository():
        config = config.replace("[project]\n", f'[project]\nrepo_url = "{address}"\nrepo_name = "Repository"\n', 1)
    (target / "zensical.toml").write_text(config, encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    return subprocess.run(command, cwd=target, check=False).returncode


def faults(site: Path) -> Iterator[str]:
    """Yield what is wrong with a built site."""
    found = {path: Page(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, page in found.items():
        name = path.relative_to(site).as_posix()
        if name == "404.html":
            continue
        yield from (f"{name}: loads {there}" for there in page.loads if ELSEWHERE.match(there))
        yield from (f"{name}: a block became text: {fence}" for fence in page.fences)
        for there in (*page.links, *(p for p in page.loads if not p.startswith("data:"))):
            if not re.match(r"[a-z][a-z+.-]*:|//", there) and not _is_there(path, there, found):
                yield f"{name}: {there} leads nowhere"
    for path in sorted(site.rglob("*.css")):
        text = path.read_text(encoding="utf-8")
        if re.search(r"url\(\s*[\"']?(?:https?:)?//|@import\s+[\"']?(?:https?:)?//", text):
            yield f"{path.relative_to(site).as_posix()}: loads something from elsewhere"


def _is_there(path: Path, there: str, found: dict[Path, Page]) -> bool:
    target, _, anchor = unquote(there).partition("#")
    file = (path.parent / target.partition("?")[0]).resolve() if target else path
    file = file / "index.html" if file.is_dir() else file
    if not file.is_file():
        return False
    return not anchor or file not in found or anchor in found[file].ids


def main(target: Path = BUILT) -> int:
    """Gather, build, check in *target*; return 1 if anything is wrong."""
    gather(target / "pages")
    status = build(target)
    if status:
        return status
    wrong = list(faults(target / "site"))
    for fault in wrong:
        print(fault, file=sys.stderr)
    count = len(list((target / "site").rglob("*.html")))
    print(f"The handbook is in {target / 'site' / 'index.html'}: {count} pages, {len(wrong)} faults.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:2])))
