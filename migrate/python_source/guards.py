"""Which Python code ROCm runs: conditions that tell the vendors apart, and the code that they switch.

Result: ranges of the text with True for code that only ROCm runs and False for code that it never runs. What somebody
has ported already needs no findings.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.lazy_re import re
from cudamigrate.python_source.names import Names
from cudamigrate.python_source.source import PySource, arguments, parameters

_ROCM = re.compile(
    r"(?i)(?:^|[._])_*(?:(?:is|use|has|on|with|using|running|build|building|have|torch|enable)_?)*"
    r"(?:rocm|hip|amd|amdgpu)(?:_(?:available|extension|pytorch|torch|build|backend|platform|environment|home|gpu|device|"
    r"is_available|wheel|version|only|arch))*_*$"
)
"""Names that are true, or set, where PyTorch or another library was built for ROCm."""
_NVIDIA = re.compile(
    r"(?:^|[._])_*(?:is|on|has|IS|ON|HAS)_(?:nvidia|NVIDIA|cuda_platform|nvidia_gpu|cuda_backend|nv)_*$"
    r"|(?:^|[._])_*(?:IS_CUDA|_is_cuda)$|(?i:(?:^|_)(?:pdl|gdc|tcgen05|wgmma)(?:_|$))"
)
"""Names that are true on NVIDIA alone: `is_nvidia`, `_IS_CUDA`, its features (`use_tcgen05`). Not `x.is_cuda`."""
_CUDA_CALL = re.compile(r"(?:^|[._])_*is_(?:cuda|nvidia)$")
"""Functions that tell NVIDIA from AMD. A tensor's attribute `is_cuda` is no call, and true on AMD."""
_TRIGGER = re.compile(rb"(?i)rocm|hip|amd|is_nvidia|is_cuda|version\s*\.\s*cuda|backend|pdl|gdc")
"""What every condition on the vendor holds, in any case, as a quick test: `rocm`, `torch.version.cuda`, `backend`."""
_CONDITIONS = ("comparison_operator", "boolean_operator", "not_operator", "call", "identifier", "attribute",
               "parenthesized_expression")  # fmt: skip
_VENDOR = re.compile(
    r"[\w.()\[\]]*(?:backend|vendor|platform)[\w.()\[\]]*\s*(==|!=)\s*['\"](hip|cuda|nvidia|rocm|amd)['\"]"
)
_DEPTH = 100
"""How deep a condition is followed."""
_ROUNDS = 4
"""How often variables that are made of others are looked at; what is known after fewer rounds holds as well."""
_LEAVES = ("return_statement", "raise_statement", "continue_statement", "break_statement")
_ENDS = re.compile(rb"(?:sys\.exit|exit)\s*\(")
_KNOWS = re.compile(rb"version\s*\.\s*hip")
_AROUND = ("parenthesized_expression", "not_operator", "comparison_operator")
_SKIPS = re.compile(rb"(?:pytest\.skip|sys\.exit|exit|unittest\.skip)\s*\(|raise\b")
"""A statement that ends the run or the test: `pytest.skip(`, `sys.exit(`, `raise`."""


@dataclass(slots=True)
class Guards:
    """Ranges by the start of the text; a range within another says more."""

    ranges: list[tuple[int, int, bool]] = field(default_factory=list)
    _edges: list[int] = field(default_factory=list)
    _kinds: list[bool | None] = field(default_factory=list)

    def rocm(self, offset: int) -> bool | None:
        """True for code that only ROCm runs, False for code that it never runs, None elsewhere."""
        if not self._edges:
            self._sweep()
        at = bisect_right(self._edges, offset) - 1
        return self._kinds[at] if at >= 0 else None

    def _sweep(self) -> None:
        """Note where the kind of the code changes, and to what; within ranges of both kinds it is never run."""
        opened = {True: 0, False: 0}
        edges = [(start, hip, 1) for start, _, hip in self.ranges] + [(end, hip, -1) for _, end, hip in self.ranges]
        for at, hip, step in sorted(edges):
            opened[hip] += step
            if self._edges[-1:] != [at]:
                self._edges.append(at)
                self._kinds.append(None)
            self._kinds[-1] = False if opened[False] else (True if opened[True] else None)


