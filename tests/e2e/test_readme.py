"""Each sentence of the README is checked by a test, which `tests/readme.toml` names; what no other checks, is here."""

from __future__ import annotations

import ast
import re
import shutil
import sys
from pathlib import Path

import pytest
import tomli
from command_line import run

from cudamigrate import plugins
from cudamigrate.compilation.engines import clang, hipcc
from cudamigrate.config import Config
from cudamigrate.model.verification import Toolchain
from cudamigrate.pipeline import rule_base
from cudamigrate.rulebase import code_rules, project_rules
from cudamigrate.verification import run as verification

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CHECKED = {
    str(entry["says"]): [str(test) for test in entry["checked_by"]]
    for entry in tomli.loads((ROOT / "tests/readme.toml").read_text(encoding="utf-8"))["sentence"]
}
ENDS = re.compile(r"(?<=[.!?;])\s+(?=[A-Z`*\[])")
COMPARED = re.compile(r"^As of (\d+ \w+ \d{4})[;,]", re.MULTILINE)
ROWS = {
    "converts": ["what you get"],
    "warp-level code for 64 lanes": ["`__shfl_down_sync` for 64 lanes"],
    "build files": ["CMake, Make, setup.py"],
    "proof": ["proof that the result compiles", "proof that results agree"],
    "needs CUDA": ["needs CUDA installed"],
}
"""The columns of the comparison in the README, and the rows of the long one that they sum up."""


def sentences(text: str) -> list[str]:
    """The sentences of a page, rows of tables whole; commands and headings left out: other tests run or read those."""
    text = re.sub(r"^```.*?^```$|^#[^\n]*$|^\|[-|]+\|$", "", text, flags=re.MULTILINE | re.DOTALL)
    parts = (" ".join(part.split()) for part in re.split(r"\n\s*\n|\n(?=- |\d+\. |\||!)", text))
    plain = (re.sub(r"^(?:- |\d+\. )", "", part) for part in parts if part)
    return [one for part in plain for one in ([part] if part.startswith(("|", "!")) else ENDS.split(part))]


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def headings(name: str) -> list[str]:
    return re.findall(r"^#+ (.+)$", page(name), re.MULTILINE)


@pytest.mark.parametrize("sentence", sentences(README))
def test_each_sentence_is_checked_by_a_test(sentence: str) -> None:
    assert CHECKED.get(sentence), "say in tests/readme.toml which test checks this sentence, or take it out"


def test_nothing_is_listed_that_the_readme_does_not_say() -> None:
    assert sorted(set(CHECKED) - set(sentences(README))) == []


def test_the_tests_that_are_named_are_there() -> None:
    for test in sorted({test for tests in CHECKED.values() for test in tests}):
        path, _, name = test.partition("::")
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert name in functions and name.startswith("test_"), test


def test_the_two_commands_need_what_is_said() -> None:
    project = tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.10"
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(r"^VENV := \.venv$", makefile, re.MULTILINE)
    for target in ("demo", "test"):
        assert re.search(rf"^{target}: \$\(VENV\)/", makefile, re.MULTILINE)
    assert sys.version_info >= (3, 10)


def test_code_that_does_not_compile_is_converted_without_a_toolkit(tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "git").symlink_to(shutil.which("git") or "")
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "a.cu").write_text(
        "#include <nowhere.h>\n__global__ void k(Missing *m) {\nvoid f(void **p) { cudaMalloc(p, 4); }\n"
    )
    environment = {"PATH": str(tools), "HOME": str(tmp_path), "CUDA_HOME": "", "ROCM_PATH": ""}
    done = run("apply", tree, "--diff", cwd=tmp_path, env=environment)
    assert done.returncode in (0, 3), done.stderr
    assert "+void f(void **p) { hipMalloc(p, 4); }" in done.stdout


def test_the_formats_that_are_named_are_written() -> None:
    (named,) = re.findall(r"`scan` also writes ([^;]+);", README)
    formats = set(plugins.names("cudamigrate.reporting.formats"))
    assert {word.lower() for word in re.findall(r"[A-Z]\w+", named)} <= formats


