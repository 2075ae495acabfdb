"""`re` whose patterns are compiled when they are first used.

A command reads few of the files that the patterns of all modules are for, and compiling these takes longer than reading
such a file. Modules take `re` from here: `compile` gives an object that becomes the pattern on first use, all else is
that of the standard library. Such an object is not the pattern itself, and what is compiled may be spelled in another
way that matches the same: see `quick_search`. A command takes compiled patterns from the run before it: see `kept`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cudamigrate.lazy_re.kept import keep, kept_for, use_kept

if TYPE_CHECKING:
    import re as re
else:
    import re as _re
    import sys as _sys

    from cudamigrate.lazy_re import kept
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
            self.__dict__["_lasts"] = _sys._getframe(1).f_code.co_name == "<module>"

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            pattern = self.__dict__.get("_compiled")
            if pattern is None:
                words, flags = self.__dict__["_made_from"]
                pattern = self.__dict__["_compiled"] = self._compile(*words, **flags)
            value = self.__dict__[name] = getattr(pattern, name)
            return value

        def _compile(self, pattern: Any, flags: int = 0) -> Any:
            """The pattern, as an earlier process compiled it or compiled now."""
            asked = (pattern, int(flags))
            found = kept.pattern(asked) if self.__dict__["_lasts"] else None
            if found is None:
                found = _re.compile(_quick(pattern, flags), flags)
                if self.__dict__["_lasts"]:
                    kept.add(asked, found)
            return found

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

__all__ = ["keep", "kept_for", "re", "use_kept"]
