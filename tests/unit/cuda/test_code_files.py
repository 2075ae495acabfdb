"""Which includes show that a file has to do with CUDA, where it says nothing else of it."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.code_files import is_cuda
from cudamigrate.model import SourceFile


def reads(include: str) -> bool:
    return is_cuda(SourceFile("a.h", f"#pragma once\n#include {include}\n".encode(), "cxx"), frozenset())


@pytest.mark.parametrize("include", ["<cufile.h>", "<cuviddec.h>", '"cub.cuh"', "<gloo/cuda_allreduce_ring.h>"])
def test_a_header_of_a_library_for_cuda_is_enough(include: str) -> None:
    assert reads(include)


@pytest.mark.parametrize(
    ("name", "known"), [("thrust::cuda_cub::cross_system<A, B>", True), ("thrust::pair<A, B>", False)]
)
def test_a_name_in_the_inner_namespace_of_thrust_for_cuda_is_enough(name: str, known: bool) -> None:
    text = f"template <class A, class B> void convert({name} &exec);\n"
    assert is_cuda(SourceFile("a.h", text.encode(), "cxx"), frozenset()) is known


@pytest.mark.parametrize("include", ["<cuckoo.h>", "<mycufile.h>", "<gloo/config.h>", "<cuplugin.h>"])
def test_a_name_that_begins_or_ends_so_is_not(include: str) -> None:
    assert not reads(include)
