"""Dockerfile and Containerfile -> ProjectFile: images, variables, and what RUN lines do."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.environment import built_packages, command_uses, fetched_code
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span
from cudamigrate.syntax import shell as shellwords
from cudamigrate.syntax import utf8
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.python_requirements import by_place, elsewhere
from cudamigrate.syntax.shell import Word

FILES = {
    "Dockerfile*": "docker",
    "dockerfile": "docker",
    "dockerfile.*": "docker",
    "*.dockerfile": "docker",
    "*.Dockerfile": "docker",
    "Containerfile*": "docker",
    "*.containerfile": "docker",
}
PART = "environment"
TRIGGER = command_uses.TRIGGER

_ESCAPE = re.compile(rb"#[ \t]*escape[ \t]*=[ \t]*`", re.I)
_INSTRUCTION = re.compile(rb"[ \t]*([A-Za-z]+)[ \t]*")
_CHECK = re.compile(rb"\s*CMD\b", re.I)
"""What is before the command of a check: `HEALTHCHECK --interval=5m CMD nvidia-smi`."""
_HEREDOC = re.compile(rb"<<-?[\"']?([A-Za-z_]\w*)[\"']?")
_INSTRUCTIONS = {
    "ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "LABEL", "MAINTAINER", "ONBUILD",
    "RUN", "SHELL", "STOPSIGNAL", "USER", "VOLUME", "WORKDIR",
}  # fmt: skip
_CUDA_IMAGE = re.compile(r"image \S*(?:nvidia|cuda)")
"""An image that has nvcc, or runs what nvcc made: what is built in it may be for CUDA."""


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction: `body` is all behind its word, with continued lines; `comments` are the lines between them."""

    word: str
    body: Span
    comments: tuple[Span, ...] = ()
    heredoc: bool = False


def parse(source: SourceFile) -> ProjectFile:
    """Read the instructions of a Dockerfile."""
    if elsewhere(source.path, source.data):
        return ProjectFile(source)
    found = command_uses.UseCollector(source.data)
    scripts: list[shellwords.Script] = []
    for instruction in instructions(source.data):
        _read(found, instruction, scripts)
    found.uses.extend(fetched_code.built(scripts))
    found.uses.extend(built_packages.uses(scripts))
    uses = found.all_uses()
    if not any(_CUDA_IMAGE.match(use.name) for use in uses):
        uses = [use for use in uses if use.name != fetched_code.UNKNOWN]
    return ProjectFile(source, uses, None, requirements=by_place(found.requirements))


def broken(data: bytes) -> int:
    """How many lines start with a word that is no instruction."""
    return sum(1 for instruction in instructions(data) if instruction.word not in _INSTRUCTIONS)


def instructions(data: bytes) -> Iterator[Instruction]:
    """The instructions of a Dockerfile, in order."""
    escape = b"`" if _ESCAPE.search(data[:300]) else b"\\"
    at = utf8.start(data)
    while at < len(data):
        end = _line_end(data, at)
        line = data[at:end].strip()
        if not line or line.startswith(b"#"):
            at = end
            continue
        match = _INSTRUCTION.match(data, at, end)
        word, start = (match[1].decode().upper(), match.end()) if match is not None else ("", at)
        body, comments = _body(data, start, at, escape)
        tag = _HEREDOC.search(data, body.start, body.end) if word in ("RUN", "COPY", "ADD") else None
        ending = _heredoc_end(data, body.end, tag[1]) if tag is not None else None
        if ending is not None:
            body = Span(body.start, ending)
        yield Instruction(word, body, comments, ending is not None)
        at = max(body.end, end)


def _line_end(data: bytes, at: int) -> int:
    end = data.find(b"\n", at)
    return len(data) if end < 0 else end + 1


def _body(data: bytes, start: int, line: int, escape: bytes) -> tuple[Span, tuple[Span, ...]]:
    """From `start` to the end of the last continued line. Comments and empty lines between do not end it."""
    comments, end = [], _line_end(data, line)
    first, at = True, line
    continues = True
    while continues and at < len(data):
        end = _line_end(data, at)
        text = data[at:end].strip()
        if not first and (not text or text.startswith(b"#")):
            comments.append(Span(at, end))
        else:
            continues = text.endswith(escape)
        first, at = False, end
    return Span(start, max(start, end)), tuple(comments)


def _heredoc_end(data: bytes, at: int, tag: bytes) -> int | None:
    """Where the line with the tag ends; None where no line is the tag, so that it was a shift: `$((1<<N))`."""
    match = re.compile(rb"^\t*" + tag + rb"[ \t]*\r?$", re.M).search(data, at)
    return None if match is None else _line_end(data, match.end())


