"""Which code ROCm runs: `one()` marks places that it never runs, `two()` those that only it runs, `any()` the rest."""

from __future__ import annotations

import re

import pytest

from cudamigrate.python_source import guards, names, source

KINDS = {"one": False, "two": True, "both": None}


@pytest.mark.parametrize(
    "text",
    [
        "import torch\nif torch.version.hip:\n    two()\nelse:\n    one()\nboth()",
        "import torch\nif torch.version.hip is None:\n    one()\nelse:\n    two()",
        "import torch\nif torch.version.cuda is not None and n > 3:\n    one()\nboth()",
        "if is_hip():\n    two()\nelif fast:\n    one()\nelse:\n    one()",
        "if is_cuda():\n    one()\nelif is_xpu():\n    two()",
        "if not current_platform.is_rocm():\n    one()",
        "if current_platform.is_rocm() or old:\n    both()\nelse:\n    one()",
        "x = two() if IS_ROCM else one()",
        "ON_AMD = torch.version.hip is not None\nimport torch\nif ON_AMD:\n    two()",
        "def f():\n    if is_hip():\n        return\n    one()\nboth()",
        "def f():\n    if not is_cuda():\n        raise ValueError\n    one()",
        "import pytest\nif not is_cuda():\n    pytest.skip('no', allow_module_level=True)\none()",
        # A refusal that does not know of ROCm is opened, and what is behind it runs.
        "import torch\nif torch.version.cuda is None:\n    raise ValueError\nboth()",
        "import torch, sys\ndef f():\n    if not torch.version.cuda:\n        sys.exit(1)\n    both()",
        "import torch\nif torch.version.cuda is None:\n    raise ValueError(torch.version.hip)\none()",
        "import torch\ndef f():\n    if torch.version.cuda is None:\n        return\n    one()",
        "import torch\nif torch.version.cuda is not None:\n    raise ValueError\ntwo()",
        "import torch\nif torch.version.cuda is None or is_hip():\n    raise ValueError\none()",
        "@pytest.mark.skipif(is_hip(), reason='x')\ndef f():\n    one()\ndef g():\n    both()",
        "@unittest.skipUnless(is_hip(), 'x')\ndef f():\n    two()",
        "ok = is_cuda() and one()",
        "if target.backend == 'cuda':\n    one()\nelse:\n    two()",
        "from torch.utils.cpp_extension import IS_HIP_EXTENSION\nif IS_HIP_EXTENSION:\n    two()",
        "if tensor.is_cuda:\n    both()",
        "if torch.cuda.is_available():\n    both()",
        "if chip or ship or relationship:\n    both()",
        "if device.type == 'cuda':\n    both()",
        "import torch\nif torch.version.cuda or torch.version.hip:\n    both()\nelse:\n    one()",
        # Who may be made to build for CUDA, and has a branch for ROCm behind it, builds for CUDA there.
        "import torch\nif torch.version.cuda or forced:\n    one()\nelif torch.version.hip:\n    two()",
        "if (one() and is_cuda()) or forced:\n    one()\nelif (is_hip() and fast):\n    two()\nelse:\n    both()",
        "if is_cuda() or forced:\n    both()\nelse:\n    two()",
        "if is_cuda() or forced:\n    both()\nelif fast:\n    two()",
        "if old or forced:\n    both()\nelif is_hip():\n    two()",
        "if is_cuda() or is_hip() or forced:\n    both()\nelif is_cuda():\n    one()",
        "if is_hip() and fast:\n    two()\nelse:\n    both()",
        # A name that holds something else elsewhere says nothing, not even with a constant beside it.
        "def f():\n    ok = is_hip()\ndef g():\n    ok = compute()\n    if not ok:\n        both()",
        "ok = is_hip()\ndef g(ok):\n    if not ok:\n        both()",
        "ok = is_hip()\nok |= forced\nif not ok:\n    both()",
        "try:\n    ok = is_hip()\nexcept ImportError:\n    ok = False\nif ok:\n    two()\nelse:\n    both()",
        "ok = is_hip()\nok = ok and is_hip()\nif ok:\n    two()\nelse:\n    both()",
    ],
)
def test_places_are_reached_as_their_names_say(text: str) -> None:
    data = text.encode()
    py = source.read(data, data, "a.py")
    found = guards.read(py, names.read(py))
    reported = {match[0]: found.rocm(match.start()) for match in re.finditer(r"\b(one|two|both)(?=\(\))", text)}
    assert reported == {name: KINDS[name] for name in reported} and reported


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("HOME is not None or is_hip()", False),  # whatever it is, ROCm goes on
        ("HOME is not None and is_cuda()", False),
        ("HOME is not None or fast", None),
        ("find(HOME) or is_hip()", None),  # the call is made
    ],
)
def test_a_left_operand_decides_nothing_where_the_right_one_does(condition: str, expected: bool | None) -> None:
    text = f"if {condition}:\n    both()\n"
    data = text.encode()
    py = source.read(data, data, "a.py")
    assert guards.read(py, names.read(py)).rocm(text.index("HOME")) is expected


def test_what_is_within_both_kinds_is_never_run() -> None:
    found = guards.Guards([(0, 100, True), (10, 50, False), (20, 30, True), (60, 60, False)])
    assert [found.rocm(at) for at in (0, 9, 10, 25, 49, 50, 60, 99, 100)] == [
        True, True, False, False, False, True, True, True, None,
    ]  # fmt: skip
    assert guards.Guards().rocm(0) is None
