"""PyTorch's declaration headers: what they take and what they refuse, seen by clang where it is installed."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import clang_parses
import pytest
import tomli

from cudamigrate.shipped_data import stand_ins
from tests.symbols import declare_torch

DECLARATIONS = stand_ins("declarations")
RULES = Path(__file__).parents[4] / "rules"
TORCH = DECLARATIONS / "torch-headers"
HEADERS = sorted(path for path in TORCH.rglob("*") if path.is_file())
MARKER = re.compile(r"// cudamigrate declarations: .*not the library's own header")
ENTRIES = [
    "torch/extension.h",
    "torch/csrc/stable/library.h",
    "torch/nn/functional.h",
    "ATen/Dispatch.h",
    "ATen/hip/Atomic.cuh",
    "ATen/hip/HIPContext.h",
    "ATen/hip/detail/IndexUtils.cuh",
    "ATen/hip/impl/HIPGuardImplMasqueradingAsCUDA.h",
    "c10/hip/HIPGuard.h",
    "c10/util/Half.h",
    "c10/util/complex.h",
    "pybind11/numpy.h",
]
UNDECLARED = re.compile(
    r"(ATen/native/hip/.*|c10/hip/(impl/)?HIPGraphMemory"
    r"|ATen/hip/(ATenHIPGeneral|HIPGreenContext|HIPSparse\w*|CachingHostAllocator|MemPool|PeerToPeerAccess"
    r"|ThrustAllocator|cub_definitions|cub-RadixSortPairs|StatelessPhilox4x32|jiterator))\.(h|cuh)"
)
"""Headers that few extensions include: a file that needs one says that it was not judged."""

RIGHT = """
#include <torch/extension.h>
#include <ATen/AccumulateType.h>
#include <ATen/hip/Atomic.cuh>
#include <ATen/hip/HIPContext.h>
#include <c10/hip/HIPGuard.h>
template <typename scalar_t>
__global__ void scale(const scalar_t* in, scalar_t* out,
                      at::PackedTensorAccessor32<float, 2, at::RestrictPtrTraits> grid, int n) {
  using acc_t = at::acc_type<scalar_t, true>;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    acc_t sum = static_cast<acc_t>(in[i]) * acc_t(2) + grid[0][i % grid.size(1)];
    out[i] = static_cast<scalar_t>(sum);
    gpuAtomicAdd(out, in[i]);
  }
}
torch::Tensor run(torch::Tensor x, c10::optional<torch::Tensor> mask) {
  TORCH_CHECK(x.is_cuda() && x.dim() == 2, "expected a matrix, got ", x.sizes(), " of ", x.scalar_type());
  TORCH_CHECK_EQ(x.dim(), 2) << "a matrix, not " << x.dim();
  if (x.size(0) > 1) TORCH_CHECK_GE(x.size(0), 2);
  TORCH_DCHECK_LT(x.size(1), 1 << 20) << x.size(1);
  const at::cuda::OptionalCUDAGuard guard(at::device_of(x));
  auto out = torch::empty_like(x);
  auto flat = torch::zeros({x.size(0), 4}, x.options().dtype(torch::kFloat32)).view({-1, 2});
  hipStream_t stream = at::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND2(at::ScalarType::Half, at::ScalarType::BFloat16, x.scalar_type(), "run", [&] {
    scale<scalar_t><<<1, 64, 0, stream>>>(x.const_data_ptr<scalar_t>(), out.data_ptr<scalar_t>(),
                                          flat.packed_accessor32<float, 2, at::RestrictPtrTraits>(), x.numel());
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  flat.resize_({1}).fill_(FLT_MAX);
  __half* raw = reinterpret_cast<__half*>(out.data_ptr<at::Half>());
  (void)raw;
  return mask.has_value() ? at::where(*mask, out, -x) + 1 : out.t().contiguous();
}
PYBIND11_MODULE(ext, m) { m.def("run", &run, "scales", py::arg("x"), py::arg("mask") = py::none()); }
TORCH_LIBRARY_FRAGMENT(mine, m) { m.def("run(Tensor x) -> Tensor"); m.impl("run", torch::kCUDA, &run); }
"""
WRONG = {
    "a pointer of another type": "float* p = x.data_ptr<at::Half>();",
    "HIP's half for c10's": "__half* p = x.data_ptr<at::Half>();",
    "a const pointer written through": "*x.const_data_ptr<float>() = 1;",
    "a method that a tensor has not": "x.no_such_method();",
    "a check that is no stream": 'TORCH_CHECK(x.dim() == 2) << "text";',
    "a check of what is not compared": 'TORCH_CHECK_EQ(x.dim(), "2");',
    "a stream of CUDA's type": "CUstream s = at::cuda::getCurrentCUDAStream();",
    "a tensor for a scalar type": 'AT_DISPATCH_FLOATING_TYPES(x, "name", [&] {});',
    "a type object for a scalar type": 'AT_DISPATCH_FLOATING_TYPES(x.type(), "name", [&] {});',
    "a guard without a device": "c10::cuda::CUDAGuard guard;",
    "a status of another kind": "C10_CUDA_CHECK(HIPBLAS_STATUS_SUCCESS);",
    "an accessor of a temporary": "auto a = x.t().accessor<float, 2>();",
    "the launch check of PyTorch up to 2.10": "C10_HIP_KERNEL_LAUNCH_CHECK();",
    "sizes changed in place": "x.sizes()[0] = 2;",
}
PYTHON = """
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
namespace py = pybind11;
int add(int a, int b);
float add(float a);
template <typename T>
struct Own {
  int run(T a, int b);
  int run(T a);
  int run(T a) const;
  static int plain(int a);
  static int plain(float a);
};
py::object take(py::dict given, py::list rows, py::tuple pair, py::args rest) {
  py::str name = given["name"], text(given);
  py::int_ three(3), four = 4;
  given["count"] = 3;
  given["other"] = three;
  rows.append(1.0f);
  int count = four;
  std::string words = name;
  py::object items = given.attr("items")(), first = rest[0];
  for (auto row : rows) count += row.cast<int>();
  for (auto item : given) words += item.first.cast<std::string>();
  if (py::isinstance<py::str>(rows[0]) && py::hasattr(items, "x") && py::len(rows) == 2) return py::none();
  char raw[4];
  std::memset(raw, 0, sizeof raw);
  assert(raw[0] == 0);
  return py::module_::import("numpy").attr("zeros")(count, py::arg("dtype") = "f");
}
PYBIND11_MODULE(ext, m) {
  m.doc() = "words";
  m.attr("version") = 3;
  m.def("add", py::overload_cast<int, int>(&add)).def("one", py::overload_cast<float>(&add), py::arg("a") = 1.0f);
  py::class_<Own<double>>(m, "Own")
      .def("run", py::overload_cast<double, int>(&Own<double>::run))
      .def("of", py::overload_cast<double>(&Own<double>::run, py::const_))
      .def_static("plain", py::overload_cast<float>(&Own<double>::plain));
  m.def("take", &take);
}
"""
WRONG_PYTHON = {
    "an overload that is not there": "py::overload_cast<double, double>(&add);",
    "any object for a text": "std::string text = o;",
    "an item for a number": 'int n = py::dict()["x"];',
    "a text for a number": 'py::int_ n = "a";',
    "a fraction for a whole number": "py::int_ n(1.5);",
    "a number for a text": "py::str text(5);",
    "a handle for an object": "py::object other = py::handle(o);",
    "a list of C++": "py::list().push_back(1);",
    "documentation that is not called": 'py::module_().doc = "a";',
}


def hip_headers() -> str:
    """The folder of HIP's headers in the wheel that has them, or a skip."""
    try:
        files = distribution("triton").files or []
    except PackageNotFoundError:
        pytest.skip("HIP's headers come from the triton wheel, which is not installed")
    for file in files:
        if str(file).endswith("amd/include/hip/hip_runtime.h"):
            return str(Path(str(file.locate())).parents[1])
    pytest.skip("this triton wheel brings no HIP headers")


@pytest.fixture(scope="module")
def clang() -> Any:
    try:
        distribution("libclang-ng")
    except PackageNotFoundError:
        pytest.skip("clang's front end, libclang-ng, is not installed")
    return import_module("clang.cindex")


def errors(clang: Any, text: str, side: str = "--cuda-device-only", standard: str = "c++17") -> list[str]:
    """What clang says is wrong with a HIP file, as 'line: message'."""
    if Path("/usr/include/c++").is_dir():
        clang.Config.libcxx_dir = None
    options = ["-x", "hip", "-nogpulib", "-nogpuinc", f"-std={standard}", "-ferror-limit=0", "-w", side]
    options += [
        "-include",
        "__clang_hip_runtime_wrapper.h",
        "-include",
        "hip/hip_runtime.h",
        "-D__HIP_PLATFORM_AMD__=1",
    ]
    options += ["-DUSE_ROCM=1", "--offload-arch=gfx942", "-DTORCH_EXTENSION_NAME=ext"]
    for folder in (hip_headers(), DECLARATIONS, TORCH):
        options += ["-isystem", str(folder)]
    tree = clang_parses.parsed("sheet.hip", options, text)
    found = [entry for entry in tree.diagnostics if entry.severity >= 3]
    return [f"{entry.location.file}:{entry.location.line}: {entry.spelling}" for entry in found]


def test_each_declaration_says_that_it_is_one() -> None:
    assert HEADERS
    for path in HEADERS:
        text = path.read_text()
        assert MARKER.match(text.splitlines()[0]), path
        assert path.suffix == ".inc" or "#pragma once" in text, path


BODY = """
class TORCH_API Tensor: public TensorBase {
  at::Tensor & add_(const at::Tensor & other, const at::Scalar & alpha=1) const;
  bool is_leaf() const;
  const at::Tensor & resize_(at::IntArrayRef size) const;
  at::Tensor _backward_helper(int64_t dim) const;
  at::Tensor view_symint(c10::SymIntArrayRef size) const;
  at::Tensor align(at::DimnameList names) const;
  ::std::vector<at::Tensor> split(int64_t size, int64_t dim = 0) const;
  at::Tensor & add_(const at::Tensor & other, const at::Scalar & alpha=1) const;
};
"""
OPERATOR = """
namespace at {
inline at::Tensor pad(const at::Tensor & self, ::std::optional<double> value=::std::nullopt) {
    return at::_ops::pad::call(self, value);
}
namespace symint {
inline at::Tensor wide(const at::Tensor & self) {
    return self;
}
}
inline at::Tensor & pad_outf(const at::Tensor & self, at::Tensor & out) {
    return out;
}
}
"""
CALLS = """
// inline torch::stable::Tensor old(const torch::stable::Tensor& self) {
inline torch::stable::Tensor view(
    const torch::stable::Tensor& self,
    torch::headeronly::IntHeaderOnlyArrayRef size) {
  return self;
}
inline torch::stable::Tensor new_empty(const torch::stable::Tensor& self) { return self; }
inline torch::stable::Tensor new_empty(const torch::stable::Tensor& self, std::optional<Layout> layout = std::nullopt) {
  return self;
}
template <class F>
inline void each(const F& f) {
}
"""


@pytest.fixture
def headers_of_torch(tmp_path: Path) -> Path:
    files = {
        "ATen/core/TensorBody.h": BODY,
        "ATen/ops/pad.h": OPERATOR,
        "ATen/ops/pad_ops.h": OPERATOR.replace("pad", "inner"),
        "torch/csrc/stable/ops.h": CALLS,
        "torch/headeronly/version.h": "#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR 14\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_generated_headers_hold_the_public_signatures_once_and_shortened(headers_of_torch: Path) -> None:
    made = declare_torch.headers(headers_of_torch)
    code = {name: [line for line in text.splitlines() if line.endswith(";")] for name, text in made.items()}
    assert code[declare_torch.METHODS] == [
        "  Tensor& add_(const Tensor& other, const Scalar& alpha=1) const;",
        "  const Tensor& resize_(IntArrayRef size) const;",
        "  std::vector<Tensor> split(int64_t size, int64_t dim=0) const;",
    ]
    assert code[declare_torch.FUNCTIONS] == [
        "Tensor pad(const Tensor& self, std::optional<double> value=std::nullopt);"
    ]
    assert code[declare_torch.STABLE][3:] == [
        "Tensor view(const Tensor& self, Ints size);",
        "Tensor new_empty(const Tensor& self, std::optional<Layout> layout = std::nullopt);",
        "template <class F> void each(const F& f);",
    ]
    assert all(MARKER.match(text) and "PyTorch 2.14" in text for text in made.values())


def test_the_generator_names_the_headers_that_are_there() -> None:
    for name in (declare_torch.METHODS, declare_torch.FUNCTIONS, declare_torch.STABLE):
        assert "// Generated from the signatures of PyTorch" in (TORCH / name).read_text()


def test_without_torch_the_generator_writes_nothing_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(declare_torch, "FOLDER", tmp_path / "made")
    monkeypatch.setattr(declare_torch, "find_spec", lambda name: None)
    assert declare_torch.main([]) == 0
    assert "has no torch" in capsys.readouterr().out
    assert declare_torch.main([str(tmp_path)]) == 2
    assert "holds no headers of torch" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()


def test_every_header_that_a_rule_writes_for_an_extension_is_declared_or_known_to_be_missing() -> None:
    rows = tomli.loads((RULES / "api" / "pytorch.toml").read_text())["headers"]
    written = [name for name in rows.values() if name.startswith(("ATen/", "c10/", "torch/"))]
    missing = [name for name in written if not (TORCH / name).is_file()]
    assert written
    assert [name for name in missing if not UNDECLARED.fullmatch(name)] == []
    assert [name for name in missing if "GraphMemory" in name], "newer than the release that the headers declare"


@pytest.mark.parametrize("header", ENTRIES)
def test_a_header_is_alone_and_may_come_twice(clang: Any, header: str) -> None:
    assert errors(clang, f"#include <{header}>\n" * 2) == []


@pytest.mark.parametrize(("side", "step"), [("--cuda-device-only", 1), ("--cuda-host-only", -1)])
def test_all_headers_go_together_in_any_order(clang: Any, side: str, step: int) -> None:
    names = [path.relative_to(TORCH).as_posix() for path in HEADERS if path.suffix != ".inc"]
    assert errors(clang, "".join(f"#include <{name}>\n" for name in names[::step]), side, "c++20") == []


FUNCTIONAL = """
#include <torch/extension.h>
namespace F = torch::nn::functional;
torch::Tensor run(torch::Tensor x, torch::Tensor w) {{
  x = F::pad(x, F::PadFuncOptions({{0, 8 - x.size(1) % 8}}).mode(torch::kReflect).value(0));
  x = F::interpolate(x, F::InterpolateFuncOptions().scale_factor(std::vector<double>({{2}})).align_corners(false));
  x = F::grid_sample(x, w, F::GridSampleFuncOptions().mode(torch::kBilinear).padding_mode(torch::kZeros));
  x = F::layer_norm(F::relu(x), F::LayerNormFuncOptions({{4}}).eps(1e-6).weight(w));
  x = F::normalize(x, F::NormalizeFuncOptions().p(1).dim(-1)) + F::softmax(x, F::SoftmaxFuncOptions(1));
  {more}
  return F::softmax(x, 1) + F::mse_loss(x, w, F::MSELossFuncOptions(torch::kSum)) + F::gelu(F::linear(x, w));
}}
"""


def test_functions_of_layers_take_their_options(clang: Any) -> None:
    assert errors(clang, FUNCTIONAL.format(more="")) == []
    for wrong in ("F::pad(x, 1.5f, 2);", "x = F::pad(x, F::PadFuncOptions(w));", "F::PadFuncOptions({1}).p(2);"):
        assert errors(clang, FUNCTIONAL.format(more=wrong)), wrong


@pytest.mark.parametrize("side", ["--cuda-device-only", "--cuda-host-only"])
def test_right_uses_are_taken(clang: Any, side: str) -> None:
    assert errors(clang, RIGHT, side) == []


def test_each_wrong_use_is_refused(clang: Any) -> None:
    head = "#include <torch/extension.h>\n#include <ATen/hip/HIPContext.h>\n#include <c10/hip/HIPGuard.h>\n"
    uses = [f"void wrong{n}(torch::Tensor x) {{ {use} }}" for n, use in enumerate(WRONG.values())]
    complained = {int(entry.split(":")[1]) for entry in errors(clang, head + "\n".join(uses), "--cuda-host-only")}
    first = head.count("\n") + 1
    assert [name for n, name in enumerate(WRONG) if first + n not in complained] == []


@pytest.mark.parametrize("side", ["--cuda-device-only", "--cuda-host-only"])
def test_objects_of_python_are_used_as_pybind11_has_them(clang: Any, side: str) -> None:
    assert errors(clang, PYTHON, side) == []


def test_each_wrong_use_of_an_object_of_python_is_refused(clang: Any) -> None:
    head = "#include <pybind11/stl.h>\nnamespace py = pybind11;\nint add(int a, int b);\nfloat add(float a);\n"
    uses = [f"void wrong{n}(py::object o) {{ {use} }}" for n, use in enumerate(WRONG_PYTHON.values())]
    complained = {int(entry.split(":")[1]) for entry in errors(clang, head + "\n".join(uses), "--cuda-host-only")}
    first = head.count("\n") + 1
    assert [name for n, name in enumerate(WRONG_PYTHON) if first + n not in complained] == []


CASTER = """
#include <pybind11/pybind11.h>
struct Mine {};
namespace pybind11 { namespace detail {
template <>
struct type_caster<Mine> {
  PYBIND11_TYPE_CASTER(Mine, const_name("mine"));
  bool load(handle from, bool) { value = Mine(); return %s; }
  static handle cast(Mine, return_value_policy, handle) { return handle(); }
};
}}
"""


def test_a_project_may_convert_types_of_its_own(clang: Any) -> None:
    assert errors(clang, CASTER % "from.ptr() != nullptr", "--cuda-host-only") == []
    assert "nowhere" in errors(clang, CASTER % "nowhere", "--cuda-host-only")[0]


WHOLE = """
#include <torch/extension.h>
torch::Tensor run(torch::Tensor x, py::object kind) {{
  std::vector<char> kept = torch::pickle_save(x);
  auto size = torch::linalg::linalg_norm(x, std::optional<c10::Scalar>(), {{}}, false, {{}});
  {more}
  return torch::linalg::inv(x.to(torch::python::detail::py_object_to_dtype(kind))) / size;
}}
"""


def test_names_of_namespaces_inside_pytorchs_are_there(clang: Any) -> None:
    assert errors(clang, WHOLE.format(more="")) == []
    for wrong in (
        "torch::linalg::inv(x, 2);",
        "torch::python::detail::py_object_to_dtype(3);",
        "torch::linalg::no(x);",
    ):
        assert errors(clang, WHOLE.format(more=wrong)), wrong


def test_a_kernel_is_checked_for_every_type_it_is_dispatched_to(clang: Any) -> None:
    text = """#include <torch/extension.h>
template <typename T> __global__ void k(T* p) { __shfl_down(p[0], 1); }
void run(torch::Tensor x) {
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "run", [&] { k<scalar_t><<<1, 64>>>(x.data_ptr<scalar_t>()); });
}"""
    assert any("__shfl_down" in entry for entry in errors(clang, text, "--cuda-host-only"))
    plain = text.replace("_AND_HALF", "")
    assert errors(clang, plain, "--cuda-host-only") == []


@pytest.mark.parametrize("macro", ["TORCH_CHECK", "STD_TORCH_CHECK"])
def test_a_message_must_be_of_parts_that_a_stream_can_print(clang: Any, macro: str) -> None:
    head = "#include <torch/extension.h>\nstruct Plain {};\n"
    assert errors(clang, head + f'void run(Plain p) {{ {macro}(false, "bad ", p); }}', "--cuda-host-only")
    assert errors(clang, head + f'void run(int p) {{ {macro}(false, "bad ", p); }}', "--cuda-host-only") == []
