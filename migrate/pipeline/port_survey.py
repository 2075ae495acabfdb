"""The pass over all files before any is judged: does the repository have a HIP port, and how does it tell the sides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from pathlib import Path, PurePosixPath

from cudamigrate.analysis import (
    port_builds,
    port_configure,
    port_discovery,
    port_evidence,
    port_links,
    port_macros,
    port_missing,
    port_probes,
    port_python,
    port_reach,
    port_share,
    port_unset,
    port_waves,
)
from cudamigrate.cuda.code_files import speaks_cuda
from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import FileEntry, Inventory, Skip, SourceFile
from cudamigrate.model.port_facts import FileEvidence, PortFacts
from cudamigrate.pipeline import port_off_macros, unset_macros
from cudamigrate.pipeline.cached_work import Cache
from cudamigrate.pipeline.port_passes import Asked, Bodies, LeftOut, Uses
from cudamigrate.project import discovery
from cudamigrate.project.file_access import read_linked

_CODE = ("cuda", "cxx")
_USED = re.compile(rb"\b(?:cuda|cu(?:blas|fft|rand|sparse|solver|dnn)|nccl)[A-Z]\w*")
"""A name of CUDA's form; what a project has of that form itself is called by few."""
_PATTERN = re.compile(r"[*%]\.cu\b|wildcard|GLOB|\$\(shell")
"""What names sources by a pattern: `*.cu`, `%.cu`, `file(GLOB ...)`."""
_OTHER_BUILDS = tuple(one for one in port_builds.BUILD_LANGUAGES if one != "python")
"""Languages of builds that are not PyTorch's."""


def evidence(
    root: Path, inventory: Inventory, guards: Sequence[str], jobs: int, cache: Cache | None = None
) -> list[FileEvidence]:
    """What each file shows by itself."""
    entries = _entries(inventory)
    names = frozenset(entry.path.rpartition("/")[2] for entry in entries)
    cache = cache or Cache(root, entries, None)
    asked = _Evidence(root, names, (*cuda.GUARDS, *guards))
    return [one for one in cache.run(asked, entries, jobs, 64) if one is not None]


def _entries(inventory: Inventory) -> list[FileEntry]:
    """The files of a tree that are code or build it."""
    return [entry for entry in inventory.entries if entry.language in (*_CODE, *port_builds.BUILD_LANGUAGES)]


def survey(
    root: Path,
    inventory: Inventory,
    guards: Sequence[str],
    jobs: int,
    cache: Cache | None = None,
    shown: Sequence[FileEvidence] | None = None,
) -> PortFacts:
    """The facts of the port, if there is one. `guards` are macros that the configuration says mark HIP.

    `shown` is the evidence of the tree, where it was read before.
    """
    facts = _surveyed(root, inventory, guards, jobs, cache, shown)
    if not facts.extensions:
        return facts
    from cudamigrate.pipeline import torch_files  # most repositories are no extension

    texts: dict[str, bytes] = {}

    def text(path: str) -> bytes:
        if path not in texts:
            source = discovery.read(root, FileEntry(path, "cxx", 0))
            texts[path] = source.data if isinstance(source, SourceFile) else b""
        return texts[path]

    paths = frozenset(entry.path for entry in inventory.entries)
    others = [one.path for one in _entries(inventory) if one.language in _OTHER_BUILDS]
    passed_over, kernel_build = torch_files.surveyed(facts, paths, text, others)
    return replace(facts, passed_over=passed_over, kernel_build=kernel_build)


