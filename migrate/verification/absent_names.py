"""Names that clang finds no declaration of in an original, where no build gives them.

A macro that only a build knows is asked about, `#ifdef NAME`, or build files name it; a name of which there are uses
alone has gone from the repository, or is another one's. Nor does any macro or folder bring what only files declare that
the unit includes under no condition at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import UNDECLARED, Diagnostic, Verdict

ADVICE = (
    "no file that was read declares it, and no build file names it; add the header that does, or leave the code out"
)
APART = "only {} declares it, which is included here under no macro; include it, or leave the code out"
_ASKED = rb"^[ \t]*#[ \t]*(?:define|if|ifdef|ifndef|elif)\b[^\n]*\b%b\b"
_TYPE = rb"\b(?:class|struct|union|enum|typename|namespace|using|concept)\s+(?:[\w:]+\s+)*%b\b"
_TYPED = rb"(\w+|>)(?:\s+|\s*[*&]+\s*)%b\s*[=;,\[({)]"
"""What has a word before it that may be its type, `int rows[`; `a * rows;` is taken for that too."""
_NO_TYPES = (b"return", b"case", b"else", b"new", b"throw", b"goto", b"delete", b"sizeof")


def advised(
    verdicts: Sequence[Verdict],
    texts: Iterable[tuple[str, str, bytes]],
    code: Sequence[str],
    reached: Callable[[str], Set[str]],
) -> list[Verdict]:
    """The verdicts, where an error that the original has too says so of such a name.

    `texts` are the files of the tree, by their paths and languages; those of `code` declare names, others only give
    them. `reached` says which files a unit may include, whatever macros are set.
    """
    asked = {name for one in verdicts for entry in one.diagnostics if (name := _name(entry))}
    if not asked:
        return list(verdicts)
    declaring: dict[str, list[str]] = {name: [] for name in asked}
    given = set[str]()
    for path, language, data in texts:
        for name in (name for name in asked - given if name.encode() in data):
            if language not in code:
                given.add(name)
            elif declares(name, data):
                declaring[name].append(path)
    known = {name: paths for name, paths in declaring.items() if name not in given}
    return [_advised(one, known, reached) for one in verdicts]


def declares(name: str, data: bytes) -> bool:
    """Whether a text of code may declare a name, or ask a macro of it that others give."""
    word = re.escape(name.encode())
    if any(re.search(one % word, data, re.MULTILINE) for one in (_ASKED, _TYPE)):
        return True
    return any(match[1] not in _NO_TYPES for match in re.finditer(_TYPED % word, data))


def _name(entry: Diagnostic) -> str:
    match = UNDECLARED.match(entry.message) if entry.before and not entry.advice and not entry.foreseen else None
    return match[1] if match is not None else ""


def _advised(verdict: Verdict, known: Mapping[str, Sequence[str]], reached: Callable[[str], Set[str]]) -> Verdict:
    entries = list[Diagnostic]()
    for entry in verdict.diagnostics:
        paths = known.get(_name(entry))
        advice = ADVICE if paths == [] else ""
        if paths and reached(verdict.path).isdisjoint(paths):
            advice = APART.format(f"`{paths[0]}`")
        entries.append(replace(entry, advice=advice) if advice else entry)
    return replace(verdict, diagnostics=tuple(entries))
