"""HIP code of a unit that no pass over it compiles: nothing that was said of the unit is about that code.

That is code for the GPU and code of the host that calls HIP. A file that has all of it behind a macro that nothing
defines compiles to nothing. Where one macro alone decides, the file is judged again with it, as the build that means to
have the code gives it; else it is not judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial, reduce

from cudamigrate import parallel
from cudamigrate.compilation import skipped_ranges
from cudamigrate.compilation.engines import clang
from cudamigrate.compilation.skipped_ranges import Ranges, Skipped
from cudamigrate.cuda import gpu_macros
from cudamigrate.cuda.conditions import pass_tests, question, value_with, without_pass_tests
from cudamigrate.cuda.lexer import Lexed, lex
from cudamigrate.cuda.preprocessor import Branch, branches, switches_of
from cudamigrate.cuda.scopes import Structure, syntax_tree
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.model.verification import Checked, Toolchain, Unit, Unseen, Verdict
from cudamigrate.syntax import utf8
from cudamigrate.verification.open_regions import OF_COMPILERS, OF_PLATFORMS

_GPU = re.compile(
    rb"\b__(?:global|device|shared|constant|launch_bounds)__|<<<"
    rb"|\b(?:hip|cuda|cu(?:blas|fft|rand|sparse|solver|dnn|tensor)|nccl|miopen)[a-z]*[A-Z_]\w*|\b(?:HIP_|CU[a-z]|cu[A-Z])\w+"
    rb"|\b__(?:half|nv_bfloat16|hip_bfloat16|nv_fp8|hip_fp8)\w*|\b__(?:shfl|ballot|activemask|syncwarp)\w*|\bcudamigrate::"
)
"""Code for a GPU, or for its host's side: a kernel, a launch, a name of HIP's or CUDA's or of their libraries."""
_QUALIFIED = re.compile(rb"__(?:global|device|shared|constant|launch_bounds)__")
"""What makes a declaration the GPU's, wherever it is."""
_FOR_GPUS = frozenset((b"__global__", b"__device__"))
_HEAD = re.compile(
    rb"^" + utf8.MARK + rb"[ \t]*#[ \t]*define[ \t]+(\w+)[ \t][^\n(]*\b__(?:device|global)__", re.MULTILINE
)
_OURS = "cudamigrate_"
"""How the names of headers begin that converted code includes."""
_NAME = re.compile(rb"[A-Za-z_]\w*")
_ELSE = b"1"
"""The condition of `#else`, behind those that fail before it."""
_POSITIVE = re.compile(rb"defined\s*\(?\s*\w+\s*\)?")
_MOST = 60
"""Units that are read again at most for what they leave out of headers."""
_SHOWN = 60
"""Characters of a condition that are shown."""


@dataclass(frozen=True, slots=True)
class Uncompiled:
    """What of a unit's HIP code no pass compiles: the number of lines by the condition around them, as read.

    `lines` are the GPU's, `host` those of the host's code that call HIP. `whole` is whether there is no other in
    all that the unit compiles; `line` is that of the first such condition. `macro` is the one macro that all of these
    lines need and that nothing defines, empty where there is none. `given` is the macro that the unit was judged with
    for want of it, and `asked` the line that asks for it.
    """

    lines: Mapping[str, int]
    host: Mapping[str, int] = field(default_factory=dict)
    line: int = 0
    whole: bool = False
    macro: str = ""
    given: str = ""
    asked: int = 0


@dataclass(frozen=True, slots=True)
class Words:
    """The macros of a tree that mark HIP, and those that say in a function's head that it is for GPUs.

    `makers` are macros with parameters whose body has such a function. `read` are the files that were looked at.
    """

    marks: frozenset[bytes]
    heads: frozenset[bytes] = frozenset()
    makers: frozenset[bytes] = frozenset()
    read: frozenset[str] = frozenset()


