"""Which Python code Linux runs: conditions that tell operating systems apart, and the code that they switch.

Result: ranges of the text as `guards.py` has them, with False for code that only another system runs. ROCm for Linux
puts nothing where such code looks. Source: Python's documentation, `sys.platform`, `os.name`, `platform.system`.
"""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.python_source import guards
from cudamigrate.python_source.guards import UNKNOWN, Guards, Truth
from cudamigrate.python_source.literals import plain
from cudamigrate.python_source.names import Names
from cudamigrate.python_source.source import PySource, arguments

_WORDS = re.compile(rb"platform|os\s*\.\s*name|\bname\b|IS_WINDOWS")
"""What every condition on the system holds, as a quick test."""
_SYSTEMS = {
    "sys.platform": {"win32": False, "cygwin": False, "darwin": False, "linux": True},
    "os.name": {"nt": False, "posix": True},
    "platform.system": {"Windows": False, "Darwin": False, "Linux": True},
}
"""What tells the system, and what it is: whether that is Linux."""
_STARTS = {"win": False, "win32": False, "darwin": False, "linux": True}
"""What `sys.platform` begins with."""
_WINDOWS = ("torch.utils.cpp_extension.IS_WINDOWS",)


def read(py: PySource, names: Names) -> Guards:
    """The ranges of a text that conditions on the system switch; none at little cost where it has no such condition."""
    if not _WORDS.search(py.text):
        return Guards()
    return Guards(sorted(_Reader(py, names).ranges()))


class _Reader(guards.Reader):
    """Conditions as they are on Linux and on other systems, in the places of ROCm and NVIDIA."""

    trigger = _WORDS

    def compared(self, node: Node) -> Truth:
        """`sys.platform == "win32"`, and `in` for several."""
        operands = node.named_children
        kinds = _SYSTEMS.get(self._full(operands[0])) if len(operands) == 2 else None
        text = self.py.raw(node)[operands[0].end_byte - node.start_byte :].split() if kinds else []
        if not kinds or text[0] not in (b"==", b"!=", b"in", b"not"):
            return UNKNOWN
        listed = [operands[1]] if operands[1].type == "string" else operands[1].named_children
        said = {kinds.get(plain(self.py, one) or "") if one.type == "string" else None for one in listed}
        truth = _on_linux(said.pop()) if len(said) == 1 else UNKNOWN
        return guards.negated(truth) if text[0] in (b"!=", b"not") else truth

    def called(self, node: Node) -> Truth:
        """`sys.platform.startswith("win")`."""
        function, given = node.child_by_field_name("function"), arguments(node)
        if function is None or len(given) != 1 or self.names.of(function) != "sys.platform.startswith":
            return UNKNOWN
        return _on_linux(_STARTS.get(plain(self.py, given[0]) or "" if given[0].type == "string" else ""))

    def named(self, node: Node) -> Truth:
        """A variable that holds such a condition."""
        text = self.py.raw(node).decode("utf-8", "replace")
        return _on_linux(False) if self.names.of(node) in _WINDOWS else self.known.get(text, UNKNOWN)

    def _full(self, node: Node) -> str:
        """The full name of what is compared, of a call that of its function."""
        inner = node.child_by_field_name("function") if node.type == "call" else node
        return self.names.of(inner) if inner is not None else ""


def _on_linux(linux: bool | None) -> Truth:
    """What a condition is that is true on Linux, or on another system alone."""
    return UNKNOWN if linux is None else (linux, not linux)
