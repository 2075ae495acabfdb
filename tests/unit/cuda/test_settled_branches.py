"""Branches that a file's own definitions keep from every compiler."""

import pytest

from cudamigrate.cuda.settled_branches import is_left_out
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile


@pytest.mark.parametrize(
    ("text", "is_out"),
    [
        ("#define FAST\n#ifdef FAST\nint a;\n#else\nint here;\n#endif\n", True),
        ("#define FAST 1\n#ifndef FAST\nint here;\n#endif\n", True),
        ("#define FAST\n#if !defined(FAST)\nint here;\n#endif\n", True),
        ("#define FAST\n#if defined FAST\nint a;\n#elif B\nint here;\n#endif\n", True),
        ("#if 1\nint a;\n#else\nint here;\n#endif\n", True),
        ("#ifndef H\n#define H\n#define FAST\n#ifdef FAST\nint a;\n#else\nint here;\n#endif\n#endif\n", True),
        ("#define FAST\n#ifdef FAST\nint here;\n#endif\n", False),
        ("#ifdef FAST\nint a;\n#else\nint here;\n#endif\n#define FAST\n", False),
        ("#define FAST\n#undef FAST\n#ifdef FAST\nint a;\n#else\nint here;\n#endif\n", False),
        ("#ifdef A\n#define FAST\n#endif\n#ifdef FAST\nint a;\n#else\nint here;\n#endif\n", False),
        ("#define FAST 0\n#if FAST\nint a;\n#else\nint here;\n#endif\n", False),
        ("#define FAST\n#if defined(FAST) && B\nint a;\n#else\nint here;\n#endif\n", False),
        ("#define FAST\n#ifdef A\nint a;\n#else\nint here;\n#endif\n", False),
    ],
)
def test_what_the_file_itself_settles_is_left_out(text: str, is_out: bool) -> None:
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    assert is_left_out(parsed, text.index("here")) is is_out
