"""Commands that print rule sets, roles and setups."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nomicwolf.cli.base import NEEDS_YOU, WRONG_USE, Commands, Here, Json, RuleSet, fail, here
from nomicwolf.cli.output import complain, say, say_json, waiting
from nomicwolf.cli.queries import contest_of

if TYPE_CHECKING:
    from nomicwolf.village.kernel import Ruleset
    from nomicwolf.village.rules import Role

USUAL = "nomic-crossing"
"""The rule set that is asked about outside of a contest's folder."""
WIDTH = 72
"""Columns of a line."""

setup = Commands(help="Check, show, write and suggest files of roles and setups.")


def list_roles(
    ctx: typer.Context,
    ruleset: Annotated[str, typer.Argument(metavar="[RULESET]", help="The rule set; by default the contest's.")] = "",
    as_json: Json = False,
) -> None:
    """List the roles of a rule set, those of the contest's folder, and those of the library that fit it.

    Example: nomicwolf roles six-phases
    """
    from nomicwolf.village.rules import Refusal
    from nomicwolf.village.rulesets import library
    from nomicwolf.village.rulesets import ruleset as rules_called

    place = here(ctx)
    name = ruleset or (place.settings(mail=False).contest.ruleset if place.has_contest else USUAL)
    try:
        rules = rules_called(name)
    except Refusal as refused:
        fail(refused.why, WRONG_USE)
    files = _own_roles(place)
    own = [*_from_files(rules, files, "roles/")]
    rest = {name: text for name, text in library().items() if name not in rules.roles and name not in files}
    more = [*_from_files(rules, rest, "library/")]
    rows = [(role.name, role, "rule set", ()) for role in rules.roles.values()] + own + [m for m in more if m[1]]
    if as_json:
        say_json({"schema": 1, "ruleset": rules.name, "roles": [_as_json(*row) for row in rows]})
        return
    say("\n".join(_listed(rules, rows)))
    if any(problems for *_, problems in rows):
        raise typer.Exit(NEEDS_YOU)


@setup.command("check")
def setup_check(
    ctx: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of roles and setups.")],
    ruleset: Annotated[str, typer.Option(help="The rule set for the roles; by default any.")] = "",
) -> None:
    """Check whether roles and setups can be played, and list every fault.

    A setup that comes with the program is given by its name.

    Example: nomicwolf setup check roles/jailkeeper.toml
    """
    from nomicwolf.village.rules import Refusal

    told = set[str]()
    for file in files:
        try:
            said, problems = _checked(file, ruleset)
        except Refusal as refused:
            fail(refused.why, WRONG_USE)
        if problems:
            complain(tuple(problem for problem in problems if problem not in told))
            told |= {*problems}
        else:
            say(f"{file}: {said}")
    if told:
        raise typer.Exit(NEEDS_YOU)


def _checked(file: Path, ruleset: str) -> tuple[str, tuple[str, ...]]:
    """Return what is said of a file that can be played, and what is wrong with it."""
    from nomicwolf.reports.setups import fitting_rulesets, like_a_side
    from nomicwolf.village.rulesets import ruleset as rules_called

    text, problems = _file_text(file)
    if problems or (problems := _too_many(file)):
        return "", problems
    if not _is_role(text):
        return _checked_setup(file, text)
    fits, problems = fitting_rulesets(text, str(file), ruleset)
    sides = ", ".join(name for name in fits if like_a_side(file.stem, rules_called(name)))
    doubt = f"\n{file}: name: {file.stem} is a side in {sides}; give the role a name of its own" if sides else ""
    return f"a role that can be played in {', '.join(fits)}{doubt}", () if fits else problems


def _is_role(text: str) -> bool:
    """Return whether a file is meant for a role: only roles have a story, or a side."""
    return re.search(r"(?m)^(story|side|\[\[ *duty)", text) is not None


def _checked_setup(
    file: Path, text: str, own: Mapping[str, str] | None = None
) -> tuple[str, tuple[str, ...]]:
    from nomicwolf.reports.setups import checked_setup, doubts, player_range
    from nomicwolf.village.role_file import RoleError
    from nomicwolf.village.rules import Refusal

    try:
        found, rules, players = checked_setup(text, str(file), _beside(file) if own is None else own)
    except RoleError as error:
        return "", error.problems
    except Refusal as refused:
        return "", (f"{file}: {refused.why}",)
    said = f"a setup of {rules.name} that {player_range(players)} can play"
    return "\n".join((said, *doubts(found, rules, players, text, str(file)))), ()


