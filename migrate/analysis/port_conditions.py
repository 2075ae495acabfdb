"""What conditions ask for, and the macros of which that shows that neither vendor has them alone."""

from __future__ import annotations

from collections.abc import Sequence, Set

from cudamigrate.cuda.preprocessor import compiled_for_hip
from cudamigrate.lazy_re import re
from cudamigrate.model.port_facts import FileEvidence

BESIDE = 2
"""In so many files one macro for CUDA is asked beside one for HIP: in one it may be by accident."""
_WORD = re.compile(rb"[A-Za-z_]\w*")
_OPERATORS = frozenset((b"defined", b"true", b"false", b"and", b"or", b"not"))


def words(text: bytes) -> list[bytes]:
    """The macros and values in a condition."""
    return [word for word in _WORD.findall(text) if word not in _OPERATORS]


def is_without(name: bytes, chain: Sequence[bytes]) -> bool:
    """Whether a branch is compiled where a macro is not set, and nothing else is asked: `#ifndef X`, or its `#else`."""
    asked = [word for text in chain for word in words(text) if text != b"1"]
    return set(asked) == {name} and compiled_for_hip(chain, frozenset((b"!" + name,))) is True


def shared(evidence: Sequence[FileEvidence]) -> set[bytes]:
    """Macros that CUDA's code needs no less than HIP's: set for both, where nothing gives HIP CUDA's names."""
    needed: dict[bytes, list[int]] = {}
    for file in evidence:
        for one in file.branches if not file.hip else ():
            for name in {word for chain in one.conditions for text in chain for word in words(text)}:
                if any(compiled_for_hip(chain, frozenset((name,))) is True for chain in one.conditions):
                    needed.setdefault(name, [0, 0])[one.cuda or one.mixed] += 1
    return {name for name, (hip, cuda) in needed.items() if cuda >= max(hip, BESIDE)}


def of_several(evidence: Sequence[FileEvidence], hip: Set[str]) -> set[bytes]:
    """Macros that a build sets where any of several variables holds, one of which is not HIP's: `CUDA OR HIP`."""
    macros = (macro for one in evidence for macro in one.macros if macro.either)
    return {macro.name.encode() for macro in macros if not set(macro.either) <= hip}
