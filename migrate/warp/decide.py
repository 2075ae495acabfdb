"""What becomes of a function's warps: narrowed to 32 lanes, proved for any wave, or open; with the reason."""

from __future__ import annotations

from cudamigrate.model.lane_facts import WaveState
from cudamigrate.warp.lane_code import Unit

CLAIM = "that it is right there is the project's claim"


def wave(unit: Unit) -> tuple[WaveState, str]:
    """The state of one function or macro, and the fact behind it.

    Narrowed is the default and right on any wave. Proved needs a proof that holds. Open is what neither covers: code
    that another hand wrote for AMD, that mixes two sizes, or that counts with a constant no file of it defines.
    """
    if unit.whole:
        made = unit.plan or unit.proof
        if made is not None:
            return "proved", f"the same for 32 and 64 lanes, with {', '.join(sorted(made.functions))}"
        return "open", f"written for AMD too; {CLAIM}"
    if unit.blocked:
        return "open", unit.blocked
    if unit.borrowed:
        return "open", f"takes {', '.join(f'`{name}`' for name in unit.borrowed)} of other files for 32"
    reason = unit.plan.refused if unit.plan is not None else ""
    return "narrowed", f"not proved for any wave: {reason}" if reason else "groups of 32 lanes"
