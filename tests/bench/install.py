"""Builds the wheel and the source archive, checks both, and installs the wheel into empty environments.

    python tests/bench/install.py [--extras verify,server]

For each Python that is found and each of pip, pipx and `uv tool`: seconds, MB of what came without compiled bytecode,
and whether the commands start. Needs a package index; nothing outside a temporary folder is written.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
VERSIONS = ("3.10", "3.11", "3.12", "3.13", "3.14")


def run(words: list[str], **environment: str) -> float:
    """Run a command, and the seconds that it took. Ends the program where it fails."""
    start = time.perf_counter()
    done = subprocess.run(words, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"failed: {' '.join(words)}\n{done.stdout}{done.stderr}")
    return time.perf_counter() - start


def interpreter(version: str) -> str | None:
    """The Python of a version that is found under pyenv or on PATH, where it starts."""
    home = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    kept = sorted(home.glob(f"{version}.*/bin/python"))
    path = str(kept[-1]) if kept else shutil.which(f"python{version}")
    if path is None or subprocess.run([path, "-c", ""], capture_output=True).returncode:
        return None
    return path


def build(folder: Path) -> Path:
    """The wheel, after both archives have passed their checks."""
    for target in ("wheel", "sdist"):
        run([sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)])
    archives = [str(path) for path in sorted(folder.iterdir()) if path.suffix in (".whl", ".gz")]
    (wheel,) = (path for path in archives if path.endswith(".whl"))
    run([sys.executable, "-m", "twine", "check", "--strict", *archives])
    run([sys.executable, "-m", "check_wheel_contents", wheel])
    for path in archives:
        print(f"{Path(path).name}: {os.path.getsize(path) / 1e6:.1f} MB, checks pass")
    return Path(wheel)


def megabytes(folder: Path) -> float:
    """What the files of a folder take, links not followed and compiled bytecode left out: not every way makes it."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
    return sum(path.lstat().st_size for path in files if path.parent.name != "__pycache__") / 1e6


def use(command: str) -> None:
    """Start the installed command: version, a rule, a check of a file."""
    with tempfile.TemporaryDirectory() as place:
        Path(place, "a.cu").write_text("void f(void *p) { cudaFree(p); }\n")
        run([command, "--version"])
        run([command, "explain", "cudaMalloc"])
        done = subprocess.run([command, "check", "--all", "a.cu"], cwd=place, capture_output=True, text=True)
        if done.returncode != 1 or "api/cudaFree" not in done.stdout:
            sys.exit(f"{command} check printed {done.stdout}{done.stderr}")


def with_pip(python: str, spec: str, place: Path) -> tuple[float, float]:
    """Seconds and MB of `pip install` into a new virtual environment."""
    run([python, "-m", "venv", str(place / "env")])
    before = megabytes(place / "env")
    seconds = run([str(place / "env" / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-compile", spec])
    use(str(place / "env" / "bin" / "cudamigrate"))
    return seconds, megabytes(place / "env") - before


def with_pipx(python: str, spec: str, place: Path) -> tuple[float, float]:
    """The same for `pipx install`."""
    homes = {"PIPX_HOME": str(place / "pipx"), "PIPX_BIN_DIR": str(place / "bin"), "PIPX_MAN_DIR": str(place / "man")}
    seconds = run([sys.executable, "-m", "pipx", "install", "--python", python, spec], **homes)
    use(str(place / "bin" / "cudamigrate"))
    if not (place / "man" / "man1" / "cudamigrate.1").exists():
        sys.exit("pipx did not install the manual page")
    return seconds, megabytes(place / "pipx" / "venvs")


def with_uv(python: str, spec: str, place: Path) -> tuple[float, float]:
    """The same for `uv tool install`."""
    homes = {"UV_TOOL_DIR": str(place / "tools"), "UV_TOOL_BIN_DIR": str(place / "uvbin")}
    words = ["tool", "install", "--quiet", "--python", python, "--cache-dir", str(place / "cache"), spec]
    seconds = run([sys.executable, "-m", "uv", *words], **homes)
    use(str(place / "uvbin" / "cudamigrate"))
    return seconds, megabytes(place / "tools")


WAYS = {"pip": with_pip, "pipx": with_pipx, "uv tool": with_uv}


def main() -> None:
    """Print a line for each Python and each way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--extras", default="", help="extras to install, with commas between")
    parser.add_argument("--python", default="", help="this version alone, such as 3.12")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wheel = build(Path(folder))
        spec = f"{wheel}[{asked.extras}]" if asked.extras else str(wheel)
        for version in [asked.python] if asked.python else VERSIONS:
            python = interpreter(version)
            if python is None:
                print(f"Python {version}: not found here")
                continue
            for name, way in WAYS.items():
                with tempfile.TemporaryDirectory() as place:
                    seconds, size = way(python, spec, Path(place))
                print(f"Python {version}, {name}: {seconds:.1f} s, {size:.0f} MB, commands start", flush=True)


if __name__ == "__main__":
    main()
