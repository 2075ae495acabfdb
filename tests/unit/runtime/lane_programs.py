"""Converts programs that attack the repair of lane code, and runs them on an emulated GPU with waves of 32 or 64 lanes.

A program is a folder under `fixtures/lanes/programs` with what it prints on NVIDIA's GPUs, `expected.txt`.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from migrate import pipeline
from migrate.config import Config

ROOT = Path(__file__).parents[3]
PROGRAMS = ROOT / "fixtures" / "lanes" / "programs"
EMULATION = Path(__file__).parent / "emulation"
RUNTIME = ROOT / "migrate" / "runtime"
FLAGS = ["-std=c++17", "-O0", "-w", "-U_FORTIFY_SOURCE", "-fno-omit-frame-pointer", "-D__HIPCC__"]
FLAGS += [f"-I{EMULATION / 'attacks'}", f"-I{EMULATION / 'programs'}", f"-I{RUNTIME}", "-include", "hip/hip_runtime.h"]
QUIET = frozenset(("launch/half-wave", "api/CUDART_VERSION"))
"""Rules that say nothing of results: a program with these alone is not reported."""
_SHARED = re.compile(r"extern\s+__shared__\s+(?:__align__\(\d+\)\s*)?([\w:\s]+?)\s*(?:__align__\(\d+\)\s*)?(\w+)\[\];")
_KERNEL = re.compile(r"__global__[^;{(]*?(?:__launch_bounds__\([^)]*\)\s*)?(\w+)\s*\(")
_PAIRS = {">": "<", ")": "(", "]": "["}


@dataclass(frozen=True)
class Converted:
    """What the tool makes of a program: its files, and the rules of what it leaves to a reader."""

    files: Mapping[str, bytes]
    reported: tuple[str, ...]

    @property
    def digest(self) -> str:
        """A number for both: what was seen of one run holds for the next with the same."""
        parts = [f"{name}\0".encode() + data for name, data in sorted(self.files.items())]
        return hashlib.sha256(b"\0".join([*parts, *(rule.encode() for rule in self.reported)])).hexdigest()[:16]


def convert(name: str) -> Converted:
    """Scan and apply with the defaults."""
    applied = pipeline.apply(PROGRAMS / name, Config(jobs=1))
    files = {
        path.relative_to(PROGRAMS / name).as_posix(): path.read_bytes()
        for path in (PROGRAMS / name).rglob("*")
        if path.is_file() and path.name != "expected.txt"
    }
    files |= {one.path: one.after for one in applied.conversions}
    open_ = (f for f in applied.report.findings if f.outcome != "fine" and (f.fix is None or f.support != "full"))
    left = {finding.rule for finding in open_} - QUIET
    return Converted({**files, **applied.added}, tuple(sorted(left)))


def outcome(compiler: str, objects: list[str], name: str, made: Converted, folder: Path) -> str:
    """`right` where both waves print what is expected, `reported` where a finding says what is left, else `silent`.

    What no emulation runs is `not run` where nothing is reported.
    """
    expected = PROGRAMS / name / "expected.txt"
    if not expected.exists():
        return "reported" if made.reported else "not run"
    if all(_runs(compiler, objects, made, wave, folder) == expected.read_text() for wave in (64, 32)):
        return "right"
    return "reported" if made.reported else "silent"


def _runs(compiler: str, objects: list[str], made: Converted, wave: int, folder: Path) -> str:
    """What a converted program prints; a word for one that does not compile, hangs or fails."""
    units = []
    for name, data in made.files.items():
        path = folder / (f"{name}.cpp" if name.endswith((".cu", ".hip")) else name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(host(data.decode()))
        units += [str(path)] if path.suffix == ".cpp" else []
    program = folder / f"program{wave}"
    words = [compiler, *FLAGS, f"-DATTACK_WAVE={wave}", f"-I{folder}", *units, *objects, "-o", str(program)]
    if subprocess.run(words, capture_output=True).returncode:
        return "refused"
    environment = {**os.environ, "WAVE": str(wave)}
    try:
        done = subprocess.run([str(program)], capture_output=True, text=True, timeout=20, env=environment)
    except subprocess.TimeoutExpired:
        return "hang"
    return done.stdout if not done.returncode else f"exit code {done.returncode}"


def host(text: str) -> str:
    """A file as C++ for the host: launches become calls, shared memory and addresses of kernels the stand-in's."""
    while "<<<" in text:
        at = text.rindex("<<<")
        first, end = _callee(text, at), text.index(">>>", at)
        opened = text.index("(", end)
        last = _closing(text, opened)
        called = f"[=] {{ {text[first:at]}({text[opened + 1 : last]}); }}"
        text = f"{text[:first]}attack::launch({called}, {text[at + 3 : end]}){text[last + 1 :]}"
    text = _SHARED.sub(r"static \1 *const \2 = (\1 *)attack::dynamic_bytes;", text)
    kernels = "|".join(set(_KERNEL.findall(text))) or "-"
    named = rf"((?:{kernels})(?:<[\w, ]+>)?)"
    text = re.sub(rf"\((?:const\s+)?void\s*\*\)\s*&?{named}", r"attack::erase(\1)", text)
    return re.sub(rf"(?:reinterpret|static)_cast<(?:const\s+)?void\s*\*>\(&?{named}\)", r"attack::erase(\1)", text)


def _callee(text: str, end: int) -> int:
    """Where the callee of a launch begins that ends before `end`."""
    at = end
    while True:
        while at and text[at - 1] in " \t":
            at -= 1
        if text[at - 2 : at] == "->":
            at -= 2
        elif text[at - 1] in _PAIRS:
            close = text[at - 1]
            at = _opening(text, at)
            if close == "(" or (close == ")" and not (text[at - 1].isalnum() or text[at - 1] == "_")):
                return at
        else:
            start = at
            while at and (text[at - 1].isalnum() or text[at - 1] in "_:#"):
                at -= 1
            if at == start or not (text[at - 1] == "." or text[at - 2 : at] == "->"):
                return at
            at -= 1 if text[at - 1] == "." else 2


def _opening(text: str, at: int) -> int:
    close = text[at - 1]
    depth = 0
    while True:
        at -= 1
        depth += (text[at] == close) - (text[at] == _PAIRS[close])
        if depth == 0:
            return at


def _closing(text: str, at: int) -> int:
    depth = 0
    while True:
        depth += (text[at] in "([{") - (text[at] in ")]}")
        if depth == 0:
            return at
        at += 1
