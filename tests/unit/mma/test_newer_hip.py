"""The headers for matrix products with a newer clang and HIP than Debian's: for GPUs that those do not know."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from cudamigrate.shipped_data import stand_ins

HERE = Path(__file__).parent
RUNTIME = HERE.parents[2] / "migrate" / "runtime"
DECLARATIONS = stand_ins("declarations")
TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1200")


@pytest.mark.parametrize("sheet", ["sheet.hip", "fragments.hip"])
@pytest.mark.parametrize("side", ["host", *TARGETS])
def test_every_form_type_checks(side: str, sheet: str) -> None:
    clang = pytest.importorskip("clang.cindex", reason="no wheel of libclang is installed")
    wrapper = list(Path(clang.__file__).parent.rglob("__clang_hip_runtime_wrapper.h"))
    triton = importlib.util.find_spec("triton")
    roots = (triton.submodule_search_locations if triton else None) or []
    includes = [f"{root}/backends/amd/include" for root in roots if (Path(root) / "backends/amd/include").is_dir()]
    if not wrapper or not includes:
        pytest.skip("needs libclang with clang's own headers, as in libclang-ng, and the HIP headers in triton")
    words = ["-x", "hip", "-std=c++17", "-nogpulib", "-nogpuinc", "-D__HIP_PLATFORM_AMD__=1", "-isystem", includes[0]]
    words += ["-isystem", str(DECLARATIONS), "-include", "__clang_hip_runtime_wrapper.h"]
    words += ["-include", "hip/hip_runtime.h", "-Wall", "-Wextra", f"-I{RUNTIME}", f"-I{HERE}"]
    words += ["--cuda-host-only"] if side == "host" else ["--cuda-device-only", f"--offload-arch={side}"]
    tree = clang.Index.create().parse(str(HERE / sheet), args=words)
    assert [str(entry) for entry in tree.diagnostics] == []
