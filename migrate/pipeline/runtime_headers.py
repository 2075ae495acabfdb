"""`.cu` files that read a header of the repository which needs CUDA's runtime header before anything includes it.

nvcc puts its runtime header before the first line of a `.cu` file, so a header of the project may name `float3` or
`__device__` and include nothing. Often such a header is read by compilers of the host too, with types of its own, and
is not the place for HIP's header: the `.cu` file is. What is read before what only the files together show: includes
are followed in their order until one is the runtime's, or a name needs it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence

from cudamigrate.cuda.lexer import include_path, lex
from cudamigrate.cuda.preprocessor import include_guard
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, SourceFile, Span, Use
from cudamigrate.rulebase.code_rules import Rulebook

Read = Callable[[str], "SourceFile | None"]

_RULE = "build/implicit-runtime-header"
_ADDED = (_RULE, "build/conditional-runtime-header")
_OPENS = ("if", "ifdef", "ifndef")
_BRINGS = re.compile(r"(?:cuda_runtime|cuda|hip/hip_runtime)\.h$|(?:thrust|cub|hipcub|ATen/(?:cuda|hip))/")
"""A header that reads the runtime's first: `cuda_runtime.h` itself, or a library's, `cub/cub.cuh`, whose own need it."""
_NEEDS = re.compile(
    rb"\b(?:__(?:global|device|host|constant|shared|managed|launch_bounds|forceinline|noinline)__|threadIdx|blockIdx"
    rb"|blockDim|gridDim|dim3|__syncthreads|atomicAdd|cuda[A-Z]\w+"
    rb"|(?:make_)?(?:u?char|u?short|u?int|u?long|u?longlong|float|double)[1-4])\b"
)
"""What the runtime's header declares: attributes of functions, `threadIdx`, `cudaMalloc`, vectors such as `float3`."""


def with_runtime_headers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding in each `.cu` file that relies on nvcc for a header it includes."""
    rule = book.rules.get(_RULE)
    asked = [one for one in results if one.path.endswith(".cu") and one.skip is None and not _is_told(one)]
    if rule is None or rule.silent or not asked:
        return list(results)
    tree = _Tree(frozenset(one.path for one in results), {one.path for one in results if _is_told(one)}, read)
    more: dict[str, Finding] = {}
    for result in asked:
        name = tree.first(result.path)
        source = read(result.path) if name is not None else None
        if name is not None and source is not None:
            parsed = cuda.parse(source, frozenset())
            use = Use("name", name[0], name[1], name[1], (), "", "token")
            more[result.path] = engine.finding_in(parsed, Hit(_RULE, use, {"name": use.name}), rule)
    return [_with(one, more[one.path]) if one.path in more else one for one in results]


def _with(result: FileResult, more: Finding) -> FileResult:
    return replace(result, cuda=True, findings=tuple(engine.in_order([*result.findings, more])))


def _is_told(result: FileResult) -> bool:
    return any(finding.rule in _ADDED for finding in result.findings)


@dataclass(slots=True)
class _Tree:
    """The files at hand, those that get the runtime header by a finding of their own, and what is known of each."""

    paths: frozenset[str]
    told: set[str]
    read: Read
    _named: Mapping[str, list[str]] = field(default_factory=dict)
    _known: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        named: dict[str, list[str]] = {}
        for path in sorted(self.paths):
            named.setdefault(path.rpartition("/")[2], []).append(path)
        self._named = named

    def first(self, path: str) -> tuple[str, Span] | None:
        """What in a file needs the runtime before it is read: an include, or a name, and its place."""
        source = self.read(path)
        found = None if source is None else next((one for one in self._events(path, source.data) if one[2]), None)
        return None if found is None or found[2] == "brings" else found[:2]

    def _events(self, path: str, data: bytes) -> Iterator[tuple[str, Span, str]]:
        """Includes in their order, up to the first name of CUDA's: each `needs` the runtime, `brings` it, or neither."""
        lexed = lex(data)
        need = next(lexed.matches(_NEEDS), None)
        guard = include_guard(lexed)
        depth = 0 if guard is None else -1
        for directive in lexed.directives:
            if need is not None and directive.start > need.start():
                break
            depth += (directive.name in _OPENS) - (directive.name == "endif")
            found = include_path(data, directive) if directive.name == "include" else None
            if found is not None:
                name, start, end = found
                yield name, Span(start, end), self._word(path, name, depth > 0)
        if need is not None:
            yield need[0].decode(), Span(*need.span()), "needs"

    def _word(self, path: str, name: str, conditional: bool) -> str:
        """What an include does: one behind a conditional may not be read, and does not count as bringing the runtime."""
        target = self._resolved(path, name)
        word = self._of_file(target) if target else "brings" if _BRINGS.match(name) else ""
        return "" if conditional and word == "brings" else word

    def _of_file(self, path: str) -> str:
        if path not in self._known:
            self._known[path] = ""  # where headers include each other
            source = None if path in self.told else self.read(path)
            if source is not None:
                events = (word for _, _, word in self._events(path, source.data) if word)
                self._known[path] = next(events, "")
            elif path in self.told:
                self._known[path] = "brings"
        return self._known[path]

    def _resolved(self, path: str, name: str) -> str:
        """The file of the tree that an include means: beside the file, else the one whose path ends so."""
        beside = os.path.normpath(os.path.join(os.path.dirname(path), name)).replace(os.sep, "/")
        if beside in self.paths:
            return beside
        spelled = os.path.normpath(name).replace(os.sep, "/").lstrip("./")
        ending = [one for one in self._named.get(spelled.rpartition("/")[2], ()) if f"/{one}".endswith(f"/{spelled}")]
        return ending[0] if len(ending) == 1 else ""
