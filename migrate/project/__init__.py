"""The files of a repository: which there are, which belong to it, and which folders this tool made itself.

Knows git and the file system. Reads no file for its meaning, and starts no program that a repository names.
"""

__all__ = [
    "branch_writer",
    "changes",
    "discovery",
    "file_access",
    "file_listing",
    "fleet_sources",
    "git",
    "glob_expressions",
    "owned_folders",
    "revisions",
    "scratch",
]
