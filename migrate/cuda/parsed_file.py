"""ParsedFile: what the front end for CUDA C++ makes of one file, and what detectors and rewrites read.

It lives and dies in one process: syntax trees cannot be sent between processes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from tree_sitter import Node, Tree

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.cuda.preprocessor import Branch
from cudamigrate.lazy_dataclasses import dataclass, field, replace
from cudamigrate.model import Certainty, Definition, Scope, SourceFile, Span, Target, Use
from cudamigrate.syntax.read_once import ReadOnce
from cudamigrate.syntax.tree_sitter_nodes import Locator

_NEVER = ((b"0",), (b"false",))
"""Conditions under which code is in no program."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function definition: where it is, where it runs, and its plain name."""

    span: Span
    body: Span
    name: str
    scope: Scope


@dataclass(frozen=True, slots=True)
class Include:
    """An include directive: `span` covers the delimited path, `line` the directive."""

    path: str
    span: Span
    line: Span
    quoted: bool
    conditional: bool


@dataclass(slots=True)
class ParsedFile(ReadOnce):
    """A source file with its uses of CUDA and the structure that detectors need.

    `ported` are the outermost ranges that a HIP macro already guards, either way. `uses` has none in code that HIP
    never compiles. `waves` are the constants of other files that are 64 for HIP and 32 for CUDA, as the file may
    spell them: `kWarp`, `lib::kWarp`; `unset` are macros that mark HIP elsewhere and that nothing here sets;
    `opened` what the files that it includes say of namespaces, see `opened_namespaces`.
    `problems` say in words what could not be read. Set by who inspects the file: `target`; `resolved`, what names and
    calls of other files are worth, where a compiler's front end was asked; `contradicted`, that other files use its
    functions in a way that forbids them to follow the wave; `values_taken`, functions of other files that take values.
    """

    source: SourceFile
    lexed: Lexed
    tree: Tree
    branches: Sequence[Branch]
    ported: Sequence[Span] = ()
    waves: frozenset[bytes] = frozenset()
    unset: frozenset[bytes] = frozenset()
    opened: tuple[bytes, ...] = ()
    uses: Sequence[Use] = ()
    includes: Sequence[Include] = ()
    functions: Sequence[Function] = ()
    definitions: Sequence[Definition] = ()
    problems: Sequence[str] = ()
    resolved: Mapping[bytes, int] = field(default_factory=dict)
    target: Target = field(default_factory=Target)
    contradicted: bool = False
    values_taken: frozenset[bytes] = frozenset()
    _starts: list[int] = field(default_factory=list)

    @property
    def native(self) -> bool:
        """Whether functions may follow the wave where that is proved."""
        return self.target.wave == "native"

    def as_contradicted(self) -> ParsedFile:
        """The same file, read again under the policy that none of its functions follows the wave."""
        return replace(self, contradicted=True, _results={})

    @property
    def data(self) -> bytes:
        """Bytes of the file as read."""
        return self.source.data

    @property
    def is_for_nvcc(self) -> bool:
        """Whether no compiler but a GPU's reads it: by its name, or by device functions outside of conditionals."""
        return self.source.language == "cuda" or any(
            function.scope == "device" and self.conditional(function.span.start) is None for function in self.functions
        )

    def hip(self, offset: int) -> bool | None:
        """True in code that only HIP compiles, False in code that HIP never compiles, None elsewhere."""
        if not self.once(_tells_vendors):
            return None  # as in most files, and this is asked of each place
        kinds = [branch.hip for branch in self.branches_around(offset)]
        if False in kinds:
            return False
        return True if True in kinds else None

    def is_dead(self, offset: int) -> bool:
        """Whether an offset is in a branch that nothing compiles: `#if 0`."""
        return any(one.start <= offset < one.end for one in self.once(_never_compiled))

    def line(self, node: Node) -> int:
        """The line of the file on which a node begins."""
        return self.source.above + node.start_point[0] + 1

    def nodes_around(self, start: int, end: int) -> Sequence[Node]:
        """The nodes of the tree that hold a range of bytes, outermost first; they hold until the next call."""
        return self.once(_locator).around(start, end)

    def branches_around(self, offset: int) -> list[Branch]:
        """The conditional branches around `offset`, outermost first."""
        if not self.branches:
            return []
        starts, parents = self.once(_nesting)
        found, at = [], bisect_right(starts, offset) - 1
        while at >= 0:
            if offset < self.branches[at].end:
                found.append(self.branches[at])
            at = parents[at]
        return found[::-1]

    def function(self, offset: int) -> Function | None:
        """The innermost function definition around `offset`, or None."""
        if not self._starts:
            self._starts.extend(function.span.start for function in self.functions)
        for at in range(bisect_right(self._starts, offset) - 1, max(-1, bisect_right(self._starts, offset) - 9), -1):
            if offset < self.functions[at].span.end:
                return self.functions[at]
        return None

    @property
    def outer(self) -> list[Function]:
        """The functions that are in no other."""
        found: list[Function] = []
        for function in self.functions:
            if not found or function.span.start >= found[-1].span.end:
                found.append(function)
        return found

    def scope(self, offset: int) -> Scope:
        """Where the code at `offset` runs: in a macro body it depends on the caller."""
        directive = self.lexed.directive_at(offset)
        if directive is not None and directive.name == "define":
            return "macro"
        function = self.function(offset)
        return function.scope if function is not None else "unknown"

    def certainty(self, offset: int) -> Certainty:
        """`syntax` where the tree gives the scope, else `token`."""
        return "syntax" if self.scope(offset) in ("host", "device") else "token"

    def named_use(self, name: str, span: Span, certainty: Certainty | None = None) -> Use:
        """The use of a name that is the whole of `span`; where nothing else is said, as certain as its scope."""
        return Use("name", name, span, span, (), self.scope(span.start), certainty or self.certainty(span.start))

    def arguments(self, opening: int, closing: int) -> tuple[Span, ...]:
        """The arguments between two brackets; none where the closing one is not known, -1."""
        return tuple(Span(*pair) for pair in self.lexed.arguments(opening, closing)) if closing > 0 else ()

    def conditional(self, offset: int) -> Branch | None:
        """The innermost conditional branch around `offset`, an include guard not counted, or None."""
        return next(reversed(self.branches_around(offset)), None)


def _locator(parsed: ParsedFile) -> Locator:
    return Locator(parsed.tree.root_node)


def _never_compiled(parsed: ParsedFile) -> list[Branch]:
    return [one for one in parsed.branches if one.conditions[-1:] in _NEVER]


def _tells_vendors(parsed: ParsedFile) -> bool:
    """Whether a branch is HIP's or CUDA's alone."""
    return any(branch.hip is not None for branch in parsed.branches)


def _nesting(parsed: ParsedFile) -> tuple[list[int], list[int]]:
    """Where each branch starts, and the number of the one around it, -1 for none."""
    parents, around = [], list[int]()
    for number, branch in enumerate(parsed.branches):
        while around and parsed.branches[around[-1]].end <= branch.start:
            around.pop()
        parents.append(around[-1] if around else -1)
        around.append(number)
    return [branch.start for branch in parsed.branches], parents
