"""CUDA code in vendored folders is reported where the project's own code includes it, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

OWN = '#include "third_party/table/table.cuh"\n__global__ void k(int *a) { a[0] = find(a); }\n'
TABLE = "#pragma once\n__device__ int find(int *a) { return a[1]; }\n"
AT = "third_party/table/table.cuh"


def found(root: Path, files: dict[str, str], config: Config) -> list[tuple[str, int, str]]:
    """Where the rule speaks, and of which file."""
    written(root, files)
    findings = pipeline.scan(root, config).findings
    return [(one.path, one.position.line, one.name) for one in findings if one.rule == "build/vendored-include"]


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({"a.cu": OWN, AT: TABLE}, [("a.cu", 1, AT)], id="included"),
        pytest.param({"a.cu": OWN.replace('"', "<", 1).replace('"', ">", 1), AT: TABLE}, [("a.cu", 1, AT)], id="angle"),
        pytest.param({"a.cu": OWN.partition("\n")[2], AT: TABLE}, [], id="not included"),
        pytest.param({"a.cu": OWN, AT: "int find(int *a);\n"}, [], id="no CUDA"),
        pytest.param({"a.cu": OWN, AT: "#ifdef __HIPCC__\n#endif\n" + TABLE}, [], id="knows AMD"),
        pytest.param(
            {"a.cu": OWN.replace("third_party/table/table", "cub/cub"), "third_party/cub/cub.cuh": TABLE},
            [],
            id="a rule replaces it",
        ),
    ],
)
def test_vendored_cuda_code_is_told_where_it_is_included(
    tmp_path: Path, files: dict[str, str], told: list[tuple[str, int, str]]
) -> None:
    assert found(tmp_path, files, Config(jobs=1)) == told


def test_nothing_is_told_where_vendored_folders_are_entered(tmp_path: Path) -> None:
    assert found(tmp_path, {"a.cu": OWN, AT: TABLE}, Config(jobs=1, enter_vendored=True)) == []
