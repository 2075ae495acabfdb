"""Cargo: what build scripts and manifests say of CUDA, and what they do not."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text


def _found(path: str, text: str) -> list[tuple[str, str]]:
    result = find_in_text(text, path, unsafe=True)
    assert result.after == text, "nothing is rewritten"
    data = text.encode()
    return [(one.rule.partition("/")[2], data[one.span.start : one.span.end].decode()) for one in result.findings]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('cc::Build::new().cuda(true).compile("k");', [("cargo-cuda", "cuda")]),
        ("cc::Build::new().cuda(false);", []),
        ("build.cuda(has_cuda);", []),
        ("cuda(true);", []),
        ("/* b.cuda(true); */ // nvcc", []),
        ('let s = r#"b.cuda(true)"#;', []),
        ('Command::new("nvcc").arg("--version");', [("cargo-nvcc", "nvcc")]),
        ('std::process::Command::new("/opt/bin/nvcc").status();', [("cargo-nvcc", "/opt/bin/nvcc")]),
        (
            'Command::new("nvidia-smi").arg("-L").output(); Command::new("nvidia-smi").output();',
            [("cargo-gpu-query", "nvidia-smi")],
        ),
        ('process::Command::new(r"ptxas").status();', [("cargo-machine-code-tool", "ptxas")]),
        ('Command::new("sh").arg("nvidia-smi"); run("nvidia-smi"); Command::new("nvidia-smi-like");', []),
        ('println!("cargo:warning=nvcc was not found");', []),
        ('own::gpu().files(["a.cu", "b.cu"]);', [("cargo-source", "a.cu")]),
        ('own::bindgen(&["a.cu"], "a.rs");', [("cargo-source", "a.cu")]),
        ('own::gpu().file("a.cpp"); own::bindgen(["a.h"]);', []),
        ('let text = fs::read("a.cu"); let at = Path::new("a.cu"); dir.join("a.cu"); own("a.cu");', []),
        ('bindgen_cuda::compile(["a.cu"]); println!("{}", "a.cu");', []),
        ('own::gpu().compiler("/opt/rocm/bin/hipcc").file("a.cu");', []),
        ('let c = "nvcc"; own::gpu().file("a.cu");', [("cargo-nvcc", "nvcc")]),
        ('cc::Build::new().cuda(true).file("a.cu");', [("cargo-cuda", "cuda")]),
        ('println!("cargo:rustc-link-lib=dylib=cudart");', [("cargo-link", "cudart")]),
        ('println!("cargo::rustc-link-lib=static:+whole-archive=cublas_static");', [("cargo-link", "cublas_static")]),
        ('println!("cargo:rustc-link-lib=stdc++");', []),
        ('println!("cargo:rustc-link-lib=custom");', []),
        ('let p = env::var("CUDA_PATH"); let q = "/usr/local/cuda/lib64";', [("cargo-folder", "CUDA_PATH")]),
        ('let p = "/usr/local/cudabox";', []),
    ],
)
def test_a_build_script_is_read_by_its_calls_and_texts(text: str, found: list[tuple[str, str]]) -> None:
    assert _found("build.rs", f"fn main() {{\n    {text}\n}}\n") == found


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ('cc::Build::new().cuda(true).flag("-diag-suppress=177").flag("-Wall");', ["-diag-suppress=177"]),
        ('cc::Build::new().flag("-diag-suppress=177");', []),  # whatever compiler that is for, it is not known as nvcc
        ('let mut b = cc::Build::new(); b.cuda(true); b.flag("-arch=native");', ["-arch=native"]),
        ('let mut b = cc::Build::new().cuda(true); b.flag("-arch=native");', ["-arch=native"]),
        ('let mut b = cc::Build::new(); b.cuda(true); let mut c = cc::Build::new(); c.flag("-arch=native");', []),
        ('Command::new("nvcc").args(["-gencode", "arch=compute_80,code=sm_80"]);', ["-gencode"]),
        ('Command::new("gcc").args(["-arch", "x86_64"]);', []),
        ('flags.push("--use_fast_math");', ["--use_fast_math"]),
        ('b.cuda(true).flag("-é").flag("-lineinfo");', ["-lineinfo"]),
    ],
)
def test_options_are_those_of_nvcc_where_a_chain_or_variable_compiles_by_it(text: str, options: list[str]) -> None:
    found = _found("build.rs", f"fn main() {{\n    {text}\n}}\n")
    assert [excerpt.partition('"')[0] for rule, excerpt in found if rule.startswith("flag-")] == options


def test_texts_are_found_where_they_stand_behind_letters_of_several_bytes() -> None:
    assert _found("build.rs", 'fn main() { let é = "é/usr/local/cuda"; }') == [("cargo-folder", "/usr/local/cuda")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[dependencies]\ncudarc = "0.12"\n', [("cargo-binding", "cudarc")]),
        ('[dependencies]\ncudarc.version = "0.12"\n', [("cargo-binding", "cudarc.version")]),
        ('[dependencies.cust]\nversion = "0.3"\noptional = true\n', [("cargo-binding", "version")]),
        ("[target.'cfg(unix)'.dependencies]\ncuda-sys = \"0.2\"\n", [("cargo-binding", "cuda-sys")]),
        ('[workspace.dependencies]\ncudarc = "0.12"\ncust = "0.3"\n', [("cargo-binding", "cudarc")]),
        ('[dependencies]\ngpu = { package = "cudarc", version = "0.12" }\n', [("cargo-binding", '"cudarc"')]),
        ('[build-dependencies]\nbindgen_cuda = "0.1"\n', [("cargo-kernels", "bindgen_cuda")]),
        ('[dependencies]\ncustom = "1"\n[features]\ncudarc = ["gpu"]\n', []),
        ('[package]\nname = "cudarc"\n[package.metadata]\ncust = "x"\n', []),
        ("[dependencies\ncudarc =", []),
    ],
)
def test_a_manifest_is_read_by_its_dependencies(text: str, found: list[tuple[str, str]]) -> None:
    assert _found("Cargo.toml", text) == found


def test_other_files_of_rust_are_no_build_scripts() -> None:
    found = find_in_text('fn main() { Command::new("nvcc"); }', "src/main.rs").findings
    assert [one.rule for one in found] == ["api/rust-nvcc"]
