"""One file's bytes -> FileClues: what a build file, a package list or Python says of how a repository uses GPUs.

Result: each word that the file shows, with its first place. A pure function of the file, called where the scan has its
bytes; `survey` joins what the files say.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from cudamigrate.estimate.words import (
    BUILD_WORDS,
    IMPORT,
    IN_STRINGS,
    IN_STRINGS_GATES,
    INSTALL,
    INSTALL_GATES,
    OF_WORKLOADS,
    PYTHON_PATTERNS,
    REQUIREMENT,
)
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile
from cudamigrate.model.estimate import FileClues

LIMIT = 256 * 1024
"""Bytes looked at in a file."""
KINDS = {
    "python": "python",
    "conda": "packages",
    "docker": "image",
    "shell": "image",
    "cmake": "cmake",
    "make": "make",
    "matlab": "other",
    "meson": "other",
    "cargo": "other",
    "autotools": "other",
    "visual-studio": "other",
    "other-build": "other",
}
"""Languages whose files are all read as one kind."""
NAMES = {
    "pyproject.toml": "packages",
    "Pipfile": "packages",
    "pixi.toml": "packages",
    "setup.cfg": "packages",
    "BUILD": "other",
    "BUILD.bazel": "other",
}
"""Names of files whose languages have others that say nothing of a repository: tool settings, lock files, macros."""
_PROJECT = re.compile(rb"(?mi)^[ \t]*project[ \t]*\(")
_PACKAGE = re.compile(rb"(?m)^\[(?:build-system|project|tool\.poetry)\]")
"""The tables of a `pyproject.toml` that make a package; one with those of tools alone, `[tool.ruff]`, makes none."""
_NVIDIA = re.compile(r"nvidia-.*|.*-cu1[1-9]\d?|.*-cuda1[1-9]\d*x?")
"""Packages of NVIDIA's libraries, or built for CUDA 11 to 19: `nvidia-cublas`, `x-cu12`, `cupy-cuda12x`."""
Offsets = dict[str, int]
"""Words, each with the offset of its first place."""


def of(source: SourceFile, wanted: frozenset[str]) -> FileClues | None:
    """What a file shows of `wanted`: `import torch`, `package torch`, `command nsys`; each is a word by itself."""
    kind = kind_of(source.path, source.language)
    if not kind:
        return None
    path, data = source.path, source.data[:LIMIT]
    name = path.rpartition("/")[2]
    found: Offsets = {}
    triton = strings = 0
    if kind == "python":
        triton, strings = _python(found, data, wanted), _in_strings(found, data)
        if name.endswith("setup.py"):
            _packages(found, "python", data, wanted)
        if name in ("setup.py", "build.py") or "op_builder" in path:
            kind = "setup"
    if kind != "python":
        _build(found, kind, data)
    if kind in ("requirements", "packages", "image"):
        _packages(found, kind, data, wanted)
    if kind in ("image", "make", "other"):
        _commands(found, data, wanted)
    root = _is_root(name, kind, data)
    if not found and not root:
        return None
    return FileClues(kind, root, tuple((word, *_place(data, at)) for word, at in found.items()), triton, strings)


def kind_of(path: str, language: str) -> str:
    """What a file is read as, empty where it is not looked at."""
    if ".egg-info/" in path:
        return ""
    if language == "requirements":
        return language if _lists_packages(path) else ""
    name = path.rpartition("/")[2]
    if language in ("yaml", "conda") and "compose" in name:
        return "image"
    if language == "cmake" and name.endswith(".in"):
        return ""  # a template for the builds of others
    return KINDS.get(language) or NAMES.get(name, "")


def _lists_packages(path: str) -> bool:
    """False for lists of bounds, which ask for no package."""
    folder, _, name = path.rpartition("/")
    return "require" in name.lower() or folder.rpartition("/")[2].lower() == "requirements"


def _is_root(name: str, kind: str, data: bytes) -> bool:
    """Whether the folder of the file is built on its own."""
    if name == "setup.py":
        return True
    if name == "pyproject.toml":
        return _PACKAGE.search(data) is not None
    if name == "CMakeLists.txt":
        return _PROJECT.search(data) is not None
    return kind == "make" and name.lower().endswith("makefile") and b"nvcc" in data.lower()


def _python(found: Offsets, data: bytes, wanted: frozenset[str]) -> int:
    """Imports and what the code shows of itself; how many Triton kernels there are."""
    at = data.find(b"import")
    while at >= 0:
        start, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
        end = end if end >= 0 else len(data)
        for word in _imported(data[start:end], wanted):
            found.setdefault(word, start)
        at = data.find(b"import", end)
    _calls(found, data, wanted)
    for word in PYTHON_PATTERNS:
        places = [next(_places(word, literal, data), -1) for literal in PYTHON_PATTERNS[word][1]]
        first = min((place for place in places if place >= 0), default=-1)
        if first >= 0:
            found[word] = first
    return sum(1 for _ in _places("triton-kernel", b"@triton.jit", data)) if "triton-kernel" in found else 0