def read(py: PySource, names: Names) -> Guards:
    """The guarded ranges of a text; none at little cost where it does not tell vendors apart."""
    if not _TRIGGER.search(py.text):
        return Guards()
    reader = Reader(py, names)
    return Guards(sorted(reader.ranges()))


Truth = tuple[bool | None, bool | None]
"""What a condition is on ROCm and on NVIDIA; None where it does not say."""
UNKNOWN: Truth = (None, None)
"""Of a condition that says nothing of the vendor."""
_ROCM_ONLY: Truth = (True, False)
_NVIDIA_ONLY: Truth = (False, True)
_CONSTANTS: dict[str, Truth] = {"true": (True, True), "false": (False, False), "none": (False, False)}
"""Literals that a variable holds until it is known, or where a module is missing."""


def negated(truth: Truth) -> Truth:
    """What the negation of a condition is."""
    rocm, nvidia = truth
    return (None if rocm is None else not rocm, None if nvidia is None else not nvidia)


def _and(left: Truth, right: Truth) -> Truth:
    both = [False if False in pair else (None if None in pair else True) for pair in zip(left, right, strict=True)]
    return both[0], both[1]


def _or(left: Truth, right: Truth) -> Truth:
    return negated(_and(negated(left), negated(right)))


def _joined(truths: Sequence[Truth]) -> Truth:
    """What is so in each case."""
    both = [sides[0] if len(set(sides)) == 1 else None for sides in zip(*truths, strict=True)]
    return both[0], both[1]


def _kind(truth: Truth) -> bool | None:
    """Of code that runs where a condition is true: False if ROCm never does, True if NVIDIA never does."""
    return False if truth[0] is False else (True if truth[1] is False else None)


def _is_rocm_s(truth: Truth) -> bool:
    """Whether a condition is for ROCm alone: never so on NVIDIA."""
    return truth[1] is False and truth[0] is not False


