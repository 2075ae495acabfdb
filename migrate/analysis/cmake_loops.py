"""CMake: loops over NVIDIA's GPUs that add an option for each of them, where AMD's are named once.

What adds the options leaves its loop, as far as nothing else in it depends on the turn: from the beginning or the end
of the loop, which goes where nothing is left. A loop over the project's own list of GPUs stays: that list names AMD's.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from cudamigrate.analysis import cmake_flow
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import cmake, compiler_options
from cudamigrate.syntax.cmake import Command
from cudamigrate.syntax.project_file import ProjectFile

PROJECT = "CMAKE_CUDA_ARCHITECTURES"
"""The project's own list of GPUs."""
_REFERENCE = re.compile(rb"\$\{([\w.+-]+)\}")
_WORD = re.compile(r"[A-Za-z_][\w.+-]*")
_OPTIONS = ("add_compile_options", "target_compile_options")
_MESSAGE = "message"


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop from `head` to `tail`: the commands that leave it ahead and behind, and whether none stays."""

    head: Command
    tail: Command
    ahead: tuple[Command, ...]
    behind: tuple[Command, ...]
    whole: bool

    @property
    def variable(self) -> str:
        """What holds the GPU of a turn."""
        return self.head.args[0].text


def outside(parsed: ProjectFile) -> dict[Span, Span]:
    """The loop that each command leaves, both by their spans."""
    return {span: loop.head.span for span, loop in parsed.once(_left).items()}


def edits(parsed: ProjectFile, use: Use, goes: bool) -> list[Edit]:
    """What takes the command of an option out of its loop; `goes` says that nothing is left of the command."""
    command = cmake.command_at(parsed, use.span.start)
    loop = parsed.once(_left).get(command.span) if command is not None else None
    if command is None or loop is None:
        return []
    data = parsed.data
    made = [] if goes else list(_outdented(data, loop.head, command))
    if loop.ahead or loop.whole:
        made.append(Edit(_lines(data, loop.head.span), b""))
    if loop.behind or loop.whole:
        made.append(Edit(_lines(data, loop.tail.span), b""))
    if loop.whole:
        return made
    if loop.ahead:
        made.append(_copied(data, loop.head, _lines(data, loop.ahead[-1].span).end))
    if loop.behind:
        made.append(_copied(data, loop.tail, _lines(data, loop.behind[0].span).start))
    return made


def _outdented(data: bytes, head: Command, command: Command) -> Iterator[Edit]:
    """A command, and the comments right before it, with the blanks of the loop's head."""
    blanks, own = cmake.indent(data, head.span.start), cmake.indent(data, command.span.start)
    more = own.removeprefix(blanks) if own.startswith(blanks) else b""
    start = data.rfind(b"\n", 0, command.span.start) + 1
    while more:
        yield Edit(Span(start, start + len(more)), b"")
        end, start = start, data.rfind(b"\n", 0, start - 1) + 1
        if start <= head.span.start or not data[start:end].startswith(own + b"#"):
            return


def group(parsed: ProjectFile, use: Use) -> str:
    """The fixes that take commands out of a loop go together."""
    command = cmake.command_at(parsed, use.span.start)
    loop = parsed.once(_left).get(command.span) if command is not None else None
    return f"loop over GPUs at {loop.head.span.start}" if loop is not None else ""


def turn(parsed: ProjectFile, use: Use) -> str:
    """The variable that holds one of AMD's GPUs in each turn, where the loop is over the project's list; else empty."""
    command = cmake.command_at(parsed, use.span.start)
    loop = parsed.once(_projects).get(command.span) if command is not None else None
    return loop.variable if loop is not None and not works_on(parsed, PROJECT) else ""


def works_on(parsed: ProjectFile, name: str) -> bool:
    """Whether the file changes the names in a list of GPUs, or takes them one by one: that fits NVIDIA's names."""
    adding = {loop.head.span for loop in parsed.once(_projects).values()}
    return any(_worked_on(one, name) for one in cmake.commands(parsed) if one.span not in adding)


def _worked_on(command: Command, name: str) -> bool:
    words = command.words()
    if command.name == "foreach":
        return name in words
    if command.name == "list" and words:
        return words[0].upper() not in ("APPEND", "PREPEND") and name in words
    return command.name == "string" and any(name in word for word in words)


def _copied(data: bytes, command: Command, at: int) -> Edit:
    line = cmake.indent(data, command.span.start) + data[command.span.start : command.span.end]
    return Edit(Span(at, at), line + cmake.line_end(data))


def _lines(data: bytes, span: Span) -> Span:
    """The lines that a command is on."""
    end = data.find(b"\n", span.end)
    return Span(data.rfind(b"\n", 0, span.start) + 1, len(data) if end < 0 else end + 1)


def _stands_alone(data: bytes, command: Command) -> bool:
    """Whether nothing else is on the lines of a command, which end."""
    lines = _lines(data, command.span)
    rest = data[lines.start : command.span.start] + data[command.span.end : lines.end]
    return not rest.strip() and data[lines.end - 1 : lines.end] == b"\n"


