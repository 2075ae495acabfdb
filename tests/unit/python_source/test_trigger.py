"""Files that are worth parsing."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import notebook, python
from cudamigrate.model import Target
from cudamigrate.python_source import trigger
from cudamigrate.rulebase import project_rules

HITS = [
    example.before
    for rule in project_rules.load(Target()).rules.values()
    for example in rule.examples
    if example.path.endswith(".py") and example.finds
]


@pytest.mark.parametrize("text", HITS)
def test_every_example_with_a_finding_is_parsed(text: str) -> None:
    assert python.TRIGGER.search(text.encode())
    assert len(HITS) > 50


@pytest.mark.parametrize(
    "text", [b"", b"import os\nprint('cuda')\n", b"x.cuda()\ntorch.device('cuda')\nbackend='nccl'\n"]
)
def test_file_that_needs_nothing_is_not_parsed(text: bytes) -> None:
    assert not python.TRIGGER.search(text)


@pytest.mark.parametrize(
    "text",
    [b"import numpy as np, cupy as cp\n", b"import  cupy\n", b"from\tcupy import x\n", b"import os,\\\n  cupy\n"],
)
def test_an_import_is_seen_however_it_is_spelled(text: bytes) -> None:
    assert python.TRIGGER.search(text)
    assert not python.TRIGGER.search(text.replace(b"cupy", b"copy"))


def test_every_word_is_looked_for_once() -> None:
    words = [*trigger._ALONE, *trigger._WITH]
    assert len(set(words)) == len(words)
    assert not notebook.TRIGGER.search(b'{"cells": []}')


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        (b"a = x.to(torch.float8_e4m3fn)\n", True),
        (b"if x.dtype == torch.float8_e4m3fn: y = x.view(torch.float8_e4m3fn)\n", False),
        (b"if x.dtype == torch.float8_e4m3fn: y = z.to(torch.float8_e4m3fn)\n", True),
        (b"kind = torch.float8_e4m3fnuz if old else torch.float8_e4m3fn\n", False),
        (b"if name == 'float8_e4m3fn': pass\n", False),
        (b"from torch import float8_e4m3fn\n", True),
    ],
)
def test_file_that_only_asks_for_the_open_float_is_not_parsed(text: bytes, worth: bool) -> None:
    assert bool(python.TRIGGER.search(text)) is worth
