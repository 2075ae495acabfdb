"""How rules are looked up, on a rule file of a few lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrate.errors import RuleError
from migrate.model import Target
from migrate.rulebook import Rulebook
from migrate.rulefiles import read

HEADERS = """
library = "Test"
[headers]
"lib/a.h" = "hip/a.h"
[[rule]]
name = "inner"
header = ["lib/*"]
message = "an inner header"
[[rule]]
name = "deeper"
header = ["lib/detail/*", "lib/a.*"]
message = "a detail"
"""


def _book(path: Path, text: str) -> Rulebook:
    path.write_text(text, encoding="utf-8")
    book = Rulebook()
    for rule in read(path, Target(), "api"):
        book.add(rule)
    return book


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("lib/a.h", "api/lib/a.h"),
        ("lib/a.txt", "api/deeper"),
        ("lib/b.h", "api/inner"),
        ("lib/detail/b.h", "api/deeper"),
        ("lib", None),
        ("other/lib/b.h", None),
    ],
)
def test_an_include_is_answered_by_its_own_rule_then_by_the_longest_beginning(
    tmp_path: Path, path: str, answer: str | None
) -> None:
    rule = _book(tmp_path / "test.toml", HEADERS).include(path)
    assert (rule.id if rule else None) == answer


def test_explain_finds_the_rule_of_a_folder(tmp_path: Path) -> None:
    assert [rule.id for rule in _book(tmp_path / "test.toml", HEADERS).find("lib/b.h")] == ["api/inner"]


def test_a_rule_without_a_message_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="needs `name`"):
        _book(tmp_path / "test.toml", '[[rule]]\nname = "x"\nheader = ["lib/*"]\n')
