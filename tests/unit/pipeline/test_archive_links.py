"""A link that takes an archive of another folder, with device code not linked yet, is told of."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

ARCHIVE = (
    'NAME = search\nall:\n\tfor f in *.cu; do nvcc -rdc=true -c $$f -o $$f".o"; done\n'
    "\tnvcc -dlink -o linked.o *.cu.o -lcudart\n\tar rvs ../lib$(NAME).a *.o\n"
)
LINK = "app: main.o\n\tg++ main.o -L.. -lsearch -lcudart -o app\n"


def found(root: Path, archive: str, link: str) -> list[str]:
    """The messages about links in the program's Makefile."""
    written(root, {"gpu/k.cu": "__global__ void k() {}\n", "gpu/Makefile": archive, "app/Makefile": link})
    scan = pipeline.scan(root, Config(jobs=1))
    return [one.message for one in scan.findings if one.rule == "build/make-archive-link"]


def test_the_link_is_told_of(tmp_path: Path) -> None:
    (message,) = found(tmp_path, ARCHIVE, LINK)
    assert message.startswith("`g++` links `-lsearch`")


@pytest.mark.parametrize(
    ("archive", "link"),
    [
        pytest.param(
            ARCHIVE.replace("-rdc=true ", "").replace("\tnvcc -dlink", "\t: -dlink"), LINK, id="linked device code"
        ),
        pytest.param(ARCHIVE, LINK.replace("-lsearch", "-lsearching"), id="another archive"),
        pytest.param(ARCHIVE.replace("$(NAME)", "$(OTHER)"), LINK, id="a name that is not known"),
        pytest.param(ARCHIVE, LINK.replace("g++ main.o", "g++ -c main.o"), id="no link"),
    ],
)
def test_other_links_are_not(archive: str, link: str, tmp_path: Path) -> None:
    assert found(tmp_path, archive, link) == []


ROOT = (
    "export NVCC = nvcc\nexport FLAGS = -arch=sm_70\nOBJECTS = ./src/*/*.o\n"
    "all:\n\tcd src; $(MAKE)\n\t$(NVCC) $(FLAGS) $(OBJECTS) -o app\n"
)
INNER = "all: k.o\n%.o: %.cu\n\t$(NVCC) $(FLAGS) -dc $< -o $@\n"


def linked(root: Path, top: str, inner: str) -> list[tuple[str, bytes | None]]:
    """The messages about links of objects in the Makefile at the top, each with what its fix writes."""
    files = {"src/a/k.cu": "__global__ void k() {}\n", "src/a/Makefile": inner, "Makefile": top}
    written(root, files | {"src/Makefile": "all:\n\t$(MAKE) --directory a\n"})
    scan = pipeline.scan(root, Config(jobs=1))
    found = [one for one in scan.findings if one.rule == "build/make-folder-link"]
    return [(one.message, one.fix.edits[0].replacement if one.fix else None) for one in found]


@pytest.mark.parametrize(
    "inner",
    [
        pytest.param(INNER, id="where make runs"),
        pytest.param(INNER.replace("-o $@", "-o ../b/$@"), id="a folder beside it"),
    ],
)
def test_objects_of_another_folder_are_linked_with_their_device_code(inner: str, tmp_path: Path) -> None:
    ((message, options),) = linked(tmp_path, ROOT, inner)
    assert message.startswith("`$(NVCC)` links `./src/*/*.o`")
    assert options == b" -fgpu-rdc --hip-link"


def test_a_link_that_names_no_gpu_is_left_to_do(tmp_path: Path) -> None:
    assert [fix for _, fix in linked(tmp_path, ROOT.replace("$(NVCC) $(FLAGS)", "$(NVCC)"), INNER)] == [None]


@pytest.mark.parametrize(
    ("top", "inner"),
    [
        pytest.param(ROOT, INNER.replace("-dc", "-c"), id="linked device code"),
        pytest.param(ROOT.replace("./src/*/*.o", "./lib/*/*.o"), INNER, id="objects of another folder"),
        pytest.param(ROOT.replace("./src/*/*.o", "./src/*.o"), INNER, id="the folder above"),
        pytest.param(ROOT.replace("./src/*/*.o", "$(OUT)/*/*.o"), INNER, id="a folder that is not known"),
        pytest.param(ROOT.replace("$(NVCC) $(FLAGS) $", "g++ $"), INNER, id="the host's linker"),
        pytest.param(ROOT.replace("$(FLAGS) $", "$(FLAGS) -dlink $"), INNER, id="no last link"),
    ],
)
def test_links_of_other_objects_are_left(top: str, inner: str, tmp_path: Path) -> None:
    assert linked(tmp_path, top, inner) == []


HOST = (
    "app: k.o\n\tg++ k.o d.o -o app\nd.o: k.o\n\tnvcc -dlink k.o -o d.o\nindex: m.o\n\tg++ m.o -o index\n"
    "%.o: %.cpp\n\tg++ -c $< -o $@\n%.o: %.cu\n\tnvcc -dc $< -o $@\n"
)


@pytest.mark.parametrize(("files", "lines"), [(("k.cu", "m.cpp"), [2]), (("k.cu", "m.cu"), [2, 6])])
def test_a_link_of_objects_of_the_host_is_no_link_of_device_code(
    tmp_path: Path, files: tuple[str, ...], lines: list[int]
) -> None:
    written(tmp_path, {"Makefile": HOST} | dict.fromkeys(files, "int a;\n"))
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert [one.position.line for one in found if one.rule == "build/make-device-link-other"] == lines


SEVERAL = """ifdef PIC
LIB := libk_pic.a
else
LIB := libk.a
endif
app: main.c $(LIB)
\t@{link}
$(LIB): $(objects)
\t@ar rc $@ $+
%.o: %.cu
\tnvcc {option} -o $@ $<
"""


@pytest.mark.parametrize(
    ("link", "option", "is_found"),
    [
        ("nvcc -o $@ main.c -L. -l$(NAME)", "-dc", True),
        ("echo done", "-dc", True),  # whoever links it needs the options
        ("nvcc -o $@ main.c -L. -l$(NAME)", "-c", False),
        ("nvcc -o $@ main.c -L. -l$(NAME)", "-rdc=true -c", False),
        ("nvcc -rdc=true -o $@ main.c -L. -l$(NAME)", "-dc", False),
        ("nvcc -o $@ k.o", "-dc", False),
    ],
)
def test_objects_whose_link_is_not_seen(tmp_path: Path, link: str, option: str, is_found: bool) -> None:
    text = SEVERAL.format(link=link, option=option).replace("main.c", "k.o" if "k.o" in link else "main.c")
    written(tmp_path, {"k.cu": "__global__ void k() {}\n", "Makefile": text})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    said = [one.position.line for one in report.findings if one.rule == "build/make-unseen-link"]
    assert said == ([11] if is_found else [])
