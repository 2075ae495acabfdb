"""Every name of CUDA's headers has one answer, and every name that a rule writes is in HIP's headers.

The listings come from `python -m tests.symbols.collect`, which is run for a new release of CUDA or ROCm.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from cudamigrate.model import Rule, Target, release
from cudamigrate.rulebase.code_rules import Rulebook, load
from cudamigrate.rulebase.loader import read, rule_files
from cudamigrate.shipped_data import rules_folder

SYMBOLS = Path(__file__).parents[2] / "fixtures" / "symbols"
TARGETS = (Target(rocm="5.2"), Target(rocm="6.2"), Target(rocm="7.1"), Target(rocm="99.0"))
"""Targets that together see every rule bound to a release, the last one every equivalent."""
WORD = re.compile(r"(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*")
KEYWORDS = {"if", "int", "sizeof", "static_cast", "unsigned", "void", "__attribute__", "aligned"}
BY_DETECTOR = {"nvcuda::wmma::precision::tf32": "math/tensor-float-fragment"}
"""Names that a detector looks for, as they are work in some files alone."""
OWN = "cudamigrate::"
"""Names of the header that converted code may include."""


def _rows(name: str) -> Iterator[dict[str, str]]:
    with (SYMBOLS / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


@cache
def _hip() -> dict[str, list[str]]:
    """HIP's names and the releases they were seen in, the oldest first."""
    return {row["symbol"]: row["releases"].split(",") for row in _rows("hip.tsv")}


@cache
def _exceptions() -> frozenset[str]:
    return frozenset(row["symbol"] for row in _rows("exceptions.tsv"))


@cache
def _book() -> Rulebook:
    return load(Target())


def _answer(name: str) -> str:
    """The kind of answer a name has: by its own name, its family's list, or its namespace; else nothing."""
    book = _book()
    last = name.rpartition("::")[2]
    if name in book.names or name in book.qualified.get(last, {}):
        return "name"
    if (found := BY_DETECTOR.get(name)) is not None and book.rules[found].match.kind == "detector":
        return "name"
    family = book.family(name)
    if family is not None and family.listed:
        return "family"
    scope = name.rpartition("::")[0]
    while scope:
        if scope in book.namespaces:
            return "namespace"
        scope = scope.rpartition("::")[0]
    return ""


def test_every_cuda_name_has_an_answer_or_is_known_to_lack_one() -> None:
    """`open.tsv` lists the names without an answer; it only ever gets shorter."""
    known = {row["symbol"] for row in _rows("open.tsv")}
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    unanswered: set[str] = set()
    for row in _rows("cuda.tsv"):
        answer = _answer(row["symbol"])
        kinds[row["library"]][answer or "none"] += 1
        if not answer:
            unanswered.add(row["symbol"])
    words = ("name", "family", "namespace", "none")
    print(f"\n{'':20}", *(f"{word:>9}" for word in words))
    for library in sorted(kinds):
        print(f"{library:20}", *(f"{kinds[library][word]:9}" for word in words))
    print(f"{'all':20}", *(f"{sum(count[word] for count in kinds.values()):9}" for word in words))
    assert sorted(unanswered - known) == [], "names without an answer"
    assert sorted(known - unanswered) == [], "answered by now: take them out of open.tsv"


def test_every_cuda_header_has_an_answer() -> None:
    assert [row["header"] for row in _rows("headers.tsv") if _book().include(row["header"]) is None] == []


def test_no_cuda_name_has_two_answers() -> None:
    listed = {row["symbol"] for row in _rows("cuda.tsv")}
    claims: dict[str, set[str]] = defaultdict(set)
    for rule in _book().rules.values():
        if rule.match.kind == "name":
            for name in listed.intersection(rule.match.names):
                claims[name].add(rule.id)
    assert {name: rules for name, rules in claims.items() if len(rules) > 1} == {}


@cache
def _writing() -> tuple[Rule, ...]:
    """Rules that write a name."""
    found: dict[tuple[str, tuple[str, ...]], Rule] = {}
    for path in rule_files(rules_folder()):
        for target in TARGETS:
            for rule in read(path, target, path.parent.name):
                if rule.change.kind in ("rename", "template"):
                    found.setdefault((rule.id, rule.change.text), rule)
    return tuple(found.values())


def _written(rule: Rule) -> Iterator[str]:
    for text in rule.change.text:
        for word in WORD.findall(re.sub(r"\$\w+", " ", text)):
            if word not in KEYWORDS and not word.startswith(OWN):
                yield word


def test_every_written_name_is_one_of_hips() -> None:
    unknown = {
        (rule.id, word)
        for rule in _writing()
        for word in _written(rule)
        if word not in _hip() and word not in _exceptions()
    }
    assert sorted(unknown) == []


def test_since_agrees_with_the_headers() -> None:
    """A name that is in a release's headers is not said to come later."""
    late = [
        (rule.id, rule.since, word, _hip()[word][0])
        for rule in _writing()
        if re.match(r"\d", rule.since)
        for word in _written(rule)
        if word in _hip() and release(rule.since) > release(_hip()[word][0])
    ]
    assert late == []


def test_since_is_not_before_the_headers_that_lack_the_name() -> None:
    """HIP's own headers of 7.1 are available whole: what they lack and 10.0 has came in between."""
    releases = {row["symbol"]: row["releases"] for row in _rows("hip.tsv") if row["library"] in ("hip", "hip_device")}
    early = [
        (rule.id, rule.since, word)
        for rule in _writing()
        for word in _written(rule)
        if releases.get(word) == "10.0" and release(rule.since or "0") <= (7, 1)
    ]
    assert early == []


def test_every_exception_is_needed() -> None:
    """An exception goes when a listing has the name, or when no rule writes it any more."""
    written = {word for rule in _writing() for word in _written(rule)}
    assert sorted(_exceptions() & _hip().keys()) == []
    assert sorted(_exceptions() - written) == []


def test_names_of_one_generator_state_stay_one_type() -> None:
    """In cuRAND, a state and its `_t` are one type, and XORWOW is the default; in hipRAND, each state is a struct."""
    states = [one for one in _writing() if one.id.startswith("api/curandState") and "Status" not in one.id]
    types = {one.id.removeprefix("api/curandState"): next(_written(one)).removesuffix("_t") for one in states}
    assert {types.pop(name) for name in ("", "_t", "XORWOW", "XORWOW_t")} == {"hiprandState"}
    assert types == {name: f"hiprandState{name.removesuffix('_t')}" for name in types} and len(types) == 14
