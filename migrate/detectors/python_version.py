"""`torch.version.cuda`, by what is made of it: None on ROCm, which a test takes for no GPU and a parser fails on.

What is only printed or kept is no hit. A variable that holds it is followed to the conditions that add to a build.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.python_source import program, torch_version
from cudamigrate.python_source.source import PySource, enclosing
from cudamigrate.syntax.project_file import ProjectFile

_NAME = "torch.version.cuda"
_TESTS = ("if_statement", "elif_clause", "while_statement", "assert_statement", "conditional_expression")
_WRAPS = ("boolean_operator", "parenthesized_expression", "not_operator")
_CAPABILITY = re.compile(rb"capability|\bsm_?\d|\bmajor\b|TORCH_CUDA_ARCH|nvcc|NVCC|nvml")
"""What says that a version is a GPU's: `capability`, `sm_80`, `major`, `TORCH_CUDA_ARCH_LIST`, `nvml`."""
_MAKES = re.compile(rb"\b(?:CUDAExtension|CppExtension|CUDA_EXTENSION)\b|\bload(?:_inline)?\(")
"""What makes a module of a build for PyTorch."""
_CLAUSES = ("if_statement", "elif_clause", "else_clause", "block")
_NAMES = re.compile(rb"\(?\w+(?:\s*,\s*\w+)*\)?")
_COMPLAINTS = re.compile(rb"raise\b|assert\b|print\(|(?:\w+\.)*(?:warn|warning|error)\(")
_NUMBERS = (b"Version", b"parse", b"parse_version", b"LooseVersion", b"TorchVersion", b"StrictVersion", b"float",
            b"int", b"tuple", b"map", b"split", b"match", b"search", b"fullmatch")  # fmt: skip


def find(parsed: ProjectFile) -> Iterator[Hit]:
    """Each test of the version, and each place that takes it for a string."""
    read = program.of(parsed)
    if read is None:
        return
    knows = re.search(rb"version\s*\.\s*hip", read.py.text) is not None
    for use in read.uses:
        if use.name != _NAME and not use.name.startswith(f"{_NAME}."):
            continue
        node = next(iter(read.found(use.span)), None)
        while node is not None and read.names.of(node) not in ("", _NAME):
            node = node.child_by_field_name("object")
        kind = _kind(read.py, node) if node is not None else ""
        yield from _left_out(read.py, node) if node is not None else ()
        if node is not None and kind and not (kind == "cuda-version-test" and (knows or _is_meant(read.py, node))):
            span = read.py.place(node)
            yield Hit(f"python/{kind}", Use("name", _NAME, span, span, certainty=use.certainty))


def _left_out(py: PySource, node: Node) -> Iterator[Hit]:
    """The conditions on a variable that holds the version under which a module of the build is made, and else none."""
    value: Node | None = node
    while value is not None and value.parent is not None and value.parent.type in _WRAPS[:2]:
        value = value.parent
    made = value.parent if value is not None else None
    target = made.child_by_field_name("left") if made is not None and made.type == "assignment" else None
    if value is None or target is None or target.type != "identifier":
        return
    named = re.compile(rb"\b" + re.escape(py.raw(target)) + rb"\b")
    if any(one != value and not named.search(py.raw(one)) for one in py.values(py.raw(target))):
        return  # it may be something else; what is made of itself, `version = version[:2]`, is empty where it was
    for match in named.finditer(py.text, value.end_byte):
        test = py.at(*match.span())
        if test is None or test.type != "identifier" or _tested(test) != "cuda-version-test":
            continue
        condition = enclosing(test, *_TESTS)
        body = condition.child_by_field_name("consequence") if condition is not None else None
        alone = (
            condition is not None
            and condition.type == "if_statement"
            and not condition.child_by_field_name("alternative")
        )
        if body is not None and alone and _MAKES.search(py.raw(body)):
            span = py.place(test)
            yield Hit("python/module-left-out", Use("name", py.raw(test).decode(), span, span))


def _is_meant(py: PySource, node: Node) -> bool:
    """Whether a test asks for NVIDIA on purpose: what is under it is for NVIDIA alone."""
    return _gates(py, node) or _compares(py, node)


def _compares(py: PySource, node: Node) -> bool:
    """Whether what a test guards does nothing but compare the version's numbers, and complain.

    It needs the version as a string, and nothing is left out where there is none.
    """
    condition = enclosing(node, *_TESTS)
    if condition is None or condition.type != "if_statement" or condition.child_by_field_name("alternative"):
        return False
    body = condition.child_by_field_name("consequence")
    return body is not None and torch_version.PARSED.search(py.raw(body)) is not None and _complains_alone(py, body)


def _complains_alone(py: PySource, block: Node) -> bool:
    """Whether a block sets variables, which nothing behind it reads, and raises or warns under conditions."""
    statements, names, complains = list(block.named_children), set[bytes](), False
    while statements:
        one = statements.pop()
        if one.type in _CLAUSES:
            held = one.named_children
            statements += held if one.type == "block" else [inner for inner in held if inner.type in _CLAUSES]
            continue
        made = one.named_children[0] if one.type == "expression_statement" and one.named_child_count == 1 else None
        target = made.child_by_field_name("left") if made is not None and made.type == "assignment" else None
        if target is not None and _NAMES.fullmatch(py.raw(target)):
            names.update(re.findall(rb"\w+", py.raw(target)))
        elif _COMPLAINTS.match(py.raw(one)):
            complains = True
        elif one.type not in ("comment", "pass_statement"):
            return False
    behind = py.text[block.end_byte :]
    return complains and not any(re.search(rb"\b%b\b" % re.escape(name), behind) for name in names)


def _gates(py: PySource, node: Node) -> bool:
    """Whether the test asks for NVIDIA on purpose: with a compute capability beside it."""
    around = enclosing(node, "boolean_operator")
    while around is not None and around.parent is not None and around.parent.type in _WRAPS:
        around = around.parent
    return around is not None and _CAPABILITY.search(py.raw(around)) is not None


def _kind(py: PySource, node: Node) -> str:
    parent = node.parent
    if parent is None or parent.type in ("attribute", "subscript"):
        return "cuda-version-parsed" if parent is not None else ""
    if parent.type == "argument_list" and parent.parent is not None:
        function = parent.parent.child_by_field_name("function")
        last = py.raw(function).rpartition(b".")[2] if function is not None else b""
        return "cuda-version-parsed" if last in _NUMBERS else ""
    if parent.type == "comparison_operator":
        text = py.text[node.end_byte : parent.end_byte].strip()
        if text.startswith((b"is", b"==", b"!=", b"in", b"not in")):
            return "cuda-version-test"
        return "cuda-version-parsed"
    return _tested(node)


def _tested(node: Node) -> str:
    """Whether the truth of a value decides, alone or with others, and not for each vendor by name."""
    parent = node.parent
    while parent is not None and parent.type in ("not_operator", "boolean_operator", "parenthesized_expression"):
        if parent.type == "boolean_operator" and parent.children[1].type == "or":
            return ""  # `torch.version.cuda or torch.version.hip`, or a value in its place
        node, parent = parent, parent.parent
    if parent is None or parent.type not in _TESTS:
        return ""
    if parent.type == "conditional_expression":
        condition, other = parent.named_children[1:3]
        if condition.start_byte != node.start_byte or other.type in ("attribute", "call", "identifier"):
            return ""  # a value, or one for each vendor
    return "cuda-version-test"
