"""Sources -> what a PyTorch extension exports, with a signature for each function.

Result: one `Export` for each name that Python can call. Read are `PYBIND11_MODULE`, `TORCH_LIBRARY` in its forms, and
`RegisterOperators`; nothing is executed.
"""

from __future__ import annotations

from collections.abc import Iterator

from cudamigrate.cuda.lexer import STRING, Token
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.numeric.functions import Function, Functions, Source
from cudamigrate.numeric.types import Parameter, Signature, kind, literal, pieces, schema

_MODULES = frozenset((b"PYBIND11_MODULE",))
_LIBRARIES = frozenset(
    stable + form
    for stable in (b"", b"STABLE_")
    for form in (
        b"TORCH_LIBRARY",
        b"TORCH_LIBRARY_EXPAND",
        b"TORCH_LIBRARY_FRAGMENT",
        b"TORCH_LIBRARY_FRAGMENT_EXPAND",
        b"TORCH_LIBRARY_IMPL",
        b"TORCH_LIBRARY_IMPL_EXPAND",
    )
)
_REGISTRIES = frozenset((b"RegisterOperators",))
_WANTED = _MODULES | _LIBRARIES | _REGISTRIES
_NAME = re.compile(r"&?\s*(?:::)?((?:[A-Za-z_]\w*\s*::\s*)*[A-Za-z_]\w*)\s*(?:<[^()]*>)?[\s)]*\Z", re.DOTALL)
"""The function's name at the end of an argument: `&ns::f<float>)`; template arguments and brackets may follow it."""
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_RAW = re.compile(r'\w*R"([^(]*)\((.*)\)\1"\Z', re.DOTALL)
_PY_ARG = re.compile(r'(?:(?:py|pybind11|torch)\s*::\s*)+arg(?:_v)?\s*\(\s*"(\w+)"\s*\)(.*)|"(\w+)"_a(.*)', re.DOTALL)
"""A named argument of pybind11, and its default after it: `py::arg("x") = 1`, `"x"_a = 1`."""
_ANY_OVERLOAD = re.compile(r"overload_cast\s*<(.*)>\s*\(", re.DOTALL)
"""The types that choose one overload: `py::overload_cast<int, float>(&f)`."""
_ENUM = re.compile(rb'enum_\s*<\s*([\w:]+)[^<>]*>\s*\(\s*\w+\s*,\s*"(\w+)"[^;]*?\.\s*value\s*\(\s*"(\w+)"', re.DOTALL)
"""An enumeration given to Python, with its first value: `py::enum_<Mode>(m, "Mode").value("SUM", ...)`."""
_MADE = re.compile(rb'class_\s*<\s*([\w:]+)[^<>]*>\s*\(\s*\w+\s*,\s*"(\w+)"[^;]*?init\s*<\s*>', re.DOTALL)
"""A class that Python can make without arguments: `py::class_<State>(m, "State").def(py::init<>())`."""
_DISPATCH = re.compile(r"(?:\w+\s*::\s*)+k[A-Z]\w*|.*DispatchKey::\w+")
"""A dispatch key before a function: `torch::kCUDA`, `c10::DispatchKey::CUDA`."""
_KEY_FOR_GPU = ("CUDA", "HIP", "PrivateUse1", "CompositeExplicitAutograd", "CompositeImplicitAutograd")


@dataclass(frozen=True, slots=True)
class Export:
    """A name that Python can call; `problem` says why its signature is not known, where it is not.

    `owner` is the module as the source names it, or the namespace of `torch.ops`.
    """

    form: str
    owner: str
    name: str
    path: str
    line: int
    signature: Signature | None = None
    target: Function | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Block:
    """Where functions are registered: a macro's braces and the variable in it."""

    source: Source
    form: str
    owner: str
    variable: bytes
    start: int
    end: int
    key: str = ""


def find(functions: Functions) -> tuple[list[Export], list[str]]:
    """Everything exported, in the order of the sources, and a line for each thing seen and not understood."""
    found: dict[tuple[str, str, str], Export] = {}
    left: list[str] = []
    for source in functions.sources.values():
        if not any(word in source.data for word in _WANTED):
            continue
        for export in _in_source(functions, source, left):
            # Several extensions of one tree may share the name that only their build tells apart.
            own = export.path if export.form == "module" else ""
            key = (own, export.owner, export.name)
            found[key] = _merged(found.get(key), export)
    bound = _bound(functions)
    return [_with_bound(export, bound) for export in found.values() if export.name], left


def _bound(functions: Functions) -> dict[str, str]:
    """Types of the tree that the extension gives to Python, and the expression for a value of each."""
    bound: dict[str, str] = {}
    for source in functions.sources.values():
        if b"PYBIND11_MODULE" in source.data:
            for match in _ENUM.finditer(source.data):
                bound[match[1].decode().split("::")[-1]] = f"{match[2].decode()}.{match[3].decode()}"
            for match in _MADE.finditer(source.data):
                bound[match[1].decode().split("::")[-1]] = f"{match[2].decode()}()"
    return bound


