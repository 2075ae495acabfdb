"""Branches that a maintainer would merge: commits, notes, updates, choices and comments, on repositories made here."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from branches import FILES, HOST, run
from gitrepo import Repo

TITLES = [
    "Headers and names for HIP: 2 files",
    "Warp-level code for wavefronts of 64 lanes: 1 file",
    "C++ in place of inline PTX: 1 file",
    "Build with HIP: 1 file",
    "Packages for ROCm: 1 file",
    "Environment for ROCm: 1 file",
    "Notes on the move to HIP",
]


def titles(repo: Repo, name: str = "hip/main") -> list[str]:
    return repo.git("log", "--reverse", "--format=%s", f"main..{name}").splitlines()


@pytest.fixture
def start(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.commit(FILES, "start")
    return repo


def test_commits_come_in_an_order_that_builds_and_say_their_rules(start: Repo, tmp_path: Path) -> None:
    text = tmp_path / "pr.md"
    run(start.root, "--pr-text", str(text))
    assert titles(start) == TITLES
    tip, written = start.git("rev-parse", "hip/main"), text.read_text()
    again = run(start.root, "--pr-text", str(text))  # only the text is asked for: the branch is there
    assert "Branch hip/main stays as it is" in again.stdout and start.git("rev-parse", "hip/main") == tip
    assert text.read_text() == written
    commits = start.git("log", "--reverse", "--format=%H", "main..hip/main").splitlines()
    bodies = [start.git("log", "-1", "--format=%b", commit) for commit in commits]
    assert "api/cudaMalloc 1" in bodies[0] and "warp/" not in bodies[0]
    assert "warp/sync-shuffle 1" in bodies[1]
    assert "1 fix, by rule:\nptx/" in bodies[2]
    assert "build/make-nvcc" in bodies[3]
    changed = [start.git("show", "--format=", "--name-only", commit).splitlines() for commit in commits]
    assert changed[3:] == [["Makefile"], ["requirements.txt"], ["Dockerfile"], ["MIGRATION.md"]]
    for commit in commits[:3]:
        assert '#include "../cudamigrate_hip.h"' in start.git("show", f"{commit}:src/sum.cu")
        assert "cudamigrate_hip.h" in start.git("ls-tree", "-r", "--name-only", commit).splitlines()
    notes = start.git("show", "hip/main:MIGRATION.md")
    for part in (
        "## What was done",
        "## Remaining work",
        "## Build and test on AMD",
        "make test",
        "## Compare numbers",
    ):
        assert part in notes
    asked = start.git("show", "hip/main:src/main.cu").splitlines()
    line = next(number for number, words in enumerate(asked, 1) if "if (prop.major" in words)
    assert f"- [ ] `src/main.cu:{line}` `memory/device-major`" in notes
    assert text.read_text().startswith("Build for AMD GPUs") and "7. Notes on the move to HIP" in text.read_text()
    assert start.git("status", "--porcelain") == ""


@pytest.mark.rocm
@pytest.mark.skipif(not shutil.which("hipcc"), reason="no hipcc is installed")
def test_commits_compile_for_amd(start: Repo) -> None:
    run(start.root, "--arch", "gfx90a")
    env = {**os.environ, "HIP_PLATFORM": "amd"}
    for title in TITLES[1:3]:
        commit = start.git("log", "--format=%H", "-F", f"--grep={title}", "hip/main")
        start.git("checkout", "-q", commit)
        command = ["hipcc", "--offload-arch=gfx90a", "-fsyntax-only", "src/sum.cu"]
        done = subprocess.run(command, cwd=start.root, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, title + done.stderr


def test_notes_of_the_project_are_not_replaced(start: Repo) -> None:
    start.commit({"MIGRATION.md": "From 1.0 to 2.0.\n"})
    run(start.root)
    assert start.git("show", "hip/main:MIGRATION.md") == "From 1.0 to 2.0."
    assert start.git("show", "hip/main:MIGRATION-HIP.md").startswith("<!-- Written by cudamigrate.")


def on_branch(repo: Repo, change: dict[str, str], message: str = "by hand") -> None:
    """A commit on the converted branch, by hand; `change` replaces text in files."""
    repo.git("checkout", "-q", "hip/main")
    files = {}
    for path, words in change.items():
        old, new = words.split(" => ")
        text = (repo.root / path).read_text()
        assert old in text
        files[path] = text.replace(old, new)
    repo.commit(files, message)
    repo.git("checkout", "-q", "main")


def test_an_update_keeps_edits_by_hand_and_ticks(start: Repo) -> None:
    run(start.root)
    on_branch(
        start,
        {
            "src/main.cu": "prop.major >= 7 => prop.warpSize == 64",
            "MIGRATION.md": "- [ ] `src/main.cu => - [x] `src/main.cu",
        },
    )
    by_hand = start.git("rev-parse", "hip/main")
    start.commit({"src/main.cu": "// new upstream\n" + HOST, "src/more.cu": HOST.replace("main", "more")}, "upstream")
    said = run(start.root, "--update").stdout
    assert "manual edits kept" in said
    assert start.git("merge-base", "--is-ancestor", by_hand, "hip/main") == ""
    assert start.git("merge-base", "--is-ancestor", "main", "hip/main") == ""
    code = start.git("show", "hip/main:src/main.cu")
    assert "// new upstream" in code and "prop.warpSize == 64" in code and "hipMalloc" in code
    assert "hipMalloc" in start.git("show", "hip/main:src/more.cu")
    notes = start.git("show", "hip/main:MIGRATION.md")
    assert "- [x] `src/main.cu:10` `memory/device-major`" in notes
    assert "- [ ] `src/more.cu:9` `memory/device-major`" in notes
    assert start.git("status", "--porcelain") == ""
    assert "is up to date" in run(start.root, "--update").stdout


def test_an_update_without_edits_by_hand_only_moves_forward(start: Repo) -> None:
    run(start.root)
    first = start.git("rev-parse", "hip/main")
    start.commit({"src/main.cu": HOST.replace("64", "128")}, "upstream")
    assert "no manual edits" in run(start.root, "--update").stdout
    assert start.git("merge-base", "--is-ancestor", first, "hip/main") == ""
    assert "hipMalloc(&out, 128)" in start.git("show", "hip/main:src/main.cu")
    assert start.git("diff", "--name-only", "main", "hip/main").splitlines() == [
        "Dockerfile", "MIGRATION.md", "Makefile", "cudamigrate_hip.h", "requirements.txt", "src/main.cu", "src/sum.cu",
    ]  # fmt: skip


def test_conflicts_are_listed_by_finding_and_can_be_merged_by_hand(start: Repo) -> None:
    run(start.root)
    on_branch(start, {"src/main.cu": "prop.major >= 7 => prop.warpSize == 64"})
    before = start.git("rev-parse", "hip/main")
    start.commit({"src/main.cu": HOST.replace(">= 7", ">= 8")}, "upstream")
    done = run(start.root, "--update", code=1)
    assert "was not moved" in done.stdout and "git merge hip/main-update" in done.stdout
    assert "src/main.cu:9: memory/device-major: " in done.stderr
    assert start.git("rev-parse", "hip/main") == before
    start.git("checkout", "-q", "hip/main")
    merged = subprocess.run(["git", "merge", "-q", "hip/main-update"], cwd=start.root, capture_output=True, check=False)
    assert merged.returncode == 1
    assert start.git("diff", "--name-only", "--diff-filter=U").splitlines() == ["src/main.cu"]
    start.git("checkout", "--ours", "src/main.cu")
    start.git("commit", "-qam", "merged by hand")
    start.git("checkout", "-q", "main")
    assert "is up to date" in run(start.root, "--update").stdout


def test_a_conflict_beside_a_line_that_was_edited_names_the_finding_of_that_line(start: Repo) -> None:
    run(start.root)
    on_branch(start, {"src/main.cu": "prop.major >= 7 => prop.warpSize == 64"})
    start.commit({"src/main.cu": HOST.replace('"new', '"newer')}, "upstream")  # the line below
    done = run(start.root, "--update", code=1)
    assert "src/main.cu:9: memory/device-major: " in done.stderr
    assert "no finding" not in done.stderr


def test_an_update_runs_no_merge_program_of_the_repository(start: Repo, tmp_path: Path) -> None:
    start.commit({".gitattributes": "* merge=own\n"})
    for key in ("merge.own.driver", "merge.default"):
        start.git("config", key, f"touch '{tmp_path}/ran'; false" if key.endswith("driver") else "own")
    run(start.root)
    on_branch(start, {"src/main.cu": "prop.major >= 7 => prop.warpSize == 64"})
    start.commit({"src/main.cu": "// new upstream\n" + HOST}, "upstream")
    assert "manual edits kept" in run(start.root, "--update").stdout
    code = start.git("show", "hip/main:src/main.cu")
    assert "// new upstream" in code and "prop.warpSize == 64" in code
    assert not (tmp_path / "ran").exists()


def test_an_update_in_a_folder_below_the_root(start: Repo) -> None:
    run(start.root / "src")
    assert start.git("show", "hip/main:src/MIGRATION.md").startswith("<!-- Written by cudamigrate.")
    on_branch(
        start, {"src/main.cu": "prop.major >= 7 => prop.warpSize == 64", "Dockerfile": "COPY . /src => COPY . /code"}
    )
    start.commit({"src/main.cu": HOST.replace("64", "128"), "README.md": "A sum.\n\nMore.\n"}, "upstream")
    assert "manual edits kept" in run(start.root / "src", "--update").stdout
    code = start.git("show", "hip/main:src/main.cu")
    assert "hipMalloc(&out, 128)" in code and "prop.warpSize == 64" in code
    assert start.git("show", "hip/main:README.md") == "A sum.\n\nMore."
    assert start.git("show", "hip/main:Dockerfile").endswith("COPY . /code")


def test_files_that_upstream_adds_and_removes(start: Repo) -> None:
    run(start.root)
    on_branch(start, {"src/sum.cu": "/ 32] => / 16]"})
    start.git("rm", "-q", "src/sum.cu", "Dockerfile")
    start.commit({"src/more.cu": HOST.replace("main", "more")}, "upstream")
    done = run(start.root, "--update", code=1)
    assert "src/sum.cu: changed manually, deleted by the new conversion" in done.stderr
    start.git("checkout", "-q", "hip/main")
    start.git("revert", "--no-edit", "HEAD")
    start.git("checkout", "-q", "main")
    assert "manual edits kept" in run(start.root, "--update").stdout
    tree = start.git("ls-tree", "-r", "--name-only", "hip/main").splitlines()
    assert "src/more.cu" in tree and "src/sum.cu" not in tree and "Dockerfile" not in tree


def test_an_update_says_why_it_cannot_be_made(start: Repo) -> None:
    assert "There is no branch hip/main to update" in run(start.root, "--update", code=2).stderr
    start.git("branch", "hip/main")
    assert "has no conversion to update" in run(start.root, "--update", code=2).stderr
    start.git("branch", "-D", "hip/main")
    run(start.root)
    start.git("checkout", "-q", "hip/main")
    start.write({"README.md": "changed\n"})
    start.git("commit", "-qa", "--amend", "--no-edit")
    start.git("checkout", "-q", "main")
    assert "was changed later, by a rebase or squash" in run(start.root, "--update", code=2).stderr


SPIN = """\
#include <cuda_runtime.h>
__device__ void held(int *lock, int *sum) {
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    *sum += 1;
    atomicExch(lock, 0);
}
__global__ void count(int *lock, int *sum) { held(lock, sum); }
"""


def test_unsafe_fixes_are_picked_one_by_one(start: Repo) -> None:
    start.commit({"a.cu": SPIN, "b.cu": SPIN})
    done = run(start.root, "--pick", given="y\nn\n")
    assert "1 of 2: a.cu:3: warp/" in done.stderr and "2 of 2: b.cu:3: warp/" in done.stderr
    assert "+++ b/a.cu" in done.stderr
    picked, left = (start.git("show", f"hip/main:{name}.cu") for name in "ab")
    assert picked != left and "while (atomicCAS" in left
    assert "### Accepted after review" in start.git("show", "hip/main:MIGRATION.md")
    start.commit({"README.md": "More.\n"})
    run(start.root, "--update")
    assert start.git("show", "hip/main:a.cu") == picked
    assert start.git("show", "hip/main:b.cu") == left


@pytest.mark.parametrize(("given", "made"), [("", 0), ("a\n", 2), ("l\n", 0), ("d\n", 0), ("?\ny\n\n", 1)])
def test_answers_may_hold_for_a_rule_or_for_the_rest(start: Repo, given: str, made: int) -> None:
    start.commit({"a.cu": SPIN, "b.cu": SPIN})
    done = run(start.root, "--pick", "--diff", given=given)
    assert done.stdout.count("-    while (atomicCAS") == made


def test_nothing_is_asked_where_no_fix_needs_review(start: Repo) -> None:
    assert "No fix needs review." in run(start.root, "--pick", "--diff").stderr


def test_quitting_writes_nothing(start: Repo) -> None:
    start.commit({"a.cu": SPIN})
    assert "Nothing was written" in run(start.root, "--pick", given="q\n").stderr
    assert start.git("branch", "--list", "hip/*") == ""


def test_comments_mark_what_is_left_and_come_out_again(start: Repo) -> None:
    run(start.root, "--branch", "plain")
    run(start.root, "--todo")
    assert titles(start)[-2].startswith("Mark ")
    code = start.git("show", "hip/main:src/main.cu").splitlines()
    at = next(number for number, words in enumerate(code) if "if (prop.major" in words)
    assert code[at - 2].startswith("    // cudamigrate: memory/device-major: ") and len(code[at - 2]) <= 120
    assert code[at - 1].startswith("    // cudamigrate: ... ")
    assert f"`src/main.cu:{at + 1}` `memory/device-major`" in start.git("show", "hip/main:MIGRATION.md")
    start.git("checkout", "-q", "hip/main")
    assert run(start.root, "--todo", "--diff").stdout == ""
    patch = run(start.root, "--remove-todo", "--diff").stdout
    start.git("apply", "-", given=patch.encode())
    start.git("commit", "-qam", "no comments")
    assert start.git("diff", "--name-only", "plain", "hip/main").splitlines() == ["MIGRATION.md"]
    assert "no comment of `apply --todo` was found" in run(start.root, "--remove-todo").stdout


@pytest.mark.parametrize(
    "words",
    [("--update", "--diff"), ("--unsafe", "--pick"), ("--remove-todo", "--todo"), ("--update", "--output", "x")],
)
def test_options_that_contradict_each_other_are_refused(start: Repo, words: tuple[str, ...]) -> None:
    run(start.root, *words, code=2)


def test_a_second_run_on_the_branch_changes_nothing(start: Repo) -> None:
    run(start.root)
    start.git("checkout", "-q", "hip/main")
    assert run(start.root, "--diff").stdout == ""
    assert "Nothing to change" in run(start.root).stdout
    assert start.git("branch", "--list", "hip/hip/*") == ""


def test_comments_come_out_on_a_branch_beside_the_converted_one_and_edits_outlive_that(start: Repo) -> None:
    run(start.root, "--todo")
    on_branch(start, {"src/main.cu": '"new\\n" => "newer\\n"'})
    start.git("checkout", "-q", "hip/main")
    assert "git merge --ff-only hip/main-without-todo" in run(start.root, "--remove-todo").stdout
    assert start.git("branch", "--list", "hip/hip/*") == ""
    assert "is a converted branch" in run(start.root, "--update", code=2).stderr
    start.git("merge", "-q", "--ff-only", "hip/main-without-todo")
    start.git("checkout", "-q", "main")
    start.commit({"src/main.cu": "// new upstream\n" + HOST}, "upstream")
    assert "manual edits kept" in run(start.root, "--update").stdout
    code = start.git("show", "hip/main:src/main.cu")
    assert "// new upstream" in code and '"newer\\n"' in code and "// cudamigrate:" not in code


def test_what_both_sides_change_to_the_same_is_no_conflict(start: Repo) -> None:
    run(start.root, "--todo")
    start.git("checkout", "-q", "hip/main")
    run(start.root, "--remove-todo")
    start.git("merge", "-q", "--ff-only", "hip/main-without-todo")
    start.git("checkout", "-q", "main")
    on_branch(start, {"src/main.cu": '"new\\n" => "newer\\n"'})
    start.commit({"src/main.cu": HOST.replace('"new\\n"', '"newest\\n"')}, "upstream")
    told = run(start.root, "--update", code=1).stderr
    assert "src/main.cu:10: no finding" in told and "memory/device-major" not in told


def test_an_update_keeps_the_style_of_the_branch(start: Repo) -> None:
    run(start.root, "--style", "portable")
    assert "The style is `portable`" in start.git("show", "hip/main:MIGRATION.md")
    start.commit({"src/main.cu": "// new upstream\n" + HOST}, "upstream")
    assert "Style: portable, because the branch has it." in run(start.root, "--update").stderr
    assert "cudaMalloc" in start.git("show", "hip/main:src/main.cu")
    start.commit({"README.md": "More.\n"})
    assert "(the branch had portable)" in run(start.root, "--update", "--style", "hip").stderr
    assert "hipMalloc" in start.git("show", "hip/main:src/main.cu")


@pytest.mark.parametrize("words", [[], ["--output", "."], ["--patch", "missing/a.patch"]])
def test_a_place_that_is_taken_is_refused_before_anything_is_converted(tmp_path, monkeypatch, capsys, words):
    from cudamigrate import pipeline
    from cudamigrate.cli.app import main

    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.cu").write_text("void f(void *p) { cudaFree(p); }\n")
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "one"], ["branch", "hip/main"]):
        subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@b", *command], cwd=folder, check=True)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(pipeline, "apply", lambda *given, **named: pytest.fail("converted first"))
    with pytest.raises(SystemExit) as ended:
        main(["apply", ".", *words])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert any(word in said for word in ("exists", "sources themselves", "not a folder"))
