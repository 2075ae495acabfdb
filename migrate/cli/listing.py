"""The list of commands that `--help` prints: as the option parser would print it, which takes twice as long to start.

Each command is here with what it is for, which its function says too. A test compares all that is printed here with
what the option parser makes of the commands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

ABOUT = "Move CUDA code to AMD GPUs: see what it costs, make the move, keep new CUDA-only code out."
_WORDS = ("--help", "-h")
_OPTIONS = (
    ("--version", "Print the version."),
    ("--install-completion", "Install completion for the current shell."),
    (
        "--show-completion",
        "Show completion for the current shell, to copy it or customize the installation.",
    ),
    ("-h, --help", "Show this message and exit."),
)
COMMANDS: dict[str, tuple[tuple[str, str], ...]] = {
    "Plan and move": (
        ("scan", "Report the CUDA code of a repository and how much of it `apply` can convert."),
        (
            "apply",
            "Make the move: a branch (default), a folder or a patch with every safe change. Sources stay as they are.",
        ),
        (
            "verify",
            "Prove HIP code without a GPU: type-check every file for AMD; "
            "with --run execute it on an emulated GPU too.",
        ),
        (
            "tasks",
            "List what is left after `apply`, each task with its code, the facts, what to write and how to prove it.",
        ),
        (
            "headers",
            "HIP's headers for the type check, where ROCm is not installed: fetch them, list them, remove them.",
        ),
    ),
    "Keep CUDA-only code out": (
        (
            "check",
            "Warn about new CUDA-only code, in what is staged or on a branch: "
            "one line each, exit code 1 when there is any.",
        ),
        (
            "baseline",
            "Write the findings of a repository to a file that `check`, `scan` and `diff` take with --baseline.",
        ),
        (
            "init",
            "Write configuration, hook and workflow into a repository: "
            "the diff is shown, and nothing is written unasked.",
        ),
    ),
    "Read": (
        (
            "explain",
            "Say what a CUDA name is on AMD, what a rule means, or what was found in a line and the facts behind it.",
        ),
        ("report", "Render a JSON report again, in any format, without reading the code."),
        ("diff", "Compare two JSON reports: findings that are gone, new or judged differently, and the days saved."),
        ("rules", "List the rules, or prove a rule file's examples."),
        ("cache", "What scan and apply found in files, kept for later runs: how much there is, and remove it."),
    ),
    "Where you work": (
        (
            "server",
            "Answer an editor by the Language Server Protocol: problems, explanations and fixes in open files.",
        ),
        (
            "mcp",
            "Answer a coding agent by the Model Context Protocol: scan, findings, tasks, explain, fixes, proofs.",
        ),
    ),
}
"""Under each heading the commands, each with what it is for."""


def is_asked(words: Sequence[str]) -> bool:
    """Whether what was typed asks for the list."""
    return all(word in _WORDS for word in words)


def text(columns: int) -> str:
    """The list, for a terminal of so many columns."""
    width = max(min(columns, 80) - 2, 50)
    lines = ["Usage: cudamigrate [OPTIONS] COMMAND [ARGS]...", "", *_wrapped(ABOUT, width, "  ")]
    for heading, rows in (("Options", _OPTIONS), *COMMANDS.items()):
        lines += ["", f"{heading}:", *_rows(rows, width)]
    return "".join(f"{line}\n" for line in lines)


def _rows(rows: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """Names, each with what it is for beside it."""
    rows = list(rows)
    first = max(len(name) for name, _ in rows) + 2
    for name, said in rows:
        before = name
        for line in _wrapped(said, max(width - first - 2, 10), ""):
            yield f"  {before:{first}}{line}"
            before = ""


def _wrapped(said: str, width: int, indent: str) -> list[str]:
    from textwrap import TextWrapper

    return TextWrapper(width, initial_indent=indent, subsequent_indent=indent, replace_whitespace=False).wrap(said)
