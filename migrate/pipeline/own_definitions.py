"""What the repository defines itself by names of CUDA's or of a library's: the passes that report none of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from cudamigrate.model import FileResult
from cudamigrate.pipeline.device_pointers import without_own_pointers
from cudamigrate.pipeline.own_interfaces import without_own_interfaces
from cudamigrate.pipeline.own_libraries import without_own_library
from cudamigrate.pipeline.own_library_namespaces import without_own_library_namespaces
from cudamigrate.pipeline.own_loads import without_own_loads
from cudamigrate.pipeline.own_lookup import without_looked_up_names
from cudamigrate.pipeline.own_names import Read
from cudamigrate.pipeline.own_namespaces import without_own_cub, without_own_cuda, without_own_thrust
from cudamigrate.pipeline.own_variables import without_own_variables


class _Pass(Protocol):
    def __call__(self, results: Sequence[FileResult], read: Read) -> list[FileResult]: ...


PASSES: tuple[_Pass, ...] = (
    without_looked_up_names,
    without_own_cuda,
    without_own_cub,
    without_own_thrust,
    without_own_library,
    without_own_interfaces,
    without_own_library_namespaces,
    without_own_variables,
    without_own_loads,
    without_own_pointers,
)
"""In the order in which they run: results in, and out without findings on what the files that `read` reads define."""
