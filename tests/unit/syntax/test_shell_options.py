"""Options in the text of a shell: an expansion is part of the word that it is in."""

from __future__ import annotations

import pytest

from cudamigrate.syntax import shell_options


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("-ccbin ${CC%% *} -G", ["-ccbin", "${CC%% *}", "-G"]),
        ('-ccbin $(which "$CC" g++) -G', ["-ccbin", '$(which "$CC" g++)', "-G"]),
        ("-ccbin `which gcc | head` -G", ["-ccbin", "`which gcc | head`", "-G"]),
        ("-I$(dirname $(which nvcc))/a -G", ["-I$(dirname $(which nvcc))/a", "-G"]),
        ("-ccbin gcc *} -G", ["-ccbin", "gcc", "*", "-G"]),
        ("-G -ccbin $(which gcc", ["-G", "-ccbin"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert [one.text for one in shell_options.words(text.encode(), 0, len(text))] == words


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("-G $(echo -lineinfo)", ["-G", "-lineinfo"]),
        ("-G $(echo -O3) ${MORE:-x -O2}", ["-G", "-O3", "-O2"]),
        ("-G $(find . -O3)", ["-G"]),
        ("-ccbin $(which g++ -lineinfo) -G", ["-ccbin", "-G"]),
    ],
)
def test_options_in_expansions(text: str, names: list[str]) -> None:
    assert [one.name for one in shell_options.uses(text.encode(), 0, len(text))] == names
