"""Launches that ask for all the shared memory that a block may have, whatever the kernel needs: they cannot fail.

The largest amount on request, 99 to 227 KiB on NVIDIA's GPUs, is 64 KiB on most of AMD's. A kernel that lays out more
than that reads zeros beyond it. Where anything else looks at the number, the code may fit itself to it: a comparison, a
function of the host, or the kernel, which is passed it.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis import shared_amounts
from cudamigrate.analysis.type_sizes import type_size
from cudamigrate.cuda.amd_code import is_native
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import Function, ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Hit, Use
from cudamigrate.rulebase.architectures import shared_limit
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp.value_ranges import ValueRanges

WORDS = (b"PerBlockOptin", b"PER_BLOCK_OPTIN", b"PerMultiprocessor", b"PER_MULTIPROCESSOR")
_RULE = "memory/whole-shared-memory"
_WHOLE = re.compile(
    rb"\bsharedMemPer(?:BlockOptin|Multiprocessor)\b|DevAttrMaxSharedMemoryPer(?:BlockOptin|Multiprocessor)\b"
    rb"|ATTRIBUTE_MAX_SHARED_MEMORY_PER_(?:BLOCK_OPTIN|MULTIPROCESSOR)\b"
)
"""What the device has beyond the 48 KiB that NVIDIA's GPUs give unasked; `sharedMemPerBlock` is no more than that."""
_VARIABLE = re.compile(
    rb"\s*(?:static_cast\s*<[\w:\s]+>\s*\(|\(\s*(?:size_t|int|unsigned|uint32_t)\s*\))?\s*"
    rb"(?:[A-Za-z_]\w*(?:\.|->))*(?P<name>[A-Za-z_]\w*)\s*\)?\s*"
)
"""A variable, a member or a cast of one: no arithmetic, which would fit the number to something."""
_NONE = re.compile(rb"\s*-?\d+\s*")
_DECLARED = re.compile(rb"\s*(?:[;,]|=(?!=)|\{)")
_ASKING = re.compile(rb"\w*MaxDynamicSharedMemorySize|CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES")
_ASKED = re.compile(rb"\w*FuncSetAttribute\s*\(")
_QUERY = re.compile(rb"\w*GetAttribute\s*\(\s*(?:\([^()]*\)\s*)?&\s*\Z")
"""What is before a variable that a query fills: `cudaDeviceGetAttribute(&`, also with a cast."""
_TYPE = re.compile(rb"(?:\b(?:int|unsigned|size_t|auto|uint32_t|int32_t|long)\s+)\Z")
_DEPTH = 3
_TESTED = re.compile(rb"\s*[<>=!]=?\s*0\s*[;),&|]")
"""A test whether there is any at all, which fits nothing to the number: `all > 0)`."""
_COPIED = re.compile(rb"\s*(?:[\w:]+\s+)*(?P<to>[A-Za-z_]\w*)\s*=\s*(?:[\w.]|->)+;")
"""A statement that gives a variable to another: `const size_t bytes = all;`."""
_NAMES = tree_sitter_nodes.Kinds("cuda", "identifier")


def find(parsed: ParsedFile) -> Iterator[Hit]:
    """Once for each kernel, at the amount of its first launch."""
    if is_native(parsed) or _WHOLE.search(parsed.data) is None:
        return
    limit, seen = shared_limit(parsed.target.arch), set[str]()
    small = ", ".join(arch for arch in parsed.target.arch if shared_limit([arch]) == limit)
    for use in parsed.uses:
        if use.kind != "launch" or len(use.args) < 3 or use.name in seen or parsed.hip(use.span.start) is not None:
            continue
        amount = use.args[2]
        match = _VARIABLE.fullmatch(parsed.data, amount.start, amount.end)
        if match is None or not _is_asked_for_blindly(parsed, use, match["name"]):
            continue
        kernel = next((one for one in parsed.functions if one.name == use.name), None)
        if kernel is not None and _is_within(parsed, kernel, limit):
            continue
        seen.add(use.name)
        place = Use("name", "", amount, amount, (), parsed.scope(amount.start), parsed.certainty(amount.start))
        words = {"limit": f"{limit // 1024} KiB", "arch": small, "kernel": use.name or "the kernel"}
        yield Hit(_RULE, place, words)


def _is_asked_for_blindly(parsed: ParsedFile, use: Use, name: bytes) -> bool:
    """Whether a launch's amount is all there is, and nothing looks at what the device said, however it got here."""
    return _is_whole(parsed, name) and all(_is_unread(parsed, use, one) for one in (name, *_origins(parsed, name)))


def _origins(parsed: ParsedFile, name: bytes, depth: int = _DEPTH) -> Iterator[bytes]:
    """The variables that a variable has its number from."""
    for value in shared_amounts.given(parsed, name) if depth > 0 else ():
        match = None if _NONE.fullmatch(value) else _VARIABLE.fullmatch(value)
        if match is not None and not value.startswith(b","):
            yield match["name"]
            yield from _origins(parsed, match["name"], depth - 1)


