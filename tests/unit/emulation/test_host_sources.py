"""Launches and dynamic shared memory as C++ for the host: each form, the lines kept, and what is left alone."""

from __future__ import annotations

import pytest

from cudamigrate.emulation.host_sources import for_host


def changed(code: str) -> str:
    made = for_host(code.encode(), "a.cu").decode()
    assert made.startswith('#line 1 "a.cu"\n')
    body = made.partition("\n")[2]
    assert body.count("\n") == code.count("\n")
    return body


@pytest.mark.parametrize(
    ("launch", "kernel"),
    [
        ("k<<<1, 2>>>(a);", "k(a)"),
        ("ns::k<float, 8><<<grid(n), dim3(8, 8), sizeof(int) * 4, stream>>>(a, b);", "ns::k<float, 8>(a, b)"),
        ("::k<f<int>(3)><<<1, 2>>>(a);", "::k<f<int>(3)>(a)"),
        ("(*table[i])<<<1, 2>>>(a);", "(*table[i])(a)"),
        ("table[i][j + 1]<<<1, 2>>>(a);", "table[i][j + 1](a)"),
        ("table[0].run<<<1, 2>>>();", None),
        ("KERNEL(add)<<<1, 2>>>(a);", "KERNEL(add)(a)"),
        ("this->kernel<<<1, n > 2 ? 3 : 4>>>(a);", "this->kernel(a)"),
        ("if (n) k<<<1, 2>>>(a); else return;", "k(a)"),
        ("k<<<1,\n      2>>>(a,\n  b);", "k(a, b)"),
    ],
)
def test_launches_in_every_spelling(launch: str, kernel: str | None) -> None:
    made = changed(f"void f() {{ {launch} }}\n")
    if kernel is None:
        return
    assert "<<<" not in made and "::cudamigrate_emulation::launch_with(" in made
    assert f"else {kernel};" in made


def test_arguments_that_call_something_are_computed_once() -> None:
    made = changed("void f() { k<<<1, 2>>>(next(), p, n++, (float *)q, sizeof(int), a[i]); }\n")
    assert "auto &argument0_, auto &argument1_" in made and "}, next(), n++);" in made
    assert "else k(argument0_, p, argument1_, (float *)q, sizeof(int), a[i]);" in made
    assert "else k(argument0_, argument1_);" in changed("void f() { k<<<1, 2>>>(next(), next()); }\n")


@pytest.mark.parametrize("code", ["// k<<<1, 2>>>(a);\n", 'const char *s = "k<<<1, 2>>>(a)";\n', "int a = b << 3;\n"])
def test_what_is_no_launch_stays(code: str) -> None:
    assert changed(code) == code


def test_a_launch_in_a_macro_stays_in_it() -> None:
    made = changed("#define RUN(k, n) \\\n  k<<<n, \\\n  2>>>(a)\nint x;\n")
    assert made.count("\\\n") == 2 and "launch_with" in made


def test_dynamic_shared_memory_in_functions_and_outside() -> None:
    inside = changed("__global__ void k() { extern __shared__ __align__(16) float s[]; s[0] = 1; }\n")
    assert "float *s = reinterpret_cast<float *>(" in inside
    outside = changed("extern __shared__ int all[];\nnamespace n {\nextern __shared__ char more[];\n}\n")
    assert outside.startswith("#define all (reinterpret_cast<int *>(") and "#define more" in outside
    assert changed("__shared__ int s[4];\n") == "__shared__ int s[4];\n"


@pytest.mark.parametrize(
    ("code", "made"),
    [
        ("__shared__ alignas(16) float s[8];", "alignas(16) __shared__ float s[8];"),
        ("int a; static __shared__ alignas(T) T s;", "int a; alignas(T) static __shared__ T s;"),
        ("alignas(16) __shared__ float s[8];", "alignas(16) __shared__ float s[8];"),
        ("struct alignas(16) S { float x; }; __shared__ S s;", "struct alignas(16) S { float x; }; __shared__ S s;"),
        ("__shared__ __align__(16) float s[8];", "__shared__ __align__(16) float s[8];"),
    ],
)
def test_the_alignment_of_shared_memory_stands_where_c_plus_plus_has_it(code: str, made: str) -> None:
    assert changed(f"__global__ void k() {{ {code} }}\n") == f"__global__ void k() {{ {made} }}\n"


