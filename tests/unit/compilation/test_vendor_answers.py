"""Variables of a setup.py that choose between the macros of two vendors: HIP's build has that of AMD."""

from __future__ import annotations

import pytest

from cudamigrate.compilation import setup_flags

HEAD = "import os\nWITH = int(os.environ.get('WITH', '1'))\nargs = []\n"
CHOICE = "if %s:\n    args.append('-DHAVE_%s=1')\nelse:\n    args.append('-DHAVE_%s=1')\n"


def macros(text: str) -> set[str]:
    return {word for words in setup_flags.read(HEAD + text) for word in words if word.startswith("-D")}


@pytest.mark.parametrize(
    ("text", "given"),
    [
        (CHOICE % ("WITH", "CUDA", "ROCM"), {"-DHAVE_ROCM=1"}),
        (CHOICE % ("not WITH", "HIP", "CUDA"), {"-DHAVE_HIP=1"}),
        (CHOICE % ("WITH", "CUDA", "ROCM") + "if WITH:\n    args.append('-DFAST')\n", {"-DHAVE_ROCM=1"}),
        (CHOICE % ("WITH", "CUDA", "ROCM") + "if not WITH:\n    args.append('-DFAST')\n", {"-DHAVE_ROCM=1", "-DFAST"}),
    ],
)
def test_the_side_with_amd_s_macro_is_taken(text: str, given: set[str]) -> None:
    assert macros(text) == given


@pytest.mark.parametrize(
    "text",
    [
        CHOICE % ("WITH", "FAST", "ROCM"),
        CHOICE % ("WITH", "CUDA", "ROCM") + CHOICE % ("WITH", "ROCM", "CUDA"),
        "if WITH:\n    args.append('-DHAVE_ROCM=1')\n",
    ],
)
def test_nothing_else_is_a_choice_between_vendors(text: str) -> None:
    assert "-DHAVE_ROCM=1" not in macros(text)
