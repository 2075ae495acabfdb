"""Original and converted code, built for the emulated GPU, run in a sandbox and compared: verdicts.

This is the one place that runs code of a repository, and only for a caller who asked for it.
"""

from __future__ import annotations

import difflib
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Literal

from cudamigrate import parallel
from cudamigrate.emulation import build, compare, kernels, programs, records, sandbox
from cudamigrate.model.execution import Execution, Fault, RunVerdict
from cudamigrate.model.verification import Flags
from cudamigrate.project.scratch import scratch

Progress = Callable[[int, int], None]
SCHEDULES = ("lockstep", "free", "random")
_NOTHING = "leaves nothing to compare: no line, file or buffer that is the same whenever the original runs"
_ORDERS = 3
"""Other orders of the original that are tried before a difference counts; one where there is none."""
NOTES = frozenset({"read-of-absent-lane", "host-uses-device-memory"})
"""What is worth a word where results differ, and is no fault as long as nobody uses the value."""


@dataclass(frozen=True, slots=True)
class Options:
    """How programs are run: widths of wavefronts, the order of lanes with its seed, limits, and further flags.

    With `kernels`, these run by themselves in place of programs, with `size` for each whole number that they take.
    `programs` are the files of those to run, all where it is empty.
    """

    waves: tuple[int, ...] = (32, 64)
    schedule: str = "lockstep"
    seed: int = 1
    limits: sandbox.Limits = field(default_factory=sandbox.Limits)
    flags: Flags = field(default_factory=lambda: Flags(""))
    jobs: int = 1
    size: int = kernels.SIZES[0]
    kernels: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Pair:
    """A program of both trees; without an original the converted code with 32 lanes is what it is compared with."""

    main: str
    converted: programs.Tree
    original: programs.Tree | None
    kernel: kernels.Kernel | None = None

    @property
    def name(self) -> str:
        return self.main if self.kernel is None else f"{self.main}: {self.kernel.name}"

    def file(self, tree: programs.Tree) -> str:
        """The file of a tree that has the program's `main`, empty for a kernel. Raises BuildError."""
        if self.kernel is not None:
            return ""
        return self.main if tree is self.converted else _counterpart(tree, self.main)


class _Reference:
    """The original's run, and others in an order that is drawn: `again` makes one by its number, from 1."""

    def __init__(self, first: compare.Ran, again: Callable[[int], compare.Ran]) -> None:
        self.first, self._again, self._made = first, again, list[compare.Ran]()

    def compared(self, converted: compare.Ran) -> compare.Compared:
        """The converted program's run beside the original's: what differs must do so whatever the original's order.

        Two orders may agree on what a third one shows to depend on them: who draws which number of several warps.
        """
        found = compare.Compared()
        for number in range(_ORDERS):
            if number == len(self._made):
                self._made.append(self._again(number + 1))
            found = compare.compare(self.first, self._made[number], converted)
            if not found.difference:
                break
        return found


def run(
    output: Path,
    original: Path | None,
    options: Options,
    changed: Mapping[str, bytes] | None = None,
    progress: Progress | None = None,
) -> Execution:
    """Run every program below `output`, or the kernels that the options name; `changed` are not yet on disk there."""
    chosen = build.compiler()
    if chosen is None or sandbox.unsupported():
        return Execution(absent=sandbox.unsupported() or build.INSTALL)
    started = time.perf_counter()
    with scratch() as folder:
        work = Path(folder).resolve()
        converted = programs.copied(output, work / "converted", "hip", options.flags, changed)
        before = None
        if original is not None:
            before = programs.copied(original, work / "original", "cuda", options.flags)
        pairs = _pairs(converted, before, options)
        if pairs:
            build.machine(chosen)
            _precompile(pairs, options, chosen)
        judged = partial(_safe, work=work, options=options, chosen=chosen)
        verdicts: list[RunVerdict] = []
        for verdict in parallel.run(judged, pairs, options.jobs, batch=1, limits=parallel.UNLIMITED):
            verdicts.append(verdict)
            if progress is not None:
                progress(len(verdicts), len(pairs))
    what: Literal["program", "kernel"] = "kernel" if options.kernels else "program"
    reference = "the original with 32 lanes" if original is not None else "itself with 32 lanes"
    verdicts.sort(key=lambda verdict: verdict.name)
    seconds = time.perf_counter() - started
    return Execution(tuple(verdicts), chosen.title, reference, sandbox.described(), "", seconds, what)


