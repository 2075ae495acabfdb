"""What surrounds an engine: units, overlays, the cache, and what diagnostics amount to."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from porttrees import written

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Target
from cudamigrate.model.verification import (
    OUT_OF_TIME,
    Checked,
    Diagnostic,
    Place,
    Toolchain,
    Unit,
    Verdict,
    Verification,
)
from cudamigrate.verification import run as verify

STAND_IN = Toolchain("stand_in", "a stand-in", "7.1", ("/nowhere",), ("gfx942",), ("/ours",))


class Engine:
    """An engine that complains of the word `bad` and counts its calls."""

    def __init__(self) -> None:
        self.seen: list[Unit] = []
        self.reads: tuple[str, ...] = ()

    def check(self, unit: Unit, toolchain: Toolchain) -> Checked:
        self.seen.append(unit)
        text = Path(unit.root, unit.path).read_text()
        place = Place(unit.path, 1, text.find("bad") + 1)
        found = (Diagnostic("error", place, "bad", "device", "gfx942"),) if "bad" in text else ()
        read = (f"{unit.root}/{unit.path}", *(("/ours/hip/hip_fp16.h",) if "fp16" in text else ()))
        return Checked(found, (*read, *(f"{unit.root}/{path}" for path in self.reads)), 0.5)


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Engine:
    engine = Engine()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(verify.plugins, "load", lambda package: {"stand_in": SimpleNamespace(check=engine.check)})
    return engine


@pytest.fixture
def chosen(embedded_clang: None) -> Toolchain:
    """clang, as it is found."""
    found = verify.toolchain("clang", Target())
    assert not isinstance(found, str)
    return found


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    return folder


def words(judged: Verification) -> dict[str, str]:
    return {verdict.path: verdict.word for verdict in judged.verdicts}


def test_verdicts_follow_from_diagnostics_and_from_what_was_read(root: Path, engine: Engine) -> None:
    for name, text in (("a.cu", "good"), ("b.cu", "bad"), ("c.cu", "fp16")):
        (root / name).write_text(text)
    judged = verify.run(verify.Job(str(root), ["c.cu", "a.cu", "b.cu"]), STAND_IN, jobs=1)
    assert words(judged) == {"a.cu": "checked", "b.cu": "failed", "c.cu": "declarations"}
    assert judged.verdicts[2].headers == ("hip/hip_fp16.h",)


SDK = "CUFILES := a.cu\nCCFILES := main.c\n"
RULES = "./common/common.mk, which says whether C sources are compiled as C or as C++"


@pytest.mark.parametrize(
    ("make", "word", "headers"),
    [
        (SDK + "include ./common/common.mk\n", "unresolved", (RULES,)),
        (SDK + "include ./common/common.mk\n\napp:\n\t$(CC) -c main.c\n", "failed", ()),
        (SDK + "-include ./common/common.mk\n", "failed", ()),
        (SDK + "include own.mk\n", "failed", ()),
    ],
)
def test_whether_a_source_is_c_or_cpp_may_be_in_rules_that_are_not_in_the_tree(
    root: Path, engine: Engine, make: str, word: str, headers: tuple[str, ...]
) -> None:
    for name, text in (("a.cu", "bad"), ("main.c", "bad"), ("own.mk", "%.o: %.c\n\tgcc -c $<\n"), ("Makefile", make)):
        (root / name).write_text(text)
    judged = verify.run(verify.Job(str(root), ["a.cu", "main.c"]), STAND_IN, jobs=1)
    assert words(judged) == {"a.cu": "failed", "main.c": word}
    assert judged.verdicts[1].headers == headers


def test_a_second_run_asks_the_engine_only_what_changed(root: Path, engine: Engine) -> None:
    (root / "a.cu").write_text("bad")
    (root / "b.cu").write_text("good")
    job = verify.Job(str(root), ["a.cu", "b.cu"])
    first = verify.run(job, STAND_IN, jobs=1)
    (root / "b.cu").write_text("bad too")
    second = verify.run(job, STAND_IN, jobs=1)
    assert [unit.path for unit in engine.seen] == ["a.cu", "b.cu", "b.cu"]
    assert words(first) == {"a.cu": "failed", "b.cu": "checked"}
    assert words(second) == {"a.cu": "failed", "b.cu": "failed"}
    assert second.verdicts[0].diagnostics == first.verdicts[0].diagnostics


def test_a_broken_cache_entry_is_no_answer(root: Path, engine: Engine, tmp_path: Path) -> None:
    (root / "a.cu").write_text("good")
    job = verify.Job(str(root), ["a.cu"])
    verify.run(job, STAND_IN, jobs=1)
    (entry,) = (tmp_path / "cache").rglob("*.json")
    entry.write_text('{"read": 5}')
    assert words(verify.run(job, STAND_IN, jobs=1)) == {"a.cu": "checked"}
    assert len(engine.seen) == 2


def test_a_file_that_nests_too_deep_fails_and_is_not_given_to_the_engine(root: Path, engine: Engine) -> None:
    (root / "a.cu").write_text("\nint a = " + "(" * 1_001 + "1" + ")" * 1_001 + ";")
    (root / "b.cu").write_text("int a = " + "(1);" * 1_001 + "// " + "(" * 1_001)
    judged = verify.run(verify.Job(str(root), ["a.cu", "b.cu"]), STAND_IN, jobs=1)
    assert words(judged) == {"a.cu": "failed", "b.cu": "checked"}
    assert [unit.path for unit in engine.seen] == ["b.cu"]
    assert judged.verdicts[0].diagnostics[0].place == Place("a.cu", 2, 1_009)


def test_headers_that_no_unit_read_are_judged_alone_and_never_failed(root: Path, engine: Engine) -> None:
    for name, text in (("a.cu", "good"), ("good.cuh", "good"), ("bad.cuh", "bad")):
        (root / name).write_text(text)
    judged = verify.run(verify.Job(str(root), ["a.cu"], ["good.cuh", "bad.cuh"]), STAND_IN, jobs=1)
    assert words(judged) == {"a.cu": "checked", "good.cuh": "checked", "bad.cuh": "unresolved"}


@pytest.mark.parametrize(
    ("texts", "asked"),
    [
        ({"outer.cuh": "good", "inner.cuh": "good"}, ["outer.cuh"]),
        ({"outer.cuh": "bad", "inner.cuh": "good"}, ["outer.cuh", "inner.cuh"]),  # nothing is known of the inner one
        ({"outer.cuh": "good", "inner.cuh": '#include "outer.cuh"'}, ["outer.cuh", "inner.cuh"]),  # a circle
    ],
)
def test_a_header_that_another_one_brought_is_judged_with_it(
    root: Path, engine: Engine, texts: dict[str, str], asked: list[str]
) -> None:
    for name, text in texts.items():
        (root / name).write_text(text + ('\n#include "inner.cuh"\n' if name == "outer.cuh" else "\n"))
    engine.reads = ("inner.cuh",)
    said: list[tuple[int, int]] = []
    job = verify.Job(str(root), [], list(texts))
    judged = verify.run(job, STAND_IN, jobs=1, progress=lambda done, several: said.append((done, several)))
    assert [unit.path for unit in engine.seen] == asked
    assert sorted(words(judged)) == sorted(asked)
    assert said[-1][0] == len(asked)


def test_more_complaints_make_a_checked_file_fail_and_leave_an_unresolved_one() -> None:
    judged = Verification(STAND_IN, (Verdict("a.cu", "checked"), Verdict("b.cu", "unresolved")))
    more = {path: [Diagnostic("asm", Place(path, 1, 1), "PTX", "device")] for path in ("a.cu", "b.cu", "c.cuh")}
    assert words(verify.with_more(judged, more)) == {"a.cu": "failed", "b.cu": "unresolved", "c.cuh": "failed"}


def test_files_after_the_time_given_are_left_out_and_judged_the_next_time(root: Path, engine: Engine) -> None:
    for name in ("a.cu", "b.cu"):
        (root / name).write_text("good")
    judged = verify.run(verify.Job(str(root), ["a.cu", "b.cu"], budget=1e-9), STAND_IN, jobs=1)
    assert words(judged) == {"a.cu": "unresolved", "b.cu": "unresolved"}
    assert {verdict.headers for verdict in judged.verdicts} == {(OUT_OF_TIME,)}
    assert words(verify.run(verify.Job(str(root), ["a.cu", "b.cu"]), STAND_IN, jobs=1)) == {
        "a.cu": "checked",
        "b.cu": "checked",
    }


@pytest.mark.parametrize(
    ("turn", "order"),
    [
        ({"c.cu": 0, "a.cu": 1, "b.cu": 1}, ["c.cu", "a.cu", "b.cu"]),
        ({"a.cu": 0, "b.cu": 0, "c.cu": 0}, ["a.cu", "b.cu", "c.cu"]),
    ],
    ids=["two turns", "one turn, by name"],
)
def test_units_are_judged_turn_by_turn_and_reported_by_name(
    turn: dict[str, int], order: list[str], root: Path, engine: Engine
) -> None:
    for name in turn:
        (root / name).write_text("good")
    told: list[tuple[int, int]] = []
    job = verify.Job(str(root), list(turn), turn=turn.__getitem__)
    judged = verify.run(job, STAND_IN, 1, lambda *said: told.append(said))
    assert [unit.path for unit in engine.seen] == order
    assert list(words(judged)) == ["a.cu", "b.cu", "c.cu"]
    assert [number for number, _ in told] == sorted(number for number, _ in told)
    assert told[-1] == (3, 3) and {units for _, units in told} == {3}


def test_what_comes_first_has_all_its_passes_before_what_comes_later(
    root: Path, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file in doubt after its pass for a device would be left out where the time ends in a later turn."""
    made: list[tuple[str, int]] = []

    def check_pass(unit: Unit, toolchain: Toolchain, number: int, before: Checked) -> Checked:
        made.append((unit.path, number))
        place = Place(unit.path, 1, 1)
        return Checked((Diagnostic("error", place, "bad", "device", "gfx942"),), (f"{unit.root}/{unit.path}",))

    one = SimpleNamespace(check=engine.check, check_pass=check_pass)
    monkeypatch.setattr(verify.plugins, "load", lambda package: {"stand_in": one})
    for name in ("a.cu", "b.cu"):
        (root / name).write_text("#ifndef __HIP_DEVICE_COMPILE__\nbad\n#endif\n")
    turns = {"a.cu": 1, "b.cu": 0}
    verify.run(verify.Job(str(root), ["a.cu", "b.cu"], turn=turns.__getitem__), STAND_IN, jobs=1)
    assert made == [("b.cu", 0), ("b.cu", 1), ("a.cu", 0), ("a.cu", 1)]


