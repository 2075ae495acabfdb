"""What a repository defines itself under a name of CUDA's: findings on such names are not CUDA's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from cudamigrate.cuda.host_branches import device_compiler_reads
from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.cuda.own_names import PASTED
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Definition, FileResult, Finding, SourceFile
from cudamigrate.pipeline.read_again import include_graph, included, lexed, spelled_includes

UNKNOWN = "library/unknown-name"
"""The rule for a name that no release of CUDA has: whatever declares it is all there is."""
SOURCES = (".c", ".cc", ".cpp", ".cxx", ".c++", ".cu")
"""Files that others do not read, so that they see none of their definitions."""
BUILDS = ("cmake", "make", "python", "shell", "meson", "bazel", "autotools", "other-build")
"""The languages of files that say what compilers get: sources, and macros."""
_OF_COMPLEX = re.compile(r"cuC(?:abs|add|div|fma|imag|mul|real|sub)f?|cuConjf?")
"""Functions whose arguments are of CUDA's own types, so that an overload for other types hides none of them."""
_BY_CALL = ("build/host-classification", "build/shared-classification")
"""Rules of detectors that find a call by its name alone, which a project may define for types of its own."""
_OPENED = re.compile(rb"\busing\s+namespace\s+(?:::)?(\w+(?:::\w+)*)\s*;")
_TYPE_BEFORE, _TYPE_BEHIND = re.compile(rb"\b(?:enum|struct|class|union)\s+\Z"), re.compile(rb"\s*(?:::|[A-Za-z_])")
"""What is before the name of a type that says so, and what is behind one alone."""
_GIVEN = re.compile(rb"(?<![\w-])[-/]D[ \t]?([A-Za-z_]\w*)")
"""An option that gives a macro: `-DFAST=1`."""
_DEFINES = re.compile(rb"(?i)\b(?:target_|add_)?(?:compile_)?definitions\s*\(([^()]*)\)")
_FORCED = re.compile(rb"(?:(?<![\w-])-(?:include|imacros)|(?<!\w)/FI|<ForcedIncludeFiles>)[\s\"',;=]*([^\s\"',;<>()]+)")
"""An option that has a compiler read a header before each file: `-include config.h`."""
_FORCING = (b"-include", b"-imacros", b"/FI", b"ForcedIncludeFiles")
"""What such an option holds: to look for these first takes a tenth of the time."""
_DECLARE = (
    (re.compile(r"cuda[A-Z]"), re.compile(r"cuda_runtime(?:_api)?\.h")),
    (re.compile(r"cu[A-Z]|CU_?[a-zA-Z]"), re.compile(r"cuda\.h")),
)
"""Names of CUDA's runtime and of its driver, each with the headers that declare them."""
_COMPILERS = (b"__CUDACC__", b"__NVCC__")
Definitions = Mapping[str, set[Definition]]
Read = Callable[[str], "SourceFile | None"]


def _defines(source: SourceFile) -> Iterator[bytes]:
    """The words of the commands of a CMake file that give macros, each as the option that it comes to."""
    for match in _DEFINES.finditer(source.data) if source.language == "cmake" else ():
        yield b" ".join(b"-D" + word for word in re.findall(rb"[A-Za-z_]\w*", match[1]))


def compiled_includes(source: SourceFile) -> tuple[str, ...]:
    """The headers that a source includes where nvcc compiles it, as it spells them: what `asked` can be asked."""
    if not any(word in source.data for word in _COMPILERS):
        return spelled_includes(source)
    parts = branches(lexed(source), ())
    return tuple(name for name, _, span in included(source) if device_compiler_reads(parts, span.start))


def defined(results: Iterable[FileResult]) -> dict[str, set[Definition]]:
    """The names that files define, each with its definitions."""
    found: dict[str, set[Definition]] = {}
    for result in results:
        for definition in result.definitions:
            found.setdefault(definition.name, set()).add(definition)
    return found


def is_own(finding: Finding, own: Definitions, source: SourceFile | None) -> bool:
    """Whether the repository itself defines what a finding in a source names, `own` being what it defines.

    A fall-back stands in for CUDA's own name; where no CUDA release has the name, whatever declares it is all there is.
    An overload that takes a number of arguments which CUDA's do not is what calls with as many reach.
    """
    if finding.rule == UNKNOWN and any(finding.name[:end] + PASTED in own for end in range(len(finding.name))):
        return True
    for definition in own.get(finding.name, ()):
        if finding.rule == UNKNOWN:
            return True
        if definition.is_value and _is_type(finding, source):
            continue
        if definition.fallback or not _is_reached(definition, finding, source):
            continue
        around = definition.enclosing
        if not around or finding.enclosing == around or finding.enclosing.startswith(f"{around}::"):
            return True
    return False


