"""Joins the stages: scan, apply, check and verify, the work on one file, and what only all files together show.

Knows every stage below it. Prints nothing and reads no command line.
"""

from migrate.pipeline.run import (
    Applied,
    Progress,
    apply,
    check_report,
    project_rules,
    rules,
    scan,
    target,
)

__all__ = [
    "Applied",
    "Progress",
    "apply",
    "check",
    "check_fixes",
    "check_report",
    "lookup",
    "project_rules",
    "prove",
    "rule_tests",
    "rules",
    "run",
    "scan",
    "target",
]
