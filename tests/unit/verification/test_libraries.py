"""Which complaints an incomplete stand-in may have caused, and which package brings a header."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import tomli

from cudamigrate.model import Target
from cudamigrate.model.verification import Diagnostic, Place
from cudamigrate.rulebase.loader import read, rule_files
from cudamigrate.shipped_data import rules_folder, stand_ins
from cudamigrate.verification import libraries

DECLARATIONS = str(stand_ins("declarations"))
HIPCUB = f"{DECLARATIONS}/hipcub/hipcub.hpp"
TORCH = f"{DECLARATIONS}/torch-headers/ATen/ATen.h"
HIPBLAS = f"{DECLARATIONS}/hipblas/hipblas.h"


TARGET = Target("6.4", "12.0", ("gfx942",))


def complaint(message: str, *notes: str) -> Diagnostic:
    return Diagnostic("error", Place("a.cu", 1, 1), message, "host", notes=tuple(Place(path, 1, 1) for path in notes))


@pytest.mark.parametrize(
    ("message", "read"),
    [
        ("no member named 'DeviceTopK' in namespace 'hipcub'", HIPCUB),
        ("no member named 'unfold_copy' in 'at::Tensor'", TORCH),
        ("use of undeclared identifier 'TORCH_NEW_MACRO'", TORCH),
        ("use of undeclared identifier 'CHECK_EQ'", TORCH),
        ("no template named 'variant' in namespace 'std'", TORCH),  # PyTorch's own headers bring most of the library
    ],
)
def test_what_a_partial_are_in_lacks_is_no_error_of_the_code(message: str, read: str) -> None:
    assert libraries.lacking(complaint(message), libraries.partial([read])) is not None
    assert libraries.lacking(complaint(message), libraries.partial([])) is None


@pytest.mark.parametrize(
    ("message", "header"),
    [
        ("use of undeclared identifier 'clEnqueueSVMMap'", "CL/cl.h"),
        ("unknown type name 'cl_image_pipe'", "CL/cl.h"),
        ("use of undeclared identifier 'anything'", "helper_cuda.h"),  # a program's own header may be called so
        ("no matching function for call to 'gpuDeviceInit'", "helper_functions.h"),
    ],
)
def test_what_headers_of_programs_and_of_opencl_lack(message: str, header: str) -> None:
    read = libraries.partial([f"{DECLARATIONS}/{header}"])
    assert libraries.lacking(complaint(message), read) is not None
    assert libraries.lacking(complaint("expected ';' after expression"), read) is None
    if header == "CL/cl.h":
        assert libraries.lacking(complaint("use of undeclared identifier 'anything'"), read) is None


GROUPS = f"{DECLARATIONS}/hip/hip_cooperative_groups.h"


def test_inner_names_of_cudas_groups_are_in_no_release_of_hip() -> None:
    read = libraries.partial([GROUPS])
    inner = complaint("no member named 'details' in namespace 'cooperative_groups'")
    assert libraries.lacking(inner, read) is None
    for message in (
        "no member named 'invoke_one' in namespace 'cooperative_groups'",
        "no member named 'details' in namespace 'cooperative_groups::internal'",
    ):
        assert libraries.lacking(complaint(message), read) is not None


def test_what_pytorch_removed_is_in_no_release_for_amd() -> None:
    read = libraries.partial([TORCH])
    assert libraries.lacking(complaint("use of undeclared identifier 'AT_CHECK'"), read) is None
    assert libraries.lacking(complaint("use of undeclared identifier 'AT_CHECKED'"), read) is not None


def test_a_function_all_of_whose_declarations_are_here_is_believed() -> None:
    half, torch = f"{DECLARATIONS}/hip/hip_fp16.h", f"{DECLARATIONS}/torch-headers/torch/headeronly/util/BFloat16.h"
    read = libraries.partial([half, torch])
    assert libraries.lacking(complaint("no matching function for call to '__ldg'", torch, half), read) is None
    for message in ("no matching function for call to '__hadd'", "no matching function for call to '__ldg_own'"):
        assert libraries.lacking(complaint(message, half), read) is not None, message


def test_what_is_known_of_a_library_is_certain_where_no_header_is_missing_before() -> None:
    half = f"{DECLARATIONS}/hip/hip_fp16.h"
    called = replace(complaint("no matching function for call to '__ldg'", half), apart="before")
    inner = replace(complaint("no member named 'details' in namespace 'cooperative_groups'"), apart="before")
    assert libraries.is_certain(called) and libraries.is_certain(inner)
    for other in (
        replace(called, apart=""),  # a missing header may overload it
        replace(called, kind="stand-in"),
        replace(called, notes=()),
        replace(called, message="no matching function for call to '__hadd'"),
        replace(inner, message="no member named 'details' in namespace 'app'"),
    ):
        assert not libraries.is_certain(other), other


def test_what_refers_to_a_function_of_the_other_side_is_an_error() -> None:
    fp8 = f"{DECLARATIONS}/hip/hip_fp8.h"
    message = "reference to __host__ function 'operator float' in __device__ function"
    assert libraries.lacking(complaint(message, fp8), libraries.partial([fp8])) is None
    other = "reference to overloaded function could not be resolved"
    assert libraries.lacking(complaint(other, fp8), libraries.partial([fp8])) is not None


def test_a_type_of_the_projects_given_one_of_hips_is_none_of_hips() -> None:
    read = libraries.partial([f"{DECLARATIONS}/hip/hip_fp16.h"])
    for message in (
        "no member named 'Storage' in 'app::Traits<__half, 4>'",
        "no type named 'Storage' in 'Traits<app::Pair<__half>, __hip_bfloat16>'",
    ):
        assert libraries.lacking(complaint(message), read) is None, message
    for message in (
        "no member named 'data' in '__half::Inner<int>'",
        "implicit instantiation of undefined template 'app::hash<__half>'",  # the library may specialise it
    ):
        assert libraries.lacking(complaint(message), read) is not None, message


def test_names_of_cudas_are_declared_by_no_header_of_programs() -> None:
    read = libraries.partial([f"{DECLARATIONS}/helper_cuda.h"])
    for name in ("CUDART_CB", "cudaMalloc", "cuInit", "CU_STREAM_DEFAULT"):
        assert libraries.lacking(complaint(f"use of undeclared identifier '{name}'"), read) is None
    other = replace(complaint("use of undeclared identifier 'MPI_Init'"), kind="stand-in", header=read[0].title)
    (said,) = libraries.needed([other], [])
    assert "MPI_Init" not in said and "NVIDIA's CUDA samples" in said


def test_a_candidate_in_a_partial_are_in_may_be_the_wrong_one() -> None:
    assert libraries.lacking(complaint("no matching function for call to 'Sum'", HIPCUB), ()) is not None


@pytest.mark.parametrize(
    "message",
    [
        "use of undeclared identifier 'overlap'",  # the notes lead to a macro of the library around the place
        "unknown type name 'Overlap'",
        "no matching function for call to '__shfl' (call to __device__ function from __host__ function)",
    ],
)
def test_notes_on_what_is_around_a_place_say_nothing_of_a_library(message: str) -> None:
    assert libraries.lacking(complaint(message, HIPCUB), ()) is None
    assert libraries.lacking(complaint(f"{message}; did you mean 'f'?", HIPCUB), ()) is not None


@pytest.mark.parametrize(
    "message",
    ["use of undeclared identifier 'cudaMalloc'", "unknown type name 'hipcubs'", "expected ';' after expression"],
)
def test_other_errors_stand(message: str) -> None:
    assert libraries.lacking(complaint(message), libraries.partial([HIPCUB, TORCH])) is None


def test_what_a_declaration_asserts_is_certain() -> None:
    """And a call that its stand-in does not take is not."""
    assert libraries.lacking(complaint("static assertion failed due to requirement 'N % 64 == 0'", HIPCUB), ()) is None
    assert libraries.lacking(complaint("no matching member function for call to 'Load'", HIPCUB), ()) is not None


def test_a_are_in_that_is_complete_is_believed() -> None:
    assert libraries.partial([HIPBLAS]) == ()
    assert libraries.lacking(complaint("no matching function for call to 'hipblasSgemm'", HIPBLAS), ()) is None


def test_a_header_is_named_with_its_package() -> None:
    assert libraries.package("hipcub/hipcub.hpp") == "hipcub/hipcub.hpp (hipcub-dev)"
    assert libraries.package("my/own.h") == "my/own.h"


def needed(read: str, *messages: str) -> list[str]:
    entries = [replace(complaint(one), kind="stand-in", header="HIP's device functions") for one in messages]
    return libraries.needed(entries, [read])


def test_what_is_not_declared_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(libraries, "SYSTEM", (str(tmp_path),))
    halves = f"{DECLARATIONS}/hip/hip_bf16.h"
    title = "the headers of HIP's device functions"
    assert needed(halves, "use of undeclared identifier '__hfma_relu'") == [f"`__hfma_relu` in {title} (hip-dev)"]
    cast = "no matching conversion for functional-style cast from 'half' (aka '__half') to 'nv_bfloat16'"
    assert needed(halves, cast) == [f"a conversion from `half` to `nv_bfloat16` in {title} (hip-dev)"]
    assert needed(halves, "excess elements") == [f"{title} (hip-dev)"]
    many = [f"use of undeclared identifier 'f{number}'" for number in range(9)]
    assert len(needed(halves, *many)) == 3


def test_a_package_that_is_there_without_the_header_is_not_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(libraries, "SYSTEM", (str(tmp_path),))
    (tmp_path / "hip").mkdir()
    (tmp_path / "hip" / "hip_fp16.h").write_text("")
    title = "the headers of HIP's device functions"
    message = "use of undeclared identifier 'f'"
    assert needed(f"{DECLARATIONS}/hip/hip_bf16.h", message) == [f"`f` in {title}"]
    assert needed(f"{DECLARATIONS}/hip/hip_fp16.h", message) == [f"`f` in {title} (hip-dev)"]


def test_what_a_function_of_the_tree_is_given_is_not_the_functions_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(libraries, "SYSTEM", (str(tmp_path),))
    title = "the headers of PyTorch for ROCm (torch, from PyTorch's index for ROCm)"
    entries = [
        replace(complaint(f"no matching function for call to '{name}'"), kind="stand-in", header="PyTorch for ROCm")
        for name in ("own_cast", "other")
    ]
    found = libraries.needed(entries, [f"{DECLARATIONS}/torch-headers/ATen/ATen.h"], lambda _, name: name == "own_cast")
    assert found == [f"`other` in {title}", title]
    operator = "invalid operands to binary expression ('T' and 'float')"
    halves = "the headers of HIP's device functions (hip-dev)"
    assert needed("", "no viable overloaded '+='") == [halves]
    said = ("candidate function not viable: no known conversion from 'T' to 'const __half' for 1st argument",)
    entry = replace(complaint("no viable overloaded '='"), kind="stand-in", header="HIP's device functions", said=said)
    assert libraries.needed([entry], []) == [f"a conversion from `T` to `__half` in {halves}"]
    assert needed("", operator)[0].startswith("`T` in ")


def test_pybind11_alone_is_no_pytorch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(libraries, "SYSTEM", (str(tmp_path),))
    numpy, tensor = (f"{DECLARATIONS}/torch-headers/{name}" for name in ("pybind11/numpy.h", "torch/extension.h"))
    message = "no member named 'capsule' in namespace 'pybind11'"
    (alone,) = libraries.partial([numpy])
    found = libraries.lacking(complaint(message), [alone])
    assert found is alone and libraries.lacking(complaint("use of undeclared identifier 'INFO'"), [alone]) is None
    entry = replace(complaint(message), kind="stand-in", header=alone.title)
    assert libraries.needed([entry], [numpy]) == ["`capsule` in the headers of pybind11 (pybind11-dev)"]
    both = libraries.needed([entry], [numpy, tensor])
    assert both == ["`capsule` in the headers of PyTorch for ROCm (torch, from PyTorch's index for ROCm)"]
    assert "INFO" in libraries.partial([tensor])[0].prefixes


def test_every_stand_in_belongs_to_a_library() -> None:
    files = [path.relative_to(DECLARATIONS).as_posix() for path in stand_ins("declarations").rglob("*.h*")]
    assert [name for name in files if libraries.of_header(name) is None] == []


def test_headers_that_libhipcxx_has_under_the_same_name_are_missing_and_no_errors() -> None:
    (shared,) = (
        row
        for row in tomli.loads((rules_folder() / "api" / "libcudacxx.toml").read_text())["rule"]
        if row.get("name") == "shared-libcudacxx-headers"
    )
    assert [name for name in shared["header"] if not libraries.brings(name)] == []
    assert libraries.package("cuda/std/utility") == "cuda/std/utility (libhipcxx)"
    assert not libraries.brings("cuda/barrier") and not libraries.brings("cuda/pipeline")


def line_of(header: str, text: str) -> Place:
    """The place of a text in one of our declarations."""
    path = f"{DECLARATIONS}/{header}"
    lines = Path(path).read_text("utf-8").splitlines()
    return Place(path, next(number for number, line in enumerate(lines, 1) if text in line), 1)


HALF = f"{DECLARATIONS}/hip/hip_fp16.h"
THRUST = f"{DECLARATIONS}/thrust/device_ptr.h"


@pytest.mark.parametrize(
    ("message", "read", "lacks"),
    [
        ("no type named 'SmemStorage' in 'hipcub::BlockScan<int, 128>'", HIPCUB, False),
        ("no member named 'NewScan' in 'hipcub::BlockScan<int, 128>'", HIPCUB, False),
        ("no member named 'NewRank' in 'hipcub::BlockRadixRank<128, 4, false>'", HIPCUB, True),
        ("no member named 'cuda' in namespace 'thrust'", THRUST, False),
        ("no member named 'cuda' in namespace 'thrust::system'", THRUST, False),
        ("no member named 'mr' in namespace 'thrust'", THRUST, True),
        ("no viable conversion from '__half' to '__fp16'", HALF, False),
        ("no viable conversion from '__half' to 'my_half'", HALF, True),
        ("no viable conversion from 'const DeprecatedTypeProperties' to 'torch::headeronly::ScalarType'", TORCH, False),
        ("no viable conversion from 'const DeprecatedTypeProperties' to 'caffe2::TypeMeta'", TORCH, True),
        ("no matching conversion for static_cast from 'const half' (aka 'const __half') to 'float'", HALF, False),
        ("no matching conversion for static_cast from 'const half' (aka 'const __half') to 'double2'", HALF, True),
    ],
)
def test_what_a_stand_in_has_whole_is_an_error_where_it_is_missing(message: str, read: str, lacks: bool) -> None:
    entry = replace(complaint(message, read), apart="before")
    assert (libraries.lacking(entry, libraries.partial([read])) is not None) is lacks
    assert libraries.is_certain(entry) is not lacks


@pytest.mark.parametrize(("owner", "lacks"), [("struct DeviceReduce", False), ("struct DeviceSegmentedReduce", True)])
def test_a_function_of_a_class_is_whole_with_its_class(owner: str, lacks: bool) -> None:
    place = line_of("hipcub/cudamigrate/device.hpp", owner)
    entry = replace(
        complaint("no matching function for call to 'Reduce'"), notes=(replace(place, line=place.line + 1),)
    )
    assert (libraries.lacking(replace(entry, apart="before"), libraries.partial([HIPCUB])) is not None) is lacks


@pytest.mark.parametrize(
    ("operands", "lacks"), [("'half2' (aka '__half2') and 'void'", False), ("'half2' (aka '__half2') and 'Own'", True)]
)
def test_no_operator_that_a_stand_in_lacks_makes_an_assignment_of_braces_clear(operands: str, lacks: bool) -> None:
    entry = complaint(f"use of overloaded operator '=' is ambiguous (with operand types {operands})", HALF)
    assert (libraries.lacking(entry, libraries.partial([HALF])) is not None) is lacks


def test_a_programs_own_checks_are_none_of_pytorchs() -> None:
    read = libraries.partial([TORCH])
    assert libraries.lacking(complaint("use of undeclared identifier 'CHECK_INPUT'"), read) is None
    assert libraries.lacking(complaint("use of undeclared identifier 'CHECK'"), libraries.partial([HIPCUB])) is None


def test_groups_that_no_release_of_hip_has_are_none_that_only_our_declarations_lack() -> None:
    none = {
        name
        for path in rule_files(rules_folder())
        for rule in read(path, TARGET, path.parent.name)
        if rule.support == "none"
        for name in rule.match.names
        if name.startswith("cooperative_groups::")
    }
    library = next(one for one in libraries.known() if one.title == "HIP's device functions")
    assert "cooperative_groups::block_tile_memory" in none
    assert none <= library.absent
