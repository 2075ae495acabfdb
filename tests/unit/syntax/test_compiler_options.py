"""Words of command lines, and the options among them."""

from __future__ import annotations

import pytest

from cudamigrate.syntax import compiler_options


def split(text: str) -> list[str]:
    return [word.text for word in compiler_options.words(text.encode(), 0, len(text.encode()))]


def found(text: str, plain: bool = False) -> list[str]:
    data = text.encode()
    uses = compiler_options.uses(compiler_options.words(data, 0, len(data)), plain)
    return [data[use.extent.start : use.extent.end].decode() for use in uses]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("-a -b", ["-a", "-b"]),
        ("-a;-b", ["-a", "-b"]),
        ("-a \\\n  -b", ["-a", "-b"]),
        ("-DX='a b' \"-c d\"", ["-DX='a b'", "-c d"]),
        ('-Xcompiler \\"-a -b\\"', ["-Xcompiler", "-a -b"]),
        ("$(call f,-a,$(X))", ["$(call", "-a,$(X)"]),
        ("", []),
    ],
)
def test_words_are_parted_as_a_shell_does(text: str, words: list[str]) -> None:
    assert split(text) == words


def test_words_stand_where_they_say() -> None:
    data = "ä \"-x y\" '-z'".encode()
    assert [data[w.span.start : w.span.end].decode() for w in compiler_options.words(data, 0, len(data))] == [
        "ä",
        "-x y",
        "-z",
    ]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("-gencode arch=a,code=b -O3", ["-gencode arch=a,code=b", "-O3"]),
        ("-ccbin -O3", ["-ccbin", "-O3"]),
        ("-Xptxas -v -O3", ["-Xptxas -v", "-O3"]),
        ("-Werror all-warnings x", ["-Werror all-warnings"]),
        ("-Werror a.cu", ["-Werror"]),
        ("a.cu -o b", ["-o"]),
    ],
)
def test_an_option_takes_what_is_its_own(text: str, options: list[str]) -> None:
    assert found(text) == options


def test_among_other_words_only_what_means_nvcc_is_an_option() -> None:
    assert found("-G Ninja -O3 -t 4 -lineinfo -arch arm64 -arch=sm_80 -lcuda -lcudawrap", plain=True) == [
        "-lineinfo",
        "-arch=sm_80",
        "-lcuda",
    ]


def test_an_option_without_the_argument_that_it_must_have_is_known_as_such() -> None:
    alone, joined = compiler_options.uses(compiler_options.words(b"-ccbin=g++ -ccbin", 0, 17))
    assert [compiler_options.lacks(alone), compiler_options.lacks(joined)] == [False, True]
    assert compiler_options.value(alone, b"-ccbin=g++ -ccbin") == "g++"


def test_what_is_passed_on_to_the_host_is_no_option_of_a_line_that_may_be_for_another_compiler() -> None:
    given = found("-O3 --compiler-options -lineinfo -lineinfo", plain=True)
    assert given == ["--compiler-options -lineinfo", "-lineinfo"]
