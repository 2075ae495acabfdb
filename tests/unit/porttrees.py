"""Trees with a HIP port, written to a folder and read or scanned in this process."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.model import Report
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import gap_evidence, port_survey
from cudamigrate.project import discovery

KERNEL = "__global__ void k(float *a) { a[threadIdx.x] = 0; }\n"
BUILD = (
    'project(p LANGUAGES CXX)\noption(WITH_AMD "" OFF)\nif(WITH_AMD)\n  enable_language(HIP)\n%s'
    "else()\n  enable_language(CUDA)\nendif()\n"
)
BRANCHES = "#if defined(%s)\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n"


def written(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def facts(folder: Path, files: dict[str, str], guards: tuple[str, ...] = ()) -> PortFacts:
    inventory = discovery.discover(written(folder, files), Config(), known_files())
    return port_survey.survey(folder, inventory, guards, 1)


def marks(folder: Path, files: dict[str, str]) -> set[str]:
    return {guard.mark for guard in facts(folder, files).guards}


def reported(folder: Path, files: dict[str, str]) -> Report:
    return pipeline.scan(written(folder, files), Config(jobs=1), debug=True)


def scanned(folder: Path, files: dict[str, str]) -> Report:
    """The report with all that the port does not answer, whether or not it is shown to fail with HIP."""
    with (
        patch.object(gap_evidence, "doubt", lambda *_: ""),
        patch.object(gap_evidence, "doubt_of_file", lambda *_: ""),
    ):
        return reported(folder, files)
