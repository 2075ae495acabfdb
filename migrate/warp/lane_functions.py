"""What CUDA's functions of whole numbers give, for numbers of 32 bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

_BITS, _ALL = 32, 0xFFFFFFFF


def _reversed(value: int) -> int:
    return int(f"{value & _ALL:032b}"[::-1], 2)


def _first(value: int) -> int:
    """The number of the lowest bit that is set, counted from 1; 0 for none."""
    return (value & -value & _ALL).bit_length()


COMPUTED: Mapping[str, Callable[..., int]] = {
    "__popc": lambda value: f"{value & _ALL:b}".count("1"),
    "__ffs": _first,
    "__clz": lambda value: _BITS - (value & _ALL).bit_length(),
    "__brev": _reversed,
    "__umulhi": lambda left, right: ((left & _ALL) * (right & _ALL)) >> _BITS,
    "min": min,
    "max": max,
    "abs": abs,
}
"""By name what is computed of the arguments."""
_TAKEN = {"__umulhi": 2, "min": 2, "max": 2}


def computed(name: str, given: Sequence[int]) -> int | None:
    """What one of the functions gives for numbers; None where it does not take as many."""
    return COMPUTED[name](*given) if len(given) == _TAKEN.get(name, 1) else None