def _file_text(file: Path) -> tuple[str, tuple[str, ...]]:
    """Return what is in *file*, or in the setup of the program that it names, or why it can't be read."""
    from nomicwolf.run.contest_setup import file_text
    from nomicwolf.village.role_file import RoleError
    from nomicwolf.village.rulesets import setups

    shipped = setups()
    if not file.exists() and str(file) in shipped:
        return shipped[str(file)], ()
    try:
        return file_text(file, str(file)), ()
    except RoleError as error:
        return "", error.problems
    except OSError as error:
        return "", (f"{file}: {error.strerror}; setups that come with the program are {', '.join(shipped)}",)


def _beside(file: Path) -> Mapping[str, str]:
    """Return the texts of the roles in the folder ``roles`` beside a setup; of one of the program's, none."""
    from nomicwolf.run.contest_setup import own_roles

    return own_roles(file.absolute().parent) if file.exists() else {}


def _too_many(file: Path) -> tuple[str, ...]:
    """Return that there are more roles beside a setup, or a role, than are read; () if there aren't."""
    from nomicwolf.run.contest_setup import MOST_ROLES

    roles = file.absolute().parent if file.absolute().parent.name == "roles" else file.absolute().parent / "roles"
    number = sum(1 for _ in roles.glob("*.toml"))
    return (f"{roles}: there are {number} files; {MOST_ROLES} are the most",) if number > MOST_ROLES else ()


@setup.command("show")
def setup_show(
    file: Annotated[Path, typer.Argument(
        metavar="SETUP", help="The file of a setup, or the name of one that comes with the program.")],
) -> None:
    """Print a setup as players will read it: who is dealt what, what each role does, how long stages last.

    Example: nomicwolf setup show four-cops
    """
    from nomicwolf.reports.setups import checked_setup, setup_page
    from nomicwolf.village.role_file import RoleError
    from nomicwolf.village.rules import Refusal

    text, problems = _file_text(file)
    if problems:
        fail(problems)
    try:
        say(setup_page(*checked_setup(text, str(file), _beside(file))))
    except RoleError as error:
        fail(error.problems)
    except Refusal as refused:
        fail(f"{file}: {refused.why}")


@setup.command("list")
def setup_list() -> None:
    """List the setups that come with the program: `setup show NAME` prints one.

    Example: nomicwolf setup list
    """
    from nomicwolf.reports.setups import checked_setup, player_range
    from nomicwolf.village.rulesets import setups

    for name, text in setups().items():
        found, rules, players = checked_setup(text, name, {})
        say(fill(f"{name}: {found.title}, {rules.name}, for {player_range(players)}. {found.about}", WIDTH,
                 subsequent_indent="    "))


@setup.command("new")
def setup_new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The new file.")],
    title: Annotated[str, typer.Option(help="What the setup is called.")] = "",
    ruleset: Annotated[str, typer.Option(help="The rule set.")] = "",
    players: Annotated[int, typer.Option(help="The number of players.", min=0)] = 0,
    roles: Annotated[str, typer.Option(help="Roles in play, separated by commas: mafioso=2,cop.")] = "",
) -> None:
    """Write a playable setup; on a terminal it asks for what isn't given.

    Example: nomicwolf setup new friday.toml --title Friday --ruleset six-phases --players 7 --roles mafioso=2,cop
    """
    from nomicwolf.village.rulesets import BUILT_IN

    if file.exists():
        fail(f"{file}: there is such a file; name another, or remove it", WRONG_USE)
    given = {"title": title, "ruleset": ruleset, "players": str(players or ""), "roles": roles}
    questions = {
        "title": "What is the setup called?", "ruleset": f"Which rule set ({', '.join(BUILT_IN)})?",
        "players": "How many play?", "roles": "Which roles, with commas (mafioso=2,cop; nomicwolf roles lists them)?"}
    answers = dict[str, str]()
    for option, question in questions.items():
        answers[option] = _answer(option, question, given[option], partial(_wrong_answer, file, option, answers))
    text = _written(**answers)
    said, problems = _checked_setup(file, text)
    if problems:
        fail(problems)
    file.write_text(text, encoding="utf-8")
    say(f"{file}: {said}")


