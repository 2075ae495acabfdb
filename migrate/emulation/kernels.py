"""Kernels by themselves: cut out of their file, driven with random data, for code that has no program around them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from cudamigrate.cuda import lexer
from cudamigrate.emulation import build, host_sources, programs
from cudamigrate.lazy_re import re

SIZES = (1000, 1024, 64, 32)
"""What whole-number arguments are, in the order in which they are tried: the first that the original is fine with."""
_SHARED = 32 << 10
_DEVICE = frozenset({b"__device__", b"__global__"})
_TYPES = {b"typename": b"float", b"class": b"float", b"bool": b"false"}
_CLASSES = frozenset({b"struct", b"class", b"union", b"enum"})
_DECLARES = _CLASSES | {b"=", b"using", b"typedef"}
_DEFINED = re.compile(
    rb"^[ \t]*(?:#[ \t]*define[ \t]+(\w+)|(?:static[ \t]+)?(?:constexpr|const)\b[^;=(]*?(\w+)[ \t]*=)", re.MULTILINE
)
"""The name of a macro or constant: `#define N 8`, `static constexpr int N = 8`. A `(` first would be a function."""
_LIBRARIES = re.compile(r"(?:torch|ATen|c10|pybind11|Python\.h|THC|jax|xla|tensorflow|cutlass)")
"""Headers of libraries that device code cut out of its file is tried without."""
_OF_LIBRARIES = frozenset({b"torch", b"at", b"c10", b"pybind11"})
_NAME_AT_END = re.compile(rb"(\w+)\s*$")


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel: its file, its qualified name, template arguments as text or None where one cannot be known, the block
    it is launched with, and the names of its array parameters.
    """

    path: str
    name: str
    template: str | None = ""
    block: str = "256"
    arrays: tuple[str, ...] = ()


def kernels(tree: programs.Tree, wanted: tuple[str, ...]) -> list[Kernel]:
    """The kernels of a tree that are called so; all for `all`."""
    found = [kernel for path in sorted(tree.sources) for kernel in _in_file(path, tree.sources[path].read_bytes())]
    return [one for one in found if "all" in wanted or one.name in wanted or one.name.split("::")[-1] in wanted]


def named(tree: programs.Tree, name: str, near: str) -> Kernel | None:
    """The kernel of that qualified name: the one in the file `near`, else the first; None where there is none."""
    paths = sorted(tree.sources, key=lambda path: (path != near, path))
    found = (one for path in paths for one in _in_file(path, tree.sources[path].read_bytes()) if one.name == name)
    return next(found, None)


def _in_file(path: str, data: bytes) -> Iterator[Kernel]:
    lexed = lexer.lex(data)
    seen: set[str] = set()
    for place in lexed.words(frozenset({b"__global__"})):
        if lexed.directive_at(place) is not None:
            continue
        opening = _parameters(lexed, place)
        named = lexed.before(opening) if opening >= 0 else None
        close = lexed.closing(opening) if opening >= 0 else -1
        body = lexed.token(close + 1) if close >= 0 else None
        if named is None or lexed.text(body) != b"{":
            continue
        name = lexed.text(named)
        scopes = [scope.decode() for scope in _scopes(lexed, place)]
        whole = "::".join([*scopes, name.decode()])
        if whole in seen:
            continue
        seen.add(whole)
        parameters = [data[start:end] for start, end in lexed.arguments(opening, close)]
        named_last = [_NAME_AT_END.search(text) for text in parameters if b"*" in text]
        arrays = tuple(match[1].decode() for match in named_last if match)
        template = _template(lexed, place, name)
        yield Kernel(path, whole, template, _block(lexed, name), arrays)


def _parameters(lexed: lexer.Lexed, place: int) -> int:
    """Offset of the bracket that opens the parameters of the function declared at `place`, or -1."""
    token = lexed.after(lexed.token(place))
    while token is not None and lexed.text(token) not in (b";", b"{"):
        if lexed.text(token) in (b"__launch_bounds__", b"__attribute__", b"__align__"):
            opening = lexed.after(token)
            close = lexed.closing(opening.start) if opening is not None else -1
            token = lexed.token(close + 1) if close >= 0 else None
            continue
        if lexed.text(token) == b"(":
            return token.start
        token = lexed.after(token)
    return -1


