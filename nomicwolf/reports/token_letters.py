"""The letter that asks for a confirmation: to the registered address, with a word that is good for one act, once."""

from __future__ import annotations

from nomicwolf.letters.letter import Outgoing
from nomicwolf.letters.tokens import reply_tag, token
from nomicwolf.nomic.law import SetAside
from nomicwolf.nomic.setup import Setup
from nomicwolf.nomic.state import Contest
from nomicwolf.reports.layout import size_class
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.replying import answered, private_thread
from nomicwolf.reports.step import Step
from nomicwolf.reports.titles import UNIFORM, tag_of, titled


def token_of(setup: Setup, entry: int, aside: SetAside) -> str:
    """Return the word that confirms what was set aside in *entry*: by person, exact acts, phase and time."""
    acts = [part for d in aside.deeds for part in (d.verb, d.says, d.channel)]
    return token(setup.secret, setup.contest, str(entry), aside.who, aside.phase, str(aside.until), *acts, *aside.order)


def reply_tag_of(contest: Contest, name: str) -> str:
    """Return the tag of the address at which *name* answers eir private letters of the present session."""
    turn = contest.law.seen.get((name, contest.session), 0)
    return reply_tag(contest.setup.secret, contest.setup.contest, contest.session, name, turn)


def sized(contest: Contest, body: str) -> int:
    """Return the room of a letter with *body*: in a covered session that of all private ones, else 0 (D-N48)."""
    return size_class([body]) if contest.cover.slots else 0


def confirming(contest: Contest) -> str:
    """Return the subject of a letter that asks for a confirmation."""
    if contest.setup.uniform_subjects or contest.cover.slots:
        return titled(contest.setup, contest.session, UNIFORM)
    return f"[{tag_of(contest.setup)}] Please confirm"


def token_letters(step: Step, prose: Prose) -> tuple[Outgoing, ...]:
    """Return one letter for each entry of *step* that sets something aside, if its author has an address.

    Its headers are those of any answer: else whoever carries it would know a night deed from a question (NC 6b).
    """
    contest, setup = step.after, step.after.setup
    out: list[Outgoing] = []
    for entry in step.entries:
        aside = entry.event
        if not isinstance(aside, SetAside) or not (address := contest.address_of(aside.who)):
            continue
        body = prose.text(
            "confirm", who=aside.who, name=setup.name, home=setup.address, phase=aside.bound, until=aside.until,
            acts=[(d.text, d.says) for d in aside.deeds], order=" ".join(aside.order), tagged=setup.subaddresses,
            token=token_of(setup, entry.number, aside))
        message = answered(contest, [entry], aside.who)
        out.append(Outgoing(
            f"s{contest.session}/e{entry.number}/confirm", "private",
            confirming(contest), body + "\n", step.now,
            to=address, person=aside.who, thread=private_thread(contest, aside.who),
            in_reply_to=message, auto="auto-replied" if message else "auto-generated",
            reply_tag=reply_tag_of(contest, aside.who) if setup.subaddresses and not aside.order else "",
            even=bool(contest.cover.slots), room=sized(contest, body + "\n")))
    return tuple(out)
