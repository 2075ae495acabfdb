"""The rules under `rules/` as the stages read them, what they depend on, and their explanation.

They depend on the releases of ROCm and the architectures of GPUs.

Knows the form of rule files. Holds no rule itself and reads no source code.
"""

__all__ = [
    "architectures",
    "code_rules",
    "compiled",
    "explain",
    "explain_place",
    "header_names",
    "loader",
    "predefined_macros",
    "project_rules",
    "rocm_releases",
]
