"""Declarations of one function that name different sides: nvcc takes all that any of them names, clang refuses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.function_sides import macros
from cudamigrate.cuda.host_code import suits_host
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import dataclass
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.syntax.tree_sitter_nodes import Kinds

WORDS = (b"__device__",)

_DECLARATORS = Kinds("cuda", "function_declarator")
_TEMPLATES = Kinds("cuda", "template_declaration")
_HEADS = ("declaration", "field_declaration", "function_definition")
_AROUND = ("pointer_declarator", "reference_declarator", "parenthesized_declarator")
_OTHER = ("template_function", "default_method_clause", "delete_method_clause")
_CLASSES = ("class_specifier", "struct_specifier", "union_specifier")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_TOKEN = re.compile(rb"\w+|\S")
_MACRO = re.compile(rb"[A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z]{3,}")
"""What may be a macro: a word in capitals of some length."""
_SPECIFIERS = frozenset(
    b"static inline virtual explicit extern friend constexpr long unsigned signed const __inline__ __forceinline__"
    b" __noinline__ __host__ __device__ __global__".split()
)
_ARGUMENTS = re.compile(rb"<([\w,]*)>")
_SIDES = {b"__host__": "host", b"__device__": "device"}
_LITERAL = "__host__ __device__"


@dataclass(frozen=True, slots=True)
class _Head:
    """One declaration: where its specifiers begin, its name, the sides it names, and the words it names them with."""

    node: Node
    start: int
    name: Node
    sides: frozenset[str]
    spelled: tuple[bytes, ...]


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Each declaration that lacks a side which another of the same function in the file names."""
    heads_of: dict[bytes, list[tuple[Node, _Head]]] = {}
    for declarator in _DECLARATORS.below(parsed.tree.root_node):
        head = _head(parsed, declarator)
        if head is not None:
            heads_of.setdefault(_primary(head).rpartition(b"::")[2], []).append((declarator, head))
    groups: dict[tuple[object, ...], list[_Head]] = {}
    for alike in heads_of.values():
        if len({head.sides for _, head in alike}) > 1:  # most names are declared once, or for the same sides
            for declarator, head in alike:
                groups.setdefault(_key(parsed, declarator, head), []).append(head)
    for heads in groups.values():
        if len(heads) > 1:
            yield from _differing(parsed, heads)
    yield from _specialised(parsed)


def _specialised(parsed: ParsedFile) -> Iterator[Hit]:
    """Specialisations of a function template for other sides than the template's: clang finds no template for them.

    One template of the file has the name and as many parameters. That it is for more sides than it was changes nothing
    of what CUDA makes of it, and code that is a template's is checked where it is used.
    """
    groups: dict[tuple[object, ...], tuple[list[_Head], list[_Head]]] = {}
    root = parsed.tree.root_node
    special_ones = (
        not tree_sitter_nodes.elements(one.child_by_field_name("parameters")) for one in _TEMPLATES.below(root)
    )
    for declarator in _DECLARATORS.below(root) if any(special_ones) else ():
        around = next((one for one in tree_sitter_nodes.ancestors(declarator) if one.type in _HEADS), None)
        template = around.parent if around is not None else None
        if template is None or template.type != "template_declaration":
            continue
        head = _head(parsed, declarator, special=True)
        if head is None or head.name.type == "qualified_identifier":
            continue
        count = len(tree_sitter_nodes.elements(declarator.child_by_field_name("parameters")))
        name = b"".join(text(head.name).split()).partition(b"<")[0]
        is_special = not tree_sitter_nodes.elements(template.child_by_field_name("parameters"))
        groups.setdefault((*_scopes(head), name, count), ([], []))[is_special].append(head)
    for templates, special in groups.values():
        if len(templates) == 1 and any(one.sides != templates[0].sides for one in special):
            yield from _unlike(parsed, templates[0], special)


def _unlike(parsed: ParsedFile, template: _Head, special: Sequence[_Head]) -> Iterator[Hit]:
    """One finding at the template where it lacks a side that all others name, else one at each that differs."""
    both = frozenset(_SIDES.values())
    differing = [one for one in special if one.sides != template.sides]
    if template.sides == both and all(suits_host(parsed, one.node) for one in differing):
        for head in differing:
            yield _lacking(parsed, template, head)
        return
    words = _words(parsed, special[0], template) if all(one.sides == both for one in special) else b""
    for head in (template,) if words else differing:
        other = special[0] if words else template
        span = Span(head.name.start_byte, head.name.end_byte)
        line = str(parsed.source.position(other.name.start_byte).line)
        args = (Span(head.start, head.start),) if words else ()
        use = Use("name", words.decode(), span, span, args, certainty="syntax")
        rule = "build/specialisation-sides" if words else "build/specialisation-sides-open"
        name = text(head.name).decode("utf-8", "replace")
        yield Hit(rule, use, {"name": name, "line": line, "words": words.decode()})


