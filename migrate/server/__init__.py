"""A language server for editors: what is wrong on AMD in open files, explanations, and fixes.

Knows the Language Server Protocol by `pygls`, and the text in the editor. Never writes a file: fixes are edits that the
editor makes.
"""

__all__ = ["app"]
