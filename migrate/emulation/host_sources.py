"""CUDA and HIP source text -> C++ for the host compiler, line by line the same.

Four things of the languages are no C++: launches by `<<<>>>`, dynamic shared memory, kernels passed by the address of
nothing, and `__noinline__`, which as a macro would break the host's own headers. They become calls of the emulation.
Variables of a program's own that are called `blockDim` and the like get another name, since those are macros here.
Everything else is left to its headers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cudamigrate.cuda import lexer
from cudamigrate.emulation import own_indices
from cudamigrate.lazy_re import re

_NAMESPACE = b"::cudamigrate_emulation::"
_JOINS = (b"::", b".", b"->", b"##")
_BODY_FOLLOWS = (b")", b"const", b"noexcept", b"override", b"else", b"do", b"try")
_REGISTER = re.compile(
    rb"""asm\s*(?:volatile|__volatile__)?\s*\(\s*"\s*mov\.[usb](?:32|64)\s+%0\s*,\s*%%?(?P<name>laneid|lanemask_\w\w|warpid)\s*;?\s*"
    \s*:\s*"=[rl]"\s*\((?P<to>[^()]+)\)\s*(?::\s*)*\)""",
    re.VERBOSE,
)
"""The reading of a register that tells where a thread is: the only assembly that is emulated."""
_BY_ADDRESS = frozenset(
    prefix + name for prefix in (b"cuda", b"hip") for name in (b"LaunchKernel", b"LaunchCooperativeKernel")
)


@dataclass(frozen=True, slots=True)
class _Change:
    start: int
    end: int
    text: bytes


def for_host(data: bytes, path: str) -> bytes:
    """The text as the host compiler reads it; `path` is what messages and debug information call it."""
    lexed = lexer.lex(data)
    data = own_indices.renamed(lexed)
    lexed = lexer.lex(data)
    by_value = b"BeginCapture" in data
    changes = sorted(
        [
            *_launches(lexed, by_value),
            *_dynamic_shared(lexed),
            *_aligned_shared(lexed),
            *_by_address(lexed),
            *_registers(lexed),
            *_not_inlined(lexed),
            *_addresses(lexed),
        ],
        key=lambda one: one.start,
    )
    first = b'#line 1 "%s"\n' % path.encode().replace(b"\\", b"/").replace(b'"', b"")
    return first + b"".join(_applied(data, changes))


def _applied(data: bytes, changes: Sequence[_Change]) -> Iterator[bytes]:
    """The parts of the text after changes that are in order."""
    at = 0
    for change in changes:
        if change.start < at:  # a launch inside another one's arguments: the compiler will refuse it
            continue
        yield data[at : change.start]
        yield _same_lines(data[change.start : change.end], change.text)
        at = change.end
    yield data[at:]


def _same_lines(before: bytes, after: bytes) -> bytes:
    """`after` with as many line ends as `before`, continued ones where `before` has them."""
    missing = before.count(b"\n") - after.count(b"\n")
    return after + (b"\\\n" if b"\\\n" in before else b"\n") * max(0, missing)


def _launches(lexed: lexer.Lexed, by_value: bool) -> Iterator[_Change]:
    at = lexed.data.find(b"<<<")
    while at >= 0:
        change = _launch(lexed, at, by_value) if lexed.is_code(at) else None
        if change is not None:
            yield change
        at = lexed.data.find(b"<<<", change.end if change is not None else at + 3)


def _launch(lexed: lexer.Lexed, at: int, by_value: bool) -> _Change | None:
    """The launch whose `<<<` is at an offset, None where it cannot be read."""
    data = lexed.data
    start, close = _kernel_start(lexed, at), closing(lexed, at + 3)
    opening = lexed.token(close + 3) if close >= 0 else None
    if start < 0 or opening is None or lexed.text(opening) != b"(":
        return None
    end = lexed.closing(opening.start)
    if end < 0:
        return None
    kernel = data[start:at].strip()
    how = [data[first:last] for first, last in lexed.arguments(at + 2, close)]
    given = [data[first:last] for first, last in lexed.arguments(opening.start, end)]
    return _Change(start, end + 1, _call(kernel, how, given, by_value)) if len(how) >= 2 else None


def _call(kernel: bytes, how: list[bytes], given: list[bytes], by_value: bool) -> bytes:
    """The call that launches: arguments that call something are computed once, others by each thread.

    `by_value` computes all of them, so that the launch can be done later, when a graph that captured it runs.
    """
    computed = [argument for argument in given if (_is_computed(argument) if by_value else _calls(argument))]
    names = [b"argument%d_" % number for number in range(len(computed))]
    waiting = iter(names)  # two arguments may read alike and be called each by itself: `k<<<1, 1>>>(next(), next())`
    placed = [next(waiting) if (_is_computed(one) if by_value else _calls(one)) else one for one in given]
    passed = b", ".join(placed)
    seen = b", ".join(name for name, argument in zip(placed, given, strict=True) if _has_type(argument))
    name = b" ".join(kernel.split(b"<")[0].split()).replace(b'"', b"").replace(b"\\", b"")
    parameters = b"".join(b", auto &" + name for name in names)
    values = b"".join(b", " + b" ".join(argument.replace(b"\\\n", b" ").split()) for argument in computed)
    body = b"{ if (look_) %ssee(%s); else %s(%s); }" % (_NAMESPACE, seen, kernel, passed)
    launch = b'%s%s("%s", %sLaunch(%s), [%s](bool look_%s) %s%s)'
    way, kept = (b"launch_by_value", b"=") if by_value else (b"launch_with", b"&")
    return launch % (_NAMESPACE, way, name, _NAMESPACE, b", ".join(how[:4]), kept, parameters, body, values)


def _calls(argument: bytes) -> bool:
    """Whether an argument calls something or changes a variable, which may be done once only."""
    lexed = lexer.lex(argument)
    before = b""
    for token in lexed.tokens(0, len(argument)):
        text = lexed.text(token)
        if text == b"(" and (before[:1].isalpha() or before[:1] == b"_") and before not in (b"sizeof", b"alignof"):
            return True
        if text == b"=" or (text in (b"+", b"-") and before == text):
            return True
        before = text
    return False


def _is_computed(argument: bytes) -> bool:
    """Whether an argument is more than a constant that is written out."""
    lexed = lexer.lex(argument)
    words = {lexed.text(token) for token in lexed.tokens(0, len(argument)) if token.kind == lexer.WORD}
    return argument[:1] != b"{" and bool(words - {b"NULL", b"nullptr", b"true", b"false"})


def _has_type(argument: bytes) -> bool:
    return argument[:1] not in (b"{", b'"') and not argument[:1].isdigit() and argument not in (b"NULL", b"nullptr")


def _kernel_start(lexed: lexer.Lexed, at: int) -> int:
    """Where the expression begins that names the kernel before `at`; -1 where there is none."""
    start = at
    while True:
        token = lexed.before(start)
        if token is None:
            return -1
        while token is not None and lexed.text(token) == b"]":  # an element of an array of kernels
            opened = _opening(lexed, token.start, b"[", b"]")
            token = lexed.before(opened) if opened >= 0 else None
        if token is not None and lexed.text(token) == b">":
            opened = angle_opening(lexed, token.start)
            token = lexed.before(opened) if opened >= 0 else None
        elif token is not None and lexed.text(token) == b")":
            opened = _round_opening(lexed, token.start)
            named = lexed.before(opened) if opened >= 0 else None
            is_call = named is not None and named.kind == lexer.WORD
            token = named if is_call else lexer.Token(lexer.WORD, opened, opened + 1) if opened >= 0 else None
        if token is None or token.kind != lexer.WORD:
            return -1
        start = token.start
        join = lexed.before(start)
        if join is None or lexed.text(join) not in _JOINS:
            return start
        left = lexed.before(join.start)
        if left is None or (left.kind != lexer.WORD and lexed.text(left) not in (b">", b")")):
            return join.start  # a leading `::`
        start = join.start


def _round_opening(lexed: lexer.Lexed, at: int) -> int:
    return _opening(lexed, at, b"(", b")")


def angle_opening(lexed: lexer.Lexed, at: int) -> int:
    """Offset of the `<` that the `>` at an offset closes, or -1."""
    return _opening(lexed, at, b"<", b">")


def _opening(lexed: lexer.Lexed, at: int, opens: bytes, closes: bytes) -> int:
    """Offset of the bracket that the one at `at` closes, or -1 at the end of a statement."""
    depth, place = 1, at
    while depth > 0:
        token = lexed.before(place)
        if token is None or lexed.text(token) in (b";", b"{", b"}"):
            return -1
        text, place = lexed.text(token), token.start
        depth += (text == closes) - (text == opens)
        if text == b"<<" and opens == b"<":
            return -1
    return place


def closing(lexed: lexer.Lexed, at: int) -> int:
    """Offset of the `>>>` that ends a launch's configuration, or -1."""
    token = lexed.token(at)
    while token is not None:
        text, following = lexed.text(token), token.end
        if text == b";":
            return -1
        if text in (b"(", b"[", b"{"):
            following = lexed.closing(token.start) + 1
            if following <= 0:
                return -1
        if (
            lexed.data[token.start : token.start + 3] == b">>>"
            and lexed.data[token.start + 3 : token.start + 4] != b">"
        ):
            return token.start
        token = lexed.token(following)
    return -1