def _lacking(parsed: ParsedFile, template: _Head, head: _Head) -> Hit:
    """The finding at a specialisation that may have the sides of its template."""
    words = _words(parsed, template, head)
    span, at = Span(head.name.start_byte, head.name.end_byte), Span(head.start, head.start)
    line = str(parsed.source.position(template.name.start_byte).line)
    rule = "build/specialisation-lacks-host" if words else "build/specialisation-sides-open"
    use = Use("name", words.decode(), span, span, (at,) if words else (), certainty="syntax")
    return Hit(rule, use, {"name": text(head.name).decode("utf-8", "replace"), "line": line, "words": words.decode()})


def _differing(parsed: ParsedFile, heads: Sequence[_Head]) -> Iterator[Hit]:
    together = [head for head in heads if all(_meet(parsed, head.node, other.node) for other in heads)]
    union = frozenset[str]().union(*(head.sides for head in together))
    whole = next((head for head in together if head.sides == union), None)
    for head in together:
        if head.sides == union:
            continue
        words = _words(parsed, whole, head)
        span = Span(head.name.start_byte, head.name.end_byte)
        at = Span(head.start, head.start)
        name = text(head.name).decode("utf-8", "replace")
        other = whole or next(one for one in together if one.sides != head.sides)
        line = str(parsed.source.position(other.name.start_byte).line)
        written = words.decode() or _LITERAL
        use = Use("name", written, span, span, (at,), certainty="syntax")
        rule = "build/side-attributes" if words else "build/side-attributes-open"
        yield Hit(rule, use, {"name": name, "line": line, "words": written})


def _words(parsed: ParsedFile, whole: _Head | None, head: _Head) -> bytes:
    """What to write before a declaration, empty where that is not sure.

    Compilers for the host may read a file that says it by a macro: then only that macro is right, where it means the
    sides alone and is defined by then.
    """
    known = parsed.once(macros)
    named = [word for word in whole.spelled if word in known] if whole is not None else []
    if named and parsed.source.language != "cuda":
        alone = all(known[word] <= _SIDES.keys() for word in named)
        return b" ".join(named) if alone and _defined(parsed, named) < head.start else b""
    if not parsed.is_for_nvcc and not head.spelled and whole is None:
        return b""
    return b" ".join(word for word, side in _SIDES.items() if not head.spelled or side not in head.sides)


def _defined(parsed: ParsedFile, names: Sequence[bytes]) -> int:
    """Where the last of some macros is defined."""
    defines = (line for line in parsed.lexed.directives if line.name == "define")
    found = ((_WORD.match(line.argument(parsed.data).lstrip()), line.start) for line in defines)
    return max((start for match, start in found if match is not None and match[0] in names), default=-1)


def _head(parsed: ParsedFile, declarator: Node, special: bool = False) -> _Head | None:
    """A declaration by its declarator; None where it is no function's, or where what it says is not known.

    `special` asks for specialisations that spell their arguments, too: `f<float>`.
    """
    around = declarator.parent
    while around is not None and around.type in _AROUND:
        around = around.parent
    name = declarator.child_by_field_name("declarator")
    if around is None or around.type not in _HEADS or name is None or name.type == "parenthesized_declarator":
        return None
    if any(one.type in _OTHER and not (special and one == name) for one in _parts(around, name)):
        return None
    if parsed.hip(around.start_byte) is not None or parsed.is_dead(around.start_byte):
        return None
    if around.start_byte == declarator.start_byte and not _is_constructor(around, name):
        return None  # the tree has lost the type, and the words before it
    known = parsed.once(macros)
    start = _start(parsed, around.start_byte)
    words = _WORD.findall(parsed.data[start : declarator.start_byte])
    if b"constexpr" in words or any(_MACRO.fullmatch(word) and word not in known for word in words):
        return None
    said = frozenset(words).union(*(known[word] for word in words if word in known))
    if b"__global__" in said or b"constexpr" in said:
        return None
    sides = frozenset(side for word, side in _SIDES.items() if word in said) or frozenset(("host",))
    spelled = tuple(word for word in words if word in _SIDES or not _SIDES.keys().isdisjoint(known.get(word, ())))
    return _Head(around, start, name, sides, spelled)


