"""Options in lists that commas part go and change without harm to what is beside them."""

from __future__ import annotations

import ast
import re
from functools import partial

import pytest

from cudamigrate import edits
from cudamigrate.detection import engine as detect
from cudamigrate.model import SourceFile, Target
from cudamigrate.rulebase import project_rules
from cudamigrate.syntax import compiler_options
from cudamigrate.syntax.project_file import ProjectFile

ARCH = '"--offload-arch=gfx90a", "--offload-arch=gfx942"'
BOOK = project_rules.load(Target())


def after(text: str) -> tuple[str, list[str]]:
    """The text after the fixes for the options in its strings, and the rules that found them."""
    data = text.encode()
    strings = re.finditer(rb"\"([^\"\n]*)\"|'([^'\n]*)'", data)
    words = [word for match in strings for word in compiler_options.words(data, match.start() + 1, match.end() - 1)]
    parsed = ProjectFile(SourceFile("ci.yml", data, "yaml"), list(compiler_options.uses(words)))
    parsed.rule = partial(BOOK.rule, "yaml")
    found = detect.detect_project_file(parsed, BOOK)
    made = edits.apply(data, [finding.fix for finding in found if finding.fix is not None])
    assert made.rejected == ()
    return made.data.decode(), [finding.rule for finding in found]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ('["-O3", "--extended-lambda"]', '["-O3"]'),
        ('["--extended-lambda", "-O3"]', '["-O3"]'),
        ('["--extended-lambda"]', "[]"),
        ('["--extended-lambda", "--restrict"]', "[]"),
        ('["--extended-lambda", "--restrict",]', "[]"),
        ('["-O3", "--extended-lambda", "--restrict", "-g"]', '["-O3", "-g"]'),
        ("['-O3', '--extended-lambda',]", "['-O3',]"),
        ('["--threads", "4", "-O3"]', '["-O3"]'),
        ('["-gencode", "arch=compute_80,code=sm_80"]', f"[{ARCH}]"),
        ('["-arch=sm_70", "-arch=sm_80", "-O3"]', f'[{ARCH}, "-O3"]'),
        ('["-Xcompiler", "-fPIC,-Wall"]', '["-fPIC", "-Wall"]'),
        ('["-O3 --extended-lambda -g"]', '["-O3 -g"]'),
        ('[\n    "-O3",\n    "--extended-lambda",  # why\n    "-g",\n]', '[\n    "-O3",\n    # why\n    "-g",\n]'),
        ('[\n    "-O3",\n    "--extended-lambda",\n]', '[\n    "-O3",\n]'),
    ],
)
def test_an_element_goes_or_changes_with_its_comma(before: str, expected: str) -> None:
    made, _ = after(f"args = {before}\n")
    assert made == f"args = {expected}\n"
    ast.parse(made)


@pytest.mark.parametrize(
    "text",
    ['args.append("--extended-lambda")\n', 'args.append("-arch=sm_80")\n', 'args = ["-ccbin", compiler]\n'],
)
def test_where_no_list_is_around_it_the_option_is_reported_and_stays(text: str) -> None:
    made, rules = after(text)
    assert rules and all(rule.startswith("build/flag-") for rule in rules)
    assert made == text
