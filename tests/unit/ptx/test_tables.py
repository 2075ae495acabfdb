"""The tables of rules/ptx: valid, proved by their examples, read only when asm turns up, and compiled by hipcc."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import tomli
from jsonschema import Draft202012Validator
from ptx.translated import CTYPES, memory_cases, translated

from cudamigrate.model import Target
from cudamigrate.ptx import table
from cudamigrate.ptx.builders import BUILDERS
from cudamigrate.ptx.parser import parse
from cudamigrate.ptx.table import Row, matched
from cudamigrate.rulebase.code_rules import load
from cudamigrate.syntax import tree_sitter_nodes

FILES = sorted(table.folder().glob("*.toml"))
ROWS = [row for rows in table.load().rows.values() for row in rows]
RULES = {rule.partition("/")[2] for rule in load(Target()).rules if rule.startswith("ptx/")}
RUNTIME = Path(__file__).parents[3] / "migrate" / "runtime"


def _name(row: Row) -> str:
    return ".".join((row.name, *sorted(row.wants), row.types[0] if row.types else ""))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_file_follows_the_schema(path: Path) -> None:
    schema = json.loads((table.folder() / "schema.json").read_text(encoding="utf-8"))
    content: dict[str, Any] = tomli.loads(path.read_text(encoding="utf-8"))
    assert [error.message for error in Draft202012Validator(schema).iter_errors(content)] == []


@pytest.mark.parametrize("row", ROWS, ids=_name)
def test_example_becomes_what_the_row_says(row: Row) -> None:
    for example in row.examples:
        head = "__global__ void f()" if row.build == "exit" else "__device__ void f()"
        found, body = translated(example["asm"], head)
        assert found is not None and found.edits, found
        assert body == example["hip"]


def test_translations_read_as_code() -> None:
    """A file that parses worse after its translation than before would keep its PTX."""
    texts = [example["hip"] for row in ROWS for example in row.examples]
    texts.append("x = c | (static_cast<unsigned>(a) & unsigned(b));")
    worse = [
        text
        for text in texts
        if tree_sitter_nodes.error_bytes(tree_sitter_nodes.parse("cuda", f"void f() {{ {text} }}".encode()))
    ]
    assert worse == []


@pytest.mark.parametrize("row", ROWS, ids=_name)
def test_near_miss_is_not_taken_by_the_row(row: Row) -> None:
    misses = [parse(example["miss"]).instructions[0] for example in row.examples if "miss" in example]
    assert misses
    for miss in misses:
        assert miss.name != row.name or matched(row, miss) is None or _refuses(row, miss.spelled, example_of(row))


def example_of(row: Row) -> str:
    return next(example["miss"] for example in row.examples if "miss" in example)


def _refuses(row: Row, spelled: str, miss: str) -> bool:
    """Whether the row's builder does not write the instruction."""
    operands = [f'"r"(v{at})' for at in range(1 + max((int(n) for n in re.findall(r"%(\d+)", miss)), default=-1))]
    found, _ = translated(f'asm volatile("{miss}" :: {", ".join(operands)});' if operands else f'asm("{miss}");')
    return bool(row.build) and (found is None or not found.edits)


@pytest.mark.parametrize("row", ROWS, ids=_name)
def test_row_names_what_exists(row: Row) -> None:
    assert not row.build or row.build in BUILDERS
    assert not row.rule or row.rule in RULES
    assert not (row.rule and row.approximate)


def test_every_rule_that_a_table_names_exists() -> None:
    content = table.load()
    named = {entry.rule for entry in content.missing}
    named |= {register["rule"] for register in content.registers.values() if "rule" in register}
    assert named <= RULES


def test_every_builder_is_used() -> None:
    assert {row.build for row in ROWS} - {""} == set(BUILDERS)


def test_nothing_of_ptx_is_loaded_without_inline_assembly(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("__global__ void k(int *a) { a[threadIdx.x] = 1; }\n")
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from cudamigrate.config import Config\nfrom cudamigrate.pipeline import scan\n"
        f"scan(Path({str(tmp_path)!r}), Config())\n"
        "print([name for name in sys.modules if name.startswith('cudamigrate.ptx')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def _sheet(signs: tuple[int, ...]) -> str:
    """Every example and form of access as a function, with unsigned operands (0), signed ones (1), or each."""
    lines = [f'#include "cudamigrate_{name}.h"' for name in ("mma", "sparse", "wmma")]
    for number, row in enumerate(ROWS):
        for place, example in enumerate(row.examples):
            if row.build == "exit":
                lines.append(f"__global__ void k{number}() {{ {example['hip']} }}")
                continue
            found = re.findall(r'"(=?)\+?([rlfdhn])"\((\w+)\)', example["asm"])
            operands = {name: (mark, letter) for mark, letter, name in found}
            for sign in signs:
                given = ", ".join(
                    f"{CTYPES[letter][sign]} {'&' if mark else ''}{name}"
                    for name, (mark, letter) in operands.items()
                    if letter != "n"
                )
                known = "".join(
                    f"constexpr int {name} = 1; " for name, (_, letter) in operands.items() if letter == "n"
                )
                head = f"__device__ __attribute__((used)) void f{number}_{place}_{sign}({given})"
                lines.append(f"{head} {{ {known}{example['hip']} }}")
    for number, case in enumerate(memory_cases()):
        found, text = translated(case.asm)
        assert found is not None and found.edits, case.asm
        for sign in signs:
            results = ["&" if at < case.results else "" for at in range(len(case.letters))]
            types = [CTYPES[letter][sign] for letter in case.letters]
            given = ", ".join(f"{kind} {mark}v{at}" for at, (kind, mark) in enumerate(zip(types, results, strict=True)))
            lines.append(f"__device__ __attribute__((used)) void m{number}_{sign}({given}) {{ {text} }}")
    return "\n".join(lines) + "\n"


@pytest.mark.exhaustive
@pytest.mark.rocm
@pytest.mark.parametrize(
    ("arch", "more"),
    [("gfx90a", ()), ("gfx1100", ("--cuda-device-only", "-nogpulib"))],
    ids=["gfx90a", "gfx1100"],
)
def test_examples_compile_for_amd(tmp_path: Path, arch: str, more: tuple[str, ...]) -> None:
    """Host and device for gfx90a, then the device alone; for gfx1100 up to assembly, as ROCm 5.2 has no library for it.

    Signs decide which overloads are chosen, not which instructions: code is generated for unsigned operands alone, and
    those with signs are type-checked, once. It is optimised a little, since functions of ROCm's library for other GPUs
    stay in unoptimised code.
    """
    if "-nogpulib" not in more:
        _compile(_sheet((1,)), arch, ("-fsyntax-only", *more), tmp_path)
    _compile(_sheet((0,)), arch, ("-S", "-O0", *more) if "-nogpulib" in more else ("-O1", *more), tmp_path)


def _compile(sheet: str, arch: str, more: tuple[str, ...], folder: Path) -> None:
    (folder / "sheet.hip").write_text(sheet)
    command = ["hipcc", f"--offload-arch={arch}", "-std=c++17", f"-I{RUNTIME}", "-w", "-c", "sheet.hip", *more]
    environment = {"HIP_PLATFORM": "amd", "PATH": os.environ["PATH"]}
    done = subprocess.run([*command, "-o", "sheet.o"], cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[:3000]