def _dynamic_shared(lexed: lexer.Lexed) -> Iterator[_Change]:
    """Declarations of dynamic shared memory become pointers to it, or outside of functions a macro of that name."""
    places = lexed.words(frozenset({b"__shared__"}))
    if not places or not lexed.words(frozenset({b"extern"})):
        return
    inside = _function_bodies(lexed)
    for place in places:
        first = _statement(lexed, place)
        words = [lexed.text(token) for token in lexed.tokens(first, place)]
        end = lexed.data.find(b";", place)
        if end < 0 or not (b"extern" in words or b"extern" in lexed.data[place : place + 24].split()[1:2]):
            continue
        declared = _declared(lexed, first, end)
        if declared is None:
            continue
        kind, name = declared
        value = b"reinterpret_cast<%s *>(%sdynamic_shared())" % (kind, _NAMESPACE)
        if any(begin < place < close for begin, close in inside):
            yield _Change(first, end + 1, b"%s *%s = %s;" % (kind, name, value))
        elif not lexed.data[lexed.data.rfind(b"\n", 0, first) + 1 : first].strip():
            yield _Change(first, end + 1, b"#define %s (%s)" % (name, value))


def _statement(lexed: lexer.Lexed, place: int) -> int:
    """Where the statement begins that holds `place`."""
    start = place
    while (token := lexed.before(start)) is not None and lexed.text(token) not in (b";", b"{", b"}", b"\n"):
        if lexed.directive_at(token.start) is not None or (token.kind != lexer.WORD and lexed.text(token) != b")"):
            break
        start = token.start
    return start