def _pairs(converted: programs.Tree, before: programs.Tree | None, options: Options) -> list[_Pair]:
    if not options.kernels:
        mains = [main for main in programs.mains(converted) if not options.programs or main in options.programs]
        return [_Pair(main, converted, before) for main in mains]
    return [_Pair(one.path, converted, before, one) for one in kernels.kernels(converted, options.kernels)]


def _precompile(pairs: Sequence[_Pair], options: Options, chosen: build.Compiler) -> None:
    """Read once what the programs of each tree begin with."""
    converted, original = pairs[0].converted, pairs[0].original
    mains = [pair.main for pair in pairs]
    widths = options.waves if programs.wants_wave(converted) else (64,)
    programs.precompile(converted, mains, dict.fromkeys((*widths, *((32,) if original is None else ()))), chosen)
    if original is not None:
        programs.precompile(original, [main for main in mains if main in original.sources], (32,), chosen)


def _safe(pair: _Pair, work: Path, options: Options, chosen: build.Compiler) -> RunVerdict:
    started = time.perf_counter()
    try:
        verdict = _judged(pair, work, options, chosen)
    except build.BuildError as error:
        verdict = RunVerdict(pair.name, "not-run", str(error))
    return replace(verdict, seconds=time.perf_counter() - started)


def _judged(pair: _Pair, work: Path, options: Options, chosen: build.Compiler) -> RunVerdict:
    """Build, run and compare one program. Raises BuildError."""
    reference, options = _reference(pair, work, options, chosen)
    first = reference.first
    reason = unfit(first) or (_guessed(first) if pair.kernel is not None else "")
    if reason:
        whose = "the original " if pair.original is not None else ""
        return RunVerdict(pair.name, "not-run", whose + reason)
    verdict = RunVerdict(pair.name, "same")
    per_wave = programs.wants_wave(pair.converted)
    widths = {wave: wave if per_wave else 64 for wave in options.waves}
    made = {width: _built(pair.converted, pair, width, chosen) for width in dict.fromkeys(widths.values())}
    built = {wave: made[width] for wave, width in widths.items()}
    for wave in options.waves:
        ran = run_once(pair.converted, built[wave], work, options, wave, pair.kernel, pair.file(pair.converted))
        verdict = _with(verdict, wave, ran, first, reference.compared(ran), pair)
        if verdict.word != "same":
            return verdict
    widest = max(options.waves)
    other = "free" if options.schedule != "free" else "lockstep"
    loosely = replace(options, schedule=other)
    main = pair.file(pair.converted)
    loose = run_once(pair.converted, built[widest], work, loosely, widest, pair.kernel, main)
    return _with_order(verdict, loose, reference, pair, other)


def _reference(pair: _Pair, work: Path, options: Options, chosen: build.Compiler) -> tuple[_Reference, Options]:
    """What the converted program is compared with: runs of the original, in several orders of lanes.

    For a kernel also the options with the first size of arguments that it is fine with.
    """
    tree = pair.original if pair.original is not None else pair.converted
    try:
        program = _built(tree, pair, 32, chosen)
    except build.BuildError as error:
        whose = "the original does not build for the emulation: " if pair.original is not None else ""
        raise build.BuildError(f"{whose}{error}") from None
    main = pair.file(tree)
    first = run_once(tree, program, work, options, 32, pair.kernel, main)
    for size in kernels.SIZES[1:] if pair.kernel is not None else ():
        if not unfit(first) and not _guessed(first):
            break
        options = replace(options, size=size)
        first = run_once(tree, program, work, options, 32, pair.kernel)
    if unfit(first):
        return _Reference(first, lambda _: first), options

    def again(number: int) -> compare.Ran:
        other = replace(options, schedule="random", seed=options.seed + number)
        return run_once(tree, program, work, other, 32, pair.kernel, main)

    return _Reference(first, again), options


