"""CUDA's names that a port's shim makes names of a library of AMD's, where nothing includes a header of that library.

`#define CUDA_C_32F HIPBLAS_C_32F` declares nothing: the build for HIP stops where the name is used. It is shown by a
source that this build may compile: all that it includes is known, files of the tree and headers that have no name of
the library, as those of HIP's runtime, of CUDA's and of the languages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.analysis import port_aliases
from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.cuda.preprocessor import branches, guards_among, holds_for_hip
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import FileResult, Finding, Hit, Rule, SourceFile, Span, Use
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline.gap_evidence import HEADER
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.port_undeclared import forces, read_together
from cudamigrate.pipeline.read_again import include_graph, include_paths, lexed
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.wording import count_of

_LIBRARY = re.compile(
    r"(?i)(?:hip(?:blaslt|blas|fft|rand|sparselt|sparse|solver|tensor|dnn)|roc(?:blas|fft|rand|sparse|solver)|miopen)"
)
"""How names of AMD's libraries begin, which is what their headers are called: `hipblasHandle_t`, `HIPBLAS_C_32F`."""
_WITHOUT = re.compile(
    r"hip/.+|(?:cu|nv|npp|thrust|device_|vector_|driver_|math_)[\w./-]*|\w+intrin\.h|arm_neon\.h|mpi\.h|omp\.h"
    r"|sys/\w+\.h|(?:pthread|unistd|strings|getopt|dirent|fcntl|dlfcn)\.h|(?:assert|complex|ctype|errno|fenv|float"
    r"|inttypes|iso646|limits|locale|malloc|math|memory|setjmp|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string"
    r"|time|wchar)\.h|[a-z_]+"
)
"""Headers that have no name of such a library: of HIP's runtime, CUDA's own, and of languages and systems."""
_SOURCES = (".cu", ".hip", ".cpp", ".cc", ".cxx")


@dataclass(frozen=True, slots=True)
class _Alias:
    """What a shim makes of a name, the library whose name that is, and the place in the shim."""

    target: str
    library: str
    shim: str
    span: Span


def with_alias_headers(results: Sequence[FileResult], book: Rulebook, port: PortFacts, read: Read) -> list[FileResult]:
    """The results, with a finding for each such library; the same ones where there is no port with such a shim."""
    rule = book.rules.get(HEADER)
    aliases = _aliases(port, read) if port.is_port and rule is not None and not rule.silent else {}
    if rule is None or not aliases or any(forces(one, read) for one in results):
        return list(results)
    graph = include_graph(read, (one.path for one in results if one.language in ("cuda", "cxx")))
    spelled = {name.lower() for names in graph.spelled.values() for name in names}
    aliases = {name: one for name, one in aliases.items() if not any(one.library in header for header in spelled)}
    made: dict[str, list[Finding]] = {}
    for alias, finding in _Uses(aliases, port, graph, read).findings(rule):
        made.setdefault(alias.shim, []).append(finding)
    return [engine.with_more(one, made.get(one.path, ())) for one in results]


def _aliases(port: PortFacts, read: Read) -> dict[str, _Alias]:
    """The macros of shims that give names of libraries; none that is given to something else too."""
    found: dict[str, list[_Alias]] = {}
    for path in sorted(port.shims):
        source = read(path)
        for name, one in _defined(source) if source is not None else ():
            found.setdefault(name, []).append(one)
    alone = {name: made[0] for name, made in found.items() if len({one.target for one in made}) == 1}
    return {name: one for name, one in alone.items() if one.library}


def _defined(source: SourceFile) -> Iterator[tuple[str, _Alias]]:
    """The macros of one shim, the library empty for what is none's."""
    for directive in lexed(source).directives:
        name, value = port_aliases.macro(lexed(source), directive)
        if name and port_aliases.CUDA_NAME.fullmatch(name.encode()):
            target = value.decode("latin-1")
            library = _LIBRARY.match(target) if re.fullmatch(r"\w+", target) else None
            start = source.data.index(name.encode(), directive.start)
            span = Span(start, start + len(name))
            yield name, _Alias(target, library[0].lower() if library is not None else "", source.path, span)


@dataclass(frozen=True, slots=True)
class _Uses:
    """Where code that HIP compiles uses the names of some aliases."""

    aliases: Mapping[str, _Alias]
    port: PortFacts
    graph: IncludeGraph
    read: Read

    def findings(self, rule: Rule) -> Iterator[tuple[_Alias, Finding]]:
        """One for each library, at the shim's macro for the first name that is used."""
        found: dict[str, list[tuple[str, str]]] = {}
        seen = self.graph.above(self.port.shims) | self.port.through_shim
        for path in sorted((seen & self.port.compiled) - self.port.shims.keys()) if self.aliases else ():
            for name, line in self._of(path):
                if self._is_open(path, self.aliases[name]):
                    found.setdefault(self.aliases[name].library, []).append((name, f"{path}:{line}"))
        for library, uses in found.items():
            name, place = uses[0]
            alias, more = self.aliases[name], len(uses) - 1
            source = self.read(alias.shim)
            also = f" and in {count_of(more, 'more place')}" if more else ""
            words = {"target": alias.target, "library": library, "place": place, "also": also}
            use = Use("name", name, alias.span, alias.span, certainty="syntax")
            if source is not None:
                yield alias, engine.finding(source, Hit(HEADER, use, words), rule)

    def _of(self, path: str) -> Iterator[tuple[str, int]]:
        """The names that a file uses whatever its macros are, each with its line; none in a macro of its own."""
        source = self.read(path)
        if source is None:
            return
        guards = guards_among((*self.port.marks, *(one.name for one in self.port.guards)))
        parts = branches(lexed(source), guards)
        for start in lexed(source).words(frozenset(name.encode() for name in self.aliases)):
            around = [one for one in parts if one.start <= start < one.end]
            if lexed(source).directive_at(start) is None and holds_for_hip(around, frozenset(guards)):
                token = lexed(source).token(start)
                name = lexed(source).text(token).decode("latin-1") if token is not None else ""
                yield name, source.position(start).line

    def _is_open(self, path: str, alias: _Alias) -> bool:
        """Whether a source is shown to read the file, and nothing that declares what the name is made."""
        found = {one for one in self.graph.above([path]) if one.endswith(_SOURCES)}
        found -= self.port.cuda_only.keys() | self.port.unbuilt
        return any(self._lacks(one, alias) for one in sorted(found & self.port.compiled or found))

    def _lacks(self, path: str, alias: _Alias) -> bool:
        """Whether a source and all that it includes are known, and none of it has the name but the shim, as a value."""
        word, paths = alias.target.encode(), include_paths(self.read, self.graph.spelled)
        for source in read_together(path, paths, self.read, _WITHOUT):
            if source is None:
                return False
            given = rb"#[ \t]*define[ \t]+%b\b|##" if source.path in self.port.shims else rb"\b%b\b"
            if re.search(given.replace(b"%b", word), source.data) is not None:
                return False
        return True