def _surveyed(
    root: Path,
    inventory: Inventory,
    guards: Sequence[str],
    jobs: int,
    cache: Cache | None,
    shown: Sequence[FileEvidence] | None,
) -> PortFacts:
    """The facts of the port, as `survey` has them, without what concerns PyTorch's build."""
    entries = _entries(inventory)
    names = frozenset(entry.path.rpartition("/")[2] for entry in entries)
    cache = cache or Cache(root, entries, None)
    found = list(shown) if shown is not None else evidence(root, inventory, guards, jobs, cache)
    unset = unset_macros.guards(root, inventory, entries, found, jobs, cache)
    known = tuple(one for one in (*cuda.GUARDS, *guards) if one not in unset)
    found.extend(_configuring(root, inventory, names, known))
    found = _asking(root, entries, found, names, known)
    found = _of_both(root, found, names, known)
    found.extend(_passed_over(root, found, {entry.path for entry in entries}, known))
    found = port_builds.with_languages(list(port_reach.by_vendor(found)))
    facts = port_discovery.facts(found, known, [entry.path for entry in entries])
    more = _reading(root, entries, found, names, known, _of_cuda(facts, found))
    if more != found:
        facts = port_discovery.facts(more, known, [entry.path for entry in entries])
    facts = replace(facts, selecting=(*facts.selecting, *(f"~{name}" for name in sorted(unset))))
    facts = _with_elsewhere(root, facts, found)
    if facts.is_begun and not facts.is_port and not facts.elsewhere:
        facts = replace(facts, handled=max(facts.handled, _by_files(root, entries, facts.answered, facts.aside)))
    if facts.is_port and facts.shims and not (facts.build or facts.hipify or facts.hipify_folders):
        facts = replace(facts, handled=min(facts.handled, _by_names(root, entries, facts)))
    if not facts.is_port:
        return facts
    facts = replace(
        facts, probes=port_probes.found(found, [entry.path for entry in entries]), links=_links(root, entries, facts)
    )
    return _with_macros(facts, root, found, inventory, known, jobs, cache)


def _links(root: Path, entries: Sequence[FileEntry], facts: PortFacts) -> dict[str, tuple[int, ...]]:
    """The lines of builds in Python with options that link a library for HIP too."""
    macros = {guard.name for guard in facts.guards if guard.kind in ("exact", "implies")}
    read = (discovery.read(root, entry) for entry in entries if entry.language == "python")
    built = (one for one in read if isinstance(one, SourceFile) and port_python.builds(one.data))
    found = {one.path: port_links.lines(one.data.decode("utf-8", "replace"), macros, facts.hip_files) for one in built}
    return {path: lines for path, lines in found.items() if lines}


def _with_elsewhere(root: Path, facts: PortFacts, found: Sequence[FileEvidence]) -> PortFacts:
    """The port, which answers for no source that its builds neither name nor may mean by a pattern.

    A build for HIP in the folder of one program says nothing of another's, whose source may be called the same.
    """
    builds = sorted({path for path, _, _ in facts.build}) if facts.elsewhere else []
    texts = {path: _text(root, path) for path in builds}
    if not texts:
        return replace(facts, elsewhere=frozenset()) if facts.elsewhere else facts
    unnamed = {path for path in facts.elsewhere if not any(_may_name(*one, path) for one in texts.items())}
    answered = facts.answered - unnamed
    by_path = {one.path: one for one in found}
    handled = port_share.handled(by_path, answered, facts.aside)
    return replace(facts, elsewhere=frozenset(unnamed), answered=answered, handled=handled)


def _may_name(build: str, text: str, source: str) -> bool:
    """Whether a build file may name a source, or mean it by a pattern: one below it, or in a folder that it names."""
    folder, name = PurePosixPath(build).parent, PurePosixPath(source)
    near = folder in name.parents or any(part in text for part in name.parts[:-1] or ("../",))
    return near and (name.stem in text or _PATTERN.search(text) is not None)


def _text(root: Path, path: str) -> str:
    """The text of a build file; a pattern where it cannot be read, as it may name anything."""
    try:
        return read_linked(root / path).decode("utf-8", "replace")
    except OSError:
        return "*.cu"


def _by_names(root: Path, entries: Sequence[FileEntry], facts: PortFacts) -> float:
    """The part of CUDA's names that shims give to HIP's, of those that the files which see one use: 1 without any.

    Where nothing is seen to build for HIP, a shim is all that shows a port, and it answers for the names that it has.
    """
    code = (entry for entry in entries if entry.path in facts.through_shim)
    named = (name for one in _sources(root, code) for name in _USED.findall(one.data))
    used = {name.decode("latin-1") for name in named}
    return len(used & facts.covered) / len(used) if used else 1.0


def _by_files(root: Path, entries: Sequence[FileEntry], answered: frozenset[str], aside: frozenset[str]) -> float:
    """The part of the files with CUDA that a port answers for: kernels say little where few files have any."""
    code = (entry for entry in entries if entry.path not in aside)
    speaking = [one.path for one in _sources(root, code) if speaks_cuda(one)]
    return sum(path in answered for path in speaking) / len(speaking) if speaking else 0.0


def _sources(root: Path, entries: Iterable[FileEntry]) -> Iterator[SourceFile]:
    """The sources among some files that can be read."""
    read = (discovery.read(root, entry) for entry in entries if entry.language in _CODE)
    return (one for one in read if isinstance(one, SourceFile))


