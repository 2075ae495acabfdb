"""The verdict of the embedded engine beside that of a real compiler, file by file: the table is printed.

Files are those of the fixtures as they come out converted, and of the corpus projects that are fetched already. The
compiler is whatever hipcc is installed: where its HIP is older than the headers of the embedded engine, a name that it
lacks explains a difference, and so does a header that only one of the two has.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model.verification import Verdict
from cudamigrate.pipeline import prove
from tests.corpus import harness

pytestmark = pytest.mark.corpus
FIXTURES = Path(__file__).parents[2] / "fixtures" / "projects"
ARCH = ("gfx90a",)
_PASSES = ("checked", "declarations")
_LACKS = ("undeclared", "unknown type name", "no member named", "no type named", "no matching", "file not found")


def roots() -> list[tuple[str, Path, Config]]:
    """What is judged: name, tree, settings."""
    found = [
        (folder.name, folder / "before", Config(arch=ARCH, rocm=harness.RELEASE))
        for folder in sorted(FIXTURES.iterdir())
        if (folder / "before").is_dir()
    ]
    for project in harness.projects():
        tree = harness.cache() / f"{project.name}-{project.version}"
        if project.judged and not project.large and tree.is_dir():
            found.append((project.name, tree, harness.settings(project)))
    most = int(os.environ.get("CUDAMIGRATE_AGREEMENT", "0"))
    return found[:most] if most else found


@pytest.mark.skipif(
    not os.environ.get("CUDAMIGRATE_CORPUS_ALL"),
    reason="some hundred units are judged twice; set CUDAMIGRATE_CORPUS_ALL=1 to compare them",
)
def test_the_verdict_agrees_with_a_compiler(say: Callable[[Iterable[str]], None]) -> None:
    words: Counter[tuple[str, str]] = Counter()
    odd: list[str] = []
    for name, tree, config in roots():
        applied = pipeline.apply(tree, config, unsafe=True)
        _, embedded = prove.verify_applied(applied, config, "clang")
        _, compiled = prove.verify_applied(applied, config, "hipcc")
        if embedded.absent or compiled.absent:
            pytest.skip(embedded.absent or compiled.absent)
        other = {verdict.path: verdict for verdict in compiled.verdicts}
        for verdict in embedded.verdicts:
            ours, theirs = _word(verdict), _word(other[verdict.path])
            words[ours, theirs] += 1
            if "not judged" not in (ours, theirs) and ours != theirs and not _explained(verdict, other[verdict.path]):
                odd.append(f"{name}/{verdict.path}: {ours}, hipcc {theirs}: {_first(verdict, other[verdict.path])}")
    rows = [f"{ours:12}{theirs:12}{count}" for (ours, theirs), count in sorted(words.items())]
    say([f"{'embedded':12}{'hipcc':12}files", *rows, *(odd or ["no difference that is not explained"])])
    both = sum(count for pair, count in words.items() if "not judged" not in pair)
    assert both and len(odd) <= both * 0.01


def _word(verdict: Verdict) -> str:
    return "passes" if verdict.word in _PASSES else "not judged" if verdict.word == "unresolved" else "fails"


def _explained(ours: Verdict, theirs: Verdict) -> bool:
    """True where the compiler's older headers lack a name, and that is all it says."""
    messages = [entry.message for entry in theirs.diagnostics if entry.kind == "error"]
    return ours.word in _PASSES and bool(messages) and all(any(word in text for word in _LACKS) for text in messages)


def _first(ours: Verdict, theirs: Verdict) -> str:
    failed = ours if ours.word == "failed" else theirs
    return failed.diagnostics[0].message if failed.diagnostics else ""
