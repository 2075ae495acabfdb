"""Questions where nvcc is, whose answer is only shown; PyTorch for the CPU; steps for shells of Windows."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

STEP = "jobs:\n  build:\n    steps:\n      - run: |\n          which nvcc\n          nvcc --version\n"


def rules(text: str, path: str) -> list[str]:
    return [one.rule for one in find_in_text(text, path).findings]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("which nvcc\nnvcc --version\n", "run.sh"),
        ("popd\n  command -v nvcc\n", "run.sh"),
        (STEP, ".github/workflows/a.yml"),
    ],
)
def test_a_place_that_is_only_shown_decides_nothing(text: str, path: str) -> None:
    assert set(rules(text, path)) == {"environment/nvcc-shown"}


@pytest.mark.parametrize(
    "text",
    [
        "if which nvcc\nthen make gpu\nfi\n",
        "which nvcc && make gpu\n",
        "which nvcc\nif [ $? -eq 0 ]; then make gpu; fi\n",
        "has() {\n  which nvcc\n}\n",
        "test -d src &&\n  which nvcc\n",
        "if\n  which nvcc\nthen make gpu\nfi\n",
    ],
)
def test_an_answer_that_is_used_decides(text: str) -> None:
    assert "environment/looks-for-nvidia" in rules(text, "run.sh")


RECIPE = "requirements:\n  host:\n    - python\n    - pytorch=2.1\n    - {}\n  run:\n    - pytorch=2.1\n"


@pytest.mark.parametrize(("package", "found"), [("cpuonly", False), ("cmake", True)])
def test_pytorch_for_the_cpu_is_left(package: str, found: bool) -> None:
    assert ("packages/conda-pytorch" in rules(RECIPE.format(package), "recipe/meta.yaml")) is found
    command = f"conda install -y -c pytorch pytorch=2.1 {package}\n"
    assert ("packages/conda-pytorch" in rules(command, "run.sh")) is found


@pytest.mark.parametrize(("shell", "read"), [("powershell", True), ("cmd", True), ("python", False), ("bash", True)])
def test_shells_of_windows_call_programs_with_their_options_too(shell: str, read: bool) -> None:
    run = "cmake .. -DCMAKE_CUDA_ARCHITECTURES=60"
    text = f"jobs:\n  build:\n    steps:\n      - shell: {shell}\n        run: {run}\n"
    assert ("environment/cmake-cuda-option" in rules(text, ".github/workflows/a.yml")) is read
