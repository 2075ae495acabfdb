"""GCC's library of OpenMP in a setup.py where only the host's compiler uses OpenMP: it is that compiler's own.

PyTorch's command has the host's compiler compile the sources for the host, and link. hipcc compiles the `.cu` files
alone, so that no part asks for clang's library where the GPU's compiler is not given `-fopenmp`.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.compilation import torch_extensions
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import FileResult
from cudamigrate.pipeline.own_names import Read

_RULE = "build/flag-library-gomp"
_OPTION = "openmp"


def without_host_openmp(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on the library in such files."""
    return [_without(one) if _is_of_host(one, read) else one for one in results]


def _without(result: FileResult) -> FileResult:
    return replace(result, findings=tuple(one for one in result.findings if one.rule != _RULE))


def _is_of_host(result: FileResult, read: Read) -> bool:
    """Whether a file names the library, has PyTorch build its extensions, and gives the GPU's compiler no OpenMP."""
    if result.language != "python" or not any(one.rule == _RULE for one in result.findings):
        return False
    source = read(result.path)
    text = source.data.decode("utf-8", "replace") if source is not None else ""
    return torch_extensions.is_command_of_pytorch(text) and not torch_extensions.may_give_nvcc(text, _OPTION)
