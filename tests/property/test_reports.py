"""What holds for every report: no format raises, the parts add up, formats agree, and JSON loses nothing they show."""

from __future__ import annotations

import csv
import json
import re
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from io import StringIO
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from cudamigrate import plugins
from cudamigrate.model import (
    CERTAINTIES,
    EFFORTS,
    GROUPS,
    OUTCOMES,
    SAFETIES,
    SUPPORTS,
    Change,
    Edit,
    FileResult,
    Finding,
    Fix,
    Match,
    Position,
    Report,
    Repository,
    Rule,
    Skip,
    Span,
    Target,
    numbered,
)
from cudamigrate.model.estimate import Estimate
from cudamigrate.reporting import comparison, load_json
from cudamigrate.reporting.summary import balance, parts, summarize
from tests.draws import examples

FORMATS = plugins.load("cudamigrate.reporting.formats")
QUIET = settings(
    deadline=None,
    max_examples=examples(20),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
"""Without shrinking, which takes minutes for a report: the one that fails is printed as it was drawn."""

ODD = [
    "</script>",
    "<!--",
    "`",
    "|",
    "\n",
    "\r\n",
    "\u2028",
    '"',
    "'",
    "=1",
    "@a",
    "::error::",
    "](x)",
    "{0}",
    "\x1b[0m",
]
letters = st.characters(exclude_categories=["Cs"])
texts = st.lists(st.one_of(st.sampled_from(ODD), st.text(letters, max_size=6)), max_size=4).map("".join)
names = texts.filter(bool)


def of_type(hint: Any) -> st.SearchStrategy[Any]:
    """Any value that a type of the estimate allows; numbers are finite, as those of people are."""
    if is_dataclass(hint):
        hints = get_type_hints(hint)
        return st.builds(hint, **{field.name: of_type(hints[field.name]) for field in fields(hint)})
    plain: dict[Any, st.SearchStrategy[Any]] = {
        str: texts,
        bool: st.booleans(),
        int: st.integers(0, 10**6),
        float: st.floats(-1e5, 1e5),
        type(None): st.none(),
    }
    if hint in plain:
        return plain[hint]
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return st.sampled_from(inner)
    if origin in (Union, types.UnionType):
        return st.one_of(*(of_type(part) for part in inner))
    if origin is tuple and inner[-1] is Ellipsis:
        return st.lists(of_type(inner[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*(of_type(part) for part in inner))
    assert issubclass(origin, Mapping)  # type: ignore[arg-type]
    return st.dictionaries(texts, of_type(inner[1]), max_size=2)


@st.composite
def rules(draw: st.DrawFn) -> Rule:
    return Rule(
        id=f"{draw(st.sampled_from(GROUPS))}/{draw(names)}",
        title=draw(texts),
        match=Match("name", ()),
        support=draw(st.sampled_from(SUPPORTS)),
        outcome=draw(st.sampled_from(OUTCOMES)),
        change=Change("none"),
        safety=draw(st.sampled_from(SAFETIES)),
        effort=draw(st.sampled_from(EFFORTS)),
        message="",
        notes=draw(texts),
        since=draw(st.sampled_from(["", "6.4", "11.0", "11.2"])),
        library=draw(texts),
    )


@st.composite
def findings(draw: st.DrawFn, known: list[Rule]) -> Finding:
    rule = draw(st.sampled_from(known))
    start = draw(st.integers(0, 500))
    line = draw(st.integers(1, 40))
    fix = Fix((Edit(Span(start, start + 3), draw(texts).encode()),), draw(st.sampled_from(SAFETIES)))
    return Finding(
        rule=rule.id,
        path=draw(st.sampled_from(["a.cu", "b/c.cu", "b/</script>.cu", "=x.cu", "b/c\nd.cu"])),
        span=Span(start, start + draw(st.integers(0, 9))),
        position=Position(line, draw(st.integers(1, 90))),
        end=Position(line + draw(st.integers(0, 2)), draw(st.integers(1, 90))),
        excerpt=draw(texts),
        message=draw(names),
        support=draw(st.sampled_from(SUPPORTS)),
        outcome=draw(st.sampled_from(OUTCOMES)),
        certainty=draw(st.sampled_from(CERTAINTIES)),
        effort=draw(st.sampled_from(EFFORTS)),
        fix=draw(st.sampled_from([None, fix])),
        before=draw(texts),
        after=draw(texts),
    )


@st.composite
def reports(draw: st.DrawFn) -> Report:
    known = list({rule.id: rule for rule in draw(st.lists(rules(), min_size=1, max_size=4))}.values())
    drawn = draw(st.lists(findings(known), max_size=12))
    ordered = sorted(drawn, key=lambda f: (f.path, f.span, f.rule))
    found = [replace(finding, ordinal=ordinal) for finding, ordinal in numbered(ordered)]
    paths = sorted({finding.path for finding in found} | {"plain.cpp"})
    files = [FileResult(p, "cuda", 40, 900, True, tuple(f for f in found if f.path == p)) for p in paths]
    used = {finding.rule for finding in found}
    return Report(
        version="0.1.0",
        repository=Repository("", draw(texts), draw(st.sampled_from(["", "a" * 40])), draw(texts), draw(st.booleans())),
        target=Target("10.1", "13.0", ("gfx90a",)),
        files=tuple(files),
        findings=tuple(found),
        skipped=tuple(sorted(draw(st.lists(st.builds(Skip, names, names, names), max_size=2)), key=_skip)),
        vendored=draw(st.dictionaries(texts, st.integers(0, 99), max_size=2)),
        submodules=tuple(sorted(draw(st.sets(texts, max_size=2)))),
        rules={rule.id: rule for rule in sorted(known, key=lambda rule: rule.id) if rule.id in used},
        estimate=draw(st.one_of(st.none(), of_type(Estimate))),
    )


def _skip(skip: Skip) -> tuple[str, str, str]:
    return skip.path, skip.kind, skip.reason


@QUIET
@given(reports())
def test_no_format_raises_and_the_same_report_gives_the_same_bytes(report: Report) -> None:
    for name, module in FORMATS.items():
        shown = module.render(report)
        assert shown.endswith("\n"), name
        shown.encode("utf-8")
        assert module.render(report) == shown, name


@QUIET
@given(reports())
def test_file_renders_as_the_report_it_was_made_from(report: Report) -> None:
    loaded = load_json.loads(FORMATS["json"].render(report))
    for name, module in FORMATS.items():
        assert module.render(loaded) == module.render(report), name


@QUIET
@given(reports())
def test_total_is_the_sum_of_its_parts(report: Report) -> None:
    summary = summarize(report)
    for tallies in (summary.groups.values(), summary.outcomes.values()):
        for count in ("findings", "automatic", "review", "manual", "fine"):
            assert sum(getattr(tally, count) for tally in tallies) == getattr(summary.total, count)
    assert sum(summary.supports.values()) == summary.total.findings
    if report.estimate is not None:
        total = sum(part.days for part in parts(report.estimate))
        assert abs(total - report.estimate.days.p50) < 0.06


@QUIET
@given(reports())
def test_formats_agree_on_the_counts(report: Report) -> None:
    shown = {name: module.render(report) for name, module in FORMATS.items()}
    total = summarize(report).total
    assert json.loads(shown["json"])["summary"]["findings"] == total.findings
    (run,) = json.loads(shown["sarif"])["runs"]
    assert len(run["results"]) == total.work
    assert sum(one["properties"]["settled"] == "automatic" for one in run["results"]) == total.automatic
    head, *rows = csv.reader(StringIO(shown["csv"], newline=""))
    assert len(rows) == total.findings
    assert sum(row[head.index("settled")] == "automatic" for row in rows) == total.automatic
    if total.findings:
        assert balance(total) in shown["markdown"]
    data = json.loads(re.findall(r'<script type="application/json" id="data">(.*?)</script>', shown["html"])[0])
    column = data["columns"]["finding"].index("settled")
    settled = [data["settled"][word] for block in data["findings"] for word in block[column]]
    assert (len(settled), settled.count("automatic")) == (total.work, total.automatic)
    if total.findings:
        assert balance(total).replace("`", "") in " ".join(shown["text"].split())


@QUIET
@given(reports(), reports())
def test_what_is_gone_one_way_is_new_the_other(old: Report, new: Report) -> None:
    there, back = comparison.compare(old, new), comparison.compare(new, old)
    assert set(there.gone) == set(back.added)
    assert there.kept == back.kept
    assert len(old.findings) == len(there.gone) + len(there.changed) + there.kept
    assert len(new.findings) == len(there.added) + len(there.changed) + there.kept
    for render in comparison.RENDERERS.values():
        render(there).encode("utf-8")
