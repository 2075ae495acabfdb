"""What becomes of a number that is divided by 32, or is 32: whether what it makes meets lanes, warps or their masks.

Comes in: a parsed file, what its expressions are worth, and a node. Goes out: yes or no, as far as one file shows it.
A quotient that a warp's number is compared with is a number of warps, whatever its name; one that finds a word is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tree_sitter import Node

from cudamigrate.analysis.constant_values import WARP_NAME, Values
from cudamigrate.cuda.declarations import Local, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.syntax import tree_sitter_nodes

_OF_WARPS = re.compile(rb"\w*(?:[Ww]arp|WARP)\w*")
_OF_LANES = re.compile(rb"\w*(?:[Ll]ane|LANE|[Ww]arp|WARP)\w*")
_WIDTH = re.compile(rb"\w*(?:[Ww]idth|WIDTH|[Ll]ane|LANE|[Ww]arp|WARP)\w*")
_TILE_SHAPE = re.compile(rb"\bWarp(?:Group)?(?:Tile)?Shape\w*")
_ASSERTS = re.compile(rb"\w*assert\w*", re.I)
_SAID = re.compile(rb"[Ww]arp|WARP|\b[Ll]anes?\b")
_INDEX = re.compile(rb"[\w.()\s+*]*\b(?:threadIdx\.x|thread_(?:rank|index)\(\)(?:\.x)?)[\w.()\s+*]*")
_SHUFFLED = re.compile(rb"shfl|shuffle", re.I)
_ACROSS = re.compile(rb"shfl|__sync|__ballot|__activemask|\bvolatile\b|\+\s*16\s*\]")
_MASKED = re.compile(rb"__(?:\w+_sync|syncwarp)\s*\(\s*(?P<mask>[\w:]+)\s*[,)]")
_LANE = re.compile(rb"(?:\w*_)?(?:lane|warp)(?:_?(?:id|idx|index|rank|num|number|in_\w+))?(?:_\d*)?|[wl]id", re.I)
_SPELLED = rb"(?:\w+_)?(?:lane_?|(?:lane|warp)_?(?:[iI]d|[iI]dx|[iI]ndex))"
_MEETING = rb"(?:[*/%]|[<>]=?|[!=]=)(?!=)"
NUMBER_OF_WARPS = re.compile(
    rb"(?:(?i:(?:\w*_)?(?:k?n(?:um)?_?|k)?warps|(?:\w*_)?k?n(?:um)?_?warp)|\w*Warps)"
    rb"(?:(?i:_?per_?(?:block|cta)|_?count)|_[A-Z]{1,3}|_[a-z]{1,2})?"
)
WARPS_SAID = re.compile(rb"[Ww]arp|WARP")
LANE_SIGNS, WARP_SIGNS = (b"%", b"&"), (b"/", b">>")
"""What makes a lane's number out of a thread's, and what a warp's."""
_COUNTING = ((b"/", 32), (b">>", 5), (b"%", 32), (b"&", 31))
_BY_SIZE = {b"/": rb"", b"%": rb"", b"&": rb"\s*-\s*1"}
_MADE = (
    "init_declarator",
    "assignment_expression",
    "optional_parameter_declaration",
    "enumerator",
    "field_declaration",
)
_PIECES = re.compile(rb"[^,<>()]+(?:<[^<>]*>|\([^()]*\))*[^,<>()]*")
_LAST = re.compile(rb"(\w+)\s*(?:\[[^\]]*\]\s*)*(?:=.*)?\Z", re.S)
_WARP_OF_TILE = rb"\w+\.meta_group_rank\(\)|\w*warp_?(?:id|idx|index|rank)\(\)"
_DEPTH = 4


