"""Looks a name up in the rules: those of the code, and those of build files, packages and environments."""

from __future__ import annotations

from difflib import get_close_matches

from cudamigrate.config import Config
from cudamigrate.model import Rule
from cudamigrate.pipeline.rule_base import target
from cudamigrate.pipeline.rule_tests import example_message
from cudamigrate.pipeline.run import project_rules, rules

_NEAR = 0.77
"""How much of two names is the same, 0 to 1, from which on one may be meant by the other: below it `foo` is `floor`."""
_LONGEST = 200
"""Characters of a name that is compared with others: none that is known is as long, and the time grows with it."""


def bare(name: str) -> str:
    """A name without the brackets, quotes and spaces around it."""
    return name.strip().strip('<>"')


def explained(name: str, config: Config) -> list[Rule]:
    """The rules that answer for a rule id, a CUDA symbol or a header, each with a message without blanks."""
    goal = target(config)
    books = (rules(goal, config.rules), project_rules(goal, config.rules))
    return [example_message(rule, config) for book in books for rule in book.find(bare(name))]


def nearest(name: str, config: Config) -> str:
    """The known name that is most like this one; empty where none is."""
    if len(name) > _LONGEST:
        return ""
    goal = target(config)
    book, project_book = rules(goal, config.rules), project_rules(goal, config.rules)
    near = get_close_matches(
        bare(name), [*book.rules, *book.names, *book.includes, *project_book.all_names()], 1, _NEAR
    )
    return near[0] if near else ""
