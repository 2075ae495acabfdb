"""Joins the stages that verify: a tree as it is, what `apply` made, CUDA code as it was, and the numeric harness.

Nothing is printed here.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import partial
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from cudamigrate.compilation import build_files
from cudamigrate.compilation.engines import clang
from cudamigrate.config import Config
from cudamigrate.cuda.code_files import configured
from cudamigrate.emulation import run as emulation
from cudamigrate.errors import InputError
from cudamigrate.frontends import cuda, known_files
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Conversion, FileEntry, Proof, Report, Skip, SourceFile
from cudamigrate.model.execution import Execution
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.model.verification import (
    UNFORESEEN,
    WORDS,
    CudaPath,
    Flags,
    Toolchain,
    Verdict,
    Verification,
    Word,
)
from cudamigrate.pipeline import (
    Applied,
    Progress,
    build_renames,
    convert_file,
    empty_kernels,
    judged_files,
    known_causes,
    late_texts,
    left_ptx,
    nvcc_rules,
    own_names,
    port_survey,
    run,
    torch7,
    unselected,
)
from cudamigrate.pipeline.rule_base import target
from cudamigrate.project import discovery
from cudamigrate.verification import attribution, causes, cuda_path, originals, text, unforeseen
from cudamigrate.verification import run as verification

_OTHER_BUILDS = ("meson", "bazel", "cargo", "other-build")
"""Languages of build files whose sources are not looked for: they count where a source is named at all."""
_LAST = 0.001
"""Seconds left to a check whose time is over: none would mean that it has no limit."""
_FIRST = 0.8
"""What of the time the converted code may take: the rest is for the originals of what fails."""


def verify(path: Path, config: Config, engine: str = "auto", progress: Progress | None = None) -> Verification:
    """Judge the HIP code of a tree, or one file, as it is. Raises InputError.

    What the configuration includes is judged; how it is built all of the tree says.
    """
    if not path.exists():
        raise InputError(f"{path} does not exist; give a repository folder or a source file")
    chosen = verification.toolchain(engine, target(config))
    if isinstance(chosen, str):
        return Verification(None, absent=chosen)
    inventory = discovery.discover(path, config, known_files())
    root, asked = Path(inventory.root), {entry.path for entry in inventory.entries}
    whole = unselected.with_others(inventory, path, config)
    code = [entry for entry in whole.entries if entry.language in cuda.FILES.values()]
    sources = [discovery.read(root, entry) for entry in code]
    files = {source.path: source for source in sources if isinstance(source, SourceFile)}
    port = port_survey.survey(root, whole, config.hip_guards, config.jobs)
    built = _by_pytorch(files.values(), config, port)
    files = {path: replace(one, data=built.get(path, one.data)) for path, one in files.items() if path in asked}
    for_cuda = port.equivalents.keys() | (port.cuda_only.keys() if port.is_port else set())
    files = {path: source for path, source in files.items() if cuda.is_gpu(source) and path not in for_cuda}
    unread = (source for source in sources if isinstance(source, Skip) and source.path in asked)
    left = [*inventory.skipped, *unread]
    entries, texts = whole.entries, late_texts.compiled(root, whole.entries)
    tree = _Tree(bool(port.extensions), torch7.is_tree_at(root, entries), texts)
    judged = _judged(root, files, built, config, chosen, progress, tree)
    book = run.rules(target(config), config.rules)
    verdicts = [causes.without_consequences(known_causes.told(one, book)) for one in judged.verdicts]
    verdicts = late_texts.without_filled(verdicts, root, whole.entries)
    verdicts = causes.without_others(verdicts, asked) if unselected.is_part(config) else verdicts
    verdicts = nvcc_rules.unjudged(verdicts, root, entries, port)
    return _with_left(replace(judged, verdicts=tuple(verdicts)), left)


def _by_pytorch(files: Iterable[SourceFile], config: Config, port: PortFacts) -> dict[str, bytes]:
    """The files that PyTorch's build of an extension changes, as it makes them."""
    return build_renames.by_pytorch(files, config, port.marks, port.passed_over) if port.extensions else {}


class _Tree(NamedTuple):
    """A tree built by PyTorch, or a package of Torch 7, for which THC is not installed; `texts` are compiled late."""

    extension: bool
    torch7: bool
    texts: Set[str]


def _for_host(path: str) -> bool:
    """Whether PyTorch's build gives a file to the host's compiler: `.cu` alone goes to the one for GPUs."""
    return judged_files.is_unit(path) and PurePosixPath(path).suffix.lower() not in (".cu", ".hip")


