"""Compute capabilities that a build gives to the code as a macro."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

SETUP = """\
import torch
from torch.utils.cpp_extension import CUDAExtension
major, minor = torch.cuda.get_device_capability()
arch = major * 10 + minor
other = 3
CUDAExtension("a", ["a.cu"], extra_compile_args={"nvcc": [%s]})
"""


@pytest.mark.parametrize(
    ("option", "found"),
    [
        ('f"-DARCH={arch}"', True),
        ('"-DARCH=" + str(arch)', True),
        ('"-DARCH={}".format(arch)', True),
        ('"-DARCH=%d" % arch', True),
        ('f"-DARCH={torch.cuda.get_device_capability()[0]}"', True),
        ('"-DARCH=80"', False),
        ('f"-DARCH={other}"', False),
        ('"-Darch=1", str(other)', False),
        ('f"--name={arch}"', False),
    ],
)
def test_capability_that_becomes_a_macro_is_reported(option: str, found: bool) -> None:
    rules = {one.rule for one in find_in_text(SETUP % option, "setup.py").findings}
    assert ("python/compute-capability-macro" in rules) is found


CAPABILITY = "import torch\ncap = torch.cuda.get_device_capability()\nmajor, minor = cap\n"


def is_tested(text: str) -> bool:
    """Whether a test of the capability is found in a file."""
    return any(one.rule == "python/compute-capability-compared" for one in find_in_text(text, "a.py").findings)


@pytest.mark.parametrize(
    "text",
    [
        'arch = f"sm{major}{minor}"\nif arch == "sm80":\n    run()\n',
        'arch = "sm%d%d" % cap\nok = arch in ("sm80", "sm90")\n',
        'arch = "sm{}{}".format(*cap)\nif arch.startswith("sm9"):\n    run()\n',
        'arch = "sm" + "".join(map(str, cap))\nkernel = {"sm80": a, "sm90": b}[arch]\n',
        "TABLE = {80: a}\nkernel = TABLE.get(major * 10 + minor)\n",
        'archs = [f"sm{a}{b}" for a, b in [cap]]\nif "sm80" in archs:\n    run()\n',
        "found = []\nfound.append(cap)\nif found[0] >= (8, 0):\n    run()\n",
        "known = {}\nknown[0] = cap\nfor number, one in known.items():\n    ok = one < (8, 0)\n",
        "ARCH = None\ndef run():\n    return ARCH == (8, 0)\nARCH = cap\n",
        "if int(major) * 10 + int(minor) < 80:\n    run()\n",
        'def pick(name, arch=None):\n    return arch == "sm8"\npick(1, f"sm{major}")\n',
        "class A:\n def pick(self, arch):\n  return arch == 9\n def run(self):\n  self.pick(arch=major)\n",
        "match major:\n    case 8:\n        run()\n",
        'def arch():\n    return f"sm{major}"\nif arch() == "sm8":\n    run()\n',
        "class A:\n def __init__(self):\n  self.arch = cap\n def run(self):\n  return self.arch == (9, 0)\n",
        "class A:\n @property\n def arch(self):\n  return major\n def run(self):\n  return self.arch == 9\n",
        "assert all(one >= 8 for one in (major,))\n",
        "for i, one in enumerate([cap]):\n    ok = one == (9, 0)\n",
    ],
)
def test_numbers_are_followed_to_what_tests_them(text: str) -> None:
    assert is_tested(CAPABILITY + text)


@pytest.mark.parametrize(
    "text",
    [
        'arch = f"sm{major}{minor}"\nprint(arch)\n',
        'arch = f"sm{major}{minor}"\narch = name()\nif arch == "sm80":\n    run()\n',
        "def other():\n    major = 3\n    return major == 4\n",
        "def other(major):\n    return major == 4\n",
        "if len(cap) == 2:\n    run()\n",
        "if cap is None or cap == None:\n    run()\n",
        "if torch.cuda.get_device_capability(1) == torch.cuda.get_device_capability(0):\n    run()\n",
        "cache = {}\nif cap not in cache:\n    cache[cap] = build()\n",
        "cache = {}\ncached = cache.get(cap)\n",
        "for i, one in enumerate([cap]):\n    ok = i == 0\n",
        "for one, size in zip([cap], sizes):\n    ok = size == 0\n",
        "if torch.version.hip is None:\n    ok = major >= 8\n",
        "units = torch.cuda.get_device_properties(0).multi_processor_count\nok = units > 80\n",
        "class A:\n    def major(self):\n        return 3\n    def run(self):\n        return self.major() == 9\n",
        "ok = build(major) == 0\n",
        "def pick(name, arch):\n    return name == 3\npick(1, major)\n",
        "def pick(arch):\n    return arch == 9\nother.pick(major)\n",
    ],
)
def test_other_tests_are_none_of_the_numbers(text: str) -> None:
    assert not is_tested(CAPABILITY + text)


def test_properties_give_the_numbers_as_members() -> None:
    text = "import torch\nprops = torch.cuda.get_device_properties(0)\n"
    assert is_tested(text + 'arch = f"sm_{props.major}{props.minor}"\nok = arch in ["sm_80"]\n')
    assert not is_tested(text + 'arch = f"{props.name}"\nok = arch == "A" or props.total_memory > 3\n')


def test_the_message_names_the_test() -> None:
    found = find_in_text(CAPABILITY + "arch = f'sm{major}'\nif arch   == 'sm8':\n    run()\n", "a.py").findings
    assert "where `arch == 'sm8'` means nothing" in found[0].message


@pytest.mark.parametrize(
    "text",
    [
        "x = cap\nx = other()\n" + "x = x + x\n" * 300 + "ok = x > 3\n",
        "x = cap[0]" + " + 1" * 3000 + "\nok = x > 3\n",
        "[" * 400 + "x" + "]" * 400 + " = cap\n",
        "x = cap\n" + "x = f(x)\n" * 2000 + "ok = x > 3\n",
    ],
)
def test_deep_and_long_files_end(text: str) -> None:
    is_tested(CAPABILITY + text)
