"""The two letters by which a change of address is confirmed, each with a word that the other doesn't have."""

from __future__ import annotations

from nomicwolf.letters import tokens
from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.law_events import AddressAsked
from nomicwolf.nomic.setup import Setup
from nomicwolf.reports.prose import Prose
from nomicwolf.reports.step import Step
from nomicwolf.reports.token_letters import confirming, sized


def token(setup: Setup, entry: int, asked: AddressAsked, side: str) -> str:
    """Return the word that confirms *side* (``old``, ``new``) of the change in *entry*: 140 bits only we can make."""
    return tokens.token(setup.secret, "address", setup.contest, str(entry), asked.who, asked.address, side)


def address_letters(step: Step, prose: Prose) -> tuple[Outgoing, ...]:
    """Return two letters for each change of address that is asked for in *step*: one to either address."""
    contest, setup = step.after, step.after.setup
    out: list[Outgoing] = []
    for entry in step.entries:
        if isinstance(asked := entry.event, AddressAsked):
            for side, address in (("old", contest.address_of(asked.who)), ("new", asked.address)):
                body = prose.text("address", who=asked.who, address=asked.address, name=setup.name,
                                  token=token(setup, entry.number, asked, side), home=setup.address)
                out.append(Outgoing(
                    f"s{contest.session}/e{entry.number}/address/{side}", "private", confirming(contest),
                    body + "\n", step.now, to=address, person=asked.who,
                    even=bool(contest.cover.slots), bound=True, room=sized(contest, body + "\n")))
    return tuple(out)