class Reader:
    """Conditions of a text that are something on ROCm and another on NVIDIA."""

    trigger = _TRIGGER

    def __init__(self, py: PySource, names: Names) -> None:
        self.py, self.names = py, names
        self.known: dict[str, Truth] = {}
        self._learn()
        names_known = "|".join(rf"\b{re.escape(name)}\b" for name in self.known)
        self.words = re.compile(self.trigger.pattern + (b"|" + names_known.encode() if names_known else b""))

    def _learn(self) -> None:
        """Find the variables that hold what a condition on the vendor is, whatever of their values they have.

        A name that is a parameter, or changed in place, may hold anything.
        """
        assigned: dict[bytes, list[Node]] = {}
        given = {self.py.raw(name) for listed in self.py.kind("parameters") for name in parameters(listed)}
        for node in self.py.kind("assignment"):
            target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
            if target is not None and value is not None and target.type == "identifier":
                assigned.setdefault(self.py.raw(target), []).append(value)
                given.update([self.py.raw(target)] if node.type == "augmented_assignment" else [])
        asking = {
            name: values for name, values in assigned.items() if name not in given and any(map(self._asks, values))
        }
        for _ in range(_ROUNDS if asking else 0):
            truths = ((name, _joined([self._held(value) for value in values])) for name, values in asking.items())
            known = {name.decode("utf-8", "replace"): truth for name, truth in truths if truth != UNKNOWN}
            if known == self.known:
                break
            self.known = known

    def _asks(self, value: Node) -> bool:
        """Whether a value is a short condition with a word about the vendor."""
        short = value.type in _CONDITIONS and value.end_byte - value.start_byte < 300
        return short and self.trigger.search(self.py.text, value.start_byte, value.end_byte) is not None

    def _held(self, value: Node) -> Truth:
        """What a variable is where it holds a value."""
        if value.type in _CONSTANTS:
            return _CONSTANTS[value.type]
        return self.truth(value) if self._asks(value) else UNKNOWN

    def truth(self, node: Node | None, depth: int = 0) -> Truth:
        """What a condition is for each vendor."""
        if node is None or depth > _DEPTH:
            return UNKNOWN
        if node.type == "parenthesized_expression" and node.named_child_count == 1:
            return self.truth(node.named_children[0], depth + 1)
        if node.type == "not_operator":
            return negated(self.truth(node.child_by_field_name("argument"), depth + 1))
        if node.type == "boolean_operator" and node.child_count > 1:
            left, right = (self.truth(node.child_by_field_name(side), depth + 1) for side in ("left", "right"))
            return _or(left, right) if node.children[1].type == "or" else _and(left, right)
        if node.type == "comparison_operator":
            return self.compared(node)
        if node.type == "call":
            return self.called(node)
        return self.named(node) if node.type in ("identifier", "attribute") else UNKNOWN

    def truth_of(self, node: Node | None) -> Truth:
        """The same, at little cost for the many conditions that have no word of it."""
        if node is None or not self.words.search(self.py.text, node.start_byte, node.end_byte):
            return UNKNOWN
        return self.truth(node)

    def compared(self, node: Node) -> Truth:
        """What a comparison is for each vendor."""
        text = self.py.raw(node).decode("utf-8", "replace")
        match = re.fullmatch(r"(.+?)\s+is\s+(not\s+)?None", text, re.DOTALL)
        if match is not None and node.named_children:
            there = self.truth(node.named_children[0])
            return there if match[2] else negated(there)
        match = _VENDOR.fullmatch(text)
        if match is not None:
            vendor = _ROCM_ONLY if match[2] in ("hip", "rocm", "amd") else _NVIDIA_ONLY
            return vendor if match[1] == "==" else negated(vendor)
        return UNKNOWN

    def called(self, node: Node) -> Truth:
        """What a call is for each vendor."""
        function = node.child_by_field_name("function")
        if function is None:
            return UNKNOWN
        text, given = self.py.raw(function).decode("utf-8", "replace"), arguments(node)
        if text == "bool" and len(given) == 1:
            return self.truth(given[0])
        if not given:
            return _NVIDIA_ONLY if _CUDA_CALL.search(text) else self.named(function)
        written = self.py.raw(node)
        return _ROCM_ONLY if text == "getattr" and b"version" in written and b"hip" in written else UNKNOWN

    def named(self, node: Node) -> Truth:
        """What a name is for each vendor."""
        full = self.names.of(node)
        text = self.py.raw(node).decode("utf-8", "replace")
        if full == "torch.version.cuda":
            return _NVIDIA_ONLY
        if text in self.known:
            return self.known[text]
        if full == "torch.version.hip" or _ROCM.search(text):
            return _ROCM_ONLY
        return _NVIDIA_ONLY if _NVIDIA.search(text) else UNKNOWN

    def ranges(self) -> Iterator[tuple[int, int, bool]]:
        """Every range that a condition switches."""
        for node, truth in self._switched():
            kind = _kind(truth)
            if kind is not None:
                yield node[0], node[1], kind

    def _switched(self) -> Iterator[tuple[tuple[int, int], Truth]]:
        """Ranges of the text, each with the condition under which it runs."""
        for node in self.py.kind("branch"):
            if node.type == "if_statement":
                yield from self._statement(node)
            elif node.type == "conditional_expression" and len(node.named_children) == 3:
                then, condition, other = node.named_children
                truth = self.truth_of(condition)
                yield (then.start_byte, then.end_byte), truth
                yield (other.start_byte, other.end_byte), negated(truth)
            elif node.type == "boolean_operator" and node.child_count > 1:
                yield from self._operands(node)
        for node in self.py.kind("decorated"):
            yield from self._decorated(node)

    def _operands(self, node: Node) -> Iterator[tuple[tuple[int, int], Truth]]:
        """The operands of `and` and `or`: the right one is reached where the left does not decide.

        The left one decides nothing where the right one does; a call in it is made all the same.
        """
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if left is None or right is None:
            return
        both = node.children[1].type == "and"
        first = self.truth_of(left)
        yield (right.start_byte, right.end_byte), first if both else negated(first)
        if b"(" not in self.py.raw(left).strip(b"()"):
            second = self.truth_of(right)
            yield (left.start_byte, left.end_byte), second if both else negated(second)

    def _statement(self, node: Node) -> Iterator[tuple[tuple[int, int], Truth]]:
        """`if`, `elif` and `else`, each reached where the conditions before it are false."""
        reached: Truth = (True, True)
        arms = [node, *(child for child in node.children if child.type in ("elif_clause", "else_clause"))]
        conditions = [arm.child_by_field_name("condition") for arm in arms]
        asked = [self.truth_of(one) if one is not None else (True, True) for one in conditions]
        for at, (arm, condition, here) in enumerate(zip(arms, conditions, asked, strict=True)):
            body = arm.child_by_field_name("body" if arm.type == "else_clause" else "consequence")
            if condition and here[0] is None and any(map(_is_rocm_s, asked[at + 1 :])) and self._asks_nvidia(condition):
                here = (False, here[1])
                yield (condition.start_byte, condition.end_byte), here
            if body is not None:
                yield (body.start_byte, body.end_byte), _and(reached, here)
            reached = _and(reached, negated(here))
        body = node.child_by_field_name("consequence")
        if len(arms) > 1 or body is None or node.parent is None or not body.named_children:
            return
        last = body.named_children[-1]  # what follows `if is_hip(): return` in its block
        if reached[0] is False and self._refuses(conditions[0], last):
            return
        if last.type in _LEAVES or (last.type == "expression_statement" and _SKIPS.match(self.py.raw(last))):
            yield (node.end_byte, max(node.end_byte, node.parent.end_byte)), reached

    def _refuses(self, condition: Node | None, last: Node) -> bool:
        """Whether a test of `torch.version.cuda` alone stops ROCm where nobody has thought of it: it will be opened.

        What follows then runs on ROCm. A file that knows `torch.version.hip`, or who asks more, means NVIDIA.
        """
        while condition is not None and condition.type in _AROUND and condition.named_children:
            condition = condition.named_children[0]
        stops = last.type == "raise_statement" or _ENDS.match(self.py.raw(last)) is not None
        asked = stops and condition is not None and self.names.of(condition) == "torch.version.cuda"
        return asked and _KNOWS.search(self.py.text) is None

    def _asks_nvidia(self, condition: Node | None) -> bool:
        """Whether one of the alternatives of a condition is never so on ROCm; the others may force it: a variable."""
        while condition is not None and condition.type == "parenthesized_expression":
            condition = condition.named_children[0] if condition.named_child_count == 1 else None
        if condition is None or condition.type != "boolean_operator" or condition.children[1].type != "or":
            return condition is not None and self.truth(condition)[0] is False
        return any(map(self._asks_nvidia, (condition.named_children[0], condition.named_children[-1])))

    def _decorated(self, node: Node) -> Iterator[tuple[tuple[int, int], Truth]]:
        """A test that is skipped on ROCm, or elsewhere."""
        for child in node.children:
            if child.type != "decorator" or b"skip" not in self.py.raw(child):
                continue
            call = next((part for part in child.named_children if part.type == "call"), None)
            function = call.child_by_field_name("function") if call is not None else None
            if call is not None and function is not None and arguments(call):
                skipped = self.truth_of(arguments(call)[0])
                unless = self.py.raw(function).lower().endswith(b"skipunless")
                yield (node.start_byte, node.end_byte), skipped if unless else negated(skipped)
