"""The files of a repository: which there are, which belong to it, and which folders this tool made itself.

Knows git and the file system. Opens no file for its meaning and writes nothing.
"""

__all__ = ["discovery", "file_listing", "git", "owned_folders"]
