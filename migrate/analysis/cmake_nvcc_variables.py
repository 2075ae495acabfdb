"""CMake: commands that fill variables whose value nvcc alone gets, in a file, by way of others and of functions too.

`set(more "-G")` is for nvcc where each command that takes `${more}` gives it to `CMAKE_CUDA_FLAGS`, to what nvcc alone
compiles, as `$<$<COMPILE_LANGUAGE:CUDA>:${more}>` too, or to another such variable. `set(${out} "-G" PARENT_SCOPE)` in
a function fills what its calls name for `out`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from cudamigrate.analysis.cmake_endings import Scope, placed
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import generator_expressions
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

_REFERENCE = re.compile(r"\$\{([\w.+-]+)\}")
_FLAGS = "CMAKE_CUDA_FLAGS"
NAME = re.compile(r"cuda|nvcc|gencode", re.IGNORECASE)
"""Names that say so."""
_ASKING = frozenset(("message", "if", "elseif", "while", "unset", "mark_as_advanced", "endif", "else", "endforeach"))
"""Commands that give a value to nobody."""
_SUBLISTS = frozenset(("LENGTH", "FIND", "GET"))


class _Flow(NamedTuple):
    """A command that takes values of variables, and the variables that it fills with them; none where others get them.

    `fills` are as the command writes them: the name may be in a parameter, `${out}`. `filling` is False where the
    command itself fills none.
    """

    command: Command
    scope: Scope
    fills: tuple[str, ...]
    reads: frozenset[str]
    filling: bool


def filling(parsed: ProjectFile, is_given: Callable[[ProjectFile, Command], bool]) -> frozenset[Span]:
    """The commands of a file that fill nothing but such variables.

    `is_given` says whether a command that fills none gives all its options to nvcc.
    """
    found = parsed.commands
    if not any(NAME.search(word) for one in found for word in (one.name, *one.words())):
        return frozenset()
    flows = [
        flow
        for command, scope in placed(parsed.source.path, found)
        for flow in _flows(parsed, command, scope, is_given)
    ]
    calls = {one.scope.function: one.scope.params for one in flows if one.scope.params}
    named = {name: _given(found, name, params) for name, params in calls.items()}
    targets = {id(flow): _targets(flow, named) for flow in flows}
    sure = _sure([_resolved(flow, named) for flow in flows], [targets[id(flow)] for flow in flows])
    ours = (flow for flow in flows if flow.filling)
    return frozenset(one.command.span for one in ours if targets[id(one)] and sure.issuperset(targets[id(one)]))


def _flows(
    parsed: ProjectFile, command: Command, scope: Scope, is_given: Callable[[ProjectFile, Command], bool]
) -> Iterator[_Flow]:
    """What a command takes, and what gets it."""
    words = command.words()
    if command.name in _ASKING or not words:
        return
    fills, rest, by_name = _parts(command, words)
    takers = fills or ((_FLAGS,) if is_given(parsed, command) else ())
    own = {*fills, *(one[2:-1] for one in fills)}
    reads: dict[bool | None, set[str]] = {None: set(by_name), True: set(), False: set()}
    taken = {name for word in rest for name in _REFERENCE.findall(word)}
    for stretch in generator_expressions.stretches(parsed.data, command):
        text = parsed.data[stretch.span.start : stretch.span.end].decode("latin-1")
        reads[stretch.nvcc].update(taken.intersection(_REFERENCE.findall(text)))
    yield _Flow(command, scope, takers, frozenset(reads[None] - own), filling=bool(fills))
    for nvcc, taker in ((True, (_FLAGS,)), (False, ())):
        if reads[nvcc] - own:
            yield _Flow(command, scope, taker, frozenset(reads[nvcc] - own), filling=False)


def _parts(command: Command, words: list[str]) -> tuple[tuple[str, ...], list[str], Iterable[str]]:
    """What a command fills, the words that it takes, and the variables that it takes by their names."""
    first = words[0].upper()
    if command.name == "set":
        return (words[0],), words[1:], ()
    if command.name == "string" and first in ("APPEND", "PREPEND", "CONCAT"):
        return tuple(words[1:2]), words[2:], ()
    if command.name == "string" and first in ("JOIN", "STRIP") and len(words) > 2:
        return (words[2],), words[1:2] + words[3:], ()
    if command.name == "string" and first == "REPLACE" and len(words) > 3:
        return (words[3],), words[1:3] + words[4:], ()
    if command.name == "list" and first == "JOIN" and len(words) > 3:
        return (words[3],), [], words[1:2]
    if command.name == "list":
        return (words[1:2] and first not in _SUBLISTS and (words[1],)) or (), [], ()
    if command.name == "foreach":
        return (words[0],), words[1:], words[3:] if words[1:3] == ["IN", "LISTS"] else ()
    return (), words, ()


def _given(found: Sequence[Command], name: str, params: Sequence[str]) -> dict[str, frozenset[str]]:
    """What the calls of a function name for each of its parameters."""
    calls = [one.words() for one in found if one.name == name]
    return {param: frozenset(words[at] for words in calls if at < len(words)) for at, param in enumerate(params)}


def _targets(flow: _Flow, named: dict[str, dict[str, frozenset[str]]]) -> frozenset[str]:
    """The variables that a command fills, by their names at the calls of the function around it."""
    found = set[str]()
    for one in flow.fills:
        name = _REFERENCE.fullmatch(one)
        found |= {one} if name is None else named.get(flow.scope.function, {}).get(name[1], {one})
    return frozenset(found)


def _resolved(flow: _Flow, named: dict[str, dict[str, frozenset[str]]]) -> frozenset[str]:
    """The variables that a command takes, those too that calls name for a parameter: `${${list}}`."""
    given = named.get(flow.scope.function, {})
    return frozenset(one for name in flow.reads for one in given.get(name, {name}))


def _sure(reads: Sequence[frozenset[str]], targets: Sequence[frozenset[str]]) -> set[str]:
    """The variables that nvcc alone gets: each command that takes one fills such variables, and one does."""
    takers: dict[str, list[frozenset[str]]] = {}
    for names, fills in zip(reads, targets, strict=True):
        for name in names:
            takers.setdefault(name, []).append(fills)
    sure = {name for fills in targets for name in fills if NAME.search(name)}
    while more := {
        name for name, each in takers.items() if name not in sure and all(one and sure.issuperset(one) for one in each)
    }:
        sure |= more
    return sure
