"""Files that read a header of the repository which needs CUDA's runtime header before anything includes it.

nvcc puts its runtime header before the first line of a `.cu` file, so a header of the project may name `float3` or
`__device__` and include nothing. Often such a header is read by compilers of the host too, with types of its own, and
is not the place for HIP's header: the `.cu` file is, or a file for the host that reads the runtime's header itself, and
late. What is read before what only the files together show: includes are followed in their order until one is the
runtime's, or a name needs it. CUDA's header reads `<string.h>` too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cudamigrate.cuda.include_paths import IncludePaths, closure
from cudamigrate.cuda.lexer import Lexed, include_path, lex
from cudamigrate.cuda.parsed_file import Include, ParsedFile
from cudamigrate.cuda.preprocessor import Branch, branches, value_with
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, SourceFile, Span, Use
from cudamigrate.rulebase.code_rules import Rulebook

Read = Callable[[str], "SourceFile | None"]

_ADDED = ("build/implicit-runtime-header", "build/conditional-runtime-header")
_TEXT = "build/string-header"
_BRINGS_TEXT = ("cstring", "string.h", "memory.h", "torch/", "ATen/", "c10/", "pybind11/")
"""Headers that bring C's functions on memory and text, as most of PyTorch's do; the detector knows the others."""
_WORDS = (b"mem", b"str")
"""How the names of those functions begin."""
_BRINGS = re.compile(r"(?:cuda_runtime|cuda|hip/hip_runtime)\.h$|(?:thrust|cub|hipcub|(?:ATen|c10)/(?:cuda|hip))/")
"""A header that reads the runtime's first: `cuda_runtime.h` itself, or a library's, `cub/cub.cuh`."""
_OF_CALLS = re.compile(r"(?:cuda_runtime|cuda_runtime_api|cuda)\.h$")
"""The headers that host code has for calls of the runtime or the driver."""
_HOSTS = (".cpp", ".cc", ".cxx")
"""Files that the host's compiler read in a build for CUDA, and that hipcc reads as HIP."""
_OTHER = re.compile(rb"defined\((\w+)\)")
"""The condition of `#ifdef X`."""
_MARKS = frozenset(name.encode() for name in cuda.GUARDS)
_VENDORS = re.compile(rb"CUDA|NVCC|NVIDIA|HIP|ROCM|AMD|GPU", re.IGNORECASE)
"""Macros by which a project may tell its vendors, or builds with a GPU from others."""
_NEEDS = re.compile(
    rb"\b(?:__(?:global|device|host|constant|shared|managed|launch_bounds|forceinline|noinline)__|threadIdx|blockIdx"
    rb"|blockDim|gridDim|dim3|__syncthreads|atomicAdd|cuda[A-Z]\w+"
    rb"|(?:make_)?(?:u?char|u?short|u?int|u?long|u?longlong|float|double)[1-4])\b"
)
"""What the runtime's header declares: attributes of functions, `threadIdx`, `cudaMalloc`, vectors such as `float3`."""


def with_runtime_headers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding in each file that relies on nvcc, or on the host's compiler, for what it includes."""
    units = [one.path for one in results if one.path.endswith(".cu") and one.skip is None]
    hosts = _hosts(results)
    if not units and not hosts:
        return list(results)
    reported = {
        rule: {one.path for one in results if any(f.rule == rule for f in one.findings)} for rule in (*_ADDED, _TEXT)
    }
    tree = _Tree(IncludePaths(one.path for one in results), set().union(*(reported[rule] for rule in _ADDED)), read)
    early = [*units, *(path for path in hosts if tree.asks_late(path))]
    hits: dict[str, list[Hit]] = {path: list(tree.runtime(path)) for path in early if path not in tree.reported}
    for path in units:
        inside, outside = tree.lacking_text(path, book)
        for at in inside:
            if at not in reported[_TEXT]:
                reported[_TEXT].add(at)  # once, whatever else includes it
                hits.setdefault(at, []).extend(tree.text(at, outside))
    more = {path: tree.findings(path, found, book) for path, found in hits.items()}
    brought = {path for path in reported[_ADDED[0]] if tree.is_brought(path)}
    return [_with(_without(one) if one.path in brought else one, more.get(one.path, ())) for one in results]


