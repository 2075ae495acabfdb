"""Build files that build for CUDA as before, and for HIP where a switch asks for it.

CMake gets an option beside the project's own, Makefiles a variable. Changed commands stand in a choice, and a condition
asks for either form. The head of a loop has no place for a choice: its change is left out, and reported.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set

from cudamigrate import edits as writing
from cudamigrate.analysis import makefile_ports
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Fix, Span, Style
from cudamigrate.portable.regions import Directives, Region, written
from cudamigrate.syntax import cmake, makefile
from cudamigrate.syntax.cmake import Command

SWITCH = "USE_HIP"
"""The option, and the variable of Makefiles, where the project has no style of its own."""
LANGUAGES = ("cmake", "make")
_CODE = ("cuda", "cxx")
_FOR_BOTH = (b"version.hip", b"ROCM_HOME")
"""What a change of a setup.py asks where it is right for both vendors: PyTorch for CUDA has None there."""
_OPTION = re.compile(rb"(?im)^[ \t]*(?:cmake_dependent_)?option\s*\(\s*(\w*(?:USE|WITH|ENABLE|BUILD)_CUDA)\b")
"""An option of CMake for CUDA: `option(USE_CUDA`, `cmake_dependent_option(MY_WITH_CUDA`."""
_BLOCKS = ("if", "foreach", "while", "function", "macro", "block")
_HEADS = frozenset(("elseif", "else", *_BLOCKS, *(f"end{name}" for name in _BLOCKS)))
_ASKING = ("if", "elseif", "while")
_REPEATING = ("else", "endif", "endwhile")
"""Commands whose argument only repeats the condition that they belong to."""
_MINIMUM = "cmake_minimum_required"
_WHY = "it changes a condition or the head of a loop, which both builds share"
_WHY_OWN = "both builds share the line, and no condition of the file's own asks there for the build for AMD"


def switch(texts: Sequence[bytes]) -> str:
    """The name of the option for HIP: that of the project's option for CUDA, with HIP in its place."""
    found = [match[1].decode() for text in texts for match in _OPTION.finditer(text)]
    return min(found, key=len).replace("CUDA", "HIP") if found else SWITCH


def is_for_both(fix: Fix) -> bool:
    """Whether a fix of a file that is no code asks by itself which vendor it is for."""
    return any(word in edit.replacement for edit in fix.edits for word in _FOR_BOTH)


def is_made(style: Style, language: str, fix: Fix | None) -> bool:
    """Whether a style can make a fix of a file in some language: portable style keeps what NVIDIA needs."""
    switched = language in LANGUAGES and not style.extension
    return style.name != "portable" or language in _CODE or switched or (fix is not None and is_for_both(fix))


def around(
    language: str, path: str, data: bytes, fixes: Sequence[Fix], name: str, of_hip: Set[Fix] = frozenset()
) -> tuple[Fix | None, dict[Fix, str]]:
    """The changes of a build file under the switch `name`, and the fixes left out, with the reason.

    Those `of_hip` change what only a build for HIP has: they need no switch. A Makefile with a build for AMD of its own
    is asked by the condition of that.
    """
    file = _File.cmake(path, data, name, fixes) if language == "cmake" else _File.make(data, name)
    plain = {edit for fix in of_hip for edit in fix.edits}
    why = _WHY if file.asks is None else _WHY_OWN
    left = {fix: why for fix in fixes if any(edit not in plain and not file.has_place(edit) for edit in fix.edits)}
    groups = {fix.group for fix in left if fix.group}
    left |= {fix: why for fix in fixes if fix.group in groups}
    wanted = sorted(
        dict.fromkeys(edit for fix in fixes if fix not in left for edit in fix.edits), key=lambda one: one.span
    )
    return (file.changed(wanted, plain) if wanted else None), left


def introduces(data: bytes, name: str) -> bool:
    """Whether a CMake file has the option for HIP."""
    return re.search(rb"(?i)option\s*\(\s*%s\b" % name.encode(), data) is not None


def introduction(path: str, data: bytes, name: str) -> Fix | None:
    """What makes the switch known in the CMake file of a project, None where it is no such file or has it."""
    edits = _File.cmake(path, data, name).introduction(())
    return Fix(tuple(edits), "safe") if edits else None


