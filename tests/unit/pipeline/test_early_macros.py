"""HIP's header is read before macros of names in it: nvcc reads its own ahead of the first line."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.compilation import toolchain
from cudamigrate.config import Config
from cudamigrate.cuda.lexer import WORD, lex
from cudamigrate.rulebase.header_names import in_hip_headers

HIP = "#include <hip/hip_runtime.h>\n"
FOR_HIPCC = f"#ifdef __HIPCC__\n{HIP}#endif\n"
KERNEL = "__global__ void k(int *p) { p[threadIdx.x] = T; }\n"
CALLS = "#pragma once\n#include <cuda_runtime.h>\ninline void wait() { cudaDeviceSynchronize(); }\n"
LOADS = "#pragma once\n#ifdef __CUDACC__\n__device__ inline int load(int *p) { return __ldcs(p); }\n#endif\n"
MACRO = "#define T 3\n"


def converted(root: Path, files: dict[str, str]) -> dict[str, str]:
    """The files as they come out."""
    written(root, files)
    return files | {one.path: one.after.decode() for one in pipeline.apply(root, Config(jobs=1)).conversions}


def found(root: Path) -> list[tuple[str, int, str]]:
    """Where the rule has a finding, and which macro it names."""
    report = pipeline.scan(root, Config(jobs=1))
    return [(one.path, one.position.line, one.name) for one in report.findings if one.rule == "build/early-macro"]


@pytest.mark.parametrize(
    ("files", "at"),
    [
        pytest.param(
            {"a.cu": f"// codes\n{MACRO}#include <stdio.h>\n{KERNEL}"}, ("a.cu", 2, "T"), id="its own include"
        ),
        pytest.param(
            {"a.cu": f'// codes\n{MACRO}#include "calls.h"\n{KERNEL}', "calls.h": CALLS},
            ("a.cu", 2, "T"),
            id="a header",
        ),
        pytest.param(
            {"a.cu": f'// codes\n#include "codes.h"\n#include "calls.h"\n{KERNEL}', "codes.h": MACRO, "calls.h": CALLS},
            ("a.cu", 3, "T"),
            id="of a header",
        ),
    ],
)
def test_the_header_comes_first(tmp_path: Path, files: dict[str, str], at: tuple[str, int, str]) -> None:
    made = converted(tmp_path, files)
    text = made["a.cu"]
    assert text.count(HIP) == 1 and text.startswith(("// codes\n" + HIP, HIP)) and found(tmp_path) == [at]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"a.cu": f"#define N 3\n#include <stdio.h>\n{KERNEL}"}, id="no name of HIP's"),
        pytest.param({"a.cu": f"#include <stdio.h>\n{MACRO}{KERNEL}"}, id="behind the include"),
        pytest.param({"a.cu": f'#include "calls.h"\n{MACRO}{KERNEL}', "calls.h": CALLS}, id="behind the header"),
        pytest.param(
            {"a.cu": f"{MACRO}#undef T\n#include <cuda_runtime.h>\n__global__ void k() {{}}\n"}, id="undefined"
        ),
        pytest.param({"a.cu": f"#ifdef _WIN32\n{MACRO}#endif\n#include <stdio.h>\n{KERNEL}"}, id="under a condition"),
        pytest.param({"a.cu": f"{HIP}{MACRO}#include <stdio.h>\n{KERNEL}"}, id="it is there"),
        pytest.param({"a.cpp": f"{MACRO}#include <stdio.h>\nint main() {{ return T; }}\n"}, id="no HIP"),
    ],
)
def test_sources_whose_macros_come_later_or_do_not_matter(tmp_path: Path, files: dict[str, str]) -> None:
    assert converted(tmp_path, files)["a.cu" if "a.cu" in files else "a.cpp"].count(HIP) <= 1
    assert found(tmp_path) == []


def test_a_source_of_the_hosts_compiler_has_it_for_hipcc_alone(tmp_path: Path) -> None:
    host = f'{MACRO}#include "loads.h"\nint main() {{ return T; }}\n'
    made = converted(tmp_path, {"a.cpp": host, "k.cu": f'#include "loads.h"\n{KERNEL}', "loads.h": LOADS})
    assert "cudamigrate_hip.h" in made["loads.h"]
    assert made["a.cpp"] == FOR_HIPCC + host


def test_a_source_that_is_no_source_of_a_tree_with_hip_stays(tmp_path: Path) -> None:
    host = f'{MACRO}#include "other.h"\nint main() {{ return T; }}\n'
    made = converted(
        tmp_path, {"a.cpp": host, "k.cu": f'#include "loads.h"\n{KERNEL}', "loads.h": LOADS, "other.h": ""}
    )
    assert made["a.cpp"] == host


def test_the_names_are_those_of_hips_headers() -> None:
    names = in_hip_headers()
    assert {b"T", b"U", b"size", b"index", b"max", b"half"} <= names
    assert not names & {b"__global__", b"template", b"hipMalloc", b"N", b"NULL"}
    headers = toolchain.hip_headers("7.1")
    if headers is None:
        pytest.skip("no HIP headers")
    text = (Path(headers.folders[0]) / "hip/amd_detail/amd_channel_descriptor.h").read_bytes()
    tokens = lex(text)
    words = {tokens.text(one) for one in tokens.tokens(0, len(text)) if one.kind == WORD}
    assert b"T" in words and {one for one in words if len(one) == 1} <= names
