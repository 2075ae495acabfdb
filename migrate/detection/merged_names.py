"""Functions, specialisations and cases that differ by CUDA's names alone and are one after the fixes.

CUDA has two types where HIP has one: `CUresult` and `cudaError_t` are both `hipError_t`. Two overloads for them are
then two definitions of one function, two specialisations one, and two enumerators one `case` twice. What each is called
after the conversion is what the fixes write there.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from tree_sitter import Node

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.detection import engine
from cudamigrate.lazy_dataclasses import dataclass, replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Finding, Fix, Hit, Rule, Span, Use
from cudamigrate.rulebase.code_rules import Rulebook
from cudamigrate.syntax.tree_sitter_nodes import Kinds

DEFINITION, CASE = "build/merged-definition", "build/merged-case"
_PLACES = Kinds("cuda", "function_definition", "case_statement", "struct_specifier", "class_specifier")
_SCOPES = ("namespace_definition", "class_specifier", "struct_specifier", "function_definition", "lambda_expression")
_SAME = {b"hipDeviceptr_t": b"void*"}
"""Types of HIP that are others by another name, where CUDA's are not: an address in device memory is a number there."""
_TOKEN = re.compile(rb"\w+|\S")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_ONE_WORD = re.compile(rb"\w+")
_RENAMED = re.compile(rb"[\w:]+")


@dataclass(frozen=True, slots=True)
class _Place:
    """A definition or case: its node, the node of its name, and what sets it apart before and after the fixes."""

    node: Node
    name: Node
    before: tuple[object, ...]
    after: tuple[object, ...]


def added(
    parsed: ParsedFile, findings: Sequence[Finding], book: Rulebook, types: Sequence[Edit] = ()
) -> tuple[Finding, ...]:
    """The findings with those of one of each two, and without those in a label that goes.

    `types` are places of other names of CUDA's types, each with what the type is called in HIP.
    """
    made = list(_found(parsed, findings, book, types))
    if not made:
        return tuple(findings)
    gone = [edit.span for one in made if one.rule == CASE and one.fix is not None for edit in one.fix.edits]
    kept = [one for one in findings if not any(span.start <= one.span.start < span.end for span in gone)]
    return tuple(engine.in_order([*kept, *made]))


def _found(parsed: ParsedFile, findings: Sequence[Finding], book: Rulebook, types: Sequence[Edit]) -> Iterator[Finding]:
    renames = {**{edit.span.start: edit for edit in types}, **dict(_renames(findings))}
    rules = {name: rule for name in (DEFINITION, CASE) if (rule := book.rules.get(name)) and not rule.silent}
    if not renames or not rules:
        return
    groups: dict[tuple[object, ...], list[_Place]] = {}
    for place in _places(parsed, renames):
        groups.setdefault(place.after, []).append(place)
    texts = _Texts(parsed, renames, [place.node for group in groups.values() for place in group])
    for group in groups.values():
        for number, later in enumerate(group):
            earlier = next((one for one in group[:number] if _meet(parsed, one, later)), None)
            rule = rules.get(CASE if later.node.type == "case_statement" else DEFINITION)
            if earlier is not None and rule is not None:
                is_first = rule.id == DEFINITION and texts.passes_on(earlier.node, later.node)
                yield _finding(parsed, *((later, earlier) if is_first else (earlier, later)), rule, texts)


def _finding(parsed: ParsedFile, earlier: _Place, later: _Place, rule: Rule, texts: _Texts) -> Finding:
    """The finding at the later one, or at the one that calls the other; it goes where nothing is lost with it."""
    span = _span(later.name)
    is_case = later.node.type == "case_statement"
    is_copy = not is_case and _is_within(parsed, earlier, later)
    is_copy = is_copy and (texts.same(earlier.node, later.node) or texts.passes_on(later.node, earlier.node))
    use = Use(
        "name",
        parsed.data[span.start : span.end].decode("utf-8", "replace"),
        span,
        _whole(later.node) if is_copy else span,
        certainty="syntax",
    )
    line = str(parsed.source.position(earlier.node.start_byte).line)
    made = engine.finding_in(parsed, Hit(rule.id, use, {"line": line}), rule)
    if is_case and _is_joined(earlier.node, later.node):
        colon = next(one.end_byte for one in later.node.children if one.type == ":")
        made = replace(made, fix=Fix((Edit(_line(parsed.data, later.node.start_byte, colon), b""),), rule.safety))
    is_fixed = made.fix is not None and (is_case or is_copy)
    return made if is_fixed else replace(made, fix=None, support="manual", effort="small")


