"""Win rates: the published fractions, the engine against them, reproducible whatever the processes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from nomicwolf.odds import POLICIES, chances, moves, odds, outcome, played_session, weighed, wilson
from nomicwolf.village.rules import Course, Refusal
from nomicwolf.village.rulesets import library, rules_with, ruleset
from nomicwolf.village.rulesets.nomic_crossing import werewolves
from tests.tables import each

FIXTURE = {
    5: "7/15", 6: "3/8", 7: "19/35", 8: "5/32", 9: "94/315", 10: "69/320", 11: "38/231", 12: "27/256", 13: "16/77",
    14: "47/896", 15: "784/6435", 17: "1552/21879",
}
FULL = ("medium", "possessed", "bodyguard", "owl", "freemason", "freemason", "werehamster", "mythomaniac")


@each(("players", "fraction"), FIXTURE.items())
def test_the_published_fractions(players: int, fraction: str) -> None:
    """NC without roles, lynching by lot: to the last digit (X-24)."""
    assert chances(werewolves(players), players - werewolves(players), Course()) == Fraction(fraction)

    found = odds("nomic-crossing", players)
    assert (found.method, found.wins["villagers"].fraction, found.as_json()["fraction"]) == (
        "exact", fraction, fraction)
    assert sum(Fraction(rate.fraction) for rate in found.wins.values()) == 1


@pytest.mark.parametrize(("name", "players", "roles"), [
    ("nomic-crossing", 5, ()), ("nomic-crossing", 8, ()), ("six-phases", 6, ("mafioso",)),
    ("narrated-mafia", 6, ("mafioso",)),
])
def test_the_engine_plays_what_is_computed(name: str, players: int, roles: tuple[str, ...]) -> None:
    """Whole sessions through the real rules come to the exact rate, within a Wilson interval of four sigma."""
    exact = odds(name, players, roles)
    played = odds(name, players, roles, games=200, played=True, seed="7")

    assert (exact.method, played.method) == ("exact", "played")
    for side, rate in exact.wins.items():
        near = wilson(round(played.wins[side].p * 200), 200, 4.0)
        assert near.low <= rate.p <= near.high, (side, rate, near)


def test_the_same_seed_gives_the_same_rates_in_any_number_of_processes() -> None:
    """Reproducible by seed: sessions are numbered, and chance is a function of the number."""
    alone = odds("nomic-crossing", 6, ("seer",), games=120, seed="7")
    told: list[int] = []
    together = odds("nomic-crossing", 6, ("seer",), games=120, seed="7", processes=2, tell=told.append)

    assert alone == together
    assert told == [0, 50, 100, 120]
    assert alone != odds("nomic-crossing", 6, ("seer",), games=120, seed="8")


@pytest.mark.parametrize(("name", "players", "roles"), [
    ("nomic-crossing", 8, ("seer", "witch", "hunter", "cupid")), ("gadianton", 8, ()), ("tabula", 16, FULL),
    ("six-phases", 9, ("mafioso", "mafioso", "cop", "doctor", "vigilante")),
    ("narrated-mafia", 9, ("mafioso", "godfather", "policeman", "doctor")),
])
@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_every_rule_set_can_be_played_to_its_end(name: str, players: int, roles: tuple[str, ...], policy: str) -> None:
    """With any policy a session has a winner, the same for the same seed."""
    rules = ruleset(name)
    sides = {outcome(played_session(rules, players, roles, str(n), policy))[0] for n in range(3)}

    assert sides <= {"villagers", "werewolves", "gadiantons", "nephites", "humans", "werehamster", "town", "mafia",
                     "civilians", "draw"}
    one, other = (outcome(played_session(rules, players, roles, "7", policy)) for _ in range(2))
    assert one == other


def test_believing_a_seer_helps() -> None:
    """A village that lynches whom a Seer has seen wins more often than one that draws lots."""
    by_lot = odds("nomic-crossing", 7, ("seer",), games=150, policy="random")
    believing = odds("nomic-crossing", 7, ("seer",), games=150, policy="believing")

    assert believing.wins["villagers"].low > by_lot.wins["villagers"].p


def test_wilson_intervals() -> None:
    """Wilson 1927: each holds the rate, none goes below 0 or above 1, and the known values for one half."""
    half, none, every = wilson(50, 100), wilson(0, 10), wilson(10, 10)

    assert (round(half.low, 4), round(half.high, 4)) == (0.4038, 0.5962)
    assert none.low == 0.0 < none.high < 0.31
    assert every.high == 1.0 > every.low > 0.69
    for won, games in ((0, 1), (1, 1), (3, 10), (30, 100)):
        assert 0 <= wilson(won, games).low <= won / games <= wilson(won, games).high <= 1
    assert wilson(30, 100).high - wilson(30, 100).low < wilson(3, 10).high - wilson(3, 10).low


def test_cliffs_are_warned_of() -> None:
    """From 7 to 8 players a second werewolf comes in (NC 2b)."""
    assert odds("nomic-crossing", 8).warnings == (
        ("with 8 players there are 2 of the evil side, with 7 only 1: without roles the villagers win 16 % of the "
         "sessions, with 7 players 54 %"),)
    assert odds("nomic-crossing", 17).warnings[0].endswith("win 7.1 % of the sessions, with 16 players 7.4 %")
    assert not odds("nomic-crossing", 7).warnings
    assert "owl is suggested from 12" in odds("tabula", 10, ("owl",), games=2).warnings[0]


def test_the_shape_of_the_json() -> None:
    """``odds --json``: keys of section 6, rates rounded to four digits."""
    found = odds("nomic-crossing", 7).as_json()

    assert found["wins"]["villagers"] == {"p": 0.5429, "low": 0.5429, "high": 0.5429, "fraction": "19/35"}
    assert {"schema": 1, "ruleset": "nomic-crossing", "players": 7, "method": "exact", "games": 0,
            "policy": "random"}.items() <= found.items()


def test_what_cannot_be_played_is_refused() -> None:
    """Too few players or too many, no such rule set, no such policy: each says what there is."""
    for args in (("nomic-crossing", 4), ("chess", 7)):
        with pytest.raises(Refusal):
            odds(*args)
    with pytest.raises(Refusal, match="there are random, believing, cautious, remembering"):
        odds("nomic-crossing", 7, policy="clever")
    assert odds("nomic-crossing", 500).method == "exact"
    with pytest.raises(Refusal, match="500 are the most"):
        odds("nomic-crossing", 5000)


@pytest.mark.parametrize("players", range(5, 10))
@pytest.mark.parametrize(("name", "evil"), [
    ("nomic-crossing", None), ("six-phases", "mafioso"), ("narrated-mafia", "mafioso")])
def test_exact_and_played_odds_agree_for_every_size(name: str, evil: str | None, players: int) -> None:
    """Every rule set whose odds are reckoned, and every size: what is played comes near what is computed."""
    for pack in (0,) if evil is None else (1, 2):
        roles = (evil,) * pack if evil else ()
        exact = odds(name, players, roles)
        played = odds(name, players, roles, games=150, played=True, seed="11")
        side = next(iter(exact.wins))
        spread = 4.5 * (max(exact.wins[side].p * (1 - exact.wins[side].p), 0.01) / 150) ** 0.5

        assert exact.method == "exact"
        assert abs(played.wins[side].p - exact.wins[side].p) <= spread


@pytest.mark.parametrize(("players", "fraction"), [(7, "1/12"), (9, "1/32")])
def test_of_two_nobody_is_executed_in_six_phases(players: int, fraction: str) -> None:
    """SP 3c, D-M4: one against one executes nobody, as the accused votes (Z-S1)."""
    pack = ("mafioso",) * (2 if players == 7 else 3)

    assert odds("six-phases", players, pack).as_json()["fraction"] == fraction


def test_a_policy_hears_what_roles_from_files_have_seen() -> None:
    """A Cop of the library helps as a Seer does: the more is remembered, the more."""
    texts = (library()["cop"],)
    shares = {policy: odds("nomic-crossing", 7, ("cop",), games=150, policy=policy, brought=texts).wins["villagers"]
              for policy in POLICIES}

    assert shares["random"].p < shares["cautious"].p < shares["believing"].p < shares["remembering"].p


def test_the_length_of_a_session_is_told() -> None:
    """In days, in the mean; what is computed has none."""
    found = odds("nomic-crossing", 7, played=True, games=50)

    assert 1 < found.days < 4
    assert found.as_json()["days"] == round(found.days, 1)
    assert "days" not in odds("nomic-crossing", 7).as_json()


def test_what_a_role_does_is_weighed() -> None:
    """One of two mafiosi left out is a help; a mayor, who does nothing by night, moves nothing that could be sure."""
    found = moves(odds("six-phases", 9, ("mafioso", "mafioso", "mayor"), games=100))

    assert found.moves["mafioso"].high < 0
    assert found.moves["mayor"].low < 0 < found.moves["mayor"].high
    assert found.as_json()["moves"]["mayor"]["by"] == round(found.moves["mayor"].p, 4)


def test_who_comes_as_two_or_not_at_all_is_left_out_as_two() -> None:
    """LT 8e: a single freemason can't be dealt, so `--weigh` leaves both out; the last of the evil side stays."""
    assert weighed(ruleset("tabula"), 10, ("freemason", "freemason", "medium"), {}) == {
        "freemason": ("medium",), "medium": ("freemason", "freemason")}
    assert weighed(ruleset("six-phases"), 7, ("mafioso", "cop"), {}) == {"cop": ("mafioso",)}
    assert weighed(ruleset("six-phases"), 7, ("mafioso", "mafioso|cop"), {}) == {}


