"""The estimate on the command line: options, configuration, mistakes, and the same bytes twice."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from command_line import run

CODE = "__global__ void k(float *x) { x[0] = 1; }\nvoid f(float *p) { cudaMalloc(&p, 4); k<<<1, 1>>>(p); }\n"
GIVEN = ("--gpu", "mi300x", "--gpu-hours", "1000", "--price-from", "4", "--price-to", "2", "--day-rate", "700")


@pytest.fixture
def training(project: Path) -> Path:
    """A project with a workload that there are figures of."""
    (project / "train.py").write_text("import torch\nloss.backward()\n")
    return project


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.cu").write_text(CODE)
    (tmp_path / "Makefile").write_text("a: a.cu\n\tnvcc -o a a.cu\n")
    return tmp_path


def estimate(project: Path, *options: str) -> Any:
    done = run("scan", project, "--format", "json", *options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["estimate"]


def test_options_reach_the_estimate(training: Path) -> None:
    found = estimate(training, *GIVEN, "--gpu", "7900xtx")
    money = found["business"]
    assert (money["gpu_hours"], money["price_from"], money["price_to"], money["day_rate"]) == (1000, 4, 2, 700)
    assert {speed["gpu"] for speed in found["performance"]} == {"mi300x", "7900xtx"}


def test_cards_on_both_sides_are_chosen(training: Path) -> None:
    found = estimate(training, "--from", "h100", "--to", "mi300x,mi355x")
    pairs = {(s["gpu"], s["peer"]): s["low"] for s in found["performance"] if s["workload"] == "training"}
    assert pairs == {("mi300x", "h100"): 85, ("mi355x", "h100"): None}
    (training / ".cudamigrate.toml").write_text('gpu = ["mi355x"]\nsource-gpu = "b200"\n')
    assert {(s["gpu"], s["peer"]) for s in estimate(training)["performance"]} == {("mi355x", "b200")}


def test_configuration_says_the_same_and_options_are_stronger(training: Path) -> None:
    project = training
    settings = 'gpu = ["mi300x"]\ngpu-hours = 1000\nprice-from = 4\nprice-to = 2.5\nday-rate = 700\n'
    (project / ".cudamigrate.toml").write_text(settings)
    assert estimate(project)["business"]["price_to"] == 2.5
    assert estimate(project, *GIVEN)["business"]["price_to"] == 2


def test_each_card_has_its_prices(training: Path) -> None:
    prices = ("--price-from", "4", "--price-to", "mi300x=2", "--price-to", "mi355x=3", "--price-from", "b200=6")
    found = estimate(training, "--to", "mi300x,mi355x", "--gpu-hours", "1000", *prices)["business"]
    assert (found["price_from"], found["price_to"]) == (4, 2)
    assert [(one["gpu"], one["price_from"], one["price_to"]) for one in found["others"]] == [("mi355x", 6, 3)]
    settings = 'gpu = ["mi300x"]\ngpu-hours = 1000\nprice-from = { h100 = 4 }\nprice-to = { mi300x = 2, mi355x = 3 }\n'
    (training / ".cudamigrate.toml").write_text(settings)
    assert estimate(training)["business"]["others"] == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--gpu", "voodoo"), "no GPU is called 'voodoo'"),
        (("--from", "voodoo"), "no NVIDIA GPU is called 'voodoo'"),
        (("--gpu-hours", "-1"), "--gpu-hours must be a number, 0 or more"),
        (("--price-to", "nan"), "--price-to must be a number"),
        (("--price-to", "mi300x=two"), "--price-to must be a number, or GPUs with their prices: mi300x=2.5,mi355x=4"),
        (("--price-to", "2,5"), "--price-to has several prices without a GPU"),
        (("--price-to", "voodoo=2"), "no such GPU is called 'voodoo'"),
    ],
)
def test_mistake_is_one_line(options: tuple[str, ...], said: str, project: Path) -> None:
    done = run("scan", project, *options)
    assert done.returncode == 2
    (line,) = done.stderr.strip().splitlines()
    assert said in line


def test_same_tree_gives_the_same_bytes_whatever_the_number_of_jobs(project: Path) -> None:
    reports = [run("scan", project, "--format", "json", "--jobs", jobs).stdout for jobs in ("1", "2", "1")]
    assert len(set(reports)) == 1


def test_one_file_is_estimated_too(project: Path) -> None:
    done = run("scan", project / "a.cu", "--format", "json")
    found = json.loads(done.stdout)["estimate"]
    assert found["category"] == "native-cuda" and found["days"]["p50"] > 0


def test_pipe_or_link_in_the_tree_does_not_stop_the_survey(project: Path) -> None:
    os.mkfifo(project / "setup.py")
    os.symlink("/dev/zero", project / "b.py")
    done = run("scan", project, "--format", "json")
    assert done.returncode == 3 and "setup.py: skipped" in done.stderr
    assert json.loads(done.stdout)["estimate"]["category"] == "native-cuda"
