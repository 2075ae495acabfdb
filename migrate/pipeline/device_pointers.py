"""Offsets added to members and variables that are device pointers of the driver API, which another file may declare.

`CUdeviceptr` is an integer and `hipDeviceptr_t` is `void *`. The detector follows variables of one file; the type of a
member is known where all classes of the repository that have a member of the name say the same, or all that are called
as the type of the variable that it is asked of. So is that of a variable outside of functions, in a file that reads its
declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from tree_sitter import Node

from cudamigrate.analysis.device_pointers import CAST, NUMBER, OFFSET, STEP, moved
from cudamigrate.cuda import declarations
from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.words import among
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, include_graph
from cudamigrate.rulebase.code_rules import Rulebook

_RULES = (OFFSET, NUMBER, STEP)
_ALL = frozenset((*_RULES, CAST))
_LANGUAGES = ("cuda", "cxx")
_TYPE = b"CUdeviceptr"
_MEMBER = re.compile(rb"(?<![\w.>:*&])(?P<of>(?:[A-Za-z_]\w*(?:\.|->))*)(?P<name>[A-Za-z_]\w*)(?![\w(:])")
"""A member of a variable, or a name alone: `part->start`, `start`."""
_CLASSES = ("class_specifier", "struct_specifier")


def with_device_pointers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding where a member or variable of the type is calculated with."""
    rules = [book.rules.get(rule) for rule in _RULES]
    if any(rule is None or rule.silent for rule in rules):
        return list(results)
    if not any(_is_type(one) for each in results for one in each.findings):
        return list(results)  # most trees: no file is read for it
    files = [one.path for one in results if one.language in _LANGUAGES and one.skip is None]
    members, outside = _agreed(files, _fields, read), _agreed(files, _globals, read)
    typed = _agreed(files, _class_fields, read)
    naming = {path for path in files if _names(path, {*members, *outside, *map(_last, typed)}, read)}
    if not naming:
        return list(results)
    known = _Known(members, typed, outside, _declaring(files, outside, read), include_graph(read, files, every=True))
    return [_found(one, known, book, read) if one.path in naming else one for one in results]


@dataclass(frozen=True, slots=True)
class _Known:
    """The members and the variables outside of functions that are device pointers, and which files declare those.

    `typed` are members of the classes of one name: `Buffer.start`.
    """

    members: AbstractSet[bytes]
    typed: AbstractSet[bytes]
    outside: AbstractSet[bytes]
    declaring: Mapping[bytes, frozenset[str]]
    graph: IncludeGraph

    def seen(self, path: str) -> set[bytes]:
        """The variables whose declaration a file reads that does not have it itself."""
        read = self.graph.below((path,)) - {path}
        return {name for name in self.outside if not self.declaring[name].isdisjoint(read)}


_Declared = Callable[[str, Read], Iterable[tuple[bytes, bool]]]
_Typed = tuple[tuple[bytes, bool], ...]
_Names = tuple[_Typed, _Typed, _Typed]
_NOTHING: _Names = ((), (), ())


def _agreed(files: Sequence[str], of: _Declared, read: Read) -> set[bytes]:
    """The names of which all declarations in some files say that they are device pointers."""
    found = set[bytes]()
    for path in (path for path in files if _names(path, {_TYPE}, read)):
        found |= {name for name, is_pointer in of(path, read) if is_pointer}
    for path in (path for path in files if _names(path, set(map(_last, found)), read)):
        found -= {name for name, is_pointer in of(path, read) if not is_pointer}
    return found


def _last(name: bytes) -> bytes:
    """The name of a member behind that of its class."""
    return name.rpartition(b".")[2]


def _declaring(files: Sequence[str], names: set[bytes], read: Read) -> dict[bytes, frozenset[str]]:
    """The files that declare each of some variables outside of functions."""
    found: dict[bytes, set[str]] = {name: set() for name in names}
    for path in (path for path in files if _names(path, names, read)):
        for name, _ in _globals(path, read):
            if name in found:
                found[name].add(path)
    return {name: frozenset(paths) for name, paths in found.items()}


