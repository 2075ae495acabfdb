"""Python text -> ProjectFile, for the front ends of `.py` files and of notebooks.

Result: a ProjectFile that holds a `Program` for detectors and rewrites. What only ROCm runs, or never runs, has no
uses.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.model import SourceFile, Span, Use
from cudamigrate.python_source import (
    flags,
    guards,
    kernel_texts,
    kernels,
    names,
    scons_tools,
    source,
    systems,
    toolkit_search,
    words,
)
from cudamigrate.python_source.guards import Guards
from cudamigrate.python_source.kernel_texts import KernelText
from cudamigrate.python_source.kernels import Opaque
from cudamigrate.python_source.names import Names
from cudamigrate.python_source.source import PySource
from cudamigrate.syntax import python_requirements
from cudamigrate.syntax.project_file import Embedded, ProjectFile


@dataclass(slots=True)
class Program:
    """What is known of the Python in a file.

    `uses` are those of the file, each import once; `imports` are all of them. `opaque` are kernels that are not in it,
    `texts` those of which it does not show what compiles them.
    `shared` are its names whose values PyTorch's builds in other files get as options for nvcc.
    """

    py: PySource
    names: Names
    guards: Guards
    uses: Sequence[Use] = ()
    imports: Sequence[Use] = ()
    opaque: Sequence[Opaque] = ()
    shared: frozenset[str] = frozenset()
    texts: Sequence[KernelText] = ()

    def open(self, offset: int) -> bool:
        """True for code at an offset of the text that is not switched by the vendor."""
        return self.guards.rocm(offset) is None

    def found(self, span: Span) -> Iterator[Node]:
        """The nodes that cover exactly a range of the file, the innermost first."""
        start, end = self._offsets(span)
        node = self.py.at(start, end)
        while node is not None and node.start_byte == start and node.end_byte == end:
            yield node
            node = node.parent

    def first(self, span: Span, kind: str) -> Node | None:
        """The innermost node of a kind, `call` or `string`, that covers exactly a range of the file; None without."""
        return next((node for node in self.found(span) if node.type == kind), None)

    def literal(self, span: Span) -> Node | None:
        """The string literal around a range of the file."""
        node = self.py.at(*self._offsets(span))
        while node is not None and node.type != "string":
            node = node.parent
        return node

    def _offsets(self, span: Span) -> tuple[int, int]:
        """The range of the text that a range of the file spells."""
        if not self.py.starts:
            return span.start, span.end
        return bisect_left(self.py.starts, span.start), bisect_left(self.py.ends, span.end) + 1


def of(parsed: ParsedFile | ProjectFile) -> Program | None:
    """The Python of a parsed file, None where it has none."""
    found = parsed.program if isinstance(parsed, ProjectFile) else None
    return found if isinstance(found, Program) else None


def project_file(
    file: SourceFile,
    text: bytes,
    starts: Sequence[int] = (),
    ends: Sequence[int] = (),
    setup: bool = False,
    shared: frozenset[str] = frozenset(),
) -> ProjectFile:
    """Read the Python of a file; never raises on any bytes."""
    py = source.read(text, file.data, file.path, starts, ends)
    known = names.read(py)
    guarded = guards.read(py, known)
    placed = _placed(py, guarded)
    found = [*known.uses(), *flags.uses(py, known, shared), *_words(py, known), *scons_tools.uses(py)]
    found += toolkit_search.uses(py, known)
    requirements: Mapping[int, python_requirements.Requirement] = {}
    if setup:
        required = list(words.packages(py))
        items = (python_requirements.requirement(file.data, use.extent.start, use.extent.end) for use in required)
        requirements = python_requirements.by_place(item for item in items if item is not None)
        found.extend(required)
    kept = sorted(
        {use for use in found if placed.rocm(use.span.start) is None},
        key=lambda use: (use.span.start, use.span.end, use.name),
    )
    imports = [use for use in kept if use.kind == "import"]
    kept = list(_first_imports(kept))
    program = Program(py, known, guarded, kept, imports, shared=shared)
    embedded, opaque = list[Embedded](), list[Opaque]()
    for item in kernels.find(py, known):
        if isinstance(item, Embedded):
            if placed.rocm(item.span.start) is None:
                embedded.append(item)
        elif program.open(item.call.start_byte):
            opaque.append(item)
    program.texts = _texts(program, [one.span for one in embedded], opaque)
    embedded += [one.read for one in program.texts if one.read is not None]
    program.opaque = [one for one in opaque if not kernel_texts.is_read(py, known, one.value, program.texts)]
    return ProjectFile(file, kept, py.tree, _distinct(embedded), requirements=requirements, program=program)


def _texts(program: Program, known: Sequence[Span], opaque: Sequence[Opaque]) -> list[KernelText]:
    """The texts with code for GPUs that are in no `known` source, and those that calls which compile fill in."""
    py, names = program.py, program.names
    found = kernel_texts.find(py, names, known)
    texts = [one for one in found if program.open(one.node.start_byte)]
    seen = {one.node.start_byte for one in texts}
    given = filter(None, (kernel_texts.compiled(py, names, one.value) for one in opaque))
    return [*texts, *(one for one in given if one.node.start_byte not in seen)]


def _words(py: PySource, known: Names) -> Iterator[Use]:
    """Words in strings, without variables of the environment in code that Linux never runs."""
    found = list(words.uses(py, known))
    elsewhere = systems.read(py, known) if any(use.name.startswith("$") for use in found) else Guards()
    placed = _placed(py, elsewhere)
    yield from (use for use in found if not use.name.startswith("$") or placed.rocm(use.span.start) is not False)


def _first_imports(uses: Sequence[Use]) -> Iterator[Use]:
    """All uses but imports of what was imported before."""
    seen: set[str] = set()
    for use in uses:
        if use.kind != "import" or use.name not in seen:
            seen.add(use.name)
            yield use


def _placed(py: PySource, guarded: Guards) -> Guards:
    """The guarded ranges by their places in the file."""
    if not py.starts:
        return guarded
    spans = [(py.span(start, end), hip) for start, end, hip in guarded.ranges]
    return Guards(sorted((span.start, span.end, hip) for span, hip in spans))


def _distinct(parts: Sequence[Embedded]) -> list[Embedded]:
    """Each source once, also where several calls compile it."""
    kept: dict[Span, Embedded] = {}
    for part in parts:
        kept.setdefault(part.span, part)
    return list(kept.values())
