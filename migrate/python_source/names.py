"""What names of a Python text mean: imports -> aliases -> uses with full dotted names.

Result: one `import` use for each package and module imported, spelled `import a.b`, and one use for each dotted name
that begins with an imported name, spelled in full. Relative imports are the project's own.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import Span, Use
from cudamigrate.python_source.literals import inside, plain
from cudamigrate.python_source.source import PySource, argument, arguments, enclosing, parameters

_STAR = {
    "torch.utils.cpp_extension": ("CUDAExtension", "CppExtension", "BuildExtension", "CUDA_HOME", "ROCM_HOME", "load"),
    "pycuda.compiler": ("SourceModule",),
    "numba": ("cuda",),
    "ctypes": (
        *("CDLL", "PyDLL", "WinDLL", "LibraryLoader", "cdll", "pydll", "windll", "byref", "pointer", "addressof"),
        *("Structure", "LittleEndianStructure"),
    ),
    "ctypes.util": ("find_library",),
}
"""Names that a star import of a module brings, as far as rules ask for them."""
_TRITON = {"triton": "triton", "tl": "triton.language", "tldevice": "triton.language.extra.libdevice"}
_PLAIN = sys.stdlib_module_names - {"ctypes"}
"""Packages of Python itself: no uses of their names are given, and none of the package that a file is in."""
_ROOTS = (["src"], ["python"], ["lib"], ["Lib"])
_LIBRARIES = ("triton", "torch", "jax", "cuda", "tensorrt", "numba", "pycuda", "tensorflow", "onnxruntime", "cutlass")
"""Folders called like a library hold code that uses it more often than the library itself."""
_EVERYDAY = re.compile(
    r"torch\.(?!float8)[A-Za-z_]\w*$|torch\.nn\.\w+$|(?:numpy|transformers|pytest)\."
    r"|triton\.language\.(?:load|store|arange|program_id|where|constexpr|cdiv|zeros|full|max|sum|dot|exp|float32|int32)$"
)
"""Names that are alike on every GPU and fill files; no uses of them are given."""
_TORCH = rb"(?=\s*\.\s*(?!nn\b)(?:[a-z_]+\s*\.|float8))"
"""What follows `torch` where more than a function or a type of tensors is meant; passes most of a file over quickly."""
_IMPORTERS = ("importlib.import_module", "__import__")
_MODULE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_TAIL = rb"(?:\s*\.\s*[A-Za-z_]\w*)*"
_CHAIN = re.compile(r"[\w\s.]+")
_FOLLOWING = re.compile(rb"[ \t]*(\(|=(?!=))?")


@dataclass(frozen=True, slots=True)
class Binding:
    """A name that stands for something imported, within a range of the text."""

    name: str
    scope: Span
    full: str


@dataclass(slots=True)
class Names:
    """The imports of one text, and what a name means at a place."""

    py: PySource
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    imports: list[Use] = field(default_factory=list)
    _shadows: dict[str, list[Span]] = field(default_factory=dict)
    _meanings: dict[str, tuple[list[int], list[str]]] = field(default_factory=dict)

    @property
    def own(self) -> list[str]:
        """The package that the file is in, which is the project's: the outermost folder, or that in `src`."""
        folders = self.py.path.split("/")[:-1]
        return [name for name in folders[: 2 if folders[:1] in _ROOTS else 1] if name not in _LIBRARIES]

    def full(self, head: str, offset: int) -> str:
        """What `head` stands for at `offset`: empty where it is not imported, or a parameter hides it."""
        if head not in self._meanings:
            self._meanings[head] = self._swept(head)
        edges, meant = self._meanings[head]
        at = bisect_right(edges, offset) - 1
        return meant[at] if at >= 0 else ""

    def _swept(self, head: str) -> tuple[list[int], list[str]]:
        """Where the meaning of a name changes, and to what: the innermost scope counts, in it the first import."""
        bound = [(one.scope, True, -at, one.full) for at, one in enumerate(self.bindings.get(head, ()))]
        hidden = [(span, False, 0, "") for span in self._shadows.get(head, ())]
        around: list[tuple[int, str]] = []
        changes: dict[int, str] = {}
        for scope, _, _, full in sorted([*bound, *hidden], key=lambda one: (one[0].start, -one[0].end, *one[1:3])):
            _leave(around, scope.start, changes)
            around.append((scope.end, full))
            changes[scope.start] = full
        _leave(around, len(self.py.text) + 1, changes)
        edges = sorted(changes)
        return edges, [changes[at] for at in edges]

    def of(self, node: Node | None) -> str:
        """The full name that an identifier or a chain of attributes stands for; empty where it is no imported name."""
        if node is None or node.type not in ("identifier", "attribute"):
            return ""
        text = self.py.raw(node).decode("utf-8", "replace")
        if text.partition(".")[0].strip() not in self.bindings or not _CHAIN.fullmatch(text):
            return ""
        head, *rest = ("".join(part.split()) for part in text.split("."))
        full = self.full(head, node.start_byte)
        return ".".join([full, *rest]) if full else ""

    def uses(self) -> Iterator[Use]:
        """The imports, and each use of an imported name outside them."""
        yield from self.imports
        if not self.bindings:
            return
        own = {*_PLAIN, *self.own}
        known = [
            name
            for name, bound in self.bindings.items()
            if any(binding.full.partition(".")[0] not in own for binding in bound)
        ]
        if not known:
            return
        heads = b"|".join(name.encode() + (_TORCH if self._is_torch(name) else b"") for name in known)
        for match in re.finditer(rb"(?<![\w.])(?:" + heads + rb")\b" + _TAIL, self.py.text):
            start, end = match.span()
            if self.py.quiet(start):
                continue
            head, *rest = ("".join(part.split()) for part in match[0].decode("utf-8", "replace").split("."))
            full = self.full(head, start)
            if full and not (rest and len(rest) < 3 and _EVERYDAY.match(".".join([full, *rest]))):
                use = self._use(".".join([full, *rest]), start, end, bool(rest))
                if use is not None:
                    yield use

    def _is_torch(self, name: str) -> bool:
        return all(binding.full == "torch" for binding in self.bindings[name])

    def _use(self, name: str, start: int, end: int, dotted: bool) -> Use | None:
        span = self.py.span(start, end)
        text = self.py.text
        after = _FOLLOWING.match(text, end)
        following = after[1] if after else None
        if following == b"=" and not dotted:
            return None  # a keyword argument, or a variable of that name
        if following != b"(":
            return Use("name", name, span, span, certainty="resolved") if "." in name else None
        node = self.py.at(start, end)
        while node is not None and node.type != "call" and node.start_byte == start and node.end_byte <= end:
            node = node.parent
        if node is None or node.type != "call":
            return Use("name", name, span, span, certainty="resolved")
        given = tuple(self.py.place(argument) for argument in arguments(node))
        return Use("call", name, span, self.py.place(node), given, certainty="resolved")


