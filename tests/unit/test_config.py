"""The configuration file is found, read and checked."""

from __future__ import annotations

import json
import os
from dataclasses import fields
from pathlib import Path

import jsonschema
import pytest
from gitrepo import write

from cudamigrate import config
from cudamigrate.config import Config, load, setting_values, with_options
from cudamigrate.config.json_schema import json_schema
from cudamigrate.errors import ConfigError
from cudamigrate.shipped_data import table


def test_every_field_has_a_check() -> None:
    assert set(setting_values.SETTINGS) == {field.name for field in fields(Config)} - {"folder"}


def test_a_repository_names_no_machine(tmp_path: Path) -> None:
    write(tmp_path, {".git/HEAD": "", ".cudamigrate.toml": 'scheduler = "tcp://192.0.2.1:8786"\n'})
    with pytest.raises(ConfigError, match="command line alone"):
        load(tmp_path)
    assert with_options(Config(), scheduler="tcp://192.0.2.1:8786").scheduler


@pytest.mark.parametrize("name", [".cudamigrate.toml", "pyproject.toml"])
def test_a_pipe_or_device_is_no_configuration(tmp_path: Path, name: str) -> None:
    write(tmp_path, {".git/HEAD": ""})
    (tmp_path / name).symlink_to("/dev/zero")
    with pytest.raises(ConfigError, match="not a regular file"):
        load(tmp_path)
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)
    with pytest.raises(ConfigError, match="not a regular file"):
        load(tmp_path)


def test_a_configuration_that_nests_deeply_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {".git/HEAD": "", ".cudamigrate.toml": "a = " + "[" * 100_000})
    with pytest.raises(ConfigError, match="nests deeper"):
        load(tmp_path)


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    write(tmp_path, {".git/HEAD": ""})
    assert load(tmp_path) == Config()


def test_own_file_has_its_keys_at_the_top(tmp_path: Path) -> None:
    write(tmp_path, {".cudamigrate.toml": 'max-file-size = 5\nrocm = "7.2"\narch = ["gfx90a"]\nsubmodules = true\n'})
    found = load(tmp_path)
    assert (found.max_file_size, found.rocm, found.arch, found.submodules) == (5, "7.2", ("gfx90a",), True)
    assert found.folder == str(tmp_path)


def test_pyproject_has_its_keys_in_a_table(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": '[project]\nname = "x"\n[tool.cudamigrate]\nexclude = ["a/"]\njobs = 3\n'})
    found = load(tmp_path)
    assert (found.exclude, found.jobs) == (("a/",), 3)


def test_pyproject_of_another_tool_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, {".git/HEAD": "", "pyproject.toml": "[tool.black]\nline-length = 1\n"})
    assert load(tmp_path) == Config()


def test_invalid_pyproject_that_does_not_name_the_tool_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, {".git/HEAD": "", "pyproject.toml": "{{ template }}"})
    assert load(tmp_path) == Config()


def test_nearest_parent_wins(tmp_path: Path) -> None:
    write(
        tmp_path, {".cudamigrate.toml": "jobs = 1", "a/pyproject.toml": "[tool.cudamigrate]\njobs = 2", "a/b/c.cu": ""}
    )
    assert load(tmp_path / "a/b").jobs == 2
    assert load(tmp_path / "a/b/c.cu").jobs == 2
    assert load(tmp_path).jobs == 1


def test_search_ends_at_the_git_root(tmp_path: Path) -> None:
    write(tmp_path, {".cudamigrate.toml": "jobs = 1", "repo/.git/HEAD": "", "repo/src/a.cu": "", "plain/a.cu": ""})
    assert load(tmp_path / "repo/src").jobs == 0
    assert load(tmp_path / "plain").jobs == 1


def test_both_files_in_one_folder_are_refused(tmp_path: Path) -> None:
    write(tmp_path, {".cudamigrate.toml": "", "pyproject.toml": "[tool.cudamigrate]"})
    with pytest.raises(ConfigError, match="both"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("max_file_size = 1", "unknown key `max_file_size`; did you mean `max-file-size`"),
        ("exlude = []", "unknown key `exlude`; did you mean `exclude`"),
        ("zzzzzz = 1", "unknown key `zzzzzz`; known keys are arch, "),
        ("folder = 'x'", "unknown key `folder`"),
        ("exclude = 'a'", "`exclude` must be a list of strings"),
        ("exclude = [1]", "`exclude` must be a list of strings"),
        ("jobs = true", "`jobs` must be a whole number, 0 or more"),
        ("jobs = -1", "`jobs` must be a whole number, 0 or more"),
        ("max-file-size = 0", "`max-file-size` must be a whole number, 1 or more"),
        ("submodules = 1", "`submodules` must be true or false"),
        ("rocm = 7.2", "`rocm` must be a string in quotes"),
        ("rocm = '5.6'", "`rocm` must be a release from 5.7 to .*, not `5.6`"),
        ("rocm = 'latest'", "`rocm` must be a release from .*, not `latest`"),
        ("arch = ['sm_90']", "`arch` must hold names such as `gfx942`, not `sm_90`"),
        ("arch = []", "`arch` must name at least one"),
        ("hip-guards = ['A B']", "`hip-guards` must hold macro names, not `A B`"),
        ("outcomes = ['bad']", "`outcomes` may hold compile-error, .*, not `bad`"),
        ("jobs = ", "is not valid TOML"),
    ],
)
def test_mistakes_are_one_line_that_names_file_and_key(tmp_path: Path, text: str, words: str) -> None:
    write(tmp_path, {".cudamigrate.toml": text})
    with pytest.raises(ConfigError, match=words) as caught:
        load(tmp_path)
    assert ".cudamigrate.toml: " in str(caught.value)
    assert "\n" not in str(caught.value)


