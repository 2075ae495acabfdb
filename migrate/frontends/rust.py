"""Rust: whether a file uses a crate that binds CUDA, declares functions of CUDA itself, or runs nvcc.

Nothing is rewritten, and one place stands for a file: what it calls by the crate is not read, but where it asks
the device how many lanes a warp has, for the answer is another one.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Use
from cudamigrate.syntax import cuda_functions, rust_crates, rust_texts, tree_sitter_nodes, utf8
from cudamigrate.syntax.project_file import ProjectFile, use_at
from cudamigrate.syntax.tree_sitter_nodes import Kinds

FILES = {".rs": "rust"}
PART = "code"
TRIGGER = re.compile(
    rb"\bcu(?:darc|st(?:_raw|_core)?|da_std|da_(?:driver_|runtime_)?sys|dnn|blas_sys)\b|rustacuda|\bera_cudart|\bfn\s+cu|\bnvcc\b"
)
"""Names of the crates and of the compiler, or the declaration of a function whose name begins as CUDA's do."""

_NVCC = re.compile(r"(?:.*[/\\])?nvcc(?:\.exe)?")
_CRATES = frozenset(map(rust_crates.in_code, rust_crates.BINDINGS))
_PATHS = Kinds("rust", "scoped_identifier", "scoped_use_list", "extern_crate_declaration", "use_declaration")
_SCOPED = Kinds("rust", "scoped_identifier")
_OF_DRIVER = "CU_DEVICE_ATTRIBUTE_WARP_SIZE"
_OF_CRATES = ("DeviceAttribute", "WarpSize")
"""What `cust` and `rustacuda` call the attribute; `cudarc` has the driver's name. Source: docs.rs."""
_FOREIGN = Kinds("rust", "foreign_mod_item")
_FUNCTIONS = Kinds("rust", "function_signature_item")
_OWN = ("crate", "self", "super")
_PASSED_ON = "cudarc"
"""A crate that others export again under its name, which no module of their own has: `candle::cuda_backend::cudarc`."""


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    root = tree_sitter_nodes.parse("rust", source.data).root_node
    uses = sorted((*_crates(root), *_declared(root)), key=lambda use: use.span)
    waves = _waves(root) if uses else ()
    started = [use_at("nvcc command", one.start, one.end) for one in rust_texts.started(root, _NVCC)]
    return ProjectFile(source, sorted((*uses[:1], *waves, *started[:1]), key=lambda use: use.span))


def broken(data: bytes) -> int:
    """Nothing is rewritten here, and nothing can be worse."""
    return 0


def _crates(root: Node) -> Iterator[Use]:
    """The crates that paths begin with, or lead to through another crate."""
    for node in _PATHS.below(root):
        first = _first(node)
        named = node.child_by_field_name("name")
        if first is None:
            continue
        if first.type == "identifier" and _text(first) in _CRATES:
            yield use_at("binding of CUDA", first.start_byte, first.end_byte)
        elif named is not None and _text(named) == _PASSED_ON and first.type not in _OWN:
            yield use_at("binding of CUDA", named.start_byte, named.end_byte)


def _waves(root: Node) -> Iterator[Use]:
    """Where a device is asked for the size of a warp: `CU_DEVICE_ATTRIBUTE_WARP_SIZE`, `DeviceAttribute::WarpSize`."""
    for node in _SCOPED.below(root):
        name, path = node.child_by_field_name("name"), node.child_by_field_name("path")
        owner = _text(path).rpartition("::")[2] if path is not None else ""
        if name is not None and (_text(name) == _OF_DRIVER or (owner, _text(name)) == _OF_CRATES):
            yield use_at("size of a warp", name.start_byte, name.end_byte)


def _first(node: Node) -> Node | None:
    """What a path begins with."""
    if node.type == "use_declaration":
        node = node.child_by_field_name("argument") or node
    elif node.type == "extern_crate_declaration":
        return node.child_by_field_name("name")
    while (following := node.child_by_field_name("path")) is not None:
        node = following
    return node


def _declared(root: Node) -> Iterator[Use]:
    """Functions of CUDA that are declared as another language's: `extern "C" { fn cudaFree(...); }`."""
    for block in _FOREIGN.below(root):
        for function in _FUNCTIONS.below(block):
            name = function.child_by_field_name("name")
            if name is not None and cuda_functions.NAME.fullmatch(_text(name)):
                yield use_at("function of CUDA", name.start_byte, name.end_byte)


def _text(node: Node) -> str:
    return utf8.text(node.text or b"")
