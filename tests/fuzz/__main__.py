"""Fuzz targets with atheris: `python -m tests.fuzz MINUTES [TARGET...]`.

Inputs grow from the fixtures. Each crash is written to `tests/fuzz/crashes/TARGET`, where `test_fuzz.py` finds
it from then on. An input that takes over 25 seconds is a crash too.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
FIXTURES = HERE.parents[1] / "fixtures"
SEEDS = {
    "cuda": "*.cu",
    "cxx": "*.h",
    "python": "*.py",
    "notebook": "*.ipynb",
    "cmake": "CMakeLists.txt",
    "make": "Makefile",
    "yaml": "*.yml",
    "presets": "CMakePresets.json",
    "toml": "*.toml",
    "shell": "*.sh",
    "docker": "Dockerfile*",
    "requirements": "requirements*.txt",
    "report": "report.json",
    "config": "*.toml",
    "rules": "*.toml",
    "ptx": "*.ptx",
    "conditions": "*.cu",
}


def seed_files(name: str) -> list[Path]:
    """The files that the inputs of a target grow from: of the fixtures, for rules the shipped ones."""
    top = FIXTURES.parent / "rules" if name == "rules" else FIXTURES
    found = sorted(top.rglob(SEEDS[name])) if name in SEEDS else []
    return [path for path in found if path.stat().st_size < 20_000][:100]


def seeds(name: str, folder: Path) -> None:
    """Put those files into a folder."""
    for number, path in enumerate(seed_files(name)):
        (folder / f"{number}").write_bytes(path.read_bytes())


def fuzz(name: str, minutes: float) -> int:
    """Run one target in a process of its own, since the fuzzer ends its process; the number of crashes."""
    crashes = HERE / "crashes" / name
    crashes.mkdir(parents=True, exist_ok=True)
    before = set(crashes.iterdir())
    with tempfile.TemporaryDirectory() as corpus:
        seeds(name, Path(corpus))
        options = [f"-max_total_time={int(minutes * 60)}", "-max_len=100000", "-timeout=25", "-rss_limit_mb=4096"]
        command = [sys.executable, "-m", "tests.fuzz.one", name, *options, f"-artifact_prefix={crashes}/", corpus]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    new = set(crashes.iterdir()) - before
    said = [line for line in done.stderr.splitlines() if line.startswith(("Done", "stat::", " ===", "#"))]
    print(f"{name}: {len(new)} crashes; {said[-1] if said else done.stderr[-300:]}", flush=True)
    if new:
        print(done.stderr[-1500:], flush=True)
    if not any(crashes.iterdir()):
        crashes.rmdir()
    return len(new)


if __name__ == "__main__":
    from tests.fuzz.targets import TARGETS

    wanted = sys.argv[2:] or list(TARGETS)
    sys.exit(min(1, sum(fuzz(name, float(sys.argv[1])) for name in wanted)))
