"""Headers of ours are installed beside those that need them and are installed one by one."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

HEADER = "#include <cuda_runtime.h>\n__device__ inline int vote(int v) { return __ballot_sync(~0u, v > 0) != 0; }\n"
KERNEL = '#include "vote.h"\n__global__ void k(int *p) { *p = vote(*p); }\n'
TREE = {"src/vote.h": HEADER, "src/plain.h": "int plain();\n", "src/k.cu": KERNEL}
CMAKE = "project(p LANGUAGES CXX CUDA)\nadd_library(p k.cu)\n{}\n"
OURS = "cudamigrate_hip.h"


def made(root: Path, files: dict[str, str], style: str = "hip") -> tuple[set[str], dict[str, str]]:
    """The folders of our headers, and the converted files."""
    applied = pipeline.apply(written(root, files), Config(jobs=1, style=style))
    return {str(Path(one).parent) for one in applied.added}, {c.path: c.after.decode() for c in applied.conversions}


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("install(FILES plain.h vote.h DESTINATION include)", "install(FILES plain.h vote.h {} DESTINATION include)"),
        (
            "set(HEADERS\n  vote.h\n  plain.h\n)\ninstall(FILES ${HEADERS} DESTINATION include)",
            "set(HEADERS\n  vote.h\n  {}\n  plain.h\n)\ninstall(FILES ${HEADERS} DESTINATION include)",
        ),
        (
            "install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/vote.h TYPE INCLUDE)",
            "install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/vote.h ${CMAKE_CURRENT_SOURCE_DIR}/{} TYPE INCLUDE)",
        ),
    ],
)
@pytest.mark.parametrize("style", ["hip", "portable"])
def test_a_list_of_what_is_installed_names_them(text: str, after: str, style: str, tmp_path: Path) -> None:
    folders, files = made(tmp_path, {**TREE, "src/CMakeLists.txt": CMAKE.format(text)}, style)
    assert folders == {"src"}
    assert f'#include "{OURS}"' in files["src/vote.h"] or style == "portable"
    build = files["src/CMakeLists.txt"]
    names = [Path(word).name for word in build.replace(")", " ").split() if "cudamigrate_" in word]
    assert names == sorted(set(names))
    assert names[-1] == (OURS if style == "hip" else "cudamigrate_portable.h")
    if style == "hip":
        assert after.replace("{}", OURS) in build


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (
            'set_target_properties(p PROPERTIES PUBLIC_HEADER "plain.h;vote.h")',
            'set_target_properties(p PROPERTIES PUBLIC_HEADER "plain.h;vote.h;{}")',
        ),
        (
            "set_target_properties(p PROPERTIES PUBLIC_HEADER vote.h VERSION 1)",
            'set_target_properties(p PROPERTIES PUBLIC_HEADER "vote.h;{}" VERSION 1)',
        ),
        (
            "set_property(TARGET p PROPERTY PUBLIC_HEADER vote.h plain.h)",
            "set_property(TARGET p PROPERTY PUBLIC_HEADER vote.h {} plain.h)",
        ),
        (
            'set(HEADERS "plain.h;vote.h")\nset_target_properties(p PROPERTIES PUBLIC_HEADER "${HEADERS}")',
            'set(HEADERS "plain.h;vote.h;{}")\nset_target_properties(p PROPERTIES PUBLIC_HEADER "${HEADERS}")',
        ),
        (
            "target_sources(p PUBLIC FILE_SET HEADERS BASE_DIRS . FILES vote.h plain.h)",
            "target_sources(p PUBLIC FILE_SET HEADERS BASE_DIRS . FILES vote.h {} plain.h)",
        ),
        (
            "file(GLOB HEADERS v*.h)\ninstall(FILES ${HEADERS} DESTINATION include)",
            "file(GLOB HEADERS v*.h {})\ninstall(FILES ${HEADERS} DESTINATION include)",
        ),
        (
            'install(DIRECTORY ./ DESTINATION include FILES_MATCHING PATTERN "v*.h" PATTERN "*.in")',
            'install(DIRECTORY ./ DESTINATION include FILES_MATCHING PATTERN "{}" PATTERN "v*.h" PATTERN "*.in")',
        ),
    ],
)
def test_other_ways_to_install_name_them(text: str, after: str, tmp_path: Path) -> None:
    _, files = made(tmp_path, {**TREE, "src/CMakeLists.txt": CMAKE.format(text)})
    assert after.replace("{}", OURS) in files["src/CMakeLists.txt"].replace(f"../{OURS}", OURS)
    included = files["src/vote.h"].partition(OURS)[0].rpartition('"')[2]
    assert included in ("", "../")


def test_a_set_of_files_keeps_their_folders(tmp_path: Path) -> None:
    text = "target_sources(p PUBLIC FILE_SET HEADERS BASE_DIRS inc FILES inc/a/vote.h inc/b/more.h)"
    tree = {
        "inc/a/vote.h": HEADER,
        "inc/b/more.h": HEADER.replace("vote", "more"),
        "k.cu": KERNEL.replace("vote.h", "inc/a/vote.h"),
        "CMakeLists.txt": CMAKE.format(f"target_include_directories(p PUBLIC inc)\n{text}"),
    }
    folders, files = made(tmp_path, tree)
    assert folders == {"inc"}
    assert f"FILES inc/a/vote.h inc/{OURS} inc/b/more.h" in files["CMakeLists.txt"]
    assert f'#include "../{OURS}"' in files["inc/a/vote.h"]


OWN = {
    "by position": "macro(ADD_HEADERS part sub)\n  install(FILES ${ARGN} DESTINATION include/${sub})\nendmacro()\n",
    "by keyword": (
        'function(add_headers name)\n  cmake_parse_arguments(A "" "FOR" "ALL;HEADERS" ${ARGN})\n'
        "  install(FILES ${A_HEADERS} DESTINATION include)\nendfunction()\n"
    ),
    "through another": (
        "function(put to)\n  install(FILES ${ARGN} DESTINATION ${to})\nendfunction()\n"
        "function(add_headers name)\n  put(include ${ARGV1} ${ARGN})\nendfunction()\n"
    ),
    "one parameter": "function(add_headers name files)\n  install(FILES ${files} DESTINATION x)\nendfunction()\n",
}


@pytest.mark.parametrize(
    ("way", "text", "after"),
    [
        ("by position", "Add_Headers(a b plain.h vote.h)", "Add_Headers(a b plain.h vote.h {})"),
        (
            "by position",
            "set(H vote.h plain.h)\nADD_HEADERS(a b ${H})",
            "set(H vote.h {} plain.h)\nADD_HEADERS(a b ${H})",
        ),
        ("by position", "file(GLOB H *.h*)\nADD_HEADERS(a b ${H})", "file(GLOB H *.h*)\nADD_HEADERS(a b ${H})"),
        (
            "by keyword",
            "add_headers(n ALL HEADERS plain.h vote.h FOR x)",
            "add_headers(n ALL HEADERS plain.h vote.h {} FOR x)",
        ),
        ("through another", "add_headers(n vote.h)", "add_headers(n vote.h {})"),
        ("one parameter", 'set(H vote.h)\nadd_headers(n "${H}")', 'set(H vote.h {})\nadd_headers(n "${H}")'),
    ],
)
def test_functions_of_the_project_install_what_they_are_called_with(
    way: str, text: str, after: str, tmp_path: Path
) -> None:
    tree = {**TREE, "src/CMakeLists.txt": CMAKE.format(text), "cmake/own.cmake": OWN[way]}
    folders, files = made(tmp_path, tree)
    assert folders == {"src"}
    assert f'#include "{OURS}"' in files["src/vote.h"]
    assert after.replace("{}", OURS) in files["src/CMakeLists.txt"]


@pytest.mark.parametrize(
    ("way", "text"),
    [
        ("by position", "add_headers(vote.h b plain.h)"),
        ("by keyword", "add_headers(n ALL vote.h HEADERS plain.h)"),
        ("one parameter", "add_headers(n plain.h vote.h)"),
        ("one parameter", "other_headers(n vote.h)"),
    ],
)
def test_what_such_a_function_does_not_install_stays(way: str, text: str, tmp_path: Path) -> None:
    tree = {**TREE, "src/CMakeLists.txt": CMAKE.format(text), "cmake/own.cmake": OWN[way]}
    folders, files = made(tmp_path, tree)
    assert folders == {"."}
    assert text in files["src/CMakeLists.txt"]


@pytest.mark.parametrize(
    "text",
    [
        "set_target_properties(p PROPERTIES PUBLIC_HEADER plain.h)",
        "set_target_properties(p PROPERTIES OUTPUT_NAME vote.h)",
        "target_sources(p PUBLIC FILE_SET mods TYPE CXX_MODULES FILES vote.h)",
        "file(GLOB HEADERS *.h)\ninstall(FILES ${HEADERS} DESTINATION include)",
        'install(DIRECTORY ./ DESTINATION include FILES_MATCHING PATTERN "*.h")',
        'install(DIRECTORY ./ DESTINATION include FILES_MATCHING PATTERN "p*.h")',
    ],
)
def test_what_needs_or_takes_none_of_them_stays(text: str, tmp_path: Path) -> None:
    _, files = made(tmp_path, {**TREE, "src/CMakeLists.txt": CMAKE.format(text)})
    assert text in files["src/CMakeLists.txt"]


@pytest.mark.parametrize(
    ("text", "folder"),
    [
        ("install(FILES plain.h DESTINATION include)", "."),  # which needs none
        ("install(TARGETS p)", "."),
    ],
)
def test_other_lists_stay(text: str, folder: str, tmp_path: Path) -> None:
    folders, files = made(tmp_path, {**TREE, "src/CMakeLists.txt": CMAKE.format(text)})
    assert folders == {folder}
    assert text in files["src/CMakeLists.txt"]


DEEPER = HEADER.replace("vote", "more")
INCLUDED = "target_include_directories(p PUBLIC inc)\n"
FLAT = "install(FILES inc/vote.h inc/deep/more.h DESTINATION include)"
IN_TREE = {
    "inc/vote.h": HEADER,
    "inc/deep/more.h": DEEPER,
    "k.cu": KERNEL.replace("vote.h", "inc/vote.h").replace(
        "__global__", HEADER.partition("\n")[2].replace("vote", "own"), 1
    ),
}


@pytest.mark.parametrize(
    ("text", "homes"),
    [
        (INCLUDED + FLAT, {"inc/vote.h": "inc", "inc/deep/more.h": "inc/deep", "k.cu": "inc"}),
        (FLAT, {"inc/vote.h": "inc", "inc/deep/more.h": "inc/deep", "k.cu": "."}),
        ("install(DIRECTORY inc DESTINATION .)", {"inc/vote.h": "inc", "inc/deep/more.h": "inc", "k.cu": "inc"}),
        (f"{INCLUDED}install(DIRECTORY inc/ DESTINATION include)", dict.fromkeys(IN_TREE, "inc")),
        (  # what is installed flat has no folder
            "install(DIRECTORY inc/deep DESTINATION include)\ninstall(FILES inc/vote.h DESTINATION include)",
            {"inc/vote.h": "inc", "inc/deep/more.h": "inc/deep", "k.cu": "inc/deep"},
        ),
        ("install(DIRECTORY other DESTINATION include)", dict.fromkeys(IN_TREE, ".")),
    ],
)
def test_files_of_several_folders_have_them_where_they_are_installed(
    text: str, homes: dict[str, str], tmp_path: Path
) -> None:
    folders, files = made(tmp_path, {**IN_TREE, "CMakeLists.txt": CMAKE.format(text)})
    assert folders == set(homes.values())
    for path, home in homes.items():
        included = files[path].partition(OURS)[0].rpartition('"')[2]
        assert (tmp_path / path).parent.joinpath(included).resolve() == (tmp_path / home).resolve(), path
    if FLAT in text:
        assert f"FILES inc/vote.h inc/{OURS} inc/deep/more.h inc/deep/{OURS} D" in files["CMakeLists.txt"]


def test_a_second_run_names_nothing_twice(tmp_path: Path) -> None:
    text = CMAKE.format("install(FILES vote.h DESTINATION include)")
    applied = pipeline.apply(written(tmp_path / "first", {**TREE, "src/CMakeLists.txt": text}), Config(jobs=1))
    more = {**TREE, "src/CMakeLists.txt": text} | {c.path: c.after.decode() for c in applied.conversions}
    more |= {path: data.decode() for path, data in applied.added.items()}
    assert "src/CMakeLists.txt" not in made(tmp_path / "second", more)[1]


BUILD = "k.o: k.cu\n\tnvcc -c k.cu -o $@\n"


@pytest.mark.parametrize(
    ("name", "text", "after"),
    [
        ("Makefile", "\tcp plain.h vote.h $(PREFIX)/include\n", "\tcp plain.h vote.h {} $(PREFIX)/include\n"),
        ("Makefile", "\t@install -m 644 v*.h $(PREFIX)\n", "\t@install -m 644 v*.h {} $(PREFIX)\n"),
        (
            "Makefile",
            "\t$(INSTALL_DATA) $(H) /x\n\tcp $(H) vote.h /y\nH = plain.h \\\n  vote.h\n",
            "\t$(INSTALL_DATA) $(H) /x\n\tcp $(H) vote.h {} /y\nH = plain.h \\\n  vote.h\n",
        ),
        ("Makefile.am", "include_HEADERS = vote.h plain.h\n", "include_HEADERS = vote.h {} plain.h\n"),
        ("install.sh", "sudo cp plain.h vote.h /x\n", "sudo cp plain.h vote.h {} /x\n"),
        ("Makefile", "\tcp plain.h $(PREFIX)/include\n", "\tcp plain.h $(PREFIX)/include\n"),
        ("Makefile", "\tcp *.h $(PREFIX)/include\n", "\tcp *.h $(PREFIX)/include\n"),
        ("Makefile", "\techo cp vote.h /x\n", "\techo cp vote.h /x\n"),
        ("Makefile", "H = vote.h\n\ttar c $(H)\n", "H = vote.h\n\ttar c $(H)\n"),
    ],
)
def test_commands_that_copy_headers_name_them(name: str, text: str, after: str, tmp_path: Path) -> None:
    build = f"{BUILD}all:\n{text}" if name != "install.sh" else text
    tree = {**TREE, f"src/{name}": build, "src/Makefile.in" if name == "Makefile.am" else "src/x.txt": ""}
    applied = pipeline.apply(written(tmp_path, tree), Config(jobs=1))
    files = {one.path: one.after.decode() for one in applied.conversions}
    assert files.get(f"src/{name}", build).endswith(after.replace("{}", OURS))
