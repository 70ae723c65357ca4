"""The author's own text, and whose each other line is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.letters import attribution
from nomicwolf.letters.attribution import Scanned, authored, own_text, scan
from nomicwolf.letters.letter import Letter, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.letters.quote_headers import says_who
from tests.tables import each

BARRED = """No.
---- Replied Message ----
| From | Bex<bex@x.example> |
| Date | 01/05/2026 09:00 |
| To | Ash |
| Subject | lynch |
I vote for Hal."""
MARKED = """No.
____________
> Od: "Bex" <bex@x.example>
> Komu: Ash
> Datum: 05.01.2026 09:00
> Předmět: lynch
>

I vote for Hal."""
WHOLE = MARKED.replace(">\n", "> Yes.\n")
DIVIDED = """No.
 >-------- Оригинално писмо --------
 >От: Bex bex@x.example
 >Относно: lynch
 >До: Ash
 >Изпратено на: 05.01.2026 09:00

I vote for Hal."""
LONG = "I have thought about this for a while now, and it seems to me that Hal is a wolf."


def letter_of(body: str, *, reply: bool = True) -> Letter:
    """Return a letter with this *body*, in answer to another one or not."""
    data = b"From: ash@example.org\nSubject: lynch\n\n"
    letter = replace(make_letter(Raw("here", 1, 0, data, len(data))), body=body)
    return replace(letter, in_reply_to="<a@b>") if reply else letter


def own_lines(letter: Letter, *heard: str) -> list[str]:
    """Return the author's lines that show something, if others have said *heard* before."""
    return [text for _, text in authored(letter, lambda line: line in heard).lines if text]


def test_two_players_who_say_the_same_do_not_quote_each_other() -> None:
    """A short line that someone else has said before is the author's own all the same."""
    letter = letter_of("I vote for Gus.\nI endorse Bex.\n")

    assert own_lines(letter, "I vote for Gus.", "I endorse Bex.") == ["I vote for Gus.", "I endorse Bex."]


def test_a_long_line_heard_before_is_a_quote() -> None:
    """Without any quote mark: nobody writes the same long line by chance."""
    letter = letter_of(f"{LONG}\nI vote for Gus.\n")

    assert own_lines(letter, LONG) == ["I vote for Gus."]
    assert (1, LONG, "quoted") in authored(letter, lambda line: line == LONG).ignored


def test_a_run_of_lines_heard_before_is_a_quote() -> None:
    """Several short lines in a row that come to sixty characters, empty ones between."""
    said = ("Hal is a wolf, I am sure.", "I vote for Hal.", "Who will join me in this?")
    letter = letter_of("\n\n".join(said) + "\n\nNo. I vote for Gus.\n")

    assert own_lines(letter, *said) == ["No. I vote for Gus."]


def test_a_run_is_broken_by_a_new_line() -> None:
    """Two short runs with the author's own words between them stay eirs."""
    letter = letter_of("I vote for Hal.\nBut why?\nI vote for Hal.\n")

    assert len(own_lines(letter, "I vote for Hal.")) == 3


def test_only_answers_are_compared_with_what_was_heard() -> None:
    """A letter that begins a thread can't quote; but an answer is known by its subject too."""
    letter = letter_of(f"{LONG}\n", reply=False)

    assert own_lines(letter, LONG) == [LONG]
    assert own_lines(replace(letter, subject="Re: lynch"), LONG) == []


def test_line_numbers_count_from_one_in_the_body() -> None:
    """Numbers are those of the decoded body, whatever was left out before."""
    found = authored(letter_of("> a\n\nI vote for Gus.\n-- \nAsh"))

    assert (3, "I vote for Gus.") in found.lines
    assert found.ignored == ((1, "> a", "quoted"), (4, "--", "signature"), (5, "Ash", "signature"))


def test_asides_have_no_line() -> None:
    """What stands in an attachment or in the HTML copy only is remembered under number 0."""
    letter = replace(letter_of("Hi"), asides=(("attachment", "I vote for Hal."),))

    assert authored(letter).ignored == ((0, "I vote for Hal.", "attachment"),)


