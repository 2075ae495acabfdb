"""By which directives names of CUDA's libraries go without their namespace: `using namespace cooperative_groups;`.

Such a directive may be in a header, and then no file that includes it names the namespace (ISO C++ [namespace.udir]:
the members are visible as if declared in the nearest namespace that has both). What a file sees is worked out before
it is read: `ParsedFile.opened` has the directives of the others in plain spelling, and their macros that stand for
`__device__` or `__global__`, by which functions are known to run on the GPU.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from cudamigrate.cuda import qualifier_macros
from cudamigrate.cuda.include_paths import IncludeGraph
from cudamigrate.cuda.lexer import lex
from cudamigrate.cuda.namespaces import namespaces_at
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re

MARK = ":"
"""How the mark of a directive begins that another file has: `:using namespace cub;`."""
_SPACES = (b"cooperative_groups", b"cub", b"thrust", b"nvcuda", b"wmma")
_OF_SPACE = rb"(?:::\s*)?(?:" + b"|".join(_SPACES) + rb")(?:\s*::\s*\w+)*\s*;"
_DIRECTIVE = re.compile(
    rb"\busing\s+namespace\s+" + _OF_SPACE + rb"|\bnamespace\s+\w+\s*=\s*" + _OF_SPACE
    + rb"|\busing\s+(?:::\s*)?(?:" + b"|".join(_SPACES) + rb")(?:\s*::\s*\w+)+\s*;"
)  # fmt: skip
"""`using namespace cub;`, `namespace cg = cooperative_groups;`, `using cub::WarpReduce;`."""
_GLOBAL = re.compile(rb"(\busing|\bnamespace|=)\s*::")
_SIGN = re.compile(rb"\s*(::|[=;])\s*")
_LENT = "cooperative_groups"
"""The namespace whose directives also count in files that are included behind them.

What is there is its group only where the name is of none of the file's own, or an argument is a group. Other libraries'
names, such as `WarpReduce`, are often a project's own as well.
"""


def declared(data: bytes) -> list[str]:
    """The directives of a text that hold where it is included, none within a function or a class, and qualifiers."""
    qualifiers = qualifier_macros.spelled(data)
    if (b"using" not in data and b"namespace" not in data) or not any(space in data for space in _SPACES):
        return qualifiers
    tokens = lex(data)
    found = list(tokens.starting(_DIRECTIVE, b"using", b"namespace"))
    around = namespaces_at(tokens, [match.start() for match in found])
    return sorted({_plain(one[0]) for one, space in zip(found, around, strict=True) if space is not None}) + qualifiers


def _plain(directive: bytes) -> str:
    """A directive with single blanks, and no sign of the global namespace."""
    return b" ".join(_SIGN.sub(rb"\1", _GLOBAL.sub(rb"\1 ", directive)).split()).decode("latin-1")


def seen(opens: Mapping[str, Iterable[str]], spelled: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """For each file the marks of the directives of others; `spelled` has the includes of all, by path."""
    if not opens:
        return {}
    graph, places = IncludeGraph(spelled), dict[str, set[str]]()
    for path, directives in opens.items():
        for directive in directives:
            places.setdefault(directive, set()).add(path)
    found: dict[str, set[str]] = {}
    for directive, paths in places.items():
        users = graph.above(paths)
        users = graph.below(users) if _LENT in directive else users
        for path in users - paths:
            found.setdefault(path, set()).add(MARK + directive)
    return {path: tuple(sorted(marks)) for path, marks in found.items()}


def of_marks(marks: Iterable[str]) -> tuple[bytes, ...]:
    """The directives among the marks that a file is read with."""
    return tuple(one.removeprefix(MARK).encode("latin-1") for one in marks if one.startswith(MARK))


def matches(parsed: ParsedFile, pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
    """What a pattern for directives finds in a file, and in what the files that it includes say."""
    yield from parsed.lexed.starting(pattern, b"using", b"namespace")
    for directive in parsed.opened:
        yield from pattern.finditer(directive)
