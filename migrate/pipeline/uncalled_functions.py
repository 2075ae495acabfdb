"""Functions of headers that use names or PTX without an equivalent, and that no code calls which compiles on AMD.

A header is read by many files, and one helper in it that HIP cannot compile stops all of them, though none calls it.
Where no other code of the repository names the function, or only code that does not compile on AMD for names of its
own, the function goes under `#ifndef __HIP_PLATFORM_AMD__` as it is. Who calls it all the same gets a compile error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.platform_guards import outside_amd
from cudamigrate.cuda.words import among
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Fix, Hit, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import SOURCES, Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax.tree_sitter_nodes import Kinds, ancestors

RULE, CALL = "build/uncalled-function", "build/call-of-uncalled"
_LANGUAGES = ("cuda", "cxx")
_ITEMS = Kinds("cuda", "function_definition", "declaration")
_OPEN = frozenset(
    ["translation_unit", "namespace_definition", "declaration_list", "linkage_specification", "template_declaration"]
)
"""What may be around a function that is no member of a class."""
_NAME = re.compile(rb"[A-Za-z_]\w*")
_PTX = re.compile(rb'"[^"\w]*([A-Za-z][\w.:]*)')
"""The first instruction of an asm statement: `exit` in `asm("exit;")`."""
_GROUPS = {"api": "host", "ptx": "device"}
"""What HIP cannot compile, and the side whose functions it stops."""


@dataclass(frozen=True, slots=True)
class _Item:
    """A function that HIP cannot compile: its name and where that is, all of it, and whether it may be left out."""

    name: bytes
    named: Span
    whole: Span
    is_open: bool
    finding: Finding


def with_uncalled_functions(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with one finding for each function that is left to CUDA, in place of those inside of it."""
    rule = book.rules.get(RULE)
    blocked = {one.path: found for one in results if (found := _blocking(one))} if rule and not rule.silent else {}
    headers = [path for path in blocked if not path.lower().endswith(SOURCES)]
    if not headers:
        return list(results)
    items = {path: list(_items(source, blocked[path])) for path in headers if (source := read(path)) is not None}
    names = {item.name for each in items.values() for item in each if item.is_open}
    if not names:
        return list(results)  # as in most trees: the other files need no second look
    others = (path for path in blocked if path not in items)
    items |= {path: list(_items(source, blocked[path])) for path in others if (source := read(path)) is not None}
    names -= _compiled(names, results, items, read)
    return [_left_out(one, items.get(one.path, ()), names, book, read) for one in results] if names else list(results)


def _blocking(result: FileResult) -> list[Finding]:
    """The findings on names without an equivalent that stop a file wherever HIP compiles it."""
    if result.language not in _LANGUAGES or result.skip is not None:
        return []
    return [one for one in result.findings if _is_blocking(one)]


def _is_blocking(finding: Finding) -> bool:
    is_left = finding.resolution == "manual" and finding.outcome == "compile-error" and finding.fix is None
    return is_left and finding.group in _GROUPS and finding.unconditional and finding.support in ("none", "manual")


def _items(source: SourceFile, found: Sequence[Finding]) -> Iterator[_Item]:
    """The functions and their declarations, outside of others, that hold one of the findings."""
    parsed = _parsed(source)
    starts = sorted(found, key=lambda one: one.span.start)
    end = 0
    for node in _ITEMS.below(parsed.tree.root_node) if not parsed.problems else ():
        first = next((one for one in starts if node.start_byte <= one.span.start < node.end_byte), None)
        name = _name(node)
        if first is None or name is None or node.start_byte < end:
            continue
        end = node.end_byte
        top = node.parent if node.parent is not None and node.parent.type == "template_declaration" else node
        around = parsed.function(name.start_byte)  # with the macros before its type, which the tree leaves out
        start = top.start_byte if around is None else min(top.start_byte, around.span.start)
        whole = Span(start, top.end_byte)
        is_open = _is_open(parsed, top, name, _GROUPS[first.group]) and bool(outside_amd(parsed, whole))
        yield _Item(name.text or b"", Span(name.start_byte, name.end_byte), whole, is_open, first)


def _parsed(source: SourceFile) -> ParsedFile:
    return cuda.parse(replace(source, language="cuda"), frozenset())


def _name(node: Node) -> Node | None:
    """The name of the function that a node defines or declares."""
    inner = node.child_by_field_name("declarator")
    while inner is not None and inner.type in ("pointer_declarator", "reference_declarator"):
        inner = inner.child_by_field_name("declarator") or next(iter(inner.named_children), None)
    is_function = inner is not None and inner.type == "function_declarator"
    return inner.child_by_field_name("declarator") if inner is not None and is_function else None


