"""What people read is plain English in the field's terms: none of the phrases below is left in it.

Read are rules, documentation, templates and, of Python files, comments, docstrings and texts; no code and no fixtures.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
INSTEAD = {
    r"lane code": "warp-level code",
    r"works? across lanes": "uses warp-level operations",
    r"left (?:to|for) a (?:reader|hand)|by hand|(?:needs?|wants?) a hand|hand work": "manual",
    r"wants? a reader": "needs review",
    r"mended|mends": "fixed",
    r"settles? (?:it|every|the|findings?|\d+)": "fixes",
    r"told|tells? of": "reported",
    r"beside the code": "build, package and environment files",
    r"at hand": "available, installed",
    r"answers? to it that": "returns",
    r"comes? out whole|converted whole": "fully converted",
    r"held step by step": "synchronised",
    r"hand(?:ed|s)? on": "passed on",
    r"(?:what|it|that|they) stands?(?! for| in for| up)|stands? around|stood": "is, are",
    r"a word that only CUDA code has": "a CUDA identifier",
    r"whole waves?(?:front)?": "the full wavefront",
    r"counterparts?|(?:an|no) equal(?! number| share| to)": "a HIP equivalent",
    r"put aside": "skipped",
    r"of either vendor": "an NVIDIA or AMD GPU",
    r"comes in:|goes out:": "a sentence on inputs and results, where signatures do not say it",
    r"anew": "again",
}
GAP = r"(?:\s|#)+"
"""Between two words, where a line may end."""
BANNED = {
    re.compile(rf"(?<![\w-])(?:{phrase.replace(' ', GAP)})(?!\w)", re.IGNORECASE): word
    for phrase, word in INSTEAD.items()
}
REPLACED = ("migrate/warp/lane_code",)
"""Modules that another analysis takes the place of."""
TEXTS = ("*.md", "docs/*.md", "docs/decisions/*.md", "migrate/**/*.html", "migrate/**/*.jinja", "migrate/**/*.js")
RULES = sorted(path for path in (ROOT / "rules").rglob("*.toml") if "stand-ins" not in path.parts)
MODULES = sorted((ROOT / "migrate").rglob("*.py"))


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of what people read in a file; lines of one comment are joined."""
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        yield 1, text
        return
    comment = ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comment += token.string[1:]
        elif token.type == tokenize.STRING and " " in token.string:
            yield token.start[0], token.string
        elif token.type not in (tokenize.NL, tokenize.NEWLINE) and comment:
            yield token.start[0], comment
            comment = ""


def found(path: Path) -> list[str]:
    """The banned phrases of a file, each with its line and what to write."""
    name = str(path.relative_to(ROOT))
    if name.startswith(REPLACED):
        return []
    return [
        f"{name}:{line + text[: match.start()].count(chr(10))}: `{' '.join(match[0].split())}`: write {word}"
        for line, text in prose(path)
        for pattern, word in BANNED.items()
        for match in pattern.finditer(text)
    ]


@pytest.mark.parametrize(
    "files",
    [RULES, MODULES, sorted(path for pattern in TEXTS for path in ROOT.glob(pattern))],
    ids=["rules", "modules", "texts"],
)
def test_no_private_phrase_is_left(files: list[Path]) -> None:
    assert len(files) > 20
    assert [line for path in files for line in found(path)] == []


@pytest.mark.parametrize("phrase", ["the lane code of", "it stands there", "told of", "has no counterpart"])
def test_a_phrase_is_seen(phrase: str) -> None:
    assert any(pattern.search(phrase) for pattern in BANNED)


@pytest.mark.parametrize("phrase", ["`T` stands for a type", "stand-ins for headers", "threshold", "an equal number"])
def test_a_usual_phrase_is_none(phrase: str) -> None:
    assert not any(pattern.search(phrase) for pattern in BANNED)
