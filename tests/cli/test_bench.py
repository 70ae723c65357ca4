"""``bench`` runs the table of a checkout, and says where there is none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import nomicwolf
from tests.cli.terminal import spawn

pytestmark = pytest.mark.slow

SHORT = ("bench", "--quick", "--rows", "votes", "--minutes", "1e-9")


def test_the_figures_are_one_object_on_standard_output() -> None:
    """The options are passed on, and the table stands on standard error."""
    done = spawn(*SHORT, "--json")
    out, err = done.communicate()

    assert done.returncode == 0
    figures = json.loads(out)
    assert (next(iter(figures)), figures["schema"], figures["rows"]) == ("schema", 1, [])
    assert [line.partition(":")[0] for line in figures["lacking"]] == ["votes"]
    assert b"figures are within reach" in err


def test_people_get_the_table() -> None:
    """On standard output, and nothing beside it."""
    out, err = spawn(*SHORT).communicate()
    assert (b"figures are within reach" in out, err) == (True, b"")


def test_a_long_run_says_beforehand_how_to_do_less() -> None:
    """Whoever calls it without ``--quick`` is told on standard error how long it takes at most."""
    out, err = spawn("bench", "--rows", "votes", "--minutes", "1e-9").communicate()
    assert b"figures are within reach" in out
    assert err == b"This takes up to 1e-09 minutes. Less is done with --quick, --rows votes,ledger or --minutes 3.\n"


def test_a_row_that_there_is_not_is_wrong_use() -> None:
    """Those that there are are named."""
    done = spawn("bench", "--rows", "chess")
    _, err = done.communicate()
    assert done.returncode == 2
    assert b"no row chess; there are polls, " in err


def test_a_package_without_its_sources_says_what_to_do(tmp_path: Path) -> None:
    """As an installed wheel is: status 1, and nothing on standard output that a program could take for figures."""
    installed = tmp_path / "nomicwolf"
    shutil.copytree(Path(nomicwolf.__file__).parent, installed, ignore=shutil.ignore_patterns("__pycache__"))
    done = spawn("bench", "--json", env={"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}, cwd=tmp_path)
    out, err = done.communicate()
    assert (done.returncode, out) == (1, b"")
    assert b"checkout of the sources" in err
