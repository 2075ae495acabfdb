"""What a file's device code says of itself, small enough to travel: routines, what they define, call and wait for.

An expression is a tuple whose first item is its kind:
`("n", 32)` a number, `("r", "0.5")` another literal, `("v", name)` a variable, `("k", kind)` a value of the language,
as `rules/warp-facts` names it, `("o", sign, *parts)` an operation, `("c", callee, arguments, receiver)` a call,
`("m", object, member)` a member, `("i", array, index)` an element, `("a", *items)` a list, `("l", start, *parts)` a
lambda, `("b", type, *parts)` an object or number made by braces, `("d", member, value)` a member named in braces.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from cudamigrate.lazy_dataclasses import dataclass

Expression = tuple[Any, ...]
AGAIN = "@"
"""Ends the name of a variable as it is from an assignment on; `x#4@` is `x`, given a value as the fourth."""

Shape = tuple[int, int, int]
"""Width and height of the blocks of a launch, 0 where not seen, and how many dimensions they have at most."""


class Rejoined(NamedTuple):
    """A loop that some threads jump past or out of, and back into, while others turn in it: `goto` in C++.

    `spans` are the bytes of it that those run who do not jump, `elsewhere` what the others run meanwhile. `is_entered`
    says that they jump past it before they are in it, so that the loop is entered in two places.
    """

    spans: tuple[tuple[int, int], ...]
    elsewhere: tuple[int, int]
    is_entered: bool


class Condition(NamedTuple):
    """What decides whether code runs: the condition of a branch or a loop, with its line and its text.

    `is_lone` says that nothing runs in its place where it does not hold: an `if` without `else`. `other` is the byte
    where the code begins that does; 0 for none. `start` is where it is asked. No thread runs code of two `regions` of a
    condition while it answers it once, and all threads come to what is `behind`; a region is a row of spans of bytes,
    with `is_two` the first for what is true and the second for what is not. `rejoined` are the loops in which threads
    that it parts come together again from different places, as some of them jump.
    """

    test: Expression
    line: int
    text: str
    is_lone: bool = False
    other: int = 0
    start: int = 0
    regions: tuple[tuple[tuple[int, int], ...], ...] = ()
    behind: tuple[int, int] = (0, 0)
    is_two: bool = False
    rejoined: tuple[Rejoined, ...] = ()

    def is_met_at(self, place: int) -> bool:
        """Whether code at a place runs only where the condition is true."""
        met = self.regions[0] if self.is_two and self.regions else ()
        return any(start <= place < end for start, end in met)


class Definition(NamedTuple):
    """A value that a variable, a member or the result (named `return`) is given, under conditions by their numbers.

    `start` is where the statement begins, `place` what is written where that is memory.
    """

    name: str
    value: Expression
    guards: tuple[int, ...]
    line: int
    start: int = 0
    place: Expression = ()


class Site(NamedTuple):
    """A call, or a loop that only waits: where it is, and the conditions around it.

    `kind` is `call`, `spin` for a loop, `jump` for one made by jumps to a label, `serve` for one that does something
    before it is left, or `move` for one that goes from one wait to the next; a loop's `receiver` is the list of what it
    asks. `constants` are the arguments that a call gives its template, as they are written: `T` and `true` of
    `Step<int>::run<T, true>(x)`. `scope` is the last scope that it names: `warp` of `lib::warp::scan(x)`,
    `warp<>` of a template's member.
    """

    kind: str
    callee: str
    arguments: tuple[Expression, ...]
    receiver: Expression | None
    guards: tuple[int, ...]
    start: int
    end: int
    line: int
    constants: tuple[str, ...] = ()
    scope: str = ""


class Loop(NamedTuple):
    """A loop that is in no other: the bytes that it covers, and the conditions that end it, by their numbers."""

    start: int
    end: int
    ends: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Routine:
    """A function, method, lambda or macro. `parent` is the number of the routine around a lambda, -1 for none.

    `owner` is the class of a method, `types` what variables and parameters are declared as, `shared` the variables
    in shared memory, `aliases` references to places in memory. `taken` are those whose address something has or that
    assembly names, `handed` those that a call is given unchanged, `read_only` parameters that point to constants,
    `templates` the numbers that the templates around are given, `returns` the type of the result, `held` variables that
    are no pointer, reference or shared memory: each thread has its own. A class holds its bases so, by their names.
    `start` and `end` are the bytes that it covers, `loops` its outermost loops. `references` are parameters through
    which the caller's variable is written, `apart` those of which barriers keep all reads and writes apart.
    `takes` is how many arguments a call gives, at least and at most, `kinds` the parameters of its own template.
    `turns` are the bytes of all loops, `tiles` how many threads the groups have that variables hold. `defaults` are
    what the last parameters are where a call gives nothing, `statics` members of a class that its objects share.
    For each of `turns`, `leaving` has the conditions by which threads leave the loop from within, by their numbers.
    `within` are the names of the namespaces around it.
    """

    name: str
    owner: str
    kernel: bool
    parameters: tuple[str, ...]
    types: dict[str, str]
    shared: frozenset[str]
    conditions: tuple[Condition, ...]
    definitions: tuple[Definition, ...]
    sites: tuple[Site, ...]
    parent: int
    line: int
    taken: frozenset[str] = frozenset()
    handed: frozenset[str] = frozenset()
    read_only: frozenset[str] = frozenset()
    aliases: frozenset[str] = frozenset()
    templates: frozenset[str] = frozenset()
    returns: str = ""
    held: frozenset[str] = frozenset()
    start: int = 0
    end: int = 0
    loops: tuple[Loop, ...] = ()
    references: frozenset[str] = frozenset()
    apart: frozenset[str] = frozenset()
    takes: tuple[int, int] = (0, 0)
    kinds: tuple[str, ...] = ()
    is_macro: bool = False
    turns: tuple[tuple[int, int], ...] = ()
    tiles: tuple[tuple[str, int], ...] = ()
    defaults: tuple[Expression, ...] = ()
    statics: frozenset[str] = frozenset()
    leaving: tuple[tuple[int, ...], ...] = ()
    within: frozenset[str] = frozenset()


class Instance(NamedTuple):
    """A type that a template is given as a parameter, by its number; of a parameter of another template, that one."""

    template: str
    at: int
    type: str
    within: str = ""


class Block(NamedTuple):
    """A launch of a kernel: width and height of the block, `("n", 0)` where they are not seen.

    Behind so many `dimensions` all are seen to be 1; 3 where that is not seen. Where a function makes the
    configuration, `maker` is its name and `given` width and height of each argument. `constants` are the numbers that
    the kernel's template is given, 0 for what is not seen to be one.
    """

    kernel: str
    width: Expression
    height: Expression
    dimensions: int = 3
    maker: str = ""
    given: tuple[tuple[Expression, Expression], ...] = ()
    constants: tuple[int, ...] = ()


class MaskEdge(NamedTuple):
    """Where a mask of all lanes may be cut to 32 bits by a function of another file.

    It is given as an argument by its number, and called `name`; or it is that function's result, with `at` -1, which
    is put `into` 32 bits. `start` and `end` are the bytes of the mask, or of the call.
    """

    function: str
    at: int
    start: int
    end: int
    name: str
    into: str


@dataclass(frozen=True, slots=True)
class FileGraph:
    """The device code of one file: its routines, its constants with their numbers, and what templates are given.

    `masks` are the edges of the file over which lane masks go to other files, `giving` functions that return one,
    `tables` what variables outside of functions are given that names anything.
    `enumerations` are types of numbers with names.
    `makers` are functions that return the configuration of a launch, each with which parameter is the block in it.
    """

    path: str
    routines: tuple[Routine, ...] = ()
    constants: dict[str, int] | None = None
    instances: tuple[Instance, ...] = ()
    blocks: tuple[Block, ...] = ()
    makers: tuple[tuple[str, int], ...] = ()
    masks: tuple[MaskEdge, ...] = ()
    tables: tuple[tuple[str, Expression], ...] = ()
    giving: frozenset[str] = frozenset()
    enumerations: frozenset[str] = frozenset()
