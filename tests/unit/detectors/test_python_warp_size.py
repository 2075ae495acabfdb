"""What Python does with the warp size that it asks a device for."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

RULE = "python/queried-warp-size"
HEAD = "import torch\nlanes = torch.cuda.get_device_properties(0).warp_size\n"


@pytest.mark.parametrize(
    ("use", "found"),
    [
        ("run(x, lanes)", True),
        ("run(x, block=(int(lanes), 4))", True),
        ("def rows():\n    return 256 // lanes", True),
        ("build(['-DLANES=%d' % lanes])", True),
        ("build('#define LANES {}'.format(lanes))", True),
        ("sizes = [1, 2]\nsize = sizes[lanes]", True),
        ("options = {'lanes': lanes}\nrender(**options)", True),
        ("class Gpu:\n    def __init__(self):\n        self.lanes = lanes", True),
        ("if rows % lanes == 0:\n    run(x)", True),
        ("class Plan:\n    width = lanes", True),
        ("class Plan:\n    width: int = lanes\n    def rows(self):\n        return 8", True),
        ("class Plan:\n    def rows(self):\n        width = lanes", False),
        ("run(x, 32)", False),
        ("print(lanes, 1024 // lanes)", False),
        ("logger.info('%d lanes', lanes)", False),
        ("raise ValueError(f'{lanes} lanes')", False),
        ("print('%d lanes' % lanes)", False),
        ("def about():\n    table = {'lanes': lanes}\n    return table", False),
        ("assert lanes == 32", False),
        ("run(x, 2 if lanes == 64 else 4, lanes)", False),
    ],
)
def test_what_it_is_used_for(use: str, found: bool) -> None:
    rules = [one.rule for one in find_in_text(f"{HEAD}{use}\n", "a.py").findings]
    assert (RULE in rules) is found


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("import cupy\nn = cupy.cuda.runtime.getDeviceProperties(0).get('warpSize')", True),
        ("import cupy\nhave = cupy.cuda.Device(0).attributes\nn = have['WarpSize']", True),
        ("from pycuda.tools import DeviceData\nn = DeviceData().warp_size", True),
        ("import pycuda.driver as d\nn = d.Device(0).get_attribute(d.device_attribute.WARP_SIZE)", True),
        ("from numba import cuda\nn = cuda.current_context().device.WARP_SIZE", True),
        ("import torch\nn = getattr(torch.cuda.get_device_properties(0), 'warp_size', 32)", True),
        ("import cupy\ndef f(p=cupy.cuda.runtime.getDeviceProperties(0)):\n    return p['warpSize']\nn = f()", True),
        ("import cupy\ndef f(p: dict = settings()):\n    return p['warpSize']\nn = f()", False),
        ("import torch\nn = torch.cuda.get_device_properties(0).multi_processor_count", False),
        ("from layout import table\nn = table['warpSize']", False),
        ("import cupy\nn = settings().warp_size", False),
        ("import torch, triton\nn = torch.cuda.get_device_properties(0).warp_size", False),
    ],
)
def test_how_it_is_asked_for(query: str, found: bool) -> None:
    rules = [one.rule for one in find_in_text(f"{query}\nrun(x, n)\n", "a.py").findings]
    assert (RULE in rules) is found
