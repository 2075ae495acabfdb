"""Runs killed at any moment: what was there is there, what is new is whole, and a second run leaves nothing else.

`CUDAMIGRATE_KILLS` says how often each kind of run is killed; the moments are drawn from a fixed seed.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import command_line
import pytest
from branches import FILES, HOST, run
from gitrepo import Repo

from cudamigrate.project import scratch
from cudamigrate.shipped_data import user_cache

ROOT = Path(__file__).resolve().parents[2]
KILLS = int(os.environ.get("CUDAMIGRATE_KILLS", "2"))
FEW = max(1, KILLS - 1)
"""Kills of what writes little: one where nothing is asked for."""

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(not hasattr(os, "killpg"), reason="no process groups here"),
]


def started(root: Path, temporary: Path, *words: str) -> subprocess.Popen[bytes]:
    """`cudamigrate apply` as a process group of its own."""
    return begun(root, temporary, "apply", ".", "--no-verify", "-j", "1", *words)


def begun(root: Path, temporary: Path, *words: str) -> subprocess.Popen[bytes]:
    """`cudamigrate` as a process group of its own, with a place for temporary files and a cache of its own."""
    command = [sys.executable, "-m", "cudamigrate", *words]
    return subprocess.Popen(
        command,
        cwd=root,
        env=environment(temporary),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def environment(temporary: Path) -> dict[str, str]:
    """The environment of a run."""
    env = dict(os.environ, PYTHONPATH=f"{ROOT / 'tests/import'}{os.pathsep}{ROOT}", TMPDIR=str(temporary))
    env["XDG_CACHE_HOME"] = str(temporary.parent / "cache")
    tables = temporary.parent / "cache" / "cudamigrate" / "rules"
    if not tables.exists() and user_cache("rules").is_dir():  # made of the same rule files, which takes a second
        shutil.copytree(user_cache("rules"), tables, ignore=shutil.ignore_patterns(".*"), copy_function=copied)
    return env


def copied(source: str, target: str) -> None:
    """Copy a file, unless another run has just replaced it."""
    with contextlib.suppress(FileNotFoundError):
        shutil.copy2(source, target)


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
    for number in range(KILLS):
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
        scratch.remove_left(temporary, "cudamigrate-*", ".cudamigrate-scratch")  # as the next run there does
        assert [one for one in temporary.rglob("*") if one.is_file()] == []
        shutil.rmtree(repo.root)
    print(f"\n{KILLS} runs killed, the branch stood already in {complete}; nothing lost, every second run succeeded")


PADDING = "".join(
    f"// line {number} of a header that makes the tree large enough for the cache\n" for number in range(1_500)
)
KINDS = {
    "report": ("scan", "tree", "--no-cache", "-j", "1", "-f", "json", "-o", "out/report.json"),
    "cache": ("scan", "tree", "-j", "2", "-f", "json", "-o", "out/report.json"),
    "check": ("check", "--all", "tree", "-f", "json", "-o", "out/check.json"),
    "folder": ("apply", "tree", "--no-verify", "-j", "1", "--output", "out/copy", "--force"),
    "patch": ("apply", "tree", "--no-verify", "-j", "1", "--patch", "out/hip.patch", "--force"),
    "fleet": ("scan", "--repos", "list.txt", "--no-cache", "-j", "1", "--output", "out"),
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a tree, a list of two repositories, an empty output and a place for temporary files."""
    top = tmp_path / "place"
    for name in ("tree", "other", "out"):
        (top / name).mkdir(parents=True)
    for name, text in {**FILES, "padding.h": PADDING}.items():
        file = top / "tree" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (top / "other" / "a.cu").write_text(HOST)
    (top / "list.txt").write_text("tree\nother\n")
    return top


def held(folder: Path) -> dict[str, bytes]:
    """All files below a folder; what depends on the moment of a run is left out."""
    found = {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()}
    return {name: data for name, data in found.items() if not name.endswith((".html", "portfolio.md", "fleet.json"))}


