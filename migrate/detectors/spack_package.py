"""Packages of Spack that are built with CUDA alone: the class they are, and what they ask of its variants.

A package that is of the class for ROCm too is built for both vendors already. Source: Spack, "CUDA" and "ROCm" among
the build systems.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import literals, program
from cudamigrate.python_source.program import Program
from cudamigrate.syntax.project_file import ProjectFile

_OF_SPACK = re.compile(rb"^[ \t]*(?:from|import)[ \t]+spack\b|^[ \t]*from[ \t]+spack_repo\b", re.MULTILINE)
_CUDA, _ROCM = "CudaPackage", "ROCmPackage"
_SPEC = re.compile(r"(?<![\w-])[+~-]cuda(?![\w-])|(?<![\w-])cuda_arch(?![\w-])")
"""What a spec says of the variants that the class for CUDA brings: `+cuda`, `cuda_arch=80`."""
_PASSED = re.compile(r"(?:-D)?CMAKE_CUDA_(?:ARCHITECTURES|COMPILER|FLAGS|HOST_COMPILER)(?:[:=].*)?")
_NEEDED = re.compile(r"cuda(?:[@+~%: ].*)?")
_NEEDS = "depends_on"


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each such class, and each text in it that is of its variants."""
    read = program.of(parsed)
    if read is None or _CUDA.encode() not in read.py.text or _OF_SPACK.search(read.py.text) is None:
        return
    for node in read.py.kind("class"):
        bases = node.child_by_field_name("superclasses")
        named = {_name(read, one): one for one in bases.named_children} if bases is not None else {}
        if _CUDA not in named or _ROCM in named:
            continue
        span = read.py.place(named[_CUDA])
        yield Hit("python/spack-package", Use("name", _CUDA, span, span, certainty="syntax"))
        for text in (one for one in read.py.kind("string") if node.start_byte < one.start_byte < node.end_byte):
            said = literals.plain(read.py, text)
            if said is not None and (_SPEC.search(said) or _PASSED.fullmatch(said) or _is_needed(read, text, said)):
                span = read.py.place(text)
                yield Hit("python/spack-variant", Use("string", said, span, span, certainty="syntax"))


def _name(read: Program, base: Node) -> str:
    """The name of a base class without its module."""
    return read.py.text[base.start_byte : base.end_byte].decode("utf-8", "replace").rpartition(".")[2]


def _is_needed(read: Program, node: Node, said: str) -> bool:
    """Whether a text is the toolkit, as what the package depends on."""
    call = node.parent.parent if node.parent is not None else None
    function = call.child_by_field_name("function") if call is not None and call.type == "call" else None
    return function is not None and _name(read, function) == _NEEDS and _NEEDED.fullmatch(said) is not None