def _with_bound(export: Export, bound: dict[str, str]) -> Export:
    """The export, with the kind `=expression` where a type of its own is bound to Python."""
    if export.signature is None or not bound or export.form != "module":
        return export
    found = []
    for parameter in export.signature.parameters:
        core = re.sub(r"\bconst\b|[&\s]", "", parameter.spelled).split("::")[-1]
        unknown = not parameter.kind and core in bound
        found.append(replace(parameter, kind=f"={bound[core]}") if unknown else parameter)
    return replace(export, signature=replace(export.signature, parameters=tuple(found)))


def _merged(old: Export | None, new: Export) -> Export:
    """What two registrations of one name say together: a schema here, a function for a device there."""
    if old is None:
        return new
    first = old if old.signature is not None or new.signature is None else new
    return replace(first, target=old.target or new.target)


def _in_source(functions: Functions, source: Source, left: list[str]) -> Iterator[Export]:
    for start in source.lexed.words(_WANTED):
        directive = source.lexed.directive_at(start)
        if directive is not None:
            continue
        word = source.lexed.token(start)
        if source.lexed.text(word) in _REGISTRIES:
            yield from _registry(functions, source, word)
            continue
        block = _block(source, word)
        if block is not None:
            yield from _statements(functions, block, left)


def _block(source: Source, word: Token | None) -> _Block | None:
    lexed = source.lexed
    opening = lexed.after(word)
    if opening is None or lexed.text(opening) != b"(":
        return None
    closing = lexed.closing(opening.start)
    brace = lexed.token(closing + 1) if closing > 0 else None
    given = [source.code(*ends) for ends in lexed.arguments(opening.start, closing)] if closing > 0 else []
    if brace is None or lexed.text(brace) != b"{" or len(given) < 2:
        return None
    end = lexed.closing(brace.start)
    if end < 0:
        return None
    form = "module" if lexed.text(word) in _MODULES else "ops"
    variable = (given[1] if form == "module" else given[-1]).encode()
    key = given[1] if form == "ops" and len(given) > 2 else ""
    return _Block(source, form, given[0], variable, brace.start + 1, end, key)


def _statements(functions: Functions, block: _Block, left: list[str]) -> Iterator[Export]:
    """Go through a block statement by statement; a chain of `.def` belongs to the word it begins with."""
    lexed, modules = block.source.lexed, {block.variable: block.owner}
    token, first = lexed.token(block.start), None
    while token is not None and token.start < block.end:
        directive = lexed.directive_at(token.start)
        if directive is not None:
            token, first = lexed.token(directive.end), None
            continue
        text = lexed.text(token)
        if text in (b";", b"{", b"}"):
            first = None
        elif first is None:
            first = token
            _submodule(block, token, modules)
            if text == b"py" or text == b"pybind11" or text.endswith(b"class_"):
                _class(block, token, left)
        if text == b"(" and first is not None:
            closing = lexed.closing(token.start)
            if closing < 0:
                return
            owner = modules.get(lexed.text(first))
            called = lexed.text(lexed.before(token.start))
            if owner is not None and called in (b"def", b"impl"):
                yield from _definition(functions, replace(block, owner=owner), token.start, closing)
            token = lexed.token(closing + 1)
            continue
        token = lexed.after(token)


def _submodule(block: _Block, token: Token, modules: dict[bytes, str]) -> None:
    """Learn a variable that holds a submodule."""
    end = block.source.data.find(b";", token.start, block.end)
    match = re.match(
        rb'(?:auto|[\w:]+)\s*&?\s*(\w+)\s*=\s*(\w+)\s*\.\s*def_submodule\s*\(\s*"(\w+)"',
        block.source.data[token.start : max(end, token.start)],
    )
    if match is not None and match[2] in modules:
        modules[match[1]] = f"{modules[match[2]]}.{match[3].decode()}"


def _class(block: _Block, token: Token, left: list[str]) -> None:
    line = block.source.line(token.start)
    text = " ".join(block.source.text(token.start, token.start + 60).split("(")[0].split())
    if "class_" in text:
        left.append(f"{block.source.path}:{line}: the methods of {text} are not called")


