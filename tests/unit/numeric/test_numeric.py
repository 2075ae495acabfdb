"""What a tree exports, what is guessed for it, and that a written harness says PASS only of what ran and agreed."""

from __future__ import annotations

import importlib.util
import os
import py_compile
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cudamigrate import numeric
from cudamigrate.errors import TargetError
from cudamigrate.numeric.types import kind, schema

PYBIND = """
#include <torch/extension.h>
using OptTensor = torch::optional<at::Tensor>;
namespace own { at::Tensor far(const at::Tensor &x, int64_t n); }
std::tuple<at::Tensor, at::Tensor> scale(const at::Tensor &x, torch::Tensor weight, double alpha, bool fast) {
    // TORCH_CHECK(x.dim() == 7);
    TORCH_CHECK(x.dim() == 3 && weight.scalar_type() == at::kHalf);
    const int n = weight.size(0);
    return {x, weight};
}
void fill(at::Tensor &out, OptTensor mask, std::vector<int64_t> sizes, uintptr_t handle) { fill_cuda(out); }
void fill_cuda(at::Tensor o) { o.data_ptr<int>(); TORCH_CHECK(o.dim() == 1); }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("scale", &scale, "scales", py::arg("x"), py::arg("weight"), py::arg("alpha") = 0.5, py::arg("fast") = true);
#ifdef MORE
    m.def("fill", &fill);
#endif
    // m.def("gone", &gone);
    m.def("twice", [](at::Tensor x) -> at::Tensor { return x + x; });
    m.def("far", &own::far);
    m.def("lost", &nowhere);
    auto sub = m.def_submodule("sub");
    sub.def("inner", &scale);
    py::class_<Thing>(m, "Thing").def("method", &Thing::method);
}
"""
LIBRARY = """
#include <torch/library.h>
at::Tensor gelu_cuda(const at::Tensor& x, double a) { TORCH_CHECK(x.dim() == 4); return x; }
TORCH_LIBRARY(mine, m) {
    m.def("gelu(Tensor x, float a=1e-5, *, Tensor(a!)? out=None, ScalarType? dtype=None, int[2] k=1) "
          "-> (Tensor, Tensor)");
    m.def("plain", &gelu_cuda);
}
TORCH_LIBRARY_IMPL(mine, CUDA, m) { m.impl("gelu", TORCH_FN(gelu_cuda)); }
static auto registry = torch::RegisterOperators().op("old::gelu", &gelu_cuda).op("old::none", [] { return 1; });
"""
SETUP = 'setup(ext_modules=[CUDAExtension(name="pack._C", sources=["csrc/ext.cpp"])])\n'
MAIN = '#include <cstdio>\nint main(int argc, char **argv) { printf("%f", 1.0); }\n'


def planned(**sources: str) -> numeric.Plan:
    named = {name.replace("__", "/").replace("_dot_", "."): text.encode() for name, text in sources.items()}
    return numeric.plan(Path("tree"), named)


def case_of(plan: numeric.Plan, function: str, module: str = "") -> numeric.Case:
    (found,) = (case for case in plan.cases if case.function == function and case.module.endswith(module))
    return found


def values(case: numeric.Case) -> dict[str, str]:
    return {argument.name: argument.value for argument in case.arguments}


def test_what_pybind_exports_is_found_and_what_is_commented_out_is_not() -> None:
    plan = planned(csrc__ext_dot_cpp=PYBIND)
    assert [case.function for case in plan.cases] == ["scale", "fill", "twice", "far", "lost", "inner"]
    assert any("Thing" in line for line in plan.left)


def test_checks_and_bound_defaults_decide_inputs() -> None:
    case = case_of(planned(csrc__ext_dot_cpp=PYBIND), "scale", "")
    found = values(case)
    assert found["x"] == 'tensor("float32", 64, 64, 64)'
    assert found["weight"].startswith('tensor("float16", ')
    assert (found["alpha"], found["fast"]) == ("0.5", "True")
    assert [a.note.startswith("GUESSED") for a in case.arguments] == [True, True, False, False]


