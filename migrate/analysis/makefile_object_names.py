"""Names of what commands of Makefiles make and take, with `*` for what is not known of one: whether two may be one.

What a pattern rule makes is known by the files that there are: `%.o: %.cu` makes no object of a `.cpp`.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Set


def made(names: Set[str], taken: Set[str], files: Set[str]) -> set[str]:
    """The names that a command makes, with those that its pattern gives in place of the pattern, `*.o`.

    `taken` are the patterns or names of its inputs, `files` the names of the files of the tree, without folders. A
    pattern that no file fits stays: its sources may be written by the build.
    """
    endings = [name[1:] for name in taken if name.startswith("*.")]
    stems = {name.removesuffix(endings[0]) for name in files if name.endswith(endings[0])} if len(endings) == 1 else ()
    if not stems:
        return set(names)
    return {stem + name[1:] if name.startswith("*") else name for name in names for stem in stems}


def meet(some: set[str], others: set[str]) -> bool:
    """Whether a name of one set may be one of the other."""
    return any(may_be(_any(one), _any(other)) for one in some for other in others)


def _any(name: str) -> str:
    return name.partition(")")[2] if name.startswith("(") else name


def may_be(one: str, other: str) -> bool:
    """Whether two names, each with `*` for what is not known of it, may be one."""
    if "*" in one and "*" in other:
        ends = one.rpartition("*")[2], other.rpartition("*")[2]
        return ends[0].endswith(ends[1]) or ends[1].endswith(ends[0])
    return fnmatch.fnmatchcase(one, other) or fnmatch.fnmatchcase(other, one)
