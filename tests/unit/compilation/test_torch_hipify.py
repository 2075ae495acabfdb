"""What PyTorch's build converts, where it writes it, and which includes it follows: its own rule, place by place."""

from __future__ import annotations

import pytest

from cudamigrate.compilation.torch_hipify import Build, Hipified, hip_path, reads_launch


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("a.cu", "a.hip"),
        ("a.cuh", "a_hip.cuh"),
        ("a.h", "a_hip.h"),
        ("csrc/a.cpp", "csrc/a_hip.cpp"),
        ("csrc/a.cu.h", "csrc/a.cu_hip.h"),
        ("csrc/cuda/a.cu", "csrc/hip/a.hip"),
        ("csrc/cuda/a.h", "csrc/hip/a.h"),
        ("csrc/cudaraster/impl/a.hpp", "csrc/hipraster/impl/a.hpp"),
        ("csrc/CUDA/a_cuda.cpp", "csrc/HIP/a_hip.cpp"),
        ("a_cuda.cu", "a_hip.hip"),
        ("a_cuda.h", "a_hip.h"),
        ("Cuda.h", "Cuda_hip.h"),
        ("gpu/a.inl", "gpu/a_hip.inl"),
        ("THC/THCAtomics.cuh", "THH/THHAtomics.cuh"),
        ("caffe2/core/THCx.h", "caffe2/core/THCx_hip.h"),
        ("cuda_bundle/Makefile", "hip_bundle/Makefile"),
    ],
)
def test_a_converted_file_is_written_where_hipify_writes_it(path: str, place: str) -> None:
    assert hip_path(path) == place


def hipified(files: dict[str, str], *sources: str, root: str = "", loaded: bool = False, **folders: str) -> Hipified:
    """What hipify does with a tree; `folders` are those told to it, `told`, and to the compiler alone, `others`."""
    told = tuple(filter(None, [folders.get("told")]))
    others = tuple(filter(None, [folders.get("others")]))
    build = Build(root, frozenset(sources), told, others, loaded)
    return Hipified(build, frozenset(files), lambda path: files[path].encode())


@pytest.mark.parametrize(
    ("name", "taken"),
    [("b.h", True), ("b.cuh", True), ("b.hpp", True), ("b.cu", True), ("b.h.in", True), ("b.inl", False),
     ("b.hh", False), ("b.inc", False), ("b.cuh.inc", False), ("b.tcc", False), ("b.impl", False), ("b.hxx", False)],
)  # fmt: skip
def test_a_file_is_converted_by_its_ending(name: str, taken: bool) -> None:
    made = hipified({"a.cu": f'#include "{name}"\n', name: ""}, "a.cu")
    assert (made.taken, made.left) == (({"a.cu", name}, set()) if taken else ({"a.cu"}, {name}))


def test_a_source_is_converted_whatever_its_ending_is() -> None:
    assert hipified({"a.cxx": ""}, "a.cxx").taken == {"a.cxx"}


def test_what_a_file_of_another_ending_includes_is_not_reached_through_it() -> None:
    files = {"a.cu": '#include "b.inl"\n', "b.inl": '#include "c.h"\n', "c.h": ""}
    assert hipified(files, "a.cu").left == {"b.inl", "c.h"}
    beside = {**files, "d.cu": '#include "c.h"\n'}
    assert hipified(beside, "a.cu", "d.cu").left == {"b.inl"}


def test_folders_at_the_root_of_the_build_are_passed_over_where_it_does_not_name_them() -> None:
    files = {"a.cu": '#include "third_party/b.h"\n#include "c/build/d.h"\n', "third_party/b.h": "", "c/build/d.h": ""}
    assert hipified(files, "a.cu").left == {"third_party/b.h"}
    assert hipified(files, "a.cu", told="third_party").left == set()


def test_a_header_outside_of_the_folder_of_the_build_is_left() -> None:
    files = {"py/a.cu": '#include "../b.h"\n#include "c.h"\n', "b.h": "", "py/c.h": ""}
    made = hipified(files, "py/a.cu", root="py")
    assert (made.taken, made.left) == ({"py/a.cu", "py/c.h"}, {"b.h"})


def test_a_build_at_first_use_knows_its_sources_and_the_folders_that_it_is_told() -> None:
    files = {"op/a.cu": '#include "b.h"\n#include "i/c.h"\n', "op/b.h": "", "op/i/c.h": ""}
    assert hipified(files, "op/a.cu", loaded=True).left == {"op/b.h", "op/i/c.h"}
    assert hipified(files, "op/a.cu", loaded=True, told="op/i").left == {"op/b.h"}
    assert hipified(files, "op/a.cu").left == set()


