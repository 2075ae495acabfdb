"""What tests of `check` share: the command run in this process, in a repository of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from cudamigrate.cli import hook


@dataclass(frozen=True)
class Done:
    """What a run of `check` came to."""

    code: int
    lines: list[str]
    said: str

    @property
    def places(self) -> list[str]:
        """`path:line rule` of each problem."""
        found = []
        for line in self.lines:
            parts = line.split(": ", 1)
            if len(parts) == 2 and parts[0].count(":") == 2 and "/" in parts[1].split(" ")[0]:
                path, number, _ = parts[0].split(":")
                found.append(f"{path}:{number} {parts[1].split(' ')[0]}")
        return found


class Checker:
    """Runs `check` with a command line that the quick reader takes."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.root, self.capsys = root, capsys
        monkeypatch.chdir(root)
        monkeypatch.delenv("GIT_INDEX_FILE", raising=False)
        monkeypatch.delenv("PRE_COMMIT_FROM_REF", raising=False)

    def __call__(self, *words: str) -> Done:
        given = hook.read(words)
        assert given is not None
        code = hook.run(given)
        out, err = self.capsys.readouterr()
        return Done(code, out.splitlines(), err)
