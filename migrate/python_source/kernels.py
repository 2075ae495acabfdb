"""CUDA C++ in Python strings: the kernels that CuPy, PyCUDA, cuda-python and PyTorch compile when the program runs.

Result: an `Embedded` for each source that is in a literal, and the places whose source only a run would show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.python_source.literals import Literal, decoded
from cudamigrate.python_source.names import Names
from cudamigrate.python_source.source import PySource, argument
from cudamigrate.syntax.project_file import Embedded


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a call compiles: places and keywords of its source strings; `hipified` where PyTorch renames them first."""

    sources: tuple[tuple[int, str], ...]
    hipified: bool = False


_RAW = Compiled(((0, "code"),))
_KERNELS = {
    "cupy.RawKernel": _RAW,
    "cupy.RawModule": _RAW,
    "cupy.cuda.compiler.compile_with_cache": Compiled(((0, "source"),)),
    "cupy.ElementwiseKernel": Compiled(((2, "operation"), (-1, "preamble"), (-1, "loop_prep"), (-1, "after_loop"))),
    "cupy.ReductionKernel": Compiled(((2, "map_expr"), (3, "reduce_expr"), (4, "post_map_expr"), (-1, "preamble"))),
    "pycuda.compiler.SourceModule": Compiled(((0, "source"),)),
    "pycuda.compiler.DynamicSourceModule": Compiled(((0, "source"),)),
    "pycuda.elementwise.ElementwiseKernel": Compiled(((1, "operation"), (-1, "preamble"))),
    "pycuda.reduction.ReductionKernel": Compiled(((2, "reduce_expr"), (3, "map_expr"), (-1, "preamble"))),
    "torch.utils.cpp_extension.load_inline": Compiled(((2, "cuda_sources"), (1, "cpp_sources")), hipified=True),
    "torch.cuda.jiterator._create_jit_fn": Compiled(((0, "code_string"),)),
    "torch.cuda._compile_kernel": Compiled(((0, "kernel_source"),)),
    "cuda.core.Program": Compiled(((0, "code"),)),
    "cuda.core.experimental.Program": Compiled(((0, "code"),)),
}
"""Calls that compile CUDA C++ out of strings."""

_WORTH = re.compile(rb"Kernel|Module\b|load_inline|_kernel|_jit_fn|Program|compile_with_cache")
"""Bytes without which a file compiles no kernel: `RawKernel`, `SourceModule`, `load_inline`, `Program`."""


@dataclass(frozen=True, slots=True)
class Opaque:
    """A call whose source is not in the file as it is compiled."""

    call: Node
    name: str
    value: Node


def find(py: PySource, names: Names) -> Iterator[Embedded | Opaque]:
    """The sources of all calls that compile, in the order of the text."""
    roots = {name.partition(".")[0] for name in _KERNELS}
    bound = (binding.full.partition(".")[0] for found in names.bindings.values() for binding in found)
    if roots.isdisjoint(bound) or not _WORTH.search(py.text):
        return
    for call in py.kind("call"):
        name = names.of(call.child_by_field_name("function"))
        compiled = _KERNELS.get(name)
        if compiled is None:
            continue
        for place, keyword in compiled.sources:
            value = argument(py, call, place, keyword)
            for part in _parts(value):
                literal = decoded(py, part)
                if literal is not None:
                    if literal.text.strip():
                        yield embedded(py, literal, compiled.hipified)
                elif part.type != "none":
                    yield Opaque(call, name, part)


def _parts(value: Node | None) -> Sequence[Node]:
    if value is None:
        return ()
    if value.type in ("list", "tuple"):
        return [child for child in value.named_children if child.type != "comment"]
    return [value]


def embedded(py: PySource, literal: Literal, hipified: bool = False, loose: bool = False) -> Embedded:
    """The source of a literal with the place of each of its bytes in the file; `loose` where no compiler is seen."""
    starts = [py.span(start, start + 1).start for start in literal.starts]
    ends = [py.span(end - 1, end).end for end in literal.ends]
    whole = py.span(literal.starts[0], literal.ends[-1])
    places = tuple(starts), tuple(ends)
    return Embedded(whole, "cuda", True, literal.text, *places, hipified=hipified, loose=loose)