def _is_type(finding: Finding, source: SourceFile | None) -> bool:
    """Whether what a finding names is a scope or a type, by what is around it: no function or variable is meant.

    Only namespaces and types are looked up before `::`, and types behind `struct` (ISO C++); a word behind a type is
    what it declares, `cudaError e`.
    """
    if source is None:
        return False
    at = source.data.find(finding.name.encode(), finding.span.start, finding.span.end)
    before = source.data[max(0, at - 40) : at] if at >= 0 else b""
    return _TYPE_BEFORE.search(before) is not None or _TYPE_BEHIND.match(source.data, finding.span.end) is not None


def _is_reached(definition: Definition, finding: Finding, source: SourceFile | None) -> bool:
    """Whether a finding is no call of another number of arguments than an overload takes."""
    if definition.takes is None:
        return True
    name = finding.name.encode()
    at = -1 if source is None else source.data.find(name, finding.span.start, finding.span.end)
    if source is None or at < 0:
        return False
    from cudamigrate.cuda.own_functions import given  # most checks of one file do without its grammar

    count = given(lexed(source), at + len(name))
    return definition.takes[0] <= count <= definition.takes[1]


def _opens(data: bytes, around: str, finding: Finding) -> bool:
    """Whether a scope is among those that a name is looked up in by the namespaces that a text opens before it.

    They are opened by their name or the last parts of it. A class of such a namespace is one of them where the function
    around the place is its member: `using namespace mine; void Wrapper::release() { cudaFree(p); }`.
    """
    opened = [match[1].decode("latin-1") for match in _OPENED.finditer(data, 0, finding.span.start)]
    parts, inner = around.split("::"), finding.enclosing.split("::") if finding.enclosing else []
    for count in range(len(inner) + 1):
        outer = "::".join(parts[: len(parts) - count])
        is_around = parts[len(parts) - count :] == inner[:count]
        if is_around and outer and any(outer == one or outer.endswith(f"::{one}") for one in opened):
            return True
    return False


