"""Macros that Python gives to a compiler when it runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate.compilation import build_flags, runtime_builds
from cudamigrate.compilation.runtime_builds import Macros
from cudamigrate.config import Config
from cudamigrate.pipeline import prove

IMPORT = "from torch.utils.cpp_extension import load\n"


def given(text: str, source: str = "ops/k/sum_v2.cu", script: str = "ops/run.py") -> Macros:
    return runtime_builds.of(Path("/tree"), runtime_builds.builds(script, IMPORT + text), f"/tree/{source}")


def flags(listed: str) -> str:
    return f"load(name='s', sources=['k/sum.cpp', f'k/sum_v{{VERSION}}.cu'], extra_cuda_cflags={listed})\n"


def test_values_that_python_knows_are_given() -> None:
    text = "WIDTH, LEN = 64, 8 * 4\nKIND = 'half'\n" + flags(
        "['-O3', f'-DWIDTH={WIDTH}', '-DLEN=' + str(LEN), f'-DKIND={KIND}', '-DFAST']"
    )
    assert given(text) == Macros(("WIDTH=64", "LEN=32", "KIND=half", "FAST"), scripts=("ops/run.py",))
    assert given(text, "ops/k/sum.cpp").known == ()  # the host's compiler gets `extra_cflags`
    assert given(text, "ops/k/max_v2.cu") == Macros()
    assert given(text, "k/sum_v2.cu").known != ()  # it may run at the root
    assert given(text, "other/k/sum_v2.cu") == Macros()


@pytest.mark.parametrize(
    "before",
    [
        "import os\nWIDTH = int(os.environ['WIDTH'])\n",
        "import sys\nif sys.argv:\n    WIDTH = 3\nelse:\n    WIDTH = width()\n",
        "WIDTH = 3\nWIDTH += more()\n",
        "for WIDTH in (1, 2):\n    pass\n",
        "",
    ],
)
def test_a_value_that_nobody_knows_is_open(before: str) -> None:
    found = given(before + flags("[f'-DWIDTH={WIDTH}']"))
    assert (found.known, found.open) == ((), {"WIDTH"})


def test_a_parameter_hides_a_value_of_the_file() -> None:
    build = "    " + flags("[f'-DWIDTH={WIDTH}']")
    assert given("WIDTH = 4\ndef build(WIDTH):\n" + build).open == {"WIDTH"}
    assert given("WIDTH = 4\ndef build(width):\n" + build).known == ("WIDTH=4",)


def test_of_several_values_one_is_taken_and_the_macro_is_open() -> None:
    found = given("if job:\n    WIDTH = 4\nelse:\n    WIDTH = 64\n" + flags("[f'-DWIDTH={WIDTH}']"))
    assert (found.known, found.open) == (("WIDTH=64",), {"WIDTH"})


def test_what_only_some_builds_give_is_not_defined() -> None:
    text = "opts = ['-DWIDTH=4']\nif fast:\n    opts.append('-DFAST')\nopts += ['-DMORE']\n" + flags("opts")
    found = given(text)
    assert (found.known, found.some) == (("WIDTH=4", "MORE"), {"FAST"})
    two = "if fast:\n    o = ['-DW=4', '-DFAST']\n    " + flags("o") + "else:\n    o = ['-DW=4']\n    " + flags("o")
    found = given(two)
    assert (found.known, found.open, found.some) == (("W=4",), set(), {"FAST"})


def test_other_calls_and_broken_text_give_nothing() -> None:
    assert given("load(name='s', sources=names(), extra_cuda_cflags=['-DW=4'])") == Macros()
    assert given("load(name='s', sources=['k/sum_v2.cu'], flags=['-DW=4'])") == Macros()
    assert given("load(name='s', sources=[") == Macros()


def test_a_dictionary_that_a_call_spreads_gives_them() -> None:
    call = "load('s', **options)\n"
    options = "options = {'sources': ['k/sum_v2.cu'], 'extra_cuda_cflags': ['-DW=4']}\n"
    assert given(options + call).known == ("W=4",)
    assert given("options = dict(more | {'extra_cuda_cflags': ['-DW=4']}, sources=['k/sum_v2.cu'])\n" + call).known
    assert given(options + "load('s', **others)\n") == Macros()
    assert given("options = {**options}\n" + call) == Macros()


FORCING = "    load(name='s', sources=['k/sum.cu'], extra_cuda_cflags=['-include', {}, '-O3'])\n"


@pytest.mark.parametrize(
    ("header", "forced", "several"),
    [
        ("os.path.join(here, 'k/a.cuh')", ["ops/k/a.cuh"], []),
        ("str(here / 'k' / f'{kind}.cuh')", ["ops/k/a.cuh"], ["ops/k/a.cuh"]),
        ("header", ["ops/k/b.cuh"], []),
        ("'k/absent.cuh'", ["k/absent.cuh"], []),
        ("names(kind)", [], []),
    ],
)
def test_a_header_that_options_include_is_given_to_the_sources(
    tmp_path: Path, header: str, forced: list[str], several: list[str]
) -> None:
    script = f"{IMPORT}def build(kind):\n    header = here + '/k/b.cuh'\n{FORCING.format(header)}"
    written(tmp_path, {"ops/run.py": script, "ops/k/sum.cu": "", "ops/k/a.cuh": "", "ops/k/b.cuh": "", "b.cu": ""})
    read = build_flags.read(tmp_path)
    settings = read.settings(str(tmp_path / "ops/k/sum.cu"))
    assert settings.forced == [str(tmp_path / one) for one in forced]
    assert settings.several == {str(tmp_path / one) for one in several}
    assert read.settings(str(tmp_path / "b.cu")).forced == []


def test_a_kernel_is_judged_with_the_header_that_options_include(tmp_path: Path) -> None:
    kernel = "#include <hip/hip_runtime.h>\n__global__ void k(float *p) { *p = one(); }\n"
    script = IMPORT + "def build(kind):\n" + FORCING.format("f'k/{kind}.cuh'")
    header = "#pragma once\n__device__ inline float one() { return 1; }\n"
    config = Config(jobs=1, arch=("gfx90a",))

    def verdict(name: str, headers: dict[str, str]) -> str:
        tree = written(tmp_path / name, {"run.py": script, "k/sum.cu": kernel, **headers})
        verdicts = {one.path: one.word for one in prove.verify(tree, config).verdicts}
        return verdicts["k/sum.cu"]

    assert verdict("one", {"k/a.cuh": header}) in ("checked", "declarations")
    assert verdict("others", {"k/a.cuh": "", "k/b.cuh": header}) == "unresolved"
    assert verdict("beside", {"b.cuh": header, "run.py": script.replace("-include", "-I")}) == "failed"


def test_a_tree_gives_them_to_its_sources(tmp_path: Path) -> None:
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops/run.py").write_text(IMPORT + "W = 4\n" + flags("[f'-DW={W}', f'-DX={x}']"))
    settings = build_flags.read(tmp_path).settings(str(tmp_path / "ops/k/sum_v1.cu"))
    assert (list(settings.defines), settings.open, settings.sources) == (["W=4"], {"X"}, ["ops/run.py"])
    assert not build_flags.read(tmp_path).settings(str(tmp_path / "ops/k/max.cu")).defines


COMMAND = (
    'def line(tag, source):\n    define = f"-DTAG={tag} -DQUOTED=\\"{tag}\\""\n'
    '    return f"{compiler} -shared {define} {source}"\n'
)


@pytest.mark.parametrize(
    ("files", "unknown"),
    [
        pytest.param({"ops/link.py": COMMAND}, {"TAG": "ops/link.py", "QUOTED": "ops/link.py"}, id="a command line"),
        pytest.param({"ops/link.py": f"import cmake\n{COMMAND}"}, {}, id="what CMake is given"),
        pytest.param({"ops/link.py": 'line = "-DTAG=3"\n'}, {}, id="a value that is written"),
        pytest.param({"ops/link.py": 'help = f"-DTAG=3 {more}"\n'}, {}, id="something else follows"),
        pytest.param({"ops/link.py": 'line = f"-DTAG={tag'}, {}, id="no Python"),
    ],
)
def test_macros_that_a_program_puts_into_a_command_line_have_values_that_it_knows(
    tmp_path: Path, files: dict[str, str], unknown: dict[str, str]
) -> None:
    for name, text in {**files, "a.cu": ""}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    settings = build_flags.read(tmp_path).settings(str(tmp_path / "a.cu"))
    assert (settings.open, dict(settings.written), settings.sources) == (set(unknown), unknown, [])


def test_a_program_that_knows_a_value_is_named(tmp_path: Path) -> None:
    written(tmp_path, {"link.py": COMMAND, "a.cu": "__global__ void k(int *a) { *a = TAG; }\nint b = OTHER;\n"})
    judged = prove.verify(tmp_path, Config(jobs=1, arch=("gfx90a",)))
    kinds = {(one.kind, one.header) for verdict in judged.verdicts for one in verdict.diagnostics}
    assert ("stand-in", "the value of TAG, which link.py gives") in kinds
    assert any(kind == "error" for kind, _ in kinds)


CLASS = """
class Gpu(Base):
    def flags(self):
        return ["-DWITH_GPU", "-O3"]

    def build(self):
        return load(name=self.name, sources=self.sources(), extra_cuda_cflags=strip(self.flags()))
