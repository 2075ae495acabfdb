"""How a project is built and tested is read from its build files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gitrepo import write

from cudamigrate.handover import build_steps
from cudamigrate.handover.build_steps import Steps


def steps(root: Path, files: Mapping[str, bytes | str], converted: Mapping[str, bytes] | None = None) -> list[Steps]:
    write(root, files)
    return build_steps.of(root, files, converted or {}, ("gfx90a", "gfx942"))


def test_cmake_with_and_without_tests(tmp_path: Path) -> None:
    found = steps(tmp_path, {"src/deep/CMakeLists.txt": "", "src/CMakeLists.txt": "project(a)\n"})
    assert found[0].build[0].startswith("cmake -S src -B build ")
    assert '-DCMAKE_HIP_ARCHITECTURES="gfx90a;gfx942"' in found[0].build[0]
    assert found[0].test == ()
    assert steps(tmp_path, {"src/CMakeLists.txt": "# enable_testing()\n"})[0].test == ()
    tested = steps(tmp_path, {"src/CMakeLists.txt": ""}, {"src/CMakeLists.txt": b"Enable_Testing()\n"})
    assert tested[0].test == ("ctest --test-dir build --output-on-failure",)


def test_kernels_are_optimised_where_the_project_chooses_no_kind_of_build(tmp_path: Path) -> None:
    plain = steps(tmp_path, {"CMakeLists.txt": "project(a)\nadd_subdirectory(x)\n", "x/CMakeLists.txt": ""})
    assert plain[0].build[0].endswith(" -DCMAKE_BUILD_TYPE=Release")
    chosen = steps(tmp_path, {"x/CMakeLists.txt": "if(NOT CMAKE_BUILD_TYPE)\nendif()\n"})
    assert "CMAKE_BUILD_TYPE" not in chosen[0].build[0]


def test_an_extension_of_pytorch_comes_first(tmp_path: Path) -> None:
    files = {
        "setup.py": "from torch.utils.cpp_extension import CUDAExtension\n",
        "CMakeLists.txt": "",
        "tests/a.py": "",
    }
    first, second = steps(tmp_path, files)
    assert first.build == ('PYTORCH_ROCM_ARCH="gfx90a;gfx942" python -m pip install --no-build-isolation -v .',)
    assert first.test == ("python -m pytest",)
    assert second.title == "CMake (CMakeLists.txt)"


def test_make_with_its_own_test_target(tmp_path: Path) -> None:
    assert steps(tmp_path, {"Makefile": "all: a\ncheck: a\n\t./a\n"}) == [
        Steps("Make (Makefile)", ("make",), ("make check",))
    ]
    assert steps(tmp_path, {"x/Makefile": "test := a\n"}) == [Steps("Make (x/Makefile)", ("make -C x",), ())]
    assert steps(tmp_path, {"a.cu": ""}) == []


def test_a_folder_is_one_word_whatever_it_is_called(tmp_path: Path) -> None:
    found = steps(tmp_path, {"my $(code)/CMakeLists.txt": "", "my $(code)/Makefile": "all:\n"})
    assert [one.build[0].partition(" -B")[0] for one in found] == ["cmake -S 'my $(code)'", "make -C 'my $(code)'"]
