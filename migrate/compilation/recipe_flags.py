"""Makefile -> the macros of the recipes that name their sources: those of one program are not another's.

What recipes give by `$<`, and variables that they do not name, hold for every source beside the Makefile.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path

from cudamigrate.compilation import make_functions, makefile_flags, script_flags
from cudamigrate.compilation.host_sources import is_compiler


def by_source(path: Path, reading: makefile_flags.Reading, root: Path, given: Iterable[str]) -> Mapping[str, list[str]]:
    """By the absolute path of a source that recipes of the Makefile at `path` name, the macros that it gets.

    They are those of the first such recipe, and what no recipe with sources gives of all macros that are `given`. A
    macro is `NAME` or `NAME=VALUE`. There are none where all such recipes give the same.
    """
    found, named = dict[str, list[str]](), list[set[str]]()
    for _, _, recipe in reading.compiled():
        try:
            words = shlex.split(make_functions.automatic(recipe, "").lstrip("@-+ \t"))
        except ValueError:
            continue
        if words and is_compiler(words[0]):
            macros = script_flags.line(path.name, str(path.parent), words).macros.values()
            made = [macro for macro in macros if make_functions.UNKNOWN not in macro]
            for source in script_flags.sources(words, (str(path.parent), str(root)), str(root)):
                found.setdefault(source, made)
                named.append(set(made))
    own = set[str]().union(*named)
    if all(made == own for made in named):
        return {}
    rest = [macro for macro in given if macro not in own]
    return {source: [*rest, *made] for source, made in found.items()}