def finished(top: Path, kind: str, fresh: bool = False) -> None:
    """A whole run; `fresh` in a Python that is started for it, as the runs are that are killed."""
    if fresh:
        code = begun(top, top / "tmp", *KINDS[kind]).wait()
    else:
        code = command_line.run(*KINDS[kind], cwd=top, env=environment(top / "tmp")).returncode
    assert code == (1 if kind == "check" else 0)  # it has found something


def cut_off(top: Path, kind: str, after: float) -> None:
    """Start a run and kill it and its children after so many seconds, if it is still there."""
    process = begun(top, top / "tmp", *KINDS[kind])
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(after)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_lost_and_nothing_is_left(place: Path, kind: str) -> None:
    (place / "tmp").mkdir()
    more, made = place / "tree" / "more.cu", {}
    for larger in (True, False):
        more.write_text(HOST.replace("main", "more")) if larger else more.unlink()
        began = time.monotonic()
        finished(place, kind, fresh=not larger)  # how long it takes says when to kill
        took, made[larger] = time.monotonic() - began, held(place / "out")
    draw, written, kills = random.Random(len(kind)), 0, FEW if kind == "check" else KILLS
    for number in range(kills):
        if number % 2:  # what an earlier run made of fewer sources is there, else nothing
            more.write_text(HOST.replace("main", "more"))
        else:
            shutil.rmtree(place / "out")
            (place / "out").mkdir()
        sources, before = held(place / "tree"), held(place / "out")
        cut_off(place, kind, draw.uniform(0.1, 1.1) * took)
        after = {name: data for name, data in held(place / "out").items() if not name.startswith(".")}
        assert held(place / "tree") == sources
        assert all(data in (before.get(name), made[bool(number % 2)].get(name)) for name, data in after.items())
        written += any(data != before.get(name) for name, data in after.items())
        more.unlink(missing_ok=True)
        finished(place, kind)
        assert held(place / "out") == made[False]
        assert [one.name for one in (place / "out").iterdir() if one.name.startswith(".")] == []
        assert list((place / "tmp").iterdir()) == []
    print(f"\n{kind}: {kills} runs killed, {written} of them had written; nothing lost, nothing left")


def test_a_killed_fix_leaves_each_file_as_it_was_or_fixed(place: Path) -> None:
    (place / "tmp").mkdir()
    for number in range(20):
        (place / "tree" / f"{number}.cu").write_text("void f(void* p) { cudaFree(p); }\n" * (1 + number))
    words = ("check", "--all", "tree", "--fix", "-q")
    before, began = held(place / "tree"), time.monotonic()
    begun(place, place / "tmp", *words).wait()
    took, fixed = time.monotonic() - began, held(place / "tree")
    changed = [name for name in before if before[name] != fixed[name]]
    assert len(changed) >= 20
    draw, partly = random.Random(7), 0
    for _ in range(FEW):
        for name in changed:
            (place / "tree" / name).write_bytes(before[name])
        process = begun(place, place / "tmp", *words)
        if draw.random() < 0.3:
            time.sleep(draw.uniform(0, took))
        else:  # while the files are written, which takes little of the time
            watched = place / "tree" / draw.choice(changed)
            while process.poll() is None and watched.read_bytes() == before[str(watched.relative_to(place / "tree"))]:
                time.sleep(0.0005)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        after = {name: data for name, data in held(place / "tree").items() if not Path(name).name.startswith(".")}
        assert after.keys() == before.keys()
        assert all(data in (before[name], fixed[name]) for name, data in after.items())
        partly += before != after != fixed
        command_line.run(*words, cwd=place, env=environment(place / "tmp"))
        assert held(place / "tree") == fixed
        assert list((place / "tmp").iterdir()) == []
    print(f"\nfix: {FEW} runs killed, {partly} of them between two files; every file whole, nothing left")
