"""Lines of C++ with marks for operands -> edits of the source.

One plain statement takes the place of the asm statement; several become a block, in a macro a `do` loop on one line.
Operands that hold something else to convert stay where they are, and the text around them is written.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence, Set

from cudamigrate.cuda.include_insertion import (
    MATRIX_HEADER,
    PTX_HEADER,
    RUNTIME_HEADER,
    SPARSE_HEADER,
    WMMA_HEADER,
    newline,
)
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span
from cudamigrate.ptx import macros
from cudamigrate.ptx.statement import Operand, Statement
from cudamigrate.ptx.writer import MARK

_MARKS = re.compile(r"[\ue000-\uf8ff]")
_NAME = re.compile(r"[A-Za-z_]\w*")
_SIMPLE = re.compile(r"[\w.:>\[\]-]+|\(\w+\)\s*\w+|&?\w+")
_GENERAL = re.compile(
    r"cudamigrate::(?:lane_id|lanemask_\w+|ballot|activemask|any|all|ballot_sync|any_sync|all_sync|uni_sync|syncwarp|"
    r"match_any_sync|match_all_sync|reduce_\w+_sync|shfl_\w*sync|fns|trap|dp4a|load_cached|store_cached)\b"
)
"""Functions of our general header: `cudamigrate::ballot`, `cudamigrate::shfl_up_sync`; all others need that for PTX."""
_MATRIX = (
    (re.compile(r"cudamigrate::wmma_"), WMMA_HEADER),
    (re.compile(r"cudamigrate::mma_sp\b"), SPARSE_HEADER),
    (re.compile(r"cudamigrate::(?:mma_|ldmatrix|stmatrix|movmatrix)"), MATRIX_HEADER),
)
"""Functions for matrices and their headers; the first two include the third, which includes that for PTX."""
_OURS = re.compile(r"cudamigrate::\w+")
_CHANGES = re.compile(r"\+\+|--|<<=|>>=|(?<![=!<>])=(?!=)")
"""What changes a variable in an expression: `i++`, `x = 1`, `x <<= 1`; no comparison, `x <= 1`."""
_CALL = re.compile(
    r"\b(?!(?:sizeof|alignof|unsigned|int|float|double|short|long|char|bool|u?int\d+_t|"
    r"min|max|f(?:max|min|abs)f?|__ldg|__popc(?:ll)?|__clz(?:ll)?|__ffs(?:ll)?|__brev(?:ll)?|__byte_perm|"
    r"__cvta_generic_to_\w+|__\w+_as_\w+|__\w+2\w+|__[fd](?:add|sub|mul|ma|maf|div)_\w+)\b)[A-Za-z_]\w*(?:<[^<>()]*>)?\("
)
"""A call of a function that may do something beside."""
_CAST = re.compile(r"\b(?:static|reinterpret|const|bit)_cast<[^()]*?>\(")
"""A C++ cast up to its bracket: `static_cast<int>(`. It looks like a call of a template and does nothing beside."""
_SOMETIMES = re.compile(r"(?: |if |.* \? |.*(?:&&|\|\|))")
"""A line of which a part may not run."""
_LITERAL = re.compile(r"[\d.]\w*")
_HALF = re.compile(r"__half|half2float|halves2|\bh\w+2?\(|__h\w+2?\(")
"""Names of `hip_fp16.h`: `__half`, `__half2float`, `__halves2half2`, and its arithmetic: `hadd2(`, `__hfma(`."""


def runtime(text: str) -> tuple[str, ...]:
    """The header of our own that the text needs; that for PTX includes the general one."""
    names = _OURS.findall(text)
    found = tuple(header for functions, header in _MATRIX if functions.search(text))
    if found:
        return found[:-1] if len(found) > 1 and found[-1] == MATRIX_HEADER else found
    if any(_GENERAL.fullmatch(name) is None for name in names):
        return (PTX_HEADER,)
    return (RUNTIME_HEADER,) if names else ()


def standard(text: str) -> tuple[str, ...]:
    """HIP's headers beside the one that every file has."""
    return ("hip/hip_fp16.h",) if _HALF.search(text) else ()


def edits(
    parsed: ParsedFile,
    statement: Statement,
    lines: Sequence[str],
    spans: Mapping[int, Span],
    early: Set[int] = frozenset(),
) -> tuple[Edit, ...]:
    """The edits that put the lines in place of the statement; `early` are operands that are read before all else."""
    use, operands = statement.use, statement.operands
    embedded = {number for number, span in spans.items() if _holds_uses(parsed, span)}
    macro = parsed.lexed.directive_at(use.span.start) is not None
    lines = _hoisted(lines, operands, embedded, early, macro, parameters(parsed, use.span.start))
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
    return _placed(text, Span(use.span.start, end), operands, embedded)


