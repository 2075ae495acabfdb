"""Errors that end a run with one clear line: what is wrong and what to do about it; and text that is safe to show."""

from __future__ import annotations


class MigrateError(Exception):
    """A failure the user can act on; its text is the whole message."""


class ConfigError(MigrateError):
    """The configuration file is unreadable, or holds a key or value that is not known."""


class RuleError(MigrateError):
    """A rule file is malformed; the text names the file and, where known, the line."""


class TargetError(MigrateError):
    """The converted code cannot be written where the user asked for it."""


class InputError(MigrateError):
    """A path given on the command line does not exist or cannot be read."""


class CompilerCrashError(MigrateError):
    """The embedded compiler does not survive a file."""


class LostWorkError(MigrateError):
    """A worker process ended in the middle of its work; the text names the work and says how it ended."""


def printable(text: str, keep: str = "") -> str:
    """`text` with all that a terminal would act on, or cannot show, spelled as an escape; what is in `keep` stays.

    Names and lines come from repositories that nobody vouches for: they may hold sequences that clear the screen, line
    ends that forge a second message, or characters that turn the direction of writing.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in keep else c.encode("unicode_escape").decode("ascii") for c in text)


def printable_json(text: str) -> str:
    """A JSON text with all that a terminal would act on spelled as an escape of JSON; it says the same.

    Encoders escape the control characters of ASCII alone. Those above, and marks of direction, stand in strings only.
    Halves of a pair, which stand for bytes of a name, are left to who writes the text.
    """
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(c if c.isprintable() or c == "\n" or "\ud800" <= c <= "\udfff" else _spelled(c) for c in text)


def _spelled(mark: str) -> str:
    units = mark.encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
