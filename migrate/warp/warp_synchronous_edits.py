"""Runs of warp-synchronous steps -> edits that synchronise them: every lane reads, then every lane writes.

No edits where a step is not understood or where lanes that another one waits for may not take it. The barrier is that
of 32 lanes: on AMD it keeps the compiler from moving accesses past it and costs no instruction.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.include_insertion import RUNTIME_HEADER, addition, newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.facts import UNIFORM
from cudamigrate.warp.quantities import Quantities
from cudamigrate.warp.transfer import evaluator_of
from cudamigrate.warp.tree_queries import bare, below, template_parameters
from cudamigrate.warp.vocabulary import NO_NAMES, Quantity
from cudamigrate.warp.warp_synchronous import Run, Step
from cudamigrate.warp.warp_synchronous_calls import copied_beside
from cudamigrate.warp.warp_synchronous_steps import guarded, squeezed

_NAMES = (b"theirs", b"other_lane", b"handed_on")
_OWN_NAMES = (b"own_value", b"own_lane", b"kept_here")
_BARRIER = b"cudamigrate::syncwarp();"
_BOUNDS = (b"<", b"<=", b">", b">=")
_UNIT = 4


def edits(parsed: ParsedFile, run: Run) -> list[Edit]:
    """The edits that synchronise all steps of a run; none where one is not understood."""
    first, end = run.loop if run.loop is not None else run.steps[0].statement, run.steps[-1].end
    top = _top(first, end)
    if top is None or any(step.problem or not _is_sound(parsed, step, first.start_byte, end) for step in run.steps):
        return []
    if b"__host__" in parsed.data[run.function.span.start : run.function.body.start]:
        return []  # the barrier is one of device code
    said = CallGraph.of(parsed).words(run.function.span)
    name, own = (_free(names, said) for names in (_NAMES, _OWN_NAMES))
    copies = [copied_beside(parsed, run.function, step) for step in run.steps]
    if not name or not own or None in copies:
        return []
    layout = _Layout(parsed)
    blocks = [step.statement.parent for step in run.steps]
    parts = (
        layout.step(step, [*_reads(step, name), *_copies(places or {}, own)], _fills_block(step, blocks))
        for step, places in zip(run.steps, copies, strict=True)
    )
    made = list({edit.span: edit for part in parts for edit in part}.values())
    if not run.held:
        made = layout.before(made, top)
    if not any(include.path.endswith(RUNTIME_HEADER) for include in parsed.includes):
        made.append(addition(parsed, RUNTIME_HEADER))
    return made


def _free(names: tuple[bytes, ...], said: Iterable[bytes]) -> bytes:
    """The first name that a function does not have itself, with a number or without; empty where it has all."""
    taken = {word.rstrip(b"0123456789") for word in said}
    return next((one for one in names if one not in taken), b"")


def _fills_block(step: Step, blocks: list[Node | None]) -> bool:
    """Whether a step is the first statement of a block of a branch that has no other step."""
    block = step.statement.parent
    if block is None or block.type != "compound_statement" or blocks.count(block) > 1:
        return False
    branch = block.parent is not None and block.parent.type in ("if_statement", "for_statement", "while_statement")
    return branch and block.named_children[0] == step.statement


_Read = tuple[bytes, bytes, list[Span]]
"""A variable, what is read into it, and the places that use it in its stead."""


class _Layout:
    """Writes statements on lines of their own, in the indentation of the file."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed, self.newline = parsed, newline(parsed.data)

    def step(self, step: Step, reads: list[_Read], alone: bool) -> Iterator[Edit]:
        """The edits of one step: `reads` come before a barrier, and another one follows the write.

        `alone` says that no other step is in its block, so that it needs none of its own.
        """
        outside = self._outside(step.statement)
        yield from self._unfolded(step.statement, outside)
        if step.after is not None:
            for node in (step.statement, step.after):
                yield Edit(Span(node.end_byte, node.end_byte), self._line(outside) + _BARRIER)
            return
        inside = outside if alone else outside + self._unit(step.statement)
        lines = []
        for own, place, spans in reads:
            lines.append(b"const auto " + own + b" = " + place + b";")
            yield from (Edit(span, own) for span in spans)
        lines += [_BARRIER, b""]
        opening = b"" if alone else b"{" + self._line(inside)
        yield Edit(Span(step.start, step.start), opening + self._line(inside).join(lines))
        closing = b"" if alone else self._line(outside) + b"}"
        yield Edit(Span(step.end, step.end), self._line(inside) + _BARRIER + closing)

    def before(self, made: list[Edit], top: Node) -> list[Edit]:
        """The same edits with a barrier before all of them, joined to what one of them puts there."""
        begin = _begin(self.parsed, top)
        lead = _BARRIER + self._line(self._outside(top) if begin == top.start_byte else self._indent(begin))
        if begin != top.start_byte and not self._indent(begin):
            lead = self._indent(top.start_byte) + _BARRIER + self.newline
        at = Span(begin, begin)
        there = b"".join(edit.replacement for edit in made if edit.span == at)
        return [Edit(at, lead + there), *(edit for edit in made if edit.span != at)]

    def _unfolded(self, statement: Node, outside: bytes) -> Iterator[Edit]:
        """Lines of their own for what is on one line with a statement of a block."""
        block = statement.parent
        if block is None or block.type != "compound_statement":
            return
        closing = block.children[-1].start_byte
        before = self._blanks(statement.start_byte), statement.start_byte
        after = statement.end_byte, self._blanks(statement.end_byte, forward=True)
        for start, end in dict.fromkeys((before, after, (self._blanks(closing), closing))):
            behind = self.parsed.data[end : end + 1]
            if start < end and self.parsed.data[start - 1 : start] != b"\n" and behind not in (b"\r", b"\n", b"/"):
                indent = self._indent(block.start_byte) if behind == b"}" else outside
                yield Edit(Span(start, end), self._line(indent))

    def _blanks(self, at: int, forward: bool = False) -> int:
        """Where the blanks before an offset begin, or those behind it end."""
        data = self.parsed.data
        while data[at : at + 1] in (b" ", b"\t") if forward else data[at - 1 : at] in (b" ", b"\t"):
            at += 1 if forward else -1
        return at

    def _outside(self, statement: Node) -> bytes:
        """The indentation of a statement on a line of its own, one further in where its block is on one line."""
        block, indent = statement.parent, self._indent(statement.start_byte)
        folded = block is not None and block.type == "compound_statement"
        folded = folded and block is not None and block.start_point[0] == statement.start_point[0]
        return indent + self._unit(statement) if folded else indent

    def _line(self, indent: bytes) -> bytes:
        return self.newline + indent

    def _indent(self, offset: int) -> bytes:
        """The blanks that the line of an offset begins with."""
        start = self.parsed.data.rfind(b"\n", 0, offset) + 1
        line = self.parsed.data[start:offset]
        return line[: len(line) - len(line.lstrip())]

    def _unit(self, statement: Node) -> bytes:
        """One level of indentation: how much further in a statement is than the function around it."""
        around = next(
            (one for one in tree_sitter_nodes.ancestors(statement) if one.type == "function_definition"), None
        )
        body = None if around is None else around.child_by_field_name("body")
        inner = body.named_children[0] if body is not None and body.named_children else None
        if around is None or inner is None or inner.start_point[0] == around.start_point[0]:
            return b" " * _UNIT
        outer, further = self._indent(around.start_byte), self._indent(inner.start_byte)
        return further[len(outer) :] if further.startswith(outer) and further != outer else b" " * _UNIT


