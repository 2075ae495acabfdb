"""The call graph of one file, each edge beside one that is none."""

from cudamigrate.analysis.call_graph import CallGraph
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

CODE = """
__device__ int inner(int n) { return n > 0 ? inner(n - 1) : 1; }
__device__ int outer() { return inner(2); }
__device__ int other() { return 2; }
struct Sum { int n; __device__ Sum() : n(outer()) {} };
__global__ void k(int *a) { *a = outer(); }
void run(int *a) { k<<<1, 32>>>(a); }
"""


def graph(text: str = CODE) -> CallGraph:
    return CallGraph.of(cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset()))


def test_a_kernel_reaches_what_its_functions_call() -> None:
    assert graph().reached(("k",)) == {"k", "outer", "inner"}
    assert graph().reached(("other",)) == {"other"}


def test_a_function_is_reached_by_its_callers_launches_and_initialisers() -> None:
    assert graph().reaching(("inner",)) == {"inner", "outer", "k", "run", "Sum"}
    assert graph().reaching(("other",)) == {"other"}


def test_a_function_calls_itself_only_where_its_body_says_so() -> None:
    assert graph().callees["inner"] == {"inner"}
    assert graph().callees["outer"] == {"inner"}


def test_ranges_that_mention_each_other_are_one_component() -> None:
    made = graph()
    spans = [(function.span, function.name) for function in made.parsed.functions]
    names = [sorted(spans[at][1] for at in group) for group in made.components(spans)]
    assert ["Sum", "inner", "k", "outer", "run"] in names and ["other"] in names
