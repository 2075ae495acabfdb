"""Examples of rule files as tests: shipped files by their folder, own files beside the shipped ones."""

from __future__ import annotations

from pathlib import Path

from cudamigrate.config import Config
from cudamigrate.pipeline import rule_tests
from cudamigrate.shipped_data import rules_folder


def test_a_shipped_file_has_the_group_of_its_folder() -> None:
    """Detectors name their rules with the group, so that by another one they find nothing."""
    shipped = rules_folder() / "build" / "cmake.toml"
    assert "detector = " in shipped.read_text(encoding="utf-8")
    examples, failures = rule_tests.check_rules(shipped, Config())
    assert examples and failures == []


def test_a_folder_of_shipped_files() -> None:
    one = rule_tests.check_rules(rules_folder() / "build" / "make.toml", Config())[0]
    assert rule_tests.check_rules(rules_folder() / "build", Config())[0] > one


def test_a_copy_is_a_file_of_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    own = tmp_path / "build" / "ours.toml"
    rule = '[[rule]]\nname = "ours"\ntitle = "Ours"\nnames = ["our_thing"]\nlanguages = ["cmake"]\nsupport = "manual"\n'
    rule += 'message = "`{name}` is ours."\nnotes = "Ours.\\n\\nDo: see. Source: ours."\n'
    example = '[[rule.example]]\npath = "CMakeLists.txt"\nbefore = "cuda_our_thing()"\nfinds = ["other"]\n'
    own.write_text(rule.replace("our_thing", "cuda_our_thing") + example, encoding="utf-8")
    assert rule_tests.check_rules(own, Config()) == (
        1,
        ["api/ours example 1: finds ['cuda_our_thing'], and says ['other']"],
    )
