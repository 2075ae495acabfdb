"""The rules under `rules/` as the stages read them, the releases of ROCm they depend on, and their explanation.

Knows the form of rule files. Holds no rule itself and reads no source code.
"""

__all__ = ["code_rules", "explain", "loader", "project_rules", "rocm_releases"]
