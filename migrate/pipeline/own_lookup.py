"""Names of CUDA's form that C++ finds in a scope of the project: inherited from a class, or brought there by `using`.

What a scope declares itself is known from the definitions alone. Here a name is looked up as ISO C++ does
([basic.lookup.unqual]): block by block, in classes and their bases, in namespaces, and in those that are opened. One
that is the project's is not reported. One that may be either's stays as it is, and its finding says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Literal, NamedTuple

from tree_sitter import Node

from cudamigrate.cuda import name_scopes, own_functions
from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.member_scopes import named_scope
from cudamigrate.cuda.name_scopes import Using
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.scopes import Structure
from cudamigrate.frontends import cuda
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.lazy_re import re
from cudamigrate.model import Definition, FileResult, Finding, SourceFile, Span
from cudamigrate.pipeline.own_names import UNKNOWN, OwnNames, Read
from cudamigrate.pipeline.read_again import asked, lexed

_OF_C = re.compile(r"(?:cuda|cu(?:blas|fft|rand|sparse|solver|dnn)?|nccl|nvrtc|nvml)[A-Z]\w*|CU[A-Z]?[a-z]\w*")
"""Names that CUDA declares outside of namespaces."""
_CLASSES = ("class_specifier", "struct_specifier")
_DEPTH = 8
"""Bases of bases that are followed."""
_MACRO = re.compile(rb"\w+")
_STANDARD = "std::"
_AT_FILE_LEVEL = ("translation_unit", "")


class _Whose(NamedTuple):
    """Who declares what a name means: `own` the project, `cuda`, or `open` for the reason in `why`."""

    kind: Literal["own", "cuda", "open"]
    why: str = ""


_OWN, _CUDAS = _Whose("own"), _Whose("cuda")


class _Place(NamedTuple):
    """A name in a file: the namespaces and classes around it, those that are opened there, and who may declare it."""

    name: str
    path: str
    start: int
    inner: str
    opened: frozenset[str]
    owners: Mapping[str, Set[str]]


def without_looked_up_names(results: Sequence[FileResult], read: Read) -> list[FileResult]:
    """The results without findings on what the project declares in scopes that a name is looked up in."""
    own = OwnNames(results, read)
    lookup, kept = _Lookup(own, read), list[FileResult]()
    for result in results:
        judged = {
            one: whose
            for one in result.findings
            if (one.name in own.scoped or lookup.is_brought(one)) and (whose := lookup.whose(one)).kind != "cuda"
        }
        if judged:
            groups = {one.fix.group for one in judged if one.fix is not None}
            left = (_left(one, judged[one]) if one in judged else one for one in result.findings)
            result = replace(result, findings=_ungrouped([one for one in left if one is not None], groups))
        kept.append(result)
    return kept


def _left(finding: Finding, whose: _Whose) -> Finding | None:
    """What is left of a finding: nothing where the name is the project's."""
    if whose.kind == "own":
        return None
    return replace(finding.without_fix("small"), message=f"{finding.message} Not converted: {whose.why}")


def _ungrouped(findings: Sequence[Finding], groups: Set[str]) -> tuple[Finding, ...]:
    from cudamigrate.pipeline.cross_file import without_groups  # which runs the passes

    return without_groups(findings, groups)


