"""The launches of a kernel, those through variables that hold it included.

Result: every launch, where all that the file does with the name is to launch it, to return it from a function of the
host, or to put it into a variable that is launched; and those functions.
"""

from __future__ import annotations

from bisect import bisect_left

from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import Use

_BEFORE = re.compile(rb"(?:\b(return)\b|\b([A-Za-z_]\w*)\s*=)\s*&?\s*\Z")
"""What precedes the kernel's name, up to its place, where a variable holds it: `return `, `kernel = &`."""
_AFTER = re.compile(rb"\s*(?:<[^;{}()]*>\s*)?(?:\([^;{}]*\)\s*)?;")
"""What follows the name of a kernel that is only named: `<float>;`, `(args);`, `;`."""
_NEAR = 120


@dataclass(slots=True)
class Launches:
    """How a kernel is launched: the launches, and the functions of the host that pass it to others in the file."""

    uses: list[Use] = field(default_factory=list)
    functions: set[str] = field(default_factory=set)
    _followed: set[tuple[str, int]] = field(default_factory=set)

    def is_first(self, name: str, inside: Function | None) -> bool:
        """Whether a name is followed for the first time in a function: two variables may be set to each other."""
        place = (name, -1 if inside is None else inside.span.start)
        if place in self._followed:
            return False
        self._followed.add(place)
        return True


class _Mentions:
    """Where a file names what, read once."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.lexed = parsed.lexed
        self.heads: dict[str, list[Function]] = {}
        for function in parsed.functions:
            self.heads.setdefault(function.name, []).append(function)
        self.launches: dict[str, list[Use]] = {}
        for use in parsed.uses:
            if use.kind == "launch":
                self.launches.setdefault(use.name, []).append(use)


def launches(parsed: ParsedFile, kernel: str) -> Launches | None:
    """Every launch of a kernel; None where the file does something else with it."""
    found = Launches()
    return found if _follow(parsed, kernel, None, found) and found.uses else None


def _follow(parsed: ParsedFile, name: str, inside: Function | None, found: Launches) -> bool:
    """Look at every mention of a kernel, of a function that returns it, or of a variable in the function around it."""
    if not found.is_first(name, inside):
        return True
    known, word = parsed.once(_Mentions), name.encode()
    defined = 0
    for at in known.lexed.words(frozenset((word,))):
        end = at + len(word)
        if inside is not None and not inside.body.start <= at < inside.body.end:
            continue
        launch = _launch(parsed, known, name, end)
        if launch is not None:
            found.uses.append(launch)
        elif _is_head(known, name, at) or (inside is not None and _is_made(parsed, end)):
            defined += 1
        elif not _is_held(parsed, at, end, found):
            return False
    return defined == 1


def _launch(parsed: ParsedFile, known: _Mentions, name: str, end: int) -> Use | None:
    """The launch whose configuration follows a name and its template arguments."""
    listed = known.launches.get(name, [])
    at = bisect_left(listed, end, key=lambda use: use.span.start)
    return listed[at] if at < len(listed) and _between(parsed, end, listed[at].span.start) else None


def _between(parsed: ParsedFile, start: int, end: int) -> bool:
    said = parsed.data[start:end].strip()
    return not said or (said.startswith(b"<") and said.endswith(b">") and not set(said) & set(b";{}()"))


def _is_head(known: _Mentions, name: str, at: int) -> bool:
    """Whether a name is where a function of that name is defined."""
    return any(one.span.start <= at < one.body.start for one in known.heads.get(name, ()))


def _is_made(parsed: ParsedFile, end: int) -> bool:
    """Whether the variable whose name ends here is declared or given its value."""
    return re.match(rb"\s*(?:=(?!=)|;)", parsed.data[end : end + _NEAR]) is not None


def _is_held(parsed: ParsedFile, at: int, end: int, found: Launches) -> bool:
    around = parsed.function(at)
    before = _BEFORE.search(parsed.data, max(0, at - _NEAR), at)
    after = _AFTER.match(parsed.data, end)
    if around is None or around.scope != "host" or before is None or after is None:
        return False
    if before[2] is not None:
        return _follow(parsed, before[2].decode(), around, found)
    if around.name in found.functions:
        return True
    found.functions.add(around.name)
    return bool(around.name) and _follow(parsed, around.name, None, found)
