"""Whole asm statements: what they become, where they are, and what is said where there is no translation."""

from __future__ import annotations

from pathlib import Path

import pytest
from ptx.translated import translated

from cudamigrate.config import Config
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.pipeline import apply
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.ptx import lacking, table, translate
from cudamigrate.ptx.logic import shortest, spelled
from cudamigrate.ptx.values import unambiguous


def body(asm: str) -> str:
    found, text = translated(asm)
    assert found is not None and found.edits, found
    return " ".join(text.split())


def why(asm: str) -> str:
    found, _ = translated(asm)
    assert found is not None and not found.edits
    return found.words.get("why", found.rule)


def test_an_output_that_may_be_an_input_gets_its_value_last() -> None:
    made = body('asm("{ add.u32 %0, %1, 1; add.u32 %0, %0, %2; }" : "=r"(x) : "r"(a), "r"(b));')
    assert made == "{ unsigned result = unsigned(a) + 1u; result = result + unsigned(b); x = result; }"


def test_an_input_is_read_before_it_is_written_as_an_output() -> None:
    made = body('asm("add.u32 %0, %1, %2;" : "+r"(x) : "r"(a), "r"(b));')
    assert made == "x = unsigned(a) + unsigned(b);"


def test_a_register_set_and_read_once_is_written_where_it_is_read() -> None:
    text = "{ .reg .u32 t; and.b32 t, %1, 15; shr.u32 %0, t, 2; }"
    assert body(f'asm("{text}" : "=r"(x) : "r"(a));') == "x = unsigned(a & 15u) >> 2;"


def test_a_register_made_from_what_changes_later_keeps_its_value() -> None:
    text = "{ .reg .u32 a, t; mov.u32 a, %1; add.u32 t, a, 1; add.u32 a, a, 5; add.u32 %0, t, a; }"
    made = body(f'asm("{text}" : "=r"(x) : "r"(b));')
    assert made == "{ unsigned a = unsigned(b); const unsigned t = a + 1u; a = a + 5u; x = t + a; }"
    text = "{ .reg .u32 t; mov.u32 t, %0; mov.u32 %0, 3; add.u32 %0, %0, t; }"
    assert body(f'asm("{text}" : "+r"(x));') == "{ const unsigned t = unsigned(x); x = 3u; x = unsigned(x) + t; }"


def test_an_operand_with_effects_is_worked_out_once() -> None:
    text = 'asm("shl.b32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(next()));'
    assert body(text) == (
        "{ const auto value2 = next(); x = unsigned(value2) < 32u ? unsigned(a) << unsigned(value2) : 0; }"
    )


def test_an_effect_happens_whatever_the_predicate_is() -> None:
    text = "{ .reg .pred p; setp.ne.u32 p, %1, 0; @p add.u32 %0, %0, %2; }"
    assert body(f'asm("{text}" : "+r"(x) : "r"(a), "r"(i++));') == (
        "{ const auto value2 = i++; if (static_cast<unsigned>(a) != 0u) x = unsigned(x) + unsigned(value2); }"
    )


def test_what_an_effect_changes_is_read_before_it() -> None:
    made = body('asm("add.u32 %0, %1, %2;" : "=r"(x) : "r"(a[i]), "r"(i++));')
    assert made == ("{ const auto value1 = a[i]; const auto value2 = i++; x = unsigned(value1) + unsigned(value2); }")


def test_an_effect_that_no_instruction_uses_still_happens() -> None:
    made = body('asm("mov.u32 %0, 1;" : "=r"(x) : "r"(next()));')
    assert made == "{ static_cast<void>(next()); x = 1u; }"


def test_a_source_in_memory_is_read_before_the_statement_writes_memory() -> None:
    text = "st.global.u32 [%1], 5; add.u32 %0, %2, 1;"
    assert body(f'asm("{text}" : "=r"(x) : "l"(p), "r"(*q));') == (
        "{ const auto value2 = *q; *(unsigned *)(p) = 5u; x = unsigned(value2) + 1u; }"
    )
    assert "value2" not in body(f'asm("{text}" : "=r"(x) : "l"(p), "r"(q));')


def test_an_output_in_memory_is_not_written_before_memory_is_read() -> None:
    text = "{ .reg .u64 a; mov.u64 a, %2; add.u32 %0, %0, 1; ld.global.u32 %1, [a]; }"
    made = body(f'asm("{text}" : "+r"(*q), "=r"(y) : "l"(p));')
    assert made.endswith("y = *(const unsigned *)((unsigned long long)(p)); place0 = result; }")


