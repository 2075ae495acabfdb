"""A real git repository for tests to arrange and ask."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

_SETTINGS = """\
[user]
\tname = Ada
\temail = ada@example.org
[core]
\tautocrlf = false
[commit]
\tgpgsign = false
"""


class Repo:
    """A git repository to arrange and ask."""

    def __init__(self, root: Path, *options: str) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", *options)
        place = self.git("rev-parse", "--git-path", "config") if options else ".git/config"
        with (root / place).open("a", encoding="utf-8") as file:  # `git config` would be started for each of them
            file.write(_SETTINGS)

    def git(self, *words: str, given: bytes | None = None) -> str:
        """Run git in the repository and return what it prints, without the last line end."""
        done = subprocess.run(["git", *words], cwd=self.root, input=given, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")

    def write(self, files: Mapping[str, bytes | str]) -> None:
        """Write files below the root."""
        write(self.root, files)

    def commit(self, files: Mapping[str, bytes | str], message: str = "change") -> str:
        """Write files, commit everything, and return the commit."""
        self.write(files)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")


def write(root: Path, files: Mapping[str, bytes | str]) -> None:
    """Write files below a folder."""
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
