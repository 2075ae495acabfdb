"""The notebook front end: cells as one program, magics, and places in the JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cudamigrate.frontends import notebook
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.python_source import program
from tests.draws import examples


def cell(text: str, kind: str = "code", lines: bool = True) -> dict[str, Any]:
    return {"cell_type": kind, "metadata": {}, "source": text.splitlines(keepends=True) if lines else text}


def written(*cells: dict[str, Any], **how: Any) -> str:
    return json.dumps({"cells": list(cells), "metadata": {"a": [1, {"b": "]"}]}, "nbformat": 4}, indent=1, **how)


def found(text: str) -> list[tuple[str, str]]:
    findings = find_in_text(text, "a.ipynb").findings
    return [(f.rule, text.encode()[f.span.start : f.span.end].decode()) for f in findings]


def test_import_of_one_cell_holds_in_the_next() -> None:
    text = written(cell("import torch\n"), cell("# torch.version.cuda", "markdown"), cell("assert torch.version.cuda"))
    assert found(text) == [("python/cuda-version-test", "torch.version.cuda")]


@pytest.mark.parametrize("lines", [True, False])
def test_finding_is_on_its_line_of_the_file(lines: bool) -> None:
    text = written(cell('import torch\nx = "é\\"\\n"\nversion = torch.version.cuda.split(".")\n', lines=lines))
    (finding,) = find_in_text(text, "a.ipynb").findings
    line = text[: text.index("torch.version")].count("\n") + 1
    assert finding.position.line == line
    column = finding.position.column - 1
    assert text.split("\n")[line - 1][column:].startswith("torch.version.cuda")


def test_change_leaves_the_rest_of_the_file_alone() -> None:
    text = written(cell('import torch\nif torch.version.cuda:\n    print(\'"\', "ü")\n'), ensure_ascii=False)
    after = find_in_text(text, "a.ipynb", unsafe=True).after
    assert after == text.replace("torch.version.cuda", "(torch.version.cuda or torch.version.hip)")
    assert json.loads(after)


def test_quotes_of_a_change_are_written_as_json_wants_them() -> None:
    text = written(cell('import onnxruntime\nproviders = ["CUDAExecutionProvider"]\n'))
    after = json.loads(find_in_text(text, "a.ipynb").after)
    assert after["cells"][0]["source"][1] == 'providers = ["MIGraphXExecutionProvider", "CUDAExecutionProvider"]\n'


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("!nvidia-smi", "environment/"),
        ("%pip install cupy-cuda12x", "packages/"),
        ("%%bash\nnvcc -o a a.cu\n", ""),
        ("x = !nvidia-smi\n", "environment/"),
        ("%%cu\n#include <cuda_runtime.h>\nint main() { cudaFree(0); }\n", "api/cudaFree"),
        ("%%writefile a.cu\n__global__ void k() {}\nvoid f() { cudaFree(0); }\n", "api/cudaFree"),
    ],
)
def test_lines_that_are_no_python_are_read_as_what_they_are(source: str, rule: str) -> None:
    rules = [name for name, _ in found(written(cell("import torch\n"), cell(source)))]
    assert any(name.startswith(rule) for name in rules), rules


def test_cell_of_another_language_is_no_python() -> None:
    text = written(
        cell("%%javascript\nimport torch\n"), cell("import torch\n%%time\n"), cell("%timeit torch.version.cuda\n")
    )
    parsed = notebook.parse(SourceFile("a.ipynb", text.encode(), "notebook"))
    read = program.of(parsed)
    assert read is not None and b"javascript" not in read.py.text
    assert [use.name for use in parsed.uses] == ["import torch"]


def test_kernel_in_a_cell_is_read_where_it_is() -> None:
    text = written(cell('import cupy as cp\nk = cp.RawKernel(r"""\n__global__ void k(curandState *s) { }\n""", "k")\n'))
    (finding,) = [f for f in find_in_text(text, "a.ipynb").findings if f.rule == "api/curandState"]
    assert text.encode()[finding.span.start : finding.span.end] == b"curandState"
    assert finding.position.line == text[: text.index("curandState")].count("\n") + 1
    assert json.loads(find_in_text(text, "a.ipynb").after)["cells"][0]["source"][2].count("hiprandState") == 1


def test_old_notebooks_keep_their_cells_in_worksheets() -> None:
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["import pynvml"], "outputs": []}]}], "nbformat": 3}
    assert ("python/nvml", "pynvml") in found(json.dumps(old))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"cells": [{"source": "import torch', '{"cells": [{"cell_type": 3}]}']
)
def test_what_is_no_notebook_has_no_findings(text: str) -> None:
    assert found(text) == []


def test_broken_json_is_worse_than_any_python() -> None:
    good, bad = written(cell("x = (")).encode(), b"{"
    assert 0 < notebook.broken(good) < notebook.broken(bad)
    assert notebook.broken(written(cell("!ls\nx = 1\n")).encode()) == 0


@settings(deadline=None, max_examples=examples(150))
@given(
    st.lists(st.text(alphabet="ab\"'\\\n%!é\U0001f600{}[]:, #=", max_size=20), max_size=4), st.booleans(), st.booleans()
)
def test_every_byte_of_a_cell_is_found_in_the_file(texts: list[str], lines: bool, ascii_only: bool) -> None:
    text = written(*(cell(part, lines=lines) for part in texts), ensure_ascii=ascii_only)
    data = text.encode()
    cells = list(notebook._cells(data))
    assert [bytes(one.text).decode() for one in cells] == texts
    for one in cells:
        joined = b"".join(dict.fromkeys(data[a:b] for a, b in zip(one.starts, one.ends, strict=True) if b - a == 1))
        assert set(joined) <= set(one.text)


@settings(deadline=None, max_examples=examples(150))
@given(st.one_of(st.binary(max_size=200), st.text(alphabet='{}[]",:\\cellsource_typd', max_size=120).map(str.encode)))
def test_no_bytes_make_the_front_end_fail(data: bytes) -> None:
    notebook.parse(SourceFile("a.ipynb", data, "notebook"))
    notebook.broken(data)
