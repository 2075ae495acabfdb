"""Which loops run a product: around the statement, or around calls of the function or macro that holds it."""

from __future__ import annotations

import pytest
from ptx.translated import translated

from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.ptx import loops, table, translate

_ASM = (
    'asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%0,%0,%0}, {%1,%1}, {%1}, {%0,%0,%0,%0};"'
    ' : "+f"(c) : "r"(a));'
)
_HELPER = "__device__ void product(float &c, unsigned a) { %s }\n"


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("__global__ void k(float c, int a) {\n  for (int i = 0; i < 4; ++i)\n    %s\n}", [(2, "k", 1)]),
        (
            _HELPER + "__global__ void k(float c, int a) {\n  while (a) {\n    product(c, a), product(c, a);\n  }\n"
            "  for (int i = 0; i < 2; ++i) product(c, a);\n}",
            [(3, "k", 2), (6, "k", 1)],
        ),
        (
            _HELPER + "__device__ void tile(float &c, unsigned a) { product(c, a); product(c, a); }\n"
            "__global__ void k(float c, unsigned a) {\n  do {\n    tile(c, a);\n  } while (--a);\n}",
            [(4, "k", 2)],
        ),
        (_HELPER + "__global__ void k(float c, unsigned a) {\n  product(c, a);\n  for (;;) {}\n}", []),
        (
            "#define PRODUCT(c, a) %s\n__global__ void k(float c, unsigned a) {\n  for (;;) { PRODUCT(c, a) }\n}",
            [(3, "k", 1)],
        ),
        (_HELPER + "__device__ void product(int a);\nvoid k() { for (;;) {} }", []),
    ],
    ids=["around", "calls", "two-steps", "beside", "macro", "declaration"],
)  # fmt: skip
def test_loops_are_found(code: str, told: list[tuple[int, str, int]]) -> None:
    source = SourceFile("x.cu", (code % _ASM).encode(), "cuda")
    parsed = cuda.parse(source, frozenset())
    use = next(use for use in parsed.uses if use.kind == "asm")
    assert [(one.line, one.function, one.times) for one in loops.around(parsed, use.span.start)] == told
    found = translate.translation(parsed, use)
    assert found is not None and found.edits
    assert found.words["where"].startswith(". It is hot: ") if told else found.words["where"] == ""


def test_every_dense_product_has_its_cost_and_no_other_is_given_one() -> None:
    """The bounds are those of the counts in costs.toml: never nothing, never more than the whole peak."""
    rows = table.load()
    assert all(0.01 < one.least() < one.most() < 1.0 for one in rows.costs)
    shapes = {(one.shape, one.types.split(".")[0]) for one in rows.costs}
    wanted = {
        (f"m16n8k{k}", kind)
        for k, kind in ((8, "f16"), (16, "bf16"), (8, "tf32"), (32, "s8"), (64, "u4"), (32, "e4m3"))
    }
    assert wanted <= shapes and not any(kind.startswith("b1") for _, kind in shapes)


@pytest.mark.parametrize(
    ("name", "registers", "cost"),
    [
        ("m16n8k16.row.col.f32.f16.f16.f32", (4, 4, 2, 4), "expected at 4 to 13 %"),
        ("m16n8k32.row.col.s32.s8.s8.s32", (4, 4, 2, 4), "expected at 4 to 30 %"),
        ("m16n8k128.row.col.s32.b1.b1.s32.and.popc", (4, 2, 1, 4), "without matrix units"),
    ],
)
def test_a_product_says_what_it_costs(name: str, registers: tuple[int, ...], cost: str) -> None:
    sides = ["{" + ", ".join([f"%{1 if at in (1, 2) else 0}"] * count) + "}" for at, count in enumerate(registers)]
    found, _ = translated(f'asm("mma.sync.aligned.{name} {", ".join(sides)};" : "+r"(c) : "r"(a));')
    assert found is not None and found.words["cost"].startswith(cost), found


def test_ways_that_multiply_from_level_to_level_are_counted_and_not_walked() -> None:
    source = _HELPER % _ASM
    for level in range(4):
        called = "product" if level == 0 else f"f{level}"
        source += f"__device__ void f{level + 1}(float &c, unsigned a) {{ {f'{called}(c, a); ' * 60}}}\n"
    source += "__global__ void k(float c, unsigned a) { for (;;) f3(c, a); }\n"
    parsed = cuda.parse(SourceFile("x.cu", source.encode(), "cuda"), frozenset())
    at = next(use for use in parsed.uses if use.kind == "asm").span.start
    assert [(one.function, one.times) for one in loops.around(parsed, at)] == [("k", 60**3)]
    assert loops.holders(parsed, at)["f3"] == 60**3