def test_checks_in_a_called_function_count_and_a_handle_has_no_value() -> None:
    found = values(case_of(planned(csrc__ext_dot_cpp=PYBIND), "fill"))
    assert found == {"out": 'zeros("int32", 64)', "mask": "None", "sizes": "[1]", "handle": 'missing("uintptr_t")'}


def test_a_lambda_and_a_declaration_have_signatures_and_an_unknown_function_has_none() -> None:
    plan = planned(csrc__ext_dot_cpp=PYBIND)
    assert list(values(case_of(plan, "twice"))) == ["x"]
    assert list(values(case_of(plan, "far"))) == ["x", "n"]
    assert "nowhere" in case_of(plan, "lost").unclear


def test_two_signatures_of_one_name_are_not_guessed_between() -> None:
    text = 'void f(int a) {}\nvoid f(at::Tensor a) {}\nPYBIND11_MODULE(ext, m) { m.def("f", &f); }'
    assert "several signatures" in case_of(planned(a_dot_cpp=text), "f").unclear


def test_operators_take_their_schema_and_hints_from_the_function_for_the_gpu() -> None:
    plan = planned(lib_dot_cpp=LIBRARY)
    case = case_of(plan, "gelu", "ops.mine")
    assert values(case) == {
        "x": 'tensor("float32", 64, 64, 64, 64)',
        "a": "1e-5",
        "out": "None",
        "dtype": "None",
        "k": "1",
    }
    assert case.keywords == ("out", "dtype", "k")
    assert {(c.module, c.function) for c in plan.cases} == {
        ("torch.ops.mine", "gelu"),
        ("torch.ops.mine", "plain"),
        ("torch.ops.old", "gelu"),
        ("torch.ops.old", "none"),
    }


def test_the_build_script_names_the_module() -> None:
    plan = planned(csrc__ext_dot_cpp=PYBIND, setup_dot_py=SETUP)
    assert case_of(plan, "twice").module == "pack._C"
    assert case_of(plan, "inner").module == "pack._C.sub"
    assert case_of(planned(csrc__ext_dot_cpp=PYBIND), "twice").module == ""


@pytest.mark.parametrize(
    ("script", "module"),
    [
        ("import torch.utils.cpp_extension as ext\next.load('made', ['csrc/ext.cpp'])\n", "made"),
        ("from torch.utils.cpp_extension import load as jit\njit('made', ['csrc/ext.cpp'])\n", "made"),
        ("from torch.utils import cpp_extension as ce\nimport json\njson.load('made', ['csrc/ext.cpp'])\n", ""),
    ],
)
def test_a_build_at_first_use_names_the_module_whatever_it_is_called_by(script: str, module: str) -> None:
    assert case_of(planned(csrc__ext_dot_cpp=PYBIND, op_dot_py=script), "twice").module == module


def test_a_file_with_main_is_a_program_and_a_declaration_is_none() -> None:
    plan = planned(src__tool_dot_cu=MAIN, other_dot_cpp="int main();\n// int main() {\n")
    assert plan.programs == (numeric.Program("tool", "src/tool.cu:2"),)
    assert plan and not planned(other_dot_cpp="void f();")


@pytest.mark.parametrize(
    ("spelled", "meant"),
    [
        ("const c10::optional<at::Tensor> &", "Tensor?"),
        ("std::vector<torch::Tensor>", "Tensor[]"),
        ("at::ScalarType", "ScalarType"),
        ("unsigned long long", "int"),
        ("uintptr_t", ""),
        ("const std::string&", "str"),
        ("std::tuple<int64_t, double>", "(int, float)"),
        ("std::array<bool, 3>", "bool[3]"),
        ("float *", ""),
        ("MyStruct", ""),
    ],
)
def test_types_have_one_spelling(spelled: str, meant: str) -> None:
    assert kind(spelled) == meant


