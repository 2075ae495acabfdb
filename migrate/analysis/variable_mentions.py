"""Where the text of a function declares and sets its variables, each function read once for all launches in it.

Result: matches of a pattern by the name in them. The patterns are those of whoever asks.
"""

from __future__ import annotations

from bisect import bisect_left

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re

_Matches = dict[bytes, list[re.Match[bytes]]]


class Mentions:
    """What patterns find in the functions of a file; for all who ask."""

    def __init__(self, parsed: ParsedFile) -> None:
        self._parsed = parsed
        self._found: dict[tuple[int, int, re.Pattern[bytes]], _Matches] = {}
        self._settings: dict[tuple[int, int, re.Pattern[bytes], bytes], list[re.Match[bytes]]] = {}

    @classmethod
    def of(cls, parsed: ParsedFile) -> Mentions:
        """Those of a file."""
        return parsed.once(cls)

    def around(self, pattern: re.Pattern[bytes], name: bytes, offset: int) -> list[re.Match[bytes]]:
        """The matches for a name in the innermost function around an offset; outside functions in the whole file.

        `pattern` calls the name `name`. Where a match looks further than it goes, an empty group `end` is where to.
        """
        whole = self._range(offset)
        key = (*whole, pattern)
        if key not in self._found:
            found: _Matches = {}
            for match in pattern.finditer(self._parsed.data, *whole):
                found.setdefault(match["name"], []).append(match)
            self._found[key] = found
        return self._found[key].get(name, [])

    def settings(self, pattern: re.Pattern[bytes], name: bytes, offset: int) -> list[re.Match[bytes]]:
        """The same for a pattern that begins with the name: it is tried where the name is, not at every word."""
        whole = self._range(offset)
        key = (*whole, pattern, name)
        if key not in self._settings:
            places = self._parsed.lexed.places(name)
            inside = places[bisect_left(places, whole[0]) : bisect_left(places, whole[1])]
            tried = (pattern.match(self._parsed.data, at, whole[1]) for at in inside)
            self._settings[key] = [match for match in tried if match is not None]
        return self._settings[key]

    def _range(self, offset: int) -> tuple[int, int]:
        """The innermost function around an offset; outside functions the whole file."""
        function = self._parsed.function(offset)
        return (0, len(self._parsed.data)) if function is None else (function.span.start, function.span.end)

    def before(self, pattern: re.Pattern[bytes], name: bytes, offset: int) -> list[re.Match[bytes]]:
        """Those of them that end before the offset."""
        return _ended(self.around(pattern, name, offset), offset)

    def settings_before(self, pattern: re.Pattern[bytes], name: bytes, offset: int) -> list[re.Match[bytes]]:
        """The same of `settings`."""
        return _ended(self.settings(pattern, name, offset), offset)


def _ended(found: list[re.Match[bytes]], offset: int) -> list[re.Match[bytes]]:
    """Those that end before an offset."""
    at = bisect_left(found, offset, key=lambda match: match.start())
    return [match for match in found[:at] if match.end("end" if "end" in match.re.groupindex else 0) <= offset]
