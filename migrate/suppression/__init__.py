"""Findings that somebody chose not to be reported: by a comment, by the configuration, or by a baseline.

Knows findings, comments in source text and the selectors of rules. Finds nothing itself, and changes no finding.
"""

__all__ = ["baseline", "comments", "selectors"]
