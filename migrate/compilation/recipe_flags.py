"""Makefile -> the macros of the recipes that compile each source: those of one program are not another's.

A recipe compiles what it names, and what make puts for `$<` and `$^`: the prerequisites of its rule, and of a pattern
rule those of each object that another rule names. What recipes without known sources give, and variables that no recipe
names, hold for every source beside the Makefile. Source: GNU make's manual, "Automatic Variables", "Pattern Rules".
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from cudamigrate.compilation import make_functions, makefile_flags, script_flags
from cudamigrate.compilation.host_sources import is_compiler, is_default
from cudamigrate.lazy_re import re

_SUFFIXES = re.compile(r"\s*(\.\w[\w+]*)(\.\w+)\s*")
"""The target of a suffix rule, `.cu.o`, which is `%.o: %.cu`."""
_INPUTS = re.compile(r"(?<!\$)\$([<^+?])")
"""What make puts prerequisites for: the first, or all of them."""
_MOST = 2000
"""So many objects of one pattern rule are followed."""


def by_source(path: Path, reading: makefile_flags.Reading, root: Path, given: Iterable[str]) -> Mapping[str, list[str]]:
    """By the absolute path of a source that recipes of the Makefile at `path` compile, the macros that it gets.

    They are those of the first such recipe, first of what a plain `make` makes, or of one that gives fewer of these:
    what others give more is for some builds alone. To them comes what no recipe with known sources gives of all macros
    that are `given`. A macro is `NAME` or `NAME=VALUE`. There are none where all such recipes give the same.
    """
    found, later, named = dict[str, list[str]](), dict[str, list[str]](), list[set[str]]()
    made, names = reading.made(), _names(reading)
    for rule, written, recipe in reading.compiled():
        for targets, inputs in _applied(rule, names):
            words = _words(written, recipe, inputs)
            if not words:
                continue
            macros = script_flags.line(path.name, str(path.parent), words).macros.values()
            own = [macro for macro in macros if make_functions.UNKNOWN not in macro]
            compiled = list(script_flags.sources(words, (str(path.parent), str(root)), str(root)))
            named += [set(own)] if compiled else []
            kept = found if not made.isdisjoint(targets) else later
            kept.update((source, own) for source in compiled if set(own) < set(kept.get(source, (*own, ""))))
    all_ = set[str]().union(*named)
    if all(one == all_ for one in named):
        return {}
    rest = [macro for macro in given if macro not in all_]
    return {source: [*rest, *own] for source, own in {**later, **found}.items()}


def _names(reading: makefile_flags.Reading) -> list[str]:
    """The targets and prerequisites of all rules of a Makefile that are written out."""
    words = (word for rule in reading.rules for word in reading.expanded(rule).replace(":", " ").split())
    return list(dict.fromkeys(word for word in words if "%" not in word and make_functions.UNKNOWN not in word))[:_MOST]


def _applied(rule: str, names: Sequence[str]) -> Iterator[tuple[list[str], list[str]]]:
    """The targets and prerequisites of a rule: of a pattern rule, those of each name that another rule gives."""
    sides = [side.split() for side in rule.split("|")[0].replace("::", ":").split(":")]
    suffixes = _SUFFIXES.fullmatch(rule.split(":")[0])
    if suffixes is not None and not any(sides[1:]):
        sides = [[f"%{suffixes[2]}"], [f"%{suffixes[1]}"]]
    patterns, inputs = (sides[1], sides[2]) if len(sides) > 2 else (sides[0], sides[1] if len(sides) > 1 else [])
    if not any("%" in word for word in patterns):
        yield sides[0], inputs
        return
    for name in sides[0] if len(sides) > 2 else names:
        stem = next(filter(None, (_stem(pattern, name) for pattern in patterns)), None)
        if stem is not None:
            yield [name], [word.replace("%", stem, 1) for word in inputs]


def _stem(pattern: str, name: str) -> str:
    """What `%` stands for in a pattern that a name fits; nothing where it does not."""
    begin, _, end = pattern.partition("%")
    fits = name.startswith(begin) and name.endswith(end) and len(name) > len(begin) + len(end) and "%" not in name
    return name[len(begin) : len(name) - len(end)] if fits else ""


def _words(written: str, recipe: str, inputs: Sequence[str]) -> list[str]:
    """The words of a recipe that calls a compiler, with the prerequisites put in; none of any other."""

    def put(match: re.Match[str]) -> str:
        return " ".join(inputs[:1] if "<" in match[0] else inputs) or make_functions.UNKNOWN

    marks = len(written) - len(written.lstrip("@+- \t"))
    text = _INPUTS.sub(put, recipe[marks:])
    if is_default(written) and text.lstrip().startswith("-"):
        text = f"c++ {text}"
    try:
        words = shlex.split(make_functions.automatic(text, ""))
    except ValueError:
        return []
    return words if words and is_compiler(words[0]) else []
