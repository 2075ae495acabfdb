"""Packages for CUDA that scripts and images build from source are reported as packages are."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomli

from cudamigrate.environment import built_packages
from cudamigrate.frontends import docker, requirements, shell
from cudamigrate.model import SourceFile


def names(text: str) -> list[str]:
    found = shell.parse(SourceFile("build.sh", text.encode(), "shell")).uses
    return [use.name for use in found if use.kind == "package" or "clone" in use.name]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pip install ./kaolin\n", ["kaolin"]),
        ("pip3 install -e /deps/tiny-cuda-nn/bindings/torch\n", ["tiny-cuda-nn"]),
        ("cd kaolin && FORCE_CUDA=1 python setup.py develop\n", ["kaolin"]),
        ("cd /kaolin\npip install -e .\n", ["kaolin"]),
        ("cd deps\npushd MinkowskiEngine\npython3 setup.py install --blas=openblas\n", ["minkowskiengine"]),
        ("pip install 'git+https://github.com/NVlabs/nvdiffrast.git@v1'\n", ["nvdiffrast"]),
        ("git clone https://github.com/NVIDIAGameWorks/kaolin\ncd kaolin\npip install .\n", ["kaolin"]),
        ("python -m pip install --no-deps ./third_party/nvdiffrast[all]\n", ["nvdiffrast"]),
    ],
)
def test_a_package_is_known_by_its_folder_or_address(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "pip install ./mykaolin\n",
        "cd kaolin && python setup.py --version\n",
        "cd kaolin\ncd ..\npip install .\n",
        "cd /kaolin\ncd ${ROOT}/mine\npip install -e .\n",
        "cd /kaolin\npip install ./mine\n",
        "git clone https://github.com/ROCm/kaolin\npip install ./mine\n",
        "pip install git+https://github.com/ROCm/kaolin\n",
        "pip install ./pytorch3d\n",  # which PyTorch's build converts
        "ls ./kaolin\n",
    ],
)
def test_another_folder_is_none(text: str) -> None:
    assert names(text) == []


def test_a_clone_in_an_image_is_no_code_of_which_nothing_is_known() -> None:
    text = "FROM nvidia/cuda:12.1.0-devel\nRUN git clone https://github.com/NVIDIAGameWorks/kaolin\n"
    text += "RUN cd /kaolin && python setup.py develop\n"
    uses = docker.parse(SourceFile("Dockerfile", text.encode(), "docker")).uses
    assert [use.name for use in uses if use.kind == "package" or "clone" in use.name] == ["kaolin"]


def test_a_requirement_may_be_an_address_or_a_folder() -> None:
    text = "torch\ngit+https://github.com/NVlabs/nvdiffrast@v0.3\nnumpy\n-e ./deps/kaolin\nmykaolin\n./mine\n"
    text += "spconv @ git+https://github.com/traveller59/spconv\n"
    uses = requirements.parse(SourceFile("requirements.txt", text.encode(), "requirements")).uses
    named = [use.name for use in uses if use.kind == "package"]
    assert named == ["torch", "nvdiffrast", "numpy", "kaolin", "mykaolin", "spconv"]


def test_each_has_a_rule_that_says_that_there_is_no_port() -> None:
    rules = tomli.loads((Path(__file__).parents[3] / "rules/packages.toml").read_text())["rule"]
    without = [
        name
        for rule in rules
        if rule.get("support") == "none" and not {"rewrite", "rename"} & rule.keys()
        for name in rule.get("packages", ())
    ]
    held = {one for one in built_packages.PACKAGES if any(one == name.removesuffix("*") for name in without)}
    assert held == built_packages.PACKAGES
