"""Options for nvcc in Python: in lists of flags, in calls that take them, in what a build script collects.

Result: a use of kind `option` for each flag, as in every other kind of file.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from tree_sitter import Node

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.model import Use
from cudamigrate.python_source import callers
from cudamigrate.python_source.literals import inside, plain
from cudamigrate.python_source.named_arguments import NamedArguments, returns
from cudamigrate.python_source.names import Names
from cudamigrate.python_source.source import PySource, enclosing
from cudamigrate.syntax import compiler_options as nvcc
from cudamigrate.syntax.compiler_options import Word

_KEYS = ("nvcc", "nvcc_dlink")
_HOST_KEYS = ("cxx",)
_HOST_KEYWORDS = ("extra_cflags",)
"""A key and a parameter of PyTorch's whose value holds options of the host's compiler. Source: its cpp_extension.py."""
_KEYWORDS = re.compile(
    r"^nvcc(?:_dlink)?$|extra_(?:cuda|nvcc)_(?:c?flags|compile_args)$|nvcc_(?:args|flags|options|extra)|cuda_c?flags$"
    r"|extra_(?:ldflags|link_args)$"
)
"""A key or argument whose value holds nvcc's options: `nvcc`, `extra_cuda_cflags`, `nvcc_args`; or the linker's."""
_EXTENSION, _OF_BOTH = "CUDAExtension", "extra_compile_args"
"""What PyTorch builds of sources for GPUs, and its parameter whose list the host's compiler and nvcc get."""
_BUILDS = ("Extension", "load", "load_inline")
"""How the functions end that have an extension built."""
_BY_SCONS = (
    *("Environment", ".Append", ".AppendUnique", ".Prepend", ".PrependUnique", ".Replace", ".Clone"),
    *("Program", "SharedLibrary", "StaticLibrary", "LoadableModule"),
)
"""How the functions end that SCons has for an environment's variables and for what is linked. Source: its man page."""
_VARIABLE = re.compile(rb"(?i)nvcc|cuda_?(?:c|cxx|cpp)?_?flags|gencode|(?:^|_)cc_flags?$|ptxas")
"""A variable for such options, in any case: `NVCC_FLAGS`, `cuda_flags`, `GENCODE`; `cc_flag` has to be at the end."""
_WORTH = re.compile(
    rb"libraries\s*=|\bLIBS\s*=|extra_compile_args|ldflags|link_args|nvcc|NVCC|gencode|GENCODE|uda_?(?:c|cxx|cpp)?_?flags|UDA_?(?:C|CXX)?_?FLAGS|cc_flag|ptxas"
)
"""Bytes without which a file has no such options; `uda_flags` without its first letter matches `cuda` and `Cuda`."""
_SETUPTOOLS = re.compile(
    rb"\b(?:setuptools|distutils)\b[^\n]*\bExtension\b|\b(?:setuptools|distutils)[\w.]*\.Extension\b"
)
"""An extension that setuptools builds: `from setuptools import Extension`, `setuptools.Extension(`."""
_NAMES_NVCC = re.compile(rb"[\"'/]nvcc(?:\.exe)?[\"']")
"""A literal that is the compiler, with a folder or not: `"nvcc"`, `f"{home}/bin/nvcc"`."""
_FOR_NVCC = re.compile(rb"\[[ \t]*[\"']\w*nvcc_?(?:flag|opt)\w*[\"'][ \t]*\][ \t]*\+?=(?!=)", re.IGNORECASE)
"""A value for nvcc by its key, which a script puts into a file of the build: `values["NVCC_FLAGS"] = `."""
_ADDS = (b"append", b"extend", b"insert")
_OF_TEXT = (b".split", b".format")
"""Methods of a text that are called on a literal with options."""
_ASKS = (b".startswith", b".endswith", b".find", b".index", b".count")
"""Methods that only look for what they are given."""
_HOLDERS = ("list", "tuple", "set", "parenthesized_expression", "binary_operator", "boolean_operator", "list_splat")
_WRITTEN = re.compile(rb"(?:\{[^{}\n]*\}|(?!\\[ntr\n])[^\s])+")
"""A word of a literal as it is written, with a value in braces whole: `arch=compute_{a + b},code=sm_{c}`."""
_DEPTH = 200
_OPTION = re.compile(r"--?[A-Za-z][\w-]*")


