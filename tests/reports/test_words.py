"""The words of letters: each rule set's own, what a reader may do and until when, and nothing that isn't so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nomicwolf.cli.app import order_of
from nomicwolf.letters.letter import Outgoing
from nomicwolf.rehearsal import read_script, rehearse
from nomicwolf.reports.letter_sections import paragraphs
from nomicwolf.reports.prose import Section
from nomicwolf.village.lots import draw
from tests.tables import each

MAFIA = "{Gf: godfather, Po: policeman, Pa: policeman, Do: doctor, Ca: civilian, Cb: civilian, Cc: civilian}"
LUPUS = ("{W1: werewolf, W2: werewolf, Se: seer, My: mythomaniac, V1: villager, V2: villager, V3: villager, "
         "V4: villager}")
ROBBERS = ("{G1: gadianton, G2: gadianton, P1: prophet, N1: nephite, N2: nephite, N3: nephite, N4: nephite, "
           "N5: nephite}")
TEMPLATES = Path("nomicwolf/reports/templates")
PHASES = "{Ma: mafioso, Co: cop, Me: medium, Ta: townie, Tb: townie, Tc: townie}"


def letters(name: str, roles: str, where: str, steps: str = "", more: str = "") -> list[Outgoing]:
    """All letters of a rehearsal; *where* says how it stands, *more* is anything at the top."""
    text = f"ruleset: {name}\n{more}\ngiven:\n  roles: {roles}\n  contestmaster: Murphy\n  {where}\n"
    played = rehearse(read_script(f"{text}  at: 2026-12-01T00:00Z\nwhen:\n{steps or '  []'}\n"), order_of)
    assert played.refused == []
    return played.letters


def to(who: str, found: list[Outgoing]) -> str:
    """All that *who* was told in private, on one line."""
    return " ".join(" ".join(x.body.split()) for x in found if x.person == who)


def public(found: list[Outgoing]) -> str:
    """All that the forums were told, on one line."""
    return " ".join(" ".join(x.body.split()) for x in found if x.kind == "public")


@each(("name", "roles", "person"), [
    ("nomic-crossing", "{A: werewolf, B: villager, C: villager, D: villager, E: seer}", "townsperson"),
    ("narrated-mafia", MAFIA, "player"), ("tabula", LUPUS, "player"), ("gadianton", ROBBERS, "player"),
    ("six-phases", PHASES, "player"),
])
def test_players_are_called_as_the_rule_set_calls_them(name: str, roles: str, person: str) -> None:
    """Only nomic-crossing has townspersons (NC 2a)."""
    found = letters(name, roles, "phase: setup", "  - {at: 2026-12-06T00:00Z}")
    bodies = "".join(x.body for x in found).lower()

    assert f"{person}s" in bodies
    assert ("townsperson" in bodies) is (person == "townsperson")


def test_nobody_is_told_a_list_of_emself_alone() -> None:
    """A lone Seer is told of nobody else; one who has no fellows, that e has none."""
    seer = to("Se", letters("tabula", LUPUS, "phase: setup"))
    father = to("Gf", letters("narrated-mafia", MAFIA, "phase: setup"))

    assert "Those who see" not in seer
    assert "You are told nothing else about the others." in seer
    assert "You are the only one of the mafia." in father
    assert "The policemen are: Po and Pa." in to("Po", letters("narrated-mafia", MAFIA, "phase: setup"))


def test_who_asks_with_others_is_told_whom_they_name() -> None:
    """NM 3d: policemen ask together, so each hears the others, until they agree and hear the answer."""
    found = letters("narrated-mafia", MAFIA, "phase: night 2", """\
  - {at: 2026-12-01T09:00Z, from: Po, says: "see Ca", to: contestmaster}
  - {at: 2026-12-01T10:00Z, from: Pa, says: "see Cb", to: contestmaster}
  - {at: 2026-12-01T11:00Z, from: Po, says: "see Cb", to: contestmaster}""")

    assert "Po's choice: see Ca." in to("Pa", found)
    assert "Pa's choice: see Cb." in to("Po", found)
    assert to("Po", found).count("Cb is not one of the mafia.") == to("Pa", found).count(
        "Cb is not one of the mafia.") == 1
    assert "names" not in to("Ca", found)


def test_what_is_done_says_until_when_it_can_be_changed() -> None:
    """A receipt by night says by when one may think again; a ballot, until when it is open."""
    night = letters("narrated-mafia", MAFIA, "phase: night 2", """\
  - {at: 2026-12-01T09:00Z, from: Gf, says: "attack Ca", to: contestmaster}""")
    ballot = letters("six-phases", PHASES, "phase: day 1\n  stage: nominations", """\
  - {at: 2026-12-01T09:00Z, from: Ta, says: "vote Ma", to: contestmaster}""")

    assert "You can change your choice until Fri 4 Dec 2026 00:00 UTC, in 3 days." in to("Gf", night)
    assert "You can change your ballot until Thu 3 Dec 2026 00:00 UTC, in 1 day 15 hours." in to("Ta", ballot)


def test_nobody_is_offered_only_where_one_may_decline() -> None:
    """GA 3i must: who has to kill is not told to name nobody; who may decline is told how."""
    free = letters("gadianton", ROBBERS, "phase: setup", "  - {at: 2026-12-01T09:00Z}")
    bound = letters("gadianton", ROBBERS, "phase: setup", "  - {at: 2026-12-01T09:00Z}", "switches: {must_kill: on}")

    assert "attack NAME, or attack nobody: " in to("G1", free)
    assert "attack NAME: " in to("G1", bound)
    assert "attack nobody" not in to("G1", bound)
    assert "see NAME, or see nobody: " in to("P1", free)


def test_a_killed_mythomaniac_is_not_told_what_the_other_is_not() -> None:
    """D-T18: killed in that night e changes into nothing, and learns nothing of the one pointed at."""
    steps = """\
  - {at: 2026-12-01T09:00Z, from: My, says: "point V1", to: contestmaster}
  - {at: 2026-12-01T10:00Z, from: W1, says: "attack WHOM", to: contestmaster}
  - {at: 2026-12-01T11:00Z, from: W2, says: "attack WHOM", to: contestmaster}
  - {at: 2026-12-04T12:00Z}"""
    killed, spared = (letters("tabula", LUPUS, "phase: night 2", steps.replace("WHOM", whom)) for whom in ("My", "V2"))

    assert "stay a Human until" not in to("My", killed)
    assert "stay a Human until" in to("My", spared)


def test_whoever_is_convicted_is_told_the_story_at_once() -> None:
    """D-G16: the dead may know everything from the moment at which they are dead, and are told why they get it."""
    found = letters("gadianton", ROBBERS, "phase: day 2", """\
  - {at: 2026-12-01T09:00Z, from: N1, says: "accuse N2", to: forum}
  - {at: 2026-12-01T10:00Z, from: N3, says: "second N2", to: forum}
  - {at: 2026-12-02T12:00Z}
