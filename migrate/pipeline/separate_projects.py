"""Projects of CMake beside each other in a tree, none of which takes anything from outside of its folder.

Such a folder is built alone, and copied alone: what its files include is in it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Set

from cudamigrate.cuda.include_paths import is_below
from cudamigrate.lazy_re import re
from cudamigrate.syntax import cmake

_LISTS = "CMakeLists.txt"
_UP = re.compile(rb"(?:^|[\s\"/;:}(=])\.\.(?=[\s\"/;)])", re.MULTILINE)
"""A folder above, in a path of a build file."""
_INCLUDE_UP = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*\"((?:[\w.-]+/)*\.\./[^\"\n]*)\"", re.MULTILINE)


def around(paths: Set[str], builds: Mapping[str, bytes], sources: Mapping[str, bytes]) -> dict[str, set[str]]:
    """The projects that the files at `paths` are in, each with its files; none unless all are in two or more of them.

    `builds` are the texts of all build files, and `sources` those of the files.
    """
    folders = {posixpath.dirname(path) for path in builds if posixpath.basename(path) == _LISTS}
    outermost = {one for one in folders if not any(one != other and is_below(one, other) for other in folders)}
    found: dict[str, set[str]] = {}
    for path in paths:
        project = next((one for one in outermost if is_below(path, one)), "")
        found.setdefault(project, set()).add(path)
    if len(found) < 2 or not all(one and _is_alone(one, builds, sources) for one in found):
        return {}
    return dict(sorted(found.items()))


def _is_alone(project: str, builds: Mapping[str, bytes], sources: Mapping[str, bytes]) -> bool:
    """Whether a project begins in a folder, and neither its build files nor its sources name what is above."""
    if not any(one.name == "project" for one in cmake.read(builds[f"{project}/{_LISTS}"])):
        return False
    if any(_UP.search(text) for path, text in builds.items() if is_below(path, project)):
        return False
    own = ((path, text) for path, text in sources.items() if is_below(path, project))
    included = (
        (path, match[1].decode("utf-8", "replace")) for path, text in own for match in _INCLUDE_UP.finditer(text)
    )
    return all(is_below(posixpath.normpath(f"{posixpath.dirname(path)}/{name}"), project) for path, name in included)
