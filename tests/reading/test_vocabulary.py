"""Phrases are found whatever they begin with, and whatever was asked for before they were added."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event
from typing import Any

import pytest

from nomicwolf.reading.vocabulary import Trie


@pytest.mark.parametrize(("phrase", "text"), [
    ("i vote", "I  VOTE for Gus"), ("-dash-", "-Dash- is in"), ("3rd", "3rd of May"), ("ästhet", "Ästhet"),
    ("strasse", "Straße"), ("straße", "STRASSE"), ("ß", "ss"), ("island", "ISLAND"), ("ılık", "ılık"), ("so", "ſo"),
])
def test_any_beginning_is_found(phrase: str, text: str) -> None:
    """Letters, digits and marks, in either case, and letters that are several when they are casefolded."""
    known: Trie[str] = Trie()
    known.add(phrase, "it")
    known.add("else", "other")

    assert [value for _, value in known.matches(text, 0)] == ["it"]
    assert known.matches(f"x {text}", 2)[0][1] == "it"
    assert known.matches("elsewhere", 0) == []


def test_what_is_added_later_is_found_too() -> None:
    """Under a letter that was asked for already; of equals the last comes first."""
    known: Trie[int] = Trie()
    known.add("vote", 1)
    assert known.matches("vote for", 0) == [(4, 1)]
    known.add("Vote for", 2)
    known.add("vote", 3)
    known.add("vote", 4)

    assert known.matches("VOTE FOR", 0) == [(8, 2), (4, 4), (4, 3), (4, 1)]


def test_no_thread_sees_half_a_branch() -> None:
    """A host's workers read with several threads: who asked of half a branch took a player's "help" for talk."""
    half, go = Event(), Event()

    class Slow(Trie[str]):
        """One that stops in the midst of a branch."""

        def _branch(self, node: dict[str, Any], folded: str, value: str) -> None:
            super()._branch(node, folded, value)
            half.set()
            assert go.wait(30)

    known = Slow()
    for phrase in ("hello", "help", "Hence"):
        known.add(phrase, phrase)
    with ThreadPoolExecutor() as pool:
        first = pool.submit(known.matches, "hence", 0)
        assert half.wait(30)
        others = [pool.submit(known.matches, text, 0) for text in ("help", "Help", "HELLO")]
        wait(others, timeout=0.1)
        go.set()
        assert [[value for _, value in asked.result(30)] for asked in (first, *others)] == [
            ["Hence"], ["help"], ["help"], ["hello"]]
