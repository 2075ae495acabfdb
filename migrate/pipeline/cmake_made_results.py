"""Calls of a project's own CMake functions that ask for a package's result by a name which they make: `${name}_FOUND`.

`use_package(CUDA)` asks for `CUDA_FOUND`. After the conversion the search for HIP sets `hip_FOUND`, and the function is
for other packages too, so that neither is renamed. In CMake a variable that nobody sets is false without an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.analysis.cmake_endings import placed
from cudamigrate.detection import engine
from cudamigrate.model import FileResult, Finding, Hit, Rule, SourceFile, Use
from cudamigrate.pipeline.own_names import Read
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command

RULE = "build/cmake-made-result"
_PACKAGES = ("CUDA", "CUDAToolkit")
_RESULT = "_FOUND"
_SETS = ("set", "option")
Commands = Mapping[str, Sequence[Command]]


def with_made_results(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding at each such call where every search for the package becomes one for HIP."""
    rule = book.rules.get(RULE)
    files = {one.path: one for one in results if one.language == "cmake" and one.skip is None}
    if rule is None or rule.silent or not files:
        return list(results)
    sources = {path: source for path in files if (source := read(path)) is not None}
    named = {
        path: cmake.read(one.data) for path, one in sources.items() if b"_FOUND" in one.data or b"CUDA" in one.data
    }
    gone = [name for name in _PACKAGES if _is_gone(name, named, files)]
    asking = dict(_asking(named)) if gone else {}
    made = {path: list(_findings(sources[path], named[path], asking, gone, rule)) for path in named if asking}
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


def _is_gone(package: str, named: Commands, files: Mapping[str, FileResult]) -> bool:
    """Whether the tree searches for a package, each search is converted, and nothing sets the result itself."""
    searches = list[bool]()
    for path, commands in named.items():
        edits = [edit.span for one in files[path].findings if one.fix is not None for edit in one.fix.edits]
        for command in commands:
            words = command.words()
            if command.name in _SETS and words[:1] == [f"{package}{_RESULT}"]:
                return False
            if command.name == "find_package" and words[:1] == [package]:
                searches.append(any(command.span.start <= one.start < command.span.end for one in edits))
    return bool(searches) and all(searches)


def _asking(named: Commands) -> Iterator[tuple[str, int]]:
    """The functions and macros that ask for the result of the package that an argument names, with its number."""
    for path, commands in named.items():
        params: dict[tuple[str, str], int] = {}
        for command, scope in placed(path, commands):
            words = command.words()
            params |= {(scope.function, f"${{{param}}}"): at for at, param in enumerate(scope.params)}
            made = [one for one in words[2:3] if command.name == "string" and words[0] == "TOUPPER"]
            if made and (scope.function, words[1]) in params:  # CUDA is in capitals already
                params[scope.function, f"${{{made[0]}}}"] = params[scope.function, words[1]]
            for (function, name), at in params.items():
                if function == scope.function and any(f"{name}{_RESULT}" in word for word in words):
                    yield function, at


def _findings(
    source: SourceFile, commands: Sequence[Command], asking: Mapping[str, int], gone: Sequence[str], rule: Rule
) -> Iterator[Finding]:
    for command in commands:
        at = asking.get(command.name)
        if at is None or len(command.args) <= at or command.args[at].text not in gone:
            continue
        package, span = command.args[at].text, command.args[at].span
        use = Use("name", package, span, span, certainty="syntax")
        words = {"function": command.name, "result": f"{package}{_RESULT}"}
        yield engine.finding(source, Hit(RULE, use, words), rule)
