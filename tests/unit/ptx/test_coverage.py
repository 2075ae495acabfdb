"""Every instruction of the PTX ISA is answered: by a translation, or by a rule that says what to do.

The forms are those that public code uses; `inline-asm`, the rule for what nothing is known of, counts as no answer.
"""

from __future__ import annotations

import re

import pytest
from ptx.translated import translated

from cudamigrate.model import Target
from cudamigrate.ptx import table
from cudamigrate.ptx.parser import Arg, Instruction
from cudamigrate.rulebase.code_rules import load

TRANSLATED = """
add.s32 add.u64 add.f32 add.rn.f32 add.rz.f32 add.rn.f16x2 add.bf16x2 add.f64 add.rn.f32x2 add.rn.f32.bf16 sub.f32
sub.f16x2 sub.s64 mul.lo.s32 mul.hi.u32 mul.wide.u16 mul.wide.s32 mul.rn.f32 mul.f16x2 mul.bf16x2 mul.f32x2 mad.lo.u32
mad.hi.s32 mad.wide.u32 mad.rn.f32 fma.rn.f32 fma.rn.ftz.f32 fma.rn.f64 fma.rn.f16x2 fma.rn.bf16x2 fma.rn.relu.f16x2
fma.rn.f32x2 fma.rz.ftz.f32 fma.rn.f32.f16 mul24.lo.s32 mad24.lo.u32 sad.u32 div.u32 div.rn.f32 div.full.f32
div.approx.f32 rem.s32 abs.f32 abs.s32 abs.f16x2 neg.f32 neg.f16x2 min.s32 max.u64 min.f32 max.f32 max.NaN.f32
max.f16x2 min.bf16x2 max.NaN.bf16x2 max.xorsign.abs.f32 popc.b32 clz.b64 bfind.u32 bfind.shiftamt.s32 brev.b32 bfe.u32
bfe.s64 bfi.b32 bmsk.clamp.b32 fns.b32 dp4a.s32.s32 dp2a.lo.u32.u32 rcp.approx.ftz.f32 rcp.rn.f64 rcp.rz.f32
sqrt.approx.f32 sqrt.rn.f32 rsqrt.approx.f32 sin.approx.f32 cos.approx.f32 lg2.approx.f32 ex2.approx.ftz.f32
ex2.approx.f16x2 tanh.approx.f32 tanh.approx.f16x2 copysign.f32 set.lt.u32.f32 set.gt.f16x2.f16x2 and.b32 or.b64 xor.b32
not.b32 cnot.b32 shl.b32 shr.s32 shr.u64 shf.l.wrap.b32 shf.r.clamp.b32 cvt.rn.f16.f32 cvt.rn.f16x2.f32 cvt.rn.bf16.f32
cvt.rn.bf16x2.f32 cvt.f32.f16 cvt.f32.bf16 cvt.rni.s32.f32 cvt.rzi.u32.f64 cvt.u32.u64 cvt.sat.u8.s32 cvt.rna.tf32.f32
cvt.rn.satfinite.e4m3x2.f32 cvt.rn.f16x2.e5m2x2 cvt.rn.satfinite.e4m3x2.f16x2 cvt.rn.bf16x2.ue8m0x2
cvt.rp.satfinite.ue8m0x2.f32 cvt.pack.sat.u8.s32.b32 vadd.s32.s32.s32 vsub.u32.u32.u32 vmin.s32.s32.s32 vmax.u32.u32.u32
vabsdiff.u32.u32.u32 vshl.u32.u32.u32.clamp vshr.s32.s32.u32.wrap vmad.s32.s32.s32 vset.u32.u32.lt vadd4.u32.u32.u32
vsub2.s32.s32.s32 vabsdiff4.u32.u32.u32.add vmin4.s32.s32.s32 vmax2.u32.u32.u32 prmt.b32
"""
WHOLE = (
    """
mov.u32 %0, %%laneid; =r | mov.b32 {%0, %1}, %2; =h =h r | lop3.b32 %0, %1, %2, %3, 0xea; =r r r r
selp.b32 %0, %1, %2, p; =r r r | @p trap; | slct.f32.s32 %0, %1, %2, %3; =f f f r
ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4]; =r =r =r =r l | ld.acquire.gpu.global.u32 %0, [%1]; =r l
ld.shared.b32 %0, [%1]; =r r | ld.shared.b128 %0, [%1]; =q r | st.global.cs.u32 [%0], %1; l r
st.release.sys.global.u32 [%0], %1; l r | prefetch.global.L2 [%0]; l | cvta.to.shared.u64 %0, %1; =l l
createpolicy.fractional.L2::evict_first.b64 %0, 1.0; =l | atom.global.add.u32 %0, [%1], %2; =r l r
red.relaxed.gpu.global.add.s32 [%0], %1; l r | red.global.add.noftz.f16x2 [%0], %1; l r
red.global.add.noftz.bf16 [%0], %1; l h | cp.async.cg.shared.global [%0], [%1], 16; r l | cp.async.commit_group;
cp.async.wait_group 1; | cp.async.wait_all; | bar.sync 0; | barrier.sync 0; | bar.warp.sync 0xffffffff; | membar.gl;
fence.acq_rel.gpu; | fence.sc.sys; | shfl.sync.bfly.b32 %0, %1, 4, 0x1f, 0xffffffff; =r r
vote.sync.ballot.b32 %0, p, 0xffffffff; =r | match.any.sync.b32 %0, %1, %2; =r r r | activemask.b32 %0; =r
elect.sync _|p, 0xffffffff; | mov.u32 %0, %%smid; =r | barrier.cta.red.popc.aligned.u32 %0, 0, p; =r
redux.sync.add.s32 %0, %1, 0xffffffff; =r r | redux.sync.max.f32 %0, %1, 0xffffffff; =f f | nanosleep.u32 %0; r
trap; | brkpt; | pmevent 1; | setmaxnreg.inc.sync.aligned.u32 40; | griddepcontrol.wait; | isspacep.shared p, %0; l
""".replace("\n", " | ")
    .strip(" |")
    .split(" | ")
)
"""Statements with their constraints; `p` is a predicate that is set before."""
ANSWERED = {
    "matrix-instruction": "mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0"
    " wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32.satfinite",
    "matrix-fragment": "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 stmatrix.sync.aligned.m16n8.x1.trans.shared.b8",
    "warp-group-matrix": "wgmma.fence.sync.aligned wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16",
    "tensor-memory": "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 tcgen05.ld.sync.aligned.32x32b.x1.b32",
    "barrier-object": "mbarrier.init.shared::cta.b64 mbarrier.try_wait.parity.shared::cta.b64"
    " cp.async.mbarrier.arrive.noinc.b64",
    "bulk-copy": "cp.async.bulk.commit_group fence.proxy.async tensormap.replace.tile.rank.b1024.b32 st.bulk.weak",
    "cluster": "mapa.shared::cluster.u32 barrier.cluster.arrive getctarank.u32 st.async.b32"
    " red.async.relaxed.cluster.u32",
    "multicast-memory": "multimem.ld_reduce.global.add.f32 multimem.red.global.add.f32 multimem.st.global.f32",
    "named-barrier": "bar.arrive barrier.cta.arrive",
    "texture-instruction": "tex.2d.v4.f32.f32 tld4.r.2d.v4.f32.f32 suld.b.1d.b32.trap sust.b.2d.b32.trap"
    " sured.b.add.1d.u32.trap"
    " txq.width.b32 suq.width.b32",
    "random-rounding": "cvt.rs.f16x2.f32",
    "scaled-conversion": "cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2",
    "jump": "bra brx.idx call ret",
}


