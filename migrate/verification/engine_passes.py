"""Units -> what the engine says of them, pass by pass, from the cache where nothing that they read has changed.

Units are judged turn by turn, so that what matters most is done where the time ends. Within a turn all passes for the
devices come first. The pass for the host is made of the units whose verdict it may change.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from cudamigrate import parallel, plugins
from cudamigrate.compilation import skipped_ranges
from cudamigrate.compilation.engines import clang
from cudamigrate.compilation.include_closure import IncludeResolver
from cudamigrate.cuda.nesting import DEEPEST, too_deep
from cudamigrate.errors import CompilerCrashError
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.model import SourceFile
from cudamigrate.model.verification import OUT_OF_TIME, Checked, Diagnostic, Place, Toolchain, Unit
from cudamigrate.verification import doubts, header_groups, independent, kept_answers, preambles, required_macros
from cudamigrate.verification.host_passes import HostPasses

_LIMITS = parallel.Limits(cpu=300, wait=1_200)
"""The slowest real units, with all of CUTLASS, take a minute."""
Progress = Callable[[int, int], None]
_Answer = tuple[Checked, frozenset[str]]
"""What is said of a unit, and the files of the tree that its pass for the host read."""


@dataclass(slots=True)
class Passes:
    """How the units of a tree are judged. What many of them include first is kept for those that come later.

    Units whose turn comes after the time `until`, in seconds as `time.time` counts, are left out; 0 is no limit.
    Answers of earlier runs count where `cache` says so.
    """

    chosen: Toolchain
    tree: IncludeResolver
    aim: doubts.Aim
    jobs: int
    until: float
    for_devices: preambles.Kept
    for_host: preambles.Kept
    hosts: HostPasses = field(default_factory=HostPasses)
    cache: bool = True

    def check(self, units: Sequence[Unit], progress: Progress | None = None, together: bool = False) -> list[Checked]:
        """What the engine says of each unit. They are headers where those that may be are read `together`."""
        run = _Run(self, kept_answers.Store(self.chosen, self.tree, self.cache), units, progress)
        run.begin(together)
        while wanted := run.next():
            run.make(wanted, _host_pass, self.for_host, lambda unit: [len(unit.arch)])
        run.leave_out()
        return [run.done[unit] for unit in units]

    def in_turns(
        self, units: Sequence[Unit], turn: Callable[[str], int], progress: Progress | None = None
    ) -> list[Checked]:
        """What the engine says of each unit: all passes of those with a lower turn come before any of a higher one."""
        done = dict[Unit, Checked]()
        for number in sorted({turn(unit.path) for unit in units}):
            asked = [unit for unit in units if turn(unit.path) == number]
            done.update(zip(asked, self.check(asked, _after(len(done), len(units), progress)), strict=True))
        return [done[unit] for unit in units]


def _after(before: int, units: int, progress: Progress | None) -> Progress | None:
    """The progress of one turn of several: so many units were done before, of so many in all."""
    return progress and (lambda number, _: progress(before + number, units))


@dataclass(slots=True)
class _Run:
    """The state of one run: units that are `done`, and those of which the pass for the host may be missing.

    That is to be made of those that are `open`, and perhaps of those in `doubt`.
    """

    passes: Passes
    store: kept_answers.Store
    units: Sequence[Unit]
    progress: Progress | None
    done: dict[Unit, Checked] = field(default_factory=dict)
    open: dict[Unit, Checked] = field(default_factory=dict)
    doubt: dict[Unit, Checked] = field(default_factory=dict)
    asking: dict[str, bool] = field(default_factory=dict)
    known: dict[Unit, Checked] = field(default_factory=dict)
    said: int = 0

    def begin(self, together: bool = False) -> None:
        """Take what is known, and make the passes for devices of all other units; of headers as far as may be at once.

        The units in doubt keep their order.
        """
        fresh = []
        for unit in dict.fromkeys(self.units):
            old = self.store.get(unit) or _deep(unit, self.passes.tree)
            if old is None:
                fresh.append(unit)
            else:
                self.known[unit] = old
                self._take(unit, old, old.inside(unit.root))
        known = self._of_several(fresh) if together else {}
        for unit, answer in known.items():
            self._take(unit, answer, frozenset())
        alone = [unit for unit in fresh if unit not in known]
        for unit, answer in self._demanding([] if together else alone).items():  # headers are not judged again
            self._take(unit, answer, frozenset())
        alone = [unit for unit in alone if unit not in self.done]
        self.make(alone, _device_passes, self.passes.for_devices, _for_devices)
        self.doubt = {unit: self.doubt[unit] for unit in self.units if unit in self.doubt}

    def _demanding(self, units: Sequence[Unit]) -> dict[Unit, Checked]:
        """The units that stop for want of a macro, as a pass over them shows that compiles nothing: that is enough."""
        of = self.passes
        asked = [unit for unit in units if self._may_demand(unit)] if of.chosen.engine == "clang" else []
        made = partial(_stopped, chosen=of.chosen, until=of.until)
        answers = parallel.run(made, asked, of.jobs, batch=1, lost=lambda *_: Checked((), partial=True), limits=_LIMITS)
        found = zip(asked, answers, strict=True)
        return {unit: answer for unit, answer in found if required_macros.required(unit, answer, of.tree.read)}

    def _may_demand(self, unit: Unit) -> bool:
        tree = self.passes.tree
        return required_macros.may_demand(unit, tree.closure(unit.path), tree.read)

    def _of_several(self, units: Sequence[Unit]) -> dict[Unit, Checked]:
        """The headers of which the passes over units that include several of them say enough."""
        of = self.passes
        groups = header_groups.grouped(units, of.tree) if _by_pass(of.chosen) is not None else []
        with header_groups.written(groups, of.tree) as (whole, tree):
            answers = [answer for answer, _ in self._made(whole, _device_passes, of.for_devices, _for_devices, tree)]
        parted = (header_groups.parted(*pair, of.chosen, of.aim) for pair in zip(groups, answers, strict=True))
        return {unit: answer for parts in parted for unit, answer in parts.items()}

    def make(
        self, units: Sequence[Unit], work: Callable[..., _Answer], kept: preambles.Kept, numbers: preambles.Passes
    ) -> None:
        """Make some passes of units, the files that many of them begin with precompiled for these passes."""
        answers = self._made(units, work, kept, numbers, self.passes.tree)
        for unit, (answer, read) in zip(units, answers, strict=True):
            self._take(unit, answer, read)

    def _made(
        self,
        units: Sequence[Unit],
        work: Callable[..., _Answer],
        kept: preambles.Kept,
        numbers: preambles.Passes,
        tree: IncludeResolver,
    ) -> Iterator[_Answer]:
        """What some passes of units of a tree say, behind what was said of them before."""
        of, chosen = self.passes, self.passes.chosen
        begun = [self.open.pop(unit, self.doubt.pop(unit, Checked(()))) for unit in units]
        ready = preambles.prepared(units, chosen, lambda _: tree, kept, of.jobs, passes=numbers)
        made = partial(work, chosen=chosen, until=of.until, text=tree.read)
        items = list(zip(ready, begun, strict=True))
        return parallel.run(made, items, of.jobs, batch=1, lost=_lost, limits=_LIMITS)

    def next(self) -> list[Unit]:
        """The units whose pass for the host has to be made now."""
        if self.open or not self.doubt:
            return list(self.open)
        for path in {path for unit, answer in self.doubt.items() for path in answer.inside(unit.root)}:
            if path not in self.asking:
                self.asking[path] = doubts.asks_for_side(path, self.passes.aim)
        return self.passes.hosts.next(self.doubt, {path for path, asks in self.asking.items() if asks})

    def leave_out(self) -> None:
        """End with units of which the pass for the host would say nothing new."""
        for unit, answer in self.doubt.items():
            self._finish(unit, answer)

    def _take(self, unit: Unit, answer: Checked, read: frozenset[str]) -> None:
        """Take in an answer, and the files of the tree that a pass for the host read.

        A file that demands a macro is judged again with it, so that no more is asked of it without.
        """
        again = answer.partial and required_macros.required(unit, answer, self.passes.tree.read)
        state = doubts.after_devices(answer, unit, self.passes.aim) if answer.partial and not again else "settled"
        if state != "settled":
            (self.doubt if state == "doubt" else self.open)[unit] = answer
            self._say()
            return
        if not answer.partial:
            self.passes.hosts.note(unit, answer, read)
        self._finish(unit, answer)

    def _finish(self, unit: Unit, done: Checked) -> None:
        if self.known.get(unit) is not done and not done.left_out:
            self.store.put(unit, done)
        self.done[unit] = done
        self._say()

    def _say(self) -> None:
        """Tell how many units are done; of one with the passes for devices behind it, half is."""
        self.said = max(self.said, len(self.done) + (len(self.open) + len(self.doubt)) // 2)
        if self.progress is not None:
            self.progress(self.said, len(self.units))


def _for_devices(unit: Unit) -> range:
    """The numbers of the passes for devices; a file for the host has one pass, which comes with them."""
    return range(len(unit.arch) or 1)


def _by_pass(chosen: Toolchain) -> Callable[..., Checked] | None:
    """What makes one pass of an engine, None where it makes all of them at once."""
    found: Callable[..., Checked] | None = getattr(
        plugins.load("cudamigrate.compilation.engines")[chosen.engine], "check_pass", None
    )
    return found


def _deep(unit: Unit, tree: IncludeResolver) -> Checked | None:
    """The verdict on a file whose brackets nest so deep that the engine would not survive it."""
    data = tree.read(unit.path)
    at = too_deep(data)
    if at is None:
        return None
    position = SourceFile(unit.path, data, unit.language).position(at)
    message = f"brackets nest more than {DEEPEST:,} deep, which clang refuses"
    place = Place(unit.path, position.line, position.column)
    return Checked((Diagnostic("error", place, message, "device"),))


def _stopped(unit: Unit, chosen: Toolchain, until: float) -> Checked:
    """What the preprocessor alone says: where it comes to an `#error`; nothing where the time is over."""
    if until and time.time() > until:
        return Checked((), partial=True)
    side, arch, _ = next(iter(clang.passes(unit)))
    started = time.perf_counter()
    try:
        places, read = skipped_ranges.stops(unit, chosen)
    except CompilerCrashError:
        return Checked((), partial=True)
    said = tuple(Diagnostic("error", place, message, side, arch) for place, message in places)
    return Checked(said, read, time.perf_counter() - started, partial=True)


def _lost(item: tuple[Unit, Checked], reason: str) -> _Answer:
    """What is said of a unit that the engine did not survive."""
    return Checked((), left_out=f"left out: {reason.replace('its reader', 'the compiler')}"), frozenset()


def _device_passes(
    item: tuple[Unit, Checked], chosen: Toolchain, until: float, text: Callable[[str], bytes]
) -> _Answer:
    """The passes for devices, with that for the host to come; all there are where the engine makes them at once."""
    unit, done = item
    if until and time.time() > until:
        return Checked((), left_out=OUT_OF_TIME), frozenset()
    engine = plugins.load("cudamigrate.compilation.engines")[chosen.engine]
    by_pass = _by_pass(chosen)
    if by_pass is None or unit.host:
        done = independent.marked(engine.check(unit, chosen), unit, chosen, text)
        return done, done.inside(unit.root)
    for number in range(len(unit.arch)):
        done = independent.marked(by_pass(unit, chosen, number, done), unit, chosen, text)
        if done.left_out:
            return done, frozenset()
    return replace(done, partial=True), frozenset()


def _host_pass(item: tuple[Unit, Checked], chosen: Toolchain, until: float, text: Callable[[str], bytes]) -> _Answer:
    """The whole answer, given that of the passes for devices."""
    unit, before = item
    if until and time.time() > until:
        return Checked((), left_out=OUT_OF_TIME), frozenset()
    engine = plugins.load("cudamigrate.compilation.engines")[chosen.engine]
    made = engine.check_pass(unit, chosen, len(unit.arch), replace(before, read=(), cached=False, partial=False))
    if made.left_out:
        return made, frozenset()
    read = tuple(_all_read(made, before))
    return independent.marked(replace(made, read=read), unit, chosen, text), made.inside(unit.root)


def _all_read(made: Checked, before: Checked) -> Iterator[str]:
    """The files of all passes, the unit itself first."""
    own = made.read[:1]
    yield from own
    yield from sorted({*made.read, *before.read}.difference(own))
