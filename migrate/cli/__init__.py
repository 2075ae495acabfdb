"""The command line: a module for each command or group of commands, the options they share, and the console.

Knows options, exit codes and words for people. Works nothing out itself.
"""

__all__ = ["app", "console", "hook", "listing"]
