"""Tool, version, day, commit and command are in every format, so that a forwarded report can be made again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cudamigrate.reporting.formats import csv, github, gitlab, html, json, markdown, sarif, text

FORMATS = (csv, github, gitlab, html, json, markdown, sarif, text)
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize("kind", FORMATS, ids=lambda kind: kind.__name__.rpartition(".")[2])
def test_every_format_says_what_made_it(kind, report, finding):
    base = report([finding()])
    made = replace(
        base,
        version="9.8.7",
        date="2026-02-03",
        command="cudamigrate scan lib --rocm 10.0",
        repository=replace(base.repository, commit=COMMIT),
    )
    said = kind.render(made)
    for part in ("cudamigrate", "9.8.7", "2026-02-03", COMMIT[:10], "scan lib --rocm 10.0"):
        assert part in said, part
