"""Sources that Makefiles of a port leave to nvcc, which no verdict of HIP's compiler is about."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import KERNEL, written

from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model.verification import Diagnostic, Place, Verdict, Word
from cudamigrate.pipeline import nvcc_rules, port_survey
from cudamigrate.project import discovery

TOP = "NVCC ?= nvcc\nHIPCC ?= hipcc\nexport NVCC HIPCC\nall:\n\t$(MAKE) -C apps\n"
RULES = (
    "%gpu.x: %gpu.cu\n\t$(NVCC) -o ./$@ $<\n%lib.x: %lib.cu\n\t$(NVCC) -o ./$@ $< -llib\n"
    "%hip.x: %gpu.cu\n\t$(HIPCC) -o ./$@ $<\n"
)
CODE = "#ifdef __HIPCC__\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n" + KERNEL
TREE = {"Makefile": TOP, "apps/Makefile": RULES, "apps/a_gpu.cu": CODE, "apps/a_lib.cu": "#include <lib.h>\n" + CODE}


def words(folder: Path, word: Word = "failed", **changed: str) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The words of the verdicts on the sources in `apps`, with why nothing is said of one."""
    files = {**TREE, **{f"apps/{name}": text for name, text in changed.items()}}
    inventory = discovery.discover(written(folder, files), Config(), known_files())
    port = replace(port_survey.survey(folder, inventory, (), 1), compiled=frozenset(), hip_files=frozenset())
    error = Diagnostic("error", Place("apps/a_lib.cu", 1, 1), "unknown type name 'lib_t'", "device")
    judged = [Verdict(path, word, diagnostics=(error,)) for path in sorted(files) if path.endswith(".cu")]
    found = nvcc_rules.unjudged(judged, folder, inventory.entries, port)
    return {one.path: (one.word, one.headers) for one in found}


def test_what_the_rules_for_hipcc_leave_out_is_not_judged(tmp_path: Path) -> None:
    found = words(tmp_path)
    assert found["apps/a_lib.cu"] == ("unresolved", ("apps/Makefile has nvcc alone compile it",))
    assert found["apps/a_gpu.cu"] == ("failed", ())


@pytest.mark.parametrize(
    "rules",
    [
        RULES.replace("%hip.x: %gpu.cu", "%hip.x: %.cu"),  # hipcc takes all
        RULES.replace("$(HIPCC)", "$(NVCC)"),  # hipcc takes none: nothing shows what its build takes
        RULES.replace("%lib.x: %lib.cu", "%lib.x: %other.cu"),  # no rule takes the file
        RULES + "lib_hip.x: ; hipcc a_lib.cu\n%_amd.x: %_lib.cu\n\thipcc -o $@ $<\n",
    ],
)
def test_what_a_build_for_hip_may_compile_fails(rules: str, tmp_path: Path) -> None:
    assert words(tmp_path, Makefile=rules)["apps/a_lib.cu"] == ("failed", ())


def test_what_compiles_is_said_to(tmp_path: Path) -> None:
    assert words(tmp_path, "checked")["apps/a_lib.cu"] == ("checked", ())
