"""What git knows of a work tree: its commit and branch, whether files are changed, and what is staged."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from cudamigrate.errors import InputError
from cudamigrate.model import Repository
from cudamigrate.project import git
from cudamigrate.project.file_access import NotReadableError, read_regular


def repository(root: Path) -> Repository:
    """What is scanned: its name and, in a git work tree, its commit, branch and whether files are changed.

    A folder within a work tree is named by both, such as `vllm/csrc`: the commit is that of the whole tree.
    """
    folder = root if root.is_dir() else root.parent
    top = git.work_tree(folder)
    if top is None:
        return Repository(str(root), folder.absolute().name)
    commit, dirty = "", False
    try:
        branch = _line(git.git(folder, "symbolic-ref", "--short", "-q", "HEAD"))
    except git.GitError:
        branch = ""  # a detached HEAD is on no branch
    try:
        commit = _line(git.git(folder, "rev-parse", "--verify", "-q", "HEAD"))
        dirty = is_changed(top)
    except git.GitError:
        pass  # no commit yet, or git refuses; discovery says which
    name = (Path(top.name) / folder.resolve().relative_to(top)).as_posix()
    return Repository(str(root), name, commit, branch, dirty, remote_url(folder))


def remote_url(folder: Path) -> str:
    """The address of the remote called origin as a URL without user and password; empty where there is none."""
    try:
        address = _line(git.git(folder, "config", "--get", "remote.origin.url"))
    except git.GitError:
        return ""
    if "://" in address:
        scheme, _, rest = address.partition("://")
        host, slash, path = rest.partition("/")
        return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}" if scheme in ("https", "http", "ssh", "git") else ""
    host, colon, path = address.partition(":")
    return f"ssh://{host.rpartition('@')[2]}/{path}" if colon and "/" not in host else ""


def is_changed(top: Path) -> bool:
    """Whether the work tree differs from HEAD: staged, changed or untracked files.

    `git status` would run the filters of the repository to compare; here a file that git holds for changed is compared
    with the index by its bytes, so one that is stored in another form counts as changed. Raises GitError.
    """
    if git.git(top, "diff-index", "--cached", "--name-only", "-z", "--ignore-submodules=dirty", "HEAD"):
        return True
    if git.git(top, "ls-files", "-z", "--others", "--exclude-standard", "--directory", "--no-empty-directory"):
        return True
    listed = git.words(git.git(top, "diff-files", "--raw", "--no-abbrev", "-z", "--ignore-submodules=all"))
    return any(
        _differs(top, head.lstrip(":").split(" "), path) for head, path in zip(listed[::2], listed[1::2], strict=True)
    )


def _differs(top: Path, head: list[str], path: str) -> bool:
    """Whether a file is not what the index has, given an entry of `git diff-files --raw`."""
    before, after, blob, _, status = head
    if status != "M" or before != after:
        return True
    try:
        data = os.fsencode(os.readlink(top / path)) if before == "120000" else read_regular(top, path)
    except (OSError, NotReadableError):
        return True
    return blob not in (_blob_name(data, len(blob)), _blob_name(data.replace(b"\r\n", b"\n"), len(blob)))


def _blob_name(data: bytes, digits: int) -> str:
    """The name git gives a file's content; its length in digits tells which hash the repository uses."""
    import hashlib  # `check` does without

    made = hashlib.sha1(usedforsecurity=False) if digits == 40 else hashlib.sha256()
    made.update(b"blob %d\0" % len(data))
    made.update(data)
    return made.hexdigest()


def _line(printed: bytes) -> str:
    return printed.decode("utf-8", "replace").strip()


def staged(root: Path, limit: int | None = None) -> list[tuple[str, bytes | None]]:
    """Path and content of each file below `root` that the next commit adds or changes, as it is in the index.

    The content is None for a file of more than `limit` bytes. Links, submodules and names that are not UTF-8 are left
    out. Raises InputError where git cannot tell.
    """
    if git.work_tree(root) is None:
        raise InputError(f"Staged files cannot be read: {root} is not in a git repository.")
    try:
        index = git.hook_index(root)
        changed = git.git(
            root, "diff", "--cached", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=AMT",
            "--no-ext-diff", "--ignore-submodules", "--relative", "-z", index=index, files=False,
        )  # fmt: skip
        blobs = list(_blobs(git.words(changed)))
        data = git.blobs(root, [blob for _, blob in blobs], index, limit)
    except git.GitError as error:
        raise InputError(f"Staged files cannot be read in {root}: {error}.") from None
    return sorted(((path, data[blob]) for path, blob in blobs), key=lambda item: item[0])


def _blobs(words: list[str]) -> Iterator[tuple[str, str]]:
    """Path and blob name of each regular file in the output of `git diff --raw -z`."""
    for head, path in zip(words[::2], words[1::2], strict=True):
        _, mode, _, blob, _ = head.split(" ")
        if mode.startswith("100") and git.is_utf8(path):
            yield path, blob
