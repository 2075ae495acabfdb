"""Crates of Rust that have to do with CUDA, by the names that manifests give them."""

from __future__ import annotations

BINDINGS = frozenset(
    (
        *("cudarc", "cust", "cust_raw", "cust_core", "rustacuda", "rustacuda_core", "cuda_std"),
        *("cuda-sys", "cuda-driver-sys", "cuda-runtime-sys", "cublas-sys", "cudnn", "cudnn-sys"),
        *("era_cudart", "era_cudart_sys"),
    )
)
"""Crates that bind CUDA's driver, runtime and libraries. Source: their descriptions on docs.rs."""
COMPILING = frozenset(("bindgen_cuda", "cuda_bindgen", "cuda_builder", "find_cuda_helper"))
"""Crates for build scripts that run nvcc, make PTX of Rust, or look for a CUDA toolkit. Source: the same."""


def in_code(crate: str) -> str:
    """How code spells a crate: with underscores."""
    return crate.replace("-", "_")
