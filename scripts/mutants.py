"""Change the game a little, everywhere, and tell what no test notices: ``python -m scripts.mutants [MODULE ...]``.

mutmut makes the mutants, into the folder ``mutants/``, as ``[tool.mutmut]`` in ``pyproject.toml`` says. They are judged
here, faster than by mutmut itself: the tests are collected once, and a process is forked for each mutant, which runs
the tests that reach the changed line until one fails. A function that runs when its module is imported is judged too:
the modules of the laws, the roles and the rule sets are imported anew where it is changed.

``--again`` judges only what was not noticed before, ``--new`` only what was not judged yet, ``--tests REGEX`` only by
tests whose names match that, ``--seconds N`` by no more of them than take so long, ``--jobs N`` in so many
processes at once, and ``--made`` the mutants and the tests that are in the folder already; ``--show`` prints what is
known without judging anything, the scores as a table of Markdown's.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import importlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache, partial
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from mutmut.__main__ import create_mutants
from mutmut.configuration import config
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.utils.file_utils import copy_also_copy_files, copy_src_dir, setup_source_paths

from scripts.mutating import Lines, become, build_anew, changed_lines, function_of, functions_made, install, traced

VILLAGE = "nomicwolf.village."
BUILT = tuple(VILLAGE + part for part in ("laws", "rulesets"))
"""What is imported anew for a function that runs at import: all that is put together out of others."""
EVERYWHERE = (VILLAGE + "rules",)
"""Modules that all rule sets are made with: a change there can be noticed by any test."""
LOOKING = 30
"""A test that reaches fewer lines looks at what was made at import, or at nothing of the game."""
TRACED = 50_000
"""How many lines of a test are noted one by one."""
SAVING = 5
"""How long, in seconds, what is found may stay unwritten."""
NOTICED, UNNOTICED, ENDLESS, UNREACHED = "noticed", "not noticed", "runs for ever", "reached by no test"
BROKEN = "could not be judged"


def main() -> int:
    """Make the mutants, judge those that are asked for, and print the scores."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("modules", nargs="*", help="such as laws.majority, or roles.*; all if none is given")
    asked.add_argument("--again", action="store_true")
    asked.add_argument("--new", action="store_true")
    asked.add_argument("--made", action="store_true")
    asked.add_argument("--tests", default="")
    asked.add_argument("--jobs", type=int, default=2)
    asked.add_argument("--seconds", type=float, default=1e9)
    asked.add_argument("--show", action="store_true")
    wanted = asked.parse_args()
    found = Path("mutants/found.json").resolve()
    if not wanted.show:
        if not wanted.made:
            subprocess.run([sys.executable, "-c", "from scripts.mutants import make; make()"], check=True)
        args = [*config().pytest_add_cli_args, "-s", "--tb=no", "--assert=plain", "--no-header",
                *config().pytest_add_cli_args_test_selection]
        os.chdir("mutants")
        sys.path.insert(0, str(Path.cwd()))
        install()
        with traced(str(Path("nomicwolf/village").resolve())) as seen:
            for file in sorted(Path("nomicwolf/village").rglob("*.py")):
                importlib.import_module(".".join(file.with_suffix("").parts).removesuffix(".__init__"))
        code = pytest.main(args, plugins=[Judging(wanted, found, frozenset(seen))])
        if code:
            return int(code)
    show(json.loads(found.read_text("utf-8")), wanted.modules)
    return 0


def make() -> None:
    """Write the mutants of what ``[tool.mutmut]`` names, and copy the tests, into the folder ``mutants``."""
    set_mutant_under_test("mutant_generation")
    Path("mutants").mkdir(exist_ok=True)
    copy_src_dir()
    copy_also_copy_files()
    setup_source_paths()
    create_mutants(2)


def show(found: Mapping[str, Sequence[str]], modules: Sequence[str]) -> None:
    """Print each mutant that no test noticed, and then the score of each module."""
    per: dict[str, Counter[str]] = {}
    for mutant, (verdict, _) in sorted(found.items()):
        if not among(mutant, modules):
            continue
        per.setdefault(module_of(mutant), Counter())[verdict] += 1
        if verdict not in (NOTICED, ENDLESS):
            print(f"{verdict}: {mutant}")
    print("\n| module | mutants | noticed | not noticed | score |\n|---|---|---|---|---|")
    for module, counted in [*sorted(per.items()), ("all of these", sum(per.values(), Counter[str]()))]:
        seen = counted[NOTICED] + counted[ENDLESS]
        name = f"`{module.removeprefix(VILLAGE)}`" if "." in module else module
        print(f"| {name} | {counted.total()} | {seen} | {counted.total() - seen} | "
              f"{100 * seen / max(counted.total(), 1):.1f} % |")


