"""Which commands of a Makefile link device code that was compiled with `-dc`."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import makefile_links, makefile_variables


def links(text: str, **others: str) -> list[tuple[str, bool]]:
    family = {"Makefile": text.encode(), **{name: body.encode() for name, body in others.items()}}
    found = makefile_links.of(makefile_variables.read("Makefile", family))
    return [(link.file.text(link.word).decode(), link.by_nvcc) for link in found]


COMPILE = "%.o: %.cu\n\t$(NVCC) -dc -o $@ $<\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("OBJS = $(SRC:.cu=.o)\napp: $(OBJS)\n\t$(NVCC) -o $@ $^ -lm\n" + COMPILE, [("$(NVCC)", True)]),
        (
            "OBJS = $(patsubst %.cu,obj/%.o,$(S))\nd.o: $(OBJS)\n\tnvcc -dlink $^ -o $@\n"
            "app: $(OBJS)\n\tg++ $(OBJS) d.o -o app\n" + COMPILE,
            [("g++", False)],
        ),
        ("libx.a: a.o\n\tar rcs $@ $^\napp: libx.a\n\tnvcc m.cpp libx.a -o app\n" + COMPILE, [("nvcc", True)]),
        ("app: a.o\n\tnvcc -dlink a.o -o d.o\n\tnvcc d.o a.o -o app\n" + COMPILE, [("nvcc", True)]),
        (
            "V = d\n$V/libx.so: $V/a.o\n\tnvcc -shared --output-file $@ $^\n"
            "$V/a.o: a.cu\n\tnvcc -rdc=true -c $< -o $@\n",
            [("nvcc", True)],
        ),
        ("a.o: a.cu\n\tnvcc --device-c a.cu\napp: a.o\n\tnvcc a.o -o app\n", [("nvcc", True)]),
    ],
)
def test_what_takes_such_objects_links_them(text: str, expected: list[tuple[str, bool]]) -> None:
    assert links(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "app: main.c\n\tgcc main.c -o app\n" + COMPILE,  # takes none of the objects
        "F = -rdc=true\napp: a.o\n\tnvcc $(F) a.o -o app\na.o: a.cu\n\tnvcc $(F) -c a.cu -o a.o\n",
        "app: a.o\n\tnvcc a.o -o app\na.o: a.cu\n\tnvcc -rdc=false -c a.cu -o a.o\n",
        "app: a.o\n\tnvcc a.o -o app\nb.fatbin: b.cu\n\tnvcc -dc -fatbin b.cu -o b.fatbin\na.o: a.cu\n\tnvcc -c a.cu\n",
        "V = d\n$V/libx.so: $V/t.o\n\tnvcc -shared -o$@ $^\n$V/a.o: a.cu\n\tnvcc -dc $< -o $@\n",
        "app: a.cu\n\tnvcc -rdc=true a.cu -o app\ntool: t.o\n\tg++ t.o -o tool\n",
        "ifneq ($(MPI),)\nF += -dc\nendif\napp: a.o\n\tg++ a.o -o app\n%.o: %.cu\n\tnvcc $(F) -c $<\n",  # no -dlink
        "a.o: a.cu\n\tnvcc -dc $<\ntool: t.o\n\tnvcc t.o -o tool\n",  # without -o the rule's target is made
    ],
)
def test_what_takes_none_or_has_the_option_already_does_not(text: str) -> None:
    assert links(text) == []


def test_objects_may_be_made_in_a_makefile_that_is_included() -> None:
    assert links("include b.mk\napp: a.o\n\tnvcc a.o -o app\n", **{"b.mk": COMPILE}) == [("nvcc", True)]


def test_functions_of_the_makefile_make_and_take_any_objects() -> None:
    compiles = "define part\n\tnvcc -dc $(1) -o $(2)\nendef\n"
    assert links(f"define program\n\tnvcc $(1) b.cu -o $(2)\nendef\n{compiles}") == [("nvcc", True)]
    assert links(f"define program\n\tnvcc b.cu -o $(2)\nendef\n{compiles}") == []


NAMED = "V = d\nF_d = -arch=sm_70\napp: a.o\n\tnvcc {} a.o -o app\na.o: a.cu\n\tnvcc $(F_$V) -dc a.cu -o a.o\n"


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        (NAMED.format(""), True),
        (NAMED.format("-arch=sm_70"), False),
        (NAMED.format("$(F_$V)"), False),
        (NAMED.format("").replace("-arch=sm_70", "-O3"), False),  # nothing names any
    ],
)
def test_a_link_names_the_gpus_that_the_objects_are_for(text: str, lacks: bool) -> None:
    found = makefile_links.of(makefile_variables.read("Makefile", {"Makefile": text.encode()}))
    assert [one.lacks_gpus for one in found] == [lacks]


SUFFIX = ".SUFFIXES: .cu\napp: a.o\n\tnvcc -o $@ a.o\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SUFFIX + ".cu.o:\n\tnvcc -dc $<\n", [("nvcc", True)]),
        (SUFFIX + ".cu.o:\n\tnvcc -dc $< -o $@\n", [("nvcc", True)]),
        ("S = .o .cu\n" + SUFFIX.replace(".cu", "$(S)") + ".cu.o:\n\tnvcc -dc $<\n", [("nvcc", True)]),
        (".SUFFIXES: .cu\n.o:\n\tnvcc $< -o $@\na.o: a.cu\n\tnvcc -dc $<\n", [("nvcc", True)]),
        (SUFFIX + ".cu.o:\n\tnvcc -c $<\n", []),
        (SUFFIX + ".cu.obj:\n\tnvcc -dc $<\n", []),  # no known suffix: the name of a file
        (SUFFIX + ".cu.a:\n\tnvcc -dc $< -o $@\n", []),
        (".SUFFIXES: .cu\n.cu:\n\tnvcc $< -o $@\na.o: a.cu\n\tnvcc -dc $<\n", []),
        ("app: a.o\n\tnvcc a.o -o app\n.lib.o: a.cu\n\tnvcc -dc a.cu -o $@\n", []),  # `.lib` is no suffix
    ],
)
def test_an_old_suffix_rule_makes_any_object_of_its_suffix(text: str, expected: list[tuple[str, bool]]) -> None:
    assert links(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CC = nvcc\napp: app.o b.o\n%.o: %.cu\n\t$(CC) -dc $<\n", [("app", True)]),
        ("CC = nvcc\nO = app.o b.o\napp: $(O)\nall: app\n%.o: %.cu\n\t$(CC) -dc $<\n", [("app", True)]),
        ("LINK.o = nvcc $(LDFLAGS)\napp: app.o b.o\n%.o: %.cu\n\tnvcc -dc $<\n", [("nvcc", True)]),
        ("CC = nvcc\nLDFLAGS = -fgpu-rdc --hip-link\napp: app.o\n%.o: %.cu\n\t$(CC) -dc $<\n", []),
        ("CC = nvcc\napp: a.o b.o\n%.o: %.cu\n\t$(CC) -dc $<\n", []),  # make has no rule for that
        ("CC = nvcc\napp: app.o\n%.o: %.cu\n\t$(CC) -c $<\n", []),
        ("app: app.o\n%.o: %.cu\n\tnvcc -dc $<\n", []),  # CUDA's program does not link either
        ("CC = nvcc\napp: app.o\napp:\n\t$(CC) -rdc=true $^\n%.o: %.cu\n\t$(CC) -dc $<\n", []),
    ],
)
def test_what_makes_own_rule_links(text: str, expected: list[tuple[str, bool]]) -> None:
    assert links(text) == expected


TWO = (
    "STEP = d.o\nd.o: k.o\n\tnvcc -dlink k.o -o d.o\nifeq ($(CUDA),)\nOBJS = m.o\nelse\nOBJS = m.o k.o d.o\nendif\n"
    "app: $(OBJS)\n"
)
COMPILES = "ifneq ($(CUDA),)\nk.o: k.cu\n\tnvcc -dc k.cu -o k.o\nendif\nm.o: m.cpp\n\tg++ -c m.cpp -o m.o\n"


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("ifeq ($(CUDA),)\n\tg++ -o app $(OBJS)\nelse\n\tmpicxx -o app $(OBJS)\nendif\n", [("mpicxx", False)]),
        ("ifeq ($(CUDA), )\n\tg++ -o app $(OBJS)\nendif\n", []),
        ("ifneq ($(CUDA),)\n\tg++ -o app $(OBJS)\nendif\n", [("g++", False)]),
        ("ifeq ($(MPI),)\n\tg++ -o app $(OBJS)\nendif\n", [("g++", False)]),
        ("\tg++ -o app $(OBJS)\n", [("g++", False)]),
        ("ifdef X\nelse ifeq ($(CUDA),)\n\tg++ -o app $(OBJS)\nelse\n\tgcc -o app $(OBJS)\nendif\n", [("gcc", False)]),
    ],
)
def test_what_another_branch_assigns_or_compiles_is_not_linked(link: str, expected: list[tuple[str, bool]]) -> None:
    assert links(TWO + link + COMPILES) == expected


@pytest.mark.parametrize(
    ("files", "targets"),
    [
        (set[str](), ["host", "app"]),
        ({"k.cu", "m.cpp"}, ["app"]),
        ({"m.cu"}, ["host"]),
        ({"k.cpp", "m.cpp"}, ["host", "app"]),  # the build may write them
    ],
)
def test_what_a_pattern_makes_is_known_by_the_files_that_there_are(files: set[str], targets: list[str]) -> None:
    text = "host: m.o\n\tg++ m.o -o host\napp: k.o\n\tg++ k.o -o app\nd.o: $(S)\n\tnvcc -dlink $(S) -o d.o\n"
    data = (text + COMPILE.replace("$(NVCC)", "nvcc")).encode()
    found = makefile_links.of(makefile_variables.read("Makefile", {"Makefile": data}), files)
    assert [data[one.word.end :].split()[2].decode() for one in found] == targets