"""
KEEPS = "class Norm(Gpu):\n    def flags(self):\n        return ['-lineinfo'] + super().flags()\n"


@pytest.mark.parametrize(
    ("others", "found"),
    [
        ({}, ["WITH_GPU"]),
        ({"ops/norm.py": KEEPS}, ["WITH_GPU"]),
        ({"ops/norm.py": KEEPS.replace(" + super().flags()", "")}, []),
        ({"ops/norm.py": KEEPS.replace("super().flags()", "super().others()")}, []),
        ({"ops/cpu.py": "class Cpu(Base):\n    def flags(self):\n        return []\n"}, ["WITH_GPU"]),
        ({"other/norm.py": KEEPS.replace(" + super().flags()", "")}, ["WITH_GPU"]),
    ],
)
def test_a_class_gives_all_its_extensions_what_its_method_returns(
    others: dict[str, str], found: list[str], tmp_path: Path
) -> None:
    known = runtime_builds.read(written(tmp_path, {"ops/gpu.py": IMPORT + CLASS, "ops/src/a.cu": "", **others}))
    given = runtime_builds.of(tmp_path, known, str(tmp_path / "ops/src/a.cu"))
    assert list(given.known) == found
    assert "WITH_GPU" in {*given.known, *given.some}
    assert runtime_builds.of(tmp_path, known, str(tmp_path / "src/a.cu")) == Macros()
    assert runtime_builds.of(tmp_path, known, str(tmp_path / "ops/src/a.cpp")).known == ()


def test_what_another_method_returns_is_given_to_nobody(tmp_path: Path) -> None:
    text = CLASS.replace("self.flags()", "self.others()")
    known = runtime_builds.read(written(tmp_path, {"ops/gpu.py": IMPORT + text, "ops/src/a.cu": ""}))
    assert runtime_builds.of(tmp_path, known, str(tmp_path / "ops/src/a.cu")) == Macros()


def test_a_macro_that_options_take_back_is_none_that_pytorch_gives(tmp_path: Path) -> None:
    text = flags("['-U__HIP_NO_HALF_CONVERSIONS__', '-O3']")
    assert given(text).taken == {"__HIP_NO_HALF_CONVERSIONS__"}
    assert given(text + flags("['-O3']")).taken == set()
    assert given("BACK = ['-UFAST'] if slow else []\n" + flags("['-O3'] + BACK")).taken == set()
    written(tmp_path, {"ops/run.py": IMPORT + text, "ops/k/sum_v2.cu": ""})
    assert build_flags.read(tmp_path).settings(str(tmp_path / "ops/k/sum_v2.cu")).taken == {
        "__HIP_NO_HALF_CONVERSIONS__"
    }
