"""Commits made beside the user's checkout: git gets a work tree and an index of its own, in a temporary folder.

Result: commits, and branches that point to them. The user's files, index and stash are not touched. A branch is set in
one step, after all its commits stand, so an interrupted run leaves none. No program that the repository names is run.

What is converted is the work tree; what commits start from is HEAD. A file to convert must therefore be the same in
both. Git itself compares: the original bytes, added to the index of HEAD, must change nothing. That settles line ends,
and attributes as `git add` would. Filters of the repository are programs and are not run: a file that one changes
differs from HEAD and is refused.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cudamigrate.errors import TargetError
from cudamigrate.model import Commit
from cudamigrate.project import git, git_folder
from cudamigrate.project.scratch import scratch

if TYPE_CHECKING:
    from git import Git

CONVERTED = "hip/"
"""What the names of branches begin with that a conversion is written to."""
_INSTEAD = "use --output or --patch"
_OTHERWISE = f"or {_INSTEAD}"
_SETTINGS = {
    "core.safecrlf": "false",
    "core.sparseCheckout": "false",
    "core.splitIndex": "false",
    "merge.renormalize": "false",
}
"""Settings under which the index of its own is one file, and what is added and merged is what was given."""
BASE, TREE = "Cudamigrate-Base", "Cudamigrate-Tree"
"""Trailers of the commit that holds a whole conversion and nothing else: what it was made from, and its tree."""


@dataclass(frozen=True, slots=True)
class Merged:
    """A merge of two commits: its tree, and the paths whose contents hold conflicts, sorted."""

    tree: str
    conflicts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """The commit that holds a whole conversion, and the commit that it was made from."""

    commit: str
    base: str


@contextmanager
def opened(root: Path) -> Iterator[BranchWriter]:
    """A writer for the repository around `root`; raises TargetError for whatever goes wrong while it is used."""
    git_dir, prefix = _place(root)
    from git import GitCommandError  # imported here: it would slow every start

    try:
        with scratch() as folder:
            tool = _tool(root, Path(folder), git_dir)
            head = str(tool.rev_parse("--verify", "--quiet", "HEAD", with_exceptions=False))
            if not head:
                raise TargetError(f"{root} has no commit yet; commit first, {_OTHERWISE}.")
            yield BranchWriter(tool, prefix, head)
    except GitCommandError as error:
        raise TargetError(f"The branch cannot be written: {_explained(_words(str(error.stderr)))}.") from None
    except git.GitError as error:
        raise TargetError(f"The branch cannot be written: {_explained(str(error))}.") from None
    except OSError as error:
        raise TargetError(f"The branch cannot be written: {error}.") from None


class BranchWriter:
    """Makes commits on top of `head`, and sets branches. `prefix` is the path of the root in the repository."""

    def __init__(self, tool: Git, prefix: str, head: str) -> None:
        self.tool, self.prefix, self.head = tool, prefix, head

    def name(self, place: str, ending: str = "") -> str:
        """The branch that is meant: `place`, or `hip/` and the current branch, or the current branch and `ending`.

        A branch that starts with `hip/` holds a conversion: another one made from it gets the ending `-more`.
        """
        current = self.current()
        if not place and not ending and current.startswith(CONVERTED):
            ending = "-more"
        return place or (f"{current}{ending}" if ending else f"{CONVERTED}{current}")

    def current(self) -> str:
        """The name of the current branch, or the beginning of HEAD's hash where none is checked out."""
        name = str(self.tool.symbolic_ref("--short", "--quiet", "HEAD", with_exceptions=False))
        return name or self.head[:7]

    def tip(self, name: str) -> str:
        """The commit of a branch, empty where there is none; raises for a name git refuses and a checked-out branch."""
        full = f"refs/heads/{name}"
        status, _, _ = self.tool.check_ref_format(full, with_extended_output=True, with_exceptions=False)
        if status or name.startswith("-") or name == "HEAD":
            raise TargetError(f"`{name}` is not a name that git takes for a branch.")
        if f"branch {full}" in str(self.tool.worktree("list", "--porcelain")).splitlines():
            raise TargetError(f"Branch {name} is checked out; choose another name with --branch.")
        return str(self.tool.rev_parse("--verify", "--quiet", full, with_exceptions=False))

    def commits(
        self, before: Mapping[str, bytes], commits: Sequence[Commit], closed: bool = True
    ) -> tuple[str, Sequence[str]]:
        """Make the commits, on no branch yet: the tree of the last, and the commits in order.

        `before` holds the files to convert as they were read. Where the commits are `closed`, the last of them carries
        the trailers that say what the conversion was made from. Raises TargetError.
        """
        modes = self._unchanged({self.prefix + path: data for path, data in before.items()})
        trees, last = [], self.tree(self.head)
        for commit in commits:
            self._add({self.prefix + path: data for path, data in commit.files.items()}, modes)
            tree = str(self.tool.write_tree())
            if tree != last:
                trees.append((tree, commit.message))
            last = tree
        if not trees:
            raise TargetError("There is nothing to commit: as git stores them, the converted files are those of HEAD.")
        made: list[str] = []
        for number, (tree, message) in enumerate(trees, 1):
            if closed and number == len(trees):
                message = closing(message, self.head, tree)
            made.append(self.commit(tree, message, made[-1] if made else self.head))
        return last, made

    def commit(self, tree: str, message: str, *parents: str) -> str:
        """Make one commit, on no branch yet."""
        words = [word for parent in parents for word in ("-p", parent)]
        file = Path(str(self.tool.working_dir)).parent / "message"
        file.write_text(message, encoding="utf-8", errors="surrogateescape")
        return str(self.tool.commit_tree(tree, *words, "-F", str(file)))

    def tree(self, commit: str) -> str:
        """The tree of a commit."""
        return str(self.tool.rev_parse(f"{commit}^{{tree}}"))

    def with_file(self, tree: str, path: str, data: bytes) -> str:
        """The tree with one file replaced; `path` is as the repository has it."""
        self.tool.read_tree(tree)
        self._add({path: data}, {})
        return str(self.tool.write_tree())

    def content(self, commit: str, path: str) -> bytes | None:
        """The bytes of a file in a commit or tree, `path` as the repository has it; None where there is none."""
        status, data, _ = self.tool.cat_file(
            "blob",
            f"{commit}:{path}",
            with_extended_output=True,
            with_exceptions=False,
            stdout_as_string=False,
            strip_newline_in_stdout=False,
        )
        return None if status else data

    def conversion(self, commit: str) -> Made | None:
        """The newest commit below `commit` that holds a conversion alone; None where there is none.

        Raises TargetError where that commit was changed afterwards: manual edits cannot be separated from it then.
        """
        fields = "%x00".join(("%H", "%T", f"%(trailers:key={BASE},valueonly)", f"%(trailers:key={TREE},valueonly)"))
        words = ("--topo-order", "-n", "1", f"--grep=^{TREE}: ", f"--format={fields}", commit, "--")
        printed = str(self.tool.log(*words))
        if not printed.strip():
            return None
        found, tree, base, recorded = (word.strip() for word in printed.split("\0"))
        if tree != recorded:
            raise TargetError(
                f"Commit {found[:7]} of the branch held the conversion and was changed later, by a rebase or squash; "
                "manual edits cannot be separated from it. Make a new branch with --branch and move your commits to it."
            )
        return Made(found, base)

    def merge(self, ours: str, theirs: str) -> Merged:
        """Merge two commits, in memory; what a repository configures as its merge programs is not run."""
        words = ("--write-tree", "--no-messages", "--name-only", "-z", ours, theirs)
        status, printed, said = self.tool.merge_tree(
            *words, with_extended_output=True, with_exceptions=False, stdout_as_string=False
        )
        if status not in (0, 1):
            raise TargetError(f"Git cannot merge ({_words(str(said))}); `apply --update` needs git 2.38 or later.")
        tree, *paths = git.words(printed)
        return Merged(tree, tuple(sorted(set(paths))))

    def set_branches(self, moves: Sequence[tuple[str, str, str]]) -> None:
        """Let branches point to commits, all or none: (name, commit, the commit that it points to now or empty).

        Git does so in a session of its own: it ends this one step even where this program is killed.
        """
        none = "0" * len(self.head)
        lines = [f"update refs/heads/{name}\0{new}\0{old or none}\0" for name, new, old in moves]
        git.apart(
            Path(str(self.tool.working_dir)),
            *("update-ref", "--no-deref", "-m", "cudamigrate: move to HIP", "--stdin", "-z"),
            given="".join(lines).encode("utf-8", "surrogateescape"),
            variables={**os.environ, **self.tool.environment()},
        )

    def _unchanged(self, before: Mapping[str, bytes]) -> Mapping[str, str]:
        """The modes of the files of HEAD, which is then in the index; raises where `before` is not what HEAD holds."""
        self.tool.read_tree(self.head)
        listed = git.words(self.tool.ls_files("-s", "-z", stdout_as_string=False))
        modes = {path: entry[:6] for entry, _, path in (entry.partition("\t") for entry in listed)}
        _refuse_submodules(before, [path for path, mode in modes.items() if mode == "160000"])
        _refuse_changed(path for path in before if not modes.get(path, "").startswith("100"))
        self._add(before, modes)
        changed = self.tool.diff_index("--cached", "--name-only", "-z", self.head, stdout_as_string=False)
        _refuse_changed(git.words(changed))
        self.tool.read_tree(self.head)  # forgets the times of the original files, which the new ones may share
        return modes

    def _add(self, files: Mapping[str, bytes], modes: Mapping[str, str]) -> None:
        """Write files to git's work tree and put them into its index."""
        tree = Path(str(self.tool.working_dir))
        for path, data in files.items():
            file = tree / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            file.chmod(0o755 if modes.get(path) == "100755" else 0o644)
        names = tree.parent / "names"
        names.write_bytes(b"".join(os.fsencode(path) + b"\0" for path in files))
        with names.open("rb") as given:
            self.tool.update_index("--add", "-z", "--stdin", istream=given)


