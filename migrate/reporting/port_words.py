"""Words for what a HIP port without gaps leaves out."""

from __future__ import annotations

from cudamigrate.model import Report
from cudamigrate.model.port_facts import NO_BUILD, UNSEEN, PortSummary


def left_out(port: PortSummary) -> str:
    """Where the kernels are that it has not ported: in programs without a build for HIP, or with CUDA by choice."""
    return NO_BUILD if is_of_some_programs(port) else "left to CUDA by choice"


def is_of_some_programs(port: PortSummary) -> bool:
    """Whether there are programs that no build for HIP has."""
    return NO_BUILD in port.unproven and port.ported < port.kernels


def unseen(report: Report) -> int:
    """How many kernels are in files of which nothing shows that HIP compiles them, or others in their place."""
    paths = frozenset(report.port.unseen) if report.port is not None else frozenset[str]()
    return sum(file.kernels for file in report.files if file.path in paths)


def aside(count: int) -> str:
    """The same in words, to follow the number without a gap."""
    return f", {count:,} {UNSEEN}" if count else ""
