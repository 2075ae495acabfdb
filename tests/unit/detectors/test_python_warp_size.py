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
        ("class Shape:\n    lanes = lanes", True),
        ("class Shape:\n    lanes: int = lanes", True),
        ("class Shape:\n    def show(self):\n        lanes_here = lanes\n        print(lanes_here)", False),
        ("self.lanes, self.rows = lanes, 4", True),
        ("cache = {}\nself.sizes['lanes'] = lanes", True),
        ("self.threads *= lanes", True),
        ("self.first = first = lanes", True),
        ("run([lanes for _ in rows])", True),
        ("blocks = 1 << lanes.bit_length()\nrun(x, blocks)", True),
        ("table = {'lanes': lanes, 'rows': 4}\nrun(256 // table['lanes'])", True),
        ("table = {'lanes': lanes, 'rows': 4}\nrun(256 // table.get('lanes'))", True),
        ("table = {'lanes': lanes, 'rows': 4}\nrun(256 // table['rows'])", False),
        ("table = {'lanes': lanes, 'rows': 4}\nprint(table['lanes'])", False),
        ("def rows(width=lanes):\n    return 256 // width", True),
        ("def rows(width: int = lanes):\n    return 256 // width", True),
        ("def rows(width=lanes):\n    print(width)", False),
        ("def rows(width=lanes, other=8):\n    return 256 // other", False),
        ("", True),
        ("def about():\n    width = lanes", False),
        ("print(lanes)\nrun(x, 32)", False),
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
        ("import torch\nn = torch.cuda.get_device_properties(0).multi_processor_count", False),
        ("import cupy\ndef f(p=cupy.cuda.runtime.getDeviceProperties(0)):\n    return p['warpSize']\nn = f()", True),
        ("import cupy\ndef f(p=cupy.cuda.runtime.getDeviceProperties(0)):\n    return p['name']\nn = f()", False),
        (
            "import cupy\nn = 0\ndef f():\n    global n\n    n = cupy.cuda.Device().attributes['WarpSize']\n"
            "    print(n)",
            True,
        ),
        (
            "import cupy\nn = 0\ndef f():\n    n = cupy.cuda.Device().attributes['WarpSize']\n    print(n)",
            False,
        ),
        ("from layout import table\nn = table['warpSize']", False),
        ("import cupy\nn = settings().warp_size", False),
        ("import torch, triton\nn = torch.cuda.get_device_properties(0).warp_size", False),
    ],
)
def test_how_it_is_asked_for(query: str, found: bool) -> None:
    rules = [one.rule for one in find_in_text(f"{query}\nrun(x, n)\n", "a.py").findings]
    assert (RULE in rules) is found