def _left(parsed: ProjectFile) -> dict[Span, Loop]:
    """The loops that commands leave, by the spans of these commands."""
    stays = not works_on(parsed, PROJECT)
    loops = [one for one in parsed.once(_loops) if not (stays and _is_over_projects(one.head))]
    return {one.span: loop for loop in loops for one in (*loop.ahead, *loop.behind)}


def _projects(parsed: ProjectFile) -> dict[Span, Loop]:
    """The loops over the project's list that do nothing but add options, by the spans of their commands."""
    loops = (one for one in parsed.once(_loops) if one.whole and _is_over_projects(one.head))
    return {command.span: loop for loop in loops for command in loop.ahead}


def _is_over_projects(head: Command) -> bool:
    """Whether a loop is over the project's list alone."""
    return head.words()[1:] in ([f"${{{PROJECT}}}"], ["IN", "LISTS", PROJECT])


def _loops(parsed: ProjectFile) -> tuple[Loop, ...]:
    return tuple(_found(parsed))


def _found(parsed: ProjectFile) -> Iterator[Loop]:
    """The loops that some command leaves, or would."""
    commands = cmake.commands(parsed)
    for at, head in enumerate(commands):
        if head.name != "foreach" or not head.args:
            continue
        depth, end = 0, at
        for end in range(at, len(commands)):
            depth += (commands[end].name == "foreach") - (commands[end].name == "endforeach")
            if not depth:
                break
        body, tail = commands[at + 1 : end], commands[end]
        if depth or not body:
            continue
        loop = _loop(parsed, head, body, tail)
        if loop is not None:
            yield loop


def _loop(parsed: ProjectFile, head: Command, body: Sequence[Command], tail: Command) -> Loop | None:
    leaves = [_leaves(parsed, one, head, body) for one in body]
    ahead = tuple(one for one, _ in itertools.takewhile(lambda pair: pair[1], zip(body, leaves, strict=True)))
    whole = len(ahead) == len(body)
    rest = list(zip(body, leaves, strict=True))[len(ahead) :]
    behind = tuple(one for one, _ in itertools.takewhile(lambda pair: pair[1], reversed(rest)))[::-1]
    if not ahead and not behind:
        return None
    if not all(_stands_alone(parsed.data, one) for one in (head, tail, *ahead, *behind)):
        return None
    if ahead and not whole and any(_within(use.span, head.span) and _changes(parsed, use) for use in parsed.uses):
        return None  # something in the head is written again
    return Loop(head, tail, ahead, behind, whole)


def _leaves(parsed: ProjectFile, command: Command, head: Command, body: Sequence[Command]) -> bool:
    """Whether a command adds options for the GPU of the turn, and depends on the turn by nothing else."""
    name = _added_to(command)
    options = [use for use in parsed.uses if use.kind == "option" and _within(use.span, command.span)]
    gpus = [use for use in options if _names_gpus(parsed, use)]
    if name is None or not gpus:
        return False
    others = [one for one in body if one is not command and one.name != _MESSAGE]
    turning = {head.args[0].text, *(f"CMAKE_MATCH_{number}" for number in range(10))}
    turning |= {word for one in others if _added_to(one) != name for word in one.words() if _WORD.fullmatch(word)}
    spans = [compiler_options.whole(parsed.data, use) for use in gpus]
    asks = {
        match[1].decode()
        for match in _REFERENCE.finditer(parsed.data, command.span.start, command.span.end)
        if not any(span is not None and _within(Span(*match.span()), span) for span in spans)
    }
    inside = {
        name.decode()
        for span in spans
        if span is not None
        for name in _REFERENCE.findall(parsed.data[span.start : span.end])
    }
    if None in spans or not turning.isdisjoint(asks) or turning.isdisjoint(inside):
        return False
    return not name or not any(name in word for one in others if _added_to(one) != name for word in one.words())


def _changes(parsed: ProjectFile, use: Use) -> bool:
    """Whether a rule writes something else for a use."""
    rule = parsed.rule(use) if parsed.rule is not None else None
    return rule is not None and rule.change.kind != "none"


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _names_gpus(parsed: ProjectFile, use: Use) -> bool:
    """Whether an option is one for GPUs of NVIDIA's that is written again, or goes with those."""
    rule = parsed.rule(use) if parsed.rule is not None else None
    changes = rule is not None and rule.safety == "safe" and rule.change.text[:2] == ("flag", "arch")
    return changes and not compiler_options.lacks(use) and compiler_options.names_gpus(_value(parsed, use))


def _value(parsed: ProjectFile, use: Use) -> str:
    return compiler_options.value(use, parsed.data)


def _added_to(command: Command) -> str | None:
    """The variable that a command makes longer; empty where it adds options to a folder or a target, None elsewhere."""
    words = command.words()
    if command.name in _OPTIONS:
        return ""
    if not cmake_flow.is_adding(command) or "CACHE" in words:
        return None
    return words[0] if command.name == "set" else words[1]
