"""What macros make of their arguments by pasting is named, and given HIP's piece where that is all of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import Finding

HEADER = """#pragma once
#include <cuda.h>
#include <cuda_runtime.h>
#define TYPE(x) x##_t
#define SAID(x) say(#x), x##_t
#define CAT(a, b) a##b
#define V2(f) f##_v2
#define BOTH(kind) cuda##kind##_t
#define LOAD(name) name##_orig = find(#name)
"""
USER = '#include "pastes.h"\n{}\nvoid run(void *p) {{\n    {}\n}}\n'
RULES = ("build/pasted-piece", "build/pasted-use", "build/pasted-beside")


def found(root: Path, body: str, before: str = "") -> list[Finding]:
    """What is said of the uses."""
    written(root, {"pastes.h": HEADER, "run.cu": USER.format(before, body)})
    findings = pipeline.scan(root, Config(jobs=1, cache=False)).findings
    return [one for one in findings if one.path == "run.cu" and one.position.line == 4]


@pytest.mark.parametrize(
    ("body", "piece", "new"),
    [
        ("TYPE(cudaStream) s;", "cudaStream", "hipStream"),
        ("CAT(cuda, Free)(p);", "cuda", "hip"),
        ("CAT(cudaError, _t) e;", "cudaError", "hipError"),
    ],
)
def test_a_piece_that_makes_hips_name(tmp_path: Path, body: str, piece: str, new: str) -> None:
    (one,) = found(tmp_path, body)
    assert one.rule == "build/pasted-piece" and one.fix is not None
    (edit,) = one.fix.edits
    text = USER.format("", body).encode()
    assert (text[edit.span.start : edit.span.end].decode(), edit.replacement.decode()) == (piece, new)


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ("V2(cuMemFree)(0);", "cuMemFree_v2"),  # `hipFree` has no such end
        ("SAID(cudaStream) s;", "cudaStream_t"),  # the text says the argument too
        ("BOTH(Event) e;", "cudaEvent_t"),
    ],
)
def test_a_name_that_needs_another_way(tmp_path: Path, body: str, name: str) -> None:
    (one,) = found(tmp_path, body)
    assert (one.rule, one.fix) == ("build/pasted-use", None) and f"`{name}`" in one.message


@pytest.mark.parametrize("body", ["TYPE(my) m;", "CAT(p, q);", "CAT(cuda, Stuff)(p);", "TYPE((cudaStream)) s;"])
def test_what_makes_no_name_of_cuda_is_left_alone(tmp_path: Path, body: str) -> None:
    assert not [one for one in found(tmp_path, body) if one.rule in RULES]


def test_a_name_that_is_spelled_out_elsewhere_keeps_its_piece(tmp_path: Path) -> None:
    (one,) = found(tmp_path, "LOAD(cudaMalloc);", "static cudaError_t (*cudaMalloc_orig)(void **, size_t);")
    assert (one.rule, one.fix) == ("build/pasted-beside", None) and "run.cu:2 spells out" in one.message


@pytest.mark.parametrize("more", ["", ", void **p", ", void **p, size_t n"])
def test_a_macro_with_as_many_arguments_as_one_likes(tmp_path: Path, more: str) -> None:
    wraps = "#define WRAP(name, body, ...) name##_orig = find(#name); void name(__VA_ARGS__) body\n"
    use = f"WRAP(cudaMalloc, {{ return cudaMalloc_orig(p, n); }}{more})"
    written(tmp_path, {"run.cpp": f"#include <cuda_runtime_api.h>\n{wraps}{use}\n"})
    findings = pipeline.scan(tmp_path, Config(jobs=1, cache=False)).findings
    (one,) = (one for one in findings if one.position.line == 3)
    assert (one.rule, one.fix) == ("build/pasted-beside", None)


@pytest.mark.parametrize(("spelled", "rules"), [("p_cudaFree(0);", ["build/pasted-beside"]), ("", ["api/cudaFree"])])
def test_a_list_that_calls_its_parameter(tmp_path: Path, spelled: str, rules: list[str]) -> None:
    """The macro that pastes is given to the list, which may be in another file."""
    head = "#include <cuda_runtime_api.h>\n#define ALL(X) X(cudaFree)\n#define DECLARE(f) extern void *p_##f;\n"
    use = f'#include "list.h"\nALL(DECLARE)\nvoid go() {{ {spelled} }}\n'
    written(tmp_path, {"list.h": head, "run.cpp": use})
    findings = pipeline.scan(tmp_path, Config(jobs=1, cache=False)).findings
    assert [one.rule for one in findings if one.path == "list.h" and one.position.line == 2] == rules


def test_one_that_is_not_changes_with_its_piece(tmp_path: Path) -> None:
    (one,) = found(tmp_path, "LOAD(cudaMalloc);")
    assert one.rule == "api/cudaMalloc" and one.fix is not None


VOTES = """#pragma once
#define LANE (threadIdx.x & 31)
#define VOTE(kind, p) __##kind##_sync(0xffffffffu, (p))
#define FREE(kind, p) cu##kind##_v2(p)
"""


@pytest.mark.parametrize(("use", "said"), [("VOTE(ballot, 1)", []), ("FREE(MemFree, 1)", ["build/pasted-use"])])
def test_what_a_macro_s_own_finding_answers_is_not_said_at_each_use(tmp_path: Path, use: str, said: list[str]) -> None:
    """A lane call made of pieces is converted where the macro makes it, for all uses."""
    kernel = f'#include "vote.h"\n__global__ void k(unsigned *a) {{ a[0] = {use}; }}\n'
    written(tmp_path, {"vote.h": VOTES, "run.cu": kernel})
    findings = pipeline.scan(tmp_path, Config(jobs=1, cache=False)).findings
    assert [one.rule for one in findings if one.rule in RULES] == said
    assert any(one.rule == "warp/pasted-name" and one.fix is not None for one in findings)


@pytest.mark.parametrize(("given", "unknown"), [("cudaMemset", 0), ("cudaMemcpy", 1)])
def test_a_name_that_a_macro_makes_is_not_unknown(tmp_path: Path, given: str, unknown: int) -> None:
    says = "#pragma once\n#include <cuda_runtime.h>\n#define SAYS(op) static const char *op##Note() { return #op; }\n"
    code = f'#include "says.h"\nSAYS({given})\nconst char *f() {{ return cudaMemsetNote(); }}\n'
    written(tmp_path, {"says.h": says, "run.cu": code})
    rules = [one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings]
    assert rules.count("library/unknown-name") == unknown
