"""Headers that Makefiles make, with the command that makes each."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate.compilation import build_flags, include_closure, made_headers
from cudamigrate.compilation.made_headers import MadeHeader, meant


def test_which_headers_are_made_and_how(tmp_path: Path) -> None:
    lines = [
        "GEN = gen",
        "STAMP := $(shell ./stamp.sh > stamp.h)",
        "COUNT := $(shell wc -l < sizes.h)",
        "$(GEN)/tables.h: tables.py",
        "\tmkdir -p $(GEN)",
        "\tpython tables.py > $@",
        "%_ops.h: %.in",
        "\t@sed s/a/b/ $< > $@",
        "prepare:",
        "\t./make_list.sh -o list.h",
        "main.o: main.cu kept.h",
        "\tnvcc -c main.cu -o main.o",
        "kept.h: kept.in",
        "\tcp kept.in kept.h",
    ]
    written(tmp_path, {"src/Makefile": "\n".join(lines) + "\n", "src/kept.h": "int a;\n"})
    found = made_headers.read(tmp_path, {"src/Makefile", "src/kept.h"})
    assert [(one.path, one.title) for one in found] == [
        ("src/stamp.h", "made by `./stamp.sh > stamp.h`, src/Makefile:2"),
        ("src/gen/tables.h", "made by `python tables.py > gen/tables.h`, src/Makefile:6"),
        ("src/%_ops.h", "made by `sed s/a/b/ $< > %_ops.h`, src/Makefile:8"),
        ("src/list.h", "made by `./make_list.sh -o list.h`, src/Makefile:10"),
    ]


@pytest.mark.parametrize(
    ("path", "name", "means"),
    [
        ("gen/tables.h", "tables.h", True),
        ("gen/tables.h", "../gen/tables.h", True),
        ("tables.h", "gen/tables.h", True),
        ("gen/tables.h", "my_tables.h", False),
        ("gen/tables.h", "old/tables.h", False),
        ("gen/%_ops.h", "add_ops.h", True),
        ("gen/%_ops.h", "ops.h", False),
    ],
)
def test_what_an_include_means(path: str, name: str, means: bool) -> None:
    assert (meant([MadeHeader(path, "", "")], name) is not None) is means


@pytest.mark.parametrize(("made", "target"), [("gen/tables.h", ""), ("gen/other.h", "old/tables.h")])
def test_no_other_header_is_taken_for_one_that_is_made(made: str, target: str) -> None:
    tree = include_closure.IncludeResolver(
        root="/none",
        project=build_flags.Project({}, {}),
        system=(),
        read=lambda path: b"",
        paths=frozenset(("main.cu", "old/tables.h")),
        is_made=lambda name: meant([MadeHeader(made, "", "")], name),
    )
    assert tree.resolve("main.cu", "tables.h", True, {}) == target


def test_a_file_of_options_that_a_rule_writes_is_one_by_its_target(tmp_path: Path) -> None:
    lines = [
        "OPT = options/mpi.opt",
        "$(OPT): | options",
        '\t@echo "/* whether MPI is used */" > $@',
        '\t@echo "#define USE_MPI 1" >> $@',
        "kept.opt: kept.in",
        "\tcp kept.in kept.opt",
        "plain.opt: plain.in",
        '\techo "see > plain.opt"',
        "app.o: app.cu",
        "\tnvcc -c app.cu -o app.o",
        "list.h:",
    ]
    written(tmp_path, {"Makefile": "\n".join(lines) + "\n", "kept.opt": "int a;\n"})
    assert [one.path for one in made_headers.read(tmp_path, {"Makefile"})] == ["options/mpi.opt"]
