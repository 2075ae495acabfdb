"""How a file's includes are followed, and what flags come of them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from cudamigrate.compilation import build_flags
from cudamigrate.compilation.build_flags import Project
from cudamigrate.compilation.build_settings import Settings
from cudamigrate.compilation.include_closure import IncludeResolver, headers
from cudamigrate.model.verification import Flags

HALF = "__HIP_NO_HALF_CONVERSIONS__=1"


def tree(root: Path, files: Mapping[str, str], **more: object) -> IncludeResolver:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    given: dict[str, object] = {"guards": frozenset((b"USE_ROCM", b"MY_HIP")), **more}
    return IncludeResolver(
        root=str(root),
        project=build_flags.read(root),
        system=(str(root / ".system"),),
        read=lambda path: (root / path).read_bytes() if (root / path).exists() else b"",
        paths=headers(root),
        **given,  # type: ignore[arg-type]
    )


def folders(root: Path, flags: Flags) -> list[str]:
    return [Path(folder).relative_to(root).as_posix() for folder in flags.includes]


def test_a_header_beside_its_includer_needs_no_folder(tmp_path: Path) -> None:
    flags = tree(tmp_path, {"src/a.cu": '#include "b.cuh"', "src/b.cuh": ""}).flags("src/a.cu")
    assert (flags.includes, flags.standard, flags.source) == ((), "gnu++17", "the tree")


def test_the_folder_of_a_header_comes_from_the_tree(tmp_path: Path) -> None:
    files = {"src/a.cu": "#include <app/b.h>", "lib/include/app/b.h": '#include "c.h"', "lib/detail/c.h": ""}
    assert folders(tmp_path, tree(tmp_path, files).flags("src/a.cu")) == ["lib/include", "lib/detail"]


def test_of_several_headers_of_a_name_the_nearest_counts(tmp_path: Path) -> None:
    files = {"one/src/a.cu": '#include "x/b.h"', "one/inc/x/b.h": "", "two/inc/x/b.h": ""}
    assert folders(tmp_path, tree(tmp_path, files).flags("one/src/a.cu")) == ["one/inc"]


def test_a_header_of_the_toolchain_is_not_taken_from_the_tree(tmp_path: Path) -> None:
    files = {"a.cu": "#include <hip/x.h>\n#include <other.h>", "compat/hip/x.h": "", ".system/hip/x.h": ""}
    assert tree(tmp_path, files).flags("a.cu").includes == ()


def test_a_file_does_not_include_itself_by_name(tmp_path: Path) -> None:
    assert tree(tmp_path, {"src/common.h": "#include <common.h>"}).flags("src/common.h").includes == ()


def test_pytorch_brings_the_macros_of_its_own_build(tmp_path: Path) -> None:
    built = tree(tmp_path, {"a.cu": '#include "b.h"', "b.h": "#include <torch/extension.h>", "c.cu": ""})
    assert "USE_ROCM=1" in built.flags("a.cu").defines
    assert built.flags("c.cu").defines == ()


def test_a_build_takes_back_what_pytorch_gives(tmp_path: Path) -> None:
    setup = 'CUDAExtension("a", [], extra_compile_args={"nvcc": ["-U__HIP_NO_HALF_CONVERSIONS__", "-UUSE"]})\n'
    built = tree(tmp_path, {"a.cu": "#include <torch/extension.h>", "setup.py": setup}).flags("a.cu").defines
    assert "__HIP_NO_HALF_CONVERSIONS__=1" not in built
    assert {"__HIP_NO_HALF_OPERATORS__=1", "USE_ROCM=1"} <= set(built)


def test_a_program_that_includes_pytorch_is_no_extension(tmp_path: Path) -> None:
    include = "#include <torch/torch.h>\n"
    files = {"a.cu": f"{include}int main(int argc, char **argv) {{ }}\n", "b.cu": f"{include}int main_loop(int a);\n"}
    built = tree(tmp_path, files)
    assert {"USE_ROCM=1"} == {one for one in built.flags("a.cu").defines if one in ("USE_ROCM=1", HALF)}
    assert HALF in built.flags("b.cu").defines


def test_macros_that_a_project_sets_for_amd_are_set(tmp_path: Path) -> None:
    built = tree(tmp_path, {"a.cu": "#ifdef MY_HIP\n#endif", "b.cu": "#ifdef MINE\n#endif"})
    assert built.flags("a.cu").defines == ("MY_HIP",)
    assert built.flags("b.cu").defines == ()


def test_what_the_user_says_comes_first(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "Makefile").write_text("a: a.cu\n\tnvcc -DN=1 -std=c++14 a.cu\n")
    extra = Flags("c++20", ("N=2",), (str(tmp_path / "inc"),))
    flags = tree(tmp_path, {"a.cu": ""}, extra=extra).flags("a.cu")
    assert (flags.standard, flags.defines, folders(tmp_path, flags)) == ("c++20", ("N=2",), ["inc"])


def test_a_circle_of_includes_ends(tmp_path: Path) -> None:
    files = {"a.cu": '#include "b.h"', "b.h": '#include "c.h"', "c.h": '#include "b.h"'}
    assert tree(tmp_path, files).flags("a.cu").includes == ()


def test_a_header_of_a_neighbouring_project_is_not_guessed(tmp_path: Path) -> None:
    files = {"one/a.cu": '#include "b.h"', "two/b.h": "", "one/Makefile": "", "two/Makefile": ""}
    assert tree(tmp_path, files).flags("one/a.cu").includes == ()
    (tmp_path / "two" / "Makefile").unlink()
    assert folders(tmp_path, tree(tmp_path, {"one/Makefile": ""}).flags("one/a.cu")) == ["two"]


def test_projects_that_one_build_takes_in_may_have_each_others_headers(tmp_path: Path) -> None:
    lists = {f"{one}/CMakeLists.txt": f"project({one})\n" for one in ("core", "tools")}
    files = {"core/a.cu": '#include "my/b.h"', "tools/inc/my/b.h": "", **lists}
    top = {"CMakeLists.txt": "project(all)\nadd_subdirectory(core)\nadd_subdirectory(tools)\n"}
    assert folders(tmp_path, tree(tmp_path, files | top).flags("core/a.cu")) == ["tools/inc"]
    alone = {"CMakeLists.txt": "project(all)\nadd_subdirectory(docs)\n"}
    assert folders(tmp_path, tree(tmp_path, files | alone).flags("core/a.cu")) == []


@pytest.mark.parametrize(
    ("make", "more", "found"),
    [
        ("-I$(LIB_HOME)/build", {}, ["lib/build"]),
        ("-I${LIB_HOME}/build/", {}, ["lib/build"]),
        ("-I$(LIB_HOME)/include", {}, []),  # not the end of the folder
        ("-I$(LIB_HOME)/build", {"other/build/b.h": "int a;", "other/Makefile": ""}, []),  # which of them is not known
        ("-I$(SET)/build", {}, []),
    ],
)
def test_a_folder_below_what_the_environment_names_tells_which_neighbour_is_meant(
    make: str, more: dict[str, str], found: list[str], tmp_path: Path
) -> None:
    text = f"SET = /opt/lib\nifneq ($(LIB_HOME),)\nFLAGS += {make}\nendif\na: a.cu\n\tnvcc $(FLAGS) a.cu\n"
    files = {"one/a.cu": '#include "b.h"', "one/Makefile": text, "lib/build/b.h": "", "lib/Makefile": "", **more}
    assert folders(tmp_path, tree(tmp_path, files).flags("one/a.cu")) == found


def test_a_folder_below_a_variable_of_the_environment_in_cmake(tmp_path: Path) -> None:
    text = "project(a)\ninclude_directories($ENV{LIB_HOME}/build)\n"
    files = {"one/a.cu": '#include "b.h"', "lib/build/b.h": "", "lib/Makefile": ""}
    assert folders(tmp_path, tree(tmp_path, {**files, "one/CMakeLists.txt": text}).flags("one/a.cu")) == ["lib/build"]
    other = {"one/CMakeLists.txt": text.replace("build", "include")}
    assert folders(tmp_path, tree(tmp_path, other).flags("one/a.cu")) == []


@pytest.mark.parametrize(
    ("given", "spelled", "found"),
    [
        ("/home/somebody/project", "lib/b.h", [""]),
        ("/home/somebody/project/lib", "b.h", ["lib"]),
        ("/home/somebody/project", "b.h", []),  # another folder may hold that
        ("/home/somebody/library", "other/b.h", []),
        ("project", "lib/b.h", []),  # a folder of the tree that is not there
    ],
)
def test_a_folder_of_another_machine_tells_of_which_project_a_header_is(
    given: str, spelled: str, found: list[str], tmp_path: Path
) -> None:
    files = {"one/a.cu": f'#include "{spelled}"', "one/Makefile": f"a: a.cu\n\tnvcc -I{given} a.cu\n"}
    files |= {"lib/b.h": "", "lib/Makefile": ""}
    assert folders(tmp_path, tree(tmp_path, files).flags("one/a.cu")) == [one or "." for one in found]


def test_of_two_headers_that_are_as_near_and_differ_none_is_guessed(tmp_path: Path) -> None:
    files = {"src/a.cu": '#include "b.h"', "one/b.h": "int a;", "two/b.h": "int a;"}
    assert folders(tmp_path, tree(tmp_path, files).flags("src/a.cu")) == ["one"]
    assert folders(tmp_path, tree(tmp_path, files | {"two/b.h": "long a;"}).flags("src/a.cu")) == []


def test_files_that_others_include_are_no_units(tmp_path: Path) -> None:
    files = {"a.cu": '#include "src/b.cu"\n#include "a.cu"', "src/b.cu": "", "src/c.cu": "", "other/b.cu": ""}
    built = tree(tmp_path, files)
    assert built.included(["a.cu", "src/b.cu", "src/c.cu", "other/b.cu"]) == {"src/b.cu"}


def test_an_included_file_that_includes_another_is_no_unit_either(tmp_path: Path) -> None:
    files = {"main.cu": '#include "work.cu"', "work.cu": '#include "solver.cu"', "solver.cu": ""}
    assert tree(tmp_path, files).included(list(files)) == {"work.cu", "solver.cu"}


def test_pipes_and_devices_that_are_included_are_blank(tmp_path: Path) -> None:
    up = "../" * len(tmp_path.parts)
    found = tree(
        tmp_path,
        {
            "a.cu": f'#include "/dev/zero"\n#include "{up}dev/random"\n#include "b.h"\n#include "/dev/nothing"',
            "b.h": "",
        },
    )
    os.mkfifo(tmp_path / "pipe.h")
    found.paths = headers(tmp_path) | {"a.cu"}
    assert found.blanked() == {"/dev/zero": b"", "/dev/random": b"", "pipe.h": b""}


def test_a_folder_that_no_build_names_hides_no_header_of_the_system(tmp_path: Path) -> None:
    """It is searched last; one that the build names comes first, as a compiler has it."""
    system = tmp_path / "system"
    (system / "sys").mkdir(parents=True)
    (system / "sys" / "time.h").write_text("")
    root = tmp_path / "tree"
    (root / "compat" / "sys").mkdir(parents=True)
    texts = {"a.cu": '#include "own/opt.h"\n#include <sys/time.h>\n', "compat/own/opt.h": "", "compat/sys/time.h": ""}
    data = {path: text.encode() for path, text in texts.items()}

    def resolver(project: Project) -> IncludeResolver:
        return IncludeResolver(str(root), project, [str(system)], data.__getitem__, paths=frozenset(data))

    guessed, compat = resolver(Project({}, {})), str(root / "compat")
    assert (guessed.flags("a.cu").includes, guessed.flags("a.cu").after) == ((compat,), (compat,))
    assert guessed.closure("a.cu") == {"a.cu", "compat/own/opt.h"}
    named = resolver(Project({}, {str(root): Settings(includes={compat: None})}))
    assert (named.flags("a.cu").includes, named.flags("a.cu").after) == ((compat,), ())
    assert named.closure("a.cu") == set(data)


@pytest.mark.parametrize(
    ("options", "taken", "named"),
    [
        ("-std=c++11", "c++17", "c++11"),
        ("-std=c++03", "c++17", "c++03"),
        ("-std=c++20", "c++20", ""),
        ("-std=gnu++20", "gnu++20", ""),
        ("-std=gnu++14", "gnu++17", "gnu++14"),
        ("-O3", "gnu++17", ""),
    ],
)
def test_the_standard_of_the_build_is_named_where_a_newer_one_is_taken(
    tmp_path: Path, options: str, taken: str, named: str
) -> None:
    flags = tree(tmp_path, {"Makefile": f"a: a.cu\n\tnvcc {options} a.cu\n", "a.cu": "int a;\n"}).flags("a.cu")
    assert (flags.standard, flags.named) == (taken, named)


@pytest.mark.parametrize(
    ("files", "standard"),
    [
        ({"CMakeLists.txt": "set(CMAKE_CXX_STANDARD 17)\n"}, "gnu++17"),
        ({"CMakeLists.txt": "set(CMAKE_CXX_STANDARD 20)\nset(CMAKE_CXX_EXTENSIONS OFF)\n"}, "c++20"),
        ({"CMakeLists.txt": "set(CMAKE_CXX_STANDARD 20)\nset(CMAKE_CUDA_EXTENSIONS ON)\n"}, "gnu++20"),
        ({"CMakeLists.txt": 'set(CMAKE_CUDA_FLAGS "-std=c++17")\n'}, "c++17"),
        ({"CMakeLists.txt": "set(CMAKE_CXX_EXTENSIONS OFF)\n"}, "gnu++17"),
        ({"setup.py": "CUDAExtension('x', ['x.cu'], extra_compile_args=['-std=c++17'])\n"}, "c++17"),
        ({"setup.py": "CUDAExtension('x', ['x.cu'], extra_compile_args=['-std=gnu++17'])\n"}, "gnu++17"),
        ({"setup.py": "CUDAExtension('x', ['sub/a.cu'])\n"}, "c++17"),
        ({"Makefile": "F = -std=c++17\na:\n\tnvcc $(F) x.cu\n", "sub/Makefile": "a:\n\tnvcc a.cu\n"}, "gnu++17"),
        ({"Makefile": "F = -std=c++17\na:\n\tnvcc $(F) x.cu\n", "sub/Makefile": "a:\n\techo\n"}, "c++17"),
    ],
)
def test_gnus_extensions_are_there_unless_the_build_says_otherwise(
    tmp_path: Path, files: dict[str, str], standard: str
) -> None:
    assert tree(tmp_path, {**files, "sub/a.cu": "int a;\n"}, rocm="6.4").flags("sub/a.cu").standard == standard


EXTENSION = "CUDAExtension('x', ['a.cpp', 'a.cu']%s)\n"


@pytest.mark.parametrize(
    ("files", "path", "given"),
    [
        ({"setup.py": EXTENSION % ""}, "a.cpp", True),
        ({"setup.py": EXTENSION % ""}, "a.cu", False),
        ({"setup.py": EXTENSION % ", extra_compile_args=['-UNDEBUG']"}, "a.cpp", False),
        ({"setup.py": "setup(name='x')\n"}, "a.cpp", False),
        ({"setup.py": EXTENSION % "", "Makefile": "a:\n\tnvcc -c a.cpp\n"}, "a.cpp", False),
        ({"CMakeLists.txt": "add_library(a a.cpp)\n"}, "a.cpp", False),
    ],
)
def test_setuptools_compiles_sources_for_the_host_without_asserts(
    tmp_path: Path, files: dict[str, str], path: str, given: bool
) -> None:
    found = tree(tmp_path, {**files, path: "int a;\n"}).flags(path, for_host=path.endswith(".cpp"))
    assert ("NDEBUG" in found.defines) is given


TAKES = (
    "import torch.utils.cpp_extension as build\n"
    'for flag in ["-D__HIP_NO_HALF_CONVERSIONS__=1"]:\n    build.COMMON_HIPCC_FLAGS.remove(flag)\n'
)


@pytest.mark.parametrize(
    ("sources", "before", "given"),
    [
        ('["csrc/a.cu"] + made()', "", True),
        ('["csrc/b.cu"]', "", False),
        ('["csrc/a.cu"]', TAKES, False),
        ('["csrc/a.cu"]', TAKES.replace("HIPCC", "NVCC"), True),
    ],
)
def test_a_source_of_an_extension_gets_pytorchs_macros_whatever_it_includes(
    sources: str, before: str, given: bool, tmp_path: Path
) -> None:
    files = {"setup.py": f'{before}CUDAExtension("a", sources={sources})\n', "csrc/a.cu": "", "csrc/b.cu": ""}
    assert ("__HIP_NO_HALF_CONVERSIONS__=1" in tree(tmp_path, files).flags("csrc/a.cu").defines) is given


def test_what_a_folder_holds_is_found_by_any_way_of_spelling_it(tmp_path: Path) -> None:
    found = tree(tmp_path, {"src/a.cu": "", "lib/include/b.h": "", "lib/detail/c.h": "", "d.h": ""})
    folders = dict.fromkeys((f"{tmp_path}/lib/include", str(tmp_path)))
    spelled = ("b.h", "../detail/c.h", "./b.h", "lib/include/../../d.h", f"{tmp_path}/d.h", "../../../d.h")
    means = [found.resolve("src/a.cu", name, False, dict(folders)) for name in spelled]
    assert means == ["lib/include/b.h", "lib/detail/c.h", "lib/include/b.h", "d.h", "d.h", ""]


def test_a_header_that_is_nowhere_is_lacked_by_all_that_include_it(tmp_path: Path) -> None:
    files = {"a.cu": '#include "b.h"', "b.h": "#include <none.h>", "c.cu": "#include <x.h>", ".system/x.h": ""}
    found = tree(tmp_path, files)
    assert [found.lacks(path) for path in ("a.cu", "b.h", "c.cu")] == [True, True, False]


@pytest.mark.parametrize(
    ("rocm", "include", "standard"),
    [("10.1", "torch/extension.h", "c++20"), ("6.4", "torch/extension.h", "c++17"), ("10.1", "own.h", "gnu++17")],
)
def test_the_build_of_the_newest_pytorch_for_a_release_says_the_standard(
    tmp_path: Path, rocm: str, include: str, standard: str
) -> None:
    built = tree(tmp_path, {"a.cu": f"#include <{include}>\n"}, rocm=rocm)
    assert (built.flags("a.cu").standard, built.flags("a.cu").named) == (standard, "")


def test_a_byte_order_mark_hides_no_include(tmp_path: Path) -> None:
    files = {"src/a.cu": '\ufeff#include "b.cuh"\n', "include/b.cuh": "", "src/c.cu": '// \ufeff#include "b.cuh"\n'}
    made = tree(tmp_path, files)
    assert folders(tmp_path, made.flags("src/a.cu")) == ["include"]
    assert folders(tmp_path, made.flags("src/c.cu")) == []
