"""What looks like a way to convert warp-level code and is none: patterns that no conversion may write."""

from __future__ import annotations

import re

TRAPS = {
    "the size of the wave as a constant": (
        r"\bconstexpr\b[^;{}()]*(?:=|\{)\s*warpSize\b|<\s*warpSize\s*>|\[\s*warpSize\s*\]"
    ),
    "a constant that ROCm 7 took away": r"__AMDGCN_WAVEFRONT_SIZE",
    "a macro that the host does not have": r"\b__(?:GFX\d+|gfx\w+)__\b",
    "a reduction that is logical on AMD": r"(?<![\w:])__reduce_(?:and|or|xor|add|min|max)_sync\s*\(",
    "a function with a mask of 64 bits given one of 32": (
        r"(?<![\w:])__(?:shfl(?:_up|_down|_xor)?|ballot|any|all|match_any|match_all)_sync\s*\(\s*"
        r"(?:0[xX][fF]{8}[uU]?\s*,|~0[uU]?\s*,|-1\s*,|FULL_MASK\b|kFullMask\b|mask\b)"
    ),
    "a function that HIP has since ROCm 6.2 or 7 only": r"(?<![\w:])__(?:syncwarp|activemask)\s*\(",
}
"""Regular expressions, by what is wrong with code that has them."""

_SHUFFLE = re.compile(r"(?<![\w:])__shfl(?:_up|_down|_xor)?\s*\(")


def counted(code: str) -> dict[str, int]:
    """How often a piece of code has each pattern, comments and strings left out."""
    plain = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', " ", code, flags=re.S)
    found = {name: len(re.findall(pattern, plain)) for name, pattern in TRAPS.items()}
    return {name: number for name, number in found.items() if number}


def without_width(code: str) -> list[str]:
    """Shuffles that name no width, and so go across the full wavefront."""
    found = []
    for match in _SHUFFLE.finditer(code):
        depth, commas, at = 1, 0, match.end()
        while depth and at < len(code):
            depth += (code[at] in "([{") - (code[at] in ")]}")
            commas += code[at] == "," and depth == 1
            at += 1
        if commas < 2:
            found.append(code[match.start() : at])
    return found