def test_the_message_of_a_clock_says_that_it_keeps_no_order() -> None:
    code = "__device__ unsigned read(unsigned a) {{ unsigned b; asm volatile({}); return b; }}"
    told = {
        what: " ".join(one.message for one in find_in_text(code.format(what), "a.cu", None).findings)
        for what in ('"mov.u32 %0, %%clock;" : "=r"(b) :: "memory"', '"mov.u32 %0, %%laneid;" : "=r"(b)')
    }
    assert ["move it from between two readings" in one for one in told.values()] == [True, False]


def test_a_clock_is_read_where_it_is() -> None:
    text = "{ .reg .u64 a, b; mov.u64 a, %%clock64; bar.sync 0; mov.u64 b, %%clock64; sub.u64 %0, b, a; }"
    made = body(f'asm volatile("{text}" : "=l"(x));')
    assert made.index("a = ") < made.index("__syncthreads()") < made.index("b = ")


def test_a_pointer_gets_its_address_by_a_cast() -> None:
    source = "__device__ void f(int *&p, const int *q) { int *r; unsigned long long x = 2 * y;\n%s\n}"
    for name, pointed in (("p", True), ("r", True), ("x", False), ("y", False)):
        asm = f'asm("cvta.to.global.u64 %0, %1;" : "=l"({name}) : "l"(q));'
        made = find_in_text("#include <hip/hip_runtime.h>\n" + source % asm).after
        assert (f"cudamigrate::set_pointer({name}, " in made) is pointed


def test_pointers_declared_after_others_and_those_of_arrays_get_their_address_by_a_cast() -> None:
    source = "__device__ void f(const int *q) {\n int *a = 0, *b; int *const *c, *d[2];\n long e = 2, x = e * e;\n%s\n}"
    for name, pointed in (("a", True), ("b", True), ("d[1]", True), ("e", False), ("x", False), ("e[q]", False)):
        asm = f'asm("cvta.to.global.u64 %0, %1;" : "=l"({name}) : "l"(q));'
        made = find_in_text("#include <hip/hip_runtime.h>\n" + source % asm).after
        assert (f"cudamigrate::set_pointer({name}, " in made) is pointed


def test_pointers_of_a_macro_get_their_address_by_a_cast_and_so_may_its_parameters() -> None:
    source = """#include <hip/hip_runtime.h>
#define AHEAD(T, out) \\
__device__ const T* ahead(const T* src) \\
{ \\
    const T* dst; \\
    long long n; \\
    asm("add.u64 %%0, %%1, 4;" : "=l"(%s) : "l"(src)); \\
    return dst; \\
}
"""
    for name, pointed in (("dst", True), ("n", False), ("out", True)):
        made = find_in_text(source % name).after
        assert "asm" not in made
        assert (f"cudamigrate::set_pointer({name}, " in made) is pointed


@pytest.mark.parametrize(
    ("declared", "pointed"),
    [
        ("const T *x, *y;", True),
        ("const T *x, *__restrict__ y;", True),
        ("long *x, y;", False),
        ("long x = 2 *y;", False),
        ("f(x, *y);", False),
    ],
)
def test_a_pointer_is_declared_after_another(declared: str, pointed: bool) -> None:
    source = f'__device__ void f(const int *q) {{ {declared}\nasm("add.u64 %0, %0, 4;" : "+l"(y));\n}}'
    made = find_in_text("#include <hip/hip_runtime.h>\n" + source).after
    assert ("cudamigrate::set_pointer(y, " in made) is pointed


@pytest.mark.parametrize(("declared", "pointed"), [("const T *y;", True), ("long y;", False)])
def test_a_pointer_that_a_macro_declares_gets_its_address_by_a_cast(declared: str, pointed: bool) -> None:
    source = (
        f"#define MOVED(T) \\\n__device__ const T *moved(const T *p) {{ {declared}{'':80}\\\n"
        '    asm("{ .reg .u64 a; add.u64 a, %1, 4; mov.b64 %0, a; }" : "=l"(y) : "l"(p)); \\\n    return y; }\n'
        "MOVED(int)\n"
    )
    made = find_in_text("#include <hip/hip_runtime.h>\n" + source).after
    assert ("cudamigrate::set_pointer(y, " in made) is pointed


