"""A file that refuses to be compiled without a macro is judged with that macro."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cudamigrate.compilation.engines import clang
from cudamigrate.config import Config
from cudamigrate.model.verification import Checked, Diagnostic, Flags, Place, Unit
from cudamigrate.pipeline import prove
from cudamigrate.verification import required_macros

STOPS = "#ifndef {0}\n#error {0} is needed\n#endif\nint right;\n"


def unit(*defines: str) -> Unit:
    return Unit("a.cu", "/tree", Flags("c++17", defines, source="Makefile"), ("gfx942",))


class Engine:
    """Stops at the first `#error` whose macro is not given, as a compiler does; every name in `demands` has one."""

    def __init__(self, text: str, line: int = 2, demands: Sequence[str] = ("LIB_GPU",)) -> None:
        self.text, self.line, self.demands = text, line, demands
        self.asked: list[tuple[str, ...]] = []

    def check(self, units: Sequence[Unit]) -> list[Checked]:
        self.asked += [one.flags.defines for one in units]
        return [self._checked(one) for one in units]

    def _checked(self, one: Unit) -> Checked:
        for number, name in enumerate(self.demands):
            if name not in one.flags.defines:
                place = Place("lib.h", self.line + 3 * number, 2)
                return Checked((Diagnostic("error", place, f"{name} is needed", "device"),), seconds=1.0)
        return Checked((), seconds=1.0)

    def judged(self, *defines: str) -> tuple[Unit, Checked]:
        start = unit(*defines)
        units, checked = required_macros.judged_again(
            [start], self.check([start]), lambda _: self.text.encode(), self.check
        )
        return units[0], checked[0]


@pytest.mark.parametrize(
    "condition",
    [
        "#ifndef LIB_GPU",
        "# ifndef LIB_GPU // the build sets it",
        "#if !defined(LIB_GPU)",
        "#if ! defined LIB_GPU /* set it */",
    ],
)
def test_it_is_judged_with_what_it_demands(condition: str) -> None:
    found, checked = Engine(f"{condition}\n#error set LIB_GPU\n#endif\n").judged()
    assert found.flags.defines == ("LIB_GPU",)
    assert found.flags.source == "Makefile; LIB_GPU, as the code demands"
    assert (checked.diagnostics, checked.seconds) == ((), 2.0)


def test_one_macro_behind_the_other() -> None:
    names = ("LIB_GPU", "LIB_WIDE")
    text = "".join(f"#ifndef {name}\n#error {name}\n#endif\n" for name in names)
    found, checked = Engine(text, demands=names).judged("DEBUG")
    assert found.flags.defines == ("DEBUG", *names)
    assert checked.diagnostics == ()


def test_a_long_chain_ends_with_what_the_compiler_says() -> None:
    names = tuple(f"LIB_{number}" for number in range(9))
    engine = Engine("".join(f"#ifndef {name}\n#error {name}\n#endif\n" for name in names), demands=names)
    _, checked = engine.judged()
    assert len(engine.asked) == 4
    assert checked.diagnostics


@pytest.mark.parametrize(
    "text",
    [
        STOPS.format("__CUDACC__"),  # what a compiler is
        STOPS.format("__HIP_PLATFORM_NVIDIA__"),
        STOPS.format("CUDA_VERSION"),
        STOPS.format("_MSC_VER"),  # what a machine is
        STOPS.format("__linux__"),
        "#ifdef LIB_GPU\n#error not with it\n#endif\n",
        "#if !defined(LIB_GPU) && !defined(LIB_CPU)\n#error one of them\n#endif\n",
        "#if !defined(LIB_GPU) || LIB_OLD\n#error set\n#endif\n",
        "#else\n#error LIB_GPU is needed\n#endif\n",
        "#ifndef LIB_GPU\nint wrong = ;\n#endif\n",  # an error, and no `#error`
        "#error LIB_GPU\n",
        "",
    ],
)
def test_what_a_condition_does_not_say_is_not_set(text: str) -> None:
    engine = Engine(text)
    found, checked = engine.judged()
    assert found == unit()
    assert len(engine.asked) == 1
    assert checked.diagnostics


def test_a_macro_that_is_given_already_is_not_given_again() -> None:
    engine = Engine(STOPS.format("LIB_GPU"), demands=("OTHER",))
    found, checked = engine.judged("LIB_GPU=0")
    assert found == unit("LIB_GPU=0")
    assert checked.diagnostics


@pytest.mark.parametrize("kind", ["warning", "stand-in"])
def test_only_errors_of_files_of_the_tree_count(kind: str) -> None:
    text = STOPS.format("LIB_GPU").encode()

    def never(_: Sequence[Unit]) -> list[Checked]:
        raise AssertionError("nothing is to be checked again")

    for entry in (
        Diagnostic(kind, Place("lib.h", 2, 2), "needed", "device"),  # type: ignore[arg-type]
        Diagnostic("error", Place("/usr/include/lib.h", 2, 2), "needed", "device"),
    ):
        done = [Checked((entry,))]
        assert required_macros.judged_again([unit()], done, lambda _: text, never) == ([unit()], done)


RUNTIME = "#include <hip/hip_runtime.h>\n"


@pytest.mark.usefixtures("embedded_clang")
@pytest.mark.parametrize(
    ("header", "word", "passes"),
    [
        ("#ifndef LIB_GPU\n#error set it\n#endif\n", "checked", [("LIB_GPU",)] * 2),
        ("#ifdef LIB_WIDE\n#ifndef LIB_GPU\n#error set it\n#endif\n#endif\n", "checked", [()] * 2),
        ("#define LIB_GPU 1\n#ifndef LIB_GPU\n#error set it\n#endif\n", "checked", [()] * 2),
        ("#ifndef LIB_GPU\n#error set it\n#endif\nint b = nowhere;\n", "failed", [("LIB_GPU",)] * 2),
        ("#if !LIB_GPU\n#error set it\n#endif\n", "unresolved", [()] * 2),
    ],
    ids=["demanded", "in a branch that is not taken", "defined", "with an error besides", "not asked so"],
)
def test_a_file_is_compiled_once_with_what_it_demands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, header: str, word: str, passes: list[tuple[str, ...]]
) -> None:
    made: list[tuple[str, ...]] = []
    check = clang.check_pass

    def counted(one: Unit, *rest: Any) -> Checked:
        made.append(one.flags.defines)
        return check(one, *rest)

    monkeypatch.setattr(clang, "check_pass", counted)
    for name, text in (("a.hip", f'{RUNTIME}#include "lib.h"\n__global__ void k() {{}}\n'), ("lib.h", header)):
        (tmp_path / name).write_text(text)
    found = prove.verify(tmp_path, Config(jobs=1, arch=("gfx942",)), "clang").verdicts
    words = {one.path: one.word for one in found}
    assert words["a.hip"] == word
    assert made[: len(passes)] == passes
