"""A comment in a macro's body does not end it for the grammar, so that functions behind it are found."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.lexer import lex
from cudamigrate.cuda.macro_comments import in_bodies
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

BODY = "#define EACH(x) \\\n  first(x); {} \\\n  switch (x) {{ \\\n  default: last(x); }}\n"
AFTER = "__device__ int lane() { return threadIdx.x % warpSize; }\n"


def functions(text: str) -> list[tuple[str, str]]:
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    return [(one.name, one.scope) for one in parsed.functions]


@pytest.mark.parametrize("comment", ["/* why */", "/* don't use it again */", "", 'g("/* no */");'])
def test_functions_behind_a_macro_with_a_comment_are_those_of_the_file(comment: str) -> None:
    assert functions(BODY.format(comment) + AFTER) == [("lane", "device")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (BODY.format("/* why */"), ["/* why */"]),
        (BODY.format("/* one */ h(); /* two */"), ["/* one */", "/* two */"]),
        ("#define N 4 /* at the end */\nint n = N; /* beside */ int m;\n", []),
        ("#if N /* in a test */ && M\n#endif\n", []),
        ("#define N /* over\n lines */ 4\n", []),
        ('#define NAME "/* a text */" f()\n', []),
    ],
)
def test_comments_that_are_left_out(text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in in_bodies(lex(text.encode()))] == found
