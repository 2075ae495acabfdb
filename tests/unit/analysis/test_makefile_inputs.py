"""Objects behind a source in one command of a Makefile, which hipcc would read as sources."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import makefile_inputs, makefile_variables


def found(text: str) -> list[tuple[str, bool]]:
    """The words with objects behind a source, and whether `-x none` before them is enough."""
    data = text.encode()
    variables = makefile_variables.read("Makefile", {"Makefile": data})
    return [(data[one.word.start : one.word.end].decode(), one.parts) for one in makefile_inputs.of(variables)]


@pytest.mark.parametrize(
    ("inputs", "word", "parts"),
    [
        ("main.cu a.o", "a.o", True),
        ("main.c -L. lib/libk.so.1", "lib/libk.so.1", True),
        ("$(SRC) $(SRC:.cu=.o)", "$(SRC:.cu=.o)", True),
        ("$(SRC) $(patsubst %.cpp,obj/%.o,$(SRC))", "$(patsubst %.cpp,obj/%.o,$(SRC))", True),
        ("$< ${OBJ}", "${OBJ}", True),
        ("a.o main.cu b.o", "b.o", True),
        ("main.cu a.o b.cu", "a.o", False),
        ("$(BOTH)", "$(BOTH)", False),
        ("$^", "$^", True),
        ("$^ last.cu", "$^", False),
    ],
)
def test_an_object_behind_a_source_is_found(inputs: str, word: str, parts: bool) -> None:
    head = "SRC = main.cu\nOBJ = a.o b.o\nBOTH = a.cu b.o\n"
    assert found(f"{head}app: main.cu $(OBJ)\n\tnvcc -O3 -o app {inputs} -lm\n") == [(word, parts)]


@pytest.mark.parametrize(
    "command",
    [
        "nvcc -o app a.o main.cu",
        "nvcc -o main.o main.cu",
        "nvcc -c main.cu -o a.o",
        "nvcc -x cu main.cu a.o",
        "nvcc main.cu -include a.o -o b.o",
        "nvcc $(OBJ) -o app",
        "nvcc main.cu $(UNKNOWN)",
        "g++ main.cpp a.o",
    ],
)
def test_other_commands_are_left(command: str) -> None:
    assert found(f"OBJ = a.o b.o\napp: main.cu\n\t{command}\n") == []


@pytest.mark.parametrize(
    "objects",
    [
        "$(patsubst %,$(OUT)/%,$(ALL))",
        "$(addprefix $(OUT)/,$(ALL))",
        "$(addsuffix .o,$(NAMES))",
        "$(filter %.o,$(NAMES))",
        "$(wildcard build/*.o)",
        "$(ALL)",
    ],
)
def test_objects_that_calls_and_several_values_name(objects: str) -> None:
    head = "ALL = $(PART) c.o\nPART = a.o\nifdef GPU\nPART += b.cu.o\nelse\nPART += b.o\nendif\n"
    text = f"{head}OBJ = {objects}\napp: main.cpp $(OBJ)\n\tnvcc main.cpp -o bin/$@ $(OBJ) -lm\n"
    assert found(text) == [("$(OBJ)", True)]


@pytest.mark.parametrize(
    "given",
    [
        "$(patsubst %.o,%,$(ALL))",
        "$(patsubst %.o,%.d,$(ALL))",
        "$(addsuffix .txt,$(ALL))",
        "$(filter %.cpp,$(ALL))",
        "$(shell ls a.o)",
        "$(MIXED)",
        "$(SELF)",
    ],
)
def test_calls_that_name_no_objects(given: str) -> None:
    head = "ALL = a.o\nSELF = $(SELF)\nMIXED = a.cu\nMIXED += b.o\n"
    assert found(f"{head}app: main.cpp\n\tnvcc main.cpp -o app {given}\n") == []


def test_an_object_that_a_compilation_has_no_use_for_is_for_somebody_to_take_out() -> None:
    assert found("a.o: a.cu\n\tnvcc $*.cu -dc $*.o\n") == [("$*.o", False)]


def test_a_suffix_rule_says_what_its_source_is() -> None:
    rule = ".cu:\n\tnvcc $< a.o -o $@\n"
    assert found(f".SUFFIXES: .cu\n{rule}") == [("a.o", True)]
    assert found(rule) == []
