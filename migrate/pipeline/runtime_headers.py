"""Files that read a header of the repository which needs CUDA's runtime header before anything includes it.

nvcc puts its runtime header before the first line of a `.cu` file, so a header of the project may name `float3` or
`__device__` and include nothing. Often such a header is read by compilers of the host too, with types of its own, and
is not the place for HIP's header: the `.cu` file is, or a file for the host that reads the runtime's header itself, and
late. What is read before what only the files together show: includes are followed in their order until one is the
runtime's, or a name needs it. CUDA's header reads `<string.h>` too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from cudamigrate.cuda.conditions import value_with
from cudamigrate.cuda.foreign_headers import is_foreign
from cudamigrate.cuda.include_paths import IncludePaths, closure
from cudamigrate.cuda.lexer import Lexed, include_path
from cudamigrate.cuda.parsed_file import Include, ParsedFile
from cudamigrate.cuda.preprocessor import Branch, branches
from cudamigrate.cuda.words import every_use
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, SourceFile, Span, Use
from cudamigrate.pipeline import cuda_sources
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, include_paths, included, lexed
from cudamigrate.rulebase.code_rules import Rulebook

ADDED = ("build/implicit-runtime-header", "build/conditional-runtime-header")
_TEXT = "build/string-header"
_BRINGS_TEXT = ("cstring", "string.h", "memory.h", "torch/", "ATen/", "c10/", "pybind11/")
"""Headers that bring C's functions on memory and text, as most of PyTorch's do; the detector knows the others."""
BRINGS = re.compile(
    r"(?:/.*/include/)?(?:cuda_runtime|cuda|hip/hip_runtime)\.h$|(?:thrust|cub|hipcub|(?:ATen|c10)/(?:cuda|hip))/"
)
"""A header that reads the runtime's first: `cuda_runtime.h` itself, or a library's, `cub/cub.cuh`."""
_OF_CALLS = re.compile(r"(?:/.*/include/)?(?:cuda_runtime|cuda_runtime_api|cuda)\.h$")
"""The headers that host code has for calls of the runtime or the driver."""
_IMPLICIT = "cuda_runtime.h"
_CODE = (".cu", ".cuh", ".h", ".hpp", ".cpp", ".cc", ".cxx", ".inl", ".inc", ".c")
_SOURCE = b".cu"
_BUILDS = ("cmake", "make", "python", "matlab")
_HOSTS = (".cpp", ".cc", ".cxx")
"""Files that the host's compiler read in a build for CUDA, and that hipcc reads as HIP."""
_OTHER = re.compile(rb"defined\((\w+)\)")
"""The condition of `#ifdef X`."""
_MARKS = frozenset(name.encode() for name in cuda.GUARDS)
_VENDORS = re.compile(rb"CUDA|NVCC|NVIDIA|HIP|ROCM|AMD|GPU", re.IGNORECASE)
"""Macros by which a project may tell its vendors, or builds with a GPU from others."""
_NUMBERS = tuple(f"{sign}{kind}" for kind in ("char", "short", "int", "long", "longlong") for sign in ("", "u"))
_NEEDED = frozenset(
    name.encode()
    for name in (
        *(f"__{one}__" for one in ("global", "device", "host", "constant", "shared", "managed", "launch_bounds")),
        *("__forceinline__", "__noinline__", "__syncthreads", "atomicAdd"),
        *("threadIdx", "blockIdx", "blockDim", "gridDim", "dim3"),
        *(
            f"{make}{kind}{size}"
            for make in ("", "make_")
            for kind in (*_NUMBERS, "float", "double")
            for size in "1234"
        ),
    )
)
_OF_CALL = b"cuda"
NEEDS = re.compile(rb"\b(?:%s|%s[A-Z]\w+)\b" % (b"|".join(sorted(_NEEDED)), _OF_CALL))
"""What the runtime's header declares: attributes of functions, `threadIdx`, `cudaMalloc`, vectors such as `float3`."""
_BEYOND_API = re.compile(rb"\b(?:%s)\b" % b"|".join(sorted(_NEEDED)))
"""What the header for the runtime's own types and functions does not declare."""
_API = re.compile(r"(?:/.*/include/)?(?:cuda|hip/hip)_runtime_api\.h$")


def _may_need(data: bytes) -> bool:
    """Whether a text has one of the names that need the runtime, found much faster than where it is."""
    return _OF_CALL in data or not _NEEDED.isdisjoint(every_use(data))