def words(known: Words, judged: Iterable[tuple[Unit, Checked]], text: Callable[[str], bytes]) -> Words:
    """The macros that tell GPU code in what units read, as `#define DEVICE __device__ inline`, beside those known.

    Files that these are from are not read again.
    """
    paths = {path for unit, done in judged for path in done.inside(unit.root)} - known.read
    files = [data for data in map(text, sorted(paths)) if b"__device__" in data or b"__global__" in data]
    found = (name for data in files for name in _HEAD.findall(data))
    made = (gpu_macros.makers(lex(data)) for data in files if b"define" in data)
    return replace(known, heads=known.heads.union(found), makers=known.makers.union(*made), read=known.read | paths)


def judged_again(
    units: Sequence[Unit],
    checked: Sequence[Checked],
    search: Callable[[Sequence[Unit]], Mapping[Unit, Uncompiled]],
    check: Callable[[Sequence[Unit]], Sequence[Checked]],
) -> tuple[list[Unit], list[Checked], dict[str, Uncompiled]]:
    """The units and what the engine says of them, those that are empty for want of a macro with that macro.

    By path, what is not compiled of those that nothing is said against. `search` finds that, `check` asks the engine.
    """
    units, checked = list(units), list(checked)
    known = search([unit for unit, done in zip(units, checked, strict=True) if _is_good(done)])
    found = {unit.path: one for unit, one in known.items()}
    again = [at for at, unit in enumerate(units) if unit in known and known[unit].whole and known[unit].macro]
    for at in again:
        units[at] = _with_macro(units[at], found[units[at].path].macro)
    for at, done in zip(again, check([units[at] for at in again]) if again else (), strict=True):
        checked[at] = replace(done, seconds=done.seconds + checked[at].seconds)
    more = search([units[at] for at in again if _is_good(checked[at])])
    for at in again:
        first = found[units[at].path]
        then = more.get(units[at], Uncompiled({}))
        found[units[at].path] = first if then.whole else replace(then, given=first.macro, asked=first.line)
    return units, checked, found


def noted(verdict: Verdict, found: Uncompiled | None) -> Verdict:
    """The verdict with what is not compiled; a file of which nothing is compiled is not judged."""
    if found is None:
        return verdict
    given = f"{found.given}, asked for in line {found.asked}" if found.given else ""
    if verdict.word not in ("checked", "declarations"):
        return replace(verdict, given=given)
    if found.whole:
        verdict, given = replace(verdict, word="unresolved", headers=(_why(found),)), ""
    return replace(verdict, given=given, skipped=tuple(found.lines.items()), skipped_host=tuple(found.host.items()))


def search(
    units: Sequence[Unit], chosen: Toolchain, text: Callable[[str], bytes], known: Words, jobs: int
) -> dict[Unit, Uncompiled]:
    """What is not compiled of units; those of which all may be are left out, as are all with an engine but clang.

    `text` gives the bytes of a file of the tree; what a project leaves to CUDA by macros is none of what AMD compiles.
    """
    judged = [unit for unit in units if chosen.engine == "clang" and unit.language == "hip"]
    asked = [unit for unit in judged if _Code(text(unit.path), known).doubtful]
    look = partial(_of, chosen=chosen, text=text, known=known)
    answers = parallel.run(look, asked, jobs, batch=1, lost=lambda *_: None)
    return {unit: one for unit, one in zip(asked, answers, strict=True) if one is not None}


def _is_good(done: Checked) -> bool:
    return not done.left_out and all(entry.kind == "mask" for entry in done.diagnostics)


def _with_macro(unit: Unit, name: str) -> Unit:
    source = f"{unit.flags.source}; {name}, without which it has no HIP code"
    return replace(unit, flags=replace(unit.flags, defines=(*unit.flags.defines, name), source=source))


