"""Variables of Makefiles that hold NVIDIA GPUs -> what replaces their values and of the options they are in.

A variable is followed where all its values are GPUs of NVIDIA's, and where it is used for nothing but options that name
GPUs. Then its values become AMD's. Where it is used for anything else, or where its value is not known, the options
name the GPUs aimed at and the variable stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.analysis import makefile_variables
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import compiler_options, makefile
from cudamigrate.syntax.makefile import Expansion, Line
from cudamigrate.syntax.project_file import ProjectFile

OPTION = re.compile(r"--?(?:arch|gencode|code|gpu-architecture|generate-code|gpu-code)(?:=|$)")
"""An option of nvcc that names GPUs, alone or with its value: `-arch=sm_80`, `--gpu-architecture`, `-gencode`."""
_ONE = r"(?:sm_|compute_|lto_)?\d{2,3}[af]?"
_LIST = rf"\[?{_ONE}(?:,{_ONE})*\]?"
_GPU = re.compile(rf"(?:{_ONE}|(?:arch=)?{_ONE}(?:,code=\\?[\"']?{_LIST}\\?[\"']?)?|\d\.\d|all|all-major|native)")
"""A value that names GPUs: `sm_80`, `90a`, `8.6`, `all-major`, `arch=compute_80,code=[sm_80,sm_86]`, also quoted."""
_CERTAIN = re.compile(rb"(?:sm|compute)_\d")
_CONFIGURED = re.compile(rb"@\w+@")
"""What a configure script replaces by a variable of its own."""
_AROUND = re.compile(r"(?:arch=)?(?:sm_|compute_)?")
_PASSING = ("sort", "lastword", "firstword", "strip", "word", "wordlist", "filter", "filter-out", "foreach")
"""Functions of make that give some of the words that they get."""
_MESSAGES = ("info", "warning", "error")
_EMPTY = re.compile(
    rb"\s*\(\s*(?:\$[({](?:strip\s+\$[({])?[\w.-]+[)}]{1,2}\s*,\s*|,\s*\$[({](?:strip\s+\$[({])?[\w.-]+[)}]{1,2}\s*)\)\s*"
)
"""A test of one variable for being empty, from either side: `($(GPUS),)`, `(,$(strip $(GPUS)))`."""
_ECHO = re.compile(rb"\s*@?-?\s*echo\b")
_GOES_ON = (b">", b"|", b"`", b"&&", b"$(shell")
"""What a text that is printed may do beside: it goes into a file or a command, or one gives it."""


@dataclass(frozen=True, slots=True)
class GpuOption:
    """An option that names GPUs through variables: `value` is the expression that gives them."""

    file: Makefile
    span: Span
    roots: frozenset[str]
    value: str
    lists: tuple[Span, ...]


@dataclass(slots=True)
class GpuChanges:
    """For one Makefile: new options by the place of the old, new values by the span of the old; the group of each."""

    options: dict[int, tuple[str, ...]] = field(default_factory=dict)
    values: dict[Span, str] = field(default_factory=dict)
    groups: dict[int, str] = field(default_factory=dict)


def for_target(parsed: ProjectFile) -> GpuChanges:
    """What becomes of GPUs that variables of a Makefile hold, for the GPUs aimed at; nothing in any other file."""
    return parsed.once(_for_target) if parsed.source.language == "make" else GpuChanges()


def _for_target(parsed: ProjectFile) -> GpuChanges:
    return changes(parsed.once(makefile_variables.of), parsed.source.path, parsed.target.arch)


def changes(variables: Variables, path: str, gpus: Sequence[str]) -> GpuChanges:
    """What becomes of the options of the Makefile at `path` that name GPUs through variables, and of those values."""
    found = list(_options(variables))
    closures = [_closure(variables, option.roots) for option in found]
    made = GpuChanges()
    for option, reached in zip(found, closures, strict=True):
        joined = _joined(reached, closures) if reached is not None else None
        followed = joined is not None and _only_for_gpus(variables, joined, found)
        if not followed and not _is_nvccs(variables, option):
            continue
        group = f"GPUs of {min(joined)}" if followed and joined is not None else ""
        if option.file.path == path:
            many = reached is not None and (len(gpus) > 1 or _holds_lists(variables, reached))
            if followed or option.value:
                made.options[option.span.start] = _written(option, many) if followed else _fixed(gpus)
                made.groups[option.span.start] = group
        if followed and reached is not None:
            for span, text in _values(variables, reached, path, gpus):
                made.values[span] = text
                made.groups[span.start] = group
    return made


def only_chooses(variables: Variables, file: Makefile, line: Line, made: GpuChanges) -> bool:
    """Whether what a line assigns decides nothing but which of NVIDIA's GPUs a variable names: all become the same."""
    if line.kind != "assignment":
        return False
    asked = False
    for other in variables.files:
        depth = 0
        for one in other.lines:
            named = line.name in makefile_variables.references(other, one.value)
            if one.kind == "conditional":
                tested = other.text(one.value).strip() if one.name in ("ifdef", "ifndef") else b""
                asks = named or tested == line.name.encode()
                asked, depth = asked or asks, _depth_after(other, one, depth, asks)
            elif named or (depth and (other is not file or not _is_replaced(file, one, made))):
                return False
    return asked


