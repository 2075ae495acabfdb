from __future__ import annotations

import json as standard
import random
from dataclasses import replace

import estimateschema
import pytest
import reportsamples
from jsonschema import Draft202012Validator
from work import STEPS, calls

from cudamigrate import model
from cudamigrate.model import Repository, Skip
from cudamigrate.reporting.formats import json
from cudamigrate.shipped_data import rules_folder

SCHEMA = rules_folder() / "report.schema.json"


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    found = standard.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(found)
    return Draft202012Validator(found)


def test_report_follows_the_schema(finding, report, schema):
    findings = [finding(1), finding(2, "unsafe"), finding(3, None, rule="warp/x", outcome="wrong-result")]
    made = json.render(report(findings, [Skip("b.cu", "binary", "NUL")], {"third_party": 3}, ["sub"]))
    schema.validate(standard.loads(made))


@pytest.mark.parametrize("skips", [(), (Skip("b.cu", "binary", "holds NUL bytes"),)])
def test_report_without_findings_follows_the_schema(report, schema, skips):
    where = Repository("solver", "solver")
    document = standard.loads(json.render(report(skipped=skips, repository=where)))
    schema.validate(document)
    assert document["findings"] == []
    assert len(document["skipped"]) == len(skips)


def test_schema_refuses_what_it_does_not_know(finding, report, schema):
    document = standard.loads(json.render(report([finding()])))
    document["findings"][0]["fix"]["edits"][0]["extra"] = 1
    assert not schema.is_valid(document)
    document = standard.loads(json.render(report([finding()])))
    document["findings"][0]["outcome"] = "explodes"
    assert not schema.is_valid(document)


def test_schema_has_the_words_of_the_code(schema):
    words = schema.schema["$defs"]
    assert schema.schema["properties"]["schema"]["const"] == model.REPORT_SCHEMA
    assert words["support"]["enum"] == list(model.SUPPORTS)
    assert words["outcome"]["enum"] == list(model.OUTCOMES)
    assert words["certainty"]["enum"] == list(model.CERTAINTIES)
    assert words["effort"]["enum"] == list(model.EFFORTS)
    assert words["safety"]["enum"] == list(model.SAFETIES)
    assert words["group"]["enum"] == list(model.GROUPS)
    assert words["rule-id"]["pattern"] == f"^({'|'.join(model.GROUPS)})/.+$"


def test_schema_describes_an_estimate_as_the_types_do(schema, golden):
    wanted = estimateschema.definitions()
    if golden.update:
        document = schema.schema | {"$defs": schema.schema["$defs"] | wanted}
        SCHEMA.write_text(standard.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        return
    assert {name: schema.schema["$defs"].get(name) for name in wanted} == wanted


def test_report_with_an_estimate_follows_the_schema(schema):
    for made in (reportsamples.full(), reportsamples.hostile(), reportsamples.large(50)):
        schema.validate(standard.loads(json.render(made)))


def test_finding_holds_place_words_and_fix(finding, report):
    one = finding(3, "unsafe")
    assert standard.loads(json.render(report([one])))["findings"] == [
        {
            "rule": "api/cudaMalloc",
            "path": "src/a.cu",
            "line": 3,
            "column": 1,
            "end_line": 3,
            "end_column": 11,
            "excerpt": "cudaMalloc(&p, n);",
            "message": "`cudaMalloc` is `hipMalloc` in HIP.",
            "support": "full",
            "outcome": "compile-error",
            "certainty": "syntax",
            "effort": "none",
            "settled": "review",
            "start": 80,
            "end": 90,
            "ordinal": 0,
            "fingerprint": one.fingerprint,
            "before": "",
            "after": "",
            "fix": {"safety": "unsafe", "edits": [{"start": 80, "end": 90, "replacement": "hipMalloc"}]},
        }
    ]


def test_totals_are_the_sum_of_the_parts(finding, report):
    findings = [finding(n, (None, "safe", "unsafe", "suggestion")[n % 4], path=f"{n % 3}.cu") for n in range(1, 50)]
    findings += [finding(n, None, rule="warp/x", outcome="wrong-result") for n in range(60, 70)]
    document = standard.loads(json.render(report(findings)))
    summary = document["summary"]
    for part in (summary["groups"], summary["outcomes"]):
        for key in ("findings", "automatic", "review", "manual", "fine", "unsafe"):
            assert sum(tally[key] for tally in part.values()) == summary[key]
    assert sum(summary["supports"].values()) == summary["findings"] == len(document["findings"])
    assert sum(file["findings"] for file in document["files"]) == summary["findings"]
    assert sum(file["automatic"] for file in document["files"]) == summary["automatic"]
    settled = [finding["settled"] for finding in document["findings"]]
    for key in ("automatic", "review", "manual", "fine"):
        assert summary[key] == settled.count(key)
    assert summary["unsafe"] == summary["review"]


def test_same_report_gives_the_same_bytes(finding, report):
    findings = [finding(line, path=f"{line % 7}.cu") for line in range(1, 40)]
    made = json.render(report(findings, seconds=1.0))
    random.Random(1).shuffle(findings)
    assert json.render(report(findings, seconds=2.0)) == made
    assert made.endswith("}\n")


def test_bytes_do_not_depend_on_where_the_repository_lies(finding, report):
    here = report([finding()])
    there = replace(here, repository=replace(here.repository, root="/elsewhere"))
    assert json.render(here) == json.render(there)


def test_replacement_that_is_not_utf8_is_read_as_latin1(finding, report):
    document = standard.loads(json.render(report([finding(new=b"\xe9")])))
    assert document["findings"][0]["fix"]["edits"][0]["replacement"] == "é"


def test_names_that_are_not_utf8_are_spelled_out(report, schema):
    made = json.render(report(skipped=[Skip("a\udcff.cu", "unreadable", "name \udcfe")], vendored={"v\udcff": 1}))
    made.encode("utf-8")
    document = standard.loads(made)
    schema.validate(document)
    assert document["skipped"][0]["path"] == "a\\udcff.cu"
    assert document["summary"]["vendored"] == {"v\\udcff": 1}


def test_odd_names_survive(finding, report):
    names = ["[red]x[/red].cu", 'q"uote\\.cu', "new\nline.cu", "ü 名前.cu"]
    document = standard.loads(json.render(report(finding(path=name) for name in names)))
    assert [file["path"] for file in document["files"]] == sorted(names)


def test_each_finding_is_on_its_own_line(finding, report):
    made = json.render(report([finding(1), finding(2)]))
    assert sum(line.lstrip().startswith('{"rule": "api/cudaMalloc"') for line in made.splitlines()) == 2


def test_work_grows_with_the_findings_and_no_faster(finding, report):
    small, large = (
        report([finding(line, path=f"f{line % 100}.cu") for line in range(count)]) for count in (1_000, 4_000)
    )
    assert calls(lambda: json.render(large)) < STEPS * calls(lambda: json.render(small))