@each(
    ("body", "own"),
    [
        ("Bex said:\nI vote for Hal.\n\nI vote for Gus.", "\nI vote for Gus."),
        ("I vote for Gus.\n\n>>> Bex <bex@b.example> 12/1/26 12:00 PM >>>\nI vote for Hal.", "I vote for Gus.\n"),
        ("I vote for Gus.\nמאת: Bex <bex@b.example>\nנשלח: 1 דצמבר 2026 12:00\nאל: x\n\nI vote for Hal.",
         "I vote for Gus."),
        ("I vote for Gus.\nمن: Bex <bex@b.example>\nتم الإرسال: 1 2026 12:00\nإلى: x\n\nI vote for Hal.",
         "I vote for Gus."),
        ("I vote for Gus.\nTừ: Bex <bex@b.example>\nĐã gửi: 1/12/2026 12:00\n\nI vote for Hal.", "I vote for Gus."),
        ("No.\nBex — Today at 9:44 AM\nI vote for Gus.\nSo?\n\nNo.", "No."),
        ("Bex Example, [01.12.26 09:44]\nI vote for Gus.\n\nNo.", ""),
        ("Agora — 12/01/2026 9:44 AM\n\nI vote for Gus.",) * 2,
        ("Bex — as of 9:44 AM — is right\nI vote for Gus.",) * 2,
        ("Murphy> I vote for Hal.\nNo.", "No."),
        ("│ I vote for Hal.\n▌ I vote for Hal.\n&#62; I vote for Hal.\nNo.", "No."),
        ("Bex said: I vote for Hal.", "Bex said: I vote for Hal."),
        ("To answer what Bex asked:\nI vote for Gus.", "To answer what Bex asked:\nI vote for Gus."),
        ("I do the following:\n\nI vote for Gus.", "I do the following:\n\nI vote for Gus."),
        ("On 1 Dec 2026 Bex wrote: > I vote for Hal.\nNo.", "No."),
        ("On 1 Dec 2026 at 9:44 Bex <bex@example.org> wrote: I vote for Hal.\nNo.", "No."),
        ("At 12:00 I vote for Gus.", "At 12:00 I vote for Gus."),
        ("From: the desk of Ash\nI vote for Gus.", "From: the desk of Ash\nI vote for Gus."),
        ("Subject: lynching\nI vote for Gus.", "Subject: lynching\nI vote for Gus."),
        ("<Bex> I vote for Hal.\n[12:03] <Cam> I vote for Hal.\nNo.", "No."),
        ("<vague> I vote for Gus. </vague>", "<vague> I vote for Gus. </vague>"),
        ("A->B is how I vote: for Gus.", "A->B is how I vote: for Gus."),
        ("Hal>Gus\nI vote for Gus.", "Hal>Gus\nI vote for Gus."),
        ("No.\n\nOn Mon, 5 Jan 2026 at 9:00, Bex<bex@x.example> wrote:   I vote for Hal.\nI vote for Cam.", "No.\n"),
        ('On 5 Jan 2026 Bex <bex@x.example> wrote:  "I vote for Hal."\nNo.', "No."),
        ("No.\n\nԵրկ, 5 հնվ 2026 09:00 Bex <bex@x.example> գրել է՝\n\nI vote for Hal.", "No.\n"),
        ("No.\n\n2026 ජන 5 සඳු 9:00 ට, Bex <bex@x.example> ලියා තිබේ\n\nI vote for Hal.", "No.\n"),
        ("No.\n\nሰኞ 5 ጃንዩ 2026 9:00 ላይ Bex <bex@x.example> እንዲህ ጽፏል፦\nI vote for Hal.", "No.\n"),
        ("Мы писали 05.01.2026 на <bex@x.example> с приветом\nи ждём.\n\nI vote for Gus.",) * 2,
        ("» I vote for Hal.\n¦ I vote for Hal.\nNo.", "No."),
        ("»Nein«, sagt Bex.\nI vote for Gus.",) * 2,
        ("No.\n[ Forwarded from Bex ]\nI vote for Hal.", "No."),
        ('No.\nFrom "Bex" <bex@x.example>\nTo Ash\nDate 1/5/2026 9:00 AM\nSubject lynch\n\nI vote for Hal.', "No."),
        ("From Bex <bex@x.example> I heard nothing.\nTo Cam I would say no.\nI vote for Gus.",) * 2,
        (BARRED, "No."), (MARKED, "No."), (DIVIDED, "No."), (WHOLE, "No.\n____________\n\nI vote for Hal."),
        ("> From: Bex <bex@x.example>\n> Date: 5 Jan 2026\n> Subject: lynch\n\nYes.", "\nYes."),
        ("No.\nგამგზავნი: Bex\nგაგზავნის თარიღი: 5 იანვარი 2026 9:00\nმიმღები: Agora\nთემა: BUS\n\nI vote for Hal.",
         "No."),
        ("- I vote for Gus.\n-- no, wait", "- I vote for Gus.\n-- no, wait"),
        ("____________\nI vote for Gus.", "____________\nI vote for Gus."),
        ("{{{\n> I vote for Hal.\n}}}\nI vote for Gus.", "{{{\n}}}\nI vote for Gus."),
        ("> long enough that a mailer has to break this line somewhere near seventy so\nI vote for Hal\n> now.\nNo.",
         "No."),
        ("> I think Hal is right about all of that, and I\nvote for Gus\n> only if Bex does not, who never would.\nNo.",
         "No."),
        ("> Who gets your vote? I'd like to know this now.\nI vote for Gus.\n> And why would you do so, if I may ask",
         "I vote for Gus."),
        ("> So who do you think it is, and who gets your vote\nvote gus", "vote gus"),
        ("> Do you vote for\nGus\n> or not", "Gus"),
        ("> short\nI vote for Gus.", "I vote for Gus."),
        ("> A whole sentence which is long, but which ends where the line of it does end.\nI vote for Gus.",
         "I vote for Gus."),
        ("No.\nFrom bex@x.example Sat Nov 21 20:00:00 2026\nFrom: Bex <bex@x.example>\n\nI vote for Gus.", "No."),
        ("No.\n\nBex <bex@x.example> scripsit:\nI vote for Gus.", "No.\n"),
        ("No.\n____________\nFrom: bex@x.example\n\nI vote for Gus.", "No.\n____________"),
        ("No.\nFrom: bex@x.example\n\nI vote for Gus.", "No.\nFrom: bex@x.example\n\nI vote for Gus."),
        ("Title: Wolves\nAuthor: ash@x.example\nCoauthor: cam@x.example\nDate: 2026-12-01\nI vote for Gus.",) * 2,
        ("My vote: Gus\nFrom: Bex\nDate: 2026-12-01\nSubject: lynch\n\nI vote for Hal.", "My vote: Gus"),
        ("Date: tomorrow\nTo: everybody\nI vote for Gus.",) * 2,
        ("No.\nFrom: bex@x.example\n\n\nSent: now\n\n\nTo: me\n\nI vote for Gus.", "No."),
        ("No.\nFrom: Bex <bex@x.example> Sent: Tuesday To: Ash Subject: lynch\n\nI vote for Gus.", "No."),
        ("No.\nFrom: Bex\nTo: Ash; Cam;\nDov;\nEli\nDate: 1/12/26\n\nI vote for Gus.", "No."),
        ("No.\nFrom: b@x.example\nTo: ash@x.example\nDov;\nEli;\nFay;\n\nI vote for Gus.", "No."),
        ("From: my point of view, to: yours: I vote for Gus.",) * 2,
        ("So: -------- Original message --------From: Bex\nI vote for Gus.", ""),
        ("No.\n  ----- Doorgestuurd bericht ----- Van: Bex <bex@x.example>" + "Aan: Ash " * 20 + "\nI vote for Gus.",
         "No."),
        ("I vote for Gus ---- forwarded message or not ---- as I said.",) * 2,
        ("----- Votes -----\nI vote for Gus.",) * 2,
        ("----- The Jägerin's vote -----\nI vote for Gus.",) * 2,
        ("No.\n---------- Ծանուցում ----------\nI vote for Gus.", "No."),
        ("No.\nOriginal Message processed by david®\nlynch\n\nI vote for Gus.", "No."),
        ("mailto:bex@x.example\n\n> wrote:\nI vote for Gus.", "mailto:bex@x.example\n"),
        ("> On 1 Dec 2026 Bex <bex@x.example>\n> wrote:\nI vote for Gus.", "I vote for Gus."),
        (": I vote for Hal.\nI vote for Gus.", "I vote for Gus."),
        ("-----BEGIN PGP PUBLIC KEY BLOCK-----\nI vote for Hal.\n-----END PGP PUBLIC KEY BLOCK-----\nHi", "Hi"),
        ("-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n- > no quote\n- -----dash", "-----dash"),
    ],
)  # fmt: skip
def test_what_is_left(body: str, own: str) -> None:
    """Look-alikes on both sides of the line between quotes and the author's own text."""
    assert own_text(body) == own


