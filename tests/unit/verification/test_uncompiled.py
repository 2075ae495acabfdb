"""HIP code that no pass compiles: what nothing was said of is not called right."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.config import Config
from cudamigrate.model.verification import Toolchain, Verdict, Verification
from cudamigrate.pipeline import prove
from cudamigrate.verification import text

pytestmark = pytest.mark.usefixtures("embedded_clang")

RUNTIME = "#include <hip/hip_runtime.h>\n"
KERNEL = "__global__ void k(int *p) { *p = 1; }\nvoid run(int *p) { k<<<1, 1>>>(p); }\n"
CHOSEN = Toolchain("clang", "clang 22", "7.1", (), ("gfx942",))


def judged(tmp_path: Path, files: dict[str, str]) -> dict[str, Verdict]:
    for name, data in files.items():
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text(data)
    found = prove.verify(tmp_path / "tree", Config(jobs=1), "clang").verdicts
    return {verdict.path: verdict for verdict in found}


def test_a_unit_that_one_macro_empties_is_judged_with_it(tmp_path: Path) -> None:
    files = {
        "good.cu": f"\n#ifdef MINE_GPU\n{RUNTIME}{KERNEL}#endif\n",
        "bad.cu": f"#if MINE_GPU\n{RUNTIME}void f() {{ hipNoSuchCall(); }}\n#endif\n",
        "whole.cu": f"{RUNTIME}{KERNEL}",
    }
    found = judged(tmp_path, files)
    assert {path: (one.word, one.given) for path, one in found.items()} == {
        "good.cu": ("checked", "MINE_GPU, asked for in line 2"),
        "bad.cu": ("failed", "MINE_GPU, asked for in line 1"),
        "whole.cu": ("checked", ""),
    }
    assert "MINE_GPU, without which it has no HIP code" in found["good.cu"].flags


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("#if defined(MINE_A) && MINE_B", "`defined(MINE_A) && MINE_B` in line 1 does not hold"),
        ("#ifdef _WIN32", "`_WIN32` in line 1 does not hold"),
        ("#ifdef __NVCC__", "`__NVCC__` in line 1 does not hold"),
    ],
)
def test_an_empty_unit_is_not_judged_where_no_macro_of_the_build_decides(
    tmp_path: Path, condition: str, why: str
) -> None:
    (found,) = judged(tmp_path, {"a.cu": f"{condition}\n{RUNTIME}{KERNEL}#endif\n"}).values()
    assert (found.word, found.headers) == ("unresolved", (f"nothing of its HIP code is compiled: {why}",))


def test_a_macro_that_does_not_help_is_named(tmp_path: Path) -> None:
    source = f"#undef MINE\n#ifdef MINE\n{RUNTIME}{KERNEL}#endif\n"
    (found,) = judged(tmp_path, {"a.cu": source}).values()
    assert found.word == "unresolved" and "nor with `MINE` defined (line 2)" in found.headers[0]


def test_what_a_project_leaves_to_cuda_is_none_of_amds(tmp_path: Path) -> None:
    files = {
        "a.cu": f"#ifndef __HIP_PLATFORM_AMD__\n{RUNTIME}{KERNEL}#endif\n",
        "b.cu": f"{RUNTIME}{KERNEL}#ifndef __HIP_PLATFORM_AMD__\n__global__ void old() {{}}\n#endif\n",
    }
    found = judged(tmp_path, files)
    assert {(one.word, one.given, one.skipped) for one in found.values()} == {("checked", "", ())} and "b.cu" in found


def test_a_unit_whose_headers_have_the_code_is_not_empty(tmp_path: Path) -> None:
    gated = "#ifdef MINE_DEBUG\nvoid wait() { hipDeviceSynchronize(); }\n#endif\n"
    found = judged(tmp_path, {"a.cu": f'#include "k.h"\n{gated}', "k.h": f"{RUNTIME}{KERNEL}"})["a.cu"]
    assert (found.word, found.given, found.skipped_host) == ("checked", "", (("MINE_DEBUG", 1),))


def test_code_of_the_host_is_no_gpu_code(tmp_path: Path) -> None:
    source = f"""{RUNTIME}#define ON_GPU __device__
{KERNEL}#ifdef MINE
void wait(int *p) {{ k<<<1, 1>>>(p); hipDeviceSynchronize(); }}
void show() {{
  hipError_t e = hipGetLastError();
}}
__constant__ int table[4];
ON_GPU float half_of(__half h) {{
  __half2 twice(h, h);
  return 0;
}}
#endif
"""
    (found,) = judged(tmp_path, {"a.cu": source}).values()
    assert (found.skipped, found.skipped_host) == ((("MINE", 4),), (("MINE", 2),))


def test_code_that_its_author_left_out_is_not_counted(tmp_path: Path) -> None:
    source = f"{RUNTIME}{KERNEL}#if 0\nvoid a() {{ hipDeviceReset(); }}\n#endif\n"
    source += "#ifdef _WIN32\nvoid b() { hipDeviceReset(); }\n#endif\n"
    (found,) = judged(tmp_path, {"a.cu": source}).values()
    assert (found.word, found.skipped) == ("checked", ())


def test_code_of_one_pass_is_compiled(tmp_path: Path) -> None:
    source = f"{RUNTIME}#ifndef __HIP_DEVICE_COMPILE__\nvoid wait() {{ hipDeviceSynchronize(); }}\n#endif\n"
    source += "#ifdef __HIP_DEVICE_COMPILE__\n__device__ int one() { return 1; }\n#endif\n"
    (found,) = judged(tmp_path, {"a.cu": source}).values()
    assert (found.word, found.skipped) == ("checked", ())


def test_lines_that_are_not_compiled_are_counted_by_condition() -> None:
    verdicts = (
        Verdict("a.cu", "checked", skipped=(("MINE_A", 3), ("MINE_B > 1", 1))),
        Verdict("b.cu", "failed", skipped=(("MINE_A", 5),)),
        Verdict("c.cu", "checked", given="MINE, asked for in line 7", skipped_host=(("MINE_C", 2),)),
        Verdict("d.cu", "failed", given="MINE, asked for in line 2"),
    )
    said = text.render_text(Verification(CHOSEN, verdicts, ("gfx942",)))
    code = "1 file that type-checks has 4 lines of GPU code that no pass compiles"
    assert f"{code}, behind `MINE_A` and 1 other condition: a.cu" in said
    host = "1 file that type-checks has 2 lines of host code with HIP calls that no pass compiles"
    assert f"{host}, behind `MINE_C`: c.cu" in said
    why = "without it nothing of their HIP code is compiled (c.cu:7)"
    assert f"2 files compiled with `MINE` defined: {why}: c.cu, d.cu" in said


@pytest.mark.parametrize(
    ("opening", "skipped"), [("#ifdef MINE", ()), ("#ifndef OTHER", (("OTHER", 1),))], ids=["with it", "without it"]
)
def test_what_is_compiled_without_a_macro_is_no_gap(
    tmp_path: Path, opening: str, skipped: tuple[tuple[str, int], ...]
) -> None:
    source = f"#define MINE\n{RUNTIME}{KERNEL}{opening}\nvoid f();\n#else\nhipError_t g();\n#endif\n"
    (found,) = judged(tmp_path, {"a.cu": source}).values()
    assert (found.word, tuple(found.skipped_host)) == ("checked", skipped)


def test_of_conditions_around_code_the_one_that_fails_is_told(tmp_path: Path) -> None:
    inner = "#if MINE > 4\nvoid a() { hipDeviceReset(); }\n#endif\n"
    source = f"{RUNTIME}{KERNEL}#define MINE 2\n#ifdef MINE\n{inner}#endif\n#ifdef MINE\n{inner}int rest;\n#endif\n"
    (found,) = judged(tmp_path, {"a.cu": source}).values()
    assert (found.word, tuple(found.skipped_host)) == ("checked", (("MINE > 4", 2),))


GATED = "#if __CUDA_ARCH__ >= 800\n{}#endif\n"
BODY = "  int a = *p;\n  a += 3;\n  *p = a;\n"


def test_lines_of_a_kernel_count_whatever_they_name(tmp_path: Path) -> None:
    source = RUNTIME + "__global__ void k(int *p) {\n" + GATED.format(BODY) + "  p[1] = 2;\n}\n"
    found = judged(tmp_path, {"a.cu": source, "b.cu": source, "c.cu": f"{RUNTIME}{KERNEL}"})
    assert {path: tuple(one.skipped) for path, one in found.items()} == {
        "a.cu": (("__CUDA_ARCH__ >= 800", 3),),
        "b.cu": (("__CUDA_ARCH__ >= 800", 3),),
        "c.cu": (),
    }


def test_a_test_for_the_pass_and_a_number_asks_for_the_number(tmp_path: Path) -> None:
    gate = GATED.replace("__CUDA_ARCH__ >= 800", "defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 300")
    source = RUNTIME + "__global__ void k(int *p) {\n" + gate.format(BODY) + "  p[1] = 2;\n}\n"
    assert sum(count for _, count in judged(tmp_path, {"a.cu": source})["a.cu"].skipped) == 3


def test_a_macro_of_another_file_says_that_a_function_is_for_gpus(tmp_path: Path) -> None:
    code = "OURS void own(int *p) {\n" + GATED.format(BODY) + "  p[1] = 2;\n}\n"
    files = {
        "a.cu": f'{RUNTIME}#include "m.h"\n{KERNEL}{code}',
        "b.cu": f'{RUNTIME}#include "n.h"\n{KERNEL}{code.replace("OURS", "HOSTS")}',
        "m.h": "#define OURS inline __device__\n",
        "n.h": "#define HOSTS inline\n",
    }
    found = judged(tmp_path, files)
    assert {path: tuple(one.skipped) for path, one in found.items()} == {
        "a.cu": (("__CUDA_ARCH__ >= 800", 3),),
        "b.cu": (),
    }


MAKER = (
    '#define OPS(T, NAME) \\\n  extern "C" __global__ void NAME##_k(T *p) { *p = 0; }\n#define BOTH(T, N) OPS(T, N)\n'
)
CALLS = "#define CALLS(T, NAME) void NAME##_f(T *p) { *p = 0; }\n"
FREE = "#if __CUDA_ARCH__ >= 530\n{}(__half, f16)\n#endif\n"


@pytest.mark.parametrize("included", [False, True])
@pytest.mark.parametrize(
    ("macros", "name", "device", "host"),
    [
        (MAKER, "OPS", 1, 0),
        (MAKER, "BOTH", 1, 0),
        (CALLS, "CALLS", 0, 1),  # code of the host with a type of HIP's
    ],
)
def test_kernels_that_a_macro_makes_are_the_gpu_s(
    macros: str, name: str, device: int, host: int, included: bool, tmp_path: Path
) -> None:
    files = {"a.cu": RUNTIME + KERNEL + ('#include "m.h"\n' if included else macros) + FREE.format(name), "m.h": macros}
    found = judged(tmp_path, files)["a.cu"]
    assert (sum(n for _, n in found.skipped), sum(n for _, n in found.skipped_host)) == (device, host)


def test_code_of_the_host_that_names_nothing_of_gpus_does_not(tmp_path: Path) -> None:
    source = f"{RUNTIME}{KERNEL}void f(int *p) {{\n{GATED.format(BODY)}}}\n"
    assert judged(tmp_path, {"a.cu": source})["a.cu"].skipped == ()


HEADER = "#pragma once\n#ifdef MINE\n__device__ inline int two(int a) {\n  a *= 2;\n  return a;\n}\n#endif\n"


@pytest.mark.parametrize(
    ("other", "hidden"),
    [
        ('#include "h.cuh"\n', (("h.cuh", (("MINE", 3),)),)),
        ('#define MINE\n#include "h.cuh"\n', ()),  # another unit has it
        ("", (("h.cuh", (("MINE", 3),)),)),
        ('#define MINE\n#include "h.cuh"\nint wrong = unknown_name;\n', ()),  # another unit has it, and fails behind it
        ("int wrong = unknown_name;\n", (("h.cuh", (("MINE", 3),)),)),
    ],
)
def test_headers_are_told_whose_code_no_unit_compiles(
    tmp_path: Path, other: str, hidden: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
) -> None:
    files = {"a.cu": f'{RUNTIME}#include "h.cuh"\n{KERNEL}', "b.cu": f"{RUNTIME}{other}{KERNEL}", "h.cuh": HEADER}
    for name, data in files.items():
        (tmp_path / name).write_text(data)
    found = prove.verify(tmp_path, Config(jobs=1), "clang")
    assert found.unseen == (hidden, ())
    said = text.render_text(found)
    assert ("3 lines of GPU code that no pass compiles, behind `MINE`: h.cuh" in said) is bool(hidden)


@pytest.mark.parametrize(("call", "hidden"), [("hipMalloc(a, 4)", True), ("malloc(4)", False)])
def test_a_header_that_hides_code_of_the_host_alone_has_no_gpu_code(call: str, hidden: bool, tmp_path: Path) -> None:
    header = f"#pragma once\n#ifdef MINE\ninline void two(int **a) {{ {call}; }}\n#endif\n"
    (tmp_path / "a.cu").write_text(f'{RUNTIME}#include "h.cuh"\n{KERNEL}')
    (tmp_path / "h.cuh").write_text(header)
    found = prove.verify(tmp_path, Config(jobs=1), "clang")
    assert found.unseen == ((), (("h.cuh", (("MINE", 1),)),) if hidden else ())
    said = "1 line of host code with HIP calls that no pass compiles, behind `MINE`: h.cuh"
    assert (said in text.render_text(found)) is hidden and "GPU code" not in text.render_text(found)
