"""By how many bits code shifts, where that is shown: constants, the number of a lane, what callers pass.

A warp has lanes 0 to 31, and all of them run the code unless a condition says otherwise. A name that a condition around
or before the place asks for is bounded by it: nothing is said of its values. Code that HIP compiles as it is counts 64
lanes: what it takes modulo the wave may reach 63.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tree_sitter import Node

from cudamigrate.analysis import seen_waves
from cudamigrate.analysis.builtin_wave import is_builtin
from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.amd_code import is_native
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model.warp_graph import Expression, Site
from cudamigrate.syntax import tree_sitter_nodes
from cudamigrate.warp import macro_routines
from cudamigrate.warp.amount_conditions import deciding, is_bounded
from cudamigrate.warp.constant_tables import ConstantTables
from cudamigrate.warp.counted_shifts import CountedShifts
from cudamigrate.warp.expressions import INTEGERS, expression, of_register
from cudamigrate.warp.facts import computed
from cudamigrate.warp.first_values import first_values, put
from cudamigrate.warp.integer_ranges import ANY, Range, operate
from cudamigrate.warp.listed_elements import elements
from cudamigrate.warp.places import Place
from cudamigrate.warp.reached_shifts import WIDTH, ReachedShifts
from cudamigrate.warp.table_shifts import WIDTHS, TableShifts, WideShift
from cudamigrate.warp.transfer import Evaluator, evaluator_of, place_around
from cudamigrate.warp.tree_queries import asks_for_wave, bare, plain_name
from cudamigrate.warp.value_ranges import ValueRanges

_LANES = range(32)
_OWN = "warpSize"
"""The built-in's name, which a parameter or a variable may have, too."""
_WAVE, _REGISTER = ("k", "wave"), of_register(b"laneid")
_DEPTH = 12
_SHIFTS = tree_sitter_nodes.Kinds("cuda", "binary_expression", "assignment_expression")
_SIGNS = ("<<", ">>", "<<=", ">>=")
_NAME = re.compile(rb"[A-Za-z_]\w*")
_CONSTANT = re.compile(rb"[A-Z][A-Z0-9_]{2,}|k[A-Z]\w+|\w*[Ww]arp_?[Ss]ize\w*")
_TEMPLATES = tree_sitter_nodes.Kinds("cuda", "template_function")
_VOTES = (b"__ballot", b"__ballot_sync", b"__activemask", b"__match_any_sync", b"__match_all_sync")
"""CUDA's functions that give a bit for each of 32 lanes."""
_LANE_OF_WAVE = (b"__lane_id", b"__builtin_amdgcn_mbcnt_hi")
"""What gives the number of a lane in its wave, in HIP."""


def in_device_code(parsed: ParsedFile) -> list[tuple[Node, Node]]:
    """The shifts of device code, each with its amount; those by a number below 32 are left out."""
    found = _by_amounts(_SHIFTS.below(parsed.tree.root_node))
    return [one for one in found if parsed.scope(one[0].start_byte) == "device"]


def in_macros(parsed: ParsedFile) -> list[tuple[Node, Node]]:
    """The shifts in the bodies of a file's macros, likewise."""
    bodies = (parsed.data[one.rest : one.end] for one in parsed.lexed.directives if one.name == "define")
    if not any(b"<<" in one or b">>" in one for one in bodies):
        return []
    _, macros = parsed.once(macro_routines.read)
    return [one for macro in macros for one in _by_amounts(_SHIFTS.below(macro.body))]


def counted_in_macros(parsed: ParsedFile) -> Iterator[tuple[Node, str]]:
    """The shifts of macros by counts of lanes that may be all 32, by the uses of the macros in the file."""
    for macro in macro_routines.shifting(parsed):
        for shift, amount in _by_amounts(_SHIFTS.below(macro.body)):
            said = parsed.once(CountedShifts).words_of_macro(macro, shift, amount)
            if said and parsed.once(ShiftAmounts).is_of_32_bits(shift.child_by_field_name("left")):
                yield shift, said


def by_table(parsed: ParsedFile, shift: Node, amount: Node) -> WideShift | None:
    """How a shift is too wide by an element of a table; None where none shows it."""
    return parsed.once(TableShifts).of(shift, amount)


def in_macros_by_tables(parsed: ParsedFile) -> Iterator[tuple[Node, WideShift]]:
    """The shifts of macros by an element of a table that is as wide as the type, by the uses of the macros."""
    for macro in macro_routines.shifting(parsed) if parsed.once(ConstantTables).names else ():
        for shift, amount in _by_amounts(_SHIFTS.below(macro.body)):
            found = parsed.once(TableShifts).of_macro(macro, shift, amount)
            if found is not None:
                yield shift, found


