"""What a branch of a conditional does: nothing, stops or complains, or only what no result depends on.

Which branch a test for a GPU or a release selects matters as far as the branches do something: a message in the place
of a product of matrices is no slower way, and a bound for registers changes no result.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from cudamigrate.cuda.lexer import COMMENT, Directive, Lexed
from cudamigrate.cuda.words import ASM
from cudamigrate.lazy_re import re
from cudamigrate.model import Span

_NO_CODE = frozenset(("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif", "error", "warning"))
"""Directives that are no code: conditions, and what the compiler says."""
_PRAGMA_OF_CODE = re.compile(rb"\s*(?:omp|acc|pack|push_macro|pop_macro|weak|once)\b")
"""Pragmas that the meaning of code depends on; others are messages, loops to unroll and warnings."""
_STOP = re.compile(
    rb"\w*(?:ASSERT|assert|[tT]rap|TRAP|abort|ABORT|UNREACHABLE|unreachable|NOT_SUPPORTED|NotSupported|not_supported"
    rb"|NOT_IMPLEMENTED|INVALID_CONTROL|brkpt)\w*|printf"
)
"""The names of functions that stop or complain: `assert`, `__trap`, `CUDA_KERNEL_ASSERT`."""
_BEFORE_VALUES = ([b"="], [b","], [b"("], [b"return"], [b"]"])
"""What is before the brace of values, `a[2] = {1, 2}`, and not before that of a block."""
_TRAP = re.compile(rb'"(?:trap|brkpt|exit);"')
_HINT = re.compile(rb"(?:\.L[12]::\w*(?:::\w*)*)*")
"""A text for PTX of hints to caches alone: `.L2::128B`, `.L1::no_allocate`. Source: PTX ISA, "ld"."""
_STRING = re.compile(rb'"([^"\\]*)"')
_DEFINED = re.compile(rb"([A-Za-z_]\w*)(?:\(([^()]*)\))?\s*(.*)", re.DOTALL)
"""The name, the parameters and the body of a macro."""
_BOUNDS = b"__launch_bounds__"
_DEPENDENT = re.compile(
    rb"(?:::)?cuda(?:GridDependencySynchronize|TriggerProgrammaticLaunchCompletion)\(\);"
    rb'|asm(?:volatile)?\("griddepcontrol\.\w+;?(?:\\n)?"(?:::+"memory")?\);|__builtin_assume\([^;]*\);'
    rb"|if(?:constexpr)?\(\w+\)|[{}]"
)
"""Waits for the kernel before (`griddepcontrol.wait`), or hints to the compiler (`__builtin_assume(n>0);`), perhaps in
`if(x)` or braces, in text without blanks."""
_ZERO = rb"(?:0+(?:\.0*)?[fFuUlL]*|false|nullptr|NULL|[\w:<>]+\s*[({]\s*(?:0(?:\.0?)?f?)?\s*[)}]|\{\s*\})"
"""A value that says nothing: `0`, `0.f`, `false`, `T(0)`, `{}`."""
_RETURNS_ZERO = re.compile(
    rb"\A[\s{]*(?:(?:\w*(?:ASSERT|assert)\w*|(?:std::)?printf)\s*\([^;{}]*\)\s*;\s*)?return\s+%s\s*;[\s}]*\Z" % _ZERO
)
_IS_ZERO = re.compile(rb"\s*%s\s*" % _ZERO)
_GIVEN = re.compile(rb"\breturn\b([^;]*);")
"""What a branch returns."""
_SIZE = re.compile(rb"return ([1-9]\d*|[A-Z][A-Z0-9_]+|0|true|false) ;")
_SIZES = re.compile(rb"(?:%s ?)+" % _SIZE.pattern.replace(b"(", b"(?:"))
"""Statements that return a number or a constant, their tokens parted by blanks: `return 64 ;`."""
_LARGEST = 4000
"""Bytes of a branch that may do nothing but stop."""


def directives(lexed: Lexed, branch: Span) -> Sequence[Directive]:
    """The directives in a branch."""
    first, behind = (bisect_left(lexed.directives, at, key=_start) for at in (branch.start, branch.end))
    return lexed.directives[first:behind]


def code(lexed: Lexed, branch: Span) -> Iterator[bytes]:
    """The tokens of a branch that are in no directive."""
    for token in lexed.tokens(branch.start, branch.end):
        if lexed.directive_at(token.start) is None:
            yield lexed.text(token)


def has_code(lexed: Lexed, branch: Span) -> bool:
    """Whether a branch has any code, a macro's definition or an include, or a pragma that is code."""
    return next(code(lexed, branch), None) is not None or any(
        one.name not in _NO_CODE and not _is_hint(lexed, one) for one in directives(lexed, branch)
    )