def _hosts(results: Sequence[FileResult]) -> list[str]:
    """The C++ files with CUDA's calls."""
    return [one.path for one in results if one.path.endswith(_HOSTS) and one.cuda and one.skip is None]


def _without(result: FileResult) -> FileResult:
    """The result without the finding on a header that another one brings."""
    return replace(result, findings=tuple(finding for finding in result.findings if finding.rule != _ADDED[0]))


def _with(result: FileResult, more: Sequence[Finding]) -> FileResult:
    return (
        result if not more else replace(result, cuda=True, findings=tuple(engine.in_order([*result.findings, *more])))
    )


@dataclass(slots=True)
class _Tree:
    """The files of a tree, those that get the runtime header by a finding of their own, and what is known of each."""

    paths: IncludePaths
    reported: set[str]
    read: Read
    _known: dict[str, str] = field(default_factory=dict)
    _known_includes: dict[str, list[tuple[str, bool]]] = field(default_factory=dict)

    def findings(self, path: str, hits: Sequence[Hit], book: Rulebook) -> list[Finding]:
        """What rules that are not silent make of hits in a file."""
        rules = [(hit, rule) for hit in hits if (rule := book.rules.get(hit.rule)) is not None and not rule.silent]
        parsed = self._parsed(path) if rules else None
        return [] if parsed is None else [engine.finding_in(parsed, hit, rule) for hit, rule in rules]

    def _parsed(self, path: str) -> ParsedFile | None:
        """A file read again, as nvcc reads it: a `.cu` file or what one includes."""
        source = self.read(path)
        return None if source is None else cuda.parse(replace(source, language="cuda"), frozenset())

    def runtime(self, path: str) -> Iterator[Hit]:
        """What in a file needs the runtime before it is read: an include, or a name."""
        source = self.read(path)
        found = None if source is None else next((one for one in self._events(path, source.data) if one[2]), None)
        if found is not None and found[2] == "needs":
            yield Hit(_ADDED[0], Use("name", found[0], found[1], found[1], (), "unknown", "token"), {"name": found[0]})

    def asks_late(self, path: str) -> bool:
        """Whether a file reads the runtime's header itself, so that nothing is lost where it reads it first."""
        return any(_OF_CALLS.match(name) for name, _ in self._included(path))

    def is_brought(self, path: str) -> bool:
        """Whether a file with a finding of its own reads the runtime's header by another one, before it needs it."""
        source = self.read(path)
        return (
            source is not None and next((word for *_, word in self._events(path, source.data) if word), "") == "brings"
        )

    def lacking_text(self, path: str, book: Rulebook) -> tuple[list[str], list[str]]:
        """The file and the headers that it reads, where none of them brings C's functions on memory and text.

        Beside them the headers that they read and that are none of the tree's.
        A header in quotes that is none of the tree's is known where the rules know it as CUDA's.
        """
        inside, outside = self._reached(path)
        if len(inside) < 2:
            return [], []  # the detector has seen all there is
        if any((quoted and not book.include(name)) or name.startswith(_BRINGS_TEXT) for name, quoted in outside):
            return [], []
        return sorted(inside), [name for name, _ in outside]

    def text(self, path: str, outside: Sequence[str]) -> Iterator[Hit]:
        """The first call of C's functions on memory and text in a file; `outside` are headers that the unit reads."""
        source = self.read(path)
        if source is None or not any(word in source.data for word in _WORDS):
            return
        parsed = self._parsed(path)
        if parsed is not None:
            nowhere = Span(0, 0)
            parsed.includes = [Include(name, nowhere, nowhere, False, False) for name in outside]
            yield from engine.hits("string_header", parsed)

    def _reached(self, path: str) -> tuple[frozenset[str], list[tuple[str, bool]]]:
        """The files that one reads, itself too, and the includes in them that are none of the tree's."""
        inside = closure((path,), lambda at: filter(None, (self._resolved(at, name) for name, _ in self._included(at))))
        found = ((at, *one) for at in sorted(inside) for one in self._included(at))
        outside = dict.fromkeys((name, quoted) for at, name, quoted in found if not self._resolved(at, name))
        return inside, list(outside)

    def _included(self, path: str) -> list[tuple[str, bool]]:
        """The includes of a file that no conditional leaves out, and whether each is in quotes."""
        if path not in self._known_includes:
            source = self.read(path)
            data = source.data if source is not None else b""
            self._known_includes[path] = [
                (name, data[span.start : span.start + 1] == b'"')
                for name, span, conditional in _includes(lex(data))
                if not conditional
            ]
        return self._known_includes[path]

    def _events(self, path: str, data: bytes) -> Iterator[tuple[str, Span, str]]:
        """Includes in their order, up to the first name of CUDA's: each `needs` the runtime, `brings` it, or none."""
        lexed = lex(data)
        need = next(lexed.matches(_NEEDS), None)
        for name, span, conditional in _includes(lexed):
            if need is None or span.start < need.start():
                yield name, span, self._word(path, name, conditional)
        if need is not None:
            yield need[0].decode(), Span(*need.span()), "needs"

    def _word(self, path: str, name: str, conditional: bool) -> str:
        """What an include does: one behind a conditional may not be read, so it does not bring the runtime."""
        target = self._resolved(path, name)
        word = self._of_file(target) if target else "brings" if _BRINGS.match(name) else ""
        return "" if conditional and word == "brings" else word

    def _of_file(self, path: str) -> str:
        if path not in self._known:
            self._known[path] = ""  # where headers include each other
            source = None if path in self.reported else self.read(path)
            if source is not None:
                events = (word for _, _, word in self._events(path, source.data) if word)
                self._known[path] = next(events, "")
            elif path in self.reported:
                self._known[path] = "brings"
        return self._known[path]

    def _resolved(self, path: str, name: str) -> str:
        """The file of the tree that an include means, empty where it is none of the tree's, or one of several."""
        found = self.paths.nearest(path, name)
        return found[0] if len(found) == 1 else ""


