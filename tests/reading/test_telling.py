"""Words that tell: nothing is read otherwise because a sentence lacks them (NC 3)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pkgutil import iter_modules

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomicwolf import reading as reading_modules
from nomicwolf.reading import asides, bare, correcting, doubts, everyday, leads, seeming, telling
from nomicwolf.reading.ballots import book_ballot
from nomicwolf.reading.bare import BEGINNINGS
from nomicwolf.reading.deeds import People, Reading
from nomicwolf.reading.errors import BallotError
from nomicwolf.reading.everyday import LEADS
from nomicwolf.reading.kinds import OPENINGS
from nomicwolf.reading.language import accepts, begun
from nomicwolf.reading.leads import skip_leads
from nomicwolf.reading.names import NameBook
from nomicwolf.reading.phrases import _covering, _table, telling_words, words_of
from nomicwolf.reading.reader import Place, read
from nomicwolf.reading.telling import Beginnings, Told, lacks, spoken, without
from nomicwolf.reading.text import clean
from nomicwolf.reading.times import Clock
from tests.reading.spelled import spelled
from tests.reading.test_phrases import DAY_BEGAN, SENT, TOWN, all_phrases

EXAMPLES = int(os.environ.get("NOMICWOLF_EXAMPLES", "150"))
TOWNS = (TOWN, People(living=("Ash", "Gus", "I", "Let", "Away", "my vote"), author="Gus", prefixes=True))
_LISTS = [value for name, value in vars(everyday).items() if name.isupper() and isinstance(value, tuple | frozenset)]
EVERYDAY = sorted({each for value in _LISTS for each in value} | {e for v in everyday.HALF_JOINED.values() for e in v})
GRAMMAR = sorted({phrase for phrases in _table().phrases.values() for phrase in phrases})
SENTENCES = [row["text"] for row in all_phrases()]
WORDS = sorted({word for text in (*SENTENCES, *EVERYDAY, *GRAMMAR) for word in text.split()})
MARKS = (".", ",", "!", "?", ":", ";", "\n", "\n\n", '"', "(", ")", "_", "*", "-", "'s", "\u0301", "\u0131",
         "\u0130", "ß")
pieces = st.sampled_from(SENTENCES) | st.sampled_from(EVERYDAY) | st.sampled_from(GRAMMAR) | st.sampled_from(
    WORDS) | st.sampled_from(["Gus", "Bex", "Ash", "I", "I was", "nobody knows", "if that is so", *MARKS])
letters = st.lists(pieces, min_size=1, max_size=6).flatmap(
    lambda parts: st.sampled_from([" ".join(parts), "".join(parts), " ".join(parts).swapcase()]))


@contextmanager
def asking_all() -> Iterator[None]:
    """Nothing can be told of any text, and any word may begin a ballot: each question is asked in full."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(telling, "spoken", lambda text: None)
        patch.setattr(bare, "_begins", lambda text, book: True)
        yield


def reading(text: str, to: Place, town: People) -> Reading:
    """What is made of *text*."""
    return read(enumerate(text.split("\n"), 1), town, to=to, instant=SENT, day_began=DAY_BEGAN)


@settings(max_examples=2 * EXAMPLES, deadline=None)
@given(letters, st.sampled_from(["forum", "contestmaster"]), st.sampled_from(TOWNS))
def test_what_is_read_at_a_glance_is_what_asking_all_comes_to(text: str, to: Place, town: People) -> None:
    """Phrases of the grammar, of the tables and of everyday, in any order, with any marks between."""
    with asking_all():
        asked = reading(text, to, town)
    assert reading(text, to, town) == asked


@pytest.mark.parametrize("to", ["forum", "contestmaster"])
def test_no_phrase_is_read_otherwise_at_a_glance(to: Place) -> None:
    """Those of the tables, and whatever the grammar or everyday talk begins with."""
    made = [f"{each} Gus." for each in EVERYDAY] + [f"Well, {each} Gus" for each in GRAMMAR[::5]]
    texts = [*SENTENCES, *EVERYDAY, *made]
    with asking_all():
        asked = [reading(text, to, TOWN) for text in texts]
    for text, found in zip(texts, asked, strict=True):
        assert reading(text, to, TOWN) == found, text


