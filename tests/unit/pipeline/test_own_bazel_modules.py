"""A module of Bazel's that labels name in itself is no repository of NVIDIA's."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

OWN = 'module(name = "rules_cuda")\n'
OTHER = 'module(name = "b")\nbazel_dep(name = "rules_cuda")\n'
USE = 'load("@rules_cuda//cuda:defs.bzl", "cuda_objects")\n'


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"BUILD": USE, "MODULE.bazel": 'module(\n    name = "rules_cuda",\n)\n'}, []),
        ({"BUILD": USE, "WORKSPACE": 'workspace(name = "rules_cuda")\n'}, []),
        ({"BUILD": USE, "MODULE.bazel": 'module(name = "mine")\n'}, ["BUILD"]),
        ({"a/BUILD": USE, "a/MODULE.bazel": 'module(name = "a")\n', "MODULE.bazel": OWN}, ["a/BUILD"]),
        ({"BUILD": USE, "MODULE.bazel": OTHER}, ["BUILD", "MODULE.bazel"]),
    ],
)
def test_labels_of_the_own_module_bring_nothing(tmp_path: Path, files: dict[str, str], found: list[str]) -> None:
    written(tmp_path, files)
    findings = pipeline.scan(tmp_path, Config(jobs=1, cache=False)).findings
    assert [one.path for one in findings if one.rule == "build/bazel-repository"] == found
