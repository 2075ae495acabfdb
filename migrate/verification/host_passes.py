"""Units that the passes for the device leave in doubt -> those of which the pass for the host is made all the same.

A doubt, with no answer, stays whatever the host sees: what it can add is an error that is certain, in text that the
device does not see. Such text is in files that ask for a macro in which the passes differ, and mostly in headers that
many units read. Those are read once for the host, for each way in which units compile. Where that shows an error that
is certain, every unit in doubt that reads its file is read for the host as well.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from cudamigrate.compilation import preamble
from cudamigrate.lazy_dataclasses import dataclass, field
from cudamigrate.model.verification import Checked, Unit


@dataclass(slots=True)
class HostPasses:
    """What passes for the host have read so far, and where they found what is certain; each by how a unit compiles."""

    _read: dict[tuple[object, ...], set[str]] = field(default_factory=dict)
    _wrong: dict[tuple[object, ...], set[str]] = field(default_factory=dict)

    def note(self, unit: Unit, done: Checked, read: Collection[str]) -> None:
        """Take in the whole answer on a unit, whose pass for the host read some files of the tree."""
        key = preamble.key(unit)
        self._read.setdefault(key, set()).update(read)
        wrong = (entry.place.path for entry in done.diagnostics if entry.side == "host" and entry.certain)
        self._wrong.setdefault(key, set()).update(wrong)

    def next(self, doubtful: Mapping[Unit, Checked], asking: Collection[str]) -> list[Unit]:
        """The units in doubt whose pass for the host has to be made next; none where what was read is enough.

        `doubtful` has what the passes for the devices say. `asking` are files that ask for what differs for the host.
        """
        counted = {key: set(read) for key, read in self._read.items()}
        chosen = []
        for unit, answer in doubtful.items():
            inside, key = answer.inside(unit.root), preamble.key(unit)
            known = counted.setdefault(key, set())
            if not known >= inside.intersection(asking) or not inside.isdisjoint(self._wrong.get(key, ())):
                chosen.append(unit)
                known |= inside
        return chosen