def test_a_schema_that_cannot_be_read_is_none() -> None:
    assert schema("name") is None
    assert schema("f(Tensor) -> ()") is None
    read = schema("f(Dict(str, Tensor) x) -> ()")
    assert read is not None and read[1].parameters[0].kind == ""


def test_other_commands_do_not_load_the_harness_or_its_engine() -> None:
    code = "import sys, cudamigrate.pipeline; sys.exit(bool({'jinja2', 'cudamigrate.numeric'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def written(plan: numeric.Plan, folder: Path) -> Path:
    numeric.write(numeric.render(plan, "0"), str(folder))
    return folder


def test_every_written_file_compiles(tmp_path: Path) -> None:
    both = planned(csrc__ext_dot_cpp=PYBIND, lib_dot_cpp=LIBRARY, setup_dot_py=SETUP, main_dot_cu=MAIN)
    folder = written(both, tmp_path / "n")
    names = {path.name for path in folder.glob("*.py")}
    assert names == {"cases.py", "compare.py", "harness.py", "programs.py", "run.py", "run_program.py"}
    for path in folder.glob("*.py"):
        py_compile.compile(str(path), doraise=True)


def test_a_folder_of_someone_else_is_never_replaced_and_an_edited_list_is_kept(tmp_path: Path) -> None:
    plan = planned(main_dot_cu=MAIN)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes").write_text("mine")
    for force in (False, True):
        with pytest.raises(TargetError, match="not made by cudamigrate"):
            numeric.write(numeric.render(plan, "0"), str(tmp_path / "other"), force)
    assert [path.name for path in (tmp_path / "other").iterdir()] == ["notes"]
    folder = written(plan, tmp_path / "n")
    (folder / "programs.py").write_text("PROGRAMS = {}\n")
    (folder / "record.pt").write_text("kept")
    with pytest.raises(TargetError, match="--force"):
        numeric.write(numeric.render(plan, "0"), str(folder))
    numeric.write(numeric.render(plan, "0"), str(folder), True)
    assert (folder / "programs.old.py").read_text() == "PROGRAMS = {}\n"
    assert (folder / "record.pt").read_text() == "kept"
    assert "tool" not in (folder / "programs.py").read_text() and "main.cu" in (folder / "programs.py").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["n", "other"]


EXTENSION = """
#include <torch/extension.h>
at::Tensor axpy(const at::Tensor &x, const at::Tensor &y, double alpha) {
    TORCH_CHECK(x.dim() == 2); TORCH_CHECK(y.dim() == 2); return x;
}
void fill(at::Tensor &out) { TORCH_CHECK(out.dim() == 1); }
void nothing(const at::Tensor &x) {}
void picky(const at::Tensor &x) {}
PYBIND11_MODULE(fake_ext, m) {
    m.def("axpy", &axpy); m.def("fill", &fill); m.def("nothing", &nothing); m.def("picky", &picky);
    m.def("fatal", &picky);
}
"""
FAKE = """
import os, torch
OFF = float(os.environ.get("OFF", "0"))
def axpy(x, y, alpha):
    made = [a * alpha + b for a, b in zip(x.flatten().tolist(), y.flatten().tolist())]
    made[5] += OFF
    return torch.tensor(made, dtype=x.dtype)
def fill(out):
    out.copy_(torch.tensor([1.0 if OFF < 1e9 else float("nan")] * 64, dtype=out.dtype))
def nothing(x):
    pass
def picky(x):
    raise ValueError("wrong rank")
def fatal(x):
    os.abort()
"""
HAS_TORCH = importlib.util.find_spec("torch") is not None


@pytest.fixture(params=["stub", pytest.param("torch", marks=pytest.mark.skipif(not HAS_TORCH, reason="no torch"))])
def harness(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    folder = written(planned(ext_dot_cpp=EXTENSION), tmp_path / "n")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "fake_ext.py").write_text(FAKE)
    if request.param == "stub":
        shutil.copy(Path(__file__).with_name("numeric_torch.py"), tmp_path / "lib" / "torch.py")
    return folder


