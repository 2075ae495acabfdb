"""Tasks: what is left after `apply`, placed in the converted file, and each complete in itself."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace

import pytest
from gitrepo import write

from cudamigrate.agents import tasks as work
from cudamigrate.agents import text
from cudamigrate.config import Config
from cudamigrate.edits import Offsets, apply
from cudamigrate.model import Edit, Fix, Span
from cudamigrate.pipeline import run

SOURCE = """#include <cuda_runtime.h>
#include <cuda_fp16.h>
void f(cudaGraphicsResource *r, void **p) {
  cudaMalloc(p, 4);
  cudaGraphicsEGLRegisterImage(r, 0, 0);
}
"""


@pytest.fixture
def applied(tmp_path):
    write(tmp_path, {"src/a.cu": SOURCE, "b.cu": "#include <cuda_runtime.h>\n"})
    return run.apply(tmp_path, replace(Config(), jobs=1))


def test_a_task_for_what_is_left_and_none_for_what_is_fixed(applied):
    (task,) = work.tasks(applied)
    assert task.path == "src/a.cu" and "cudaGraphicsEGLRegisterImage" in task.places[0].excerpt
    (after,) = [one.after.decode() for one in applied.conversions if one.path == "src/a.cu"]
    line = after.splitlines()[task.places[0].line - 1]
    assert line[task.places[0].column - 1 :].startswith("cudaGraphicsEGLRegisterImage")
    shown = next(one for one in task.code.splitlines() if one.startswith(">"))
    assert shown == f"> {task.places[0].line} | {line}" and "hipMalloc" in task.code
    assert task.known and task.write
    assert task.prove[0] == f"cudamigrate check --all --select {task.rule} DIR/src/a.cu"


def test_places_close_together_are_one_task_and_far_ones_two(tmp_path):
    call = "  cudaGraphicsEGLRegisterImage(r, 0, 0);\n"
    far = "\n" * 30
    write(tmp_path, {"a.cu": f"void f(cudaGraphicsResource *r) {{\n{call}{call}{far}{call}}}\n"})
    found = work.tasks(run.apply(tmp_path, replace(Config(), jobs=1)))
    mine = [task for task in found if "EGL" in task.places[0].excerpt]
    assert [len(task.places) for task in mine] == [2, 1]


def test_a_refused_fix_says_why(applied):
    finding = next(one for one in applied.report.findings if one.fix is not None and one.path == "b.cu")
    bare = replace(applied, conversions=(), rejected=((finding, "it was a test"),))
    task = next(task for task in work.tasks(bare) if task.path == "b.cu")
    assert "The fix was not applied: it was a test." in task.known


def test_commands_hold_whatever_files_and_folders_are_called(tmp_path):
    asks = "#include <cuda_runtime.h>\nbool f(cudaDeviceProp *prop) { return prop->major >= 8; }\n"
    write(tmp_path, {"SRC/a b.cu": SOURCE, "SRC/DIR.cu": asks})
    applied = run.apply(tmp_path, replace(Config(), jobs=1))
    lines = [line for task in work.tasks(applied, "/out/SRC x", "/DIR") for line in task.prove]
    assert "cudamigrate verify '/out/SRC x' --include 'SRC/a b.cu'" in lines
    words = [shlex.split(line) for line in lines]
    assert {line[line.index("--include") + 1] for line in words if "--include" in line} == {"SRC/a b.cu", "SRC/DIR.cu"}
    assert {line[line.index("--original") + 1] for line in words if "--original" in line} == {"/DIR"}


def test_markdown_and_json_hold_the_same_tasks(applied):
    found = work.tasks(applied)
    page, data = text.render_markdown(found), json.loads(text.render_json(found))
    assert data["schema"] == "cudamigrate-tasks/1" and data["count"] == len(found) == 1
    for value in (data["tasks"][0]["id"], data["tasks"][0]["code"], *data["tasks"][0]["prove"]):
        assert value in page
    assert "Nothing is left" in text.render_markdown([])


def test_code_that_holds_fences_stays_one_block(applied):
    (task,) = work.tasks(applied)
    page = text.render_markdown([replace(task, code="a\n```\nb")])
    assert "````text\na\n```\nb\n````" in page


def test_only_the_files_asked_for(applied):
    found = work.tasks(applied)
    assert work.only(found, "src") == work.only(found, ".") == work.only(found, "src/a.cu") == found
    assert work.only(found, "sr") == []


def test_offsets_move_with_the_edits_before_them():
    fixes = (
        Fix((Edit(Span(0, 2), b"long"),), "safe"),
        Fix((Edit(Span(4, 4), b"++"), Edit(Span(6, 8), b"")), "safe"),
    )
    data = b"abcdefghij"
    after = apply(data, fixes).data
    kept = [offset for offset in range(len(data)) if not (offset < 2 or 6 <= offset < 8)]
    moved = Offsets(fixes).moved
    assert [after[moved(offset)] for offset in kept] == [data[offset] for offset in kept]
    assert moved(1) == 0 and moved(7) == moved(8)