def _why(found: Uncompiled) -> str:
    if found.macro:
        return f"nothing of its HIP code is compiled, nor with `{found.macro}` defined (line {found.line})"
    conditions = list(dict.fromkeys((*found.lines, *found.host)))
    more = f" and {len(conditions) - 1} more" if len(conditions) > 1 else ""
    return f"nothing of its HIP code is compiled: `{conditions[0]}` in line {found.line}{more} does not hold"


class _Code:
    """The HIP code of a file: the offset of each piece that a build for AMD may have, and the branches around it."""

    def __init__(self, data: bytes, known: Words) -> None:
        self.data = data
        is_asked = _GPU.search(data) is not None or any(name in data for name in known.makers)
        self.lexed: Lexed | None = lex(data) if is_asked else None
        parts = branches(self.lexed, known.marks) if self.lexed is not None else []
        lines = _lines_for_gpus(self.lexed, known.heads | _FOR_GPUS) if self.lexed is not None else ()
        self._made = list(gpu_macros.calls(self.lexed, known.makers)) if self.lexed is not None else []
        self._for_gpus = frozenset((*lines, *(one.start for one in self._made)))
        pieces = sorted({*_pieces(self.lexed), *self._for_gpus}) if self.lexed is not None else ()
        self.around: dict[int, tuple[Branch, ...]] = {
            at: around for at, around in _around(pieces, parts) if all(one.hip is not False for one in around)
        }
        self.doubtful = any(any(map(_is_doubtful, around)) for around in self.around.values())

    def on_device(self) -> Callable[[int], bool]:
        """Whether a piece is the GPU's: it says so, or is in a function that runs there, or makes one by a macro.

        Launches are the host's.
        """
        found = Structure(self.lexed, syntax_tree(self.lexed).root_node).functions if self.lexed is not None else []
        spans = [*(one.span for one in found if one.scope == "device"), *self._made]
        data, own = self.data, self._for_gpus
        return lambda at: (
            at in own or bool(_QUALIFIED.match(data, at)) or any(one.start <= at < one.end for one in spans)
        )


def _pieces(lexed: Lexed) -> Iterator[int]:
    """Where HIP code is, directives left out."""
    return (match.start() for match in lexed.matches(_GPU) if lexed.directive_at(match.start()) is None)


def _lines_for_gpus(lexed: Lexed, heads: frozenset[bytes]) -> Iterator[int]:
    """Where the lines of functions begin whose heads say that they are for GPUs, by one of some words."""
    end = 0
    for start in lexed.words(heads):
        opening = lexed.data.find(b"{", start) if start >= end else -1
        if opening < 0 or b";" in lexed.data[start:opening] or not lexed.is_code(opening):
            continue
        end, before = lexed.closing(opening), opening
        for token in lexed.tokens(opening + 1, end):
            begins = b"\n" in lexed.data[before : token.start] and lexed.directive_at(token.start) is None
            if begins and lexed.text(token) not in (b"{", b"}"):
                yield token.start
            before = token.end


def _around(places: Iterable[int], parts: Sequence[Branch]) -> Iterator[tuple[int, tuple[Branch, ...]]]:
    """Each of some places, which are in order, with the branches around it, outermost first."""
    open_: list[Branch] = []
    later = iter(parts)
    following = next(later, None)
    for at in places:
        while following is not None and following.start <= at:
            open_.append(following)
            following = next(later, None)
        open_ = [one for one in open_ if at < one.end]
        yield at, tuple(open_)


def _is_doubtful(branch: Branch) -> bool:
    """Whether it is for macros of others than the pass and the machine to say that a branch is compiled."""
    return branch.hip is None and not any(map(_asks_for_pass_alone, branch.conditions))


def _asks_for_pass_alone(condition: bytes) -> bool:
    """Whether a condition asks which pass it is, and for the number of no GPU or release."""
    return bool(pass_tests(condition)) and not question(without_pass_tests(condition)).macros


