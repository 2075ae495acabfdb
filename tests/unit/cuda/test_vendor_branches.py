"""A chain that asks at run time whose GPU it is has a body for each vendor."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.lexer import lex
from cudamigrate.cuda.vendor_branches import vendor_branches

ASKED = "if (v == ours) { cudaGetDevice(&d); } else if (v == theirs) { hipGetDevice(&d); } else { d = 0; }"


def sides(text: str) -> list[tuple[str, bool | None]]:
    return [(text[one.start : one.end].strip(), one.hip) for one in vendor_branches(lex(text.encode()))]


def test_each_vendor_has_its_body() -> None:
    assert sides(f"void f() {{ {ASKED} }}") == [("cudaGetDevice(&d);", False), ("hipGetDevice(&d);", True)]
    later = "if (v == theirs) { hipGetDevice(&d); } else { cudaGetDevice(&d); }"
    assert sides(later) == [("hipGetDevice(&d);", True), ("cudaGetDevice(&d);", False)]


@pytest.mark.parametrize(
    "text",
    [
        "if (v) { cudaGetDevice(&d); } else { cudaGetDevice(&e); } hipGetDevice(&d);",
        "if (v) { cudaGetDevice(&d); } if (w) { hipGetDevice(&d); }",  # no chain
        "if (v) { cudaGetDevice(&d); } else { hipSetDevice(d); }",  # something else
        "if (v) { cudaGetDevice(&d); hipSetDevice(d); } else { hipGetDevice(&d); }",
        "if (v) cudaGetDevice(&d); else hipGetDevice(&d);",
        'if (v) { cudaGetDevice(&d); } else { log("hipGetDevice()"); }',
        "#define F if (v) { cudaGetDevice(&d); } else { hipGetDevice(&d); }\n",
        "if (v) { cudaGetDevice(&d); } else { hipGetDevice(&d);",
    ],
)
def test_what_is_no_such_chain_is_for_all(text: str) -> None:
    assert sides(text) == []
