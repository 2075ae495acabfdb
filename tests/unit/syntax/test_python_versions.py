"""Specifiers mean what installers take them to mean, and what cannot be read is answered with care."""

from __future__ import annotations

import subprocess
import sys

import pytest

from cudamigrate.syntax.python_versions import allows, allows_from, is_release

Clauses = list[tuple[str, str]]


@pytest.mark.parametrize(
    ("clauses", "version", "met"),
    [
        ([], "1.0", True),
        ([("==", "2.9")], "2.9.0", True),
        ([("==", "2.9")], "2.9.1", False),
        ([("==", "2.9.*")], "2.9.1", True),
        ([("=", "2.9")], "2.9.1", True),
        ([("=", "2.9.*")], "2.10.0", False),
        ([("==", "2.9.1+cu121")], "2.9.1", True),
        ([("===", "2.9.1+cu121")], "2.9.1", True),
        ([("~=", "2.9.1")], "2.10.0", False),
        ([("~=", "2.9")], "2.10.0", True),
        ([(">=", "2.9"), ("!=", "2.9.1")], "2.9.1", False),
        ([("<", "2.10")], "2.9", True),
        ([(">", "2.9")], "2.9.0", False),
        ([("==", "latest")], "2.9", False),
    ],
)
def test_a_version_meets_specifiers_or_does_not(clauses: Clauses, version: str, met: bool) -> None:
    assert allows(clauses, version) is met


@pytest.mark.parametrize(
    ("clauses", "some"),
    [
        ([], True),
        ([(">=", "1.0")], True),
        ([("<", "4.7")], False),
        ([("<=", "4.7")], True),
        ([("<", "4.7.1")], True),
        ([("==", "4.6.3")], False),
        ([("==", "4.*")], True),
        ([("=", "4")], True),
        ([("~=", "4.6.0")], False),
        ([("~=", "4.6")], True),
        ([("!=", "4.7")], True),
        ([(">", "4.6"), ("<", "4.7")], False),
        ([(">", "5.0"), ("<", "5.1")], True),
        ([("==", "stable")], True),
    ],
)
def test_some_version_from_4_7_on_is_left_or_none(clauses: Clauses, some: bool) -> None:
    assert allows_from(clauses, "4.7") is some


def test_what_is_before_a_release_is_none():
    assert [is_release(text) for text in ("2.9", "2.9.*", "2.9.1+cu121", "2.9.0.post1")] == [True] * 4
    assert [is_release(text) for text in ("2.14.0rc1", "2.10.dev1", "latest")] == [False] * 3


def test_check_of_code_imports_no_library_that_only_others_need(tmp_path):
    (tmp_path / "a.cu").write_text("void f(void *p) { cudaFree(p); }\n")
    script = (
        "import sys; from cudamigrate.__main__ import main; sys.argv[1:] = ['check', 'a.cu']\n"
        "try: main()\n"
        "finally: print(sorted({'packaging', 'msgspec', 'typer', 'jinja2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"
