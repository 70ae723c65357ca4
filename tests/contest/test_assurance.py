"""Levels of assurance per act: what isn't certain enough is put aside, and done once its author confirms it (D-N44)."""

from __future__ import annotations

import re
from base64 import encodebytes
from dataclasses import replace

import pytest

from nomicwolf.contest import LetterCame, hear
from nomicwolf.contest.mail.assurance import AHEAD, freshness
from nomicwolf.letters.letter import Outgoing, Seal
from nomicwolf.nomic.events import DeedDone, DeedHeard, LetterHeard, LetterHeld, Refused
from nomicwolf.nomic.law import Confirmed, ReplyTagSeen, SetAside
from nomicwolf.nomic.law_events import QuestionAsked
from nomicwolf.reports.terminal import status_text
from nomicwolf.village.events import Chose, Voted
from tests.contest.world import HOME, HOUR, SEVEN, World, setup
from tests.tables import each

pytestmark = pytest.mark.slow

TOKEN = re.compile(r'"confirm ([A-Z2-7-]+)"')
STRICT = {"private": "signed", "public": "from"}


def strict(**more: object) -> World:
    """A contest with a session in progress, where private acts need a proof."""
    given = {"assurance": STRICT, "subaddresses": True, **more}
    return World(setup(**given)).start()  # type: ignore[arg-type]


def token_letter(world: World) -> Outgoing:
    """The one letter of the last step that asks for a confirmation."""
    found = [o for o in world.letters if o.key.endswith("/confirm")]
    assert len(found) == 1
    return found[0]


def token(world: World) -> str:
    """The token of that letter."""
    found = TOKEN.search(token_letter(world).body)
    assert found is not None, token_letter(world).body
    return found[1]


def reply_to(world: World, who: str) -> str:
    """The address at which *who* answers eir latest private letter."""
    tag = [o for o in world.sent if o.person == who and o.key.endswith(f"/private/{who}")][-1].reply_tag
    local, _, domain = HOME.partition("@")
    return f"{local}+{tag}@{domain}"


def answer(world: World, who: str, text: str, at: float = 1, **more: object) -> str:
    """Let *who* answer eir latest private letter; return the bucket."""
    return str(world.write(who, text, "contestmaster", at, address=reply_to(world, who), **more).bucket)


def by_night() -> World:
    """The same by night, when there is something to do."""
    world = strict()
    for who in SEVEN:
        world.write(who, "I vote for Gus.", at=1)
    world.tick(2)
    assert world.contest.running is not None
    assert world.contest.running.phase == "night"
    return world


def role_holder(world: World, verb: str) -> str:
    """Who may do *verb* now."""
    game = world.contest.running
    assert game is not None
    rules = ruleset_of(world)
    return next(who for who in game.alive if any(d.verb == verb for d in rules.duties(game, who)))


def hunt(world: World) -> tuple[str, str]:
    """The werewolf, and somebody else."""
    wolf = role_holder(world, "attack")
    return wolf, next(p for p in world.game.alive if p != wolf)


def ruleset_of(world: World):  # type: ignore[no-untyped-def] # noqa: ANN201
    """The rule set of the session."""
    from nomicwolf.contest.step import Work

    return Work(world.contest, world.contest.clock).rules


def test_a_private_act_by_a_fresh_letter_waits_for_its_confirmation() -> None:
    """A From alone does no night deed: it is put aside, with one letter to the registered address and no other."""
    world = by_night()
    wolf, victim = hunt(world)

    world.write(wolf, f"attack {victim}", "contestmaster", at=3)

    assert [e for e in world.events(DeedHeard) if e.event.verb == "attack"] == []  # type: ignore[attr-defined]
    letter = token_letter(world)
    assert (letter.kind, letter.to, letter.person) == ("private", f"{wolf.lower()}@players.example", wolf)
    assert f"attack {victim}" in letter.body
    assert [o.person or o.forum for o in world.letters] == [wolf]
    waits = f"{wolf} is asked to confirm a letter (D-N44), until "
    assert waits in status_text(world.contest)

    world.write(wolf, f"confirm {token(world)}", "contestmaster", at=4)

    assert waits not in status_text(world.contest)

    done = [e.event for e in world.events(Chose) if isinstance(e.event, Chose) and e.event.who == wolf]
    assert [c.what for c in done if c.verb == "attack"] == [(victim,)]
    assert [e.event.sure for e in world.events(DeedHeard) if e.event.verb == "attack"] == [  # type: ignore[attr-defined]
        "confirmed"]