def run(folder: Path, *words: str, off: str = "0", library: bool = True) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OFF": off, "PYTHONPATH": str(folder.parent / "lib")}
    if not library:
        (folder.parent / "lib" / "fake_ext.py").rename(folder.parent / "away.py")
    command = [sys.executable, "run.py", "--device", "cpu", *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def state(done: subprocess.CompletedProcess[str], name: str) -> str:
    (line,) = (line for line in done.stdout.splitlines() if f" {name}: " in line)
    return line.split()[0]


def test_what_ran_and_agreed_passes(harness: Path) -> None:
    done = run(harness, "--record", "r.pt", "--only", "axpy,fill")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PASS" not in done.stdout and state(done, "axpy") == "RECORDED"
    done = run(harness, "--compare", "r.pt", "--same-side", "--only", "axpy,fill")
    assert done.returncode == 0, done.stdout + done.stderr
    assert state(done, "axpy") == "PASS"
    assert "4096 elements of float32 agree" in done.stdout and "out (changed)" in done.stdout


def test_a_result_that_is_off_fails_with_its_figures(harness: Path) -> None:
    run(harness, "--record", "r.pt", "--only", "axpy,fill")
    done = run(harness, "--compare", "r.pt", "--same-side", "--only", "axpy,fill", off="0.5")
    assert done.returncode == 1
    assert (state(done, "axpy"), state(done, "fill")) == ("FAIL", "PASS")
    assert "1 of 4096 elements of float32 differ (0.0244%), first at (5,): " in done.stdout
    assert "max abs 0.5," in done.stdout
    noise = run(harness, "--compare", "r.pt", "--same-side", "--only", "axpy", off="1e-6")
    assert noise.returncode == 0, "within the tolerance of 32-bit floats"


def test_nan_on_one_side_is_a_difference(harness: Path) -> None:
    run(harness, "--record", "r.pt", "--only", "fill")
    done = run(harness, "--compare", "r.pt", "--same-side", "--only", "fill", off="1e10")
    assert done.returncode == 1 and "NaN: 0 there, 64 here" in done.stdout


def test_what_raised_on_both_sides_or_returned_nothing_is_unverified(harness: Path) -> None:
    first = run(harness, "--record", "r.pt")
    assert first.returncode == 3
    assert [state(first, name) for name in ("axpy", "picky", "fatal")] == ["RECORDED", "UNVERIFIED", "UNVERIFIED"]
    done = run(harness, "--compare", "r.pt", "--same-side", "--only", "picky,nothing,fatal")
    assert done.returncode == 3 and "PASS" not in done.stdout
    assert "raised on both sides (guessed inputs): ValueError: wrong rank" in done.stdout
    assert "nothing came back" in done.stdout and "SIGABRT" in done.stdout
    assert state(run(harness, "--compare", "r.pt", "--same-side"), "axpy") == "PASS", "a crash spoils no other case"


def test_without_the_module_nothing_passes(harness: Path) -> None:
    run(harness, "--record", "r.pt", "--only", "axpy")
    done = run(harness, "--compare", "r.pt", "--same-side", "--only", "axpy", library=False)
    assert done.returncode == 3 and "PASS" not in done.stdout
    assert state(done, "axpy") == "UNVERIFIED" and "fake_ext" in done.stdout


def test_without_a_gpu_nothing_runs_and_nothing_is_written(harness: Path) -> None:
    if numeric.gpu_here():
        pytest.skip("this machine has a GPU")
    done = run(harness, "--record", "r.pt", "--device", "gpu")
    assert done.returncode == 3 and "PASS" not in done.stdout and "no GPU here" in done.stdout
    assert not (harness / "r.pt").exists()


def test_a_record_that_cannot_be_read_is_neither_a_difference_nor_a_pass(harness: Path) -> None:
    (harness / "r.pt").write_text("no record")
    assert run(harness, "--compare", "r.pt").returncode == 2
    (harness / "cases.py").write_text("from harness import Case\nCASES = [Case('a', 'm', 'f', [('x', tensor)])]\n")
    slip = run(harness, "--record", "r.pt")
    assert slip.returncode == 2 and "cases.py: NameError" in slip.stderr


def test_one_vendor_twice_is_unverified_unless_asked_for(harness: Path) -> None:
    run(harness, "--record", "r.pt", "--only", "axpy")
    done = run(harness, "--compare", "r.pt", "--only", "axpy")
    assert done.returncode == 3 and "PASS" not in done.stdout


def test_arguments_changed_after_the_record_are_unverified(harness: Path) -> None:
    run(harness, "--record", "r.pt", "--only", "axpy")
    text = (harness / "cases.py").read_text()
    (harness / "cases.py").write_text(text.replace('("alpha", 1.0)', '("alpha", 2.0)'))
    done = run(harness, "--compare", "r.pt", "--same-side", "--only", "axpy")
    assert done.returncode == 3 and "record again" in done.stdout


def test_a_reference_is_compared_with(harness: Path) -> None:
    text = (harness / "cases.py").read_text()
    text += "\nimport fake_ext\nCASES[0].reference = lambda x, y, alpha: fake_ext.axpy(x, y, alpha)\n"
    (harness / "cases.py").write_text(text)
    done = run(harness, "--reference")
    assert done.returncode == 3, "the others have no reference"
    assert (state(done, "axpy"), state(done, "fill")) == ("PASS", "UNVERIFIED")


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    folder = written(planned(tool_dot_cu=MAIN), tmp_path / "n")
    script = "import sys; print(f'n = 3 sum = {{1.5 + float(sys.argv[1]):.6f}} [GPU {0}]'); sys.exit(int(sys.argv[2]))"
    (tmp_path / "tool.py").write_text(script.format("{sys.argv[3]}"))
    return folder


def program(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "run_program.py", *words], cwd=folder, capture_output=True, text=True)