def is_blank(lexed: Lexed, branch: Span) -> bool:
    """Whether a branch has nothing at all, comments left out."""
    return next(lexed.tokens(branch.start, branch.end), None) is None


def does_nothing(lexed: Lexed, branch: Span | None) -> bool:
    """Whether a branch has no code, or all its statements stop or complain: `assert(0);`, `printf("old"); return;`."""
    if branch is None or not has_code(lexed, branch):
        return True
    if branch.end - branch.start > _LARGEST:
        return False
    plain = all(one.name in _NO_CODE or _is_hint(lexed, one) for one in directives(lexed, branch))
    return plain and all(map(_stops, statements(code(lexed, branch))))


def does_something(lexed: Lexed, branch: Span) -> bool:
    """Whether there are statements or functions, and not just types, checks or the end of a block."""
    return any(lexed.text(token) in (b"=", b"(", b"return") for token in lexed.tokens(branch.start, branch.end))


def gives_zero(lexed: Lexed, branch: Span, other: Span) -> bool:
    """Whether a branch returns what it calculates, and all that another does is return a zero."""
    if other.end - other.start > _LARGEST:
        return False
    zero = _RETURNS_ZERO.match(COMMENT.sub(b" ", lexed.data[other.start : other.end]))
    given = _GIVEN.findall(COMMENT.sub(b" ", lexed.data[branch.start : branch.end])) if zero is not None else []
    return any(b"(" in one and _IS_ZERO.fullmatch(one) is None for one in given)


def returned_sizes(lexed: Lexed, branch: Span) -> frozenset[bytes]:
    """The constants that are all that a branch returns; empty where it does anything else, or says yes or no.

    They are sizes that other code may know too, as the host's that launches the kernel.
    """
    if branch.end - branch.start > _LARGEST:
        return frozenset()
    inside = (one for one in lexed.tokens(branch.start, branch.end) if lexed.directive_at(one.start) is None)
    text = b" ".join(map(lexed.text, inside))
    found = frozenset(_SIZE.findall(text)) if _SIZES.fullmatch(text) is not None else frozenset()
    return found if found.isdisjoint((b"0", b"1", b"true", b"false")) else frozenset()


def is_zero(words: Sequence[bytes]) -> bool:
    """Whether the tokens of a value are those of a zero."""
    return _IS_ZERO.fullmatch(b"".join(words)) is not None


def changes_no_result(lexed: Lexed, branch: Span, other: Span | None) -> bool:
    """Whether no result depends on which of two branches is compiled.

    Both have nothing but bounds of registers, hints to the compiler or to caches, and what the compiler says; `other`
    is None where there is one branch.
    """
    both = [one for one in (branch, other) if one is not None]
    if any(one.end - one.start > _LARGEST or not _is_plain(lexed, one) for one in both):
        return False
    named = [_texts(lexed, one) for one in both]
    if None in named:
        return False
    names = [frozenset(one or ()) for one in named]
    return len(names) == 2 and names[0] == names[1] if any(names) else True


def only_includes(lexed: Lexed, branch: Span) -> bool:
    """Whether a branch includes headers and does nothing else."""
    names = {one.name for one in directives(lexed, branch)}
    return "include" in names and names <= {"include", *_NO_CODE} and next(code(lexed, branch), None) is None