class _Lookup:
    """Looks names up; files are parsed once, and only those that have such a name."""

    def __init__(self, own: OwnNames, read: Read) -> None:
        self._own, self._read = own, read
        self._usings: dict[str, tuple[ParsedFile, tuple[Using, ...]]] = {}
        self._takes: dict[tuple[str, str], tuple[tuple[int, int], ...]] = {}

    def is_brought(self, finding: Finding) -> bool:
        """Whether its file brings the name from some scope: `using pool::cudaMalloc;`."""
        if finding.group != "api" or _OF_C.fullmatch(finding.name) is None:
            return False
        is_named = finding.name in (asked(self._read, finding.path, _named) or ())
        return is_named and finding.fix is not None  # what is read of few, last

    def whose(self, finding: Finding) -> _Whose:
        """Who declares what a finding names."""
        source = self._read(finding.path)
        at = -1 if source is None else source.data.find(finding.name.encode(), finding.span.start, finding.span.end)
        if source is None or at < 0 or finding.rule == UNKNOWN:
            return _CUDAS
        tokens = lexed(source)
        directive = tokens.directive_at(at)
        if tokens.text(tokens.before(at)) == b"::":
            return _CUDAS
        owners = self._owners(finding)
        if directive is not None:
            macro = _MACRO.match(directive.argument(source.data)) if directive.name == "define" and owners else None
            return _CUDAS if macro is None else self._of_macro(macro[0], tokens, finding, at)
        if not owners and not self.is_brought(finding):
            return _CUDAS
        return self._looked_up(source, finding, at, owners)

    def _owners(self, finding: Finding) -> dict[str, set[str]]:
        """The scopes that declare the name, among what is read together with the file, each with the files."""
        found: dict[str, set[str]] = {}
        for one, paths in self._own.declared(finding.name).items():
            if _is_scoped(one):
                seen = {path for path in paths if self._own.sees(finding.path, path, finding.name)}
                if seen:
                    found.setdefault(one.enclosing, set()).update(seen)
        return found

    def _of_macro(self, macro: bytes, tokens: Lexed, finding: Finding, at: int) -> _Whose:
        """Who declares what the body of a macro names: it is looked up where the macro is used (ISO C++ [cpp.replace]).

        A type of CUDA's that is given several values is no conversion: only the project's function takes them.
        """
        paths = sorted({finding.path, *self._own.together(finding.path)})
        kinds = {kind for path in paths for kind in self._uses(macro, replace(finding, path=path))}
        if kinds == {"own"}:
            return _OWN
        count = own_functions.given(tokens, at + len(finding.name))
        if count > 1 and own_functions.is_type(finding.name):
            owners = self._owners(finding).values()
            taken = [one for path in sorted(set().union(*owners)) for one in self._taken(path, finding.name)]
            if any(least <= count <= most for least, most in taken):
                return _OWN
        if "own" not in kinds:
            return _CUDAS
        return _Whose("open", f"the macro is also used where a class of this project has a `{finding.name}`.")

    def _uses(self, macro: bytes, finding: Finding) -> Iterator[str]:
        """Whose what a macro names is, at each of its uses in a file: what has it in its own body may be anywhere."""
        source = self._read(finding.path)
        if source is None or macro not in source.data:
            return
        tokens, used = lexed(source), list[int]()
        for start in tokens.words(frozenset((macro,))):
            directive = tokens.directive_at(start)
            if directive is None:
                used.append(start)
            elif directive.name == "define" and not directive.argument(source.data).startswith(macro):
                yield "cuda"
        if used:
            parsed, _ = self._parsed(source)
            scopes, owners = Structure(parsed.lexed, parsed.tree.root_node), self._owners(finding)
            for start in used:
                place = _Place(finding.name, source.path, start, scopes.enclosing(start), frozenset(), owners)
                yield self._in_scopes(parsed, place)

    def _in_scopes(self, parsed: ParsedFile, place: _Place) -> str:
        """Whose a name is by the namespaces and classes around a place, and the bases of these."""
        if any(_is_within(place.inner, owner) for owner in place.owners):
            return "own"
        around = reversed(list(parsed.nodes_around(place.start, place.start + 1)))
        kinds = (self._of_class(node, place).kind for node in around)
        return next((kind for kind in kinds if kind != "cuda"), "cuda")

    def _looked_up(self, source: SourceFile, finding: Finding, at: int, owners: dict[str, set[str]]) -> _Whose:
        parsed, listed = self._parsed(source)
        around = list(parsed.nodes_around(at, at + 1))
        here = [one for one in listed if one.scope.start <= at < one.scope.end and (one.start < at or one.is_class)]
        others = self._of_others(source.path)
        opened = frozenset(one.target for one in here if not one.name)
        opened |= {target for space, target, name in others if not name and _is_within(finding.enclosing, space)}
        place = _Place(finding.name, source.path, at, finding.enclosing, opened, owners)
        brought = [one for one in here if one.name == place.name]
        for node in reversed(around):
            for using in reversed(brought):
                if using.scope == Span(node.start_byte, node.end_byte) and node.type != _AT_FILE_LEVEL[0]:
                    return self._of_scope(using.target, place)
            whose = self._of_class(node, place)
            if whose.kind != "cuda":
                return whose
        for space, target, name in others:
            if name == place.name and space and _is_within(place.inner, space):
                return self._of_scope(target, place)
        targets = [one.target for one in brought if one.scope.start == 0]
        targets += [target for space, target, name in others if name == place.name and not space]
        return self._at_file_level(place, targets, here)

    def _of_scope(self, target: str, place: _Place) -> _Whose:
        """Who declares the name in a scope that `using` names; the global one is CUDA's."""
        if not target:
            return _CUDAS
        target = self._aliased(target, place.path)
        if any(_means(owner, target, place) for owner in place.owners):
            return _OWN
        if self._inherited(target, place, _DEPTH).kind == "own":
            return _OWN
        return _Whose("open", f"`using {target}::{place.name}` brings what no file that was read declares.")

    def _of_class(self, node: Node, place: _Place) -> _Whose:
        """Who declares the name in the class that a node is, or that the function it is a member of, and its bases."""
        if node.type in _CLASSES:
            name = node.child_by_field_name("name")
            classes = [] if name is None or name.text is None else [name.text.decode("latin-1").partition("<")[0]]
        elif node.type == "function_definition":
            scope = named_scope(node)
            inside = scope is not None and scope[0].start <= place.start
            classes = [scope[1]] if scope is not None and inside else []
        else:
            return _CUDAS
        for name_of_class in classes:
            if node.type == "function_definition" and any(_means(one, name_of_class, place) for one in place.owners):
                return _OWN
            return self._inherited(name_of_class, place, _DEPTH)
        return _CUDAS

    def _inherited(self, name: str, place: _Place, depth: int) -> _Whose:
        """Who declares the name among the bases of a class; no base that depends on a template's parameters counts."""
        found = list(self._classes(name.rpartition("::")[2], place))
        unseen = ""
        for base in dict.fromkeys(base for bases in found for base in bases if not base.depends):
            target = self._aliased(base.name, place.path)
            if any(_means(owner, target, place, name.rpartition("::")[0]) for owner in place.owners):
                return _OWN
            if not list(self._classes(target.rpartition("::")[2], place)) or not depth:
                unseen = unseen or target
                continue
            whose = self._inherited(target, place, depth - 1)
            if whose.kind != "cuda":
                return whose
        if not unseen or unseen.startswith(_STANDARD) or not self._is_declared_by_a_class(place):
            return _CUDAS
        return _Whose(
            "open", f"a class of this project has a `{place.name}` too, and the base `{unseen}` was not read."
        )

    def _is_declared_by_a_class(self, place: _Place) -> bool:
        return any(list(self._classes(owner.rpartition("::")[2], place)) for owner in place.owners)

    def _classes(self, name: str, place: _Place) -> Iterator[tuple[name_scopes.Base, ...]]:
        """The bases of the classes of a name that are read together with a file."""
        for path in sorted(self._own.together(place.path)):
            source = self._read(path)
            if source is not None and name.encode("latin-1") in source.data:
                yield from name_scopes.classes(lexed(source), name)

    def _at_file_level(self, place: _Place, targets: Sequence[str], here: Sequence[Using]) -> _Whose:
        """Who declares a name that no scope around has: functions of opened namespaces overload CUDA's."""
        owners = {owner for one in targets for owner in place.owners if _means(owner, one, place)}
        spaces = {one.target: one.around for one in here if not one.name}
        for target in place.opened:
            for owner in place.owners:
                if _means(owner, self._aliased(target, place.path), place):
                    if _is_hidden(owner, spaces.get(target, ""), place.inner):
                        return _OWN
                    owners.add(owner)
        if any(targets) and not owners:
            return self._of_scope(next(filter(None, targets)), place)
        return self._overloaded(place, owners) if owners else _CUDAS

    def _overloaded(self, place: _Place, owners: Set[str]) -> _Whose:
        """Whose function a call reaches, by how many arguments it has; two types or variables would be ambiguous."""
        source = self._read(place.path)
        paths = {path for owner in owners for path in place.owners[owner]}
        taken = [one for path in sorted(paths) for one in self._taken(path, place.name)]
        if source is None or not taken or not self._own.may_see_cudas(place.path, place.name):
            return _OWN
        count, cudas = (
            own_functions.given(lexed(source), place.start + len(place.name)),
            own_functions.of_cuda(place.name),
        )
        if count >= 0 and not any(least <= count <= most for least, most in taken):
            return _CUDAS
        if count >= 0 and cudas is not None and not cudas[0] <= count <= cudas[1]:
            return _OWN
        owner = min(owners)
        return _Whose("open", f"`{owner}::{place.name}` of this project is seen too, and its parameters' types decide.")

    def _taken(self, path: str, name: str) -> tuple[tuple[int, int], ...]:
        """How many arguments the functions of a name take that a file declares."""
        source = self._read(path)
        if (path, name) not in self._takes and source is not None:
            parsed, _ = self._parsed(source)
            found = (_declarator(parsed, start) for start in parsed.lexed.words(frozenset((name.encode(),))))
            counts = (own_functions.taken_by(one) or (0, len(source.data)) for one in found if one is not None)
            self._takes[path, name] = tuple(counts)
        return self._takes.get((path, name), ())

    def _of_others(self, path: str) -> list[tuple[str, str, str]]:
        """What headers that a file includes bring outside of functions."""
        return [each for one in sorted(self._own.below(path)) for each in asked(self._read, one, _brought) or ()]

    def _aliased(self, target: str, path: str) -> str:
        """A scope by its own name, where the file or a header has another name for it."""
        first, mark, rest = target.partition("::")
        for one in (path, *sorted(self._own.below(path))):
            known = (asked(self._read, one, _aliases) or {}).get(first)
            if known:
                return f"{known}{mark}{rest}"
        return target

    def _parsed(self, source: SourceFile) -> tuple[ParsedFile, tuple[Using, ...]]:
        if source.path not in self._usings:
            parsed = cuda.parse(replace(source, language="cuda"), frozenset())
            self._usings[source.path] = parsed, name_scopes.usings(parsed)
        return self._usings[source.path]