def _with_macros(
    facts: PortFacts,
    root: Path,
    found: Sequence[FileEvidence],
    inventory: Inventory,
    known: tuple[str, ...],
    jobs: int,
    cache: Cache,
) -> PortFacts:
    """The facts of a port, with what no build names, macros that nothing sets, and those that only CUDA's side uses."""
    entries = _entries(inventory)
    code = [entry for entry in entries if entry.language in _CODE]
    own = frozenset(entry.path.rpartition("/")[2] for entry in entries)
    read = [one for one in cache.run(Bodies(root, own), code, jobs, 64) if one is not None]
    asked = port_unset.open_names(one.names for one in read) - {*known, *(guard.name for guard in facts.guards)}
    spoken = unset_macros.spoken(asked, root, inventory, entries, jobs, cache)
    facts = replace(
        facts,
        unbuilt=port_reach.unbuilt(spoken, [entry.path for entry in entries], found),
        unset=unset_macros.unset(asked.difference(*(one.macros for one in spoken)), root, code, jobs, cache),
        dead_lines={one.path: one.dead for one in read if one.dead},
    )
    facts = _with_unread(port_off_macros.added(facts, root, entries), root, code, known, jobs, cache)
    defined = {one.path: one.bodies for one in read if one.bodies}
    names = tuple(sorted(port_macros.wanted(one for found in defined.values() for one in found)))
    if not names:
        return facts
    for_cuda = frozenset(facts.equivalents) | frozenset(facts.cuda_only)
    users = Uses(root, names, (*known, *facts.marks), for_cuda)
    used = [one for found in cache.run(users, code, jobs, 64) for one in found or ()]
    return replace(facts, cuda_lines=port_macros.lines(defined, port_macros.of_cuda(used, frozenset(names))))


def _with_unread(
    facts: PortFacts, root: Path, code: Sequence[FileEntry], known: tuple[str, ...], jobs: int, cache: Cache
) -> PortFacts:
    """The facts with the headers that HIP's side never includes: those that go with a source for CUDA are its own."""
    marks = (*known, *facts.marks, *(f"-{name}" for name in sorted(facts.unset)))
    asked = LeftOut(root, marks, tuple(sorted(facts.dead_lines.items())))
    read = [one for one in cache.run(asked, code, jobs, 64) if one is not None]
    graph = IncludeGraph({path: included for path, _, _, included in read})
    sure = IncludeGraph({path: _without(included, out | maybe) for path, out, maybe, included in read})
    gone = facts.cuda_only.keys() | facts.equivalents.keys() | facts.lacking.keys() | facts.unbuilt
    found = port_unset.unreached(graph, {path: out for path, out, *_ in read}, gone)
    theirs = {path: facts.cuda_only[user] for path, user in found.items() if user in facts.cuda_only}
    rest = {path: user for path, user in found.items() if path not in theirs and path not in facts.hip_files}
    parts = port_unset.outermost(graph, facts.lacking)
    for_cuda = {**facts.cuda_only, **theirs}
    undecided = {**facts.undecided, **port_missing.inherited(facts.undecided, for_cuda, graph)}
    compiled = sure.below(facts.compiled)
    return replace(facts, cuda_only=for_cuda, unread=rest, parts=parts, compiled=compiled, undecided=undecided)


def _without(included: Sequence[str], names: frozenset[str]) -> tuple[str, ...]:
    return tuple(path for path in included if path.rpartition("/")[2] not in names)


def _asking(
    root: Path, entries: Sequence[FileEntry], found: list[FileEvidence], names: frozenset[str], known: tuple[str, ...]
) -> list[FileEvidence]:
    """The evidence, with that of files which show nothing of a port but ask for a macro that a build sets for HIP.

    So it is with a name that another file gives the size of AMD's wave: it may be something else there.
    """
    asked = {macro.name for one in found for macro in one.macros if macro.hip}
    switches = {name for one in found for name in one.switches}
    asked |= {name for one in found for name, _, _ in one.configured if name in switches}
    waves = {one.name for file in found for one in file.definitions if port_waves.is_wide(one)}
    return _reading(root, entries, found, names, known, asked | waves)


def _of_cuda(facts: PortFacts, found: Sequence[FileEvidence]) -> set[str]:
    """The macros that code of a port shows to be CUDA's by where it defines them: other files may do so, too."""
    defined = {one.name for file in found for one in file.definitions}
    return {guard.name for guard in facts.guards if guard.kind == "implies-cuda"} & defined if facts.is_port else set()