def _start(parsed: ParsedFile, offset: int) -> int:
    """Where a declaration begins with the macros before it, which the tree leaves out."""
    known = parsed.once(macros)
    while True:
        before = parsed.lexed.before(offset)
        word = parsed.lexed.text(before)
        is_head = word in known or word in _SPECIFIERS or _MACRO.fullmatch(word)
        if before is None or not is_head or parsed.lexed.directive_at(before.start):
            return offset
        offset = before.start


def _is_constructor(around: Node, name: Node) -> bool:
    """Whether a declaration without a type is a constructor's or a destructor's."""
    parts = _ARGUMENTS.sub(b"", b"".join(text(name).split())).split(b"::")
    last = parts[-1].removeprefix(b"~")
    classes = (one for one in tree_sitter_nodes.ancestors(around) if one.type in _CLASSES)
    of = parts[-2] if len(parts) > 1 else text(next((one.child_by_field_name("name") for one in classes), None))
    return last == _ARGUMENTS.sub(b"", of) or parts[-1].startswith(b"operator")


def _parts(around: Node, name: Node) -> Iterator[Node]:
    """The nodes that say whether a declaration is of a specialisation, or has no body of its own."""
    yield from around.named_children
    yield name
    inner = name
    while inner.type == "qualified_identifier" and (last := inner.child_by_field_name("name")) is not None:
        inner = last
        yield inner


def _key(parsed: ParsedFile, declarator: Node, head: _Head) -> tuple[object, ...]:
    """What two declarations of one function have in common: its full name, its parameters and what is behind them."""
    whole = b"::".join([*_scopes(head), _primary(head)])
    parameters = declarator.child_by_field_name("parameters")
    kinds = tuple(_kind(one) for one in tree_sitter_nodes.elements(parameters))
    is_const = any(text(one) == b"const" for one in declarator.named_children if one.type == "type_qualifier")
    return whole, kinds if kinds != ((b"void",),) else (), is_const


def _scopes(head: _Head) -> list[bytes]:
    """The namespaces, classes and functions around a declaration, outermost first."""
    scopes: list[bytes] = []
    is_friend = head.node.parent is not None and head.node.parent.type == "friend_declaration"
    for node in tree_sitter_nodes.ancestors(head.node):
        if node.type == "namespace_definition" or (node.type in _CLASSES and not is_friend):
            scopes.append(b"".join(text(node.child_by_field_name("name")).split()))
        elif node.type in ("function_definition", "lambda_expression"):
            scopes.append(str(node.start_byte).encode())
    return [scope for scope in reversed(scopes) if scope]


def _primary(head: _Head) -> bytes:
    """A name as it is declared in the primary template, `A<T>::f` as `A::f`; a specialisation's keeps its arguments."""
    around = head.node.parent
    listed = around.child_by_field_name("parameters") if around is not None else None
    own = frozenset(_WORD.findall(text(listed)))
    name = b"".join(text(head.name).split())
    return _ARGUMENTS.sub(lambda match: b"" if own.issuperset(match[1].split(b",")) else match[0], name)


def _kind(parameter: Node) -> tuple[bytes, ...]:
    """The tokens of a parameter without its name and its default."""
    default = parameter.child_by_field_name("default_value")
    end = default.start_byte if default is not None else parameter.end_byte
    names = [node for node in _IDENTIFIERS.below(parameter) if node.end_byte <= end]
    skip = next((node for node in names if _is_declared(node, parameter)), None)
    raw = text(parameter)[: end - parameter.start_byte]
    if skip is not None:
        at = skip.start_byte - parameter.start_byte
        raw = raw[:at] + b" " + raw[at + len(text(skip)) :]
    return tuple(token for token in _TOKEN.findall(raw) if token != b"=")


_IDENTIFIERS = Kinds("cuda", "identifier", parts=True)


def _is_declared(node: Node, parameter: Node) -> bool:
    """Whether an identifier is the name that a parameter declares."""
    around, inner = node.parent, node
    while around is not None and around != parameter and around.type.endswith("declarator"):
        inner, around = around, around.parent
    return around == parameter and inner == parameter.child_by_field_name("declarator")


def _meet(parsed: ParsedFile, one: Node, other: Node) -> bool:
    """Whether two places can be compiled at once: they are not in two branches of one conditional."""
    first = {branch.chain: branch.start for branch in parsed.branches_around(one.start_byte) if branch.chain >= 0}
    return all(
        first.get(branch.chain, branch.start) == branch.start for branch in parsed.branches_around(other.start_byte)
    )