NOTES = {
    "labels with colons": """I vote for Gus.

Bex Player <bex@b.example>
12/01/2026 09:12 AM
Please respond to bex

        To:     agora-business@agora.example,
                ash@players.example
        cc:
        Subject:        Re: BUS: Werewolves

I vote for Hal.""",
    "labels on lines of their own": """I vote for Gus.

Bex Player <bex@b.example>
Sent by: agora-business-bounces@agora.example
12/01/2026 09:12 AM
Please respond to
agora-discussion@agora.example


To
agora-business@agora.example
cc

Subject
Re: BUS: Werewolves

I vote for Hal.""",
    "sender and date on one line": """I vote for Gus.

"Bex Player" <bex@b.example> on 12/01/2026 09:12:33 AM

To:   agora-business@agora.example
cc:

Subject:  Re: BUS: Werewolves

I vote for Hal.""",
    "in German": """I vote for Gus.

bex@b.example
01.12.2026 09:12
Bitte antworten an agora-discussion@agora.example

An:      agora-business@agora.example
Kopie:
Thema:   Werewolves

I vote for Hal.""",
}


@pytest.mark.parametrize("body", NOTES.values(), ids=NOTES)
def test_what_lotus_notes_quotes_is_quoted(body: str) -> None:
    """It copies the older letter below its sender, its date, To and Subject, and marks no line of it."""
    assert own_text(body).strip() == "I vote for Gus."