def module_of(mutant: str) -> str:
    """Return the module of *mutant*: ``module.x_function__mutmut_3``, or ``module.xǁClassǁmethod__mutmut_3``."""
    return mutant.rpartition(".")[0]


def among(mutant: str, modules: Sequence[str]) -> bool:
    """Tell whether *mutant* is of one of *modules*, patterns below the village; none of them mean all."""
    return not modules or any(fnmatchcase(module_of(mutant), VILLAGE + m) for m in modules)


class Judging:
    """A pytest plugin that judges mutants in place of the usual run of the tests."""

    def __init__(self, wanted: argparse.Namespace, found: Path, at_import: Lines) -> None:
        self.wanted, self.file, self.at_import = wanted, found, at_import
        self.found: dict[str, list[str]] = json.loads(found.read_text("utf-8")) if found.exists() else {}
        self.saved = time.monotonic()
        self.reached: dict[tuple[str, int], set[str]] = {}
        self.in_file: dict[str, set[str]] = {}
        self.took: dict[str, float] = {}
        self.looking: set[str] = set()
        self.rank: dict[str, int] = {}
        self.made: dict[int, list[FunctionType]] = {}
        self.noticing: Counter[tuple[str, str]] = Counter()
        for mutant, (_, test) in self.found.items():
            self._learn(mutant, test)

    def pytest_collection(self) -> None:
        """Don't look for the smallest example of a failure: that it fails is enough."""
        from hypothesis import HealthCheck, Phase, settings  # not earlier: pytest has to rewrite its assertions

        settings.register_profile("mutants", settings.get_profile("nomicwolf"), database=None,
                                  phases=(Phase.explicit, Phase.generate), suppress_health_check=list(HealthCheck))
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Measure what each test reaches, then judge the mutants."""
        assert Path(str(sys.modules["nomicwolf"].__file__)).is_relative_to(Path.cwd()), "not the mutants' own tree"
        self.items = {item.nodeid: item for item in session.items if re.search(self.wanted.tests, item.nodeid)}
        self._measure(self.file.with_name("reached.json"))
        self.made = functions_made()
        gc.collect()
        gc.freeze()
        self._judge_all()
        return True

    def _measure(self, kept: Path) -> None:
        """Learn what each test reaches, and that it passes without any mutant; what was measured before is *kept*."""
        tree = Path("nomicwolf")
        now = {name: fingerprint([*sorted(tree.rglob("*.py")), item.path]) for name, item in self.items.items()}
        known = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
        new = [name for name in self.items if name not in known or known[name][0] != now[name]]
        if new:
            print(f"measuring {len(new)} tests", flush=True)
            reached = run_apart(lambda: {name: self._reach(self.items[name]) for name in [*new[:1], *new]})
            known |= {name: [now[name], *reached[name]] for name in new}
            kept.write_text(json.dumps(known), "utf-8")
        for name in self.items:
            _, files, self.took[name] = known[name]
            if sum(map(len, files.values())) < LOOKING:
                self.looking.add(name)
            for file, numbers in files.items():
                self.in_file.setdefault(str(Path(file).resolve()), set()).add(name)
                for line in numbers:
                    self.reached.setdefault((str(Path(file).resolve()), line), set()).add(name)
        ranks = Counter[str]()
        for name in sorted(self.items, key=self.took.__getitem__):
            self.rank[name] = ranks[name.partition("[")[0]]
            ranks[name.partition("[")[0]] += 1

    def _reach(self, item: pytest.Item) -> tuple[dict[str, list[int]], float]:
        """Return the lines of the game that *item* reaches, by file, and about how long it takes, in seconds.

        Raise where it fails without any mutant.
        """
        began = time.process_time()
        with traced(str(Path("nomicwolf/village").resolve()), TRACED) as seen:
            reports = runtestprotocol(item, log=False, nextitem=None)
        failed = [r for r in reports if r.failed]
        if failed:
            raise RuntimeError(f"a test fails without any mutant: {item.nodeid}: {failed[0].longreprtext}")
        found: dict[str, list[int]] = {}
        for file, line in sorted(seen):
            found.setdefault(str(Path(file).relative_to(Path.cwd())), []).append(line)
        return found, (time.process_time() - began) / 2

    def _judge_all(self) -> None:
        running: dict[int, tuple[str, int]] = {}
        for mutant in self._asked():
            tests = self._tests(mutant)
            if not tests:
                self.found[mutant] = [UNREACHED, ""]
                continue
            while len(running) >= self.wanted.jobs:
                self._wait(running)
            pid, end = fork(partial(self._judge, mutant, tests))
            running[pid] = (mutant, end)
        while running:
            self._wait(running)
        self._save()

    def _save(self) -> None:
        self.file.write_text(json.dumps(self.found, indent=0, sort_keys=True), "utf-8")
        self.saved = time.monotonic()

    def _asked(self) -> Iterable[str]:
        mutants = [mutant.replace(".__init__.", ".") for meta in sorted(Path("nomicwolf/village").rglob("*.meta"))
                   for mutant in json.loads(meta.read_text("utf-8"))["exit_code_by_key"]]
        self.found = {mutant: self.found[mutant] for mutant in mutants if mutant in self.found}
        given: set[str] = set()
        for module in self.wanted.modules or ["*"]:
            for mutant in [m for m in mutants if m not in given]:
                verdict = self.found.get(mutant, [""])[0]
                new = not verdict or not self.wanted.new
                if among(mutant, [module]) and new and (not self.wanted.again or verdict not in (NOTICED, ENDLESS)):
                    given.add(mutant)
                    yield mutant

    def _tests(self, mutant: str) -> list[str]:
        """Return the tests that reach what *mutant* changes, those first that promise most for the time they take.

        That are the quick ones, one of each test that has many cases, those that noticed other mutants of the function
        or at least of its module, and those that reach the very line. What runs at import alone is looked at by all
        that reach its module, and by those that only look at what was made.
        """
        exact, around, whole = (
            set().union(*(self.reached.get(line, ()) for line in lines)) for lines in changed_lines(mutant))
        weight = dict.fromkeys(exact | around or whole, 4.0)
        if whole_at_import := self.at_import & changed_lines(mutant)[2]:
            file = next(iter(whole_at_import))[0]
            everywhere = module_of(mutant).startswith(EVERYWHERE)
            more = set(self.items) if everywhere else self.in_file.get(file, set()) | self.looking
            weight = dict.fromkeys(more, 8.0) | weight | dict.fromkeys(self.looking, 1.0)
        weight |= dict.fromkeys(exact, 1.0)
        function, module = function_of(mutant), module_of(mutant)
        return sorted(weight, key=lambda name: (
            weight[name] * (self.took[name] + 0.002) * (1 + self.rank[name])
            / (1 + 4 * self.noticing[function, name] + self.noticing[module, name])))

    def _judge(self, mutant: str, tests: Sequence[str]) -> list[str]:
        """Run *tests* with *mutant* in place; return the verdict, and the test that noticed it."""
        complete = become(mutant, self.made)
        if not complete and self.at_import & changed_lines(mutant)[2]:
            try:
                build_anew(mutant, BUILT)
            except Exception as wrong:  # noqa: BLE001 - whatever a mutant breaks
                return [NOTICED, f"at import: {wrong}"]
        began = time.process_time()
        for name in tests:
            left = self.wanted.seconds - (time.process_time() - began)
            if self.took[name] > left:
                continue
            signal.setitimer(signal.ITIMER_PROF, 2 + 20 * self.took[name])
            reports = runtestprotocol(self.items[name], log=False, nextitem=None)
            if any(r.failed for r in reports):
                return [NOTICED, name]
        return [UNNOTICED, ""]

    def _learn(self, mutant: str, test: str) -> None:
        self.noticing[module_of(mutant), test] += 1
        self.noticing[function_of(mutant), test] += 1

    def _wait(self, running: dict[int, tuple[str, int]]) -> None:
        pid, status, used = os.wait4(-1, 0)
        mutant, end = running.pop(pid)
        with os.fdopen(end, encoding="utf-8") as pipe:
            said = pipe.read()
        verdict = json.loads(said) if said else [ENDLESS if os.WIFSIGNALED(status) else BROKEN, ""]
        self.found[mutant] = verdict
        self._learn(mutant, verdict[1])
        if time.monotonic() - self.saved > SAVING:
            self._save()
        print(f"{used.ru_utime + used.ru_stime:6.2f} s", verdict[0], mutant, verdict[1], flush=True)


def fingerprint(files: Iterable[Path]) -> str:
    """Return what changes when one of *files* does."""
    return hashlib.sha256(repr([_digest(f) for f in files]).encode()).hexdigest()[:16]


@lru_cache
def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def fork(work: Callable[[], object]) -> tuple[int, int]:
    """Do *work* in a process of its own; return its number, and where its answer can be read."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    try:
        with os.fdopen(writing, "w", encoding="utf-8") as pipe:
            try:
                said = work()
            except Exception as wrong:  # noqa: BLE001 - told by whoever waits
                said = [BROKEN, f"{type(wrong).__name__}: {wrong}"]
            pipe.write(json.dumps(said))
    finally:
        os._exit(0)


def run_apart(work: Callable[[], object]) -> Any:  # noqa: ANN401 - what JSON can say
    """Return what *work* gives in a process of its own."""
    pid, reading = fork(work)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        said = pipe.read()
    os.waitpid(pid, 0)
    answer = json.loads(said)
    if isinstance(answer, list) and answer[0] == BROKEN:
        raise RuntimeError(answer[1])
    return answer


if __name__ == "__main__":
    sys.dont_write_bytecode = False  # building anew is many times faster with it
    sys.exit(main())
