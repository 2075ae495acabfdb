"""No fix writes an expression where the preprocessor takes a name, and what is left there is reported."""

from __future__ import annotations

import pytest

from cudamigrate.edits import apply
from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "#include <cub/cub.cuh>\n"


@pytest.mark.parametrize(
    "directive",
    [
        "#ifndef CUB_PTX_WARP_THREADS\n#define CUB_PTX_WARP_THREADS 32\n#endif",
        "#ifdef CUB_PTX_WARP_THREADS\n#undef CUB_PTX_WARP_THREADS\n#endif",
        "#ifdef CUB_LOG_WARP_THREADS // the logarithm\n#endif",
        "#if defined(CUB_PTX_LOG_WARP_THREADS) && defined CUB_WARP_THREADS\n#endif",
        "#if X\n#elif !defined ( CUB_WARP_THREADS )\n#endif",
    ],
)
def test_a_name_in_a_directive_stays_a_name_and_is_reported(directive: str) -> None:
    text = f"{HEAD}{directive}\nint n = CUB_PTX_WARP_THREADS;\n"
    found = [one for one in find_in_text(text).findings if one.rule == "warp/cub-size"]
    fixed = [one for one in found if one.fix is not None]
    assert [one.position.line for one in fixed] == [text.count("\n")]
    assert len(found) > 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#if CUB_PTX_WARP_THREADS == 32\n#endif", "#if 32 == 32\n#endif"),
        ("#if defined(X) && (CUB_PTX_WARP_THREADS > 16)\n#endif", "#if defined(X) && (32 > 16)\n#endif"),
        ("#define LANES CUB_PTX_WARP_THREADS", "#define LANES 32"),
    ],
)
def test_an_expression_of_a_directive_is_one(before: str, after: str) -> None:
    text = f"{HEAD}{before}\n"
    fixes = [one.fix for one in find_in_text(text).findings if one.rule == "warp/cub-size" and one.fix is not None]
    assert apply(text.encode(), fixes).data.decode() == f"{HEAD}{after}\n"