@pytest.mark.parametrize("gone", [
    "12/01/2026 09:12 AM\n", "Bex Player <bex@b.example>\n", "To\nagora-business@agora.example\ncc\n",
    "Subject\nRe: BUS: Werewolves\n"])
def test_less_than_that_is_the_authors_own(gone: str) -> None:
    """An address, a date or a list of labels is what anyone may write."""
    body = NOTES["labels on lines of their own"]
    assert gone in body
    body = body.replace(gone, "")
    assert "I vote for Hal." in own_text(body)


@each(("body", "own"), [
    ("Gus it is.\n\n----------\nPosted by: Bex <bex@y.example>\n----------\n\nI vote for Hal.", "Gus it is."),
    ("Gus it is.\n\n__._,_.___\n\nPosted by: Bex <bex@y.example>\nReply to group\n\n__,_._,___", "Gus it is."),
    ("Gus it is.\n\n----------------\n\nYahoo Groups Links\n\n<*> I vote for Hal.", "Gus it is."),
    ("Posted by: Bex <bex@y.example>\nI vote for Gus.", "Posted by: Bex <bex@y.example>\nI vote for Gus."),
    ("------------\nPosted by: the door\n------------\nI vote for Gus.",
     "------------\nPosted by: the door\n------------\nI vote for Gus."),
])
def test_yahoos_footers_are_footers(body: str, own: str) -> None:
    """Who posted a letter stands in its group's footer, between rules."""
    assert own_text(body).strip() == own


