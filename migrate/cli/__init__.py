"""The command line: one module for each group of commands, and the console they print through.

Knows options, exit codes and words for people. Works nothing out itself.
"""

__all__ = ["app", "check_command", "console"]
