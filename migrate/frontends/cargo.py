"""Cargo: build scripts of Rust that compile by nvcc or link CUDA's libraries, and crates that bind CUDA.

Nothing is rewritten: the crate that compiles C and C++ for build scripts knows no HIP, and code that calls a binding is
written against another crate. Each name is found once in a file, options of nvcc wherever there are any.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import SourceFile, Span, Use
from cudamigrate.syntax import compiler_options, rust_crates, rust_texts, tree_sitter_nodes, utf8
from cudamigrate.syntax.compiler_options import Word
from cudamigrate.syntax.project_file import ProjectFile, first_of_each, use_at
from cudamigrate.syntax.toml_values import key_of, values
from cudamigrate.syntax.tree_sitter_nodes import Kinds

FILES = {"build.rs": "cargo", "Cargo.toml": "cargo"}
PART = "build"
TRIGGER = re.compile(
    rb"cuda|nvcc|nccl|cudnn|nvml|cust|cublas|nvidia-smi|ptxas|cuobjdump|nvdisasm|fatbinary|nvlink|\.cu\b|"
    + compiler_options.MARKS,
    re.IGNORECASE,
)
"""Bytes that make a file worth reading: names of CUDA's parts and of crates for them, or an option that means nvcc."""

_CALLS = Kinds("rust", "call_expression")
_TEXTS = Kinds("rust", "string_content")
_OPTIONS = ("arg", "args", "flag", "flags", "flag_if_supported")
"""Methods of `cc::Build` and of `Command` that take options."""
_INTO = {"call_expression": "function", "field_expression": "value"}
"""What a chain of calls goes on in, from its last call to what it begins with."""
_CHAIN = ("call_expression", "field_expression", "try_expression", "await_expression")
_NVCC = re.compile(r"(?:.*[/\\])?nvcc(?:\.exe)?")
_TOOL = re.compile(r"(?:.*[/\\])?(?P<name>nvidia-smi|ptxas|cuobjdump|nvdisasm|fatbinary|nvlink)(?:\.exe)?")
"""A program of NVIDIA's beside its compiler that a build may run."""
_LINKED = re.compile(r"cargo::?rustc-link-lib=(?:[\w:+,-]+=)?(?P<name>[\w.-]+)")
"""What a build script prints for a library to link: `cargo:rustc-link-lib=dylib=cudart`."""
_FOLDER = re.compile(r"(?P<name>CUDA_(?:HOME|PATH|ROOT|TOOLKIT_ROOT_DIR|LIBRARY_PATH)\b|(?:/usr/local|/opt)/cuda\b)")
"""Where a CUDA toolkit is: a variable of the environment, or a folder."""
_SOURCE = re.compile(r"[\w./\\-]+\.cu")
_HIP = re.compile(r"(?:.*[/\\])?(?:hipcc|amdclang\+\+)(?:\.exe)?")
_TAKING = ("file", "files")
"""Methods of `cc::Build`, and of builders that are like it, that take sources."""
_MODULES = frozenset(["std", "core", "alloc", "crate", "self", "super", "fs", "env", "process", "io", "path"])
"""What paths of Rust begin with that lead to no other crate: a source is read or copied there, not compiled."""
_TABLE = re.compile(r"(?:target\..+\.)?(?:workspace\.)?(?:build-|dev-)?dependencies(?:\.(?P<crate>[\w-]+))?")
_KINDS = {"cargo binding": rust_crates.BINDINGS, "cargo compiling": rust_crates.COMPILING}
"""What crates are for, by the names that uses of them have."""


_COMPILING_IN_CODE = frozenset(map(rust_crates.in_code, rust_crates.COMPILING))
"""Crates of which the manifest says that they run nvcc."""


def parse(source: SourceFile) -> ProjectFile:
    """Read `source`. Never raises on any bytes."""
    found = _script(source.data) if source.path.endswith(".rs") else _manifest(source.data)
    return ProjectFile(source, sorted(found, key=lambda use: (use.span, use.name)))


def broken(data: bytes) -> int:
    """Nothing is rewritten here, and nothing can be worse."""
    return 0


def _script(data: bytes) -> Iterator[Use]:
    """What a build script says: by the calls that lead to nvcc, with their options, and by every other text in it."""
    root = tree_sitter_nodes.parse("rust", data).root_node
    calls = _CALLS.below(root)
    cuda = [node for node in calls if _method(node) == "cuda" and _is_true(node)]
    builders = {_builder(node) for node in (*cuda, *filter(_runs_nvcc, calls))}
    options: dict[str, dict[int, Node]] = {}
    for node in calls:
        if _method(node) in _OPTIONS and (builder := _builder(node)) in builders:
            options.setdefault(builder, {}).update((text.start_byte, text) for text in _TEXTS.below(_arguments(node)))
    for texts in options.values():  # of a chain, the last call is around all others
        yield from compiler_options.uses([_word(texts[start]) for start in sorted(texts)])
    taken = {start for texts in options.values() for start in texts}
    others = [text for text in _TEXTS.below(root) if text.start_byte not in taken]
    fields = [_field(node) for node in cuda]
    named = [use_at("cc cuda", field.start_byte, field.end_byte) for field in fields if field is not None]
    started = [use for node in calls for use in _started(node)]
    said = [use for text in others for use in _said(text)]
    yield from first_of_each((*named, *started, *said))
    if not named and not any(use.name == "nvcc command" for use in said):
        yield from first_of_each(_compiled(root, calls))
    for text in others:
        yield from compiler_options.uses([_word(text)], plain=True)


