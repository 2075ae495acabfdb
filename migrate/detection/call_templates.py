"""Template of a call -> edits: what a rule writes around the arguments of a call, which themselves may change too."""

from __future__ import annotations

from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax.project_file import ProjectFile

_PLACEHOLDER = re.compile(r"\$(\d|\*)")
_MACRO = re.compile(r"\b[A-Z][A-Z0-9_]*\($")
"""Behind which an argument of a macro begins: `HIP_SYMBOL(`."""
_SYMBOL = "HIP_SYMBOL("
"""The macro for a variable of the GPU's, which HIP's headers have for hipcc alone (amd_hip_runtime.h)."""
_BRACKETS = re.compile(rb"\([^()]*\)")
"""Round brackets, the only ones in which a comma parts no arguments of a macro."""


def edits(parsed: ParsedFile | ProjectFile, use: Use, template: str) -> list[Edit]:
    """Edits between the arguments of a call, so that what is inside the arguments can change too.

    A template that does not fit the call gives no edits: too few arguments, or more than it names without `$*`.
    """
    name, opening, rest = template.partition("(")
    if use.kind != "call":
        return [Edit(use.span, name.encode())] if not opening else []
    pieces = _for_macros(parsed, use, _without_symbols(parsed, use, _PLACEHOLDER.split(rest.rstrip()[:-1])))
    made = [Edit(use.span, name.encode())]
    first = use.args[0].start if use.args else use.extent.end
    at, next_argument = parsed.data.rindex(b"(", use.span.end, first) + 1, 0
    for literal, place in zip(pieces[0::2], [*pieces[1::2], ""], strict=True):
        if place == "":
            end, begin = use.extent.end - 1, use.extent.end - 1
        elif place == "*":
            if next_argument >= len(use.args):
                return []
            begin, end = use.args[next_argument].start, use.args[-1].end
            next_argument = len(use.args)
        else:
            number = int(place) - 1
            if number < next_argument or number >= len(use.args):
                return []
            argument = use.args[number]
            span = _symbol(parsed, argument) if literal.endswith(_SYMBOL) else argument
            begin, end = span.start, span.end
            next_argument = number + 1
        made.extend(_between(parsed.data, at, begin, literal.encode()))
        at = end
    return made if next_argument >= len(use.args) else []


def _without_symbols(parsed: ParsedFile | ProjectFile, use: Use, pieces: list[str]) -> list[str]:
    """The parts of a template, without the macro for a symbol where the argument is a pointer of the function's own.

    It holds the address already, and the function may be the host compiler's, for which the macro is not defined.
    """
    for at, place in enumerate(pieces):
        number = int(place) - 1 if at % 2 and place != "*" else len(use.args)
        if number < len(use.args) and pieces[at - 1].endswith(_SYMBOL) and _is_pointer(parsed, use.args[number]):
            pieces[at - 1] = pieces[at - 1].removesuffix(_SYMBOL)
            pieces[at + 1] = pieces[at + 1].removeprefix(")")
    return pieces


def _is_pointer(parsed: ParsedFile | ProjectFile, argument: Span) -> bool:
    """Whether an argument is a variable or parameter of the function around it that is declared as a pointer."""
    node = node_at(parsed, argument.start, argument.end) if isinstance(parsed, ParsedFile) else None
    if not isinstance(parsed, ParsedFile) or node is None or node.type != "identifier":
        return False
    declared = Values.of(parsed).locals(node.start_byte).get(text(node), [])
    return bool(declared) and all(one.rank == 1 for one in declared)


def _symbol(parsed: ParsedFile | ProjectFile, argument: Span) -> Span:
    """Where the symbol's name is in an argument: `(char *)&table`, which CUDA 4 took, is an address that HIP looks for
    in vain, as of the temporary pointer. What the function declares itself is no symbol, and stays as it is.
    """
    node = node_at(parsed, argument.start, argument.end) if isinstance(parsed, ParsedFile) else None
    taken = False
    while node is not None and node.type != "identifier":
        taken = taken or node.type == "pointer_expression"
        if node.type == "parenthesized_expression" and node.named_child_count == 1:
            node = node.named_children[0]
        elif node.type == "cast_expression":
            node = node.child_by_field_name("value")
        elif node.type == "pointer_expression" and text(node.child_by_field_name("operator")) == b"&":
            node = node.child_by_field_name("argument")
        else:
            return argument
    if node is None or not taken or not isinstance(parsed, ParsedFile):
        return argument
    own = Values.of(parsed).locals(node.start_byte).get(text(node), [])
    return argument if own else Span(node.start_byte, node.end_byte)


def _for_macros(parsed: ParsedFile | ProjectFile, use: Use, pieces: list[str]) -> list[str]:
    """The parts of a template, with brackets around what a macro would take for several arguments: `table<int, 4>`."""
    for at, place in enumerate(pieces):
        number = int(place) - 1 if at % 2 and place != "*" else len(use.args)
        if number < len(use.args) and _MACRO.search(pieces[at - 1]) and _is_parted(parsed.data, use.args[number]):
            pieces[at - 1] += "("
            pieces[at + 1] = f"){pieces[at + 1]}"
    return pieces


def _is_parted(data: bytes, argument: Span) -> bool:
    """Whether the preprocessor sees a comma in an argument: brackets of a template hide none from it."""
    text = data[argument.start : argument.end]
    while text != (text := _BRACKETS.sub(b"", text)):
        pass
    return b"," in text


def _between(data: bytes, start: int, end: int, wanted: bytes) -> list[Edit]:
    """The smallest edit that makes the bytes between two arguments equal `wanted`, blanks apart."""
    present = data[start:end]
    if present.split() == wanted.split():
        return []
    squeezed = present.strip()
    if squeezed and wanted.strip().startswith(squeezed):
        at = start + present.index(squeezed) + len(squeezed)
        blank = data[at:end]
        tail = wanted.lstrip()[len(squeezed) :]
        return [Edit(Span(end, end), tail.lstrip() if blank else tail)]
    if squeezed and wanted.strip().endswith(squeezed):
        return [Edit(Span(start, start), wanted.strip()[: -len(squeezed)])]
    if not squeezed:
        at = start if start == end or wanted.startswith(b")") else end
        return [Edit(Span(at, at), wanted)]
    return [Edit(Span(start, end), wanted)]
