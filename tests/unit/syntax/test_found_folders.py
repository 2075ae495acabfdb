"""Which folder a text works out from where a program is found."""

from __future__ import annotations

import pytest

from cudamigrate.syntax.found_folders import BESIDE, PROGRAM, ROOT, folder


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$(shell which nvcc)", PROGRAM),
        ('"$(command -v nvcc)"', PROGRAM),
        ("`which nvcc 2>/dev/null`", PROGRAM),
        ("$(dir $(shell which nvcc))", BESIDE),
        ("$(dirname $(which nvcc))", BESIDE),
        ("$(shell dirname $(shell dirname $(shell which nvcc)))", ROOT),
        ("$(shell dirname $$(dirname $$(which nvcc)))", ROOT),
        ("$(shell dirname `which nvcc`)/..", ROOT),
        ("$(patsubst %/bin/nvcc,%,$(shell which nvcc))", ROOT),
        ("$(subst /bin/nvcc,,$(shell which nvcc))", ROOT),
        ("$(abspath $(dir $(shell readlink -f `which nvcc`))/..)", ROOT),
        ("$(dir $(realpath $(shell which nvcc)))..", ROOT),
        ("$(shell which nvcc | sed 's,/bin/nvcc$,,')", ROOT),
        ("$(shell command -v nvcc | xargs dirname)/..", ROOT),
        ('"$(dirname "$(dirname "$(which nvcc)")")"', ROOT),
        ("$(cd $(dirname $(which nvcc))/.. && pwd)", ROOT),
        (r"$(shell which nvcc | sed 's/\/bin\/nvcc//g')", ROOT),
        ("$(shell which nvcc | rev | cut -d'/' -f3- | rev)", ROOT),
        ("$(shell which nvcc | rev | cut -d / -f 2- | rev)", BESIDE),
        (r"$(shell dirname `dirname \`which nvcc\``)", ROOT),
        (r"$(shell which nvcc | sed 's/\/lib\/nvcc//g')", PROGRAM),
        ("$(shell which nvcc | cut -d/ -f3-)", ""),
        ("$(shell which nvcc > log && echo yes)", ""),
        ("$(dirname $(dirname $(dirname $(which nvcc))))", ""),
        ("$(shell dirname $(shell which nvcc-wrapper))", ""),
        ("$(shell dirname $(shell dirname $(shell which gcc)))", ""),
        ("$(shell dirname $(shell which nvcc))/lib64", ""),
        ("$(subst /bin/nvcc,,$(NVCC))", ""),
        ("nvcc", ""),
        ("", ""),
    ],
)
def test_text_is_followed_by_its_words(text: str, expected: str) -> None:
    assert folder(text, "nvcc") == expected