@dataclass(slots=True)
class _Reader:
    py: PySource
    names: Names
    additions: Mapping[bytes, Sequence[Node]]
    returns: Mapping[bytes, Sequence[Node]]
    named: NamedArguments
    shared: frozenset[str] = frozenset()
    """Names of the file whose values builds of other files get as options."""
    seen: set[int] = field(default_factory=set)
    outer: list[str] = field(default_factory=list)
    """Names of other files that expressions which were followed have."""

    def strings(self, node: Node | None, through: set[bytes], depth: int = 0) -> Iterator[Node]:
        """The literals that an expression may put into a list; what is in `through` was followed before."""
        if node is None or depth > _DEPTH:
            return
        if node.type == "string":
            yield node
            return
        for child in self._parts(node, through):
            yield from self.strings(child, through, depth + 1)

    def _parts(self, node: Node, through: set[bytes]) -> list[Node]:
        """The expressions whose literals are those of `node`."""
        if node.type == "identifier":
            found = [*self._held(self.py.raw(node), through), *self._passed(node, through)]
            return found or self._elsewhere(node)
        if node.type == "attribute":
            return self._elsewhere(node)
        if node.type in _HOLDERS:
            return node.named_children
        if node.type == "conditional_expression" and node.named_child_count == 3:
            return [node.named_children[0], node.named_children[2]]
        function = node.child_by_field_name("function") if node.type == "call" else None
        if function is not None and function.type == "attribute" and self.py.raw(function).endswith(_OF_TEXT):
            return [owner] if (owner := function.child_by_field_name("object")) is not None else []
        if function is not None and function.type == "identifier" and self.py.raw(function) in self.returns:
            return self._called(node, self.py.raw(function), through)
        return self._elsewhere(function) if function is not None else []

    def _elsewhere(self, node: Node) -> list[Node]:
        """No expressions: a name that the file does not set may be another's."""
        if node.type in ("identifier", "attribute"):
            text = "".join(self.py.raw(node).decode("utf-8", "replace").split())
            self.outer.append(text.removeprefix("*"))  # the grammar takes `[*a.b]` for an attribute of `*a`
        return []

    def _held(self, name: bytes, through: set[bytes]) -> list[Node]:
        """What a variable is set to, and what is added to its list."""
        fresh = name not in through
        through.add(name)
        return [*self.py.values(name), *self.additions.get(name, ())] if fresh else []

    def _passed(self, node: Node, through: set[bytes]) -> list[Node]:
        """What the calls of the function around a name give it, where it is a parameter."""
        function = callers.function_of(self.py, node)
        name = self.py.raw(node)
        key = b"%b@%d" % (name, function.start_byte if function is not None else 0)
        if function is None or key in through:
            return []
        through.add(key)
        return list(callers.given(self.py, function, name))

    def _called(self, call: Node, name: bytes, through: set[bytes]) -> list[Node]:
        """What a function of the file returns, and the lists that a call of it passes on."""
        fresh = name + b"()" not in through
        through.add(name + b"()")
        listed = call.child_by_field_name("arguments")
        given = listed.named_children if listed is not None else []
        returned = self.returns[name] if fresh else []
        return [*returned, *(one for one in given if one.type != "keyword_argument")]

    def handed(self) -> Iterator[Node]:
        """The expressions that names of the file stand for which builds of other files get."""
        for name in sorted(self.shared):
            raw = name.encode()
            found = [*self.py.values(raw), *self.additions.get(raw, ()), *self.returns.get(raw, ())]
            yield from found
            if not found:
                self.outer.append(name)  # it may be imported only to be given on

    def roots(self) -> Iterator[Node | None]:
        """Expressions that hold flags for nvcc."""
        py = self.py
        yield from self.handed()
        yield from self._under(_KEYS)
        for node in py.kind("assignment"):
            target = node.child_by_field_name("left")
            if target is not None and self._collects(target):
                yield node.child_by_field_name("right")
        for node in py.kind("call"):
            yield from self._given(node)

    def host_roots(self) -> Iterator[Node | None]:
        """Expressions that hold options for the host's compiler of an extension that PyTorch builds."""
        py = self.py
        yield from self._under(_HOST_KEYS)
        for call in py.kind("call"):
            yield from (value for name, value in self.named.of(call) if name in _HOST_KEYWORDS)

    def _under(self, keys: Container[str]) -> Iterator[Node | None]:
        """The values that dictionaries of the file have under some keys."""
        for node in self.py.kind("dictionary"):
            for pair in node.named_children:
                key = pair.child_by_field_name("key") if pair.type == "pair" else None
                if key is not None and plain(self.py, key) in keys:
                    yield pair.child_by_field_name("value")

    def _collects(self, target: Node) -> bool:
        if target.type in ("identifier", "attribute"):
            return _VARIABLE.search(self.py.raw(target)) is not None
        if target.type == "subscript":
            keys = (plain(self.py, key) or "" for key in target.children_by_field_name("subscript"))
            return any(_KEYWORDS.search(key) or _VARIABLE.search(key.encode()) for key in keys)
        return False

    def _given(self, call: Node) -> Iterator[Node | None]:
        listed, function = call.child_by_field_name("arguments"), call.child_by_field_name("function")
        if listed is None or function is None:
            return
        extends = self.called(call).endswith(_EXTENSION)
        for name, value in self.named.of(call):
            if _KEYWORDS.search(name) or (extends and name == _OF_BOTH):
                yield value
        if function.type == "attribute":
            method, owner = function.child_by_field_name("attribute"), function.child_by_field_name("object")
            if method is not None and owner is not None and self.py.raw(method) in _ADDS and self._collects(owner):
                yield from listed.named_children

    def called(self, call: Node) -> str:
        """What a call calls: by its full name where the text imports it, else as it is written."""
        function = call.child_by_field_name("function")
        if function is None:
            return ""
        return self.names.of(function) or self.py.raw(function).decode("utf-8", "replace")

    def returned(self) -> Iterator[Node]:
        """Literals in functions that are about flags for nvcc, as `def nvcc_args(self)`."""
        for node in self.py.kind("string"):
            if node.start_byte in self.seen:
                continue
            text = plain(self.py, node)
            if text is None or not _OPTION.match(text):
                continue
            around = enclosing(node, "function_definition")
            name = around.child_by_field_name("name") if around is not None else None
            if name is not None and _VARIABLE.search(self.py.raw(name)):
                yield node


