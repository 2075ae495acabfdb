"""C++ standards of build files that are older than what the sources of the GPU need after the conversion.

HIP's own headers need C++11. rocThrust, hipCUB and rocPRIM need C++14, and C++17 since ROCm 7, where those of CUDA take
older ones; so does the header that converted code gets for some functions. Which sources a build file compiles is known
by its folder: those below it, up to a build file that names a standard itself.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence, Set

from cudamigrate.analysis import makefile_families
from cudamigrate.cuda.host_branches import host_reads
from cudamigrate.cuda.include_paths import IncludePaths, closure, is_below
from cudamigrate.cuda.preprocessor import branches
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.model import FileResult, Finding, Fix, Hit, SourceFile, Use, release
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import cuda_sources, named_standards
from cudamigrate.pipeline.named_standards import Named
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.read_again import asked, included, lexed, spelled_includes
from cudamigrate.rulebase.code_rules import Rulebook

OLD, LIBRARY = "build/old-standard", "build/library-standard"
_OLDEST, _WRITTEN = 11, 14
"""What HIP's headers need, and what is written where nothing needs more: C++14 takes most of what C++98 has."""
_LIBRARIES = {"thrust/": "Thrust", "cub/": "CUB", "hipcub/": "hipCUB", "rocprim/": "rocPRIM"}
_CUDA = ".cu"
_CXX = (".cpp", ".cc", ".cxx", ".C", ".c++")
"""Endings of sources that the host's compiler gets, unless a build says otherwise."""
_GONE = "build/make-c-standard"
"""The rule that takes a standard out, which then is none to be raised."""
_OPTIONS = "build/flag-"
"""Rules for single options: an option that is written here has no second finding by one of these."""


def makefiles_for_cuda(before: Sequence[FileResult], after: Sequence[FileResult], port: PortFacts) -> frozenset[str]:
    """The Makefiles of CUDA's own in a repository whose port has another for HIP: all that is found in them is `before`
    the port answers it."""
    if not port.is_port:
        return frozenset()
    makes = (one for one, left in zip(before, after, strict=True) if one.findings and not left.findings)
    return frozenset(one.path for one in makes if one.language == "make") - {path for path, _, _ in port.build}


def with_cpp_standards(
    results: Sequence[FileResult], book: Rulebook, read: Read, for_cuda: Set[str] = frozenset()
) -> list[FileResult]:
    """The results, with a finding at each standard that is too old for what it is given to.

    Build files that are `for_cuda` give HIP's compiler none.
    """
    builds = [one for one in results if one.language in named_standards.LANGUAGES and _is_read(one)]
    builds = [one for one in builds if one.path not in for_cuda]
    given = cuda_sources.given(results, read)
    units = [one for one in results if one.path.endswith(_CUDA) or one.path in given]
    sources = [one for one in units if one.skip is None and not one.absent]
    plain = [one.path for one in results if one.path.endswith(_CXX) and one.path not in given and one.skip is None]
    if not builds or not any(one.cuda or one.language == "cuda" for one in results):
        return list(results)
    read_once = {one.path: source for one in builds if (source := read(one.path)) is not None}
    found = _named(read_once)
    if not found or OLD not in book.rules or LIBRARY not in book.rules:
        return list(results)
    needs = _Needs({one.path: one for one in results}, read, 17 if release(book.goal.rocm) >= (7,) else 14, {*plain})
    made = {}
    for path, standards in found.items():
        below = _governed(path, found, read_once, [one.path for one in sources])
        for_hosts = any(one.host or one.shared for one in standards)
        hosts = _governed(path, found, read_once, plain) if for_hosts else ()
        gone = [one.span for one in needs.results[path].findings if one.rule == _GONE and one.fix is not None]
        kept = [one for one in standards if not any(span.overlaps(one.at) for span in gone)]
        asked = [_with_sources(one, below, hosts, needs) for one in kept]
        made[path] = [finding for one, which in asked for finding in _judged(one, which, needs, book, read_once[path])]
    return [_with(one, made.get(one.path, ())) for one in results]


def _is_read(result: FileResult) -> bool:
    """Whether a file may name a standard: most scripts build nothing, and those that call nvcc have findings."""
    return result.skip is None and (result.language in ("make", "cmake") or bool(result.findings))


def _named(files: Mapping[str, SourceFile]) -> dict[str, list[Named]]:
    """The standards of each build file that names some."""
    if not any(named_standards.MAY.search(one.data) for one in files.values()):
        return {}
    families = makefile_families.families({path: one.data for path, one in files.items() if one.language == "make"})
    for_cxx = named_standards.cxx_counts(one for one in files.values() if one.language == "cmake")
    found = {path: named_standards.named(one, families.get(path, {}), for_cxx) for path, one in files.items()}
    return {path: standards for path, standards in found.items() if standards}