""" + "\n".join(f'  - {{at: 2026-12-02T13:0{n}Z, from: {who}, says: "guilty", to: forum}}'
                for n, who in enumerate(("G1", "G2", "N1", "N3", "N4"))))

    assert "N2 is convicted at Wed 2 Dec 2026 13:04 UTC, by 5 of 8 votes." in public(found)
    assert "You are dead, and may know everything" in to("N2", found)
    assert "Gadiantons: G1 and G2." in to("N2", found)
    assert "Gadiantons: " not in to("N1", found)


def test_help_tells_how_this_rule_set_votes() -> None:
    """Sealed ballots go by private mail, verdicts are given on whoever is accused, and only some votes lynch."""
    ask = '  - {at: 2026-12-01T09:00Z, from: WHO, says: "help", to: contestmaster}'
    sealed = to("Ta", letters("six-phases", PHASES, "phase: day 1", ask.replace("WHO", "Ta")))
    verdicts = to("N1", letters("gadianton", ROBBERS, "phase: day 1", ask.replace("WHO", "N1")))

    assert "by private mail to contest@werewolf.example alone: - vote NAME: nominate somebody for trial" in sealed
    assert "say spirits:" in sealed
    assert "I vote for Cam." not in sealed + verdicts
    assert '("guilty if Bex votes guilty, otherwise innocent")' in verdicts


TRIAL = """\
  - {at: 2026-12-01T07:00Z, from: N1, says: "accuse N2", to: forum}
  - {at: 2026-12-01T08:00Z, from: N3, says: "second N2", to: forum}
