"""What must be chosen in a build for a file to be compiled, and what is compiled always."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import build_choices, port_builds, port_evidence
from cudamigrate.model import SourceFile
from cudamigrate.model.port_facts import FileEvidence

OPTION = 'option(WITH_RAYS "Trace rays" ON)\n'


def conditions(**files: str) -> dict[str, list[str]]:
    """What must be chosen for the files of a tree; `_` in a name is the dot, `CMakeLists` is CMakeLists.txt."""
    paths = {("CMakeLists.txt" if name == "CMakeLists" else name.replace("_", ".")): name for name in files}
    evidence: list[FileEvidence] = []
    for path, name in paths.items():
        language = "cmake" if name == "CMakeLists" else "cuda"
        source = SourceFile(path, files[name].encode(), language)
        known = frozenset(paths)
        one = port_builds.of(source) if language == "cmake" else port_evidence.of(source, known, ())
        evidence += [one] if one is not None else []
    found = build_choices.conditions(evidence, frozenset(paths))
    return {path: sorted(asks) for path, asks in found.items()}


def rays(build: str) -> list[str]:
    return conditions(CMakeLists=build, rays_cu="int a;\n", main_cu="int b;\n").get("rays.cu", [])


@pytest.mark.parametrize(
    ("build", "asked"),
    [
        (OPTION + "if(WITH_RAYS)\n  add_library(r rays.cu)\nendif()\n", ["WITH_RAYS"]),
        (OPTION + "if(WITH_RAYS AND NOT WIN32)\n  list(APPEND SOURCES rays.cu)\nendif()\n", ["WITH_RAYS"]),
        (
            OPTION + "if(WITH_RAYS)\n  set(RAYS ON)\nendif()\nif(RAYS)\n  add_library(r rays.cu)\nendif()\n",
            ["RAYS"],
        ),
        (
            'set(KIND "" CACHE STRING "")\nif(KIND STREQUAL "CUDA")\n  set(S main.cu)\n'
            'elseif(KIND STREQUAL "RAYS")\n  set(S rays.cu)\nendif()\n',
            ["KIND=RAYS"],
        ),
        ("find_package(OptiX)\nif(OptiX_FOUND)\n  add_library(r rays.cu)\nendif()\n", ["OptiX_FOUND"]),
    ],
)
def test_what_is_named_under_a_choice_needs_it(build: str, asked: list[str]) -> None:
    assert rays(build) == asked


@pytest.mark.parametrize(
    "build",
    [
        OPTION + "add_library(r rays.cu)\n",
        OPTION + "if(WITH_RAYS)\n  add_library(r rays.cu)\nelse()\n  add_library(r rays.cu)\nendif()\n",
        OPTION + "if(NOT WITH_RAYS)\n  add_library(r rays.cu)\nendif()\n",
        OPTION + "if(WITH_RAYS OR UNIX)\n  add_library(r rays.cu)\nendif()\n",
        OPTION + "if(WITH_RAYS)\n  add_library(r rays.cu)\nendif()\nfile(GLOB ALL *.cu)\n",
        OPTION + "if(WITH_RAYS)\n  set_source_files_properties(rays.cu PROPERTIES LANGUAGE CUDA)\nendif()\n",
        OPTION + "if(UNIX)\n  add_library(r rays.cu)\nendif()\n",
        "set(RAYS ON)\nif(RAYS)\n  add_library(r rays.cu)\nendif()\n" + OPTION,
        "find_package(OptiX REQUIRED)\nif(OptiX_FOUND)\n  add_library(r rays.cu)\nendif()\n" + OPTION,
    ],
)
def test_what_may_be_compiled_without_it_needs_nothing(build: str) -> None:
    assert rays(build) == []


def test_a_folder_that_is_entered_by_choice_is_compiled_by_choice() -> None:
    inner = SourceFile("rays/CMakeLists.txt", b"add_library(r rays.cu)\n", "cmake")
    outer = SourceFile(
        "CMakeLists.txt", (OPTION + "if(WITH_RAYS)\nadd_subdirectory(rays)\nendif()\n").encode(), "cmake"
    )
    evidence = [one for source in (inner, outer) if (one := port_builds.of(source)) is not None]
    assert build_choices.conditions(evidence, frozenset(("rays/rays.cu",))) == {"rays/rays.cu": {"WITH_RAYS"}}


def test_headers_go_with_those_that_include_them() -> None:
    build = OPTION + "if(WITH_RAYS)\n  add_library(r rays.cu)\nendif()\nadd_library(m main.cu)\n"
    tree = {
        "CMakeLists": build,
        "rays_cu": '#include "r.h"\n#include "both.h"\n',
        "r_h": "int r;\n",
        "both_h": "int b;\n",
    }
    found = conditions(**tree, main_cu='#include "both.h"\n#ifdef __global__\n#include "r.h"\n#endif\nint m;\n')
    assert found == {"rays.cu": ["WITH_RAYS"]}
    guarded = '#include "both.h"\n#ifdef WITH_RAYS\n#include "r.h"\n#endif\n__global__ void k() {}\n'
    assert conditions(**tree, main_cu=guarded) == {"rays.cu": ["WITH_RAYS"], "r.h": ["WITH_RAYS"]}
