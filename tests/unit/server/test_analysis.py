"""The text in an editor, whatever it holds: problems, edits by whole lines, and pages on names."""

from __future__ import annotations

import pytest
from gitrepo import write

from cudamigrate.errors import ConfigError
from cudamigrate.server import analysis

SOURCE = "#include <cuda_runtime.h>\nvoid f(void **p) { cudaMalloc(p, 4); }\n"


def edited(text, changes):
    lines = analysis.lines(text)
    for change in reversed(changes):
        lines[change.start : change.end] = [change.text]
    return "".join(lines)


@pytest.mark.parametrize(
    "text",
    [
        SOURCE,
        SOURCE.replace("\n", "\r\n"),
        "\f" + SOURCE + "\f\n",
        SOURCE.rstrip("\n"),
        "\ufeff" + SOURCE,
        "// \u2028\n" + SOURCE,
    ],
    ids=["plain", "crlf", "form feed", "no last line end", "mark", "line separator"],
)
def test_edits_by_lines_make_what_the_fixes_make(tmp_path, text):
    found = analysis.analyse(tmp_path / "a.cu", text)
    assert {one.rule for one in found.problems} == {"api/cuda_runtime.h", "api/cudaMalloc"}
    expected = text.replace("cuda_runtime.h", "hip/hip_runtime.h").replace("cudaMalloc", "hipMalloc")
    assert edited(text, found.changes(found.fixable())) == expected
    assert "".join(analysis.lines(text)) == text


def test_build_files_are_read_too(tmp_path):
    text = "cmake_minimum_required(VERSION 3.20)\nproject(x LANGUAGES CXX CUDA)\n"
    found = analysis.analyse(tmp_path / "CMakeLists.txt", text)
    assert found.source.language == "cmake" and any(one.position.line == 2 for one in found.problems)


def test_the_configuration_of_the_project_holds(tmp_path):
    write(tmp_path, {".cudamigrate.toml": 'exclude = ["old/"]\noutcomes = ["wrong-result"]\n'})
    assert analysis.analyse(tmp_path / "old" / "a.cu", SOURCE) is None
    assert analysis.analyse(tmp_path / "new" / "a.cu", SOURCE).problems == []
    write(tmp_path, {".cudamigrate.toml": "no-such-key = 1\n"})
    with pytest.raises(ConfigError, match="no-such-key"):
        analysis.analyse(tmp_path / "a.cu", SOURCE)


def test_a_file_too_large_or_of_another_kind_is_not_read(tmp_path):
    write(tmp_path, {".cudamigrate.toml": "max-file-size = 20\n"})
    assert analysis.analyse(tmp_path / "a.cu", SOURCE) is None
    assert analysis.analyse(tmp_path / "a.txt", "cudaMalloc") is None


def test_a_page_for_a_problem_for_a_name_and_none_for_other_words(tmp_path):
    text = SOURCE + "int warp = 3; // cudaMemcpyToSymbol\n"
    found = analysis.analyse(tmp_path / "a.cu", text)
    page, start, end = analysis.meaning(found, 1, 22)
    assert text.splitlines()[1][start:end] == "cudaMalloc(p, 4)" and "hipMalloc" in page
    page, start, end = analysis.meaning(found, 2, 20)
    assert text.splitlines()[2][start:end] == "cudaMemcpyToSymbol" and "hipMemcpyToSymbol" in page
    assert analysis.meaning(found, 2, 5) is None and analysis.meaning(found, 2, 12) is None


def test_a_fix_that_holds_with_others_is_made_with_them(tmp_path):
    text = (
        "#include <cuda_runtime.h>\n__global__ void k(float *v) {\n  float x = v[threadIdx.x];\n"
        "  for (int o = 16; o > 0; o /= 2) x += __shfl_down_sync(0xffffffff, x, o);\n  v[0] = x;\n}\n"
    )
    found = analysis.analyse(tmp_path / "a.cu", text)
    grouped = [one for one in found.problems if one.fix is not None and one.fix.group]
    assert grouped
    for finding in grouped:
        partners = found.together(finding)
        assert finding in partners and {one.fix.group for one in partners} == {finding.fix.group}
    single = next(one for one in found.problems if one.fix is not None and not one.fix.group)
    assert found.together(single) == [single]


def test_a_fix_that_needs_a_header_of_ours_is_left_to_apply(tmp_path):
    body = 'unsigned r; asm("mov.u32 %0, %laneid;" : "=r"(r)); return r;'
    found = analysis.analyse(tmp_path / "a.cu", f"#include <hip/hip_runtime.h>\n__device__ unsigned f() {{ {body} }}\n")
    (problem,) = found.problems
    assert problem.fix is not None and problem.fix.safety == "safe"
    assert found.changes([problem]) == ()
