"""A script that passes its arguments on to nvcc is reported where its callers have options of nvcc."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

RULE = "build/wrapped-compiler"
WRAPPER = '#!/bin/sh\nset -e\nnvcc -O2 "$@"\n'
CALLER = 'args="-maxrregcount=64 -gencode arch=compute_50,code=sm_50"\ntools/cc.sh ${args} a.cu -o a\n'


@pytest.mark.parametrize(
    ("wrapper", "files", "found"),
    [
        (WRAPPER, {"build.sh": CALLER}, ["build.sh"]),
        (WRAPPER, {"build.sh": CALLER, "Makefile": "a:\n\ttools/cc.sh -lineinfo a.cu\n"}, ["1 other file"]),
        (WRAPPER.replace("$@", "$*"), {"build.sh": CALLER}, ["build.sh"]),
        (WRAPPER, {"build.sh": "tools/cc.sh -O3 a.cu -o a\n"}, []),
        (WRAPPER, {"build.sh": CALLER.replace("cc.sh", "gcc.sh")}, []),
        (WRAPPER.replace('"$@"', "a.cu"), {"build.sh": CALLER}, []),
        (WRAPPER.replace("nvcc -O2", "echo nvcc;\ngcc"), {"build.sh": CALLER}, []),
    ],
)
def test_callers_with_options_of_nvcc(tmp_path: Path, wrapper: str, files: dict[str, str], found: list[str]) -> None:
    written(tmp_path, {"tools/cc.sh": wrapper, **files})
    said = [one.message for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule == RULE]
    assert len(said) == len(found) and all(part in text for part, text in zip(found, said, strict=True))