def _answer(option: str, question: str, given: str, wrong: Callable[[str], tuple[str, ...]]) -> str:
    """Return what is *given*, or else what is answered on a terminal, as soon as there is nothing *wrong* with it."""
    terminal = sys.stdin.isatty()
    if not given and not terminal:
        fail(f"--{option} is missing: {question}", WRONG_USE)
    while True:
        answer = given or str(typer.prompt(question, prompt_suffix=" ")).strip()
        if not (problems := wrong(answer)):
            return answer
        if given:
            fail(problems)
        complain(problems)


def _wrong_answer(file: Path, option: str, before: Mapping[str, str], answer: str) -> tuple[str, ...]:
    """Return what is wrong with an answer by those *before* it; () if nothing is."""
    from nomicwolf.village.rules import Refusal
    from nomicwolf.village.rulesets import SETUP
    from nomicwolf.village.rulesets import ruleset as rules_called

    if option == "roles":
        odd = [part for part in answer.split(",") if not re.fullmatch(_ASKED, part.strip())]
        if odd:
            can = "a role, a role and a number as in mafioso=2, or rows to be drawn from as in cop+doctor|mason+mason"
            return (f"--roles: {odd[0].strip()!r}: write {can}",)
        problems = _checked_setup(file, _written(**before, roles=answer))[1]
        return tuple(re.sub(r"^.*?\.toml(, line \d+)?: ", "--roles: ", problem) for problem in problems)
    try:
        SETUP[option].form.read(int(answer) if option == "players" else answer)
        rules = rules_called(before.get("ruleset", answer)) if option != "title" else None
    except Refusal as refused:
        return (f"--{option}: {refused.why}",)
    except ValueError:
        return (f"--{option}: {answer!r} isn't allowed there; write {SETUP[option].can}",)
    if option == "players" and rules is not None and int(answer) < rules.smallest:
        return (f"--players: {rules.title} needs {rules.smallest}",)
    return ()


_ASKED = r"[a-z]+([ -][a-z]+)*( *= *[1-9]\d?)?|[a-z +|-]*\|[a-z +|-]*"
"""One item of an answer that lists roles."""


def _written(title: str, ruleset: str, players: str, roles: str) -> str:
    """Return the file of a setup with these answers, which may be wrong."""
    from nomicwolf.village.lots import is_choice, rows_of

    counts, choices = dict[str, str](), ""
    for part in (part.strip() for part in roles.split(",") if part.strip()):
        if is_choice(part):
            choices += f"\n[[choice]]\nrows = {json.dumps(rows_of(part))}\n"
            continue
        name, _, count = part.partition("=")
        counts[name.strip()] = count.strip() or "1"
    rows = "".join(f"{json.dumps(name) if ' ' in name else name} = {count}\n" for name, count in counts.items())
    said = [json.dumps(answer, ensure_ascii=False) for answer in (title, ruleset)]
    head = f"title = {said[0]}\nruleset = {said[1]}\nplayers = {players}\n"
    return f"{head}\n[roles]\n{rows}{choices}"


@setup.command("unpack")
def setup_unpack(
    ctx: typer.Context,
    pack: Annotated[Path, typer.Argument(metavar="PACK", help="A zip of roles/NAME.toml and of setups, NAME.toml.")],
) -> None:
    """Take the roles and setups of a pack into the contest's folder, if each of them can be played.

    Example: nomicwolf setup unpack friday.zip
    """
    from nomicwolf.run.contest_setup import read_pack, unpack
    from nomicwolf.village.role_file import RoleError, name_of

    try:
        texts = read_pack(pack)
        roles = {name_of(text): text for name, text in texts.items() if name.startswith("roles/")}
        own = {**_own_roles(here(ctx)), **roles}
        if problems := [problem for name, text in texts.items() for problem in _unplayable(Path(name), text, own)]:
            fail(problems)
        new = unpack(texts, here(ctx).folder)
    except RoleError as error:
        fail(error.problems)
    say("\n".join(f"{name}: {'new' if name in new else 'as it was'}" for name in texts) or f"{pack}: it is empty")


