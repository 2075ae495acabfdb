"""Facts that were worked out: for good, or until a value that depends on itself stays as it is."""

from __future__ import annotations

from cudamigrate.warp.facts import BOTTOM, Fact, settled

Key = tuple[object, ...]


class KeptFacts:
    """Facts by what was asked for.

    A value that depends on itself begins with what is known, and is worked out in rounds until nothing changes. What
    asked for none of that kind on its way is known for good at once.
    """

    def __init__(self) -> None:
        self._settled: dict[Key, Fact] = {}
        self._now: dict[Key, Fact] = {}
        self._before: dict[Key, Fact] = {}
        self._is_open = False

    def known(self, key: Key) -> Fact | None:
        """What is known: for good or, where it is being worked out or may change, for now."""
        if key in self._settled:
            return self._settled[key]
        if key not in self._now:
            return None
        self._is_open = True
        return self._now[key]

    def begun(self, key: Key) -> bool:
        """Begin with what the round before found; the result is to be given to `ended` or `given_up`."""
        self._now[key] = self._before.get(key, BOTTOM)
        around, self._is_open = self._is_open, False
        return around

    def ended(self, key: Key, made: Fact, around: bool) -> Fact:
        """Keep what was found, for good where nothing that may change was asked for on the way."""
        if self._is_open:
            self._now[key] = made
            return made
        del self._now[key]
        self._settled[key], self._is_open = made, around
        return made

    def given_up(self, key: Key, around: bool) -> None:
        """Keep nothing of a question that has no answer."""
        del self._now[key]
        self._is_open |= around

    def next_round(self) -> bool:
        """End a round; False where it found what the one before it did, so that all is known for good."""
        now, before = self._now, self._before
        if len(now) == len(before) and all(
            key in before and settled(fact) == settled(before[key]) for key, fact in now.items()
        ):
            self._settled |= now
            self._before, self._now = {}, {}
            return False
        self._before, self._now = now, {}
        return True

    def give_up(self) -> None:
        """Take what the last round found, of which nothing is sure."""
        self._settled |= {key: fact._replace(sure=False) for key, fact in self._before.items()}
        self._before = {}