def test_each_phrase_has_a_word_that_tells_of_it() -> None:
    """Of every terminal that can open what a sentence does; so no sentence with that phrase lacks it."""
    for terminal in sorted(OPENINGS):
        words = frozenset(telling_words(terminal))
        assert words, terminal
        assert "" not in words, terminal
        for phrase in words_of(terminal):
            assert not lacks(f"well, {phrase} Gus.", frozenset({terminal})), phrase
            assert words <= frozenset(re.findall(r"[^\W_]+", " ".join(words_of(terminal)).casefold()))


def test_of_a_terminal_with_a_phrase_without_words_nothing_can_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """No word tells of a mark."""
    assert _covering(["so be it", "/"]) == [""]
    monkeypatch.setattr(telling, "_telling", lambda terminals: frozenset({""}))
    assert not lacks("nothing here", frozenset({"SLASH"}))


@pytest.mark.parametrize("text", ["That was quick.", "The moon is full, isn't it", "What a night (again)"])
def test_talk_lacks_all_that_opens_a_deed(text: str) -> None:
    """Most sentences are asked next to nothing."""
    assert lacks(text, OPENINGS)


def test_of_some_letters_nothing_can_be_told() -> None:
    """Dotted and dotless i, which expressions take for each other."""
    assert spoken("I w\u0131ll be away") is None
    assert not without("I w\u0131ll be", frozenset({"away"}))
    assert spoken("Paß auf, GUS!") == frozenset({"pass", "auf", "gus"})


@settings(max_examples=2 * EXAMPLES, deadline=None)
@given(letters | st.text(st.characters(codec="ascii")))
def test_the_words_of_ascii_are_those_of_any_text(text: str) -> None:
    """They are parted in a shorter way."""
    if text.isascii():
        assert spoken(text) == frozenset(re.findall(r"[^\W_]+", text.casefold()))


def test_what_begins_with_a_phrase_is_told_by_its_first_letters() -> None:
    """As by trying every one of them: each phrase with more behind it, each cut short, and each of the others."""
    for phrases in (everyday.HALF_SAID, ("/in", "i'm out", "i'm in")):
        beginnings = Beginnings(phrases)
        assert all(beginnings.begin(f"{each}{more}") for each in phrases for more in ("", "s", " gus"))
        for text in [*EVERYDAY, *(each[:-1] for each in phrases), *(f"{each[:-1]}~" for each in phrases), ""]:
            assert beginnings.begin(text) == text.startswith(phrases), text


def test_what_can_begin_a_ballot_is_what_the_grammar_takes_there() -> None:
    """Terminals that have phrases which begin with a word, and fillers, which are stepped over."""
    taken = accepts(begun("ballot"))
    worded = {name for name, phrases in _table().phrases.items() if any(p[:1].isalnum() for p in phrases)}
    assert {name for name in worded if name in taken} | {"FILLER"} == set(BEGINNINGS)
    assert not any(kind in taken for kind in ("TIME", "HOURS", "NUMBER", "TEXT", "STRING", "_AND_DEED"))


@settings(max_examples=2 * EXAMPLES, deadline=None)
@given(letters)
def test_no_ballot_begins_where_none_can(text: str) -> None:
    """The grammar refuses each text of which it is said so."""
    plain = " ".join(clean(text).text.split()).rstrip(".")
    book = NameBook(TOWN)
    if not bare._begins(plain, book):
        with pytest.raises(BallotError):
            book_ballot(plain, book, Clock(SENT, DAY_BEGAN))


@settings(max_examples=2 * EXAMPLES, deadline=None)
@given(letters)
def test_leads_are_found_by_their_first_words(text: str) -> None:
    """As by trying every one of them everywhere."""
    plain = clean(text).text
    at = skip_leads(plain, 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leads, "_HEADS", _Everything())
        patch.setattr(leads, "_leads", lambda head: ANY_LEAD)
        assert skip_leads.__wrapped__(plain, 0) == at


