"""Shell completion, and the program called with no words at all."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys

import pytest

PROGRAM = [sys.executable, "-c", "from nomicwolf.cli.main import main; main()"]
SHELLS = [shell for shell in ("bash", "zsh", "fish") if shell == "bash" or shutil.which(shell)]


def asked(words: str, word: int) -> list[str]:
    """Return what bash is offered for the *word*-th of *words*."""
    told = {**os.environ, "_NOMICWOLF_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(word)}
    done = subprocess.run(PROGRAM, env=told, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.parametrize(("words", "word", "offered"), [
    ("nomicwolf unse", 1, {"unsent"}),
    ("nomicwolf party a", 2, {"add", "alias", "address"}),
    ("nomicwolf unsent --ag", 2, {"--again"}),
    ("nomicwolf -C crossing wat", 3, {"watch"}),
])
def test_bash_is_offered_what_fits(words: str, word: int, offered: set[str]) -> None:
    """Commands, commands below commands, and options."""
    assert set(asked(words, word)) == offered


def test_completion_imports_nothing_heavy() -> None:
    """A shell asks at every press of Tab: neither the grammar nor the ledger is loaded for it."""
    code = "import sys, nomicwolf.cli.app; print(*sorted({'lark', 'sqlmodel', 'jinja2', 'textual'} & set(sys.modules)))"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


@pytest.mark.parametrize("shell", SHELLS)
def test_the_program_prints_its_completion(shell: str) -> None:
    """What ``--show-completion`` prints in a shell, which it looks for above it, can be read by that shell."""
    asking = f"{shlex.join([*PROGRAM, '--show-completion'])}; exit"
    done = subprocess.run([shell, "-c", asking], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "_NOMICWOLF_COMPLETE" in done.stdout
    assert subprocess.run([shell, "-n"], input=done.stdout, text=True, check=False).returncode == 0


def test_no_words_at_all_are_answered_with_the_help() -> None:
    """Whoever types the name alone is told what there is."""
    done = subprocess.run(PROGRAM, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "Usage: nomicwolf" in done.stderr
    assert "Traceback" not in done.stderr