def _unplayable(file: Path, text: str, own: Mapping[str, str]) -> tuple[str, ...]:
    """Return why the *text* of a file can't be played, () if it can; *own* are the roles that are beside it."""
    from nomicwolf.reports.setups import fitting_rulesets

    if not str(file).startswith("roles/"):
        return _checked_setup(file, text, own)[1]
    fits, problems = fitting_rulesets(text, str(file))
    return () if fits else problems


@setup.command("editor")
def setup_editor(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="Where to write the page.")] = None,
    as_json: Json = False,
) -> None:
    """Write a page on which roles and setups are made by choosing, for any browser; or print what it checks by.

    Example: nomicwolf setup editor editor.html
    """
    from nomicwolf.reports.setups import page, rules_as_data

    if as_json:
        say_json(rules_as_data())
    elif file is None:
        fail("name the file to write: nomicwolf setup editor editor.html", WRONG_USE)
    else:
        file.write_text(page(), encoding="utf-8")
        say(f"{file}: open it in a browser")


@setup.command("suggest")
def setup_suggest(
    ruleset: RuleSet,
    players: Annotated[int, typer.Argument(help="How many play.", min=4, max=60)],
    games: Annotated[int, typer.Option(help="How many sessions of each to play.", min=10)] = 200,
    policy: Annotated[str, typer.Option(help="Whom the village lynches, as `odds` has it.")] = "believing",
    processes: Annotated[int, typer.Option(help="How many processes; 0 for one per processor.", min=0)] = 0,
) -> None:
    """Print the three most even setups for a number of players, the best one as a file.

    Example: nomicwolf setup suggest six-phases 9 --games 100
    """
    from nomicwolf.odds import as_setup, suggested
    from nomicwolf.village.rules import Refusal
    from nomicwolf.village.rulesets import ruleset as rules_called

    try:
        with waiting("Playing to see which are even"):
            found = suggested(ruleset, players, games=games, policy=policy, processes=processes or os.cpu_count() or 1)
        text = as_setup(found[0], f"Nearly even, for {players}", rules_called(ruleset))
    except Refusal as refused:
        fail(refused.why, WRONG_USE)
    for place, each in enumerate(found[:3], 1):
        say(f"# {place}. {', '.join(each.roles) or 'no roles'}: {each.in_words()}")
    say(f"# {games} sessions of each, policy {policy}: {found[0].assumed}")
    say(f"\n{text}".rstrip())


def _own_roles(place: Here) -> Mapping[str, str]:
    from nomicwolf.run.contest_setup import own_roles

    return own_roles(place.folder)


Row = tuple[str, "Role | None", str, tuple[str, ...]]
"""A role's name, the role, where it comes from, and what is wrong with it."""


def _from_files(rules: Ruleset, texts: Mapping[str, str], folder: str) -> Iterator[Row]:
    """Yield a row for each of *texts*: the role, or why it can't be played by *rules*."""
    from nomicwolf.reports.setups import checked_role
    from nomicwolf.village.role_file import RoleError

    for name, text in texts.items():
        where = f"{folder}{name}.toml"
        try:
            yield name, checked_role(text, rules, where), where, ()
        except RoleError as error:
            yield name, None, where, error.problems


def _as_json(name: str, role: Role | None, where: str, problems: tuple[str, ...]) -> dict[str, Any]:
    if role is None:
        return {"name": name, "from": where, "problems": list(problems)}
    return {"name": name, "from": where, "title": role.title, "side": role.side, "story": role.story,
            "deeds": [duty.written(passing=duty.may_pass) for duty in role.duties], "clauses": list(role.cites)}


def _listed(rules: Ruleset, rows: list[Row]) -> Iterator[str]:
    heads = {"rule set": f"Roles of {rules.title}", "roles": "Roles of the contest's folder",
             "library": "Roles of the library that can be played beside them"}
    last = ""
    for name, role, where, problems in rows:
        if (kind := where.partition("/")[0]) != last:
            yield f"{'' if not last else chr(10)}{heads[kind]}"
            last = kind
        if role is None:
            yield from (fill(problem, WIDTH, initial_indent="  ", subsequent_indent="    ") for problem in problems)
            continue
        yield fill(f"{name} ({role.side}): {role.story}", WIDTH, initial_indent="  ", subsequent_indent="    ")
        for duty in role.duties:
            yield fill(f"- {duty.written(passing=duty.may_pass)}", WIDTH, initial_indent="    ",
                       subsequent_indent="      ")


