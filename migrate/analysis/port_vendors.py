"""Macros of other vendors in a port: a third one's, and those that a build refuses without CUDA.

A third vendor's header gives CUDA's names to it where another one gives them to HIP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set

from cudamigrate.lazy_re import re
from cudamigrate.model.port_facts import Conditions, FileEvidence, PortGuard

_OWN = re.compile(r"_*(?!CUDACC|CUDA_(?:ARCH|NO|API))(?:CUDA|NVIDIA)(?!\w*VERSION)\w*")
"""A macro that CUDA's compiler and headers do not have: `__CUDA`, `__NVIDIA_GPU`."""
_SEVERAL = 3
"""So many names that two headers give to different vendors say that they are alternatives."""
_NONE = frozenset[str]()


def is_own(name: str) -> bool:
    """Whether a macro is a project's though it looks like CUDA's, where its build sets it."""
    return _OWN.fullmatch(name) is not None


def others(
    files: Sequence[FileEvidence],
    headers: Sequence[FileEvidence],
    side: Callable[[Conditions], bool | None],
    needed: Callable[[Conditions], list[bytes]],
) -> Iterator[PortGuard]:
    """Macros whose branch includes a header for a third vendor, in a chain where HIP's branch includes its own.

    Both headers at once would contradict each other, so the macro is not set where HIP compiles. `side` tells for whom
    a place is, `needed` which macros it needs.
    """
    hips = {one.path: frozenset(one.aliases) for one in headers if one.aliases}
    thirds = {one.path: frozenset(one.renamed) for one in headers if one.renamed and not one.aliases}
    for file in files if hips and thirds else ():
        given: dict[tuple[object, ...], frozenset[str]] = {}
        for include, conditions in file.guarded:
            if side(conditions) is True:
                given[_chain(conditions)] = given.get(_chain(conditions), _NONE) | _names(include, hips)
        for include, conditions in file.guarded:
            shared = _names(include, thirds) & given.get(_chain(conditions), _NONE)
            names = needed(conditions) if len(shared) >= _SEVERAL else []
            if len(names) == 1:
                line = next((one.line for one in file.branches if one.conditions == conditions), 1)
                reason = f"its branch includes `{include}`, which gives CUDA's names to another vendor"
                yield PortGuard(names[0].decode(), "implies-cuda", file.path, line, reason)


def required(files: Sequence[FileEvidence], marks: Set[bytes], switches: Set[str]) -> Iterator[PortGuard]:
    """Macros of a configured header that a build refuses where what turns CUDA on is not set.

    `marks` are the guards that are known, `switches` the variables that turn CUDA on.
    """
    passed = {name for one in files for name, _, _ in one.configured}
    for file in files:
        for name, other in file.requires:
            cuda = other in switches or not marks.isdisjoint((f"-{other}".encode(), f"!{other}".encode()))
            known = (f"{sign}{name}".encode() for sign in ("", "?", "!", "-"))
            if cuda and name in passed and marks.isdisjoint(known):
                yield PortGuard(name, "implies-cuda", file.path, 1, f"the build refuses it without `{other}`")


def _chain(conditions: Conditions) -> tuple[object, ...]:
    """What the branches of one conditional have in common."""
    return (conditions[:-1], conditions[-1][0])


def _names(include: str, files: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """The names that a file gives which an include means, by the end of its path."""
    return _NONE.union(*(names for path, names in files.items() if f"/{path}".endswith(f"/{include}")))
