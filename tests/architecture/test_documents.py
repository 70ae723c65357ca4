"""What README and CONTRIBUTING tell a newcomer to do can be done."""

from __future__ import annotations

import re

import pytest

from tests.architecture.source import ROOT

DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_is_to_be_made_can_be_made(document: str) -> None:
    """Each ``make TARGET`` that a document names is in the Makefile, with its explanation."""
    targets = set(re.findall(r"(?m)^([a-z-]+):.*## ", (ROOT / "Makefile").read_text()))

    named = re.findall(r"(?m)(?:^ {4}|`)make ([a-z-]+)", (ROOT / document).read_text())
    assert set(named) <= targets
    assert named or document == "CHANGELOG.md"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    """Each link into the tree, and each path in backquotes that looks like a folder of ours, is there."""
    text = (ROOT / document).read_text()
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    quoted = re.findall(r"`((?:contract|docs|tests|grammar)/[^`*]*)`", text)

    paths = links + quoted
    assert [path for path in paths if not (ROOT / path).exists()] == []