"""


@pytest.mark.parametrize(("name", "roles", "stage", "says"), [
    ("gadianton", ROBBERS, "ballot", "4 for guilty convict"), ("tabula", LUPUS, "nominations", "most votes decide"),
    ("six-phases", PHASES, "nominations", "sealed until all are opened together"),
])
def test_how_votes_stand_is_told_as_they_count_here(name: str, roles: str, stage: str, says: str) -> None:
    """No majority is spoken of where none is needed, and nothing of what is sealed."""
    who = "Ta" if name == "six-phases" else "N2" if name == "gadianton" else "V1"
    given = "phase: day 1\n  dead: [N5]" if name == "gadianton" else f"phase: day 1\n  stage: {stage}"
    day, trial = (2, TRIAL) if name == "gadianton" else (1, "")
    found = to(who, letters(name, roles, given, f"""{trial}\
  - {{at: 2026-12-0{day}T09:00Z, from: {who}, says: "votes", to: contestmaster}}
  - {{at: 2026-12-0{day}T10:00Z, from: {who}, says: "status", to: contestmaster}}"""))

    assert found.count(says) == 2
    assert f"stage {stage}, until " in found.replace("  ", " ")
    assert "votes lynch" not in found


@pytest.mark.parametrize(("name", "roles"), [("tabula", "medium"), ("gadianton", ""), ("six-phases", "mafioso,cop")])
def test_the_lots_of_a_deal_can_be_drawn_again_from_the_letter(name: str, roles: str) -> None:
    """D-N23: the seed's letter says at which place each role was drawn, and among how many."""
    names = [f"P{number}" for number in range(9)]
    order = f"start --roles {roles}" if roles else "start"
    script = f"""ruleset: {name}
given:
  contestants: [{', '.join(names)}]
  contestmaster: Murphy
  limit: {{agora: 50}}
  at: 2026-12-01T00:00Z
when:
  - {{at: 2026-12-01T09:00Z, from: Murphy, command: "{order}"}}
  - {{at: 2026-12-01T10:00Z, from: Murphy, command: "end --why enough"}}
"""
    played = rehearse(read_script(script), order_of)
    body = next(x.body for x in played.letters if x.subject.endswith("roles and seed"))
    seed = re.search(r"Seed:\n  (\S+)", body)
    lots = re.findall(r"^  (\w+) +(\d+) of the (\d+) who had no role yet", body, re.MULTILINE)
    dealt = dict(re.findall(r"^  (P\d) +([\w ]+) \(", body, re.MULTILINE))
    left = names

    assert seed
    assert lots
    for place, number, among in lots:
        assert len(left) == int(among)
        drawn = draw(seed[1], place, left, int(number))
        assert {dealt[who].lower() for who in drawn} == {place}
        left = [who for who in left if who not in drawn]



def test_who_gives_no_verdict_votes_neither_way() -> None:
    """SP 3b: where guilty and innocent are opened nobody has voted for nobody."""
    found = public(letters(
        "six-phases", PHASES, "phase: day 1\n  stage: nominations",
        "  - {at: 2026-12-01T01:00Z, from: Ta, to: contestmaster, says: nominate Tb}\n"
        "  - {at: 2026-12-05T01:00Z, from: Ta, to: contestmaster, says: guilty}\n"
        "  - {at: 2026-12-06T00:00Z}\n  - {at: 2026-12-07T13:00Z}\n"))

    assert "Tb (1): Ta. Nobody (" in found
    assert "Guilty (1): Ta. Neither (" in found
    assert "Tb is executed at" in found


@pytest.mark.parametrize(("picks", "says"), [
    ("plurality", "attack NAME, or attack nobody: whom most of you name is killed, and a lot breaks ties"),
    ("each", "attack NAME, or attack nobody: whom you name is killed; so is whom each of the others names"),
])
def test_the_mafia_are_told_what_their_picks_do_in_this_session(picks: str, says: str) -> None:
    """D-M7: as the switch has it, which isn't named to them."""
    found = to("Ma", letters("six-phases", PHASES, "phase: setup", "  - {at: 2026-12-03T00:00Z}",
                             more=f"switches: {{mafia_picks: {picks}}}"))

    assert says in found
    assert "mafia_picks" not in found