def _is_whole(parsed: ParsedFile, name: bytes, depth: int = _DEPTH) -> bool:
    """Whether a variable is all that a block may ask for, and nothing else but a number that it begins as."""
    if _WHOLE.fullmatch(name) is not None:
        return True
    known = [one for one in shared_amounts.given(parsed, name) if _NONE.fullmatch(one) is None]
    return depth > 0 and bool(known) and all(_is_whole_value(parsed, one, depth) for one in known)


def _is_whole_value(parsed: ParsedFile, value: bytes, depth: int) -> bool:
    if value.startswith(b","):  # the rest of a query's arguments
        return _WHOLE.search(value) is not None
    match = _VARIABLE.fullmatch(value)
    return match is not None and _is_whole(parsed, match["name"], depth - 1)


def _is_unread(parsed: ParsedFile, use: Use, name: bytes, depth: int = _DEPTH) -> bool:
    """Whether nothing takes the number of a variable but launches, requests and copies that are as unread.

    A variable of the launch's own function is looked for there and in macros, any other in the whole file.
    """
    amounts = [one.args[2] for one in parsed.uses if one.kind == "launch" and len(one.args) > 2]
    function = parsed.function(use.span.start)
    places = parsed.lexed.places(name)
    if function is not None:
        inside = [at for at in places if function.span.start <= at < function.span.end]
        if any(_TYPE.search(parsed.data, max(0, at - 80), at) is not None for at in inside):
            places = [at for at in places if at in inside or parsed.scope(at) == "macro"]
    return all(
        any(one.start <= at < one.end for one in amounts)
        or _is_filled(parsed, at, name)
        or _is_request(parsed, at)
        or _TESTED.match(parsed.data, at + len(name)) is not None
        or (depth > 0 and _is_copied(parsed, use, at, name, depth))
        for at in places
    )


def _is_copied(parsed: ParsedFile, use: Use, at: int, name: bytes, depth: int) -> bool:
    """Whether a place gives the number to another variable as it is, which is as unread."""
    begin = max(parsed.data.rfind(sign, 0, at) for sign in (b";", b"{", b"}"))
    match = _COPIED.fullmatch(parsed.data, begin + 1, at + len(name) + 1)
    return match is not None and _is_unread(parsed, use, match["to"], depth - 1)


def _is_filled(parsed: ParsedFile, at: int, name: bytes) -> bool:
    """Whether a place declares a variable, gives it a value, or lets a query do so."""
    before = parsed.data[max(0, at - 80) : at]
    if _QUERY.search(before) is not None:
        return True
    follows = _DECLARED.match(parsed.data, at + len(name))
    if follows is None:
        return False
    return _TYPE.search(before) is not None or follows[0].endswith(b"=")


def _is_request(parsed: ParsedFile, at: int) -> bool:
    """Whether a place is the value of a request for more dynamic shared memory."""
    begin = max(parsed.data.rfind(sign, 0, at) for sign in (b";", b"{", b"}"))
    before = parsed.data[begin + 1 : at]
    return _ASKED.search(before) is not None and _ASKING.search(before) is not None


def _is_within(parsed: ParsedFile, kernel: Function, limit: int) -> bool:
    """Whether all that a kernel does with its dynamic shared memory is to take elements that are within the limit."""
    root = parsed.tree.root_node.descendant_for_byte_range(kernel.body.start, kernel.body.end)
    arrays = [*_EXTERN.finditer(parsed.data[kernel.body.start : kernel.body.end])]
    if root is None or len(arrays) != 1:
        return False
    array, size = arrays[0]["name"], type_size(arrays[0]["type"])
    declared = kernel.body.start + arrays[0].start("name")
    named = (one for one in _NAMES.below(root) if text(one) == array and one.start_byte != declared)
    return size is not None and all(_ends_within(parsed, one, limit // size) for one in named)


_EXTERN = re.compile(
    rb"\bextern\s+__shared__\s+(?:(?:alignas|__align__)\s*\([^()]*\)\s*)?"
    rb"(?P<type>[A-Za-z_][\w:]*(?:\s+[A-Za-z_]\w*)??)\s+(?P<name>[A-Za-z_]\w*)\s*\[\s*\]"
)


def _ends_within(parsed: ParsedFile, name: Node, count: int) -> bool:
    """Whether a name of an array is there for an element before a number of them."""
    around = name.parent
    if around is None or around.type != "subscript_expression":
        return False
    listed = around.child_by_field_name("indices")
    indices = tree_sitter_nodes.elements(listed) if listed is not None else []
    high = ValueRanges.of_file(parsed).of(indices[0]).high if len(indices) == 1 else None
    return high is not None and high < count
