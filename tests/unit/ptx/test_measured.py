"""Translations beside what an NVIDIA GPU gives: results of PTX instructions measured on an H200 with CUDA 13.0.

The interpreter that `test_differential` compares with is written from the manual. Here are the places where the
manual was read wrongly once, each with a neighbour that was right, and those where the GPU does otherwise than it says.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from ptx.test_differential import run_all
from ptx.translated import BITS, Case

TESTP = "{{ .reg .pred p; testp.normal.{} p, %1; selp.u32 %0, 1, 0, p; }}"
MEASURED = [
    (TESTP.format("f32"), "rf", [([0x0], 1), ([0x80000000], 1), ([0x41], 0)]),
    (TESTP.format("f64"), "rd", [([0x0], 1), ([0x3F30B00BEBCBCD0D], 1)]),
    ("cvt.rna.tf32.f32 %0, %1;", "rf", [([0xFFC12345], 0xFFC12000), ([0xB4553FBB], 0xB4554000)]),
    ("cvt.rn.tf32.f32 %0, %1;", "rf", [([0xFFC12345], 0x7FFFE000), ([0x37D86B19], 0x37D86000)]),
    ("cvt.rz.tf32.f32 %0, %1;", "rf", [([0xFFFFFFFF], 0x7FFFE000), ([0xB53892E7], 0xB5388000)]),
    ("vadd2.u32.u32.u32.add %0, %1, %2, %3;", "rrrr", [
        ([0xCF000000, 0xD80F7B18, 0x60871299], 0x608934C0), ([0xBF800000, 0x3B, 0x43E00000], 0x43E0BFBB)]),
    ("vsub2.u32.u32.u32.add %0, %1, %2, %3;", "rrrr", [
        ([0x88BF5AC1, 0x7FFFFFFF, 0x3B], 0xFFFF63BD), ([0xC1938E67, 0x42FE0000, 0x3C00BC00], 0x3C01C8FC)]),
    ("vadd4.u32.u32.u32.add %0, %1, %2, %3;", "rrrr", [
        ([0xA8A5ADA5, 0x55C11110, 0x28], 0x3FE), ([0x6F815489, 0x40200000, 0x10001], 0x1022E)]),
    ("vsub4.u32.u32.u32.add %0, %1, %2, %3;", "rrrr", [
        ([0x3F, 0xAE9BCBB0, 0x4C17243], 0x4C16FBE), ([0x7C24FD50, 0x34, 0x4A116001], 0x4A1161BA)]),
    ("bfe.u64 %0, %1, %2, %3;", "llrr", [([0x41, 0x40, 0xFF], 0x0)]),
    ("vadd.u32.u32.u32.sat %0, %1, %2;", "rrr", [([0x35, 0x2BDBCC38], 0x2BDBCC6D)]),
    ("vmad.u32.u32.u32.shr15 %0, %1, %2, %3;", "rrrr", [([0x4BFA6730, 0x7E007E00, 0x36], 0xC85DBD93)]),
]  # fmt: skip
OTHERWISE = [
    ("bfe.u64 %0, %1, %2, %3;", "llrr", [0x17, 0x7E01FE02, 0xE48F546F], 0x0, 0x5),
    ("vadd.u32.u32.u32.sat %0, %1, %2;", "rrr", [0xD22DD53B, 0xFF988D9A], 0xD1C662D5, 0xFFFFFFFF),
    ("vmad.u32.u32.u32.shr15 %0, %1, %2, %3;", "rrrr", [0x78A37591, 0x7FFFFFFF, 0x80008000], 0x758F0EBA, 0x75910EBA),
]
"""Operands, what the GPU gives, and what the manual and the translation say: the last one, by decision."""


def translated(rows: list[tuple[str, str, list[list[int]]]], folder: Path) -> list[list[int]]:
    """What the translation of each form gives for each row of operands."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("there is no host C++ compiler to run the translations with")
    cases = [Case(template.replace("%p", "%%p"), letters) for template, letters, _ in rows]
    output = run_all(compiler, cases, [[[0, *given] for given in all_] for *_, all_ in rows], folder)
    made, at = [], 0
    for _, letters, all_ in rows:
        size = BITS[letters[0]] // 8
        made.append([int.from_bytes(output[at + size * n : at + size * (n + 1)], "little") for n in range(len(all_))])
        at += size * len(all_)
    return made


def test_translations_give_what_a_gpu_gives(tmp_path: Path) -> None:
    got = translated([(template, letters, [row for row, _ in rows]) for template, letters, rows in MEASURED], tmp_path)
    assert got == [[gpu for _, gpu in rows] for *_, rows in MEASURED]


def test_where_a_gpu_and_the_manual_differ_the_manual_is_followed(tmp_path: Path) -> None:
    got = translated([(template, letters, [row]) for template, letters, row, *_ in OTHERWISE], tmp_path)
    assert got == [[manual] for *_, manual in OTHERWISE]
    assert all(gpu != manual for *_, gpu, manual in OTHERWISE)