def statements(tokens: Iterator[bytes]) -> Iterator[list[bytes]]:
    """Tokens by statements, braces and empty ones left out; what is in brackets, or in braces of values, is of one."""
    statement, depth, braces = list[bytes](), 0, list[bool]()
    for word in tokens:
        depth += (word in (b"(", b"[")) - (word in (b")", b"]"))
        if word == b"{":
            braces.append(statement[-1:] in _BEFORE_VALUES or any(braces))
        is_value = any(braces)
        if word == b"}" and braces:
            braces.pop()
        if depth <= 0 and not is_value and word in (b";", b"{", b"}"):
            if statement:
                yield statement
            statement = []
        else:
            statement.append(word)
    if statement:
        yield statement


def closing(words: Sequence[bytes], opening: int) -> int:
    """The place of the bracket that closes the one at `opening`; the last place where none does."""
    depth = 0
    for at in range(opening, len(words)):
        depth += (words[at] in (b"(", b"[")) - (words[at] in (b")", b"]"))
        if depth == 0:
            return at
    return len(words) - 1


def _start(directive: Directive) -> int:
    return directive.start


def _is_hint(lexed: Lexed, directive: Directive) -> bool:
    """Whether a directive is a pragma that no result depends on."""
    return directive.name == "pragma" and _PRAGMA_OF_CODE.match(directive.argument(lexed.data)) is None


def _stops(statement: list[bytes]) -> bool:
    """Whether a statement, perhaps behind a condition, stops, complains, returns nothing or names a value."""
    if statement[:2] == [b"if", b"("]:
        statement = statement[closing(statement, 1) + 1 :]
    name = [word for word in statement[:3] if word not in (b"std", b"::", b"volatile")][:1]
    if not name or name == [b"return"]:
        return len(statement) == 1
    if statement[:3] == [b"(", b"void", b")"]:
        return len(statement) == 4
    if name[0] in ASM:
        return _TRAP.search(b"".join(statement)) is not None
    opening = statement.index(b"(") if b"(" in statement else -1
    is_call = opening >= 0 and closing(statement, opening) == len(statement) - 1
    return name == [b"throw"] or (is_call and _STOP.fullmatch(name[0]) is not None)


def _is_plain(lexed: Lexed, branch: Span) -> bool:
    """Whether the code and the directives of a branch, definitions apart, change no result."""
    if not all(one.name in (*_NO_CODE, "define") or _is_hint(lexed, one) for one in directives(lexed, branch)):
        return False
    return _DEPENDENT.sub(b"", b"".join(_without_bounds(list(code(lexed, branch))))) == b""


def _without_bounds(words: list[bytes]) -> list[bytes]:
    """Tokens without bounds for the registers of a kernel: `__launch_bounds__(256, 2)`."""
    while _BOUNDS in words:
        at = words.index(_BOUNDS)
        if words[at + 1 : at + 2] != [b"("]:
            break
        del words[at : closing(words, at + 1) + 1]
    return words


def _texts(lexed: Lexed, branch: Span) -> list[bytes] | None:
    """The macros that a branch defines, as nothing, bounds or hints for caches; None where one is anything else."""
    found = []
    for one in directives(lexed, branch):
        match = _DEFINED.fullmatch(one.argument(lexed.data)) if one.name == "define" else None
        if match is not None:
            found.append(match[1])
        if one.name == "define" and (match is None or not _is_harmless(match[2] or b"", match[3])):
            return None
    return found


def _is_harmless(parameters: bytes, body: bytes) -> bool:
    """Whether the body of a macro is empty, bounds for registers, or pieces of a text that are hints for caches."""
    names = rb"|".join(re.escape(one.strip()) for one in parameters.split(b",") if one.strip())
    text = re.sub(rb"#\s*(?:%s)(?!\w)" % names, b'"1"', body) if names else body
    if body.startswith(_BOUNDS):
        return body.endswith(b")") and body.count(b"(") == body.count(b")")
    pieces = _STRING.findall(text)
    return not _STRING.sub(b"", text).strip() and _HINT.fullmatch(b"".join(pieces)) is not None
