"""Runs of tokens that a stand-in header has in common with an original, less what the interface dictates.

Usage: python -m tests.symbols.overlap [FOLDER ...]. Each FOLDER has originals, beside those that are installed.

An interface dictates the form of a declaration: whoever declares a function of that name and type writes the same
tokens. It does not dictate bodies, the text of macros, or what is beside what. So of a run in common all tokens of
bodies and macro texts count, and all declarations but the longest one. Comments do not count, nor letter case, nor
CUDA's prefixes against HIP's, so that a text renamed from one to the other is found too.
"""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.symbols import declare, declare_extra, declare_torch

LIMIT = 20
"""The most tokens in common that count. Headers that have nothing to do with each other, ours for PyTorch and the
originals of CUB, Thrust and HIP, have up to 14 in common: the idioms of C++ itself. A copied line has more than 20."""

_TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|\.?\d[\w.]*|<<=?|>>=|::|->|[-+*/%&|^!=<>]=|&&|\|\||\+\+|--'
    r"|\.\.\.|##|\n|\S",
    re.DOTALL,
)
_CALLED = re.compile(r"\s*#\s*define\s+\w+\(")
_SUFFIXES = ("", ".h", ".hpp", ".cuh", ".inc", ".inl")
_TORCH_FOLDERS = {
    "": "*.h",
    "ATen": "*.h",
    "ATen/core": "**/*",
    "ATen/cuda": "**/*",
    "ATen/detail": "**/*",
    "ATen/hip": "**/*",
    "c10": "**/*",
    "pybind11": "**/*",
    "torch": "*.h",
    "torch/csrc/api/include/torch": "*.h",
    "torch/csrc/stable": "**/*",
    "torch/csrc/utils": "*.h",
    "torch/headeronly": "**/*",
}
_LIBRARIES = ("hip", "hipcub", "hiprand", "hipfft", "rocprofiler-sdk-roctx", "thrust", "cub", "cooperative_groups")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of C++, the number of its declaration, and whether it is part of a body or of a macro's text."""

    word: str
    declaration: int
    body: bool
    line: int


@dataclass(frozen=True, slots=True)
class Run:
    """Tokens in common: those that count, where they begin in the stand-in, and the original that has them."""

    counted: int
    line: int
    original: Path
    text: str


class _Reader:
    """Marks what is a declaration and what a body, by brackets and the words before them."""

    def __init__(self) -> None:
        self.found: list[Token] = []
        self.scopes: list[str] = []
        self.head: list[str] = []
        self.depth = self.declaration = 0
        self.initializers = False

    @property
    def in_body(self) -> bool:
        return self.initializers or "body" in self.scopes

    def add(self, word: str, line: int) -> None:
        if word == "{" and self.depth == 0:
            self._open()
        self.found.append(Token(_plain(word), self.declaration, self.in_body, line))
        self.head.append(word)
        if word == "}" and self.depth == 0:
            self._close()
        elif word in "([":
            self.depth += 1
        elif word in ")]":
            self.depth = max(0, self.depth - 1)
        elif not self.in_body and self.depth == 0:
            self._separated(word)

    def _open(self) -> None:
        words = set(self.head)
        if self.in_body:
            kind = "body"
            self.initializers = False
        elif "enum" in words:
            kind = "list"
        elif words & {"namespace", "struct", "class", "union", "extern"} and self.head[-1:] != [")"]:
            kind = "scope"
        else:
            kind = "body"
        self.scopes.append(kind)
        if kind == "scope":
            self.next()

    def _close(self) -> None:
        kind = self.scopes.pop() if self.scopes else "scope"
        if not self.in_body and kind != "list":
            self.next()

    def _separated(self, word: str) -> None:
        if word == ";" or (word == ":" and self.head[-2:-1] in (["public"], ["private"], ["protected"])):
            self.next()
        elif word == ":" and ")" in self.head:
            self.initializers = True

    def next(self) -> None:
        """Another declaration begins."""
        self.declaration += 1
        self.head = []


def tokens(text: str) -> list[Token]:
    """The tokens of a header; conditionals, includes and pragmas left out."""
    reader = _Reader()
    for number, words, called in _lines(text):
        if words[:1] == ["#"]:
            _macro(reader, words, number, called)
        else:
            for word in words:
                reader.add(word, number)
    return reader.found


def _lines(text: str) -> Iterator[tuple[int, list[str], bool]]:
    """Lines with what continues them: the number, the words, and whether it defines a macro that is called."""
    lines, at = text.splitlines(), 0
    while at < len(lines):
        start, line = at, lines[at]
        while _goes_on(line) and at + 1 < len(lines):
            at += 1
            line = line.removesuffix("\\") + " " + lines[at]
        at += 1
        words = [word for word in _TOKEN.findall(line) if not word.startswith(("//", "/*"))]
        if words[:1] != ["#"] or words[1:2] == ["define"]:
            yield start + 1, words, _CALLED.match(line) is not None


def _goes_on(line: str) -> bool:
    return line.endswith("\\") or ("*/" not in line[line.rfind("/*") :] and "/*" in line.partition("//")[0])