def test_an_answer_to_ones_own_letter_is_done_at_once() -> None:
    """The reply address carries a token of its reader's and the session's: no roundtrip."""
    world = by_night()
    wolf, victim = hunt(world)

    assert answer(world, wolf, f"attack {victim}", 3) == "deeds"
    assert any(isinstance(e.event, Chose) and e.event.who == wolf for e in world.entries)
    assert world.events(SetAside) == []


def test_somebody_elses_tag_and_an_old_one_prove_nothing() -> None:
    """A tag is good for one player in one session."""
    world = by_night()
    wolf, other = hunt(world)
    for address in (reply_to(world, other), HOME.replace("@", "+a@"), reply_to(world, wolf)[:-20] + HOME[4:]):
        world.write(wolf, f"attack {other}", "contestmaster", at=3, address=address)
        assert any(isinstance(e.event, SetAside) for e in world.entries), address


def test_tags_differ_by_player_and_session_and_reveal_nothing() -> None:
    """Each is 130 bits; none stands in a public letter, in a subject or in a body."""
    world = by_night()
    private = [o for o in world.sent if o.kind == "private" and o.reply_tag]
    tags = {o.person: o.reply_tag for o in private}

    assert len(set(tags.values())) == len(SEVEN)
    assert all(len(tag) == 26 for tag in tags.values())
    for letter in world.sent:
        assert not any(tag in letter.body or tag in letter.subject for tag in tags.values())
        assert letter.kind == "private" or not letter.reply_tag


def test_a_tag_that_a_forum_has_seen_is_replaced() -> None:
    """Whoever copies eir answer to the forum shows the tag to all: from then on another one counts."""
    world = by_night()
    wolf, victim = hunt(world)
    old = reply_to(world, wolf)
    world.write(wolf, "Hello all.", at=3, headers=f"Cc: {old}\r\n")
    assert [e.event.who for e in world.events(ReplyTagSeen)] == [wolf]  # type: ignore[attr-defined]

    world.write(wolf, f"attack {victim}", "contestmaster", at=4, address=old)
    assert any(isinstance(e.event, SetAside) for e in world.entries)


@each(
    ("text", "headers"),
    [
        ("> confirm {}", ""),
        ("On Tue, 1 Dec 2026, Wolf wrote:\n> confirm {}", ""),
        ("{letter}", ""),
        ("I am away until Friday.\n\n{letter}", ""),
        ("confirm {}", "Auto-Submitted: auto-replied\r\n"),
        ("confirm {}", "X-Autoreply: yes\r\n"),
        ("confirm {}", "Return-Path: <>\r\n"),
        ("-- \nconfirm {}", ""),
        ("-----Original Message-----\nconfirm {}", ""),
        ("Did you mean confirm {}?", ""),
        ("confirm {short}", ""),
    ],
)
def test_what_no_person_says_emself_confirms_nothing(text: str, headers: str) -> None:
    """Quoted, forwarded, below a signature, by a machine, our letter word for word, a part of the word: nothing."""
    world = by_night()
    wolf = role_holder(world, "attack")
    world.write(wolf, "attack nobody", "contestmaster", at=3)
    word, letter = token(world), token_letter(world).body
    said = text.replace("{letter}", letter).replace("{short}", word[:20]).replace("{}", word)

    world.write(wolf, said, "contestmaster", at=4, headers=headers)

    assert world.events(Confirmed) == []
    assert [e for e in world.events(DeedHeard) if e.event.verb == "attack"] == []  # type: ignore[attr-defined]


def test_a_word_is_good_once_for_one_person_in_private_and_in_its_phase() -> None:
    """Another person's letter, a list's, a second time, too late: each is refused, and told to its author."""
    world = by_night()
    wolf, other = hunt(world)
    world.write(wolf, f"attack {other}", "contestmaster", at=3)
    word = token(world)

    world.write(other, f"confirm {word}", "contestmaster", at=4)
    assert world.events(Confirmed) == []
    assert "confirms nothing" in world.to(other)

    world.write(wolf, f"confirm {word.lower().replace('-', '')}", "contestmaster", at=5)
    assert len(world.events(Confirmed)) == 1
    world.write(wolf, f"confirm {word}", "contestmaster", at=6)
    assert len(world.events(Confirmed)) == 1
    assert "confirms nothing" in world.to(wolf)


