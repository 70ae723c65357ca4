"""Draw the handbook's pictures of an archive: ``python scripts/pictures.py ARCHIVE``, say the archive of a demo.

Headless Chromium opens the main pages, on a wide screen and on a phone, light and dark. Look at them before you commit
them.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
PICTURES = (
    ("archive-contest", "index.html", 1440, 1000, "light"),
    ("archive-day", "session-1/day-1.html", 1440, 1000, "light"),
    ("archive-session-dark", "session-1/index.html", 1440, 1200, "dark"),
    ("archive-letters", "letters/session-1.html", 1440, 1000, "light"),
    ("archive-phone", "session-1/day-1.html", 360, 760, "light"),
    ("archive-phone-dark", "index.html", 360, 760, "dark"),
)
"""Name, page, width and height of the screen in CSS pixels, colour scheme."""


def main(archive: Path) -> int:
    """Write the pictures; return 1 if there is no browser."""
    browser = shutil.which("chromium")
    if browser is None:
        print("no Chromium here: as root, apt-get install chromium", file=sys.stderr)
        return 1
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--headless", "--no-sandbox"])
        for name, path, width, height, scheme in PICTURES:
            page = opened.new_page(
                viewport={"width": width, "height": height}, color_scheme="dark" if scheme == "dark" else "light",
                device_scale_factor=2 if width < 600 else 1)
            page.goto((archive / path).resolve().as_uri())
            if "day" in path:
                page.locator("svg.votes:visible").first.scroll_into_view_if_needed()
            page.screenshot(path=IMAGES / f"{name}.png")
            page.close()
        opened.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