MESSAGES = {
    rule.partition("/")[2]: one.message for rule, one in load(Target()).rules.items() if rule.startswith("ptx/")
}


@pytest.mark.parametrize("name", TRANSLATED.split())
def test_instruction_has_a_row(name: str) -> None:
    head, *words = re.split(r"(?<!:)\.", name)
    forms = (Instruction(head, tuple(words), (Arg("sink"),) * count) for count in range(1, 7))
    assert any(table.load().row(one) is not None for one in forms)


@pytest.mark.parametrize("text", WHOLE)
def test_statement_is_translated(text: str) -> None:
    template, _, letters = text.partition(";")
    given = [(letter.startswith("="), f'"{letter}"(v{at})') for at, letter in enumerate(letters.split())]
    head = "{ .reg .pred p; setp.ne.b32 p, 1, 0; " if re.search(r"\bp\b", template) else "{ "
    results, sources = (", ".join(text for out, text in given if out is kind) for kind in (True, False))
    found, _ = translated(f'asm volatile("{head}{template}; }}" : {results} : {sources});')
    assert found is not None and found.edits, found


@pytest.mark.parametrize(("rule", "name"), [(rule, name) for rule, names in ANSWERED.items() for name in names.split()])
def test_instruction_without_an_equal_has_a_rule(rule: str, name: str) -> None:
    found, _ = translated(f'asm volatile("{name} %0;" :: "r"(x));')
    assert found is not None and not found.edits
    assert found.rule == rule
    assert "{does}" not in MESSAGES[rule] or found.words["does"] != "has no equivalent"


UNKNOWN = {
    "elect.one.sync %0|p, -1": "invalid-text",  # no opcode of PTX has `one`
    "add.unsigned.u32 %0, %1, 1": "invalid-text",
    "elect.sync %0|p": "inline-asm",  # a form of the instruction that no row takes
    "add.cluster.u32 %0, %1, 1": "inline-asm",  # a modifier that other instructions have
    "add.u24x4.u32 %0, %1, 1": "inline-asm",  # types come with new releases of PTX
    "add.x::one.u32 %0, %1, 1": "inline-asm",  # and so do qualified words
    "prmt.b32 %1, %1, 0, 0x0123; mov.u32 %0, %1": "inline-asm",  # an input that is written, which assembles
    "mov.u32 %0, %7": "invalid-text",  # an operand that is not there
}


@pytest.mark.parametrize("text", UNKNOWN)
def test_a_modifier_that_ptx_does_not_have_is_no_ptx(text: str) -> None:
    found, _ = translated(f'asm volatile("{{ .reg .pred p; {text}; }}" : "=r"(x) : "r"(y));')
    assert found is not None and not found.edits
    assert found.rule == UNKNOWN[text]
