"""What a Bazel file shows of a port: which macros are set where HIP compiles, and which elsewhere."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import port_builds
from cudamigrate.model import SourceFile

TARGET = 'cc_library(name = "a", srcs = ["a.cc"], deps = [{deps}], {options})\n'
ROCM = '"@local_config_rocm//rocm:hip"'


def macros(text: str) -> dict[str, tuple[bool, bool]]:
    """For each macro whether it is set for HIP, and for CUDA."""
    found = port_builds.of(SourceFile("lib/BUILD", (text + "# hip\n").encode(), "bazel"))
    return {} if found is None else {one.name: (one.hip, one.cuda) for one in found.macros}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TARGET.format(deps=ROCM, options='copts = ["-DOWN=1"]'), (True, False)),
        (TARGET.format(deps=ROCM, options='local_defines = ["OWN"]'), (True, False)),
        (TARGET.format(deps=ROCM, options='copts = COMMON + ["-DOWN"]'), (True, False)),
        (TARGET.format(deps="", options='copts = ["-x", "hip", "-DOWN"]'), (True, False)),
        (TARGET.format(deps="", options='copts = ["-DOWN"]').replace("cc_", "rocm_"), (True, False)),
        (TARGET.format(deps="", options='copts = select({"//:use_rocm": ["-DOWN"]})'), (True, False)),
        (TARGET.format(deps="", options='copts = if_rocm(["-DOWN"], [])'), (True, False)),
        ('OPTIONS = if_rocm(["-DOWN=1"])\n', (True, False)),
        ('if broken(\nOPTIONS = if_rocm(["-DOWN=1"])\n', (True, False)),
        (TARGET.format(deps="", options='copts = ["-DOWN"]'), (False, False)),
        (TARGET.format(deps='"@local_config_cuda//cuda"', options='copts = ["-DOWN"]'), (False, True)),
        (TARGET.format(deps=ROCM + ', "@cuda//:x"', options='copts = ["-DOWN"]'), (False, False)),
        (TARGET.format(deps="", options='copts = select({"//conditions:default": ["-DOWN"]})'), (False, False)),
        (TARGET.format(deps=ROCM, options='copts = select({"//conditions:default": ["-DOWN"]})'), (False, False)),
        (TARGET.format(deps="", options='copts = if_rocm([], ["-DOWN"])'), (False, False)),
        (TARGET.format(deps="", options='copts = if_not_rocm(["-DOWN"])'), (False, False)),
        (TARGET.format(deps='"//a:shipping"', options='copts = ["-DOWN"]'), (False, False)),
    ],
)
def test_a_macro_is_hips_where_only_rocm_has_it(text: str, expected: tuple[bool, bool]) -> None:
    assert macros(text) == {"OWN": expected}


def test_a_target_for_hip_is_a_build_for_it() -> None:
    text = "# hip\n" + TARGET.format(deps=ROCM, options='copts = ["-DOWN"]')
    found = port_builds.of(SourceFile("lib/BUILD", text.encode(), "bazel"))
    assert found is not None and found.build is not None and found.build[0] == 2
