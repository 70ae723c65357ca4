"""Whose a line is: the author's, another's, or in doubt, with the evidence."""

from __future__ import annotations

import pytest

from nomicwolf.letters import whose
from nomicwolf.letters.whose import Scanned, scan
from tests.tables import each

OWN = "I vote for Gus."
THEIRS = "I vote for Hal."
ATTRIBUTION = "On Mon, 23 Nov 2026, Bex <bex@players.example> wrote:"
HEADER = "From: Bex <bex@players.example>\nSent: Mon, 23 Nov 2026 20:00\nTo: agora\nSubject: lynch"


def mine(found: Scanned) -> list[str]:
    """Return the lines that are the author's for certain."""
    return [line for line, why in zip(found.lines, found.whys, strict=True) if line.strip() and not why]


def doubted(found: Scanned) -> dict[str, str]:
    """Return what evidence there is about which line."""
    return {found.lines[place]: doubt for place, doubt in found.doubts.items()}


@pytest.mark.parametrize("announced", [ATTRIBUTION, HEADER, f"-----Original Message-----\n{HEADER}", "Bex wrote:"])
@each("first", ["\tHi all", "    Hi all", "  1. Cam lies.\n  2. So does Dov.", "\u00a0\u00a0Hi all",
                                   "\n\n  Hi all\n\n  and none"])
def test_a_quotation_that_begins_set_in_may_go_on(announced: str, first: str) -> None:
    """A tab, no-break spaces, a list or a paragraph's first line: nothing of it shows the quotation's end."""
    found = scan(f"{OWN}\n\n{announced}\n\n{first}\n\n{THEIRS}\n\nBex")

    assert mine(found) == [OWN]
    assert doubted(found) == {THEIRS: whose.OUTDENTED, "Bex": whose.OUTDENTED}


@pytest.mark.parametrize("announced", [ATTRIBUTION, HEADER, f"---------- Forwarded message ---------\n{HEADER}"])
def test_what_has_no_marks_is_in_doubt_to_the_end(announced: str) -> None:
    """What a reply holds below an unmarked quotation could be an answer to it."""
    found = scan(f"Hi.\n\n{announced}\n\nHello.\n\n{OWN}")

    assert mine(found) == ["Hi."]
    assert doubted(found) == {"Hello.": whose.UNMARKED, OWN: whose.UNMARKED}


def test_what_stands_above_the_marks_is_in_doubt() -> None:
    """Between the line that says whom one quotes and the first quote mark one may have begun to answer."""
    found = scan(f"Hi.\n\n{ATTRIBUTION}\n\n{OWN}\n\n> Hello\n> there\n\nSo.")

    assert mine(found) == ["Hi."]
    assert doubted(found) == {OWN: whose.BETWEEN, "So.": whose.UNMARKED}


@pytest.mark.parametrize("device", ["Sent from my iPhone", "Get Outlook for Android", "Von meinem iPad gesendet"])
def test_what_stands_below_a_devices_line_is_in_doubt(device: str) -> None:
    """A telephone's mailer may quote without a word; what is below a quotation with marks is told as ever."""
    found = scan(f"{OWN}\n\n{device}\n\n{THEIRS}")
    assert (mine(found), doubted(found)) == ([OWN], {THEIRS: whose.DEVICE})

    below = scan(f"{device}\n\n{ATTRIBUTION}\n> {THEIRS}\n\n{OWN}")
    assert (mine(below), doubted(below)) == ([OWN], {})


def test_what_a_chat_said_may_have_more_paragraphs() -> None:
    """Who and when stand above the first one alone."""
    found = scan(f"{OWN}\nBex — Today at 9:44 AM\nHello.\n\n{THEIRS}")

    assert (mine(found), doubted(found)) == ([OWN], {THEIRS: whose.CHAT})


def test_marks_leave_no_doubt() -> None:
    """Below an attribution marked lines are another's, and the others the author's, in any order."""
    found = scan(f"{OWN}\n\n{ATTRIBUTION}\n\n> Hello\n\nNo.\n\n> {THEIRS}\n\nBye.")

    assert (mine(found), doubted(found)) == ([OWN, "No.", "Bye."], {})


