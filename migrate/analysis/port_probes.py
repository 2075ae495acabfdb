"""Sources that a build compiles only to ask something: probes of CMake's `try_run` and `try_compile`.

A port builds for HIP as it is, so a probe that asks CUDA is none of that build's, and code that no target has lacks
nothing there.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Sequence
from pathlib import PurePosixPath

from cudamigrate.model.port_facts import FileEvidence
from cudamigrate.syntax import cmake

_TRIES = ("try_run", "try_compile")
_NAMING = (*_TRIES, "set", "message", "configure_file", "file")
"""Commands that name a source and put it into no target."""
_SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".cu")


def named(commands: Sequence[cmake.Command]) -> tuple[str, ...]:
    """The sources that the commands of a file only try, also where a variable names them."""
    values: dict[str, str] = {}
    tried, other = set[str](), set[str]()
    for command in commands:
        words = [word.strip('"') for word in command.words()]
        sources = {word for word in words if word.endswith(_SUFFIXES)}
        if command.name == "set" and len(words) == 2 and sources:
            values[words[0]] = words[1]
        if command.name in _TRIES:
            tried |= sources | {values[word[2:-1]] for word in words if word[2:-1] in values}
        elif command.name not in _NAMING:
            other |= sources
    return tuple(sorted(tried - other))


def found(evidence: Sequence[FileEvidence], paths: Collection[str]) -> frozenset[str]:
    """The paths of probes without kernels: those that builds name, from their own folder or one around it."""
    known, result = frozenset(paths), set[str]()
    kernels = {one.path for one in evidence if one.kernels}
    built = {name.name.rpartition("/")[2] for one in evidence for name in one.sources if name.name not in one.probes}
    for one in evidence:
        for name in one.probes:
            folders = PurePosixPath(one.path).parents
            near = (posixpath.normpath(str(folder / name.rpartition("}/")[2])) for folder in folders)
            result |= {path for path in near if path in known and path.rpartition("/")[2] not in built}
    return frozenset(result - kernels)