def closing(message: str, base: str, tree: str) -> str:
    """The message of a commit that holds a whole conversion of the commit `base`, and nothing else."""
    return f"{message.rstrip()}\n\n{BASE}: {base}\n{TREE}: {tree}\n"


def _place(root: Path) -> tuple[str, str]:
    """The git folder of `root`, and the path of `root` in its work tree with a slash at its end, or empty."""
    try:
        told = [git.git(root, "rev-parse", word) for word in ("--absolute-git-dir", "--show-prefix")]
    except git.GitError as error:
        raise TargetError(f"No branch can be made in {root}: {error}; {_INSTEAD}.") from None
    git_dir, prefix = (os.fsdecode(printed).removesuffix("\n") for printed in told)
    top = git.work_tree(root)
    found = git_folder.elsewhere(top) if top is not None else ""
    if found:
        raise TargetError(f"No branch can be made in {root}: {found}, and nothing is written elsewhere; {_INSTEAD}.")
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


def _refuse_submodules(paths: Iterable[str], submodules: Sequence[str]) -> None:
    for path in paths:
        for submodule in submodules:
            if path.startswith(f"{submodule}/"):
                raise TargetError(f"{path} is in the submodule {submodule}; run there too, {_OTHERWISE}.")


def _refuse_changed(paths: Iterable[str]) -> None:
    """Raise if there are any: these files are not as they were committed."""
    changed = sorted(paths)
    if not changed:
        return
    named = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
    differ = "differs" if len(changed) == 1 else "differ"
    raise TargetError(f"{named} {differ} from the last commit; commit or stash, {_OTHERWISE}.")


def _words(printed: str) -> str:
    """The last line of what git wrote on standard error, as GitPython hands it on."""
    text = printed.replace("stderr: ", "").strip().strip("'")
    line = text.splitlines()[-1] if text else "git gave no reason"
    return line.removeprefix("fatal: ").removeprefix("error: ").rstrip(".")


def _explained(line: str) -> str:
    """What git says, with what to do about a lock that is there."""
    if ".lock'" in line and "File exists" in line:
        return (
            f"{line.rstrip('.')}. Another git command is at work there, or one was killed: if none is, remove that file"
        )
    return line
