"""Make a Debian package: ``python -m scripts.debian WHEEL [DIR]`` writes nomicwolf_VERSION_ARCH.deb to DIR (dist/).

It holds the wheel and what requirements.lock names, as it is installed here, for this machine's kind and Debian's
Python of this minor version: Debian has most of these packages, in other versions. With it come a service and a timer
for each contest (``nomicwolf@NAME.timer``), their user, and the man page.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path

from nomicwolf import __version__
from scripts.sbom import locked

ROOT = Path(__file__).resolve().parents[1]
UNITS = ROOT / "nomicwolf/cli/systemd"
SITE = "usr/lib/nomicwolf/site"
HOME = "/var/lib/nomicwolf"
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
LAUNCHER = f"""\
#!/usr/bin/python3 -I
\"\"\"nomicwolf, with the packages that came with it.\"\"\"
import sys

sys.path.insert(0, "/{SITE}")
sys.argv[0] = "/usr/bin/nomicwolf"

from nomicwolf.cli.main import main  # noqa: E402 - its place is known only now

main()
"""
POSTINST = f"""\
#!/bin/sh
set -e
if [ "$1" = configure ] && ! getent passwd nomicwolf >/dev/null; then
  adduser --system --group --home {HOME} --shell /usr/sbin/nologin --quiet nomicwolf
fi
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
fi
"""
PRERM = """\
#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl stop 'nomicwolf@*.timer' || true
fi
"""
POSTRM = f"""\
#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
fi
if [ "$1" = purge ] && [ -d {HOME} ]; then
  echo "nomicwolf: the contests in {HOME} are left; remove them yourself if nobody needs them." >&2
fi
"""
COPYRIGHT = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: nomicwolf

Files: *
Copyright: nomicwolf contributors
License: MIT

Files: usr/lib/nomicwolf/site/*
Copyright: the authors of each package
License: each package's own
 The licences of all parts, and their texts, are in /usr/share/doc/nomicwolf/licences.txt.gz.
"""


def architecture() -> str:
    """Return what Debian calls this kind of machine."""
    return subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()


def fill(place: Path, wheel: Path, licences: str) -> None:
    """Lay out all files of the package below *place*."""
    site = place / SITE
    site.mkdir(parents=True)
    for name in locked((ROOT / "requirements.lock").read_text(encoding="utf-8")):
        _copy(name, site)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    for data in site.glob("nomicwolf-*.data"):
        shutil.rmtree(data)
    _write(place / "usr/bin/nomicwolf", LAUNCHER, 0o755)
    units = place / "usr/lib/systemd/system"
    _write(units / "nomicwolf@.service", (UNITS / "nomicwolf.service").read_text(encoding="utf-8").format(
        name="%i", user="nomicwolf", folder=f"{HOME}/%i", place=f"{HOME}/%i",
        command=f"/usr/bin/nomicwolf -C {HOME}/%i poll"))
    _write(units / "nomicwolf@.timer", (UNITS / "nomicwolf.timer").read_text(encoding="utf-8").format(name="%i"))
    _zipped(place / "usr/share/man/man1/nomicwolf.1.gz", (ROOT / "docs/nomicwolf.1").read_bytes())
    about = place / "usr/share/doc/nomicwolf"
    _zipped(about / "CHANGELOG.md.gz", (ROOT / "CHANGELOG.md").read_bytes())
    _zipped(about / "licences.txt.gz", licences.encode())
    ours = _indented((ROOT / "LICENSE").read_text(encoding="utf-8"))
    _write(about / "copyright", f"{COPYRIGHT}\nLicense: MIT\n{ours}")


def _copy(name: str, site: Path) -> None:
    """Copy an installed package, but for its programs and what Python makes by itself."""
    for file in distribution(name).files or ():
        parts = Path(file).parts
        if ".." in parts or "__pycache__" in parts or Path(file).suffix == ".pyc":
            continue
        target = site / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(str(file.locate()), target)


def _indented(text: str) -> str:
    return "".join(f" {line or '.'}\n" for line in text.splitlines())


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def _zipped(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data, mtime=0))


def control(size: int) -> str:
    """Return what Debian is told of the package, which takes *size* KiB."""
    major, minor = sys.version_info[:2]
    return f"""\
Package: nomicwolf
Version: {__version__}
Architecture: {architecture()}
Maintainer: nomicwolf contributors <contributors@nomicwolf.invalid>
Installed-Size: {size}
Depends: python3 (>= {PYTHON}), python3 (<< {major}.{minor + 1}), adduser, ca-certificates
Suggests: systemd | cron
Section: games
Priority: optional
Description: Werewolf by email, for nomics
 A cron job that keeps the game, the votes and the law of Werewolf contests
 that are played by email in the forums of nomics: IMAP in, a ledger, reports
 and awards by SMTP, a public archive.
 .
 Each contest is a folder below {HOME}; nomicwolf@NAME.timer polls
 the one called NAME.
"""


def make(wheel: Path, target: Path) -> Path:
    """Build the package of *wheel* into the folder *target*, and return it."""
    (licences,) = target.glob("nomicwolf-*-licences.txt")
    deb = target / f"nomicwolf_{__version__}_{architecture()}.deb"
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "package"
        place.mkdir(mode=0o755)
        fill(place, wheel, licences.read_text(encoding="utf-8"))
        size = sum(file.stat().st_size for file in place.rglob("*") if file.is_file()) // 1024
        _write(place / "DEBIAN/control", control(size))
        for name, text in (("postinst", POSTINST), ("prerm", PRERM), ("postrm", POSTRM)):
            _write(place / "DEBIAN" / name, text, 0o755)
        for path in place.rglob("*"):
            path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", str(place), str(deb)], check=True,
                       stdout=subprocess.DEVNULL)
    return deb


def main(words: list[str]) -> int:
    """Make it, and say where it is."""
    target = Path(words[1] if len(words) > 1 else ROOT / "dist").absolute()
    print(make(Path(words[0]), target))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
