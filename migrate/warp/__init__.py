"""Warp-level code: which functions use warp-level operations, how many lanes they assume, and the repair.

Knows warps of 32 lanes and wavefronts of 64. Renames no API and reports nothing by itself: detectors do.
"""
