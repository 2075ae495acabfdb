"""Files that a build makes sources of are read, whatever they end in; others with code for CUDA are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.cli.console import finish
from cudamigrate.config import Config
from cudamigrate.model import Report
from cudamigrate.pipeline.run import apply, scan
from cudamigrate.reporting.basis import basis

USES = "#include <cuda_runtime.h>\nvoid f(int *a) { cudaFree(a); }\n"
KERNEL = "__global__ void k(int *a) { a[0] = 1; }\n"


def report(root: Path, files: dict[str, str]) -> Report:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return scan(root, Config())


def languages(found: Report) -> dict[str, str]:
    """The languages of the code that was read, by path."""
    return {one.path: one.language for one in found.files if one.language in ("cuda", "cxx")}


@pytest.mark.parametrize(
    ("build", "text", "path", "language"),
    [
        ("Makefile", "link:\n\tln -sf run.cpp.Cuda $(SRC)/run.cpp\n", "host/src/run.cpp.Cuda", "cxx"),
        ("Makefile.Cuda", "link:\n\t@cp -f $(SRC)/run.cu.Cuda $(SRC)/run.cu\n", "host/src/run.cu.Cuda", "cuda"),
        ("Makefile", "run.cu: run.cu.tm\n\t./fill $< > $@\n", "run.cu.tm", "cuda"),
        ("Makefile", "all:\n\tsed -e s/A/B/ run.tmpl > run.cu\n", "run.tmpl", "cuda"),
        ("build.sh", "cd src && ln -s k.cuda_body \\\n  k.cu\n", "k.cuda_body", "cuda"),
        (
            "CMakeLists.txt",
            "configure_file(${CMAKE_CURRENT_SOURCE_DIR}/k.cuh.template\n  ${CMAKE_CURRENT_BINARY_DIR}/k.cuh @ONLY)\n",
            "k.cuh.template",
            "cuda",
        ),
        ("CMakeLists.txt", "configure_file(${CMAKE_SOURCE_DIR}/in/c.hpp.cmake c.hpp)\n", "in/c.hpp.cmake", "cxx"),
        ("CMakeLists.txt", "configure_file(${T}_k.cu.tmpl ${T}_k.cu)\n", "src/float_k.cu.tmpl", "cuda"),
        (
            "CMakeLists.txt",
            "add_custom_command(OUTPUT k.cu COMMAND ${CMAKE_COMMAND} -E copy ${S}/k.cu.gen k.cu)\n",
            "src/k.cu.gen",
            "cuda",
        ),
        ("setup.py", 'import shutil\nshutil.copy("src/k.cu.tmpl", "src/k.cu")\n', "src/k.cu.tmpl", "cuda"),
    ],
)
def test_what_a_build_gives_the_name_of_a_source_is_one(
    tmp_path: Path, build: str, text: str, path: str, language: str
) -> None:
    found = report(tmp_path, {build: text, path: USES})
    assert languages(found) == {path: language}
    assert any(one.path == path for one in found.findings)


def test_it_is_converted(tmp_path: Path) -> None:
    report(tmp_path, {"Makefile": "link:\n\tln -sf run.cpp.Cuda src/run.cpp\n", "src/run.cpp.Cuda": USES})
    made = {one.path: one.after for one in apply(tmp_path, Config()).conversions}
    assert b"hipFree(a)" in made["src/run.cpp.Cuda"]


@pytest.mark.parametrize(
    ("text", "path", "body"),
    [
        ("link:\n\tln -sf run.cpp.OpenCL src/run.cpp\n", "src/run.cpp.OpenCL", "int main() { return 0; }\n"),
        ("put:\n\tcp notes.txt doc/notes.md\n", "notes.txt", USES),
        ("run.cu: run.y\n\tbison run.y\n", "run.y", "%{\n" + USES),
    ],
)
def test_what_has_no_code_for_cuda_or_becomes_no_source_is_not_read(
    tmp_path: Path, text: str, path: str, body: str
) -> None:
    found = report(tmp_path, {"Makefile": text, path: body, "a.cu": KERNEL})
    assert languages(found) == {"a.cu": "cuda"}
    assert not any(skip.path == path for skip in found.skipped)


def test_code_for_cuda_that_no_build_names_is_said_to_be_not_read(tmp_path: Path) -> None:
    found = report(tmp_path, {"a.cu": KERNEL, "b.cu.orig": KERNEL, "c.cpp.old": "int c;\n", "d.txt": USES})
    assert languages(found) == {"a.cu": "cuda"}
    assert [(skip.path, skip.kind) for skip in found.skipped] == [("b.cu.orig", "aside")]
    assert any(line.startswith("Not read: b.cu.orig: ") for line in basis(found))


@pytest.mark.parametrize(
    ("name", "code"),
    [("b.cu.bk", 0), ("b.cu.md", 0), ("b.h.OLD", 0), ("a.cu.aside", 0), ("b.cu.aside", 3), ("a.cu.tmpl", 3)],
)
def test_a_file_set_aside_is_no_partial_result_and_a_template_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, code: int
) -> None:
    found = report(tmp_path, {"a.cu": KERNEL, name: KERNEL})
    assert finish(found.skipped) == code
    assert f"{name}: skipped (" in capsys.readouterr().err


def test_many_of_one_ending_are_named_together(tmp_path: Path) -> None:
    found = report(tmp_path, {"a.cu": KERNEL} | {f"{at}.cu.orig": KERNEL for at in range(9)})
    assert [skip.path for skip in found.skipped] == ["0.cu.orig"]
    assert "so are 8 other files" in found.skipped[0].reason


@pytest.mark.parametrize(
    "command",
    ["configure_file(c.hpp.cmake c.cmake)\n", "include(c.hpp.cmake)\n", "configure_file(other.hpp.cmake c.hpp)\n"],
)
def test_a_file_of_cmakes_that_becomes_no_source_stays_one(command: str, tmp_path: Path) -> None:
    found = report(tmp_path, {"CMakeLists.txt": command, "c.hpp.cmake": USES, "a.cu": KERNEL})
    assert languages(found) == {"a.cu": "cuda"}
    assert next(one.language for one in found.files if one.path == "c.hpp.cmake") == "cmake"
