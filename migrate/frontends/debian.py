"""Control files of Debian's packages, and templates of them: the packages that they depend on to build and to run.

Source: Debian Policy Manual, "Control files and their fields" and "Declaring relationships between packages".
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Use
from cudamigrate.syntax import utf8
from cudamigrate.syntax.project_file import ProjectFile, use_at

FILES = {
    "control": "debian",
    "control.in": "debian",
    "control.templ": "debian",
    "control.template": "debian",
    "control.tmpl": "debian",
    "control.j2": "debian",
}
PART = "environment"
TRIGGER = re.compile(rb"nvidia|cuda|cudnn|nccl|tensorrt|nsight|libnv|libnpp|libcu|datacenter-gpu")

_IS_CONTROL = re.compile(rb"^(?:Package|Source)[ \t]*:[ \t]*\S", re.MULTILINE)
"""What every paragraph of a control file has."""
_FIELD = re.compile(
    rb"^(?:(?:Build|Pre)-)?(?:Depends|Recommends|Suggests)(?:-Arch|-Indep)?[ \t]*:(?P<value>[^\n]*(?:\n[ \t#][^\n]*)*)",
    re.MULTILINE | re.IGNORECASE,
)
"""A field of packages; lines that begin with a blank go on with it, and those that begin with `#` are comments."""
_COMMENT = re.compile(rb"^#[^\n]*", re.MULTILINE)
_CHOICE = re.compile(rb"[^,]+")
_PACKAGE = re.compile(rb"(?:\A|\|)\s*([a-z0-9][a-z0-9+.-]+)")
"""The name of one of several packages that will do: `libcuda1 | libcuda.so.1 (>= 1)`."""
_AMD = re.compile(rb"(?:lib)?(?:hip|roc[a-z]|amd)")
"""How names of ROCm's packages begin."""


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    uses = list(_uses(source.data)) if _IS_CONTROL.search(source.data) else []
    return ProjectFile(source, sorted(uses, key=lambda use: use.span))


def _uses(data: bytes) -> Iterator[Use]:
    """The packages, but where AMD's will do as well."""
    code = _COMMENT.sub(lambda found: b" " * len(found[0]), data)
    for field in _FIELD.finditer(data):
        for choice in _CHOICE.finditer(code, *field.span("value")):
            found = list(_PACKAGE.finditer(choice[0]))
            if any(_AMD.match(one[1]) for one in found):
                continue
            for one in found:
                start = choice.start() + one.start(1)
                yield use_at(f"apt {utf8.text(one[1])}", start, start + len(one[1]))


def broken(data: bytes) -> int:
    """Nothing is rewritten here."""
    return 0
