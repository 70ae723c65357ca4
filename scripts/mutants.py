"""Change the game a little, everywhere, and tell what no test notices: ``python -m scripts.mutants [MODULE ...]``.

mutmut makes the mutants, into the folder ``mutants/``, as ``[tool.mutmut]`` in ``pyproject.toml`` says. They are judged
here, faster than by mutmut itself: the tests are collected once, and a process is forked for each mutant, which runs
the tests that reach the changed function until one fails. A function that runs when its module is imported is judged
too: the modules of the laws, the roles and the rule sets are imported anew where it is changed.

``--again`` judges only what was not noticed before, by the newest tests first, ``--tests WORD`` only by tests with that
word in their name, ``--seconds N`` by no more of them than take so long, ``--jobs N`` in so many processes at once;
``--show`` prints what is known without judging anything.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from mutmut.__main__ import create_mutants
from mutmut.configuration import config
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state
from mutmut.utils.file_utils import copy_also_copy_files, copy_src_dir, setup_source_paths

VILLAGE = "nomicwolf.village."
BUILT = tuple(VILLAGE + part for part in ("extending", "laws", "roles", "rulesets", "words"))
"""What is imported anew for a function that runs at import: all that is put together out of others."""
EVERYWHERE = tuple(VILLAGE + part for part in ("extending", "roles.town", "rules", "words"))
"""Modules that all rule sets are made with: a change there can be noticed by any test."""
LOOKING = 5
"""A test that reaches fewer functions looks at what was made at import, or at nothing of the game."""
NOTICED, UNNOTICED, ENDLESS, UNREACHED = "noticed", "not noticed", "runs for ever", "reached by no test"


def main() -> int:
    """Make the mutants, judge those that are asked for, and print the scores."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("modules", nargs="*", help="such as laws.majority, or roles.*; all if none is given")
    asked.add_argument("--again", action="store_true")
    asked.add_argument("--tests", default="")
    asked.add_argument("--jobs", type=int, default=2)
    asked.add_argument("--seconds", type=float, default=1e9)
    asked.add_argument("--show", action="store_true")
    wanted = asked.parse_args()
    found = Path("mutants/found.json").resolve()
    if not wanted.show:
        subprocess.run([sys.executable, "-c", "from scripts.mutants import make; make()"], check=True)
        args = [*config().pytest_add_cli_args, "-s", "--tb=native", "--assert=plain", "--no-header",
                *config().pytest_add_cli_args_test_selection]
        os.chdir("mutants")
        sys.path.insert(0, str(Path.cwd()))
        set_mutant_under_test("stats")
        code = pytest.main(args, plugins=[Judging(wanted, found)])
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
    for module, counted in [*sorted(per.items()), ("all", sum(per.values(), Counter[str]()))]:
        seen = counted[NOTICED] + counted[ENDLESS]
        print(f"{module.removeprefix(VILLAGE):24} {counted.total():5} {seen:5} {counted.total() - seen:4} "
              f"{100 * seen / max(counted.total(), 1):4.0f} %")


def module_of(mutant: str) -> str:
    """Return the module of *mutant*: ``module.x_function__mutmut_3``, or ``module.xǁClassǁmethod__mutmut_3``."""
    return mutant.rpartition(".")[0]


def among(mutant: str, modules: Sequence[str]) -> bool:
    """Tell whether *mutant* is of one of *modules*, patterns below the village; none of them mean all."""
    return not modules or any(fnmatchcase(module_of(mutant), VILLAGE + m) for m in modules)