def tool(folder: Path, *words: str) -> str:
    return " ".join([sys.executable, str(folder.parent / "tool.py"), *words])


@pytest.mark.parametrize(
    ("one", "other", "code", "said"),
    [
        (("0", "0", "a"), ("1e-6", "0", "a"), 0, "PASS"),
        (("0", "0", "a"), ("0.01", "0", "a"), 1, "1 of 1 elements of float differ"),
        (("0", "0", "a"), ("0", "4", "a"), 1, "exit code 0 there, 4 here"),
        (("0", "4", "a"), ("0", "4", "a"), 3, "nothing is known"),
        (("0", "0", "a"), ("0", "0", "b"), 1, "text differs"),
    ],
)
def test_programs_agree_by_what_they_print_and_how_they_end(
    programs: Path, one: tuple[str, ...], other: tuple[str, ...], code: int, said: str
) -> None:
    done = program(programs, "--cuda", tool(programs, *one), "--hip", tool(programs, *other), "--elsewhere")
    assert (done.returncode, said in done.stdout) == (code, True), done.stdout + done.stderr
    assert ("PASS" in done.stdout) == (code == 0)


def test_a_program_is_not_run_where_there_is_no_gpu_and_not_passed_where_it_cannot_start(programs: Path) -> None:
    missing = program(programs, "--cuda", "./gone", "--hip", "./gone", "--elsewhere")
    assert missing.returncode == 3 and "PASS" not in missing.stdout
    if numeric.gpu_here():
        pytest.skip("this machine has a GPU")
    done = program(programs, "--record", "o.json", "--command", tool(programs, "0", "0", "a"))
    assert done.returncode == 3 and not (programs / "o.json").exists() and "no GPU here" in done.stdout


def test_a_program_recorded_and_compared(programs: Path) -> None:
    command = tool(programs, "0", "0", "a")
    assert program(programs, "--record", "o.json", "--command", command, "--device", "cpu").returncode == 0
    again = ("--compare", "o.json", "--command", command, "--device", "cpu")
    assert program(programs, *again).returncode == 3
    assert program(programs, *again, "--same-side").returncode == 0
    assert program(programs, "--compare", "gone.json", "--command", command, "--device", "cpu").returncode == 2
