"""A script that gives make a number for a variable which the Makefile fills with AMD's GPUs is reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

MAKEFILE = "SM = 80\nNAME = 80\na: a.cu\n\tnvcc -gencode arch=compute_$(SM),code=sm_$(SM) a.cu -o a$(NAME)\n"


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("make SM=$MAJOR$MINOR all", ["SM=$MAJOR$MINOR"]),
        ('make -C sub "SM=86" NAME=3', ["SM=86"]),
        ("make SM=gfx90a", []),
        ("make NAME=80", []),
        ("cmake SM=80", []),
        ("SM=80", []),
    ],
)
def test_what_takes_the_place_of_gfx_names_is_reported(tmp_path: Path, command: str, found: list[str]) -> None:
    source = "__global__ void k() {}\nint main() {}\n"
    written(tmp_path, {"Makefile": MAKEFILE, "a.cu": source, "build.sh": f"nvidia-smi\n{command}\n"})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    told = [one.message for one in findings if one.rule == "build/make-gpu-given"]
    assert [message.split("`")[1] for message in told] == found


@pytest.mark.parametrize(
    ("recipe", "found"),
    [
        ('( $(MAKE) -C sub "SM = 86" NAME=3 )', ["SM = 86"]),
        ("$(MAKE) SM=$(SM)", []),
        ("$(MAKE) SM=gfx942", []),
        ("echo SM=80", []),
    ],
)
def test_so_is_what_a_recipe_gives(tmp_path: Path, recipe: str, found: list[str]) -> None:
    written(tmp_path, {"Makefile": f"{MAKEFILE}b:\n\t{recipe}\n", "a.cu": "int main() {}\n"})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    told = [one.message for one in findings if one.rule == "build/make-gpu-given"]
    assert [message.split("`")[1] for message in told] == found
