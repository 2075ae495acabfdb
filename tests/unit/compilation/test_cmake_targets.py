"""Include folders that come to a source through the libraries its target is linked to."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.compilation import build_flags

TOOLS = "add_library(tools STATIC tools.cu)\n"
MODEL = "add_library(model model.cu)\nadd_library(own::model ALIAS model)\n"
APP = "add_executable(app main.cc)\n"


def folders(root: Path, source: str, **files: str) -> list[str]:
    for name in ("app", "model", "tools", "tools/inner", "other"):
        (root / name).mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (root / name / "CMakeLists.txt").write_text(text)
    found = build_flags.read(root).settings(str(root / source)).includes
    return [Path(folder).relative_to(root).as_posix() for folder in found]


@pytest.mark.parametrize(
    ("app", "model", "tools", "expected"),
    [
        ("PUBLIC model", "PUBLIC tools", "INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}", ["tools"]),
        ("PRIVATE own::model", "INTERFACE tools", "PUBLIC inner", ["tools/inner"]),
        ("model", "tools", "PUBLIC $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/inner>", ["tools/inner"]),
        ("model", "PRIVATE tools", "PUBLIC inner", []),  # not handed on
        ("model", "PUBLIC tools", "PRIVATE inner", []),
        ("model", "PUBLIC other", "PUBLIC inner", []),
        ("model", "PUBLIC tools", "PUBLIC nowhere ${UNKNOWN}/inner", []),
    ],
)
def test_a_library_hands_on_what_it_names_so(
    tmp_path: Path, app: str, model: str, tools: str, expected: list[str]
) -> None:
    found = folders(
        tmp_path,
        "app/main.cc",
        app=f"{APP}target_link_libraries(app {app})\n",
        model=f"{MODEL}target_link_libraries(model {model})\n",
        tools=f"{TOOLS}target_include_directories(tools {tools})\n",
    )
    assert found == expected


def test_sources_are_seen_in_variables_and_patterns(tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    for name in ("main.cc", "more.cu"):
        (tmp_path / "app" / name).write_text("")
    tools = f"{TOOLS}target_include_directories(tools INTERFACE inner)\n"
    listed = "set(names main.cc)\nlist(APPEND names more.cu)\nadd_executable(app ${names})\n"
    for text in (
        listed,
        "file(GLOB names *.c[cu])\nadd_executable(app ${names})\n",
        "aux_source_directory(. names)\nadd_executable(app ${names})\n",
    ):
        for source, known in (("app/main.cc", True), ("app/more.cu", True), ("app/else.cc", False)):
            found = folders(tmp_path, source, app=f"{text}target_link_libraries(app tools)\n", tools=tools)
            assert found == (["tools/inner"] if known else [])


def test_libraries_that_name_each_other_and_lists_that_double_come_to_an_end(tmp_path: Path) -> None:
    doubled = "set(a x.cu)\n" + "list(APPEND a ${a})\n" * 60
    found = folders(
        tmp_path,
        "app/main.cc",
        app=f"{doubled}{APP}target_link_libraries(app model)\n",
        model=f"{MODEL}target_link_libraries(model tools)\n",
        tools=f"{TOOLS}target_link_libraries(tools model)\ntarget_include_directories(tools PUBLIC inner)\n",
    )
    assert found == ["tools/inner"]


def test_of_targets_of_one_name_each_file_has_its_own_and_others_have_none(tmp_path: Path) -> None:
    """Of the folders of several architectures a build takes one: which, only the build knows."""
    kernels = "add_library(kernels k.cu)\ntarget_include_directories(kernels PUBLIC .)\n"
    main = f"{APP}target_link_libraries(app kernels)\n"
    for source, expected in (("app/main.cc", []), ("model/main.cc", ["model"]), ("tools/k.cu", ["tools"])):
        found = folders(tmp_path, source, app=main, model=f"{kernels}{main}", tools=kernels)
        assert found == expected


def test_what_a_folder_defines_its_targets_get_wherever_their_sources_are(tmp_path: Path) -> None:
    for name in ("gpu", "cl"):
        (tmp_path / name).mkdir()
        text = f"add_definitions(-DFOR_{name.upper()})\nadd_library(l_{name} ../{name}.cpp ../both.cpp own.cpp)\n"
        (tmp_path / name / "CMakeLists.txt").write_text(text)
    project = build_flags.read(tmp_path)
    given = {path: project.settings(str(tmp_path / path)) for path in ("gpu.cpp", "cl.cpp", "other.cpp", "gpu/own.cpp")}
    assert [list(one.defines) for one in given.values()] == [["FOR_GPU"], ["FOR_CL"], [], ["FOR_GPU"]]
    both = project.settings(str(tmp_path / "both.cpp"))
    assert (list(both.defines), "FOR_GPU" in both.some) == (["FOR_CL"], True)  # one of two builds has it
