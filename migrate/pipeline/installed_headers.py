"""Headers that a build installs one by one: our headers that they include are installed beside them.

`install(FILES a.h b.h DESTINATION include)`, the headers that a target has for its users, what is given to functions of
the project that do this, and the variables in these name each file; patterns choose those of a folder. What an
installed header includes from another folder of the tree is nowhere for who uses it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence, Set

from cudamigrate import edits
from cudamigrate.analysis import cmake_installed, recipe_installed
from cudamigrate.analysis.cmake_install_functions import Functions
from cudamigrate.cuda.include_insertion import OWN_HEADERS, PORTABLE_HEADER
from cudamigrate.cuda.include_paths import is_below
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Conversion, Edit, Fix, Span

_OURS = re.compile(rb"(?:\.\./)*(?:%s)" % b"|".join(re.escape(one.encode()) for one in (*OWN_HEADERS, PORTABLE_HEADER)))

_CMAKE = ("CMakeLists.txt", ".cmake")


def homes(texts: Mapping[str, bytes], using: Set[str], home: str = "") -> dict[str, str]:
    """The folders of our headers for the files in need of them that are installed, by the folders those are in.

    Files that lose their folders have ours beside them, those of a folder that is installed as a whole have them in it,
    as where `home`, the folder that all others have them in, is part of it.
    """
    functions = _functions(texts)
    named = [one for path, data in texts.items() for one in _named(path, data, functions)]
    flat = {posixpath.dirname(path) for path in using if any(one.takes(path) for one in named if not one.kept)}
    kept = {posixpath.dirname(path) for path in using if any(one.takes(path) for one in named if one.kept)}
    found = {folder: folder for folder in flat | (kept if len(kept) == 1 and not home else set())}
    whole = (one for path, data in texts.items() for one in _directories(path, data))
    for each, folder in ((one, folder) for one in whole for folder in one.folders if folder):
        inside = [path for path in using if is_below(path, folder) and (each.takes(path) or not each.patterns)]
        if inside and folder not in found:
            is_around = home and is_below(home, folder)
            found[folder] = home if is_around else posixpath.commonpath(map(posixpath.dirname, inside))
    return {folder: found[folder] for folder in sorted(found, key=len, reverse=True)}


def with_lists(
    converted: Sequence[Conversion], added: Mapping[str, bytes], texts: Mapping[str, bytes]
) -> tuple[Conversion, ...]:
    """The converted files, where lists of what is installed name the headers of ours that listed ones include.

    `texts` are the build files of the tree as they were, by path.
    """
    needed = {one.path: _needed(one, added) for one in converted}
    functions = _functions(texts)
    fixes = {path: fix for path, data in texts.items() if (fix := _fix(path, data, needed, functions)) is not None}
    made = [_with(one, fixes.pop(one.path)) if one.path in fixes else one for one in converted]
    for path, fix in fixes.items():
        blank = Conversion(path, texts[path], texts[path], (), part="build")
        made.append(_with(blank, fix))
    return tuple(made)


def _needed(made: Conversion, added: Mapping[str, bytes]) -> list[str]:
    """The paths of our headers that a file includes, through others too."""
    waiting, found = [(made.path, made.after)], dict[str, None]()
    while waiting:
        here, text = waiting.pop()
        for match in _OURS.finditer(text):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(here), match[0].decode()))
            if path in added and path not in found:
                found[path] = None
                waiting.append((path, added[path]))
    return sorted(found)


def _functions(texts: Mapping[str, bytes]) -> Functions:
    """The functions of a tree's CMake files that install what they are called with."""
    return Functions({path: data for path, data in texts.items() if path.endswith(_CMAKE)})


def _fix(path: str, data: bytes, needed: Mapping[str, Sequence[str]], functions: Functions) -> Fix | None:
    """What names our headers in the lists of one file."""
    if not any(needed.values()):
        return None
    new = [*_in_lists(path, data, needed, functions), *_by_patterns(path, data, needed)]
    return Fix(tuple(new), "safe") if new else None


def _in_lists(path: str, data: bytes, needed: Mapping[str, Sequence[str]], functions: Functions) -> Iterator[Edit]:
    """What names them in lists of files: where files lose their folders, those alone that are beside them."""
    listed = list(_named(path, data, functions))
    there = set[tuple[str, str]]()
    for one in listed:
        wanted = {
            header: None
            for source, headers in needed.items()
            for header in headers
            if one.takes(source) and (one.kept or posixpath.dirname(header) == posixpath.dirname(source))
        }
        beside = [each for each in listed if each.group == one.group]
        missing = [each for each in wanted if (one.group, each) not in there and not any(o.takes(each) for o in beside)]
        there.update((one.group, header) for header in missing)
        if missing:
            yield from _added(data, one, missing)


def _named(path: str, data: bytes, functions: Functions) -> Iterator[cmake_installed.Named]:
    """The files that a build installs or copies by their names."""
    if not path.endswith(_CMAKE):
        return recipe_installed.named(path, data)
    return cmake_installed.named(path, data, functions.lists, functions.ways)


def _directories(path: str, data: bytes) -> Iterator[cmake_installed.Matched]:
    """The folders that a build installs as a whole, or by patterns."""
    return cmake_installed.directories(path, data) if path.endswith(_CMAKE) else iter(())


def _added(data: bytes, one: cmake_installed.Named, missing: Sequence[str]) -> Iterator[Edit]:
    """Words beside the one that names a file, by the same way to their folder."""
    folder = one.word[: one.word.rfind("/") + 1]
    up = [posixpath.relpath(header, posixpath.dirname(one.path) or ".") for header in missing]
    words = [folder + each if not each.startswith("../") else posixpath.normpath(folder + each) for each in up]
    before = data[: one.place.start]
    line = before[before.rfind(b"\n") + 1 :]
    blank = one.joint.encode() or (before[before.rfind(b"\n") :] if not line.strip() else b" ")
    text = b"".join(blank + word.encode() for word in words)
    if one.bare:
        yield Edit(Span(one.place.start, one.place.start), b'"')
        text += b'"'
    yield Edit(Span(one.place.end, one.place.end), text)


def _by_patterns(path: str, data: bytes, needed: Mapping[str, Sequence[str]]) -> Iterator[Edit]:
    """What takes them where a folder is installed by patterns that do not."""
    for one in cmake_installed.matched(path, data):
        using = [source for source in needed if one.holds(source) and one.takes(source)]
        headers = sorted({header for source in using for header in needed[source]})
        names = [posixpath.basename(header) for header in headers if one.holds(header) and not one.takes(header)]
        if names:
            yield Edit(Span(one.end, one.end), b"".join(f' PATTERN "{name}"'.encode() for name in names))


def _with(made: Conversion, fix: Fix) -> Conversion:
    """A file with one more change, which no finding asks for."""
    built = made.as_built
    whole = edits.apply(built.before, (*built.made_by, fix)).data
    after = edits.apply(made.before, (*made.made_by, fix)).data
    own = replace(built, after=whole, fixes=(*built.made_by, fix), built=None, written=())
    return replace(made, after=after, built=own, written=(*made.made_by, fix))
