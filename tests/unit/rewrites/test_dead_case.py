"""Cases of values that HIP does not have."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.rewrites import dead_case

NAME = "cudaErrorInvalidPc"
HEAD = "#include <cuda_runtime.h>\nint f(cudaError_t e) {\n    switch (e) {\n"


def left(cases: str) -> str:
    """What is left of the cases of a switch."""
    source = SourceFile(path="a.cu", language="cuda", data=f"{HEAD}{cases}    }}\n    return 0;\n}}\n".encode())
    parsed: ParsedFile = cuda.parse(source, frozenset((NAME.encode(), b"cudaError_t")), ())
    use = next(one for one in parsed.uses if one.name == NAME)
    data = source.data
    for edit in dead_case.edits(parsed, use, ()):
        data = data[: edit.span.start] + edit.replacement + data[edit.span.end :]
    return data.decode().removeprefix(HEAD).partition("    }\n    return 0;")[0]


@pytest.mark.parametrize(
    ("cases", "rest"),
    [
        pytest.param(f"    case {NAME}: return 1;\n    default: return 2;\n", "    default: return 2;\n", id="a case"),
        pytest.param(f"    case {NAME}:\n    default: return 2;\n", "    default: return 2;\n", id="a label"),
        pytest.param(f"    case {NAME}: {{ f(e); break; }}\n", "", id="in braces"),
        pytest.param(f"    case {NAME}: f(e);\n    default: return 2;\n", None, id="falls out of it"),
        pytest.param(f"    case cudaSuccess: f(e);\n    case {NAME}: return 2;\n", None, id="falls into it"),
        pytest.param(
            f"    case 1: return 3;\n#if A\n    case 2: return 4;\n#endif\n    case {NAME}: return 1;\n",
            "    case 1: return 3;\n#if A\n    case 2: return 4;\n#endif\n",
            id="behind a conditional",
        ),
        pytest.param(
            f"    case 1: return 3;\n#if A\n    case 2: f(e);\n#endif\n    case {NAME}: return 1;\n",
            None,
            id="falls out of a conditional",
        ),
        pytest.param(
            f"    case 1: f(e);\n#if A\n    case 2: return 4;\n#endif\n    case {NAME}: return 1;\n",
            None,
            id="falls past a conditional",
        ),
        pytest.param(f"    default: if (e == {NAME}) return 1;\n", "    default: if (false) return 1;\n", id="equal"),
        pytest.param(f"    default: return {NAME} != e;\n", "    default: return true;\n", id="unequal"),
        pytest.param(f"    default: int n = e; return n == {NAME};\n", None, id="a number"),
        pytest.param(f"    default: return g(e) == {NAME};\n", None, id="a call"),
        pytest.param(f"    default: return e < {NAME};\n", None, id="an order"),
        pytest.param(f"    default: cudaError_t *e; return *e == {NAME};\n", None, id="a pointer"),
    ],
)
def test_what_nothing_reaches_is_left_out(cases: str, rest: str | None) -> None:
    assert left(cases) == (cases if rest is None else rest)