def _macro(reader: _Reader, words: Sequence[str], line: int, called: bool) -> None:
    """A macro's name and parameters are a declaration, as is a text of one value; a longer text is a body."""
    reader.declaration += 1
    head = words.index(")") + 1 if called and ")" in words else 3
    body = len(words) - head > 3
    for at, word in enumerate(words):
        reader.found.append(Token(_plain(word), reader.declaration, body and at >= head, line))
    reader.declaration += 1


def _plain(word: str) -> str:
    word = word.lower()
    return word.replace("curand", "hiprand").replace("cuda", "hip").replace("nccl", "rccl")


def counted(run: Sequence[Token]) -> int:
    """How many tokens of a run the interface does not dictate."""
    lengths: dict[int, int] = {}
    for token in run:
        if not token.body:
            lengths[token.declaration] = lengths.get(token.declaration, 0) + 1
    return len(run) - max(lengths.values(), default=0)


def runs(header: Path, originals: Originals) -> list[Run]:
    """What counts more than LIMIT of what a stand-in has in common with the originals."""
    found, own = [], tokens(header.read_text(encoding="utf-8"))
    words, at = [token.word for token in own], 0
    while at + LIMIT < len(own):
        length, original = originals.longest(words, at)
        number = counted(own[at : at + length])
        if original is not None and number > LIMIT:
            found.append(Run(number, own[at].line, original, " ".join(words[at : at + length])))
        at += max(1, length)
    return found


class Originals:
    """The words of many headers, found by their first LIMIT + 1. Only starts that some stand-in has are kept."""

    def __init__(self, headers: Iterable[Path], wanted: Iterable[Path]) -> None:
        starts = {key for path in wanted for key in _keys(_words(path))}
        self.texts: list[tuple[Path, list[str]]] = []
        self.places: dict[int, list[tuple[int, int]]] = {}
        for path in headers:
            words = _words(path)
            kept = [(key, at) for at, key in enumerate(_keys(words)) if key in starts]
            for key, at in kept:
                self.places.setdefault(key, []).append((len(self.texts), at))
            if kept:
                self.texts.append((path, words))

    def longest(self, words: Sequence[str], at: int) -> tuple[int, Path | None]:
        """The longest run from a place on, and the original that has it."""
        best: tuple[int, Path | None] = (0, None)
        for number, start in self.places.get(hash(tuple(words[at : at + LIMIT + 1])), ()):
            path, other = self.texts[number]
            pairs = zip(words[at:], other[start:], strict=False)
            length = next((count for count, (a, b) in enumerate(pairs) if a != b), 0) or min(
                len(words) - at, len(other) - start
            )
            best = max(best, (length, path), key=lambda one: one[0])
        return best


def _words(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8", errors="replace")
    return [_plain(word) for _, words, _ in _lines(text) for word in words]


def _keys(words: Sequence[str]) -> Iterator[int]:
    return (hash(tuple(words[at : at + LIMIT + 1])) for at in range(len(words) - LIMIT))


def written_here(folder: Path) -> list[Path]:
    """The stand-ins below a folder that no generator makes of a list of signatures."""
    made = {declare.FOLDER / sheet.path for sheet in declare_extra.SHEETS}
    made |= {declare_torch.FOLDER / name for name in (declare_torch.METHODS, declare_torch.FUNCTIONS)}
    made.add(declare_torch.FOLDER / declare_torch.STABLE)
    return sorted(
        path for path in folder.rglob("*") if path.suffix in _SUFFIXES and path.is_file() and path not in made
    )


def libraries(more: Iterable[Path] = ()) -> list[Path]:
    """Headers of CUDA's and ROCm's libraries that are installed here, and of the folders that are named."""
    site = Path(sysconfig.get_paths()["purelib"])
    system = [*map(Path, filter(None, [os.environ.get("ROCM_PATH")])), Path("/opt/rocm"), Path("/usr")]
    folders = [
        *site.glob("nvidia/*/include"),
        site / "triton/backends/amd/include",
        *(base / "include" for base in system),
    ]
    found = {path for folder in folders for name in _LIBRARIES for path in (folder / name).rglob("*")}
    found |= {path for folder in site.glob("nvidia/cu*/include") for path in folder.glob("*")}
    return _headers(found | {path for folder in more for path in folder.rglob("*")})


def torch(include: Path) -> list[Path]:
    """Headers of a PyTorch that stand-ins are named after; thousands of generated ones are elsewhere."""
    return _headers({path for name, pattern in _TORCH_FOLDERS.items() for path in (include / name).glob(pattern)})


def _headers(found: Iterable[Path]) -> list[Path]:
    return sorted(path for path in found if path.suffix in _SUFFIXES and path.is_file())


def main(arguments: list[str]) -> int:
    """Print what counts, the longest first."""
    named = os.environ.get("TORCH")
    headers = written_here(declare.FOLDER.parent)
    include = Path(named) if named else declare_torch.installed()
    known = Originals([*(torch(include) if include else []), *libraries(map(Path, arguments))], headers)
    found = [(run, path) for path in headers for run in runs(path, known)]
    for run, path in sorted(found, key=lambda pair: -pair[0].counted):
        place = f"{path.relative_to(declare.FOLDER.parent)}:{run.line}"
        print(f"{run.counted:4} {place} as in {run.original}\n     {run.text}")
    return min(len(found), 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