def test_a_build_at_first_use_knows_what_is_in_the_folder_that_it_is_made_in() -> None:
    files = {"op/a.cu": '#include "b.h"\n#include "../c.h"\n', "op/b.h": "", "c.h": ""}
    assert hipified(files, "op/a.cu", loaded=True, root="op").left == {"c.h"}
    assert hipified(files, "op/a.cu", loaded=True, root="other").left == {"op/b.h", "c.h"}


def test_a_folder_in_an_option_is_the_compilers_alone() -> None:
    files = {"a.cu": '#include "b.h"\n', "include/b.h": ""}
    (told,) = hipified(files, "a.cu", told="include").includes("a.cu")
    (other,) = hipified(files, "a.cu", others="include").includes("a.cu")
    assert (told.known, other.known) == (True, False)


@pytest.mark.parametrize(
    ("line", "written"),
    [('#include "b.h"', True), ('#include"b.h"', False), ('#  include "b.h"', False), ('#include  "b.h"', False)],
)
def test_an_include_is_read_with_one_blank_alone(line: str, written: bool) -> None:
    (one,) = hipified({"a.cu": f"{line}\n", "b.h": ""}, "a.cu").includes("a.cu")
    assert one.written is written


def test_a_file_moves_with_its_folder_and_changes_with_what_it_includes() -> None:
    files = {"cuda/a.cu": '#include "../b.h"\n', "b.h": '#include "c.h"\n', "c.h": "cudaFree", "d.h": ""}
    made = hipified(files, "cuda/a.cu")
    assert [path for path in sorted(files) if made.moves(path)] == ["cuda/a.cu"]
    assert made.changed(lambda data: b"cuda" in data) == {"cuda/a.cu", "b.h", "c.h"}
    assert made.changed(lambda data: False) == {"cuda/a.cu"}


def test_a_path_with_a_step_too_many_is_spelled_anew() -> None:
    made = hipified({"a.cu": '#include "./b.h"\n', "b.h": ""}, "a.cu")
    assert made.changed(lambda data: False) == {"a.cu"}


def test_what_hipify_made_is_no_source_of_its_own() -> None:
    files = {"a.hip": "// !!! This is a file automatically generated by hipify!!!\n"}
    made = hipified(files, "a.hip")
    assert (made.taken, made.left) == (set(), set())


@pytest.mark.parametrize(
    ("launch", "read"),
    [
        (" k<<<1, 2>>>(p);", True), ("\nk<3><<<1, 2>>>(p);", True), ("  ::ns::k<int, A<4>> <<<1, 2>>>(p);", True),
        (" k<a, (b<c>::d)><<<1, 2>>>(p);", True), ("if (x) k<<<1, 2>>>(p);", True), (" NAME(k)<<<1, 2>>>(p);", True),
        (" (k)<<<1, 2>>>(p);", True), ("k<<<1, 2>>>(p);", True), (" (*k)<<<1, 2>>>(p);", False),
        (" s->k<<<1, 2>>>(p);", False), (" s.k<<<1, 2>>>(p);", False), (" t[0]<<<1, 2>>>(p);", False),
        (" (k<3>)<<<1, 2>>>(p);", False), (" k<(n > 1)><<<1, 2>>>(p);", False), (" k<(n < 1)><<<1, 2>>>(p);", False),
        (" k<(n >> 1)><<<1, 2>>>(p);", False), (";k<<<1, 2>>>(p);", False), ("{k<<<1, 2>>>(p);}", False),
        ("if (x)k<<<1, 2>>>(p);", False), (" k<T>::m<<<1, 2>>>(p);", False),
        (" k<T> \\\n  <<<1, 2>>>(p);", True), (" s.k \\\n  <<<1, 2>>>(p);", False),
    ],
)  # fmt: skip
def test_a_launch_is_read_back_to_a_blank(launch: str, read: bool) -> None:
    assert reads_launch(launch.encode(), launch.index("<<<")) is read


def test_an_include_behind_a_byte_order_mark_is_followed() -> None:
    texts = {"a.cu": b'\xef\xbb\xbf#include "b.h"\n', "b.h": b""}
    made = Hipified(Build("", frozenset({"a.cu"})), texts.keys(), lambda path: texts[path])
    assert made.taken == {"a.cu", "b.h"}