def test_a_name_of_the_projects_own_and_one_in_a_text_are_not_changed(tmp_path: Path) -> None:
    kept = '// cudaMalloc\nconst char *s = "cudaMalloc";\nvoid g() { mylib::cudaMalloc(); }\n'
    (tmp_path / "a.cu").write_text(f"{kept}void f(void **p) {{ cudaMalloc(p, 4); }}\n")
    done = run("apply", tmp_path, "--diff")
    changed = [line for line in done.stdout.splitlines() if line.startswith(("+", "-")) and "cudaMalloc" in line]
    assert changed == ["-void f(void **p) { cudaMalloc(p, 4); }"]


def test_the_page_on_checking_has_what_is_said_to_be_there() -> None:
    text = page("checking.md")
    assert {"Fixes", "GitHub", "GitLab"} <= set(headings("checking.md"))
    assert "baseline" in text and "cudamigrate: ignore" in text


def test_pages_are_about_what_their_links_say() -> None:
    told = {
        "quickstart.md": "step",
        "portable.md": "CUDA unchanged",
        "reports.md": "Comparing reports",
        "reference.md": "Configuration",
        "how-it-works.md": "Where to start",
        "faq.md": "What the words mean",
        "limits.md": "What is not seen",
        "security.md": "What is trusted",
        "writing-rules.md": "etector",
        "worked-migration.md": "before",
        "ci.md": "GitLab",
        "editors.md": "editor",
        "agents.md": "coding agents",
        "api.md": "import",
    }
    for name, words in told.items():
        assert f"docs/{name}" in README and words in page(name), name
    assert {"Commands", "Configuration", "The JSON report"} <= set(headings("reference.md"))
    assert {"The flow", "The rooms", "Where to start"} <= set(headings("how-it-works.md"))


def test_nothing_is_said_of_the_speed_of_converted_code() -> None:
    claims = re.compile(r"(?i)\b\d+(?:\.\d+)?\s*(?:x|times)\s+(?:as fast|faster|slower)|\b(?:TFLOPS|GB/s|tokens/s)\b")
    for text in (README, page("scoreboard.md")):
        assert claims.search(text) is None


def test_no_figure_says_of_a_clean_report_that_nothing_is_wrong() -> None:
    board = page("scoreboard.md")
    assert re.search(r"^- precision \d\.\d+, recall \d\.\d+ on \d+ places$", board, re.MULTILINE)
    assert not re.search(r"(?i)\bno (?:other )?(?:faults|errors) (?:are )?left\b", README)


def test_what_only_newer_gpus_of_nvidia_have_is_explained_and_not_converted() -> None:
    goal = rule_base.target(Config())
    rules = code_rules.load(goal).rules
    named = ("ptx/warp-group-matrix", "ptx/tensor-memory", "ptx/bulk-copy", "ptx/cluster", "ptx/multicast-memory",
             "cooperative-groups/cluster-group", "library/cudnn-frontend")  # fmt: skip
    for name in named:
        rule = rules[name]
        assert rule.support in ("none", "manual") and rule.change.kind == "none", name
        assert len(rule.notes) > 80, name


def test_the_factor_of_the_days_is_the_one_of_the_back_test() -> None:
    (factor,) = re.findall(r"wrong by a factor of ([\d.]+)", README)
    (measured,) = re.findall(r"root mean square factor ([\d.]+);", page("effort.md"))
    assert factor == measured
    assert re.search(rf"^- {re.escape(factor)}; \d+ of \d+ inside P10", page("scoreboard.md"), re.MULTILINE)


