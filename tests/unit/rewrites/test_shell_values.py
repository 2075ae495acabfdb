"""Several options in the place of one are one value to the shell."""

from __future__ import annotations

import shlex

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

USED = "nvcc $FLAGS ${FLAGS[@]} -c a.cu\n"
GPUS = "--offload-arch=gfx90a --offload-arch=gfx942"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("FLAGS=-arch=sm_70\n", f'FLAGS="{GPUS}"\n'),
        ("FLAGS+=-arch=sm_70; run\n", f'FLAGS+="{GPUS}"; run\n'),
        ("export FLAGS=-Xcompiler=-Wall,-fPIC\n", 'export FLAGS="-Wall -fPIC"\n'),
        ("make NVCCFLAGS=-arch=sm_70 all\n", f'make NVCCFLAGS="{GPUS}" all\n'),
        ('bash -c "FLAGS=-arch=sm_70; make"\n', f"bash -c \"FLAGS='{GPUS}'; make\"\n"),
        ("bash -c 'FLAGS=-arch=sm_70; make'\n", f"bash -c 'FLAGS=\"{GPUS}\"; make'\n"),
    ],
)
def test_a_value_without_quotes_gets_some(before: str, expected: str) -> None:
    made = find_in_text(before + USED, "build.sh").after
    assert made == expected + USED.replace("nvcc", "hipcc")
    assert len(shlex.split(made)) == len(shlex.split(before + USED))


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ('FLAGS="-arch=sm_70"\n', f'FLAGS="{GPUS}"\n'),
        ("FLAGS=(-arch=sm_70)\n", f"FLAGS=({GPUS})\n"),
        ("FLAGS=-Xptxas=-v\n", "FLAGS=-Rpass-analysis=kernel-resource-usage\n"),
        ("nvcc -arch=sm_70 -c a.cu\n", f"hipcc {GPUS} -c a.cu\n"),
        ("FLAGS=-O2,-arch=sm_70\n", "FLAGS=-O2,-arch=sm_70\n"),
    ],
)
def test_other_values_get_none(before: str, expected: str) -> None:
    made = find_in_text(before + USED, "build.sh").after
    assert made == expected + USED.replace("nvcc", "hipcc")


def test_in_a_makefile_it_is_the_value_of_a_recipe() -> None:
    text = "FLAGS=-arch=sm_70\na.o: a.cu\n\tFLAGS=-arch=sm_70 nvcc -c $<\n"
    made = find_in_text(text, "Makefile").after
    assert made.startswith(f"FLAGS={GPUS}\n")
    assert f'\tFLAGS="{GPUS}" ' in made or "\tFLAGS=-arch=sm_70 " in made


def test_a_workflow_and_an_image_run_a_shell_too() -> None:
    step = f'make NVCCFLAGS="{GPUS}"\n'
    assert find_in_text("FROM a\nRUN make NVCCFLAGS=-arch=sm_70\n", "Dockerfile").after.endswith(f"RUN {step}")
    text = "on: push\njobs:\n  a:\n    runs-on: b\n    steps:\n      - run: make NVCCFLAGS=-arch=sm_70\n"
    assert find_in_text(text, ".github/workflows/ci.yml").after.endswith(f"- run: {step}")


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("ENV NVCCFLAGS=-arch=sm_70", f'ENV NVCCFLAGS="{GPUS}"'),
        ("ENV NVCCFLAGS -arch=sm_70", f"ENV NVCCFLAGS {GPUS}"),
        ('ARG CUDA_FLAGS="-O2 -arch=sm_80"', f'ARG CUDA_FLAGS="-O2 {GPUS}"'),
        ("RUN make NVCCFLAGS=-G", 'RUN make NVCCFLAGS="-Xarch_device -g -Xarch_device -O0"'),
        ("ENV CMAKE_ARGS=-G", "ENV CMAKE_ARGS=-G"),
        ("ENV FLAGS=-G", "ENV FLAGS=-G"),
        ("RUN make FLAGS=-G", "RUN make FLAGS=-G"),
    ],
)
def test_flags_in_the_environment_of_a_build_are_read(before: str, expected: str) -> None:
    assert find_in_text(f"FROM a\n{before}\n", "Dockerfile").after == f"FROM a\n{expected}\n"


WORKFLOW = "on: push\njobs:\n  a:\n    runs-on: b\n"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("env:\n      NVCCFLAGS: -arch=sm_70", f"env:\n      NVCCFLAGS: {GPUS}"),
        ('env:\n      CUDA_FLAGS: "-O2 -arch=sm_70"', f'env:\n      CUDA_FLAGS: "-O2 {GPUS}"'),
        ("env:\n      NAMES: -arch=sm_70", "env:\n      NAMES: -arch=sm_70"),
        ("with:\n      NVCCFLAGS: -arch=sm_70", "with:\n      NVCCFLAGS: -arch=sm_70"),
    ],
)
def test_flags_in_the_environment_of_a_job_are_read(before: str, expected: str) -> None:
    text = f"{WORKFLOW}    {before}\n"
    assert find_in_text(text, ".github/workflows/ci.yml").after == f"{WORKFLOW}    {expected}\n"


@pytest.mark.parametrize(
    ("image", "found"),
    [
        ("nvidia/cuda:${{ matrix.cuda }}-devel-ubuntu22.04", 1),
        ("nvidia/cuda:12.4.1-devel-${{ matrix.os }}", 1),
        ("${{ matrix.image }}", 0),
        ("mine/cuda:${{ matrix.cuda }}", 0),
    ],
)
def test_an_image_may_have_expressions_in_its_tag(image: str, found: int) -> None:
    text = f"{WORKFLOW}    container: {image}\n"
    rules = [one.rule for one in find_in_text(text, ".github/workflows/ci.yml").findings]
    assert rules.count("environment/cuda-image") == found
