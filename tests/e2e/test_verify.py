"""Verification as a user meets it: `verify`, and the verdict at the end of `apply`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import command_line
import pytest

from cudamigrate.model import Target
from cudamigrate.verification import run as verify

SOURCE = """\
#include <cuda_runtime.h>

__global__ void scale(float *data, float factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= factor;
}

void run(float *data, int n) {
    scale<<<(n + 255) / 256, 256>>>(data, 2.0f, n);
    cudaDeviceSynchronize();
}
"""
WRONG = "#include <hip/hip_runtime.h>\nvoid f() {\n    hipNoSuchCall();\n}\n"


@pytest.fixture
def engine() -> str:
    found = verify.toolchain("clang", Target())
    if isinstance(found, str):
        pytest.skip(found)
    return "clang"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of these tests alone: nothing that another version of the tool has kept is found in it."""
    return tmp_path_factory.mktemp("cache")


def run(cache: Path, *words: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return command_line.run(*words, cwd=cwd, env={**os.environ, "XDG_CACHE_HOME": str(cache)})


def test_apply_ends_with_a_verdict_on_what_it_made(tmp_path: Path, cache: Path, engine: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "scale.cu").write_text(SOURCE)
    done = run(cache, "apply", tmp_path / "in", "-o", tmp_path / "out", "--engine", engine)
    assert done.returncode == 0, done.stderr
    assert "1 file judged for gfx942 by clang" in done.stderr and "1 type-checks" in done.stderr
    plain = run(cache, "apply", tmp_path / "in", "-o", tmp_path / "out2", "--no-verify")
    assert "judged" not in plain.stderr
    assert (tmp_path / "out2" / "scale.cu").read_bytes() == (tmp_path / "out" / "scale.cu").read_bytes()


def test_verify_judges_a_converted_tree(tmp_path: Path, cache: Path, engine: str) -> None:
    (tmp_path / "wrong.cu").write_text(WRONG)
    (tmp_path / "host.cpp").write_text("int main() { return 0; }\n")
    done = run(cache, "verify", tmp_path, "--engine", engine)
    assert done.returncode == 1
    assert "wrong.cu:3:5: use of undeclared identifier 'hipNoSuchCall'" in done.stdout
    assert "host.cpp" not in done.stdout


def test_an_extension_is_judged_as_pytorch_builds_it(tmp_path: Path, cache: Path, engine: str) -> None:
    """Its build renames CUDA's names, and gives `.cpp` to the host's compiler, which has no device functions."""
    (tmp_path / "in").mkdir()
    launcher = "#ifdef __HIPCC__\n#error device code\n#endif\n#include <cuda_runtime.h>\n" + (
        "void wait(cudaStream_t s) { cudaStreamSynchronize(s); }\n"
    )
    setup = "from torch.utils.cpp_extension import CUDAExtension\nmodule = CUDAExtension('e', ['a.cu', 'b.cpp'])\n"
    vote = SOURCE.replace("if (i < n)", "if (__any_sync(~0u, i < n))")
    for name, text in (("a.cu", vote), ("b.cpp", launcher), ("setup.py", setup)):
        (tmp_path / "in" / name).write_text(text)
    made = run(cache, "apply", tmp_path / "in", "-o", tmp_path / "out", "--engine", engine)
    assert "Style: portable" in made.stderr and "2 type-check" in made.stderr, made.stderr
    judged = run(cache, "verify", tmp_path / "out", "--engine", engine)
    assert judged.returncode == 0 and "2 type-check" in judged.stdout, judged.stdout


def test_verify_writes_json(tmp_path: Path, cache: Path, engine: str) -> None:
    (tmp_path / "wrong.cu").write_text(WRONG)
    done = run(cache, "verify", tmp_path, "--engine", engine, "--format", "json", "-o", tmp_path / "v.json")
    assert done.returncode == 1
    data = json.loads((tmp_path / "v.json").read_text())
    assert data["schema"] == "cudamigrate-verdict/1" and data["files"][0]["verdict"] == "failed"


def test_what_is_missing_is_reported_and_is_no_proof(tmp_path: Path, cache: Path, engine: str) -> None:
    (tmp_path / "a.cu").write_text('#include <hip/hip_runtime.h>\n#include "nowhere/at_all.h"\n')
    done = run(cache, "verify", tmp_path, "--engine", engine)
    assert done.returncode == 3
    assert "1 file not judged for lack of nowhere/at_all.h: a.cu" in done.stdout


def test_files_that_cannot_be_read_are_named(tmp_path: Path, cache: Path, engine: str) -> None:
    (tmp_path / "a.cu").write_text(SOURCE.replace("cuda_runtime.h", "hip/hip_runtime.h").replace("cuda", "hip"))
    (tmp_path / "broken.cu").write_bytes(b"\0\xff")
    (tmp_path / "huge.cu").write_bytes(b"// padding\n" * 300_000)
    done = run(cache, "verify", tmp_path, "--engine", engine)
    assert done.returncode == 3
    assert "not judged (binary data" in done.stdout and "broken.cu" in done.stdout and "huge.cu" in done.stdout


def test_macros_and_folders_can_be_given(tmp_path: Path, cache: Path, engine: str) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "size.h").write_text("constexpr int size = SIZE;\n")
    (tmp_path / "tree" / "a.cu").write_text("#include <hip/hip_runtime.h>\n#include <size.h>\nint a[size];\n")
    words = ["verify", tmp_path / "tree", "--engine", engine]
    assert run(cache, *words).returncode == 3
    assert run(cache, *words, "-I", tmp_path / "inc", "-D", "SIZE=4", "--std", "c++20").returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "nowhere does not exist"),
        ([".", "--engine", "gcc"], "no engine is called 'gcc'; engines: auto, clang, hipcc"),
        ([".", "--std", "17"], "--standard must be a C++ standard such as `c++17`"),
        ([".", "--format", "html"], "no format is called 'html'"),
    ],
)
def test_wrong_arguments_get_one_line(tmp_path: Path, cache: Path, words: list[str], said: str) -> None:
    done = run(cache, "verify", *words, cwd=tmp_path)
    assert done.returncode == 2
    (line,) = done.stderr.strip().splitlines()
    assert said in line


