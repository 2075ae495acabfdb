"""Which matrix instruction the machine code of each form of mma.sync has, on each GPU: what tests hold compilers to."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
LINES = (HERE / "forms.inc").read_text().splitlines()
_HALVES = ("f16", "e4m3", "e5m2")
_INTEGERS = ("s8", "u8", "s4", "u4")
FLUSH = "-DCUDAMIGRATE_FLUSH_HALVES"


def _cdna(halves: str, brain: str, short: str, double: str, integers: str) -> dict[str, str]:
    """Instructions by the type of the first factor; bits have none."""
    made = {**dict.fromkeys(_HALVES, halves), "bf16": brain, "tf32": short, **dict.fromkeys(_INTEGERS, integers)}
    return {**made, "f64": double} if double else made


_F32, _I8, _F64 = "v_mfma_f32_16x16x4f32", "v_mfma_i32_16x16x16i8", "v_mfma_f64_16x16x4f64"
_OF_942 = ("v_mfma_f32_16x16x16_f16", "v_mfma_f32_16x16x16_bf16")
_RDNA3 = {
    **dict.fromkeys(("s8", "u8"), "v_wmma_i32_16x16x16_iu8"),
    **dict.fromkeys(("s4", "u4"), "v_wmma_i32_16x16x16_iu4"),
}
_RDNA4 = {**_RDNA3, **dict.fromkeys(("s4", "u4"), "v_wmma_i32_16x16x(?:16|32)_iu4")}
_BY_HALVES = {"e4m3.e4m3": "v_wmma_f32_16x16x16_f16"}
_FLUSHED = {"f16": "v_wmma_f32_16x16x16_f16", "bf16": "v_wmma_f32_16x16x16_bf16", **_BY_HALVES}
WANTED = {
    ("gfx908", ""): _cdna("v_mfma_f32_16x16x16f16", _F32, _F32, "", _I8),
    ("gfx90a", ""): _cdna(_F32, _F32, _F32, _F64, _I8),
    ("gfx90a", FLUSH): _cdna("v_mfma_f32_16x16x16f16", "v_mfma_f32_16x16x16bf16_1k", _F32, _F64, _I8),
    ("gfx942", ""): _cdna(*_OF_942, "v_mfma_f32_16x16x8_xf32", "v_mfma_f64_16x16x4_f64", "v_mfma_i32_16x16x32_i8"),
    ("gfx950", ""): _cdna(
        *_OF_942, "v_mfma_f32_16x16x4_f32", "v_mfma_f64_16x16x4_f64", "v_mfma_i32_16x16x(?:32|64)_i8"
    ),
    ("gfx1030", ""): {},
    ("gfx1100", ""): {**_RDNA3, **_BY_HALVES},
    ("gfx1100", FLUSH): {**_RDNA3, **_FLUSHED},
    ("gfx1200", ""): {**_RDNA4, **_BY_HALVES},
    ("gfx1200", FLUSH): {**_RDNA4, **_FLUSHED},
}
"""By GPU and setting the instruction, as a pattern, for the types of the factors or of the first; none means none."""
_FEW = (
    "16, 16, f16, f16, float",
    "16, 16, bf16",
    "16, 8, tf32",
    "16, 8, f64",
    "16, 32, e4m3, e4m3",
    "16, 32, s8, s8",
    "16, 64, u4",
)


def few(folder: Path) -> str:
    """A file with one form of each kind, for a sheet that compiles fast; its lines are those of all forms."""
    kept = [
        line if line.startswith(tuple(f"FORM({one}" for one in _FEW)) or at == 0 else ""
        for at, line in enumerate(LINES)
    ]
    (folder / "few.inc").write_text("\n".join([*kept, ""]))
    return f'-DFORMS="{folder / "few.inc"}"'


def wrong(assembly: str, arch: str, setting: str) -> list[str]:
    """The forms whose code lacks its matrix instruction, or has one where none is expected; `gfx940` is `gfx942`."""
    wanted = WANTED["gfx942" if arch == "gfx940" else arch, setting]
    bodies = dict(re.findall(r"^_Z\d+product_(\d+)P[^:]*:(.*?)^\.Lfunc_end", assembly, re.MULTILINE | re.DOTALL))
    assert bodies, "no form is in this assembly"
    found = []
    for number, body in bodies.items():
        form = LINES[int(number) - 1]
        _, _, left, right, *_ = form[5:-1].split(", ")
        pattern = wanted.get(f"{left}.{right}") or wanted.get(left, "")
        has = set(re.findall(r"\bv_(?:mfma|wmma)_\w+", body))
        if (has and not pattern) or (pattern and not any(re.fullmatch(pattern, one) for one in has)):
            found.append(f"{form}: {sorted(has)}, not {pattern or 'none'}")
    return found