def _guessed(ran: compare.Ran) -> str:
    """Why a kernel's run with guessed arguments proves nothing, empty where it does."""
    faults = [fault for fault in ran.record.faults if fault.kind not in NOTES]
    if not faults:
        return ""
    where = "{}:{}: ".format(*faults[0].places[0]) if faults[0].places else ""
    return f"cannot take the arguments that were guessed: {where}{faults[0].detail}"


def _counterpart(tree: programs.Tree, main: str) -> str:
    """The original's file of a program, which may have another suffix. Raises BuildError."""
    if main in tree.sources:
        return main
    stem = PurePosixPath(main).with_suffix("")
    same = [path for path in programs.mains(tree) if PurePosixPath(path).with_suffix("") == stem]
    if not same:
        raise build.BuildError("the original has no such program")
    return same[0]


def _built(tree: programs.Tree, pair: _Pair, wave: int, chosen: build.Compiler) -> Path:
    if pair.kernel is None:
        return programs.program(tree, pair.file(tree), wave, chosen)
    kernel = kernels.named(tree, pair.kernel.name, pair.kernel.path)
    if kernel is None:
        raise build.BuildError("the original has no kernel of that name")
    return kernels.program(tree, kernel, wave, chosen)


def run_once(
    tree: programs.Tree,
    program: Path,
    work: Path,
    options: Options,
    wave: int,
    kernel: kernels.Kernel | None = None,
    main: str = "",
) -> compare.Ran:
    """Run a program in a folder of its own; the arrays that a kernel is given are called as its parameters are.

    With `main`, the file of the tree that has it, copies of the data beside it are there too.
    """
    folder = Path(tempfile.mkdtemp(prefix="run-", dir=work))
    given = _given(tree, main, folder)
    home = folder / PurePosixPath(main).parent
    record = folder.parent / f"{folder.name}.record"
    settings = {
        "CUDAMIGRATE_EMULATION_WAVE": str(wave),
        "CUDAMIGRATE_EMULATION_SCHEDULE": options.schedule,
        "CUDAMIGRATE_EMULATION_SEED": str(options.seed),
        "CUDAMIGRATE_EMULATION_VENDOR": "amd" if tree.side == "hip" else "nvidia",
        "CUDAMIGRATE_EMULATION_RECORD": str(record),
        "CUDAMIGRATE_EMULATION_SIZE": str(options.size),
    }
    called = home / "program"  # both are called alike, since programs print what they are called
    called.symlink_to(program)
    ended = sandbox.run([f"./{called.name}"], home, settings, options.limits)
    called.unlink(missing_ok=True)
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    files = {path: data for path, data in files.items() if path not in given or data != given[path].read_bytes()}
    events = records.read(record, program, tree.sources, () if kernel is None else kernel.arrays)
    printed = (ended.output + ended.errors).decode(errors="replace")
    record.unlink(missing_ok=True)
    return compare.Ran(ended.code, printed, files, events)


def _given(tree: programs.Tree, main: str, folder: Path) -> dict[str, Path]:
    """Copy what a program may read to where it runs; the files by their paths below that folder."""
    if not main:
        return {}
    (folder / main).parent.mkdir(parents=True, exist_ok=True)
    given = {path: tree.copy / path for path in programs.data_files(tree, main)}
    for path, source in given.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / path)
    return given


def unfit(ran: compare.Ran) -> str:
    """Why a run proves nothing, empty where it does."""
    if ran.record.missing:
        return f"needs what is not emulated: {ran.record.missing}"
    if ran.code is None:
        return "does not end within the time limit"
    if ran.code < 0 or ran.code == 118:
        if ran.record.unmet:
            return f"asks for {ran.record.unmet:,} bytes of device memory at once, which the emulation has not"
        fault = next((fault.detail for fault in ran.record.faults[-1:]), f"signal {-ran.code}")
        return f"fails itself: {fault}"
    if ran.record.launches == 0:
        last = (ran.printed.strip().splitlines() or ["nothing"])[-1][:80]
        return f"launches no kernel when it is run without arguments; it prints {last!r}"
    return ""


