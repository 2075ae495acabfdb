"""The result of a file that shows nothing, in a quarter of the memory: most files of a large tree show nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model.report import FileResult

_OWN = ("path", "language", "lines", "size")
"""What such a result has of its own; everything else is what `FileResult` has where nothing is said."""


class _Fields:
    """The fields as the standard library describes them, made when it asks."""

    def __get__(self, instance: object, owner: object) -> Any:
        return cast("Any", FileResult).__dataclass_fields__


class PlainResult:
    """A path, a language, lines, and bytes. To whoever asks, `replace` among them, it is a `FileResult`."""

    __slots__ = _OWN
    __dataclass_fields__ = _Fields()

    def __init__(self, path: str, language: str, lines: int, size: int) -> None:
        self.path, self.language, self.lines, self.size = path, language, lines, size

    @property  # type: ignore[misc]
    def __class__(self) -> type[FileResult]:  # type: ignore[override]
        return FileResult

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...

    def __eq__(self, other: object) -> bool:
        return self is other or _whole(self) == other

    def __hash__(self) -> int:
        return hash(_whole(self))

    def __repr__(self) -> str:
        return repr(_whole(self))

    def __reduce__(self) -> tuple[type[PlainResult], tuple[str, str, int, int]]:
        return PlainResult, (self.path, self.language, self.lines, self.size)


def plain(result: FileResult) -> FileResult:
    """The result, as one that takes less where its file shows nothing."""
    if result.cuda or result.findings or type(result) is not FileResult:
        return result
    return as_plain(*found) if (found := said(result)) is not None else result


def said(result: FileResult) -> tuple[str, str, int, int] | None:
    """What a `PlainResult` is made of; None for the result of a file that shows something."""
    own = (result.path, result.language, result.lines, result.size)
    if type(result) is not FileResult or result == FileResult(*own, cuda=False):
        return own
    return None


def as_plain(path: str, language: str, lines: int, size: int) -> FileResult:
    """The result of a file that shows nothing."""
    return cast("FileResult", PlainResult(path, language, lines, size))


def _whole(result: PlainResult) -> FileResult:
    return cast("FileResult", replace(cast("Any", result)))


def _shown_nothing() -> None:
    """Give the class what its results have in common."""
    nothing = FileResult("", "", 0, 0, cuda=False)
    for name in (*FileResult.__match_args__, "lacking"):
        if name not in _OWN:
            setattr(PlainResult, name, getattr(nothing, name))


_shown_nothing()
