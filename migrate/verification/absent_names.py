"""Names that clang finds no declaration of in an original, and that no file of the tree declares: no build gives them.

A macro that only a build knows is asked about, `#ifdef NAME`, or build files name it; a name of which there are uses
alone has gone from the repository, or is another one's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import UNDECLARED, Diagnostic, Verdict

ADVICE = (
    "no file that was read declares it, and no build file names it; add the header that does, or leave the code out"
)
_ASKED = rb"^[ \t]*#[ \t]*(?:define|if|ifdef|ifndef|elif)\b[^\n]*\b%b\b"
_TYPE = rb"\b(?:class|struct|union|enum|typename|namespace|using|concept)\s+(?:[\w:]+\s+)*%b\b"
_TYPED = rb"(\w+|>)(?:\s+|\s*[*&]+\s*)%b\s*[=;,\[({)]"
"""What has a word before it that may be its type, `int rows[`; `a * rows;` is taken for that too."""
_NO_TYPES = (b"return", b"case", b"else", b"new", b"throw", b"goto", b"delete", b"sizeof")


def advised(verdicts: Sequence[Verdict], texts: Iterable[tuple[str, bytes]], code: Sequence[str]) -> list[Verdict]:
    """The verdicts, where an error that the original has too says so of such a name.

    `texts` are the files of the tree, by their languages; those of `code` declare names, others only give them.
    """
    asked = {name for one in verdicts for entry in one.diagnostics if (name := _name(entry))}
    if not asked:
        return list(verdicts)
    found = dict.fromkeys(asked, False)
    for language, data in texts:
        for name in (name for name, known in found.items() if not known and name.encode() in data):
            found[name] = language not in code or declares(name, data)
    return [_advised(one, found) for one in verdicts]


def declares(name: str, data: bytes) -> bool:
    """Whether a text of code may declare a name, or ask a macro of it that others give."""
    word = re.escape(name.encode())
    if any(re.search(one % word, data, re.MULTILINE) for one in (_ASKED, _TYPE)):
        return True
    return any(match[1] not in _NO_TYPES for match in re.finditer(_TYPED % word, data))


def _name(entry: Diagnostic) -> str:
    match = UNDECLARED.match(entry.message) if entry.before and not entry.advice and not entry.foreseen else None
    return match[1] if match is not None else ""


def _advised(verdict: Verdict, found: Mapping[str, bool]) -> Verdict:
    entries = tuple(
        replace(entry, advice=ADVICE) if (name := _name(entry)) and not found[name] else entry
        for entry in verdict.diagnostics
    )
    return replace(verdict, diagnostics=entries)