def _reads(step: Step, name: bytes) -> Iterator[_Read]:
    """For each place of another lane: the variable for it, what it is read as, and where it is used."""
    pair = guarded(step.statement)
    guard = b"" if pair is None else text(pair.child_by_field_name("left"))
    for number, nodes in enumerate(step.reads.values()):
        own = name + (str(number + 1).encode() if len(step.reads) > 1 else b"")
        place = text(nodes[0])
        if guard:
            place = guard + b" ? " + place + b" : " + _own_place(nodes[0], step)
        yield own, place, [Span(node.start_byte, node.end_byte) for node in nodes]


def _copies(places: dict[bytes, list[Node]], name: bytes) -> Iterator[_Read]:
    """For each place of the lane's own that is copied too: the variable for it, the place, and where it is used."""
    for number, nodes in enumerate(places.values()):
        own = name + (str(number + 1).encode() if len(places) > 1 else b"")
        yield own, text(nodes[0]), [Span(node.start_byte, node.end_byte) for node in nodes]


def _own_place(node: Node, step: Step) -> bytes:
    """A place of another lane with the lane's own index."""
    access = node
    while access.type == "field_expression":
        inner = access.child_by_field_name("argument")
        assert inner is not None
        access = inner
    indices = access.child_by_field_name("indices")
    assert indices is not None
    start, end = indices.start_byte - node.start_byte, indices.end_byte - node.start_byte
    return text(node)[:start] + b"[" + text(step.index) + b"]" + text(node)[end:]


