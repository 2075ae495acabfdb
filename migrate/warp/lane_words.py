"""Words without which a file has no warp-level code: they decide whether that is looked for at all."""

from __future__ import annotations

SHUFFLES = frozenset(f"__shfl{way}{sync}" for way in ("", "_up", "_down", "_xor") for sync in ("", "_sync"))
LANE_WORDS: tuple[bytes | tuple[bytes, ...], ...] = (
    b"lane", b"Lane", b"LANE", b"warp", b"Warp", b"WARP", b"__shfl", b"__ballot", b"__any", b"__all", b"__activemask",
    b"__match_", b"__reduce_", b"tiled_partition", b"ldmatrix", b"mma.sync", b"ballot", (b"blockDim.x", b"32"),
    (b"blockDim.x", b">>", b"5"), (b"threadIdx.x", b"32"), (b"reduce", b"32"), (b"scan", b"32"),
)  # fmt: skip
"""What `lane_code.has_lane_words` needs, as bytes that are found faster; of those in one tuple, all."""
