"""Files of a tree, converted or not -> verdicts.

The tree on disk is never changed: an engine sees converted files through an overlay of the file system.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path

from cudamigrate import plugins
from cudamigrate.compilation import build_flags, build_settings, configured_headers, include_closure, made_headers
from cudamigrate.compilation import toolchain as machine
from cudamigrate.compilation.configured_headers import Unknown
from cudamigrate.compilation.engines import clang, hipcc
from cudamigrate.compilation.header_store import distance
from cudamigrate.compilation.host_sources import has_gpu_code
from cudamigrate.errors import InputError
from cudamigrate.model import Target
from cudamigrate.model.verification import (
    Checked,
    Diagnostic,
    Flags,
    Language,
    Toolchain,
    Unit,
    Unseen,
    Verdict,
    Verification,
    Word,
)
from cudamigrate.project.file_access import read_linked
from cudamigrate.project.scratch import scratch
from cudamigrate.verification import (
    causes,
    doubts,
    engine_passes,
    following_errors,
    gated_includes,
    left_assembly,
    linkage,
    linked_files,
    lone_headers,
    mask_truncation,
    nested_projects,
    open_regions,
    originals,
    own_names,
    refused_halves,
    required_macros,
    submodules,
    uncompiled,
    unincluded,
)
from cudamigrate.verification import libraries as lookup
from cudamigrate.verification.engine_passes import Progress
from cudamigrate.verification.newer_releases import Release
from cudamigrate.verification.preambles import Kept

_IN_C = "gnu17"
"""The standard of C that today's compilers choose where nobody says."""
_HELD = 256
"""How many files of the tree are held while verdicts are made of what the engine said."""
_THERE = "the repository has one, in a folder that no build file names for it"
_OF_C = "which says whether C sources are compiled as C or as C++"
_SEVERAL = "no build file says which of several files is meant by"
_RUNTIME = "hip/hip_runtime.h"


@dataclass(frozen=True, slots=True)
class Job:
    """What is judged: a tree, its translation units, headers that none of them may include, and converted bytes.

    `budget` is how many seconds the check may take, 0 for as long as it needs. `is_cuda` tells CUDA's headers from
    others by name: code that still includes one does not compile for AMD, whatever is installed. `rocm` is the
    release aimed at, `has` says whether that has a name, and `since` from which release on HIP does. `for_host` says
    of a unit whether a build that goes by its ending gives it to the host's compiler. `named` asks for the C++
    standard that build files name, however old it is. `wanted` are the errors that are looked for in CUDA code, by
    unit. `marks` are the macros that mark HIP, as conditions are evaluated with them; `macros` are given to single
    units. `left` is what another check says of PTX in the text of files. `left_out` says of a file whether it has
    code for CUDA that the run was not to convert. `texts` are units that are compiled at run time: their compiler
    declares what HIP's runtime header does. `turn` is lower for units that are to be judged before others. Without
    `cache` nothing counts that earlier runs found.
    """

    root: str
    units: Sequence[str]
    headers: Sequence[str] = ()
    converted: Mapping[str, bytes] = field(default_factory=dict)
    extra: Flags = field(default_factory=lambda: Flags(""))
    guards: frozenset[bytes] = frozenset()
    language: Language = "hip"
    budget: float = 0.0
    is_cuda: Callable[[str], object] = lambda name: False
    named: bool = False
    rocm: str = ""
    has: Callable[[str], bool] = lambda name: False
    since: Callable[[str], str] = lambda name: ""
    for_host: Callable[[str], bool] = lambda path: False
    wanted: originals.Wanted = field(default_factory=dict)
    marks: frozenset[bytes] = frozenset()
    macros: Mapping[str, Sequence[str]] = field(default_factory=dict)
    left: Sequence[Diagnostic] = ()
    left_out: Callable[[str], bool] = lambda path: False
    texts: Set[str] = frozenset()
    turn: Callable[[str], int] = lambda path: 0
    cache: bool = True


def engines() -> list[str]:
    """Names of the engines."""
    return plugins.names("cudamigrate.compilation.engines")


def toolchain(name: str, goal: Target) -> Toolchain | str:
    """The toolchain of the engine called `name`, or of the best one for `auto`; a string says what to install.

    A hipcc whose release is nearer to the one aimed at than the embedded engine's headers judges better; otherwise
    the embedded engine does, because it is quicker.
    """
    if name != "auto":
        if name not in engines():
            raise InputError(f"no engine is called {name!r}; engines: auto, {', '.join(engines())}")
        found: Toolchain | str = plugins.load("cudamigrate.compilation.engines")[name].find(goal)
        return found
    compiler, embedded = hipcc.find(goal), clang.find(goal)
    if isinstance(compiler, str) or isinstance(embedded, str):
        return compiler if isinstance(embedded, str) and not isinstance(compiler, str) else embedded
    nearer = distance(compiler.release, goal.rocm) < distance(embedded.release, goal.rocm)
    return compiler if nearer else embedded


