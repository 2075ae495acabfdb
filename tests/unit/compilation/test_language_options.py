"""Options by which more code compiles reach the type check, however a build file spells them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cudamigrate.compilation import build_flags, language_options
from cudamigrate.compilation.engines import clang
from cudamigrate.compilation.include_closure import IncludeResolver
from cudamigrate.model import Target
from cudamigrate.model.verification import Flags, Unit

_HEAD = "cmake_minimum_required(VERSION 3.20)\nproject(p LANGUAGES CXX CUDA)\nadd_library(a a.cu)\n"
_DEEP = "template <int N> struct d { static constexpr int v = d<N - 1>::v + 1; };\n"
_DEEP += "template <> struct d<0> { static constexpr int v = 0; };\nint a = d<1500>::v;\n"


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("-ftemplate-depth 2048 -g", "-ftemplate-depth=2048 -g"),
        ("--ftemplate-depth 2048", "-ftemplate-depth=2048"),
        ("--ftemplate-depth=2048", "-ftemplate-depth=2048"),
        ("-Xcompiler -DA,-fPIC,-DB=2 -g", "-DA -fPIC -DB=2 -g"),
        ("-Xcompiler -DA -g", "-DA -g"),
        ("--compiler-options=-DA,-fconstexpr-steps=9", "-DA -fconstexpr-steps=9"),
        ("-Xcompiler /EHsc -DA", "-Xcompiler /EHsc -DA"),
        ("-Xcompiler '-DA=\"b,c\"' -g", '-DA="b,c" -g'),
        ("--define-macro A --undefine-macro=B --include-path=c --system-include d", "-DA -UB -Ic -isystemd"),
        ("-I=c -isystem=d --pre-include=e.h", "-I c -isystem d --pre-include e.h"),
        ("--ftemplate-depth", "--ftemplate-depth"),
        ("-I c -include e.h -O2", "-I c -include e.h -O2"),
    ],
)
def test_options_are_read_as_clang_takes_them(given: str, found: str) -> None:
    words = [word.strip("'") for word in given.split()]
    assert list(language_options.plain(words)) == found.split()


@pytest.mark.parametrize(
    ("word", "found"),
    [
        ("-ftemplate-depth=2048", ["-ftemplate-depth=2048"]),
        ("-ftemplate-depth-900", ["-ftemplate-depth=900"]),
        ("-fconstexpr-depth=9", ["-fconstexpr-depth=9"]),
        ("-fchar8_t", ["-fchar8_t"]),
        ("$<$<COMPILE_LANGUAGE:CUDA>:--ftemplate-depth=99;-g>", ["-ftemplate-depth=99"]),
        ("-ftemplate-depth=${DEPTH}", []),
        ("-ftemplate-backtrace-limit=0", []),
        ("-fno-exceptions", []),
        ("-O3", []),
    ],
)
def test_an_option_that_lets_more_compile_is_kept(word: str, found: list[str]) -> None:
    assert list(language_options.language(word)) == found


def test_of_a_limit_the_highest_is_taken() -> None:
    given = ["-ftemplate-depth=900", "-fchar8_t", "-ftemplate-depth=2048", "-ftemplate-depth=64"]
    assert language_options.together(given) == ("-fchar8_t", "-ftemplate-depth=2048")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "CMakeLists.txt",
            _HEAD + "target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--ftemplate-depth=2048>)",
        ),
        ("CMakeLists.txt", _HEAD + 'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -ftemplate-depth 2048")'),
        ("CMakeLists.txt", _HEAD + "list(APPEND CUDA_NVCC_FLAGS --ftemplate-depth=2048)"),
        ("Makefile", "NVCCFLAGS = --ftemplate-depth 2048\na: a.cu\n\tnvcc $(NVCCFLAGS) -o a a.cu\n"),
        ("setup.py", 'CUDAExtension("a", ["a.cu"], extra_compile_args={"nvcc": ["--ftemplate-depth=2048"]})'),
        (
            "compile_commands.json",
            json.dumps(
                [{"directory": ".", "file": "a.cu", "arguments": ["nvcc", "--ftemplate-depth", "2048", "a.cu"]}]
            ),
        ),
        ("README", "--ftemplate-depth=2048"),
        ("Makefile", "a: a.cu\n\tnvcc -ftemplate-depth=64 -o a a.cu\n"),
    ],
)
def test_what_the_build_gives_reaches_the_type_check(tmp_path: Path, name: str, text: str) -> None:
    chosen = clang.find(Target())
    if isinstance(chosen, str):
        pytest.skip(chosen)
    for file, content in ((name, text), ("a.cu", _DEEP)):
        (tmp_path / file).write_text(content)
    tree = IncludeResolver(
        root=str(tmp_path),
        project=build_flags.read(tmp_path),
        system=chosen.headers,
        read=lambda path: (tmp_path / path).read_bytes(),
    )
    flags = tree.flags("a.cu")
    said = clang.check(Unit("a.cu", str(tmp_path), flags, ("gfx942",), host=True), chosen).diagnostics
    deep = [entry.message for entry in said if "exceeded maximum depth" in entry.message]
    assert bool(deep) is ("2048" not in text or name == "README"), flags
    assert flags.words != Flags(flags.standard).words or deep
