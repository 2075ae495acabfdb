"""What travels between stages: plain frozen data, no behaviour beyond looking itself up.

Knows the standard library alone, and does nothing: reads no file, decides nothing. The types of an estimate, of a
verdict and of warp-level facts are modules of their own, so that who needs none imports none.
"""

from migrate.model.finding import Edit, Finding, Fix, Hit, numbered
from migrate.model.report import Conversion, FileEntry, FileResult, Inventory, Report, Repository, Skip
from migrate.model.rule import Change, Example, Match, Rule, Target
from migrate.model.source import Definition, Position, SourceFile, Span, Use
from migrate.model.vocabulary import (
    CERTAINTIES,
    EFFORTS,
    GROUPS,
    OUTCOMES,
    PARTS,
    REPORT_SCHEMA,
    SAFETIES,
    SUPPORTS,
    Certainty,
    ChangeKind,
    Effort,
    JsonValue,
    MatchKind,
    Outcome,
    Safety,
    Scope,
    Support,
    UseKind,
    release,
)

__all__ = [
    "CERTAINTIES",
    "EFFORTS",
    "GROUPS",
    "OUTCOMES",
    "PARTS",
    "REPORT_SCHEMA",
    "SAFETIES",
    "SUPPORTS",
    "Certainty",
    "Change",
    "ChangeKind",
    "Conversion",
    "Definition",
    "Edit",
    "Effort",
    "Example",
    "FileEntry",
    "FileResult",
    "Finding",
    "Fix",
    "Hit",
    "Inventory",
    "JsonValue",
    "Match",
    "MatchKind",
    "Outcome",
    "Position",
    "Report",
    "Repository",
    "Rule",
    "Safety",
    "Scope",
    "Skip",
    "SourceFile",
    "Span",
    "Support",
    "Target",
    "Use",
    "UseKind",
    "estimate",
    "lane_facts",
    "numbered",
    "port_facts",
    "release",
    "verification",
]
