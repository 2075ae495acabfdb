"""Constants of the device with a value that host code reads: clang leaves the host's copy of them undefined.

nvcc gives the host the value of a `const` variable for the device, and 0 for any other. clang works out for the host
single numbers, and elements of what is `constexpr`; every other read of it is of memory without a value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.cuda.function_sides import is_for_one_pass
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.words import among
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, SourceFile, Span, Use
from cudamigrate.pipeline.host_reads import HostReads
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, lexed
from cudamigrate.pipeline.sided_functions import SidedFiles
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import tree_sitter_nodes

RULE = "memory/device-constant-on-host"
_LANGUAGES = ("cuda", "cxx")
_REST = rb"(?:[^;{}()]|\([\w\s]*\))*"
_MAY_BE = re.compile(
    rb"(?:\bconst(?:expr)?\b%b\b__(?:constant|device)__|\b__(?:constant|device)__%b\bconst(?:expr)?\b)%b\{"
    % (_REST, _REST, _REST)
)
"""What may be a constant of the device with a list of values."""
_LISTED = rb"(?:\bconst(?:expr)?\b%b\b(?:%b)\b|\b(?:%b)\b%b\bconst(?:expr)?\b)%b[=\]\w]\s*\{"
"""The same where macros qualify it; behind the `const` of a function is its body."""
_DECLARATIONS = tree_sitter_nodes.Kinds("cuda", "declaration")
_STRUCTURES = tree_sitter_nodes.Kinds("cuda", "struct_specifier")
_FIELD = re.compile(rb"\w+(?:\s*\[[^\[\]]*\])*")
_PLAIN = frozenset(("primitive_type", "sized_type_specifier", "type_identifier", "field_identifier", "array_declarator",
                    "qualified_identifier"))  # fmt: skip
"""What a member that is a number has."""
_QUALIFIER = re.compile(rb"\b__(?:constant|device)__\s*")
_SIDES = frozenset((b"__constant__", b"__device__"))
_CONST = frozenset((b"const", b"constexpr"))
_WORD = re.compile(rb"[A-Za-z_]\w*")
_VALUES = re.compile(rb"[\[={]")
_DEFINED = re.compile(rb"([A-Za-z_]\w*)(?!\()\s+((?:__\w+__|static|const|constexpr|inline|\s)+)")
"""A macro that is nothing but qualifiers."""
_FORBIDDEN = (b"extern", b"__managed__", b"__shared__")
_NUMBERS = frozenset(
    b"int float double bool char short long unsigned signed int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t"
    b" uint64_t size_t std uchar ushort uint ulong".split()
)
"""Words of the types of numbers: what such an array begins with is as constant for the host as for the device."""
_BY_SYMBOL = re.compile(rb"\b\w*(?:Symbol|GetGlobal)\w*\s*(?:<[^<>;(){}]*>\s*)?\([^;{}]*")
"""A call that finds a variable of the device, and what it is given."""


class Constant(NamedTuple):
    """A constant of the device in namespace scope: its name, where that is, and how often it has to be indexed.

    `elements` tells that clang knows its elements on the host too, as it is `constexpr`; `numbers`, that it is an array
    of numbers, or of structures with numbers alone, or one such structure, whose declaration is all its own; `start`
    and `end` are those of the declaration.
    """

    name: bytes
    at: int
    rank: int
    elements: bool
    numbers: bool
    start: int
    end: int


def with_device_constants(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each constant of the device whose value host code reads and clang lacks."""
    rule = book.rules.get(RULE)
    if rule is None or rule.silent:
        return list(results)
    code = [one for one in results if one.language in _LANGUAGES and one.skip is None]
    paths = [one.path for one in code]
    macros = dict(one for path in paths for one in asked(read, path, _macros) or ())
    constants = {one.path: found for one in code if (found := _known(one.path, macros, read))}
    if not constants:
        return list(results)
    reads = HostReads(SidedFiles.of(paths, read), {one.path for one in code if one.language == "cuda"}, read)
    more: dict[str, list[Finding]] = {}
    for path, named in constants.items():
        where = {one: place for one in named if (place := reads.first(path, one.name, one.rank, one.elements))}
        more[path] = list(_findings(path, where, paths, book, read)) if where else []
    return [engine.with_more(one, more.get(one.path, ())) for one in results]


def _macros(source: SourceFile) -> tuple[tuple[bytes, frozenset[bytes]], ...]:
    """The macros of a file that qualify a variable for the device in every pass, each with its words."""
    if b"define" not in source.data or not any(side in source.data for side in _SIDES):
        return ()
    made = [(one.start, _DEFINED.fullmatch(one.argument(source.data))) for one in lexed(source).directives
            if one.name == "define"]  # fmt: skip
    found = [(start, match[1], frozenset(match[2].split())) for start, match in made if match is not None]
    if not any(words & _SIDES for _, _, words in found):
        return ()
    parsed = cuda.tokens_alone(source, lexed(source))
    return tuple((name, words) for start, name, words in found if words & _SIDES and not is_for_one_pass(parsed, start))


def _known(path: str, macros: Mapping[bytes, frozenset[bytes]], read: Read) -> list[Constant]:
    """The constants of a file, those too that macros of any file qualify."""
    found = asked(read, path, _constants) or ()
    source = read(path) if macros else None
    named = among(source.data, macros.keys()) if source is not None else ()
    either = b"|".join(sorted(named))
    listed = _LISTED % (_REST, either, either, _REST, _REST)
    if source is None or not named or re.search(listed, source.data) is None:
        return [Constant(*one) for one in found]
    return list(_declared(cuda.parse(replace(source, language="cuda"), frozenset()), macros))


