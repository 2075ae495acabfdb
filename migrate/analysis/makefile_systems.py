"""Parts of Makefiles that only one operating system reads: by its name in a condition, or by a variable that has it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax.makefile import Line

_MACOS = re.compile(rb"(?<!\w)(?:Darwin|darwin|DARWIN)(?!\w)")
"""What `uname` prints on macOS."""
_VARIABLE = re.compile(rb"\$[({](\w+)[)}]|^\s*(\w+)\s*$")


@dataclass(frozen=True, slots=True)
class Makefile:
    """One Makefile of a family of files that include each other."""

    path: str
    data: bytes
    lines: tuple[Line, ...]

    def text(self, span: Span) -> bytes:
        """The bytes of a span."""
        return self.data[span.start : span.end]


def is_macos(files: Sequence[Makefile], file: Makefile, offset: int) -> bool:
    """Whether what is at an offset is read on macOS alone."""
    return any(_asks(files, file, line) for line in _branches(file, offset))


def _branches(file: Makefile, offset: int) -> Iterator[Line]:
    """The conditions whose branch an offset is in; of one with `else` before it, only the last."""
    around: list[Line | None] = []
    for line in file.lines:
        if line.span.start > offset:
            break
        if line.kind != "conditional":
            continue
        if line.name == "endif" or file.text(line.span).lstrip().startswith(b"else"):
            del around[-1:]
        if line.name != "endif":
            around.append(None if line.name == "else" else line)
    yield from (line for line in around if line is not None)


def _asks(files: Sequence[Makefile], file: Makefile, line: Line) -> bool:
    """Whether a condition is true on macOS alone."""
    text = file.text(line.value)
    if line.name == "ifeq" and _MACOS.search(text):
        return True
    if line.name == "ifneq" and re.search(rb"\bfindstring[ \t]+Darwin\b", text):
        return True
    names = [(match[1] or match[2]).decode() for match in _VARIABLE.finditer(text)]
    wanted = line.name == "ifdef" or (line.name == "ifeq" and re.search(rb"(?:,|[\"'])[ \t]*(?:1|true|yes|on)\b", text))
    if not wanted or len(names) != 1:
        return False
    sets = [
        (other, one)
        for other in files
        for one in other.lines
        if one.kind == "assignment" and one.name == names[0] and other.text(one.value).strip() not in (b"", b"0", b"no")
    ]
    return bool(sets) and all(_is_named(other, one) for other, one in sets)


def _is_named(file: Makefile, line: Line) -> bool:
    """Whether a line is in a branch that asks for macOS by its name."""
    return any(
        one.name == "ifeq" and _MACOS.search(file.text(one.value)) is not None
        for one in _branches(file, line.span.start)
    )


_CL_OPTION = re.compile(
    rb"(?<![^\s\"'=,])/(?:EH(?:sc|a|s)|nologo|W[0-4]|WX|O[12dx]|M[DT]d?|G[LwyS]|Z[i7]|RTC1|LTCG|fp:\w+|openmp|Tp|permissive-"
    rb"|w[deo1-4][ \t]?\d{4,5})"
    rb"(?![\w/.-])"
)
"""An option of Microsoft's compiler or linker: `/EHsc`, `/W4`, `/MD`; no folder, as `/O2/lib`."""
_CL = re.compile(rb"(?<![\w./\\$({-])(?:cl|nmake|link)(?:\.exe)?(?![\w./\\=)}-])")
"""Microsoft's compiler, linker or make as a word of its own."""
_WINDOWS_FILE = re.compile(rb"\\lib\\|\\include\b|(?<=\w)\.(?:lib|obj)(?![\w.-])")
"""A path with the separators of Windows, or a library or object by its ending there."""
_SYSTEM = re.compile(rb"(?i)win|mingw|msys|cygwin|\bOS\b|uname|linux|darwin|msvc|platform|\bsystem\b")


def made_by_cl(file: Makefile) -> Span | None:
    """The first option of Microsoft's compiler in a Makefile of which no part is for another system, None where none.

    The option is read whatever the system is, and the file names that compiler, or files as it has them.
    """
    given = (line for line in file.lines if line.kind in ("assignment", "recipe"))
    for line in given:
        option = _CL_OPTION.search(file.data, line.value.start, line.value.end)
        if option is None or any(_SYSTEM.search(file.text(one.value)) for one in _branches(file, line.span.start)):
            continue
        runs = any(
            _CL.match(file.text(one.value).strip(b'@\t "'))
            for one in file.lines
            if one.kind in ("assignment", "recipe")
        )
        texts = (file.text(one.value) for one in file.lines if one.kind in ("assignment", "recipe", "rule"))
        return Span(*option.span()) if runs or any(map(_WINDOWS_FILE.search, texts)) else None
    return None