def test_text_in_another_encoding_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {".cudamigrate.toml": b"exclude = ['\xe9']"})
    with pytest.raises(ConfigError, match="not UTF-8"):
        load(tmp_path)


def test_a_table_that_is_not_one_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "[tool]\ncudamigrate = 3"})
    with pytest.raises(ConfigError, match="must be a table"):
        load(tmp_path)


def test_rule_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    write(tmp_path, {".cudamigrate.toml": "rules = ['ci/rules', '/abs/rules.toml']", "src/a.cu": ""})
    assert load(tmp_path / "src").rules == (str(tmp_path / "ci/rules"), "/abs/rules.toml")


def test_options_replace_what_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    base = Config(jobs=4, exclude=("a/",))
    found = with_options(base, jobs=None, rocm="7.13", exclude=["b/"], rules=("mine.toml",), submodules=False)
    assert (found.jobs, found.rocm, found.exclude) == (4, "7.13", ("b/",))
    assert found.rules == (str(tmp_path / "mine.toml"),)


def test_options_are_checked_like_a_file() -> None:
    with pytest.raises(ConfigError, match=r"^--rocm must be a release from"):
        with_options(Config(), rocm="5.0")
    with pytest.raises(ConfigError, match="no setting `nonsense`"):
        with_options(Config(), nonsense=1)


@pytest.mark.parametrize("rocm", ["5.7", "6.2.4", "6.3", "6.4", "7.0", "7.3", "9.9"])
def test_a_release_between_two_known_ones_can_be_aimed_at(rocm: str) -> None:
    assert with_options(Config(), rocm=rocm).rocm == rocm


def test_releases_are_in_order_of_age() -> None:
    known = config.rocm_releases()
    assert known.index("7.2") < known.index("7.13")
    assert Config().rocm == known[-1]


def test_a_release_is_added_by_data_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="--rocm must be a release from"):
        with_options(Config(), rocm="11.0")
    facts = {**table("releases"), "rocm": [*config.rocm_releases(), "11.0"]}
    monkeypatch.setattr(setting_values, "table", {"releases": facts}.__getitem__)
    assert Config().rocm == "11.0"
    assert with_options(Config(), rocm="11.0").rocm == "11.0"


def test_a_wave_is_one_of_two_kinds() -> None:
    assert with_options(Config(), wave="native").wave == "native"
    with pytest.raises(ConfigError, match="logical32, native"):
        with_options(Config(), wave="64")


SCHEMA = Path(__file__).parents[2] / "docs" / "config.schema.json"


def test_the_published_schema_is_that_of_this_configuration(golden):
    golden.check(SCHEMA, (json.dumps(json_schema(), indent=2) + "\n").encode())


def test_every_key_of_the_schema_is_described_and_its_default_fits():
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    plain = json.loads(json.dumps(schema))
    assert set(plain["properties"]) == {f.name.replace("_", "-") for f in fields(Config)} - {"folder", "scheduler"}
    for name, key in plain["properties"].items():
        assert key["description"].endswith("."), name
        if "default" in key:
            jsonschema.validate(key["default"], key)


@pytest.mark.parametrize(
    ("key", "good", "bad"),
    [
        ("rocm", "7.3", "latest"),
        ("cuda", "12.4", "12.4.1"),
        ("arch", ["gfx942"], []),
        ("arch", ["gfx1100"], ["sm_90"]),
        ("wave", "native", "wide"),
        ("resolve", "never", True),
        ("hip-guards", ["MY_HIP"], ["MY HIP"]),
        ("outcomes", ["slower"], ["slow"]),
        ("standard", "gnu++20", "c++19"),
        ("jobs", 0, -1),
        ("max-file-size", 1, 0),
        ("gpu-hours", 2.5, -2.5),
        ("vendored", [], "vendor/"),
        ("enter-vendored", True, 1),
    ],
)
def test_the_schema_takes_what_the_reader_takes_and_no_more(tmp_path, key, good, bad):
    schema = json.loads(json.dumps(json_schema()))
    for value, fits in ((good, True), (bad, False)):
        (tmp_path / config.OWN_FILE).write_text(f"{key} = {json.dumps(value)}\n")
        assert jsonschema.Draft202012Validator(schema).is_valid({key: value}) is fits
        if fits:
            config.load(tmp_path)
        else:
            with pytest.raises(ConfigError):
                config.load(tmp_path)