def test_receipts_end_once_and_talk_is_for_the_group_alone() -> None:
    """What was said has its own full stop."""
    found = to("G1", letters("gadianton", ROBBERS, "phase: night 1",
                             "  - {at: 2026-12-01T01:00Z, from: G1, to: contestmaster, says: 'say pack: N1?'}\n"
                             "  - {at: 2026-12-01T02:00Z, from: G1, to: contestmaster, says: 'say pack: N1.'}\n"
                             "  - {at: 2026-12-01T03:00Z, from: G1, to: contestmaster, says: 'attack N1'}\n"
                             "  - {at: 2026-12-01T04:00Z, from: G1, to: contestmaster, says: 'help'}"))

    for said in ("Received: say pack: N1? ", "Received: say pack: N1. ", "Received: attack N1. "):
        assert said in found
    assert found.count("say pack: TEXT, for the pack alone") == 1


def test_nominees_have_no_ballot() -> None:
    """LT 5d: they are told why they can't vote, not that their vote is open, and don't stand in the list."""
    nominated = "".join(
        f"  - {{at: 2026-12-01T0{n}:00Z, from: {who}, to: forum, says: nominate {whom}}}\n"
        for n, (who, whom) in enumerate((("V1", "W1"), ("V2", "W1"), ("V3", "V4")), 1))
    text = (f"ruleset: tabula\ngiven:\n  roles: {LUPUS}\n  contestmaster: Murphy\n  phase: day 2\n"
            f"  at: 2026-12-01T00:00Z\nwhen:\n{nominated}"
            "  - {at: 2026-12-04T01:00Z, from: W1, to: forum, says: I vote for V4.}\n"
            "  - {at: 2026-12-04T02:00Z, from: V1, to: forum, says: I vote for W1.}\n  - {at: 2026-12-06T00:00Z}\n")
    found = rehearse(read_script(text), order_of)

    refused = to("W1", found.letters)
    assert "You are nominated, and the others vote among the nominees; it lasts until" in refused
    assert "You have no vote standing" not in refused
    assert "W1 is lynched" in public(found.letters)
    opened = next(x.body for x in found.letters if x.forum == "agora" and "W1 is lynched" in x.subject)
    rows = [line.partition("): ")[2].strip(".") for line in opened.splitlines() if "): " in line]
    assert sorted(", ".join(rows).split(", ")) == sorted(["W2", "Se", "My", "V1", "V2", "V3"])


def test_who_leaves_is_told_of_once() -> None:
    """D-A2: as one who has left, not as one who was killed; at dawn those whom the night has killed are named."""
    found = public(letters(
        "gadianton", ROBBERS, "phase: night 1",
        "  - {at: 2026-12-01T01:00Z, from: N1, to: forum, says: I leave this contract.}\n"
        "  - {at: 2026-12-01T02:00Z, from: G1, to: contestmaster, says: attack N2}\n"
        "  - {at: 2026-12-04T12:00Z}\n"
        "  - {at: 2026-12-04T13:00Z, from: N3, to: forum, says: I leave this contract.}\n"))

    assert "So e is a player no longer, and dead (D-A2)." in found
    assert "At the end of night 1, N2 was killed by the Gadiantons." in found
    assert "On day 1, N3 was killed" not in found
    assert "N3 was a Nephite." in found


def test_who_leaves_one_nomic_is_said_to_be_a_party_in_the_other() -> None:
    """NC 1c: e still plays, which nobody has to work out."""
    found = public(letters("gadianton", ROBBERS, "phase: day 2", """\
  - {at: 2026-12-01T01:00Z, from: Murphy, command: intend remove --who N1 --why gone}
  - {at: 2026-12-04T01:00Z}
  - {at: 2026-12-05T01:00Z, from: Murphy, command: resolve 1}"""))

    assert "N1 has left, and has been no party in B since" in found
    assert "removed without member objection. E is still one in Agora." in found
    assert "N1 has left, and has been no party in Agora since" in found
    assert found.count("removed without member objection") == 2 * 2  # in two forums
    assert "Until it is done, members can object in a forum" in found


