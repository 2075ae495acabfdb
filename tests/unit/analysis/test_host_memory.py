"""Pointers followed back to where their memory is made."""

from __future__ import annotations

import pytest

from cudamigrate.analysis.host_memory import HostMemory
from cudamigrate.cuda.declarations import CALLS, text
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

NAMES = "abcdefghijklmn"


def origin(code: str) -> tuple[str, bool] | None:
    """Where the memory is made that the one atomic operation of a file is on, and whether by a member's name alone."""
    parsed = cuda.parse(SourceFile("a.cu", code.encode(), "cuda"), frozenset())
    calls = CALLS.below(parsed.tree.root_node)
    call = next(one for one in calls if text(one.child_by_field_name("function")) == b"atomicAdd")
    arguments = call.child_by_field_name("arguments")
    assert arguments is not None
    found = HostMemory.of(parsed).origin(arguments.named_children[0])
    return None if found is None else (found.name, found.through_member)


@pytest.mark.parametrize(
    ("made", "found"),
    [("cudaMallocManaged(&s.n, 4);", ("cudaMallocManaged", True)), ("cudaMallocManaged(&other, 4);", None)],
)
def test_members_that_are_all_given_to_each_other_are_followed_once(made: str, found: object) -> None:
    every = "".join(f"s.{one} = s.{other};\n" for one in NAMES for other in NAMES if one != other)
    assert origin(f"void f(S s) {{\n{made}\n{every}}}\n__global__ void k(S s) {{ atomicAdd(s.a, 1); }}\n") == found


def test_of_several_allocations_the_nearest_is_named() -> None:
    code = "int *far, *near;\nvoid f() { cudaMallocHost(&far, 4); cudaMallocManaged(&near, 4); }\n"
    code += "__global__ void k(int n) { int *q = far, *p = n ? q + 1 : near; atomicAdd(&p[n], 1); }\n"
    assert origin(code) == ("cudaMallocManaged", False)