def _in_strings(found: Offsets, data: bytes) -> int:
    """How many CUDA kernels Python holds as text; a comment holds none."""
    if not any(gate in data for gate in IN_STRINGS_GATES):
        return 0
    hits = [hit.start() for hit in IN_STRINGS.finditer(data)]
    code = [at for at in hits if b"#" not in data[data.rfind(b"\n", 0, at) + 1 : at]]
    if code:
        found["string-kernel"] = code[0]
    return len(code)


def _places(word: str, literal: bytes, data: bytes) -> Iterator[int]:
    """Where a word shows by one of its literals; finding those tells many times faster that there is none."""
    at = data.find(literal)
    while at >= 0:
        before = data[data.rfind(b"\n", 0, at) + 1 : at]
        alone = literal[:1] != b"@" or not before.strip()
        shown = alone and b"#" not in before and PYTHON_PATTERNS[word][0].match(data, at)
        if shown and not (word in OF_WORKLOADS and _in_docstring(data, at)):
            yield at
        at = data.find(literal, at + len(literal))


def _in_docstring(data: bytes, at: int) -> bool:
    """Whether a place is in text that three quotes hold."""
    return any(data.count(quotes, 0, at) % 2 for quotes in (b'"""', b"'''"))


@lru_cache(maxsize=1 << 14)
def _imported(line: bytes, wanted: frozenset[str]) -> tuple[str, ...]:
    """The words that one line shows; the same lines are in many files."""
    match = IMPORT.match(line)
    words = (f"import {module}" for module in _modules(match)) if match else ()
    return tuple(word for word in words if word in wanted)


def _modules(match: re.Match[bytes]) -> Iterator[str]:
    """What an import may be asked for by: the package, the module in it, and the members it takes.

    Of a module beside it, what it takes by the name of a package is that package: `from .own import spconv`.
    """
    package, members, modules = (group.decode("ascii", "replace") if group else "" for group in match.groups())
    if package.startswith("."):
        yield from (member.split()[0] for member in members.split(",") if member.split())
        return
    names = [package, *(f"{package}.{member.split()[0]}" for member in members.split(",") if member.split())]
    names = names if package else [module.split()[0] for module in modules.split(",") if module.split()]
    for name in names:
        parts = name.split(".")
        yield parts[0]
        if len(parts) > 1:
            yield ".".join(parts[:2])


def _build(found: Offsets, kind: str, data: bytes) -> None:
    """Clues in a build file. Comments do not count."""
    for word, kinds, pattern in BUILD_WORDS:
        if kind not in kinds:
            continue
        for hit in pattern.finditer(data):
            start = data.rfind(b"\n", 0, hit.start()) + 1
            if not data[start : hit.start()].lstrip().startswith(b"#"):
                found.setdefault(word, hit.start())
                break


def _packages(found: Offsets, kind: str, data: bytes, wanted: frozenset[str]) -> None:
    if kind == "image" and not any(gate in data for gate in INSTALL_GATES):
        return
    offset, installs = 0, False
    for line in data.splitlines(keepends=True):
        text = line.split(b"#")[0]
        if kind == "image":
            begins = any(gate in text for gate in INSTALL_GATES) and INSTALL.search(text) is not None
            installs = begins or installs
        if kind != "image" or installs:
            for hit in REQUIREMENT[kind].finditer(text):
                word = _package(hit[1], wanted)
                if word:
                    found.setdefault(word, offset)
        installs = installs and text.rstrip().endswith(b"\\")  # the command goes on in the next line
        offset += len(line)


@lru_cache(maxsize=1 << 12)
def _package(written: bytes, wanted: frozenset[str]) -> str:
    """The word that a package's name counts as, empty where it is of no interest."""
    name = re.sub(r"[-_.]+", "-", written.decode("ascii", "replace")).lower()
    if f"package {name}" in wanted:
        return f"package {name}"
    return "nvidia-package" if _NVIDIA.fullmatch(name) else ""


def _calls(found: Offsets, data: bytes, wanted: frozenset[str]) -> None:
    """Functions that are called, or decorate; a comment is no call."""
    for word, name in _named(wanted, "call "):
        at = data.find(name)
        while at >= 0:
            before = data[data.rfind(b"\n", 0, at) + 1 : at]
            called = data[at + len(name) : at + len(name) + 1] == b"(" or before.strip() == b"@"
            if called and b"#" not in before and not before[-1:].isalnum() and before[-1:] not in (b"_", b"."):
                found.setdefault(word, at)
                break
            at = data.find(name, at + len(name))


def _commands(found: Offsets, data: bytes, wanted: frozenset[str]) -> None:
    for word, command in _named(wanted, "command "):
        at = data.find(command)
        if at >= 0:
            found.setdefault(word, at)


@lru_cache(maxsize=8)
def _named(wanted: frozenset[str], kind: str) -> tuple[tuple[str, bytes], ...]:
    """The words of a kind, each with what to look for."""
    return tuple((word, word.removeprefix(kind).encode()) for word in sorted(wanted) if word.startswith(kind))


def _place(data: bytes, offset: int) -> tuple[int, str]:
    """The line of an offset, counted from 1, and its text."""
    start = data.rfind(b"\n", 0, offset) + 1
    while data[start : start + 1] in (b"\r", b"\n"):
        start += 1
    end = data.find(b"\n", start)
    text = data[start : end if end >= 0 else len(data)][:160]
    return data.count(b"\n", 0, start) + 1, text.decode("utf-8", "replace").strip()
