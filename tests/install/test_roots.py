"""The Debian package, the wheel and the image, each installed where nothing of nomicwolf was before, and run there."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import nomicwolf

ROOT = Path(__file__).resolve().parents[2]
ROOTS = (ROOT / os.environ["NOMICWOLF_ROOTS"]).absolute()
DIST = ROOT / "dist"
WHEEL = DIST / f"nomicwolf-{nomicwolf.__version__}-py3-none-any.whl"
INIT = ("--yes", "--contestmaster", "Murphy", "--address", "murphy@example.org", "--contest-address",
        "wolf@example.org", "--imap", "imap.example.org", "--smtp", "smtp.example.org", "--forum",
        "agora=agora@example.org")
BUILDAH = ("buildah", "--storage-driver", "vfs")


def ran(*words: str | Path, **more: str) -> str:
    """Run a command and return what it prints; AssertionError with all of that if it fails."""
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, **more})
    assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def deb() -> Path:
    """Return the package that was built."""
    (found,) = DIST.glob(f"nomicwolf_{nomicwolf.__version__}_*.deb")
    return found


@pytest.fixture(scope="module")
def debian(deb: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a Debian in which the package is installed, and nothing else beyond what that needs."""
    place = tmp_path_factory.mktemp("root") / "debian"
    ran("cp", "--archive", ROOTS / "debian", place)
    shutil.copy(deb, place / "tmp")
    ran("chroot", place, "dpkg", "--install", f"/tmp/{deb.name}")
    yield place
    shutil.rmtree(place)


def inside(place: Path, *words: str, user: str = "nomicwolf") -> str:
    """Run a command in a root as a user."""
    return ran("chroot", "--userspec", f"{user}:nogroup", place, "/usr/bin/env", "-i", "PATH=/usr/bin:/bin",
               "HOME=/var/lib/nomicwolf", *words)


def test_the_package_runs(debian: Path) -> None:
    """As its own user, from its own files, with the rules and the language."""
    assert inside(debian, "nomicwolf", "--version") == f"nomicwolf {nomicwolf.__version__}\n"
    assert "The Werewolves of Nomic Crossing" in inside(debian, "nomicwolf", "rules", "nomic-crossing")
    assert '"verb":"vote"' in inside(
        debian, "nomicwolf", "read", "--json", "--text", "I vote for Gus.", "--players", "Ash,Gus").replace(" ", "")


def test_a_contest_is_founded_there(debian: Path) -> None:
    """In the user's own home; a poll of it says what is wrong with the mailbox and nothing else."""
    inside(debian, "nomicwolf", "init", "/var/lib/nomicwolf/crossing", *INIT)
    assert "/usr/bin/nomicwolf -C /var/lib/nomicwolf/crossing poll" in (
        debian / "var/lib/nomicwolf/crossing/crontab").read_text()
    assert "no session" in inside(debian, "nomicwolf", "-C", "/var/lib/nomicwolf/crossing", "status").lower()
    owner = (debian / "var/lib/nomicwolf/crossing/contest.db").stat()
    assert owner.st_mode & 0o777 == 0o600


def test_its_units_are_sound(debian: Path, tmp_path: Path) -> None:
    """Nothing is wrong with service and timer in systemd's own eyes, for a contest called crossing."""
    units = debian / "usr/lib/systemd/system"
    for kind in ("service", "timer"):
        text = (units / f"nomicwolf@.{kind}").read_text()
        (tmp_path / f"nomicwolf@crossing.{kind}").write_text(text.replace("/usr/bin/nomicwolf ", "/bin/true "))
    assert "ExecStart=/usr/bin/nomicwolf -C /var/lib/nomicwolf/%i poll\n" in (units / "nomicwolf@.service").read_text()
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *map(str, tmp_path.iterdir())], capture_output=True, text=True,
        check=False)
    assert [line for line in done.stderr.splitlines() if "nomicwolf" in line] == []


def test_its_man_page_is_found(debian: Path) -> None:
    """By man, in its place."""
    assert inside(debian, "man", "-w", "nomicwolf").strip() == "/usr/share/man/man1/nomicwolf.1.gz"


def test_its_licences_come_with_it(debian: Path) -> None:
    """Ours, and those of all that it brings."""
    about = debian / "usr/share/doc/nomicwolf"
    assert "License: MIT" in (about / "copyright").read_text()
    assert (about / "licences.txt.gz").stat().st_size > 1000


