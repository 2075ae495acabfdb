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
