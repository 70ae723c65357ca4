"""Whose words a line holds: the author's, or someone else's that e repeats."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nomicwolf.letters.attributions import says_who
from nomicwolf.letters.authored import authored, own_text
from nomicwolf.letters.letter import Letter, Raw
from nomicwolf.letters.mime import make_letter
from nomicwolf.letters.whose import scan
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