def _named(source: SourceFile) -> frozenset[str]:
    return name_scopes.named(lexed(source)) if b"using" in source.data else frozenset()


def _brought(source: SourceFile) -> tuple[tuple[str, str, str], ...]:
    return name_scopes.brought(lexed(source)) if b"using" in source.data else ()


def _aliases(source: SourceFile) -> dict[str, str]:
    return name_scopes.aliases(lexed(source)) if b"using" in source.data or b"namespace" in source.data else {}


def _is_scoped(one: Definition) -> bool:
    return bool(one.enclosing) and not one.fallback and not one.alone


def _is_within(inner: str, space: str) -> bool:
    return not space or inner == space or inner.startswith(f"{space}::")


def _means(owner: str, spelled: str, place: _Place, beside: str = "") -> bool:
    """Whether a scope is meant by the last parts of its name: the rest is around the place, or opened there."""
    if owner == spelled:
        return True
    if not owner.endswith(f"::{spelled}"):
        return False
    outer = owner[: -len(spelled) - 2]
    opened = any(outer == one or outer.endswith(f"::{one}") for one in place.opened)
    return opened or _is_within(place.inner, outer) or outer == beside


def _is_hidden(owner: str, around: str, inner: str) -> bool:
    """Whether what a namespace has is nearer than CUDA's where it is opened: both are in a namespace of the project."""
    shared = list[str]()
    for one, other in zip(owner.split("::"), around.split("::"), strict=False):
        if one != other:
            break
        shared.append(one)
    return bool(shared) and _is_within(inner, "::".join(shared))


def _declarator(parsed: ParsedFile, start: int) -> Node | None:
    """What declares a function by the name at an offset."""
    around = parsed.nodes_around(start, start + 1)
    outer = around[-2] if len(around) > 1 else None
    is_one = outer is not None and outer.type == "function_declarator"
    return outer if is_one and outer is not None and outer.child_by_field_name("declarator") == around[-1] else None
