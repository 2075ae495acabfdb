"""pyproject.toml and Pipfile: which tables hold packages, and how one is taken out of them."""

import pytest

from cudamigrate.frontends import toml
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.syntax.project_file import ProjectFile


def parse(text: str) -> ProjectFile:
    return toml.parse(SourceFile("pyproject.toml", text.encode(), "toml"))


def packages(text: str) -> list[str]:
    return [use.name for use in parse(text).uses if use.kind == "package"]


@pytest.mark.parametrize(
    "text",
    [
        '[project]\ndependencies = ["xformers"]\n',
        "[project.optional-dependencies]\ngpu = ['xformers>=0.1']\n",
        '[dependency-groups]\ndev = ["xformers"]\n',
        '[build-system]\nrequires = ["xformers"]\n',
        '[tool.poetry.dependencies]\nxformers = "^0.1"\n',
        '[tool.poetry.group.gpu.dependencies]\nxformers = { version = "0.1", optional = true }\n',
        '[tool.uv]\ndev-dependencies = [\n  "xformers",\n]\n',
        '[tool.pdm.dev-dependencies]\ngpu = ["xformers"]\n',
        '[packages]\nxformers = "*"\n',
        '[tool.pixi.feature.cuda.pypi-dependencies]\nxformers = "*"\n',
        '[tool.hatch.envs.gpu]\nextra-dependencies = ["xformers"]\n',
        '[project]\n"dependencies" = ["xformers"]\n',
    ],
)
def test_package_is_seen_in_every_kind_of_table(text: str) -> None:
    assert packages(text) == ["xformers"]


@pytest.mark.parametrize(
    "text",
    [
        '[project]\nkeywords = ["xformers"]\nname = "xformers"\n',
        '[tool.poetry.extras]\ngpu = ["xformers"]\n',
        '[project]\n# dependencies = ["xformers"]\n',
        '[tool.uv.sources]\nxformers = { index = "x" }\n',
    ],
)
def test_other_keys_hold_no_package(text: str) -> None:
    assert packages(text) == []


@pytest.mark.parametrize(
    ("other", "found"),
    [
        ('amd = ["hip-python"]', []),
        ('amd = ["torch-scatter-rocm"]', []),
        ('hip = ["numpy"]', ["cuda-python"]),
        ('more = ["hippo", "amdahl"]', ["cuda-python"]),
    ],
)
def test_an_extra_beside_one_for_amds_gpus_is_a_choice(other: str, found: list[str]) -> None:
    text = f'[project]\n{{}}[project.optional-dependencies]\ncuda = ["cuda-python"]\n{other}\n'
    assert [name for name in packages(text.format("")) if name == "cuda-python"] == found
    always = packages(text.format('dependencies = ["cuda-python"]\n'))
    assert always.count("cuda-python") == 1 + len(found)


def test_project_that_asks_for_its_own_extras_is_not_reported_itself() -> None:
    text = '[project]\nname = "vllm"\n[project.optional-dependencies]\nall = ["vllm[audio]", "xformers"]\n'
    assert packages(text) == ["xformers"]
    assert packages(text.replace("name", 'keywords = ["a"]\nname')) == ["xformers"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('["a", "nvidia-nccl-cu12", "b"]', '["a", "b"]'),
        ('["a", "nvidia-nccl-cu12"]', '["a",]'),
        ('["nvidia-nccl-cu12"]', "[]"),
        ('["nvidia-nccl-cu12", "nvidia-cublas-cu12", "b"]', '["b"]'),
        ('[\n  "a",\n  "nvidia-nccl-cu12",  # x\n  "b",\n]', '[\n  "a",\n  "b",\n]'),
        ('[\n  "a",\n  "nvidia-nccl-cu12"\n]', '[\n  "a",\n]'),
    ],
)
def test_dropping_an_element_leaves_an_array(before: str, after: str) -> None:
    result = find_in_text(f"[project]\ndependencies = {before}\n", "pyproject.toml")
    assert result.after == f"[project]\ndependencies = {after}\n"
    assert toml.broken(result.after.encode()) == 0


def test_poetry_version_and_source_are_rewritten() -> None:
    text = (
        '[tool.poetry.dependencies]\ntorch = { version = "2.12.0+cu130", source = "pt" }\nnvidia-nccl-cu12 = "*"\n\n'
        '[[tool.poetry.source]]\nname = "pt"\nurl = "https://download.pytorch.org/whl/cu130"\n'
    )
    after = find_in_text(text, "pyproject.toml").after
    assert after == text.replace("+cu130", "+rocm7.2").replace("whl/cu130", "whl/rocm7.2").replace(
        'nvidia-nccl-cu12 = "*"\n', ""
    )


@pytest.mark.parametrize(
    ("version", "index"),
    [("^2.10", "rocm7.14"), ("~2.11", "rocm7.2"), ("~2.11.1", "rocm7.2"), ("2.11.0", "rocm7.2"), ("2.11.*", "rocm7.2")],
)
def test_poetry_versions_choose_the_index(version: str, index: str) -> None:
    text = f'[tool.poetry.dependencies]\ntorch = "{version}"\n[[tool.poetry.source]]\nurl = "https://download.pytorch.org/whl/cu130"\n'
    assert f'/whl/{index}"' in find_in_text(text, "pyproject.toml").after


def test_what_is_not_toml_is_skipped_with_a_reason() -> None:
    result = parse('[project\ndependencies = ["xformers"]\n')
    assert result.uses == ()
    assert "not TOML" in result.problems[0]


def test_bytes_that_are_no_text_are_skipped_with_a_reason() -> None:
    assert toml._fault(b"\xcd") == "not TOML: it is not UTF-8 text"


def test_isolated_build_is_reported_beside_the_dependency() -> None:
    text = '[build-system]\nrequires = ["torch"]\n[project]\ndependencies = ["torch"]\n'
    rules = [finding.rule for finding in find_in_text(text, "pyproject.toml").findings]
    assert rules == ["packages/build-isolation", "packages/torch"]
