"""The strings that a build file's expressions give, and whether it gives them in any case."""

from __future__ import annotations

from itertools import islice, product

from cudamigrate.lazy_dataclasses import dataclass

UNKNOWN = "\0"
"""What is in a string for a part that only a build knows."""


@dataclass(frozen=True, slots=True)
class Word:
    """A string; `sure` is false where a condition gives it or another one."""

    text: str
    sure: bool = True


MOST, LONGEST = 2_000, 10_000
"""So many strings are kept of a value, and so many characters of one."""


@dataclass(frozen=True, slots=True)
class Value:
    """The strings of an expression, and whether it is a list of them."""

    words: tuple[Word, ...] = ()
    listed: bool = True

    def both(self, other: Value) -> Value:
        """The strings of both."""
        return Value((*self.words, *other.words)[:MOST], self.listed or other.listed)

    def joined(self, other: Value) -> Value:
        """The strings of one, each with those of the other behind it; where one has none, those of the other."""
        if not self.words or not other.words:
            return self.both(other)
        pairs = islice(product(self.words, other.words), MOST)
        made = (Word((left.text + right.text)[:LONGEST], left.sure and right.sure) for left, right in pairs)
        return Value(tuple(made), listed=False)

    def unsure(self) -> Value:
        """The same, as a condition gives it."""
        return Value(tuple(Word(word.text, sure=False) for word in self.words), self.listed)


SOME = Value((Word(UNKNOWN),))
"""A list of which nothing is known."""
