"""What libraries say of warps, read from `rules/warp-facts`: constants, arguments that are widths, votes, barriers.

A name is a fact only where the file shows that it is the library's: by an include, a namespace or an alias.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cudamigrate.cuda.parsed_file import Include
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.shipped_data import kept, rules_folder, stamp


@dataclass(frozen=True, slots=True)
class Library:
    """One file of facts. `widths` gives for a name which argument is the number of lanes, counted from 1,
    `functions` what our headers have in place of one that goes by the wave, `fixed` constants that no GPU changes, and
    `unqualified` names that others may give a meaning of their own, as they are in no namespace. `stripes` are what
    arranges items by the wave of the GPU, `whole_waves` classes whose blocks have full waves by some algorithms, with
    the arguments that are the sizes of the block. `on_waves` are device functions that work on the wave of the GPU by
    themselves, with their headers and namespaces. `computes` are functions that give the same for the same arguments.
    """

    name: str
    headers: tuple[str, ...]
    namespaces: tuple[str, ...]
    constants: Mapping[str, int] = field(default_factory=dict)
    widths: Mapping[str, int] = field(default_factory=dict)
    votes: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    barriers: Mapping[str, str] = field(default_factory=dict)
    waits: Mapping[str, str] = field(default_factory=dict)
    waiting: Mapping[str, Sequence[str]] = field(default_factory=dict)
    atomics: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, str] = field(default_factory=dict)
    exchanges: Mapping[str, Sequence[str]] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)
    computes: tuple[str, ...] = ()
    works: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()
    fixed: Mapping[str, int] = field(default_factory=dict)
    unqualified: tuple[str, ...] = ()
    stripes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    whole_waves: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    on_waves: Mapping[str, Sequence[str]] = field(default_factory=dict)


def _files() -> list[Path]:
    return sorted((rules_folder() / "warp-facts").glob("*.toml"))


def tables() -> list[dict[str, Any]]:
    """The files of facts as they are."""
    import tomli  # what is kept does without

    return [tomli.loads(path.read_text("utf-8")) for path in _files()]


@cache
def libraries() -> Mapping[str, Library]:
    """The libraries by name. Raises RuleError where the rules are missing."""
    found = {}
    for read in kept("warp-facts", "", lambda: "\n".join(map(stamp, _files())), tables):
        found[read["library"]] = Library(
            read["library"],
            tuple(read.get("headers", ())),
            tuple(read.get("namespaces", ())),
            read.get("constants", {}),
            read.get("widths", {}),
            read.get("votes", {}),
            read.get("kinds", {}),
            read.get("barriers", {}),
            read.get("waits", {}),
            read.get("waiting", {}),
            read.get("atomics", {}),
            read.get("results", {}),
            read.get("groups", {}),
            read.get("exchanges", {}),
            read.get("functions", {}),
            tuple(read.get("computes", {}).get("names", ())),
            tuple(read.get("works", {}).get("names", ())),
            tuple(read.get("works", {}).get("instructions", ())),
            read.get("fixed", {}),
            tuple(read.get("unqualified", ())),
            {name: tuple(listed) for name, listed in read.get("stripes", {}).items()},
            {name: tuple(listed) for name, listed in read.get("whole_waves", {}).items()},
            read.get("on_waves", {}),
        )
    return found


@cache
def constants() -> Mapping[str, int]:
    """What constants of libraries are in CUDA, by name."""
    return {name: value for library in libraries().values() for name, value in library.constants.items()}


def fixed(includes: Sequence[Include]) -> frozenset[bytes]:
    """Constants of libraries that are the same on every GPU, for a file that includes a header of theirs."""
    known = [one for one in libraries().values() if one.fixed]
    seen = (one for one in known if any(include.path.startswith(one.headers) for include in includes))
    return frozenset(name.encode() for one in seen for name in one.fixed)


def unseen(includes: Sequence[Include]) -> frozenset[str]:
    """Names without a namespace of libraries whose headers a file does not include: what it calls so is its own."""
    paths = [include.path for include in includes]
    found = libraries().values()
    known = {name for one in found if any(path.startswith(one.headers) for path in paths) for name in one.unqualified}
    return frozenset(name for one in found for name in one.unqualified) - known


@cache
def works() -> frozenset[bytes]:
    """Names of what the lanes of a warp do together: templates, functions and members of libraries."""
    found = libraries().values()
    return frozenset(name.encode() for one in found for name in (*one.works, *one.widths, *one.votes))


@cache
def instructions() -> frozenset[bytes]:
    """How PTX instructions begin that the lanes of a warp run together."""
    return frozenset(name.encode() for library in libraries().values() for name in library.instructions)


@cache
def kinds() -> Mapping[str, str]:
    """Of which kind values of the language are: thread, block, wave."""
    return {name: kind for library in libraries().values() for name, kind in library.kinds.items()}


@cache
def barriers() -> Mapping[str, str]:
    """What functions wait for, by name: all threads of the block."""
    return {name: what for library in libraries().values() for name, what in library.barriers.items()}


@cache
def waits() -> frozenset[str]:
    """Members of libraries that wait in a loop for other threads."""
    return frozenset(name for library in libraries().values() for name in library.waits)


@cache
def waiting() -> Mapping[str, frozenset[str]]:
    """Members that wait in a loop for other threads, by the class of the object."""
    return {name: frozenset(one) for library in libraries().values() for name, one in library.waiting.items()}


@cache
def waiting_members() -> frozenset[str]:
    """The names of all these members: others may have them too."""
    return frozenset[str]().union(*waiting().values())


@cache
def atomics() -> Mapping[str, str]:
    """What atomic operations do to memory, by name without the scope."""
    return {name: what for library in libraries().values() for name, what in library.atomics.items()}


@cache
def results() -> Mapping[str, str]:
    """Of which kind the results of functions and methods are, by name."""
    return {name: kind for library in libraries().values() for name, kind in library.results.items()}


@cache
def computes() -> frozenset[str]:
    """Functions whose results are the same for the same arguments, and that read no memory."""
    return frozenset(name for library in libraries().values() for name in library.computes)


@cache
def groups() -> Mapping[str, str]:
    """Groups of threads, by type or by the function that gives them, and what they cover."""
    return {name: what for library in libraries().values() for name, what in library.groups.items()}


@cache
def exchanges(how: str) -> frozenset[str]:
    """By what the threads of a group exchange values: members that no other object has (`own`), others, functions."""
    return frozenset(name for library in libraries().values() for name in library.exchanges.get(how, ()))


_THREAD_WORD = re.compile(r"(?:thread_?(?:id|idx|index)|tidx?|tid_x|lane(?:_?idx?)?)", re.I)
"""A parameter's whole name that means a thread's or lane's index, in any case: `tid`, `thread_idx`, `lane_id`."""


def is_thread_word(name: str) -> bool:
    """Whether a parameter is called as the number of a thread is: a suspicion, where no caller is seen."""
    return _THREAD_WORD.fullmatch(name) is not None