def _is_joined(one: Node, other: Node) -> bool:
    """Whether two cases share their statements: the label of one is directly before the other's."""
    before = other.prev_named_sibling
    while before is not None and (before.type == "comment" or (before != one and _is_label(before))):
        before = before.prev_named_sibling
    return before == one and _is_label(one) and any(child.type == ":" for child in other.children)


def _is_label(node: Node) -> bool:
    """Whether a case has no statements of its own."""
    return node.type == "case_statement" and len([one for one in node.named_children if one.type != "comment"]) == 1


def _line(data: bytes, start: int, end: int) -> Span:
    """The bytes with their line, where nothing else is on it; else with the blanks behind."""
    first, last = data.rfind(b"\n", 0, start) + 1, data.find(b"\n", end)
    if last >= 0 and not data[first:start].strip() and not data[end:last].strip():
        return Span(first, last + 1)
    while data[end : end + 1] == b" ":
        end += 1
    return Span(start, end)


def _renames(findings: Sequence[Finding]) -> Iterator[tuple[int, Edit]]:
    """What fixes write in the place of a name, by where that begins."""
    for finding in findings:
        for edit in finding.fix.edits if finding.fix is not None else ():
            if edit.span.start < edit.span.end and _RENAMED.fullmatch(edit.replacement):
                yield edit.span.start, edit


def _places(parsed: ParsedFile, renames: Mapping[int, Edit]) -> Iterator[_Place]:
    """The definitions and cases that may be one with another: they are called alike, and one of them has a rename."""
    starts = sorted(renames)
    alike: dict[bytes, list[tuple[Node, bool]]] = {}
    for node in _PLACES.below(parsed.tree.root_node):
        if node.has_error or parsed.hip(node.start_byte) is not None:
            continue
        is_case = node.type == "case_statement"
        name = node.child_by_field_name("value") if is_case else _named(node)
        if name is not None:
            key = b"" if is_case else b" ".join(_tokens(parsed, _span(name), renames))
            alike.setdefault(key, []).append((node, _holds(starts, _head(node, name))))
    for nodes in alike.values():
        if len(nodes) < 2 or not any(is_renamed for _, is_renamed in nodes):
            continue
        for node, _ in nodes:
            made = _case(parsed, node, renames) if node.type == "case_statement" else _definition(parsed, node, renames)
            if made is not None:
                yield made


def _holds(starts: Sequence[int], span: Span) -> bool:
    """Whether one of some places in order is in a range."""
    return bisect_left(starts, span.start) < bisect_left(starts, span.end)


def _head(node: Node, name: Node) -> Span:
    """What sets a definition or case apart is in here."""
    if node.type == "case_statement":
        return _span(name)
    body = node.child_by_field_name("body")
    return Span(_whole(node).start, node.end_byte if body is None else body.start_byte)


def _named(node: Node) -> Node | None:
    """The name of a function with a body or of a specialisation; None for what nothing else can be."""
    if node.type != "function_definition":
        return _specialised(node)[0]
    declarator = _function_declarator(node)
    name = declarator.child_by_field_name("declarator") if declarator is not None else None
    is_plain = name is not None and name.text and _WORD.match(name.text)
    return name if is_plain and node.child_by_field_name("body") is not None else None


def _function_declarator(node: Node) -> Node | None:
    """The declarator of a function that has the parameters, behind `*` and `&`."""
    declarator = node.child_by_field_name("declarator")
    while declarator is not None and declarator.type in ("pointer_declarator", "reference_declarator"):
        declarator = declarator.child_by_field_name("declarator") or next(iter(declarator.named_children), None)
    return declarator


def _case(parsed: ParsedFile, node: Node, renames: Mapping[int, Edit]) -> _Place | None:
    value = node.child_by_field_name("value")
    switch = node.parent
    while switch is not None and switch.type != "switch_statement":
        switch = switch.parent
    if value is None or switch is None:
        return None
    both = [(switch.start_byte, *_tokens(parsed, _span(value), one)) for one in ({}, renames)]
    return _Place(node, value, both[0], both[1])


def _definition(parsed: ParsedFile, node: Node, renames: Mapping[int, Edit]) -> _Place | None:
    """A function with its types, or a specialisation with its arguments; none for what nothing else can be."""
    name, parts = (_signature if node.type == "function_definition" else _specialised)(node)
    if name is None:
        return None
    around = tuple(_scopes(node))
    both = [
        (*around, *(sum((_tokens(parsed, span, one) for span in part), ()) for part in parts)) for one in ({}, renames)
    ]
    return _Place(node, name, both[0], both[1])