def test_a_card_is_shown_with_the_death() -> None:
    """GA 4b: what the victim was stands behind how e died, before the day that begins."""
    found = public(letters("gadianton", ROBBERS, "phase: night 1", """\
  - {at: 2026-12-01T02:00Z, from: G1, to: contestmaster, says: attack N2}
  - {at: 2026-12-04T12:00Z}"""))

    assert "N2 was killed by the Gadiantons. N2 was a Nephite. Night 1 ended at" in found
    assert found.count("N2 was a Nephite.") == 2  # in two forums


def test_what_comes_is_said_with_how_far_off_it_is() -> None:
    """A phone shows the date of the letter, not how many days lie between."""
    found = public(letters("six-phases", PHASES, "phase: day 1\n  stage: nominations", """\
  - {at: 2026-12-01T09:00Z, from: Ta, says: "vote Ma", to: contestmaster}
  - {at: 2026-12-01T09:00Z, from: Tb, says: "vote Co", to: contestmaster}
  - {at: 2026-12-03T01:00Z}
  - {at: 2026-12-05T01:00Z}"""))

    assert "between Ma and Co, lasts until Sat 5 Dec 2026 00:00 UTC, in 1 day 23 hours." in found
    assert "sealed until the deadline NAME can be: Ma and Co" in found
    assert "may answer in a forum by then; no votes are taken before." in found


def test_a_name_that_is_not_in_the_game_is_answered_in_its_words() -> None:
    """Only nomic-crossing has townspersons, in what a letter is asked back, too."""
    played = rehearse(read_script(f"""\
ruleset: six-phases
given: {{roles: {PHASES}, phase: day 1, stage: nominations, contestmaster: Murphy, at: 2026-12-01T00:00Z}}
when:
  - {{at: 2026-12-01T09:00Z, from: Ta, says: "I vote for Murphy.", to: contestmaster}}
"""), order_of)

    assert "Murphy is no player here. Name a player, or nobody." in to("Ta", played.letters)


def test_a_reminder_says_which_vote_and_how_long() -> None:
    """GA 5c: on whom, until when, and where."""
    found = to("N3", letters("gadianton", ROBBERS, "phase: day 2", """\
  - {at: 2026-12-01T01:00Z, from: N1, to: forum, says: accuse G1}
  - {at: 2026-12-01T02:00Z, from: N2, to: forum, says: second G1}
  - {at: 2026-12-03T03:00Z}"""))

    assert "The ballot of day 2, on G1, ends at Fri 4 Dec 2026 02:00 UTC, in" in found
    assert "and you have not voted: please do so in a forum." in found


def test_who_plays_on_has_a_line_for_each_thing() -> None:
    """D-N41: what the other was told and did, with the phase of each."""
    found = letters("gadianton", ROBBERS, "phase: night 2", """\
  - {at: 2026-12-01T01:00Z, from: G2, to: contestmaster, says: attack N2}
  - {at: 2026-12-01T02:00Z, from: G1, to: contestmaster, says: attack N2}
  - {at: 2026-12-01T03:00Z, from: Zed, to: forum, says: I join this contract.}
  - {at: 2026-12-01T04:00Z, from: Murphy, command: substitute G1 Zed}""")
    told = next(x.body for x in found if x.person == "Zed" and "You take over from G1" in x.body)

    assert "\nWhat G1 was told:\n" in told
    assert "\n- Night 2: G2's choice: attack N2.\n" in told
    assert "\nWhat G1 did in private:\n- Night 2: attack N2\n" in told


def test_no_discussion_is_told_of_that_is_over_at_once() -> None:
    """GA 5f, D-G11: where another trial waits it begins with the acquittal."""
    found = letters("gadianton", ROBBERS, "phase: day 2", "".join(
        f"  - {{at: 2026-12-01T0{n}:00Z, from: {who}, to: forum, says: {says}}}\n" for n, (who, says) in enumerate((
            ("N1", "accuse G1"), ("N2", "second G1"), ("N3", "accuse N4"), ("N5", "second N4")), 1))
        + "  - {at: 2026-12-05T00:00Z}\n")
    acquitted = next(x.body for x in found if x.forum == "agora" and "acquitted" in x.subject)

    assert "N4 is on trial" in acquitted
    assert "The discussion of day 2" not in acquitted


