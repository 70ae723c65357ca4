"""What each rule set deals, by which lots, and which choices of roles it refuses (NC 2, GA 2, LT 2, SP 0, NM 4)."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest

from nomicwolf.village import lots
from nomicwolf.village.events import Drawn
from nomicwolf.village.lots import draw
from nomicwolf.village.rules import Refusal
from nomicwolf.village.rulesets import ruleset
from tests.tables import each

TOWN = ["Ash", "Bex", "Cam", "Dov", "Eli", "Fay", "Gus", "Hal", "Ivo", "Jan", "Kim", "Lea", "Mia", "Ned", "Ola", "Pia",
        "Quy"]
NC_OPTIONAL = ("seer", "witch", "hunter", "cupid")
LT_SPECIAL = ("medium", "possessed", "bodyguard", "owl", "freemason", "werehamster", "mythomaniac")
NM_ROLES = ("mafioso", "godfather", "policeman", "mason", "doctor", "civilian")
SP_ROLES = ("mafioso", "godfather", "townie", "cop", "doctor", "roleblocker", "tracker", "watcher", "vigilante",
            "medium", "mayor", "miller", "neutral")
SP_NONE = ("These rules name no counts: say which roles are in play, and among them a mafioso or godfather, such as "
           "mafioso,mafioso,cop,doctor; the "
           "others are townies.")
NM_NONE = ("These rules name no counts: say which roles are in play, and among them a mafioso or godfather, such as "
           "mafioso,mafioso,godfather,"
           "policeman,policeman,doctor,mason,mason; the others are civilians.")
BY_HAND = {"dealt_by_moderator": "on"}


def hand(cards: str) -> tuple[str, ...]:
    """Return cards such as ``2 gadianton`` as the contestmaster deals them, one after the other."""
    roles = [role for part in cards.split(", ") for role in [part.split()[1]] * int(part.split()[0])]
    return tuple(f"{who} = {role}" for who, role in zip(TOWN, roles, strict=False))


@each(("name", "players", "chosen", "switches", "cards", "purposes"), [
    ("nomic-crossing", 5, (), {}, "1 werewolf, 4 villager", "werewolves"),
    ("nomic-crossing", 11, ("seer",), {"wolves": "2"}, "2 werewolf, 8 villager, 1 seer", "werewolves seer"),
    ("nomic-crossing", 8, ("cupid", "seer"), {}, "2 werewolf, 4 villager, 1 seer, 1 cupid", "werewolves seer cupid"),
    ("nomic-crossing", 11, NC_OPTIONAL[::-1], {}, "3 werewolf, 4 villager, 1 seer, 1 witch, 1 hunter, 1 cupid",
     "werewolves seer witch hunter cupid"),
    ("gadianton", 8, (), {}, "2 gadianton, 1 prophet, 5 nephite", "gadianton prophet"),
    ("gadianton", 12, (), {}, "3 gadianton, 1 prophet, 8 nephite", "gadianton prophet"),
    ("gadianton", 16, (), {"prophets": "by number"}, "3 gadianton, 2 prophet, 11 nephite", "gadianton prophet"),
    ("gadianton", 16, (), {"prophets": "1"}, "3 gadianton, 1 prophet, 12 nephite", "gadianton prophet"),
    ("tabula", 8, (), {}, "2 werewolf, 1 seer, 5 villager", "werewolf seer"),
    ("tabula", 16, ("owl", "freemason", "freemason"), {}, "3 werewolf, 1 seer, 2 freemason, 1 owl, 9 villager",
     "werewolf seer freemason owl"),
    ("six-phases", 8, ("mafioso", "cop", "mafioso"), {}, "2 mafioso, 1 cop, 5 townie", "cop mafioso"),
    ("six-phases", 3, ("mafioso", "cop", "doctor"), {}, "1 mafioso, 1 cop, 1 doctor", "cop doctor"),
    ("narrated-mafia", 7, ("mafioso", "doctor", "godfather"), {}, "1 mafioso, 1 godfather, 1 doctor, 4 civilian",
     "doctor godfather mafioso"),
    ("narrated-mafia", 2, ("mafioso", "doctor"), {}, "1 mafioso, 1 doctor", "doctor"),
])
def test_cards_are_dealt_by_lots_that_anyone_can_draw_again(
    name: str, players: int, chosen: tuple[str, ...], switches: dict[str, str], cards: str, purposes: str,
) -> None:
    """NC 2b, D-N23: each lot is drawn with the seed under its purpose, among all who have no card yet.

    Who sits where does not matter; whoever no lot falls on holds what is left.
    """
    names = TOWN[:players]
    there, drawn = ruleset(name).deal(names[::-1], chosen, "7", switches)

    assert [who for who, _ in there] == names[::-1]
    assert Counter(role for _, role in there) == {part.split()[1]: int(part.split()[0]) for part in cards.split(", ")}
    assert [d.purpose for d in drawn] == purposes.split()
    free = set(names)
    for lot in drawn:
        role = "werewolf" if lot.purpose == "werewolves" else lot.purpose
        holders = [who for who, held in there if held == role]
        assert lot == Drawn(lot.purpose, tuple(sorted(free)), draw("7", lot.purpose, free, len(holders)))
        assert set(lot.result) == set(holders)
        free -= set(holders)


@each(("name", "players", "chosen", "switches", "cites", "options", "why"), [
    ("nomic-crossing", 4, (), {}, ("NC 2",), (), "A session needs at least five contestants; there are 4."),
    ("nomic-crossing", 5, ("seer", "oracle"), {}, ("NC 7", "NC 2c"), NC_OPTIONAL,
     "Optional roles are seer, witch, hunter, cupid, each at most once."),
    ("nomic-crossing", 5, ("seer", "seer"), {}, ("NC 7", "NC 2c"), NC_OPTIONAL,
     "Optional roles are seer, witch, hunter, cupid, each at most once; seer is there more often."),
    ("nomic-crossing", 11, ("werewolf", "seer"), {}, ("NC 2b", "D-N57"), NC_OPTIONAL,
     ("Of 11 townspersons 3 are werewolves without being asked for; leave that role out. The switch wolves sets "
      "another number.")),
    ("nomic-crossing", 6, (), {"wolves": "3"}, ("NC 5b", "D-N57"), (),
     "Of 6 townspersons 3 would be werewolves, who have won then; choose fewer."),
    ("nomic-crossing", 5, ("seer", "witch", "hunter", "cupid"), {"wolves": "2"}, ("NC 7", "NC 2c"), (),
     "There are 4 optional roles for 3 villagers."),
    ("gadianton", 7, (), {}, ("GA 2a", "D-G1"), (), "Gadianton needs at least eight players; there are 7."),
    ("gadianton", 8, ("prophet",), {}, ("GA 2d", "GA 2e", "D-G14"), (),
     "Cards are dealt by lot unless the switch dealt_by_moderator is on; ask for no roles."),
    ("gadianton", 8, (), BY_HAND, ("GA 2d", "GA 2e", "D-G14"), (),
     "The moderator deals: give each player's card, such as --roles Ash=gadianton,Bex=prophet,Cam=nephite ..."),
    ("gadianton", 8, hand("2 gadianton, 1 prophet, 4 nephite, 1 owl"), BY_HAND, ("GA 2e", "D-G14"),
     ("gadianton", "prophet", "nephite"), "Give each player one role; look at: Hal."),
    ("gadianton", 8, hand("2 gadianton, 1 prophet, 3 nephite"), BY_HAND, ("GA 2e", "D-G14"),
     ("gadianton", "prophet", "nephite"), "Give each player one role; look at: Gus, Hal."),
    ("gadianton", 8, hand("3 gadianton, 1 prophet, 4 nephite"), BY_HAND, ("GA 2e", "D-G14"), (),
     "The cards are 2 gadianton, 1 prophet, 5 nephite; deal these."),
    ("tabula", 7, (), {}, ("LT 2b", "LT 2d"), (), "Lupus in Tabula is for 8 to 24 players; there are 7."),
    ("tabula", 8, ("wizard",), {}, ("LT 8",), LT_SPECIAL,
     "Special characters are medium, possessed, bodyguard, owl, freemason, werehamster, mythomaniac."),
    ("tabula", 9, ("freemason",), {}, ("LT 8e", "D-T3"), (),
     "Freemasons come as two or not at all: name freemason twice."),
    ("tabula", 17, (), {}, ("LT 2d",), (), "The deck has no such 17 cards: 13 Villagers would be needed."),
    ("tabula", 9, ("owl", "owl"), {}, ("LT 8",), LT_SPECIAL,
     "Each special character is in the deck once, the Freemasons twice."),
    ("six-phases", 8, ("cop",), {}, ("SP 0a", "D-M15"), SP_ROLES, SP_NONE),
    ("six-phases", 2, ("Ash=mayor", "Bex=cop"), {}, ("SP 0a", "D-M15"), SP_ROLES, SP_NONE),
    ("six-phases", 2, ("mafioso", "cop", "cop"), {}, ("SP 0a", "D-M15"), (), "There are 3 roles and 2 players."),
    ("six-phases", 2, ("Ash=mafioso", "Bex=owl"), {}, ("SP 0a", "D-M15"), SP_ROLES,
     "Give each player one role; look at: Bex."),
    ("narrated-mafia", 8, ("mason",), {}, ("NM 4a",), NM_ROLES, NM_NONE),
    ("narrated-mafia", 8, (), {}, ("NM 4a",), NM_ROLES, NM_NONE),
    ("narrated-mafia", 8, ("mafioso", "cop"), {}, ("NM 4a",), NM_ROLES, "These rules have no role cop."),
    ("narrated-mafia", 2, ("mafioso", "mason", "mason"), {}, ("NM 4a",), (), "There are 3 roles and 2 players."),
    ("narrated-mafia", 2, ("Ash=mafioso", "Cam=mason"), {}, ("NM 4a",), NM_ROLES,
     "Give each player one role; look at: Bex, Cam."),
])
def test_what_can_t_be_dealt_is_refused(
    name: str, players: int, chosen: tuple[str, ...], switches: dict[str, str], cites: tuple[str, ...],
    options: tuple[str, ...], why: str,
) -> None:
    """The contestmaster is told what is missing, by which clause, and what e may name."""
    with pytest.raises(Refusal) as wrong:
        ruleset(name).dealt(TOWN[:players], chosen, "7", switches)

    assert (wrong.value.why, wrong.value.cites, wrong.value.options) == (why, cites, options)


@pytest.mark.parametrize(("name", "cards", "switches"), [
    ("gadianton", "2 gadianton, 1 prophet, 5 nephite", BY_HAND), ("six-phases", "1 mafioso, 4 townie", {}),
    ("narrated-mafia", "1 godfather, 1 doctor, 3 civilian", {}),
])
def test_cards_dealt_by_hand_are_dealt_without_lots(name: str, cards: str, switches: dict[str, str]) -> None:
    """D-G14: each gets what the contestmaster names, whatever the order, and there is nothing to prove."""
    given = hand(cards)
    there, drawn = ruleset(name).deal(TOWN[:len(given)], given[::-1], "7", switches)

    assert [f"{who} = {role}" for who, role in there] == list(given)
    assert drawn == ()


@each(("name", "players", "chosen", "told"), [
    ("tabula", 8, ("medium",), ("medium is suggested from 9 players on",)),
    ("tabula", 9, ("medium",), ()),
    ("tabula", 12, ("freemason", "freemason", "owl", "werehamster"),
     ("freemason is suggested from 13 players on", "werehamster is suggested from 15 players on")),
    ("narrated-mafia", 16, ("policeman",) * 6 + ("mafioso",) * 6 + ("godfather",) * 2 + ("doctor",) * 2, ()),
    ("narrated-mafia", 16, ("doctor",) * 3 + ("mafioso",) * 7,
     ("7 of mafioso are more than the deck has (6)", "3 of doctor are more than the deck has (2)")),
])
def test_unusual_choices_are_told(name: str, players: int, chosen: tuple[str, ...], told: tuple[str, ...]) -> None:
    """D-T2, NM 4a: what the text suggests otherwise is dealt, with a word to the contestmaster."""
    warnings = ruleset(name).warnings
    assert warnings is not None
    assert warnings(players, chosen) == told


def digest(text: str) -> str:
    """Return the SHA-256 of *text*, in hex digits."""
    return sha256(text.encode()).hexdigest()


@each(("made", "text"), [
    (lots.ticket("7", "lynching, day 1", "Ash").hex(), "nomicwolf draw 1\n7\nlynching, day 1\nAsh\n"),
    (lots.commitment("fair", 2, "7"), "nomicwolf seed 1\nfair\n2\n7\n"),
    (lots.nonce("7", "Ash"), "nomicwolf nonce 1\n7\nAsh\n"),
    (lots.role_commitment("fair", 2, "Ash", "seer", "abc"), "nomicwolf role 1\nfair\n2\nAsh\nseer\nabc\n"),
    (lots.half_commitment("fair", 2, "77"), "nomicwolf half 1\nfair\n2\n77\n"),
    (lots.mixed_seed("77", []), "nomicwolf seed from 1\n77\n"),
    (lots.mixed_seed("77", [("Ash", "a1"), ("Bex", "b2")]), "nomicwolf seed from 1\n77\nAsh\na1\nBex\nb2\n"),
])
def test_a_hash_is_of_these_lines(made: str, text: str) -> None:
    """Each line ends in a newline; the first says what it is, and of which version."""
    assert made == digest(text)


def test_each_role_is_bound_by_its_own_hash() -> None:
    """In the order of the deal, each hidden by the player's own nonce."""
    bound = lots.roles_bound("fair", 2, "7", [("Bex", "seer"), ("Ash", "villager")])

    assert bound == tuple((who, lots.role_commitment("fair", 2, who, role, lots.nonce("7", who)))
                          for who, role in (("Bex", "seer"), ("Ash", "villager")))


def test_the_best_tickets_win() -> None:
    """The smallest hashes of seed, purpose and name, whatever the order of the names; one unless more are asked for."""
    names = ["Ash", "Bex", "Cam", "Dov"]
    ranked = sorted(names, key=lambda who: lots.ticket("7", "deal", who))

    assert lots.draw("7", "deal", names) == (ranked[0],)
    assert lots.draw("7", "deal", names[::-1], 3) == tuple(ranked[:3])
