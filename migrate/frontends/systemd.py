"""Units of systemd and Quadlet -> ProjectFile: commands, variables, devices and images of services and containers."""

from __future__ import annotations

from cudamigrate.environment import command_uses
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span
from cudamigrate.syntax import shell, utf8
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.python_requirements import by_place
from cudamigrate.syntax.shell import Assignment, Word

FILES = {".service": "systemd", ".container": "systemd"}
PART = "environment"
TRIGGER = command_uses.TRIGGER

_ENTRY = re.compile(rb"^[ \t]*(?P<key>[A-Za-z]\w*)[ \t]*=[ \t]*(?P<value>(?:[^\n\\]|\\.|\\\n)*)", re.MULTILINE)
"""`Key=value`; a backslash at the end of a line goes on in the next. Comments begin with another sign."""
_SETTING = re.compile(rb"(?P<quote>[\"']?)(?P<name>[A-Za-z_]\w*)=(?P<value>(?(quote)[^\"'\n]*|[^\s\"']*))(?P=quote)")
"""One of the variables of `Environment=`, in quotes or not: `"A=b c"`, `A=b`."""
_PREFIX = re.compile(rb"[-@:+!|]*")
"""What systemd reads before the command of `ExecStart=`."""


def parse(source: SourceFile) -> ProjectFile:
    """Read the entries that say what runs, with which variables, devices and image."""
    found = command_uses.UseCollector(source.data)
    for entry in _ENTRY.finditer(source.data):
        key, span = entry["key"].decode("latin-1"), Span(*entry.span("value"))
        if key.startswith("Exec") and key != "Exec":
            prefix = _PREFIX.match(source.data, span.start)
            start = span.start if prefix is None else prefix.end()
            command_uses.script(found, shell.read(source.data, Span(start, span.end)))
        elif key == "Environment":
            for setting in _SETTING.finditer(source.data, span.start, span.end):
                name, value = (Span(*setting.span(part)) for part in ("name", "value"))
                words = (utf8.text(source.data[one.start : one.end]) for one in (name, value))
                given = Assignment(next(words), name, Span(name.start, value.end), Word(next(words), value, plain=True))
                command_uses.variable(found, given)
        elif key == "Image":
            command_uses.image(found, Word(utf8.text(source.data[span.start : span.end].rstrip()), span, plain=True))
        elif key in ("AddDevice", "PodmanArgs", "DeviceAllow"):
            command_uses.text(found, span)
            command_uses.container_options(found, span)
    return ProjectFile(source, found.all_uses(), None, requirements=by_place(found.requirements))


def broken(data: bytes) -> int:
    """The bytes of lines that are neither an entry, a head, a comment nor blank."""
    rest = _ENTRY.sub(b"", data)
    return sum(len(line) for line in rest.splitlines() if line.strip() and line.lstrip()[:1] not in (b"[", b"#", b";"))
