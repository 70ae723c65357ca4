"""The page of the library is what the files say."""

from __future__ import annotations

import pytest

from tests.docs.librarypage import page
from tests.docs.pages import text_of

pytestmark = pytest.mark.slow


def test_the_page_is_what_the_files_say() -> None:
    """``python -m tests.docs.librarypage > docs/library.md`` writes it anew."""
    assert text_of("docs/library.md") == page()
