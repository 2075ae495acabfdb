"""The report: totals counted once for all formats, comparison of two, JSON in and out, and the formats.

Knows the report's data alone. Reads no source code and decides nothing about it.
"""

__all__ = [
    "comparison",
    "excerpts",
    "first_screen",
    "formats",
    "headline",
    "left_builds",
    "load_json",
    "money",
    "port_words",
    "portfolio",
    "portfolio_page",
    "summary",
]