def with_runtime_headers(results: Sequence[FileResult], book: Rulebook, read: Read) -> list[FileResult]:
    """The results, with a finding in each file that relies on nvcc, or on the host's compiler, for what it includes."""
    given = cuda_sources.given(results, read)
    units = [one.path for one in results if (one.path.endswith(".cu") or one.path in given) and one.skip is None]
    hosts = [path for path in _hosts(results) if path not in given]
    if not units and not hosts:
        return list(results)
    reported: dict[str, set[str]] = {rule: set() for rule in (*ADDED, _TEXT)}
    for one in results:
        for rule in reported.keys() & {finding.rule for finding in one.findings} if one.findings else ():
            reported[rule].add(one.path)
    builds = [one.path for one in results if one.language in _BUILDS and one.skip is None]
    added = set().union(*(reported[rule] for rule in ADDED))
    tree = _Tree(include_paths(read, (one.path for one in results)), added, read, builds)
    early = [*units, *(path for path in hosts if tree.asks_late(path))]
    hits: dict[str, list[Hit]] = {}
    for number, path in enumerate(early):
        if path not in tree.reported:
            hits.setdefault(path, []).extend(tree.runtime(path))
        inside, outside = tree.lacking_text(path, book) if number < len(units) else ([], [])
        for at in inside:
            if at not in reported[_TEXT]:
                reported[_TEXT].add(at)  # once, whatever else includes it
                hits.setdefault(at, []).extend(tree.text(at, outside, book))
        if not hits.get(path):
            hits.pop(path, None)
        tree.let_go(path)
    more = {path: tree.findings(path, found, book) for path, found in hits.items()}
    brought = {path for path in reported[ADDED[0]] if tree.is_brought(path)}
    brought |= tree.read_late(reported[ADDED[0]].difference(brought, units))
    return [_with(_without(one) if one.path in brought else one, more.get(one.path, ())) for one in results]


def read_ahead(paths: Sequence[str], read: Read) -> Iterator[None]:
    """Read what the sources of a tree include, as `with_runtime_headers` will: step by step, before results."""
    tree = _Tree(include_paths(read, paths), set(), read)
    waiting = [path for path in paths if path.endswith(".cu")]
    seen = set(waiting)
    while waiting:
        new = dict.fromkeys(one for one in tree._linked(waiting.pop()).inside if one not in seen)
        seen.update(new)
        waiting.extend(new)
        yield


def _hosts(results: Sequence[FileResult]) -> list[str]:
    """The C++ files with CUDA's calls."""
    return [one.path for one in results if one.path.endswith(_HOSTS) and one.cuda and one.skip is None]


def _without(result: FileResult) -> FileResult:
    """The result without the finding on a header that another one brings."""
    return replace(result, findings=tuple(finding for finding in result.findings if finding.rule != ADDED[0]))


def _with(result: FileResult, more: Sequence[Finding]) -> FileResult:
    """The result with such findings, which make a file one of CUDA's."""
    return engine.with_more(replace(result, cuda=True), more) if more else result


