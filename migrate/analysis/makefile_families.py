"""Which Makefiles of a tree include each other, and where make runs for them."""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.lazy_re import re

_INCLUDES = re.compile(rb"^[ ]*[-s]?include[ \t]+([^#\n]+)", re.MULTILINE)
"""Files that a Makefile includes: `include a.mk`, `-include $(B)`, `sinclude`; after a tab it would be a recipe."""
_HERE = re.compile(r"\$[({](?:PWD|CURDIR)[)}]/+")
"""The folder that make runs in, which a name without a folder is of too."""
MADE_UP = re.compile(r"\$\w|\$[({][^(){}]+[)}]")
"""A part of a variable's name that another variable gives."""
_SPELLED = 4
"""So many letters a name must begin with that a variable is a part of; or end with, where its folder is spelled too."""
_BELOW_VARIABLE = re.compile(r"\$[({][^(){}]+[)}]/+([^$]+)")
"""A folder below the one that a variable holds."""


def families(files: Mapping[str, bytes]) -> dict[str, dict[str, bytes]]:
    """For each Makefile of a tree that has some: those that it includes, that include it, and what those include."""
    edges = {name: _included(name, data, files) for name, data in files.items()}
    if not any(edges.values()):
        return {}
    back: dict[str, list[str]] = {}
    for name, found in edges.items():
        for other in found:
            back.setdefault(other, []).append(name)
    made = {}
    for name in files:
        down, up = _reached(name, edges), _reached(name, back)
        siblings = [other for user in up[1:] for other in edges[user]]
        family = [other for other in dict.fromkeys([*down, *up, *siblings]) if other != name]
        if family:
            made[name] = {other: files[other] for other in family}
    return made


def entered_in(files: Sequence[Makefile]) -> str:
    """The folder of the Makefiles that include the first of some, and that none includes; else its own."""
    texts, back = {file.path: file.data for file in files}, dict[str, list[str]]()
    for name, data in texts.items():
        for other in _included(name, data, texts):
            back.setdefault(other, []).append(name)
    path = files[0].path
    tops = {posixpath.dirname(one) for one in _reached(path, back) if not back.get(one)}
    return tops.pop() if len(tops) == 1 else posixpath.dirname(path)


def _reached(name: str, edges: Mapping[str, Sequence[str]]) -> list[str]:
    found = {name: None}
    waiting = deque(found)
    while waiting:
        new = dict.fromkeys(other for other in edges.get(waiting.popleft(), ()) if other not in found)
        found.update(new)
        waiting += new
    return list(found)


def included_names(data: bytes) -> Iterator[str]:
    """The paths that a Makefile includes, as far as it spells them: of `$(TOP)/rules`, what follows the variable."""
    for match in _INCLUDES.finditer(data) if b"include" in data else ():
        for word in match[1].decode("utf-8", "replace").split():
            rest = re.split(r"[)}]/*", word)[-1]
            if rest and not set("$%*?@") & set(rest):
                yield rest


def included_patterns(path: str, data: bytes) -> Iterator[re.Pattern[str]]:
    """The paths that the Makefile at `path` may include where a variable is in their names: `make.inc.$(SITE)`.

    A folder below one that a variable holds, `$(TOP)/build/$(MACHINE).opts`, may be in each folder around the Makefile.
    """
    for match in _INCLUDES.finditer(data) if b"$" in data else ():
        for word in match[1].decode("utf-8", "replace").split():
            folder, _, name = word.rpartition("/")
            parts = MADE_UP.split(name)
            below = _BELOW_VARIABLE.fullmatch(folder)
            rest = below[1] if below is not None else folder
            spelled = max(len(parts[0]), len(parts[-1]) if below is not None else 0)
            if len(parts) > 1 and "$" not in rest + "".join(parts) and spelled >= _SPELLED:
                names = "[^/]+".join(map(re.escape, parts))
                for around in _around(path) if below is not None else [posixpath.dirname(path)]:
                    home = posixpath.normpath(posixpath.join(around, rest))
                    yield re.compile(("" if home == "." else f"{re.escape(home)}/") + names)


def _around(path: str) -> Iterator[str]:
    """The folder of a file, and those around it."""
    while path:
        path = posixpath.dirname(path)
        yield path


def _included(path: str, data: bytes, files: Mapping[str, bytes]) -> list[str]:
    """The files of the tree that one includes; a path that begins with a variable is known by what follows it."""
    found = [name for one in included_patterns(path, data) for name in files if one.fullmatch(name) and name != path]
    for match in _INCLUDES.finditer(data):
        for word in match[1].decode("utf-8", "replace").split():
            rest = re.split(r"[)}]/*", word)[-1]
            here = _HERE.match(word)
            spelled = word[here.end() :] if here is not None else word
            if "$" not in spelled:
                sibling = posixpath.normpath(posixpath.join(posixpath.dirname(path), spelled))
                found += [sibling] if sibling in files else []
            elif rest:
                alike = [name for name in files if name == rest or name.endswith(f"/{rest}")]
                found += alike if len(alike) == 1 else []
    return found
