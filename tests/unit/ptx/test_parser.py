"""PTX text becomes instructions, registers and labels; what is not PTX says so."""

from __future__ import annotations

import pytest

from cudamigrate.ptx.parser import Arg, UnreadableError, opcodes, parse


def test_guards_registers_and_comments_are_read() -> None:
    made = parse("{ .reg .pred p, q; // two\n .reg .b32 %%r<3>; setp.ne.b32 p, %0, 0; /* then */ @!p mov.u32 %1, 7; }")
    assert made.registers == {"p": "pred", "q": "pred", "r0": "b32", "r1": "b32", "r2": "b32"}
    first, second = made.instructions
    assert first.spelled == "setp.ne.b32" and first.args == (
        Arg("register", "p"),
        Arg("place", "0"),
        Arg("number", "0"),
    )
    assert second.guard == Arg("register", "p", negated=True)


def test_addresses_keep_their_offset_and_vectors_their_items() -> None:
    (one,) = parse("ld.global.v2.u32 {%0, _}, [%[from]+-8];").instructions
    vector, address = one.args
    assert [item.kind for item in vector.items] == ["place", "sink"]
    assert address.items[0].text == "from" and address.offset == -8


def test_qualified_modifiers_stay_whole() -> None:
    (one,) = parse("cp.async.cg.shared::cta.global.L2::128B [%0], [%1], 16;").instructions
    assert one.modifiers == ("async", "cg", "shared::cta", "global", "L2::128B")


def test_a_type_may_stand_apart_from_its_opcode() -> None:
    assert parse("prmt .b32 %0, %1, %2, %3;").instructions[0].spelled == "prmt.b32"


def test_labels_and_pairs_are_read() -> None:
    made = parse("L1: elect.sync _|p, 0xffffffff; @p bra L1;")
    assert made.labels == ["L1"]
    assert made.instructions[0].args[0].kind == "pair"


def test_a_vector_represents_its_registers() -> None:
    made = parse(".reg .v2 .f32 v; ld.v2.f32 v, [%0]; mov.f32 %1, v.g;")
    assert made.registers == {"v.x": "f32", "v.y": "f32"}
    assert [one.text for one in made.instructions[0].args[0].items] == ["v.x", "v.y"]
    assert made.instructions[1].args[1].text == "v.y"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("cvta.to.shared.u64 p, %1\n cvt.u32.u64 %0, p;", "missing before `cvt.u32.u64`"),
        ("{ add.u32 %0, %1, %2;", "braces"),
        ("add.u32 %0, %1, (2);", "no operand"),
        ("ld.u32 %0, [%1+x];", "no number"),
        ("ld.u32 %0, [%1+0f3f800000];", "no number"),
        (".reg register", "no type"),
        (".reg .u32 r<n>;", "no number"),
        (".reg .u32 r<99999999>;", "at once"),
        (".reg .v3 .b32 v; mov.b32 %0, v;", "unknown number"),
        ("mov.b32 {}, %0;", "empty"),
    ],
)
def test_what_is_not_understood_says_where(text: str, why: str) -> None:
    with pytest.raises(UnreadableError, match=why):
        parse(text)


def test_opcodes_are_named_even_where_the_text_does_not_parse() -> None:
    assert opcodes("L: add.u32 %0, %1, (1); @p mov.b64 {lo, hi}, %2;\nv_add_f32 v0") == [
        "add.u32", "mov.b64", "v_add_f32",
    ]  # fmt: skip
