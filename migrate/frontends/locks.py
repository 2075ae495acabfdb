"""Lock files -> ProjectFile: the packages that they hold, to be reported and never changed."""

from __future__ import annotations

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span, Use
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.python_requirements import normalised

FILES = {
    "uv.lock": "lock",
    "poetry.lock": "lock",
    "pdm.lock": "lock",
    "pylock.toml": "lock",
    "pixi.lock": "lock",
    "Pipfile.lock": "lock",
    "conda-lock.yml": "lock",
}
PART = "packages"
TRIGGER = re.compile(rb"(?i)cuda|nvidia|torch|cupy|gpu|triton|pynvml|tensorrt|flash|jax|numba")
"""Parts of names of packages that may need CUDA, in any case: a lock file without them is not read further."""

_ENTRY = re.compile(
    rb"""(?mx) ^name\ =\ "(?P<toml>[\w.-]+)"
      | ^[ ]{8}"(?P<json>[\w.-]+)":\ \{
      | ^-\ name:\ (?P<yaml>[\w.-]+)
      | ^-\ (?:conda|pypi):\ \S*/(?P<pixi>[A-Za-z][\w.]*?)-\d\S*$"""
)
"""A package's name by kind of lock: `name = "x"`, `"x": {` indented by 8, `- name: x`, `- conda: URL/x-1.0.conda`."""
BUNDLED = "nvidia-*"
"""The name that stands for all of NVIDIA's wheels: one of them is reported in each file."""


def parse(source: SourceFile) -> ProjectFile:
    """Read the names of the locked packages: each once, and NVIDIA's wheels once in all."""
    seen: set[str] = set()
    uses = []
    for match in _ENTRY.finditer(source.data):
        group = match.lastgroup or "toml"
        name = normalised(match[group])
        span = Span(*match.span(group))
        wheel = name.startswith("nvidia-") and not name.startswith("nvidia-ml")
        key = BUNDLED if wheel else name
        if key not in seen:
            seen.add(key)
            uses.append(Use("package", name, span, span, certainty="syntax"))
    return ProjectFile(source, uses, None, hashed=True)


def broken(data: bytes) -> int:
    """Lock files are never changed."""
    return 0
