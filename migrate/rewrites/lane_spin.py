"""Let go of a lock in the turn of the loop that took it, where one block holds both taking and releasing."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from cudamigrate.cuda.declarations import declared, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.warp.spin_locks import END_OF_TURN

_TAKES = re.compile(rb"\batomic(?:CAS|Exch)\w*\s*\(\s*(?P<lock>[^,;\s][^,;]*?)\s*,")
"""What takes a lock in a loop's condition: `atomicCAS(&lock, 0, 1)`, `atomicExch(`; `lock` is the first argument."""
_RELEASES = re.compile(rb"atomic(?:Exch|CAS|And)\w*\(%s,|%s=0;")
_JUMPS = re.compile(rb"\b(?:return|break|continue|goto|__syncthreads|__syncwarp)\b")
"""What leaves a block or waits for other threads: `return`, `break`, `__syncthreads`. It cannot move into the loop."""
_WAITS = re.compile(rb"(?:\{|\}|;|__nanosleep\([^;]*\)|__threadfence\w*\(\))*")
"""A body that just waits, in text without blanks: `;`, `{}`, `{__nanosleep(100);}`, `__threadfence();`."""
_FENCE = re.compile(rb"__threadfence\w*\s*\(")
_NAMES = (b"done", b"was_held", b"lock_done")


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The loop becomes one that ends when the lock was taken and let go of; all up to the release moves into it.

    Only where the release is in the same block, nothing between jumps, and what is declared between is not used
    behind it.
    """
    loop = parsed.tree.root_node.descendant_for_byte_range(use.span.start, use.span.end - 1)
    condition = None if loop is None else loop.child_by_field_name("condition")
    if loop is None or condition is None or loop.type != "while_statement" or not _is_idle(loop):
        return []
    taking = None if b"&&" in text(condition) or b"||" in text(condition) else _TAKES.search(text(condition))
    release = None if taking is None else _release(loop, _squeezed(taking["lock"]))
    block = loop.parent
    if release is None or block is None or not _may_move(loop, release, block):
        return []
    inside = parsed.data[block.start_byte : block.end_byte]
    name = next((one for one in _NAMES if re.search(rb"\b" + one + rb"\b", inside) is None), b"")
    if not name or parsed.lexed.directive_at(release.start_byte) is not None:
        return []
    behind = loop.next_named_sibling
    taken = behind if behind is not None and behind != release and _FENCE.match(text(behind)) else None
    made = _head(loop, condition, b"for (bool " + name + b" = false; !" + name + b";) { if ", taken is None)
    if _FENCE.search(parsed.data, (taken or loop).end_byte, release.start_byte) is None:
        made.append(Edit(Span(release.start_byte, release.start_byte), b"__threadfence(); "))
    return [*made, Edit(Span(release.end_byte, release.end_byte), b" " + name + b" = true; } " + END_OF_TURN + b" }")]


def _head(loop: Node, condition: Node, begin: bytes, unfenced: bool) -> list[Edit]:
    """The loop's head for the new form; what it does while it waits stays and is done by those without the lock.

    Who has it reads what it guards behind a fence, which is added to the code that is `unfenced`.
    """
    enters = b" {" + (b" __threadfence();" if unfenced else b"")
    if b"(" not in text(loop.child_by_field_name("body")):
        return [Edit(Span(loop.start_byte, loop.end_byte), begin + b"(!" + text(condition) + b")" + enters)]
    return [
        Edit(Span(loop.start_byte, condition.start_byte), begin),
        Edit(Span(loop.end_byte, loop.end_byte), b" else" + enters),
    ]


def _squeezed(source: bytes) -> bytes:
    return re.sub(rb"\s+", b"", source)


def _is_idle(loop: Node) -> bool:
    body = _squeezed(text(loop.child_by_field_name("body")))
    return _WAITS.fullmatch(body) is not None


def _release(loop: Node, lock: bytes) -> Node | None:
    """The statement behind a loop, in its block, that lets go of the lock."""
    plain = lock.removeprefix(b"&")
    stored = plain if lock.startswith(b"&") else b"*" + plain
    releases = re.compile(_RELEASES.pattern % (re.escape(lock), re.escape(stored)))
    node = loop.next_named_sibling
    while node is not None:
        if node.type == "expression_statement" and releases.match(_squeezed(text(node))):
            return node
        node = node.next_named_sibling
    return None


def _may_move(loop: Node, release: Node, block: Node) -> bool:
    """Whether what is between is plain code that nothing behind it relies on, in a block of its own."""
    if block.type != "compound_statement" or block.has_error:
        return False
    between, behind, node = b"", b"", loop.next_named_sibling
    names: set[bytes] = set()
    while node is not None:
        if node.start_byte < release.start_byte:
            between += text(node)
            names |= {name for name, _ in declared(node)} if node.type == "declaration" else set()
            if node.type.startswith("preproc"):
                return False
        elif node.start_byte > release.start_byte:
            behind += b" " + text(node)
        node = node.next_named_sibling
    used = set(re.findall(rb"\w+", behind))
    return _JUMPS.search(between) is None and names.isdisjoint(used)