def _by_amounts(nodes: Iterable[Node]) -> Iterator[tuple[Node, Node]]:
    for node in nodes:
        sign = node.child_by_field_name("operator")
        amount = bare(node.child_by_field_name("right")) if sign is not None and sign.type in _SIGNS else None
        if amount is not None and not _is_small(amount):
            yield node, amount


def _is_small(amount: Node) -> bool:
    """Whether an amount is a number below 32, as most are."""
    return amount.type == "number_literal" and text(amount).isdigit() and int(text(amount)) < WIDTH


def constants_named(parsed: ParsedFile) -> frozenset[bytes]:
    """The names in the amounts of a file's shifts, in device code and in macros, that are spelled as constants are."""
    if b"<<" not in parsed.data and b">>" not in parsed.data:
        return frozenset()
    amounts = (amount for found in (in_device_code, in_macros) for _, amount in parsed.once(found))
    return frozenset(name for one in amounts for name in _NAME.findall(text(one)) if _CONSTANT.fullmatch(name))


def beyond_warp(parsed: ParsedFile, amount: Node) -> int:
    """The largest amount, beyond 31, of a shift that HIP compiles as it is; 0 where a wave of 64 lanes makes none so.

    It is one that would stay within 0 to 31 if the wave had 32 lanes, and that no condition bounds.
    """
    if not parsed.once(_counts_waves) or asks_for_wave(parsed, amount):
        return 0
    wide = parsed.once(_ranges_of_wave).of(amount)
    if wide.high is None or wide.high < WIDTH or not parsed.once(_ranges_of_warp).of(amount).within(0, WIDTH - 1):
        return 0
    return 0 if is_bounded(amount, {name.decode("latin-1") for name in deciding(amount)}) else wide.high


def _counts_waves(parsed: ParsedFile) -> bool:
    """Whether a file has code that HIP compiles as it is, or constants that are 64 for HIP."""
    values = Values.of(parsed)
    values.constants()
    return bool(parsed.waves or values.ported) or parsed.once(is_native) or any(one.hip for one in parsed.branches)


class _RangesOnWave(ValueRanges):
    """The ranges where a wave has so many lanes, in code for HIP; nothing bounds a thread's number by itself."""

    lanes = 64

    def of(self, node: Node | None, depth: int = _DEPTH) -> Range:
        """The range of an expression at its place."""
        inner = bare(node)
        if inner is None:
            return ANY
        if inner.type == "field_expression":
            return Range(0, None) if super().of(inner, depth).is_natural else ANY
        if inner.type == "call_expression" and plain_name(inner.child_by_field_name("function")) in _LANE_OF_WAVE:
            return Range(0, self.lanes - 1)
        if self._is_wave(inner):
            return Range(self.lanes, self.lanes)
        if inner.type == "binary_expression" and text(inner.child_by_field_name("operator")) in (b"%", b"&"):
            return self._rest(inner, depth)
        return super().of(inner, depth)

    def _rest(self, node: Node, depth: int) -> Range:
        """What is left of a number modulo the wave, by whatever sign; a shift by less than 0 has no meaning."""
        sign, right = text(node.child_by_field_name("operator")), bare(node.child_by_field_name("right"))
        size = WIDTH * 2 - (sign == b"&")
        by = Range(size, size) if self.values.constant(right) == size else self.of(right, depth - 1)
        wave = self.lanes - (sign == b"&")
        if by not in (Range(size, size), Range(wave, wave)):
            return super().of(node, depth)
        left = self.of(node.child_by_field_name("left"), depth - 1)
        return operate(sign, left if left.is_natural else Range(0, None), Range(wave, wave))

    def _is_wave(self, node: Node) -> bool:
        """Whether a name is the size of the wave: the built-in in code for HIP, or what is 64 for HIP in the file."""
        if node.type not in ("identifier", "qualified_identifier"):
            return False
        name, parsed = text(node), self.parsed
        spelled = self.values.constants().get(name)
        if name in self.values.ported or seen_waves.means(parsed, name):
            return True
        named = spelled == b"warpSize" or is_builtin(parsed, node)
        return named and (parsed.hip(node.start_byte) is True or parsed.once(is_native))


class _RangesOnWarp(_RangesOnWave):
    lanes = WIDTH


def _ranges_of_wave(parsed: ParsedFile) -> ValueRanges:
    return _RangesOnWave(parsed)


def _ranges_of_warp(parsed: ParsedFile) -> ValueRanges:
    return _RangesOnWarp(parsed)


