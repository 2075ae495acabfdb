"""The mutex of CUB's caching allocator, locked as older releases of CUB have it: hipCUB's is a `std::mutex`.

A class that derives from the allocator may be declared in another file than its functions are defined in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from cudamigrate.cuda.declarations import declared, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, SourceFile, Span, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, lexed
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import tree_sitter_nodes

RULE = "library/cub-mutex"
_LANGUAGES = ("cuda", "cxx")
_ALLOCATOR = b"CachingDeviceAllocator"
_DERIVED = re.compile(rb"\b(?:class|struct)\s+(\w+)\s*(?:final\s*)?:[^:;{}](?:[^;{}]*\W)?CachingDeviceAllocator\s*[,{]")
_OWN = re.compile(rb"\b(?:class|struct)\s+CachingDeviceAllocator\s*(?:final\s*)?[:{]")
_LOCKED = re.compile(rb"\bmutex\s*\.\s*(Lock|Unlock)(?=\s*\(\s*\))")
_CLASSES = ("class_specifier", "struct_specifier")


def with_cub_mutexes(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each such call."""
    rule = book.rules.get(RULE)
    paths = [one.path for one in results if one.language in _LANGUAGES and one.skip is None]
    locking = [path for path in paths if asked(read, path, _locks)]
    if rule is None or rule.silent or not locking or any(asked(read, path, _defines) for path in paths):
        return list(results)
    derived = {_ALLOCATOR, *(name for path in paths for name in asked(read, path, _derived) or ())}
    more = {path: list(_findings(path, derived, book, read)) for path in locking}
    return [engine.with_more(one, more.get(one.path, ())) for one in results]


def _locks(source: SourceFile) -> bool:
    """Whether a file locks something by the name that CUB has for it."""
    return b"mutex" in source.data and _LOCKED.search(source.data) is not None


def _defines(source: SourceFile) -> bool:
    """Whether a file has a class of its own by the allocator's name."""
    return _ALLOCATOR in source.data and _OWN.search(source.data) is not None


def _derived(source: SourceFile) -> tuple[bytes, ...]:
    """The classes of a file that derive from the allocator."""
    if _ALLOCATOR not in source.data:
        return ()
    return tuple(sorted({match[1] for match in lexed(source).matches(_DERIVED, b"class", b"struct")}))


def _findings(path: str, derived: Set[bytes], book: Rulebook, read: Read) -> Iterator[Finding]:
    """The findings of a file at the mutex of an allocator."""
    source = read(path)
    parsed = None if source is None else cuda.parse(source, frozenset())
    if parsed is None or parsed.problems:
        return
    for match in parsed.lexed.matches(_LOCKED, b"mutex"):
        if parsed.hip(match.start()) is not None or not _is_of_allocator(parsed, match.start(), derived):
            continue
        span, name = Span(*match.span(1)), match[1].decode()
        use = Use("name", name, span, span, (), parsed.scope(span.start), "syntax")
        made = engine.finding_in(parsed, Hit(RULE, use, {"name": name, "lower": name.lower()}), book.rules[RULE])
        yield replace(made, fix=Fix((Edit(span, name.lower().encode()),), "safe"))


def _is_of_allocator(parsed: ParsedFile, at: int, derived: Set[bytes]) -> bool:
    """Whether the name at a place is the member of an allocator: of the class around, or of an object of that type."""
    function, before = parsed.function(at), parsed.lexed.before(at)
    if function is None:
        return False
    root = parsed.tree.root_node
    body = root.descendant_for_byte_range(function.span.start, function.span.end - 1)
    known = dict(declared(body)) if body is not None else {}
    if parsed.lexed.text(before) in (b".", b"->"):
        owner = parsed.lexed.text(parsed.lexed.before(before.start)) if before is not None else b""
        if owner != b"this":
            local = known.get(owner)
            kind = text(local.type) if local is not None else _global(parsed, owner)
            return kind.rpartition(b"::")[2] in derived
    elif b"mutex" in known:
        return False
    return any(name in derived and not own for name, own in _owners(parsed, at, function.name.encode("latin-1")))


def _global(parsed: ParsedFile, name: bytes) -> bytes:
    """The type of a variable or member of the file by a name, as the text shows it; empty for none."""
    found = re.search(rb"\b((?:\w+\s*::\s*)*\w+)\s*[&*]?\s*\b" + re.escape(name) + rb"\s*[;({=]", parsed.data)
    return found[1].replace(b" ", b"") if found is not None else b""


def _owners(parsed: ParsedFile, at: int, function: bytes) -> Iterator[tuple[bytes, bool]]:
    """The classes that a function belongs to, each with whether it has a mutex of its own there."""
    if b"::" in function:
        yield function.split(b"::")[-2], False
    node = parsed.tree.root_node.descendant_for_byte_range(at, at + 1)
    for one in tree_sitter_nodes.ancestors(node) if node is not None else ():
        if one.type in _CLASSES:
            own = re.search(rb"\bmutex\s*;", text(one.child_by_field_name("body")))
            yield text(one.child_by_field_name("name")), own is not None