@pytest.mark.parametrize(
    ("template", "rule"),
    [
        (".shared .align 16 .b32 share[576];", "ptx/split-statement"),
        ("\\nAGAIN:\\n", "ptx/split-statement"),
        (".loc 1 2 3;", "ptx/invalid-text"),
        ("AGAIN", "ptx/invalid-text"),
        ("add.u32 %0, -%1, 1;", "ptx/invalid-text"),
        ("vmad.s32.u32.u32.sat %0, -%1, %1, %1;", "ptx/inline-asm"),
    ],
)
def test_labels_and_declarations_are_ptx_that_others_need(template: str, rule: str) -> None:
    made = find_in_text(f'__device__ void f(unsigned x, unsigned a) {{ asm("{template}" : "=r"(x) : "r"(a)); }}')
    assert [one.rule for one in made.findings if one.rule.startswith("ptx/")] == [rule]


def test_registers_of_several_values_are_taken_apart() -> None:
    text = "{ .reg .v2 .b32 v; mov.b64 v, %1; add.u32 %0, v.x, v.g; }"
    assert body(f'asm("{text}" : "=r"(x) : "l"(a));') == (
        "{ const unsigned long long packed = (unsigned long long)(a); const unsigned v_x = unsigned(packed);"
        " const unsigned v_y = unsigned(packed >> 32); x = v_x + v_y; }"
    )


def test_a_register_that_nothing_sets_holds_any_value() -> None:
    text = "{ .reg .b16 lo, hi; mov.b16 lo, %1; mov.b32 %0, {lo, hi}; }"
    assert body(f'asm("{text}" : "=r"(x) : "h"(a));').startswith("x = unsigned(0u) << 16 | unsigned(")


def test_shorts_of_different_signs_are_compared_as_bits() -> None:
    text = "{ .reg .pred p; setp.eq.b16 p, %1, 0xffff; selp.u32 %0, 1, 0, p; }"
    assert "static_cast<unsigned short>(a) == 0xffffu" in body(f'asm("{text}" : "=r"(x) : "h"(a));')


@pytest.mark.parametrize("word", ["volatile", "__volatile", "__volatile__", "inline", ""])
def test_words_before_the_bracket_do_not_matter(word: str) -> None:
    assert body(f'__asm {word}("add.u32 %0, %0, 1;" : "+r"(x));') == "x = unsigned(x) + 1u;"


def test_a_hint_to_the_compiler_is_left_out() -> None:
    found, text = translated('asm volatile(".pragma \\"nounroll\\";");')
    assert found is not None and found.rule == "approximate-instruction"
    assert text == 'asm volatile("" ::: "memory");'


@pytest.mark.parametrize(
    "text",
    ["mov.u32 %0;", "cvt.u32.u16 %0, %1, %1;", "ld.global.u32 %0, %1;", "vset.u32.u32.lt %0.h1, %1, %1;", "bar.sync;",
     "setp.u32 %0, %1, %1;", "mov.b32 %0, {};", "prmt.b32 %0, %1;", "atom.add.u32 %0, [%1];", "shfl.sync.idx.b32 %0;"],
)  # fmt: skip
def test_a_wrong_number_of_operands_is_refused(text: str) -> None:
    found, _ = translated(f'asm("{text}" : "=r"(x) : "r"(a));')
    assert found is not None and not found.edits


def test_local_names_keep_clear_of_the_operands() -> None:
    made = body('asm("{ .reg .u32 a; mov.u32 a, %1; add.u32 a, a, a; mov.u32 %0, a; }" : "=r"(x) : "r"(a));')
    assert made == "{ unsigned a2 = unsigned(a); a2 = a2 + a2; x = a2; }"


def test_a_statement_under_an_if_keeps_its_else() -> None:
    found, text = translated(
        'if (c) asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p mov.u32 %0, 1; }" : "=r"(x) : "r"(a)); else g();'
    )
    assert found is not None
    assert " ".join(text.split()) == "if (c) { if (a != 0u) x = 1u; } else g();".replace(
        "a != 0u", "static_cast<unsigned>(a) != 0u"
    )