def _depth_after(file: Makefile, line: Line, depth: int, asks: bool) -> int:
    """How many conditions are open behind one, from the first that asks."""
    if line.name == "endif":
        return max(0, depth - 1)
    goes_on = line.name == "else" or file.text(line.span).lstrip().startswith(b"else")
    return depth if goes_on else depth + 1 if depth or asks else 0


def _is_replaced(file: Makefile, line: Line, made: GpuChanges) -> bool:
    """Whether a line assigns GPUs of NVIDIA's alone, which all become the GPUs aimed at."""
    start = line.value.start
    value = Span(start, start + len(file.text(line.value).rstrip()))
    return line.kind == "assignment" and value in made.values


def repeated(parsed: ProjectFile) -> dict[int, Span]:
    """Lines that add only GPUs by name to a variable which got some on a line before: for AMD they say the same again.

    By the place of the option; a line reaches to the next, with the remark on that GPU in it. Nothing is known across
    conditions, which may leave out one.
    """
    return parsed.once(_repeated) if parsed.source.language == "make" else {}


def _repeated(parsed: ProjectFile) -> dict[int, Span]:
    file = parsed.once(makefile_variables.of).files[0]
    named, found = set[str](), dict[int, Span]()
    for line in file.lines:
        if line.kind in ("conditional", "include"):
            named.clear()
        if line.kind != "assignment" or not file.text(line.span).startswith(line.name.encode()):
            continue  # what holds for one target says nothing of others
        segment = next(makefile.segments(file.data, line.value.start, line.value.end))
        options = [use for use in compiler_options.uses(segment.words) if OPTION.match(use.name)]
        text = file.text(line.value)
        if line.operator != "+=":
            named.discard(line.name)
        plain = bool(options) and b"$" not in text and _CERTAIN.search(text) is not None
        words = sum(1 + len(use.args) for use in options)
        whole = Span(line.span.start, file.data.find(b"\n", line.span.end) + 1)
        alone = len(options) == 1 and words == len(segment.words)
        alone = alone and not file.text(whole).rstrip().endswith(b"\\")  # a remark that goes on
        if plain and alone and line.name in named and whole.end:
            found[options[0].span.start] = whole
        if plain:
            named.add(line.name)
    return found


def _fixed(gpus: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"--offload-arch={gpu}" for gpu in gpus)


def _written(option: GpuOption, many: bool) -> tuple[str, ...]:
    """The option with the variable in it, once for each GPU that the variable holds."""
    single = not many or len(option.lists) > 0
    return (f"--offload-arch={option.value}" if single else f"$(addprefix --offload-arch=,{option.value})",)


def _options(variables: Variables) -> Iterator[GpuOption]:
    """Options that name GPUs by way of a variable."""
    for file in variables.files:
        for line in file.lines:
            if line.kind not in ("assignment", "recipe", "other"):
                continue
            for segment in makefile.segments(file.data, line.value.start, line.value.end):
                for use in compiler_options.uses(segment.words):
                    if OPTION.match(use.name):
                        yield from _option(file, use.args[0] if use.args else use.span, use.span, segment.bound)


