"""What Meson's files give the sources of a project."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate.compilation import build_flags
from cudamigrate.compilation.build_settings import Settings

PROJECT = "project('p', 'cpp', 'cuda')\n"


def settings(root: Path, files: dict[str, str], path: str = "src/a.cu") -> Settings:
    named = {"src/a.cu": "", "src/b.cu": "", "src/c.cpp": "", **files}
    return build_flags.read(written(root, named)).settings(str(root / path))


def of(root: Path, text: str, path: str = "src/a.cu") -> Settings:
    return settings(root, {"meson.build": text}, path)


@pytest.mark.parametrize(
    "text",
    [
        "project('p', 'cpp', 'cuda', default_options: ['werror=true', 'cpp_std=c++20'])",
        "project('p', 'cuda', default_options: 'cuda_std=c++20')",
        "project('p', 'cpp', default_options: {'cpp_std': 'c++20'})",
        "project('p', 'cpp', default_options: ['cpp_std=c++20,c++17'])",
        PROJECT + "add_project_arguments('-O3', '-std=c++20', language: 'cuda')",
        PROJECT + "add_project_arguments(\n  '--std=c++20', # '-std=c++14'\n  language: ['cpp', 'cuda'],\n)",
        PROJECT + "add_global_arguments(['-std', 'c++20'], language: 'cuda')",
        PROJECT + "flags = ['-O3']\nflags += '-std=c++20'\nadd_project_arguments(flags, language: 'cuda')",
        PROJECT + "year = '20'\nadd_project_arguments('-std=c++' + year, language: 'cuda')",
        PROJECT + "nvcc = meson.get_compiler('cuda')\nadd_project_arguments("
        "nvcc.get_supported_arguments('-std=c++20'), language: 'cuda')",
        PROJECT + "executable('t', 'src/a.cu', override_options: ['cuda_std=c++20'])",
        PROJECT + "executable('t', 'src/a.cu', cuda_args: ['-std=c++20'])",
        PROJECT + "if get_option('new')\nadd_project_arguments('-std=c++20', language: 'cuda')\nendif",
    ],
)
def test_the_standard_of_a_project_or_a_target_holds(tmp_path: Path, text: str) -> None:
    found = of(tmp_path, text)
    assert ("20" in found.standards, found.sources[:1]) == (True, ["meson.build"])


@pytest.mark.parametrize(
    "text",
    [
        PROJECT + "# add_project_arguments('-std=c++20', language: 'cuda')",
        PROJECT + "add_project_arguments('-std=c++20', language: 'fortran')",
        PROJECT + "add_project_arguments('-std=c++20', language: 'cpp', native: true)",
        PROJECT + "add_project_link_arguments('-std=c++20', language: 'cuda')",
        PROJECT + "message('-std=c++20')",
        "project('p', 'cpp', default_options: ['c_std=c11', 'cpp_std=none'])",
        "executable('t', 'src/a.cu', cuda_args: ['-std=c++20'])",  # no project begins here
    ],
)
def test_what_no_compiler_of_the_sources_gets_does_not(tmp_path: Path, text: str) -> None:
    assert of(tmp_path, text).standards == set()


def test_macros_hold_for_the_sources_of_their_target_and_language(tmp_path: Path) -> None:
    text = (
        PROJECT + "add_project_arguments('-DALL', language: ['cpp', 'cuda'])\n"
        "add_project_arguments('-DON_GPU', language: 'cuda')\n"
        "units = files('src/a.cu', 'src/c.cpp')\n"
        "executable('t', units, cuda_args: ['-DWIDTH=4'], cpp_args: '-DHOST')\nexecutable('u', 'src/b.cu')\n"
    )
    a, b, c = (of(tmp_path, text, f"src/{name}") for name in ("a.cu", "b.cu", "c.cpp"))
    assert (sorted(a.defines), sorted(b.defines)) == (["ALL", "ON_GPU", "WIDTH=4"], ["ALL", "ON_GPU"])
    assert sorted(c.defines) == ["ALL", "HOST"]
    assert "WIDTH" in b.some


def test_macros_of_conditions_and_of_one_of_several_targets_are_those_of_some_builds(tmp_path: Path) -> None:
    text = (
        PROJECT + "flags = []\nif get_option('fast')\n  flags += '-DFAST'\nendif\nflags += ['-DSURE']\n"
        "add_project_arguments(flags, get_option('x') ? '-DX' : '-DY', language: 'cuda')\n"
        "foreach n : ['1', '2']\n  executable('t' + n, 'src/a.cu', cuda_args: '-DN=' + n)\nendforeach\n"
        "executable('u', 'src/a.cu', cuda_args: ['-DONE', '-DLANES=@0@'.format(lanes)])\n"
    )
    found = of(tmp_path, text)
    assert list(found.defines) == ["SURE"]
    assert found.some >= {"FAST", "X", "Y", "ONE"}
    assert found.open >= {"LANES", "N"}


def test_a_subdir_is_read_where_it_is_and_one_that_has_a_project_is_its_own(tmp_path: Path) -> None:
    files = {
        "meson.build": PROJECT + "flags = ['-DALL']\nsubdir('src')\nadd_project_arguments(more, language: 'cuda')\n",
        "src/meson.build": "more = ['-DMORE']\nexecutable('t', 'a.cu', cuda_args: flags)\nsubdir('../src')\n",
        "subprojects/q/meson.build": "project('q', 'cuda', default_options: ['cuda_std=c++14'])\n",
    }
    found = settings(tmp_path, files)
    assert (sorted(found.defines), found.standards) == (["ALL", "MORE"], set())
    assert settings(tmp_path, files, "subprojects/q/d.cu").standards == {"14"}


@pytest.mark.parametrize("text", ["project(" * 200, "project('p'\nx = [", "'", "if\nendif\nendif\n)", "a ? b", "x ="])
def test_a_broken_file_says_nothing(tmp_path: Path, text: str) -> None:
    assert of(tmp_path, text).defines == {}


def test_what_doubles_itself_is_bounded(tmp_path: Path) -> None:
    doubled = "flags += flags\n" * 60 + "text = text + text\n" * 60
    found = of(
        tmp_path, f"{PROJECT}flags = ['-DX']\ntext = '-DLONG'\n{doubled}executable('t', 'src/a.cu', cuda_args: flags)\n"
    )
    assert list(found.defines) == ["X"]
