"""Output of device code under a condition that a constant of the tree leaves out: `if (!RELEASE) printf(...)`.

The compiler drops what `static constexpr bool RELEASE = true;` never lets run, and no kernel pays for it. The constant
may be in another file; where files give it several values, or another thing has its name, nothing is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.uncalled_questions import OUTPUT
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.tree_queries import bare

_LANGUAGES = ("cuda", "cxx")
_PRINTS = b"printf"
_BRACKETS = ("parenthesized_expression", "condition_clause")
_TYPES = rb"(?:bool|int|unsigned|auto)"
_DECLARED = rb"\b(?:bool|char|int|unsigned|auto|size_t)[ \t]+&?(%s)\b|#[ \t]*(?:define|undef)[ \t]+(%s)\b"
_CONSTANT = rb"\bconstexpr\s+(?:static\s+|inline\s+)?" + _TYPES + rb"\s+(%s)\s*[={]\s*(true|false|0|1)\s*\}?\s*;"
Guards = frozenset[tuple[bytes, bool]]
"""Names that each let code run only where they have a value."""


def without_dead(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on output that no kernel has."""
    asked = {one.path: guards for one in results if (guards := _asked(one, read))}
    if not asked:
        return list(results)
    code = [one.path for one in results if one.language in _LANGUAGES and one.skip is None]
    names = {name for each in asked.values() for calls in each.values() for one in calls for name, _ in one}
    known = _values(names, code, read)
    return [_left(one, asked[one.path], known) if one.path in asked else one for one in results]


def _asked(result: FileResult, read: Read) -> dict[int, list[Guards]]:
    """What each call of output in the function of a finding is under, by where the finding is; none without any."""
    places = [one.span.start for one in result.findings if _is_asked(one)]
    source = read(result.path) if places else None
    if source is None:
        return {}
    parsed = cuda.parse(source, frozenset())
    found = {at: list(_calls(parsed, at)) for at in places}
    return {at: calls for at, calls in found.items() if calls and all(calls)}


def _is_asked(finding: Finding) -> bool:
    return finding.rule == OUTPUT and finding.outcome != "fine"


def _calls(parsed: ParsedFile, offset: int) -> Iterator[Guards]:
    function = parsed.function(offset)
    if function is None:
        return
    for call in CALLS.below(parsed.tree.root_node):
        inside = function.body.start <= call.start_byte < function.body.end
        if inside and text(call.child_by_field_name("function")).removeprefix(b"std::") == _PRINTS:
            yield frozenset(_guards(call))


def _guards(call: Node) -> Iterator[tuple[bytes, bool]]:
    """The plain names that the conditions around a call ask for, each with the value that lets it run."""
    inner = call
    for around in tree_sitter_nodes.ancestors(call):
        if around.type == "if_statement" and around.child_by_field_name("consequence") == inner:
            yield from _parts(around.child_by_field_name("condition"))
        inner = around


def _parts(condition: Node | None) -> Iterator[tuple[bytes, bool]]:
    waiting = [condition]
    while waiting:
        node = waiting.pop()
        if node is None:
            continue
        sign = text(node.child_by_field_name("operator"))
        if node.type in _BRACKETS:
            waiting += node.named_children
        elif node.type == "binary_expression" and sign in (b"&&", b"and"):
            waiting += [node.child_by_field_name("left"), node.child_by_field_name("right")]
        elif node.type == "identifier":
            yield text(node), True
        elif node.type == "unary_expression" and sign in (b"!", b"not"):
            inner = bare(node.child_by_field_name("argument"))
            yield from ((text(inner), False),) if inner is not None and inner.type == "identifier" else ()


def _values(names: set[bytes], code: Sequence[str], read: Read) -> dict[bytes, bool]:
    """The constants among some names that have one value in the tree, and are nothing else in it."""
    spelled = rb"|".join(re.escape(one) for one in sorted(names))
    declared, constant = re.compile(_DECLARED % (spelled, spelled)), re.compile(_CONSTANT % spelled)
    found: dict[bytes, list[bool]] = {}
    others = Counter[bytes]()
    for path in code:
        source = read(path)
        if source is None or not any(name in source.data for name in names):
            continue
        others.update(match[1] or match[2] for match in declared.finditer(source.data))
        for match in constant.finditer(source.data):
            found.setdefault(match[1], []).append(match[2] in (b"true", b"1"))
    return {name: one[0] for name, one in found.items() if len(set(one)) == 1 and others[name] == len(one)}


def _left(result: FileResult, asked: dict[int, list[Guards]], known: dict[bytes, bool]) -> FileResult:
    def is_dead(guards: Guards) -> bool:
        return any(known.get(name, value) is not value for name, value in guards)

    kept = [
        one
        for one in result.findings
        if not (_is_asked(one) and one.span.start in asked and all(map(is_dead, asked[one.span.start])))
    ]
    return result if len(kept) == len(result.findings) else replace(result, findings=tuple(kept))
