"""What a file of a tree includes first of foreign headers: followed through the tree's own headers.

The walk may go on behind code, and says what that code names: a header behind it may come first only where that changes
nothing, which `preamble.py` and those who call it decide.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache

from cudamigrate.compilation.include_closure import IncludeResolver
from cudamigrate.compilation.passed_code import Passed, said
from cudamigrate.cuda.conditions import value_with
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import Flags

_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
"""A comment; a literal, which may hold what looks like one, is its group."""
_DIRECTIVE = re.compile(r"#\s*(\w+)\s*(.*)")
_SPELLED = re.compile(r"([<\"])([^>\"]+)[>\"]")
_CONDITIONS = ("if", "ifdef", "ifndef")
_OTHERWISE = ("elif", "else")
_NAME = re.compile(r"\b(?!defined\b|linux\b|unix\b)[A-Za-z_]\w*\b(?!\s*\()")
"""What a condition asks for. What a compiler defines itself begins with `_`, but for two names."""
_WORD = re.compile(r"(?!defined\b|__cplusplus\b)\b[A-Za-z_]\w*")
_DEFINED = re.compile(r"^\w+")
"""The name in what is behind `#define`."""
_OF_NVCC = re.compile(r"__(?:NVCC|CUDACC|CUDA_ARCH)")
"""How names begin that nvcc defines, and no compiler for AMD."""
_OF_GPUS = re.compile(r"__(?:NVCC|CUDACC|CUDA_ARCH|HIP__|HIPCC__|HIP_DEVICE_COMPILE__)")
"""Those that compilers for GPUs define, and the host's own does not."""
_OF_SYSTEMS = re.compile(r"(?:_WIN(?:32|64)|_MSC_VER|__APPLE__|__MINGW(?:32|64)__|__CYGWIN__)\Z")
"""What compilers define that make code for other systems than Linux."""
_OF_WARNINGS = re.compile(r"once\b|(?:clang|GCC)\s+diagnostic\b|(?:nv_)?diag_\w+|nv_exec_check_disable|warning\b")
"""Pragmas that change nothing but which warnings are shown: `clang diagnostic push`, `nv_diag_suppress 1866`."""
_OF_STATEMENTS = re.compile(
    r"(?:no)?unroll\b|(?:end)?region\b|ivdep\b|omp\s+(?:parallel|for|simd|critical|atomic)\b"
    r"|(?:clang\s+(?:loop|fp)|GCC\s+(?:ivdep|unroll)|STDC)\b|(?:intrinsic|comment|message)\s*\("
)
"""Pragmas that are about the statement behind them, or that change no type."""
_HELD = 512
"""Files whose lines are held: many units include the same ones."""


@dataclass(frozen=True, slots=True)
class Lead:
    """The foreign headers that a file includes, up to one of them.

    `macros` are those that the tree defines until there, so that no header may ask for one, and `unset` those that it
    asks for and that are not defined, so that no header may be what defines one. `passed` is what the tree's code says
    between the header before and the last one; it is empty as long as no code has come.
    """

    headers: tuple[str, ...]
    macros: frozenset[str]
    unset: frozenset[str] = frozenset()
    passed: tuple[Passed, ...] = ()


class _End(Exception):  # noqa: N818  ends the walk; nothing is wrong
    """What comes may change all that is included behind it."""