def _leave(around: list[tuple[int, str]], offset: int, changes: dict[int, str]) -> None:
    """Leave the scopes, given by their ends, that are over at an offset: the one around each counts again."""
    while around and around[-1][0] <= offset:
        end, _ = around.pop()
        changes[end] = around[-1][1] if around else ""


def read(py: PySource) -> Names:
    """Collect the imports of a text."""
    names = Names(py)
    for node in py.kind("import"):
        around = enclosing(node, "function_definition")
        scope = Span(0, len(py.text) + 1) if around is None else Span(around.start_byte, around.end_byte)
        whole = node.type == "import_statement"
        for name, full, where in _plain(py, node) if whole else _from(py, node):
            names.bindings.setdefault(name, []).append(Binding(name, scope, full))
            _record(names, full if not where[2] else full.rpartition(".")[0], py.span(*where[:2]))
            if where[2] and "." in full and full.partition(".")[0] not in names.own:
                names.imports.append(_import(full, py.span(*where[3:])))
    _imported_by_call(names)
    names.imports = list(dict.fromkeys(names.imports))
    for name, bound in names.bindings.items():  # notebooks import the same in many cells
        names.bindings[name] = list(dict.fromkeys(bound))
    _assigned(names)
    _shadowed(names)
    names._meanings.clear()  # what was asked for meanwhile did not know all
    return names


