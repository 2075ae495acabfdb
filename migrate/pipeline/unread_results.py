"""Which files of a tree leave a result of HIP's unread, and which sources the host's compiler reads them with.

HIP marks its type of errors `[[nodiscard]]` from C++17 on, CUDA does not: what was no warning before the conversion is
one after it, and an error where warnings are. Which calls return that type is known by what the conversion makes of
their names, and of functions of the project by the type that they are declared with.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from cudamigrate.cuda.unread_results import unread
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline.hip_readers import HipReaders
from cudamigrate.pipeline.host_assembly import HOST_SOURCES
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed

ENOUGH = re.compile(rb"-Wno-(?:error=)?unused-result|-Wno-error(?![\w=-])")
"""What keeps such calls warnings, or says nothing of them."""
_TYPE = b"hipError_t"
_CALL = re.compile(rb"hip[A-Z]\w*")
"""The name of a function of HIP's runtime: those of its libraries return another type."""
_OTHER_TYPES = frozenset((b"hipGetErrorString", b"hipGetErrorName", b"hipCreateChannelDesc", b"hipApiName"))
"""Functions of the runtime that return no error."""
_DECLARED = re.compile(rb"\s*(?:(?!operator\b)\w+\s*::\s*)*(\w+)\s*\(")
"""What follows the type of a function that is declared: its name, maybe with the class before it."""
_STANDARD = re.compile(rb"(?i)(?:CXX_STANDARD|CMAKE_CXX_STANDARD|std=(?:c|gnu)\+\+|cxx_std_)[\s\"]*(\w\w)\b")
_OLD = (b"98", b"03", b"0x", b"11", b"1y", b"14")
"""The standards without attributes that are asked for: before C++17 the type has no mark."""


def is_older(texts: Iterable[bytes]) -> bool:
    """Whether all standards that build files name are older than C++17; compilers' own are newer."""
    found = {year for data in texts for year in _STANDARD.findall(data)}
    numbers = {year for year in found if year[:1].isdigit()}
    return bool(numbers) and numbers <= set(_OLD)


def with_calls(tree: HipReaders, leaving: Mapping[str, int], sources: Iterable[str]) -> list[str]:
    """Those of the sources that have such a call, or read a file with one, sorted."""
    hosts = (one for one in dict.fromkeys(sources) if one.endswith(HOST_SOURCES[1:]))
    return sorted(one for one in hosts if not leaving.keys().isdisjoint(tree.closure(one)))


def texts(results: Iterable[FileResult], languages: Collection[str], read: Read) -> dict[str, bytes]:
    """The texts of the build files of some languages, by path."""
    files = (one.path for one in results if one.language in languages and one.skip is None)
    return {path: source.data for path in files if (source := read(path)) is not None}


def finding(
    file: SourceFile, rule_id: str, at: Span, sources: Sequence[str], rule: Rule, edit: Edit | None = None
) -> Finding:
    """What says that an option of a build file makes errors of the calls in sources; `edit` keeps them warnings."""
    more = len(sources) - 1
    words = {
        "source": posixpath.basename(sources[0]),
        "more": "" if not more else f" and {more} other source{'s' if more > 1 else ''}",
    }
    use = Use("option", "-Werror", at, at, certainty="syntax")
    made = engine.finding(file, Hit(rule_id, use, words), rule)
    fix = Fix((edit,), rule.safety) if edit is not None else None
    return replace(made, fix=fix) if fix is not None else replace(made, support="manual", effort="trivial")


def leaving(tree: HipReaders) -> dict[str, int]:
    """The files with such a call, each with where the first is."""
    renamed = {path: dict(_renamed(one)) for path, one in tree.results.items() if one.language in ("cuda", "cxx")}
    renamed = {path: found for path, found in renamed.items() if found}
    own = {name for path, found in renamed.items() for name in _declared(tree, path, found)}
    found = dict[str, int]()
    for path in tree.paths.paths:
        source = tree.read(path) if path in renamed or own else None
        if source is None:
            continue
        tokens, names = lexed(source), renamed.get(path, {})
        places = [at for at, name in names.items() if _CALL.fullmatch(name) and name not in _OTHER_TYPES]
        places += [at for name in own for at in tokens.places(name)]
        first = min(unread(tokens, places), default=-1)
        if first >= 0:
            found[path] = first
    return found


def _renamed(result: FileResult) -> Iterator[tuple[int, bytes]]:
    """Where a safe fix writes a name of HIP's in the place of one of CUDA's, and the name."""
    for finding in result.findings:
        for edit in finding.fix.edits if finding.fix is not None and finding.fix.safety == "safe" else ():
            if edit.replacement == _TYPE or _CALL.fullmatch(edit.replacement):
                yield edit.span.start, edit.replacement


def _declared(tree: HipReaders, path: str, renamed: Mapping[int, bytes]) -> Iterator[bytes]:
    """The functions that a file declares with the type."""
    source = tree.read(path)
    for at in (at for at, name in renamed.items() if name == _TYPE and source is not None):
        token = lexed(source).token(at) if source is not None else None
        match = _DECLARED.match(source.data, token.end) if source is not None and token is not None else None
        if match is not None:
            yield match[1]