@dataclass(slots=True)
class _Walk:
    """Follows a file's includes to the first line that may change what is included behind it.

    It `is_open` what macros there are behind a header of which it is not known whether it is included. With
    `macros_only` code says nothing: who compares what is preprocessed compiles none. `depth` is how many braces are
    open, `unsure` in text that may not be compiled, where the same condition closes them: a header within some is none
    like others. `bent` are macros with one brace of a pair.
    """

    tree: IncludeResolver
    folders: dict[str, None]
    given: frozenset[str] = frozenset()
    known: frozenset[bytes] = frozenset()
    leads: list[Lead] = field(default_factory=lambda: [Lead((), frozenset())])
    macros: set[str] = field(default_factory=set)
    unset: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    passed: list[Passed] = field(default_factory=list)
    bent: set[str] = field(default_factory=set)
    depth: int = 0
    unsure: int = 0
    is_code: bool = False
    is_open: bool = False
    macros_only: bool = False
    past_code: bool = False

    def file(self, path: str) -> None:
        """Read one file. Raises _End."""
        self.seen.add(path)
        lines = _directives(self.tree.read(path))
        for word, rest, conditional in _compiled(lines, self._value, _guard(lines)):
            self._line(path, word, rest, conditional)

    def _line(self, path: str, word: str, rest: str, conditional: bool) -> None:
        """Take in a line that is compiled, or may be. Raises _End."""
        if word in ("define", "undef"):
            self._define(rest)
        elif word == "include":
            self._include(path, rest, conditional)
        elif word == "code":
            self._code(rest, conditional)
        elif word != "error" and not (word == "pragma" and _is_harmless(rest)) and not self.macros_only:
            raise _End

    def _define(self, rest: str) -> None:
        self.macros.update(names := _DEFINED.findall(rest))
        if not self.macros_only:
            body = said(rest)
            self.bent.update(names if body.depth else ())
            self.passed.append(replace(body, depth=0, code=False))

    def _code(self, text: str, conditional: bool) -> None:
        """Take in code. Raises _End where it is not to be passed, or has a macro with one brace of a pair."""
        if self.macros_only:
            return
        if not self.past_code:
            raise _End
        piece = said(text)
        self.is_code = True
        self.passed.append(piece)
        self.depth += 0 if conditional else piece.depth
        self.unsure += piece.depth if conditional else 0
        if not self.bent.isdisjoint(piece.words):
            raise _End

    def _value(self, word: str, rest: str) -> bool | None:
        """Whether a condition holds by what the flags give and the compiler defines; None where that does not tell.

        A macro that neither gives, nor the tree until here, is taken for one that is not set: no header that is in a
        preamble may define it.
        """
        if word == "ifdef" and rest in self.given:
            return True
        asked = _asked(word, rest)
        known = self.known - {name.encode() for name in self.macros}
        value = value_with(asked.encode(), known, hip=True)
        names = (name for name in _NAME.findall(asked) if not name.startswith("_") or self._is_of_others(name))
        unset = [name for name in names if name not in self.given and name not in self.macros]
        if value is None and unset and not self.is_open:
            value = value_with(asked.encode(), known | {f"!{name}".encode() for name in unset}, hip=True)
            self.unset.update(unset if value is not None else ())
        if value is None and self.macros_only:
            self.unset.update(_NAME.findall(asked))
        elif not self.macros_only:
            words = frozenset(
                one for one in _WORD.findall(asked) if one not in self.given and one.encode() not in known
            )
            self.passed.append(Passed(words, code=False))
        return value

    def _is_of_others(self, name: str) -> bool:
        """Whether only other compilers than the one that reads this define a macro, or those of other systems."""
        elsewhere = _OF_SYSTEMS.match(name) is not None and sys.platform == "linux"
        if b"!__HIP__" in self.known:
            return elsewhere or _OF_GPUS.match(name) is not None
        return elsewhere or (b"__HIP__" in self.known and _OF_NVCC.match(name) is not None)

    def _include(self, path: str, rest: str, conditional: bool) -> None:
        """Follow an include; a foreign header that only some builds include is passed over, with no code before it."""
        spelled = _SPELLED.match(rest)
        if spelled is None:
            raise _End
        name, quoted = spelled[2], spelled[1] == '"'
        own = self.tree.resolve(path, name, quoted, self.folders)
        if own and own not in self.seen:
            if conditional:
                raise _End
            self.file(own)
        elif not own and conditional:
            self.is_open = True
        elif not own and self.tree.provides(name):
            self._foreign(name)
        elif not own and self._exists(path, name):
            raise _End

    def _foreign(self, name: str) -> None:
        """Take in a foreign header. Raises _End where braces are open around it."""
        if self.depth or self.unsure:
            raise _End
        before = self.leads[-1].headers
        if name not in before:
            passed = tuple(self.passed) if self.is_code else ()
            self.leads.append(Lead((*before, name), frozenset(self.macros), frozenset(self.unset), passed))
            self.passed = [] if self.is_code else self.passed

    def _exists(self, path: str, name: str) -> bool:
        """Whether the tree may have a file that an include means: one that nobody has brings no code."""
        around = (os.path.join(self.tree.root, os.path.dirname(path)), *self.folders)
        return any(os.path.exists(os.path.join(folder, name)) for folder in around)