class ShiftAmounts:
    """The amounts in one file."""

    def __init__(self, parsed: ParsedFile) -> None:
        self.parsed, self.ranges = parsed, ValueRanges.of_file(parsed)
        self.evaluator: Evaluator = evaluator_of(parsed)

    def width(self, node: Node | None) -> int:
        """In how many bits a value is seen to be worked out, 32 or 64, as CUDA does the lanes that vote; else 0."""
        inner = bare(node)
        called = plain_name(inner.child_by_field_name("function")) if inner is not None else b""
        if inner is not None and called in _VOTES and not self.parsed.once(is_native):
            return WIDTH if self.parsed.hip(inner.start_byte) is None else 0
        return WIDTHS.get(self.ranges.rank(node, _DEPTH), 0)

    def is_of_32_bits(self, node: Node | None) -> bool:
        """Whether C++ is seen to work out a value in 32 bits."""
        return self.width(node) == WIDTH

    def beyond(self, amount: Node, width: int = WIDTH) -> str:
        """What an amount is that is `width` or more, or negative, in words; empty where it is not shown to be that."""
        found = self.beyond_by_value(amount, width) or self.parsed.once(ReachedShifts).words(amount, width)
        return found or (self.parsed.once(CountedShifts).words(amount) if width == WIDTH else "")

    def beyond_by_value(self, amount: Node, width: int = WIDTH) -> str:
        """The same by its values alone; the amount may stand in the body of a macro."""
        place = place_around(self.parsed, amount.start_byte)
        if place is None:
            return ""
        reader = _Reader(self.evaluator, self.parsed, place)
        first = first_values(self.ranges, amount)
        spelled = put(expression(amount), first)
        for lane in (_LANES[-1], _LANES[0]):
            values = reader.value(place, spelled, lane, _DEPTH) or ()
            wide = [one for one in values if not 0 <= one < width]
            is_lane = reader.is_lane if lane == _LANES[0] and reader.by_lane else None
            if wide and not is_bounded(amount, reader.names | first.keys(), is_lane):
                where = f" in lane {lane}" if reader.by_lane else ""
                return f"{max(wide)}{where}{f', as `{reader.called}` is called' if reader.called else ''}"
        return ""


