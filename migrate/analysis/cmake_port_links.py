"""CMake: libraries of CUDA's that a file with a choice of HIP links for HIP too.

They are linked in no branch at all, or in one whose condition is that of a branch which enables HIP.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.analysis import cmake_flow, cmake_library_names
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import cmake
from cudamigrate.syntax.cmake import Command

USE = "CUDA library linked for both"
"""The name of the use that stands for such a library."""
_TARGET = re.compile(r"CUDA::\w+")


def uses(found: Sequence[Command]) -> Iterator[tuple[str, Span, Command]]:
    """The name, place and command of each; none of a file that leaves early, which may not come to them."""
    around, of = cmake.branches(found), cmake.conditionals(found)
    heads = {one.span: one for one in found}
    both = {around[one.span][-1] for one in found if cmake.enables(one, "CUDA") and around[one.span]}
    chosen = {around[one.span][-1] for one in found if cmake_flow.compiles_for_hip(one) and around[one.span]} - both
    if not chosen or any(one.name == "return" for one in found):
        return
    hips = {_condition(heads[head], heads, of) for head in chosen}
    own = {one.args[0].text for one in found if one.name == "add_library" and one.args}
    for command in found:
        if command.name not in cmake_library_names.LINKS:
            continue
        if all(_condition(heads[head], heads, of) in hips for head in around[command.span]):
            for argument in command.args[command.name != "link_libraries" :]:
                if argument.text not in own and _is_cudas(argument.text):
                    yield USE, argument.span, command


def _is_cudas(word: str) -> bool:
    known = cmake_library_names.FOUND.fullmatch(word) is not None and not word.startswith("lib") and "." not in word
    return known or _TARGET.fullmatch(word) is not None


def _condition(head: Command, heads: Mapping[Span, Command], of: Mapping[Span, Span]) -> tuple[str, ...]:
    """What tells a branch from others: its condition, or that of the `if` whose other branch it is."""
    if head.name == "else" and head.span in of:
        return ("else", *heads[of[head.span]].words())
    return ("if" if head.name == "elseif" else head.name, *head.words())
