"""Locks that lanes take by turns: what takes one, and what keeps a turn together for AMD's compiler."""

from __future__ import annotations

TAKING = frozenset(b"atomicCAS atomicCAS_block atomicCAS_system atomicExch atomicExch_block atomicExch_system".split())
"""What takes a lock, of any scope."""
END_OF_TURN = b"__builtin_amdgcn_wave_barrier();"
"""Ends each turn: without it clang moves the release behind the loop, where the lanes of a wave wait for each other."""
