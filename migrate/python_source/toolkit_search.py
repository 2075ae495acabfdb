"""The CUDA toolkit's folder as Python works with it: what joins paths below it, and its folder of libraries.

A build script of setuptools often looks for nvcc itself: `join(home, "bin", "nvcc")`, or a function of its own that
tries each folder of `PATH`. Functions are known by the names that they are imported under.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.lazy_re import re
from cudamigrate.model import Use
from cudamigrate.python_source.literals import inside, plain
from cudamigrate.python_source.names import Names
from cudamigrate.python_source.source import PySource, arguments, parameters
from cudamigrate.syntax import library_files
from cudamigrate.syntax.project_file import use_at

LIBRARIES = "lib64 of CUDA"
"""The name of the use that stands for the folder of CUDA's libraries."""
_JOINS = re.compile(r"(?:^|\.)(?:join|joinpath|Path)$")
_PROGRAM = re.compile(r"(?:bin/)?nvcc(?:\.exe)?")
_LIBRARIES = re.compile(r"/?(?:lib64|lib/x64)(?:/stubs)?(?=/|\Z)")
_BELOW = re.compile(rb"\{(\w+)\}/(lib64(?![\w-])" + library_files.STUBS.encode() + rb")")
"""The folder in a text that a variable begins: `f"{home}/lib64"`."""
_FROM_ENVIRONMENT = re.compile(
    rb"(?:environ(?:\.get)?|getenv)\s*[\[(]\s*[\"']CUDA_?(?:HOME|PATH|ROOT|DIR|TOOLKIT_ROOT_DIR)[\"']"
)


def joins(py: PySource, names: Names, call: Node) -> bool:
    """Whether a call puts a path together, by whatever name that is imported."""
    function = call.child_by_field_name("function")
    if function is None:
        return False
    return _JOINS.search(names.of(function) or py.raw(function).decode("utf-8", "replace")) is not None


def seeks(py: PySource, names: Names, call: Node, given: Node) -> bool:
    """Whether a call gives a name to a function of the file that makes a path of it."""
    function, passed = call.child_by_field_name("function"), arguments(call)
    place = next((at for at, one in enumerate(passed) if one.start_byte == given.start_byte), -1)
    if function is None or function.type != "identifier" or place < 0:
        return False
    for listed in py.kind("parameters"):
        around = listed.parent
        called = around.child_by_field_name("name") if around is not None else None
        declared = [py.raw(one) for one in parameters(listed)]
        if around is None or called is None or py.raw(called) != py.raw(function) or place >= len(declared):
            continue
        inner = (one for one in py.kind("call") if around.start_byte < one.start_byte < around.end_byte)
        return any(joins(py, names, one) and declared[place] in map(py.raw, arguments(one)) for one in inner)
    return False


def uses(py: PySource, names: Names) -> Iterator[Use]:
    """The folders of libraries below what nvcc is sought in, or the environment has for CUDA's folder."""
    if b"lib64" not in py.text and b"x64" not in py.text:
        return
    calls = [(arguments(one), one) for one in py.kind("call") if joins(py, names, one)]
    folders = {py.raw(given[0]) for given, _ in calls if len(given) > 1 and _ends_in_program(py, given)}
    for node in py.kind("assignment"):
        target, value = node.child_by_field_name("left"), node.child_by_field_name("right")
        if target is not None and value is not None and _FROM_ENVIRONMENT.search(py.raw(value)):
            folders.add(py.raw(target))
    for given, _ in calls:
        if len(given) > 1 and py.raw(given[0]) in folders:
            yield from (_use(py, one, found) for one in given[1:] if (found := _LIBRARIES.match(plain(py, one) or "")))
    for node in py.kind("string"):
        for below in _BELOW.finditer(py.text, node.start_byte, node.end_byte):
            if below[1] in folders:
                place = py.span(*below.span(2))
                yield use_at(LIBRARIES, place.start, place.end)


def _ends_in_program(py: PySource, given: list[Node]) -> bool:
    """Whether the last of joined parts is nvcc."""
    return _PROGRAM.fullmatch(plain(py, given[-1]) or "") is not None


def _use(py: PySource, node: Node, found: re.Match[str]) -> Use:
    start = inside(node)[0]
    place = py.span(start + found.start(), start + found.end())
    return use_at(LIBRARIES, place.start, place.end)
