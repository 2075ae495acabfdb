"""How rules are looked up, on a rule file of a few lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.errors import RuleError
from cudamigrate.model import Rule, Target
from cudamigrate.rulebase import loader
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.rulebase.loader import own_files, read

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
        ("/usr/local/sdk/include/lib/a.h", "api/lib/a.h"),
        ("/usr/local/lib/a.h", None),
        ("include/lib/a.h", None),
        ("other/lib/b.h", None),
    ],
)
def test_an_include_is_answered_by_its_own_rule_then_by_the_longest_beginning(
    tmp_path: Path, path: str, answer: str | None
) -> None:
    rule = _book(tmp_path / "test.toml", HEADERS).include(path)
    assert (rule.id if rule else None) == answer


def test_a_path_as_long_as_a_file_is_looked_up_no_further_than_rules_go(tmp_path: Path) -> None:
    class Counted(dict[str, Rule]):
        asked = 0

        def __contains__(self, name: object) -> bool:
            Counted.asked += 1
            return super().__contains__(name)

    book = _book(tmp_path / "test.toml", HEADERS)
    book.includes = Counted(book.includes)
    rule = book.include("lib/detail/" + "x" * 10_000)
    assert rule is not None and rule.id == "api/deeper" and Counted.asked < 100


def test_explain_finds_the_rule_of_a_folder(tmp_path: Path) -> None:
    assert [rule.id for rule in _book(tmp_path / "test.toml", HEADERS).find("lib/b.h")] == ["api/inner"]


def test_a_rule_without_a_message_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="needs `name`"):
        _book(tmp_path / "test.toml", '[[rule]]\nname = "x"\nheader = ["lib/*"]\n')


GPUS = """
[[rule]]
name = "one"
names = ["nvOne"]
message = "for these"
arch = ["gfx94*", "gfx950"]
[[rule]]
name = "two"
names = ["nvTwo"]
message = "for all but these"
arch = ["!gfx94*", "!gfx950"]
"""


@pytest.mark.parametrize(
    ("arch", "ids"),
    [
        (("gfx942",), ["api/one"]),
        (("gfx1100", "gfx950"), ["api/one"]),
        (("gfx951", "gfx90a"), ["api/two"]),
        (("gfx9420",), ["api/one"]),
    ],
)
def test_a_rule_for_some_gpus_is_left_out_where_none_of_them_is_aimed_at(
    tmp_path: Path, arch: tuple[str, ...], ids: list[str]
) -> None:
    file = tmp_path / "test.toml"
    file.write_text(GPUS, encoding="utf-8")
    assert [rule.id for rule in read(file, Target(arch=arch), "api")] == ids


def test_a_gpu_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="write `gfx942`"):
        _book(tmp_path / "test.toml", GPUS.replace("gfx950", "mi355"))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('rule = ["x"]', r"got `str` - at `\$.rule\[0\]`"),
        ('[[rule]]\nname = 3\nmessage = "m"', r"at `\$.rule\[0\].name`"),
        ('[[rule]]\nname = "x"\nmessage = "m"\nexample = [3]', r"example\[0\]"),
        ("same = 3", r"at `\$.same`"),
        ('[calls]\nfrom = ""', "must not be empty"),
    ],
)
def test_a_value_of_the_wrong_kind_is_named(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(RuleError, match=words):
        list(read(tmp_path / "mine.toml", Target(), ""))


def test_a_rules_file_that_is_binary_or_not_toml_is_one_line(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_bytes(b"\xcd\x00")
    with pytest.raises(RuleError, match=r"mine\.toml is not a rules file: it is not UTF-8 text$"):
        list(read(mine, Target(), ""))
    mine.write_text("[[rule")
    with pytest.raises(RuleError, match=r"mine\.toml is not TOML: Expected"):
        list(read(mine, Target(), ""))


def test_a_folder_with_everything_in_it_is_no_folder_of_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(12):
        (tmp_path / f"{number}.txt").touch()
    (tmp_path / "mine.toml").touch()
    assert own_files([tmp_path]) == [(tmp_path / "mine.toml", "")]
    monkeypatch.setattr(loader, "_MOST", 10)
    with pytest.raises(RuleError, match="name a folder of rules"):
        own_files([tmp_path])
