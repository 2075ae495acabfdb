"""Words for what a HIP port without gaps leaves out."""

from __future__ import annotations

from cudamigrate.model.port_facts import NO_BUILD, PortSummary


def left_out(port: PortSummary) -> str:
    """Where the kernels are that it has not ported: in programs without a build for HIP, or with CUDA by choice."""
    return NO_BUILD if is_of_some_programs(port) else "left to CUDA by choice"


def is_of_some_programs(port: PortSummary) -> bool:
    """Whether there are programs that no build for HIP has."""
    return NO_BUILD in port.unproven and port.ported < port.kernels
