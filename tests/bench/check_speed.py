"""Speed of `check` as it runs before a commit, beside ruff and black on the same file, and through pre-commit.

Usage: python tests/bench/check_speed.py [FOLDER...]. Whole processes, their children among them: the median of 20 runs,
the commands in turn, so that other work on the machine falls on all alike. Processor time stands first, then time that
passes. FOLDER is a tree to draw 100 and 1,000 files from, by chance, as a first commit of all of them. Compiled modules
are used and the tables are there, as in an installed wheel; run it with the Python of one to measure one.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

RUNS = 20
ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures"
PLAIN = b"#include <cuda_runtime.h>\nvoid f(void **p) {\n  cudaMalloc(p, 4);\n}\n"
WARP = FIXTURES / "projects" / "reduction" / "before" / "src" / "reduce.cu"
PYTHON = b"import subprocess\nimport torch\n\n\ndef gpus() -> int:\n    subprocess.run(['nvidia-smi'])\n    return torch.cuda.device_count()\n"  # noqa: E501
CHECK = (sys.executable, "-m", "cudamigrate", "check")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def staged(folder: Path, files: Mapping[str, bytes]) -> Path:
    """A repository with these files staged for its first commit."""
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    for words in (["init", "-q"], ["add", "-Af"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


def once(command: tuple[str, ...], folder: Path) -> tuple[float, float]:
    """Processor time and time that passes, of the command and what it starts."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in (0, 1), command
    return used.ru_utime + used.ru_stime, time.perf_counter() - started


def compare(rows: list[tuple[str, tuple[str, ...], Path]], runs: int = RUNS) -> None:
    """Print the medians of commands that are run in turn."""
    taken: dict[str, list[tuple[float, float]]] = {}
    for number in range(runs + 1):
        for name, command, folder in rows:
            pair = once(command, folder)
            if number:  # the first run writes compiled modules and tables
                taken.setdefault(name, []).append(pair)
    for name, pairs in taken.items():
        cpu, wall = (statistics.median(one) for one in zip(*pairs, strict=True))
        print(f"{name:46} {cpu:7.3f} s  {wall:7.3f} s   least {min(pairs)[0]:.3f} s", flush=True)


def tool(name: str) -> str | None:
    """A program beside this Python, or on the path."""
    beside = Path(sys.executable).with_name(name)
    return str(beside) if beside.exists() else shutil.which(name)


def single(place: Path) -> None:
    """One staged file, beside other tools on the same Python file."""
    repositories = {
        "a CUDA file": staged(place / "plain", {"a.cu": PLAIN}),
        "a CUDA file with warp-level code": staged(place / "warp", {"a.cu": WARP.read_bytes()}),
        "a Python file": staged(place / "python", {"a.py": PYTHON}),
        "a C++ file without CUDA": staged(place / "none", {"a.cpp": b"int f() { return 1; }\n"}),
    }
    rows = [(f"check: {name}", CHECK, folder) for name, folder in repositories.items()]
    python = repositories["a Python file"]
    for name, words in (("ruff", ("check", "--no-cache")), ("black", ("--check",))):
        if (program := tool(name)) is not None:
            rows.append((f"{name}: the same Python file", (program, *words, "a.py"), python))
    rows.append(("python alone", (sys.executable, "-c", "pass"), python))
    compare(rows)


def readable(tree: Path) -> Iterator[Path]:
    """The files of a tree that the hook is given."""
    (pattern,) = {one["files"] for one in _hooks()}
    for path in sorted(tree.rglob("*")):
        name = path.relative_to(tree).as_posix()
        if re.search(pattern, name) and path.is_file() and not path.is_symlink() and ".git" not in path.parts:
            yield path


def _hooks() -> list[dict[str, str]]:
    import yaml

    found: list[dict[str, str]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    return found


def many(place: Path, trees: list[Path]) -> None:
    """100 and 1,000 files of each tree."""
    for tree in trees:
        paths = list(readable(tree))
        for number in (100, 1000):
            chosen = random.Random(18).sample(paths, min(number, len(paths)))
            files = {path.relative_to(tree).as_posix(): path.read_bytes() for path in chosen}
            folder = staged(place / f"{tree.name}-{number}", files)
            size = sum(map(len, files.values())) / 1e6
            row = (f"check: {len(files)} files of {tree.name}, {size:.1f} MB", CHECK, folder)
            compare([row], RUNS if number == 100 else 5)


def hook(place: Path) -> None:
    """The hook through pre-commit, beside a hook that does nothing."""
    if tool("pre-commit") is None:
        print("pre-commit is not installed")
        return
    own = {"language": "system", "files": r"\.cu$"}
    hooks = [
        {**own, "id": "check", "name": "check", "entry": " ".join(CHECK)},
        {**own, "id": "none", "name": "none", "entry": "true"},
    ]
    config = json.dumps({"repos": [{"repo": "local", "hooks": hooks}]})
    folder = staged(place / "hook", {"a.cu": PLAIN, ".pre-commit-config.yaml": config.encode()})
    program = str(tool("pre-commit"))
    compare([(f"pre-commit run {name}", (program, "run", name), folder) for name in ("none", "check")])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        print(f"{'median':>54}  {'passed':>9}")
        single(Path(made))
        hook(Path(made))
        many(Path(made), [FIXTURES / "projects", *map(Path, sys.argv[1:])])