def _with_left(judged: Verification, left: Sequence[Skip]) -> Verification:
    """The verification with the source files that could not be read: nothing is claimed of them."""
    sources = [skip for skip in left if not skip.notice and PurePosixPath(skip.path).suffix.lower() in cuda.FILES]
    verdicts = [*judged.verdicts, *(Verdict(skip.path, "unresolved", headers=(skip.reason,)) for skip in sources)]
    return replace(judged, verdicts=tuple(sorted(verdicts, key=lambda verdict: verdict.path)))


def write_numeric(path: Path, config: Config, place: str, force: bool = False) -> list[str]:
    """Write a harness that compares numbers on both vendors; lines that say what was written and how to run it.

    Nothing is run, so the last line says UNVERIFIED. Raises InputError, TargetError.
    """
    from cudamigrate import numeric  # no other run pays for it at its start

    inventory = discovery.discover(path, config, {**cuda.FILES, ".py": "python"})
    root = Path(inventory.root)
    read = (discovery.read(root, entry) for entry in inventory.entries)
    sources = {source.path: source.data for source in read if isinstance(source, SourceFile)}
    plan = numeric.plan(root, sources)
    if not plan:
        return [f"numeric: UNVERIFIED (nothing to run: {path} exports no PyTorch function and has no main)"]
    numeric.write(numeric.render(plan, run.tool_version()), place, force)
    return numeric.instructions(plan, place)


def execute(
    path: Path,
    original: Path | None,
    options: emulation.Options,
    progress: Progress | None = None,
) -> Execution:
    """Run the programs of a converted tree on an emulated GPU, or kernels by themselves, beside the original's.

    This executes code of the repository. Raises InputError.
    """
    for given in (path, *([original] if original is not None else [])):
        if not given.exists():
            raise InputError(f"{given} does not exist; give a repository folder or a source file")
    return emulation.run(path.resolve(), original and original.resolve(), options, progress=progress)


def execute_applied(applied: Applied, options: emulation.Options, progress: Progress | None = None) -> Execution:
    """Run the programs of a tree as they were and as `apply` made them. This executes code of the repository."""
    root = Path(applied.report.repository.root).resolve()
    changed = {conversion.path: conversion.after for conversion in applied.conversions} | dict(applied.added)
    return emulation.run(root, root, options, changed, progress)


def with_proof(report: Report, judged: Verification | None, ran: Execution | None) -> Report:
    """The report with what checking the types and running programs showed of the code that was made."""
    if judged is None and ran is None:
        return report
    if judged is None:
        return replace(report, proof=Proof({}, runs=ran))
    said = tuple(text.details(judged))
    if judged.toolchain is None:
        return replace(report, proof=Proof({}, runs=ran, said=said))
    counts: dict[Word, int] = {word: sum(verdict.word == word for verdict in judged.verdicts) for word in WORDS}
    found, lacking = causes.of(judged), causes.missing(judged)
    return replace(report, proof=Proof(counts, judged.toolchain.title, ran, judged.arch, said, found, lacking))


def verify_original(path: Path, config: Config, progress: Progress | None = None) -> Verification:
    """Judge CUDA code as it is, so that what never compiled is not blamed on the move. Raises InputError."""
    chosen = clang.find_original()
    if isinstance(chosen, str):
        return Verification(None, absent=chosen)
    report = run.scan(path, config)
    root = Path(report.repository.root).absolute()
    units = [file.path for file in report.files if file.cuda and judged_files.is_unit(file.path)]
    extra = Flags(config.standard, config.defines, config.include_dirs)
    job = verification.Job(str(root), units, extra=extra, language="cuda", cache=config.cache)
    return verification.run(job, chosen, config.jobs, progress)


def verify_applied(
    applied: Applied, config: Config, engine: str = "auto", progress: Progress | None = None
) -> tuple[Applied, Verification]:
    """Judge what `apply` made, before it is written anywhere.

    A repair that does not type-check is taken back, with all that belongs to it; the renames around it stay. An error
    that no finding foresaw is a finding of the report that is returned.
    """
    chosen = verification.toolchain(engine, target(config))
    if isinstance(chosen, str):
        return applied, Verification(None, absent=chosen)
    root = Path(applied.report.repository.root)
    if applied.report.port is not None:
        marks = (guard.mark for guard in applied.report.port.guards)
        config = replace(config, hip_guards=(*config.hip_guards, *marks))
    started = time.perf_counter()
    result = _judge_applied(applied, root, config, chosen, progress)
    broken = attribution.broken(applied.report.findings, result.verdicts)
    if not broken:
        return _with_unforeseen(applied, result, config), result
    plain = applied.plain or applied.conversions
    conversions = tuple(_without(c, broken.get(c.path, frozenset()), applied.report) for c in plain)
    rejected = tuple(pair for c in conversions for pair in c.rejected)
    applied = run.in_style(replace(applied, conversions=conversions, rejected=rejected))
    again = _judge_applied(applied, root, _remaining(config, started), chosen, progress)
    whole = replace(again, reverted=tuple(sorted(broken)), seconds=result.seconds + again.seconds)
    return _with_unforeseen(applied, whole, config), whole


