"""A role's file tried out: whether it can be played, and its words are read as its deeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from nomicwolf.language.lexicon import OwnFrame, lexicon
from nomicwolf.language.reader import frame_of, own_duties, read
from nomicwolf.language.values import NOBODY
from nomicwolf.reading.deeds import People
from nomicwolf.village.kernel import Ruleset
from nomicwolf.village.role_file import RoleError, checked, terms_of
from nomicwolf.village.rules import Refusal, Role
from nomicwolf.village.rulesets import BUILT_IN, library, ruleset

_PEOPLE = People(("Gus", "Hal", "Ida"), author="Hal")
_TRIED = {"person": (" Gus", ("Gus",)), "pair": (" Gus and Ida", ("Gus", "Ida")), "nothing": ("", ())}
"""What stands behind the verb of a deed that takes so much, and whom that names."""


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
    duties = own_duties(role.duties)
    frames = tuple(map(frame_of, duties))
    for duty in duties:
        object_, names = _TRIED[frame_of(duty).takes]
        for word in (duty.verb, *duty.words):
            key = "verb" if word == duty.verb else "words"
            if _means_otherwise(word):
                yield f"{key}: {word!r} can't be used, for it has another part in sentences; take another"
            elif wrong := next((said for said in (f"{word}{object_}", f"I {word}{object_}.")
                                if _read(said, role, frames) != (duty.verb, *names)), ""):
                meant = f"{duty.verb}{object_}"
                yield f"{key}: {word!r} can't be used, for {wrong!r} would not be read as {meant}; take another"
            elif _read(said := f"I do not {word}{object_}.", role, frames, done=True):
                yield f"{key}: {word!r} can't be used, for {said!r} would be read as done; take another"


def _means_otherwise(word: str) -> bool:
    """Return whether *word* holds sentences together (``not``, ``for``), so that it can't be a verb beside.

    Words by which one vote follows another may be: those are the Tracker's, too.
    """
    entry = lexicon().entries.get(word)
    marks = entry.marks - {"tracks"} if entry is not None else set[str]()
    return entry is not None and (bool(marks) or any(not s.frame and not s.form for s in entry.senses))


def _read(said: str, role: Role, frames: tuple[OwnFrame, ...], *, done: bool = False) -> tuple[str, ...]:
    """Return the verb and the names of the deed that *said* is read as, () if it is none, or several.

    If it has to be *done*, one that is declined is none either.
    """
    verbs = frozenset(frame.verb for frame in frames)
    deeds = read(((1, said),), _PEOPLE, to="contestmaster", role=role.name, open_verbs=verbs, own=frames).deeds
    if len(deeds) != 1 or (done and deeds[0].words == NOBODY):
        return ()
    return deeds[0].verb, *deeds[0].names