def _with(
    verdict: RunVerdict, wave: int, ran: compare.Ran, first: compare.Ran, found: compare.Compared, pair: _Pair
) -> RunVerdict:
    """The verdict with what one more run showed."""
    faults = seen_faults(ran, first, pair.converted, pair.original)
    known = {(fault.kind, fault.path, fault.line) for fault in verdict.faults}
    more = tuple(fault for fault in faults if (fault.kind, fault.path, fault.line) not in known)
    waves, notes = (*verdict.waves, wave), tuple(dict.fromkeys((*verdict.notes, *found.notes)))
    verdict = replace(verdict, waves=waves, faults=(*verdict.faults, *more), notes=notes)
    verdict = replace(verdict, compared=verdict.compared + found.numbers)
    if ran.record.missing:
        return replace(verdict, word="not-run", reason=f"needs what is not emulated: {ran.record.missing}")
    own = [fault for fault in faults if not fault.original_too and fault.kind not in NOTES]
    if found.difference:
        return replace(verdict, word="differs", reason=f"on {wave} lanes it {_verb(found.difference)}")
    if own:
        place = f" at {own[0].path}:{own[0].line}" if own[0].path else ""
        return replace(verdict, word="differs", reason=f"on {wave} lanes a thread{place} {own[0].detail}")
    if not found.numbers and not found.lines:
        return replace(verdict, word="not-run", reason=_NOTHING)
    return verdict


def _verb(difference: str) -> str:
    """The difference as what a program does."""
    first = difference.split(" ")[0]
    return difference if first in ("ends", "prints", "writes", "copies") else f"computes another result: {difference}"


def _with_order(verdict: RunVerdict, loose: compare.Ran, reference: _Reference, pair: _Pair, order: str) -> RunVerdict:
    """A result that depends on the order of lanes is a finding."""
    first, found = reference.first, reference.compared(loose)
    faults = [fault for fault in seen_faults(loose, first, pair.converted, pair.original) if fault.kind not in NOTES]
    if not found.difference and not faults:
        return verdict
    known = {(fault.kind, fault.path, fault.line) for fault in verdict.faults}
    events = found.difference or faults[0].detail
    way = "free" if order == "free" else "in lock step"
    fault = Fault("depends-on-order", f"with lanes that run {way} between barriers: {events}")
    more = tuple(fault for fault in faults if (fault.kind, fault.path, fault.line) not in known)
    return replace(verdict, faults=(*verdict.faults, *([fault] if found.difference else []), *more))


def seen_faults(
    ran: compare.Ran, first: compare.Ran, converted: programs.Tree, original: programs.Tree | None
) -> list[Fault]:
    """The faults of a run, with their places in the original, and whether the original has them too."""
    before = Counter(fault.kind for fault in first.record.faults)
    found: list[Fault] = []
    seen: set[tuple[str, str, int]] = set()
    for fault in ran.record.faults:
        path, line = records.own_places(fault.places)
        if (fault.kind, path, line) in seen:
            continue
        seen.add((fault.kind, path, line))
        origin = original_place(path, line, converted, original)
        found.append(
            Fault(fault.kind, fault.detail, path, line, fault.kernel, fault.where, origin, before[fault.kind] > 0)
        )
    return found


def original_place(path: str, line: int, converted: programs.Tree, original: programs.Tree | None) -> str:
    """The line of the original that a line of the converted file came from, as `file:line`; empty if unknown."""
    if original is None or path not in converted.sources or path not in original.sources:
        return ""
    before, after = (tree.sources[path].read_text(errors="replace").splitlines() for tree in (original, converted))
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "delete" and j1 < line <= j2:
            return f"{path}:{min(i1 + line - j1, max(i2, i1 + 1))}"
    return ""


def waves_of(words: Sequence[str]) -> tuple[int, ...]:
    """Widths of wavefronts from a person's list. Raises ValueError."""
    waves = tuple(sorted({int(word) for word in words}))
    if not waves or any(wave not in (32, 64) for wave in waves):
        raise ValueError("waves are 32, 64 or both")
    return waves
