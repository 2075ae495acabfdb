"""Functions that the project gives the name of one of CUDA's: their definition goes along with its calls.

A header of stand-ins, for a build without CUDA, or an overload beside CUDA's own. Calls become those of a template; the
definition takes the name that the template has for as many arguments, where it passes them on as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use
from cudamigrate.syntax import tree_sitter_nodes

_PASSED_ON = re.compile(r"(?P<name>[\w:]+)\((?P<args>\$\d(?:, \$\d)*)?\)")
"""A template that gives a call another name and nothing else: `hipEventCreate($1)`."""


def edits(parsed: ParsedFile, use: Use, templates: Sequence[str]) -> list[Edit]:
    """The new name of a function that is declared or defined at a use; none for any other use."""
    count = _parameters(parsed, use) if use.kind == "name" else None
    for template in templates if count is not None else ():
        found = _PASSED_ON.fullmatch(template)
        if found is not None and (found["args"] or "") == ", ".join(f"${at + 1}" for at in range(count or 0)):
            return [Edit(use.span, found["name"].encode())]
    return []


def _parameters(parsed: ParsedFile, use: Use) -> int | None:
    """How many parameters the function has whose declarator names it there."""
    around = parsed.nodes_around(use.span.start, use.span.start + 1)
    if len(around) < 2 or around[-2].type != "function_declarator":
        return None
    if around[-2].child_by_field_name("declarator") != around[-1]:
        return None
    given = tree_sitter_nodes.elements(around[-2].child_by_field_name("parameters"))
    return 0 if len(given) == 1 and given[0].text == b"void" else len(given)
