"""Report formats: one module per format, each turning a `Report` into text.

A format is a module with one name, `render`; the module's name is the format's name on the command line. A format
knows the report and its totals and nothing else, prints nothing, and gives the same text for the same report.
"""

from __future__ import annotations

from typing import Protocol

from cudamigrate.model import Report

__all__ = ["Format", "json", "markdown", "text"]


class Format(Protocol):
    """The name that each module of this package has."""

    def render(self, report: Report) -> str:
        """The report as text that ends with a newline."""
        ...
