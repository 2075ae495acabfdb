"""How the programs that compare on emulated wavefronts are compiled."""

from __future__ import annotations

import subprocess
from pathlib import Path

RUNTIME = Path(__file__).parents[3] / "migrate" / "runtime"
EMULATION = Path(__file__).parent / "emulation"


def compiled(compiler: str, words: list[str]) -> None:
    """Run the compiler on the emulation; the runtime headers are found last, behind any that `words` name."""
    # without optimisation and fortification: a call is known by its address, and fibers jump between stacks
    flags = ["-std=c++17", "-O0", "-U_FORTIFY_SOURCE", "-Wall", "-Wextra", f"-I{EMULATION}"]
    built = subprocess.run([compiler, *flags, *words, f"-I{RUNTIME}"], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr


def program(compiler: str, wavefront: list[str], name: str, header: tuple[str, str], folder: Path, *more: str) -> str:
    """The program `name` with a header of that name and text, linked with the emulated wavefront; its path."""
    (folder / header[0]).write_text(header[1])
    made = folder / name
    compiled(compiler, [*more, f"-I{folder}", str(EMULATION / f"{name}.cpp"), *wavefront, "-o", str(made)])
    return str(made)
