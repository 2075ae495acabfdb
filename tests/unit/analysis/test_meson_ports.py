"""Branches of a Meson file that a build for HIP never enters ask for nothing."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import meson
from cudamigrate.model import SourceFile

SET_UP = "if use_rocm\n  gpu = declare_dependency(link_args : ['-lamdhip64'])\nendif\n"
TEXT = """{first}
if {asked}
  gpu_dep = declare_dependency()
elif path == ''
  if fancy
    gpu_dep = dependency('cuda', required : false)
  endif
else
  gpu_dep = declare_dependency(link_args : ['-lcudart'])
endif
{last}
"""


def found(first: str, asked: str, last: str = "") -> list[str]:
    text = TEXT.format(first=first, asked=asked, last=last)
    return [use.name for use in meson.parse(SourceFile("meson.build", text.encode(), "meson")).uses]


def test_what_is_beside_a_branch_for_hip_is_cudas() -> None:
    assert found(SET_UP, "use_rocm") == []


@pytest.mark.parametrize(
    ("first", "asked"),
    [
        ("", "use_rocm"),  # nothing shows what the variable turns on
        (SET_UP, "use_other"),
        (SET_UP, "not use_rocm"),
        (SET_UP, "use_rocm and fast"),
        (
            (SET_UP.replace("'-lamdhip64'])", "'-lcuda'])  # not '-lamdhip64'"), "use_rocm"),
            "use_rocm",
        ),
    ],
)
def test_any_other_branch_may_be_entered(first: str, asked: str) -> None:
    assert found(first, asked)[-2:] == ["dependency cuda", "-lcudart"]


def test_what_is_behind_the_conditional_counts() -> None:
    assert found(SET_UP, "use_rocm", "dependency('cuda')") == ["dependency cuda"]
