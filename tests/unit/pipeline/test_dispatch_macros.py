"""Macros of the project's own that dispatch on a tensor's type object."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

MACRO = """\
#define {name}(KIND, TYPE, NAME, ...) \\
  [&] {{ const auto &given = TYPE; at::ScalarType type = {asks}(given); return chosen(KIND, type, __VA_ARGS__); }}()
"""
CALL = """\
#include "own.h"
void run(torch::Tensor x, float *p) {{ OWN_DISPATCH(3, {given}, "run", [&] {{ cudaFree(p); }}); }}
"""


@pytest.mark.parametrize(
    ("name", "asks", "given", "written_as"),
    [
        ("OWN_DISPATCH", "::detail::scalar_type", "x.type()", "x.scalar_type()"),
        ("OWN_DISPATCH", "::detail::scalar_type", "x.scalar_type()", None),
        ("OWN_DISPATCH", "own_type", "x.type()", None),  # its function may take type objects
        ("OTHER_DISPATCH", "::detail::scalar_type", "x.type()", None),
    ],
)
def test_a_call_is_given_the_scalar_type(
    tmp_path: Path, name: str, asks: str, given: str, written_as: str | None
) -> None:
    written(tmp_path, {"own.h": MACRO.format(name=name, asks=asks), "a.cu": CALL.format(given=given)})
    found = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule == "api/dispatch-on-type"]
    edits = [edit for one in found if one.fix is not None for edit in one.fix.edits]
    text = CALL.format(given=given)
    assert [text[: edit.span.start] + edit.replacement.decode() + text[edit.span.end :] for edit in edits] == (
        [] if written_as is None else [CALL.format(given=written_as)]
    )
