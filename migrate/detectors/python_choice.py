"""Strings that choose a device of PyTorch or a kernel of Transformers: `device="rocm"`, `"flash_attention_3"`."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.literals import plain
from cudamigrate.python_source.program import Program
from cudamigrate.python_source.source import argument
from cudamigrate.syntax.project_file import ProjectFile

_DEVICE = re.compile(r"(rocm|hip)(?::\d+)?")
_TAKES_DEVICE = ("torch.device", "torch.set_default_device", "torch.autocast", "torch.amp.autocast")
"""Functions of PyTorch whose first argument is a device or its kind."""
_DEVICE_KEYWORDS = (b"device", b"device_type")
_FLASH = ("flash_attention_3", "kernels-community/flash-attn3", "kernels-community/vllm-flash-attn3")
_CHOICE = re.compile(rb"(?:.*\W)?[\"']?_?attn_implementation[\"']?\]?", re.DOTALL)
"""What a choice of attention is given as: a keyword, a key, a variable or an attribute."""


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each such string, where nothing but ROCm runs it there."""
    read = program.of(parsed)
    if read is None:
        return
    torch = b"torch" in read.py.text
    for node in read.py.kind("string"):
        if node.end_byte - node.start_byte > 48 or not read.open(node.start_byte):
            continue
        text = plain(read.py, node) or ""
        match = _DEVICE.fullmatch(text) if torch else None
        if match is not None and _is_device(read, node):
            yield _hit(read, "python/amd-device-name", node, match[1])
        elif text in _FLASH and _is_choice(read, node):
            yield _hit(read, "python/flash-attention-3-chosen", node, text)


def _hit(read: Program, rule: str, node: Node, text: str) -> Hit:
    """A hit of a text within a string."""
    start = read.py.text.find(text.encode(), node.start_byte, node.end_byte)
    span = read.py.span(start, start + len(text))
    return Hit(rule, Use("string", text, span, span, certainty="syntax"))


def _is_device(read: Program, node: Node) -> bool:
    """Whether PyTorch takes the string for a device: by a function of its own, or by `.to`."""
    around, keyword = node.parent, b""
    if around is not None and around.type == "keyword_argument":
        name = around.child_by_field_name("name")
        keyword, around = read.py.raw(name) if name is not None else b"", around.parent
    call = around.parent if around is not None and around.type == "argument_list" else None
    function = call.child_by_field_name("function") if call is not None and call.type == "call" else None
    if call is None or function is None:
        return False
    full = read.names.of(function)
    if keyword:
        return keyword in _DEVICE_KEYWORDS and (full.startswith("torch.") or _is_to(read, function, full))
    return argument(read.py, call, 0) == node and (full in _TAKES_DEVICE or _is_to(read, function, full))


def _is_to(read: Program, function: Node, full: str) -> bool:
    """Whether a call is that of a method `to`, of a tensor or module; no function of an imported package is."""
    name = function.child_by_field_name("attribute") if function.type == "attribute" else None
    return name is not None and read.py.raw(name) == b"to" and not full and "torch" in _heads(read)


def _heads(read: Program) -> set[str]:
    """The packages that the file imports."""
    return {use.name.removeprefix("import ").partition(".")[0] for use in read.imports}


def _is_choice(read: Program, node: Node) -> bool:
    """Whether a string is given as the implementation of attention; a comparison with it chooses nothing."""
    around = node.parent
    if around is None:
        return False
    if around.type == "argument_list" and around.parent is not None:
        function = around.parent.child_by_field_name("function")
        return function is not None and read.py.raw(function).endswith(b"set_attn_implementation")
    field = {"keyword_argument": "name", "pair": "key", "assignment": "left"}.get(around.type, "")
    target = around.child_by_field_name(field) if field else None
    return target is not None and target != node and _CHOICE.fullmatch(read.py.raw(target)) is not None
