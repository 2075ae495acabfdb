"""What CUDA compiles of a file, compared without regard to what only HIP's macros choose."""

from __future__ import annotations

import pytest

from cudamigrate.portable import cuda_side

MARKS = ("__HIP_PLATFORM_AMD__", "__HIPCC__", "LIB_HIP")


def differs(before: str, after: str) -> bool:
    return cuda_side.first_difference(before.encode(), after.encode(), MARKS) is not None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f();\n", "#ifdef LIB_HIP\ng();\n#else\nf();\n#endif\n"),
        ("f();\n", "#ifndef LIB_HIP\nf();\n#endif\n"),
        ("f();\n", "#if defined(LIB_HIP)\ng();\n#elif defined(__HIPCC__)\nh();\n#else\nf();\n#endif\n"),
        ("#if A\nf();\n#endif\n", "#if LIB_HIP\ng();\n#elif A\nf();\n#endif\n"),
        ("#ifdef A\nf();\n#endif\n", "#if defined(A) || defined(__HIPCC__)\nf();\n#endif\n"),
        ("#ifdef A\nf();\n#endif\n", "#if defined(A) && !defined(__HIPCC__)\nf();\n#endif\n"),
        ("#if B >= 8\nf();\n#endif\n", "#if (B >= 8) || defined(__HIPCC__)\nf();\n#endif\n"),
        ("#if (B * 10 + C >= 8)\nf();\n#endif\n", "#if (B * 10 + C >= 8) || defined(__HIPCC__)\nf();\n#endif\n"),
        ("f( 1 );\n", "f(1); // a comment\n"),
        ("k<< <1, 2> >>(a);\n", "k<<<1, 2>>>(a);\n"),
        ("#ifdef LIB_HIP\ng();\n#else\nf();\n#endif\n", "#ifdef LIB_HIP\nh();\n#else\nf();\n#endif\n"),
    ],
)
def test_what_only_hip_chooses_is_no_difference(before, after):
    assert not differs(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("f();\n", "g();\n"),
        ("f(a);\n", "f(a, 32);\n"),
        ("f();\n", "f();\ng();\n"),
        ("f();\ng();\n", "f();\n"),
        ("f();\n", "#ifdef OTHER\ng();\n#else\nf();\n#endif\n"),
        ("#if A\nf();\n#endif\n", "#if B\nf();\n#endif\n"),
        ("#ifdef A\nf();\n#endif\n", "#if defined(A) && defined(__HIPCC__)\nf();\n#endif\n"),
        ("#if B >= 8\nf();\n#endif\n", "#if B >= 9\nf();\n#endif\n"),
        ("#if B * 10 + C >= 8\nf();\n#endif\n", "#if B + 10 * C >= 8 || defined(__HIPCC__)\nf();\n#endif\n"),
        ("#ifdef A\nf();\n#endif\n", "#if A\nf();\n#endif\n"),
        ("a << b;\n", "a <<< b;\n"),
        ("a < b;\n", "a > b;\n"),
        ('f("a");\n', 'f("b");\n'),
        ("#define W 32\n", "#define W 64\n"),
        ("#if __CUDA_ARCH__ >= 900\nf();\n#endif\n", "#if __CUDA_ARCH__ >= 900\ng();\n#endif\n"),
    ],
)
def test_what_cuda_compiles_is_one(before, after):
    assert differs(before, after)


def test_the_place_is_that_of_the_first_token():
    before, after = b"int a;\nf();\n", b"int a;\n#ifdef LIB_HIP\nx;\n#endif\ng();\n"
    assert cuda_side.first_difference(before, after, MARKS) == (before.index(b"f("), after.index(b"g("))