def _aligned_shared(lexed: lexer.Lexed) -> Iterator[_Change]:
    """`__shared__ alignas(16) T s`: the alignment goes first, since C++ has it nowhere among the specifiers."""
    for place in lexed.words(frozenset({b"alignas"})):
        word, opening = lexed.before(place), lexed.after(lexed.token(place))
        if word is None or opening is None or lexed.text(word) != b"__shared__" or lexed.text(opening) != b"(":
            continue
        first, close = _statement(lexed, word.start), lexed.closing(opening.start)
        if close >= 0:
            ahead = b" ".join(lexed.text(token) for token in lexed.tokens(first, place))
            yield _Change(first, close + 1, lexed.data[place : close + 1] + b" " + ahead)


def _declared(lexed: lexer.Lexed, first: int, end: int) -> tuple[bytes, bytes] | None:
    """Type and name of `extern __shared__ T name[]`."""
    words: list[bytes] = []
    token = lexed.token(first)
    while token is not None and token.start < end:
        text = lexed.text(token)
        following = token.end
        if text in (b"__align__", b"alignas", b"__attribute__"):
            opening = lexed.token(token.end)
            following = lexed.closing(opening.start) + 1 if opening is not None else token.end
        elif text == b"[":
            break
        elif text not in (b"extern", b"__shared__", b"static"):
            words.append(text)
        token = lexed.token(following)
    return (b" ".join(words[:-1]), words[-1]) if len(words) >= 2 else None


