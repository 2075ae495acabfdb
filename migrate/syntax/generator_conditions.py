"""CMake's generator expressions where the case is known: a source of the language HIP, in a build of no kind, on Linux.

Such a source was one of the language CUDA, so that what asks for either holds. The compiler of the host is GNU's, which
CMake takes there if nobody says otherwise.
Source: CMake documentation, "cmake-generator-expressions(7)".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cudamigrate.lazy_re import re

_LANGUAGES = frozenset(("CUDA", "HIP"))
_COMPILERS = frozenset(("NVIDIA", "Clang"))
"""How nvcc is called, and what compiles for HIP."""
_NOWHERE = ("DEVICE_LINK", "HOST_LINK", "INSTALL_INTERFACE")
"""Expressions whose text no source gets that the project compiles."""
_HERE = ("BUILD_INTERFACE", "BUILD_LOCAL_INTERFACE")
"""Expressions whose text each source gets that the project compiles."""
_BRACKET = re.compile(r"\$<|>")
_VARIABLE = re.compile(r"\$\{([\w.+-]+)\}")
_CASE = re.compile(r"\$<(?:UPPER|LOWER)_CASE:(.*)>")
_FALSE = ("", "0", "OFF", "NO", "FALSE", "N", "IGNORE", "NOTFOUND")


def given(text: str, conditions: Mapping[str, str]) -> str:
    """A text with what its expressions give in place of them; what may be given is there as well.

    `conditions` are the values of variables that may be conditions: `$<${is_cuda}:-O3>`.
    """
    made, at = list[str](), 0
    while (start := text.find("$<", at)) >= 0:
        end = _end(text, start)
        made += [text[at:start], _gives(text[start + 2 : end - 1], conditions)]
        at = end
    return "".join((*made, text[at:]))


def sure(word: str, conditions: Mapping[str, str]) -> str | None:
    """What a word that is one expression gives in any case; None for another word."""
    if not word.startswith("$<") or _end(word, 0) != len(word):
        return None
    return _gives(word[2:-1], conditions, certain=True)


def _surely(text: str, conditions: Mapping[str, str]) -> str:
    """The words of a text with what those that are expressions give; any other that has one is left out."""
    made = list[str]()
    for word in _words(text):
        known = sure(word, conditions)
        made.append(known if known is not None else "" if "$<" in word else word)
    return " ".join(filter(None, made))


def _gives(inside: str, conditions: Mapping[str, str], certain: bool = False) -> str:
    """What one expression gives, of the text between its brackets; with `certain` nothing that it may not give."""
    head, *rest = _split(inside, ":", 1)
    if not rest or head in _NOWHERE:
        return ""
    gives, unknown = (_surely, ()) if certain else (given, (None,))
    if head == "IF":
        condition, *sides = _split(rest[0], ",", 2)
        known = holds(condition, conditions)
        return " ".join(gives(one, conditions) for at, one in enumerate(sides) if known in (at == 0, *unknown))
    if head in _HERE:
        return gives(rest[0], conditions)
    return gives(rest[0], conditions) if holds(head, conditions) in (True, *unknown) else ""


def holds(condition: str, conditions: Mapping[str, str]) -> bool | None:
    """Whether a condition is true; None where that is not known."""
    text = condition.strip()
    variable = _VARIABLE.fullmatch(text)
    if variable is not None:
        value = conditions.get(variable[1], "")
        return None if _VARIABLE.search(value) else holds(value, conditions)
    if text in ("0", "1"):
        return text == "1"
    if not text.startswith("$<") or _end(text, 0) != len(text):
        return None
    name, *rest = _split(text[2:-1], ":", 1)
    return _asked(name, rest[0], conditions) if rest else None


def _asked(name: str, text: str, conditions: Mapping[str, str]) -> bool | None:
    """The answer of the expression `name` for what it asks."""
    if name in ("NOT", "AND", "OR"):
        return _joined(name, [holds(one, conditions) for one in _split(text, ",")])
    if name == "BOOL":
        return None if "$" in text else not (text.upper() in _FALSE or text.upper().endswith("-NOTFOUND"))
    if name in ("STREQUAL", "IN_LIST"):
        return _is_equal(_split(text, ","))
    return None if "$" in text else _is_one_of(name, text.split(","))


def _joined(name: str, known: Sequence[bool | None]) -> bool | None:
    """Several answers as one."""
    if name == "NOT":
        return None if known[0] is None else not known[0]
    deciding = name == "OR"
    if deciding in known:
        return deciding
    return None if None in known else not deciding


def _is_equal(texts: Sequence[str]) -> bool | None:
    """Whether the kind of build, or the language, is a text or one of a list."""
    asked = next((one for one in map(_uncased, texts) if one in ("$<CONFIG>", "$<COMPILE_LANGUAGE>")), None)
    others = [one for one in texts if _uncased(one) != asked]
    if asked is None or len(others) != 1 or "$" in others[0]:
        return None
    return _is_one_of(asked[2:-1], others[0].split(";"))


def _uncased(text: str) -> str:
    cased = _CASE.fullmatch(text)
    return cased[1] if cased is not None else text


def _is_one_of(name: str, words: Sequence[str]) -> bool | None:
    """Whether what an expression asks for is one of some words; a language may have those of its compiler behind it."""
    if name == "CONFIG":
        return "" in words
    if name == "COMPILE_LANGUAGE":
        return not _LANGUAGES.isdisjoint(words)
    if name == "COMPILE_LANG_AND_ID":
        return words[0] in _LANGUAGES
    if name in ("LINK_LANGUAGE", "LINK_LANG_AND_ID"):
        return False
    if name == "PLATFORM_ID":
        return "Linux" in words
    if name in ("C_COMPILER_ID", "CXX_COMPILER_ID"):
        return "GNU" in words
    return not _COMPILERS.isdisjoint(words) if name in ("CUDA_COMPILER_ID", "HIP_COMPILER_ID") else None


def _end(text: str, start: int) -> int:
    """Just after the bracket that closes the expression at `start`; the end of the text where none does."""
    depth = 0
    for match in _BRACKET.finditer(text, start):
        depth += 1 if match[0] == "$<" else -1
        if not depth:
            return match.end()
    return len(text) + 1


def _split(text: str, sign: str, most: int = -1) -> list[str]:
    """The parts of a text between signs that are in no expression; no more than `most` signs part it."""
    parts = list[str]()
    at = begun = 0
    while at < len(text) and most != len(parts):
        if text.startswith("$<", at):
            at = min(_end(text, at), len(text))
        elif text[at] == sign:
            parts.append(text[begun:at])
            at = begun = at + 1
        else:
            at += 1
    return [*parts, text[begun:]]


def _words(text: str) -> list[str]:
    """The words of a text, with blanks or semicolons between them that are in no expression."""
    return [word for part in _split(text, ";") for line in _split(part, "\n") for word in _split(line, " ")]
