"""Statements that converted code does without: the edits that take them out."""

from __future__ import annotations

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span


def removed(parsed: ParsedFile, statement: Span) -> Edit:
    """The edit that takes out a statement, with its line where nothing else is on it."""
    start = parsed.data.rfind(b"\n", 0, statement.start) + 1
    end = parsed.data.find(b"\n", statement.end) + 1
    if end and not (parsed.data[start : statement.start] + parsed.data[statement.end : end]).strip():
        return Edit(Span(start, end), b"")
    return Edit(statement, b"")
