"""A routine of the graph while it is read."""

from __future__ import annotations

from cudamigrate.model.warp_graph import Condition, Definition, Routine, Site


class Draft:
    """A routine while it is read. `loops` gives for each loop around a place the conditions that end it."""

    def __init__(self, name: str, owner: str, kernel: bool, parent: int, line: int) -> None:
        self.name, self.owner, self.kernel, self.parent, self.line = name, owner, kernel, parent, line
        self.parameters: list[str] = []
        self.types: dict[str, str] = {}
        self.shared: set[str] = set()
        self.taken: set[str] = set()
        self.handed: set[str] = set()
        self.read_only: set[str] = set()
        self.aliases: set[str] = set()
        self.templates: frozenset[str] = frozenset()
        self.returns = ""
        self.held: set[str] = set()
        self.conditions: list[Condition] = []
        self.definitions: list[tuple[Definition, tuple[int, ...]]] = []
        self.sites: list[tuple[Site, tuple[int, ...]]] = []
        self.exits: list[set[int]] = []

    def made(self) -> Routine:
        """The routine, with the ends of loops among the conditions of what is in them."""
        return Routine(
            self.name,
            self.owner,
            self.kernel,
            tuple(self.parameters),
            self.types,
            frozenset(self.shared),
            tuple(self.conditions),
            tuple(one._replace(guards=self._around(one.guards, loops)) for one, loops in self.definitions),
            tuple(one._replace(guards=self._around(one.guards, loops)) for one, loops in self.sites),
            self.parent,
            self.line,
            frozenset(self.taken),
            frozenset(self.handed),
            frozenset(self.read_only),
            frozenset(self.aliases),
            self.templates,
            self.returns,
            frozenset(self.held),
        )

    def _around(self, guards: tuple[int, ...], loops: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(dict.fromkeys([*guards, *(end for loop in loops for end in sorted(self.exits[loop]))]))