def compare_applied(applied: Applied, config: Config, progress: Progress | None = None) -> CudaPath | None:
    """Whether what `apply` made leaves what CUDA compiles as it was; None where the style does not promise that."""
    style = applied.report.style
    if style is None or style.name != "portable":
        return None
    code = {file.path for file in applied.report.files if file.language in cuda.FILES.values()}
    changed = [conversion for conversion in applied.conversions if conversion.path in code]
    written = {conversion.path for conversion in changed}
    units = [file.path for file in applied.report.files if file.cuda or file.path in written]
    change = cuda_path.Change(
        root=str(Path(applied.report.repository.root).absolute()),
        before={conversion.path: conversion.before for conversion in changed},
        after={conversion.path: conversion.after for conversion in changed},
        units=[path for path in units if judged_files.is_unit(path)],
        marks=(*cuda.GUARDS, *config.hip_guards, *applied.marks),
        added=applied.added,
        extra=Flags(config.standard, config.defines, config.include_dirs),
        budget=config.verify_time,
    )
    return cuda_path.compare(change, config.jobs, progress)


def compared(applied: Applied, config: Config, progress: Progress | None = None) -> Applied:
    """The same, with the verdict on CUDA's path in its report."""
    return replace(applied, report=replace(applied.report, cuda_path=compare_applied(applied, config, progress)))


def compare_trees(before: Path, after: Path, config: Config, progress: Progress | None = None) -> CudaPath:
    """Whether two trees give CUDA the same code: `after` is `before` with changes. Raises InputError."""
    for given in (before, after):
        if not given.is_dir():
            raise InputError(f"{given} is not a folder; give the tree before and the tree after")
    known = {path: kind for path, kind in cuda.FILES.items() if kind in ("cuda", "cxx")}
    there = discovery.discover(after, config, known)
    root, old = Path(there.root).absolute(), before.absolute()
    read = {entry.path: discovery.read(root, entry) for entry in there.entries}
    now = {path: source.data for path, source in read.items() if isinstance(source, SourceFile)}
    was = {path: _bytes(old, path) for path in now if (old / path).is_file()}
    changed = [path for path in was if was[path] != now[path]]
    change = cuda_path.Change(
        root=str(root),
        before={path: was[path] for path in changed},
        after={path: now[path] for path in changed},
        units=[path for path in was if judged_files.is_unit(path)],
        marks=(*cuda.GUARDS, *config.hip_guards, *_marks(before, config)),
        added={path: data for path, data in now.items() if path not in was},
        extra=Flags(config.standard, config.defines, config.include_dirs),
        budget=config.verify_time,
    )
    return cuda_path.compare(change, config.jobs, progress)


def _marks(path: Path, config: Config) -> tuple[str, ...]:
    """The macros that mark HIP in a tree, as conditions are evaluated with them."""
    inventory = discovery.discover(path, config, known_files())
    return port_survey.survey(Path(inventory.root), inventory, config.hip_guards, config.jobs).marks


def _with_unforeseen(applied: Applied, judged: Verification, config: Config) -> Applied:
    rule = run.rules(target(config), config.rules).rules[UNFORESEEN]
    root = Path(applied.report.repository.root)
    before = {conversion.path: conversion.before for conversion in applied.conversions}

    def read(path: str) -> bytes:
        return before[path] if path in before else _bytes(root, path)

    return replace(applied, report=unforeseen.with_findings(applied.report, judged, rule, read))


def _bytes(root: Path, path: str) -> bytes:
    source = discovery.read(root, FileEntry(path, "cuda", 0))
    return source.data if isinstance(source, SourceFile) else b""


