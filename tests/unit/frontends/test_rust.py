"""Rust: which files use a crate that binds CUDA, or declare CUDA's functions."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

BINDING, DECLARED = "api/rust-binding", "api/rust-declaration"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("use cudarc::driver::CudaDevice;", [(BINDING, "cudarc")]),
        ("use cudarc as gpu;", [(BINDING, "cudarc")]),
        ("use era_cudart::slice::DeviceSlice;", [(BINDING, "era_cudart")]),
        ("use era_cudart_sys::{cudaError_t, get_cuda_lib_path};", [(BINDING, "era_cudart_sys")]),
        ("use era_cudart_tools::Kind;", []),
        ("pub use cust::prelude::*;", [(BINDING, "cust")]),
        ("extern crate rustacuda;", [(BINDING, "rustacuda")]),
        ("fn f() -> cuda_sys::cudart::cudaError_t { loop {} }", [(BINDING, "cuda_sys")]),
        ("fn f() { candle::backend::cudarc::driver::init(); }", [(BINDING, "cudarc")]),
        ("use {std::fmt, cudarc::nvrtc};", [(BINDING, "cudarc")]),
        ("use crate::cudarc::Kind;", []),
        ("use super::cudnn::Handle; mod cudnn;", []),
        ("use backend::cudnn::Handle;", []),
        ("use custom::cust_of;", []),
        ('// use cudarc::driver;\nconst S: &str = "cudarc::driver";', []),
        ('extern "C" { pub fn cublasCreate_v2(h: *mut Handle) -> i32; }', [(DECLARED, "cublasCreate_v2")]),
        ('#[link(name = "cuda")]\nextern "system" {\n    fn cuInit(f: u32) -> u32;\n}', [(DECLARED, "cuInit")]),
        ('extern "C" { fn cudf_rows() -> u32; fn curl_easy_init(); fn current(); }', []),
        ("trait T { fn cuInit(f: u32) -> u32; }", []),
        ("use cudarc::driver;\nuse cudarc::cublas;\nuse cust::memory;", [(BINDING, "cudarc")]),
    ],
)
def test_one_place_stands_for_a_file(text: str, found: list[tuple[str, str]]) -> None:
    result = find_in_text(text, "src/a.rs", unsafe=True)
    data = text.encode()
    assert [(one.rule, data[one.span.start : one.span.end].decode()) for one in result.findings] == found
    assert result.after == text


def test_a_build_script_is_read_as_one() -> None:
    result = find_in_text("fn main() { cc::Build::new().cuda(true); }\nuse cudarc::driver;\n", "build.rs")
    assert [one.rule for one in result.findings] == ["build/cargo-cuda"]
