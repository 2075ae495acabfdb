"""Globs match what they matched, and no name takes them long."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pathspec import GitIgnoreSpec

from cudamigrate.project.file_listing import globs
from cudamigrate.project.glob_expressions import without_backtracking

PIECES = st.sampled_from(["a", "b", "ab", "*", "?", "[ab]", "**/", "/**/", "/", ".", r"\*", "("])


@settings(max_examples=400, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=9).map("".join), st.text("ab./(*", min_size=1, max_size=12))
def test_what_is_matched_stays_the_same(glob: str, path: str) -> None:
    for pattern in GitIgnoreSpec.from_lines([glob]).patterns:
        if pattern.regex is not None:
            was = pattern.regex
            assert end(re.compile(without_backtracking(was.pattern)), path) == end(was, path)


def end(pattern: re.Pattern[str], path: str) -> int | None:
    """Where the folder ends that a pattern takes, -1 where it takes the whole path, None where it does not match."""
    match = pattern.search(path)
    return match and (match.end("ps_d") if "ps_d" in pattern.groupindex else -1)


@pytest.mark.parametrize(("path", "taken"), [("xb.cu", True), ("x/b.cu", False), ("xa.cu", False), ("x-b/c.cu", False)])
def test_a_set_takes_no_slash(path: str, taken: bool) -> None:
    assert globs(["/x*[!a].cu", "*.o"]).match_file(path) is taken


@pytest.mark.parametrize("glob", ["*a" * 30 + "b", "**/a/" * 30 + "b", "x/**" + "/a*a*/**" * 10 + "/c"])
def test_no_name_takes_long(glob: str) -> None:
    """Each of these would be tried in more ways than there is time for."""
    spec = globs([glob, "*.o"])
    for name in ("a" * 250, "a/" * 200, "x/" + "aaaa/" * 100):
        assert not spec.match_file(name)
        assert spec.verdict(name) is None
