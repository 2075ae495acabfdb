"""What several analyses share: call graphs, constant values, type sizes, launches and their geometry, thread groups.

Knows one parsed file at a time, or a family of Makefiles; of a HIP port, what all files show together.
Finds nothing to report and changes nothing.
"""

__all__ = [
    "arithmetic_types",
    "build_choices",
    "builtin_wave",
    "call_graph",
    "cmake_flow",
    "constant_contexts",
    "constant_values",
    "cooperative_groups",
    "device_properties",
    "fences",
    "integer_types",
    "kernel_launches",
    "launch_geometry",
    "makefile_gpus",
    "makefile_variables",
    "member_arguments",
    "port_builds",
    "port_configure",
    "port_discovery",
    "port_evidence",
    "port_macros",
    "port_missing",
    "port_probes",
    "port_reach",
    "port_sides",
    "port_unset",
    "port_waves",
    "seen_waves",
    "shown_values",
    "symbol_references",
    "type_sizes",
    "variable_mentions",
]
