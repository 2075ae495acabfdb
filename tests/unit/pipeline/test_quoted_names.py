"""A name that a macro only makes a text of is left and reported; one that it uses as well is renamed."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

HEADER = """#pragma once
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define SECOND(call, what) check(call, #what)
#define CALLED(fn) check(fn(p), #fn)
#define TWICE(fn) TEXT_(fn), fn
"""


def rules(root: Path, statement: str, more: str = "") -> list[tuple[str, bool]]:
    """What is said of the statement, and whether it changes."""
    code = f'#include "texts.h"\n#include <cuda_runtime.h>\nvoid run(void *p) {{\n    {statement}\n}}\n'
    written(root, {"texts.h": HEADER, "run.cu": code, "more.h": more})
    findings = pipeline.scan(root, Config(jobs=1, cache=False)).findings
    return [(one.rule, one.fix is not None) for one in findings if one.path == "run.cu" and one.position.line == 4]


@pytest.mark.parametrize("statement", ["say(TEXT_(cudaFree));", "say(TEXT( cudaFree ));"])
def test_a_text_is_left_and_reported(tmp_path: Path, statement: str) -> None:
    assert rules(tmp_path, statement) == [("build/name-as-text", False)]


def test_only_the_argument_that_becomes_text(tmp_path: Path) -> None:
    found = rules(tmp_path, "SECOND(cudaDeviceSynchronize(), cudaFree);")
    assert sorted(found) == [("api/cudaDeviceSynchronize", True), ("build/name-as-text", False)]


@pytest.mark.parametrize("statement", ["CALLED(cudaFree);", "say(TWICE(cudaFree));", "say(other(cudaFree));"])
def test_what_is_used_too_is_renamed(tmp_path: Path, statement: str) -> None:
    assert rules(tmp_path, statement) == [("api/cudaFree", True)]


def test_another_definition_that_uses_it(tmp_path: Path) -> None:
    assert rules(tmp_path, "say(TEXT_(cudaFree));", "#define TEXT_(x) x\n") == [("api/cudaFree", True)]