_GIVEN_BY_TORCH = frozenset(("-D__CUDA_NO_HALF_OPERATORS__", "-D__CUDA_NO_HALF_CONVERSIONS__"))
"""Options that PyTorch gives to the compiler for AMD itself, under HIP's names. Source: its cpp_extension.py."""


def _additions(py: PySource) -> Mapping[bytes, Sequence[Node]]:
    """What methods add to the list of each name, wherever; `+=` is an assignment."""
    found: dict[bytes, list[Node]] = {}
    for node in py.kind("call"):
        function, listed = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or listed is None or function.type != "attribute":
            continue
        method, owner = function.child_by_field_name("attribute"), function.child_by_field_name("object")
        if owner is not None and method is not None and py.raw(method) in _ADDS:
            found.setdefault(py.raw(owner), []).extend(listed.named_children)
    return found


def _reader(py: PySource, names: Names, shared: frozenset[str] = frozenset()) -> _Reader:
    return _Reader(py, names, _additions(py), returns(py), NamedArguments(py), shared)


def outside(py: PySource, names: Names, shared: frozenset[str], builds: bool) -> list[str]:
    """The names of other files from which options come, for builds of the file, or for `shared` names of it alone."""
    reader, followed = _reader(py, names, shared), set[bytes]()
    for root in reader.roots() if builds else reader.handed():
        for _ in reader.strings(root, followed):
            pass
    return list(dict.fromkeys(reader.outer))


def uses(py: PySource, names: Names, shared: frozenset[str] = frozenset()) -> Iterator[Use]:
    """Each option for nvcc, once; `names` are the imports of the text, `shared` its names that other files' builds get
    as options."""
    if not _WORTH.search(py.text) and not shared:
        return
    reader = _reader(py, names, shared)
    found: list[Node] = []
    followed = set[bytes]()
    for root in reader.roots():
        for node in reader.strings(root, followed):
            if node.start_byte not in reader.seen:
                reader.seen.add(node.start_byte)
                found.append(node)
    if any(_VARIABLE.search(name) for name in _functions(py)):
        found.extend(reader.returned())
    found.extend(_by_themselves(reader))
    yield from _libraries(reader)
    given = _GIVEN_BY_TORCH if b"cpp_extension" in py.text or shared else frozenset()
    for listed in _lists(py, found):
        read = nvcc.uses(word for node in listed for word in _words(py, node))
        yield from (use for use in read if use.name not in given)


def is_for_host(py: PySource, names: Names, literal: Node) -> bool:
    """Whether the host's compiler gets what a literal says, alone or beside nvcc: `{"cxx": ["-lineinfo"]}`."""
    if not any(word in py.text for word in (b"cxx", b"extra_cflags")):
        return False
    reader, followed = _reader(py, names), set[bytes]()
    found = (node for root in reader.host_roots() for node in reader.strings(root, followed))
    return any(node.start_byte == literal.start_byte for node in found)


