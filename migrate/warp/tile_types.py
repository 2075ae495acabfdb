"""Whether an object is a tile of a warp, through templates: what classes and functions are made for, in any file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Hit, Span, Use
from cudamigrate.warp.expressions import type_name
from cudamigrate.warp.places import Place
from cudamigrate.warp.template_instances import ALIAS

if TYPE_CHECKING:
    from cudamigrate.model.warp_graph import Expression
    from cudamigrate.warp.transfer import Evaluator

_TILES = frozenset(("thread_block_tile", "tiled_partition"))
"""The type of a tile, and the function that gives one."""
OF_TILE, OPEN = "cooperative-groups/tile-mask", "cooperative-groups/group-mask"
"""The rules for the mask of a tile, and of what may be one."""


def hit(parsed: ParsedFile, span: Span, rule: str) -> Hit:
    """What is returned for a call at a place: of a tile, or of a group that is open."""
    name = parsed.data[span.start : span.end].decode("latin-1")
    use = Use("call", name, span, span, (), parsed.scope(span.start), parsed.certainty(span.start))
    return Hit(rule, use, {"name": " ".join(name.split())})


def is_tile(evaluator: Evaluator, place: Place, held: Expression) -> bool:
    """Whether all that an object is seen to be are tiles; False where something of it is not seen."""
    types, owners = _Types(evaluator), (place.routine.owner, place.routine.name)
    found = [one for each in evaluator.classes.of(place, held) for one in types.meant(each, owners)]
    return bool(found) and all(found)


class _Types:
    """Follows the types that templates are given; each parameter of a template is looked at once."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self._seen: set[tuple[int | str, str]] = set()

    def meant(self, name: str, templates: tuple[str, ...]) -> Iterator[bool]:
        """Whether each type that a name stands for is a tile: itself, an alias, or a parameter of some template."""
        if name in _TILES:
            yield True
            return
        declared = [one for each in templates for one in self.evaluator.by_name.get(each, ())]
        declared = [one for one in declared if name in one.routine.kinds]
        for place in declared:
            if (id(place), name) not in self._seen:
                self._seen.add((id(place), name))
                yield from self._given(place, name)
        if not declared:
            yield from self._alias(name)

    def _alias(self, name: str) -> Iterator[bool]:
        instances = (one for one in self.evaluator.instances if (one.template, one.at) == (name, ALIAS))
        aliased = {(one.type, one.within) for one in instances}
        if len(aliased) == 1 and ("alias", name) not in self._seen:
            self._seen.add(("alias", name))
            for of, within in aliased:
                yield from self.meant(of, (within,) if within else ())
        else:
            yield False

    def _given(self, place: Place, name: str) -> Iterator[bool]:
        """Whether each type that a template is given is a tile: between its brackets, or by the arguments of calls."""
        routine, at = place.routine, place.routine.kinds.index(name)
        is_class = routine.name == routine.owner
        if not is_class and self.evaluator.calls_of(place) == []:
            return  # what nobody calls is made for no type
        spelled = [one for one in self.evaluator.instances if (one.template, one.at) == (routine.name, at)]
        for one in spelled:
            yield from self.meant(one.type, (one.within,) if one.within else ())
        deduced = [one for one in routine.parameters if type_name(routine.types.get(one, "")) == name]
        for parameter in () if is_class else deduced[:1]:
            yield from (one in _TILES for one in self.evaluator.classes.of(place, ("v", parameter)) or ("",))
        if not spelled and (is_class or not deduced):
            yield False