def without_own_pointers(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results, without findings about device pointers where the type of their name is the project's own.

    There nothing is found any more at the name that the file has.
    """
    return [_without(one) if _is_own_type(one, read) else one for one in results]


def _is_own_type(result: FileResult, read: Read) -> bool:
    if not any(one.rule in _ALL for one in result.findings) or any(_is_type(one) for one in result.findings):
        return False
    return _names(result.path, {_TYPE}, read)


def _is_type(finding: Finding) -> bool:
    return finding.name == _TYPE.decode()


def _without(result: FileResult) -> FileResult:
    return replace(result, findings=tuple(one for one in result.findings if one.rule not in _ALL))


def _names(path: str, words: set[bytes], read: Read) -> bool:
    """Whether a file has one of some words."""
    source = read(path) if words else None
    return source is not None and bool(among(source.data, words))


def _fields(path: str, read: Read) -> Iterable[tuple[bytes, bool]]:
    """The members of all classes of a file, and whether each is a device pointer itself."""
    return (asked(read, path, _declared) or _NOTHING)[0]


def _class_fields(path: str, read: Read) -> Iterable[tuple[bytes, bool]]:
    """The same, each behind the name of its class."""
    return (asked(read, path, _declared) or _NOTHING)[1]


def _globals(path: str, read: Read) -> Iterable[tuple[bytes, bool]]:
    """The variables of a file outside of functions and classes, and whether each is a device pointer itself."""
    return (asked(read, path, _declared) or _NOTHING)[2]


def _declared(source: SourceFile) -> _Names:
    """All three of a file, as plain values."""
    root = _parsed(source).tree.root_node
    return (
        tuple((name, _is_pointer(local)) for name, local in declarations.fields(root)),
        tuple((b"%s.%s" % (of, name), _is_pointer(local)) for of, name, local in declarations.class_fields(root)),
        tuple((name, _is_pointer(local)) for name, local in declarations.outside(root)),
    )


def _is_pointer(local: declarations.Local) -> bool:
    return _TYPE in local.words and not local.rank


def _parsed(source: SourceFile) -> ParsedFile:
    return cuda.parse(replace(source, language="cuda"), frozenset())


def _found(result: FileResult, names: _Known, book: Rulebook, read: Read) -> FileResult:
    source = read(result.path)
    if source is None:
        return result
    known = {one.span for one in result.findings if one.rule in _RULES}
    seen = names.seen(result.path)
    more = [one for one in _findings(_parsed(source), names, seen, book) if one.span not in known]
    return engine.with_more(result, more)


def _findings(parsed: ParsedFile, known: _Known, seen: AbstractSet[bytes], book: Rulebook) -> Iterator[Finding]:
    named = frozenset((*known.members, *seen, *map(_last, known.typed)))
    for match in parsed.lexed.matches(_MEMBER):
        name, at = match["name"], match.start()
        if name not in named or parsed.problems or parsed.hip(at) is not None:
            continue
        hit = moved(parsed, *match.span())
        if hit is None:
            continue
        is_member = name in known.members and (match["of"] or _is_own(parsed, at, name))
        is_member = is_member or _class_of(parsed, at, match["of"]) + b"." + name in known.typed
        if is_member or (name in seen and not match["of"] and _is_outside(parsed, at, name)):
            yield engine.finding_in(parsed, hit, book.rules[hit.rule])


def _class_of(parsed: ParsedFile, offset: int, path: bytes) -> bytes:
    """The class of the one variable that a member is asked of, as the function around declares it; empty if unknown."""
    variable = re.fullmatch(rb"(\w+)(?:\.|->)", path)
    around = parsed.nodes_around(offset, offset + 1) if variable is not None else ()
    function = next((one for one in around if one.type == "function_definition"), None)
    if variable is None or function is None:
        return b""
    kinds = {declarations.class_name(one.type) for name, one in declarations.declared(function) if name == variable[1]}
    return kinds.pop() if len(kinds) == 1 else b""


def _is_outside(parsed: ParsedFile, offset: int, name: bytes) -> bool:
    """Whether a name alone in a function is no variable of that, and no member of a class around it."""
    around = parsed.nodes_around(offset, offset + len(name))
    function = next((one for one in around if one.type == "function_definition"), None)
    if function is None or any(known == name for known, _ in declarations.declared(function)):
        return False
    return not any(one.type in _CLASSES for one in around) and not _is_qualified(function)


def _is_own(parsed: ParsedFile, offset: int, name: bytes) -> bool:
    """Whether a name alone is a member: it is in a method, which declares no variable of that name."""
    around = parsed.nodes_around(offset, offset + len(name))
    function = next((one for one in around if one.type == "function_definition"), None)
    if function is None or any(known == name for known, _ in declarations.declared(function)):
        return False
    return any(one.type in _CLASSES for one in around) or _is_qualified(function)


def _is_qualified(function: Node) -> bool:
    """Whether a function is defined outside of its class: `int Pool::size()`."""
    inner = function.child_by_field_name("declarator")
    while inner is not None and inner.type != "function_declarator":
        inner = inner.child_by_field_name("declarator") or next(iter(inner.named_children), None)
    name = inner.child_by_field_name("declarator") if inner is not None else None
    return name is not None and name.type == "qualified_identifier"
