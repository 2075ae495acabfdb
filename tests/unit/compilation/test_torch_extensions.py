"""The sources and folders of an extension, as a setup.py or a module that builds at first use writes them."""

from __future__ import annotations

import pytest

from cudamigrate.compilation import setup_flags
from cudamigrate.compilation.torch_extensions import builds, copies_sources, sees_all

PATHS = frozenset(
    ("setup.py", "csrc/a.cu", "csrc/b.cpp", "csrc/deep/c.cu", "include/x.h", "other/d.cu", "op/e.cu", "op/m.py")
)
IMPORT = "import os\nimport glob\nfrom torch.utils.cpp_extension import CUDAExtension, load\n"
BOTH = {"csrc/a.cu", "csrc/b.cpp"}
EVERY = {path for path in PATHS if path.endswith((".cu", ".cpp"))}


def sources(text: str, path: str = "setup.py") -> list[set[str]]:
    """The sources of each build."""
    return [set(one.sources) for one in builds(path, IMPORT + text, PATHS)]


@pytest.mark.parametrize(
    "text",
    [
        "CUDAExtension('e', ['csrc/a.cu', 'csrc/b.cpp'])",
        "CUDAExtension(name='e', sources=['csrc/a.cu'] + ['csrc/b.cpp'])",
        "s = ['csrc/a.cu']\ns += ['csrc/b.cpp']\nCUDAExtension('e', s)",
        "s = ['csrc/a.cu']\nif cuda:\n    s.append('csrc/b.cpp')\nCUDAExtension('e', sources=s)",
        "CUDAExtension('e', [os.path.join('csrc', n) for n in ('a.cu', 'b.cpp')])",
        "here = os.path.dirname(os.path.abspath(__file__))\n"
        "CUDAExtension('e', [*[f'{here}/csrc/a.cu'], os.path.join(here, 'csrc', 'b.cpp')])",
        "CUDAExtension('e', glob.glob('csrc/*.cu') + sorted(glob.glob(os.path.join('csrc', '*.cpp'))))",
        "CUDAExtension('e', ['csrc/a.cu'])\nCUDAExtension('f', ['csrc/b.cpp'])",
    ],
)  # fmt: skip
def test_the_sources_that_are_written_are_followed(text: str) -> None:
    assert sources(text) == [BOTH]


def test_a_pattern_enters_folders_only_where_it_says_so() -> None:
    assert sources("CUDAExtension('e', glob.glob('csrc/**/*.cu', recursive=True))") == [{"csrc/a.cu", "csrc/deep/c.cu"}]


@pytest.mark.parametrize(
    "text",
    [
        "CUDAExtension('e', find_sources())",
        "CUDAExtension('e', ['csrc/a.cu', 'generated.cu'])",
        "s = ['a.cu']\ns = [os.path.join('csrc', n) for n in s]\nCUDAExtension('e', s)",
        "kind = CUDAExtension\nkind('e', ['csrc/a.cu'])",
    ],
)
def test_where_one_source_is_not_seen_each_file_may_be_one(text: str) -> None:
    assert sources(text) == [EVERY]


def test_what_builds_no_extension_has_no_build() -> None:
    assert sources("from json import load\n") == []
    assert builds("a.py", "from json import load\nload('e', ['csrc/a.cu'])", PATHS) == []
    assert builds("a.py", "CUDAExtension(", PATHS) == []


def test_a_build_at_first_use_is_followed_where_its_sources_are_seen() -> None:
    text = "load('e', [os.path.join(os.path.dirname(__file__), 'e.cu')])"
    assert sources(text, "op/m.py") == [{"op/e.cu"}]
    (one,) = builds("op/m.py", IMPORT + text, PATHS)
    assert one.loaded
    assert sources("load('e', ['csrc/a.cu'])", "op/m.py") == [{"csrc/a.cu"}]
    assert sources("load('e', find_sources())", "op/m.py") == []


@pytest.mark.parametrize(
    ("given", "root"),
    [
        pytest.param("build_directory=here", "op", id="the folder of the sources"),
        pytest.param("None, None, None, None, here", "op", id="by its place"),
        pytest.param("build_directory='csrc'", "", id="a folder that there is not"),
        pytest.param("build_directory=tempfile.mkdtemp()", "", id="another"),
        pytest.param("verbose=True", "", id="none"),
    ],
)
def test_a_build_at_first_use_is_made_in_the_folder_that_it_names(given: str, root: str) -> None:
    text = f"here = os.path.dirname(__file__)\nload('e', [os.path.join(here, 'e.cu')], {given})"
    (one,) = builds("op/m.py", IMPORT + text, PATHS)
    assert one.loaded and one.root == root


MODULE = "torch.utils.cpp_extension"
LISTED = "('e', ['csrc/a.cu'])\n"


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (f"import {MODULE} as ext\next.load{LISTED}", True),
        (f"from torch.utils import cpp_extension as ce\nce.load{LISTED}", True),
        (f"import torch\ntorch.utils.cpp_extension.load{LISTED}", True),
        (f"from {MODULE} import *\nload{LISTED}", True),
        (f"from {MODULE} import load as jit\njit{LISTED}", True),
        (f"import {MODULE} as ext\njit = ext.load\njit{LISTED}", True),
        (f"from {MODULE} import CUDAExtension as C\nC{LISTED}", True),
        (f"import json, {MODULE} as ext\njson.load{LISTED}", False),
        (f"from {MODULE} import CppExtension\nfrom json import load\nload{LISTED}", False),
        (f"from {MODULE} import load_inline as load\nload{LISTED}", False),
    ],
)
def test_a_function_of_pytorch_is_known_by_whatever_name_it_has(text: str, is_one: bool) -> None:
    assert [set(one.sources) for one in builds("op/m.py", text, PATHS)] == ([{"csrc/a.cu"}] if is_one else [])
    assert sees_all("op/m.py", text, PATHS) == (is_one or "load_inline" in text)


@pytest.mark.parametrize(
    ("imported", "call", "copies"),
    [
        (f"from {MODULE} import load as jit", "jit", True),
        (f"import {MODULE} as ext", "ext.load", True),
        (f"import json, {MODULE} as ext", "json.load", False),
    ],
)
def test_another_modules_load_builds_nothing_of_copies(imported: str, call: str, copies: bool) -> None:
    text = f"import shutil\n{imported}\ndef f(a):\n    shutil.copy(a, 'b.cu')\n    return {call}('e', ['b.cu'])\n"
    assert copies_sources(text) == copies


def test_folders_are_told_to_hipify_but_not_those_in_options() -> None:
    text = "CUDAExtension('e', ['csrc/a.cu'], include_dirs=['include'], extra_compile_args={'nvcc': ['-Iother']})"
    (one,) = builds("setup.py", IMPORT + text, PATHS)
    assert (one.folders, one.others) == (("include",), ("other",))


def test_options_that_are_asked_for_again_are_not_those_that_somebody_changed() -> None:
    text = IMPORT + "CUDAExtension('e', ['csrc/a.cu'], include_dirs=['include'])"
    first = setup_flags.flags(text)
    assert ["-I", "include"] in first.lists
    for words in first.lists:
        words.append("-DMORE")
    assert ["-I", "include"] in setup_flags.flags(text).lists
