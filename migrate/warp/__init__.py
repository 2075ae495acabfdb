"""Warp-level code: which functions use warp-level operations, how many lanes they assume, and the repair.

Knows warps of 32 lanes and wavefronts of 64. Renames no API and reports nothing by itself: detectors do.
"""

__all__ = [
    "called_lanes",
    "cross_file_facts",
    "entering_lanes",
    "function_facts",
    "graph",
    "integer_ranges",
    "lane_code",
    "lane_constants",
    "lane_counts",
    "lane_masks",
    "lane_reach",
    "lane_remarks",
    "lane_traces",
    "lane_words",
    "library_names",
    "logical_warp_edits",
    "memory_effects",
    "obligations",
    "places",
    "quantities",
    "shift_amounts",
    "sources",
    "special_registers",
    "tile_types",
    "transfer",
    "tree_queries",
    "value_ranges",
    "version_guards",
    "vocabulary",
    "votes_in_text",
    "warp_synchronous",
    "warp_synchronous_edits",
]
