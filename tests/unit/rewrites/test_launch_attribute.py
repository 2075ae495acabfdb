"""Programmatic stream serialization leaves a launch whose only attribute it is, and no other."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

SETS = """    a[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    a[0].val.programmaticStreamSerializationAllowed = 1;
"""


def launch(sets: str, rest: str, length: int = 1) -> str:
    return (
        "#include <cuda_runtime.h>\nvoid go(void (*k)(int), cudaStream_t s, int n) {\n"
        f"    cudaLaunchAttribute a[{length}];\n{sets}{rest}    cudaLaunchKernelEx(&c, k, 1);\n}}\n"
    )


LISTED = "    cudaLaunchConfig_t c = {dim3(1), dim3(32), 0, s, a, 1};\n"
ASSIGNED = "    cudaLaunchConfig_t c = {};\n    c.attrs = a;\n    c.numAttrs = 1;\n"


@pytest.mark.parametrize(("rest", "after"), [(LISTED, "0, s, a, 0};"), (ASSIGNED, "c.attrs = a;\n    c.numAttrs = 0;")])
def test_the_only_attribute_goes(rest: str, after: str) -> None:
    made = find_in_text(launch(SETS, rest)).after
    assert after in made
    assert "rogrammaticStream" not in made
    named = launch(SETS.replace("a[", "attrs["), rest.replace(" a,", " attrs,").replace("= a;", "= attrs;"))
    assert "rogrammaticStream" not in find_in_text(named.replace(" a[1];", " attrs[1];")).after


@pytest.mark.parametrize(
    ("sets", "rest", "length"),
    [
        (SETS, LISTED.replace("a, 1", "a, n"), 1),
        (SETS, ASSIGNED.replace("= 1", "= n"), 1),
        (SETS, ASSIGNED + "    if (n) c.numAttrs = 0;\n", 1),
        (SETS + "    a[1].id = cudaLaunchAttributeCooperative;\n", LISTED.replace("a, 1", "a, 2"), 2),
        (SETS, LISTED + "    more(a);\n", 1),
        (SETS.partition("\n")[0] + "\n", LISTED, 1),
        ("    if (n)\n" + SETS, LISTED, 1),
    ],
    ids=["a number", "a number assigned", "assigned twice", "two attributes", "used elsewhere", "no value", "an if"],
)
def test_others_stay(sets: str, rest: str, length: int) -> None:
    made = find_in_text(launch(sets, rest, length)).after
    assert "cudaLaunchAttributeProgrammaticStreamSerialization" in made
    assert "a, 0}" not in made and "c.numAttrs = 0;\n    c" not in made
