"""Blocks behind an include guard of CUDA's that hold nothing but what another definition is after the fixes.

`#ifdef __cuda_cuda_h__` asks whether the driver's header was read, and HIP's one header answers for both of CUDA's.
Under CUDA's name of the guard HIP reads none of the block, and the definition for the runtime's type is left.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.lexer import COMMENT
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import Branch
from cudamigrate.detection.merged_names import DEFINITION
from cudamigrate.lazy_re import re
from cudamigrate.model import Finding, Span

_GUARD = re.compile(rb"defined\(__\w+_[hH]__\)")
"""A condition that asks for one include guard."""


def left(parsed: ParsedFile, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings without those on the guard of such a block, and on the definitions in it."""
    merged = [one for one in findings if one.rule == DEFINITION and one.fix is None]
    gone = set[int]()
    for branch in {branch for one in merged if (branch := _block(parsed, one)) is not None}:
        inside = [one for one in merged if branch.start <= one.span.start < branch.end]
        head = next(one.start for one in parsed.lexed.directives if one.end == branch.start)
        guard = [one for one in findings if head <= one.span.start < branch.start and one.fix is not None]
        if len(guard) == 1 and _is_all(parsed, branch, inside):
            gone.update(map(id, (*guard, *inside)))
    return tuple(one for one in findings if id(one) not in gone)


def _block(parsed: ParsedFile, finding: Finding) -> Branch | None:
    """The block behind a guard that a finding is in, if nothing is read in its place without the guard."""
    around = parsed.branches_around(finding.span.start)
    branch = around[-1] if around else None
    if branch is None or len(branch.conditions) != 1 or not _GUARD.fullmatch(branch.conditions[0]):
        return None
    alone = sum(one.chain == branch.chain for one in parsed.branches) == 1
    heads = (one for one in parsed.lexed.directives if one.end == branch.start)
    return branch if alone and next(heads, None) is not None else None


def _is_all(parsed: ParsedFile, branch: Branch, inside: Sequence[Finding]) -> bool:
    """Whether a block has the definitions that findings are on, and else comments alone."""
    text = bytearray(parsed.data[branch.start : branch.end])
    for one in inside:
        around = parsed.nodes_around(one.span.start, one.span.end)
        node = next((node for node in reversed(around) if node.type == "function_definition"), None)
        if node is None or node.start_byte < branch.start or node.end_byte > branch.end:
            return False
        whole = Span(node.start_byte - branch.start, node.end_byte - branch.start)
        text[whole.start : whole.end] = b" " * (whole.end - whole.start)
    return not COMMENT.sub(b"", bytes(text)).strip()
