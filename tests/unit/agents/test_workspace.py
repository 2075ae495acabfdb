"""The tree that tools read and the folder that one of them may write."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from gitrepo import write

from cudamigrate.agents.workspace import Workspace
from cudamigrate.errors import InputError, TargetError
from cudamigrate.frontends import known_files
from cudamigrate.project import discovery

SOURCE = "#include <cuda_runtime.h>\nvoid f(void **p) { cudaMalloc(p, 4); }\n"


@pytest.mark.parametrize("name", ["a.cu", "[b].cu", "c*.cu"])
def test_the_glob_of_a_path_takes_that_file_wherever_the_configuration_is(tmp_path, name):
    write(
        tmp_path,
        {
            ".cudamigrate.toml": "",
            "sub/deep/a.cu": SOURCE,
            **{f"sub/{n}": SOURCE for n in ("a.cu", "b.cu", "cc.cu", name)},
        },
    )
    for root in (tmp_path, tmp_path / "sub"):
        space = Workspace(root)
        path = os.path.relpath(tmp_path / "sub" / name, root)
        only = replace(space.config, include=(space.glob(space.inside(path)),))
        assert [one.path for one in discovery.discover(root, only, known_files()).entries] == [path]


def test_results_are_kept_until_a_file_changes(tmp_path):
    write(tmp_path, {"a.cu": SOURCE})
    space = Workspace(tmp_path)
    first = space.applied()
    assert space.applied() is first
    write(tmp_path, {"a.cu": SOURCE + SOURCE})
    assert len(space.findings(".")) > len(first.report.findings)


def test_fixes_add_up_in_the_output_and_headers_of_ours_come_with_them(tmp_path):
    root, output = tmp_path / "in", tmp_path / "out"
    write(root, {"a.cu": SOURCE, "b.txt": "kept"})
    space = Workspace(root, output)
    assert space.tree == root
    while found := [one for one in space.findings("a.cu") if one.automatic]:
        assert space.write(space.fixed("a.cu", found[0].fingerprint, False)[1])[0] == "a.cu"
    assert (output / "a.cu").read_text() == SOURCE.replace("cuda_runtime.h", "hip/hip_runtime.h").replace(
        "cudaM", "hipM"
    )
    assert (output / "b.txt").read_text() == "kept" and space.tree == output
    assert (root / "a.cu").read_text() == SOURCE


def test_nothing_is_written_through_a_link(tmp_path):
    root, output = tmp_path / "in", tmp_path / "out"
    write(root, {"a.cu": SOURCE})
    write(tmp_path, {"elsewhere.cu": SOURCE})
    space = Workspace(root, output)
    finding = next(one for one in space.findings("a.cu") if one.automatic)
    _, fixed = space.fixed("a.cu", finding.fingerprint, False)
    space.write(fixed)
    (output / "a.cu").unlink()
    (output / "a.cu").symlink_to(tmp_path / "elsewhere.cu")
    with pytest.raises(TargetError, match="is a link"):
        space.write(fixed)
    assert (tmp_path / "elsewhere.cu").read_text() == SOURCE


def test_what_cannot_be_used_is_refused(tmp_path):
    write(tmp_path, {"in/a.cu": SOURCE, "mine/thesis.txt": "all of it"})
    with pytest.raises(InputError, match="is not a folder"):
        Workspace(tmp_path / "none")
    with pytest.raises(TargetError, match="was not made by cudamigrate"):
        Workspace(tmp_path / "in", tmp_path / "mine")
    space = Workspace(tmp_path / "in")
    with pytest.raises(InputError, match="has no finding"):
        space.fixed("a.cu", "0" * 16, False)
