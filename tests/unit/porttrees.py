"""Trees with a HIP port, written to a folder and read or scanned in this process."""

from __future__ import annotations

from pathlib import Path

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.model import Report
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import port_survey
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


def scanned(folder: Path, files: dict[str, str]) -> Report:
    return pipeline.scan(written(folder, files), Config(jobs=1), debug=True)
