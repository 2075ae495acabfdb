"""Whole kernels of known kinds, converted, on the emulated GPU against a CPU reference, also with matrix cores."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from mma import layouts
from runtime.emulated import EMULATION, HIP, RUNTIME, objects

from migrate import pipeline
from migrate.config import Config
from migrate.emulation import host_sources

HERE = Path(__file__).parent
KERNELS = sorted((HERE / "kernels").glob("*.cu"))
MODEL = [
    "-DMATRIX_MODEL_WAVE=(threadIdx.x/wavefront::width())",
    "-DCUDAMIGRATE_MATRIX_MODEL",
    f"-include{HERE / 'matrix_model.h'}",
]


@pytest.fixture(scope="module")
def emulator(compiler: str, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The emulated GPU and the layouts as C++, made once."""
    folder = tmp_path_factory.mktemp("emulator")
    (folder / "layouts.inc").write_text(layouts.cpp())
    return [f"-I{folder}", *objects()]


def _flags() -> list[str]:
    words = ["-std=c++17", "-O0", "-U_FORTIFY_SOURCE", "-fno-omit-frame-pointer", "-no-pie", "-pthread", "-D__HIPCC__"]
    return [*words, "-include", str(EMULATION / "wavefront.h"), f"-isystem{HIP}", f"-I{HERE}", f"-I{RUNTIME}"]


@pytest.mark.parametrize("cores", ["", "0x908", "0x940"], ids=["lanes", "gfx908", "gfx942"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_kernel_computes_the_same(kernel: Path, cores: str, compiler: str, emulator: list[str], tmp_path: Path) -> None:
    (conversion,) = pipeline.apply(kernel, Config()).conversions
    text = conversion.after.decode()
    assert 'asm volatile("mma' not in text and "cudamigrate" in text
    (tmp_path / "program.cpp").write_bytes(host_sources.for_host(text.encode(), "program.cpp"))
    more = [*MODEL, f"-DCUDAMIGRATE_MFMA={cores}"] if cores else []
    words = [*_flags(), "-w", *more, str(tmp_path / "program.cpp"), *emulator, "-o", str(tmp_path / "program")]
    built = subprocess.run([compiler, *words], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[:3000]
    for wave in ("64",) if cores else ("32", "64"):
        environment = {**os.environ, "CUDAMIGRATE_EMULATION_WAVE": wave}
        done = subprocess.run([str(tmp_path / "program")], env=environment, capture_output=True, text=True, timeout=120)
        assert (wave, done.stdout.strip(), done.returncode) == (wave, "PASS", 0)