def _is_harmless(pragma: str) -> bool:
    return _OF_WARNINGS.match(pragma) is not None or _OF_STATEMENTS.match(pragma) is not None


def _taken(chain: Sequence[bool | None]) -> bool | None:
    """Whether the last branch of a chain is compiled, given the values of all its conditions so far."""
    *earlier, own = chain
    if True in earlier or own is False:
        return False
    return None if None in earlier else own


def _guard(lines: Sequence[tuple[str, str]]) -> int:
    """Where a file begins with `#ifndef NAME` and `#define NAME`, after what it includes at most; -1 where it does not.

    A file with includes before it ends with its `#endif`.
    """
    at = next((at for at, (word, _) in enumerate(lines) if word not in ("include", "pragma")), 0)
    is_pair = len(lines) > at + 1 and lines[at][0] == "ifndef" and lines[at + 1] == ("define", lines[at][1])
    return at if is_pair and (at == 0 or lines[-1][0] == "endif") else -1


@lru_cache(_HELD)
def _directives(data: bytes) -> Sequence[tuple[str, str]]:
    """The directives of a file in order, and `code` with the lines between two of them."""
    return list(_parts(data.decode("utf-8", "replace")))


def _parts(text: str) -> Iterator[tuple[str, str]]:
    code: list[str] = []
    for line in _COMMENT.sub(lambda match: match[1] or " ", text.replace("\\\n", " ")).splitlines():
        found = _DIRECTIVE.match(stripped) if (stripped := line.strip()) else None
        if found is None:
            code += [stripped] if stripped else []
            continue
        if code:
            yield "code", "\n".join(code)
            code = []
        yield found[1], found[2].strip()
    if code:
        yield "code", "\n".join(code)


def may_define(data: bytes, name: str, known: frozenset[bytes]) -> bool:
    """Whether a header defines a macro, where conditions on macros that are `known`, or not (`!NAME`), may hold."""
    lines = _compiled(_directives(data), lambda word, rest: value_with(_asked(word, rest).encode(), known, hip=True))
    return any(word == "define" and name in _DEFINED.findall(rest) for word, rest, _ in lines)


def _compiled(
    lines: Iterable[tuple[str, str]], value: Callable[[str, str], bool | None], guard: int = -1
) -> Iterator[tuple[str, str, bool]]:
    """The lines but for conditionals that are compiled, or may be: then the last part is true.

    `value` says whether a conditional's directive holds, None where that is not known. That of a `guard` does.
    """
    chains: list[list[bool | None]] = []
    for at, (word, rest) in enumerate(lines):
        if word in _CONDITIONS:
            chains.append([True if at == guard else value(word, rest)])
        elif word in _OTHERWISE and chains:
            chains[-1].append(value(word, rest))
        elif word == "endif":
            chains[-1:] = []
        else:
            taken = [_taken(chain) for chain in chains]
            if False not in taken:
                yield word, rest, None in taken


def _asked(word: str, rest: str) -> str:
    """A conditional directive as the condition that it has."""
    return {"ifdef": f"defined({rest})", "ifndef": f"!defined({rest})", "else": "1"}.get(word, rest)


def lead(
    path: str,
    tree: IncludeResolver,
    flags: Flags,
    own: Iterable[str] = (),
    macros_only: bool = False,
    past_code: bool = False,
) -> list[Lead]:
    """What `path` includes first, from nothing but what the compiler itself includes to all of the headers.

    `own` are macros that the compiler defines itself, or with `!` before it what nobody defines. With `macros_only`
    nothing is said of code, and without `past_code` that ends the walk.
    """
    given = frozenset(macro.partition("=")[0] for macro in flags.defines)
    true = (name for name, _, value in (macro.partition("=") for macro in flags.defines) if value in ("", "1"))
    walk = _Walk(tree, dict.fromkeys(flags.includes), given, frozenset(name.encode() for name in (*true, *own)))
    walk.macros_only, walk.past_code = macros_only, past_code
    with suppress(_End, RecursionError):
        walk.file(path)
    return walk.leads