def run(job: Job, chosen: Toolchain, jobs: int = 0, progress: Progress | None = None) -> Verification:
    """Judge every unit, then the headers that no unit read."""
    started = time.perf_counter()
    until, root = time.time() + job.budget if job.budget else 0.0, Path(job.root)
    paths = include_closure.headers(root) | frozenset(job.converted)
    configured = configured_headers.made(root, {*paths, *job.units}, partial(read_file, root, job.converted))
    generated, absent = made_headers.read(root, paths | frozenset(configured)), submodules.absent(root)
    written = {**{path: one.data for path, one in configured.items()}, **linked_files.also(root, job.converted)}
    tree = include_closure.IncludeResolver(
        root=job.root,
        project=build_flags.read(root, job.converted),
        system=(*chosen.headers, *chosen.declarations, *machine.SYSTEM, *machine.standard_library()),
        read=partial(read_file, root, written),
        guards=job.guards,
        language=job.language,
        extra=job.extra,
        paths=paths | frozenset(configured),
        is_made=partial(_comes_from, generated, absent),
        rocm=job.rocm,
    )
    inner = tree.included(job.units)
    with overlay(root, {**tree.blanked(), **written}) as listing, scratch() as first, scratch() as second:
        unit = partial(_unit, job=job, chosen=chosen, tree=tree, overlay=listing)
        units = [unit(path) for path in sorted(set(job.units) - inner)]
        job = replace(job, is_cuda=partial(_is_cudas, job.is_cuda, _written(root)))
        aim, kept = _aim(job, chosen, tree), Kept(first)
        passes = engine_passes.Passes(chosen, tree, aim, jobs, until, kept, Kept(second, kept.surveys), cache=job.cache)
        checked = passes.in_turns(units, job.turn, progress)
        units, checked, unseen, words = _with_macros(units, checked, job, passes)
        asm = left_assembly.found(job.left, units, checked, tree.read, chosen, jobs) if job.left else {}
        lone = map(unit, _without_reader(checked, job, inner))
        alone = lone_headers.judged(lone, tree.closure, partial(_later, passes.check, progress, len(units)))
        hidden, gates = _unread(units, checked, alone, job, passes, words)
    brought, unset = partial(_brought, tree, generated, absent), Unknown(configured, tree.read)
    tree = replace(tree, read=lru_cache(_HELD)(tree.read))  # many complaints are about few files
    judge = partial(_verdict, job=job, chosen=chosen, tree=tree, unknown=unset, brought=brought)
    verdicts = [uncompiled.noted(one, unseen.get(one.path)) for one in map(judge, units, checked)]
    verdicts += [causes.lone(judge(unit, done), gates.get(unit.path, "")) for unit, done in alone]
    left, took = tuple((skip.path, skip.reason) for skip in tree.project.unread), time.perf_counter() - started
    return with_more(Verification(chosen, tuple(verdicts), chosen.arch, seconds=took, unread=left, unseen=hidden), asm)


def _unread(
    units: Sequence[Unit],
    checked: Sequence[Checked],
    alone: Sequence[tuple[Unit, Checked]],
    job: Job,
    passes: engine_passes.Passes,
    known: uncompiled.Words,
) -> tuple[tuple[Unseen, Unseen], Mapping[str, str]]:
    """The headers with code for the GPU, and of the host's, that no pass compiles; and why no unit reads headers."""
    judged, own, tree = [*zip(units, checked, strict=True), *alone], {unit.path for unit in units}, passes.tree
    known = uncompiled.words(known, judged, tree.read)
    found = uncompiled.of_headers(judged, own, passes.chosen, tree.read, known, passes.jobs)
    read = (path for done in checked for path in done.inside(job.root))
    gates = gated_includes.reasons(read, {unit.path for unit, _ in alone}, tree)
    return found, gates


def _without_reader(checked: Iterable[Checked], job: Job, inner: Iterable[str]) -> list[str]:
    """The headers, and files that others include, which no unit read."""
    read = {path for done in checked for path in done.inside(job.root)}
    return [path for path in (*job.headers, *sorted(inner)) if path not in read]


