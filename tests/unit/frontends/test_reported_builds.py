"""Meson and Bazel: what is reported, and what is not."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("meson.build", "project('a', ['cpp', 'cuda'])", ["meson-language"]),
        ("meson.build", "add_languages('cuda', native: false)", ["meson-language"]),
        ("meson.build", "m = import('cuda')\nm.nvcc_arch_flags('12', 'Auto')", ["meson-module", "meson-module"]),
        ("meson.build", "d = dependency('cuda', version: '>=11')", ["meson-dependency"]),
        (
            "meson.build",
            "add_project_arguments('--use_fast_math', language: 'cuda')",
            ["flag-fast-math", "meson-language"],
        ),
        ("meson.build", "# project('a', 'cuda')\nmessage('cuda')", []),
        ("meson.build", "option = get_option('cuda')", []),
        ("meson.build", "blas = cc.find_library('cublas')", ["meson-library"]),
        ("meson.build", "find_program('nvcc', '/opt/cuda/bin/nvcc')", ["meson-program", "meson-program"]),
        (
            "meson.build",
            "d = cc.find_library('cudart', dirs: '/usr/local/cuda/lib64')",
            ["meson-library", "meson-folder"],
        ),
        ("meson.build", "get_option('nvcc')\nmessage('nvcc', '/usr/local/cuda')\ncc.find_library('cudart_mine')", []),
        ("BUILD.bazel", 'load("@rules_cuda//cuda:defs.bzl", "cuda_library")', ["bazel-repository"]),
        ("MODULE.bazel", 'bazel_dep(name = "rules_cuda", version = "0.2")', ["bazel-repository"]),
        ("a/BUILD", 'tf_cuda_library(name = "a", copts = ["-lineinfo"])', ["bazel-rule", "flag-lineinfo"]),
        ("x.bzl", 'def cuda_library(name):\n  native.cc_library(name = name + "_cuda")', []),
        ("x.bzl", "# cuda_library()\nif_cuda = 1", []),
        (
            "BUILD",
            'cc_library(name = "a", copts = ["-x", "cuda", "--cuda-gpu-arch=sm_70"])',
            ["flag-language", "flag-arch"],
        ),
        ("BUILD", 'args = ["-x"]\nother = ["cuda"]\ncc_library(copts = select({"-x": "cuda"}))', []),
        ("x.bzl", 'NVCC_COPTS = ["-Xcompiler", "-ftz=true"]\nMORE = ["-ftz=true"]', ["flag-host"]),
        (
            "BUILD",
            'F = ["-ftz=true"]\nG = ["-ftz=false"]\nmine(nvcc_copts = F + ["-G"])',
            ["flag-ftz", "flag-device-debug"],
        ),
        (
            "BUILD",
            'load("@rules_cuda//cuda:defs.bzl", gpu = "cuda_objects")\n'
            'gpu(copts = ["--fmad=false"], host_copts = ["-ftz=true"])\ncc_library(copts = ["--fmad=false"])',
            ["bazel-repository", "flag-fmad"],
        ),
        (
            "a.bzl",
            'def f(opt):\n    if opt.startswith("-gencode") or opt == "-lineinfo" or "-arch" in opt:\n  fail()',
            [],
        ),
        ("a.bzl", 'def f(opt):\n    return [opt] + ["-lineinfo"]', ["flag-lineinfo"]),
        ("BUILD", 'flags_test(name = "t", expected = ["-lineinfo"], target_under_test = ":k")', []),
        ("BUILD", 'flags_test(name = "t", copts = ["-lineinfo"])', ["flag-lineinfo"]),
        (".bazelrc", "build --@rules_cuda//cuda:archs=compute_80:sm_80", ["bazel-setting"]),
        (
            "gpu.bazelrc",
            'build:a --action_env "CUDA_TOOLKIT_PATH=/a b"\nbuild --copt -lineinfo',
            ["bazel-setting", "flag-lineinfo"],
        ),
        (".bazelrc", "build --flag_alias=on=@rules_cuda//cuda:enable\nbuild --on", ["bazel-setting", "bazel-setting"]),
        (".bazelrc", "build --flag_alias=on=//mine:enable \\\n  --on --define using_cuda=false # @rules_cuda", []),
        (".bazelrc", "build --crosstool_top=@local_config_cuda//crosstool:toolchain", ["bazel-setting"]),
        (".bazelrc", "build:gpu --define=using_cuda=true\nbuild:amd --define=using_rocm=true", []),
        (".bazelrc", "build --define=using_cuda=true\nbuild:amd --define=using_rocm=true", ["bazel-setting"]),
    ],
)
def test_build_files_without_an_equal_are_reported_and_not_changed(path: str, text: str, found: list[str]) -> None:
    result = find_in_text(text, path, unsafe=True)
    assert [finding.rule for finding in result.findings] == [f"build/{rule}" for rule in found]
    assert result.after == text