def _begin(parsed: ParsedFile, top: Node) -> int:
    """Where a statement begins, what a pragma says of it included."""
    begin = top.start_byte
    directives = parsed.lexed.directives
    for at in range(bisect_left(directives, begin, key=lambda one: one.start) - 1, -1, -1):
        directive = directives[at]
        if directive.name != "pragma" or directive.end > begin or parsed.data[directive.end : begin].strip():
            break
        begin = directive.start
    return begin


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
    guard = None if pair is None else pair.child_by_field_name("left")
    if guard is not None and not _is_one_for_all(parsed, statement, guard):
        return False
    if statement.child_by_field_name("alternative") is not None:
        return False
    inside = statement.child_by_field_name("consequence")
    parts = [] if inside is None else inside.named_children if inside.type == "compound_statement" else [inside]
    return bool(parts) and all(part.type in ("expression_statement", "comment") for part in parts)


def _chooses_from_end(parsed: ParsedFile, statement: Node, step: Step, whole: bool) -> bool:
    """Whether a condition holds for all lanes or none, or for those from one end on whom the others do not wait."""
    condition = statement.child_by_field_name("condition")
    test = bare(condition.child_by_field_name("value") or condition.named_child(0)) if condition is not None else None
    if test is None:
        return whole
    sign, right = text(test.child_by_field_name("operator")), bare(test.child_by_field_name("right"))
    if sign in _BOUNDS and right is not None and _numbers_lanes(parsed, test.child_by_field_name("left"), step):
        if right.type not in ("number_literal", "identifier"):
            return whole
        limit = int(text(right)) if text(right).isdigit() else 0
        ends = step.distance.startswith(b"+" if sign.startswith(b"<") else b"-")
        return (whole or ends) and (sign.startswith(b">") or limit + (sign == b"<=") <= 32)
    return whole or _is_one_for_all(parsed, statement, test)


def _numbers_lanes(parsed: ParsedFile, left: Node | None, step: Step) -> bool:
    """Whether what is compared is the index of a step, with its distance or without, or another number of a lane."""
    index = squeezed(step.index)
    if squeezed(left) in (index, index + step.distance):
        return True
    inner = bare(left)
    if inner is None or inner.type not in ("identifier", "field_expression"):
        return False
    return bool(parsed.once(_by_value).of(inner) & (Quantity.THREAD | Quantity.LANE))


def _by_value(parsed: ParsedFile) -> Quantities:
    """What integers measure as values show it: no name is reason enough for an edit."""
    return Quantities(parsed, NO_NAMES)


def _is_one_for_all(parsed: ParsedFile, statement: Node, condition: Node) -> bool:
    """Whether a size of blocks, a constant, or what a function or template is given is compared with a number."""
    left, right = bare(condition.child_by_field_name("left")), bare(condition.child_by_field_name("right"))
    if text(condition.child_by_field_name("operator")) not in _BOUNDS or left is None or right is None:
        return False
    if right.type != "number_literal" or any(_is_impure(one) for one in below(left)):
        return False
    names = [one for one in below(left) if one.type == "identifier" and text(one) != b"blockDim"]
    return all(_is_alike(parsed, name) for name in names)


def _is_impure(node: Node) -> bool:
    return node.type in ("call_expression", "subscript_expression", "pointer_expression")


def _is_alike(parsed: ParsedFile, name: Node) -> bool:
    """Whether all threads of a block find the same value: a constant, or what the facts of the function show."""
    if text(name) in Quantities.of_file(parsed).values.constants() or text(name) in template_parameters(name):
        return True
    evaluator = evaluator_of(parsed)
    function = parsed.function(name.start_byte)
    if function is None:
        return False
    line = parsed.source.position(function.span.start).line
    places = [one for one in evaluator.by_name.get(function.name, ()) if one.routine.line == line]
    facts = [evaluator.value(one, ("v", text(name).decode("latin-1"))) for one in places]
    return bool(facts) and all(one.level == UNIFORM and one.sure for one in facts)