def _option(file: Makefile, value: Span, span: Span, bound: Mapping[str, Span]) -> Iterator[GpuOption]:
    outer = list(makefile.expansions(file.data, value.start, value.end))
    pattern = "%" if "%" in bound and b"%" in file.text(value) else ""
    before = makefile.PREFIX in bound and not outer
    if not outer and not pattern and not before:
        return
    text = pattern or ("" if before else file.text(outer[0].span).decode("utf-8", "replace"))
    names, lists = set[str](), list[Span]()
    queue = (
        [text]
        if pattern or before
        else [e.name for e in makefile.all_expansions(file.data, *_ends(value)) if not e.args]
    )
    for name in queue:
        if name in bound and bound[name] not in lists:
            lists.append(bound[name])
            inner = makefile.all_expansions(file.data, *_ends(bound[name]))
            queue += [e.name for e in inner if not e.args]
        elif name not in bound:
            names.add(name)
    if names:
        yield GpuOption(file, Span(span.start, max(span.end, value.end)), frozenset(names), text, tuple(lists))


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


def _is_nvccs(variables: Variables, option: GpuOption) -> bool:
    """Whether an option whose value is not followed is known to be nvcc's.

    It is by itself, by a value of its variable, or where nvcc alone gets it and no Makefile sets the variable, or sets
    it to `@GPU_ARCH@` alone: what configures or calls make gives it a GPU of NVIDIA's.
    """
    text = option.file.text(option.span)
    if not text.startswith((b"-arch", b"-code")) or re.search(rb"(?:sm|compute)_", text):
        return True
    values = [f.text(line.value) for name in option.roots for f, line in variables.assigned.get(name, ())]
    if text.startswith(b"-arch") and all(_is_from_outside(variables, name) for name in option.roots):
        return _is_for_nvcc(variables, option)
    return any(_CERTAIN.search(value) for value in values)


def _is_from_outside(variables: Variables, name: str) -> bool:
    """Whether no Makefile says what a variable holds: none sets it, or only to another one of that kind.

    What a configure script fills in, `@GPU_ARCH@`, none says either.
    """
    names = [name]
    for one in names:
        for file, line in variables.assigned.get(one, ()):
            if _CONFIGURED.fullmatch(file.text(line.value).strip()):
                continue
            inner = list(makefile.expansions(file.data, *_ends(line.value)))
            if len(inner) != 1 or inner[0].args or file.text(inner[0].span) != file.text(line.value).strip():
                return False
            names += [inner[0].name] if inner[0].name not in names else []
    return True


def _is_for_nvcc(variables: Variables, option: GpuOption) -> bool:
    """Whether nvcc and no other compiler gets an option."""
    at, file = option.span.start, option.file
    line = next((line for line in file.lines if line.value.start <= at < line.value.end), None)
    if line is None or line.kind not in ("assignment", "recipe"):
        return False
    if line.kind == "assignment":
        return line.name in variables.nvcc and line.name not in variables.host
    parts = (part for part in makefile_variables.commands(file, line) if part.start <= at < part.end)
    return any(variables.compiler(file, part) == {"nvcc"} for part in parts)


def _closure(variables: Variables, roots: frozenset[str]) -> frozenset[str] | None:
    """The variables that give the values of others; None where one is not known or holds anything but GPUs."""
    found, queue = set[str](), list(roots)
    for name in queue:
        if name in found:
            continue
        found.add(name)
        assignments = variables.assigned.get(name, [])
        if not any(file.text(line.value).strip() for file, line in assignments):
            return None
        for file, line in assignments:
            inner = _words(file, line)
            if inner is None:
                return None
            queue += inner
    return frozenset(found)


def _joined(names: frozenset[str], closures: Sequence[frozenset[str] | None]) -> frozenset[str]:
    """Some variables, with those of other options that get GPUs from the same: all become AMD's together.

    The last of a list, `NEWEST = $(lastword $(SMS))`, is for an option of its own beside a loop over the list.
    """
    while True:
        more = names.union(*(one for one in closures if one is not None and not names.isdisjoint(one)))
        if more == names:
            return names
        names = more


