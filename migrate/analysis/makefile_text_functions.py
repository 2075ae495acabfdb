"""Makefiles: options of nvcc that make's text functions put into a list of options, as `$(subst -Wl$(comma),...)` does.

Such a call turns what the host's compiler takes into what nvcc takes. The option ends in a variable that holds a blank,
or its argument is what the call replaces, so that the words of the line do not show an option with an argument; and an
edit that brings a comma would part the arguments of the call.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.syntax import makefile
from cudamigrate.syntax.makefile import Expansion
from cudamigrate.syntax.project_file import use_at

USE = "option by make"
_WRITTEN = {"subst": (3, 1), "patsubst": (3, 1), "addprefix": (2, 0)}
"""How many arguments a function takes, and which of them it writes."""
_OPTION = re.compile(
    rb"[ \t]*(-X(?:linker|ptxas|nvlink|fatbin|cudafe|archive|compiler)"
    rb"|--(?:linker|ptxas|nvlink|archive|compiler)-options)(?![\w-])(?:\$[({](\w+)[)}])?"
)
"""An option that passes on what follows, and the variable behind it: `--linker-options$(space)`."""
_REFERENCE = re.compile(rb"\$[({]([\w.-]*)[)}]")
_DEEPEST = 4


def marked(variables: Variables, file: Makefile, uses: list[Use]) -> list[Use]:
    """The uses of a file with the options that such calls write; an option seen as one of the line's own goes."""
    found = list(dict.fromkeys(_options(variables, file)))
    kept = [use for use in uses if use.kind != "option" or not any(use.span.start == one.start for one in found)]
    return kept + [use_at(USE, one.start, one.end) for one in found]


def _options(variables: Variables, file: Makefile) -> Iterator[Span]:
    for line in file.lines:
        if line.kind in ("assignment", "recipe", "other"):
            for call in makefile.all_expansions(file.data, line.value.start, line.value.end):
                yield from _of_call(variables, file, call)


def _of_call(variables: Variables, file: Makefile, call: Expansion) -> Iterator[Span]:
    """Where a call writes an option that clang does not read as nvcc does."""
    many, written = _WRITTEN.get(call.name, (-1, 0))
    if len(call.args) != many:
        return
    match = _OPTION.match(file.data, call.args[written].start, call.args[written].end)
    if match is None:
        return
    parted = match[2] is not None and _is_blank(variables, match[2].decode())
    of_host = written == 1 and b"-Wl" in file.text(call.args[0])
    if match[1] == b"--linker-options" or (match[1] == b"-Xlinker" and of_host):
        yield Span(*match.span(1))  # its argument may hold commas, at which nvcc parts it
    elif parted and match[1] != b"-Xlinker":
        yield Span(*match.span(1))


def _is_blank(variables: Variables, name: str, depth: int = 0) -> bool:
    """Whether a variable holds blanks alone, made of variables that are empty: `$(empty) $(empty)`."""
    texts = [file.text(line.value) for file, line in variables.assigned.get(name, ())]
    if depth > _DEEPEST or (not texts and depth == 0):
        return False
    inner = {found.decode() for text in texts for found in _REFERENCE.findall(text)}
    return all(not _REFERENCE.sub(b"", text).strip() for text in texts) and all(
        _is_blank(variables, one, depth + 1) for one in inner
    )
