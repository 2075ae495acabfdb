"""Options in variables of make that the host's compiler gets too are ones that it takes."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

KERNELS = "k.o: k.cu\n\tnvcc $(FLAGS) -c k.cu\n"
LINES = "FLAGS = -O2 -lineinfo\n"


@pytest.mark.parametrize(
    ("text", "option"),
    [
        (f"{LINES}{KERNELS}h.o: h.cc\n\tg++ $(FLAGS) -c h.cc\n", "-g1"),
        (f"ALL = $(FLAGS)\n{LINES}{KERNELS}h.o: h.cc\n\t@g++ -I. $(ALL) -c h.cc\n", "-g1"),
        (f"{LINES}{KERNELS}h.o: h.cc\n\tg++ $(OTHERS) -c h.cc\n", "-gline-tables-only"),
        (f"{LINES}{KERNELS}h.o: h.cc\n\techo $(FLAGS)\n", "-gline-tables-only"),
        (
            f"ifdef GPU\nCXX = nvcc\nelse\nCXX = g++\nendif\n{LINES}{KERNELS}h.o: h.cc\n\t$(CXX) $(FLAGS) -c h.cc\n",
            "-gline-tables-only",
        ),
    ],
)
def test_line_tables(text: str, option: str) -> None:
    assert f"FLAGS = -O2 {option}\n" in find_in_text(text, "Makefile").after


def test_options_for_gpus_alone_are_left_and_reported() -> None:
    text = f"FLAGS = -use_fast_math\n{KERNELS}h.o: h.cc\n\tg++ $(FLAGS) -c h.cc\n"
    found = find_in_text(text, "Makefile")
    assert "FLAGS = -use_fast_math\n" in found.after
    assert [one.fix for one in found.findings if one.rule == "build/flag-fast-math"] == [None]