ABBREVIATED = [
    "Am Di., 1.\nDez. 2026 um 09:44 Uhr schrieb Bex <bex@b.example>:",
    "Bex Eks <bex@b.example> schrieb am Do., 27.\nApr. 2017 um 11:53 Uhr:",
    "Bex Eks schrieb am Di., 1. Dez.\n2026 um 09:44 Uhr:",
    "Bex Eks schrieb am Di.,\n1. Dez. 2026 um 09:44 Uhr:",
    "Bex Eks <bex@b.example> a écrit le mar. 1 déc.\n2026 à 09:44 :",
    "Le mar. 1 déc.\n2026 à 09:44, Bex <bex@b.example> a écrit :",
    "El mar., 1 dic. 2026 a las 9:44 a. m.\nBex (<bex@b.example>) escribió:",
    "Em ter., 1 de dez.\nde 2026 às 09:44, Bex <bex@b.example> escreveu:",
    "wt., 1 gru 2026 o 09:44 Bex z firmy sp. z o.o.\n<bex@b.example> napisał(a):",
    "вт, 1 дек. 2026 г.\nв 09:44, Bex <bex@b.example>:",
    "Bex <bex@b.example> написал вт, 1 дек. 2026 г.\nв 09:44:",
    "út 1. 12. 2026 v 9:44 odesílatel Bex N.\n<bex@b.example> napsal:",
    "Den tis 1 dec.\n2026 kl 09:44 skrev Bex <bex@b.example>:",
    "Bex <bex@b.example> skrev den tir. 1. dec. 2026 kl.\n09.44:",
    "Op di 1 dec.\n2026 om 09:44 schreef Bex <bex@b.example>:",
    "Bex (bex@b.example) kirjoitti ti 1. jouluk.\n2026 klo 9.44:",
    "uto, 1. pro 2026.\nu 09:44 Bex <bex@b.example> napisao je:",
    "Bex <bex@b.example> ezt írta (időpont: 2026. dec. 1.\n, K 9:44):",
    "Στις Τρί, 1 Δεκ 2026 στις 9:44 π.μ.\nο χρήστης Bex <bex@b.example> έγραψε:",
    "În mar., 1 dec.\n2026 la 09:44, Bex <bex@b.example> a scris:",
    "El dt., 1 de des.\n2026, 9:44, Bex <bex@b.example> va escriure:",
    "2026. 12. 1.\n오전 9:44에 Bex <bex@b.example>님이 작성:",
    "V tor., 1. dec. 2026 ob 09:44 je oseba Bex N.\n<bex@b.example> napisala:",
    "otrd., 2026. g. 1. dec., plkst. 09.\n44 — lietotājs Bex (<bex@b.example>) rakstīja:",
    "2026 m. gruodžio 1 d.\n, antr. 09:44 Bex <bex@b.example> rašė:",
    "On Tue, Dec 1, 2026 at 9:44 a.m.\nBex <bex@b.example> wrote:",
    "On Tue, Dec 1, 2026 at 9:44 AM Bex T.\nExample <bex@b.example> wrote:",
    "On Dec.\n1, 2026, at 9:44 AM, Bex <bex@b.example> wrote:",
]


@pytest.mark.parametrize("mark", ["", "> "])
@each("attribution", ABBREVIATED)
def test_an_attribution_may_be_broken_after_a_short_form(attribution: str, mark: str) -> None:
    """In all languages that abbreviate, whether the quotation has marks or not."""
    found = scan(f"{OWN}\n\n{attribution}\n\n{mark}{THEIRS}")

    assert THEIRS not in mine(found)
    assert mine(found)[0] == OWN
    assert mine(found)[1:] in ([], [attribution.partition("\n")[0]]), "what does nothing may be left of it"


@pytest.mark.parametrize("text", [
    "I vote for Gus at 12.\nBex wrote:\n> so", "On 1 December 2026 I vote for Gus.\nBex wrote:\n\n> so",
    "On 1 December 2026 at 12:00 I vote for Gus.\nSo it is.\nBex wrote:\n> so",
    "As Bex wrote, on day 3.\nI vote for Gus.\nSo: that is it.",
])
def test_a_sentence_above_an_attribution_is_the_authors(text: str) -> None:
    """A full stop ends it, as a short word before that may."""
    assert mine(scan(text))[0] == text.partition("\n")[0]


def test_a_sentence_that_may_be_an_attributions_beginning_is_in_doubt() -> None:
    """It is left out, and asked about: never passed over."""
    found = scan("I vote at 12:00 for Gus.\nThe reasons are all those that Bex by night in a tent wrote:\n\nso")

    assert doubted(found)["I vote at 12:00 for Gus."] == whose.ATTRIBUTED
