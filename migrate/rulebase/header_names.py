"""Which names HIP's headers use that a program may have macros of, by `rules/hip-header-names.toml`."""

from __future__ import annotations

from functools import cache

from cudamigrate.shipped_data import table


@cache
def in_hip_headers() -> frozenset[bytes]:
    """Names that HIP's headers are read wrongly with where a macro of that name is defined before them."""
    return frozenset(str(table("hip-header-names")["names"]).encode().split())
