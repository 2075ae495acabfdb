"""Many repositories: a report for each and a portfolio, after failures and interruptions too."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import command_line
import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline import fleet, run
from cudamigrate.reporting import portfolio, portfolio_page
from cudamigrate.reporting.formats import json as format_json
from cudamigrate.reporting.portfolio import Row

FIXTURES = Path(__file__).parents[3] / "fixtures" / "projects"


@pytest.fixture
def repositories(tmp_path: Path) -> Path:
    for name in ("reduction", "spmv"):
        shutil.copytree(FIXTURES / name / "before", tmp_path / "all" / name)
    subprocess.run(["git", "init", "-q"], cwd=tmp_path / "all" / "spmv", check=True)
    subprocess.run(["git", "add", "."], cwd=tmp_path / "all" / "spmv", check=True)
    commit = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]
    subprocess.run(commit, cwd=tmp_path / "all" / "spmv", check=True)
    (tmp_path / "all" / "broken.zip").write_bytes(b"no archive")
    return tmp_path / "all"


def scanned(path: Path, output: Path) -> tuple[portfolio.Portfolio, list[str]]:
    told: list[str] = []
    made = fleet.scan(path, output, lambda _: Config(jobs=1), {"json": format_json.render}, told.append)
    return made, told


def test_each_has_its_report_and_one_that_fails_does_not_end_the_run(repositories: Path, tmp_path: Path) -> None:
    made, told = scanned(repositories, tmp_path / "out")
    assert [one.name for one in made.rows] == ["broken", "reduction", "spmv"]
    assert "cannot be unpacked" in made.rows[0].error and len(told) == 3
    assert sorted(made.order) == ["reduction", "spmv"]
    alone = run.scan(repositories / "reduction", Config(jobs=1))
    own = json.loads((tmp_path / "out" / "reduction.json").read_text())
    assert own["findings"] == json.loads(format_json.render(alone))["findings"]
    assert alone.estimate is not None
    assert made.rows[1].days[1] == alone.estimate.days.p50 > 0
    assert sum((made.rows[1].findings or {}).values()) == len(alone.findings)


def test_a_run_goes_on_where_it_was_cut_off(repositories: Path, tmp_path: Path) -> None:
    first, _ = scanned(repositories, tmp_path / "out")
    read: list[str] = []
    real = run.scan

    def noted(path: Path, config: Config) -> object:
        read.append(path.name)
        return real(path, config)

    with patch.object(run, "scan", noted):
        again, _ = scanned(repositories, tmp_path / "out")
        assert read == ["reduction"], "what is in no commit may have changed"
        assert again == first
        read.clear()
        (tmp_path / "out" / "spmv.json").unlink()
        scanned(repositories, tmp_path / "out")
        assert read == ["reduction", "spmv"]


def test_what_several_have_is_one_fix() -> None:
    rows = [
        Row("a", "", blockers={"OptiX": 20.0}, packages={"flash-attn": 1.0}, days=(1, 3, 5)),
        Row("b", "", blockers={"OptiX": 20.0, "NVENC": 9.0}, days=(1, 1, 5)),
        Row("c", "", packages={"flash-attn": 2.0}, days=(1, 2, 5)),
    ]
    made = portfolio.of(rows, "1")
    assert [(one.title, one.repositories, one.unlocks, one.once, one.each) for one in made.shared] == [
        ("OptiX", ("a", "b"), ("a",), 20.0, 40.0),
        ("flash-attn", ("a", "c"), (), 2.0, 3.0),
    ]
    assert made.order == ("c", "b", "a")


def test_value_for_effort_comes_first_and_what_others_hold_before_them() -> None:
    small, rich = Row("small", "", days=(1, 1, 1), value=(10, 20)), Row("rich", "", days=(1, 9, 9), value=(900, 2000))
    assert portfolio.of([small, rich], "1").order == ("rich", "small")
    held = replace(rich, holds=("small",))
    assert portfolio.of([small, held], "1").order == ("small", "rich")
    circle = replace(small, holds=("rich",))
    assert portfolio.of([circle, held], "1").order == ("rich", "small")


def test_what_has_no_gpu_code_is_no_part_of_the_order() -> None:
    made = portfolio.of([Row("web", "", category="no-gpu", files=7), Row("gpu", "", days=(1, 1, 1))], "1")
    assert made.order == ("gpu",)
    assert "web: no GPU code in 7 files" in portfolio.render_markdown(made)


def test_the_page_links_to_each_report_and_takes_no_name_for_markup() -> None:
    rows = [Row("a b", "", category="native-cuda", days=(1, 2.5, 9)), Row("<i>c\x1b", "", error="<script>x</script>")]
    page = portfolio_page.render(replace(portfolio.of(rows, "1"), date="2026-01-02", command="cudamigrate scan"))
    assert 'href="a%20b.html"' in page and "2.5 (1 to 9)" in page and "2026-01-02" in page
    assert "<script" not in page and "<i>" not in page and "\x1b" not in page
    assert "Saves a month" not in page


def test_every_format_says_when_and_by_what_it_was_made_and_days_as_reports_print_them() -> None:
    made = replace(portfolio.of([Row("a", "", days=(1, 1.849, 19.3))], "1.2"), date="2026-01-02", command="scan x")
    assert json.loads(portfolio.render_json(made))["date"] == "2026-01-02"
    for text in (portfolio.render_text(made), portfolio.render_markdown(made), portfolio_page.render(made)):
        assert all(word in text for word in ("1.2", "2026-01-02", "scan x", "1.8 (1 to 19)"))


def test_hostile_names_are_shown_escaped() -> None:
    made = portfolio.of([Row("a\x1b[31m|b", "", error="x\ny"), Row("c", "")], "1")
    for text in (portfolio.render_text(made), portfolio.render_markdown(made), portfolio.render_json(made)):
        assert "\x1b" not in text


def test_what_others_named_is_no_markup() -> None:
    made = portfolio.of([Row("a<img src=x>[b](c)", "", error="@all <b>"), Row("d|e*", "", days=(1, 1, 1))], "1")
    text = portfolio.render_markdown(made)
    assert "<img" not in text and "[b](c)" not in text and "@all" not in text and "<b>" not in text and "d|" not in text
    assert "a<img src=x>[b](c)" in portfolio.render_text(made)


def test_the_command_prints_the_portfolio(repositories: Path, tmp_path: Path) -> None:
    words = ("scan", "--repos", repositories)
    env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    without = command_line.run(*words, env=env)
    assert without.returncode == 2 and "--output FOLDER" in without.stderr
    done = command_line.run(*words, "-o", tmp_path / "out", "-f", "json", env=env)
    assert done.returncode == 3, done.stderr
    assert json.loads(done.stdout) == json.loads((tmp_path / "out" / "portfolio.json").read_text())
    assert (tmp_path / "out" / "spmv.html").exists() and (tmp_path / "out" / "portfolio.html").exists()
