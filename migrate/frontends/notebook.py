"""Notebook front end: the code cells of an .ipynb file as one Python program, and their shell lines and C++ cells.

The JSON is read by its tokens, so that every byte of a cell is known by its place in the file. Edits are made only
where the file spells a cell's text as it is.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span, Use
from cudamigrate.python_source import program
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.project_file import Embedded, ProjectFile

FILES = {".ipynb": "notebook"}
PART = "python"
TRIGGER = re.compile(
    rb"cuda|CUDA|nvidia|NVIDIA|nvcc|triton|cupy|%%cu|torch|tensorrt|TensorRT|pynvml|float8|A100|onnxruntime|jax"
)
"""Words of which a notebook for NVIDIA GPUs has one, in either case as usually written: `%%cu`, `torch`, `A100`."""

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
"""A token of JSON: a string (an escaped quote does not end it), a bracket, comma or colon, a number or `true`."""
_ESCAPE = re.compile(rb"\\(?:u[0-9a-fA-F]{4}(?:\\u[dD][c-fC-F][0-9a-fA-F]{2})?|.)", re.DOTALL)
"""An escape in a JSON string; the two halves of a character beyond 16 bits are read together."""
_SOURCE = (b'"source"', b'"input"')
_CUDA_CELL = re.compile(rb"%%(?:cu\w*|gpu|nvcc\w*|writefile\s+\S+\.cuh?)\b[^\n]*\n?")
"""The first line of a cell for nvcc, whose other lines are CUDA: `%%cu`, `%%nvcc -O3`, `%%writefile a.cu`."""
_NVCC = re.compile(rb"^[ \t]*(%%(?:cu|cuda\w*|gpu|nvcc\w*)\b|%load_ext[ \t]+nvcc\w*)", re.MULTILINE)
"""A magic that gives a cell to nvcc (`%%cuda`), or the extension that brings it (`%load_ext nvcc4jupyter`)."""
_SHELL_CELL = re.compile(rb"%%(?:bash|sh|script\s+(?:ba)?sh)\b[^\n]*\n?")
"""The first line of a cell that is a shell script: `%%bash`, `%%sh`, `%%script bash`."""
_OTHER_CELL = re.compile(rb"%%(?!time\b|timeit\b|capture\b|prun\b)\w+")
"""A magic whose cell is no Python: `%%html`. Magics that time or capture a cell leave Python in it: `%%time`."""
_LINE = re.compile(
    rb"^[ \t]*(?:(?P<value>[A-Za-z_][\w, ]*=[ \t]*)?(?P<mark>!!?|%)(?P<rest>[^\n]*)|%%[^\n]*|\?[^\n]*)", re.MULTILINE
)
"""A line that is no Python: `!ls`, `x = !ls` (`value`, `mark`, `rest`), `%pip install a`, a cell's magic, `?help`."""


@dataclass(slots=True)
class _Cell:
    """Text of a cell and the place of each byte of it in the file."""

    text: bytearray = field(default_factory=bytearray)
    starts: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    code: bool = False

    def add(self, data: bytes, start: int, end: int) -> None:
        """Append the JSON string between two quotes."""
        at = start
        while at < end:
            escape = _ESCAPE.match(data, at, end) if data[at] == 92 else None
            if escape is None:
                stop = data.find(b"\\", at, end)
                stop = end if stop < 0 else stop
                self.text += data[at:stop]
                self.starts.extend(range(at, stop))
                self.ends.extend(range(at + 1, stop + 1))
                at = stop
                continue
            try:
                written = json.loads(b'"' + escape[0] + b'"').encode("utf-8", "replace")
            except ValueError:
                written = b"?"
            self.text += written
            self.starts.extend([at] * len(written))
            self.ends.extend([escape.end()] * len(written))
            at = escape.end()

    def part(self, start: int, end: int, language: str) -> Embedded:
        """A range of the cell as source of another language."""
        span = Span(self.starts[start], self.ends[end - 1])
        text = bytes(self.text[start:end])
        return Embedded(
            span,
            language,
            bare=False,
            text=text,
            starts=tuple(self.starts[start:end]),
            ends=tuple(self.ends[start:end]),
        )


