"""How far a run is, where no terminal shows a bar."""

from __future__ import annotations

import pytest

from cudamigrate.cli import console


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([(1, 3, 4.0), (2, 3, 6.0), (3, 3, 9.0)], []),  # done before anyone asks
        ([(1, 3, 4.0), (2, 3, 11.0), (3, 3, 12.0)], ["2 of 3", "3 of 3"]),
        ([(1, 3, 11.0), (2, 3, 12.0), (2, 3, 22.0), (3, 3, 90.0)], ["1 of 3", "2 of 3", "3 of 3"]),
        ([(3, 3, 60.0)], []),  # one step that took long says nothing of what comes
    ],
)
def test_a_line_every_ten_seconds_and_the_last_behind_one(
    steps: list[tuple[int, int, float]],
    said: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    times = {"at": 0.0}
    monkeypatch.setattr(console.time, "monotonic", lambda: times["at"])
    with console.progress("Scanning") as step:
        assert step is not None
        for done, total, at in steps:
            times["at"] = at
            step(done, total)
    assert capsys.readouterr().err.splitlines() == [f"Scanning: {one} files" for one in said]
