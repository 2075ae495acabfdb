"""CMake: tests of a release of CUDA all of whose branches fixes leave without anything: they decide nothing any more.

`if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL 11.2)` around `list(APPEND flags --threads=2)`, whose option is
dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Edit, FileResult, Finding
from cudamigrate.pipeline.own_names import Read
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command

_RULE = "build/cmake-version"
_ADDING = {"list": 2, "string": 2, "add_compile_options": 0, "target_compile_options": 1}
"""Commands that add what they are given, with the number of arguments before that."""
_WORDS = frozenset(("PRIVATE", "PUBLIC", "INTERFACE"))
_OTHER = ("elseif", "else")


def without_emptied(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on such tests."""
    return [_kept(one, read) if any(map(_asks, one.findings)) else one for one in results]


def _asks(finding: Finding) -> bool:
    return finding.rule == _RULE and finding.fix is None


def _kept(result: FileResult, read: Read) -> FileResult:
    fixes = [one.fix for one in result.findings if one.fix is not None and one.automatic]
    edits = sorted({edit for fix in fixes for edit in fix.edits}, key=lambda one: one.span.start)
    source = read(result.path) if edits else None
    if source is None or result.language != "cmake":
        return result
    emptied = [chain for chain in _chains(cmake.read(source.data)) if _is_emptied(source.data, edits, chain)]
    tests = [one.span for chain in emptied for one in chain if one.name in ("if", "elseif")]
    left = tuple(
        one
        for one in result.findings
        if not (_asks(one) and any(test.start <= one.span.start < test.end for test in tests))
    )
    return replace(result, findings=left) if len(left) < len(result.findings) else result


def _chains(found: Sequence[Command]) -> Iterator[list[Command]]:
    """The commands of each conditional from `if` to `endif`, of those that have no other inside."""
    open_: list[Command] = []
    for command in found:
        if command.name == "if":
            open_ = [command]
        elif open_:
            open_.append(command)
            if command.name == "endif":
                yield open_
                open_ = []


def _is_emptied(data: bytes, edits: Sequence[Edit], chain: Sequence[Command]) -> bool:
    """Whether a conditional has commands, and the fixes leave none of them anything to do."""
    inside = [one for one in chain[1:-1] if one.name not in _OTHER]
    return bool(inside) and all(_does_nothing(data, edits, one) for one in inside)


def _does_nothing(data: bytes, edits: Sequence[Edit], command: Command) -> bool:
    words = command.words()
    if command.name == "set":
        return len(words) == 2 and _left(data, edits, command.args[1]) == b"${%b}" % words[0].encode()
    first = _ADDING.get(command.name)
    if first is None or len(words) <= first or (command.name in ("list", "string") and words[0] != "APPEND"):
        return False
    given = [one for one in command.args[first:] if one.text not in _WORDS]
    return bool(given) and not any(_left(data, edits, one) for one in given)


def _left(data: bytes, edits: Sequence[Edit], argument: Argument) -> bytes:
    """What the fixes leave of an argument."""
    made, at = b"", argument.span.start
    for edit in edits:
        if edit.span.end > argument.span.start and edit.span.start < argument.span.end:
            made += data[at : max(at, edit.span.start)] + edit.replacement
            at = max(at, edit.span.end)
    return (made + data[at : max(at, argument.span.end)]).strip()