@dataclass(frozen=True, slots=True)
class _File:
    """A build file as choices are written in it.

    `lines` are the ranges of whole lines in order, with whether each may stand in a choice; `heads` are CMake's
    conditions and what repeats them, `hint` a comment that names the switch. `asks` is what a Makefile asks for its own
    build for AMD, empty where no single condition does, None where it has no such build.
    """

    data: bytes
    switch: bytes
    words: Directives
    lines: Sequence[tuple[Span, bool]]
    commands: Sequence[Command] = ()
    heads: Sequence[Command] = ()
    hint: bytes = b""
    asks: tuple[makefile_ports.Test, ...] | None = None

    @staticmethod
    def make(data: bytes, name: str) -> _File:
        """A Makefile."""
        switch = name.encode()
        asks = makefile_ports.switch(data)
        if asks is not None:
            only, never = asks[0].text() if asks else (b"", b"")
            return _File(data, switch, Directives(only, never, b"else", b"endif"), list(_make(data)), asks=asks)
        words = Directives(b"ifeq ($(%s),1)" % switch, b"ifneq ($(%s),1)" % switch, b"else", b"endif")
        hint = b"# make %s=1 builds for AMD GPUs with HIP.\n" % switch
        return _File(data, switch, words, list(_make(data)), hint=hint)

    @staticmethod
    def cmake(path: str, data: bytes, name: str, fixes: Sequence[Fix] = ()) -> _File:
        """A CMake file; one that is configured asks for the value that it is configured with.

        A loop that one of the `fixes` takes apart is chosen as a whole.
        """
        switch = f"@{name}@".encode() if path.endswith(".in") else name.encode()
        words = Directives(b"if(%s)" % switch, b"if(NOT %s)" % switch, b"else()", b"endif()", indented=True)
        found = cmake.read(data)
        heads = [one for one in found if one.name in (*_ASKING, *_REPEATING)]
        lines = _with_loops(data, list(_cmake(data, found)), found, [edit for fix in fixes for edit in fix.edits])
        return _File(data, switch, words, lines, found, heads)

    def has_place(self, edit: Edit) -> bool:
        """Whether an edit can be made for HIP alone."""
        if self.asks is not None and not any(
            makefile_ports.is_known(self.data, one, edit.span.start) for one in self.asks
        ):
            return False
        return _unit(self.lines, edit) is not None or self._head(edit) is not None

    def changed(self, wanted: Sequence[Edit], of_hip: Set[Edit] = frozenset()) -> Fix | None:
        """The edits, in file order, made for HIP alone; those `of_hip` are made as they are."""
        regions: list[Region] = []
        heads: dict[Span, list[Edit]] = {}
        minimum = self._minimum()
        raised = [
            one for one in wanted if minimum is not None and minimum.span.start < one.span.start < minimum.span.end
        ]
        for edit in wanted:
            unit = _unit(self.lines, edit)
            if edit in raised or edit in of_hip:
                continue
            if unit is None:
                head = self._head(edit)
                assert head is not None
                heads.setdefault(head.span, []).append(edit)
            elif regions and unit.start <= regions[-1].end:
                regions[-1].end = max(regions[-1].end, unit.end)
                regions[-1].edits.append(edit)
            else:
                regions.append(Region(unit.start, unit.end, [edit]))
        plain = [self._asking(head, heads[head.span]) for head in self.heads if head.span in heads]
        plain += [edit for edit in wanted if edit in of_hip and edit not in raised]
        if not regions and not heads and not raised:
            return Fix(tuple(plain), "safe")  # nothing asks the switch
        return written(self.data, regions, [*self.introduction(raised), *plain], self.words)

    def introduction(self, raised: Sequence[Edit]) -> list[Edit]:
        """What makes the switch known: a comment in a Makefile, in CMake the option before `project`.

        `raised` changes the version of CMake that the file asks for, which HIP's build alone needs.
        """
        if self.hint or self.asks is not None:
            return [] if self.hint in self.data else [Edit(Span(0, 0), self.hint)]
        project = next((one for one in self.commands if one.name == "project"), None)
        if project is None or introduces(self.data, self.switch.strip(b"@").decode()):
            return []
        minimum = self._minimum()
        end = cmake.line_end(self.data)
        lines = [
            b'option(%s "Build the GPU code for AMD GPUs with HIP instead of CUDA" OFF)' % self.switch,
            b"if(%s)" % self.switch,
            *([b"  " + self._text(minimum.span, raised)] if minimum is not None and raised else []),
            b"  add_compile_definitions(__HIP_PLATFORM_AMD__)",
            b"endif()",
        ]
        at = _whole(self.data, project.span if minimum is None else minimum.span)
        start = at[0] if minimum is None else at[1]
        before = end if start and not self.data[:start].endswith(b"\n") else b""
        return [Edit(Span(start, start), before + end.join(lines) + end)]

    def _minimum(self) -> Command | None:
        """The version of CMake that a project asks for, outside of all blocks and before it."""
        for command in self.commands:
            if command.name == _MINIMUM and any(one.name == "project" for one in self.commands):
                return command
            if command.name in (*_BLOCKS, "project"):
                return None
        return None

    def _head(self, edit: Edit) -> Command | None:
        """The condition, or what repeats one, that an edit is in; None where a choice cannot be written there."""
        at = bisect_right(self.heads, edit.span.start, key=lambda one: one.span.start) - 1
        if at < 0:
            return None
        head = self.heads[at]
        inside = head.at.end < edit.span.start and edit.span.end < head.span.end
        plain = b"#" not in self.data[head.span.start : head.span.end] and b"#" not in edit.replacement
        return head if inside and plain else None

    def _asking(self, head: Command, changes: Sequence[Edit]) -> Edit:
        """A condition that asks for either form; what repeats it loses its argument, which CMake compares."""
        first = self.data.index(b"(", head.at.end) + 1
        span = Span(first, head.span.end - 1)
        if head.name in _REPEATING:
            return Edit(span, b"")
        quoting = [one for one in changes if one.replacement == b'"%s"' % self.data[one.span.start : one.span.end]]
        old, new = self._text(span, quoting), self._text(span, changes)  # CMake reads both, whatever is chosen
        if old == new:
            return Edit(span, new)
        switch = self.switch
        return Edit(span, b"(%s AND (%s)) OR (NOT %s AND (%s))" % (switch, new.strip(), switch, old.strip()))

    def _text(self, span: Span, changes: Sequence[Edit]) -> bytes:
        """A range of the file with some edits made."""
        moved = [Edit(Span(e.span.start - span.start, e.span.end - span.start), e.replacement) for e in changes]
        return writing.apply(self.data[span.start : span.end], [Fix((edit,), "safe") for edit in moved]).data