class _Reader:
    """Works out one amount for a lane; `names` are what it is made of, without what makes the number of the lane."""

    def __init__(self, evaluator: Evaluator, parsed: ParsedFile, place: Place) -> None:
        self.evaluator, self.parsed, self.place = evaluator, parsed, place
        self.names: set[str] = set()
        self.by_lane = False
        self.called = ""

    def value(self, place: Place, what: Expression, lane: int, depth: int) -> set[int] | None:
        """The values of an expression, each in some call; None where one of them is not shown."""
        if depth == 0:
            return None
        if what == _WAVE and _OWN in {*place.routine.templates, *place.routine.types}:
            what = ("v", _OWN)
        kind = what[0]
        if kind == "n" or what == _WAVE:
            return {WIDTH if kind == "k" else what[1]}
        if kind == "v" and place is self.place:
            self.names.add(what[1].partition("#")[0])
            if any(one.name.startswith(f"{what[1]}#") for one in place.routine.definitions):
                return None  # one name for several values: which of them the amount is made of, its text does not say
        if what == _REGISTER or (kind in ("v", "o", "k", "m") and self._is_lane(place, what, lane)):
            self.by_lane = True
            self.names |= {"threadIdx"} if kind == "k" and place is self.place else set()
            return {lane}
        read = _READ.get(kind)
        if read is not None:
            return read(self, place, what, lane, depth - 1)
        if kind != "o" or len(what) != 4:
            return None
        left, right = (self.value(place, one, lane, depth - 1) for one in what[2:])
        if left is None or right is None:
            return None
        made = {computed(what[1], one, other) for one in left for other in right}
        return None if None in made else {one for one in made if one is not None}

    def is_lane(self, node: Node) -> bool:
        """Whether an expression of the amount's function is the number of a lane, or of a thread in its block."""
        return self._is_lane(self.place, expression(node), _LANES[0])

    def _is_lane(self, place: Place, what: Expression, lane: int) -> bool:
        """Whether an expression is the lane's number; each block has a first thread, and not each has a 32nd."""
        self.evaluator.solve([], [(place, what)])
        fact = self.evaluator.value(place, what)
        return fact.sure and (fact.exact == "lane" or (fact.exact == "thread" and lane == _LANES[0]))

    def _made(self, place: Place, what: Expression, lane: int, depth: int) -> set[int] | None:
        """What a function without parameters gives back, or what code gives to a member of a class."""
        if place is self.place:
            self.names.add(what[1] if what[0] == "c" else what[1][1] if what[1][0] == "v" else "")
        if what[0] == "c":
            called = self._called(place, what)
            results = [(one, self.evaluator.definitions(one).get("return", ())) for one in called]
            found = [(one, one.routine.definitions[at]) for one, every in results for at in every]
            if len(called) != 1 or called[0].routine.parameters:
                return None
        else:
            owner = self.evaluator.classes.one(place, what[1]) if what[1][0] == "v" else ""
            if owner and self.evaluator.fields.lent(owner, what[2]):
                return None
            found = self.evaluator.fields.given(owner, what[2]) if owner else []
        return self._union((None if one.guards else (at, one.value) for at, one in found), lane, depth)

    def _called(self, place: Place, what: Expression) -> Sequence[Place]:
        """The functions, or members of an object's class, that a call without arguments reaches."""
        if what[2]:
            return ()
        if what[3] is None:
            return self.evaluator.by_name.get(what[1], ())
        return self.evaluator.called(place, Site("call", what[1], (), what[3], (), 0, 0, 0))

    def _union(self, found: Iterable[tuple[Place, Expression] | None], lane: int, depth: int) -> set[int] | None:
        """The values of several expressions, each in its routine; None where one of them is not shown."""
        values = set[int]()
        for one in found:
            value = None if one is None else self.value(*one, lane, depth)
            if value is None:
                return None
            values |= value
        return values or None

    def _listed(self, place: Place, what: Expression, lane: int, depth: int) -> set[int] | None:
        """Any item of a list, an element of an array that is filled by one, or a number in braces."""
        if what[0] == "i":
            parts = elements(place, what)
            if place is self.place and what[1][0] == "v":
                self.names.add(what[1][1].partition("#")[0])
        elif what[0] == "b":
            parts = what[2:] if len(what) == 3 and what[1] in INTEGERS else ()
        else:
            parts = what[1:]
        return self._union(((place, one) for one in parts), lane, depth)

    def _variable(self, place: Place, what: Expression, lane: int, depth: int) -> set[int] | None:
        routine, name = place.routine, what[1]
        if name in routine.parameters:
            return self._passed(place, routine.parameters.index(name), lane, depth)
        if name in routine.templates:
            return self._given(place, name)
        found = [one for one in routine.definitions if one.name == name]
        if not found and name not in routine.types:
            constant = self.evaluator.constant(name)
            if constant is None and routine.owner:
                return self._made(place, ("m", ("v", "this"), name), lane, depth)
            return None if constant is None else {constant}
        plain = len(found) == 1 and not found[0].guards and name not in routine.taken | routine.handed | routine.aliases
        return self.value(place, found[0].value, lane, depth) if plain else None

    def _passed(self, place: Place, at: int, lane: int, depth: int) -> set[int] | None:
        """What callers pass. A parameter that the function writes has other values too."""
        routine, calls = place.routine, self.evaluator.calls_of(place)
        if any(one.name == routine.parameters[at] for one in routine.definitions) or not calls:
            return None
        self.called = routine.name
        found: set[int] = set()
        for caller, site in calls:
            value = self.value(caller, site.arguments[at], lane, depth) if at < len(site.arguments) else None
            found |= value if value is not None and not site.guards else set()
        return found

    def _given(self, place: Place, name: str) -> set[int]:
        """The numbers that the file gives a template's parameter."""
        self.called = place.routine.name
        root, own = self.parsed.tree.root_node, place.routine
        node = root.descendant_for_byte_range(own.start, own.start + 1)
        outer = tree_sitter_nodes.ancestors(node) if node is not None else ()
        around = next((one for one in outer if one.type == "template_declaration"), None)
        listed = around.child_by_field_name("parameters") if around is not None else None
        names = [text(one).split()[-1] for one in listed.named_children] if listed is not None else []
        at = names.index(name.encode()) if name.encode() in names else -1
        values = (
            self._number(one, at)
            for one in _TEMPLATES.below(root)
            if text(one.child_by_field_name("name")) == own.name.encode() and at >= 0
        )
        return {one for one in values if one is not None}

    def _number(self, node: Node, at: int) -> int | None:
        """The number that a template is given in one place."""
        listed = node.child_by_field_name("arguments")
        given = [one for one in listed.named_children if one.type != "comment"] if listed is not None else []
        return ValueRanges.of_file(self.parsed).values.constant(given[at]) if at < len(given) else None


_Read = Callable[[_Reader, Place, Expression, int, int], "set[int] | None"]
_READ: Mapping[str, _Read] = {
    **dict.fromkeys(("c", "m"), _Reader._made),
    "v": _Reader._variable,
    **dict.fromkeys(("a", "b", "i"), _Reader._listed),
}
