"""`-Werror` in CMake files whose C++ sources leave a result of HIP's unread.

HIP marks its type of errors `[[nodiscard]]` from C++17 on, CUDA does not: what was no warning before the conversion is
an error after it. Which calls return that type is known by what the conversion makes of their names, and of functions
of the project by the type that they are declared with. What the sources include is followed.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence

from cudamigrate.cuda.include_paths import is_below
from cudamigrate.cuda.unread_results import unread
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, FileResult, Finding, Fix, Hit, Rule, SourceFile, Span, Use
from cudamigrate.pipeline.hip_readers import HipReaders
from cudamigrate.pipeline.host_assembly import HOST_SOURCES
from cudamigrate.pipeline.host_compilers import STRICT, UNREAD
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import lexed
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import cmake, generator_expressions
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.generator_expressions import Stretch

RULE = "build/cmake-unread-results"
_TYPE = b"hipError_t"
_CALL = re.compile(rb"hip[A-Z]\w*")
"""The name of a function of HIP's runtime: those of its libraries return another type."""
_OTHER_TYPES = frozenset((b"hipGetErrorString", b"hipGetErrorName", b"hipCreateChannelDesc", b"hipApiName"))
"""Functions of the runtime that return no error."""
_DECLARED = re.compile(rb"\s*(?:(?!operator\b)\w+\s*::\s*)*(\w+)\s*\(")
"""What follows the type of a function that is declared: its name, maybe with the class before it."""
_GIVE = re.compile(
    r"set|list|string|add_definitions|(?:add|target)_compile_options|set_(?:target_|source_files_)?propert(?:y|ies)"
)
"""Commands that hold or give options."""
_OTHERS = re.compile(r"CMAKE_(?:C|CUDA|HIP|Fortran)_FLAGS\w*|CUDA_\w*FLAGS\w*|HIP_\w*FLAGS\w*")
"""Variables of options that no source of C++ gets, and of those for GPUs, which have a rule of their own."""
_FLAGS = re.compile(r"CMAKE_CXX_FLAGS\w*")
_ENOUGH = re.compile(rb"-Wno-(?:error=)?unused-result|-Wno-error(?![\w=-])")
_NEXT, _PARTS = UNREAD.replace(b" ", b";"), (b" ", b";", b":")
"""The option as the next one of a list, and what an option is parted from the one before it by."""
_TEXT = "COMPILE_FLAGS"
"""The property that is one text of options."""
_ALWAYS = "CMAKE_COMPILE_WARNING_AS_ERROR"
_TRUE = frozenset(("ON", "TRUE", "YES", "Y", "1"))
_STANDARD = re.compile(rb"(?i)(?:CXX_STANDARD|CMAKE_CXX_STANDARD|std=(?:c|gnu)\+\+|cxx_std_)[\s\"]*(\w\w)\b")
_OLD = (b"98", b"03", b"0x", b"11", b"1y", b"14")
"""The standards without attributes that are asked for: before C++17 the type has no mark."""


