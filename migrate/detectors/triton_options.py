"""Options of Triton kernels that NVIDIA's compiler takes and AMD's does not, or with another meaning.

Looked for in calls of `triton.Config`, in launches `kernel[grid](..., num_warps=32)`, in dictionaries of options and
in `tl.range`. A variable in place of a number is no hit.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.literals import plain
from cudamigrate.python_source.program import Program
from cudamigrate.python_source.source import PySource
from cudamigrate.syntax.project_file import ProjectFile
from cudamigrate.syntax.tree_sitter_nodes import ancestors

_NVIDIA = (b"maxnreg", b"num_consumer_groups", b"num_buffers_warp_spec", b"reg_dec_producer", b"reg_inc_consumer",
           b"launch_pdl", b"launch_cluster", b"ptx_version", b"ptx_options", b"enable_warp_specialization")  # fmt: skip
_WORTH = re.compile(rb"num_warps|num_stages|num_ctas|warp_spec|input_precision|" + b"|".join(_NVIDIA))
_LANES, _THREADS = 64, 1024
_STAGES = 4


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each option; deep pipelines once for each file, as they come in lists to choose from."""
    read = program.of(parsed)
    if read is None or b"triton" not in read.py.text or not _WORTH.search(read.py.text):
        return
    reported = False
    for name, key, value in _options(read):
        rule = _rule(read, name, value)
        if rule == "triton/deep-pipeline":
            if reported:
                continue
            reported = True
        if rule and read.open(key.start_byte):
            span = read.py.span(key.start_byte, value.end_byte)
            text = read.py.raw(value).decode("utf-8", "replace")
            use = Use("name", name.decode(), span, span, certainty="syntax")
            yield Hit(rule, use, {"value": text, "tiles": str(int(text) - 1) if text.isdigit() else ""})


def _options(read: Program) -> Iterator[tuple[bytes, Node, Node]]:
    """Name, key and value of each keyword argument of a kernel or a configuration."""
    py = read.py
    for call in py.kind("call"):
        listed, function = call.child_by_field_name("arguments"), call.child_by_field_name("function")
        if listed is None or function is None or listed.type != "argument_list":
            continue
        full = read.names.of(function)
        if not (function.type == "subscript" or full.startswith("triton") or py.raw(function).endswith(b"Config")):
            continue
        for child in listed.named_children:
            if child.type == "keyword_argument":
                name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
                if name is not None and value is not None:
                    yield py.raw(name), name, value
    yield from _listed(py)


def _listed(py: PySource) -> Iterator[tuple[bytes, Node, Node]]:
    """The same of dictionaries of options: those with `num_warps` or `num_stages`."""
    for dictionary in py.kind("dictionary"):
        pairs = [pair for pair in dictionary.named_children if pair.type == "pair"]
        keys = {plain(py, pair.child_by_field_name("key")): pair for pair in pairs}
        if not ({"num_warps", "num_stages"} & keys.keys()):
            continue
        for text, pair in keys.items():
            key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
            if text and key is not None and value is not None:
                yield text.encode(), key, value


def _rule(read: Program, name: bytes, value: Node) -> str:
    text = read.py.raw(value)
    number = int(text) if value.type == "integer" and text.isdigit() else 0
    if name == b"num_warps" and number * _LANES > _THREADS:
        return "triton/too-many-warps"
    if name == b"num_stages" and number >= _STAGES and not _unrolled(read, value):
        return "triton/deep-pipeline"
    if name == b"num_ctas" and number > 1:
        return "triton/block-clusters"
    if name == b"warp_specialize" and text == b"True":
        return "triton/warp-specialization"
    if name in _NVIDIA and (text == b"True" or number):
        return "triton/nvidia-option"
    if name == b"input_precision" and plain(read.py, value) in ("tf32", "tf32x3"):
        return "triton/tf32-precision"
    return ""


def _unrolled(read: Program, value: Node) -> bool:
    """Whether an option is one of `tl.static_range`, whose loop is unrolled: nothing of it is pipelined."""
    call = next((node for node in ancestors(value) if node.type == "call"), None)
    function = call.child_by_field_name("function") if call is not None else None
    return function is not None and read.py.raw(function).endswith(b"static_range")