def _with_macros(
    units: Sequence[Unit], checked: Sequence[Checked], job: Job, passes: engine_passes.Passes
) -> tuple[list[Unit], list[Checked], dict[str, uncompiled.Uncompiled], uncompiled.Words]:
    """The units and what is said of them, with the macros that they demand or have no HIP code without.

    At last the words that tell GPU code in what they read.
    """
    text = passes.tree.read
    units, checked = required_macros.judged_again(units, checked, text, passes.check)
    known = uncompiled.words(uncompiled.Words(job.marks), zip(units, checked, strict=True), text)
    seek = partial(uncompiled.search, chosen=passes.chosen, text=text, known=known, jobs=passes.jobs)
    return *uncompiled.judged_again(units, checked, seek, passes.check), known


def _brought(
    tree: include_closure.IncludeResolver,
    generated: Sequence[made_headers.MadeHeader],
    absent: Sequence[str],
    name: str,
) -> str:
    """A header with the command of the build that makes it, else with what brings it as far as that is known."""
    made = made_headers.meant(generated, name)
    found = f"{name} ({made.title})" if made is not None else submodules.brought(name, absent)
    return f"{name} ({_THERE})" if found == name and tree.holds(name) else found


def _later(
    check: Callable[..., list[Checked]],
    progress: Progress | None,
    units: int,
    lone: Sequence[Unit],
    done: int,
    left: int,
) -> list[Checked]:
    """Check headers behind so many `units` and headers that are `done`; so many may be `left` for a later turn."""
    said = progress and (lambda number, several: progress(units + done + number, units + done + several + left))
    return check(lone, progress=said, together=True)


def _comes_from(generated: Sequence[made_headers.MadeHeader], absent: Sequence[str], name: str) -> bool:
    """Whether the build makes a header, or a submodule brings it that was never fetched: no other file is meant.

    A name without a folder may be any file's.
    """
    return made_headers.meant(generated, name) is not None or ("/" in name and submodules.of(name, absent) is not None)


def _written(root: Path) -> Collection[str]:
    """The headers that CMake files write where what they build goes."""
    return configured_headers.written(root, partial(read_file, root, {}))


def _is_cudas(is_cuda: Callable[[str], object], made: Collection[str], name: str) -> bool:
    """Whether a header is CUDA's by its name, and none of those that the build makes."""
    return bool(is_cuda(name)) and not any(path == name or path.endswith(f"/{name}") for path in made)


def _aim(job: Job, chosen: Toolchain, tree: include_closure.IncludeResolver) -> doubts.Aim:
    declares = partial(unincluded.header_of, chosen=chosen)
    goal = Release(job.rocm, chosen.release, job.has, declares, job.since)
    return doubts.Aim(goal, job.is_cuda, tree.read, job.wanted)


def _unit(path: str, job: Job, chosen: Toolchain, tree: include_closure.IncludeResolver, overlay: str) -> Unit:
    """One file as it is compiled."""
    of_c = path.endswith(".c") and not has_gpu_code(tree.read(path))
    in_c = of_c and not tree.is_in_cpp(path)
    host = of_c or tree.host_rule(path) is not None or (job.for_host(path) and not tree.is_for_gpu(path))
    flags = tree.flags(path, host)
    flags = replace(flags, standard=_IN_C) if in_c else flags
    flags = replace(flags, standard=flags.named) if job.named and flags.named else flags
    flags = replace(flags, defines=(*flags.defines, *job.macros.get(path, ())))
    flags = replace(flags, forced=(*flags.forced, _RUNTIME)) if path in job.texts else flags
    arch = () if host else chosen.arch
    return Unit(path, job.root, flags, arch, job.language, overlay, host=host)


def with_more(judged: Verification, more: left_assembly.Entries) -> Verification:
    """The verification with complaints about files that another check brings; a file that has one has failed."""
    known = {verdict.path: verdict for verdict in judged.verdicts}
    for path, entries in more.items():
        verdict = known.get(path, Verdict(path, "failed"))
        word = verdict.word if verdict.word == "unresolved" else "failed"
        known[path] = replace(verdict, word=word, diagnostics=(*verdict.diagnostics, *entries))
    return replace(judged, verdicts=tuple(known[path] for path in sorted(known)))


def read_file(root: Path, converted: Mapping[str, bytes], path: str) -> bytes:
    """The bytes of a file: the converted ones, else those on disk, empty where there are none."""
    if path in converted:
        return converted[path]
    try:
        return read_linked(root / path)
    except OSError:
        return b""


@contextmanager
def overlay(root: Path, converted: Mapping[str, bytes]) -> Iterator[str]:
    """A file that tells clang to read the converted bytes where the tree has others; empty where none are converted."""
    if not converted:
        yield ""
        return
    with scratch() as folder:
        entries = []
        for number, (path, data) in enumerate(sorted(converted.items())):
            copy = os.path.join(folder, str(number))
            Path(copy).write_bytes(data)
            entries.append({"type": "file", "name": str(root / path), "external-contents": copy})
        listing = Path(folder) / "overlay.yaml"  # JSON is YAML too, and its quoting is safe
        listing.write_text(json.dumps({"version": 0, "use-external-names": "false", "roots": entries}))
        yield str(listing)


