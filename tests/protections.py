"""Each protection against a hostile repository, and the test that fails where it is taken out.

`python -m tests.protections [WORD...]` copies the tree, takes one protection out at a time and runs its test: about ten
minutes for all. What stands here of the sources is compared with them in every run of the suite.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Protection:
    """What keeps a fault away: text of a file, what stands there without it, and the tests that then fail."""

    against: str
    file: str
    text: str
    without: str
    tests: str


PROTECTIONS = (
    Protection(
        "filters (clean, process, include.path)",
        "migrate/project/git.py",
        "    return {**_FIXED, **off,",
        "    return {**_FIXED,",
        "tests/unit/project/test_revisions.py::test_filters_of_the_repository_are_not_run",
    ),
    Protection(
        "promisor: GIT_ALLOW_PROTOCOL",
        "migrate/project/git.py",
        '    env["GIT_ALLOW_PROTOCOL"] = "none"\n',
        "",
        "tests/unit/project/test_revisions.py::test_either_variable_alone_keeps_git_from_fetching",
    ),
    Protection(
        "promisor: GIT_NO_LAZY_FETCH",
        "migrate/project/git.py",
        ', GIT_NO_LAZY_FETCH="1")',
        ")",
        "tests/unit/project/test_revisions.py::test_either_variable_alone_keeps_git_from_fetching",
    ),
    Protection(
        "bare-looking folder",
        "migrate/project/git.py",
        '    "safe.bareRepository": "explicit",\n',
        "",
        "tests/unit/project/test_revisions.py::test_a_folder_in_a_repository_that_looks_like_a_bare_one_is_none",
    ),
    Protection(
        "fsmonitor",
        "migrate/project/git.py",
        '    "core.fsmonitor": "false",\n',
        "",
        "tests/unit/project/test_git.py::test_programs_of_the_repository_are_not_started",
    ),
    Protection(
        "hooks",
        "migrate/project/git.py",
        '    "core.hooksPath": os.devnull,\n',
        "",
        "tests/unit/output/test_branch.py::test_hooks_and_signing_do_not_run",
    ),
    Protection(
        "external diff, textconv",
        "migrate/project/changes.py",
        '"--no-ext-diff",\n    "--no-textconv",',
        "",
        "tests/unit/project/test_revisions.py::test_filters_are_not_run_for_staged_lines",
    ),
    Protection(
        "MERGE_HEAD",
        "migrate/project/changes.py",
        " if _COMMIT.fullmatch(word)]",
        "]",
        "tests/unit/project/test_hostile_git.py::test_what_a_merge_names_is_a_commit",
    ),
    Protection(
        "signatures",
        "migrate/project/git.py",
        '    "log.showSignature": "false",\n',
        "",
        "tests/unit/project/test_hostile_git.py::test_a_signature_is_not_checked_by_the_repositorys_program",
    ),
    Protection(
        "replaced objects",
        "migrate/project/git.py",
        '    env["GIT_NO_REPLACE_OBJECTS"] = "1"\n',
        "",
        "tests/unit/project/test_hostile_git.py::test_what_is_staged_is_read_and_not_what_stands_for_it",
    ),
    Protection(
        "pipes in .git",
        "migrate/project/git_folder.py",
        '_DEEP = ("info", "logs", "refs", "worktrees")',
        '_DEEP = ("info", "refs", "worktrees")',
        "tests/unit/project/test_hostile_git.py::test_pipes_in_it_are_named_and_not_waited_for",
    ),
    Protection(
        "pipes in alternates",
        "migrate/project/git_folder.py",
        "        pending += [folder / line",
        "        pending += [] and [folder / line",
        "tests/unit/project/test_hostile_git.py::test_a_pipe_where_more_objects_are_said_to_be_is_named",
    ),
    Protection(
        "pipes in inner repositories",
        "migrate/project/git_folder.py",
        'if ".git" in (*folders, *files) and',
        "if False and",
        "tests/unit/project/test_hostile_git.py::test_a_pipe_in_a_repository_inside_is_named",
    ),
    Protection(
        "branch elsewhere",
        "migrate/project/branch_writer.py",
        '    if found:\n        raise TargetError(f"No branch',
        '    if False:\n        raise TargetError(f"No branch',
        "tests/unit/project/test_hostile_git.py::test_no_branch_is_written_elsewhere",
    ),
    Protection(
        "symbolic branch",
        "migrate/project/branch_writer.py",
        '"--no-deref", ',
        "",
        "tests/unit/project/test_hostile_git.py::test_a_branch_that_stands_for_another_is_replaced_and_the_other_stays",
    ),
    Protection(
        "--output through a link",
        "migrate/output/folder.py",
        "    if not is_below(made, path):",
        "    if False:",
        "tests/unit/output/test_folder.py tests/unit/project/test_hostile_git.py::test_submodules_lie_in_the_tree",
    ),
    Protection(
        "submodules elsewhere: listing",
        "migrate/project/file_listing.py",
        ' if is_below(root, f"{path}/")]',
        "]",
        "tests/unit/project/test_hostile_git.py::test_no_folder_elsewhere_is_a_submodule",
    ),
    Protection(
        "submodules elsewhere: entering",
        "migrate/project/discovery.py",
        '        if not is_below(self.root, f"{path}/"):',
        "        if False:",
        "tests/unit/project/test_hostile_git.py::test_no_folder_elsewhere_is_a_submodule",
    ),
    Protection(
        "lists that are pipes",
        "migrate/project/file_access.py",
        '_FILE = os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0)',
        "_FILE = os.O_RDONLY | _NO_FOLLOW",
        "tests/unit/project/test_discovery.py::test_lists_that_are_pipes_or_devices_are_passed_over",
    ),
    Protection(
        "files swapped after the listing",
        "migrate/project/file_access.py",
        '_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)',
        "_NO_FOLLOW = 0",
        "tests/unit/project/test_discovery.py::test_what_became_a_link_after_the_listing_is_not_read",
    ),
    Protection(
        "swapped for links (no-follow)",
        "migrate/project/file_access.py",
        '_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)',
        "_NO_FOLLOW = 0",
        "tests/unit/project/test_file_access.py::test_links_and_special_files_are_not_read",
    ),
    Protection(
        "swapped folders (directory descriptor)",
        "migrate/project/file_access.py",
        "_RELATIVE = os.open in os.supports_dir_fd",
        "_RELATIVE = False",
        "tests/unit/project/test_file_access.py::test_links_and_special_files_are_not_read",
    ),
    Protection(
        "pipes and devices read",
        "migrate/project/file_access.py",
        "        if not stat.S_ISREG(status.st_mode):",
        "        if False:",
        "tests/unit/project/test_file_access.py::test_links_and_special_files_are_not_read",
    ),
    Protection(
        "size of the open file",
        "migrate/project/file_access.py",
        "        if limit is not None and status.st_size > limit:",
        "        if False:",
        "tests/unit/project/test_file_access.py::test_regular_files_are_read",
    ),
    Protection(
        "-o to devices, pipes",
        "migrate/project/file_access.py",
        "    if mode and not stat.S_ISREG(mode):",
        "    if False:",
        "tests/unit/project/test_file_access.py::test_links_are_followed_and_devices_written_to",
    ),
    Protection(
        "-o to links",
        "migrate/project/file_access.py",
        "    target = Path(os.path.realpath(path))\n    mode",
        "    target = Path(path)\n    mode",
        "tests/unit/project/test_file_access.py::test_links_are_followed_and_devices_written_to",
    ),
    Protection(
        "YAML 250 levels: worker",
        "migrate/parallel/__init__.py",
        "    _always = True\n",
        "    _always = False\n",
        "tests/e2e/test_endings.py::test_a_file_that_crashes_its_reader_is_named_and_the_rest_is_read",
    ),
    Protection(
        "dead worker replaced",
        "migrate/parallel/__init__.py",
        "        self.workers[number] = self._started(number)\n        if dead",
        "        if dead",
        "tests/unit/test_parallel.py::test_an_item_that_crashes_costs_itself_alone",
    ),
    Protection(
        "memory of a worker",
        "migrate/parallel/worker.py",
        "    if more and (hard",
        "    if False and (hard",
        "tests/unit/test_parallel.py::test_an_item_may_not_take_all_memory",
    ),
    Protection(
        "seconds of a worker",
        "migrate/parallel/worker.py",
        "    if seconds and (hard",
        "    if False and (hard",
        "tests/unit/test_parallel.py",
    ),
    Protection(
        "deep setup.py, compile_commands.json",
        "migrate/compilation/build_flags.py",
        "    except RecursionError:\n        return _lost",
        "    except ZeroDivisionError:\n        return _lost",
        "tests/unit/compilation/test_build_flags.py::test_a_build_file_that_nests_too_deep_is_named",
    ),
    Protection(
        "compile_commands.json of other types",
        "migrate/compilation/build_flags.py",
        "given if isinstance(given, list) and given else",
        "given or",
        "tests/unit/compilation/test_build_flags.py::test_arguments_of_any_type_are_read",
    ),
    Protection(
        "libclang: crash pragma",
        "migrate/compilation/engines/clang.py",
        'raise CompilerCrashError("crashes the compiler") from None',
        "raise",
        "tests/e2e/test_hostile.py::test_apply_converts_and_judges_the_others",
    ),
    Protection(
        "include of pipes, /dev/zero",
        "migrate/compilation/include_closure.py",
        'if name.startswith(("/", "..")):',
        "if False:",
        "tests/unit/compilation/test_include_closure.py::test_pipes_and_devices_that_are_included_are_blank",
    ),
    Protection(
        "configuration, rules as devices",
        "migrate/bounded_files.py",
        "        if not stat.S_ISREG(mode):",
        "        if False:",
        "tests/unit/test_config.py::test_a_pipe_or_device_is_no_configuration",
    ),
    Protection(
        "workers end with parent",
        "migrate/parallel/worker.py",
        "        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()",
        "        pass",
        "tests/unit/test_parallel.py::test_workers_end_with_a_parent_that_is_killed",
    ),
    Protection(
        "SIGTERM, SIGHUP",
        "migrate/cli/console.py",
        '    for name in ("SIGINT", "SIGTERM", "SIGHUP"):',
        '    for name in ("SIGINT",):',
        "tests/e2e/test_endings.py::test_a_signal_ends_the_run_and_its_workers",
    ),
    Protection(
        "/dev/full",
        "migrate/cli/console.py",
        '        return f"cannot write the result: {error.strerror}"',
        "        raise error",
        "tests/e2e/test_endings.py::test_output_that_cannot_be_written_is_one_line",
    ),
    Protection(
        "closed stdout",
        "migrate/cli/console.py",
        "    if sys.stdout is None:",
        "    if False:",
        "tests/e2e/test_endings.py::test_output_that_cannot_be_written_is_one_line",
    ),
    Protection(
        "deleted folder",
        "migrate/cli/console.py",
        '    except FileNotFoundError:\n        return "the current',
        '    except ZeroDivisionError:\n        return "the current',
        "tests/e2e/test_endings.py::test_a_folder_that_is_gone_is_one_line",
    ),
    Protection(
        "missing blobs",
        "migrate/project/git.py",
        '    if len(words) != 3 or words[1] != b"blob":\n        raise',
        "    if False:\n        raise",
        "tests/unit/project/test_revisions.py::test_missing_objects_are_not_fetched",
    ),
    Protection(
        "staged files and max-file-size",
        "migrate/project/git.py",
        "    kept = limit is None or size <= limit",
        "    kept = True",
        "tests/unit/project/test_revisions.py::test_large_staged_file_has_no_content",
    ),
    Protection(
        "escapes: text",
        "migrate/errors.py",
        "    if text.isprintable():\n        return text",
        "    return text",
        "tests/unit/cli/test_hostile_text.py",
    ),
    Protection(
        "escapes: JSON",
        "migrate/errors.py",
        '    if text.isascii() and "\\x7f" not in text:\n        return text',
        "    return text",
        "tests/unit/cli/test_hostile_text.py",
    ),
    Protection(
        "escapes: HTML data",
        "migrate/reporting/formats/html/__init__.py",
        "json.dumps(_all_shown(value)",
        "json.dumps((value)",
        "tests/unit/cli/test_hostile_text.py",
    ),
    Protection(
        "escapes: explain",
        "migrate/rulebase/explain_place.py",
        "    place = printable(place)\n",
        "",
        "tests/unit/cli/test_hostile_text.py",
    ),
    Protection(
        "--output=x.cu",
        "migrate/cli/hook.py",
        '    files = [word for word in words if word.startswith("-") and _is_source(word)]',
        "    files = []",
        "tests/e2e/test_hostile.py::test_a_staged_file_that_is_called_like_an_option_is_a_file",
    ),
    Protection(
        "ref lock explained",
        "migrate/project/branch_writer.py",
        '    if ".lock\'" in line',
        '    if "@@lock\'" in line',
        "tests/e2e/test_hostile.py::test_a_lock_that_is_there_is_explained",
    ),
    Protection(
        "scheduler named by a repository",
        "migrate/config/settings.py",
        "        if name in TYPED_ONLY:",
        "        if False:",
        "tests/unit/test_config.py::test_a_repository_names_no_machine",
    ),
    Protection(
        "archive paths",
        "migrate/project/archives.py",
        '".." in parts or parts[0].startswith("/") or',
        "",
        "tests/unit/project/test_fleet_sources.py::test_nothing_of_an_archive_leaves_its_folder",
    ),
    Protection(
        "damaged archives",
        "migrate/project/archives.py",
        "    except _DAMAGED as error:",
        "    except ZeroDivisionError as error:",
        "tests/unit/project/test_fleet_sources.py::test_damaged_archives_are_refused_or_read",
    ),
    Protection(
        "archive size",
        "migrate/project/archives.py",
        "    if left < 0:",
        "    if False:",
        "tests/unit/project/test_fleet_sources.py",
    ),
    Protection(
        "globs",
        "migrate/project/glob_expressions.py",
        "    if expression.count(_STAR)",
        "    if True or expression.count(_STAR)",
        "tests/unit/project/test_glob_expressions.py::test_no_name_takes_long",
    ),
    Protection(
        "binary attribute",
        "migrate/project/changes.py",
        "(binary := _BINARY.fullmatch(line)) is not None",
        "(binary := None) is not None",
        "tests/unit/project/test_hostile_git.py::test_lines_of_what_the_repository_calls_binary_are_told",
    ),
    Protection(
        "deep folders: walk",
        "migrate/project/file_access.py",
        "    pending = [os.fspath(top)]\n",
        "    yield from os.walk(top)\n    return\n    pending = [os.fspath(top)]\n",
        "tests/unit/project/test_file_access.py::test_a_walk_does_not_recurse",
    ),
    Protection(
        "deep folders: copies",
        "migrate/output/folder.py",
        "    if deep:",
        "    if False:",
        "tests/unit/output/test_folder.py::test_files_in_very_many_folders_are_named",
    ),
    Protection(
        "modules of the current folder",
        "migrate/__main__.py",
        "        del sys.path[0]",
        "        pass",
        "tests/e2e/test_hostile.py::test_modules_of_the_current_folder_are_not_run",
    ),
    Protection(
        "pip of the current folder",
        "migrate/compilation/header_store.py",
        ", cwd=folder)",
        ")",
        "tests/unit/compilation/test_header_store.py::test_no_module_of_the_current_folder_is_run",
    ),
)


def fails_without(one: Protection, copy: Path) -> bool:
    """Whether the tests of a protection fail in a copy of the tree that lacks it."""
    file = copy / one.file
    whole = file.read_text(encoding="utf-8")
    file.write_text(whole.replace(one.text, one.without), encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": f"{copy / 'tests' / 'import'}{os.pathsep}{copy}"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *one.tests.split()]
    try:
        done = subprocess.run(command, cwd=copy, env=env, capture_output=True, timeout=90)
        return done.returncode == 1
    except subprocess.TimeoutExpired:  # what waits for ever without it
        return True
    finally:
        file.write_text(whole, encoding="utf-8")


def main(words: list[str]) -> int:
    """Print a line for each protection; 1 where a test passes without it."""
    passing = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "tree"
        left_out = shutil.ignore_patterns(".git", ".venv", "__pycache__", "build", "dist")
        shutil.copytree(ROOT, copy, symlinks=True, ignore=left_out)
        for one in PROTECTIONS:
            if not words or any(word in one.against for word in words):
                fails = fails_without(one, copy)
                passing += not fails
                print(f"{'fails' if fails else 'PASSES'} without: {one.against}: {one.tests}", flush=True)
    return min(1, passing)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
