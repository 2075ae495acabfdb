"""A library of CUDA in a list of libraries -> the target named, and the `find_package` that brings it.

The package is looked for beside `find_package` of CUDA, where the file has it, else where the file enables the
language CUDA, else before the command that links.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from cudamigrate.analysis import cmake_left, cmake_search_places, cmake_tree
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Argument, Command
from cudamigrate.syntax.project_file import ProjectFile

_CUDA = ("CUDA", "CUDAToolkit")
_ALSO = {"nccl": "rccl", "thrust": "rocthrust", "cccl": "rocthrust", "cub": "hipcub"}
"""Packages that are looked for by another name once the file is converted."""
_LINKS = ("target_link_libraries", "link_libraries", "list", "set")
_EMPTYING, _FOLDERS = ("set", "unset"), ("link_directories", "target_link_directories")
_LINKING = ("cuda_add_cublas_to_target", "cuda_add_cufft_to_target")
"""FindCUDA's commands that link a target with one library, and with what follows it to all of its targets."""
_KEYWORD = "CUDA_LINK_LIBRARIES_KEYWORD"
"""The variable in which a file says how FindCUDA links: `PUBLIC`."""


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """False for a target that the project makes itself under such a name, and for a variable that has got its value.

    A command that empties a variable links nothing, and one that lists folders looks in no library.
    """
    command = cmake.command_at(parsed, use.span.start)
    if command is None or (command.name == "target_link_libraries" and command.args[0].span == use.span):
        return False  # the target itself
    if command.name in _FOLDERS or (command.name in _EMPTYING and len(command.args) == 1):
        return False
    if cmake_left.found_library(command) is not None and command.args[0].span == use.span:
        return False  # the variable that gets it
    return command.name != "add_library" and _is_first(parsed, use)


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The new name and the line that finds its package; `words` are the target and the package.

    More pairs may follow: the sources of the tree may use several libraries in place of one.
    """
    command = cmake.command_at(parsed, use.span.start)
    if use.name in parsed.once(_changed) and words[0] != "drop":
        return _given(parsed, use, words)
    if command is not None and command.name in _LINKING and command.at == use.span and command.args:
        end = Span(command.args[0].outer.end, command.args[0].outer.end)
        keyword = f" ${{{_KEYWORD}}}" if _KEYWORD.encode() in parsed.data else ""
        named = [Edit(command.at, b"target_link_libraries"), Edit(end, f"{keyword} {words[0]}".encode())]
        return [*named, *_found(parsed, command, words[1:2])]
    if command is not None and cmake_left.found_library(command) is not None:
        return _set(parsed, command, words)
    if command is None or command.name not in _LINKS:
        return []
    argument = next(one for one in command.args if one.span.start <= use.span.start < one.span.end)
    if use.name.startswith("CUDA_") and argument.text != f"${{{use.name}}}":
        return []  # a variable in a path, or one that is set
    if parsed.data.startswith(b"${", use.span.end):
        return []  # the rest of the name is in a variable: `CUDA::cublas${static_suffix}`
    whole = argument.span if use.name.startswith("CUDA_") else use.span
    if words[0] == "drop" or _is_linked(parsed, command, argument, words[0]):
        return _taken_out(parsed.data, command, use, argument)
    packages = cmake_tree.needed(parsed, words[1::2])
    if len(packages) > 1 and argument.text != use.name:
        return []  # in an expression of which it is one word
    targets = [words[words.index(package) - 1] for package in packages]
    return [Edit(whole, " ".join(targets).encode()), *_found(parsed, command, packages)]


def _set(parsed: ProjectFile, command: Command, words: Sequence[str]) -> list[Edit]:
    """A command that looks for a library and puts it into the cache -> one that puts the target there, or nothing."""
    target = b'""' if words[0] == "drop" else words[0].encode()
    library, last = command.args[1].outer, command.args[2].outer
    more = [Edit(Span(last.end, command.args[-1].outer.end), b"")] if command.args[3:] else []
    named = [Edit(command.at, b"set"), Edit(library, target + b" CACHE STRING")]
    return [*named, *more, *(_found(parsed, command, words[1:2]) if words[0] != "drop" else ())]


def _taken_out(data: bytes, command: Command, use: Use, argument: Argument) -> list[Edit]:
    """A library goes with what parts it from that before it, also within a list in one argument; none elsewhere."""
    if ";" in argument.text:
        parted = data[use.span.start - 1 : use.span.start] == b";"
        return [Edit(Span(use.span.start - 1, use.span.end), b"")] if parted else []
    before = next((one.outer.end for one in reversed(command.args) if one.span.end < argument.span.start), None)
    alone = argument.text == data[use.span.start : use.span.end].decode() or not argument.quoted
    blank = before is not None and alone and not data[before : argument.outer.start].strip()
    return [Edit(Span(before, argument.outer.end), b"")] if before is not None and blank else []


def _changed(parsed: ProjectFile) -> frozenset[str]:
    """FindCUDA's variables that the file itself makes longer: what uses them means the project's libraries too."""
    found = cmake.commands(parsed)
    longer = {
        one.args[1].text for one in found if one.name == "list" and one.words()[:1] == ["APPEND"] and one.args[1:]
    }
    longer |= {one.args[0].text for one in found if one.name == "set" and f"${{{one.words()[0]}}}" in one.words()[1:]}
    return frozenset(name for name in longer if name.startswith("CUDA_"))


def _is_first(parsed: ProjectFile, use: Use) -> bool:
    """Whether a use is the first of its name, where the variable is given its value once for all."""
    return use.name not in parsed.once(_changed) or use == next(one for one in parsed.uses if one.name == use.name)


def _given(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """A line after the search for CUDA that gives the variable what FindCUDA would; all else stays as it is."""
    toolkit = next((one for one in _searches(parsed) if one.args[0].text in _CUDA), None)
    if toolkit is None or toolkit.span.start > use.span.start:
        return []
    line = cmake.line_end(parsed.data) + cmake.indent(parsed.data, toolkit.span.start)
    end = Span(toolkit.span.end, toolkit.span.end)
    more = [one for one in words[1:2] if one != "hip"]  # which the search for CUDA becomes
    return [*_found(parsed, toolkit, more), Edit(end, line + f"set({use.name} {words[0]})".encode())]


def _is_linked(parsed: ProjectFile, command: Command, argument: Argument, target: str) -> bool:
    """Whether an argument before it becomes the same target: CUDA has two libraries where HIP has one.

    A condition in the same argument, `$<$<TARGET_EXISTS:CUDA::nvToolsExt>:CUDA::nvToolsExt>`, links none.
    """
    names = {one.text for one in command.args if one.span.start < argument.span.start}
    starts, uses = parsed.once(_in_order)
    before = uses[bisect_left(starts, command.span.start) : bisect_left(starts, argument.span.start)]
    rules = [parsed.rule(one) for one in before] if parsed.rule is not None else []
    return target in names or any(rule is not None and rule.change.text[:2] == ("cmake_link", target) for rule in rules)


def _in_order(parsed: ProjectFile) -> tuple[list[int], list[Use]]:
    """The uses in the order of the file, with where they start."""
    uses = sorted(parsed.uses, key=lambda one: one.span.start)
    return [one.span.start for one in uses], uses


def _searches(parsed: ProjectFile) -> list[Command]:
    """The commands that look for packages."""
    return [one for one in cmake.commands(parsed) if one.name in cmake.SEARCHES and one.args]


def _found(parsed: ProjectFile, command: Command, packages: Sequence[str]) -> list[Edit]:
    """The lines that look for packages, none for those that are looked for already."""
    earlier = parsed.once(_searches)
    names = {_ALSO.get(one.args[0].text.lower(), one.args[0].text) for one in earlier}
    if any(one.args[0].text == "CCCL" for one in earlier):
        names |= parsed.cmake.packages
    toolkit = next((one for one in earlier if one.args[0].text in _CUDA and one.span.start < command.span.start), None)
    found = toolkit is not None or parsed.cmake.finds
    packages = [one for one in packages if one not in names and not (one == "hip" and found)]
    if not packages:
        return []
    if toolkit is None:
        return list(cmake_search_places.edits(parsed, command, packages))
    end = cmake.line_end(parsed.data)
    kept = " REQUIRED" if "REQUIRED" in toolkit.words() else ""
    blanks = cmake.indent(parsed.data, toolkit.span.start)
    at = Span(toolkit.span.end, toolkit.span.end)
    return [Edit(at, end + blanks + f"find_package({one}{kept})".encode()) for one in packages]
