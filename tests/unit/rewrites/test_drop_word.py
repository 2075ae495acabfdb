"""Words of CUDA's that HIP does without."""

from __future__ import annotations

from pathlib import Path

from cudamigrate import pipeline
from cudamigrate.config import Config

TEXT = """#include <cuda_runtime.h>
#ifdef CUDART_CB
#define BACK CUDART_CB
#endif
void CUDART_CB called_back(void *data);
"""


def test_a_condition_keeps_its_word(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(TEXT)
    found = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.name == "CUDART_CB"]
    assert [(one.position.line, one.fix is not None) for one in found] == [(2, False), (3, True), (5, True)]
