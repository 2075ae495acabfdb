"""Evidence that a number in the code is the width of a warp: how lanes are counted and where the value goes."""

__all__ = ["context", "lane_counts"]
