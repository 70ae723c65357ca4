"""Make what a release consists of: ``python scripts/release.py [--draft] [--deb] [DIR]`` fills DIR (dist/).

An sdist; the wheel, built from that sdist; SBOM and licences of what ships; with --deb the Debian package; SHA256SUMS.
The wheel is then installed
into a fresh environment and asked for the rules of a game. A draft may be of a version that is not dated yet, and of a
tree with changes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import venv
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SUMS = "SHA256SUMS"


class Unready(Exception):
    """Why there can't be a release now, and what to do about it."""


def run(*words: str, cwd: Path = ROOT) -> str:
    """Run a command and return what it prints; `Unready` with what it said if it fails."""
    try:
        epoch = subprocess.run(
            ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
        env = {**os.environ, "SOURCE_DATE_EPOCH": epoch or "1796083200"}
        return subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, check=True).stdout
    except subprocess.CalledProcessError as error:
        raise Unready(f"{' '.join(words)} failed:\n{error.stdout}{error.stderr}") from error


def version() -> str:
    """Return the version from the one place where it stands."""
    found = re.search(r'__version__ = "([^"]+)"', (ROOT / "nomicwolf" / "__init__.py").read_text(encoding="utf-8"))
    assert found
    return found[1]


def demand_ready(changelog: str, status: str) -> None:
    """Raise `Unready` unless the *changelog* dates this version and git's *status* shows no changes."""
    if not re.search(rf"(?m)^## \[{re.escape(version())}\] - \d{{4}}-\d\d-\d\d$", changelog):
        raise Unready(f"CHANGELOG.md has no date for {version()}: write the day of the release behind it, and commit")
    if status:
        raise Unready(f"the tree has changes that are not committed; commit them:\n{status}")


def build(target: Path) -> tuple[Path, Path]:
    """Build the sdist, and from what is in it the wheel; return both."""
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(target))
    sdist = target / f"nomicwolf-{version()}.tar.gz"
    with tempfile.TemporaryDirectory() as place:
        with tarfile.open(sdist) as archive:
            archive.extractall(place, filter="data")
        (source,) = Path(place).iterdir()
        run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target), cwd=source)
    return sdist, target / f"nomicwolf-{version()}-py3-none-any.whl"


def install(package: Path, place: Path) -> Path:
    """Install *package* alone into a fresh environment at *place*; return its program.

    Nothing is downloaded: what it needs is lent by the environment that runs this.
    """
    venv.create(place)
    lent = sysconfig.get_path("purelib")
    (own,) = (place / "lib").glob("python*/site-packages")
    (own / "lent.pth").write_text(f"{lent}\n", encoding="utf-8")
    run(sys.executable, "-m", "pip", "--python", str(place / "bin" / "python"), "install", "--quiet",
        "--disable-pip-version-check", "--no-index", "--no-deps", "--no-build-isolation", str(package))
    return place / "bin" / "nomicwolf"


def try_out(wheel: Path) -> None:
    """Install the wheel and let it print a rule set, from a folder that is not the checkout."""
    with tempfile.TemporaryDirectory() as place:
        program = install(wheel, Path(place) / "env")
        said = run(str(program), "--version", cwd=Path(place))
        if said.split() != ["nomicwolf", version()]:
            raise Unready(f"the installed program calls itself {said!r}, not nomicwolf {version()}")
        run(str(program), "rules", "nomic-crossing", cwd=Path(place))


def sums(target: Path) -> None:
    """Write the hashes of all files, as ``sha256sum -c`` reads them."""
    files = sorted(f for f in target.iterdir() if f.name != SUMS and f.name.startswith(("nomicwolf-", "nomicwolf_")))
    text = "".join(f"{sha256(f.read_bytes()).hexdigest()}  {f.name}\n" for f in files)
    (target / SUMS).write_text(text, encoding="ascii")


def main(words: list[str]) -> int:
    """Make the release; return 1 and say why if there can't be one."""
    draft = "--draft" in words
    target = Path(next((w for w in words if not w.startswith("-")), ROOT / "dist")).absolute()
    target.mkdir(parents=True, exist_ok=True)
    try:
        if not draft:
            demand_ready((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), run("git", "status", "--porcelain"))
        _, wheel = build(target)
        try_out(wheel)
        print(run(sys.executable, "scripts/sbom.py", str(target)), end="")
        if "--deb" in words:
            print(run(sys.executable, "-m", "scripts.debian", str(wheel), str(target)), end="")
    except Unready as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    sums(target)
    print(f"nomicwolf {version()}{' (a draft)' if draft else ''} is in {target}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
