"""A variable of the environment that is set gets its equivalent set on the next line."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.model import Edit, Span, Use
from cudamigrate.python_source import program
from cudamigrate.python_source.literals import plain
from cudamigrate.syntax.project_file import ProjectFile


def concerns(parsed: ProjectFile, use: Use) -> bool:
    """False where the file sets or reads the equivalent too."""
    return b"AMD_SERIALIZE_KERNEL" not in parsed.data and b"HIP_LAUNCH_BLOCKING" not in parsed.data


def edits(parsed: ProjectFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`words` are the equivalent, and its values for "1" and for "0"; only `os.environ["X"] = "1"` is followed."""
    read = program.of(parsed)
    name, on, off = words
    node = read.first(use.extent, "string") if read is not None else None
    target = node.parent if node is not None else None
    assignment = target.parent if target is not None else None
    if read is None or node is None or target is None or assignment is None or read.py.starts:
        return []
    if target.type != "subscript" or assignment.type != "assignment" or target.child_by_field_name("value") is None:
        return []
    value = plain(read.py, assignment.child_by_field_name("right"))
    statement = assignment.parent
    if value not in ("0", "1") or statement is None or statement.type != "expression_statement":
        return []
    data = read.py.text
    line = data.rfind(b"\n", 0, statement.start_byte) + 1
    indent = data[line : statement.start_byte]
    end = data.find(b"\n", statement.end_byte)
    end = len(data) if end < 0 else end
    if indent.strip() or data[statement.end_byte : end].strip()[:1] not in (b"", b"#"):
        return []
    quote = data[node.end_byte - 1 : node.end_byte]
    owner = data[target.start_byte : node.start_byte]
    stop = end - 1 if data[end - 1 : end] == b"\r" else end
    newline = b"\r\n" if stop != end else b"\n"
    new = on if value == "1" else off
    text = newline + indent + owner + quote + name.encode() + quote + b"] = " + quote + new.encode() + quote
    return [Edit(Span(stop, stop), text)]
