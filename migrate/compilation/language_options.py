"""Options as command lines spell them -> as clang takes them; and those by which code compiles that else does not.

nvcc has long names of its own for options that every compiler has, and passes others on to the host's compiler. Source:
NVIDIA CUDA Compiler Driver, sections 4.2 and 4.3; clang's `Options.td`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re

_LONG = {
    "--define-macro": "-D",
    "--undefine-macro": "-U",
    "--include-path": "-I",
    "--system-include": "-isystem",
    "--ftemplate-depth": "-ftemplate-depth=",
    "-ftemplate-depth": "-ftemplate-depth=",
}
"""What the long names of nvcc's stand for, whose argument follows as a word of its own or behind `=`."""
_JOINED = ("-isystem=", "-I=", "--include=", "--pre-include=", "-pre-include=")
"""How options begin whose argument nvcc takes behind `=`, and clang as a word of its own."""
_PASSING = ("-Xcompiler", "--compiler-options")
"""Options of nvcc's that pass what follows on to the host's compiler, which HIP gets as its own."""
_QUOTES = ("'", '"')
_WORD = re.compile(r"(?:[^,\"']|\"[^\"]*\"|'[^']*')+")
"""One of several options that are passed on, with commas between them."""
_LIMIT = re.compile(r"-f(?:template-depth|constexpr-depth|constexpr-steps|bracket-depth)=(\d{1,9})")
_OLD_LIMIT = re.compile(r"-ftemplate-depth-(\d{1,9})")
"""The spelling of GCC 4's, which clang still takes."""
_PARTS = re.compile(r"[;\s<>]|:(?=-)")
"""What parts the options of an expression of CMake's from what is around them: `$<$<COMPILE_LANGUAGE:CUDA>:-a;-b>`."""
MICROSOFT = "-fms-extensions"
"""The option by which clang takes Microsoft's additions to C++, as it does for Windows without: `__int64`."""
_ALLOWING = frozenset(
    (
        MICROSOFT,
        "-fdelayed-template-parsing",
        "-fchar8_t",
        "-fno-char8_t",
        "-fno-operator-names",
        "-fgpu-allow-device-init",
        "-fgpu-defer-diag",
    )
)
"""Options that give code more that compiles. Those that take from it, as `-fno-exceptions` does, are left out: a build
file may give them to sources in C++ alone, and what compiled with them for CUDA compiles without them."""


def plain(words: Sequence[str]) -> Iterator[str]:
    """The words of a command line with what is passed on as options of the compiler, and long names as short ones."""
    at = 0
    while at < len(words):
        word, following = words[at], "".join(words[at + 1 : at + 2])
        name, equals, value = word.partition("=")
        at += 1
        if name in _PASSING and (equals or following.startswith("-")):
            given = value if equals else following
            passed = _WORD.findall(given[1:-1] if given[:1] in _QUOTES and given[:1] == given[-1:] else given)
            yield from passed if equals or len(passed) > 1 else ()
            at += not equals and len(passed) > 1
        elif name in _LONG and (equals or following):
            yield _LONG[name] + (value if equals else following)
            at += not equals
        elif word.startswith(_JOINED) and value:
            yield from (name, value)
        else:
            yield word


def language(word: str) -> Iterator[str]:
    """The options that let more code compile in a word, as clang takes them; those in an expression of CMake's too.

    Whom it gives them to does not matter: they take nothing from any file.
    """
    inside = plain(list(filter(None, _PARTS.split(word)))) if word.startswith("$<") else (word,)
    for one in inside:
        old = _OLD_LIMIT.fullmatch(one)
        if old is not None:
            yield f"-ftemplate-depth={old[1]}"
        elif _LIMIT.fullmatch(one) or one in _ALLOWING:
            yield one


def together(options: Sequence[str]) -> tuple[str, ...]:
    """Options of several build files, of each limit the highest: which one holds for a source is not always known."""
    highest: dict[str, int] = {}
    for one in options:
        name, _, value = one.partition("=")
        highest[name] = max(highest.get(name, 0), int(value or 0))
    return tuple(f"{name}={value}" if value else name for name, value in sorted(highest.items()))
