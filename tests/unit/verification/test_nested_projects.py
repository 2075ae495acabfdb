"""Which header of several a file of a project within another reads depends on which of the two builds it."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate.compilation import build_flags
from cudamigrate.compilation.include_closure import IncludeResolver, headers
from cudamigrate.model.verification import Diagnostic, Place
from cudamigrate.verification import nested_projects

OUTER = "project(all)\ninclude_directories(common)\nadd_subdirectory(solver)\n"
INNER = "if(CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR)\n  project(solver)\nendif()\n"
FILES = {
    "CMakeLists.txt": OUTER,
    "solver/CMakeLists.txt": INNER,
    "common/log.h": "struct Log { int level; };\n",
    "solver/include/log.h": "struct Log { int level; bool loud; };\n",
    "solver/bench/a.cu": '#include "log.h"\n',
    "tests/b.cu": '#include "log.h"\n',
}
MISSING = "no member named 'loud' in 'Log'"


@pytest.mark.parametrize(
    ("files", "path", "message", "named"),
    [
        pytest.param({}, "solver/bench/a.cu", MISSING, ["log.h"], id="its project's header has it"),
        pytest.param({}, "solver/bench/a.cu", "unknown type name 'loud'", ["log.h"], id="as a type"),
        pytest.param({}, "solver/bench/a.cu", "no member named 'quiet' in 'Log'", [], id="neither has it"),
        pytest.param({}, "solver/bench/a.cu", "no member named 'level' in 'Log'", [], id="both have it"),
        pytest.param({}, "solver/bench/a.cu", "expected ';' after expression", [], id="another error"),
        pytest.param({}, "tests/b.cu", MISSING, [], id="a file of the outer project"),
        pytest.param(
            {"solver/CMakeLists.txt": "add_library(s a.cu)\n"}, "solver/bench/a.cu", MISSING, [], id="a folder"
        ),
    ],
)
def test_what_another_header_of_its_own_project_has_is_not_known_to_be_missing(
    tmp_path: Path, files: dict[str, str], path: str, message: str, named: list[str]
) -> None:
    written(tmp_path, {**FILES, **files})
    tree = IncludeResolver(
        str(tmp_path),
        build_flags.read(tmp_path),
        ("/usr/include",),
        lambda name: (tmp_path / name).read_bytes(),
        paths=headers(tmp_path),
    )
    error = Diagnostic("error", Place(path, 3, 1), message, "host")
    assert nested_projects.several([error], path, {path, "common/log.h"}, tree) == named