def _scopes(lexed: lexer.Lexed, place: int) -> Iterator[bytes]:
    """Names of the namespaces around an offset, the outermost first; those without a name count for nothing."""
    for start in lexed.words(frozenset({b"namespace"})):
        if start > place:
            return
        words, token = [], lexed.after(lexed.token(start))
        while token is not None and (token.kind == lexer.WORD or lexed.text(token) == b"::"):
            words.append(lexed.text(token))
            token = lexed.after(token)
        if lexed.text(token) == b"{" and token is not None and lexed.closing(token.start) > place and words:
            yield b"".join(words)


def _template(lexed: lexer.Lexed, place: int, name: bytes) -> str | None:
    """Arguments for the kernel's template parameters: as some launch gives them, else usual ones; None if unknown."""
    before = lexed.before(place)
    while before is not None and (
        before.kind == lexer.WORD and lexed.text(before) in (b"static", b"inline", b"extern")
    ):
        before = lexed.before(before.start)
    if lexed.text(before) != b">" or before is None:
        return ""
    opened = host_sources.angle_opening(lexed, before.start)
    if opened < 0 or lexed.text(lexed.before(opened)) != b"template":
        return ""
    for match in re.finditer(rb"\b" + re.escape(name) + rb"\s*<([^<>;(){}]*)>\s*<<<", lexed.data):
        if lexed.is_code(match.start()) and not re.search(rb"\b(?:T|scalar_t|[a-z]\w*_t|[A-Z])\b", match[1]):
            return f"<{match[1].decode()}>"
    given = [_usual(lexed.data[start:end]) for start, end in lexed.arguments(opened, before.start)]
    return None if None in given else f"<{', '.join(word for word in given if word)}>"


def _usual(parameter: bytes) -> str | None:
    """A usual argument for a template parameter: float for a type; None for a number, of which nothing is known."""
    if b"=" in parameter:
        return ""
    words = parameter.split()
    return _TYPES[words[0]].decode() if words and words[0] in _TYPES else None


def _block(lexed: lexer.Lexed, name: bytes) -> str:
    """The block of the kernel's launch, where that is a constant; else 256 threads."""
    known = {name for pair in _DEFINED.findall(lexed.data) for name in pair if name}
    for match in re.finditer(rb"\b" + re.escape(name) + rb"\b[^;{}]*?<<<", lexed.data):
        close = host_sources.closing(lexed, match.end())
        words = lexed.arguments(match.end() - 1, close) if close >= 0 else []
        text = lexed.data[words[1][0] : words[1][1]] if len(words) > 1 else b""
        names = set(re.findall(rb"[A-Za-z_]\w*", text)) - {b"dim3"}
        if text and names <= known:
            return " ".join(text.decode(errors="replace").split())
    return "256"


def program(tree: programs.Tree, kernel: Kernel, wave: int, chosen: build.Compiler) -> Path:
    """Build a program that drives one kernel: of the whole file, else of its device code alone. Raises BuildError."""
    if kernel.template is None:
        raise build.BuildError("cannot be called: what its template is instantiated with is not known")
    stem = f"{kernel.path.replace('/', '_')}.{kernel.name.replace('::', '_')}.{wave}"
    target = tree.copy.parent / f"{tree.copy.name}.bin" / stem
    target.parent.mkdir(exist_ok=True)
    try:
        return _built(tree, tree.copy, kernel, wave, chosen, target)
    except build.BuildError:
        pass
    try:
        return _built(tree, _device_tree(tree), kernel, wave, chosen, target)
    except build.BuildError as error:
        raise build.BuildError(f"cannot be cut out of its file: {error}") from None