def _is_open(parsed: ParsedFile, top: Node, name: Node, side: str) -> bool:
    """Whether a function can be left out by itself: a plain name of its side's, in no class and under no condition."""
    if any(one.type not in _OPEN and not one.type.startswith("preproc_if") for one in ancestors(top)):
        return False
    function = parsed.function(name.start_byte)
    scope = function.scope if function is not None else "host"
    is_there = scope == side or (side == "device" and function is not None)  # PTX is, by a macro of another file too
    is_kernel = b"__global__" in parsed.data[top.start_byte : name.start_byte]  # a program may load it by its name
    is_plain = (
        name.type == "identifier"
        and not is_kernel
        and not top.has_error
        and _NAME.fullmatch(name.text or b"") is not None
    )
    return is_there and is_plain and parsed.hip(top.start_byte) is None


def _compiled(
    names: set[bytes], results: Sequence[FileResult], items: Mapping[str, Sequence[_Item]], read: Read
) -> set[bytes]:
    """Those of some names that are anywhere but in functions which HIP cannot compile, in any file that was read."""
    found = set[bytes]()
    every = (item.finding for each in items.values() for item in each)
    lacking = {one.name.encode() for one in every if one.name and one.group == "api"}
    for result in results:
        source = read(result.path) if result.skip is None else None
        here = among(source.data, names) if source is not None else set[bytes]()
        if source is None or not here:
            continue
        if result.language not in _LANGUAGES:
            found |= here
            continue
        inside = [item.whole for item in items.get(result.path, ())]
        if result.path not in items and among(source.data, lacking):
            inside = _naming(source, lacking)
        known = lexed(source)
        for name in here - found:
            places = known.words(frozenset((name,)))
            if any(not any(span.start <= at < span.end for span in inside) for at in places):
                found.add(name)
    return found


def _naming(source: SourceFile, lacking: set[bytes]) -> list[Span]:
    """The functions of a file without such findings that name what HIP lacks: it may include no header of CUDA's."""
    places = lexed(source).words(frozenset(lacking))
    return [one.span for one in _parsed(source).outer if any(one.span.start <= at < one.span.end for at in places)]


def _left_out(result: FileResult, items: Sequence[_Item], names: set[bytes], book: Rulebook, read: Read) -> FileResult:
    """The result of a file whose functions of those names are left to CUDA, and calls of them are reported."""
    is_header = not result.path.lower().endswith(SOURCES)
    chosen = [item for item in items if is_header and item.is_open and item.name in names]
    source = read(result.path) if items else None
    if source is None or not among(source.data, names):
        return result
    parsed = _parsed(source)
    more = [made for item in chosen if (made := _finding(parsed, item, book)) is not None]
    spans = [item.whole for item in chosen if any(one.span == item.named for one in more)]
    tied = {one.fix.group for one in result.findings if one.fix is not None and one.fix.group}
    kept = [one for one in result.findings if not _is_inside(one, spans) or _is_tied(one, tied)]
    return engine.with_more(replace(result, findings=tuple(kept)), [*more, *_calls(parsed, names, spans, book)])


def _finding(parsed: ParsedFile, item: _Item, book: Rulebook) -> Finding | None:
    """The finding at a function that is left to CUDA; none where its lines hold something else too."""
    use = Use("name", item.name.decode(), item.named, item.whole, certainty="syntax")
    edits = outside_amd(parsed, item.whole)
    made = engine.finding_in(parsed, Hit(RULE, use, {"lacking": _lacking(parsed, item.finding)}), book.rules[RULE])
    return replace(made, fix=Fix(tuple(edits), "safe")) if edits else None


def _lacking(parsed: ParsedFile, finding: Finding) -> str:
    """What HIP lacks: a name, or the PTX of a statement, as it begins."""
    if finding.name:
        return finding.name
    said = _PTX.search(parsed.data, finding.span.start, finding.span.end)
    return (said[1] if said is not None else b"asm").decode("utf-8", "replace")


def _calls(parsed: ParsedFile, names: set[bytes], spans: Sequence[Span], book: Rulebook) -> Iterator[Finding]:
    """The findings where code that HIP compiles names such a function."""
    rule = book.rules.get(CALL)
    for start in parsed.lexed.words(frozenset(names)) if rule is not None and not rule.silent else ():
        if not any(span.start <= start < span.end for span in spans):
            span = Span(start, _NAME.match(parsed.data, start).end())  # type: ignore[union-attr]
            use = parsed.named_use(parsed.data[span.start : span.end].decode(), span)
            yield engine.finding_in(parsed, Hit(CALL, use), book.rules[CALL])


def _is_inside(finding: Finding, spans: Sequence[Span]) -> bool:
    return any(span.start <= finding.span.start < span.end for span in spans)


def _is_tied(finding: Finding, groups: set[str]) -> bool:
    """Whether the fix of a finding goes together with others of its file."""
    return finding.fix is not None and finding.fix.group in groups
