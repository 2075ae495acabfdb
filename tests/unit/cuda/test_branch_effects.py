"""What a branch of a conditional does: nothing, stops, or what no result depends on."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.branch_effects import changes_no_result, does_nothing, is_blank, only_includes
from cudamigrate.cuda.lexer import lex
from cudamigrate.model import Span


def branches(text: str) -> tuple[bytes, Span]:
    data = text.encode()
    return data, Span(0, len(data))


@pytest.mark.parametrize(
    ("text", "nothing"),
    [
        ("", True),
        ("// nothing\n", True),
        ('#pragma message("not compiled")\n', True),
        ("#warning old\n", True),
        ("#error old\n", True),
        ("#if X\n#endif\n", True),
        ('assert(0 && "old");', True),
        ("{ __trap(); }", True),
        ('asm volatile("trap;");', True),
        ('if (threadIdx.x == 0 && blockIdx.x == 0) printf("old %d\\n", n);\n__trap();\nreturn;', True),
        ("(void)a; CUDA_KERNEL_ASSERT(false);", True),
        ('throw std::runtime_error("old");', True),
        ("return 1;", False),
        ("if (n < 4) return; a[0] = 1;", False),
        ("a[0] = b;", False),
        ("slow(a);", False),
        ("(void)slow(a);", False),
        ("#define OLD 1\n", False),
        ('#include "slow.h"\n', False),
        ("#pragma omp parallel for\n", False),
        ("#if X\na[0] = 1;\n#endif\n", False),
    ],
)
def test_a_branch_that_does_nothing(text: str, nothing: bool) -> None:
    data, whole = branches(text)
    assert does_nothing(lex(data), whole) is nothing


def test_a_missing_branch_does_nothing_and_a_long_one_is_not_looked_through() -> None:
    data, whole = branches("__trap();" * 1000)
    assert does_nothing(lex(data), None)
    assert not does_nothing(lex(data), whole)


@pytest.mark.parametrize(
    ("new", "old", "same"),
    [
        ("__launch_bounds__(256, 2)\n", "__launch_bounds__(256)\n", True),
        ("__launch_bounds__(kThreads(8), 2)\n", None, True),
        ("#pragma unroll\n", "", True),
        ("#error too new\n", None, True),
        ('#define HINT(size) ".L2::" #size "B"\n', "#define HINT(size)\n", True),
        ('#define HINT ".L1::no_allocate.L2::128B"\n', "#define HINT\n", True),
        ("#define BOUNDS __launch_bounds__(128, 4)\n", "#define BOUNDS\n", True),
        ("cudaGridDependencySynchronize();\n", None, True),
        ('#define HINT(size) ".L2::" #size "B"\n', None, False),
        ('#define HINT(size) ".L2::" #size "B"\n', "#define OTHER(size)\n", False),
        ('#define LOAD "ld.global"\n', '#define LOAD "ld.shared"\n', False),
        ("#define HAVE_IT\n", None, False),
        ("__launch_bounds__(256) int a;\n", None, False),
        ("a = 1;", "a = 2;", False),
        ("#pragma omp parallel for\n", None, False),
        ("#pragma unroll\n", "a = 2;", False),
    ],
)
def test_what_no_result_depends_on(new: str, old: str | None, same: bool) -> None:
    data = (new + (old or "")).encode()
    other = Span(len(new.encode()), len(data)) if old is not None else None
    assert changes_no_result(lex(data), Span(0, len(new.encode())), other) is same


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("#include <mma.h>\n", True),
        ("#if X\n#include <mma.h>\n#endif\n", True),
        ("", False),
        ("#include <mma.h>\nusing namespace nvcuda;\n", False),
        ("#include <mma.h>\n#define HAVE_MMA\n", False),
    ],
)
def test_includes_alone(text: str, alone: bool) -> None:
    data, whole = branches(text)
    assert only_includes(lex(data), whole) is alone


def test_a_blank_branch() -> None:
    assert is_blank(lex(b"  // only this\n"), Span(0, 15))
    assert not is_blank(lex(b"#pragma unroll\n"), Span(0, 15))
