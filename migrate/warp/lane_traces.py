"""The chain of facts behind a finding about lanes: what the names in it are made from, back to thread and constant."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values, node_at
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Step
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.lane_code import NAMES
from cudamigrate.warp.lane_words import SHUFFLES
from cudamigrate.warp.quantities import Quantities
from cudamigrate.warp.tree_queries import holds, plain_name
from cudamigrate.warp.warp_synchronous_steps import LOOPS

_MOST = 8
_MOST_GIVEN = 256
"""Values that one name is given, beyond which the others are not asked."""
_LONGEST = 60
_LARGE = 1 << 16
"""From which on a number is a mask, and is written so."""
_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier", parts=True)
_SCOPES = ("compound_statement", "for_statement", "if_statement", "while_statement", "lambda_expression")
_DEFINED = re.compile(
    rb"#[ \t]*define[ \t]+(?P<macro>\w+)[ \t]|\b(?:constexpr|const|enum)\b"
    rb"(?=(?P<type>(?:[^;(){}\w]|\w+\b(?!\s*[={]))*))(?P=type)\{?\s*\b(?P<constant>\w+)\s*[={]"
)
"""Where a constant is defined: `#define N `, `constexpr int n =`, `const int n{`, `enum { N =`. What is before its name
is looked at once, word by word: most that is `const` is a parameter, of which nothing matches."""


def steps(parsed: ParsedFile, span: Span) -> tuple[Step, ...]:
    """The facts that a place follows from, the first cause before all, the place itself last.

    Variables are followed through what they are given in their function and in the calls of it that the file has.
    """
    node = node_at(parsed, span.start, span.end)
    found = list(_Chain(parsed).behind(_parts(node))) if node is not None else []
    if not found:
        return ()
    said = f"`{_brief(parsed, span)}` uses these"
    last = Step(parsed.source.path, parsed.source.position(span.start).line, said)
    return (*dict.fromkeys(reversed(found)), last)


def _parts(node: Node) -> list[Node]:
    """What decides between which lanes a place works: of a call across lanes not the value that it passes on."""
    name = plain_name(node.child_by_field_name("function")).decode("latin-1") if node.type == "call_expression" else ""
    if name not in NAMES:
        return [node]
    given = tree_sitter_nodes.elements(node.child_by_field_name("arguments"))
    masked = given[:1] if name.endswith("_sync") else []
    return masked + given[len(masked) + 1 :] if name in SHUFFLES else masked


class _Chain:
    """What names stand for, each asked once."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed, self.values = parsed, Values.of(parsed)
        self.quantities = Quantities.of_file(parsed)

    def behind(self, parts: list[Node]) -> Iterator[Step]:
        """The steps behind the names of expressions, nearest first."""
        waiting, seen, told = parts, set[tuple[int, bytes]](), 0
        while waiting and told < _MOST:
            inner = waiting.pop(0)
            around = self.quantities.function_at(inner.start_byte)
            for one in self._names(inner):
                key = (-1 if around is None else around.span.start), text(one)
                if key in seen or told >= _MOST:
                    continue
                seen.add(key)
                for step, more in self._made(one):
                    if told >= _MOST:
                        return
                    waiting += [more] if more is not None else []
                    if more is None or text(more) != text(one):  # passed on under its own name: nothing new
                        told += 1
                        yield step

    def _names(self, node: Node) -> list[Node]:
        """The names in an expression, each at its first place."""
        known, key = self.parsed.once(_known_names), (node.start_byte, node.end_byte)
        if key not in known:
            first: dict[bytes, Node] = {}
            for one in _NAMES.below(node):
                first.setdefault(text(one), one)
            known[key] = list(first.values())
        return known[key]

    def _made(self, node: Node) -> Iterator[tuple[Step, Node | None]]:
        """What one name is, with the expression that it is given."""
        name = text(node)
        found = self.values.locals(node.start_byte).get(name, [])
        started = (local.value for local in found if local.value is not None)
        given = list(islice(chain(started, self.quantities.uses(node.start_byte).assigned.get(name, [])), _MOST_GIVEN))
        for value in sorted(_reaching(self.parsed, given, node), key=lambda one: one.start_byte, reverse=True):
            yield self._step(value, f"`{_spelled(name)}` is `{self._said(value)}`"), value
        if found and not given:
            for value in self.values.given(node):
                yield self._step(value, f"`{_spelled(name)}` is passed `{self._said(value)}`"), value
        if not found:
            yield from self._constant(node, name)

    def _constant(self, node: Node, name: bytes) -> Iterator[tuple[Step, None]]:
        """A constant of this file, or of another one."""
        value, places = self.values.spelled(name), self.parsed.once(_definitions)
        if value is None:
            return
        given = self.values.constants().get(name) if value < 0 else None  # `~0u` says more than -1
        shown = f"`{_spelled(given)}`" if given else str(value) if value < _LARGE else hex(value)
        spelled = f"`{_spelled(name)}` is {shown}"
        line = places.get(name)
        if line is not None:
            yield Step(self.parsed.source.path, line, spelled), None
        else:
            yield self._step(node, f"{spelled}, as another file defines it"), None

    def _said(self, node: Node) -> str:
        return _brief(self.parsed, Span(node.start_byte, node.end_byte))

    def _step(self, node: Node, said: str) -> Step:
        return Step(self.parsed.source.path, self.parsed.line(node), said)