def _judge_applied(
    applied: Applied, root: Path, config: Config, chosen: Toolchain, progress: Progress | None
) -> Verification:
    applied = build_renames.with_taken_includes(build_renames.renamed(applied, config), config)
    built = {conversion.path: conversion for conversion in applied.built or applied.conversions}
    converted = {path: conversion.after for path, conversion in built.items()} | dict(applied.added)
    files = judged_files.of(applied, root, converted)
    started, late = time.perf_counter(), set[str]()
    extension = applied.report.style is not None and applied.report.style.extension
    paths = [result.path for result in applied.report.files]
    tree = _Tree(extension, torch7.RULE in applied.report.rules, late_texts.compiled(root, applied.report.files))
    first = replace(config, verify_time=config.verify_time * _FIRST)
    judged = _judged(root, files, converted, first, chosen, progress, tree, paths)
    traced = attribution.DiagnosticTracer(applied.report.findings, built, partial(_bytes, root), frozenset(paths))
    verdicts = [causes.without_consequences(traced.verdict(verdict)) for verdict in judged.verdicts]
    verdicts = late_texts.without_filled(verdicts, root, applied.report.files)
    verdicts = causes.without_others(verdicts, paths) if unselected.is_part(config) else verdicts
    given = {one.path: (one.given.partition(",")[0],) for one in verdicts if one.given}
    check = originals.noting(partial(_before, root, _remaining(config, started), extension, given, progress), late)
    whole = originals.compared(verdicts, check, traced.kept, {own_names.UNKNOWN}, traced.is_local)
    whole = known_causes.with_absent(whole, root, applied.report.files)
    others = [result.path for result in applied.report.files if result.language in _OTHER_BUILDS]
    nowhere = build_files.unlisted(root, [one.path for one in whole if originals.is_the_originals(one)], others)
    why = "no build file names it, nor does clang compile its original"  # shows nothing of the move
    left = (replace(one, word="unresolved", headers=(why,)) if one.path in nowhere else one for one in whole)
    return replace(judged, verdicts=tuple(left), late=tuple(sorted(late)))


def _remaining(config: Config, started: float) -> Config:
    """The same, with what is left of the time that the check may take."""
    if not config.verify_time:
        return config
    return replace(config, verify_time=max(config.verify_time - (time.perf_counter() - started), _LAST))


def _before(
    root: Path,
    config: Config,
    extension: bool,
    given: Mapping[str, tuple[str, ...]],
    progress: Progress | None,
    wanted: originals.Wanted,
    named: bool,
) -> dict[str, Verdict]:
    """The verdicts on files as they were, where CUDA's headers are available; all that is `wanted` of them is known.

    `given` are the macros that single files were judged with.
    """
    units = [path for path in wanted if judged_files.is_unit(path)]
    chosen = clang.find_original() if units else ""
    if isinstance(chosen, str):
        return {}
    extra = Flags(config.standard, config.defines, config.include_dirs)
    job = verification.Job(
        str(root.absolute()), units, extra=extra, language="cuda", budget=config.verify_time, named=named, wanted=wanted
    )
    job = replace(job, macros=given, for_host=_for_host if extension else job.for_host, cache=config.cache)
    return {verdict.path: verdict for verdict in verification.run(job, chosen, config.jobs, progress).verdicts}


def _judged(
    root: Path,
    files: Mapping[str, SourceFile],
    converted: Mapping[str, bytes],
    config: Config,
    chosen: Toolchain,
    progress: Progress | None,
    tree: _Tree,
    selected: Sequence[str] = (),
) -> Verification:
    units = [path for path in files if judged_files.is_unit(path)]
    book = run.rules(target(config), config.rules)
    names = book.counterparts()
    job = verification.Job(
        root=str(root.absolute()),
        units=units,
        headers=[path for path in files if path in converted and path not in units and not configured(path)],
        converted=converted,
        extra=Flags(config.standard, config.defines, config.include_dirs),
        budget=config.verify_time,
        guards=frozenset(name.encode() for name in (*cuda.GUARDS, *config.hip_guards) if name[0].isalpha()),
        is_cuda=lambda name: not (tree.torch7 and name.startswith(torch7.OF_THC)) and book.include(name),
        rocm=target(config).rocm,
        has=names.__contains__,
        since=lambda name: names.get(name, ""),
        marks=frozenset(name.encode() for name in (*cuda.GUARDS, *config.hip_guards)),
    )
    asm = left_ptx.of(files, run.rules(target(config), config.rules), config)
    others = unselected.left_out(root, selected, book) if selected and unselected.is_part(config) else job.left_out
    host = _for_host if tree.extension else job.for_host
    turn = partial(judged_files.turn, files, converted.keys() & files.keys() or files)  # a tree as it is has no changes
    job = replace(job, left=asm, for_host=host, left_out=others, texts=tree.texts, turn=turn, cache=config.cache)
    judged = verification.run(job, chosen, config.jobs, progress)
    return replace(judged, empty=tuple(sorted(empty_kernels.of(files).items())))


def _without(conversion: Conversion, groups: frozenset[str], report: Report) -> Conversion:
    """The file with the repairs of these groups taken back."""
    if not groups:
        return conversion
    fixes = {fix for fix in conversion.fixes if fix.group not in groups}
    mine = [finding for finding in report.findings if finding.path == conversion.path and finding.fix is not None]
    kept = convert_file.convert(SourceFile(conversion.path, conversion.before, ""), [f for f in mine if f.fix in fixes])
    reason = "the repaired kernel does not type-check for AMD; it keeps the plain renames"
    back = tuple((f, reason) for f in mine if f.fix is not None and f.fix.group in groups)
    return replace(kept, rejected=(*conversion.rejected, *back))
