"""A header of ours means the same whatever a project's macros are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.compilation.engines import clang
from cudamigrate.config import Config
from cudamigrate.cuda.include_insertion import OWN_HEADERS
from cudamigrate.model import Target
from cudamigrate.model.verification import Flags, Unit
from cudamigrate.pipeline import own_headers, reserved_names
from cudamigrate.pipeline import run as pipeline

_BLAS, _NVTX = "cudamigrate_blas.h", "cudamigrate_nvtx.h"
_FIRST = """#include <hip/hip_bf16.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <stdint.h>
"""
_KERNEL = "__global__ void k(int *p) { int v = __shfl_xor_sync(0xffffffff, *p, 1); *p = v + __ldcs(p); }\n"


def test_no_macro_of_any_name_in_them_changes_our_headers(tmp_path: Path) -> None:
    chosen = clang.find(Target())
    if isinstance(chosen, str):
        pytest.skip(chosen)
    headers = [name for name in OWN_HEADERS if name not in (_BLAS, _NVTX)]
    made = {name: own_headers.runtime_header(name) for name in headers}
    names = set[bytes]().union(*map(reserved_names._names, made.values()))
    assert {b"T", b"value", b"word", b"element_f64"} <= names and not names & {b"__HIPCC__", b"hipError_t", b"defined"}
    defined = b"".join(b"#define %b ? clash ?\n" % name for name in sorted(names))
    includes = "".join(f'#include "{name}"\n' for name in headers)
    for folder, put in (("plain", False), ("aside", True)):
        (tmp_path / folder).mkdir()
        for name, data in made.items():
            (tmp_path / folder / name).write_bytes(reserved_names.protected(data, names) if put else data)
        (tmp_path / folder / "a.hip").write_text(_FIRST + defined.decode() + includes + "int last = value;\n")
        unit = Unit("a.hip", str(tmp_path / folder), Flags("c++17"), ("gfx942",))
        said = {(entry.place.path, entry.message) for entry in clang.check(unit, chosen).diagnostics}
        ours = {path for path, _ in said if path in made}
        assert bool(ours) is not put, said
        assert not put or {path for path, _ in said} == {"a.hip"}, "the macros are there again behind the headers"


@pytest.mark.parametrize(
    ("name", "text", "macro"),
    [
        ("Makefile", "a: a.cu\n\tnvcc -D value -o a a.cu\n", "value"),
        ("Makefile", "a: a.cu\n\tnvcc -DT=3 -o a a.cu\n", "T"),
        (
            "CMakeLists.txt",
            "project(p)\nadd_library(lib1 a.cu)\ntarget_compile_definitions(lib1 PUBLIC word=2)\n",
            "word",
        ),
        ("setup.py", 'Extension("a", ["a.cu"], define_macros=[("address", "1")])\n', "address"),
        ("size.h", "#pragma once\n#define width 7\n", "width"),
        ("size.h", "#pragma once\n// #define width 7\n#define OTHER 1\n#define __HIPCC__\n#undef value\n", ""),
    ],
)
def test_macros_of_the_tree_are_not_defined_in_our_headers(tmp_path: Path, name: str, text: str, macro: str) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "a.cu").write_text(_KERNEL)
    made = pipeline.apply(tmp_path, Config())
    header = made.added["cudamigrate_hip.h"].decode()
    aside = [line for line in header.splitlines() if line.startswith("#pragma push_macro")]
    assert aside == ([f'#pragma push_macro("{macro}")'] if macro else [])
    assert (header == own_headers.runtime_header().decode()) is not bool(macro)
