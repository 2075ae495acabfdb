"""bindgen reads headers by clang alone, which defines no platform for HIP."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

HEADER = "#include <cuda_runtime.h>\n"
CHAIN = '    bindgen::Builder::default()\n        .header("wrapper.h")\n        .generate();\n'
SCRIPT = "fn main() {\n" + CHAIN + "}\n"
ARGUMENT = '.clang_arg("-D__HIP_PLATFORM_AMD__")'
OWN = "int own(void);\n"


def made(root: Path, files: dict[str, str]) -> str:
    """The build script as converted; empty where nothing is said of it."""
    done = pipeline.apply(written(root, files), Config(jobs=1, cache=False))
    found = [one.rule for one in done.report.findings if one.rule == "build/bindgen-platform"]
    after = [one.after.decode() for one in done.conversions if one.path.endswith("build.rs")]
    assert len(found) == len(after)
    return after[0] if after else ""


def test_the_macro_is_passed_behind_the_header(tmp_path: Path) -> None:
    after = made(tmp_path, {"sys/build.rs": SCRIPT, "sys/wrapper.h": HEADER})
    assert after == SCRIPT.replace(".generate", f"{ARGUMENT}\n        .generate")


def test_in_one_line_and_for_what_the_header_includes(tmp_path: Path) -> None:
    script = 'fn main() { bindgen::builder().header("wrapper.h").generate(); }\n'
    after = made(tmp_path, {"build.rs": script, "wrapper.h": '#include "inner.h"\n', "inner.h": HEADER})
    assert after == script.replace(".generate", f"{ARGUMENT}.generate")


@pytest.mark.parametrize(
    "files",
    [
        {"build.rs": SCRIPT, "wrapper.h": OWN, "k.h": HEADER},  # another header gets HIP's
        {"build.rs": SCRIPT.replace("wrapper", "other/wrapper"), "wrapper.h": HEADER},
        {"build.rs": SCRIPT.replace("bindgen", "request"), "wrapper.h": HEADER},
        {"build.rs": SCRIPT.replace(".header", ".allowlist_file"), "wrapper.h": HEADER},
        {"build.rs": SCRIPT.replace(".generate", f"{ARGUMENT}.generate"), "wrapper.h": HEADER},
        {"build.rs": SCRIPT, "wrapper.h": "#define __HIP_PLATFORM_AMD__\n" + HEADER},
        {"build.rs": "// " + SCRIPT.replace("\n", "\n//"), "wrapper.h": HEADER},
    ],
)
def test_other_scripts_are_left_alone(tmp_path: Path, files: dict[str, str]) -> None:
    assert made(tmp_path, files) == ""
