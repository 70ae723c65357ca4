"""No control or bidirectional character leaves the program but as an escape, whatever is printed and in which form."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

import nomicwolf.cli
from nomicwolf.cli import output
from nomicwolf.cli.output import escaped

ACTING = [chr(code) for code in (*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0), 0x061C, 0x200E, 0x200F,
                                 *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0xE0041)]
HOSTILE = "".join(f"a{char}" for char in ACTING)


def test_each_is_escaped_and_nothing_else_is() -> None:
    """Tabs, line feeds, joiners and letters of any script stay."""
    assert not set(ACTING) & set(escaped(HOSTILE))
    plain = "Jörg\tקמיע\n天火狐 a\u200db"
    assert escaped(plain) == plain


def test_json_says_the_same_as_before(capsys: pytest.CaptureFixture[str]) -> None:
    """An escape is what the character is, to whoever reads JSON."""
    output.say_json({"name": HOSTILE})
    output.say_json_list({"schema": 1}, "names", [{"name": HOSTILE}])
    one, many = capsys.readouterr().out.splitlines()
    assert not set(ACTING) & set(one + many)
    assert json.loads(one)["name"] == HOSTILE
    assert json.loads(many)["names"] == [{"name": HOSTILE}]


def test_reports_tables_and_complaints(capsys: pytest.CaptureFixture[str]) -> None:
    """All ways by which text for people is printed."""
    output.say(HOSTILE)
    output.say_report(HOSTILE)
    output.say_table(("who",), [(HOSTILE,)])
    output.complain(HOSTILE)
    printed = capsys.readouterr()
    assert not set(ACTING) & set(printed.out + printed.err)
    assert printed.out.count("\\u202e") == 3
    assert "\\u202e" in printed.err


def printed_by(tree: ast.AST) -> list[str]:
    """What each call of `print` in a module prints first, as it is written."""
    return [ast.unparse(call.args[0]) for call in ast.walk(tree) if isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name) and call.func.id == "print"]


def test_nothing_is_printed_past_it() -> None:
    """Each `print` of a command's prints what is escaped, or words of ours."""
    folder = Path(nomicwolf.cli.__file__).parent
    found = [(file.name, said) for file in sorted(folder.rglob("*.py")) for said in
             printed_by(ast.parse(file.read_text(encoding="utf-8")))]
    assert len(found) > 5
    words = {"f'nomicwolf {__version__}'", "'nomicwolf: stopped'"}
    assert [each for each in found if not each[1].startswith("escaped(") and each[1] not in words] == []
