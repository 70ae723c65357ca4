"""A role's file tried out: whether it can be played, and its words are read as its deeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from nomicwolf.language.lexicon import OwnFrame, lexicon
from nomicwolf.language.reader import read
from nomicwolf.reading.deeds import People
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.role_file import RoleError, checked, terms_of
from nomicwolf.village.rules import Refusal, Role
from nomicwolf.village.rulesets import BUILT_IN, library, ruleset

_PEOPLE = People(("Gus", "Hal"), author="Hal")
_TRIED = ("{} Gus", "I {} Gus.")
_DENIED = "I do not {} Gus."


def tried(text: str, rules: Ruleset, place: str) -> Role:
    """Return the role in the file *place* for *rules*; raise `RoleError` with everything that is wrong with it."""
    role = checked(text, terms_of(rules), place)
    if problems := tuple(f"{place}: {fault}" for fault in _unread(role)):
        raise RoleError(problems)
    return role


def texts_of(rules: Ruleset, roles: Sequence[str], own: Mapping[str, str]) -> tuple[str, ...]:
    """Return the text of each of *roles* that *rules* has not: one of a contest's *own*, or of the library.

    Raises `Refusal` for a file of the contest's that can't be used, or has the name of a role of the rule set's.
    """
    names = dict.fromkeys(rules.listed(item).rpartition("=")[2].strip() for item in roles)
    if twice := [name for name in names if name in rules.roles and name in own]:
        raise Refusal(f"roles/{twice[0]}.toml: {rules.name} has a role called {twice[0]}; give yours another name.")
    every = {**library(), **own}
    found = {name: every[name] for name in names if name not in rules.roles and name in every}
    for name, text in found.items():
        tried(text, rules, f"roles/{name}.toml")
    return tuple(found.values())


def fitting(text: str, place: str, name: str = "") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the rule sets that a role's file fits, of all or of the one called *name*, and what is wrong for the rest.

    Raises `Refusal` if there is no rule set of that name.
    """
    fits, problems = list[str](), dict[str, None]()
    for each in (name,) if name else BUILT_IN:
        try:
            tried(text, ruleset(each), place)
        except RoleError as error:
            problems |= dict.fromkeys(error.problems)
        else:
            fits.append(each)
    return tuple(fits), tuple(problems)


def _unread(role: Role) -> Iterator[str]:
    """Yield which words of the file would not be read as the deed that they are for, by who holds the role."""
    duties = [duty for duty in role.duties if not duty.hears]
    frames = tuple(OwnFrame(duty.verb, duty.words, not duty.changeable) for duty in duties)
    for duty in duties:
        for word in (duty.verb, *duty.words):
            key = "verb" if word == duty.verb else "words"
            if _means_otherwise(word):
                yield f"{key}: {word!r} can't be used, for it has another part in sentences; take another"
            elif wrong := next((said for said in _wanted(word) if _read(said, role, frames) != (duty.verb, "Gus")), ""):
                yield f"{key}: {word!r} can't be used, for {wrong!r} would not be read as {duty.verb} Gus; take another"
            elif _read(_DENIED.format(word), role, frames):
                yield f"{key}: {word!r} can't be used, for {_DENIED.format(word)!r} would be read as done; take another"


def _wanted(word: str) -> tuple[str, ...]:
    return tuple(form.format(word) for form in _TRIED)


def _means_otherwise(word: str) -> bool:
    """Return whether *word* holds sentences together (``not``, ``for``), so that it can't be a verb beside."""
    entry = lexicon().entries.get(word)
    return entry is not None and (bool(entry.marks) or any(not s.frame and not s.form for s in entry.senses))


def _read(said: str, role: Role, frames: tuple[OwnFrame, ...]) -> tuple[str, ...]:
    """Return the verb and the names of the deed that *said* is read as, () if it is none, or several."""
    verbs = frozenset(frame.verb for frame in frames)
    deeds = read(((1, said),), _PEOPLE, to="contestmaster", role=role.name, open_verbs=verbs, own=frames).deeds
    return (deeds[0].verb, *deeds[0].names) if len(deeds) == 1 else ()
