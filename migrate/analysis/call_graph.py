"""The call graph of one file: which functions mention which, and what is reachable up and down from them.

An edge is a mention of a name in a function: a call, a launch, a pointer and an argument alike. Overloads share a node.
Files other than this one are not seen; `cudamigrate.warp.graph` joins files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_WORD = re.compile(rb"[A-Za-z_]\w*")


class CallGraph:
    """Mentions of functions in one file. Each range is read once, whoever asks."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed = parsed
        self._words: dict[Span, frozenset[bytes]] = {}

    @classmethod
    def of(cls, parsed: ParsedFile) -> CallGraph:
        """The graph of a file, built once for all who ask."""
        return parsed.once(cls)

    def words(self, span: Span) -> frozenset[bytes]:
        """The identifiers in a range of the file."""
        if span not in self._words:
            self._words[span] = frozenset(_WORD.findall(self.parsed.data, span.start, span.end))
        return self._words[span]

    @cached_property
    def named(self) -> Mapping[str, Sequence[Function]]:
        """The functions of the file by name."""
        found: dict[str, list[Function]] = {}
        for function in self.parsed.functions:
            found.setdefault(function.name, []).append(function)
        return found

    @cached_property
    def callees(self) -> Mapping[str, frozenset[str]]:
        """For each function the functions of the file that it mentions; itself only where it does so in its body."""
        names = {name.encode(): name for name in self.named if name}
        found = {}
        for name, functions in self.named.items():
            heads = frozenset[bytes]().union(*(self.words(one.span) for one in functions)) - {name.encode()}
            said = heads.union(*(self.words(one.body) for one in functions))
            found[name] = frozenset(names[word] for word in said & names.keys())
        return found

    @cached_property
    def callers(self) -> Mapping[str, frozenset[str]]:
        """For each function the functions of the file that mention it."""
        found: dict[str, set[str]] = {name: set() for name in self.named}
        for caller, callees in self.callees.items():
            for callee in callees:
                found[callee].add(caller)
        return {name: frozenset(callers) for name, callers in found.items()}

    def reached(self, names: Iterable[str]) -> set[str]:
        """Some functions and all that they call, directly or not."""
        return _closure(self.callees, names)

    def reaching(self, names: Iterable[str]) -> set[str]:
        """Some functions and all that call them, directly or not."""
        return _closure(self.callers, names)

    def components(self, spans: Sequence[tuple[Span, str]]) -> Iterator[list[int]]:
        """Ranges of code, each with the name of what it defines, gathered by who mentions whom: their positions."""
        parent = list(range(len(spans)))

        def root(at: int) -> int:
            while parent[at] != at:
                parent[at] = parent[parent[at]]
                at = parent[at]
            return at

        by_name: dict[bytes, list[int]] = {}
        for at, (_, name) in enumerate(spans):
            if name:
                by_name.setdefault(name.encode(), []).append(at)
        for at, (span, _) in enumerate(spans):
            for word in self.words(span) & by_name.keys():
                for other in by_name[word]:
                    parent[root(other)] = root(at)
        groups: dict[int, list[int]] = {}
        for at in range(len(spans)):
            groups.setdefault(root(at), []).append(at)
        yield from groups.values()


def _closure(edges: Mapping[str, frozenset[str]], names: Iterable[str]) -> set[str]:
    found = set(names)
    waiting = list(found)
    while waiting:
        new = edges.get(waiting.pop(), frozenset()) - found
        found |= new
        waiting.extend(new)
    return found
