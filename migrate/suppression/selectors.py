"""Selectors of rules: a group (`warp`), a rule (`warp/mixed-size`), or rules that begin alike (`api/cublas*`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase

from cudamigrate.config import Config
from cudamigrate.model import Finding


def matches(selector: str, rule: str) -> bool:
    """Whether a selector means the rule."""
    if "/" not in selector:
        return rule.partition("/")[0] == selector
    return rule == selector or ("*" in selector and fnmatchcase(rule, selector))


def any_matches(selectors: Iterable[str], rule: str) -> bool:
    """Whether one of the selectors means the rule."""
    return any(matches(selector, rule) for selector in selectors)


def chosen(config: Config) -> Callable[[Finding, str], bool]:
    """A function that tells whether the configuration asks for a finding.

    It takes the path of the file too, relative to the folder of the configuration, which `per-file-ignores` mean.
    """
    if not (config.select or config.ignore or config.per_file_ignores):
        return lambda finding, path: True
    from cudamigrate.project.file_listing import globs  # most projects configure none

    per_file = [(globs([glob]), selectors) for glob, selectors in config.per_file_ignores]

    def is_chosen(finding: Finding, path: str) -> bool:
        rule = finding.rule
        if (config.select and not any_matches(config.select, rule)) or any_matches(config.ignore, rule):
            return False
        return not any(spec.match_file(path) and any_matches(selectors, rule) for spec, selectors in per_file)

    return is_chosen
