"""Fortran: which files bind functions of CUDA by name."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

CUDA = 'subroutine a() bind(C, name="cudaFree")\n'


@pytest.mark.parametrize(
    ("text", "path", "found"),
    [
        (CUDA, "src/a.f90", ["cudaFree"]),
        ("function a() BIND ( c , NAME = 'cublasCreate_v2' )\n", "src/a.F90", ["cublasCreate_v2"]),
        ('function a() bind(C, &\n   & name="ncclCommInitAll")\n', "src/a.f03", ["ncclCommInitAll"]),
        (CUDA + 'subroutine b() bind(C, name="cudaMalloc")\n', "src/a.f90", ["cudaFree"]),
        ("      subroutine a()\n     & bind(C, name='cudaFree')\n", "src/a.f", ["cudaFree"]),
        ("! " + CUDA, "src/a.f90", []),
        ("C     " + CUDA + "* " + CUDA, "src/a.f", []),
        ("print *, 'bind(C, name=\"cudaFree\")'\n", "src/a.f90", []),
        ('subroutine cudaFree() bind(C)\ncall a("cudaFree")\n', "src/a.f90", []),
        ('subroutine a() bind(C, name="cudafree_own")\n', "src/a.f90", []),
        ('#ifdef HIP\nsubroutine a() bind(C, name="hipFree")\n#else\n' + CUDA + "#endif\n", "src/a.F90", []),
    ],
)
def test_one_place_stands_for_a_file(text: str, path: str, found: list[str]) -> None:
    result = find_in_text(text, path, unsafe=True)
    data = text.encode()
    assert [data[one.span.start : one.span.end].decode() for one in result.findings] == found
    assert all(one.rule == "api/fortran-binding" for one in result.findings) and result.after == text
