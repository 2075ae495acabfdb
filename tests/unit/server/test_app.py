"""What an editor is offered for a problem."""

from __future__ import annotations

import pytest

pytest.importorskip("pygls", reason="the extra `server` is not installed")

from pygls.workspace import TextDocument

from cudamigrate.server import analysis, app


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.cu", "void f(void *p) {\n  cudaFree(p);\n}\n", "  // cudamigrate: ignore["),
        ("run.sh", "nvidia-smi\n", "# cudamigrate: ignore["),
        (".devcontainer.json", '{\n "image": "nvidia/cuda:12.4.1-devel-ubuntu22.04"\n}\n', ""),  # JSON has no comments
    ],
)
def test_a_comment_is_offered_where_the_file_may_hold_one(tmp_path, name, text, line):
    found = analysis.analyse(tmp_path / name, text)
    assert found is not None
    finding = found.problems[-1]
    action = app._suppress(TextDocument((tmp_path / name).as_uri(), text), found, finding)
    assert (action is not None) == bool(line)
    if action is not None:
        assert action.edit is not None and action.edit.changes is not None
        ((edit,),) = action.edit.changes.values()
        assert edit.new_text.startswith(line) and edit.range.start.line == finding.position.line - 1
