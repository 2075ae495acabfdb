"""Words for what a HIP port without gaps leaves out."""

from __future__ import annotations

from cudamigrate.model import Report
from cudamigrate.model.port_facts import NO_BUILD, UNSEEN, PortSummary
from cudamigrate.wording import and_more, count_of

_NAMED = 3
"""How many files one line names."""


def left_out(port: PortSummary) -> str:
    """Where the kernels are that it has not ported: in programs without a build for HIP, or with CUDA by choice."""
    return NO_BUILD if is_of_some_programs(port) else "left to CUDA by choice"


def is_of_some_programs(port: PortSummary) -> bool:
    """Whether there are programs that no build for HIP has."""
    return NO_BUILD in port.unproven and port.ported < port.kernels


def named(report: Report) -> str:
    """The files with kernels of programs without a build for HIP, to follow what is said of them; empty for none."""
    port = report.port
    if port is None or not is_of_some_programs(port):
        return ""
    paths = {place.rpartition(":")[0] for place in port.unproven[NO_BUILD]}
    files = sorted(file.path for file in report.files if file.kernels and file.path in paths)
    return f" ({', '.join(files[:_NAMED])}{and_more(len(files) - _NAMED)})" if files else ""


def where(report: Report) -> str:
    """The same as `left_out`, with the files."""
    return "" if report.port is None else f"{left_out(report.port)}{named(report)}"


def but_for(report: Report) -> str:
    """The kernels that a port without gaps leaves out, and where they are, to follow a sentence; empty for none."""
    port = report.port
    if port is None or port.gaps:
        return ""
    count = port.kernels - port.ported - unseen(report)
    return f", but for {count_of(count, 'kernel')} {left_out(port)}" if count > 0 else ""


def unjudged(port: PortSummary) -> str:
    """How many places nothing shows to be a gap or none, to follow a sentence; empty for none."""
    count = sum(map(len, port.unproven.values()))
    return f"; {count_of(count, 'CUDA place')} could not be judged" if count else ""


def unseen(report: Report) -> int:
    """How many kernels are in files of which nothing shows that HIP compiles them, or others in their place."""
    paths = frozenset(report.port.unseen) if report.port is not None else frozenset[str]()
    return sum(file.kernels for file in report.files if file.path in paths)


def aside(count: int) -> str:
    """The same in words, to follow the number without a gap."""
    return f", {count:,} {UNSEEN}" if count else ""