def _built(tree: programs.Tree, root: Path, kernel: Kernel, wave: int, chosen: build.Compiler, target: Path) -> Path:
    """Build the driver in a copy of the tree. Raises BuildError."""
    source = root / kernel.path
    driver, made = source.with_name(f"{target.name}.driver.cpp"), target.with_name(f"{target.name}.o")
    driver.write_bytes(source.read_bytes() + _driver(kernel))
    flags = tree.flags(kernel.path)
    includes = tuple(folder.replace(str(tree.copy), str(root), 1) for folder in flags.includes)
    words = programs.options(tree, replace(flags, includes=includes), wave, chosen, driver)
    try:
        build.compile_unit(chosen, [*words, "-Dmain=main_of_the_project"], driver, made)
        build.link(chosen, [str(made)], target)
    finally:
        driver.unlink(missing_ok=True)
    return target


def _device_tree(tree: programs.Tree) -> Path:
    """Another copy of the tree's sources, with device code alone; made once, by whichever process is first."""
    root = tree.copy.with_name(f"{tree.copy.name}.device")
    if root.exists():
        return root
    made = Path(tempfile.mkdtemp(dir=root.parent))
    for path, source in tree.sources.items():
        (made / path).parent.mkdir(parents=True, exist_ok=True)
        (made / path).write_bytes(host_sources.for_host(device_code(source.read_bytes()), path))
    try:
        made.rename(root)
    except OSError:  # another process was quicker
        shutil.rmtree(made, ignore_errors=True)
    return root


def _driver(kernel: Kernel) -> bytes:
    """The main function that calls a kernel, to be at the end of its file."""
    block = kernel.block
    blocks = "dim3(4, 4)" if re.search(r"dim3\s*\([^,()]+,", block) else "4"
    call = f'drive("{kernel.name}", &::{kernel.name}{kernel.template}, {blocks}, {block}, {_SHARED})'
    header = build.CPP / "common" / "kernel_driver.h"
    return f'\n#undef main\n#include "{header}"\nint main() {{ return ::cudamigrate_emulation::{call}; }}\n'.encode()


def device_code(data: bytes) -> bytes:
    """The text with functions of the host and what only they use taken out, line by line the same.

    What stays: directives, but includes of libraries; types, constants and functions for the device.
    """
    lexed = lexer.lex(data)
    kept = bytearray(data)
    for start, end in _host_items(lexed, 0, len(data)):
        kept[start:end] = bytes(byte if byte == 10 else 32 for byte in kept[start:end])
    for directive in lexed.directives:
        found = lexer.include_path(data, directive) if directive.name == "include" else None
        if found is not None and _LIBRARIES.match(found[0]):
            kept[directive.start : directive.end] = b" " * (directive.end - directive.start)
    return bytes(kept)


def _host_items(lexed: lexer.Lexed, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Declarations in a range that are for the host: functions without a word for the device, calls of macros."""
    first, words = -1, list[bytes]()
    token = _code(lexed, lexed.token(start))
    while token is not None and token.start < end:
        text, following = lexed.text(token), _behind(lexed, token)
        first = token.start if first < 0 else first
        if text == b"{" and (b"namespace" in words or words[:1] == [b"extern"]):
            yield from _host_items(lexed, token.end, following - 1)
            first, words = -1, []
        elif text in (b"{", b";"):
            is_function = text == b"{" and b"(" in words and not _CLASSES & set(words)
            is_call = text == b";" and b"(" in words and not _DECLARES & set(words)
            if (is_function or is_call or _OF_LIBRARIES & set(words)) and not _DEVICE & set(words):
                yield first, following
            if is_function or text == b";":
                first, words = -1, []
        else:
            words.append(text)
        token = _code(lexed, lexed.token(following))


def _behind(lexed: lexer.Lexed, token: lexer.Token) -> int:
    """Where a token ends, or the brackets that it opens."""
    if lexed.text(token) not in (b"(", b"[", b"{"):
        return token.end
    return max(lexed.closing(token.start) + 1, token.end)


def _code(lexed: lexer.Lexed, token: lexer.Token | None) -> lexer.Token | None:
    """The token, or the first behind the directive that it is in."""
    while token is not None and (directive := lexed.directive_at(token.start)) is not None:
        token = lexed.token(directive.end)
    return token