def runs_nvcc(py: PySource) -> bool:
    """Whether a program names the compiler itself: `subprocess.run(["nvcc", source])`."""
    return _NAMES_NVCC.search(py.text) is not None


def _libraries(reader: _Reader) -> Iterator[Use]:
    """Libraries that an extension is linked with, as the options that they come to: `libraries=["cublas"]`.

    SCons has them in `LIBS` of an environment or of what is built with one.
    """
    py = reader.py
    extends = b"cpp_extension" in py.text or _SETUPTOOLS.search(py.text) is not None
    if not extends and b"LIBS" not in py.text:
        return
    for call in py.kind("call"):
        called = reader.called(call)
        name = "LIBS" if called.endswith(_BY_SCONS) else "libraries" if extends and called.endswith(_BUILDS) else ""
        if name:
            listed = reader.named.value(call, name)
            for node in (one for value in listed for one in reader.strings(value, set())):
                text = plain(py, node)
                if text and node.start_byte not in reader.seen:
                    reader.seen.add(node.start_byte)
                    span = py.span(*inside(node))
                    yield Use("option", f"-l{text}", span, span, certainty="syntax")


def _lists(py: PySource, found: list[Node]) -> Iterator[list[Node]]:
    """Literals that are side by side in one list, where an option may have its argument in the next.

    For a PyTorch extension, so do two literals that are appended to a list one after the other.
    """
    appends = b"cpp_extension" in py.text
    row: list[Node] = []
    for node in sorted(found, key=lambda node: node.start_byte):
        if row and row[-1].next_named_sibling != node and not (appends and _appended(py, row[-1], node)):
            yield row
            row = []
        row.append(node)
    if row:
        yield row


def _appended(py: PySource, node: Node, following: Node) -> bool:
    """Whether two statements in a row append the two literals to the same list."""
    calls = [
        one.parent.parent for one in (node, following) if one.parent is not None and one.parent.type == "argument_list"
    ]
    if len(calls) != 2 or calls[0] is None or calls[1] is None:
        return False
    first, second = calls[0].parent, calls[1].parent
    called = {py.raw(part) for call in calls if call is not None and (part := call.child_by_field_name("function"))}
    if first is None or second is None or len(called) != 1 or not called.pop().endswith(b".append"):
        return False
    return first.type == "expression_statement" and first.next_named_sibling == second


def _by_themselves(reader: _Reader) -> Iterator[Node]:
    """Literals that mean nvcc by what they say, in a program that names nvcc: `f"-arch=sm_{arch}"` in any list."""
    py = reader.py
    if not (_NAMES_NVCC.search(py.text) or _FOR_NVCC.search(py.text)):
        return
    for node in py.kind("string"):
        start, end = inside(node)
        if node.start_byte in reader.seen or not py.text.startswith(b"-", start, end) or _is_asked_for(py, node):
            continue
        around = node.parent.type if node.parent is not None else ""
        held = around in (*_HOLDERS, "list_comprehension", "assignment", "argument_list")
        if held and any(True for _ in nvcc.uses(_words(py, node), plain=True)):
            reader.seen.add(node.start_byte)
            yield node


def _is_asked_for(py: PySource, node: Node) -> bool:
    """Whether a literal is what words are looked at for, and given to no compiler: `arg.startswith("-ccbin")`."""
    call = node.parent.parent if node.parent is not None and node.parent.type == "argument_list" else None
    called = call.child_by_field_name("function") if call is not None else None
    return called is not None and py.raw(called).endswith(_ASKS)


def _functions(py: PySource) -> Iterator[bytes]:
    for match in re.finditer(rb"\bdef\s+(\w+)", py.text):
        yield match[1]


def _words(py: PySource, node: Node) -> Iterator[Word]:
    """The words of one literal; where a value or an escape is in it, as they are written."""
    text, start = plain(py, node), inside(node)[0]
    if text is None:
        end = inside(node)[1]
        for found in _WRITTEN.finditer(py.text, start, end):
            yield Word(found[0].decode("utf-8", "replace"), py.span(*found.span()))
        return
    for match in re.finditer(r"\S+", text):
        begin_at = start + len(text[: match.start()].encode())
        yield Word(match[0], py.span(begin_at, begin_at + len(match[0].encode())))