def _of(unit: Unit, chosen: Toolchain, text: Callable[[str], bytes], known: Words) -> Uncompiled | None:
    """What is not compiled of one unit; None where all is."""
    code = _Code(text(unit.path), known)
    skipped = _skipped(unit, chosen, code.around)
    own = skipped.get(unit.path, ())
    unseen = {at: around for at, around in code.around.items() if skipped_ranges.within(at, own)}
    if not unseen:
        return None
    whole = len(unseen) == len(code.around) and not any(
        _has_gpu_code(text(path), ranges)
        for path, ranges in skipped.items()
        if path != unit.path and not _is_ours(path)
    )
    return _uncompiled(unit, code, own, unseen, whole)


def _uncompiled(
    unit: Unit, code: _Code, skipped: Skipped, unseen: Mapping[int, tuple[Branch, ...]], whole: bool
) -> Uncompiled | None:
    """What is reported of places that are not compiled; None where nothing is."""
    reasons = {at: branch for at, around in unseen.items() if (branch := _reason(around, skipped)) is not None}
    told = reasons if whole else {at: one for at, one in reasons.items() if not (_is_chosen(one) or _is_fallback(one))}
    if not told:
        return None
    source = SourceFile(unit.path, code.data, "")
    device, host = _by_side(code, told, source)
    macros = {_macro(branch, unit) for branch in told.values()}
    macro = next(iter(macros)) if len(macros) == 1 and len(told) == len(unseen) else ""
    first = source.position(max(next(iter(told.values())).start - 1, 0)).line
    return Uncompiled(device, host, first, whole, macro)


def _by_side(code: _Code, told: Mapping[int, Branch], source: SourceFile) -> tuple[dict[str, int], dict[str, int]]:
    """The number of lines for the GPU and of the others, each by the condition around them."""
    on_device = code.on_device()
    lines: tuple[dict[str, set[int]], dict[str, set[int]]] = {}, {}
    for at, branch in told.items():
        lines[not on_device(at)].setdefault(_shown(branch), set()).add(source.position(at).line)
    device, host = lines
    only = {condition: found - device.get(condition, set()) for condition, found in host.items()}
    return {one: len(found) for one, found in device.items()}, {one: len(found) for one, found in only.items() if found}


def of_headers(
    judged: Sequence[tuple[Unit, Checked]],
    apart: Set[str],
    chosen: Toolchain,
    text: Callable[[str], bytes],
    known: Words,
    jobs: int,
) -> tuple[Unseen, Unseen]:
    """The headers with code that no pass over a unit which reads them compiles: of the GPU's, and of the host's.

    Files in `apart` have an answer of their own, and of what a unit reads that does not compile nobody can say it: its
    pass ends at its faults. Nothing is said where so many units would have to be read again that it would take as long
    as judging them.
    """
    readers: dict[str, list[Unit]] = {}
    failed = {path for unit, done in judged if not _is_good(done) for path in done.inside(unit.root)}
    for unit, done in judged:
        good = chosen.engine == "clang" and unit.language == "hip" and _is_good(done)
        for path in sorted(done.inside(unit.root) - apart - failed) if good else ():
            readers.setdefault(path, []).append(unit)
    codes = {path: code for path in readers if (code := _Code(text(path), known)).doubtful and not _is_ours(path)}
    asked = list(dict.fromkeys(unit for path in codes for unit in readers[path]))
    if len(asked) > _MOST:
        return (), ()
    answers = parallel.run(partial(_skipped, chosen=chosen, places=None), asked, jobs, batch=1, lost=lambda *_: {})
    ranges, found = dict(zip(asked, answers, strict=True)), dict[str, Uncompiled]()
    for path, code in codes.items():
        several = [ranges[unit].get(path) for unit in readers[path]]
        own = reduce(_both, several) or ()
        unseen = {at: around for at, around in code.around.items() if skipped_ranges.within(at, own)}
        one = _uncompiled(replace(readers[path][0], path=path), code, own, unseen, whole=False)
        if one is not None:
            found[path] = one
    device = ((path, tuple(one.lines.items())) for path, one in sorted(found.items()) if one.lines)
    return tuple(device), tuple((path, tuple(one.host.items())) for path, one in sorted(found.items()) if one.host)


