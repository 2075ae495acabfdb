"""setup.cfg, conda environments and lock files."""

import pytest

from cudamigrate.frontends import conda, locks, setup_cfg
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.rule_tests import find_in_text


@pytest.mark.parametrize(
    "text",
    [
        "[options]\ninstall_requires =\n    numpy\n    xformers>=0.1 ; python_version > '3'\n",
        "[options]\ninstall_requires = xformers\n",
        "[options.extras_require]\ngpu =\n  # one\n  xformers\n",
        "[testenv:gpu]\ndeps =\n    xformers\n",
    ],
)
def test_setup_cfg_list_holds_packages(text: str) -> None:
    parsed = setup_cfg.parse(SourceFile("setup.cfg", text.encode(), "ini"))
    assert [use.name for use in parsed.uses if use.name != "numpy"] == ["xformers"]


@pytest.mark.parametrize(
    "text",
    [
        "[metadata]\nname = xformers\n",
        "[options]\npackages =\n    xformers\n",
        "[options]\n# install_requires = xformers\n",
    ],
)
def test_setup_cfg_other_keys_hold_none(text: str) -> None:
    assert setup_cfg.parse(SourceFile("setup.cfg", text.encode(), "ini")).uses == []


def test_setup_cfg_line_is_dropped() -> None:
    text = "[options]\ninstall_requires =\n    numpy\n    nvidia-nccl-cu12\n    scipy\n"
    assert find_in_text(text, "setup.cfg").after == text.replace("    nvidia-nccl-cu12\n", "")


def test_conda_names_channels_and_pip_packages() -> None:
    text = (
        "channels: [nvidia]\ndependencies:\n  - nvidia::cuda-nvcc=12.1\n  - pytorch\n  - pip:\n    - 'xformers==0.1'\n"
    )
    parsed = conda.parse(SourceFile("environment.yml", text.encode(), "conda"))
    assert [use.name for use in parsed.uses] == ["conda channel nvidia", "cuda-nvcc", "pytorch", "xformers"]


def test_conda_pip_line_is_dropped_and_the_rest_kept() -> None:
    text = "dependencies:\n  - python  # 3\n  - pip:\n    - nvidia-nccl-cu12\n    - a\n"
    assert find_in_text(text, "environment.yml").after == text.replace("    - nvidia-nccl-cu12\n", "")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("uv.lock", '[[package]]\nname = "xformers"\nversion = "1"\n'),
        ("poetry.lock", '[[package]]\nname = "xformers"\n\n[[package]]\nname = "xformers"\n'),
        (
            "Pipfile.lock",
            '{\n    "default": {\n        "xformers": {\n            "version": "1"\n        }\n    }\n}\n',
        ),
        ("conda-lock.yml", "package:\n- name: xformers\n  version: 1\n"),
    ],
)
def test_lock_file_tells_of_a_package_once(path: str, text: str) -> None:
    parsed = locks.parse(SourceFile(path, text.encode(), "lock"))
    assert [use.name for use in parsed.uses] == ["xformers"]


def test_lock_file_is_never_changed_and_tells_of_one_wheel_of_nvidia() -> None:
    text = '[[package]]\nname = "nvidia-nccl-cu12"\n\n[[package]]\nname = "nvidia-cublas-cu12"\n'
    result = find_in_text(text, "uv.lock")
    assert (result.after, len(result.findings)) == (text, 1)
