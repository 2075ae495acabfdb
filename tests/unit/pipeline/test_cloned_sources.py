"""Repositories that scripts clone and whose headers CUDA code includes are named as not counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.reporting import headline

KERNEL = "__global__ void k() {}\n"
CLONE = "#!/bin/sh\nif [ ! -d tinynet ]; then\n  git clone --depth 1 https://example.org/own/tinynet.git\nfi\nmake\n"
USES = "#include <tinynet/layer.h>\n"
OF_HOST = CLONE.replace("own/tinynet", "fmtlib/fmt")


@pytest.mark.parametrize(
    ("script", "files", "needed"),
    [
        pytest.param(CLONE, {"a.cu": USES + KERNEL}, 1, id="included"),
        pytest.param(CLONE, {"a.cu": '#include "b.h"\n' + KERNEL, "b.h": USES}, 1, id="by a header"),
        pytest.param(CLONE.replace(".git\n", ".git deps/tinynet\n"), {"a.cu": USES + KERNEL}, 1, id="a folder"),
        pytest.param(CLONE, {"a.cu": KERNEL, "b.cpp": USES}, 0, id="by the host alone"),
        pytest.param(CLONE, {"a.cu": "#include <other/layer.h>\n" + KERNEL}, 0, id="another"),
        pytest.param(CLONE, {"a.cu": USES + KERNEL, "tinynet/layer.h": "int a;\n"}, 0, id="it is there"),
        pytest.param(OF_HOST, {"a.cu": "#include <fmt/core.h>\n" + KERNEL}, 0, id="a library for the host"),
        pytest.param("make\n", {"a.cu": USES + KERNEL}, 0, id="no clone"),
    ],
)
def test_clones_that_cuda_code_includes_are_named(
    tmp_path: Path, script: str, files: dict[str, str], needed: int
) -> None:
    written(tmp_path, {"build.sh": script, **files})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    assert report.needed_clones == ({"own/tinynet": needed} if needed else {})
    said = "Not counted, because not read: the repository own/tinynet that a script clones" in headline.sentence(report)
    assert said is bool(needed)