class Flow:
    """Where values of one file go."""

    def __init__(self, parsed: ParsedFile, values: Values) -> None:
        self.parsed, self.values = parsed, values
        self._lanes: dict[int, frozenset[bytes]] = {}
        self._parameters: dict[tuple[bytes, bool], list[bytes]] = {}

    def meets_lanes(self, quotient: Node) -> bool:
        """Whether something divided by 32 becomes a number of warps, or each lane's share."""
        array = next((around for around in _upwards(quotient) if around.type == "array_declarator"), None)
        if array is not None and array.start_byte < quotient.start_byte:
            return self._holds_warps(array)
        if self._is_given(quotient):
            return True
        name = b"" if _goes_on(quotient) else made(quotient)
        return bool(name) and self._meets(name, quotient.start_byte)

    def is_default_width(self, number: Node) -> bool:
        """`template <int Width = 32>` of a function that shuffles."""
        parent = number.parent
        if parent is None or parent.type != "optional_parameter_declaration":
            return False
        around = next(
            (node for node in tree_sitter_nodes.ancestors(parent) if node.type == "template_declaration"), None
        )
        name = text(parent.child_by_field_name("declarator"))
        if around is None or not name:
            return False
        if _WIDTH.fullmatch(name) is not None and _SHUFFLED.search(text(around)) is not None:
            return True
        split = re.compile(rb"\bthreadIdx\.x\s*(?:[%/<]|>=)\s*" + re.escape(name) + rb"\b")
        return split.search(text(around)) is not None and _SHUFFLED.search(self.parsed.data) is not None

    def is_specialised(self, arguments: Node) -> bool:
        """Whether a class is written for these arguments alone, and shuffles."""
        named = arguments.parent
        owner = named.parent if named is not None else None
        if owner is None or owner.type not in ("struct_specifier", "class_specifier"):
            return False
        body = owner.child_by_field_name("body")
        return owner.child_by_field_name("name") == named and _SHUFFLED.search(text(body)) is not None

    def asserts(self, number: Node) -> Node | None:
        """The assertion that a number stands in."""
        for around in tree_sitter_nodes.ancestors(number):
            if around.type == "static_assert_declaration":
                return around
            if around.type == "call_expression" and _ASSERTS.fullmatch(text(around.child_by_field_name("function"))):
                return around
            if around.type.endswith(("_statement", "declaration")):
                return None
        return None

    def is_asserted(self, number: Node) -> bool:
        """A number in an assertion that speaks of warps or lanes, one that allows 64 as well left aside."""
        around = self.asserts(number)
        function = self.parsed.function(number.start_byte)
        said = (
            _TILE_SHAPE.sub(b"", text(around))
            + (b"" if function is None else _shuffling(function.name))
            + (class_of_warps(around) if around is not None else b"")
        )
        return _SAID.search(said) is not None and b"64" not in said

    def is_bound_of_lanes(self, left: Node, number: Node) -> bool:
        """`static_assert(parts <= 32)` on what lanes are compared with: one lane fetches each part."""
        name = text(left)
        if self.asserts(number) is None or re.fullmatch(rb"\w+", name) is None:
            return False
        return self._meets(name, number.start_byte)

    def ends_tree(self, number: Node) -> bool:
        """`s[t] + s[t + 32]` in what the first 32 threads do together before they go on without barriers."""
        subscript = next(
            (around for around in tree_sitter_nodes.ancestors(number) if around.type == "subscript_expression"), None
        )
        if subscript is None:
            return False
        for around in tree_sitter_nodes.ancestors(subscript):
            if around.type == "if_statement":
                first = b"32" in text(around.child_by_field_name("condition"))
                if first and _ACROSS.search(text(around.child_by_field_name("consequence"))) is not None:
                    return True
            if around.type == "function_definition":
                return False
        return False

    def is_lane_mask(self, number: Node) -> bool:
        """A full mask that goes, by way of variables, into a call across lanes."""
        name = made(number)
        function = self.parsed.function(number.start_byte)
        if not name or function is None:
            return False
        inside = self.parsed.data[function.span.start : function.span.end]
        masks = {match["mask"] for match in _MASKED.finditer(inside)}
        table = self.values.locals(number.start_byte)
        for _ in range(_DEPTH):
            if name in masks:
                return True
            values = [text(local.value) for mask in masks for local in table.get(mask, ())]
            masks |= {word for value in values for word in re.findall(rb"[A-Za-z_]\w*", value)}
        return False

    def _holds_warps(self, array: Node) -> bool:
        """Whether an array is called after warps, or is indexed by a warp's number."""
        name = text(array.child_by_field_name("declarator"))
        if _OF_WARPS.fullmatch(name) is not None:
            return True
        function = self.parsed.function(array.start_byte)
        if re.fullmatch(rb"\w+", name) is None:
            return False
        if function is None:
            warps = rb"\s*\[\s*(?:tid|threadIdx\.x)\s*(?:>>\s*5|/\s*32)\s*\]"
            return re.search(rb"\b" + name + warps, self.parsed.data) is not None
        indices = [_WARP_OF_TILE, *map(re.escape, self.names(array.start_byte))]
        indexed = re.compile(rb"\b" + name + rb"\s*\[\s*(?:" + b"|".join(indices) + rb")\s*\]")
        return indexed.search(self.parsed.data, function.span.start, function.span.end) is not None

    def _is_given(self, quotient: Node) -> bool:
        """Whether a quotient is handed to a function of the file as its number of warps."""
        child = quotient
        for around in tree_sitter_nodes.ancestors(quotient):
            if around.type in ("template_argument_list", "argument_list"):
                owner = around.parent
                field = "name" if around.type == "template_argument_list" else "function"
                called = None if owner is None else owner.child_by_field_name(field)
                if called is None:
                    return False
                name = re.match(rb"[\w:]*", text(called))
                known = self._parameters_of(name[0].rpartition(b"::")[2] if name else b"", field == "name")
                at = [node for node in around.named_children if node.type != "comment"].index(child)
                return at < len(known) and _OF_WARPS.fullmatch(known[at]) is not None
            if around.type not in ("binary_expression", "parenthesized_expression", "type_descriptor"):
                return False
            child = around
        return False

    def _parameters_of(self, name: bytes, template: bool) -> list[bytes]:
        """The names of a function's parameters, or of its template's, where the file defines it."""
        key = (name, template)
        if key not in self._parameters:
            found: list[bytes] = []
            if name and template:
                pattern = rb"\btemplate\s*<([^;{}]*?)>\s*(?:__\w+__|[\w:&*<>,\s])*?\b" + name + rb"\s*\("
            else:
                pattern = rb"\b" + name + rb"\s*\(([^;{}]*?)\)\s*\{"
            match = re.search(pattern, self.parsed.data) if name else None
            if match is not None:
                lasts = [_LAST.search(piece.strip()) for piece in _PIECES.findall(match[1])]
                found = [last[1] if last is not None else b"" for last in lasts]
            self._parameters[key] = found
        return self._parameters[key]

    def _meets(self, name: bytes, offset: int) -> bool:
        """Whether a variable is set against a lane or a warp's number somewhere in its function."""
        function = self.parsed.function(offset)
        if function is None:
            return False
        some = rb"(?:" + b"|".join([_SPELLED, *map(re.escape, sorted(self.names(offset)))]) + rb")"
        meeting = re.compile(
            rb"\b" + some + rb"\s*" + _MEETING + rb"\s*\(?\s*" + name + rb"\b"
            rb"|\b" + name + rb"\s*\)?\s*" + _MEETING + rb"\s*\(?\s*" + some + rb"\b"
        )  # fmt: skip
        inside = self.parsed.data[function.span.start : function.span.end]
        if meeting.search(inside) is not None:
            return True
        counted = {match[1] for match in re.finditer(rb"\b(\w+)\s*<\s*" + name + rb"\b", inside)}
        steps = (rb"\b" + step + rb"\s*\*\s*32\s*\+\s*" + some + rb"\b" for step in counted)
        return any(re.search(step, inside) is not None for step in steps)

    def names(self, offset: int) -> frozenset[bytes]:
        """The variables of a function that are lane or warp numbers, by their value and by their name."""
        function = self.parsed.function(offset)
        if function is None:
            return frozenset()
        key = function.span.start
        if key not in self._lanes:
            table = self.values.locals(offset)
            found = (
                name
                for name, made_by in table.items()
                if any(local.rank == 0 for local in made_by)
                and (
                    _LANE.fullmatch(name)
                    or any(self._counts(local.value) or self._is_handed(name, local, offset) for local in made_by)
                )
            )
            self._lanes[key] = frozenset(found)
        return self._lanes[key]

    def lanes(self, offset: int) -> set[bytes]:
        """Those of them that are numbers of lanes."""
        table = self.values.locals(offset)
        return {
            name
            for name in self.names(offset)
            if b"lane" in name.lower() or any(self.is_numbered(local.value, LANE_SIGNS) for local in table[name])
        }

    def _is_handed(self, name: bytes, local: Local, offset: int) -> bool:
        """Whether a parameter is given lane or warp numbers wherever the file calls its function."""
        if local.value is not None or local.rank:
            return False
        given = self.values.given_to(name, offset)
        return bool(given) and all(self.is_numbered(one, LANE_SIGNS + WARP_SIGNS) for one in given)

    def _counts(self, value: Node | None) -> bool:
        """Whether an expression makes a lane or warp number out of a thread's."""
        while value is not None and value.type == "parenthesized_expression":
            value = value.named_child(0)
        if value is None or value.type != "binary_expression":
            return False
        sign, right = text(value.child_by_field_name("operator")), value.child_by_field_name("right")
        if (sign, self.values.constant(right)) not in _COUNTING:
            size = _BY_SIZE.get(sign)
            if size is None or re.fullmatch(WARP_NAME.pattern + size, text(right).strip(b"() ")) is None:
                return False
        return self.values.from_threads(value.child_by_field_name("left"))

    def is_numbered(self, node: Node | None, signs: tuple[bytes, ...], depth: int = _DEPTH) -> bool:
        """Whether an expression is the number of a lane or of a warp, as `signs` say, by what it is made of."""
        while node is not None and node.type == "parenthesized_expression":
            node = node.named_child(0)
        if node is None or depth == 0:
            return False
        if node.type == "binary_expression":
            return text(node.child_by_field_name("operator")) in signs and self._counts(node)
        if node.type != "identifier":
            return False
        found = self.values.locals(node.start_byte).get(text(node), ())
        return bool(found) and all(self.is_numbered(local.value, signs, depth - 1) for local in found)

    def is_first_of_group(self, left: Node, comparison: Node) -> bool:
        """Whether a thread's place among a multiple of 32 is told to be in the first warp, and shuffles follow."""
        function = self.parsed.function(left.start_byte)
        found = self.values.locals(left.start_byte).get(text(left), ())
        if function is None or len(found) != 1 or found[0].value is None or found[0].value.type != "binary_expression":
            return False
        sign, size = (found[0].value.child_by_field_name(field) for field in ("operator", "right"))
        while size is not None and size.type == "parenthesized_expression":
            size = size.named_child(0)
        group = (self.values.constant(size) or 0) + (text(sign) == b"&")
        if text(sign) not in LANE_SIGNS or group <= 32 or group % 32 or not self.values.from_threads(found[0].value):
            return False
        return _SHUFFLED.search(self.parsed.data, comparison.end_byte, function.span.end) is not None

    def is_first_lane(self, factor: Node | None, product: Node) -> bool:
        """Whether a warp's number makes the place of its first lane; what is added on to a place is a distance."""
        around = product.parent
        while around is not None and around.type == "parenthesized_expression":
            around = around.parent
        return (around is None or around.type != "assignment_expression") and self.is_numbered(factor, WARP_SIGNS)

    def is_thread(self, node: Node) -> bool:
        """A thread's own index, as it is or under another name."""
        if node.type == "field_expression":
            return text(node) == b"threadIdx.x"
        if node.type != "identifier":
            return False
        found = self.values.locals(node.start_byte).get(text(node), ())
        if any(local.value is None for local in found):
            given = self.values.given(node)
            return len(found) == 1 and bool(given) and all(self.is_thread(one) for one in given)
        return bool(found) and all(_INDEX.fullmatch(text(local.value)) is not None for local in found)

    def begins_in_first_warp(self, begun: Sequence[Local], loop: Node) -> bool:
        """Whether what runs through a loop began as a thread's index that is below 32 there."""
        values = [one.value for one in begun if one.value is not None and self.is_thread(one.value)]
        if not values:
            return False
        below = re.compile(rb"\(?\s*" + re.escape(text(values[0])) + rb"\s*<\s*32[uU]?\b")
        tests = (
            node.child_by_field_name("condition")
            for node in tree_sitter_nodes.ancestors(loop)
            if node.type == "if_statement"
        )
        return any(below.search(text(test)) is not None for test in tests)

    def is_read_by_lanes(self, pointer: Node, loop: Node) -> bool:
        """`row += 32` in a loop where each lane reads `row[lane]`."""
        lanes = [re.escape(name) for name in self.names(pointer.start_byte) if b"lane" in name.lower()]
        if not lanes or pointer.type != "identifier":
            return False
        read = re.compile(rb"\b" + text(pointer) + rb"\s*\[\s*(?:" + b"|".join(sorted(lanes)) + rb")\s*\]")
        return read.search(text(loop)) is not None


