"""What a rule for many names says of one of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.errors import RuleError
from cudamigrate.model import Target
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.rulebase.code_rules import load

HEAD = '[[rule]]\nname = "f"\nfamily = ["Own"]\nmessage = "`{name}` is gone. %s"\n'


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("THCudaTensor_size", "`tensor.size(d)`"),
        ("THCudaHalfTensor_size", "`tensor.size(d)`"),
        ("THCudaTensor_nDimensionLegacyAll", "`tensor.dim()`"),
        ("THCudaTensor_resize4d", "`tensor.resize_({...})`"),
        ("THCudaTensor_resizeAs", "`tensor.resize_as_(other)`"),
        ("THCudaLongTensor", "`at::Tensor`"),
        ("THCudaTensor_data", "`tensor.data_ptr<float>()`"),
        ("THCudaTensor_addmm", "`at::addmm("),
        ("THCudaTensor_sizes", "the function of ATen"),  # no name that a hint is for
        ("THCudaTensor_odd", "the function of ATen"),
    ],
)
def test_a_name_of_a_family_has_its_own_hint(name: str, part: str) -> None:
    found = find_in_text(f"#include <THC/THC.h>\nvoid f(void *t) {{ {name}(t); }}\n", "a.cu").findings
    (message,) = [one.message for one in found if one.rule == "api/thc-family"]
    assert message.startswith(f"`{name}` is of THC") and part in message and len(message) < 200


@pytest.mark.parametrize(
    ("hint", "table"), [("{hint}", ""), ("Go.", '[rule.hints]\na = "b"\n'), ("{hint}", "hints = 3\n")]
)
def test_hints_and_their_place_go_together(hint: str, table: str, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('group = "api"\n' + HEAD % hint + table)
    with pytest.raises(RuleError, match="hint"):
        load(Target(), [tmp_path / "own.toml"])
