"""What is fuzzed: functions that take any bytes and may fail only as a user may see it, with a `MigrateError`.

Nesting deeper than can be read and memory that runs out end a source file in its worker, which is reported, so they are
no crash there. What the user's own process reads is to name them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from cudamigrate import edits, estimate
from cudamigrate.config import load
from cudamigrate.cuda import conditions
from cudamigrate.errors import MigrateError
from cudamigrate.frontends import known_files
from cudamigrate.model import Edit, Fix, SourceFile, Span, Target
from cudamigrate.pipeline import port_survey, rule_base
from cudamigrate.pipeline.inspect_tree import Inspector
from cudamigrate.project import changes
from cudamigrate.ptx import parser
from cudamigrate.ptx.parser import UnreadableError
from cudamigrate.reporting import load_json
from cudamigrate.rulebase import loader
from cudamigrate.suppression import baseline

LONGEST = 100_000
"""Bytes of an input."""
Fuzzed = Callable[[bytes], None]
_NAMES = {
    "cuda": "a.cu",
    "cxx": "a.h",
    "python": "a.py",
    "notebook": "a.ipynb",
    "cmake": "CMakeLists.txt",
    "make": "Makefile",
    "yaml": "a.yml",
    "presets": "CMakePresets.json",
    "toml": "pyproject.toml",
    "shell": "a.sh",
    "docker": "Dockerfile",
    "ini": "setup.cfg",
    "requirements": "requirements.txt",
    "lock": "uv.lock",
    "cython": "a.pyx",
    "matlab": "a.m",
    "meson": "meson.build",
    "cargo": "build.rs",
    "rust": "a.rs",
    "fortran": "a.f90",
    "go": "a.go",
    "autotools": "configure.ac",
    "bazel": "BUILD",
    "bazelrc": ".bazelrc",
    "conda": "environment.yml",
    "devcontainer": "devcontainer.json",
    "systemd": "a.container",
    "debian": "control",
    "visual-studio": "a.vcxproj",
    "other-build": "SConstruct",
    "pkgconfig": "a.pc",
}


@lru_cache(maxsize=1)
def _inspector() -> Inspector:
    goal = Target()
    return Inspector(Path(), rule_base.code_rules(goal), (), True, estimate.reader(), None, {})


def _front_end(language: str) -> Fuzzed:
    """Finding in one kind of file, fixes applied, and what it shows of a port."""

    def target(data: bytes) -> None:
        if b"\0" in data:
            return  # such files are not read
        source = SourceFile(_NAMES[language], data, language)
        result = _inspector().of(source)
        port_survey.of(source, frozenset((source.path,)), ("__HIP_PLATFORM_AMD__",))
        made = edits.apply(data, [one.fix for one in result.findings if one.fix is not None])
        _inspector().of(SourceFile(source.path, made.data, language))

    return target


def _ptx(data: bytes) -> None:
    text = data.decode("latin-1")
    with suppress(UnreadableError):  # such a statement is reported as not understood
        parser.parse(text)
    with suppress(UnreadableError):
        parser.opcodes(text)


def _conditions(data: bytes) -> None:
    """Each line as a condition of the preprocessor: whole-tree passes ask for numbers in any text of a macro."""
    for line in data.split(b"\n"):
        conditions.question(line)
        for start, end in conditions.operands(line):
            assert 0 <= start < end <= len(line)
        conditions.number_with(line, {b"a": 1})
        conditions.pass_tests(line)


def _edits(data: bytes) -> None:
    """Fixes of any places and nesting: those that are applied are whole, and places map back and forth."""
    text, numbers = data[: len(data) // 2], data[len(data) // 2 :]
    fixes = []
    for at in range(0, len(numbers) - 3, 4):
        low, high = sorted(number * len(text) // 255 for number in numbers[at : at + 2])
        made = Edit(Span(low, high), numbers[at + 2 : at + 3])
        fixes.append(Fix((made,), "safe", group="g" if numbers[at + 3] % 5 == 0 else ""))
    done = edits.apply(text, fixes)
    offsets = edits.Offsets(done.applied)
    for offset in range(0, len(done.data) + 1, max(1, len(done.data) // 20)):
        offsets.origin(offset)


def _file(name: str, read: Callable[[Path], object]) -> Fuzzed:
    """A reader of a file of the user's."""

    def target(data: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_bytes(data)
            read(path)

    return target


TARGETS: dict[str, Fuzzed] = {
    **{language: _front_end(language) for language in sorted(set(known_files().values()))},
    "ptx": _ptx,
    "conditions": _conditions,
    "edits": _edits,
    "patch": lambda data: _drained(changes.patch(data)),
    "report": lambda data: _drained(load_json.loads(data.decode("utf-8", "replace"))),
    "baseline": _file("b.json", baseline.load),
    "config": _file(".cudamigrate.toml", lambda path: load(path.parent)),
    "rules": _file("mine.toml", lambda path: list(loader.read(path, Target(), ""))),
}
"""Targets by name."""


def _drained(value: object) -> None:
    repr(value)


def run(name: str, data: bytes) -> None:
    """Give a target bytes; raises what is a crash."""
    with suppress(MigrateError, *((RecursionError, MemoryError) if name in _NAMES else ())):
        TARGETS[name](data[:LONGEST])
