"""What a portfolio of generated repositories costs, and whether it says what is known of them.

Usage: python tests/bench/fleet.py [REPOSITORIES]. Each is a git repository of its own with CUDA, C++ and Python; every
fourth holds another one of the list as a submodule folder, every fifth uses a library that has no equivalent, one is
not there. The run is killed once and started again; the second must not read again what was done. Printed are
processor seconds for each repository, and what the portfolio says.
"""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.memory import CUDA, CXX, PYTHON

BLOCKER = "#include <optix.h>\nvoid trace{n}(OptixPipeline p) {{ optixLaunch(p, 0, 0, 0, 0, 1, 1, 1); }}\n"


def repository(root: Path, number: int, count: int) -> None:
    """Write and commit a repository."""
    draw = random.Random(number)
    root.mkdir(parents=True)
    for at in range(20):
        (root / f"w{at}.cpp").write_text(CXX.format(name="lib", n=at, more=""))
        (root / f"m{at}.py").write_text(PYTHON.format(n=at, more=""))
    for at in range(draw.randrange(1, 6)):
        (root / f"k{at}.cu").write_text(CUDA.format(name="lib", n=at))
    if number % 5 == 0:
        (root / "trace.cu").write_text(BLOCKER.format(n=number))
    if number % 4 == 0 and number + 1 < count:
        held = root / "external" / f"repo{number + 1}"
        held.mkdir(parents=True)
        (held / "inner.cu").write_text(CUDA.format(name="held", n=0))
    commit = "git init -q -b main && git add . && git -c user.name=a -c user.email=a@localhost commit -qm start"
    subprocess.run(commit, shell=True, cwd=root, check=True)


def run(place: Path, after: float = 0.0) -> tuple[float, float]:
    """Scan the fleet, killed after some seconds where that is asked; processor seconds and those that passed."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    words = ["scan", "--repos", str(place / "list.txt"), "--output", str(place / "out"), "--no-cache", "-j", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "cudamigrate", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        process.wait(after or None)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime, time.monotonic() - began


def main(count: int) -> None:
    """Print what was measured."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        for number in range(count):
            repository(place / f"repo{number}", number, count)
        (place / "list.txt").write_text("".join(f"repo{number}\n" for number in range(count)) + "missing\n")
        run(place, after=2.0 + 0.2 * count)
        done = {path.name: path.stat().st_mtime_ns for path in (place / "out").glob("repo*.json")}
        rest, _ = run(place)
        kept = sum((place / "out" / name).stat().st_mtime_ns == at for name, at in done.items())
        print(f"killed with {len(done)} reports written; the second run kept {kept} of them, {rest:.1f} s")
        for file in (place / "out").iterdir():
            file.unlink()
        whole, passed = run(place)
        again, _ = run(place)
        print(
            f"{count} repositories: {whole:.1f} s of processor time, {passed:.1f} s passed; {whole / count:.2f} s each"
        )
        print(f"again, nothing changed: {again:.1f} s, {again / count:.3f} s each")
        made = json.loads((place / "out" / "portfolio.json").read_text())
        print("totals:", made["totals"])
        for one in made["shared"]:
            print(f"shared {one['kind']}: {one['title']}: {len(one['repositories'])} have it, unlocks {one['unlocks']}")
        order = made["order"]
        first = [n for n in range(0, count - 1, 4) if order.index(f"repo{n + 1}") < order.index(f"repo{n}")]
        print(f"held repositories before those that hold them: {len(first)} of {len(range(0, count - 1, 4))}")
        blocked = [order.index(f"repo{n}") for n in range(0, count, 5)]
        print(f"blocked ones are at {blocked} of {count}")
        print("not read:", [one["name"] for one in made["repositories"] if one.get("error")])


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20)
