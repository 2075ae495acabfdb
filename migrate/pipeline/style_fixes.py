"""Which fixes of a scan `apply` would make in the style that it chooses: a scan counts no others as automatic."""

from __future__ import annotations

from cudamigrate.model import Report
from cudamigrate.model.port_facts import PortFacts

BESIDE = frozenset(("environment", "packages", "python"))
"""Groups of findings on what is neither code nor a build, which portable style leaves to NVIDIA."""


def made(report: Report, style: str, port: PortFacts) -> Report:
    """The report without fixes that are withheld: what they were for is manual work."""
    if not any(one.group in BESIDE for one in report.findings):
        return report
    from cudamigrate.pipeline import styles  # most scans do without

    return styles.as_applied(report, style, port)