def _said(text: Node) -> Iterator[Use]:
    """What one text names: nvcc, one of CUDA's libraries to link, where a toolkit is."""
    word = _word(text)
    if _NVCC.fullmatch(word.text):
        yield use_at("nvcc command", text.start_byte, text.end_byte)
    linked = _LINKED.match(word.text)
    if linked is not None:
        use = _within(text, "cargo link", linked)
        if compiler_options.is_library(Use("option", f"-l{linked['name']}", use.span, use.span, certainty="syntax")):
            yield use
    folder = _FOLDER.search(word.text)
    if folder is not None:
        yield _within(text, "cuda folder", folder)


def _compiled(root: Node, calls: Sequence[Node]) -> Iterator[Use]:
    """The sources of CUDA that a script without nvcc hands to another crate, unless it names a compiler of HIP."""
    if any(_HIP.fullmatch(_text(text)) for text in _TEXTS.below(root)):
        return
    for call in filter(_takes_sources, calls):
        for text in _TEXTS.below(_arguments(call)):
            if _SOURCE.fullmatch(_text(text)):
                yield use_at("cargo source", text.start_byte, text.end_byte)


def _takes_sources(call: Node) -> bool:
    """Whether a call is `builder.files(`, or a function of a crate that compiles or binds: `builder::bindgen(`."""
    if _method(call):
        return _method(call) in _TAKING
    first = _text(call.child_by_field_name("function")).partition("::")
    crate = first[0]
    return bool(first[1]) and crate not in _MODULES and crate.islower() and crate not in _COMPILING_IN_CODE


def _started(call: Node) -> Iterator[Use]:
    """The tool of NVIDIA's that a call starts: `Command::new("nvidia-smi")`."""
    given = tree_sitter_nodes.elements(_arguments(call)) if rust_texts.makes_command(call) else []
    for text in _TEXTS.below(given[0]) if given else ():
        if (match := _TOOL.fullmatch(_text(text))) is not None:
            yield use_at(f"cargo {match['name']}", text.start_byte, text.end_byte)


def _manifest(data: bytes) -> Iterator[Use]:
    """The crates among a package's dependencies."""
    root = tree_sitter_nodes.parse("toml", data).root_node
    found = list[Use]()
    for path, node in values(root):
        table = _TABLE.fullmatch(path.removesuffix(".package"))
        if table is None:
            continue
        place = node.named_children[0] if node.type == "pair" else node
        named = key_of(place)
        crate = named if path.endswith(".package") else table["crate"] or named.partition(".")[0]
        for kind, crates in _KINDS.items():
            if crate in crates:
                found.append(use_at(kind, place.start_byte, place.end_byte))
    yield from first_of_each(found)


def _runs_nvcc(call: Node) -> bool:
    """Whether a call is `Command::new("nvcc")`, by whatever path."""
    return rust_texts.makes_command(call) and any(
        _NVCC.fullmatch(_text(text)) for text in _TEXTS.below(_arguments(call))
    )


def _builder(call: Node) -> str:
    """What a chain of calls begins with: a variable, that which the chain is given to, or the chain's own place."""
    inner = call
    while (following := inner.child_by_field_name(_INTO.get(inner.type, ""))) is not None:
        inner = following
    if inner.type == "identifier":
        return _text(inner)
    for around in tree_sitter_nodes.ancestors(call):
        if around.type == "let_declaration":
            return _text(around.child_by_field_name("pattern"))
        if around.type not in _CHAIN:
            break
    return f"at {inner.start_byte}"


def _method(call: Node) -> str:
    return _text(_field(call))


def _field(call: Node) -> Node | None:
    """The name of the method that a call is of; None where it is of a function."""
    function = call.child_by_field_name("function")
    return function.child_by_field_name("field") if function is not None else None


def _arguments(call: Node) -> Node:
    return call.child_by_field_name("arguments") or call


def _is_true(call: Node) -> bool:
    return [_text(one) for one in tree_sitter_nodes.elements(_arguments(call))] == ["true"]


def _text(node: Node | None) -> str:
    return utf8.text(node.text or b"") if node is not None else ""


def _word(text: Node) -> Word:
    return Word(_text(text), Span(text.start_byte, text.end_byte))


def _within(text: Node, name: str, match: re.Match[str]) -> Use:
    """The use of a name at a part of a text."""
    start = text.start_byte + len(match.string[: match.start("name")].encode())
    return use_at(name, start, start + len(match["name"].encode()))
