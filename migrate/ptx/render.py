"""Lines of C++ with marks for operands -> edits of the source.

One plain statement takes the place of the asm statement; several become a block, in a macro a `do` loop on one line.
Operands that hold something else to convert stay where they are, and the text around them is written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from migrate.includes import PTX_HEADER, RUNTIME_HEADER, newline
from migrate.model import Edit, Span
from migrate.parsed import ParsedFile
from migrate.ptx.statement import Operand, Statement

MARK = 0xE000
_MARKS = re.compile(r"[\ue000-\uf8ff]")
_SIMPLE = re.compile(r"[\w.:>\[\]-]+|\(\w+\)\s*\w+|&?\w+")
_GENERAL = re.compile(
    r"cudamigrate::(?:lane_id|lanemask_\w+|ballot|activemask|any|all|ballot_sync|any_sync|all_sync|uni_sync|syncwarp|"
    r"match_any_sync|match_all_sync|reduce_\w+_sync|shfl_\w*sync|fns|trap|dp4a|load_cached|store_cached)\b"
)
_OURS = re.compile(r"cudamigrate::\w+")
_HALF = re.compile(r"__half|_half2?_rn|half2float|halves2|\bh\w+2?\(|__h\w+2?\(")


def runtime(text: str) -> tuple[str, ...]:
    """The header of our own that the text needs; that for PTX includes the general one."""
    names = _OURS.findall(text)
    if any(_GENERAL.fullmatch(name) is None for name in names):
        return (PTX_HEADER,)
    return (RUNTIME_HEADER,) if names else ()


def standard(text: str) -> tuple[str, ...]:
    """HIP's headers beside the one that every file has."""
    return ("hip/hip_fp16.h",) if _HALF.search(text) else ()


def edits(
    parsed: ParsedFile, statement: Statement, lines: Sequence[str], spans: Mapping[int, Span]
) -> tuple[Edit, ...]:
    """The edits that put the lines in place of the statement."""
    use, operands = statement.use, statement.operands
    held = {number for number, span in spans.items() if _holds_uses(parsed, span)}
    lines = _hoisted(lines, operands, held)
    macro = parsed.lexed.directive_at(use.span.start) is not None
    following = parsed.lexed.token(use.extent.end)
    ended = parsed.lexed.text(following) == b";" and not macro
    end = use.extent.end
    if len(lines) == 1 and not lines[0].startswith(("if ", "const ")):
        text = lines[0]
    elif ended and following is not None:
        start = parsed.data.rfind(b"\n", 0, use.span.start) + 1
        indent = re.match(rb"[ \t]*", parsed.data[start : use.span.start])
        margin = newline(parsed.data).decode() + (indent[0].decode() if indent is not None else "")
        step = "\t" if "\t" in margin else "    " if len(margin.strip("\r\n")) % 4 == 0 else "  "
        inner = "".join(f"{margin}{step}{_ended(line)}" for line in lines)
        text, end = f"{{{inner}{margin}}}", following.end
    else:
        text = "do { " + " ".join(_ended(line.strip()) for line in lines) + " } while (0)"
    return _placed(text, Span(use.span.start, end), operands, held)


def _ended(line: str) -> str:
    return line if line.endswith(("{", "}")) else f"{line};"


def _holds_uses(parsed: ParsedFile, span: Span) -> bool:
    """Whether an operand mentions something that may change by itself."""
    return any(span.start <= use.span.start < span.end for use in parsed.uses)


def _hoisted(lines: Sequence[str], operands: Sequence[Operand], held: set[int]) -> list[str]:
    """Operands that are no plain names and stand in several places are worked out once, before; so are all that stay.

    What is written is taken by reference. A constant is repeated: the text may need it as one.
    """
    counts = Counter(ord(mark) - MARK for mark in _MARKS.findall("\n".join(lines)))
    order = [ord(mark) - MARK for mark in _MARKS.findall("\n".join(lines)) if ord(mark) - MARK in held]
    moved = order == sorted(set(order))
    made, names = [], dict[str, str]()
    for number, operand in enumerate(operands):
        if operand.constraint == "n" and number not in held:
            continue
        repeated = counts[number] > 1 and not _SIMPLE.fullmatch(operand.text)
        unused = not counts[number] and re.search(r"\+\+|--|\w\(", operand.text) is not None
        if repeated or (number in held and not moved) or unused:
            name = f"{'place' if operand.written else 'value'}{number}"
            mark = chr(MARK + number)
            made.append(f"{'auto &' if operand.written else 'const auto '}{name} = {mark}")
            names[mark] = name
            if unused:
                made[-1] = f"static_cast<void>({mark})"
    fixed = [_MARKS.sub(lambda match: names.get(match[0], match[0]), line) for line in lines]
    fixed = [re.sub(r"\(((?:value|place)\d+)\)(?! *\w)", r"(\1)", line) for line in fixed]
    return [*made, *fixed]


def _placed(text: str, whole: Span, operands: Sequence[Operand], held: set[int]) -> tuple[Edit, ...]:
    """The text with operands in it: copied, or left where they stand."""
    made, start, piece = list[Edit](), whole.start, ""
    for part in re.split(r"([\ue000-\uf8ff])", text):
        number = ord(part) - MARK if _MARKS.fullmatch(part) else -1
        if number >= 0 and number in held:
            span = operands[number].span
            made.append(Edit(Span(start, span.start), piece.encode()))
            start, piece = span.end, ""
        else:
            piece += operands[number].text if number >= 0 else part
    made.append(Edit(Span(start, whole.end), piece.encode()))
    return tuple(made)
