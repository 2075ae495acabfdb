"""`re` whose patterns are compiled when they are first used.

A command reads few of the files that the patterns of all modules are for, and compiling these takes longer than reading
such a file. Modules take `re` from here: `compile` gives an object that becomes the pattern on first use, all else is
that of the standard library. Such an object is not the pattern itself, and what is compiled may be spelled in another
way that matches the same: see `quick_search`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import re as re
else:
    import re as _re

    from cudamigrate.lazy_re.quick_search import quick

    _OTHERWISE = _re.IGNORECASE | _re.VERBOSE
    """Flags that give characters another meaning."""

    def _quick(pattern: Any, flags: int = 0) -> Any:
        """The pattern as it is searched for."""
        if flags & _OTHERWISE or (b"(?i" if isinstance(pattern, bytes) else "(?i") in pattern:
            return pattern
        if isinstance(pattern, bytes):
            return quick(pattern.decode("latin-1")).encode("latin-1")
        return quick(pattern)

    class _Pattern:
        """A pattern that is compiled when something is asked of it; what it was asked for is kept."""

        def __init__(self, *words: Any, **flags: Any) -> None:
            self.__dict__["_made_from"] = (words, flags)

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            pattern = self.__dict__.get("_compiled")
            if pattern is None:
                words, flags = self.__dict__["_made_from"]
                pattern = self.__dict__["_compiled"] = _re.compile(_quick(*words, **flags), *words[1:], **flags)
            value = self.__dict__[name] = getattr(pattern, name)
            return value

        def __reduce__(self) -> tuple[Any, ...]:
            words, flags = self.__dict__["_made_from"]
            return (_re.compile, words if not flags else (*words, *flags.values()))

    class _Module:
        """The standard library's `re` but for `compile`."""

        compile = staticmethod(_Pattern)

        def __getattr__(self, name: str) -> Any:
            value = self.__dict__[name] = getattr(_re, name)
            return value

    re = _Module()

__all__ = ["re"]