def _imported_by_call(names: Names) -> None:
    """Modules that a call imports by a literal, `import_module("pycuda.driver")`; one computed is not known."""
    if b"import_module" not in names.py.text and b"__import__" not in names.py.text:
        return
    for call in names.py.kind("call"):
        function = call.child_by_field_name("function")
        by = names.of(function) or (names.py.raw(function).decode("utf-8", "replace") if function is not None else "")
        given = argument(names.py, call, 0, "name") if by in _IMPORTERS else None
        module = plain(names.py, given) if given is not None and given.type == "string" else None
        if given is not None and module is not None and _MODULE.fullmatch(module):
            _record(names, module, names.py.span(*inside(given)))


def _record(names: Names, module: str, span: Span) -> None:
    """One use for the module and one for each package around it; none for what comes with Python."""
    parts = module.split(".")
    if not module or parts[0] in _PLAIN or parts[0] in names.own:
        return
    names.imports.extend(_import(".".join(parts[: end + 1]), span) for end in range(len(parts)))


def _import(name: str, span: Span) -> Use:
    return Use("import", f"import {name}", span, span, certainty="resolved")


Where = tuple[int, int, bool, int, int]
"""Range of the module's name; whether a name is taken out of it, and the range of that."""


def _plain(py: PySource, node: Node) -> Iterator[tuple[str, str, Where]]:
    for child in node.children_by_field_name("name"):
        alias = child.child_by_field_name("alias")
        module = child.child_by_field_name("name") if alias is not None else child
        if module is None:
            continue
        full = py.raw(module).decode("utf-8", "replace")
        where = (module.start_byte, module.end_byte, False, 0, 0)
        if alias is not None:
            yield py.raw(alias).decode("utf-8", "replace"), full, where
        else:
            head = full.partition(".")[0]
            yield head, head, where
            if head != full:
                yield "", full, where  # only the import is reported


def _from(py: PySource, node: Node) -> Iterator[tuple[str, str, Where]]:
    module = node.child_by_field_name("module_name")
    if module is None or module.type != "dotted_name":
        return
    package = py.raw(module).decode("utf-8", "replace")
    span = (module.start_byte, module.end_byte)
    if any(child.type == "wildcard_import" for child in node.children):
        yield "", f"{package}.*", (*span, True, *span)
        for name in _STAR.get(package, ()):
            yield name, f"{package}.{name}", (*span, True, *span)
    for child in node.children_by_field_name("name"):
        alias = child.child_by_field_name("alias")
        target = child.child_by_field_name("name") if alias is not None else child
        if target is None:
            continue
        name = py.raw(target).decode("utf-8", "replace")
        bound = py.raw(alias).decode("utf-8", "replace") if alias is not None else name
        full = f"{package}.{name}"
        if name in _TRITON and "triton" in package and package.partition(".")[0] != "triton":
            full = _TRITON[name]  # a project's own module that passes Triton on, or a stand-in where there is none
        yield bound, full, (*span, True, target.start_byte, target.end_byte)


def _assigned(names: Names) -> None:
    """`libdevice = tl.extra.libdevice` at the top of a file names a module too."""
    names.bindings.pop("", None)
    for node in names.py.tree.root_node.named_children:
        node = node.named_children[0] if node.type == "expression_statement" and node.named_children else node
        if node.type != "assignment":
            continue
        target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        full = names.of(value) if value is not None and value.type == "attribute" else ""
        if target is not None and target.type == "identifier" and full:
            name = names.py.raw(target).decode("utf-8", "replace")
            whole = Span(0, len(names.py.text) + 1)
            names.bindings.setdefault(name, []).append(Binding(name, whole, full))
            names._meanings.pop(name, None)


def _shadowed(names: Names) -> None:
    """Parameters that hide an imported name in their function."""
    for node in names.py.kind("parameters"):
        declared = {names.py.raw(name).decode("utf-8", "replace") for name in parameters(node)}
        for name in declared & names.bindings.keys():
            if node.parent is not None:
                names._shadows.setdefault(name, []).append(Span(node.parent.start_byte, node.parent.end_byte))
