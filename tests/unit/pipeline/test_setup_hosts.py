"""An extension of setuptools whose C++ sources read HIP's headers after the conversion gets their macro."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

SOURCES = {
    "src/bind.cc": '#include "search.hpp"\nint run() { return 0; }\n',
    "src/plain.cc": "int plain() { return 0; }\n",
    "include/search.hpp": "#pragma once\n#include <cuda_runtime.h>\n",
    "src/search.cu": '#include "search.hpp"\n__global__ void k() {}\nvoid run() { cudaDeviceSynchronize(); }\n',
    "src/wrap.pyx": 'cdef extern from "search.hpp":\n    void run()\n',
    "src/lone.pyx": 'cdef extern from "math.h":\n    double sin(double)\n',
}
HEAD = "import glob\nfrom setuptools import setup, Extension\n"
GLOB = "s = glob.glob('src/*.cu') + glob.glob('src/*.cc')\n"
TORCH = "from torch.utils.cpp_extension import BuildExtension\n"
GIVEN = ', define_macros=[("__HIP_PLATFORM_AMD__", None)]'


def converted(root: Path, setup: str) -> str:
    """The setup.py as it comes out."""
    written(root, SOURCES | {"setup.py": HEAD + setup})
    made = {one.path: one.after.decode() for one in pipeline.apply(root, Config(jobs=1)).conversions}
    return made.get("setup.py", HEAD + setup).removeprefix(HEAD)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("e = Extension('e', ['src/bind.cc'])\n", f"e = Extension('e', ['src/bind.cc']{GIVEN})\n"),
        (
            f"{GLOB}e = Extension('é', sources=s + ['x.c'],\n  language='c++',\n)\n",
            f"{GLOB}e = Extension('é', sources=s + ['x.c'],\n  language='c++'{GIVEN},\n)\n",
        ),
        (
            f"{TORCH}class Own(build_ext):\n    pass\n"
            "setup(ext_modules=[Extension('e', ['src/bind.cc'])], cmdclass={'build_ext': Own})\n",
            f"{TORCH}class Own(build_ext):\n    pass\n"
            f"setup(ext_modules=[Extension('e', ['src/bind.cc']{GIVEN})], cmdclass={{'build_ext': Own}})\n",
        ),
        (
            "from own import BuildExtension\n"
            "setup(ext_modules=[Extension('e', ['src/bind.cc'])], cmdclass={'build_ext': BuildExtension})\n",
            "from own import BuildExtension\n"
            f"setup(ext_modules=[Extension('e', ['src/bind.cc']{GIVEN})], cmdclass={{'build_ext': BuildExtension}})\n",
        ),
        ("e = Extension('e', sources=['src/wrap.pyx'])\n", f"e = Extension('e', sources=['src/wrap.pyx']{GIVEN})\n"),
    ],
)
def test_it_gets_the_macro(tmp_path: Path, before: str, after: str) -> None:
    assert converted(tmp_path, before) == after


@pytest.mark.parametrize(
    "text",
    [
        "e = Extension('e', ['src/plain.cc', 'src/search.cu'])\n",
        "e = Extension('e', ['src/lone.pyx'])\n",
        "e = Extension('e', ['src/bind.cc'], extra_compile_args=['-D__HIP_PLATFORM_AMD__'])\n",
        "e = Extension('e', ['src/bind.cc'], define_macros=[('A', None)])\n",
        "e = CMakeExtension('e', ['src/bind.cc'])\n",
        f"{TORCH}setup(ext_modules=[Extension('e', ['src/bind.cc'])], cmdclass={{'build_ext': BuildExtension}})\n",
        f"{TORCH}setup(ext_modules=[Extension('e', ['src/bind.cc'])],\n"
        "  cmdclass={'build_ext': BuildExtension.with_options(use_ninja=False)})\n",
        f"{TORCH}class Own(BuildExtension):\n    pass\n"
        "setup(ext_modules=[Extension('e', ['src/bind.cc'])], cmdclass={'build_ext': Own})\n",
    ],
)
def test_else_it_stays(tmp_path: Path, text: str) -> None:
    assert converted(tmp_path, text) == text


def test_where_macros_are_given_it_is_reported(tmp_path: Path) -> None:
    text = "e = Extension('e', ['src/bind.cc'], define_macros=[('A', None)])\n"
    written(tmp_path, SOURCES | {"setup.py": HEAD + text})
    (one,) = [f for f in pipeline.scan(tmp_path, Config(jobs=1)).findings if f.rule == "build/setup-host-headers"]
    assert one.fix is None
    assert "bind.cc" in one.message
