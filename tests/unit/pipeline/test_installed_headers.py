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
    ("text", "folder"),
    [
        ("install(FILES plain.h DESTINATION include)", "."),  # which needs none
        ("install(FILES vote.h ../other/vote.h DESTINATION include)", "."),  # whose folders differ
        ("install(TARGETS p)", "."),
    ],
)
def test_other_lists_stay(text: str, folder: str, tmp_path: Path) -> None:
    tree = {**TREE, "other/vote.h": HEADER} if "other" in text else TREE
    folders, files = made(tmp_path, {**tree, "src/CMakeLists.txt": CMAKE.format(text)})
    assert folders == {folder}
    assert text in files["src/CMakeLists.txt"]


def test_a_second_run_names_nothing_twice(tmp_path: Path) -> None:
    text = CMAKE.format("install(FILES vote.h DESTINATION include)")
    applied = pipeline.apply(written(tmp_path / "first", {**TREE, "src/CMakeLists.txt": text}), Config(jobs=1))
    more = {**TREE, "src/CMakeLists.txt": text} | {c.path: c.after.decode() for c in applied.conversions}
    more |= {path: data.decode() for path, data in applied.added.items()}
    assert "src/CMakeLists.txt" not in made(tmp_path / "second", more)[1]
