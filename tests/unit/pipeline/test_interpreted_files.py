"""Files without an ending are read in the language of the program that their first line names."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.errors import InputError
from cudamigrate.frontends import known_files
from cudamigrate.pipeline import interpreted_files
from cudamigrate.project import discovery

BUILD = "nvcc -arch=sm_70 -o app app.cu -lcudart\n"


def read(root: Path, files: dict[str, str]) -> dict[str, str]:
    """The files that are read of a tree with these, with their languages."""
    written(root, files)
    inventory = discovery.discover(root, Config(), known_files())
    return {entry.path: entry.language for entry in interpreted_files.added(inventory, Config()).entries}


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("#!/bin/bash", "shell"),
        ("#! /usr/bin/env sh", "shell"),
        ("#!/usr/bin/env -S VERBOSE=1 /bin/zsh -e", "shell"),
        ("#!/bin/bash -l\r", "shell"),
        ("#!/usr/bin/env python3.11", "python"),
        ("#!/usr/bin/make -f", "make"),
    ],
)
def test_the_first_line_says_the_language(line: str, language: str, tmp_path: Path) -> None:
    assert read(tmp_path, {"tools/build": f"{line}\n{BUILD}"}) == {"tools/build": language}


def test_a_template_of_bazels_is_one_too(tmp_path: Path) -> None:
    script = f"#!/usr/bin/env python\n{BUILD}"
    assert read(tmp_path, {"bin/wrapper.tpl": script, "bin/notes.tpl": BUILD}) == {"bin/wrapper.tpl": "python"}
    files = {"BUILD.tpl": "", "BUILD.windows.tpl": "", "defs.bzl.tpl": "", "bin/wrapper.x.tpl": script}
    made = read(tmp_path / "bazel", files)
    assert made == {"BUILD.tpl": "bazel", "BUILD.windows.tpl": "bazel", "defs.bzl.tpl": "bazel"}


@pytest.mark.parametrize(
    "text",
    [
        BUILD,
        f"# /bin/bash\n{BUILD}",
        f"#!/usr/bin/perl\n{BUILD}",
        f"\n#!/bin/sh\n{BUILD}",
        f"#!/bin/bashful\n{BUILD}",
        "",
    ],
)
def test_another_first_line_does_not(text: str, tmp_path: Path) -> None:
    assert read(tmp_path, {"build": text}) == {}


def test_neither_vendored_files_nor_those_of_known_languages_are_taken(tmp_path: Path) -> None:
    script = f"#!/bin/sh\n{BUILD}"
    files = {"third_party/lib/build": script, "configure": script, "notes.txt": script}
    assert read(tmp_path, files) == {"configure": "autotools"}


def test_such_a_script_is_converted(tmp_path: Path) -> None:
    written(tmp_path, {"build": f"#!/bin/sh\n{BUILD}", "app.cu": "int main() { return cudaDeviceSynchronize(); }\n"})
    made = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config()).conversions}
    assert made["build"].endswith("\nhipcc --offload-arch=gfx90a --offload-arch=gfx942 -o app app.cu -lamdhip64\n")


def test_such_a_script_may_be_named_alone(tmp_path: Path) -> None:
    written(tmp_path, {"build": f"#!/bin/sh\n{BUILD}", "notes": "nvcc\n"})
    assert [one.path for one in pipeline.scan(tmp_path / "build", Config()).findings if one.rule == "build/flag-arch"]
    with pytest.raises(InputError):
        pipeline.scan(tmp_path / "notes", Config())