@each(("what", "own"), [
    ("madness, hang Hal.", True), ("town I'd have to die.", True), ("group and stop receiving emails, ...", False),
    ("list, write to -leave", False), ("topic, visit https://groups.example/", False),
])
def test_from_what_one_unsubscribes_tells_a_footer_from_prose(what: str, own: bool) -> None:
    """Lists name themselves; one's own sentence may begin with the same words."""
    body = f"No.\n\nTo unsubscribe from this {what}\nI vote for Gus."
    assert own_text(body).strip() == (body if own else "No.")


@pytest.mark.parametrize("sender", ["Ash Ley <ash.ley@example.org>", "ash@example.org", "Ash <a1@example.org>"])
@each("dash", ["\u2014", "\u2013", " \u2014 "])
def test_a_dash_above_the_senders_name_begins_a_signature(sender: str, dash: str) -> None:
    """A word processor makes one dash of the two; whose name stands below it is known."""
    data = f"From: {sender}\nSubject: lynch\n\nI vote for Gus.\n\n".encode() + (
        f"{dash}\nAsh\nClub of Nomics\n\n> I vote for Hal.\n").encode()
    letter = make_letter(Raw("here", 1, 0, b"Content-Type: text/plain; charset=utf-8\n" + data, len(data)))
    found = authored(letter)

    assert [text for _, text in found.lines if text] == ["I vote for Gus."]
    assert {why for _, text, why in found.ignored if "Club" in text} == {"signature"}


@each("below", [
    "I vote for Gus.", "Bex\nI vote for Gus.", "Ash\nI vote for Gus.", "Ash\n\nvote Gus", "Ash\nP.S. it is Gus",
    "Ash is right.", "Ash\nvote Gus", "", "Ash\na\nb\nc\nd\ne\nf",
])
def test_other_words_below_a_dash_are_the_authors_own(below: str) -> None:
    """Many set a dash between the parts of a letter."""
    letter = letter_of(f"So.\n\u2014\n{below}")
    letter = replace(letter, senders=(("Ash", "ash@example.org"),))

    assert not [why for _, _, why in authored(letter).ignored]


@each(
    "text",
    ["I vote as follows:", "On Monday I vote for Gus:", "Here is why:", ":", "", "On reflection:", "TTttPF:",
     "The vote stands at 5:", "I act on behalf of Bex to vote for Gus:", "My reasons on 1 December 2026:"],
)  # fmt: skip
def test_announcements_are_no_attributions(text: str) -> None:
    """A line that ends in a colon is not yet a quote's beginning."""
    assert not says_who(text)


@each(
    "text",
    ["2026-12-01 09:44 tarixdə, Bex yazıb:", "Den 2026-12-01 09:44 skreiv Bex:", "Bex menulis:", "Bex skribis:",
     "In data Tuesday, 1 December 2026 09:44:12, hai scritto:", "El 1 December 2026, a les 09:44, vau escriure:",
     "Bex <bex@b.example> ezt írta (időpont: 2026. aug. 16., Ke 12:27):", "2026-12-01 09:44에 Bex이(가) 쓴 내용:",
     "កាលពីថ្ងៃ 2026-12-01 09:44, Bex បានសរសេរ៖", "Tue, 2026-12-01 at 09:44 +0100 దా, Bex వ్రాశారు:",
     "В письме от 01.12.2026 09:44 Вы написали:", "2026-12-01 09:44 GMT+03:00 Bex Example",
     "2026/12/1 Bex <bex@b.example>", "Quoting Bex (2026-12-01 09:44:12)", "Quoting Bex <bex@b.example>",
     "2026-12-01, Bex <b@b.example> menulis"],
)  # fmt: skip
def test_mailers_of_all_tongues_announce_quotations(text: str) -> None:
    """By their verbs, or by a date in a line of another script than English has."""
    assert says_who(text)


@each(
    "text",
    ["2026-11-30 Bex <bex@b.example> registered.", "2026-12-01 10:00 UTC:", "At 12:00 天火狐 acted, so the order is:",
     "Here is what I sent:", "Quoting rule 3", "It is 10:00 GMT+03:00 Ash", "2026-12-01 is what Bex wrote"],
)  # fmt: skip
def test_a_date_alone_announces_nothing(text: str) -> None:
    """Nor does a name in another script, in an English line."""
    assert not says_who(text)