def through_html(text: str) -> str:
    """The headers and body of a letter in plain text and HTML, of which the HTML alone holds *text* as a link."""
    link = f'<p><a href="{text}">Hello.</a></p>'
    return f"--b\r\nContent-Type: text/plain\r\n\r\nHello.\r\n--b\r\nContent-Type: text/html\r\n\r\n{link}\r\n--b--"


PARTS = 'MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="b"\r\n'
ATTACHED = 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n'
CODED = "MIME-Version: 1.0\r\nContent-Transfer-Encoding: base64\r\n"
WITHIN = "--b\r\n\r\nSee below.\r\n--b\r\nContent-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\n{}\r\n--b--"
SHOWN: dict[str, tuple[str, str]] = {
    "by itself": ("{}", ""),
    "within a line": ("My word was {}, as you see.", ""),
    "quoted": ("> {}", ""),
    "as our letter prints it": ('> send back this line: "{}".', ""),
    "wrapped in a quotation": ("> > {half}\r\n> > {other}", ""),
    "below an attribution": ("On Tue, 1 Dec 2026, <{}> wrote:\r\n> hello", ""),
    "below a signature": ("Hello.\r\n-- \r\n{}", ""),
    "in the subject": ("Hello.", "X-Note: see the subject\r\nSubject: {}\r\n"),
    "in Reply-To": ("Hello.", "Reply-To: <{}>\r\n"),
    "in a display name": ("Hello.", 'Reply-To: "=?utf-8?q?{}?=" <wolf@wolf.example>\r\n'),
    "in a Cc": ("Hello.", "Cc: somebody@new.example, <{}>\r\n"),
    "by a machine": ("> {}", "Auto-Submitted: auto-replied\r\n"),
    "in a link of the HTML copy": (through_html("mailto:{}"), PARTS),
    "in an attached letter": (WITHIN, ATTACHED),
    "in base 64": ("{base64}", CODED),
}
"""Letters that show what stands for ``{}``, by body and headers."""


