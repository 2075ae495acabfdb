"""Keyword arguments that a name alone does not tell: compilers and options for kernels, platforms of JAX."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.literals import plain
from cudamigrate.python_source.program import Program
from cudamigrate.python_source.source import argument, arguments
from cudamigrate.syntax.project_file import ProjectFile

_KERNELS = ("cupy.RawKernel", "cupy.RawModule", "cupy.ElementwiseKernel", "cupy.ReductionKernel",
            "pycuda.compiler.SourceModule")  # fmt: skip
_NVRTC = re.compile(
    r"--?(?:use_fast_math|gpu-architecture.*|arch=.*|std=.*|maxrregcount.*|ftz.*|fmad.*|prec-.*|extra-device-vectorization"
    r"|device-debug|generate-line-info|lineinfo|relocatable-device-code.*|rdc.*|dlto|dlink-time-opt|ptxas-options.*"
    r"|restrict|device-as-default-execution-space|expt-\S+|extended-lambda|pch.*|diag-\S+|dopt.*|G)"
)
"""Options of NVRTC, whole: `--use_fast_math`, `-arch=sm_80`; `-std=` only with two dashes (`_CLANG`)."""
_CLANG = re.compile(r"-std=.*")
_PALLAS = "jax.nn.dot_product_attention"


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each such argument."""
    read = program.of(parsed)
    if read is None:
        return
    for use in read.uses:
        if use.name in ("$JAX_PLATFORMS", "$JAX_PLATFORM_NAME"):
            yield from _variable(read, use)
        if use.kind != "call" or not (use.name in _KERNELS or use.name.startswith("jax.")):
            continue
        call = read.first(use.extent, "call")
        if call is None:
            continue
        yield from _kernel(read, call) if use.name in _KERNELS else _jax(read, call, use.name)


def _variable(read: Program, use: Use) -> Iterator[Hit]:
    """A platform that is set in the environment: `os.environ["JAX_PLATFORMS"] = "cuda"`, or by `setdefault`."""
    node = next(iter(read.found(use.extent)), None)
    around = node.parent if node is not None else None
    if around is not None and around.type == "subscript":
        around = around.parent
    value = around.child_by_field_name("right") if around is not None and around.type == "assignment" else None
    if around is not None and around.type == "argument_list" and around.parent is not None:
        value = argument(read.py, around.parent, 1)
    if value is not None and "cuda" in (plain(read.py, value) or "").split(","):
        yield _hit(read, "python/jax-platform", value)


def _kernel(read: Program, call: Node) -> Iterator[Hit]:
    backend = argument(read.py, call, -1, "backend")
    if plain(read.py, backend) == "nvcc" and backend is not None and backend.parent is not None:
        yield _hit(read, "python/nvcc-backend", backend.parent)
        return
    options = argument(read.py, call, -1, "options")
    for node in options.named_children if options is not None and options.type in ("tuple", "list") else ():
        text = plain(read.py, node)
        if text and _NVRTC.fullmatch(text) and not _CLANG.fullmatch(text):
            yield _hit(read, "python/kernel-options", node)


def _jax(read: Program, call: Node, name: str) -> Iterator[Hit]:
    if name == _PALLAS:
        way = argument(read.py, call, -1, "implementation")
        if plain(read.py, way) == "cudnn" and way is not None and way.parent is not None:
            yield _hit(read, "python/jax-cudnn-attention", way.parent)
    elif name.endswith("platform_dependent"):
        given = {read.py.raw(key): node for node in arguments(call) if (key := node.child_by_field_name("name"))}
        if b"cuda" in given and b"rocm" not in given:
            key = given[b"cuda"].child_by_field_name("name")
            if key is not None:
                yield _hit(read, "python/jax-platform-branch", key)
    else:
        for node in _platforms(read, call, name):
            yield _hit(read, "python/jax-platform", node)


def _platforms(read: Program, call: Node, name: str) -> Iterator[Node]:
    """The literal "cuda" where JAX takes the name of a platform."""
    last = name.rpartition(".")[2]
    if last in ("devices", "local_devices", "device_count", "local_device_count", "process_count"):
        places = [argument(read.py, call, 0, "backend")]
    elif last == "register_ffi_target":
        places = [argument(read.py, call, 2, "platform")]
    elif last == "update" and plain(read.py, argument(read.py, call, 0)) in ("jax_platforms", "jax_platform_name"):
        places = [argument(read.py, call, 1)]
    elif last in ("jit", "register_lowering"):
        places = [argument(read.py, call, -1, "backend"), argument(read.py, call, -1, "platform")]
    else:
        return
    for node in places:
        if node is not None and re.fullmatch(r"(?i)cuda(?:,\w+)*", plain(read.py, node) or ""):
            yield node


def _hit(read: Program, rule: str, node: Node) -> Hit:
    span = read.py.place(node)
    return Hit(rule, Use("string", rule, span, span, certainty="resolved"))