def _unit(lines: Sequence[tuple[Span, bool]], edit: Edit) -> Span | None:
    """The lines around an edit that a choice may enclose, None where there are none."""
    at = bisect_right(lines, edit.span.start, key=lambda one: one[0].start) - 1
    inside = at >= 0 and edit.span.start < lines[at][0].end
    if inside and edit.span.start == edit.span.end == lines[at][0].start and edit.replacement.endswith(b"\n"):
        return Span(edit.span.start, edit.span.start)
    if not inside and edit.span.start == edit.span.end:
        return Span(edit.span.start, edit.span.start)
    if not inside or not lines[at][1]:
        return None
    first, end = lines[at][0], lines[at][0].end
    while edit.span.end > end:
        at += 1
        if at >= len(lines) or not lines[at][1]:
            return None
        end = lines[at][0].end
    return Span(first.start, end)


def _cmake(data: bytes, found: Sequence[Command]) -> Iterator[tuple[Span, bool]]:
    """The lines of each command, and whether it may stand in a condition."""
    until, free = 0, True
    for command in found:
        start, end = _whole(data, command.span)
        if start < until:  # two commands on one line
            continue
        until, free = end, command.name not in _HEADS
        yield Span(start, end), free


def _with_loops(
    data: bytes, lines: Sequence[tuple[Span, bool]], found: Sequence[Command], edits: Sequence[Edit]
) -> list[tuple[Span, bool]]:
    """The lines, with each loop as one of them whose head or end an edit takes away."""
    gone = {edit.span for edit in edits if not edit.replacement}
    loops, opened = list[Span](), list[Command]()
    for command in found:
        if command.name == "foreach":
            opened.append(command)
        elif command.name == "endforeach" and opened:
            ends = [Span(*_whole(data, one.span)) for one in (opened.pop(), command)]
            loops += [Span(ends[0].start, ends[1].end)] if not gone.isdisjoint(ends) else []
    outer = [one for one in loops if not any(other != one and other.start <= one.start < other.end for other in loops)]
    kept = [line for line in lines if not any(one.start <= line[0].start < one.end for one in outer)]
    return sorted([*kept, *((one, True) for one in outer)], key=lambda line: line[0])


def _make(data: bytes) -> Iterator[tuple[Span, bool]]:
    """The logical lines, and whether each may stand in a conditional; a `define` with all that it defines is one."""
    lines = makefile.read(data)
    at = 0
    while at < len(lines):
        first = at
        at += 1
        while at < len(lines) and lines[at].kind == "recipe" and lines[at].name:
            at += 1
        if at - first > 1 and at < len(lines):
            at += 1  # endef
        start, end = _whole(data, Span(lines[first].span.start, lines[at - 1].span.end))
        yield Span(start, end), lines[first].kind not in ("conditional", "include")


def _whole(data: bytes, span: Span) -> tuple[int, int]:
    start = data.rfind(b"\n", 0, span.start) + 1
    end = data.find(b"\n", span.end)
    return start, len(data) if end < 0 else end + 1
