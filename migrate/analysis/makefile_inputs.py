"""Commands of Makefiles that compile a source and link it with objects at once.

hipcc writes `-x hip` before each source, and clang takes all files behind that for sources: an object or an archive
there is read as text. `-x none` ends it. Objects before the first source are read as what they are.
Source: hipcc 5.2, and hipBin_amd.h of ROCm's llvm-project; ROCm/hip, issue 2167.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.analysis import makefile_links, makefile_suffixes, makefile_variables
from cudamigrate.analysis.makefile_systems import Makefile
from cudamigrate.analysis.makefile_variables import Variables
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Span
from cudamigrate.syntax import makefile
from cudamigrate.syntax.makefile import Line

_WORD = re.compile(rb"(?:\$\((?:[^()\s]|\([^()]*\)|[ \t])*\)|\$\{[^{}]*\}|[^\s\\]|\\(?!\r?\n))+")
"""A word of a command, calls of make's in it whole."""
_VALUED = (b"-o", b"-I", b"-L", b"-l", b"-D", b"-U", b"-include", b"-isystem", b"-MF", b"-MT", b"-MQ", b"-Xlinker")
"""Options whose argument may be a word of its own."""
_SOURCE = re.compile(rb"[^-\s].*\.(?:cu|cpp|cxx|cc|C|c)|.*%\.(?:cu|cpp|cxx|cc|C|c)")
_OBJECT = re.compile(rb"[^-\s].*\.(?:o|obj|a|so(?:\.\d+)*)")
_ENDS = re.compile(rb"\.(?:o|obj|a|so)(?![\w-])")
_CHANGED = re.compile(rb"\$[({](?:\w+:[^=]*=|patsubst[ \t]+[^,]*,)(?:[^\s=,]*(?P<object>\.o)|[^\s=,]*)(?:,[^,]*)?[)}]")
"""A variable with other endings, `$(SRC:.cu=.o)`, or the call that does the same."""
_VARIABLE = re.compile(rb"\$[({]([\w.-]+)[)}]")
ALL = re.compile(rb"\$(?:[\^+]|[({][\^+][)}])")
"""All that a rule's target is made of."""
_FIRST = re.compile(rb"\$(?:<|[({]<[)}])")
_KEEPING = frozenset(("abspath", "addprefix", "notdir", "realpath", "sort", "strip", "wildcard"))
"""Functions of make's whose results end as what they are given last does."""
_DEPTH = 8
"""How many variables and calls, one in the other, are followed."""


@dataclass(frozen=True, slots=True)
class Mixed:
    """A command where an object comes behind a source: the first word of a file with objects, from the source on.

    `parts` says that `-x none` before the objects is enough: the command links, and no source comes behind them.
    """

    file: Makefile
    word: Span
    parts: bool


def of(variables: Variables) -> Iterator[Mixed]:
    """Each of them among the commands that call nvcc."""
    if not any(map(_ENDS.search, (file.data for file in variables.files))):
        return
    for file, part, rule in variables.commands():
        if variables.compiler(file, part) == {"nvcc"}:
            for one in _mixed(variables, file, part, rule):
                # compiling alone, clang stops at an object that is not there yet, and nvcc does not look at it
                yield replace(one, parts=one.parts and not makefile_links.stops(variables, file, part))


def _mixed(variables: Variables, file: Makefile, part: Span, rule: Line | None) -> Iterator[Mixed]:
    found: list[tuple[Span, str]] = []
    before, made_of = b"", _made_of(variables, file, rule)
    for match in _WORD.finditer(file.data, part.start, part.end):
        word = match[0]
        if word == b"-x":
            return  # the command says itself what its files are
        if before not in _VALUED:
            kinds = _kinds(variables, word, made_of, _DEPTH)
            found += [(Span(*match.span()), kind) for kind in kinds]
        before = word
    kinds = [kind for _, kind in found]
    first = kinds.index("source") if "source" in kinds else len(kinds)
    at = next((n for n in range(first, len(kinds)) if kinds[n] == "object"), None)
    if at is None:
        return
    place = found[at][0]
    whole = place in [span for span, _ in found[:at]]
    all_of_rule = ALL.fullmatch(file.text(place)) is not None
    later = any(span != place or not all_of_rule for span, kind in found[at:] if kind == "source")
    yield Mixed(file, place, not later and (all_of_rule or not whole))


def _made_of(variables: Variables, file: Makefile, rule: Line | None) -> list[bytes]:
    """What a rule's targets are made of; of a suffix rule a pattern, `*.cu`."""
    pattern = makefile_suffixes.made(variables, file, rule)
    return [pattern[1].encode()] if pattern else [file.text(one) for one in makefile_links.made_of(file, rule)]


def _kinds(variables: Variables, word: bytes, made_of: Sequence[bytes], depth: int) -> list[str]:
    """What the files are that a word stands for, in order: sources and objects."""
    changed, variable = _CHANGED.fullmatch(word), _VARIABLE.fullmatch(word)
    if changed is not None and changed["object"]:
        return ["object"]
    if ALL.fullmatch(word) or _FIRST.fullmatch(word):
        inner = [*made_of] if ALL.fullmatch(word) else [*made_of[:1]]
        return [kind for one in inner for kind in _kinds(variables, one, (), depth - 1)]
    if variable is not None:
        return _held(variables, variable[1].decode(), depth)
    if _OBJECT.fullmatch(word):
        return ["object"]
    if _SOURCE.fullmatch(word):
        return ["source"]
    return [kind for text in _named(word) for kind in _kinds_of(variables, text, depth)]


def _kinds_of(variables: Variables, text: bytes, depth: int) -> list[str]:
    """What the files are that the words of a text stand for, in order."""
    return [kind for one in _WORD.findall(text) for kind in _kinds(variables, one, (), depth - 1)] if depth else []


def _held(variables: Variables, name: str, depth: int) -> list[str]:
    """What the files are that a variable holds: in order where it has one value, else where all are of one kind."""
    each = [_kinds_of(variables, text, depth) for text in makefile_variables.values(variables, name)]
    if len(each) == 1:
        return each[0]
    kinds = {kind for one in each for kind in one}
    return [*kinds] if len(kinds) == 1 else []


def _named(word: bytes) -> list[bytes]:
    """The texts whose files a call of make's names, with the same endings: `$(patsubst %,obj/%,$(OBJS))`."""
    calls = [one for one in makefile.expansions(word, 0, len(word)) if one.span == Span(0, len(word))]
    if not calls or not calls[0].args:
        return []
    name, (*before, last) = calls[0].name, [word[one.start : one.end].strip() for one in calls[0].args]
    if name == "patsubst":
        return [last] if len(before) == 2 and all(one.endswith(b"%") for one in before) else []
    if name == "addsuffix":
        return [b"file" + before[0]] if len(before) == 1 else []
    return before[:1] if name == "filter" else [last] if name in _KEEPING else []
