"""Runs of steps through shared memory -> edits that hold them: every lane reads, then every lane writes.

Comes in: a parsed file and a run of steps. Goes out: edits, none where a step is not understood or where lanes that
another one waits for may not take it. The barrier is that of 32 lanes: on AMD it keeps the compiler from moving
accesses past it and costs no instruction.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.include_insertion import RUNTIME_HEADER, addition, newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.warp_synchronous import LANE, Run, Step, guarded, squeezed

_FIXED = re.compile(rb"[\w:.()/]+(?:>=|>|<=|<)\d+[uU]?")
_CONSTANT = re.compile(rb"[A-Z][A-Z0-9_]+|k[A-Z]\w*")
_NEAR = 300
_DISTANCE = re.compile(rb"\s*[-+^]\s*\w+\s*\]")
_NAMES = (b"theirs", b"other_lane", b"handed_on")
_MEET = b"cudamigrate::syncwarp();"


def edits(parsed: ParsedFile, run: Run) -> list[Edit]:
    """The edits that hold all steps of a run; none where one is not understood."""
    first, end = run.loop if run.loop is not None else run.steps[0].statement, run.steps[-1].end
    top = _top(first, end)
    if top is None or any(step.problem or not _is_sound(parsed, step, first.start_byte, end) for step in run.steps):
        return []
    if b"__host__" in parsed.data[run.function.span.start : run.function.body.start]:
        return []  # the barrier is one of device code
    body = parsed.data[run.function.span.start : run.function.span.end]
    name = next((one for one in _NAMES if re.search(rb"\b" + one + rb"\d*\b", body) is None), b"")
    if not name:
        return []
    made = [edit for step in run.steps for edit in _step_edits(parsed, step, name)]
    if not run.held:
        begin = _begin(parsed, top)
        made = _before(made, begin, b" " if begin == top.start_byte else newline(parsed.data))
    if not any(include.path.endswith(RUNTIME_HEADER) for include in parsed.includes):
        made.append(addition(parsed, RUNTIME_HEADER))
    return made


def _begin(parsed: ParsedFile, top: Node) -> int:
    """Where a statement begins, what a pragma says of it included."""
    begin = top.start_byte
    for directive in reversed(parsed.lexed.directives):
        if directive.name == "pragma" and not parsed.data[directive.end : begin].strip() and directive.end <= begin:
            begin = directive.start
    return begin


def _before(made: list[Edit], start: int, blank: bytes) -> list[Edit]:
    """The same edits with a barrier before all of them, joined to what one of them puts there."""
    at = Span(start, start)
    there = b"".join(edit.replacement for edit in made if edit.span == at)
    return [Edit(at, _MEET + blank + there), *(edit for edit in made if edit.span != at)]


def _step_edits(parsed: ParsedFile, step: Step, name: bytes) -> Iterator[Edit]:
    if step.after is not None:
        for node in (step.statement, step.after):
            yield Edit(Span(node.end_byte, node.end_byte), b" " + _MEET)
        return
    opening = b"{ "
    pair = guarded(step.statement)
    guard = b"" if pair is None else text(pair.child_by_field_name("left"))
    for number, spans in enumerate(step.reads.values()):
        own = name + (str(number + 1).encode() if len(step.reads) > 1 else b"")
        place = parsed.data[spans[0].start : spans[0].end]
        if guard:
            place = guard + b" ? " + place + b" : " + _DISTANCE.sub(b"]", place)
        opening += b"const auto " + own + b" = " + place + b"; "
        yield from (Edit(span, own) for span in spans)
    yield Edit(Span(step.start, step.start), opening + _MEET + b" ")
    yield Edit(Span(step.end, step.end), b" " + _MEET + b" }")


def _top(first: Node, end: int) -> Node | None:
    """The statement that begins with the first step, of the block that is around the whole run."""
    node = first
    for around in tree_sitter_nodes.ancestors(first):
        if around.type in ("compound_statement", "case_statement") and around.end_byte >= end:
            return node
        if around.type == "function_definition":
            break
        node = around
    return None


def _is_sound(parsed: ParsedFile, step: Step, start: int, end: int) -> bool:
    """Whether all lanes that a step concerns take it: what chooses lanes does so by their numbers, from one end.

    With `if (t < 16)` the lanes of a step have all taken the step before, and a wave of AMD's joins again behind it.
    A condition around the whole run may choose as it likes, but not more threads than a warp has.
    """
    if step.statement.type == "if_statement" and not _is_plain_if(parsed, step.statement):
        return False
    for around in tree_sitter_nodes.ancestors(step.statement):
        whole = around.start_byte <= start and around.end_byte >= end
        if around.type == "function_definition":
            return True
        if around.type == "if_statement":
            if not _chooses_from_end(parsed, around, step, whole):
                return False
        elif not whole and around.type not in ("compound_statement", "for_statement", "while_statement"):
            return False  # another branch, a case, a loop of which nothing is known
    return False


def _is_plain_if(parsed: ParsedFile, statement: Node) -> bool:
    """An `if` that only writes: no other branch, no jump, no loop, no declaration, and a guard that is one for all."""
    pair = guarded(statement)
    guard = b"" if pair is None else squeezed(pair.child_by_field_name("left"))
    if guard and not (_FIXED.fullmatch(guard) and _is_one_for_all(parsed, statement, guard)):
        return False
    if statement.child_by_field_name("alternative") is not None:
        return False
    inside = statement.child_by_field_name("consequence")
    parts = [] if inside is None else inside.named_children if inside.type == "compound_statement" else [inside]
    return bool(parts) and all(part.type in ("expression_statement", "comment") for part in parts)


def _chooses_from_end(parsed: ParsedFile, statement: Node, step: Step, whole: bool) -> bool:
    """Whether a condition holds for all lanes or none, or for those from one end on whom the others do not wait."""
    condition = squeezed(statement.child_by_field_name("condition"))[1:-1]
    own = rb"(?:" + re.escape(step.index) + rb"|" + LANE + rb")"
    bound = re.fullmatch(own + rb"(?:" + re.escape(step.distance) + rb")?(<=?|>=?)(\w+)", condition)
    if bound is not None:
        limit = int(bound[2]) if bound[2].isdigit() else 0
        ends = step.distance.startswith(b"+" if bound[1].startswith(b"<") else b"-")
        return (whole or ends) and (bound[1].startswith(b">") or limit + (bound[1] == b"<=") <= 32)
    return whole or (_FIXED.fullmatch(condition) is not None and _is_one_for_all(parsed, statement, condition))


def _is_one_for_all(parsed: ParsedFile, statement: Node, condition: bytes) -> bool:
    """Whether what is compared is a size of blocks, a constant, or what a function or template is given."""
    names = {name for name in re.findall(rb"[A-Za-z_]\w*", condition) if name not in (b"blockDim", b"x")}
    function = next(
        (around for around in tree_sitter_nodes.ancestors(statement) if around.type == "function_definition"), None
    )
    body = None if function is None else function.child_by_field_name("body")
    if function is None or body is None:
        return False
    begin = parsed.data.rfind(b"template", max(0, function.start_byte - _NEAR), function.start_byte)
    head = parsed.data[begin if begin >= 0 else function.start_byte : body.start_byte]
    return all(_CONSTANT.fullmatch(name) or re.search(rb"\b" + name + rb"\b", head) for name in names)
