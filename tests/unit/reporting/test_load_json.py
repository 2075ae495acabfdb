from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
import reportsamples
from jsonschema import Draft202012Validator

from cudamigrate import plugins
from cudamigrate.errors import InputError
from cudamigrate.reporting import load_json
from cudamigrate.reporting.formats import json as json_report
from cudamigrate.shipped_data import rules_folder

SAMPLES = {
    "full": reportsamples.full,
    "hostile": lambda: reportsamples.hostile(tuple(t for t in reportsamples.HOSTILE if "\udcff" not in t)),
    "without an estimate": lambda: replace(reportsamples.full(), estimate=None),
    "empty": lambda: reportsamples.report_of([]),
}


@pytest.fixture(scope="module")
def schema() -> Draft202012Validator:
    path = rules_folder() / "report.schema.json"
    return Draft202012Validator(json.loads(path.read_text(encoding="utf-8")))


def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json_report.render(reportsamples.full()))
    return found


def refused(document: object, name: str = "in.json") -> str:
    with pytest.raises(InputError) as caught:
        load_json.loads(json.dumps(document), name)
    said = str(caught.value)
    assert said.startswith(f"{name} is not a cudamigrate report: ")
    assert "\n" not in said
    return said


@pytest.mark.parametrize("name", sorted(plugins.names("cudamigrate.reporting.formats")))
@pytest.mark.parametrize("sample", SAMPLES)
def test_every_format_is_the_same_from_the_file(name, sample):
    made = SAMPLES[sample]()
    render = import_module(f"cudamigrate.reporting.formats.{name}").render
    assert render(load_json.loads(json_report.render(made))) == render(made)


def test_file_is_read_with_its_estimate_and_fingerprints(tmp_path):
    made = reportsamples.full()
    path = tmp_path / "report.json"
    path.write_text(json_report.render(made), encoding="utf-8")
    found = load_json.load(path)
    assert found.estimate == made.estimate
    assert [f.fingerprint for f in found.findings] == [f.fingerprint for f in json_order(made)]
    assert found.target == made.target


def json_order(made):
    return sorted(made.findings, key=lambda f: (f.path, f.span, f.rule))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it ends before it is complete"),
        ("{", "it ends before it is complete"),
        ("[]", "it has no `schema`"),
        ("{}", "it has no `schema`; give a file that `scan --format json` wrote"),
        ('{"schema": "cudamigrate-verdict/1"}', "its format is 'cudamigrate-verdict/1', and this release reads"),
        ('{"schema": "cudamigrate-report/2"}', "its format is 'cudamigrate-report/2'"),
        ('{"schema": "cudamigrate-report/1"}', "the file: object missing required field `tool`"),
        ("[" * 100_000, "nested too deeply"),
        ('{"schema":\n NaN}', "line 2, column 2: invalid character"),
        ('{"a" 1}', "line 1, column 6: expected ':'"),
        ('"a" x', "line 1, column 5: trailing characters"),
        ("1" * 5_000, "a number that is too large"),
        ('"\\udcff"', "line 1, column 8: invalid utf-16 surrogate pair"),
    ],
)
def test_text_that_is_no_report_is_refused_in_one_line(text, said):
    with pytest.raises(InputError, match=r"in\.json is not a cudamigrate report: ") as caught:
        load_json.loads(text, "in.json")
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(InputError, match=r"cannot read .*nowhere"):
        load_json.load(tmp_path / "nowhere.json")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        load_json.load(tmp_path / "binary.json")


def test_first_wrong_place_is_named():
    wrong = document()
    wrong["findings"][3]["outcome"] = "explodes"
    assert "findings[3].outcome: invalid enum value 'explodes'" in refused(wrong)
    wrong = document()
    del wrong["estimate"]["items"][1]["days"]
    assert "estimate.items[1]: object missing required field `days`" in refused(wrong)
    wrong = document()
    wrong["files"][0]["size"] = "large"
    assert "files[0].size: expected `int`, got `str`" in refused(wrong)


def test_a_number_that_cannot_be_meant_is_refused_at_its_place():
    wrong = document()
    wrong["estimate"]["items"][1]["count"] = -1
    assert "estimate.items[1].count: not a number that a report can hold" in refused(wrong)
    wrong = document()
    wrong["estimate"]["items"][1]["days"]["p50"] = 1e16
    assert "estimate.items[1].days.p50: not a number that a report can hold" in refused(wrong)
    wrong = document()
    wrong["findings"][0]["fix"] = {"safety": "safe", "edits": [], "later": 1}
    assert "findings[0].fix: object contains unknown field `later`" in refused(wrong)


def test_report_that_was_cut_is_refused():
    wrong = document()
    wrong["findings"].pop()
    assert "findings, not" in refused(wrong)
    wrong = document()
    wrong["summary"]["manual"] += 1
    assert "summary.manual is 13, and its parts make 12" in refused(wrong)


def test_finding_whose_fingerprint_is_anothers_is_refused():
    wrong = document()
    wrong["findings"][0]["excerpt"] = "something else"
    assert "findings[0].fingerprint does not belong to the finding" in refused(wrong)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path] + [place for key, item in inner for place in places(item, (*path, key))]


def is_refused(document: object) -> bool:
    try:
        load_json.loads(json.dumps(document))
    except InputError:
        return True
    return False


@pytest.mark.parametrize("wrong", [None, -1, 1.5, True, "x\n", [], {}, [1], {"a": 1}], ids=repr)
def test_what_the_schema_refuses_is_refused(wrong, schema):
    good = document()
    good["findings"], good["files"] = good["findings"][:0], good["files"][:1]
    small = json.loads(json_report.render(reportsamples.report_of([reportsamples.finding(1, "a.cu", 3)])))
    small["estimate"] = good["estimate"]
    del small["first_screen"]
    for kind in ("items", "components", "blockers", "performance", "verdicts", "plan"):
        small["estimate"][kind] = small["estimate"][kind][:1]
    assert load_json.loads(json.dumps(small)).findings
    for place in places(small):
        if not place:
            continue
        changed = json.loads(json.dumps(small))
        holder = changed
        for key in place[:-1]:
            holder = holder[key]
        holder[place[-1]] = wrong
        if not is_refused(changed):  # few are taken, and the schema takes its time
            assert schema.is_valid(changed), f"taken, and the schema refuses it: {place} = {wrong!r}"


def test_properties_of_later_releases_are_passed_over():
    more = document()
    for holder in (more, more["target"], more["findings"][0], more["estimate"], more["estimate"]["items"][0]):
        holder["later"] = {"a": [1]}
    assert load_json.loads(json.dumps(more)) == load_json.loads(json.dumps(document()))


def test_ten_thousand_findings_are_read():
    assert len(load_json.loads(json_report.render(reportsamples.large(10_000))).findings) == 10_000


def test_a_report_of_a_release_with_other_words_is_read():
    older = document()
    older["first_screen"]["sentence"] = "Port it, said an older release."
    assert load_json.loads(json.dumps(older)) == load_json.loads(json.dumps(document()))
    older["first_screen"] = 1
    assert is_refused(older)
