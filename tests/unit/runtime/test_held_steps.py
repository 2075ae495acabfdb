"""Steps of lanes through shared memory, as written and as held, on emulated wavefronts of 32 and 64 lanes.

They run in lock step, each access a step of its own, as AMD's hardware does it; and with lanes that run freely between
barriers, which is all that CUDA promises and all that a compiler has to keep.
"""

from __future__ import annotations

import pytest
from runtime.emulated import built, ran

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import SourceFile
from cudamigrate.pipeline import convert_file, inspect_file

FORMS = {
    "helper with a first step of 32": (
        "__device__ void tail(volatile T *s, int t) {"
        " s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8]; s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1];"
        " } __device__ void work(T *s, int t) { if (t < 32) tail(s, t); }"
    ),
    "sizes that the compiler knows": (
        "template <int N> __device__ void tail(volatile T *v, int t) {"
        " if (N >= 64) v[t] = v[t] + v[t + 32]; if (N >= 32) { v[t] = v[t] + v[t + 16]; }"
        " if (N >= 16) v[t] = v[t] + v[t + 8]; if (N >= 8) v[t] = v[t] + v[t + 4];"
        " if (N >= 4) v[t] = v[t] + v[t + 2]; if (N >= 2) v[t] = v[t] + v[t + 1];"
        " } __device__ void work(T *s, int t) { if (t < 32) tail<64>(s, t); }"
    ),
    "fewer lanes each step": (
        "__device__ void work(T *shared, int t) { volatile T *s = shared; if (t < 32) s[t] += s[t + 32];"
        " if (t < 16) s[t] += s[t + 16]; if (t < 8) s[t] += s[t + 8]; if (t < 4) s[t] += s[t + 4];"
        " if (t < 2) s[t] += s[t + 2]; if (t < 1) s[t] += s[t + 1]; }"
    ),
    "a loop": (
        "__device__ void work(T *shared, int t) { if (t < 32) { volatile T *s = shared;"
        " for (int o = 32; o > 0; o >>= 1) s[t] += s[t + o]; } }"
    ),
    "a loop with fewer lanes each turn": (
        "__device__ void work(T *shared, int t) { volatile T *s = shared;"
        " for (int o = 32; o > 0; o /= 2) { if (t < o) s[t] += s[t + o]; } }"
    ),
    "a running sum": (
        "__device__ void work(T *shared, int t) { if (t < 32) { volatile T *s = shared; int mine = s[t];"
        " s[t] = mine = mine + s[t + 32]; s[t] = mine = mine + s[t + 16]; s[t] = mine = mine + s[t + 8];"
        " s[t] = mine = mine + s[t + 4]; s[t] = mine = mine + s[t + 2]; s[t] = mine = mine + s[t + 1]; } }"
    ),
    "a read and a write apart": (
        "__device__ void work(T *shared, int t) { if (t < 32) { volatile T *s = shared; int mine = s[t];"
        " mine += s[t + 32]; s[t] = mine; mine += s[t + 16]; s[t] = mine; mine += s[t + 8]; s[t] = mine;"
        " mine += s[t + 4]; s[t] = mine; mine += s[t + 2]; s[t] = mine; mine += s[t + 1]; s[t] = mine; } }"
    ),
    "what is larger": (
        "__device__ void work(T *shared, int t) { if (t < 32) { volatile T *s = shared;"
        " if (s[t] < s[t + 32]) s[t] = s[t + 32]; if (s[t] < s[t + 16]) s[t] = s[t + 16];"
        " if (s[t] < s[t + 8]) s[t] = s[t + 8]; if (s[t] < s[t + 4]) s[t] = s[t + 4];"
        " if (s[t] < s[t + 2]) s[t] = s[t + 2]; if (s[t] < s[t + 1]) s[t] = s[t + 1]; } }"
    ),
    "what is larger, guarded": (
        "template <int N> __device__ void tail(volatile T *s, int t) {"
        " if (N >= 64 && s[t] < s[t + 32]) s[t] = s[t + 32]; if (N >= 32 && s[t] < s[t + 16]) s[t] = s[t + 16];"
        " if (N >= 16 && s[t] < s[t + 8]) s[t] = s[t + 8]; if (N >= 8 && s[t] < s[t + 4]) s[t] = s[t + 4];"
        " if (N >= 4 && s[t] < s[t + 2]) s[t] = s[t + 2]; if (N >= 2 && s[t] < s[t + 1]) s[t] = s[t + 1];"
        " } __device__ void work(T *s, int t) { if (t < 32) tail<64>(s, t); }"
    ),
    "a butterfly": (
        "__device__ void work(T *shared, int t) { volatile T *s = shared; s[t] += s[t ^ 16]; s[t] += s[t ^ 8];"
        " s[t] += s[t ^ 4]; s[t] += s[t ^ 2]; s[t] += s[t ^ 1]; __syncthreads();"
        " if (t == 0) { int sum = s[0]; sum += s[32]; s[0] = sum; } }"
    ),
    "a loop by while": (
        "__device__ void work(T *shared, int t) { volatile T *s = shared; int o = 32;"
        " while (o > 0) { if (t < o) s[t] += s[t + o]; o /= 2; } }"
    ),
    "up to each lane": (
        "__device__ void work(T *shared, int lane) { volatile T *s = shared; if (lane < 32) {"
        " if (lane >= 1) s[lane] += s[lane - 1]; if (lane >= 2) s[lane] += s[lane - 2];"
        " if (lane >= 4) s[lane] += s[lane - 4]; if (lane >= 8) s[lane] += s[lane - 8];"
        " if (lane >= 16) s[lane] += s[lane - 16]; } __syncthreads();"
        " if (lane == 0) { int sum = s[31]; for (int i = 32; i < 64; ++i) sum += s[i]; s[0] = sum; } }"
    ),
}
MAIN = """
__global__ void run(int *out, void (*work)(T *, int)) {
    __shared__ T s[128];
    const int t = threadIdx.x;
    s[t] = t < 64 ? t + 1 : 0;
    s[t + 64] = 0;
    __syncthreads();
    work(s, t);
    __syncthreads();
    if (t == 0) atomicAdd(out, s[0]);
}
int main() {
    for (auto work : {WORKS}) {
        int got = 0;
        run<<<8, 64>>>(&got, work);
        std::printf("%d ", got);
    }
}
"""
LARGEST, SUM = 8 * 64, 8 * 64 * 65 // 2
"""What a form makes of the numbers from 1 to 64, in eight blocks whose lanes run in different orders."""


