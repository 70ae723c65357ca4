"""Random sessions: whatever is played, letters keep their form and forums learn nothing secret."""

from __future__ import annotations

import os
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf.letters.compose import columns
from nomicwolf.nomic.events import CountPosted, DeedHeard
from nomicwolf.village.ballots import Ballot, Count, Endorse, For, If, Nobody, Votes
from nomicwolf.village.events import Told
from nomicwolf.village.rules import Duty
from tests.reports.stories import RULES, Story

NAMES = ("Ash", "Bex", "G.", "0x44", "天火狐", "D. Margaux", "Fay", "Gus", "Hal")
EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "12"))


def play(seed: int, moves: int = 60) -> Story:
    """Return a contest of random moves, the same for the same *seed*."""
    chance = random.Random(seed)
    names = NAMES[: chance.randint(5, len(NAMES))]
    roles = ["seer", "witch", "hunter", "cupid"][: chance.randint(0, 4)]
    deal = ["werewolf"] * (1 + (len(names) - 5) // 3) + roles
    deal += ["villager"] * (len(names) - len(deal))
    chance.shuffle(deal)
    story = Story(list(zip(names, deal, strict=True)), seed=str(seed))
    story.start()
    for _ in range(moves):
        game = story.contest.running
        if game is None:
            break
        able = [(p, d) for p in game.seats for d in RULES.duties(game, p) if not d.hears]
        if able and chance.random() < 0.95:
            _move(story, chance, *chance.choice(able))
        elif RULES.alarm(game):
            story.dawn()
        elif game.phase == "day":
            story.happens(CountPosted("daily"))
    return story


def _move(story: Story, chance: random.Random, who: str, duty: Duty) -> None:
    game = story.contest.running
    assert game is not None
    if duty.pins:
        living = [p for p in game.living() if p != who]
        story.votes(who, _ballot(chance, living, max(living)))
        return
    options = RULES.options(game, who, duty)
    if duty.may_pass and chance.random() < 0.5:
        story.acts(who, duty.verb)
    elif len(options) >= duty.arity:
        story.acts(who, duty.verb, *chance.sample(options, duty.arity))


def _ballot(chance: random.Random, others: list[str], favourite: str) -> Ballot:
    one, other = chance.choice(others), chance.choice(others)
    if chance.random() < 0.5:
        return For(favourite)
    ballots: list[Ballot] = [
        For(one), Endorse(one), Nobody(), If(Votes(other, one), For(one)),
        If(Count(one, ">=", 2), For(one), Endorse(other)),
    ]
    return chance.choice(ballots)


@settings(deadline=None, max_examples=EXAMPLES)
@given(st.integers(0, 2**32))
def test_letters_keep_their_form(seed: int) -> None:
    """72 columns, unique keys, one letter a person and forum at a time, one recipient each."""
    story = play(seed)

    assert all(columns(line) <= 72 for m in story.sent for line in m.body.split("\n"))
    assert len({m.key for m in story.sent}) == len(story.sent)
    assert all(bool(m.forum) != bool(m.to) for m in story.sent)
    by_forum = {nomic: [(m.subject, m.body) for m in story.sent if m.forum == nomic] for nomic in ("agora", "b")}
    assert by_forum["agora"] == by_forum["b"]


@settings(deadline=None, max_examples=EXAMPLES)
@given(st.integers(0, 2**32))
def test_forums_learn_no_secret(seed: int) -> None:
    """NC 6: no word that was told in private, no private deed, no seed, and no role stands in a letter to a forum."""
    story = play(seed)
    public = "\n".join(m.body for m in story.public() if "roles and seed" not in m.subject)
    told = {e.event.text for e in story.contest.entries if isinstance(e.event, Told)}
    deeds = {e.event.says for e in story.contest.entries
             if isinstance(e.event, DeedHeard) and e.event.channel == "contestmaster" and e.event.names}

    assert not [words for words in told | deeds if words in public]
    for word in ("poison", "heal", "attack", "shoot", "Lovers are"):
        assert word not in public
    for name, role in story.deal:
        assert f"{name}  {RULES.roles[role].title}" not in public


@settings(deadline=None, max_examples=EXAMPLES)
@given(st.integers(0, 2**32), st.permutations(["werewolf", "seer", "witch", "hunter", *["villager"] * 3]))
def test_a_day_reads_the_same_in_every_world(seed: int, roles: list[str]) -> None:
    """X-12: up to the first disclosure the forums read the same letters, whoever holds what."""
    worlds = [_day(seed, deal) for deal in (roles, sorted(roles))]
    seen = [[(m.subject, m.body) for m in story.public()] for story in worlds]

    assert len(seen[0]) > 1
    assert seen[0] == seen[1]


def _day(seed: int, roles: list[str]) -> Story:
    """Play the same ballots, whatever the deal, up to the lynching."""
    chance = random.Random(seed)
    story = Story(list(zip(NAMES, roles, strict=False)))
    story.start()
    names = [who for who, _ in story.deal]
    for place in range(12):
        who = chance.choice(names)
        ballot = _ballot(chance, [p for p in names if p != who], next(p for p in names if p != who))
        sent = len(story.sent)
        story.votes(who, ballot)
        if story.contest.game is None or story.contest.game.phase != "day" or story.contest.game.shown_dead:
            del story.sent[sent:]
            break
        if place % 3 == 0:
            story.happens(CountPosted("daily"))
    return story
