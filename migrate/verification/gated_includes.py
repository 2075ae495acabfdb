"""Headers that judged files include behind a test which fails on AMD: that test is why no pass reads them.

`#if defined(__CUDA_ARCH__)` before an include leaves a header, and all that it includes, to nvcc. Who knows the line
can open it; that no judged file includes the header says nothing to be done.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Set

from cudamigrate.compilation.include_closure import IncludeResolver
from cudamigrate.cuda.conditions import at_version
from cudamigrate.cuda.lexer import include_path, lex
from cudamigrate.cuda.preprocessor import Branch, branches
from cudamigrate.model import SourceFile

FAILS = ", which does not hold on AMD"
"""How a reason of this kind ends."""
_OF_CUDA = (b"__CUDA", b"__NVCC__")
_SHOWN = 60
"""Characters of a condition that are shown."""


def reasons(read: Iterable[str], lone: Set[str], tree: IncludeResolver) -> Mapping[str, str]:
    """Why the headers in `lone` are in no unit, by path, where one of the files `read` by units includes them so."""
    found: dict[str, str] = {}
    known = frozenset(read)
    for path in sorted(known):
        if found.keys() >= lone:
            break
        for name, quoted, branch, line in _gated(path, tree.read(path)):
            settings = tree.project.settings(os.path.join(tree.root, path))
            folders = dict.fromkeys([*tree.extra.includes, *settings.includes])
            target = tree.resolve(path, name, quoted, folders)
            for one in tree.closure(target) & lone - found.keys() if target and target not in known else ():
                found[one] = f"included behind `{_shown(branch)}` in {path}:{line}{FAILS}"
    return found


def _gated(path: str, data: bytes) -> Iterator[tuple[str, bool, Branch, int]]:
    """The includes that a test for CUDA's compiler leaves out: as spelled, whether in quotes, the branch, its line."""
    if not any(name in data for name in _OF_CUDA):
        return
    tokens, source = lex(data), SourceFile(path, data, "")
    closed = [one for one in branches(tokens, ()) if _is_closed(one)]
    for line in tokens.directives if closed else ():
        around = next((one for one in closed if one.start <= line.start < one.end), None)
        spelled = include_path(data, line) if around is not None and line.name.startswith("include") else None
        if around is not None and spelled is not None:
            name, start, _ = spelled
            yield name, data[start : start + 1] == b'"', around, source.position(max(around.start - 1, 0)).line


def _is_closed(branch: Branch) -> bool:
    """Whether a branch is left out where none of nvcc's macros is defined, by what its own test asks."""
    own = branch.conditions[-1] if branch.conditions else b""
    return any(name in own for name in _OF_CUDA) and at_version(own, 0) is False


def _shown(branch: Branch) -> str:
    text = " ".join(branch.conditions[-1].decode("utf-8", "replace").split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 4]} ..."
