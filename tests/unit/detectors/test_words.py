"""What detectors state as `WORDS` holds: no file without one of them has a hit, so skipping the detector loses none."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import plugins
from cudamigrate.config import Config
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile, Target
from cudamigrate.pipeline import rule_base
from cudamigrate.rulebase import code_rules

ROOT = Path(__file__).parents[3]
GOAL = rule_base.target(Config())


@pytest.fixture(scope="module")
def book():
    return code_rules.load(GOAL)


def sources(book) -> list[bytes]:
    """Every C++ file of the fixtures, and the examples of all rules."""
    files = [path.read_bytes() for path in sorted((ROOT / "fixtures").rglob("*.cu*")) if path.is_file()]
    return files + [example.before.encode() for rule in book.rules.values() for example in rule.examples]


def parsed_of(data: bytes, book) -> ParsedFile:
    parsed = cuda.parse(SourceFile("a.cu", data, "cuda"), book.words(), (), book.prefixes())
    parsed.target = GOAL
    return parsed


@pytest.mark.exhaustive
def test_no_detector_finds_anything_without_its_words(book):
    words = engine.words_of_detectors(book)
    assert len(words) > 40
    found = set()
    for data in sources(book):
        missing = [name for name, any_of in words.items() if not any(all(w in data for w in one) for one in any_of)]
        parsed = parsed_of(data, book) if missing else None
        for name in missing:
            hits = list(plugins.one("cudamigrate.detectors", name).find(parsed))
            assert hits == [], (name, data[:200])
        found.update(set(words) - set(missing))
    assert found == set(words), "words that no fixture and no example holds"


def test_a_detector_is_not_imported_for_a_file_without_its_words():
    import subprocess
    import sys

    script = (
        "import sys; from pathlib import Path\n"
        "from cudamigrate.pipeline import check; from cudamigrate.config import Config\n"
        "from cudamigrate.model import SourceFile\n"
        "check.check([check.Item(SourceFile('a.cu', b'void f(void *p) { cudaFree(p); }\\n', 'cuda'))], Config())\n"
        "print(*(name in sys.modules for name in ('cudamigrate.detectors.lane_count', 'cudamigrate.warp.lane_code',"
        " 'cudamigrate.detectors.runtime_header')))"
    )
    for _ in range(2):  # the first makes the tables, for which all are imported
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False", "True"]


def test_compiled_tables_hold_what_the_rule_files_say(book, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for clear in (rule_base.code_rules, rule_base.project_rules, rule_base.marks):
        clear.cache_clear()
    for _ in range(2):  # made, then read
        made = rule_base.code_rules(GOAL)
        assert list(made.rules) == list(book.rules)
        assert made.rules["warp/hardcoded-size"].message == book.rules["warp/hardcoded-size"].message
        assert {name: made.names[name].id for name in made.names} == {n: r.id for n, r in book.names.items()}
        assert made.include("cuda_runtime.h") == book.include("cuda_runtime.h")
        assert (made.words(), made.prefixes(), made.marks()) == (book.words(), book.prefixes(), book.marks())
        listed = next(name for name, rule in book.families.items() if rule.listed)
        assert made.families[listed].listed == book.families[listed].listed
        assert rule_base.marks(GOAL) == book.marks()
        assert rule_base.project_rules(GOAL).find("nvidia-cublas-cu12")
        for clear in (rule_base.code_rules, rule_base.project_rules, rule_base.marks):
            clear.cache_clear()
    assert {path.name.partition("-")[0] for path in (tmp_path / "cudamigrate" / "rules").iterdir()} >= {"code", "marks"}


def test_tables_are_made_anew_for_other_targets_and_rules(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    own = tmp_path / "own.toml"
    own.write_text('[[rule]]\nname = "cudaFree"\nmessage = "first"\n')
    extra = (str(own),)
    assert rule_base.code_rules(Target(), extra).rules["api/cudaFree"].message == "first"
    own.write_text('[[rule]]\nname = "cudaFree"\nmessage = "second one"\n')
    rule_base.code_rules.cache_clear()
    assert rule_base.code_rules(Target(), extra).rules["api/cudaFree"].message == "second one"
    rule_base.code_rules.cache_clear()
    assert rule_base.code_rules(Target()).rules["api/cudaFree"].message not in ("first", "second one")
    rule_base.code_rules.cache_clear()


def test_a_damaged_cache_is_made_again(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    rule_base.code_rules.cache_clear()
    assert rule_base.code_rules(GOAL).names
    for path in (tmp_path / "cudamigrate" / "rules").iterdir():
        path.write_bytes(b"not what was written")
    rule_base.code_rules.cache_clear()
    assert rule_base.code_rules(GOAL).names
    rule_base.code_rules.cache_clear()