def with_unread_results(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each option that makes errors of such calls."""
    rule = book.rules.get(RULE)
    files = [one.path for one in results if one.language == "cmake" and one.skip is None]
    texts = {path: source.data for path in files if (source := read(path)) is not None}
    texts = {path: data for path, data in texts.items() if STRICT.search(data) or _ALWAYS.encode() in data}
    if rule is None or rule.silent or not texts or _is_older(read, files):
        return list(results)
    tree = HipReaders({one.path: one for one in results if one.skip is None}, read)
    leaving = _leaving(tree) if tree.with_header else {}
    made = {path: list(_findings(tree, leaving, path, data, rule)) for path, data in texts.items()} if leaving else {}
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


def _is_older(read: Read, files: Iterable[str]) -> bool:
    """Whether all standards that the CMake files name are older than C++17; compilers' own are newer."""
    found = {year for path in files if (source := read(path)) is not None for year in _STANDARD.findall(source.data)}
    numbers = {year for year in found if year[:1].isdigit()}
    return bool(numbers) and numbers <= set(_OLD)


def _leaving(tree: HipReaders) -> dict[str, int]:
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


def _findings(tree: HipReaders, leaving: Mapping[str, int], path: str, data: bytes, rule: Rule) -> Iterator[Finding]:
    """The options of one CMake file that make errors of such calls in sources beside or below it."""
    home = posixpath.dirname(path)
    below = (one for one in tree.paths.paths if one.endswith(HOST_SOURCES[1:]) and is_below(one, home))
    sources = sorted(one for one in below if not leaving.keys().isdisjoint(tree.closure(one)))
    options = list(_options(data)) if sources else []
    for at, edit in options:
        use = Use("option", "-Werror", at, at, certainty="syntax")
        words = {"source": posixpath.basename(sources[0]), "more": _others(len(sources) - 1)}
        made = engine.finding(SourceFile(path, data, "cmake"), Hit(RULE, use, words), rule)
        fix = Fix((edit,), rule.safety) if edit is not None else None
        yield replace(made, fix=fix) if fix is not None else replace(made, support="manual", effort="trivial")


def _options(data: bytes) -> Iterator[tuple[Span, Edit | None]]:
    """Where options for C++ make warnings errors, each with the edit that leaves one out of it."""
    for command in cmake.read(data):
        words = command.words()
        if not words or _GIVE.fullmatch(command.name) is None:
            continue
        name = words[1] if words[0] in ("APPEND", "PREPEND") and words[1:] else words[0]
        if command.name == "set" and name == _ALWAYS and words[1:] and words[1].upper() in _TRUE:
            yield command.args[1].span, None
        if _OTHERS.fullmatch(name) is None and not _ENOUGH.search(data, command.span.start, command.span.end):
            for stretch in generator_expressions.stretches(data, command):
                if not stretch.nvcc:
                    yield from _of_stretch(data, command, stretch, name)


def _of_stretch(data: bytes, command: Command, stretch: Stretch, name: str) -> Iterator[tuple[Span, Edit | None]]:
    """Those in one stretch of a command's options, each with the edit where it is known how options are parted."""
    for match in STRICT.finditer(data, stretch.span.start, stretch.span.end):
        at = Span(*match.span())
        argument = next((one for one in command.args if one.span.start <= at.start < one.span.end), None)
        if argument is not None and (at.start == argument.span.start or data[at.start - 1 : at.start] in _PARTS):
            edit = _in_expression if stretch.inside else _in_text
            yield at, edit(data, argument, at, command, name)


def _in_expression(data: bytes, argument: Argument, at: Span, command: Command, name: str) -> Edit | None:
    """The edit in a generator expression: CMake cuts one that is in no quotes at a `;`, and so it is written again."""
    if argument.quoted:
        return Edit(Span(at.end, at.end), UNREAD if data[at.start - 1 : at.start] == b" " else _NEXT)
    end = argument.span.end
    again = data[argument.span.start : at.start] + UNREAD.strip() + data[at.end : end]
    return Edit(Span(end, end), b" " + again) if not data[at.end : end].strip(b">") else None


def _in_text(data: bytes, argument: Argument, at: Span, command: Command, name: str) -> Edit | None:
    """The edit in a plain argument: of a text options are parted by blanks, of a list by `;` or as arguments."""
    text, end = argument.text, argument.span.end
    is_text = _FLAGS.fullmatch(name) is not None or _TEXT in command.words()
    if not argument.quoted:
        parted = _NEXT if ";" in text else UNREAD
        return None if is_text else Edit(Span(at.end, at.end), parted)
    if is_text or command.name == "string" or " " in text.strip() or ";" in text:
        return Edit(Span(at.end, at.end), _NEXT if ";" in text and " " not in text else UNREAD)
    listed = command.name.endswith(("compile_options", "add_definitions")) and at == argument.span
    return Edit(Span(end + argument.around, end + argument.around), UNREAD) if listed else None


def _others(count: int) -> str:
    return "" if not count else f" and {count} other source{'s' if count > 1 else ''}"