def print_rules(place: Here, name: str, *, switches: bool, as_json: bool) -> None:
    """Print the rule set called *name* as it is in force in *place*; with *switches* only what can be otherwise.

    In a contest's folder the switches are those of its session, or of its settings while none is played by these rules,
    or there is no ledger to read.
    """
    from nomicwolf.village.rules import Refusal
    from nomicwolf.village.rulesets import ruleset

    try:
        rules = ruleset(name)
    except Refusal as refused:
        fail(refused.why, WRONG_USE)
    values = in_force(place, rules)
    if as_json:
        say_json({
            "schema": 1, "name": rules.name, "title": rules.title, "smallest": rules.smallest,
            "roles": [{"name": r.name, "title": r.title, "side": r.side, "story": r.story,
                       "deeds": [d.written(passing=d.may_pass) for d in r.duties]} for r in rules.roles.values()],
            "switches": [{"name": s.name, "default": s.usual, "value": values[s.name], "values": list(s.values),
                          "decision": s.decision, "says": s.says} for s in rules.switches],
        })
        return
    say("\n".join(_switches_text(rules, values) if switches else _rules_text(rules, values)))


def in_force(place: Here, rules: Ruleset) -> Mapping[str, str]:
    """Return the value of each switch of *rules* in *place*: the usual ones where there is no contest."""
    from nomicwolf.contest.sessions import switches_for
    from nomicwolf.ledger.errors import LedgerError
    from nomicwolf.village.kernel import with_switches

    if not place.has_contest:
        return dict(with_switches(rules, {}))
    try:
        game = contest_of(place).game
    except LedgerError:
        game = None
    if game is not None and not game.over and game.opened is not None and game.opened.ruleset == rules.name:
        return game.switches
    return dict(with_switches(rules, switches_for(rules, place.settings(mail=False).switches)))


def _rules_text(rules: Ruleset, values: Mapping[str, str]) -> list[str]:
    from nomicwolf.data import clauses, contract_text
    from nomicwolf.village.rulesets import BUILT_IN

    lines = [rules.title, "=" * len(rules.title), "", "Roles", "-----"]
    for role in rules.roles.values():
        lines += ["", _wrapped(f"{role.title or role.name} ({role.side}). {role.story}")]
        lines += [_wrapped(f"- {duty.written(passing=duty.may_pass)}", "    ") for duty in role.duties]
    lines += ["", "Voting", "------", ""]
    for law in rules.laws:
        lines += [_wrapped(law.describes)] * bool(law.describes)
        lines += [_wrapped(f"- {duty.written(passing=duty.may_pass)}", "    ") for duty in law.duties]
    lines += ["", *_switches_text(rules, values)]
    if rules.name not in BUILT_IN:
        return lines
    lines += ["", "The contract", "------------"]
    for label, text in clauses(contract_text(rules.name)).items():
        lines += ["", _wrapped(f"{label}  {text}", "    ")]
    return lines


def _switches_text(rules: Ruleset, values: Mapping[str, str]) -> list[str]:
    lines = ["Switches", "--------"]
    for switch in rules.switches:
        value = values[switch.name]
        usual = "" if value == switch.usual else f"usually {switch.usual}"
        can = f"can be {', '.join(switch.values)}" if switch.values else ""
        notes = "; ".join(filter(None, (usual, can)))
        told = f"{switch.name} = {value}{f' ({notes})' if notes else ''}: {switch.says}. {switch.decision}"
        lines += ["", _wrapped(told, "    ")]
    return lines


def _wrapped(text: str, indent: str = "") -> str:
    return fill(text, WIDTH, subsequent_indent=indent)


def rules(
    ctx: typer.Context,
    ruleset: RuleSet,
    switches: Annotated[bool, typer.Option("--switches", help="The switches and their values.")] = False,
    as_json: Json = False,
) -> None:
    """Print a rule set in plain words: roles, phases, ways to vote, and the contest's switches.

    Example: nomicwolf rules nomic-crossing --switches
    """
    print_rules(here(ctx), ruleset, switches=switches, as_json=as_json)
