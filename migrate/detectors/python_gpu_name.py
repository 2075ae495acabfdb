"""NVIDIA GPUs named in a comparison with a device's name, and their architectures as strings: `"sm_90"`.

AMD's devices have other names, so that the code takes the branch for unknown hardware.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.literals import plain
from cudamigrate.python_source.program import Program
from cudamigrate.syntax.project_file import ProjectFile

_GPU = re.compile(
    r"(?i)(?:nvidia[ _-]?)?(?:(?:a(?:2|10g?|16|30|40|100|800|4000|5000|6000)|h(?:20|100|200|800)|b(?:100|200|300)"
    r"|v100|p100|gh200|gb[23]00|t4|l4|l40s?)(?:[ _-].*)?"
    r"|(?:geforce|tesla|quadro|rtx|gtx|titan|jetson|orin|thor)\b.*|ampere|hopper|blackwell|turing|volta|nvidia)"
)
"""A GPU of NVIDIA's, a family or an architecture: `NVIDIA A100-SXM4`, `t4`, `GeForce RTX 3090`, `hopper`; not `a1`."""
_ARCH = re.compile(r"(?:sm|compute)_\d{2,3}[af]?")
_NAMES = re.compile(rb"(?i)(?:device|gpu|card|cuda)_?\w*name|name\(|\.name\b|get_device_name")
"""What asks for a device's name: `device_name`, `gpuName`, `props.name`, `get_device_name`."""
_MATCHES = re.compile(rb"re\.(?:search|match|fullmatch|findall)")
_PARTS = re.compile(r"[|()^$]|\.\*|\\b")
"""What parts the names in a regular expression: `A100|H100`, `(?:V100)`, `.*T4`."""
_MOCKS = re.compile(rb"\b(?:from|import)[ \t]+(?:unittest\.)?mock\b|\bfrom[ \t]+unittest[ \t]+import[ \t]+mock\b")
"""An import of what stands in for a library in tests."""
_ANY_NAME = re.compile(rb"(?i)name")


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each literal of that kind which decides something."""
    read = program.of(parsed)
    if read is None:
        return
    for node in read.py.kind("string"):
        if node.end_byte - node.start_byte > 40 or not read.open(node.start_byte):
            continue
        text = plain(read.py, node)
        if not text:
            continue
        kind = ""
        if _ARCH.fullmatch(text) and _decides(read, node):
            kind = "nvidia-architecture"
        elif any(_GPU.fullmatch(part.strip()) for part in _PARTS.split(text)):
            around = _compared(read, node)
            names = _NAMES if b"get_device_name" not in read.py.text else _ANY_NAME
            whole = _GPU.fullmatch(text.strip()) is not None
            if around is not None and names.search(read.py.raw(around)) and (whole or _is_pattern(read, around)):
                kind = "nvidia-gpu-name"
        if kind:
            span = read.py.place(node)
            yield Hit(f"python/{kind}", Use("string", text, span, span, certainty="syntax"))


def _decides(read: Program, node: Node) -> bool:
    """Whether a literal is compared, and not with what a test gave to a mock itself: `assert a == "sm_90"`."""
    around = _compared(read, node)
    stated = around is not None and around.parent is not None and around.parent.type == "assert_statement"
    return around is not None and not (stated and _MOCKS.search(read.py.text))


def _compared(read: Program, node: Node) -> Node | None:
    """The comparison, or the call of `startswith`, `find` or `re.search`, that the literal is in."""
    around = node.parent
    while around is not None and around.type in ("tuple", "list", "set", "parenthesized_expression"):
        around = around.parent
    if around is not None and around.type == "comparison_operator":
        return around
    if around is not None and around.type == "argument_list" and around.parent is not None:
        function = around.parent.child_by_field_name("function")
        called = read.py.raw(function) if function is not None else b""
        if re.search(rb"\.(?:startswith|endswith|find|count)$", called) or _MATCHES.fullmatch(called):
            return around.parent
    return None


def _is_pattern(read: Program, around: Node) -> bool:
    """Whether a call looks for a regular expression."""
    function = around.child_by_field_name("function")
    return function is not None and _MATCHES.fullmatch(read.py.raw(function)) is not None
