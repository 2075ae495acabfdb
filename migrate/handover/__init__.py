"""What a maintainer gets with converted code: commits in order, notes, the text of a pull request, comments, updates.

Knows what `apply` made, and what was found. Finds and changes no CUDA itself.
"""

__all__ = ["commits", "conflicts", "migration_notes", "pull_request", "result", "todo", "update"]
