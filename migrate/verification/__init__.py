"""Verdicts: type-checks the files of a tree and traces each diagnostic to the finding that foresaw it.

Knows engines by their Protocol. Changes no file.
"""

__all__ = ["absent_names", "attribution", "causes", "cuda_path", "originals", "run", "text", "unforeseen"]