def test_every_rule_has_an_example_or_a_use() -> None:
    goal = rule_base.target(Config())
    books = (code_rules.load(goal).rules, project_rules.load(goal).rules)
    files = [path for path in (ROOT / "fixtures").rglob("*") if path.is_file() and "before" in str(path)]
    used = "".join(path.read_text(encoding="utf-8", errors="replace") for path in files)
    bare = [rule for book in books for rule in book.values() if not rule.examples and rule.group != "api"]
    shown = [rule.id for rule in bare if not any(name.strip("*") in used for name in rule.match.names)]
    units = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests" / "unit").rglob("test_*.py"))
    assert [rule for rule in shown if f'"{rule}"' not in units] == []


def test_only_safe_fixes_are_applied_unasked(tmp_path: Path) -> None:
    (tmp_path / "ours.toml").write_text(
        '[[rule]]\nname = "one"\nnames = ["ourCall"]\nrename = "theirCall"\nsafety = "unsafe"\n'
        'title = "Ours"\nsupport = "full"\noutcome = "compile-error"\neffort = "trivial"\n'
        'message = "`{name}` is ours."\nnotes = """Do: nothing. Source: a test."""\n'
        '[[rule.example]]\nbefore = "void f() { ourCall(1); }"\nafter = "void f() { theirCall(1); }"\n'
        'finds = ["ourCall"]\n'
    )
    (tmp_path / ".cudamigrate.toml").write_text('rules = ["ours.toml"]\n')
    (tmp_path / "a.cu").write_text("#include <cuda_runtime.h>\nvoid f() { ourCall(1); }\n")
    plain, more = (run("apply", "--no-verify", tmp_path, "--diff", *words).stdout for words in ([], ["--unsafe"]))
    assert "theirCall" not in plain and "+#include <hip/hip_runtime.h>" in plain
    assert "+void f() { theirCall(1); }" in more


def test_the_engine_nearer_to_the_release_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(engine: str, release: str) -> Toolchain:
        return Toolchain(engine, engine, release, (), ("gfx942",))

    goal = rule_base.target(Config())
    monkeypatch.setattr(clang, "find", lambda target: made("clang", goal.rocm))
    for release, expected in (("5.2", "clang"), (goal.rocm, "clang")):
        monkeypatch.setattr(hipcc, "find", lambda target, release=release: made("hipcc", release))
        chosen = verification.toolchain("auto", goal)
        assert isinstance(chosen, Toolchain) and chosen.engine == expected
    monkeypatch.setattr(clang, "find", lambda target: made("clang", "5.2"))
    chosen = verification.toolchain("auto", goal)
    assert isinstance(chosen, Toolchain) and chosen.engine == "hipcc"


def table(text: str) -> dict[str, list[str]]:
    """A table by its first column, the head under an empty name."""
    lines = (line.strip("|").split("|") for line in text.splitlines() if line.startswith("|") and "---" not in line)
    return {first.strip(): [cell.strip() for cell in cells] for first, *cells in lines}


def test_each_cell_of_the_comparison_has_a_dated_source() -> None:
    text = page("comparison.md")
    compared, sources = text.split("## Sources")
    listed, cells = sources.split("The source of each cell:")
    assert re.search(r"^Looked up on .*\b\d{1,2} \w+ \d{4}\b", listed, re.MULTILINE)
    known = set(re.findall(r"^- \*\*(\w+)\*\* \S", listed, re.MULTILINE))
    assert all("](https://" in part for part in re.findall(r"^- \*\*[PCNHTYS]\d?\*\* .*", listed, re.MULTILINE))
    long, keys = table(compared), table(cells)
    assert list(long) == list(keys) and long[""] == keys[""]
    for row, cell in keys.items():
        assert row == "" or (len(cell) == len(keys[""]) and set(cell) <= known), row
    assert set().union(*(cell for row, cell in keys.items() if row)) == known
    short = table(README[README.index("## Compared with other ways") : README.index("## Limits")])
    assert {tool.removesuffix(" (proprietary)") for tool in short if tool} == set(long[""])
    assert short[""] == list(ROWS) and all(row in keys for rows in ROWS.values() for row in rows)
    assert COMPARED.findall(README) == COMPARED.findall(compared)


def test_licence() -> None:
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License\n")
    assert tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["license"] == "MIT"