def parse(source: SourceFile) -> ProjectFile:
    """Read the code cells of a notebook; one program, as imports of a cell hold in those after it."""
    whole, embedded, magics = _Cell(), list[Embedded](), list[Use]()
    for cell in _cells(source.data):
        if not cell.code or not cell.text:
            continue
        text = bytes(cell.text)
        magics.extend(_magics(cell))
        for pattern, language in ((_CUDA_CELL, "cuda"), (_SHELL_CELL, "shell")):
            head = pattern.match(text)
            if head is not None and head.end() < len(text):
                embedded.append(cell.part(head.end(), len(text), language))
        if _OTHER_CELL.match(text):
            continue
        for line in _LINE.finditer(text):
            shell = _shell(line)
            if shell is not None:
                embedded.append(cell.part(*shell, "shell"))
        blank = _LINE.sub(_blanked, text)
        whole.text += blank + b"\n"
        whole.starts.extend([*cell.starts, cell.starts[-1]])
        whole.ends.extend([*cell.ends, cell.ends[-1]])
    parsed = (
        program.project_file(source, bytes(whole.text), whole.starts, whole.ends) if whole.text else ProjectFile(source)
    )
    parsed.embedded = [*parsed.embedded, *embedded]
    parsed.uses = sorted([*parsed.uses, *magics], key=lambda use: use.span)
    return parsed


def _magics(cell: _Cell) -> Iterator[Use]:
    """The magics that hand a cell to nvcc, named `%%nvcc`, and what brings them, named `%load_ext nvcc`."""
    for match in _NVCC.finditer(cell.text):
        span = Span(cell.starts[match.start(1)], cell.ends[match.end(1) - 1])
        name = "%load_ext nvcc" if match[1].startswith(b"%load_ext") else "%%nvcc"
        yield Use("name", name, span, span, certainty="syntax")


def _shell(line: re.Match[bytes]) -> tuple[int, int] | None:
    """The command that a line hands to a shell: `!cmd`, `x = !cmd` and `%pip install`."""
    if line["mark"] is None or not line["rest"].strip():
        return None
    if line["mark"] != b"%":
        return line.span("rest")
    return line.span("rest") if re.match(rb"(?:pip|conda|mamba|uv)\s", line["rest"]) else None


def _blanked(line: re.Match[bytes]) -> bytes:
    """A line that is no Python, as an expression of the same length."""
    text = line[0]
    if line["mark"] == b"%" and line["value"] is not None and b"%" in line["value"]:
        return text
    if line["mark"] == b"%" and line["value"] is not None:
        return (
            text
            if not re.match(rb"[a-z]+\b", line["rest"])
            else line["value"] + b"0".ljust(len(text) - len(line["value"]))
        )
    keep = len(text) - len(text.lstrip(b" \t"))
    head = text[: keep + len(line["value"] or b"")]
    return head + b"0".ljust(len(text) - len(head))


def _cells(data: bytes) -> Iterator[_Cell]:
    """The cells in the order of the file: the objects in a list under the key `cells`."""
    around: list[bytes] = []  # for each bracket that is open, the key it is under
    cell, opened, key = None, 0, b""
    tokens = list(_TOKEN.finditer(data))
    for number, token in enumerate(tokens):
        word = token[0]
        if word in (b"{", b"["):
            if word == b"{" and cell is None and around and around[-1] == b'"cells"':
                cell, opened = _Cell(), len(around) + 1
            around.append(key if word == b"[" else b"")
            key = b"" if word == b"{" else key
        elif word in (b"}", b"]"):
            if cell is not None and len(around) == opened:
                yield cell
                cell = None
            del around[-1:]
        elif word.startswith(b'"') and len(word) > 1:
            following = tokens[number + 1][0] if number + 1 < len(tokens) else b""
            if following == b":":
                key = word
            elif cell is not None and key == b'"cell_type"' and len(around) == opened:
                cell.code = word == b'"code"'
            elif (
                cell is not None and key in _SOURCE and len(around) - opened in (0, 1) and _is_cell_text(around, opened)
            ):
                cell.add(data, token.start() + 1, token.end() - 1)


def _is_cell_text(around: list[bytes], opened: int) -> bool:
    """Whether a string is a cell's own, or in the list of its lines."""
    return len(around) == opened or around[-1] in _SOURCE


def broken(data: bytes) -> int:
    """How many bytes of the code cells the Python grammar cannot place; more than any file has where it is no JSON."""
    try:
        json.loads(data)
    except ValueError:
        return 1 << 40
    parsed = parse(SourceFile("", data, "notebook"))
    return tree_sitter_nodes.error_bytes(parsed.tree) if parsed.tree is not None else 0