@dataclass(slots=True)
class _Tree:
    """The files of a tree, those that get the runtime header by a finding of their own, and what is known of each.

    `builds` are the files that build it.
    """

    paths: IncludePaths
    reported: set[str]
    read: Read
    builds: Sequence[str] = ()
    _given: dict[bytes, bool] = field(default_factory=dict)
    _known: dict[str, str] = field(default_factory=dict)
    _heads: dict[str, tuple[_Include, ...]] = field(default_factory=dict)
    _links: dict[str, _Links] = field(default_factory=dict)
    _naming: list[str] | None = None
    """The files with the ending of a source of CUDA's in their text."""

    def let_go(self, path: str) -> None:
        """Forget what a unit includes: few are included themselves, and a large tree has very many."""
        if path not in self.reported:
            self._heads.pop(path, None)
            self._links.pop(path, None)

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
        found = next((one for one in self._events(path) if one[2]), None)
        if found is not None and found[2] == "needs":
            yield Hit(ADDED[0], Use("name", found[0], found[1], found[1], (), "unknown", "token"), {"name": found[0]})

    def asks_late(self, path: str) -> bool:
        """Whether a file reads the runtime's header itself, so that nothing is lost where it reads it first."""
        return any(_OF_CALLS.match(one.name) for one in self._includes(path) if not one.conditional)

    def is_brought(self, path: str) -> bool:
        """Whether a file with a finding of its own reads the runtime's header by another one, before it needs it."""
        return next((word for *_, word in self._events(path) if word), "") == "brings"

    def read_late(self, reported: Set[str]) -> set[str]:
        """Those of some files that are parts of others, and that each of these includes behind the runtime's header.

        Such a part has no guard, so that nothing includes it for what it declares.
        """
        parts = {path for path in reported if asked(self.read, path, _is_part)}
        names, late, early = {path.rpartition("/")[2] for path in parts}, set[str](), set[str]()
        spelled = re.compile("|".join(map(re.escape, sorted(names))).encode())
        for path in self.paths.paths if parts else ():
            source, brought = self.read(path), False
            if source is None or not spelled.search(source.data):
                continue
            for one in self._includes(path):
                if one.name.rpartition("/")[2] in names:
                    meant = set(self.paths.nearest(path, one.name)) & parts
                    (late if brought else early).update(meant)
                brought = brought or self._word(path, one) == "brings"
        return late - early

    def lacking_text(self, path: str, book: Rulebook) -> tuple[list[str], list[str]]:
        """The file and the headers that it reads, where none of them brings C's functions on memory and text.

        Beside them the headers that they read and that are none of the tree's.
        A header in quotes that is none of the tree's is known where the rules know it as CUDA's.
        """
        inside, outside = self._reached(path)
        if len(inside) < 2 and (outside or self._is_included(path)):
            return [], []  # the detector has seen all there is
        if len(inside) < 2:
            return [path], [_IMPLICIT]  # it includes nothing, and nvcc its runtime's header
        read = [one for one in outside if not (one[2] and self._is_given(one[2]))]
        if any((quoted and not book.include(name)) or name.startswith(_BRINGS_TEXT) for name, quoted, _ in read):
            return [], []
        return sorted(inside), [name for name, *_ in read]

    def _is_given(self, macro: bytes) -> bool:
        """Whether a build of the tree names a macro, so that what is read without it one build leaves out."""
        if macro not in self._given:
            sources = map(self.read, self.builds)
            self._given[macro] = any(source is not None and macro in source.data for source in sources)
        return self._given[macro]

    def text(self, path: str, outside: Sequence[str], book: Rulebook) -> Iterator[Hit]:
        """The first call of C's functions on memory and text in a file; `outside` are headers that the unit reads."""
        source = self.read(path)
        called = book.words_of_detectors.get("string_header", ())  # no rule on it for an older ROCm
        if source is None or not any(all(word in source.data for word in words) for words in called):
            return
        parsed = self._parsed(path)
        if parsed is not None:
            nowhere = Span(0, 0)
            parsed.includes = [Include(name, nowhere, nowhere, quoted=False, conditional=False) for name in outside]
            yield from engine.hits("string_header", parsed)

    def _is_included(self, path: str) -> bool:
        """Whether another file of the tree may include a `.cu` file, by the name."""
        name = path.rpartition("/")[2].encode()
        if self._naming is None:  # few files name a source at all, and very many sources may ask
            code = (one for one in self.paths.paths if one.endswith(_CODE))
            self._naming = [one for one in code if (source := self.read(one)) is not None and _SOURCE in source.data]
        others = (one for one in self._naming if one != path)
        return any((source := self.read(one)) is not None and name in source.data for one in others)

    def _reached(self, path: str) -> tuple[frozenset[str], list[tuple[str, bool, bytes]]]:
        """The files that one reads, itself too, and the includes in them that are none of the tree's."""
        inside = closure((path,), lambda at: self._linked(at).inside)
        outside = dict.fromkeys(one for at in sorted(inside) for one in self._linked(at).outside)
        return inside, list(outside)

    def _linked(self, path: str) -> _Links:
        """What the includes of a file lead to that no conditional leaves out."""
        if path not in self._links:
            targets = [(one, self._resolved(path, one)) for one in self._includes(path) if not one.conditional]
            inside = tuple(target for _, target in targets if target)
            outside = tuple((one.name, one.quoted, one.without) for one, target in targets if not target)
            self._links[path] = _Links(inside, outside)
        return self._links[path]

    def _includes(self, path: str) -> tuple[_Include, ...]:
        """The includes of a file."""
        if path not in self._heads:
            self._heads[path] = tuple(_Include(*one) for one in asked(self.read, path, ordered_includes) or ())
        return self._heads[path]

    def _events(self, path: str) -> Iterator[tuple[str, Span, str]]:
        """Includes in their order, up to the first name of CUDA's: each `needs` the runtime, `brings` it, or none."""
        need, place = asked(self.read, path, _need) or ("", Span(0, 0))
        for one in self._includes(path):
            if not need or one.span.start < place.start:
                yield one.name, one.span, self._word(path, one)
        if need:
            yield need, place, "needs"

    def _word(self, path: str, include: _Include) -> str:
        """What an include does: one behind a conditional may not be read, so it does not bring the runtime."""
        target = self._resolved(path, include)
        word = self._of_file(target) if target else "brings" if BRINGS.match(include.name) else ""
        return "" if include.conditional and word == "brings" else word

    def _of_file(self, path: str) -> str:
        if path not in self._known:
            self._known[path] = ""  # where headers include each other
            events = (word for _, _, word in self._events(path) if word)
            self._known[path] = "brings" if path in self.reported else next(events, "")
        return self._known[path]

    def _resolved(self, path: str, include: _Include) -> str:
        """The file of the tree that an include means, empty where it is none of the tree's, or one of several."""
        if not include.quoted and is_foreign(include.name):
            return ""  # a file of that name elsewhere in the tree, as a `cuda.h` of a part that has one, is not meant
        found = self.paths.nearest(path, include.name)
        return found[0] if len(found) == 1 else ""


