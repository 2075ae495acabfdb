"""The files that `init` writes into a repository: a configuration, a pre-commit hook and a workflow.

Result: the bytes that each file should have. A file that has what is wanted is not among them; one that somebody wrote
keeps every byte, and gets an entry added where its form is plain.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cudamigrate.config import OWN_FILE, SHARED_FILE, Config
from cudamigrate.errors import InputError
from cudamigrate.project.file_access import read_regular
from cudamigrate.syntax import yaml_scalars

HOOKS = ".pre-commit-config.yaml"
WORKFLOW = ".github/workflows/cudamigrate.yml"
_MARK = b"cudamigrate"

_SETTINGS = """\
# Configuration of cudamigrate; its reference lists all keys. Options on the command line are stronger.
rocm = "{rocm}"  # the ROCm release to move to
arch = [{arch}]  # the GPUs to move to
outcomes = [{outcomes}]  # what `cudamigrate check` warns of
exclude = []  # globs of files to leave out
"""
_ENTRY = """\
- repo: local
  hooks:
    - id: cudamigrate-check
      name: cudamigrate check
      entry: cudamigrate check
      language: system
      pass_filenames: false
"""
_STEPS = """\
name: cudamigrate
on: pull_request
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: %INSTALL%
      - run: cudamigrate check --since "origin/$BASE" --format github
        env:
          BASE: ${{ github.base_ref }}
"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which of the files are asked for; `package` is what pip installs in the workflow: a name, a URL or a path."""

    settings: bool = True
    hook: bool = True
    workflow: bool = True
    package: str = "cudamigrate"


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file before, None where there is none, and after."""

    path: str
    before: bytes | None
    after: bytes


def planned(root: Path, wanted: Wanted) -> list[FileChange]:
    """What is to be written. Raises InputError for a file that cannot be added to without guessing."""
    return [
        *(_settings(root) if wanted.settings else ()),
        *(_hook(root) if wanted.hook else ()),
        *(_workflow(root, wanted.package) if wanted.workflow else ()),
    ]


def _present(root: Path, path: str) -> bytes | None:
    """The bytes of a file, None where there is none; raises InputError where it is a link or cannot be read."""
    try:
        return read_regular(root, path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path} cannot be added to: {error.strerror}") from None


def _settings(root: Path) -> Iterator[FileChange]:
    shared = _present(root, SHARED_FILE) or b""
    if _present(root, OWN_FILE) is None and b"[tool.cudamigrate" not in shared:
        default = Config()
        text = _SETTINGS.format(rocm=default.rocm, arch=_quoted(default.arch), outcomes=_quoted(default.outcomes))
        yield FileChange(OWN_FILE, None, text.encode())


def _quoted(words: tuple[str, ...]) -> str:
    return ", ".join(f'"{word}"' for word in words)


def _hook(root: Path) -> Iterator[FileChange]:
    before = _present(root, HOOKS)
    if before is None:
        yield FileChange(HOOKS, None, b"repos:\n" + _indented(2))
    elif _MARK not in before:
        yield FileChange(HOOKS, before, _with_entry(before))


def _with_entry(data: bytes) -> bytes:
    """The file with our hook as the last of `repos`, indented as the others are."""
    tree = yaml_scalars.parse(data)
    sequence = yaml_scalars.value_of(data, tree.root_node, "repos")
    while sequence is not None and sequence.type == "block_node":
        sequence = sequence.named_children[0]
    items = sequence.named_children if sequence is not None and sequence.type == "block_sequence" else []
    last = next((item for item in reversed(items) if item.type == "block_sequence_item"), None)
    if last is None or tree.root_node.has_error:
        raise InputError(f"{HOOKS} has no list `repos` to add to; add the hook manually:\n{_ENTRY.rstrip()}")
    end = data.find(b"\n", len(data[: last.end_byte].rstrip()))
    head, tail = (data + b"\n", b"") if end < 0 else (data[: end + 1], data[end + 1 :])
    entry = _indented(last.start_point.column)
    return head + (entry.replace(b"\n", b"\r\n") if b"\r\n" in data else entry) + tail


def _indented(column: int) -> bytes:
    return "".join(f"{' ' * column}{line}\n" for line in _ENTRY.splitlines()).encode()


def _workflow(root: Path, package: str) -> Iterator[FileChange]:
    if _present(root, WORKFLOW) is None:
        line = json.dumps(f"pip install {shlex.quote(package)}")  # a string of JSON is one of YAML
        yield FileChange(WORKFLOW, None, _STEPS.replace("%INSTALL%", line).encode())
