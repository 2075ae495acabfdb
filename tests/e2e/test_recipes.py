"""The recipes of CONTRIBUTING.md, followed on a copy of the tree."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
SECTION = PAGE[PAGE.index("## Recipes") : PAGE.index("## Expected files")]
RECIPES = {part.partition("\n")[0]: part.partition("\n")[2] for part in SECTION.split("\n### ")[1:]}
_BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

CODE = """__global__ void k(unsigned *x, unsigned a, unsigned b) {
    asm("exampleadd.u32 %0, %1, %2;" : "=r"(x[0]) : "r"(a), "r"(b));
    cudaExampleCall();
}
"""

TRIED = {
    "API mapping": (["explain", "cudaExampleCall"], "hipExampleCall"),
    "Detector": (["rules", "test", "rules/hazards/memory.toml"], "0 failures"),
    "Rewrite": (["rules", "test", "rules/hazards/math.toml"], "0 failures"),
    "PTX instruction": (["apply", "sample", "--diff", "--no-verify"], "x[0] = unsigned(a) + unsigned(b)"),
    "Report format": (["scan", "sample", "--format", "paths"], "a.cu\n"),
    "File kind": (["scan", "sample", "--format", "csv"], "build/ninja-compiler"),
    "GPU": (["scan", "sample", "--gpu", "mi399x"], "exit code 0"),
    "ROCm release": (["scan", "sample", "--rocm", "10.9"], "exit code 0"),
}
"""What is run when the recipe has been followed, and what it then prints, and did not print before."""


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package and its rules, with a small project to try them on.

    Compiled modules come along, and what the copy compiles stays: otherwise each run would compile all of them again.
    """
    folder = tmp_path_factory.mktemp("tree")
    left_out = shutil.ignore_patterns("stand-ins")
    for name in ("migrate", "rules"):
        shutil.copytree(ROOT / name, folder / name, ignore=left_out)
    (folder / "tests" / "import").mkdir(parents=True)
    (folder / "tests" / "import" / "cudamigrate").symlink_to("../../migrate")
    for name in ("docs", "tests/architecture"):
        shutil.copytree(ROOT / name, folder / name, ignore=left_out)
    for name in ("pyproject.toml", ".pre-commit-hooks.yaml"):
        shutil.copy(ROOT / name, folder)
    (folder / "sample").mkdir()
    (folder / "sample" / "a.cu").write_text(CODE)
    (folder / "sample" / "build.ninja").write_text("  command = nvcc -c $in\n")
    return folder


def run(tree: Path, words: list[str], module: str = "cudamigrate") -> str:
    """What a module of the copied tree prints, and its exit code."""
    command = [sys.executable, "-m", module, *words]
    environment = {
        "PYTHONPATH": f"{tree / 'tests' / 'import'}:{tree}",
        "PATH": "/usr/bin:/bin",
        "NO_COLOR": "1",
    }
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True)
    return f"{done.stdout}{done.stderr}\nexit code {done.returncode}"


def add(tree: Path, name: str, text: str) -> None:
    """Add a block to a file: below its first line where the file has that table already, else at the end."""
    path = tree / name
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    head = text.partition("\n")[0] + "\n"
    if not head.startswith("[[") and "\n" + head in old:
        new = old.replace("\n" + head, "\n" + text, 1)
    else:
        new = f"{old}\n{text}" if old else text
    path.write_text(new, encoding="utf-8")


def test_every_recipe_has_five_lines_and_is_tried() -> None:
    assert set(RECIPES) == set(TRIED)
    for name, text in RECIPES.items():
        assert re.findall(r"^(\d)\. ", text, re.MULTILINE) == list("12345"), f"{name}: a recipe has five lines"


@pytest.mark.parametrize("recipe", TRIED)
def test_recipe_does_what_it_says(recipe: str, tree: Path) -> None:
    words, expected = TRIED[recipe]
    blocks = _BLOCK.findall(RECIPES[recipe])
    lines = sum(bool(line.strip()) for _, text in blocks for line in text.splitlines())
    print(f"{recipe}: {len({name for name, _ in blocks})} files, {lines} lines")
    before = {name: (tree / name).read_bytes() if (tree / name).exists() else None for name, _ in blocks}
    releases = (tree / "rules" / "releases.toml").read_text()
    if not expected.endswith("failures"):
        assert expected not in run(tree, words), "the recipe would show nothing"
    try:
        for name, text in blocks:
            add(tree, name, text)
        if recipe == "ROCm release":
            (tree / "rules" / "releases.toml").write_text(re.sub(r"(?m)^(rocm = \[.*)\]$", r'\1, "10.9"]', releases))
        shown = run(tree, words)
        assert expected in shown, f"CONTRIBUTING.md, {recipe}: bring the recipe up to date with the code"
        if recipe == "File kind":
            assert "exit code 0" in run(tree, [], "tests.architecture.generated")
            assert "|ninja|" in (tree / ".pre-commit-hooks.yaml").read_text()
            assert "| ninja | `*.ninja` |" in (tree / "docs" / "reference.md").read_text()
    finally:
        (tree / "rules" / "releases.toml").write_text(releases)
        for name, old in before.items():
            (tree / name).unlink() if old is None else (tree / name).write_bytes(old)
