"""A Makefile's command that links code with ROCTx's header gets its library."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

LIBRARY = "-lrocprofiler-sdk-roctx"
SOURCE = (
    '#include "nvtx3/nvToolsExt.h"\nint main() { nvtxRangePushA("a"); nvtxRangePop(); return cudaDeviceReset(); }\n'
)
GUARDED = SOURCE.replace("#include", "#ifdef USE_NVTX\n#include").replace("\nint", "\n#endif\nint")


def makefile(root: Path, files: dict[str, str]) -> list[str]:
    """The recipes of the Makefile as they come out."""
    written(root, files)
    made = {one.path: one.after.decode() for one in pipeline.apply(root, Config(jobs=1)).conversions}
    return [line.strip() for line in made["Makefile"].splitlines() if line.startswith("\t")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("app: a.cu\n\tnvcc -ldl -o app a.cu\n", [f"hipcc -ldl -o app a.cu {LIBRARY}"]),
        ("app: a.o\n\tnvcc $^ -o $@\na.o: a.cu\n\tnvcc -c a.cu\n", [f"hipcc $^ -o $@ {LIBRARY}", "hipcc -c a.cu"]),
        (
            "app: a.o\n\tg++ a.o -o app\n%.o: %.cu\n\tnvcc -c $<\n",
            [f"g++ a.o -o app -L/opt/rocm/lib {LIBRARY}", "hipcc -c $<"],
        ),
        ("app: a.cu\n\tnvcc a.cu -o app -lnvToolsExt\n", [f"hipcc a.cu -o app {LIBRARY}"]),
        ("app: b.o a.cu\n\tnvcc b.o -o b\n\tnvcc -c a.cu\n", ["hipcc b.o -o b", "hipcc -c a.cu"]),
    ],
)
def test_what_links_the_source_or_its_object_gets_the_library(tmp_path: Path, text: str, expected: list[str]) -> None:
    assert makefile(tmp_path, {"Makefile": text, "a.cu": SOURCE}) == expected


@pytest.mark.parametrize(("option", "given"), [("-DUSE_NVTX", True), ("-DUSE_NVTXT", False), ("-O3", False)])
def test_an_include_that_depends_on_a_macro_counts_where_it_is_defined(
    tmp_path: Path, option: str, given: bool
) -> None:
    (link,) = makefile(tmp_path, {"Makefile": f"app: a.cu\n\tnvcc {option} -o app a.cu\n", "a.cu": GUARDED})
    assert (LIBRARY in link) == given


@pytest.mark.parametrize(
    ("head", "option"),
    [
        ("ifdef NVTX\nF += -DUSE_NVTX\nendif\n", f"$(if $(findstring -DUSE_NVTX,$(F)),{LIBRARY})"),
        ("F = -DUSE_NVTX\n", LIBRARY),
        ("ifdef NVTX\nF += -DUSE_NVTXT\nendif\n", ""),
    ],
)
def test_a_macro_that_only_some_builds_define_links_in_those(tmp_path: Path, head: str, option: str) -> None:
    (link,) = makefile(tmp_path, {"Makefile": f"{head}app: a.cu\n\tnvcc $(F) -o app a.cu\n", "a.cu": GUARDED})
    assert link == f"hipcc $(F) -o app a.cu {option}".rstrip()


def test_a_header_of_the_project_brings_it_too(tmp_path: Path) -> None:
    files = {"a.cu": SOURCE.replace("nvtx3/nvToolsExt.h", "ranges.h"), "ranges.h": '#include "nvtx3/nvToolsExt.h"\n'}
    text = "app: a.cu\n\tnvcc -o app a.cu\ntool: b.cu\n\tnvcc -o tool b.cu\n"
    made = makefile(tmp_path, {"Makefile": text, "b.cu": "int main() { return cudaDeviceReset(); }\n", **files})
    assert [LIBRARY in line for line in made] == [True, False]


def test_the_command_is_named_in_the_report(tmp_path: Path) -> None:
    written(tmp_path, {"Makefile": "app: a.cu\n\tnvcc -ldl -o app a.cu\n", "a.cu": SOURCE})
    rule = "build/make-roctx"
    found = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule == rule]
    assert [(one.path, one.position.line) for one in found] == [("Makefile", 2)]


@pytest.mark.parametrize(("option", "more"), [("-l nvToolsExt", LIBRARY), ("-l nvTools", f"-l nvTools {LIBRARY}")])
def test_the_old_library_as_a_word_of_its_own_becomes_it(option: str, more: str, tmp_path: Path) -> None:
    files = {"Makefile": f"app: a.cu\n\tnvcc a.cu -o app {option}\n", "a.cu": SOURCE}
    assert makefile(tmp_path, files) == [f"hipcc a.cu -o app {more}"]
