"""The constant that an argument of a call is, written there or held in a variable that keeps it."""

from __future__ import annotations

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Span


def constant_argument(parsed: ParsedFile, given: Span) -> bytes:
    """The constant's name, or what else the argument is written as; empty where a variable may hold another value."""
    written = parsed.data[given.start : given.end].strip()
    values = Values.of(parsed)
    found = values.locals(given.start).get(written)
    if found is None:
        return values.constants().get(written, written) or b""
    one = found[0]
    assigned = re.compile(rb"(?<![\w.>])" + re.escape(written) + rb"\s*=(?!=)")
    sets = sum(1 for _ in parsed.lexed.starting(assigned, written))
    return text(one.value) if len(found) == 1 and one.value is not None and sets == 1 else b""
