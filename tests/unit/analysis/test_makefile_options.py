"""What recipes give make for variables is read as options, as if a Makefile assigned it."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

READER = "NVCC = nvcc\nprog: k.cu\n\t$(NVCC) $(NVCCFLAGS) k.cu -o prog $(LIBS)\n"


def found(root: Path, recipe: str) -> list[str]:
    """The options of a recipe that have a finding."""
    written(root, {"k.cu": "__global__ void k() {}\n", "Makefile": f"all:\n\t{recipe}\n{READER}"})
    findings = pipeline.scan(root, Config(jobs=1)).findings
    return [one.message.split("`")[1] for one in findings if one.rule.startswith("build/flag-")]


@pytest.mark.parametrize(
    ("recipe", "options"),
    [
        ('( $(MAKE) prog "OTHERS = -lx -lcudart" "DBG = -g" )', ["-lcudart"]),
        ('@cd . && $(MAKE) LIBS="-lcublas -lx"', ["-lcublas"]),
        ("+${MAKE} -j4 NVCCFLAGS=-arch=sm_70 prog", ["-arch=sm_70"]),
        ("if true; then make 'NVCCFLAGS += -G --use_fast_math'; fi", ["-G", "--use_fast_math"]),
    ],
)
def test_options_given_to_make_are_read(tmp_path: Path, recipe: str, options: list[str]) -> None:
    assert found(tmp_path, recipe) == options


@pytest.mark.parametrize(
    "recipe",
    [
        pytest.param('echo $(MAKE) "LIBS = -lcudart"', id="another command"),
        pytest.param('$(MAKE) "CFLAGS = -G -O2"', id="options of another compiler's"),
        pytest.param('$(MAKER) "LIBS = -lcudart"', id="another program"),
    ],
)
def test_other_words_are_left(tmp_path: Path, recipe: str) -> None:
    assert found(tmp_path, recipe) == []