def test_files_that_others_include_are_judged_with_them(root: Path, engine: Engine) -> None:
    (root / "a.cu").write_text('#include "b.cu"\n')
    (root / "b.cu").write_text("bad")
    judged = verify.run(verify.Job(str(root), ["a.cu", "b.cu"]), STAND_IN, jobs=1)
    assert words(judged) == {"a.cu": "checked", "b.cu": "unresolved"}


def test_no_pass_follows_that_cannot_take_a_doubt_away(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[tuple[str, int]] = []

    def check_pass(unit: Unit, toolchain: Toolchain, number: int, before: Checked) -> Checked:
        made.append((unit.path, number))
        lacks = Diagnostic("missing-header", Place(unit.path, 1, 1), "no", "device", header="no.h")
        found = (lacks,) if "no.h" in Path(unit.root, unit.path).read_text() else ()
        return Checked((*before.diagnostics, *found), (f"{unit.root}/{unit.path}",))

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(
        verify.plugins, "load", lambda package: {"stand_in": SimpleNamespace(check=None, check_pass=check_pass)}
    )
    texts = {"a.cu": "good", "b.cu": "no.h", "c.cu": "no.h __HIP_DEVICE_COMPILE__"}
    for name, text in texts.items():
        (root / name).write_text(text)
    job = verify.Job(str(root), list(texts))
    assert words(verify.run(job, STAND_IN, jobs=1)) == {"a.cu": "checked", "b.cu": "unresolved", "c.cu": "unresolved"}
    assert sorted(made) == [("a.cu", 0), ("a.cu", 1), ("b.cu", 0), ("c.cu", 0), ("c.cu", 1)]
    verify.run(job, STAND_IN, jobs=1)
    assert len(made) == 5
    failed = verify.run(replace(job, is_cuda=lambda _: True), STAND_IN, jobs=1)
    assert words(failed) == {"a.cu": "checked", "b.cu": "failed", "c.cu": "failed"}
    assert len(made) == 5  # a header of CUDA's fails a unit, whatever else the host may see


def test_a_unit_that_demands_a_macro_is_read_for_the_host_with_it_alone(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[tuple[tuple[str, ...], int]] = []

    def check_pass(unit: Unit, toolchain: Toolchain, number: int, before: Checked) -> Checked:
        made.append((unit.flags.defines, number))
        stops = Diagnostic("error", Place("a.cu", 2, 2), "LIB_GPU is needed", "device")
        found = () if "LIB_GPU" in unit.flags.defines else (stops,)
        return Checked((*before.diagnostics, *found), (f"{unit.root}/{unit.path}",))

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(
        verify.plugins, "load", lambda package: {"stand_in": SimpleNamespace(check=None, check_pass=check_pass)}
    )
    (root / "a.cu").write_text("#ifndef LIB_GPU\n#error LIB_GPU is needed\n#endif\n")
    for _ in range(2):  # the second answer is a kept one
        assert words(verify.run(verify.Job(str(root), ["a.cu"]), STAND_IN, jobs=1)) == {"a.cu": "checked"}
        assert made == [((), 0), (("LIB_GPU",), 0), (("LIB_GPU",), 1)]


@pytest.mark.parametrize(("wrong", "hosts", "word"), [(False, 1, "unresolved"), (True, 3, "failed")])
def test_a_header_that_units_in_doubt_share_is_read_once_for_the_host(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, wrong: bool, hosts: int, word: str
) -> None:
    made: list[tuple[str, int]] = []

    def check_pass(unit: Unit, toolchain: Toolchain, number: int, before: Checked) -> Checked:
        made.append((unit.path, number))
        lacks = Diagnostic("missing-header", Place(unit.path, 1, 1), "no", "device", header="no.h")
        error = Diagnostic("error", Place("all.cuh", 1, 1), "bad", "host", apart="before")
        found = (error,) if wrong and number else ()
        return Checked((*before.diagnostics, lacks, *found), tuple(f"{unit.root}/{p}" for p in (unit.path, "all.cuh")))

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(
        verify.plugins, "load", lambda package: {"stand_in": SimpleNamespace(check=None, check_pass=check_pass)}
    )
    (root / "all.cuh").write_text("#ifndef __HIP_DEVICE_COMPILE__\nbad\n#endif\n")
    units = ["a.cu", "b.cu", "c.cu"]
    for name in units:
        (root / name).write_text("no.h")
    job = verify.Job(str(root), units)
    assert words(verify.run(job, STAND_IN, jobs=1)) == dict.fromkeys(units, word)
    assert sum(number for _, number in made) == hosts and len(made) == 3 + hosts
    assert words(verify.run(job, STAND_IN, jobs=1)) == dict.fromkeys(units, word)
    assert len(made) == 3 + hosts  # what was left out is left out again


@pytest.mark.parametrize(
    ("text", "other", "build", "word"),
    [
        ("bad", "int b;", "", "unresolved"),
        ("good", "int b;", "", "checked"),
        ("bad", "int a;", "", "failed"),  # the same text: whichever is meant
        ("bad", "int b;", "include_directories(near)\n", "failed"),  # the build says which
        ("bad", "int b;", "add_executable(x app/src/a.cu)\nadd_library(n n.cu)\ntarget_link_libraries(x n)\n"
         "target_include_directories(n INTERFACE near)\n", "failed"),
    ],
)  # fmt: skip
def test_a_failure_with_a_file_that_is_one_of_several_that_may_be_meant_is_none(
    root: Path, engine: Engine, text: str, other: str, build: str, word: str
) -> None:
    files = {"app/src/a.cu": f'#include "util.h"\n{text}', "near/util.h": "int a;", "far/away/from/util.h": other}
    for path, data in {**files, "CMakeLists.txt": f"project(a)\n{build}"}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(data)
    engine.reads = ("near/util.h",)
    (verdict,) = verify.run(verify.Job(str(root), ["app/src/a.cu"]), STAND_IN, jobs=1).verdicts
    assert verdict.word == word
    said = ("no build file says which of several files is meant by util.h",)
    assert verdict.headers == (said if word == "unresolved" else ())


def test_a_failure_without_a_file_that_was_guessed_at_stays_one(root: Path, engine: Engine) -> None:
    files = {"src/a.cu": '#include "util.h"\nbad', "near/util.h": "int a;", "far/away/from/util.h": "int b;"}
    for path, data in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(data)
    (verdict,) = verify.run(verify.Job(str(root), ["src/a.cu"]), STAND_IN, jobs=1).verdicts
    assert verdict.word == "failed", "the compiler never came to it"


@pytest.mark.parametrize(
    ("build", "word"),
    [("to_text(a.md ${x_BINARY_DIR}/lib/detail/v.cuh)", "unresolved"), ("find_path(v lib/detail/v.cuh)", "failed")],
)
def test_a_header_that_the_build_makes_is_none_of_cudas(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, build: str, word: str
) -> None:
    def check(unit: Unit, toolchain: Toolchain) -> Checked:
        lacks = Diagnostic("missing-header", Place(unit.path, 1, 1), "no", "device", header="lib/detail/v.cuh")
        return Checked((lacks,), (f"{unit.root}/{unit.path}",))

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(verify.plugins, "load", lambda package: {"stand_in": SimpleNamespace(check=check)})
    (root / "CMakeLists.txt").write_text(f"project(a)\n{build}\n")
    (root / "a.cu").write_text("#include <lib/detail/v.cuh>\n")
    job = verify.Job(str(root), ["a.cu"], is_cuda=lambda name: name.startswith("lib/"))
    (verdict,) = verify.run(job, STAND_IN, jobs=1).verdicts
    assert verdict.word == word


@pytest.mark.parametrize(
    ("include", "word", "lacks"),
    [
        ("vec/vec.h", "unresolved", ("vec/vec.h (git submodule update --init deps/vec)",)),
        ("other/vec.h", "checked", ()),  # a header that the submodule does not bring is looked for in the tree
        ("local.h", "checked", ()),
    ],
)
def test_a_header_of_an_absent_submodule_is_not_guessed_at(
    root: Path, chosen: Toolchain, include: str, word: str, lacks: tuple[str, ...]
) -> None:
    files = {
        ".gitmodules": '[submodule "vec"]\n\tpath = deps/vec\n\turl = https://example.org/vec.git\n',
        "prebuilt/include/vec/vec.h": "#pragma once\n",
        "lib/include/other/vec.h": "#pragma once\n",
        "lib/include/local.h": "#pragma once\n",
        "src/a.cu": f"#include <hip/hip_runtime.h>\n#include <{include}>\n__global__ void k() {{}}\n",
    }
    written(root, files)
    (root / "deps" / "vec").mkdir(parents=True)
    (found,) = verify.run(verify.Job(str(root), ["src/a.cu"]), chosen, jobs=1).verdicts
    assert (found.word, found.headers) == (word, lacks)


@pytest.mark.parametrize(
    ("include", "lacks"),
    [
        ("kit/a.h", ("kit/a.h (the repository has one, in a folder that no build file names for it)",)),
        ("kit/b.h", ("kit/b.h",)),
    ],
)
def test_a_header_of_a_neighbouring_project_is_said_to_be_there(
    root: Path, chosen: Toolchain, include: str, lacks: tuple[str, ...]
) -> None:
    files = {
        "lib/kit/a.h": "#pragma once\n",
        "lib/Makefile": "all:\n\tcc a.c\n",
        "app/Makefile": "all:\n\tnvcc a.cu\n",
        "app/a.cu": f"#include <hip/hip_runtime.h>\n#include <{include}>\n__global__ void k() {{}}\n",
    }
    written(root, files)
    (found,) = verify.run(verify.Job(str(root), ["app/a.cu"]), chosen, jobs=1).verdicts
    assert (found.word, found.headers) == ("unresolved", lacks)