def _words(file: Makefile, line: Line) -> list[str] | None:
    """The variables that the value of another is made of; None where it has words that are no GPUs."""
    names: list[str] = []
    segment = next(makefile.segments(file.data, line.value.start, line.value.end))
    for word in segment.words:
        outer = list(makefile.expansions(file.data, word.span.start, word.span.end))
        if not outer:
            if not _GPU.fullmatch(word.text):
                return None
            continue
        before = file.data[word.span.start : outer[0].span.start].decode("utf-8", "replace")
        if len(outer) != 1 or outer[0].span.end != word.span.end or not _AROUND.fullmatch(before):
            return None
        inside = list(makefile.all_expansions(file.data, word.span.start, word.span.end))
        if any(e.args and e.name not in _PASSING for e in inside):
            return None
        names += [e.name for e in inside if not e.args]
    return names


def _holds_lists(variables: Variables, names: frozenset[str]) -> bool:
    """Whether a variable may hold several words: added to, or given several."""
    lines = [(file, line) for name in names for file, line in variables.assigned.get(name, ())]
    return any(line.operator.startswith("+") or len(file.text(line.value).split()) > 1 for file, line in lines)


def _only_for_gpus(variables: Variables, names: frozenset[str], options: Sequence[GpuOption]) -> bool:
    """Whether nothing but options that name GPUs, other such variables, tests for emptiness and messages use them."""
    for file in variables.files:
        spans = [o.span for o in options if o.file.path == file.path]
        spans += [span for o in options if o.file.path == file.path for span in o.lists]
        for line in file.lines:
            if line.kind == "assignment" and line.name in names:
                continue
            if _is_harmless(file, line):
                continue
            for expansion in makefile.expansions(file.data, line.value.start, line.value.end):
                if not _is_fine(file, expansion, names, spans):
                    return False
    return True


def _is_harmless(file: Makefile, line: Line) -> bool:
    text = file.text(line.value)
    if line.kind == "conditional":
        return line.name in ("ifdef", "ifndef") or _EMPTY.fullmatch(text) is not None
    return is_message(file, line)


def is_message(file: Makefile, line: Line) -> bool:
    """Whether a line of a recipe prints a text and does nothing else."""
    text = file.text(line.value)
    return line.kind == "recipe" and _ECHO.match(text) is not None and not any(sign in text for sign in _GOES_ON)


def _is_fine(file: Makefile, expansion: Expansion, names: frozenset[str], spans: Sequence[Span]) -> bool:
    """Whether what make expands at one place uses none of the variables, or only where options name GPUs."""
    if any(span.start <= expansion.span.start and expansion.span.end <= span.end for span in spans):
        return True
    if expansion.name in _MESSAGES and expansion.args:
        return True
    if not expansion.args:
        pattern = expansion.pattern is not None and any(span == expansion.span for span in spans)
        return expansion.name not in names or pattern
    args = expansion.args[1:] if expansion.name == "if" else expansion.args
    return all(
        _is_fine(file, inner, names, spans)
        for span in args
        if not any(option.start <= span.start and span.end <= option.end for option in spans)
        for inner in makefile.expansions(file.data, span.start, span.end)
    )


def _values(variables: Variables, names: frozenset[str], path: str, gpus: Sequence[str]) -> Iterator[tuple[Span, str]]:
    """The words of followed variables in one file with what replaces them: a row of GPUs becomes AMD's."""
    for file, line in (pair for name in sorted(names) for pair in variables.assigned.get(name, ())):
        if file.path != path:
            continue
        segment = next(makefile.segments(file.data, line.value.start, line.value.end))
        row: list[Span] = []
        for word in segment.words:
            outer = list(makefile.expansions(file.data, word.span.start, word.span.end))
            if not outer:
                row.append(word.span)
                continue
            yield from _row(row, gpus)
            row = []
            if outer[0].span.start > word.span.start:
                yield word.span, file.text(outer[0].span).decode("utf-8", "replace")
        yield from _row(row, gpus)


def _row(row: Sequence[Span], gpus: Sequence[str]) -> Iterator[tuple[Span, str]]:
    if row:
        yield Span(row[0].start, row[-1].end), " ".join(gpus)
