"""Python imports that fail on AMD, and what the code does where it catches that."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CAUGHT = "goes on without this library"
USED = "def run(kernel):\n    if HAS_GPU:\n        cuda.mem_alloc(4)\n"
ASKED = """def plain(values):
    try:
        from pycuda import gpuarray

        if isinstance(values, gpuarray.GPUArray):
            return values.get()
    except ImportError:
        pass
    return values
"""


def found(tmp_path: Path, code: str) -> list[str]:
    report = pipeline.scan(written(tmp_path, {"a.py": code}), Config(jobs=1))
    return [one.message for one in report.findings if one.rule == "python/pycuda"]


@pytest.mark.parametrize(
    ("handler", "said"),
    [
        ("except Exception as error:\n    print(error)\n    HAS_GPU = 0\n", "with `HAS_GPU = 0`"),
        ("except (ImportError, OSError):\n    HAS_GPU: bool = False\n", "with `HAS_GPU: bool = False`"),
        ("except ImportError:\n    HAS_GPU = False\n    raise\n", ""),
        ("except ImportError:\n    HAS_GPU = False\n    sys.exit(1)\n", ""),
        ("except ImportError:\n    import other as cuda\n    HAS_GPU = False\n", ""),
        ("except ImportError:\n    HAS_GPU = find_another()\n", ""),
        ("except ValueError:\n    HAS_GPU = False\n", ""),
        ("finally:\n    HAS_GPU = False\n", ""),
    ],
)
def test_a_flag_that_a_handler_sets_lets_the_program_go_on(tmp_path: Path, handler: str, said: str) -> None:
    code = f"try:\n    import pycuda.driver as cuda\n    HAS_GPU = 1\n{handler}\n{USED}"
    (message,) = found(tmp_path, code)
    assert (CAUGHT in message) is bool(said)
    assert said in message


def test_a_function_in_the_try_fails_where_it_is_called(tmp_path: Path) -> None:
    code = "try:\n    def load():\n        import pycuda.driver as cuda\nexcept ImportError:\n    HAS_GPU = 0\n"
    (message,) = found(tmp_path, code)
    assert CAUGHT not in message


@pytest.mark.parametrize(
    ("code", "count"),
    [
        (ASKED, 0),
        (ASKED.replace("pass", "raise"), 1),
        (ASKED.replace("values.get()", "gpuarray.to_gpu(values)"), 1),
        (ASKED.replace("return values\n", "return gpuarray.to_gpu(values)\n"), 1),
        (ASKED + "\nimport pycuda.autoinit\n", 1),
        (ASKED.replace("isinstance(values, gpuarray.GPUArray)", "gpuarray"), 1),
    ],
)
def test_an_import_that_only_asks_for_a_type_is_right_on_amd(tmp_path: Path, code: str, count: int) -> None:
    assert len(found(tmp_path, code)) == count