def test_roles_are_weighed_beside_as_many_werewolves_as_the_switch_says() -> None:
    """One of eleven Doctors can be left out beside one werewolf; beside three there is no room for ten."""
    rules, doctors = rules_with("nomic-crossing", (library()["doctor"],)), ("doctor",) * 11

    assert weighed(rules, 12, doctors, {"wolves": "1"}) == {"doctor": doctors[1:]}


def test_a_pack_from_files_is_played_and_not_computed() -> None:
    """Mafiosi who die together lose more often than others: what is computed knows of no bonds."""
    bound = 'name = "sweetheart"\nside = "evil"\nhunts = true\nbound = true\nstory = "You are in love."'
    pair = ("sweetheart", "sweetheart", "mafioso")
    usual = odds("six-phases", 9, ("mafioso",) * 3)
    found = odds("six-phases", 9, pair, games=200, brought=(bound,))

    assert (usual.method, found.method) == ("exact", "played")
    assert found.wins["town"].low > usual.wins["town"].p


def test_a_setup_with_switches_is_played_and_not_computed() -> None:
    """The computed odds know of no switches: mafia who never kill win far less often."""
    usual = odds("six-phases", 9, ("mafioso", "mafioso"))
    never = odds("six-phases", 9, ("mafioso", "mafioso"), games=100, switches={"hunt_nights": "never"})

    assert (usual.method, never.method) == ("exact", "played")
    assert never.wins["mafia"].high < usual.wins["mafia"].p


def test_so_many_wolves_as_a_setup_names_are_computed() -> None:
    """D-N57: with as many as the formula gives it is the same, with others it comes near what is played."""
    other = {"wolves": "2"}
    exact = odds("nomic-crossing", 7, switches=other)
    played = odds("nomic-crossing", 7, switches=other, games=400, played=True)

    assert odds("nomic-crossing", 8, switches=other).wins == odds("nomic-crossing", 8).wins
    assert exact.method == odds("nomic-crossing", 8, switches=other).method == "exact"
    assert exact.wins["villagers"].p < odds("nomic-crossing", 7).wins["villagers"].p
    assert played.wins["villagers"].low < exact.wins["villagers"].p < played.wins["villagers"].high
    assert not exact.warnings