ANY_LEAD = re.compile("(?:{})(?![\\w'/.-])(?=.)".format("|".join(
    re.escape(lead).replace("\\ ", r"\s+") for lead in sorted(LEADS, key=len, reverse=True))), re.DOTALL)
"""All leads in one expression."""


class _Everything(frozenset[str]):
    """A set that has everything."""

    def __contains__(self, item: object) -> bool:
        return True


def told() -> Iterator[tuple[str, Told]]:
    """Each expression of the reader's with words that tell of it, and its name."""
    for module in iter_modules(reading_modules.__path__):
        for name, value in vars(import_module(f"{reading_modules.__name__}.{module.name}")).items():
            if isinstance(value, Told):
                yield f"{module.name}.{name}", value


TOLD = dict(told())
SAID = {"doubts._SHARED": ["I second that objection", "I share Bex's objections", "I must object to this",
                           "Sorry, but I'd like to object", "My objection to intent 2 is withdrawn"]}
"""Of an expression that can't be spelled out."""


@pytest.mark.parametrize("name", sorted(TOLD))
def test_what_an_expression_takes_has_a_word_that_tells_of_it(name: str) -> None:
    """In every way through the expression; so that it may be tried only where such a word is."""
    each = TOLD[name]
    texts = SAID.get(name) or spelled(each.expression)
    assert len(texts) > (1 if name in SAID else 20)
    for text in texts:
        assert not without(text, each.words), text
        assert each.match(text), text


def test_an_expression_is_not_tried_where_no_word_tells_of_it() -> None:
    """Neither in full nor at the beginning; a part of a sentence is told of by that."""
    ending = Told(re.compile("x*"), {"word"})
    assert (ending.fullmatch("xx"), ending.match("xx")) == (None, None)
    assert ending.fullmatch("xx", "one word")
    assert ending.match("xx no", "one word")
    assert not ending.fullmatch("xx no", "one word")


@pytest.mark.parametrize("text", [
    "I will be away until Friday", "I'm on a break", "I am OFFLINE", "I'll be on holidays", "I am on my vacation",
    "I'm on leave", "I shall be absent", "I will be unavailable", "I am on hold", "I'll be on holiday",
    "Off on holiday"])
def test_who_goes_away_says_a_word_that_tells_of_it(text: str) -> None:
    """In each way to say so."""
    assert doubts._LEAVING.match(text.casefold()) or doubts._AWAY.search(text.casefold())
    assert not without(text, doubts._ABSENT), text


@pytest.mark.parametrize("expression", [
    correcting._MEANT, correcting._CORRECTS, correcting._HESITATED, correcting._INSTEAD])
def test_what_corrects_has_a_word_that_tells_of_it(expression: re.Pattern[str]) -> None:
    """Or begins with one of two, in every way through the expression."""
    texts = spelled(expression)
    assert len(texts) > 4
    for text in texts:
        assert not without(text, correcting._CORRECTING) or text.startswith(correcting._CORRECTS_BY), text


@pytest.mark.parametrize("expression", [
    re.compile(f"{correcting._JEST}|april fools|got(?:cha| you)"), correcting._UNSAYS])
def test_what_takes_a_deed_back_has_a_word_that_tells_of_it(expression: re.Pattern[str]) -> None:
    """In every way through the expression; of jests, what they end with."""
    texts = spelled(expression)
    assert len(texts) >= 20
    for text in texts:
        assert not without(text, correcting._UNSAYING), text


def test_what_is_ones_own_and_each_joint_have_letters_that_tell_of_it() -> None:
    """Without them nothing is looked for."""
    assert all(asides._OWNED.search(text) for text in spelled(asides._QUALIFIED))
    assert all(set(text) & set(seeming._JOINING) for text in spelled(seeming._JOINT))


def test_each_lead_begins_with_a_word() -> None:
    """So that its first word can be looked up."""
    for lead in LEADS:
        assert re.match(r"[^\W_]", lead), lead
        assert skip_leads(f"{lead}, Gus", 0) > 0, lead

