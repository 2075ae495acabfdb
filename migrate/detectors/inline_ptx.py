"""Inline assembly in CUDA code: the AMD assembler does not read PTX."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.host_branches import is_hosts
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Use
from cudamigrate.warp import logical_warp_edits
from cudamigrate.warp.lane_code import facts

WORDS = (b"asm",)

_ALONE = "it is written for 32 lanes, and the full wavefront is asked for"


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Asm statements that hold PTX, each with the rule that fits: its translation, or why it has none.

    They are in device code, in a macro beside it, or in a `.cu` or `.cuh` file; elsewhere, as in functions whose
    qualifiers are macros, every instruction must be one of PTX's. Assembly in a host function is the host's own, and so
    is that in a branch which the device's pass leaves out; AMD's own instructions have been put there for AMD.
    """
    statements = [use for use in parsed.uses if use.kind == "asm" and use.args]
    if not statements:
        return
    from cudamigrate.ptx import translate  # most files hold no assembly, and the translator is slow to import

    for use in statements:
        if not _concerns(parsed, use):
            continue
        found = translate.translation(parsed, use)
        if found is None:
            continue
        why = _obstacle(parsed, use) if found.rule in translate.OF_A_WARP and found.edits else ""
        if why:
            yield Hit("ptx/inline-asm", use, {**found.words, "why": why})
        else:
            yield Hit(f"ptx/{found.rule}", use, found.words)
            if found.rule == "async-copy" and any(b"copy_to_shared" in edit.replacement for edit in found.edits):
                yield Hit("ptx/lost-overlap", use, found.words)


def _concerns(parsed: ParsedFile, use: Use) -> bool:
    from cudamigrate.ptx import translate
    from cudamigrate.ptx.parser import opcodes
    from cudamigrate.ptx.statement import read

    if is_hosts(parsed.branches_around(use.span.start), use.span.start):
        return False
    if use.scope == "macro" and any(function.scope == "device" for function in parsed.functions):
        return True
    ours = use.scope == "device" or (use.scope != "host" and parsed.source.language == "cuda")
    template = read(parsed, use).template
    if not ours and (use.scope == "macro" or template.strip()) and not opcodes(template):
        others = (one for one in parsed.uses if one.kind == "asm" and one.args)
        return any(translate.spells_ptx(opcodes(read(parsed, one).template)) for one in others)
    return ours or translate.spells_ptx(opcodes(template))


def _obstacle(parsed: ParsedFile, use: Use) -> str:
    """Why what lanes do together must stay as it is here; empty where it becomes a logical warp's."""
    lanes = facts(parsed)
    unit = lanes.unit(use.span.start)
    if unit is not None:
        return logical_warp_edits.reason(lanes, unit)
    return _ALONE if parsed.native else ""