def test_it_goes_without_a_trace_but_the_contests(debian: Path) -> None:
    """Purged, the contests stay, and it says so; installed again, it goes on with them."""
    home = debian / "var/lib/nomicwolf/kept"
    home.mkdir(parents=True)
    purge = ["chroot", str(debian), "dpkg", "--purge", "nomicwolf"]
    said = subprocess.run(purge, capture_output=True, text=True, check=True)
    assert "the contests in /var/lib/nomicwolf are left" in said.stderr
    assert home.is_dir()
    assert not (debian / "usr/lib/nomicwolf/site/nomicwolf").exists()
    assert not (debian / "usr/bin/nomicwolf").exists()
    (package,) = (debian / "tmp").glob("nomicwolf_*.deb")
    ran("chroot", debian, "dpkg", "--install", f"/tmp/{package.name}")
    assert inside(debian, "nomicwolf", "--version").startswith("nomicwolf ")


@pytest.mark.parametrize("tool", ["pipx", "uv"])
def test_the_wheel(tool: str, tmp_path: Path) -> None:
    """By pipx and by uv, each into an environment of its own, from the locked wheels alone."""
    tools = ROOTS / "tools" / "bin"
    more = {"PIPX_HOME": str(tmp_path / "pipx"), "PIPX_BIN_DIR": str(tmp_path / "bin"),
            "UV_TOOL_DIR": str(tmp_path / "uv"), "UV_TOOL_BIN_DIR": str(tmp_path / "bin"),
            "UV_CACHE_DIR": str(tmp_path / "cache")}
    wheels = str(ROOTS / "wheels")
    if tool == "pipx":
        ran(tools / "pipx", "install", "--pip-args", f"--no-index --find-links {wheels}", WHEEL, **more)
    else:
        ran(tools / "uv", "tool", "install", "--no-index", "--find-links", wheels, WHEEL, **more)
    program = tmp_path / "bin" / "nomicwolf"
    assert ran(program, "--version") == f"nomicwolf {nomicwolf.__version__}\n"
    assert "Nomic Crossing" in ran(program, "rules", "nomic-crossing")
    ran(program, "init", tmp_path / "crossing", *INIT)
    assert "no session" in ran(program, "-C", tmp_path / "crossing", "status").lower()


@pytest.fixture(scope="module")
def image(deb: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Build the image on the Debian root; return its name."""
    context = tmp_path_factory.mktemp("context")
    shutil.copy(deb, context)
    base = ran(*BUILDAH, "from", "scratch").strip()
    ran(*BUILDAH, "copy", "--quiet", base, str(ROOTS / "debian"), "/")
    ran(*BUILDAH, "commit", "--quiet", "--rm", base, "localhost/nomicwolf-base")
    ran(*BUILDAH, "build", "--isolation", "chroot", "--build-arg", "BASE=localhost/nomicwolf-base", "--pull-never",
        "--tag", "localhost/nomicwolf", "--file", str(ROOT / "examples/contest/Containerfile"), str(context))
    yield "localhost/nomicwolf"
    ran(*BUILDAH, "rmi", "localhost/nomicwolf", "localhost/nomicwolf-base")


def test_the_image(image: str) -> None:
    """It runs as a user without rights, with the contest's folder as its volume; by itself it polls."""
    parts = " ".join(f"{{{{.OCIv1.Config.{name}}}}}" for name in ("User", "Entrypoint", "Cmd", "Volumes"))
    said = ran(*BUILDAH, "inspect", "--type", "image", "--format", parts, image)
    assert said.split()[0] == "nomicwolf"
    assert "[/usr/local/bin/contest] [poll]" in said
    assert "/contest" in said
    container = ran(*BUILDAH, "from", "--pull-never", image).strip()
    try:
        def demand(line: str) -> None:
            """Run a line of shell in there; by its status, for buildah may lose what a short command prints."""
            ran(*BUILDAH, "run", "--isolation", "chroot", container, "--", "sh", "-ec", line)

        demand(f'test "$(/usr/local/bin/contest --version)" = "nomicwolf {nomicwolf.__version__}"')
        demand(shlex.join(("nomicwolf", "init", "/contest/crossing", *INIT)))
        demand("nomicwolf -C /contest/crossing status | grep -qi 'no session'")
        demand('test "$(id -un)" = nomicwolf')
    finally:
        ran(*BUILDAH, "rm", container)