def test_a_macro_body_stays_one_statement_on_one_line() -> None:
    source = b'#define F(x, p) asm volatile("{ mov.u32 %0, 0; ld.global.u32 %0, [%1]; }" : "=r"(x) : "l"(p))\n'
    parsed = cuda.parse(SourceFile("x.cu", source, "cuda"), frozenset())
    found = translate.translation(parsed, parsed.uses[0])
    assert found is not None
    (edit,) = found.edits
    assert edit.replacement.startswith(b"do { unsigned result_ = 0u; ") and edit.replacement.endswith(b"} while (0)")
    assert b"\n" not in edit.replacement


@pytest.mark.parametrize(
    ("head", "asm", "wanted"),
    [
        ("M(d, a)", 'asm("and.b32 %0, %1, 15;" : "=r"(d) : "r"(a))', "d = (a) & 15u"),
        ("M(d, a)", 'asm("add.u32 %0, %1, %1;" : "=r"(d) : "r"(a))',
         "do { const auto value1_ = a; d = unsigned(value1_) + unsigned(value1_); } while (0)"),
        ("M(d, a, b)", 'asm("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p mov.u32 %0, %1; }" : "+r"(d) : "r"(a), "r"(b))',
         "do { const auto value1_ = a; const auto value2_ = b; if (static_cast<unsigned>(value2_) != 0u)"
         " d = unsigned(value1_); } while (0)"),
        ("M(d)", 'asm("and.b32 %0, %1, 15;" : "=r"(d) : "r"(other))', "d = other & 15u"),
        ("M(d, value1_)", 'asm("add.u32 %0, %1, %1;" : "=r"(d) : "r"(value1_))',
         "do { const auto value1__ = value1_; d = unsigned(value1__) + unsigned(value1__); } while (0)"),
    ],
)  # fmt: skip
def test_an_argument_of_a_macro_may_be_any_expression(head: str, asm: str, wanted: str) -> None:
    source = f"#define {head} {asm}\n".encode()
    parsed = cuda.parse(SourceFile("x.cu", source, "cuda"), frozenset())
    found = translate.translation(parsed, parsed.uses[0])
    assert found is not None
    assert [edit.replacement.decode() for edit in found.edits] == [wanted]


def test_what_is_in_an_operand_is_converted_too() -> None:
    source = (
        "#include <hip/hip_runtime.h>\n__device__ void f(unsigned &x) {\n"
        '    asm("mov.u32 %0, %1;" : "=r"(x) : "n"(cudaMemcpyHostToDevice));\n}\n'
    )
    assert "x = unsigned(hipMemcpyHostToDevice);" in find_in_text(source).after


def test_windows_line_ends_are_kept() -> None:
    statement = b'asm("{ mov.u32 %0, 0;\\n ld.u32 %0, [%1]; }" : "=r"(x) : "l"(p));'
    source = b"__device__ void f(unsigned &x, unsigned *p) {\r\n  " + statement + b"\r\n}\r\n"
    parsed = cuda.parse(SourceFile("x.cu", source, "cuda"), frozenset())
    found = translate.translation(parsed, next(use for use in parsed.uses if use.kind == "asm"))
    assert found is not None
    assert found.edits[0].replacement.count(b"\r\n") == found.edits[0].replacement.count(b"\n") > 2


@pytest.mark.parametrize(
    ("asm", "reason"),
    [
        ('asm("addc.u32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b));',
         "a carry that another statement sets; on some way to it nothing sets it, or a function is called in between"),
        ('asm("set.lt.u32.u32 %0, %1, %1, p;" : "=r"(x) : "r"(a));',
         "a comparison with a predicate and no operation for it, or the reverse"),
        ('asm("add.cc.u32 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b));', "a carry that another statement uses"),
        ('asm("L: bra L;");', "a jump"),
        ('asm("vmad.u32.u32.u32.po %0, %1, %1, %1;" : "=r"(x) : "r"(a));', "`vmad.u32.u32.u32.po`"),
        ('asm("exit;");', "`exit` outside a kernel"),
        ('asm(TEXT : "=r"(x));', "its template holds `TEXT`, which a macro fills in"),
        ('asm("mov.u32 %0, %1;" : "=r"(x) : PTR(a));', "the constraint `PTR` is a macro"),
        ('asm("ld.global.u32 %0, [%1];" : "=r"(x) : "r"(a));', "a generic address of 32 bits"),
        ('asm("add.u32 %0, %1, %2;" : "=r"(x) : "r"(a));', "an operand `%2` that is not there"),
        ('asm("mov.u32 %0, t;" : "=r"(x));', "`%t`"),
        ('asm("{ .shared .b32 s; mov.u32 %0, 1; }" : "=r"(x));', "the directive `.shared`"),
        ('asm("bar.sync 0, 64;");', "a barrier with a count of threads"),
        ('asm("bar.sync %0, %1;" :: "r"(n), "n"(THREADS));', "a barrier with a count of threads"),
        ('asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0}, {%1}, {%2}, {%0};" : "+d"(c) : "d"(a), "d"(b));',
         "1 registers where the fragment has 2"),
        ('asm("mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0}, {%0}, {%0}, {%0}, %0, 0;" :: "r"(a));',
         "1 registers where the fragment has 2"),
        ('asm("wmma.load.a.sync.aligned.m16n16k16.bf16 {%0, %0, %0, %0}, [%1];" : "=r"(x) : "l"(p));',
         "a matrix without its layout"),
    ],
)  # fmt: skip
def test_what_has_no_translation_says_why(asm: str, reason: str) -> None:
    assert why(asm) == reason


