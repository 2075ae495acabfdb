"""Kernels of known kinds, converted, on the emulated GPU against a CPU reference: with and without matrix cores."""

from __future__ import annotations

from pathlib import Path

import pytest
from mma import layouts
from runtime.emulated import EMULATION, RUNTIME, compiled, prefix, ran

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.emulation import host_sources

pytestmark = pytest.mark.exhaustive

HERE = Path(__file__).parent
KERNELS = sorted((HERE / "kernels").glob("*.cu"))
MODEL = (
    "-DMATRIX_MODEL_WAVE=(threadIdx.x/wavefront::width())",
    "-DCUDAMIGRATE_MATRIX_MODEL",
    f"-I{HERE}",
    f"-I{EMULATION}",
    f"-include{HERE / 'matrix_model.h'}",
)


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the layouts as C++."""
    folder = tmp_path_factory.mktemp("layouts")
    (folder / "layouts.inc").write_text(layouts.cpp())
    return folder


@pytest.mark.parametrize("cores", ["", "0x908", "0x940"], ids=["lanes", "gfx908", "gfx942"])
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_kernel_computes_the_same(
    kernel: Path, cores: str, compiler: str, wavefront: list[str], places: Path, tmp_path: Path
) -> None:
    (conversion,) = pipeline.apply(kernel, Config()).conversions
    text = conversion.after.decode()
    assert 'asm volatile("mma' not in text and "cudamigrate" in text
    # addresses of shared memory are numbers of 32 bits; those of statics are, in a program at a fixed place
    text = text.replace("__shared__", "static")
    source, program = tmp_path / "program.cpp", tmp_path / "program"
    source.write_bytes(host_sources.for_host(text.encode(), source.name))
    more = [*MODEL, f"-I{places}", f"-DCUDAMIGRATE_MFMA={cores}"] if cores else []
    first = ["-include", str(prefix(compiler)), f"-I{EMULATION}"]
    words = ["-w", *first, f"-I{RUNTIME}", *more, str(source), *wavefront, "-o", str(program)]
    done = compiled(compiler, words, seen=False)
    assert done.returncode == 0, done.stderr[:3000]
    for wave in (64,) if cores else (32, 64):
        done = ran(program, wave)
        assert (wave, done.stdout.strip(), done.returncode) == (wave, "PASS", 0), done.stderr
