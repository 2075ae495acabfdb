"""setup.cfg and tox.ini -> ProjectFile: the requirements in their lists."""

from __future__ import annotations

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span, Use
from cudamigrate.syntax import utf8
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.python_requirements import NOWHERE, Requirement, addresses, by_place, requirement

FILES = {"setup.cfg": "ini", "tox.ini": "ini"}
PART = "packages"
TRIGGER = re.compile(rb"(?m)^(?:\w*_requires?|deps|\[options\.extras_require\])", re.I)
"""What begins a list of requirements: `install_requires`, `deps`, `[options.extras_require]`, in any case."""

_SECTION = re.compile(rb"\[\s*([^\]\s][^\]\n]*?)\s*\]")
_KEY = re.compile(rb"([^\s=:#;\[][^=:\n]*?)[ \t]*[=:]")
_LISTS = {
    b"options": (b"install_requires", b"setup_requires", b"tests_require"),
    b"metadata": (b"requires_dist", b"setup_requires_dist"),
    b"testenv": (b"deps", b"requires"),
    b"tox": (b"requires",),
}


def parse(source: SourceFile) -> ProjectFile:
    """Read the requirements of an INI file: one on each line of a list."""
    data, found, uses = source.data, list[Requirement](), list[Use]()
    section, listing = b"", False
    at = utf8.start(data)
    while at < len(data):
        end = data.find(b"\n", at)
        end = len(data) if end < 0 else end + 1
        line, first, whole = data[at:end], at, Span(at, end)
        stripped = line.strip()
        if (head := _SECTION.match(line)) is not None:
            section, listing = head[1].lower(), False
        elif stripped and not line[:1].isspace() and (key := _KEY.match(line)) is not None:
            listing = _lists(section, key[1].strip().lower())
            first, whole = at + key.end(), NOWHERE
        if listing and head is None and not stripped.startswith((b"#", b";")):
            first += len(data[first:end]) - len(data[first:end].lstrip())
            item = requirement(data, first, max(first, end - len(line) + len(line.rstrip())), whole)
            found.extend([item] if item is not None else [])
            uses.extend(addresses(data, first, end))
        at = end
    uses.extend(item.use for item in found)
    return ProjectFile(source, sorted(uses, key=lambda use: use.span), None, requirements=by_place(found))


def broken(data: bytes) -> int:
    """How many lines at the margin are neither a section nor a key nor a comment."""
    lines = (line for line in data.split(b"\n") if line.strip() and not line[:1].isspace())
    return sum(1 for line in lines if not line.startswith((b"#", b";", b"[")) and not _KEY.match(line))


def _lists(section: bytes, key: bytes) -> bool:
    if section == b"options.extras_require":
        return True
    return key in _LISTS.get(section.partition(b":")[0], ())