def test_one_instruction_without_an_equal_keeps_the_whole_statement() -> None:
    found, text = translated('asm("{ mov.u32 %0, 1; bar.sync 1, 64; }" : "=r"(x));')
    assert found is not None and found.rule == "named-barrier" and text.startswith("asm(")


@pytest.mark.parametrize(
    ("asm", "hip"),
    [
        ('asm volatile("bar.sync 3;" ::: "memory");', "__syncthreads();"),
        ('asm volatile("bar.sync 3, 32;" ::: "memory");', "cudamigrate::syncwarp(0xffffffffu);"),
        ('asm volatile("barrier.sync %0;" :: "r"(n));', "__syncthreads();"),
    ],
)
def test_a_barrier_of_all_threads_or_of_one_warp_needs_no_number(asm: str, hip: str) -> None:
    assert translated(asm)[1] == hip


def test_shapes_are_reported_in_words() -> None:
    text = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0}, {%1}, {%2}, {%0};"
    found, _ = translated(f'asm("{text}" : "+f"(c) : "r"(a), "r"(b));')
    assert found is not None and found.words["shape"] == "16x8x16 product of `bf16` into `f32`"


@pytest.mark.parametrize(
    ("name", "does", "road"),
    [
        ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "a 16x8x16 product of `f16` into `f32`", "16x16x16"),
        ("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32", "a sparse 16x8x64", "`smfmac`"),
        ("mma.sp.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32", "a sparse 16x8x32", "no source writes out how its"),
        ("mma.sp::ordered_metadata.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "a sparse 16x8x8", "no source"),
        ("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "an 8x8x4 product", "16x16x4"),
        ("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", "`e4m3` into `f32`", "FNUZ"),
        ("mma.sync.aligned.kind::mxf4.block_scale.m16n8k64.row.col.f32.e2m1.e2m1.f32.ue8m0", "`e2m1`", "only gfx950"),
        ("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "product of `f16` into `f32`", "MFMA has"),
        ("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16", "four matrices of 8x8 for a product, transposed", "gfx950"),
        ("ldmatrix.sync.aligned.m8n8.x2.shared.b16", "two matrices of 8x8 for a product", "as a vector"),
        ("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16", "64x128x16 product of `bf16`", "gfx950"),
        ("tcgen05.mma.cta_group::1.kind::i8", "multiplies `s8`", "on gfx942"),
        ("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes", "3-dimensional", "share"),
        ("mbarrier.try_wait.parity.shared::cta.b64", "asks whether", "polls"),
        ("multimem.ld_reduce.relaxed.sys.global.add.v4.f32", "reads `f32` of all GPUs", "RCCL"),
    ],
)  # fmt: skip
def test_what_has_no_equal_is_reported_by_its_shape_and_types(name: str, does: str, road: str) -> None:
    made = lacking.words(name, table.load())
    assert does in made["does"] and road in made["road"]


def test_a_named_barrier_is_reported_by_its_number_and_count() -> None:
    found, _ = translated('asm volatile("bar.sync 3, %0;" :: "r"(n));')
    assert found is not None and found.words["does"] == "waits at barrier 3 for `%0` threads"


@pytest.mark.parametrize(
    ("names", "ours"),
    [
        (["mov.u32"], True), (["trap"], True), (["cp.async.bulk.commit_group"], True), (["vote.sync.any.pred"], True),
        (["rdtsc"], False), (["mov"], False), (["vadd.i32"], False), (["fence.i"], False), (["ld1.16b"], False),
        (["llvm.amdgcn.f32"], False), ([], False),
    ],
)  # fmt: skip
def test_ptx_is_distinguished_from_the_assembly_of_other_machines(names: list[str], ours: bool) -> None:
    assert translate.spells_ptx(names) is ours


def test_every_function_of_three_bits_is_found() -> None:
    def value(formula: object) -> int:
        assert isinstance(formula, tuple)
        if len(formula) == 1:
            return {"a": 0xF0, "b": 0xCC, "c": 0xAA, "0": 0, "~0": 0xFF}[formula[0]]
        parts = [value(part) for part in formula[1:]]
        if formula[0] == "~":
            return ~parts[0] & 0xFF
        return {"&": parts[0] & parts[1], "|": parts[0] | parts[1], "^": parts[0] ^ parts[1]}[formula[0]]

    assert [value(shortest(at)) for at in range(256)] == list(range(256))


def test_the_shortest_formula_is_written() -> None:
    names = {"a": "x", "b": "y", "c": "z"}
    assert spelled(shortest(0x96), names) in ("x ^ y ^ z", "z ^ x ^ y", "y ^ x ^ z", "z ^ y ^ x", "x ^ z ^ y")
    assert spelled(shortest(0xEA), names) in ("z | (x & y)", "(x & y) | z")


def test_apply_writes_both_headers_for_functions_of_ptx(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "#include <cuda_runtime.h>\n__device__ void f(unsigned s, const void *g) {\n"
        '    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" :: "r"(s), "l"(g));\n}\n'
    )
    done = apply(tmp_path, Config())
    assert sorted(done.added) == ["cudamigrate_hip.h", "cudamigrate_ptx.h"]
    assert b'#include "cudamigrate_ptx.h"\n' in done.conversions[0].after


def test_what_lanes_do_together_stays_where_the_full_wavefront_is_asked_for() -> None:
    source = '__device__ unsigned f() { unsigned x; asm("mov.u32 %0, %%laneid;" : "=r"(x)); return x; }\n'
    assert [f.fix is None for f in find_in_text(source, config=Config(wave="native")).findings if "ptx" in f.rule] == [
        True
    ]
    assert [f.fix is None for f in find_in_text(source).findings if "ptx" in f.rule] == [False]


def test_a_function_whose_qualifier_is_a_macro_is_read_too() -> None:
    source = (
        "#include <cuda_runtime.h>\nFORCE_INLINE_DEVICE void f(unsigned &x) {\n"
        '    asm("popc.b32 %0, %1;" : "=r"(x) : "r"(x)); }\n'
    )
    rules = [finding.rule for finding in find_in_text(source, "a.h").findings]
    assert "ptx/known-instruction" in rules


def test_cast_before_an_and_in_brackets_does_not_read_like_a_declaration() -> None:
    asm = 'asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(x) : "r"(a), "r"(b), "n"(0xff));'
    assert body(asm) == "x = unsigned(0xff) | (static_cast<unsigned>(a) & unsigned(b));"
    assert unambiguous("f(unsigned(a) & b) | (unsigned(g(c)) & d)") == (
        "f(unsigned(a) & b) | (static_cast<unsigned>(g(c)) & d)"
    )
    assert unambiguous("min(unsigned(a), b) + (int_(a) != 0u)") == "min(unsigned(a), b) + (int_(a) != 0u)"


def test_a_sum_of_floats_in_global_memory_is_not_said_to_be_the_same() -> None:
    """The PTX ISA flushes subnormal numbers there, in shared memory it does not."""
    glob, _ = translated('asm volatile("red.global.add.f32 [%0], %1;" :: "l"(p), "f"(x));')
    assert glob is not None and glob.rule == "approximate-instruction" and "subnormal" in glob.words["difference"]
    for name, letter in (("red.shared.add.f32", "f"), ("red.global.add.u32", "r")):
        same, _ = translated(f'asm volatile("{name} [%0], %1;" :: "l"(p), "{letter}"(x));')
        assert same is not None and same.rule == "known-instruction"


def test_an_end_of_a_thread_in_a_function_that_a_kernel_calls_is_no_return() -> None:
    head = "__global__ void k(int *p);\n// called by each __global__ function\n__device__ void f(int *p)"
    found, _ = translated('if (!*p) asm("exit;"); *p = 1;', head)
    assert found is not None and found.words["why"] == "`exit` outside a kernel"
    found, text = translated(
        'if (!*p) asm("exit;"); *p = 1;', '__device__ int g();\nextern "C" __global__ void k(int *p)'
    )
    assert text == "if (!*p) return; *p = 1;"


LOP3 = 'asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(x) : "r"(a), "r"(b), "r"(c), "n"(lut));'
FOLDED, ASKED = "x = c | (a & b);", "x = cudamigrate::lop3<lut>(unsigned(a), unsigned(b), unsigned(c));"


@pytest.mark.parametrize(
    ("head", "wanted"),
    [
        ("const int lut = 0xEA;\n__device__ void f()", FOLDED),
        ("__device__ int g() { const int lut = 0xEA; return lut; }\ntemplate <int lut> __device__ void f()", ASKED),
        ("const int lut = 0xEA;\ntemplate <int lut> __device__ void f()", ASKED),
        ("// const int lut = 0xEA;\n__device__ void f()", ASKED),
        ("__device__ int g() { const int lut = 0xEA; return lut; }\n__device__ void f()", ASKED),
    ],
    ids=["of the file", "of another function", "hidden by a parameter", "in a comment", "of a function beside"],
)
def test_a_constant_is_read_only_where_the_name_means_it(head: str, wanted: str) -> None:
    assert translated(LOP3, head)[1] == wanted


def test_a_predicate_that_is_a_result_and_a_source_is_read_before_it_is_written() -> None:
    text = "setp.eq.s32 p, %1, 3; setp.lt.and.s32 p|q, %1, %2, p; selp.s32 %0, 1, 0, q;"
    made = body(f'asm("{{ .reg .pred p, q; {text} }}" : "=r"(x) : "r"(a), "r"(b));')
    assert "const bool before = p; p = (static_cast<int>(a) < int(b)) && before;" in made
    assert "q = (!(static_cast<int>(a) < int(b))) && before;" in made


def test_values_loaded_one_by_one_do_not_replace_their_address() -> None:
    text = "{ .reg .u64 r, s; mov.u64 r, %1; ld.volatile.global.v2.u64 {r, s}, [r]; mov.u64 %0, s; }"
    assert why(f'asm("{text}" : "=l"(x) : "l"(p));').startswith("several values loaded one by one")


def test_a_shift_in_an_operand_changes_what_it_shifts() -> None:
    made = body('asm("sub.s32 %0, %2, %1;" : "=r"(x) : "r"(a), "r"(a <<= 1));')
    assert made == ("{ const auto value1 = a; const auto value2 = a <<= 1; x = unsigned(value2) - unsigned(value1); }")


def test_a_double_is_rounded_and_saturated() -> None:
    assert body('asm("cvt.rni.sat.f64.f64 %0, %1;" : "=d"(x) : "d"(a));') == "x = cudamigrate::saturate(rint(a));"


@pytest.mark.parametrize(
    "asm",
    [
        'asm("mov.b64 {%0, %1, %2}, %3;" : "=r"(x), "=r"(y), "=r"(z) : "l"(a));',
        'asm("mov.b64 %0, {%1, %1, %1};" : "=l"(x) : "r"(a));',
        'asm("ld.global.nc.v2.b128 {%0, %1}, [%2];" : "=q"(x), "=q"(y) : "l"(p));',
        'asm("wmma.load.row.sync.aligned.col.m8n32k16.global.f32 {%0}, [%1];" : "=f"(x) : "l"(p));',
    ],
    ids=["three parts", "of three parts", "128 bits", "no matrix"],
)
def test_what_ptx_does_not_have_is_refused(asm: str) -> None:
    assert why(asm)


def test_parameters_are_read_from_the_definition_whatever_is_said_before_the_statement() -> None:
    found, text = translated(
        "ADD(x, i++);",
        '#define ADD(to, a) /* as defined */ asm("add.s32 %0, %1, %1;" : "=r"(to) : "r"(a))\n__device__ void f()',
    )
    assert found is not None and any(b"const auto value1_ = " in edit.replacement for edit in found.edits), text
