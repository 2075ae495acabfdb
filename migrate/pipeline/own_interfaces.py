"""A library's C functions that the repository itself defines: it is the library, and uses no other's.

Names of such a library have no namespace and no folder: what a file declares tells whose they are. A repository that
defines functions of it, and declares most of what its files use, is the library; one that has a copy of its headers, or
a function in its place for tests, is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, SourceFile
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked

_CODE = ("cuda", "cxx")
_NAME = re.compile(r"[A-Za-z_]\w*")
_FUNCTION = re.compile(rb"\b([A-Za-z_]\w*)\s*\((?:[^(){};]|\([^(){};]*\))*\)\s*(?:noexcept\s*)?\{")
_TYPE = re.compile(
    rb"\b(?:struct|class|union|enum(?:\s+class)?)\s+(\w+)\s*[:{]|\busing\s+(\w+)\s*=|\btypedef\b[^;{}]*\b(\w+)\s*;"
    rb"|\}\s*(\w+)\s*;"
)
_WORDS = (b"while", b"switch", b"catch", b"return", b"for", b"if")
Names = frozenset[str]


def without_own_interfaces(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings that have no fix on a library whose functions the repository itself defines."""
    shown = {one: name for result in results for one, name in _shown(result, read)}
    used: dict[str, set[str]] = {}
    for one, name in shown.items():
        used.setdefault(one.rule, set()).update([name] if _NAME.fullmatch(name) else [])
    names = frozenset(name for found in used.values() for name in found)
    if not names:
        return list(results)
    functions, declared = _declared(results, read, names)
    own = {rule for rule, found in used.items() if functions & found and 2 * len(declared & found) > len(found)}
    paths = tuple(f"/{one.path}" for one in results) if own else ()
    left = frozenset(
        one for one, name in shown.items() if one.rule in own and (name in declared or _is_there(name, paths))
    )
    return [_without(one, left) for one in results]


def _shown(result: FileResult, read: Read) -> Iterator[tuple[Finding, str]]:
    """The findings on libraries that have no fix, each with what the file shows there."""
    found = [one for one in result.findings if one.group == "library" and one.fix is None]
    source = read(result.path) if found else None
    for one in found if source is not None else ():
        yield one, "" if source is None else source.text(one.span).strip('<>"')


def _declared(results: Sequence[FileResult], read: Read, names: Names) -> tuple[Names, Names]:
    """The functions among some names that files define, and all of the names that they do."""
    code = [one.path for one in results if one.language in _CODE and one.skip is None]
    found = [each for path in code if (each := asked(read, path, _defines)) is not None]
    functions = frozenset[str]().union(*(one[0] & names for one in found))
    return functions, functions.union(*(one[1] & names for one in found))


def _defines(source: SourceFile) -> tuple[Names, Names]:
    """The functions and the types that a file defines, each with its body."""
    made = frozenset(match[1].decode("latin-1") for match in _FUNCTION.finditer(source.data) if match[1] not in _WORDS)
    return made, frozenset(_types(source.data))


def _types(data: bytes) -> Iterator[str]:
    for found in _TYPE.findall(data):
        yield from (name.decode("latin-1") for name in found if name)


def _without(result: FileResult, left: frozenset[Finding]) -> FileResult:
    kept = tuple(one for one in result.findings if one not in left) if left else result.findings
    return result if len(kept) == len(result.findings) else replace(result, findings=kept)


def _is_there(name: str, paths: tuple[str, ...]) -> bool:
    """Whether a header that an include names is in the repository."""
    return "." in name and any(path.endswith(f"/{name}") for path in paths)
