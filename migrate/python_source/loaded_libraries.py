"""Shared libraries that Python loads with ctypes, and the variables and attributes that hold them.

A value is followed through variables, attributes of `self`, functions of the file with what they are given, and
`find_library`. A name that may also hold one of AMD's libraries is chosen by the vendor, and counts as neither.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tree_sitter import Node

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.python_source.program import Program
from cudamigrate.python_source.source import PySource, argument, enclosing, parameters

_OF_CUDA = (
    "cudart", "cuda", "nvrtc", "cublas", "cublasLt", "cudnn", "cufft", "curand", "cusparse", "cusolver",
    "nvidia-ml", "nvToolsExt", "cupti", "nvJitLink", "cufile",
)  # fmt: skip
"""CUDA's libraries without what their files have around the name, as `find_library` takes it."""
_FILE = re.compile(r"(?:[^/]*/)*lib([\w-]+?)(?:-[0-9a-f]{8})?\.(?:so|dylib)(?:\.[\d.]+)?")
_DLL = re.compile(r"(?:[^/\\]*[/\\])*(?:nv)?(cuda|cudart|cublas|cufft|nvrtc|cudnn)(?:64_\w+)?\.dll")
FUNCTION = re.compile(rb"(?:cu|nv)[A-Za-z]\w*")
"""The name of a function in CUDA's libraries: `cudaMalloc`, `cuInit`, `nvrtcCompileProgram`."""
_OF_AMD = re.compile(r"lib(?:amdhip64|hip\w+|roc\w+|rccl|MIOpen|amd_smi)\.so")
_LOADS = (
    "ctypes.CDLL", "ctypes.PyDLL", "ctypes.WinDLL", "ctypes.cdll.LoadLibrary", "ctypes.pydll.LoadLibrary",
    "ctypes.windll.LoadLibrary", "ctypes.LibraryLoader",
)  # fmt: skip
_FINDS = "ctypes.util.find_library"
_DEPTH, _MOST = 8, 200
"""How deep values are followed, and how many expressions for one question."""

_Given = Mapping[bytes, tuple["Loaded", ...]]


@dataclass(frozen=True, slots=True)
class Loaded:
    """A library: its name as a file's, `libcudart.so`, and the literal that says it. `is_open` once it is loaded."""

    name: str
    literal: Node
    is_open: bool = False


class LoadedLibraries:
    """The libraries of one file by the expressions that hold them."""

    def __init__(self, program: Program) -> None:
        self.program, self.py = program, program.py
        self._members: dict[bytes, list[Node]] = {}
        self._functions: dict[bytes, list[Node]] = {}
        self._returns: dict[int, list[Node]] = {}
        self._left = 0
        for node in self.py.kind("assignment"):
            target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
            if target is not None and value is not None and target.type == "attribute":
                self._members.setdefault(self.py.raw(target), []).append(value)
        for node in self.py.kind("return"):
            around = enclosing(node, "function_definition")
            name = around.child_by_field_name("name") if around is not None else None
            if around is not None and name is not None and node.named_children:
                known = self._returns.setdefault(around.start_byte, [])
                if not known:
                    self._functions.setdefault(self.py.raw(name), []).append(around)
                known.append(node.named_children[0])

    def of(self, node: Node | None) -> Loaded | None:
        """The library of CUDA that an expression holds once it is loaded; None where it holds none, or one of AMD's."""
        self._left = _MOST
        found = [one for one in self._values(node, {}, _DEPTH) if one.is_open]
        if any(_OF_AMD.match(one.name) for one in found):
            return None
        return next((one for one in found if is_cuda(one.name)), None)

    def _values(self, node: Node | None, given: _Given, depth: int) -> tuple[Loaded, ...]:
        self._left -= 1
        if node is None or depth == 0 or self._left < 0:
            return ()
        return tuple(dict.fromkeys(self._found(node, given, depth)))

    def _found(self, node: Node, given: _Given, depth: int) -> Iterator[Loaded]:
        """The libraries that an expression may be: by name, or loaded."""
        if node.type == "string":
            yield from _named(self.py, node)
        elif node.type == "identifier":
            name = self.py.raw(node)
            yield from given.get(name, ())
            for value in () if name in given else self.py.values(name):
                yield from self._values(value, given, depth - 1)
        elif node.type == "attribute":
            for value in self._members.get(self.py.raw(node), ()):
                yield from self._values(value, given, depth - 1)
        elif node.type in ("boolean_operator", "conditional_expression", "parenthesized_expression"):
            for child in node.named_children:
                yield from self._values(child, given, depth - 1)
        elif node.type == "call":
            yield from self._called(node, given, depth)

    def _called(self, call: Node, given: _Given, depth: int) -> Iterator[Loaded]:
        """What a call gives: a loaded library, the name of one, or what a function of the file returns."""
        function = call.child_by_field_name("function")
        full = self.program.names.of(function)
        if full in _LOADS:
            files = self._values(argument(self.py, call, 0, "name"), given, depth - 1)
            yield from (Loaded(one.name, one.literal, is_open=True) for one in files)
        elif full == _FINDS:
            asked = argument(self.py, call, 0, "name")
            yield from self._values(asked, given, depth - 1)
        elif function is not None and function.type == "identifier":
            for own in self._functions.get(self.py.raw(function), ()):
                listed = own.child_by_field_name("parameters")
                texts = [self.py.raw(one) for one in parameters(listed)] if listed is not None else []
                passed: dict[bytes, tuple[Loaded, ...]] = {
                    text: self._values(argument(self.py, call, at, text.decode("utf-8", "replace")), given, depth - 1)
                    for at, text in enumerate(texts)
                }
                for value in self._returns[own.start_byte]:
                    yield from self._values(value, passed, depth - 1)


def is_cuda(name: str) -> bool:
    """Whether a library is one of CUDA's."""
    return name in {f"lib{one}.so" for one in _OF_CUDA}


def _named(py: PySource, node: Node) -> Iterator[Loaded]:
    """The library that a literal names: by its file, or as `find_library` takes it."""
    parts = [child for child in node.named_children if child.type == "string_content"]
    if len(parts) != 1 or any(child.type == "interpolation" for child in node.named_children):
        return
    text = py.raw(parts[0]).decode("utf-8", "replace")
    match = _FILE.fullmatch(text) or _DLL.fullmatch(text)
    if match is not None:
        yield Loaded(f"lib{match[1]}.so", node)
    elif text in _OF_CUDA:
        yield Loaded(f"lib{text}.so", node)
