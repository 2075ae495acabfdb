"""Units -> the same units with what many of them include first parsed once: see `compilation/preamble.py`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import groupby

from cudamigrate import parallel, plugins
from cudamigrate.compilation import header_names, preamble
from cudamigrate.compilation import toolchain as machine
from cudamigrate.compilation.header_sizes import HeaderSizes
from cudamigrate.compilation.include_closure import IncludeResolver
from cudamigrate.compilation.leads import Lead
from cudamigrate.model.verification import Toolchain, Unit

Make = Callable[[Unit, Sequence[str], Toolchain, str, int], tuple[str, ...]]
"""Makes a preamble for a pass: see `precompile` of the engines."""
Passes = Callable[[Unit], Iterable[int]]
"""Numbers of passes over a unit."""
_Wanted = tuple[Unit, tuple[str, ...], str]
"""A unit whose flags count and whose preamble is built upon, the headers, and where the result goes."""
_OF_C = frozenset(
    f"{name}.h"
    for name in (
        *("assert", "ctype", "errno", "float", "inttypes", "limits", "locale", "math", "setjmp", "signal"),
        *("stdarg", "stdbool", "stddef", "stdint", "stdio", "stdlib", "string", "time", "wchar"),
    )
)
"""The headers of C's library. What `assert.h` is depends on a macro of the tree's, if on any."""
_OF_COMPILER = 2
"""For how many headers what the compiler itself includes counts."""
_SURVEY = 1.5
"""How many parses of all headers must be saved where they are asked what they declare, which costs one and a half: some
of the headers will have to stay where they are, and of a file with long functions headers are a small part."""
_Item = tuple[Unit, tuple[str, ...], str, int]
"""The same, with the number of the pass."""
_Places = dict[preamble.Group, tuple[str, frozenset[str]]]
"""By what it holds, the place of a preamble and the files that it was made from."""


@dataclass(slots=True)
class Kept:
    """Preambles that units which come later may begin with as well: `folder` has their files.

    Those that are `barred` could not be made. `surveys` are of foreign headers, by a unit whose flags count.
    """

    folder: str
    surveys: dict[Unit, preamble.Survey] = field(default_factory=dict)
    made: _Places = field(default_factory=dict)
    barred: set[preamble.Group] = field(default_factory=set)


def prepared(
    units: Sequence[Unit],
    chosen: Toolchain,
    tree: Callable[[Unit], IncludeResolver],
    kept: Kept,
    jobs: int,
    make: Make | None = None,
    never: Sequence[str] | None = None,
    passes: Passes = lambda unit: range(len(unit.arch) + 1),
) -> list[Unit]:
    """The units, with a preamble where one fits; `kept` are those there are, `tree` gives the tree that a unit is of.

    Engines without preambles change nothing. What the compiler itself includes is made first; every other preamble
    builds upon the longest one that it continues. `make` is the engine's own way where nothing is said. `never` are
    macros that nobody sets, where headers count for their macros alone. `passes` are the numbers of those to come.
    """
    make = make or getattr(plugins.load("cudamigrate.compilation.engines")[chosen.engine], "precompile", None)
    if make is None:
        return list(units)
    begun = preamble.beginnings(units, tree, partial(_is_free, chosen=chosen), never)
    _hold(begun, chosen, kept, jobs)
    groups = preamble.shared(begun)
    made = kept.made
    for length, level in groupby(groups, key=lambda group: len(group[1])):
        wanted = dict(_wanted(level, groups, kept, os.path.join(kept.folder, f"preamble-{len(made)}-{length}"), begun))
        done = _all_made(list(wanted.values()), chosen, jobs, make, passes)
        for group, one in wanted.items():
            if one in done:
                made[group] = one[2], done[one]
            else:
                kept.barred.add(group)
    searched = (*chosen.headers, *chosen.declarations, *machine.standard_library())
    fitting = {
        group: preamble.Fitting(sorted(files), searched, group[0].language) for group, (_, files) in made.items()
    }
    held = {unit: preamble.holding(begun, unit, fitting) for unit in units}
    return preamble.given(units, {unit: made[group][0] for unit, group in held.items() if group is not None})


def _hold(begun: preamble.Beginnings, chosen: Toolchain, kept: Kept, jobs: int) -> None:
    """End what units begin with where a header would be another thing before the code that it comes behind.

    What headers declare is asked once for units with the same flags, where enough of them have code between headers.
    """
    behind: dict[Unit, list[Sequence[Lead]]] = {}
    for first, leads in begun.leads.values():
        if len(preamble.before_code(leads)) < len(leads):
            behind.setdefault(first, []).append(leads)
    sizes = HeaderSizes((*chosen.headers, *chosen.declarations, *machine.standard_library(), *machine.SYSTEM))
    asked = ((first, _unknown(several, kept.surveys.get(first), sizes)) for first, several in behind.items())
    wanted = [(first, names) for first, names in asked if names]
    done = parallel.run(partial(_surveyed, chosen=chosen), wanted, jobs, batch=1, lost=lambda *_: None)
    kept.surveys.update((first, one) for (first, _), one in zip(wanted, done, strict=True) if one is not None)
    for unit, (first, leads) in begun.leads.items():
        known = kept.surveys.get(first)
        held = preamble.unchanged(leads, known, begun.is_free) if known else preamble.before_code(leads)
        begun.leads[unit] = first, held


def _unknown(several: Sequence[Sequence[Lead]], known: preamble.Survey | None, sizes: HeaderSizes) -> tuple[str, ...]:
    """The headers to ask for what they declare: all of some units, where that is worth its time."""
    names = dict.fromkeys(name for leads in several for name in leads[-1].headers)
    if known is not None and known.closures.keys() >= names.keys():
        return ()
    ends = ((leads[-1].headers, preamble.before_code(leads)[-1].headers) for leads in several)
    more = sum(sizes.of(every) - sizes.of(before) for every, before in ends)
    return tuple(names) if more - preamble.COST * more / len(several) >= _SURVEY * sizes.of(names) else ()


def _surveyed(item: tuple[Unit, Sequence[str]], chosen: Toolchain) -> preamble.Survey | None:
    unit, names = item
    return header_names.survey(unit, names, chosen)


@cache
def _is_free(name: str, chosen: Toolchain) -> bool:
    """Whether a header may be included before or after others of the same kind, which it does not ask about.

    Those of the toolchain, our declarations, and the standard libraries are made so.
    """
    folders = (*chosen.headers, *chosen.declarations, *machine.standard_library())
    own = [folder for folder in folders if folder not in machine.SYSTEM]
    return name in _OF_C or any(os.path.exists(os.path.join(folder, name)) for folder in own)


def _wanted(
    level: Iterator[preamble.Group],
    groups: Mapping[preamble.Group, preamble.Members],
    kept: Kept,
    place: str,
    begun: preamble.Beginnings,
) -> Iterator[tuple[preamble.Group, _Wanted]]:
    """What to make of some groups with as many headers each; none of what continues one that could not be made.

    What the compiler itself includes may come to an error, and still be parsed with what else a file includes.
    """
    for number, group in enumerate(level):
        first, headers = group
        if group in kept.made or group in kept.barred or preamble.below(group, filter(_has_headers, kept.barred)):
            continue
        base = preamble.base(group, kept.made, begun.is_free)
        under, files = kept.made[base] if base else ("", frozenset())
        more = tuple(name for name in headers if base is None or name not in base[1])
        new = sum(not any(file.endswith(f"/{name}") for file in files) for name in more)
        if preamble.is_worth(len(groups[group]), new if headers else _OF_COMPILER):
            yield group, (replace(first, preamble=under), more, f"{place}-{number}")


def _has_headers(group: preamble.Group) -> bool:
    return bool(group[1])


def _all_made(
    wanted: Sequence[_Wanted], chosen: Toolchain, jobs: int, make: Make, passes: Passes
) -> dict[_Wanted, frozenset[str]]:
    """The files that each of the precompiled headers was made from; those that a pass could not be made for are not."""
    items = [(*one, number) for one in wanted for number in passes(one[0])]
    done = parallel.run(partial(_made, chosen=chosen, make=make), items, jobs, batch=1, lost=_unmade)
    found: dict[_Wanted, list[tuple[str, ...]]] = {}
    for item, files in zip(items, done, strict=True):
        found.setdefault(item[:3], []).append(files)
    folders = {os.path.dirname(place) for _, _, place in wanted}
    return {
        one: frozenset(file for files in passes for file in files if os.path.dirname(file) not in folders)
        for one, passes in found.items()
        if all(passes)
    }


def _unmade(item: _Item, reason: str) -> tuple[str, ...]:
    """A preamble that the engine did not survive: there is none."""
    return ()


def _made(item: _Item, chosen: Toolchain, make: Make) -> tuple[str, ...]:
    unit, headers, place, number = item
    return make(unit, headers, chosen, place, number)