def _constants(source: SourceFile) -> tuple[tuple[bytes, int, int, bool, bool, int, int], ...]:
    """The constants of a file that name the device themselves, as plain values."""
    if b"const" not in source.data or _MAY_BE.search(source.data) is None:
        return ()
    parsed = cuda.parse(replace(source, language="cuda"), frozenset())
    return tuple(tuple(one) for one in _declared(parsed, {}))  # type: ignore[misc]


def _declared(parsed: ParsedFile, macros: Mapping[bytes, frozenset[bytes]]) -> Iterator[Constant]:
    """Declarations for the device in namespace scope that are `const`, by macros too, and have a list of values."""
    for node in _DECLARATIONS.below(parsed.tree.root_node):
        parts = node.children_by_field_name("declarator")
        words = frozenset(_WORD.findall(parsed.data, node.start_byte, _head_end(parsed, parts[0]))) if parts else _CONST
        words = words.union(*(macros[word] for word in words & macros.keys()))
        if words.isdisjoint(_SIDES) or not words.isdisjoint(_FORBIDDEN) or words.isdisjoint(_CONST):
            continue
        start = node.start_byte
        if parsed.function(start) or parsed.hip(start) is not None or is_for_one_pass(parsed, start):
            continue
        for part in parts:
            yield from _constant(parsed, node, part, words)


def _head_end(parsed: ParsedFile, part: Node) -> int:
    """Where the words of a declaration end that are before its sizes and values."""
    match = _VALUES.search(parsed.data, part.start_byte, part.end_byte)
    return part.end_byte if match is None else match.start()


def _constant(parsed: ParsedFile, node: Node, part: Node, words: frozenset[bytes]) -> Iterator[Constant]:
    """What one declarator of a declaration declares, if it has a list of values."""
    value, inner, rank = part.child_by_field_name("value"), part.child_by_field_name("declarator"), 0
    while inner is not None and inner.type == "array_declarator":
        rank, inner = rank + 1, inner.child_by_field_name("declarator")
    if value is None or value.type != "initializer_list" or inner is None or inner.type != "identifier":
        return
    if not rank and value.named_child_count < 2:
        return  # a number in braces may be one of a type with another name
    *_, name = _WORD.finditer(parsed.data, part.start_byte, _head_end(parsed, part))  # a macro may be before it
    kind = node.child_by_field_name("type")
    plain = set(_WORD.findall(kind.text or b"")) if kind is not None else {b""}
    alike = plain <= _NUMBERS if rank else False
    alike = alike or (
        kind is not None and kind.type == "type_identifier" and (kind.text or b"") in parsed.once(_aggregates)
    )
    numbers = alike and len(node.children_by_field_name("declarator")) == 1
    yield Constant(name[0], name.start(), rank, b"constexpr" in words, numbers, node.start_byte, node.end_byte)


def _aggregates(parsed: ParsedFile) -> frozenset[bytes]:
    """The structures that a file defines with numbers as members, arrays of them too, and with nothing else."""
    made: dict[bytes, list[bool]] = {}
    for node in _STRUCTURES.below(parsed.tree.root_node):
        name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
        if name is not None and body is not None:
            plain = all(child in (body, name) for child in node.named_children)
            made.setdefault(name.text or b"", []).append(plain and all(map(_is_number, body.named_children)))
    return frozenset(name for name, kinds in made.items() if kinds == [True])


def _is_number(member: Node) -> bool:
    """Whether a member of a structure is a number or an array of numbers, without a value of its own."""
    if member.type == "comment":
        return True
    kind = member.child_by_field_name("type")
    if member.type != "field_declaration" or kind is None or member.child_by_field_name("default_value") is not None:
        return False
    plain = all(_FIELD.fullmatch(one.text or b"") for one in member.children_by_field_name("declarator"))
    own = {one.type for one in member.named_children} - {"comment"}
    return plain and set(_WORD.findall(kind.text or b"")) <= _NUMBERS and own <= _PLAIN


def _findings(
    path: str, where: dict[Constant, tuple[str, int]], paths: Sequence[str], book: Rulebook, read: Read
) -> Iterator[Finding]:
    """The findings of a file at constants, each with the first place that reads it."""
    source = read(path)
    if source is None:
        return
    for one, (reader, line) in where.items():
        span = Span(one.at, one.at + len(one.name))
        name = one.name.decode("latin-1")
        words = {"name": name, "where": f"line {line}" if reader == path else f"{reader}:{line}"}
        made = engine.finding(
            source, Hit(RULE, Use("name", name, span, span, (), certainty="syntax"), words), book.rules[RULE]
        )
        edits = _without_qualifiers(source, one)
        is_sure = one.numbers and edits and not _is_found_by_name(one.name, paths, read)
        yield replace(made, fix=Fix(edits, "safe"), effort="none") if is_sure else made


def _without_qualifiers(source: SourceFile, one: Constant) -> tuple[Edit, ...]:
    """What makes a constant one of both sides: clang gives device code what is `const` with a constant value."""
    return tuple(Edit(Span(*match.span()), b"") for match in _QUALIFIER.finditer(source.data, one.start, one.at))


def _is_found_by_name(name: bytes, paths: Sequence[str], read: Read) -> bool:
    """Whether a call finds the variable of the device, by itself or by a text, or another file declares it `extern`."""
    quoted, again = b'"' + name + b'"', re.compile(rb"\bextern\b[^;{}()=]*\b" + name + rb"\b")
    for path in paths:
        source = read(path)
        if source is None or name not in source.data:
            continue
        if quoted in source.data or again.search(source.data) is not None:
            return True
        if any(name in re.findall(rb"\w+", match[0]) for match in _BY_SYMBOL.finditer(source.data)):
            return True
    return False
