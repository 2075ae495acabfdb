"""The headers for matrix products with a newer clang and HIP than Debian's: for GPUs that those do not know."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from pathlib import Path

import pytest
from mma import machine_code

from cudamigrate.shipped_data import stand_ins

HERE = Path(__file__).parent
RUNTIME = HERE.parents[2] / "migrate" / "runtime"
DECLARATIONS = stand_ins("declarations")
TARGETS = ("gfx908", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1200")


COMPILED = {
    "gfx942": (
        "v_mfma_f32_16x16x16_f16", "v_mfma_f32_16x16x16_bf16", "v_mfma_f32_16x16x8_xf32", "v_mfma_f64_16x16x4_f64",
        "v_mfma_i32_16x16x32_i8", "v_dot4c_i32_i8", "quad_perm",
    ),
    "gfx950": ("v_mfma_f32_16x16x16_f16", "v_mfma_i32_16x16x32_i8", "v_mfma_i32_16x16x64_i8", "v_dot4c_i32_i8"),
    "gfx1200": ("v_wmma_i32_16x16x16_iu8", "v_wmma_i32_16x16x32_iu4", "v_wmma_f32_16x16x16_f16", "v_dot4_i32_iu8"),
}  # fmt: skip
"""Instructions that the code of the forms has, by the GPU."""


def _words(side: str, wrapper: bool) -> list[str]:
    """How clang is called for the host or a GPU, with the HIP headers of the Triton wheel."""
    triton = importlib.util.find_spec("triton")
    roots = (triton.submodule_search_locations if triton else None) or []
    includes = [f"{root}/backends/amd/include" for root in roots if (Path(root) / "backends/amd/include").is_dir()]
    if not wrapper or not includes:
        pytest.skip("needs libclang with clang's own headers, as in libclang-ng, and the HIP headers in triton")
    words = ["-x", "hip", "-std=c++17", "-nogpulib", "-nogpuinc", "-D__HIP_PLATFORM_AMD__=1", "-isystem", includes[0]]
    words += ["-isystem", str(DECLARATIONS), "-include", "__clang_hip_runtime_wrapper.h"]
    words += ["-include", "hip/hip_runtime.h", "-Wall", "-Wextra", f"-I{RUNTIME}", f"-I{HERE}"]
    return [*words, *(["--cuda-host-only"] if side == "host" else ["--cuda-device-only", f"--offload-arch={side}"])]


@pytest.mark.exhaustive
@pytest.mark.parametrize("side", ["host", *TARGETS])
def test_every_form_type_checks(side: str) -> None:
    clang = pytest.importorskip("clang.cindex", reason="no wheel of libclang is installed")
    wrapper = any(Path(clang.__file__).parent.rglob("__clang_hip_runtime_wrapper.h"))
    both = "".join(f'#include "{HERE / sheet}"\n' for sheet in ("sheet.hip", "fragments.hip"))
    tree = clang.Index.create().parse("both.hip", args=_words(side, wrapper), unsaved_files=[("both.hip", both)])
    assert [str(entry) for entry in tree.diagnostics] == []


def _assembly(arch: str, tmp_path: Path, *more: str) -> str:
    clang = shutil.which("clang++-22")
    if clang is None:
        pytest.skip("there is no clang++-22")
    made = tmp_path / "sheet.s"
    command = [clang, *_words(arch, True), *more, "-O2", "-S", str(HERE / "sheet.hip"), "-o", str(made)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return made.read_text()


@pytest.mark.parametrize("arch", COMPILED)
def test_compiled_code_has_the_instructions(arch: str, tmp_path: Path) -> None:
    """By a whole clang of the newer kind, where there is one: libclang makes no code."""
    text = _assembly(arch, tmp_path)
    assert [name for name in COMPILED[arch] if name not in text] == []
    assert machine_code.wrong(text, arch, "") == []


@pytest.mark.parametrize(
    ("arch", "setting"),
    [*((arch, "") for arch in ("gfx908", "gfx90a", "gfx1030", "gfx1100")), ("gfx1200", machine_code.FLUSH)],
    ids=["gfx908", "gfx90a", "gfx1030", "gfx1100", "gfx1200-flush"],
)
def test_other_gpus_have_their_instructions_too(arch: str, setting: str, tmp_path: Path) -> None:
    text = _assembly(arch, tmp_path, machine_code.few(tmp_path), *setting.split())
    assert machine_code.wrong(text, arch, setting) == []
