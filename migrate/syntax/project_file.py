"""ProjectFile: what a front end makes of a build, package, environment or Python file.

It lives and dies in one process: syntax trees cannot be sent between processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tree_sitter import Tree

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.model import Rule, SourceFile, Span, Target, Use
from cudamigrate.model.cmake_facts import CMakeFacts
from cudamigrate.syntax.read_once import ReadOnce

if TYPE_CHECKING:
    from cudamigrate.syntax.cmake import Command
    from cudamigrate.syntax.python_requirements import Requirement


@dataclass(frozen=True, slots=True)
class Embedded:
    """Source of another language that is in a file, as CUDA C++ in a Python string.

    `language` is that of a front end. `bare` says that no header can be included there, `hipified` that PyTorch renames
    CUDA's names before it is compiled, `loose` that nothing shows what compiles it, `written` that a script writes it
    to a file of code, as one part of that. Without `text` it is there byte for byte; else `text` is the source, and its
    byte `i` is written at `starts[i]` to `ends[i]` of the file.
    """

    span: Span
    language: str
    bare: bool = False
    text: bytes = b""
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()
    hipified: bool = False
    loose: bool = False
    written: bool = False

    def place(self, span: Span) -> Span:
        """Where a range of `text` is written in the file."""
        if span.end <= span.start:
            at = self.starts[span.start] if span.start < len(self.starts) else self.span.end
            return Span(at, at)
        return Span(self.starts[span.start], self.ends[span.end - 1])


@dataclass(slots=True)
class ProjectFile(ReadOnce):
    """A file beside the CUDA code: Python, build files, packages, environment.

    `tree` is None where the language has no grammar here. `embedded` is source of other languages in it, `problems` say
    in words what could not be read. What only some front ends read: `requirements` by the offset of their names, and
    whether they are pinned by hashes; the `commands` of CMake, the source files they build for CUDA (`builds`), and
    whether they build for HIP already (`ported`), or are `kept` as they
    are since a part has no equivalent; the `program` that `python_source` makes of Python; the `peers`, by
    path, that a Makefile includes or that include it; what other CMake files say of this one (`cmake`). `target` and
    `rule`, which looks up the rule for a use, are set by who inspects the file.
    """

    source: SourceFile
    uses: Sequence[Use] = ()
    tree: Tree | None = None
    embedded: Sequence[Embedded] = ()
    problems: Sequence[str] = ()
    requirements: Mapping[int, Requirement] = field(default_factory=dict)
    hashed: bool = False
    commands: Sequence[Command] = ()
    builds: frozenset[str] = frozenset()
    ported: bool = False
    kept: bool = False
    repeating: frozenset[Span] = frozenset()
    program: object = None
    peers: Mapping[str, bytes] = field(default_factory=dict)
    cmake: CMakeFacts = field(default_factory=CMakeFacts)
    target: Target = field(default_factory=Target)
    rule: Callable[[Use], Rule | None] | None = None

    @property
    def data(self) -> bytes:
        """Bytes of the file as read."""
        return self.source.data


def first_of_each(uses: Iterable[Use]) -> list[Use]:
    """Of the uses of each name the first in the file, in the order of the file: one place stands for all."""
    first: dict[str, Use] = {}
    for use in sorted(uses, key=lambda use: (use.span, use.name)):
        first.setdefault(use.name, use)
    return list(first.values())


def use_at(name: str, start: int, end: int) -> Use:
    """The use of a name that is the whole of a range of bytes."""
    return Use("name", name, Span(start, end), Span(start, end), certainty="syntax")