def _function_bodies(lexed: lexer.Lexed) -> list[tuple[int, int]]:
    """The outermost braces that hold statements."""
    found, at = [], 0
    token, before = lexed.token(0), b""
    while token is not None:
        text, at = lexed.text(token), token.end
        if text == b"{" and before in _BODY_FOLLOWS:
            close = lexed.closing(token.start)
            found.append((token.start, close if close >= 0 else len(lexed.data)))
            at = found[-1][1] + 1
        token, before = lexed.token(at), text
    return found


def _by_address(lexed: lexer.Lexed) -> Iterator[_Change]:
    """A kernel that is passed as `(void *)kernel` keeps its type."""
    for place in lexed.words(_BY_ADDRESS):
        opening = lexed.after(lexed.token(place))
        cast = lexed.after(opening)
        if opening is None or cast is None or lexed.text(opening) != b"(" or lexed.text(cast) != b"(":
            continue
        close = lexed.closing(cast.start)
        if close >= 0 and b"void" in lexed.data[cast.start : close].split(b"*")[0].replace(b"(", b" ").split():
            yield _Change(cast.start, close + 1, b"")


def _registers(lexed: lexer.Lexed) -> Iterator[_Change]:
    """A register of PTX that tells the lane becomes a call."""
    for match in lexed.matches(_REGISTER, b"asm"):
        text = b"(%s = %sregister_%s())" % (match["to"].strip(), _NAMESPACE, match["name"])
        yield _Change(match.start(), match.end(), text)


def _not_inlined(lexed: lexer.Lexed) -> Iterator[_Change]:
    """`__noinline__` becomes an attribute, where it does not stand in one already."""
    for place in lexed.words(frozenset({b"__noinline__"})):
        if lexed.text(lexed.before(place)) != b"(":
            yield _Change(place, place + len(b"__noinline__"), b"__attribute__((noinline))")


def _addresses(lexed: lexer.Lexed) -> Iterator[_Change]:
    """`(const void *)kernel`, for a kernel that is known as one: the emulation remembers how it is launched."""
    for place in lexed.words(frozenset({*_kernels(lexed), *_node_kernels(lexed)})):
        before = lexed.before(place)
        if before is not None and lexed.text(before) == b"&":
            before = lexed.before(before.start)
        opened = _round_opening(lexed, before.start) if before is not None and lexed.text(before) == b")" else -1
        if before is None or opened < 0 or lexed.data[opened : before.end].replace(b" ", b"") not in _UNTYPED:
            continue
        end = _name_end(lexed, place)
        if end > place:
            yield _Change(opened, end, b"%skernel_address(%s)" % (_NAMESPACE, lexed.data[place:end]))


def _node_kernels(lexed: lexer.Lexed) -> Iterator[bytes]:
    """The kernels of a graph's nodes, which another file may declare: `node.func = (void *)kernel`."""
    for place in lexed.words(frozenset({b"func"})):
        equals = lexed.after(lexed.token(place))
        cast = lexed.after(equals)
        if cast is None or lexed.text(equals) != b"=" or lexed.text(cast) != b"(":
            continue
        name = lexed.token(lexed.closing(cast.start) + 1)
        name = lexed.after(name) if lexed.text(name) == b"&" else name
        if name is not None and name.kind == lexer.WORD:
            yield lexed.text(name)


def _name_end(lexed: lexer.Lexed, place: int) -> int:
    """Where a name with its template arguments ends; 0 where those are not closed."""
    name = lexed.token(place)
    following = lexed.after(name)
    if following is not None and lexed.text(following) == b"<":
        return lexed.angle_closing(following.start, len(lexed.data)) + 1
    return name.end if name is not None else 0


_UNTYPED = (b"(void*)", b"(constvoid*)", b"(voidconst*)")


def _kernels(lexed: lexer.Lexed) -> Iterator[bytes]:
    """The kernels that a file declares: the name before the first round bracket that is no attribute's."""
    for place in lexed.words(frozenset({b"__global__"})):
        token, name = lexed.after(lexed.token(place)), b""
        while token is not None and lexed.text(token) not in (b";", b"{", b"}"):
            if lexed.text(token) == b"(":
                close = lexed.closing(token.start)
                if not name.startswith(b"__") or close < 0:
                    yield name
                    break
                token = lexed.token(close + 1)
                continue
            name, token = lexed.text(token), lexed.after(token)
