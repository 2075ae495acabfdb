"""Put HIP code in the place of an asm statement.

What lanes do together changes with the warp-level code around it or not at all; see
`migrate/warp/logical_warp_edits.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.include_insertion import addition
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.cuda.platform_guards import outside_amd
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use
from cudamigrate.ptx import translate
from cudamigrate.warp.lane_code import facts
from cudamigrate.warp.tree_queries import CLASSES


def group(parsed: ParsedFile, use: Use) -> tuple[str, tuple[str, ...]]:
    """What changes together: a function's warp-level code, or statements that pass on a carry; nothing for others."""
    found = translate.translation(parsed, use)
    if found is not None and found.edits and (chain := translate.chained(parsed, use)):
        return chain, ()
    unit = facts(parsed).unit(use.span.start) if found is not None and found.rule in translate.OF_A_WARP else None
    return ("", ()) if unit is None else (f"lanes at {unit.span.start}", unit.borrowed)


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The statement's translation, and the headers that it needs."""
    found = translate.translation(parsed, use)
    if found is None or not found.edits:
        return []
    made = list(found.edits)
    around = parsed.function(use.span.start)
    if around is not None and around.body.start <= use.span.start and _calls(made, around.name):
        if not _is_within(parsed, around):
            return outside_amd(parsed, around.span)
        made = [Edit(one.span, _call_of(around.name).sub(rb"::\g<0>", one.replacement)) for one in made]
    present = [include.path for include in parsed.includes if not include.conditional]
    for header in found.runtime:
        if not any(path == header or path.endswith(f"/{header}") for path in present):
            made.append(addition(parsed, header))
    made += [addition(parsed, header) for header in found.standard if header not in present and not found.runtime]
    return made


def _calls(made: Sequence[Edit], name: str) -> bool:
    """Whether HIP has a function of the name of the one around, which the translation calls: it would call itself."""
    return any(_call_of(name).search(one.replacement) for one in made)


def _call_of(name: str) -> re.Pattern[bytes]:
    return re.compile(rb"(?<![\w:.>])%s(?=\s*\()" % re.escape(name.encode("latin-1")))


def _is_within(parsed: ParsedFile, function: Function) -> bool:
    """Whether a function is a namespace's or a class's, which has the name beside HIP's."""
    around = parsed.nodes_around(function.span.start, function.span.end)
    return any(one.type in ("namespace_definition", *CLASSES) for one in around)