def _is_ours(path: str) -> bool:
    return path.rpartition("/")[2].startswith(_OURS)


def _skipped(unit: Unit, chosen: Toolchain, places: Iterable[int] | None) -> Ranges:
    """The files of the tree that a unit reads, each with the ranges that no pass over it compiles.

    The passes end where all `places` of the unit, if some are given, are known to be compiled.
    """
    found: Ranges | None = None
    for number, (_, _, options) in enumerate(clang.passes(unit)):
        ranges = skipped_ranges.of(unit, chosen, options, number)
        paths = dict.fromkeys((*(found or ranges), *ranges))
        found = {path: _both(found.get(path), ranges.get(path)) for path in paths} if found is not None else ranges
        if places is not None and not any(skipped_ranges.within(at, found.get(unit.path, ())) for at in places):
            break
    return found or {}


def _both(one: Skipped | None, other: Skipped | None) -> Skipped:
    """What is in both of two lists of ranges; all is skipped of a file that is not read."""
    if one is None or other is None:
        return one or other or ()
    pairs = ((max(a, c), min(b, d)) for a, b in one for c, d in other if a < d and c < b)
    return tuple(sorted(pairs))


def _has_gpu_code(data: bytes, skipped: Skipped) -> bool:
    if _GPU.search(data) is None:
        return False
    return any(not skipped_ranges.within(at, skipped) for at in _pieces(lex(data)))


def _reason(around: Sequence[Branch], skipped: Skipped) -> Branch | None:
    """The outermost branch around a place that is not compiled; None where the pass alone decides it."""
    branch = next((one for one in around if _is_skipped(one, skipped)), None)
    return branch if branch is not None and _is_doubtful(branch) else None


def _is_skipped(branch: Branch, skipped: Skipped) -> bool:
    """Whether both ends of a branch are not compiled: another may begin or end where it does."""
    ends = (min(branch.start + 1, branch.end - 1), branch.end - 1)
    return all(skipped_ranges.within(at, skipped) for at in ends)


def _is_chosen(branch: Branch) -> bool:
    """Whether the machine decides a condition, or whoever wrote it: `#if 0`."""
    names = [name for text in branch.conditions for name in _NAME.findall(text)]
    return not names or any(map(OF_PLATFORMS.match, names))


def _is_fallback(branch: Branch) -> bool:
    """Whether it is what is compiled without a macro, beside what is compiled with it: `#ifdef WITH_GPU`, `#else`."""
    *before, own = branch.conditions
    return own == _ELSE and bool(before) and _POSITIVE.fullmatch(before[-1]) is not None


def _shown(branch: Branch) -> str:
    """A condition as a reader knows it: the macro that it asks for, else its text."""
    own = branch.conditions[-1]
    if own == _ELSE and len(branch.conditions) > 1:
        own = branch.conditions[-2]
        own = own[1:] if own.startswith(b"!defined") else b"!(" + own + b")"
    names = switches_of((own,))
    if len(names) == 1 and own.replace(b"defined", b"").strip(b"() ") == names[0].encode():
        return names[0]
    text = " ".join(own.decode("utf-8", "replace").split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 4]} ..."


def _macro(branch: Branch, unit: Unit) -> str:
    """The macro that a branch is compiled with and not without, where that is all it asks for; else empty."""
    names = {name for text in branch.conditions for name in _NAME.findall(text) if name != b"defined"}
    if len(branch.conditions) != 1 or len(names) != 1:
        return ""
    (name,) = names
    given = {macro.encode() for macro in unit.flags.macros}
    holds = value_with(branch.conditions[0], frozenset((name + b"=1",)), hip=True) is True
    known = name in given or OF_COMPILERS.match(name) or OF_PLATFORMS.match(name)
    return name.decode("ascii", "replace") if holds and not known else ""
