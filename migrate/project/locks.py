"""Locks on open files and folders, which the system drops with the process that holds them."""

from __future__ import annotations

import importlib.util

CAN_LOCK = importlib.util.find_spec("fcntl") is not None
"""Whether what is open can be locked; on Windows what a killed process left is not removed."""


def lock(descriptor: int) -> None:
    """Lock an open file or folder, or raise OSError where it is locked or the system has no locks."""
    if not CAN_LOCK:
        raise OSError("no locks here")
    import fcntl

    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
