"""Which commands of a Makefile name the language of their inputs behind them, and what the first input is."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import makefile_languages, makefile_variables

_HEAD = """\
SRC = a.cpp
ALL = $(SRC) b.cpp
OBJ = a.o
FLAGS = -O3 -include all.cpp
COMPILER = nvcc
"""


def _first(command: str) -> str:
    """What begins at the first input before `-x` of a command."""
    data = f"{_HEAD}app: a.cpp\n\t{command}\n".encode()
    variables = makefile_variables.read("Makefile", {"Makefile": data})
    at = makefile_languages.first_before(variables, data.index(b" -x ") + 1)
    return "" if at is None else data[at:].decode().split(" -x ")[0]


def _behind(command: str) -> list[str]:
    data = f"{_HEAD}app: a.cpp\n\t{command}\n".encode()
    variables = makefile_variables.read("Makefile", {"Makefile": data})
    return [data[one.option.start : one.option.end].decode() for one in makefile_languages.behind(variables)]


@pytest.mark.parametrize(
    "inputs",
    [
        "$?",
        "$<",
        "$^",
        "$+",
        "$(?)",
        "${<}",
        '"$<"',
        "$(SRC)",
        "${ALL}",
        "$(DIR)/a.cpp",
        "$*.cu",
        "$(OBJ:.o=.cu)",
        "$(OBJ:%.o=%.cpp)",
        "$(patsubst %.o,src/%.cu,$(OBJ))",
        "$(wildcard src/*.cpp)",
        "$(filter %.cpp,$^)",
        "$(filter-out b.cpp,$^)",
        "$(sort $(filter-out b.cpp,$(ALL)))",
        "$(addprefix src/,$(SRC))",
        "$(addsuffix .cpp,$(NAMES))",
    ],
)
def test_the_first_input_is_found_whatever_names_it(inputs: str) -> None:
    assert _first(f"$(COMPILER) -I a.c $(FLAGS) -o a.c {inputs} $(OBJ) -x cu") == f"{inputs} $(OBJ)"
    assert _behind(f"@$(COMPILER) -O3 {inputs} -x c++ -o $@") == ["-x c++"]


@pytest.mark.parametrize(
    "words",
    [
        "",
        "-O3 $(FLAGS)",
        "-o a.cpp",
        "-o $(SRC)",
        "-include all.cpp",
        "$(UNKNOWN)",
        "$(OBJ)",
        "$(SRC:.cpp=.o)",
        "$(patsubst %.cpp,%.o,$(SRC))",
        "$(addprefix -I,$(SRC))",
        "$(addsuffix .o,$(SRC))",
        "$(shell flags a.cpp)",
    ],
)
def test_what_is_no_input_is_left(words: str) -> None:
    assert _first(f"$(COMPILER) {words} -x cu $?") == ""
    assert _behind(f"$(COMPILER) {words} -x c++ $? -o $@") == []


@pytest.mark.parametrize(
    "command",
    [
        "g++ $? -x c++ -o $@",
        "clang++ a.cu -x c++ -o $@",
        "$(CXX) $? -x c++ -o $@",
        "nvcc $? -x cu -x c++ -o $@",
        "nvcc $? -x c++-header -o $@",
        "nvcc $? -x cu -o $@",
        "echo $? -x c++",
        "nvcc $? -o $@; g++ -x c++ b.cpp",
    ],
)
def test_commands_that_go_by_the_order_or_name_several_languages_are_left(command: str) -> None:
    assert _behind(command) == []


@pytest.mark.parametrize(
    ("value", "command", "expected"),
    [
        ("-O3 -x c++", "nvcc $? $(HOST) -o $@", [("$(HOST)", True)]),
        ("-x c++ $(OBJ)", "nvcc $? $(HOST) -o $@", [("$(HOST)", False)]),
        ("-x c++ -lm", "nvcc $? $(HOST) -o $@", [("$(HOST)", False)]),
        ("-x c++", "nvcc $(HOST) $? -o $@", []),
        ("-x c++", "nvcc $? -o $@", []),
        ("-x c++", "nvcc $? $(HOST) -x cu -o $@", []),
        ("-x c++", "g++ $? $(HOST) -o $@", []),
        ("-x cu", "nvcc $? $(HOST) -o $@", []),
        ("-x c++", "nvcc $? $(addprefix -Xcompiler ,$(HOST)) -o $@", []),
    ],
)
def test_a_variable_behind_the_inputs_may_hold_the_option(
    value: str, command: str, expected: list[tuple[str, bool]]
) -> None:
    data = f"{_HEAD}HOST = {value}\napp: a.cpp\n\t{command}\n".encode()
    variables = makefile_variables.read("Makefile", {"Makefile": data})
    found = makefile_languages.behind(variables)
    assert [(data[one.option.start : one.option.end].decode(), one.moves) for one in found] == expected


def test_a_variable_with_another_language_in_other_builds_moves_too() -> None:
    data = b"ifdef GPU\nKIND = -x cu\nelse\nKIND = -x c++\nendif\nall: a.cpp\n\tnvcc $? $(KIND)\n"
    variables = makefile_variables.read("Makefile", {"Makefile": data})
    assert [one.moves for one in makefile_languages.behind(variables)] == [True]


def test_a_variable_that_names_itself_ends() -> None:
    assert _first("nvcc $(LOOP) -x cu") == ""
    data = b"LOOP = $(LOOP)\nall: a.cu\n\tnvcc $(LOOP) -x cu\n"
    variables = makefile_variables.read("Makefile", {"Makefile": data})
    assert makefile_languages.first_before(variables, data.index(b"-x")) is None


def test_a_command_in_a_variable_counts() -> None:
    data = b"BUILD = nvcc $< -x cu\nall: a.cu\n\t$(BUILD)\n"
    variables = makefile_variables.read("Makefile", {"Makefile": data})
    assert makefile_languages.first_before(variables, data.index(b"-x")) == data.index(b"$<")