def _definition(functions: Functions, block: _Block, opening: int, closing: int) -> Iterator[Export]:
    """One `def` or `impl`: a name or a schema, and perhaps the function that does it."""
    source = block.source
    ranges = source.lexed.arguments(opening, closing)
    if not ranges:
        return
    line, said = source.line(opening), string(source, *ranges[0])
    if said is None:
        return
    parsed = schema(said)
    name = (parsed[0] if parsed is not None else said.split("(")[0]).strip()
    owner, base = (block.owner, name) if "::" not in name else (name.split("::")[0], name.split("::")[-1])
    export = Export(block.form, owner, base.split(".")[0], source.path, line)
    target: Function | str = "its schema cannot be read" if "(" in said else "its registration names no function"
    key, given = block.key, ranges[1:]
    if given and _DISPATCH.fullmatch(source.code(*given[0]).strip()):
        key, given = source.code(*given[0]), given[1:]
    if given:
        target = _target(functions, source, given[0])
    named = tuple(_named(source, given[1:])) if block.form == "module" else ()
    yield _complete(export, parsed[1] if parsed else None, target, named, key)


def _complete(
    export: Export, signature: Signature | None, target: Function | str, named: tuple[Parameter, ...], key: str
) -> Export:
    function = None if isinstance(target, str) else target
    if key and not any(word in key for word in _KEY_FOR_GPU):
        function, target = None, "only registered for another device"
    if signature is None and function is not None:
        signature = _renamed(function.signature, named)
    problem = target if signature is None and isinstance(target, str) else ""
    return replace(export, signature=signature, target=function, problem=problem)


def _renamed(signature: Signature, named: tuple[Parameter, ...]) -> Signature:
    """The signature with the names and defaults that Python sees."""
    if len(named) != len(signature.parameters):
        return signature
    pairs = zip(signature.parameters, named, strict=True)
    # A default that the binding writes is the one Python uses; C++ defaults are not bound.
    return replace(signature, parameters=tuple(replace(p, default=n.default or p.default) for p, n in pairs))


def _named(source: Source, ranges: list[tuple[int, int]]) -> Iterator[Parameter]:
    for start, end in ranges:
        match = _PY_ARG.match(source.code(start, end))
        if match is not None:
            rest = re.sub(r"^\.\w+\([^()]*\)", "", (match[2] if match[1] else match[4]).strip()).strip()
            default = literal(rest[1:]) if rest.startswith("=") else None
            yield Parameter(match[1] or match[3], "", "", default=default)


def _target(functions: Functions, source: Source, ends: tuple[int, int]) -> Function | str:
    """The function that an argument of `def` stands for: a name, a name in a wrapper, or a lambda."""
    text = source.code(*ends).strip()
    if text.startswith("["):
        return _lambda(functions, source, ends)
    match = _NAME.search(text)
    if match is None:
        return "its function is not a plain name"
    cast = _ANY_OVERLOAD.search(text)
    count = None
    if cast is not None:
        count = len(pieces(cast[1]))
    return functions.best(re.sub(r"\s+", "", match[1]), source.path, count)


def _lambda(functions: Functions, source: Source, ends: tuple[int, int]) -> Function | str:
    lexed = source.lexed
    opening = lexed.token(lexed.closing(ends[0]) + 1)
    parameters: tuple[Parameter, ...] | None = None
    at = ends[0]
    if lexed.text(opening) == b"{" and opening is not None:
        parameters, at = (), opening.start - 1
    elif lexed.text(opening) == b"(" and opening is not None:
        at = lexed.closing(opening.start)
        parameters = functions.parameters(source, opening.start, at) if at > 0 else None
    brace = source.data.find(b"{", at + 1, ends[1])
    if parameters is None or brace < 0:
        return "a lambda whose parameters cannot be read"
    arrow = source.code(at + 1, brace).strip()
    returns = kind(arrow[2:], functions.aliases) if arrow.startswith("->") else "auto"
    body = source.code(brace + 1, max(brace + 1, lexed.closing(brace)))
    return Function(source.path, source.line(ends[0]), "", Signature(parameters, returns), body)


def string(source: Source, start: int, end: int) -> str | None:
    """The text of the adjacent string literals in a range, also inside a macro call; None where there are none."""
    said = []
    for token in source.lexed.tokens(start, end):
        if token.kind == STRING:
            text = source.text(token.start, token.end)
            raw = _RAW.match(text)
            said.append(raw[2] if raw is not None else _ESCAPE.sub(r"\1", text[text.find('"') + 1 : -1]))
    return "".join(said) if said else None


def _registry(functions: Functions, source: Source, word: Token | None) -> Iterator[Export]:
    """The chain after `RegisterOperators`: constructor arguments first, then each `.op(...)`."""
    lexed, token = source.lexed, source.lexed.after(word)
    while token is not None and lexed.text(token) not in (b";", b"{", b"}"):
        if lexed.text(token) != b"(":
            token = lexed.after(token)
            continue
        closing = lexed.closing(token.start)
        if closing < 0:
            return
        block = _Block(source, "ops", "", b"", token.start, closing)
        yield from _definition(functions, block, token.start, closing)
        token = lexed.token(closing + 1)
