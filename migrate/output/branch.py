"""Conversions -> a git branch.

Result: a branch with a commit for each part of the repository that changes, on top of HEAD: first the code, with the
new files, then Python, build, packages and environment. The user's checkout, index and stash are not touched: git gets
a work tree and an index of its own, in a temporary folder, that hold the changed files only. The branch is set at the
very end, in one step, so an interrupted run leaves none, and nothing to prune.

What is converted is the work tree; what the branch starts from is HEAD. A file to convert must therefore be the same in
both. Git itself compares: the original bytes, added to the index of HEAD, must change nothing. That decides line ends,
and attributes as `git add` would. Filters of the repository are programs and are not run: a file that one changes
differs from HEAD and is refused.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cudamigrate.errors import TargetError
from cudamigrate.model import PARTS, Conversion
from cudamigrate.project import git

if TYPE_CHECKING:
    from git import Git

_OTHERWISE = "or use --output or --patch"
_SETTINGS = {"core.safecrlf": "false", "core.sparseCheckout": "false"}


def write(
    root: Path, conversions: Sequence[Conversion], extra: Mapping[str, bytes], place: str, force: bool = False
) -> str:
    """Commit the conversions to the branch `place`, by default `hip/` and the name of the current branch.

    An existing branch is moved only with `force`, and never while it is checked out.
    """
    git_dir, prefix = _place(root)
    from git import GitCommandError  # imported here: it would slow every start

    try:
        with tempfile.TemporaryDirectory(prefix="cudamigrate-") as folder:
            tool = _tool(root, Path(folder), git_dir)
            head = str(tool.rev_parse("--verify", "--quiet", "HEAD", with_exceptions=False))
            if not head:
                raise TargetError(f"{root} has no commit yet; commit first, {_OTHERWISE}.")
            current = str(tool.symbolic_ref("--short", "--quiet", "HEAD", with_exceptions=False))
            name = place or f"hip/{current or head[:7]}"
            old = _replaced(tool, name, force) or "0" * len(head)
            commit, commits = _commits(tool, head, _Files(prefix, conversions, extra))
            tool.update_ref("-m", "cudamigrate: move to HIP", f"refs/heads/{name}", commit, old)
    except GitCommandError as error:
        raise TargetError(f"The branch cannot be written: {_words(str(error.stderr))}.") from None
    except OSError as error:
        raise TargetError(f"The branch cannot be written: {error}.") from None
    made = f"{commits} commit{'' if commits == 1 else 's'}"
    return f"Branch {name}: {made} on {head[:7]}, {_counted(conversions)}; see it with: git diff {head[:7]} {name}"


def _place(root: Path) -> tuple[str, str]:
    """The git folder of `root`, and the path of `root` in its work tree with a slash at its end, or empty."""
    try:
        answers = [git.git(root, "rev-parse", word) for word in ("--absolute-git-dir", "--show-prefix")]
    except git.GitError as error:
        raise TargetError(f"No branch can be made in {root}: {error}; use --output or --patch.") from None
    git_dir, prefix = (os.fsdecode(printed).removesuffix("\n") for printed in answers)
    return git_dir, prefix


def _tool(root: Path, folder: Path, git_dir: str) -> Git:
    """Git with a work tree and an index of its own below `folder`."""
    from git import Git

    tree = folder / "tree"
    tree.mkdir()
    tool = Git(str(tree))
    tool.update_environment(**git.environment(settings={**git.settings(root), **_SETTINGS}))
    tool.update_environment(GIT_DIR=git_dir, GIT_WORK_TREE=str(tree), GIT_INDEX_FILE=str(folder / "index"))
    tool.update_environment(**_identity(tool))
    return tool


def _identity(tool: Git) -> dict[str, str]:
    """Names and addresses that the user has set nowhere."""
    missing = {}
    for role in ("author", "committer"):
        for key, value in (("name", "cudamigrate"), ("email", "cudamigrate@localhost")):
            variable = f"GIT_{role}_{key}".upper()
            given = os.environ.get(variable) or (key == "email" and os.environ.get("EMAIL"))
            settings = (tool.config("--get", f"{whose}.{key}", with_exceptions=False) for whose in (role, "user"))
            if not given and not any(settings):
                missing[variable] = value
    return missing


def _replaced(tool: Git, name: str, force: bool) -> str:
    """The commit that the branch points to now, empty if there is no such branch; raises where it must stay."""
    full = f"refs/heads/{name}"
    status, _, _ = tool.check_ref_format(full, with_extended_output=True, with_exceptions=False)
    if status or name.startswith("-") or name == "HEAD":
        raise TargetError(f"`{name}` is not a name that git takes for a branch.")
    old = str(tool.rev_parse("--verify", "--quiet", full, with_exceptions=False))
    if f"branch {full}" in str(tool.worktree("list", "--porcelain")).splitlines():
        raise TargetError(f"Branch {name} is checked out; choose another name with --branch.")
    if old and not force:
        raise TargetError(f"Branch {name} exists; --force moves it, or choose another name with --branch.")
    return old


class _Files:
    """The files to commit, by their path in the repository."""

    def __init__(self, prefix: str, conversions: Sequence[Conversion], extra: Mapping[str, bytes]) -> None:
        self.before = {prefix + conversion.path: conversion.before for conversion in conversions}
        self.after = {prefix + conversion.path: conversion.after for conversion in conversions}
        self.extra = {prefix + path: data for path, data in extra.items()}
        self.conversions = {prefix + conversion.path: conversion for conversion in conversions}

    def parts(self) -> Iterator[tuple[dict[str, bytes], str]]:
        """The new content of each part that changes, with the message of its commit."""
        for part in PARTS:
            chosen = {path: one for path, one in self.conversions.items() if one.part == part}
            new = self.extra if part == PARTS[0] else {}
            if chosen or new:
                after = {path: self.after[path] for path in chosen}
                yield {**new, **after}, _message(part, list(chosen.values()), new)


_TITLES = {
    "code": "Move to HIP",
    "python": "Python code for ROCm",
    "build": "Build with HIP",
    "packages": "Packages for ROCm",
    "environment": "Environment for ROCm",
}


def _message(part: str, conversions: Sequence[Conversion], extra: Mapping[str, bytes]) -> str:
    fixes = sum(conversion.applied for conversion in conversions)
    rejected = sum(len(conversion.rejected) for conversion in conversions)
    title = f"{_TITLES[part]}: {_counted(conversions)}"
    lines = [title, "", f"Fixes applied: {fixes}", f"Fixes left out: {rejected}"]
    lines += [f"Added: {path}" for path in sorted(extra)]
    return "\n".join(lines) + "\n"


def _counted(conversions: Sequence[Conversion]) -> str:
    return f"{len(conversions)} file{'' if len(conversions) == 1 else 's'}"


def _commits(tool: Git, head: str, files: _Files) -> tuple[str, int]:
    """Make the commits, on no branch yet; the name of the last, and how many there are."""
    tool.read_tree(head)
    listed = git.words(tool.ls_files("-s", "-z", stdout_as_string=False))
    modes = {path: entry[:6] for entry, _, path in (entry.partition("\t") for entry in listed)}
    _refuse_submodules(files.before, [path for path, mode in modes.items() if mode == "160000"])
    _refuse_changed(path for path in files.before if not modes.get(path, "").startswith("100"))
    _add(tool, files.before, modes)
    _refuse_changed(git.words(tool.diff_index("--cached", "--name-only", "-z", head, stdout_as_string=False)))
    tool.read_tree(head)  # forgets the times of the original files, which the new ones may share
    last, count, was = head, 0, str(tool.rev_parse(f"{head}^{{tree}}"))
    for content, message in files.parts():
        _add(tool, content, modes)
        tree = str(tool.write_tree())
        if tree != was:
            last, count, was = str(tool.commit_tree(tree, "-p", last, "-m", message)), count + 1, tree
    if not count:
        raise TargetError("There is nothing to commit: as git stores them, the converted files are those of HEAD.")
    return last, count


def _refuse_submodules(paths: Iterable[str], submodules: Sequence[str]) -> None:
    for path in paths:
        for submodule in submodules:
            if path.startswith(f"{submodule}/"):
                raise TargetError(f"{path} lies in the submodule {submodule}; run there too, {_OTHERWISE}.")


def _refuse_changed(paths: Iterable[str]) -> None:
    """Raise if there are any: these files are not as they were committed."""
    changed = sorted(paths)
    if not changed:
        return
    named = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
    differ = "differs" if len(changed) == 1 else "differ"
    raise TargetError(f"{named} {differ} from the last commit; commit or stash, {_OTHERWISE}.")


def _add(tool: Git, files: Mapping[str, bytes], modes: Mapping[str, str]) -> None:
    """Write the files to git's work tree and put them into its index."""
    tree = Path(str(tool.working_dir))
    for path, data in files.items():
        file = tree / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        file.chmod(0o755 if modes.get(path) == "100755" else 0o644)
    names = tree.parent / "names"
    names.write_bytes(b"".join(os.fsencode(path) + b"\0" for path in files))
    with names.open("rb") as given:
        tool.update_index("--add", "-z", "--stdin", istream=given)


def _words(printed: str) -> str:
    """The last line of what git wrote on standard error, as GitPython passes it on."""
    text = printed.replace("stderr: ", "").strip().strip("'")
    line = text.splitlines()[-1] if text else "git gave no reason"
    return line.removeprefix("fatal: ").removeprefix("error: ").rstrip(".")
