"""CMake: folders of headers of NVIDIA's CCCL, Thrust, CUB and libcu++, that a project's own copy of it has.

In front of ROCm's they are what `#include <thrust/...>` finds, with CUDA's code.
"""

from __future__ import annotations

from cudamigrate.lazy_re import re
from cudamigrate.syntax.cmake import Argument, Command

USE = "folder of CCCL"
"""The name of the use that stands for such folders in one command."""
_COMMANDS = {"include_directories": 0, "cuda_include_directories": 0, "target_include_directories": 1}
"""Commands that give folders of headers, and which argument may be the first one."""
_WORDS = frozenset(("BEFORE", "AFTER", "SYSTEM", "PUBLIC", "PRIVATE", "INTERFACE"))
_FOLDER = re.compile(
    r"(?:(?:.*/)?cccl(?:[-_]?v?[\d.]+)?|\$\{cccl_SOURCE_DIR\})/(?:thrust|cub|libcudacxx/include)/?", re.IGNORECASE
)
"""A part of CCCL by its path in that repository: `third_party/cccl/cub`, `${cccl_SOURCE_DIR}/libcudacxx/include`."""


def folders(command: Command) -> list[Argument]:
    """The arguments of a command that are such folders."""
    first = _COMMANDS.get(command.name)
    return [] if first is None else [one for one in command.args[first:] if _FOLDER.fullmatch(one.text)]


def gives_others(command: Command) -> bool:
    """Whether a command gives other folders too."""
    given = command.args[_COMMANDS[command.name] :]
    return any(one.text not in _WORDS and not _FOLDER.fullmatch(one.text) for one in given)