def show(world: World, who: str, form: str, secret: str, to: str = "agora", **more: object) -> None:
    """Let *who* post *secret* in that *form*."""
    text, headers = SHOWN[form]
    half = len(secret) // 2
    coded = encodebytes(f"It was {secret}.".encode()).decode()
    text, headers = (
        part.replace("{half}", secret[:half]).replace("{other}", secret[half:]).replace("{base64}", coded)
        .replace("{}", secret) for part in (text, headers))
    world.write(who, text, to, headers=headers, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("by", ["its owner", "another", "a stranger"])
@each("form", SHOWN)
def test_a_word_that_a_list_has_seen_is_spent(form: str, by: str) -> None:
    """It can't be used from a list's letter, nor afterwards, whoever posts it; its owner is told."""
    world = by_night()
    wolf, other = hunt(world)
    world.write(wolf, "attack nobody", "contestmaster", at=3)
    word = token(world)

    sender = {"its owner": wolf, "another": other, "a stranger": "Zoe"}[by]
    show(world, sender, form, f"confirm {word}", at=4)

    assert "only by private mail, and all have seen" in " ".join(world.to(wolf).split())
    world.write(wolf, f"confirm {word}", "contestmaster", at=5)
    assert [e for e in world.events(DeedHeard) if e.event.verb == "attack"] == []  # type: ignore[attr-defined]


@each("form", SHOWN)
def test_a_tag_that_a_list_has_seen_is_replaced_in_whatever_form(form: str) -> None:
    """In the body, in an attribution, in any field of addresses, in a letter of another's or a machine's."""
    world = by_night()
    wolf, victim = hunt(world)
    old = reply_to(world, wolf)
    show(world, victim, form, old, to="discussion", at=3)

    world.write(wolf, f"attack {victim}", "contestmaster", at=4, address=old)
    assert any(isinstance(e.event, SetAside) for e in world.entries)
    assert not any(isinstance(e.event, Chose) for e in world.entries)


def test_a_tag_that_a_blind_copy_went_to_is_kept() -> None:
    """What our own server notes on a letter, nobody on the forum has seen."""
    world = by_night()
    wolf = role_holder(world, "attack")
    world.write(wolf, "Hello.", at=3, headers=f"Delivered-To: {reply_to(world, wolf)}\r\n")
    assert world.events(ReplyTagSeen) == []


def test_a_held_letter_and_a_copy_spend_a_word_too() -> None:
    """What becomes of the letter says nothing of who has read it."""
    for more in ({"sender": "Bex <bex@players.example>, Cam <cam@players.example>"},
                 {"message_id": "<twice@players.example>"}):
        world = by_night()
        wolf = role_holder(world, "attack")
        if "message_id" in more:
            world.write(wolf, "Hello.", "contestmaster", at=2.5, message_id=more["message_id"])
        world.write(wolf, "attack nobody", "contestmaster", at=3)
        word = token(world)
        show(world, wolf, "in Reply-To", word, at=4, **more)
        assert [e.event.by for e in world.events(Confirmed)] == ["nothing: the word was seen"]  # type: ignore[attr-defined]


def test_a_word_for_an_address_is_spent_too() -> None:
    """Whoever reads the forum could answer for the address that has not said yes yet."""
    world = strict()
    world.write("Bex", "address: new@players.example", "contestmaster", at=1)
    words = {o.to: TOKEN.search(o.body)[1] for o in world.letters if "/address/" in o.key}  # type: ignore[index]
    show(world, "Bex", "quoted", words["bex@players.example"], at=2)
    assert "all have seen this word" in " ".join(world.to("Bex").split())

    for address, word in words.items():
        world.write("Bex", f"confirm {word}", "contestmaster", at=3, sender=f"Bex <{address}>")
    assert world.contest.address_of("Bex") == "bex@players.example"


def test_a_word_expires_with_its_hours_and_with_its_phase() -> None:
    """48 hours unless set otherwise; and never in another phase than the act was for."""
    world = strict(token_hours=2)
    world.write("Ash", "ask: may I?", "contestmaster", at=1)
    late = token(world)
    world.write("Ash", f"confirm {late}", "contestmaster", at=3 + 1 / HOUR)
    assert "too late" in world.to("Ash")

    world = strict(token_hours=2)
    world.write("Ash", "ask: may I?", "contestmaster", at=1)
    world.write("Ash", f"confirm {token(world)}", "contestmaster", at=3)
    assert len(world.events(Confirmed)) == 1

    world = by_night()
    wolf, victim = hunt(world)
    world.write(wolf, f"attack {victim}", "contestmaster", at=3)
    word = token(world)
    world.command("end", at=3, why="tired")
    world.write(wolf, f"confirm {word}", "contestmaster", at=4)
    assert "which is over: nothing was done" in " ".join(world.to(wolf).split())
    assert world.events(Confirmed) == []


def test_a_question_can_be_confirmed_after_the_day_in_which_it_was_asked() -> None:
    """It is the contestmaster's to answer at any time; what stood beside it is not done any more."""
    world = strict()
    world.write("Ash", "ask: may I?", "contestmaster", at=1)
    word = token(world)
    assert "lasts" not in token_letter(world).body
    for who in SEVEN:
        world.write(who, "I vote for Gus.", at=2)
    assert world.contest.running is not None
    assert world.contest.running.phase == "night"
    assert "Ash is asked to confirm a letter" in status_text(world.contest)

    world.write("Ash", f"confirm {word}", "contestmaster", at=3)
    assert [e.event.words for e in world.events(QuestionAsked)] == ["may I?"]  # type: ignore[attr-defined]
    assert "which is over" not in world.to("Ash")


def test_a_confirmed_vote_counts_from_its_confirmation() -> None:
    """Nobody can post a vote, see what comes, and make it count from the past (D-N44)."""
    world = strict(assurance={"public": "from", "private": "signed", "vote": "confirmed"})
    world.write("Ash", "I vote for Gus.", at=1)
    assert world.events(Voted) == []
    world.write("Ash", f"confirm {token(world)}", "contestmaster", at=2)
    voted = world.events(Voted)
    assert [e.at - voted[0].at for e in world.events(DeedDone)][-1:] == [0]
    assert voted[0].at == world.contest.clock


def test_a_copy_that_is_more_certain_does_it() -> None:
    """What came directly waits for the list's own copy where votes need the forum."""
    world = strict(assurance={"public": "forum", "private": "signed"})
    direct = world.letter("Ash", "I vote for Gus.", "agora", at=1, message_id="<one@players.example>")
    bare = replace(direct, stamps=(), through=())
    from nomicwolf.contest import LetterCame

    world._hear(LetterCame(bare), bare.arrived)
    assert world.events(Voted) == []
    world.write("Ash", "I vote for Gus.", at=1.5, message_id="<one@players.example>")
    assert len(world.events(Voted)) == 1


def test_a_stamp_proves_nothing_where_our_servers_have_no_names() -> None:
    """Anyone can write a Received field: without `contest.mail_hosts` what needs the forum is put aside."""
    for proves, votes in ((True, 1), (False, 0)):
        world = strict(assurance={"public": "forum", "private": "signed"}, stamps_prove=proves)
        world.write("Ash", "I vote for Gus.", at=1)
        assert (len(world.events(Voted)), len(world.events(SetAside))) == (votes, 1 - votes)


def test_forged_letters_do_not_flood_a_player() -> None:
    """Five wait at once; what is more is held for the contestmaster, and nobody gets a letter."""
    world = strict()
    asked = 0
    for place in range(8):
        world.write("Ash", f"ask: question {place}?", "contestmaster", at=1 + place / 10)
        asked += sum(o.key.endswith("/confirm") for o in world.letters)
    assert asked == 5
    assert len(world.events(LetterHeld)) == 3


def test_what_needs_openpgp_is_refused_without() -> None:
    """No token reaches that level."""
    world = strict(assurance={"private": "openpgp"})
    world.write("Ash", "ask: may I?", "contestmaster", at=1)
    assert world.events(SetAside) == []
    assert any(isinstance(e.event, Refused) and "OpenPGP" in e.event.why for e in world.entries)


def test_questions_need_no_proof() -> None:
    """Their answers go to the registered address alone, so a forged one tells nobody anything."""
    world = strict()
    world.write("Ash", "help", "contestmaster", at=1)
    assert world.events(SetAside) == []
    assert "Ash" in {o.person for o in world.letters}


def test_the_word_is_kept_as_a_hash_only() -> None:
    """Neither the record nor any other letter holds it; it is 140 bits."""
    world = strict()
    world.write("Ash", "ask: may I?", "contestmaster", at=1)
    word = token(world)
    assert len(word.replace("-", "")) == 28
    assert not any(word in repr(e) or word.replace("-", "") in repr(e) for e in world.contest.entries)
    assert sum(word in o.body for o in world.sent) == 1
    assert not any(word in o.subject for o in world.sent)


def test_every_role_reads_the_same_when_something_is_put_aside() -> None:
    """Whether an act waits hangs on the letter, never on the role: villagers and werewolves read the same (NC 6)."""
    world = by_night()
    bodies = set()
    for who in world.contest.running.alive:  # type: ignore[union-attr]
        world.write(who, "see nobody", "contestmaster", at=3)
        body = token_letter(world).body
        bodies.add(TOKEN.sub("", body).replace(who, "NAME"))
    assert len(bodies) == 1


DAY = 86_400


@pytest.mark.parametrize(("text", "before", "why"), [
    ("see Gus", 0, ""),
    ("see Gus", 1, "from before this session"),
    ("session 1, night 9\nsee Gus", 0, "which is not now"),
    ("session 2, day 1\nsee Gus", 0, "which is not now"),
])
def test_a_signature_is_of_this_session(text: str, before: int, why: str) -> None:
    """One from before the session began counts only for the phase that it names, however young it is."""
    world = World().start()
    game = world.contest.running
    assert game is not None
    letter = replace(world.letter("Ash", text, "contestmaster", at=1), body=text)
    seal = Seal("AB", game.entries[0].at - before, "digest")

    found = freshness(world.contest, letter, seal)
    assert why in found
    assert bool(found) == bool(why)


def test_a_signature_is_neither_old_nor_from_the_future() -> None:
    """Two days are what a text is good for that names no phase; clocks may be an hour ahead."""
    world = World().start()
    letter = world.letter("Ash", "see Gus", "contestmaster", at=1)
    late = replace(letter, arrived=letter.arrived + 30 * DAY)

    assert "older than" in freshness(world.contest, late, Seal("AB", letter.arrived, "digest"))
    assert "future" in freshness(world.contest, letter, Seal("AB", letter.arrived + AHEAD + 1, "digest"))


def test_a_signed_text_counts_once() -> None:
    """One that came in an earlier letter, whatever became of that, is told as an old one; any other isn't."""
    world = World().start()
    letter = replace(world.letter("Ash", "see Gus", "contestmaster", at=1), body="see Gus")
    letter = replace(letter, seal=Seal("AB", letter.arrived, "d" * 64), signers=("players.example",))
    assert letter.seal is not None
    assert freshness(world.contest, letter, letter.seal) == ""

    world.contest = hear(world.contest, LetterCame(letter), letter.arrived).contest

    (heard,) = [entry for entry in world.events(LetterHeard) if entry.event.seals]  # type: ignore[attr-defined]
    assert world.contest.by_seal == {"d" * 64: heard.number}
    assert "came before" in freshness(world.contest, letter, letter.seal)
    assert freshness(world.contest, letter, replace(letter.seal, digest="e" * 64)) == ""
