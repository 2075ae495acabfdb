"""Text of asm statements that macros put together: read where every text in sight becomes the same code."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.ptx import translate

LOAD = 'asm(LOAD " %0, [%1];" : "=r"(x) : "l"(p));'
IN_FUNCTION = "__device__ void f(unsigned &x, const unsigned *p) {{ {} }}\n"


def made(source: str, path: str = "x.cu") -> str:
    """What becomes of the only asm statement of a file, or why it stays."""
    parsed = cuda.parse(SourceFile(path, source.encode(), "cuda"), frozenset())
    found = translate.translation(parsed, next(use for use in parsed.uses if use.kind == "asm"))
    assert found is not None
    return "".join(edit.replacement.decode() for edit in found.edits) or f"{found.rule}: {found.words['why']}"


@pytest.mark.parametrize(
    "head",
    [
        '#define LOAD "ld.global.u32"\n',
        '#define SPACE "global"\n#define LOAD "ld." SPACE ".u32"\n',
        '#if __CUDA_ARCH__ >= 350\n#define LOAD "ld.global.nc.u32"\n#else\n#define LOAD "ld.global.u32"\n#endif\n',
    ],
    ids=["one", "nested", "branches that mean the same"],
)
def test_text_of_a_macro_in_the_file_is_read(head: str) -> None:
    assert made(head + IN_FUNCTION.format(LOAD)) == "x = *(const unsigned *)(p)"


@pytest.mark.parametrize(
    "head",
    [
        "",
        '#if A\n#define LOAD "ld.global.u32"\n#else\n#define LOAD "ld.global.u16"\n#endif\n',
        '#ifndef LOAD\n#define LOAD "ld.global.u32"\n#endif\n',
        "#define LOAD TEXT_OF_ANOTHER_FILE\n",
        '#define LOAD LOAD "u32"\n',
    ],
    ids=["elsewhere", "branches that differ", "may come from before", "unknown inside", "endless"],
)
def test_text_that_may_be_another_stays(head: str) -> None:
    assert made(head + IN_FUNCTION.format(LOAD)).startswith("built-text: its template holds")


def test_macro_with_an_argument_is_read() -> None:
    head = '#define HINT(size) ".L2::" #size "B"\n'
    text = 'asm("ld.global" HINT(128) ".u32 %0, [%1];" : "=r"(x) : "l"(p));'
    assert made(head + IN_FUNCTION.format(text)) == "x = *(const unsigned *)(p)"


def test_constraint_of_a_macro_is_read() -> None:
    assert made('#define PTR "l"\n' + IN_FUNCTION.format('asm("ld.global.u32 %0, [%1];" : "=r"(x) : PTR(p));')) == (
        "x = *(const unsigned *)(p)"
    )


def test_immediate_that_is_made_text_becomes_an_operand() -> None:
    macro = '#define WORD(x, a, n) asm("shf.l.wrap.b32 %0, %1, %1, " #n ";" : "=r"(x) : "r"(a))\n'
    assert "x = __funnelshift_l(unsigned(value1_), unsigned(value1_), unsigned(n));" in made(macro, "x.cuh")


SUFFIX = '#define SUM(x, a, b, type) asm("add." #type " %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b))\n'
USES = "__device__ void f(unsigned &x, unsigned a) {{ SUM(x, a, a, {}); SUM(x, a, 3, {}); }}\n"


@pytest.mark.parametrize(
    ("text", "path", "fits"),
    [
        (SUFFIX + USES.format("u32", "u32"), "x.cu", True),
        (SUFFIX + USES.format("u32", "f32"), "x.cu", False),
        (SUFFIX, "x.cu", False),
        (SUFFIX + USES.format("u32", "u32"), "x.cuh", False),
        (SUFFIX + USES.format("u32", "u32") + "#undef SUM\n", "x.cuh", True),
    ],
    ids=["one form", "two forms", "no use", "a header, used elsewhere too", "a header that takes it back"],
)
def test_suffix_is_read_where_one_form_fits_every_use(text: str, path: str, fits: bool) -> None:
    found = made(text, path)
    assert found == "x = unsigned(a) + unsigned(b)" if fits else found.startswith("built-text")


BRANCHES = """__device__ void f(unsigned &x, const unsigned *p) {{ asm("ld.global"
#if {condition}
    "{first}"
{middle}
#endif
    ".u32 %0, [%1];" : "=r"(x) : "l"(p)); }}
"""


@pytest.mark.parametrize(
    ("condition", "first", "middle", "fits"),
    [
        ("PREFETCH", ".L2::128B", "", True),
        ("PREFETCH > 1", ".L2::128B", '#elif PREFETCH\n ".L2::64B"\n#else\n ""', True),
        ("PREFETCH", ".L2::128B", '#else\n ".acquire.gpu"', False),
        ("PREFETCH", ".L2::128B", "#ifdef DEEP\n#endif", False),
        ("PREFETCH", ".L2::128B", "#else\n ELSEWHERE", False),
    ],
    ids=["a hint", "two hints", "another meaning", "a condition inside", "unknown"],
)
def test_text_in_branches_is_read_where_all_mean_the_same(condition: str, first: str, middle: str, fits: bool) -> None:
    found = made(BRANCHES.format(condition=condition, first=first, middle=middle))
    assert found == "x = *(const unsigned *)(p)" if fits else found.startswith("built-text"), found


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('ld.global.cg." suffix " %0, [%1];', "ld.global.cg...."),
        ('mma.sync.m16n8k64.row.f32." suffix "." suffix ".f32 %0, %1;', "mma.sync.m16n8k64.row.f32.....f32"),
    ],
)
def test_a_refusal_names_no_type_that_only_one_use_has(text: str, named: str) -> None:
    body = f'__device__ void name(unsigned x, long p) {{ asm("{text}" : c(x) : "l"(p)); }}'
    source = f'#define LOADS(name, suffix, c) {body}\nLOADS(a, "u32", "=r")\nLOADS(b, "f32", "=f")\n'
    parsed = cuda.parse(SourceFile("x.cu", source.encode(), "cuda"), frozenset())
    found = translate.translation(parsed, next(use for use in parsed.uses if use.kind == "asm"))
    assert found is not None and not found.edits and found.words["instruction"] == named