def test_original_code_is_judged_with_cudas_headers(tmp_path: Path, cache: Path) -> None:
    from cudamigrate.compilation.engines import clang

    found = clang.find_original()
    if isinstance(found, str):
        pytest.skip(found)
    (tmp_path / "scale.cu").write_text(SOURCE)
    (tmp_path / "never.cu").write_text(SOURCE.replace("cudaDeviceSynchronize", "cudaNoSuchCall"))
    done = run(cache, "verify", "--original", tmp_path)
    assert "never.cu:10:5: use of undeclared identifier 'cudaNoSuchCall'" in done.stdout
    assert "1 type-checks" in done.stdout and done.returncode == 1
    report = tmp_path.with_name("report.json")
    applied = run(cache, "apply", tmp_path, "--output", tmp_path.with_name("out"), "--report", report)
    assert "never.cu:10:5" in applied.stderr and "Nor does clang compile the originals of 1 file" in applied.stderr
    found = [
        finding for finding in json.loads(report.read_text())["findings"] if finding["rule"] == "verify/unforeseen"
    ]
    assert [(finding["path"], finding["line"]) for finding in found] in ([], [("never.cu", 10)])
    (tmp_path / "Makefile").write_text("scale: scale.cu\n\tnvcc -o scale scale.cu\n")
    applied = run(cache, "apply", tmp_path, "--output", tmp_path.with_name("again"))
    assert "1 file not judged (no build file names it, nor does clang compile its original): never.cu" in applied.stderr
    (tmp_path / "build.rs").write_text('fn main() { run("nvcc", &["-rdc=true", "never.cu"]); }\n')
    applied = run(cache, "apply", tmp_path, "--output", tmp_path.with_name("named"))
    assert "no build file names it" not in applied.stderr and "never.cu:10:5" in applied.stderr


