"""Functions that the project gives the name of one of CUDA's: their definition goes along with its calls.

A header of stand-ins, for a build without CUDA, or an overload beside CUDA's own. Calls become those of a template; the
definition takes the name that the template has for as many arguments, where it passes them on as they are. So does a
name that a macro of the file is given with the arguments that it calls it with: `CHECKED(cudaEventCreate, &event)`.
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from cudamigrate.cuda.include_insertion import newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.shadowed_names import is_own
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes

_PASSED_ON = re.compile(r"(?P<name>[\w:]+)\((?P<args>\$\d(?:, \$\d)*)?\)")
"""A template that gives a call another name and nothing else: `hipEventCreate($1)`."""
_CALLS = re.compile(rb"MACRO\(\s*(\w+)\s*,\s*\.\.\.\s*\).*(?<![\w#])\1\s*\(\s*__VA_ARGS__\s*\)", re.DOTALL)
"""A macro that calls what it is given first with all the rest: `CHECKED(f, ...) check(f(__VA_ARGS__))`."""
_WITH_FLAGS = re.compile(r"(?P<name>[\w:]+)\((?P<args>\$\d(?:, \$\d)*), (?P<flags>hip[A-Z]\w*)\)")
"""One that adds flags by their name: `hipHostMalloc($1, $2, hipHostMallocDefault)`."""


def edits(parsed: ParsedFile, use: Use, templates: Sequence[str]) -> list[Edit]:
    """The new name of a function that is declared or defined at a use, or given to a macro; none for any other use.

    A stand-in whose calls get flags takes them as well, and has their name, which no header of HIP's gives it there.
    """
    declarator = _declarator(parsed, use) if use.kind == "name" else None
    given = tree_sitter_nodes.elements(declarator.child_by_field_name("parameters")) if declarator is not None else []
    count = 0 if len(given) == 1 and given[0].text == b"void" else len(given)
    if declarator is None:
        count = _called_by_macro(parsed, use)
    for template in templates if count >= 0 else ():
        found = _PASSED_ON.fullmatch(template)
        if found is not None and (found["args"] or "") == _numbered(count):
            return [Edit(use.span, found["name"].encode())]
        flags = _WITH_FLAGS.fullmatch(template) if count else None
        if flags is not None and flags["args"] == _numbered(count) and declarator is not None:
            return _with_flags(parsed, use, declarator, (flags["name"].encode(), flags["flags"].encode()))
    return []


def _called_by_macro(parsed: ParsedFile, use: Use) -> int:
    """With how many arguments a macro of the file calls the name that it is given first; -1 where none does."""
    lexed = parsed.lexed
    opening = lexed.before(use.span.start) if use.kind == "name" else None
    owner = lexed.before(opening.start) if opening is not None and lexed.text(opening) == b"(" else None
    if opening is None or owner is None or lexed.directive_at(use.span.start) is not None:
        return -1
    given = parsed.arguments(opening.start, lexed.closing(opening.start))
    macro = re.compile(_CALLS.pattern.replace(rb"MACRO", re.escape(lexed.text(owner))), re.DOTALL)
    named = (one.argument(parsed.data) for one in lexed.directives if one.name == "define")
    calls = bool(given) and given[0] == use.span and any(macro.match(one) for one in named)
    return len(given) - 1 if calls else -1


def _numbered(count: int) -> str:
    return ", ".join(f"${at + 1}" for at in range(count))


def _declarator(parsed: ParsedFile, use: Use) -> Node | None:
    """The declarator of the function that a use names there."""
    around = parsed.nodes_around(use.span.start, use.span.start + 1)
    if len(around) < 2 or around[-2].type != "function_declarator":
        return None
    return around[-2] if around[-2].child_by_field_name("declarator") == around[-1] else None


def _with_flags(parsed: ParsedFile, use: Use, declarator: Node, names: tuple[bytes, bytes]) -> list[Edit]:
    """The edits of a stand-in's definition; none for a function beside CUDA's own."""
    whole = next((one for one in tree_sitter_nodes.ancestors(declarator) if one.type == "function_definition"), None)
    if whole is None or is_own(parsed, parsed.conditional(use.span.start), use.span.start, use.name):
        return []
    name, flags = names
    if whole.parent is not None and whole.parent.type == "template_declaration":
        whole = whole.parent
    begin, line = parsed.data.rfind(b"\n", 0, whole.start_byte) + 1, newline(parsed.data)
    last = tree_sitter_nodes.elements(declarator.child_by_field_name("parameters"))[-1].end_byte
    given = line.join((b"#ifndef " + flags, b"#define " + flags + b" 0", b"#endif", b""))
    return [Edit(Span(begin, begin), given), Edit(use.span, name), Edit(Span(last, last), b", unsigned int = 0")]