class _Include(NamedTuple):
    """An include: what it spells, where, in quotes or not, and whether a conditional around it may leave it out.

    `without` is the macro of another platform's that must not be set for it, empty for none.
    """

    name: str
    span: Span
    quoted: bool
    conditional: bool
    without: bytes


class _Links(NamedTuple):
    """The files of the tree that a file includes, and the other includes in it.

    Each of these with whether it is in quotes, and the macro that must not be set for it.
    """

    inside: tuple[str, ...]
    outside: tuple[tuple[str, bool, bytes], ...]


def ordered_includes(source: SourceFile) -> tuple[tuple[str, Span, bool, bool, bytes], ...]:
    """The includes of a file in their order, as plain values: name, place, in quotes, conditional, without a macro."""
    return tuple((*one,) for one in _includes(lexed(source))) if b"include" in source.data else ()


def _is_part(source: SourceFile) -> bool:
    """Whether a file has no guard against being included again."""
    first = next((one for one in lexed(source).directives if one.name != "pragma"), None)
    once = re.search(rb"^[ \t]*#[ \t]*pragma[ \t]+once\b", source.data, re.MULTILINE)
    return once is None and (first is None or first.name not in ("ifndef", "if", "ifdef"))


def _need(source: SourceFile) -> tuple[str, Span]:
    """The first name in a file that needs the runtime, empty for none, and its place."""
    pattern = _BEYOND_API if any(_API.match(name) for name, *_ in included(source)) else NEEDS
    need = next(lexed(source).matches(pattern), None) if _may_need(source.data) else None
    return ("", Span(0, 0)) if need is None else (need[0].decode(), Span(*need.span()))


def _includes(tokens: Lexed) -> Iterator[_Include]:
    """The includes of a file in their order.

    An include guard leaves out nothing, and neither do conditions that hold for HIP. What another platform includes in
    the place of what is read is none of them.
    """
    parts = branches(tokens, _MARKS)
    decided = {part.chain for part in parts if _is_read(part)}
    for directive in tokens.directives:
        found = include_path(tokens.data, directive) if directive.name == "include" else None
        if found is None:
            continue
        around = [part for part in parts if part.start <= directive.start < part.end]
        left = [part for part in around if not _is_read(part)]
        if not any(part.chain in decided for part in left):
            name, start, end = found
            without = next((macro for part in around if (macro := _other(part))), b"")
            yield _Include(name, Span(start, end), tokens.data[start : start + 1] == b'"', bool(left), without)


def _is_read(branch: Branch) -> bool:
    """Whether a build for AMD reads a branch: HIP's own, or the `#else` of `#ifdef X` where X is another platform's.

    A branch that is there for want of a macro which is none of HIP's or CUDA's is what all usual builds read.
    """
    if branch.conditions and _holds(branch.conditions):
        return True
    return branch.hip is True or (branch.hip is None and bool(_other(branch)))


def _other(branch: Branch) -> bytes:
    """The macro of another platform's whose `#else` a branch is, empty where it is anything else."""
    first, *rest = branch.conditions or (b"",)
    other = _OTHER.fullmatch(first) if rest == [b"1"] else None
    return other[1] if other is not None and not _VENDORS.search(other[1]) else b""


def _holds(conditions: Sequence[bytes]) -> bool:
    """Whether a branch is read wherever HIP compiles: `#if defined(__CUDACC__) || defined(__HIPCC__)`."""
    if value_with(conditions[-1], _MARKS, hip=True) is not True:
        return False
    return all(value_with(condition, _MARKS, hip=True) is False for condition in conditions[:-1])