def _programs() -> tuple[str, str]:
    """All forms in one file, as written and as converted."""
    code = "\n".join(f"namespace form_{number} {{ {form} }}" for number, form in enumerate(FORMS.values()))
    source = SourceFile("steps.cu", f"#include <cuda_runtime.h>\n{code}\n".encode(), "cuda")
    found = inspect_file.inspect(source, pipeline.rules(pipeline.target(Config()))).findings
    made = convert_file.convert(source, [one for one in found if one.rule == "warp/volatile-lanes"]).after.decode()
    assert made.count("const auto theirs = ") > 30
    return code, made.replace("#include <cuda_runtime.h>", "")


@pytest.fixture(scope="module")
def results(compiler: str, tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str, int], list[int]]:
    """What each form makes, by what was compiled, the order of lanes and the width of the wavefront."""
    folder, found = tmp_path_factory.mktemp("steps"), {}
    works = ", ".join(f"form_{number}::work" for number in range(len(FORMS)))
    for form, code in zip(("written", "held"), _programs(), strict=True):
        text = "#include <cstdio>\n#include <hip/hip_runtime.h>\ntypedef int T;\n"
        program = built(compiler, f"{text}{code}\n{MAIN.replace('WORKS', works)}", folder / form)
        for order in ("lockstep", "free"):
            for wave in (32, 64):
                done = ran(program, wave, schedule=order)
                found[form, order, wave] = [int(word) for word in done.stdout.split()]
    return found


@pytest.mark.parametrize("name", FORMS)
def test_steps_hold_in_lock_step_and_for_free_lanes(name: str, results: dict[tuple[str, str, int], list[int]]) -> None:
    number, wanted = list(FORMS).index(name), LARGEST if name.startswith("what is larger") else SUM
    for wave in (32, 64):
        assert results["written", "lockstep", wave][number] == wanted, "as written, in lock step"
        assert results["held", "lockstep", wave][number] == wanted, "held, in lock step"
        assert results["held", "free", wave][number] == wanted, "held, lanes free between barriers"
        assert results["written", "free", wave][number] != wanted, "as written, lanes free: what the barriers are for"