LINES = st.sampled_from(
    ["I vote for Gus.", "> I vote for Hal.", "", "On 1 Dec 2026 Bex wrote:", "Bex wrote:", "-- ", "  in here", "Ash",
     "From: Bex", "Sent: now", "To: Ash", "Subject: x", "-----Original Message-----", "Begin forwarded message:",
     "__________________", "agora mailing list", "-----BEGIN PGP SIGNED MESSAGE-----", "-----BEGIN PGP SIGNATURE-----",
     "-----END PGP SIGNATURE-----", "Sent from my phone", "> On 1 Dec 2026, Bex wrote:", "<bex@example.org> wrote:"],
)  # fmt: skip


@given(st.lists(LINES, max_size=30))
def test_quoted_lines_never_count(lines: list[str]) -> None:
    """Whatever stands around it, a line with a quote mark is left out, and every line is judged once."""
    found = scan("\n".join(lines))

    assert len(found.lines) == len(found.whys) == max(1, len(lines))
    assert all(found.whys[place] for place, line in enumerate(found.lines) if line.startswith(">"))
    assert all(found.whys[place] for place in found.doubts)


@given(st.lists(LINES, max_size=20))
def test_text_before_a_quote_does_not_depend_on_it(lines: list[str]) -> None:
    """A top-posted line counts the same whatever is quoted below it."""
    below = ["I vote for Gus.", "", "On Tue, 1 Dec 2026, Bex <bex@example.org> wrote:", *lines]

    assert scan("\n".join(below)).whys[0] == ""


@given(st.lists(LINES, max_size=20))
def test_reading_the_authors_text_again_changes_little(lines: list[str]) -> None:
    """The author's text never grows when it is read a second time."""
    once = own_text("\n".join(lines))

    assert len(own_text(once)) <= len(once)


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
    assert doubted(found) == {THEIRS: attribution.OUTDENTED, "Bex": attribution.OUTDENTED}


@pytest.mark.parametrize("announced", [ATTRIBUTION, HEADER, f"---------- Forwarded message ---------\n{HEADER}"])
def test_what_has_no_marks_is_in_doubt_to_the_end(announced: str) -> None:
    """What a reply holds below an unmarked quotation could be an answer to it."""
    found = scan(f"Hi.\n\n{announced}\n\nHello.\n\n{OWN}")

    assert mine(found) == ["Hi."]
    assert doubted(found) == {"Hello.": attribution.UNMARKED, OWN: attribution.UNMARKED}


def test_what_stands_above_the_marks_is_in_doubt() -> None:
    """Between the line that says whom one quotes and the first quote mark one may have begun to answer."""
    found = scan(f"Hi.\n\n{ATTRIBUTION}\n\n{OWN}\n\n> Hello\n> there\n\nSo.")

    assert mine(found) == ["Hi."]
    assert doubted(found) == {OWN: attribution.BETWEEN, "So.": attribution.UNMARKED}


@pytest.mark.parametrize("device", ["Sent from my iPhone", "Get Outlook for Android", "Von meinem iPad gesendet"])
def test_what_stands_below_a_devices_line_is_in_doubt(device: str) -> None:
    """A telephone's mailer may quote without a word; what is below a quotation with marks is told as ever."""
    found = scan(f"{OWN}\n\n{device}\n\n{THEIRS}")
    assert (mine(found), doubted(found)) == ([OWN], {THEIRS: attribution.DEVICE})

    below = scan(f"{device}\n\n{ATTRIBUTION}\n> {THEIRS}\n\n{OWN}")
    assert (mine(below), doubted(below)) == ([OWN], {})


def test_what_a_chat_said_may_have_more_paragraphs() -> None:
    """Who and when stand above the first one alone."""
    found = scan(f"{OWN}\nBex — Today at 9:44 AM\nHello.\n\n{THEIRS}")

    assert (mine(found), doubted(found)) == ([OWN], {THEIRS: attribution.CHAT})


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

    assert doubted(found)["I vote at 12:00 for Gus."] == attribution.ATTRIBUTED
