"""`apply` killed at any moment: the repository is as it was, or has the whole branch, and a second run succeeds.

`CUDAMIGRATE_KILLS` says how often; the moments are drawn from a fixed seed.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from branches import FILES, HOST, run
from gitrepo import Repo

ROOT = Path(__file__).resolve().parents[2]
KILLS = int(os.environ.get("CUDAMIGRATE_KILLS", "8"))

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="no process groups here")


def started(root: Path, temporary: Path, *words: str) -> subprocess.Popen[bytes]:
    """`cudamigrate apply` as a process group of its own."""
    env = dict(os.environ, PYTHONPATH=f"{ROOT / 'tests/import'}{os.pathsep}{ROOT}", TMPDIR=str(temporary))
    command = [sys.executable, "-m", "cudamigrate", "apply", ".", "--no-verify", "-j", "1", *words]
    return subprocess.Popen(
        command, cwd=root, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )


def seconds(root: Path, temporary: Path, *words: str) -> tuple[float, float]:
    """How long a run takes until it begins to write, and from then to its end."""
    begun = time.monotonic()
    process = started(root, temporary, *words)
    writing = begun
    while process.poll() is None:
        if writing == begun and any(temporary.glob("cudamigrate-*")):
            writing = time.monotonic()
        time.sleep(0.002)
    assert process.returncode == 0
    return writing - begun, time.monotonic() - writing


def killed(root: Path, temporary: Path, draw: random.Random, times: tuple[float, float], *words: str) -> None:
    """Start a run and kill it and its children: half of the times while it reads, half while it writes."""
    process = started(root, temporary, *words)
    if draw.random() < 0.5:
        time.sleep(draw.uniform(0, times[0]))
    else:
        while process.poll() is None and not any(temporary.glob("cudamigrate-*")):
            time.sleep(0.002)
        time.sleep(draw.uniform(0, times[1] * 1.1))
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def state(repo: Repo) -> tuple[object, ...]:
    """All that must not change: HEAD, the index byte for byte, the files, the stash, and every other branch."""
    refs = [line for line in repo.git("for-each-ref").splitlines() if "refs/heads/hip/" not in line]
    files = {
        str(path.relative_to(repo.root)): path.read_bytes()
        for path in repo.root.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(repo.root).parts
    }
    return (repo.root / ".git/HEAD").read_bytes(), (repo.root / ".git/index").read_bytes(), files, refs


def tree(repo: Repo) -> str:
    return repo.git("rev-parse", "--verify", "hip/main^{tree}")


@pytest.mark.parametrize("updated", [False, True], ids=["new", "update"])
def test_a_killed_run_loses_nothing(tmp_path: Path, updated: bool) -> None:
    first = Repo(tmp_path / "first")
    first.commit(FILES, "start")
    words = ("--update",) if updated else ()
    if updated:
        run(first.root)
        first.git("checkout", "-q", "hip/main")
        first.commit({"README.md": "By hand.\n"}, "by hand")
        first.git("checkout", "-q", "main")
        first.commit({"src/more.cu": HOST.replace("main", "more")}, "upstream")
    (tmp_path / "tmp").mkdir()
    shutil.copytree(first.root, tmp_path / "whole")
    times = seconds(tmp_path / "whole", tmp_path / "tmp", *words)
    whole = subprocess.run(["git", "rev-parse", "hip/main^{tree}"], cwd=tmp_path / "whole", capture_output=True)
    draw, complete = random.Random(int(updated)), 0
    for number in range(KILLS // 2):
        repo = object.__new__(Repo)
        repo.root = tmp_path / f"killed-{number}"
        shutil.copytree(first.root, repo.root)
        before, was = state(repo), repo.git("for-each-ref", "refs/heads/hip/")
        temporary = tmp_path / f"tmp-{number}"
        temporary.mkdir()
        killed(repo.root, temporary, draw, times, *words)
        time.sleep(0.05)  # git's last step may still end
        assert state(repo) == before
        assert list((repo.root / ".git").rglob("*.lock")) == []
        repo.git("fsck", "--strict", "--connectivity-only")
        if repo.git("for-each-ref", "refs/heads/hip/") != was:
            complete += 1
            assert tree(repo).encode() == whole.stdout.strip()
        run(repo.root, *(words or ("--force",)))
        assert tree(repo).encode() == whole.stdout.strip()
        assert state(repo) == before
        shutil.rmtree(repo.root)
    print(
        f"\n{KILLS // 2} runs killed, the branch stood already in {complete}; nothing lost, every second run succeeded"
    )