def _signature(node: Node) -> tuple[Node | None, list[list[Span]]]:
    """The name of a function, and the places of what sets its overloads apart: name, types, and what is behind."""
    declarator, name = _function_declarator(node), _named(node)
    parameters = declarator.child_by_field_name("parameters") if declarator is not None else None
    if declarator is None or parameters is None or name is None:
        return None, []
    parts = [[_span(name)]]
    if node.parent is not None and node.parent.type == "template_declaration":
        head = node.parent.child_by_field_name("parameters")
        parts += [[_span(head)]] if head is not None else []
    parts += [list(_of_type(one)) for one in parameters.named_children if one.type != "comment"]
    return name, [*parts, [Span(parameters.end_byte, declarator.end_byte)]]


def _of_type(parameter: Node) -> Iterator[Span]:
    """The places of a parameter's type: without its name and its default value."""
    own, typed = parameter.child_by_field_name("declarator"), parameter.child_by_field_name("type")
    default = parameter.child_by_field_name("default_value")
    last = own or typed if default is not None else parameter
    called = _called(own) if own is not None else None
    end = (last or parameter).end_byte
    if called is None:
        yield Span(parameter.start_byte, end)
    else:
        yield from (Span(parameter.start_byte, called.start_byte), Span(called.end_byte, end))


def _called(declarator: Node) -> Node | None:
    """The name in a declarator: `p` of `*p` and `p[3]`."""
    while declarator.type not in ("identifier", "field_identifier"):
        inner = declarator.child_by_field_name("declarator") or next(iter(declarator.named_children), None)
        if inner is None:
            return None
        declarator = inner
    return declarator


def _specialised(node: Node) -> tuple[Node | None, list[list[Span]]]:
    name = node.child_by_field_name("name")
    if name is None or name.type != "template_type" or node.child_by_field_name("body") is None:
        return None, []
    return name, [[_span(name)]]


def _scopes(node: Node) -> Iterator[bytes | int]:
    """What is around a definition: namespaces by name, all else by its place."""
    around = node.parent
    while around is not None:
        if around.type in _SCOPES:
            name = around.child_by_field_name("name")
            yield around.start_byte if around.type != "namespace_definition" or name is None else name.text or b""
        around = around.parent


def _tokens(parsed: ParsedFile, span: Span, renames: Mapping[int, Edit]) -> tuple[bytes, ...]:
    """The tokens of a range after the renames."""
    text = parsed.data[span.start : span.end]
    if _ONE_WORD.fullmatch(text) and span.start not in renames:
        return (text,)
    made, until = list[bytes](), 0
    for token in parsed.lexed.tokens(span.start, span.end):
        edit = renames.get(token.start)
        if edit is not None:
            until = edit.span.end
            made.append(_SAME.get(edit.replacement, edit.replacement))
        elif token.start >= until:
            made.append(parsed.lexed.text(token))
    return tuple(_TOKEN.findall(b" ".join(made)))


def _meet(parsed: ParsedFile, one: _Place, other: _Place) -> bool:
    """Whether two are different before the fixes, and no conditional keeps them apart."""
    if one.before == other.before:
        return False
    chains = {branch.chain: branch for branch in parsed.branches_around(one.node.start_byte)}
    return not any(
        branch.chain in chains and chains[branch.chain] is not branch
        for branch in parsed.branches_around(other.node.start_byte)
    )


def _is_within(parsed: ParsedFile, one: _Place, other: _Place) -> bool:
    """Whether the second is compiled only where the first is."""
    around = parsed.branches_around(other.node.start_byte)
    return all(branch in around for branch in parsed.branches_around(one.node.start_byte))


