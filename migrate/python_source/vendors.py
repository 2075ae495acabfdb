"""Options for nvcc that become a choice between vendors, where PyTorch builds the extension for either.

Result: edits, or None where the file is no Python.
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from cudamigrate.cuda.include_insertion import newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Use
from cudamigrate.python_source import flags, program
from cudamigrate.python_source.literals import inside
from cudamigrate.python_source.program import Program
from cudamigrate.syntax.project_file import ProjectFile

_LISTS = ("list", "tuple", "set")
_BINDS = re.compile(rb"\bimport\s+(?:[\w.]+\s*,\s*)*torch(?:\.[\w.]+)?\s*(?:,|\Z)|\bas\s+torch\b")
"""An import that gives the name `torch` a meaning; one of a part under another name does not."""


_FOR_TORCH = b"extra_cuda_cflags"
"""The parameter of PyTorch's `load` for nvcc's options. Source: torch.utils.cpp_extension."""
_OF_CLANG = ("-g", "-fgpu-", "-fcuda-", "-fhip-", "-Xarch", "-mllvm", "--offload", "--hip", "-Rpass")
"""How options begin that clang has and g++ has not, as far as options of nvcc become them."""


def builds(parsed: ParsedFile | ProjectFile) -> bool:
    """Whether a file is about an extension that PyTorch builds.

    A file that does not name PyTorch's module may pass options on to a function of the project that calls it: what is
    given to the parameter is PyTorch's, as long as nothing here runs nvcc itself. So is what a file of the tree takes
    from this one for such a build.
    """
    read = program.of(parsed)
    if read is None:
        return False
    if b"cpp_extension" in read.py.text:
        return True
    return (bool(read.shared) or _FOR_TORCH in read.py.text) and not flags.runs_nvcc(read.py)


def option(parsed: ParsedFile | ProjectFile, use: Use, new: Sequence[str]) -> list[Edit] | None:
    """`"--x"` in a list becomes `*(["new"] if torch.version.hip else ["--x"])`.

    Nothing is changed where the option is a part of a literal, where `torch` is not imported under its name, and where
    it is not PyTorch that builds: the program would run nvcc all the same. PyTorch itself names the architectures of
    AMD, by `PYTORCH_ROCM_ARCH`.
    """
    read = program.of(parsed)
    if read is None:
        return None
    if not builds(parsed):
        return []
    nodes = _literals(read, use)
    added = _import(read, nodes[0]) if nodes else None
    if added is None:
        return []
    if flags.is_for_host(read.py, read.names, nodes[0]):
        new = [text for text in new if not text.startswith(_OF_CLANG)]
    made = _choice(read, use, nodes, new)
    return [*added, *made] if made else []


def _import(read: Program, option: Node) -> list[Edit] | None:
    """What imports `torch` where only a part of it is imported; None where that name means something else.

    The import of the part is at the top, or in a block around the option, which then has the other before it too.
    """
    offset = option.start_byte
    meant = read.names.full("torch", offset)
    if meant or "torch" in read.names.bindings:
        above = any(node.start_byte < offset and _BINDS.search(read.py.raw(node)) for node in read.py.kind("import"))
        return [] if meant == "torch" and above else None
    for node in read.py.kind("import"):
        module = node.child_by_field_name("module_name")
        is_torchs = module is not None and read.py.raw(module).startswith(b"torch")
        if is_torchs and node.start_byte < offset and _is_around(node.parent, option):
            line = read.py.text.rfind(b"\n", 0, node.start_byte) + 1
            indent = read.py.text[line : node.start_byte].decode("utf-8", "replace")
            if indent.strip():
                continue  # behind another statement of its line
            end = newline(read.py.text).decode()
            return read.py.edits(node.start_byte, node.start_byte, f"import torch{end}{indent}")
    return _first_import(read) if read.shared and not read.py.values(b"torch") else None


def _is_around(block: Node | None, option: Node) -> bool:
    """Whether statements are those of the module, or of a block that holds the option."""
    if block is None or block.type not in ("module", "block"):
        return False
    if block.parent is not None and block.parent.type == "class_definition":
        return False  # its names are not those of the functions in it
    return block.start_byte <= option.start_byte < block.end_byte


def _first_import(read: Program) -> list[Edit]:
    """What imports `torch` in a file that imports nothing of it: behind the text that describes the file."""
    at = 0
    for node in read.py.tree.root_node.named_children:
        inner = node.named_children[0].type if node.type == "expression_statement" and node.named_children else ""
        if node.type not in ("comment", "future_import_statement") and inner != "string":
            break
        at = node.end_byte
    end = newline(read.py.text).decode()
    if not at:
        return read.py.edits(0, 0, f"import torch{end}{end}")
    return read.py.edits(at, at, f"{end}{end}import torch")


def _choice(read: Program, use: Use, nodes: Sequence[Node], new: Sequence[str]) -> list[Edit]:
    """The option for NVIDIA and AMD, by what PyTorch is built for."""
    new = [text for text in new if not text.startswith("--offload-arch")]
    if use.name.startswith("-l") and not read.py.raw(nodes[0])[1:].startswith(b"-"):
        new = [text.removeprefix("-l") for text in new]  # an element of `libraries`
    parent = nodes[0].parent
    if parent is not None and parent.type in _LISTS:
        start, end = nodes[0].start_byte, nodes[-1].end_byte
        old = read.py.text[start:end].decode("utf-8", "replace")
        return read.py.edits(start, end, f"*([{_written(read, nodes[0], new)}] if torch.version.hip else [{old}])")
    if len(nodes) > 1:  # two statements, each of which appends a part
        made = [_appended(read, node, new if node == nodes[0] else []) for node in nodes]
        return [edit for edits in made for edit in edits] if all(made) else []
    return _appended(read, nodes[0], new)


def _written(read: Program, node: Node, new: Sequence[str]) -> str:
    """Options as literals with the quotes of the one that they stand for, and the prefix that reads what they hold."""
    quote = read.py.text[node.end_byte - 1 : node.end_byte].decode()
    prefix = read.py.raw(node).decode("utf-8", "replace").partition(quote)[0]
    given = {"{": "fF", "\\": "rR"}
    kept = (
        "".join(one for one in prefix if any(one in given[mark] and mark in text for mark in given)) for text in new
    )
    return ", ".join(f"{before}{quote}{text}{quote}" for before, text in zip(kept, new, strict=True))


def _appended(read: Program, node: Node, new: Sequence[str]) -> list[Edit]:
    """`flags.append("--x")` becomes `flags.extend([] if torch.version.hip else ["--x"])`."""
    parent, old = node.parent, read.py.raw(node).decode("utf-8", "replace")
    if parent is None or parent.type != "argument_list" or parent.named_child_count != 1:
        return []
    words = _written(read, node, new)
    if len(new) == 1:
        return read.py.edits(node.start_byte, node.end_byte, f"{words} if torch.version.hip else {old}")
    function = parent.parent.child_by_field_name("function") if parent.parent is not None else None
    method = function.child_by_field_name("attribute") if function is not None else None
    if method is None or read.py.raw(method) != b"append":
        return []
    listed = read.py.edits(node.start_byte, node.end_byte, f"[{words}] if torch.version.hip else [{old}]")
    return [*read.py.edits(method.start_byte, method.end_byte, "extend"), *listed] if listed else []


def package(parsed: ParsedFile | ProjectFile) -> bool:
    """Whether requirements are in a program, as in a setup.py: it installs on both vendors, so they stay."""
    return program.of(parsed) is not None


def _literals(read: Program, use: Use) -> list[Node]:
    """The literals that the option and its argument fill; none where one holds more than that."""
    found: list[Node] = []
    for span in (use.span, *use.args):
        node = read.literal(span)
        if node is None:
            return []
        if node not in found:
            found.append(node)
    filled = read.py.span(inside(found[0])[0], inside(found[-1])[1])
    side_by_side = len(found) == 1 or found[0].next_named_sibling == found[1] or found[0].parent != found[1].parent
    return found if filled == use.extent and side_by_side else []
