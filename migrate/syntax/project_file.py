"""ProjectFile: what a front end makes of a build, package, environment or Python file.

It lives and dies in one process: syntax trees cannot be sent between processes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from tree_sitter import Tree

from migrate.model import SourceFile, Span, Use


@dataclass(frozen=True, slots=True)
class Embedded:
    """Source of another language that stands in a file, as CUDA C++ in a Python string.

    `language` is that of a front end. `bare` says that no header can be included there, `hipified` that PyTorch renames
    CUDA's names before it is compiled. Without `text` it stands there byte for byte; else `text` is the source, and its
    byte `i` is written at `starts[i]` to `ends[i]` of the file.
    """

    span: Span
    language: str
    bare: bool = False
    text: bytes = b""
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()
    hipified: bool = False

    def place(self, span: Span) -> Span:
        """Where a range of `text` is written in the file."""
        if span.end <= span.start:
            at = self.starts[span.start] if span.start < len(self.starts) else self.span.end
            return Span(at, at)
        return Span(self.starts[span.start], self.ends[span.end - 1])


@dataclass(slots=True)
class ProjectFile:
    """A file beside the CUDA code: Python, build files, packages, environment.

    `tree` is None where the language has no grammar here. `embedded` is source of other languages in it. `problems`
    and `facts` are as in `ParsedFile`.
    """

    source: SourceFile
    uses: Sequence[Use] = ()
    tree: Tree | None = None
    embedded: Sequence[Embedded] = ()
    problems: Sequence[str] = ()
    facts: dict[str, object] = field(default_factory=dict)

    @property
    def data(self) -> bytes:
        """Bytes of the file as read."""
        return self.source.data