def _reading(
    root: Path,
    entries: Sequence[FileEntry],
    found: list[FileEvidence],
    names: frozenset[str],
    known: tuple[str, ...],
    asked: Set[str],
) -> list[FileEvidence]:
    """The evidence, with that of files which have not been read and name one of some macros."""
    wanted = tuple(sorted(name.encode() for name in asked))
    if not wanted:
        return found
    by_path = {one.path: one for one in found}
    read = {one.path for one in found if one.asked}
    for entry in entries:
        source = discovery.read(root, entry) if entry.language in _CODE and entry.path not in read else None
        if isinstance(source, SourceFile) and any(word in source.data for word in wanted):
            one = port_evidence.of(source, names, known, wanted)
            if one is not None:
                before = by_path.get(entry.path)
                by_path[entry.path] = one if before is None else replace(one, configured=before.configured)
    return list(by_path.values())


def _of_both(
    root: Path, found: list[FileEvidence], names: frozenset[str], known: tuple[str, ...]
) -> list[FileEvidence]:
    """The evidence, with that of branches read again where names of HIP's in them are also defined for CUDA."""
    shared = frozenset(name.encode() for one in found for name in one.for_cuda)
    if not shared:
        return found
    result = []
    for one in found:
        source = discovery.read(root, FileEntry(one.path, "cxx", 0)) if any(b.hip for b in one.branches) else None
        if isinstance(source, SourceFile) and any(name in source.data for name in shared):
            again = port_evidence.of(source, names, known, (b"#if",), shared)
            one = one if again is None else replace(one, branches=again.branches)
        result.append(one)
    return result


def _configuring(root: Path, inventory: Inventory, names: frozenset[str], known: tuple[str, ...]) -> list[FileEvidence]:
    """What the files show that a build is configured with. A template of a header is one, but for its gaps."""
    found = []
    for path in inventory.configuring:
        source = discovery.read(root, FileEntry(path, "cxx", 0)) if port_configure.configures(path) else None
        one = _of_build(source, names, known) if isinstance(source, SourceFile) else None
        if one is not None:
            found.append(one)
    return found


def _of_build(source: SourceFile, names: frozenset[str], known: Sequence[str]) -> FileEvidence | None:
    """What a file shows that a build is configured with; of a template of a header what its conditions show, too."""
    one = port_configure.of(source.path, source.data)
    if one is None or not one.configured or port_configure.is_script(source.path):
        return one
    shown = port_evidence.of(source, names, known, (b"#if",))
    return one if shown is None else replace(shown, configured=one.configured)


@dataclass(frozen=True, slots=True)
class _Evidence(Asked):
    """What is asked of each file: the names of all, and the macros that mark HIP."""

    root: Path
    names: frozenset[str]
    known: tuple[str, ...]

    @property
    def context(self) -> bytes:
        """The names and the macros."""
        return repr(("port", sorted(self.names), self.known)).encode(errors="backslashreplace")

    def of(self, source: SourceFile) -> FileEvidence | None:
        """What the file shows."""
        return of(source, self.names, self.known)


def _evidence(path: str, root: Path, known: tuple[str, ...]) -> FileEvidence | None:
    source = discovery.read(root, FileEntry(path, "cxx", 0))
    return None if isinstance(source, Skip) else port_evidence.of(source, frozenset(), known, (b"define",))


def of(source: SourceFile, names: frozenset[str], known: Sequence[str]) -> FileEvidence | None:
    """What one file shows."""
    if port_configure.configures(source.path):
        return _of_build(source, names, known)
    if source.language in _CODE:
        found, given = port_evidence.of(source, names, known), port_configure.passed_on(source.data)
        return replace(found or FileEvidence(source.path), configured=given) if given else found
    return port_builds.of(source)


def _passed_over(
    root: Path, found: Sequence[FileEvidence], paths: set[str], known: tuple[str, ...]
) -> list[FileEvidence]:
    """What headers show that are included from folders passed over, as `vendors/hip.h` is."""
    near = {str(PurePosixPath(one.path).parent / path) for one in found for path in one.unknown if ".." not in path}
    wanted = sorted(path for path in near - paths if (root / path).is_file())
    made = (_evidence(path, root, known) for path in wanted)
    return [one for one in made if one is not None]
