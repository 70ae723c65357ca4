"""Each player can check alone that eir role is the one that was bound at the start, and nobody else's can be told."""

from __future__ import annotations

from hashlib import sha256

from nomicwolf.letters.letter import Outgoing
from nomicwolf.nomic.events import SessionStarted
from nomicwolf.village.lots import nonce
from tests.contest.world import World


def begun() -> tuple[World, SessionStarted]:
    """A contest whose first session has just begun, and how it did."""
    world = World()
    world.start()
    return world, next(e.event for e in world.contest.entries if isinstance(e.event, SessionStarted))


def proof_in(letter: Outgoing) -> str:
    """The hash of the lines that a role letter gives, as its reader would take it with ``sha256sum``."""
    lines = [line.strip() for line in letter.body.splitlines()]
    first = lines.index("nomicwolf role 1")
    return sha256("".join(f"{line}\n" for line in lines[first:first + 6]).encode()).hexdigest()


def test_each_player_can_check_eir_role_alone() -> None:
    """The lines of eir letter have the hash that the announcement gives beside eir name."""
    world, started = begun()
    announced = next(x.body for x in world.sent if x.kind == "public" and started.commitment in x.body).split()
    letters = {x.person: x for x in world.sent if "nomicwolf role 1" in x.body}

    assert set(letters) == set(started.players) == {who for who, _ in started.bound}
    for who, letter in letters.items():
        assert announced[announced.index(proof_in(letter)) - 1] == who.split()[-1]


def test_no_letter_opens_another_role() -> None:
    """What hides a role goes to its holder alone, and no hash is that of a role without it."""
    world, started = begun()
    game = world.game
    assert game.opened is not None
    for who, bound in started.bound:
        secret = nonce(game.opened.seed, who)
        assert {x.person for x in world.sent if secret in x.body} == {who}
        for role in set(game.roles.values()):
            for guess in ("", "0" * 64, bound, started.commitment):
                text = f"nomicwolf role 1\n{world.contest.setup.contest}\n1\n{who}\n{role}\n{guess}\n"
                assert sha256(text.encode()).hexdigest() != bound


def test_two_deals_look_alike() -> None:
    """With other lots the announcement has other hashes, and is the same but for them."""
    bodies = []
    for seed in ("1" * 64, "2" * 64):
        world = World()
        world.start(seed=seed)
        started = next(e.event for e in world.contest.entries if isinstance(e.event, SessionStarted))
        body = next(x.body for x in world.sent if x.kind == "public" and started.commitment in x.body)
        for hidden in (started.commitment, *(bound for _, bound in started.bound)):
            assert hidden in body
            body = body.replace(hidden, "HASH")
        bodies.append(body)

    assert bodies[0] == bodies[1]


def test_a_substitute_can_check_the_role_that_e_takes_over() -> None:
    """Eir letter opens what the start announced for the first holder, and no other letter does; again for the next."""
    world, started = begun()
    for old, new in (("Ash", "Ida"), ("Ida", "Jon")):
        assert world.write(new, "I join.", at=1).bucket == "deeds"
        before = len(world.sent)

        assert world.command("substitute", 1, old=old, new=new).status == 0

        [letter] = [x for x in world.sent[before:] if "nomicwolf role 1" in x.body]
        assert letter.person == new
        assert proof_in(letter) == dict(started.bound)["Ash"]
        assert "\n  Ash\n" in letter.body
    assert world.game.opened is not None
    secret = nonce(world.game.opened.seed, "Ash")
    assert {x.person for x in world.sent if secret in x.body} == {"Ash", "Ida", "Jon"}
