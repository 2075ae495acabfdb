"""The first screen does not call a repository free of GPU code while a part of it was not read."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.reporting.formats import text
from cudamigrate.reporting.headline import sentence

ONE = Config(jobs=1)
BINARY = b"__global__ void k(\0int *a) {}\n"


@pytest.mark.parametrize(
    ("binary", "said"),
    [
        (0, "Nothing to port: no GPU code was found."),
        (1, "No GPU code was found, but 1 file was not read."),
        (2, "No GPU code was found, but 2 files were not read."),
    ],
)
def test_files_that_were_not_read_are_in_the_sentence(tmp_path: Path, binary: int, said: str) -> None:
    (tmp_path / "host.cpp").write_text("int main() { return 0; }\n")
    for number in range(binary):
        (tmp_path / f"k{number}.cu").write_bytes(BINARY)
    report = pipeline.scan(tmp_path, ONE)
    assert report.unread == binary
    assert sentence(report) == said
    assert text.render(report).count("GPU code") == 1
    assert ("Nothing that needs to change was found in the files that were read." in text.render(report)) == bool(
        binary
    )


@pytest.mark.parametrize(
    ("names", "said"), [(("ggml",), "1 submodule was not read."), (("ggml", "more"), "2 submodules were not read.")]
)
def test_submodules_that_were_not_entered_are_in_the_sentence(
    tmp_path: Path, names: tuple[str, ...], said: str
) -> None:
    """What the code of a project is in may be in one."""
    (tmp_path / "host.cpp").write_text("int main() { return 0; }\n")
    modules = (f'[submodule "{name}"]\n\tpath = {name}\n\turl = ../{name}\n' for name in names)
    (tmp_path / ".gitmodules").write_text("".join(modules))
    for name in names:
        (tmp_path / name).mkdir()
    report = pipeline.scan(tmp_path, ONE)
    assert sentence(report) == f"No GPU code was found, but {said}"
    assert text.render(report).count("GPU code") == 1


def test_a_link_is_not_a_file_that_was_not_read(tmp_path: Path) -> None:
    (tmp_path / "host.cpp").write_text("int main() { return 0; }\n")
    (tmp_path / "again.cpp").symlink_to("host.cpp")
    report = pipeline.scan(tmp_path, ONE)
    assert report.skipped and report.unread == 0
    assert sentence(report) == "Nothing to port: no GPU code was found."


def test_code_that_was_read_is_decided_on_whatever_else_was_not(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text("__global__ void k(int *a) { *a = 1; }\nvoid f(int *a) { cudaFree(a); }\n")
    (tmp_path / "b.cu").write_bytes(BINARY)
    report = pipeline.scan(tmp_path, ONE)
    assert report.unread == 1
    assert sentence(report).startswith("Port it")


def test_what_needs_no_change_is_run_and_compared(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("import torch\n\nprint(torch.ones(3).cuda())\n")
    report = pipeline.scan(tmp_path, ONE)
    assert not report.findings
    assert sentence(report).startswith("Nothing has to change: run it on AMD and compare. ")
    assert "Nothing found" not in text.render(report)