def test_dynamic_shared_memory_that_is_aligned() -> None:
    made = changed("__global__ void k() { extern __shared__ alignas(16) float s[]; }\n")
    assert "{ float *s = reinterpret_cast<float *>(" in made and "alignas" not in made


def test_kernels_passed_by_address_keep_their_type() -> None:
    made = changed("void f() { cudaLaunchKernel((const void *)k, 1, 2, args); g((void *)k); }\n")
    assert "cudaLaunchKernel(k, 1, 2, args)" in made and "g((void *)k)" in made


def test_registers_that_tell_the_lane_and_no_other_assembly() -> None:
    made = changed('unsigned f() { unsigned m; asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(m)); return m; }\n')
    signed = changed('int lane() { int l; asm("mov.s32 %0, %%laneid;" : "=r"(l)); return l; }\n')
    assert "asm" not in signed and "register_laneid()" in signed
    assert "register_laneid()" in changed('int lane() { int l; asm("mov.u32 %0, %laneid;" : "=r"(l)); return l; }\n')
    once = 'void f(unsigned &m) { asm("mov.u32 %0, %smid;" : "=r"(m)); }\n'
    assert changed(once) == once
    assert "(m = ::cudamigrate_emulation::register_lanemask_lt());" in made
    other = (
        'void f(unsigned &m) { asm("mov.u32 %0, %%smid;" : "=r"(m)); asm("add.u32 %0, %1, 1;" : "=r"(m) : "r"(m)); }\n'
    )
    assert changed(other) == other


@pytest.mark.parametrize("cast", ["(const void *)", "(void*)", "(const void *)&"])
def test_an_address_without_a_type_is_remembered_with_its_launch(cast: str) -> None:
    code = f"__global__ void __launch_bounds__(64) k(int *a) {{}}\nPlan plan({cast}k, 3);\n"
    assert "Plan plan(::cudamigrate_emulation::kernel_address(k), 3);" in changed(code)
    code = f"template <int N> __global__ void k(int *a) {{}}\nPlan plan({cast}k<f(1)>, 3);\n"
    assert "Plan plan(::cudamigrate_emulation::kernel_address(k<f(1)>), 3);" in changed(code)


def test_other_casts_stay() -> None:
    code = "__global__ void k(int *a) {}\nvoid *p = (void *)a; void **q = (void **)&p; k2((int)k, (void *)kk);\n"
    assert changed(code) == code


def test_variables_called_like_indices_get_another_name_where_they_are_in_scope() -> None:
    made = changed(
        "struct Plan { dim3 gridDim; };\n"
        "__global__ void k(int *a) { a[threadIdx.x] = blockDim.x; }\n"
        "void f(Plan p, dim3 blockDim) { k<<<p.gridDim, blockDim>>>(0); }\n"
        "void g() { dim3 gridDim(1), blockDim(2); { k<<<gridDim, blockDim>>>(0); } }\n"
        "__device__ int h(int a) { return a and blockDim.x > 1 ? blockDim.x + f(gridDim.x, blockDim.y) : 0; }\n"
    )
    one, two, three, four, five = made.splitlines()
    assert "dim3 cudamigrate_emulation_gridDim; }" in one
    assert "a[threadIdx.x] = blockDim.x;" in two
    assert "Launch(p.cudamigrate_emulation_gridDim, cudamigrate_emulation_blockDim)" in three
    assert "Launch(cudamigrate_emulation_gridDim, cudamigrate_emulation_blockDim)" in four
    assert "cudamigrate" not in five


def test_launches_of_a_file_that_captures_keep_their_values() -> None:
    made = changed("void f() { cudaStreamBeginCapture(s, m); k<<<1, 2, 0, s>>>(p, 2 * n, 3, NULL); }\n")
    assert "launch_by_value" in made and "[=](bool look_, auto &argument0_, auto &argument1_)" in made
    assert "else k(argument0_, argument1_, 3, NULL); }, p, 2 * n)" in made


def test_the_kernel_of_a_node_is_remembered_wherever_it_is_declared() -> None:
    made = changed('#include "kernels.cuh"\nvoid f() { node.func = (void *)add; other = (void *)data; g.func = h; }\n')
    assert "node.func = ::cudamigrate_emulation::kernel_address(add);" in made
    assert "other = (void *)data; g.func = h;" in made
