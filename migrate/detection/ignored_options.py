"""Options that clang ignores where it only compiles: what happens if one of them stays, by what gets it.

PyTorch and setuptools give the options for nvcc to the compiler alone; those for linking have arguments of their own.
Elsewhere one list may be given to both.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from cudamigrate.lazy_re import re
from cudamigrate.model import Outcome, Rule, Use
from cudamigrate.syntax.project_file import ProjectFile

_COMPILING = ("python", "notebook")
_GIVEN = re.compile(rb"(?:(?P<link>extra_ld_?flags|extra_link_args|nvcc_dlink)|extra_\w+|nvcc)[\"']?\s*[:=\]]")
"""What an option is given by: a key or an argument, for linking or for compiling."""
_NEAR = 2000
"""So many bytes before an option its key or argument is looked for."""


def outcome(parsed: object, use: Use, rule: Rule) -> Outcome:
    """What happens if an option stays: the rule's outcome, except where clang ignores it.

    Then what it asks for is missing, if there is an equivalent, and else nothing is.
    """
    if not rule.ignored or not isinstance(parsed, ProjectFile) or not _is_ignored(parsed, use, rule.ignored):
        return rule.outcome
    drops = rule.change.text[:2] == ("flag", "drop")
    return "fine" if drops else "missing"


def _is_ignored(parsed: ProjectFile, use: Use, patterns: Iterable[str]) -> bool:
    if use.kind != "option" or parsed.source.language not in _COMPILING:
        return False
    words = " ".join((use.name, *(parsed.source.text(one) for one in use.args)))
    if not any(fnmatchcase(words, pattern) for pattern in patterns):
        return False
    before = parsed.data[max(0, use.span.start - _NEAR) : use.span.start]
    given = list(_GIVEN.finditer(before))
    return not given or given[-1]["link"] is None