def _governed(
    path: str, found: Mapping[str, Sequence[Named]], files: Mapping[str, SourceFile], sources: Iterable[str]
) -> list[str]:
    """The sources that a build file compiles, as far as folders tell."""
    language = files[path].language
    folder = "" if path.endswith(".cmake") else posixpath.dirname(path)
    others = [one for one in files if files[one].language == language and one != path]
    if language != "make":
        others = [one for one in others if one in found]
    nearer = {posixpath.dirname(one) for one in others if not one.endswith((".cmake", ".mk", ".inc"))} - {folder}
    nearer = {one for one in nearer if is_below(one, folder)}
    if language == "make" and not posixpath.basename(path).lower().startswith(("makefile", "gnumakefile")):
        nearer = set()  # it is included by others
    return [one for one in sources if is_below(one, folder) and not any(is_below(one, other) for other in nearer)]


@dataclass(slots=True)
class _Needs:
    """The standard that each source needs, and for what."""

    results: Mapping[str, FileResult]
    read: Read
    libraries: int
    hosts: Set[str] = frozenset()
    _heads: dict[tuple[str, bool], tuple[tuple[str, ...], str]] = field(default_factory=dict)
    _paths: IncludePaths | None = None

    def of(self, path: str) -> tuple[int, str]:
        """The number, and the library or header that needs it: that of HIP where no other does, and it uses CUDA.

        Of `hosts`, sources for the host's compiler, what only compilers for GPUs read of their headers needs nothing.
        """
        host = path in self.hosts
        seen = closure((path,), lambda one: self._head(one, host)[0])
        library = next((name for one in sorted(seen) if (name := self._head(one, host)[1])), "")
        if library:
            return self.libraries, library
        uses = path.endswith(_CUDA) or self.results[path].cuda
        return (_OLDEST, "HIP") if uses else (0, "")

    def _head(self, path: str, host: bool) -> tuple[tuple[str, ...], str]:
        """The files of the tree that one includes, and a library that needs a newer standard."""
        if (path, host) not in self._heads:
            self._paths = self._paths or IncludePaths(self.results)
            inside, library = list[str](), ""
            for name in asked(self.read, path, _host_includes if host else spelled_includes) or ():
                own = self._paths.nearest(path, name)
                inside += own if len(own) == 1 else []
                if not own:
                    library = library or next((to for start, to in _LIBRARIES.items() if name.startswith(start)), "")
            self._heads[path, host] = tuple(inside), library
        return self._heads[path, host]


def _host_includes(source: SourceFile) -> tuple[str, ...]:
    """The headers that a source includes where the host's compiler reads it."""
    if b"CC__" not in source.data:
        return spelled_includes(source)
    parts = branches(lexed(source), ())
    return tuple(name for name, _, span in included(source) if host_reads(parts, span.start))


def _with_sources(one: Named, below: Sequence[str], hosts: Sequence[str], needs: _Needs) -> tuple[Named, Sequence[str]]:
    """A standard with the sources that decide on it: those of the GPU alone get another where no other needs one."""
    if one.shared and max((needs.of(path)[0] for path in hosts), default=0) > one.year:
        return replace(one, added=""), (*below, *hosts)
    return one, hosts if one.host else below


def _judged(one: Named, below: Sequence[str], needs: _Needs, book: Rulebook, source: SourceFile) -> list[Finding]:
    """The finding of a standard that is too old, if it is."""
    if one.sources:
        names = {posixpath.basename(name) for name in one.sources}
        below = [path for path in below if posixpath.basename(path) in names]
    asked = [(*needs.of(path), path) for path in below]
    most, library, path = max(asked, key=lambda each: each[0], default=(_OLDEST if one.sure else 0, "HIP", ""))
    if one.year >= most:
        return []
    rule = book.rules[OLD if most == _OLDEST else LIBRARY]
    wanted = max(most, _WRITTEN)
    words = {"need": str(most), "wanted": str(wanted), "source": posixpath.basename(path), "library": library}
    words["release"] = book.goal.rocm
    made = engine.finding(
        source, Hit(rule.id, Use("name", "C++ standard", one.at, one.at, certainty="syntax"), words), rule
    )
    edit = one.edit(wanted)
    if edit is None:
        return [replace(made, support="manual", effort="trivial")]
    return [replace(made, fix=Fix((edit,), rule.safety))]


def _with(result: FileResult, more: Sequence[Finding]) -> FileResult:
    """The result with more findings; an option that is written again as a whole has one."""
    spans = {one.span for one in more}
    kept = tuple(one for one in result.findings if not (one.rule.startswith(_OPTIONS) and one.span in spans))
    return engine.with_more(replace(result, findings=kept), more) if more else result