def _reaching(parsed: ParsedFile, values: list[Node], place: Node) -> list[Node]:
    """Of what a name is given in a function, what may be there at a place: in its scope, before it or in its loop."""
    known = parsed.once(_known_scopes)
    for value in values:
        if value not in known:
            known[value] = _scope(value)
    scopes = [(value, known[value]) for value in values]
    around = [scope for _, scope in scopes if scope is not None and holds(scope, place)]
    inner = min(around, key=lambda one: one.end_byte - one.start_byte, default=None)
    if inner is not None:  # not what another variable of the name is given, in a scope of its own
        scopes = [(one, scope) for one, scope in scopes if holds(inner, one) and scope in (None, inner)]
    end = place.start_byte
    if any(value.start_byte >= end for value, _ in scopes):
        loops = (one for one in parsed.nodes_around(end, place.end_byte) if one.type in LOOPS)
        end = next((one.end_byte for one in loops), end)
    return [value for value, _ in scopes if value.start_byte < end]


def _known_scopes(_: ParsedFile) -> dict[Node, Node | None]:
    """Where variables live, by the value that each is declared with: one may be asked for each use of a name."""
    return {}


def _scope(value: Node) -> Node | None:
    """Where a variable lives that is declared with a value; None for what is assigned later."""
    holder = value.parent
    if holder is None or holder.type != "init_declarator":
        return None
    return next((one for one in tree_sitter_nodes.ancestors(holder) if one.type in _SCOPES), None)


def _known_names(_: ParsedFile) -> dict[tuple[int, int], list[Node]]:
    """The names in expressions of a file, by the place of the expression: a long one may be behind many findings."""
    return {}


def _definitions(parsed: ParsedFile) -> dict[bytes, int]:
    """The lines on which constants are defined, by name."""
    found = (
        (match["macro"] or match["constant"], match)
        for match in parsed.lexed.starting(_DEFINED, b"#", b"const", b"enum")
    )
    starts = ((name, match.start("macro" if match["macro"] else "constant")) for name, match in found)
    return {name: parsed.source.position(start).line for name, start in starts}


def _spelled(code: bytes) -> str:
    return " ".join(code.decode("utf-8", "replace").split())


def _brief(parsed: ParsedFile, span: Span) -> str:
    """Code on one line, cut where it is long."""
    spelled = parsed.source.brief(span, _LONGEST + 1)
    return spelled if len(spelled) <= _LONGEST else spelled[: _LONGEST - 3] + "..."