def _verdict(
    unit: Unit,
    done: Checked,
    job: Job,
    chosen: Toolchain,
    tree: include_closure.IncludeResolver,
    unknown: Unknown,
    brought: Callable[[str], str],
) -> Verdict:
    """What the diagnostics of a unit amount to; `brought` puts to a header what brings it."""
    inside = done.inside(job.root)
    open_ = unknown.of(inside)
    kept = doubts.judged(done.diagnostics, done.read, unit, _aim(job, chosen, tree))
    given = tree.project.settings(os.path.join(job.root, unit.path)) if kept else build_settings.Settings()
    asked = {f"{path}, which the build writes": names for path, names in open_.items()}
    asked |= {_value(name, given): frozenset((name,)) for name in given.open if name}
    told = (one for entry in kept if (one := mask_truncation.told(entry, tree.read)) is not None)
    kept = following_errors.without(open_regions.asking(told, asked, tree.read), tree.read)
    kept = _without_open(kept, unit, done, given, frozenset().union(*open_.values()), tree)
    kept = lookup.in_cpp(kept, unit, _declared(done.read, chosen))
    missing = lookup.needed(kept, done.read, partial(own_names.is_own, tree.read), brought)
    missing += [brought(os.path.relpath(one, job.root)) for one in tree.absent(given)] if kept else []
    ours = [*_declared(done.read, chosen), *(f"{path}, as its template has it" for path in sorted(open_))]
    flags = f"{unit.flags.standard}, from {unit.flags.source}"
    if done.left_out:
        return Verdict(unit.path, "unresolved", headers=(done.left_out,), flags=flags)
    certain = any(entry.kind == "error" and (entry.certain or entry.header) for entry in kept)  # a header of CUDA's
    if kept and not missing:
        guessed = [*tree.guesses(unit.flags, inside), *map(os.path.basename, sorted(given.several))]
        missing = [f"{_SEVERAL} {name}" for name in guessed or nested_projects.several(kept, unit.path, inside, tree)]
    word: Word = "failed" if kept else "declarations" if ours else "checked"
    headers = ours if word == "declarations" else _lacked(kept, done, brought)
    if missing and not certain:
        word, headers = "unresolved", missing
    if word == "failed" and (reasons := _unknown(unit.path, filter(job.left_out, inside), tree)):
        word, headers = "unresolved", reasons
    if word == "failed":
        kept = [refused_halves.advised(unincluded.advised(entry, chosen, done.read), unit) for entry in kept]
    found = tuple(doubts.once(kept))
    return Verdict(unit.path, word, found, tuple(headers), flags, done.seconds, done.cached, named=unit.flags.named)


def _unknown(path: str, others: Iterable[str], tree: include_closure.IncludeResolver) -> list[str]:
    """Why it is not known that a unit does not compile: files that are not to be converted, rules outside the tree."""
    rules = tree.rules_outside(path)
    return [*causes.left_out(others)] or [f"{rules}, {_OF_C}" for rules in (rules,) if rules]


def _without_open(
    kept: Sequence[Diagnostic],
    unit: Unit,
    done: Checked,
    given: build_settings.Settings,
    open_: frozenset[str],
    tree: include_closure.IncludeResolver,
) -> list[Diagnostic]:
    """The complaints about a unit, those as open that rest on macros of which the build decides."""
    found = open_regions.consequences(kept, tree.read)
    found = open_regions.configured(found, unit, done.read, tree.read, given.some)
    found = open_regions.judged(found, given.some | given.open | open_, unit, done.read, tree.read)
    return linkage.judged(open_regions.consequences(found, tree.read))


def _lacked(kept: Iterable[Diagnostic], done: Checked, brought: Callable[[str], str]) -> list[str]:
    """The headers that a file lacks which fails for something else: what is behind them is not known."""
    return lookup.needed([entry for entry in kept if entry.kind == "missing-header"], done.read, brought=brought)


def _value(name: str, given: build_settings.Settings) -> str:
    """What is not known of a macro, and who knows: the build, or a program that puts the value into a command line."""
    return f"the value of {name}, which {given.written.get(name, 'the build')} gives"


def _declared(read: Iterable[str], chosen: Toolchain) -> list[str]:
    """The declaration headers of ours among the files read."""
    found = set()
    for path in read:
        for folder in chosen.declarations:
            if path.startswith(folder + os.sep):
                found.add(os.path.relpath(path, folder).removeprefix(f"{machine.TORCH_DECLARATIONS}/"))
    return sorted(found)