def _read(found: command_uses.UseCollector, instruction: Instruction, scripts: list[shellwords.Script]) -> None:
    word, data = instruction.word, found.data
    if word == "ONBUILD":
        inner = _INSTRUCTION.match(data, instruction.body.start, instruction.body.end)
        if inner is not None and inner[1].upper() != b"ONBUILD":
            body = Span(inner.end(), instruction.body.end)
            _read(
                found, Instruction(inner[1].decode().upper(), body, instruction.comments, instruction.heredoc), scripts
            )
    elif word in ("RUN", "CMD", "ENTRYPOINT", "HEALTHCHECK"):
        _run(found, instruction, scripts)
    elif word in ("ARG", "ENV"):
        _variables(found, instruction)
    elif word in ("FROM", "COPY", "ADD"):
        _sources(found, word, _words(data, instruction))


def _sources(found: command_uses.UseCollector, word: str, words: list[Word]) -> None:
    """Images that are built on or copied from, and what is fetched."""
    for item in words:
        if item.text.startswith("--from="):
            command_uses.image(found, Word(item.text[7:], Span(item.span.start + 7, item.span.end), plain=True))
        elif word == "FROM" and not item.text.startswith("--"):
            command_uses.image(found, item)
            return
        command_uses.text(found, item.span)


def _run(found: command_uses.UseCollector, instruction: Instruction, scripts: list[shellwords.Script]) -> None:
    """The shell text of an instruction, or the words of its JSON form; what shells read is added to the scripts."""
    data, body, blanks = found.data, instruction.body, list(instruction.comments)
    text = data[body.start : body.end]
    while (option := re.match(rb"(?:\s|\\\r?\n)*--\w+(?:=\S*)?", text)) is not None:
        body = Span(body.start + option.end(), body.end)
        text = data[body.start : body.end]
    if instruction.word == "HEALTHCHECK" and (match := _CHECK.match(text)) is not None:
        body = Span(body.start + match.end(), body.end)
        text = data[body.start : body.end]
    if text.lstrip().startswith(b"["):
        words = tuple(
            Word(utf8.text(match[1]), Span(body.start + match.start(1), body.start + match.end(1)), plain=True)
            for match in re.finditer(rb'"((?:[^"\\]|\\.)*)"', text)
        )
        shell = shellwords.of_words(data, words)
        command_uses.script(found, shell)
        scripts.append(shell)
        return
    tag = _HEREDOC.match(text.lstrip()) if instruction.heredoc else None
    if tag is not None:
        first = _line_end(data, body.start)
        last = data.rfind(tag[1], first, body.end)
        body = Span(first, max(first, last))
    read = shellwords.read(data, body, blanks)
    command_uses.script(found, read)
    scripts.append(read)


def _variables(found: command_uses.UseCollector, instruction: Instruction) -> None:
    """`ENV a=b c="d"`, the old `ENV a b`, and `ARG a=b`."""
    words = _words(found.data, instruction)
    if instruction.word == "ENV" and len(words) > 1 and "=" not in words[0].text:
        rest = Word("", Span(words[1].span.start, words[-1].span.end), plain=True)
        extent = Span(words[0].span.start, words[-1].span.end)
        command_uses.of_environment(found, shellwords.Assignment(words[0].text, words[0].span, extent, rest))
        return
    for item in words:
        name, equals, value = item.text.partition("=")
        if not equals:
            continue
        place = Span(item.span.start, item.span.start + len(name.encode()))
        quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
        inner = Span(place.end + 1 + quoted, item.span.end - quoted)
        setting = Word(value[1:-1] if quoted else value, inner, plain=True)
        command_uses.of_environment(found, shellwords.Assignment(name, place, item.span, setting))


def _words(data: bytes, instruction: Instruction) -> list[Word]:
    """The words of an instruction, quoted ones whole."""
    body = bytearray(data[instruction.body.start : instruction.body.end])
    for comment in instruction.comments:
        start, end = comment.start - instruction.body.start, comment.end - instruction.body.start
        body[start:end] = b" " * (end - start)
    found = []
    for match in re.finditer(rb"(?:[^\s\"'\\]|\\[^\r\n]|\"(?:[^\"\\]|\\.)*\"|'[^']*'|[\"'])+", bytes(body), re.S):
        text = utf8.text(match[0])
        start = instruction.body.start + match.start()
        found.append(_unquoted(text, start))
    return found


def _unquoted(text: str, start: int) -> Word:
    """A word without the quotes around the whole of it."""
    end = start + len(text.encode())
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return Word(text[1:-1], Span(start + 1, end - 1), plain=True)
    return Word(text, Span(start, end), plain=True)