def test_a_null_verdict_can_be_changed_until_the_vote_closes() -> None:
    """GA 5e: the day may go on for long after that."""
    steps = "".join(
        f"  - {{at: 2026-12-0{day}T0{n}:00Z, from: {who}, to: forum, says: {says}}}\n"
        for n, (day, who, says) in enumerate((
            (1, "N1", "accuse G1"), (1, "N2", "second G1"), (3, "N3", "guilty if N4 votes guilty")), 1))
    found = to("N3", letters("gadianton", ROBBERS, "phase: day 2", steps))

    assert "counts as null for now" in found
    assert "You can change it in a forum until Fri 4 Dec 2026 02:00 UTC, in 23 hours." in found


def test_a_null_verdict_is_told_of_once_a_letter() -> None:
    """Whoever votes twice in one breath is told why eir vote comes to nothing once, and of the later one."""
    steps = ("  - {at: 2026-12-01T01:00Z, from: N1, to: forum, says: accuse G1}\n"
             "  - {at: 2026-12-01T02:00Z, from: N2, to: forum, says: second G1}\n"
             "  - at: 2026-12-03T03:00Z\n    from: N3\n    to: forum\n    says: |\n"
             "      guilty if N4 votes guilty.\n\n      guilty if N5 votes guilty.\n")
    found = to("N3", letters("gadianton", ROBBERS, "phase: day 2", steps))

    assert found.count("counts as null for now") == 1
    assert "N5" in found.partition("counts as null for now")[2]


def test_the_contestmaster_acts_in_the_first_person() -> None:
    """An award or an intent is the contestmaster's own act only as one that e does; one line says who "I" is."""
    texts = {path.name: path.read_text() for path in sorted(TEMPLATES.glob("*.txt"))
             if path.name.startswith(("public-", "award-"))}
    third = re.compile(r"(?:[Tt]he contestmaster|{{ contestmaster\|clean }})(?:, [^,]*,)? "
                       r"(?:has|hereby|is|lets|(?:answer|award|correct|end|give|intend|publishe|rule)[sd])\b")

    assert {name: found for name, text in texts.items() if (found := third.findall(text))} == {}
    assert "as contestmaster, publishes this through the contest's address" in (TEMPLATES / "public.txt").read_text()


@pytest.mark.parametrize(("phase", "why"), [
    ("night 2", "nobody votes by night"), ("day 1", "In the discussion of day 1 no vote is open")])
def test_who_misspells_a_vote_where_none_is_open_is_told_so(phase: str, why: str) -> None:
    """Set right, it would be refused all the same: by night, and in a discussion."""
    text = (f"ruleset: gadianton\ngiven:\n  roles: {ROBBERS}\n  contestmaster: Murphy\n  phase: {phase}\n"
            "  at: 2026-12-01T00:00Z\nwhen:\n"
            '  - {at: 2026-12-01T09:00Z, from: N1, says: "I vote for G9.", to: forum}\n')
    told = to("N1", rehearse(read_script(text), order_of).letters)

    assert why in told
    assert "Please say it again" not in told


def test_nobody_is_sent_to_ask_where_no_question_is_taken() -> None:
    """SP 0f: by night the hint would lead to a refusal; by day it is there."""
    def told(phase: str) -> str:
        text = (f"ruleset: six-phases\ngiven:\n  roles: {PHASES}\n  contestmaster: Murphy\n  phase: {phase}\n"
                "  at: 2026-12-01T00:00Z\nwhen:\n"
                '  - {at: 2026-12-01T09:00Z, from: Ta, says: "Hm, so be it then.", to: contestmaster}\n')
        return to("Ta", rehearse(read_script(text), order_of).letters)

    night, day = told("night 1"), told("day 1")

    assert "so nothing was done." in night
    assert 'put "ask:"' not in night
    assert 'put "ask:"' in day


def test_a_question_stands_with_its_words() -> None:
    """What else a letter reports stands before or after both, not between."""
    found = [Section("Received: a."), Section("Please say it again.", "You wrote: b"), Section("c"), Section("d")]

    assert paragraphs(found) == ["Received: a.\nPlease say it again.", "You wrote: b", "c\nd"]