def parameters(parsed: ParsedFile, at: int) -> frozenset[str]:
    """The parameters of the macro that a place lies in; what they stand for may be any expression."""
    directive = parsed.lexed.directive_at(at)
    if directive is None:
        return frozenset()
    return frozenset(macros.parts(parsed, directive)[1] or ())


def _ended(line: str) -> str:
    return line if line.endswith(("{", "}")) else f"{line};"


def _starts_of_uses(parsed: ParsedFile) -> list[int]:
    return sorted(use.span.start for use in parsed.uses)


def _holds_uses(parsed: ParsedFile, span: Span) -> bool:
    """Whether an operand mentions something that may change by itself."""
    starts = parsed.once(_starts_of_uses)
    return bisect_left(starts, span.start) < bisect_left(starts, span.end)


def _hoisted(
    lines: Sequence[str],
    operands: Sequence[Operand],
    embedded: set[int],
    early: Set[int],
    macro: bool,
    named: Set[str],
) -> list[str]:
    """Operands are worked out once and before all else, where their place in the lines does not see to that.

    What is written is taken by reference. A constant is repeated: the text may need it as one.
    """
    counts = Counter(ord(mark) - MARK for mark in _MARKS.findall("\n".join(lines)))
    first = {number for number in early if counts[number]} | _eager(lines, operands, counts)
    first |= {
        at
        for at, one in enumerate(operands)
        if counts[at] > 1 and (one.text in named or not _SIMPLE.fullmatch(one.text))
    }
    once = "".join(line for line in lines if not _SOMETIMES.match(line))
    first |= {
        at
        for at, one in enumerate(operands)
        if one.text in named and not one.written and counts[at] and once.count(chr(MARK + at)) != 1
    }
    first -= {at for at, one in enumerate(operands) if one.constraint == "n" and at not in embedded}
    order = [ord(mark) - MARK for mark in _MARKS.findall("\n".join(lines)) if ord(mark) - MARK in embedded]
    if first & embedded or order != sorted(set(order)):
        first |= embedded
    made, names = [], dict[str, str]()
    taken = {word for operand in operands for word in _NAME.findall(operand.text)}
    for number in sorted(first):
        mark, written = chr(MARK + number), operands[number].written
        name = _free(f"{'place' if written else 'value'}{number}{'_' if macro else ''}", taken)
        names[mark] = name
        made.append(f"{'auto &' if written else 'const auto '}{name} = {mark}")
        if not counts[number] and not written:
            made[-1] = f"static_cast<void>({mark})"
    fixed = [_MARKS.sub(lambda match: names.get(match[0], match[0]), line) for line in lines]
    return [*made, *fixed]


def _free(name: str, taken: Set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _eager(lines: Sequence[str], operands: Sequence[Operand], counts: Mapping[int, int]) -> set[int]:
    """Operands that change something, and those before them that may see the change.

    An asm statement works out each of its operands once, whatever the instructions do with them. A call may change
    something too; the only one stays where it is, in a single line that always runs.
    """
    changing = {at for at, one in enumerate(operands) if _CHANGES.search(one.text)}
    calling = {at for at, one in enumerate(operands) if _CALL.search(_CAST.sub("(", one.text))}
    text = "\n".join(lines)
    if len(lines) > 1 or len(calling) > 1 or _SOMETIMES.match(text):
        changing |= calling
    changing |= {at for at in calling if not counts[at]}
    changing -= {at for at, one in enumerate(operands) if one.constraint == "n"}
    if not changing:
        return set()
    words = {word for at in changing for word in _NAME.findall(operands[at].text)}
    return changing | {
        at
        for at, one in enumerate(operands[: max(changing)])
        if counts[at] and not _LITERAL.fullmatch(one.text) and (one.text in words or not _NAME.fullmatch(one.text))
    }


def _placed(text: str, whole: Span, operands: Sequence[Operand], embedded: set[int]) -> tuple[Edit, ...]:
    """The text with operands in it: copied, or left where they are."""
    made, start, piece = list[Edit](), whole.start, ""
    for part in re.split(r"([\ue000-\uf8ff])", text):
        number = ord(part) - MARK if _MARKS.fullmatch(part) else -1
        if number >= 0 and number in embedded:
            span = operands[number].span
            made.append(Edit(Span(start, span.start), piece.encode()))
            start, piece = span.end, ""
        else:
            piece += operands[number].text if number >= 0 else part
    made.append(Edit(Span(start, whole.end), piece.encode()))
    return tuple(made)