class _Texts:
    """What definitions say after the renames: parameters by number, and without casts of one to its own type."""

    def __init__(self, parsed: ParsedFile, renames: Mapping[int, Edit], nodes: Sequence[Node]) -> None:
        self.parsed, self.renames, self.nodes = parsed, renames, nodes

    def same(self, one: Node, other: Node) -> bool:
        """Whether two say the same."""
        if one.type != "function_definition":
            return self._tokens(_whole(one)) == self._tokens(_whole(other))
        return self._head(one) == self._head(other) and self._body(one) == self._body(other)

    def passes_on(self, one: Node, other: Node) -> bool:
        """Whether the first does nothing but call the second with its own arguments: it would call itself in HIP.

        What comes as `T &&` and is passed on by name goes to the function for `const T &`, which must do the same.
        """
        name = _named(one) if one.type == "function_definition" else None
        body = self._body(one) if name is not None else ()
        if name is None or body[:1] != (b"{",) or b"(" not in body:
            return False
        kinds = self._kinds(one)
        given = tuple(b",".join(b"$%d" % number for number in range(len(kinds))).replace(b",", b" , ").split())
        call = (name.text or b"", b"(", *given, b")", b";", b"}")
        if body[1:] not in (call, (b"return", *call)):
            return False
        if all(kind[-2:] != (b"&", b"&") for kind in kinds):
            return True
        return any(self._stands_for(each, other) for each in self.nodes)

    def _stands_for(self, one: Node, other: Node) -> bool:
        """Whether a function does what another does, and takes `const T &` where that takes `T &&`."""
        if one == other or one.type != "function_definition" or list(_scopes(one)) != list(_scopes(other)):
            return False
        name, wanted = _named(one), _named(other)
        if name is None or wanted is None or name.text != wanted.text or self._body(one) != self._body(other):
            return False
        kinds = [(b"const", *kind[:-1]) if kind[-2:] == (b"&", b"&") else kind for kind in self._kinds(other)]
        return self._kinds(one) == kinds

    def _kinds(self, node: Node) -> list[tuple[bytes, ...]]:
        """The types of the parameters."""
        return [sum((self._tokens(span) for span in _of_type(one)), ()) for one in _parameters(node)]

    def _head(self, node: Node) -> tuple[bytes, ...]:
        """What is before the parameters: `static inline`, the type of the result, the name."""
        listed = _parameters(node)
        return self._tokens(Span(_whole(node).start, listed[0].start_byte)) if listed else self._tokens(_whole(node))

    def _body(self, node: Node) -> tuple[bytes, ...]:
        """The tokens from the body on."""
        body = node.child_by_field_name("body")
        if body is None:
            return ()
        kinds: dict[bytes, tuple[bytes, ...]] = {}
        for number, one in enumerate(_parameters(node)):
            own = one.child_by_field_name("declarator")
            called = _called(own) if own is not None else None
            kinds[called.text or b"" if called is not None else b"$%d" % number] = self._kinds(node)[number]
        numbers = {name: b"$%d" % number for number, name in enumerate(kinds)}
        made: list[bytes] = []
        for token in self._tokens(Span(body.start_byte, _whole(node).end)):
            is_member = made[-1:] in ([b"."], [b":"]) or made[-2:] == [b"-", b">"]
            made.append(token if is_member else numbers.get(token, token))
        return _without_casts(made, {numbers[name]: kind for name, kind in kinds.items()})

    def _tokens(self, span: Span) -> tuple[bytes, ...]:
        return _tokens(self.parsed, span, self.renames)


def _without_casts(tokens: Sequence[bytes], kinds: Mapping[bytes, tuple[bytes, ...]]) -> tuple[bytes, ...]:
    """Tokens with `p` for `static_cast<T>(p)` where `p` is a `T`."""
    made: list[bytes] = []
    at = 0
    while at < len(tokens):
        if tuple(tokens[at : at + 2]) == (b"static_cast", b"<") and b">" in tokens[at : at + 8]:
            end = tokens.index(b">", at)
            value = tokens[end + 2] if end + 3 < len(tokens) else b""
            if (tokens[end + 1], tokens[end + 3 : end + 4]) == (b"(", [b")"]) and kinds.get(value) == tuple(
                tokens[at + 2 : end]
            ):
                made.append(value)
                at = end + 4
                continue
        made.append(tokens[at])
        at += 1
    return tuple(made)


def _parameters(node: Node) -> list[Node]:
    """The parameters of a function, in order."""
    declarator = _function_declarator(node)
    listed = declarator.child_by_field_name("parameters") if declarator is not None else None
    return [one for one in listed.named_children if one.type != "comment"] if listed is not None else []


def _whole(node: Node) -> Span:
    """A definition with its template's head and what ends it."""
    top = node.parent if node.parent is not None and node.parent.type == "template_declaration" else node
    end = top.next_sibling
    return Span(top.start_byte, end.end_byte if end is not None and end.type == ";" else top.end_byte)


def _span(node: Node) -> Span:
    return Span(node.start_byte, node.end_byte)
