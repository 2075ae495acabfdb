"""`CUDART_VERSION`, `__CUDA_ARCH__` and kin outside of directives: HIP does not define them, and nothing compiles.

The release of nvcc, which a macro may make a text of, is then the name of the macro there.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span

WORDS = (b"CUDART_VERSION", b"CUDA_VERSION", b"__CUDA_ARCH__", b"__CUDACC_VER_")

INSTEAD = True
"""What is found here is not reported by the rule for the name as well."""
_VERSION = re.compile(rb"(?<![\w.:])(?:CUDART_VERSION|CUDA_VERSION)(?!\w)")
"""The macro as a value in code: not a member or another scope's (`a.CUDA_VERSION`), nor a part of a name."""

_ARCH = re.compile(rb"(?<![\w.:])__CUDA_ARCH__(?!\w)")
"""The number of the architecture, by its full name."""
_COMPILER = re.compile(rb"(?<![\w.:])__CUDACC_VER_(?:MAJOR|MINOR|BUILD)__(?!\w)")
"""A part of the release of nvcc, by its full name."""
_COMPARED = re.compile(rb"[ \t)]*(?:[-+*/%][ \t]*\w+[ \t)]*)*(?:[<>](?![<>])=?|[!=]=)")
_COMPARES = re.compile(rb"(?:(?<![<>])[<>]=?|[!=]=)[ \t(]*\Z")
"""A comparison behind a number, perhaps with a calculation between, and one before it: no `<<`."""
_CLOSES = re.compile(rb"[ \t]*>(?:::|[ \t]*[;,){])")
_OPENS, _ENDS = re.compile(rb"\w<[ \t]*\Z"), re.compile(rb"[ \t]*>(?!=)")
"""A bracket of arguments to a template: what is behind it is no operand, or it closes what is opened right before."""
_NEAR = 20
"""Bytes before a number in which a comparison is looked for."""


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each use that the preprocessor does not read as 0, unless the file defines the macro."""
    own = {definition.name for definition in parsed.definitions}
    for match in parsed.lexed.matches(_VERSION, b"CUDART_VERSION", b"CUDA_VERSION"):
        if parsed.lexed.directive_at(match.start()) is None and match[0].decode() not in own:
            yield _hit(parsed, match, "build/version-in-code")
    for match in parsed.lexed.matches(_ARCH, b"__CUDA_ARCH__"):
        if _is_value(parsed, match) and not _is_asked_for(parsed, match):
            given = "__CUDA_ARCH__" in own or _is_given(parsed)
            yield _hit(parsed, match, "build/arch-default" if given else "build/version-in-code")
    for match in parsed.lexed.matches(_COMPILER, b"__CUDACC_VER_"):
        is_code = parsed.lexed.directive_at(match.start()) is None and parsed.hip(match.start()) is None
        if is_code and match[0].decode() not in own and not _is_asked_for(parsed, match):
            yield _hit(parsed, match, "build/compiler-version-in-code")


def _hit(parsed: ParsedFile, match: re.Match[bytes], rule: str) -> Hit:
    use = parsed.named_use(match[0].decode(), Span(*match.span()), "token")
    return Hit(rule, use, {"name": use.name})


def _is_value(parsed: ParsedFile, match: re.Match[bytes]) -> bool:
    """Whether code takes the number, which a macro's does too where it is an argument to a template."""
    directive = parsed.lexed.directive_at(match.start())
    return directive is None or (directive.name == "define" and _is_argument(parsed.data, match))


def _is_argument(data: bytes, match: re.Match[bytes]) -> bool:
    """Whether the number is the last argument to a template, whose bracket is no comparison."""
    start = match.start()
    opened = _OPENS.search(data, max(0, start - _NEAR), start) is not None
    return _CLOSES.match(data, match.end()) is not None or (opened and _ENDS.match(data, match.end()) is not None)


def _is_asked_for(parsed: ParsedFile, match: re.Match[bytes]) -> bool:
    """Whether the number is compared, which is a finding of its own, or a condition around it asks for the macro."""
    data, start = parsed.data, match.start()
    compared = _COMPARED.match(data, match.end()) or _COMPARES.search(data, max(0, start - _NEAR), start)
    if compared and not _is_argument(data, match):
        return True
    asked = _COMPILER if match[0].startswith(b"__CUDACC") else _ARCH
    return any(asked.search(text) for branch in parsed.branches_around(start) for text in branch.conditions)


def _is_given(parsed: ParsedFile) -> bool:
    """Whether the file defines the number itself, where the compiler does not."""
    defined = (one for one in parsed.lexed.directives if one.name == "define")
    return any(_ARCH.match(one.argument(parsed.data).lstrip()) for one in defined)
