"""Whole converted programs, run on an emulated GPU whose wavefronts have 32 or 64 lanes.

The programs under `fixtures/projects` check their own results and print PASS or FAIL. What comes out without the
repairs of warp-level code shows that a wrong conversion is seen.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from runtime.emulated import built, compiled, ran

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.emulation import host_sources
from cudamigrate.model import SourceFile
from cudamigrate.pipeline import convert_file, inspect_file

ROOT = Path(__file__).parents[3]
PROJECTS = ROOT / "fixtures" / "projects"
WITHOUT_REPAIRS = {
    "ballot-compaction": "FAIL",
    "bitonic-sort": "PASS",
    "block-reduce": "FAIL",
    "kept-groups": "FAIL",
    "macro-hidden-shuffle": "FAIL",
    "match-histogram": "FAIL",
    "reduce": "PASS",
    "scan": "PASS",
    "softmax-row": "PASS",
    "spmv": "PASS",
    "sub-warp-tiles": "FAIL",
    "top-k": "FAIL",
    "warp-aggregated-atomics": "FAIL",
    "warp-synchronous": "FAIL",
    "wave-reductions": "FAIL",
    "whole-wave": "PASS",
}
"""What each program prints on a wavefront of 64 when names are changed and masks cast to 64 bits, and no more.

Those that pass read no mask, and only lanes of their own 32. In one order of lanes at least: in lock step, or free
between barriers.
"""
COMPILES_WITHOUT = {"macro-hidden-shuffle", "warp-synchronous"}
"""Where HIP does not refuse the masks: one takes its branch for CUDA 8, which has none, the other never has any."""


def _printed(program: Path, wave: int, *words: str, schedule: str = "lockstep") -> str:
    """The last line that a program prints, and its exit code where it does not fit."""
    done = ran(program, wave, *words, schedule=schedule)
    last = (done.stdout.splitlines() or [""])[-1]
    return last if (done.returncode == 0) == (last == "PASS") else f"{last}, exit code {done.returncode}"


def _renamed(name: str) -> str:
    """The program with all fixes but those of warp-level code."""
    source = SourceFile(f"{name}.cu", (PROJECTS / name / "before" / f"{name}.cu").read_bytes(), "cuda")
    found = inspect_file.inspect(source, pipeline.rules(pipeline.target(Config()))).findings
    return convert_file.convert(source, [one for one in found if not one.rule.startswith("warp/")]).after.decode()


@pytest.mark.parametrize("name", WITHOUT_REPAIRS)
def test_converted_program_passes_on_both_wavefronts(name: str, compiler: str, tmp_path: Path) -> None:
    program = built(compiler, (PROJECTS / name / "after" / f"{name}.cu").read_text(), tmp_path / "program")
    assert {wave: _printed(program, wave) for wave in (32, 64)} == {32: "PASS", 64: "PASS"}


@pytest.mark.parametrize("name", WITHOUT_REPAIRS)
def test_program_without_repairs_comes_out_as_known(name: str, compiler: str, tmp_path: Path) -> None:
    program = built(compiler, _renamed(name), tmp_path / "program", "-DMASKS_WIDENED")
    orders, known = ("lockstep", "free"), WITHOUT_REPAIRS[name]
    chosen = all if known == "PASS" else any
    assert chosen(_printed(program, 64, schedule=order) == known for order in orders)


@pytest.mark.parametrize("name", [*sorted(COMPILES_WITHOUT), "block-reduce", "top-k"])
def test_masks_of_32_bits_are_refused_where_they_are_compiled(name: str, compiler: str, tmp_path: Path) -> None:
    source = tmp_path / "refused.cpp"
    source.write_bytes(host_sources.for_host(_renamed(name).encode(), source.name))
    refused = compiled(compiler, ["-fsyntax-only", str(source)])
    assert ("the mask must be an integer of 64 bits" in refused.stderr) == (name not in COMPILES_WITHOUT)


def _native(name: str, wave: str = "native") -> dict[str, str]:
    """The files of a program for the full wavefront."""
    applied = pipeline.apply(PROJECTS / name / "before", Config(wave=wave, jobs=1))
    return {conversion.path: conversion.after.decode() for conversion in applied.conversions}


def _unproved(made: str) -> str:
    """A program that takes every 32 of its kernels for the size of the wave."""
    kernels, main, host = made.partition("int main")
    return kernels.replace("32", "warpSize").replace("= 16;", "= warpSize / 2;") + main + host


NATIVE = {"whole-wave": 10, "wave-reductions": 20, "wave-helpers": 4}
"""Programs whose reductions are proved for any wave, and how often they then ask for its size."""


@pytest.mark.parametrize("name", NATIVE)
def test_reductions_follow_the_wave_and_pass_on_both(name: str, compiler: str, tmp_path: Path, golden: Any) -> None:
    made = _native(name)
    for path, text in made.items():
        golden.check(PROJECTS / name / "native" / path, text.encode())
        (tmp_path / path).write_text(text)
    assert sum(text.count("warpSize") for text in made.values()) >= NATIVE[name]
    assert not any("cudamigrate" in text for text in made.values())
    _check_on_both(compiler, made[f"{name}.cu"], tmp_path)


def test_a_helper_keeps_32_lanes_where_one_block_that_calls_it_is_no_full_wavefront() -> None:
    made = _native("wave-helpers")
    assert "warpSize" in made["block_reduce.cuh"] and ", 32)" not in made["block_reduce.cuh"]
    assert made["warp_max.cuh"] == _native("wave-helpers", "logical32")["warp_max.cuh"]
    assert "warpSize" not in made["warp_max.cuh"] and ", 32)" in made["warp_max.cuh"]


def test_program_in_several_files_passes_with_32_lanes_too(compiler: str, tmp_path: Path) -> None:
    made = _native("wave-helpers", "logical32")
    for path, text in made.items():
        (tmp_path / path).write_text(text)
    _check_on_both(compiler, made["wave-helpers.cu"], tmp_path)


def _check_on_both(compiler: str, main: str, folder: Path) -> None:
    """Run a program on both wavefronts, with inputs of several seeds where it takes one."""
    for header in folder.glob("*.cuh"):
        header.write_bytes(host_sources.for_host(header.read_bytes(), header.name))
    program = built(compiler, main, folder / "program", f"-I{folder}")
    for seed in ("1", "2", "77777"):
        assert {wave: _printed(program, wave, seed) for wave in (32, 64)} == {32: "PASS", 64: "PASS"}


def test_what_only_32_lanes_get_right_is_kept_for_them(compiler: str, tmp_path: Path) -> None:
    made = _native("kept-groups")["kept-groups.cu"]
    assert made == (PROJECTS / "kept-groups" / "after" / "kept-groups.cu").read_text()
    assert "warpSize" not in made
    program = built(compiler, _unproved(made), tmp_path / "program", "-DMASKS_WIDENED")
    assert _printed(program, 64) != "PASS"
