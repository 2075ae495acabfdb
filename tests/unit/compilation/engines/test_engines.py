"""Each engine finds planted faults at the right line, and lets right code through."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from cudamigrate import plugins
from cudamigrate.model import Target
from cudamigrate.model.verification import Toolchain, Verdict
from cudamigrate.verification import run as verify

ENGINES = plugins.load("cudamigrate.compilation.engines")
HEADER = "#include <hip/hip_runtime.h>\n"
FAULTS = {
    "lane mask cut to 32 bits": (
        "__global__ void k(float *a) {\n    unsigned mask = __ballot(a[0] > 0);\n    a[1] = __popc(mask);\n}\n",
        3,
        "lane mask of 64 bits is cut to 32",
    ),
    "lane mask cut in an assignment": (
        "__device__ unsigned votes;\n__global__ void k(float *a) {\n    auto m = __ballot(a[0] > 0);\n"
        "    votes = m;\n}\n",
        5,
        "lane mask of 64 bits is cut to 32",
    ),
    "name that HIP lacks": ("void f() {\n    hipFooBar(nullptr);\n}\n", 3, "hipFooBar"),
    "argument of a wrong type": (
        "void f(float *p) {\n    hipMemcpy(p, 3.5, 4, hipMemcpyHostToDevice);\n}\n",
        3,
        "no matching function",
    ),
    "device function called on the host": (
        "struct S {\n    __device__ S(int n) {}\n};\nvoid f() {\n    S s(1);\n}\n",
        6,
        "call to __device__ function from __host__ function",
    ),
    "host function called in a kernel": (
        "void host(int);\n__global__ void k(float *a) {\n    host(1);\n}\n",
        4,
        "host",
    ),
    "builtin of AMD's in host code": (
        "void f(int *p) {\n    *p = __builtin_amdgcn_workitem_id_x();\n}\n",
        3,
        "__builtin_amdgcn_workitem_id_x",
    ),
}
RIGHT = """\
__global__ void k(int *a, size_t n) {
    int i = n;  // a size cut to 32 bits is no lane mask
    unsigned long long mask = __ballot(a[i] > 0);
    unsigned half = (unsigned)(mask >> 32);
    a[i] = __popcll(mask) + half;
}
int main() {
    int *a = nullptr;
    if (hipMalloc((void **)&a, 4) != hipSuccess) return 1;
    k<<<1, 64>>>(a, 1);
}
"""
AWAY = '#include "no/such_header.h"\nint f() { return unknown(); }\n'


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="module", params=sorted(ENGINES))
def verdicts(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Verdict]:
    """What each engine says of the faults, right code and a header that is away: one run for all of them."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        engine = verify.toolchain(str(request.param), Target(rocm="7.1"))
        if isinstance(engine, str):
            pytest.skip(engine)
        return judged(
            tmp_path_factory.mktemp("tree"),
            engine,
            **{name: text for name, (text, *_) in FAULTS.items()},
            right=RIGHT,
            away=AWAY,
        )


def judged(folder: Path, engine: Toolchain, **texts: str) -> dict[str, Verdict]:
    for name, text in texts.items():
        (folder / f"{name}.cu").write_text(HEADER + text)
    job = verify.Job(str(folder), [f"{name}.cu" for name in texts])
    return {Path(verdict.path).stem: verdict for verdict in verify.run(job, engine, jobs=1).verdicts}


def _functions(protocol: type) -> Iterator[tuple[str, list[str]]]:
    for name, member in vars(protocol).items():
        if inspect.isfunction(member) and not name.startswith("_"):
            yield name, list(inspect.signature(member).parameters)[1:]


@pytest.mark.parametrize("name", sorted(ENGINES))
def test_every_engine_has_the_names_of_the_protocol(name: str) -> None:
    from cudamigrate.compilation.engines import Engine

    for function, parameters in _functions(Engine):
        assert list(inspect.signature(getattr(ENGINES[name], function)).parameters) == parameters


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_a_planted_fault_is_caught_at_its_line(fault: str, verdicts: dict[str, Verdict]) -> None:
    _, line, said = FAULTS[fault]
    verdict = verdicts[fault]
    assert verdict.word == "failed"
    assert [entry.place.line for entry in verdict.diagnostics] == [line]
    assert said in verdict.diagnostics[0].message


def test_right_code_checks(verdicts: dict[str, Verdict]) -> None:
    verdict = verdicts["right"]
    assert (verdict.word, verdict.diagnostics) == ("checked", ())


def test_a_header_that_is_not_there_is_no_failure(verdicts: dict[str, Verdict]) -> None:
    verdict = verdicts["away"]
    assert (verdict.word, verdict.headers) == ("unresolved", ("no/such_header.h",))


def test_device_code_makes_objects_in_place_with_headers_that_bring_no_such_operator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    include = tmp_path / "rocm" / "include" / "hip"
    include.mkdir(parents=True)
    (include / "hip_version.h").write_text("#define HIP_VERSION_MAJOR 6\n#define HIP_VERSION_MINOR 3\n")
    (include / "hip_runtime.h").write_text("#pragma once\n")
    monkeypatch.setenv("ROCM_PATH", str(tmp_path / "rocm"))
    engine = verify.toolchain("clang", Target(rocm="6.3"))
    if isinstance(engine, str):
        pytest.skip(engine)
    (tmp_path / "tree").mkdir()
    kernel = "#include <new>\n__attribute__((global)) void k(char *at) { new (at) int(3); }\n"
    other = "void *operator new(unsigned long, int);\n__attribute__((global)) void k() { new (3) int; }\n"
    verdicts = judged(tmp_path / "tree", engine, kernel=kernel, other=other)
    assert verdicts["kernel"].word == "checked"
    assert verdicts["other"].word == "failed"


def test_ptx_fails_in_code_generation_only(tmp_path: Path) -> None:
    """Operands of plain registers pass the front end: the assembler alone says no."""
    text = '__global__ void k(int *a) {\n    int r;\n    asm("mov.u32 %0, 5;" : "=r"(r));\n    *a = r;\n}\n'
    words = {}
    for name in ENGINES:
        found = verify.toolchain(name, Target(rocm="7.1"))
        if isinstance(found, str):
            pytest.skip(found)
        words[name] = judged(tmp_path, found, asm=text)["asm"].word
    assert words == {"clang": "checked", "hipcc": "failed"}


def test_the_static_assertion_on_masks_is_reported_at_the_call(tmp_path: Path) -> None:
    found = verify.toolchain("clang", Target(rocm="7.1"))
    if isinstance(found, str) or not found.release.startswith("7"):
        pytest.skip(found if isinstance(found, str) else f"{found.title} has no such assertion")
    text = "__global__ void k(float *a) {\n    a[0] = __shfl_xor_sync(0xffffffffu, a[1], 1);\n}\n"
    verdict = judged(tmp_path, found, narrow=text)["narrow"]
    assert [(entry.place.path, entry.place.line) for entry in verdict.diagnostics] == [("narrow.cu", 3)]
    assert "64-bit" in verdict.diagnostics[0].message


def test_an_unknown_engine_is_named(tmp_path: Path) -> None:
    from cudamigrate.errors import InputError

    with pytest.raises(InputError, match="engines: auto, clang, hipcc"):
        verify.toolchain("gcc", Target())


def test_a_system_without_the_headers_of_its_c_library_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from cudamigrate.compilation.engines import clang

    pytest.importorskip("clang.cindex", reason="the embedded engine is not installed")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(clang, "_C_LIBRARY", (Path("/nowhere/stdio.h"),))
    found = clang.find(Target())
    assert isinstance(found, str) and "install g++" in found
