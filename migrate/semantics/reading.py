"""One file as libclang reads it: what an expression is worth and of what type, what is called, and where it runs.

Result: answers for ranges of bytes. Code around may be broken and headers missing: there is an answer only where
nothing that it rests on is part of an error, or is in a conditional that may go either way.
"""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from cudamigrate.compilation.engines import clang
from cudamigrate.cuda.nesting import too_deep
from cudamigrate.lazy_re import re
from cudamigrate.model.verification import Toolchain, Unit
from cudamigrate.semantics.cursors import Kind, evaluated, is_invalid, kind_of, span, targets
from cudamigrate.syntax import utf8

Named = Literal["language", "own", "member", "unknown"]
"""What a call names: a function of CUDA's, one of the project's, one in a class or namespace of the project's."""
Decided = Callable[[str, int], bool]
"""Whether the code at an offset of a file of the tree is there in every build for CUDA."""

_ERROR = 3
_ON_DEVICE = frozenset(("CUDAGLOBAL_ATTR", "CUDADEVICE_ATTR"))
_FUNCTIONS = frozenset(
    ("FUNCTION_DECL", "FUNCTION_TEMPLATE", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION")
)
_CLASSES = frozenset(("CLASS_DECL", "STRUCT_DECL", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"))
_REFERENCES = frozenset(("DECL_REF_EXPR", "MEMBER_REF_EXPR", "TYPE_REF", "TEMPLATE_REF"))
_GIVEN = frozenset(("TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TYPE_PARAMETER", "PARM_DECL"))
_NAMES = frozenset(("DECL_REF_EXPR", "MEMBER_REF_EXPR", "OVERLOADED_DECL_REF"))
_DEFINE = re.compile(rb"^" + utf8.MARK + rb"[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
"""The name of a macro, first in a line: `#define NAME`."""
_WORD = re.compile(rb"[A-Za-z_]\w*")
_KEYWORDS = frozenset(
    b"alignas auto const constexpr enum inline int long noexcept short signed static unsigned".split()
)
"""Words that some library defines for old compilers, to the same meaning."""
_DEPTH = 8


@dataclass(frozen=True, slots=True)
class Expression:
    """What is known of an expression or a constant: its type, and its value where the compiler knows one."""

    kind: Kind
    value: int | None = None
    type: str = ""


class Reading:
    """A parsed file. `decided` judges conditionals, `read` gives the bytes of a file by its absolute path."""

    def __init__(self, unit: Unit, toolchain: Toolchain, decided: Decided, read: Callable[[str], bytes]) -> None:
        self.root, self.file = unit.root, f"{unit.root}/{unit.path}"
        self.decided, self.read, self.language = decided, read, toolchain.headers
        if too_deep(read(self.file)) is not None:
            raise ValueError(f"{unit.path} nests too deep to be parsed")
        _, _, options = next(clang.passes(unit))
        self.tree = clang.parse(unit, toolchain, options)
        self.files = (self.file, *(str(one.include.name) for one in self.tree.get_includes()))
        self._errors = self._places_of_errors()
        inside = (one for one in self.tree.cursor.get_children() if _file(one) == self.file)
        self._top = sorted(((*span(one), one) for one in inside), key=_place)
        self._starts = [start for start, _, _ in self._top]
        self._known: dict[tuple[str, int, int], bool] = {}
        self._macros: dict[bytes, list[tuple[str, int]]] | None = None

    def expression(self, start: int, end: int) -> Expression | None:
        """What covers exactly a range of bytes; None where nothing does, or nothing sure can be said."""
        found = [one for one in self._around(start) if span(one) == (start, end) and one.kind.is_expression()]
        if not found or self._is_broken(self.file, start, end):
            return None
        kinds = [kind_of(one.type) for one in found]
        written = next((at for at in range(len(found) - 1, -1, -1) if kinds[at] != "other"), -1)
        values = (self._value(one) for one, kind in zip(found, kinds, strict=True) if kind == "integer")
        value = next((value for value in values if value is not None), None)
        return Expression(kinds[written], value, _spelled(found[written].type))

    def constant(self, offset: int) -> Expression | None:
        """The constant or enumerator whose name is declared at an offset."""
        for one in self._around(offset):
            enumerator = one.kind.name == "ENUM_CONSTANT_DECL"
            if (enumerator or one.kind.name == "VAR_DECL") and int(one.location.offset) == offset:
                fixed = enumerator or one.type.is_const_qualified()
                if not fixed or is_invalid(one) or not self._is_sound(one):
                    return None
                kind: Kind = "integer" if enumerator else kind_of(one.type)
                return Expression(kind, int(one.enum_value) if enumerator else evaluated(one), _spelled(one.type))
        return None

    def called(self, offset: int) -> Named:
        """Whose function the name at an offset is."""
        for one in self._around(offset):
            if one.kind.name in _NAMES and int(one.location.offset) == offset:
                owners = {self._owner(target) for target in targets(one)}
                if owners and owners != {"unknown"}:
                    return owners.pop() if len(owners) == 1 else "unknown"
        return "unknown"

    def is_device(self, offset: int) -> bool | None:
        """Whether code at an offset runs on the device; None where the head of its function is not understood."""
        around = [one for one in self._around(offset) if one.kind.name in _FUNCTIONS]
        if not around:
            return None
        if any(child.kind.name in _ON_DEVICE for one in around for child in one.get_children()):
            return True
        start, end = span(around[-1])
        body = [child for child in around[-1].get_children() if child.kind.name == "COMPOUND_STMT"]
        head = span(body[0])[0] if body else end
        return None if is_invalid(around[-1]) or self._is_broken(self.file, start, head) else False

    def _places_of_errors(self) -> dict[str, list[int]]:
        """Where errors are, by file; that a header is missing is no error of the code after it."""
        found: dict[str, list[int]] = {}
        for entry in self.tree.diagnostics:
            place = entry.location
            if entry.severity >= _ERROR and place.file is not None and "file not found" not in str(entry.spelling):
                found.setdefault(str(place.file.name), []).append(int(place.offset))
        return {file: sorted(places) for file, places in found.items()}

    def _is_broken(self, file: str, start: int, end: int) -> bool:
        places = self._errors.get(file, [])
        at = bisect_left(places, start)
        return at < len(places) and places[at] < end

    def _around(self, offset: int) -> Iterator[Any]:
        """The cursors around an offset, outermost first."""
        at = bisect_right(self._starts, offset)
        level = [one for start, end, one in self._top[max(0, at - 8) : at] if start <= offset < end]
        while level:
            inner: list[Any] = []
            for one in level:
                yield one
                inner += [child for child in one.get_children() if _holds(child, offset) or _is_marked(child)]
            level = inner

    def _value(self, cursor: Any) -> int | None:
        """What an expression is worth in every build, by declarations that are all understood."""
        value, (start, end) = evaluated(cursor), span(cursor)
        if value is None or not self._spells_decided(self.file, start, end):
            return None
        return value if self._rests(cursor, _DEPTH) else None

    def _is_sound(self, cursor: Any, depth: int = _DEPTH) -> bool:
        """Whether nothing that a cursor rests on is broken, or is in a conditional that may go either way."""
        file, (start, end) = cursor.extent.start.file, span(cursor)
        if file is None or depth == 0:
            return False
        key = (str(file.name), start, end)
        if not self._is_ours(key[0]):
            return True
        if key not in self._known:
            self._known[key] = True  # a declaration that leads back to itself adds nothing
            decided = self.decided(key[0], start) and self._spells_decided(*key)
            self._known[key] = decided and not self._is_broken(*key) and self._rests(cursor, depth)
        return self._known[key]

    def _rests(self, cursor: Any, depth: int) -> bool:
        """Whether all that a cursor names is sound."""
        inside = list(cursor.walk_preorder())
        measured = any(one.kind.name == "CXX_UNARY_EXPR" for one in inside)  # `sizeof` looks into classes
        for one in inside:
            if one.kind.name not in _REFERENCES:
                continue
            target = one.referenced
            if target is None and any(span(child) == span(one) for child in one.get_children()):
                continue  # a parameter of a template, with what it is given there
            if target is None or is_invalid(target):
                return False
            if target.kind.name in _GIVEN or target == cursor:
                continue
            target = target.get_definition() or target
            whole = measured or target.kind.name not in _CLASSES
            if not (self._is_sound(target, depth - 1) if whole else self._is_there(target)):
                return False
        return True

    def _is_there(self, target: Any) -> bool:
        """Whether a class is there in every build, whatever is broken in it."""
        file = _file(target)
        return bool(file) and (not self._is_ours(file) or self.decided(file, span(target)[0]))

    def _spells_decided(self, file: str, start: int, end: int) -> bool:
        """Whether each macro that a range of the tree spells is the same in all builds for CUDA."""
        if self._macros is None:
            self._macros = {}
            for path in filter(self._is_ours, dict.fromkeys(self.files)):
                for match in _DEFINE.finditer(self.read(path)):
                    self._macros.setdefault(match[1], []).append((path, match.start(1)))
        words = set(_WORD.findall(self.read(file)[start:end])) - _KEYWORDS
        return all(self.decided(*place) for word in words for place in self._macros.get(word, ()))

    def _is_ours(self, file: str) -> bool:
        return os.path.normpath(file).startswith(self.root + os.sep)

    def _owner(self, target: Any) -> Named:
        place = target.location.file
        if place is None:
            return "unknown"
        if not self._is_ours(str(place.name)):
            known = str(place.name).startswith(self.language) or "/__clang_cuda_" in str(place.name)
            return "language" if known else "unknown"
        parent = target.semantic_parent
        return "member" if parent is not None and parent.kind.name in (*_CLASSES, "NAMESPACE") else "own"


def _place(entry: tuple[int, int, Any]) -> tuple[int, int]:
    return entry[:2]


def _spelled(type_: Any) -> str:
    return str(type_.get_canonical().spelling).removeprefix("const ")


def _file(cursor: Any) -> str:
    file = cursor.extent.start.file
    return "" if file is None else str(file.name)


def _is_marked(cursor: Any) -> bool:
    """Whether a cursor is a statement behind a pragma, whose place libclang tells as that of the pragma."""
    return bool(cursor.kind.name == "UNEXPOSED_STMT")


def _holds(cursor: Any, offset: int) -> bool:
    start, end = span(cursor)
    return start <= offset < end
