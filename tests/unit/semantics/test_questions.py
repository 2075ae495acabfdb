"""What is asked of libclang, and what becomes of findings by its answers: the engine itself is played."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.model import Finding, SourceFile
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.semantics import Expression, questions
from cudamigrate.warp.lane_code import NAMES


class Told:
    """Answers that a test gives by the text they are for; all else is unknown."""

    def __init__(self, text: str, device: bool | None = None, named: str = "unknown", **values: Expression) -> None:
        self.text, self.device, self.named, self.values = text, device, named, values
        self.owner = SimpleNamespace(thorough=True)
        self.asked = False
        self.questions: list[str] = []

    def expression(self, start: int, end: int) -> Expression | None:
        self.asked = True
        self.questions.append(self.text[start:end])
        return self.values.get(self.text[start:end])

    def constant(self, offset: int) -> Expression | None:
        self.asked = True
        return self.values.get(self.text[offset:].split()[0])

    def called(self, offset: int) -> str:
        self.asked = True
        return self.named

    def is_device(self, offset: int) -> bool | None:
        self.asked = True
        self.questions.append("where")
        return self.device


def parsed(text: str) -> ParsedFile:
    words = frozenset(name.encode() for name in NAMES)
    return cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), words)


def judged(text: str, answers: Told) -> list[Finding]:
    findings = [finding for finding in find_in_text(text).findings if finding.group == "warp"]
    return list(questions.judged(parsed(text), findings, answers))


INTEGER = Expression("integer")
LANE = "__global__ void k(int *a) { int lane = threadIdx.x % 32; a[lane] = 0; }"


def number(value: int) -> Expression:
    return Expression("integer", value)


def test_a_file_without_a_word_of_lanes_is_asked_nothing() -> None:
    answers = Told(text := "__global__ void k(int *a) { a[threadIdx.x] = blockDim.x / THREADS; }")
    questions.prepare(parsed(text), answers)
    assert not answers.asked


def test_a_name_that_the_file_defines_is_no_question() -> None:
    answers = Told(text := "#define WARP_SIZE 32\n__global__ void k(int *a) { a[threadIdx.x % WARP_SIZE] = 0; }")
    questions.prepare(parsed(text), answers)
    assert not answers.asked


@pytest.mark.parametrize(
    ("expression", "asked"),
    [
        ("threadIdx.x % WARP_SIZE", ["WARP_SIZE"]),
        ("threadIdx.x / util::groups", ["util::groups"]),
        ("threadIdx.x / util::warps()", ["util::warps()"]),
        ("(threadIdx.x + 1) >> SHIFT", ["SHIFT"]),
        ("lane % tile", []),
        ("threadIdx.x % lane", []),
        ("threadIdx.x * pitch", []),
        ("threadIdx.x % warpSize", []),
    ],
)
def test_what_divides_threads_and_is_elsewhere_is_asked_for(expression: str, asked: list[str]) -> None:
    answers = Told(text := f"__global__ void k(int *a, int lane) {{ a[0] = {expression}; }}")
    questions.prepare(parsed(text), answers)
    assert answers.questions == asked


def test_a_name_of_one_value_goes_to_the_analysis_and_one_of_two_does_not() -> None:
    text = "__global__ void k(int *a, int lane) { a[threadIdx.x % one::SIZE] = threadIdx.x / two::SIZE % kept::ROW; }"
    for second, known in ((32, {b"SIZE": 32}), (16, {})):
        answers = Told(text, **{"one::SIZE": number(32), "two::SIZE": number(second)})
        made = parsed(text)
        questions.prepare(made, answers)
        assert made.resolved == known


@pytest.mark.parametrize(
    ("head", "body", "asked", "scope"),
    [
        ("ENGINE_GPU int", "return lane % 32;", True, "device"),
        ("static int", "return threadIdx.x;", False, "device"),
        ("static int", "return lane % 32;", False, "host"),
        ("ENGINE_GPU int", "return 0;", False, "host"),
        ("__device__ int", "return threadIdx.x;", False, "device"),
    ],
)
def test_where_a_function_runs_is_asked_where_something_speaks_for_the_device(
    head: str, body: str, asked: bool, scope: str
) -> None:
    text = f"// lanes\n{head} f(int lane) {{ {body} }}"
    answers, made = Told(text, device=True), parsed(text)
    questions.prepare(made, answers)
    assert answers.questions == (["where"] if asked else [])
    assert made.functions[0].scope == scope


@pytest.mark.parametrize("word", ["CUTLASS_DEVICE", "CUTE_HOST_DEVICE", "C10_DEVICE"])
def test_what_libraries_call_cudas_qualifiers_is_no_question(word: str) -> None:
    answers, made = Told(text := f"{word} int f(int lane) {{ return threadIdx.x % 32; }}"), parsed(text)
    questions.prepare(made, answers)
    assert answers.questions == []
    assert made.functions[0].scope == "device"


def test_arithmetic_is_confirmed_by_types_value_and_scope() -> None:
    sides = {"threadIdx.x": INTEGER, "32": number(32)}
    assert [f.certainty for f in judged(LANE, Told(LANE, device=True, **sides))] == ["resolved"]
    assert [f.certainty for f in judged(LANE, Told(LANE, device=None, **sides))] == ["syntax"]
    assert [f.certainty for f in judged(LANE, Told(LANE, device=True, **{"threadIdx.x": INTEGER}))] == ["syntax"]
    odd = {"threadIdx.x": Expression("other"), "32": number(32)}
    assert [f.certainty for f in judged(LANE, Told(LANE, device=True, **odd))] == ["syntax"]


def test_a_quotient_of_floats_counts_no_lanes() -> None:
    text = "__global__ void k(float *a) { float lane = threadIdx.x / 32; a[threadIdx.x] = lane; }"
    floats = {"threadIdx.x": Expression("floating"), "32": number(32)}
    assert judged(text, Told(text))
    assert judged(text, Told(text, device=True, **floats)) == []


def test_a_name_that_is_no_count_of_lanes_is_no_finding() -> None:
    text = "__global__ void k(int *a) { int lane = threadIdx.x % WARP_SIZE; a[lane] = 0; }"
    for value, left in ((8, 0), (32, 1), (None, 1)):
        sides = {"threadIdx.x": INTEGER, "WARP_SIZE": Expression("integer", value)}
        assert len(judged(text, Told(text, device=True, **sides))) == left, value


def test_a_call_is_confirmed_where_it_is_cudas_own() -> None:
    text = "__global__ void k(int *a) { a[0] = __shfl_xor_sync(0xffffffff, a[0], 1); }"
    assert [f.certainty for f in judged(text, Told(text, device=True, named="language"))] == ["resolved"]
    assert [f.certainty for f in judged(text, Told(text, device=True, named="member"))] == ["syntax"]
    assert [f.certainty for f in judged(text, Told(text, device=False, named="language"))] == ["syntax"]


def test_a_constant_is_confirmed_by_its_value_and_a_macro_is_not() -> None:
    for text, value, certainty in (
        ("constexpr int kWarpSize = 32;", 32, "resolved"),
        ("constexpr int kWarpSize = 32;", None, "token"),
        ("#define kWarpSize 32\n", 32, "token"),
    ):
        answers = Told(text, kWarpSize=Expression("integer", value))
        assert [f.certainty for f in judged(text, answers)] == [certainty]


def test_findings_of_other_groups_stay_as_they_are() -> None:
    text = "#include <cuda_runtime.h>\nvoid f(void *p) { cudaFree(p); }"
    findings = find_in_text(text).findings
    answers = Told(text, device=True, named="language")
    assert tuple(questions.judged(parsed(text), findings, answers)) == findings
    assert not answers.asked
