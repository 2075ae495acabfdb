"""CMake: what its modules try with a compiler, and the programs that a file writes, where they are of CUDA.

Source: CMake documentation, "CheckSourceCompiles", "CheckCXXSourceCompiles", "CheckIncludeFile", "CheckSymbolExists",
"file".
"""

from __future__ import annotations

from cudamigrate.lazy_re import re
from cudamigrate.syntax.cmake import Command

_CHECKS = re.compile(r"check_(?:source_(?:compiles|runs)|compiler_flag|linker_flag)")
"""Commands of CMake's modules that compile something in the language which comes first."""
_TRY_CODE = re.compile(r"check_(?:c|cxx)_source_(?:compiles|runs)")
_TRY_NAMES = re.compile(
    r"check_(?:include_files?(?:_cxx)?|(?:cxx_)?symbol_exists|function_exists|library_exists|type_size)"
)
"""Modules that ask for code, and for names and headers, in C or C++."""
_NAME = re.compile(
    r"(?:.*;)?(?:cuda\w*\.h|cu(?:blas|dnn|fft|rand|solver|sparse)\w*\.h|nvml\.h|nccl\.h|cudart|cu(?:da)?[A-Z]\w+)(?:;.*)?"
)
"""What only CUDA's headers and libraries have: `cuda_runtime.h`, `cudaMalloc`, `cudart`."""
_CODE = re.compile(r"\bcuda[A-Z]\w+\s*\(|\bcuda\w+_t\b|[<\"]cu\w+\.h[>\"]|\bcu[A-Z]\w+\s*\(")
"""What makes a piece of code need CUDA's headers: `cudaMalloc(`, `cudaError_t`, `<cuda_runtime.h>`, `cuInit(`."""
_WRITES = ("WRITE", "APPEND", "GENERATE", "CONFIGURE")
"""Words of `file` before the text that it makes a file of."""


def use_name(command: Command, number: int, text: str) -> str:
    """What rules call an argument, by its number, that is tried or written; empty for any other."""
    if not number and _CHECKS.fullmatch(command.name) and text == "CUDA":
        return f"{command.name}(CUDA)"
    if command.name.startswith("check_") and _is_tried(command, number, text):
        return "checked code of CUDA"
    if command.name == "file" and number > 1 and command.args[0].text in _WRITES and _CODE.search(text):
        return "written code of CUDA"
    return ""


def _is_tried(command: Command, number: int, text: str) -> bool:
    """Whether an argument is code of CUDA, or a name or header of it, that a check compiles or links."""
    if command.name.startswith("check_source_"):
        return number == 1 and _CODE.search(text) is not None
    if _TRY_CODE.fullmatch(command.name):
        return not number and _CODE.search(text) is not None
    if _TRY_NAMES.fullmatch(command.name) is None:
        return False
    return number == next((at for at, one in enumerate(command.args[:-1]) if _NAME.fullmatch(one.text)), -1)
