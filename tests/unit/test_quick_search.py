"""Patterns are searched for in another spelling: it matches the same, groups included."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cudamigrate.lazy_re.quick_search import quick
from tests.architecture.test_patterns import patterns
from tests.unit.syntax.test_tree_sitter_nodes import SOURCES

FORMS = {
    r"\bcuda\w+": r"c(?<!\wc)uda\w+",
    r"\b(?:cuda|nccl|cublas)[A-Z]": r"(?:c(?<!\wc)(?:uda|ublas)|n(?<!\wn)ccl)[A-Z]",
    r"(?<![\w.])(?:32|0[xX]1f)": r"(?:3(?<!(?:[\w.])3)2|0(?<!(?:[\w.])0)[xX]1f)",
    r"\b[Ww]arp|x\bwave": r"[Ww](?<!\w[Ww])arp|x\bwave",
    r"\b(?P<name>ab|c)d": r"(?P<name>a(?<!\wa)b|c(?<!\wc))d",
}
KEPT = (
    r"\ba?b",
    r"\b(?:a|b)?c",
    r"\b(\w+)\s",
    r"\b(?:a|\d)",
    r"(?<=a)b",
    r"\b(?:a|)b",
    r"[|]\ba",
    r"(?<!a)(?:b)*c",
    r"\b[a-]",
)
TEXT = st.text(alphabet="abcdABCD_. |1W", max_size=40)


def _matches(pattern, text):
    return [(match.span(), match.groups()) for match in re.finditer(pattern, text)]


@pytest.mark.parametrize("pattern", FORMS)
def test_a_fixed_beginning_comes_first(pattern):
    assert quick(pattern) == FORMS[pattern]


@pytest.mark.parametrize("pattern", KEPT)
def test_what_has_no_fixed_beginning_stays(pattern):
    assert quick(pattern) == pattern


SMALL = (
    r"\b(?:ab|a|cd|b)c?",
    r"(?<![\w.])(?:a|bc|b)",
    r"\b(?P<x>a|[bB])d|\bc",
    r"(?<!ab)(?<!\.)\b(?:a|ab|b)\b",
    r"\b(?:a(?:b|c)|ad)",
)


@pytest.mark.parametrize("pattern", SMALL)
@given(text=TEXT)
def test_the_same_is_matched_in_any_text(pattern, text):
    assert quick(pattern) != pattern
    assert _matches(pattern, text) == _matches(quick(pattern), text)


def test_every_pattern_of_the_package_matches_the_same_in_code():
    text = "\n".join(path.read_text(encoding="latin-1") for path in SOURCES)[:60_000]
    other = 0
    for pattern, flags in patterns():
        if not flags & (re.IGNORECASE | re.VERBOSE) and "(?i" not in pattern and quick(pattern) != pattern:
            before, after = re.compile(pattern, flags), re.compile(quick(pattern), flags)
            assert _matches(before, text) == _matches(after, text), pattern
            other += 1
    assert other > 50
