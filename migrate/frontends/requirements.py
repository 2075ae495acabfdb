"""requirements.txt, constraints.txt and their like -> ProjectFile: packages, options and indexes, line by line."""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.environment import built_packages
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span, Use
from cudamigrate.syntax import utf8
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.python_requirements import Requirement, addresses, by_place, elsewhere, requirement

FILES = {
    "*requirement*.txt": "requirements",
    "*requirement*.in": "requirements",
    "*constraint*.txt": "requirements",
    "requirements/*.txt": "requirements",
    "requirements/*.in": "requirements",
}
PART = "packages"
TRIGGER = re.compile(rb"[A-Za-z]")

_LINE = re.compile(rb"(?:[^\\\n]|\\(?:\r?\n|.)?)*(?:\n|$)", re.S)
"""One logical line: a backslash takes the character after it, so one at a line's end joins the next line."""
_COMMENT = re.compile(rb"(?:^|(?<=\s))#.*")
_SOURCE = re.compile(rb"(?:(?:-e|--editable)[ \t=]+)?(?P<place>[^\s;]+)[^\n]*")
"""A place that pip builds from: `git+https://github.com/x/y`, `-e ./y`."""
_WRITTEN = re.compile(rb"(?i)#.*\bauto-?generated\b")
"""What pip-compile and uv write on top; such a file is regenerated rather than edited."""
_WHEELS = ("nvidia-cu", "nvidia-nccl", "nvidia-nv")
"""NVIDIA's libraries: one of them is reported in a file that a tool wrote."""


def parse(source: SourceFile) -> ProjectFile:
    """Read the packages and indexes of a requirement file."""
    if elsewhere(source.path, source.data) or _is_prose(source.data):
        return ProjectFile(source)
    data, found, uses = source.data, list[Requirement](), list[Use]()
    written = _WRITTEN.search(data[:2000]) is not None
    hashed = written or re.search(rb"--hash[= ]", data) is not None
    for line in _lines(data):
        code = _code(data, line)
        uses.extend(addresses(data, code.start, code.end))
        uses.extend(_from_source(data, code))
        if not data[code.start : code.start + 1] or data.startswith(b"-", code.start):
            continue
        item = requirement(data, code.start, code.end, line)
        if item is not None:
            found.append(item)
    if written:
        first = next((item for item in found if item.name.startswith(_WHEELS)), None)
        found = [item for item in found if item is first or not item.name.startswith(_WHEELS)]
    uses.extend(item.use for item in found)
    uses.sort(key=lambda use: use.span)
    return ProjectFile(source, uses, None, requirements=by_place(found), hashed=hashed)


def _from_source(data: bytes, code: Span) -> Iterator[Use]:
    """The package for CUDA that a line has built from source, by an address or a folder without a name."""
    match = _SOURCE.fullmatch(data, code.start, code.end)
    name = built_packages.named(match["place"].decode("utf-8", "replace")) if match is not None else ""
    if match is not None and name:
        span = Span(*match.span("place"))
        yield Use("package", name, span, span, certainty="syntax")


def broken(data: bytes) -> int:
    """How many lines are neither a package nor an option nor an address nor a path."""
    total = 0
    for line in _lines(data):
        code = _code(data, line)
        text = data[code.start : code.end]
        known = not text or text.startswith((b"-", b".", b"/")) or b"/" in text
        total += not known and requirement(data, code.start, code.end) is None
    return total


def _is_prose(data: bytes) -> bool:
    """Whether half of the lines are none that pip reads: a page about requirements, which pip would refuse whole."""
    written = sum(code.end > code.start for code in (_code(data, line) for line in _lines(data)))
    return 2 * broken(data) > written


def _lines(data: bytes) -> Iterator[Span]:
    """Lines, a continued one being one with those that follow."""
    at = utf8.start(data)
    while at < len(data):
        match = _LINE.match(data, at)
        end = match.end() if match is not None and match.end() > at else len(data)
        yield Span(at, end)
        at = end


def _code(data: bytes, line: Span) -> Span:
    """A line without blanks around it and without the comment that ends it."""
    text = data[line.start : line.end]
    comment = _COMMENT.search(text)
    if comment is not None:
        text = text[: comment.start()]
    start = line.start + len(text) - len(text.lstrip())
    return Span(start, max(start, line.start + len(text.rstrip(b" \t\r\n\\"))))
