"""What `apply` says where no file changes: why, and what the type check showed, or that there was none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from command_line import run
from porttrees import BRANCHES, BUILD, KERNEL, written

from cudamigrate import pipeline
from cudamigrate.cli import apply_command
from cudamigrate.config import Config
from cudamigrate.reporting.formats import text
from cudamigrate.reporting.headline import sentence

SETUP = (
    "from setuptools import setup\nfrom torch.utils.cpp_extension import BuildExtension, CUDAExtension\n"
    'setup(ext_modules=[CUDAExtension("k", ["k.cu"])], cmdclass={"build_ext": BuildExtension})\n'
)
RENAMED = "#include <cuda_runtime.h>\n__global__ void k(int *a) { *a = 1; }\nvoid f(void *p) { cudaFree(p); }\n"
LEFT = "#include <hip/hip_runtime.h>\n__global__ void k(int *a) { *a = 1; }\nvoid f() { cudnnFind(); }\n"
NONE = "No file was changed, so nothing was type-checked"


@pytest.mark.parametrize(
    ("files", "options", "said", "judged"),
    [
        pytest.param(
            {"setup.py": SETUP, "k.cu": RENAMED}, (), "PyTorch's build of the extension renames", True, id="torch"
        ),
        pytest.param({"k.cu": LEFT}, (), "no safe fix applies", False, id="nothing is safe"),
        pytest.param({"k.cu": LEFT}, ("--no-verify",), "no safe fix applies", None, id="no check is wanted"),
        pytest.param({"k.txt": LEFT}, (), "no safe fix applies", None, id="no code"),
    ],
)
def test_where_no_file_changes(
    tmp_path: Path, files: dict[str, str], options: tuple[str, ...], said: str, judged: bool | None
) -> None:
    tree = written(tmp_path / "tree", files)
    done = run("apply", tree, "--output", tmp_path / "out", *options)
    assert f"Nothing to change: {said}" in done.stdout
    assert ("1 type-checks" in done.stderr or "1 file judged" in done.stderr) is (judged is True)
    assert (NONE in done.stderr) is (judged is False)


@pytest.mark.parametrize("folder", ["third_party/knn", "knn"])
def test_code_that_was_passed_over_as_vendored_is_said_to_be(tmp_path: Path, folder: str) -> None:
    tree = written(tmp_path / "tree", {f"{folder}/k.cu": RENAMED, "a.cu": LEFT, "Makefile": "NVCC = nvcc\n"})
    report = tmp_path / "report.md"
    done = run("apply", tree, "--output", tmp_path / "out", "--report", report, "--no-verify")
    said = "1 file in vendored folders skipped: third_party/ 1 (--vendored enters them)."
    assert (said in done.stderr) is folder.startswith("third_party")
    text = report.read_text().replace("\\", "")
    assert ("in vendored folders skipped" in text) is folder.startswith("third_party")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            "cuda_compile_ptx(O k.cu)",
            "2 CMake files stay for CUDA: CMakeLists.txt, src/CMakeLists.txt. CMakeLists.txt:3: ",
        ),
        ("cuda_add_library(k k.cu)", ""),
    ],
)
def test_build_files_that_stay_for_cuda_are_named_once(tmp_path: Path, call: str, said: str) -> None:
    top = f"project(a)\nfind_package(CUDA)\n{call}\nadd_subdirectory(src)\n"
    files = {"CMakeLists.txt": top, "src/CMakeLists.txt": "cuda_add_library(l l.cu)\n", "k.cu": RENAMED}
    done = run("apply", written(tmp_path / "tree", files), "--output", tmp_path / "out", "--no-verify")
    assert (said in done.stderr) if said else ("for CUDA" not in done.stderr)
    assert done.stderr.count("`cuda_compile_ptx` has no equivalent") == bool(said)


@pytest.mark.parametrize(("setup", "said"), [(SETUP, True), ("from setuptools import setup\nsetup()\n", False)])
def test_fixes_that_the_build_makes_are_counted_apart(tmp_path: Path, setup: str, said: bool) -> None:
    files = {"setup.py": setup, "k.cu": RENAMED}
    done = run("apply", written(tmp_path / "tree", files), "--output", tmp_path / "out", "--no-verify")
    assert ("2 automatic fixes needed no change: PyTorch's build makes them" in done.stderr) is said
    assert ("0 fixes applied" in done.stderr) is said


def test_fixes_that_the_build_makes_are_no_applied_ones_of_a_file_that_changes_otherwise(tmp_path: Path) -> None:
    code = RENAMED + "#if defined(__CUDACC__)\n#define BOTH __host__ __device__\n#else\n#define BOTH\n#endif\n"
    files = {"setup.py": SETUP, "k.cu": code}
    done = run("apply", written(tmp_path / "tree", files), "--output", tmp_path / "out", "--no-verify")
    assert "1 file changed, 1 fix applied. 3 findings: 3 automatic" in done.stderr
    assert "2 automatic fixes needed no change: PyTorch's build makes them" in done.stderr


@pytest.mark.parametrize(("rule", "said"), [("verify/unforeseen", True), ("api/cudaFree", False)])
def test_findings_of_the_type_check_are_counted_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rule: str, said: bool
) -> None:
    """`scan` runs none, so that its number is the lower one."""
    applied = pipeline.apply(written(tmp_path, {"k.cu": RENAMED}), Config(jobs=1))
    first, *rest = applied.report.findings
    final = replace(applied.report, findings=(replace(first, rule=rule), *rest))
    apply_command._print_summary(applied, final, None, proven=False)
    assert ("`scan` does not run, found 1 of them (verify/unforeseen)" in capsys.readouterr().err) is said


@pytest.mark.parametrize("kernel", ['__global__ void k(int *a) { asm("bar.arrive 1, 2;"); }\n', ""])
def test_a_port_without_gaps_is_said_to_be_what_scan_says(tmp_path: Path, kernel: str) -> None:
    """Places of which no build shows whether HIP compiles them are in the sentence, which a terminal does not cut."""
    build = BUILD % "  set_source_files_properties(a.cu PROPERTIES LANGUAGE HIP)\n" + "add_library(l a.cu)\n"
    more = {"b.cu": "#include <cuda_runtime.h>\n" + kernel} if kernel else {}
    tree = written(tmp_path / "tree", {"a.cu": BRANCHES % "LIB_AMD" + KERNEL, "CMakeLists.txt": build, **more})
    report = pipeline.scan(tree, Config(jobs=1))
    done = run("apply", tree, "--output", tmp_path / "out", "--no-verify")
    assert f"Nothing to change. {sentence(report)}" in done.stdout
    assert ("could not be judged" in done.stdout) is bool(kernel)
    for columns in (80, 100):
        shown = " ".join(text.render(report, width=columns).split())
        assert sentence(report) in shown
        assert ("Nothing that needs to change was found in what could be judged." in shown) is bool(kernel)


@pytest.mark.parametrize("unseen", [True, False])
def test_beside_the_gaps_of_a_port_are_places_that_could_not_be_judged(tmp_path: Path, unseen: bool) -> None:
    build = BUILD % "  set_source_files_properties(a.cu PROPERTIES LANGUAGE HIP)\n" + "add_library(l a.cu)\n"
    asm = '__global__ void more(int *a) { asm("bar.arrive 1, 2;"); }\n'
    more = {"b.cu": "#include <cuda_runtime.h>\n" + asm} if unseen else {}
    tree = written(tmp_path / "tree", {"a.cu": BRANCHES % "LIB_AMD" + KERNEL + asm, "CMakeLists.txt": build, **more})
    done = run("apply", tree, "--output", tmp_path / "out", "--no-verify")
    said = sentence(pipeline.scan(tree, Config(jobs=1)))
    assert "1 gap is left" in said and "its 1 gap needs manual work" in done.stdout
    assert ("could not be judged" in said, "could not be judged" in done.stdout) == (unseen, unseen)
