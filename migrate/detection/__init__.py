"""Rules and a parsed file give findings with their fixes.

Knows rules and plug-ins by name, and nothing of any one construct.
"""

__all__ = ["engine", "merged_guards", "merged_names"]