def is_warps(node: Node) -> bool:
    """Whether an expression is a number of warps by name: one, some added up, one times something else."""
    while node.type == "parenthesized_expression" and node.named_child_count:
        node = node.named_children[0]
    if node.type != "binary_expression":
        return NUMBER_OF_WARPS.fullmatch(text(node).rpartition(b"::")[2]) is not None
    sides = [is_warps(side) for side in node.named_children if side.type != "comment"]
    return {b"+": all, b"*": any}.get(text(node.child_by_field_name("operator")), _never)(sides)


def _never(_: object) -> bool:
    return False


def _upwards(node: Node) -> Iterator[Node]:
    """The expressions around a node, and what they make."""
    for around in tree_sitter_nodes.ancestors(node):
        yield around
        if around.type.endswith(("_statement", "declaration", "parameter_list")) or around.type == "compound_statement":
            return


def _goes_on(node: Node) -> bool:
    """Whether something more is computed from an expression before it makes anything."""
    around = node.parent
    while around is not None and around.type == "parenthesized_expression":
        around = around.parent
    return around is not None and around.type == "binary_expression"


def class_of_warps(node: Node) -> bytes:
    """The word for a warp where the class around is called after warps."""
    for around in tree_sitter_nodes.ancestors(node):
        if around.type in ("struct_specifier", "class_specifier"):
            return b" warp" if _OF_WARPS.fullmatch(text(around.child_by_field_name("name"))) else b""
    return b""


def _shuffling(name: str) -> bytes:
    """The word for a warp where a function is called after a shuffle."""
    return b" warp" if _SHUFFLED.search(name.encode()) is not None else b""


def made(node: Node) -> bytes:
    """The name of the variable or constant that an expression goes into; empty where it makes none."""
    child = node
    for around in _upwards(node):
        if around.type in _MADE:
            name = next(
                (n for f in ("declarator", "left", "name") if (n := around.child_by_field_name(f)) is not None), None
            )
            while name is not None and name.child_by_field_name("declarator") is not None:
                name = name.child_by_field_name("declarator")
            return text(name) if name is not None and name != child and re.fullmatch(rb"\w+", text(name)) else b""
        child = around
    return b""


def is_lane_named(node: Node) -> bool:
    """Whether what an expression makes is called after lanes."""
    name = made(node)
    return _OF_LANES.fullmatch(name) is not None and b"arp" not in name and b"ARP" not in name
