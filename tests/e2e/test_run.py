"""Programs run on the emulated GPU as a user meets it: `verify --run`, and at the end of `apply --run`."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import command_line
import pytest

from cudamigrate.emulation import build
from cudamigrate.reporting.formats import html
from cudamigrate.reporting.load_json import loads

pytestmark = pytest.mark.exhaustive

SUM = """\
#include <cuda_runtime.h>
#include <cstdio>
__global__ void sum(const int *in, int *out) {
    int value = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_down_sync(0xffffffff, value, apart);
    value = __shfl_sync(0xffffffff, value, 0);
    if (threadIdx.x % 32 == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = value;
}
int main() {
    int host[128], *in, *totals;
    for (int i = 0; i < 128; ++i) host[i] = i;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&totals, 4 * sizeof(int));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    sum<<<2, 64>>>(in, totals);
    cudaMemcpy(host, totals, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d %d\\n", host[0], host[1]);
}
"""


@pytest.fixture(autouse=True)
def compiler() -> build.Compiler:
    found = build.compiler()
    if found is None:
        pytest.skip(build.INSTALL)
    return found


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return command_line.run(*words)


def test_the_conversion_is_the_same_and_one_repair_undone_is_not(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "sum.cu").write_text(SUM)
    (tmp_path / "in" / "notes.txt").write_text("no program")
    told = tmp_path / "report.json"
    applied = run("apply", tmp_path / "in", "-o", tmp_path / "out", "--run", "--report", told)
    assert applied.returncode == 0, applied.stderr
    (shown,) = json.loads(told.read_text())["proof"]["runs"]["programs"]
    assert (shown["name"], shown["run"], shown["waves"]) == ("sum.cu", "same", [32, 64])
    page = html.render(loads(told.read_text()))
    assert "1 the same, each compared with the original with 32 lanes" in page and "<code>sum.cu</code>" in page
    assert "Running code of the repository on an emulated GPU, as --run asks." in applied.stderr
    assert "1 program on an emulated GPU" in applied.stderr and "1 the same as the original" in applied.stderr
    made = tmp_path / "out" / "sum.cu"
    repaired = "__shfl(value, 0, 32)"
    assert repaired in made.read_text()
    made.write_text(made.read_text().replace(repaired, "__shfl(value, 0)"))
    done = run("verify", tmp_path / "out", "--run", "--original", tmp_path / "in", "-f", "json")
    assert done.returncode == 1, done.stderr
    (program,) = json.loads(done.stdout)["runs"]["programs"]
    assert program["run"] == "differs" and program["waves"] == [32, 64]
    assert program["reason"].startswith("on 64 lanes it computes another result: totals[1] after sum is")
    assert "the original's 1520" in program["reason"]


def test_what_cannot_be_run_is_said_and_is_no_pass(tmp_path: Path) -> None:
    (tmp_path / "a.hip").write_text("#include <hip/hip_runtime.h>\n#include <nowhere.h>\nint main() { return 0; }\n")
    (tmp_path / "b.hip").write_text('#include <cstdio>\nint main() { std::puts("usage: b FILE"); return 2; }\n')
    (tmp_path / "c.hip").write_text("int value() { return 1; }\n")
    done = run("verify", tmp_path, "--run", "--wave", "64")
    assert done.returncode == 3, done.stdout
    assert "a.hip: not run: a.hip:2: " in done.stdout and "nowhere.h" in done.stdout
    assert "b.hip: not run: launches no kernel" in done.stdout and "'usage: b FILE'" in done.stdout
    assert "2 programs" in done.stdout and "2 not run" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--wave", "16"), "--wave takes"),
        (("--schedule", "often"), "--schedule takes"),
        (("--original", "no"), "no does"),
    ],
)
def test_wrong_words_are_refused(words: tuple[str, str], said: str, tmp_path: Path) -> None:
    (tmp_path / "c.hip").write_text("int value() { return 1; }\n")
    done = run("verify", tmp_path, "--run", *words)
    assert done.returncode == 2 and said in done.stderr


READS = """\
#include <cuda_runtime.h>
#include <cstdio>
__global__ void twice(int *values) { values[threadIdx.x] *= 2; }
int main() {
    int host[4] = {0, 0, 0, 0}, *values;
    FILE *numbers = std::fopen("data/numbers.txt", "r"), *far = std::fopen("../beside/other.txt", "r");
    if (numbers == nullptr || far == nullptr) return 1;
    for (int i = 0; i < 3; ++i) std::fscanf(numbers, "%d", &host[i]);
    std::fscanf(far, "%d", &host[3]);
    cudaMalloc(&values, sizeof(host));
    cudaMemcpy(values, host, sizeof(host), cudaMemcpyHostToDevice);
    twice<<<1, 4>>>(values);
    cudaMemcpy(host, values, sizeof(host), cudaMemcpyDeviceToHost);
    std::fprintf(std::fopen("made.txt", "w"), "%d %d %d %d", host[0], host[1], host[2], host[3]);
    std::fprintf(std::fopen("data/numbers.txt", "w"), "0 0 0");
}
"""


def test_a_program_finds_its_data_and_what_it_writes_is_compared(tmp_path: Path) -> None:
    before, after = tmp_path / "in", tmp_path / "out"
    (before / "sample" / "data").mkdir(parents=True)
    (before / "beside").mkdir()
    (before / "sample" / "reads.cu").write_text(READS)
    (before / "sample" / "data" / "numbers.txt").write_text("1 2 3")
    (before / "beside" / "other.txt").write_text("21")
    done = run("apply", before, "-o", after, "--run")
    assert "1 the same as the original" in done.stderr, done.stderr
    made = after / "sample" / "reads.cu"
    made.write_text(made.read_text().replace('"%d %d %d %d", host[0]', '"%d %d %d %d", 5'))
    told = run("verify", after, "--run", "--original", before)
    assert (
        told.returncode == 1
        and "writes to sample/made.txt '5 4 6 42' in line 1, the original '2 4 6 42'" in told.stdout
    )
    assert (before / "sample" / "data" / "numbers.txt").read_text() == "1 2 3"


STEPS = """\
#include <cuda_runtime.h>
#include <cstdio>
__global__ void turned(int *values) {
    __shared__ int kept[32];
    const int t = threadIdx.x;
    kept[t] = values[t];
    __syncwarp();
    values[t] = kept[31 - t];
}
int main() {
    int host[32], *values;
    for (int i = 0; i < 32; ++i) host[i] = i;
    cudaMalloc(&values, sizeof(host));
    cudaMemcpy(values, host, sizeof(host), cudaMemcpyHostToDevice);
    turned<<<1, 32>>>(values);
    cudaMemcpy(host, values, sizeof(host), cudaMemcpyDeviceToHost);
    std::printf("%d\\n", host[0]);
}
"""


def test_a_result_that_depends_on_the_order_of_lanes_is_a_finding(tmp_path: Path) -> None:
    for name, text in (("in", STEPS), ("out", STEPS.replace("    __syncwarp();\n", "").replace("cuda", "hip"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "steps.cu").write_text(text.replace("<hip_runtime.h>", "<hip/hip_runtime.h>"))
    words = ("verify", tmp_path / "out", "--run", "--original", tmp_path / "in", "-f", "json")
    (in_step,) = json.loads(run(*words).stdout)["runs"]["programs"]
    kinds = {fault["kind"]: fault for fault in in_step["faults"]}
    assert in_step["run"] == "same" and "depends-on-order" in kinds
    assert kinds["uninitialised-shared-memory"]["origin"] == "steps.cu:8"
    for order in ("free", "random:5"):
        (drawn,) = json.loads(run(*words, "--schedule", order).stdout)["runs"]["programs"]
        assert drawn["run"] == "differs", order