@dataclass
class OwnNames:
    """Which findings are on names of the repository's own: a name means what is read together with the file.

    A header that no file includes may be given to the compiler by the build, and is seen everywhere but where the name
    comes from CUDA's header and no build file gives this one. A source file that no other includes, as a table of
    pointers to CUDA's functions, is seen by itself alone. So is a header that takes the place of CUDA's: no file reads
    it beside these, or beside HIP's. What a `.cu` file reads is what nvcc does: not a mock for other compilers.
    """

    results: Sequence[FileResult]
    read: Read

    @cached_property
    def _own(self) -> Definitions:
        return defined(self.results)

    @cached_property
    def _places(self) -> Mapping[str, Mapping[Definition, frozenset[str]]]:
        """For each name its definitions, each with the files that have it."""
        found: dict[str, dict[Definition, set[str]]] = {}
        for result in self.results:
            for one in result.definitions:
                found.setdefault(one.name, {}).setdefault(one, set()).add(result.path)
        return {name: {one: frozenset(paths) for one, paths in by.items()} for name, by in found.items()}

    @cached_property
    def _graph(self) -> IncludeGraph:
        return self._including(spelled_includes)

    @cached_property
    def _compiled(self) -> IncludeGraph:
        """What nvcc reads of the files."""
        return self._including(compiled_includes)

    def _including(self, ask: Callable[[SourceFile], tuple[str, ...]]) -> IncludeGraph:
        code = (one.path for one in self.results if one.language in ("cuda", "cxx"))
        return include_graph(self.read, code, ask, every=True)

    @cached_property
    def _forced(self) -> frozenset[str]:
        """The headers, without their folders, that build files give their compilers to read before each file."""
        builds = (self.read(one.path) for one in self.results if one.language in BUILDS and one.skip is None)
        texts = (one.data for one in builds if one is not None and any(word in one.data for word in _FORCING))
        return frozenset(re.split(rb"[/\\]", path)[-1].decode("latin-1") for t in texts for path in _FORCED.findall(t))

    @cached_property
    def _given(self) -> frozenset[str]:
        """The macros that build files of the repository give their compilers."""
        builds = (self.read(one.path) for one in self.results if one.language in BUILDS and one.skip is None)
        texts = (part for source in builds if source is not None for part in (source.data, *_defines(source)))
        return frozenset(name.decode() for text in texts for name in _GIVEN.findall(text))

    @cached_property
    def _reach(self) -> dict[str, frozenset[str]]:
        return {}

    def has(self, finding: Finding) -> bool:
        """Whether the repository itself defines what a finding names, where the file of the finding sees it."""
        if finding.rule in _BY_CALL and (source := self.read(finding.path)) is not None:
            called = source.data[finding.span.start : finding.span.end].removeprefix(b"::")
            finding = replace(finding, name=called.decode("latin-1"))
        asks_text = any(one.takes is not None or one.is_value for one in self._own.get(finding.name, ()))
        source = self.read(finding.path) if asks_text else None
        if not is_own(finding, self._own, source):
            return finding.name in self._given if finding.rule == UNKNOWN else self._is_opened(finding)
        if finding.rule == UNKNOWN:
            return True
        if _OF_COMPLEX.fullmatch(finding.name) is not None and self._is_cudas(finding):
            return False
        return any(
            finding.path == path or (not one.alone and self.sees(finding.path, path, finding.name))
            for one, paths in self._places[finding.name].items()
            if is_own(finding, {finding.name: {one}}, source)
            for path in paths
        )

    def _is_cudas(self, finding: Finding) -> bool:
        """Whether a call reaches CUDA's function by its arguments, which no overload of the repository takes."""
        from cudamigrate.pipeline.own_overloads import is_cudas  # most repositories have none of these names

        source = self.read(finding.path)
        paths = {path for one in self._places[finding.name].values() for path in one}
        own = [found for path in sorted(paths) if (found := self.read(path)) is not None]
        return source is not None and is_cudas(source, finding, own)

    def _is_opened(self, finding: Finding) -> bool:
        """Whether a file opens the namespace that has a function of C's name, of a header that it includes.

        What else `using namespace mine;` may bring is looked up by `own_lookup`.
        """
        if finding.rule not in _BY_CALL:
            return False
        for one, paths in self._places.get(finding.name, {}).items():
            if one.fallback or one.alone or not one.enclosing:
                continue
            source = self.read(finding.path) if not paths.isdisjoint(self._graph.below((finding.path,))) else None
            if source is not None and _opens(source.data, one.enclosing, finding):
                return True
        return False

    @cached_property
    def scoped(self) -> frozenset[str]:
        """The names that namespaces and classes of the repository declare."""
        return frozenset(one.name for by in self._own.values() for one in by if one.enclosing and not one.fallback)

    def declared(self, name: str) -> Mapping[Definition, frozenset[str]]:
        """The definitions of a name, each with the files that have it."""
        return self._places.get(name, {})

    def below(self, path: str) -> frozenset[str]:
        """The files that one includes, through others too."""
        return self._graph.below((path,)) - {path}

    def together(self, path: str) -> frozenset[str]:
        """The files that are read together with one."""
        return self._reached(path)

    def may_see_cudas(self, path: str, name: str) -> bool:
        """Whether CUDA's own declaration of a name may be among what is read together with a file."""
        is_known = any(names.match(name) for names, _ in _DECLARE)
        return path.lower().endswith((".cu", ".cuh")) or not is_known or self._reads_cudas(path, name)

    def sees(self, by: str, path: str, name: str = "") -> bool:
        """Whether a file is read together with `path`, so that it sees what that defines, by a name if one is given."""
        if by == path:
            return True
        if not self._graph.users.get(path):
            if path.lower().endswith(SOURCES):
                return False
            return path.rpartition("/")[2] in self._forced or not self._reads_cudas(by, name)
        return path in self._reached(by)

    def _reached(self, by: str) -> frozenset[str]:
        """The files that are read together with one: by nvcc, where it is one of those that read the file."""
        if by not in self._reach:
            above = self._graph.above((by,))
            sources = [one for one in above if one.lower().endswith(".cu")]
            graph = self._compiled if sources else self._graph
            self._reach[by] = graph.together((by,))
        return self._reach[by]

    def _reads_cudas(self, by: str, name: str) -> bool:
        """Whether what is read together with a file includes a header of CUDA's that declares a name."""
        headers = next((headers for names, headers in _DECLARE if names.match(name)), None)
        if headers is None:
            return False
        spelled = self._graph.spelled
        return any(headers.fullmatch(one) for path in self._reached(by) for one in spelled.get(path, ()))