def _includes(lexed: Lexed) -> Iterator[tuple[str, Span, bool]]:
    """The includes of a file in their order, each with whether it is behind a conditional that may leave it out.

    An include guard leaves out nothing, and neither do conditions that hold for HIP. What another platform includes in
    the place of what is read is none of them.
    """
    parts = branches(lexed, _MARKS)
    decided = {part.chain for part in parts if _is_read(part)}
    for directive in lexed.directives:
        found = include_path(lexed.data, directive) if directive.name == "include" else None
        if found is None:
            continue
        left = [part for part in parts if part.start <= directive.start < part.end and not _is_read(part)]
        if not any(part.chain in decided for part in left):
            yield found[0], Span(*found[1:]), bool(left)


def _is_read(branch: Branch) -> bool:
    """Whether a build for AMD reads a branch: HIP's own, or the `#else` of `#ifdef X` where X is another platform's.

    A branch that is there for want of a macro which is none of HIP's or CUDA's is what all usual builds read.
    """
    if branch.conditions and _holds(branch.conditions):
        return True
    first, *rest = branch.conditions or (b"",)
    other = _OTHER.fullmatch(first) if rest == [b"1"] else None
    return branch.hip is True or (branch.hip is None and other is not None and not _VENDORS.search(other[1]))


def _holds(conditions: Sequence[bytes]) -> bool:
    """Whether a branch is read wherever HIP compiles: `#if defined(__CUDACC__) || defined(__HIPCC__)`."""
    if value_with(conditions[-1], _MARKS, True) is not True:
        return False
    return all(value_with(condition, _MARKS, True) is False for condition in conditions[:-1])
