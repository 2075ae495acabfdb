"""How a file compiles: toolchains on this machine, build flags, included headers, engines, and kept answers.

Knows compilers and build files. Says what a compiler said, not what it means for a conversion.
"""

__all__ = [
    "answer_cache",
    "build_files",
    "build_flags",
    "build_settings",
    "cmake_hip_branches",
    "cmake_values",
    "configured_headers",
    "engines",
    "header_names",
    "header_sizes",
    "header_store",
    "host_sources",
    "include_closure",
    "leads",
    "made_headers",
    "makefile_flags",
    "preamble",
    "runtime_builds",
    "skipped_ranges",
    "toolchain",
    "torch_extensions",
    "torch_hipify",
]