class Judging:
    """A pytest plugin that judges mutants in place of the usual run of the tests."""

    def __init__(self, wanted: argparse.Namespace, found: Path) -> None:
        self.wanted, self.file = wanted, found
        self.found: dict[str, list[str]] = json.loads(found.read_text("utf-8")) if found.exists() else {}
        self.reached: dict[str, set[str]] = {}
        self.took: dict[str, float] = {}
        self.looking: set[str] = set()
        self.age: dict[str, int] = {}
        self.noticing: Counter[tuple[str, str]] = Counter(
            (module_of(mutant), test) for mutant, (_, test) in self.found.items())

    def pytest_collection(self) -> None:
        """Don't look for the smallest example of a failure: that it fails is enough."""
        from hypothesis import Phase, settings  # not earlier: pytest rewrites its assertions when it is imported

        settings.register_profile("mutants", settings.get_profile("nomicwolf"), database=None,
                                  phases=(Phase.explicit, Phase.generate))
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Measure what each test reaches, then judge the mutants."""
        assert Path(str(sys.modules["nomicwolf"].__file__)).is_relative_to(Path.cwd()), "not the mutants' own tree"
        at_import = set(state()._stats)  # noqa: SLF001 - mutmut has no other name for it
        self.items = {item.nodeid: item for item in session.items}
        self._measure(self.file.with_name("reached.json"))
        gc.collect()
        gc.freeze()
        self._judge_all(at_import)
        return True

    def _measure(self, kept: Path) -> None:
        """Learn what each test reaches, and that it passes without any mutant; tests measured before are *kept*."""
        known = json.loads(kept.read_text("utf-8")) if kept.exists() else {}
        new = [name for name in self.items if name not in known]
        known |= run_apart(lambda: {name: self._reach(self.items[name]) for name in [*new[:1], *new]})
        self.age = {name: age for age, name in enumerate(known)}
        for name in self.items:
            functions, self.took[name] = known[name]
            if len(functions) < LOOKING:
                self.looking.add(name)
            for function in functions:
                self.reached.setdefault(function, set()).add(name)
        clean = run_apart(lambda: self._judge("", list(self.items), True))
        assert clean == [UNNOTICED, ""], f"a test fails without any mutant: {clean}"
        kept.write_text(json.dumps(known), "utf-8")

    def _reach(self, item: pytest.Item) -> tuple[list[str], float]:
        """Return the functions that *item* reaches, and how long it takes, in seconds."""
        reached = state()._stats  # noqa: SLF001 - mutmut has no other name for it
        reached.clear()
        began = time.process_time()
        set_mutant_under_test("stats")
        runtestprotocol(item, log=False, nextitem=None)
        return sorted(reached), time.process_time() - began

    def _judge_all(self, at_import: set[str]) -> None:
        running: dict[int, tuple[str, int]] = {}
        for mutant in self._asked():
            function = mutant.rpartition("__mutmut_")[0]
            again = function in at_import
            tests = self._tests(function, again, mutant in self.found)
            if not tests:
                self.found[mutant] = [UNREACHED, ""]
                continue
            while len(running) >= self.wanted.jobs:
                self._wait(running)
            pid, end = fork(partial(self._judge, mutant, tests, again))
            running[pid] = (mutant, end)
        while running:
            self._wait(running)
        self.file.write_text(json.dumps(self.found, indent=0, sort_keys=True), "utf-8")

    def _asked(self) -> Iterable[str]:
        mutants = [mutant.replace(".__init__.", ".") for meta in sorted(Path("nomicwolf/village").rglob("*.meta"))
                   for mutant in json.loads(meta.read_text("utf-8"))["exit_code_by_key"]]
        self.found = {mutant: self.found[mutant] for mutant in mutants if mutant in self.found}
        for module in self.wanted.modules or ["*"]:
            for mutant in mutants:
                old = self.found.get(mutant, [UNNOTICED, ""])[0]
                if among(mutant, [module]) and (not self.wanted.again or old in (UNNOTICED, UNREACHED)):
                    yield mutant

    def _tests(self, function: str, again: bool, judged: bool) -> list[str]:
        """Return the tests that reach *function*.

        For one that runs at import: all that reach its module, and those that only look at what was made. First come
        those that noticed other mutants of the module, then one of each test that has many cases; the quick before the
        slow.
        """
        reaching = set(self.reached.get(function, ()))
        module = module_of(function)
        if again and module.startswith(EVERYWHERE):
            reaching = set(self.items)
        elif again:
            reaching.update(*(names for f, names in self.reached.items() if module_of(f) == module))
            reaching = reaching | self.looking if reaching else set(self.items)
        rank = Counter[str]()
        order: dict[str, int] = {}
        for name in sorted(reaching, key=self.took.__getitem__):
            order[name] = rank[name.partition("[")[0]]
            rank[name.partition("[")[0]] += 1
        return sorted((name for name in reaching if self.wanted.tests in name), key=lambda name: (
            judged and -self.age[name], -self.noticing[module, name], order[name],
            not name.startswith("tests/village"), self.took[name]))

    def _judge(self, mutant: str, tests: Sequence[str], again: bool) -> list[str]:
        """Run *tests* with *mutant* in place; return the verdict, and the test that noticed it."""
        set_mutant_under_test(mutant)
        if again:
            try:
                build_anew()
            except Exception as wrong:  # noqa: BLE001 - whatever a mutant breaks
                return [NOTICED, f"at import: {wrong}"]
        began = time.process_time()
        for name in tests:
            if time.process_time() - began > self.wanted.seconds:
                break
            signal.setitimer(signal.ITIMER_PROF, 5 + 20 * self.took.get(name, 1.0))
            reports = runtestprotocol(self.items[name], log=False, nextitem=None)
            if any(r.failed for r in reports):
                return [NOTICED, name]
        return [UNNOTICED, ""]

    def _wait(self, running: dict[int, tuple[str, int]]) -> None:
        pid, status, used = os.wait4(-1, 0)
        mutant, end = running.pop(pid)
        with os.fdopen(end, encoding="utf-8") as pipe:
            said = pipe.read()
        verdict = json.loads(said) if said else [ENDLESS if os.WIFSIGNALED(status) else NOTICED, ""]
        self.found[mutant] = verdict
        self.noticing[module_of(mutant), verdict[1]] += 1
        self.file.write_text(json.dumps(self.found, indent=0, sort_keys=True), "utf-8")
        print(f"{used.ru_utime + used.ru_stime:6.2f} s", verdict[0], mutant, verdict[1], flush=True)


def build_anew() -> None:
    """Import laws, roles and rule sets again, and put what they make in the place of what there was, everywhere."""
    old = {name: sys.modules.pop(name) for name in sorted(sys.modules) if name.startswith(BUILT)}
    for name in old:
        importlib.import_module(name)
    new = {id(thing): vars(sys.modules[name])[key] for name, module in old.items() for key, thing in
           vars(module).items() if key in vars(sys.modules[name]) and not key.startswith("__")
           and not isinstance(thing, (bool, int, str, tuple, type(None)))}
    new |= {id(module): sys.modules[name] for name, module in old.items()}
    for name, module in sorted(sys.modules.items()):
        if name.startswith(("nomicwolf", "tests")) and module is not None:
            for key, thing in list(vars(module).items()):
                if id(thing) in new:
                    setattr(module, key, new[id(thing)])


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
            pipe.write(json.dumps(work()))
    finally:
        os._exit(0)


def run_apart(work: Callable[[], object]) -> Any:  # noqa: ANN401 - what JSON can say
    """Return what *work* gives in a process of its own."""
    pid, reading = fork(work)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        said = pipe.read()
    os.waitpid(pid, 0)
    return json.loads(said)


if __name__ == "__main__":
    sys.dont_write_bytecode = False  # building anew is many times faster with it
    sys.exit(main())