def test_a_link_to_a_file_elsewhere_is_no_failure(tmp_path: Path, cache: Path, engine: str) -> None:
    (tmp_path / "kept.h").write_text("#pragma once\n#include <hip/hip_runtime.h>\n")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "kept.h").symlink_to(tmp_path / "kept.h")
    (tree / "scale.cu").write_text('#include "kept.h"\n__global__ void scale(float *data) { *data *= 2; }\n')
    done = run(cache, "verify", tree, "--engine", engine)
    assert done.returncode == 0, done.stderr
    assert "1 type-checks" in done.stdout + done.stderr
    assert "unresolved" not in done.stdout + done.stderr


def test_a_header_that_the_build_writes_is_made_from_its_template(tmp_path: Path, cache: Path, engine: str) -> None:
    files = {
        "CMakeLists.txt": "option(OWN_FAST quick ON)\nadd_compile_definitions(OWN_ARCH=${ARCH})\n",
        "given.cu": "#define _AT(a) at_##a\n#define AT(a) _AT(a)\nint a = AT(OWN_ARCH);\n",
        "cmake/own.h.in": "#cmakedefine OWN_FAST\n#cmakedefine01 OWN_FOUND\n#define OWN_STEPS @STEPS@\n",
        "known.cu": "#include <own/own.h>\n#ifdef OWN_FAST\nint quick() { return 1; }\n#endif\nint a = quick();\n",
        "open.cu": "#include <own/own.h>\nint steps[OWN_STEPS ? 1 : -1];\n",
        "asks.cu": "#include <own/own.h>\nint a = OWN_FOUND;\n",
        "wrong.cu": "#include <own/own.h>\nint a = slow();\n",
    }
    for name, text in files.items():
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text(text)
    done = run(cache, "verify", tmp_path / "tree", "--engine", engine, "--format", "json")
    found = {one["path"]: one for one in json.loads(done.stdout)["files"]}
    assert {path: one["verdict"] for path, one in found.items()} == {
        "asks.cu": "declarations",
        "given.cu": "unresolved",
        "known.cu": "checked",
        "open.cu": "unresolved",
        "wrong.cu": "failed",
    }
    assert found["open.cu"]["headers"] == ["cmake/own/own.h, which the build writes"]
    assert found["given.cu"]["headers"] == ["the value of OWN_ARCH, which the build gives"]


def test_an_error_that_the_move_made_is_charged_to_it_though_the_original_fails_for_another(
    tmp_path: Path, cache: Path
) -> None:
    from cudamigrate.compilation.engines import clang

    found = clang.find_original()
    if isinstance(found, str):
        pytest.skip(found)
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "CMakeLists.txt").write_text(
        "project(a CUDA)\nset(CMAKE_CUDA_STANDARD 11)\nadd_executable(a a.cu older.cu)\n"
    )
    (tree / "a.cu").write_text(
        "#include <cuda.h>\n#include <cuda_runtime.h>\n__global__ void fill(int *p) { *p = 1; }\n"
        "struct Range { CUdeviceptr at; };\nCUdeviceptr last(Range r) { return (r.at * 2) & 3; }\n"
        "int broken = NOTHING_HAS_THIS;\n"
    )
    (tree / "older.cu").write_text(
        "#include <cuda_runtime.h>\n#include <iterator>\nusing namespace std;\nint *data;\n"
        "__global__ void fill(int *p) { *p = 1; }\nvoid run() { data = nullptr; cudaDeviceSynchronize(); }\n"
    )
    report = tmp_path / "report.json"
    applied = run(cache, "apply", tree, "--output", tmp_path / "out", "--report", report)
    rows = [row for row in json.loads(report.read_text())["findings"] if row["rule"] == "verify/unforeseen"]
    assert {(row["path"], row["line"]) for row in rows} == {("a.cu", 5), ("older.cu", 6)}
    assert "build files name gnu++11" in next(row["message"] for row in rows if row["path"] == "older.cu")
    assert "'NOTHING_HAS_THIS' [device" in applied.stderr and "Nor is it declared in its original" in applied.stderr
