"""A shell script's command that calls the host's compiler on HIP's headers gets the platform's macro and a folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

OPTIONS = " -D__HIP_PLATFORM_AMD__ -I/opt/rocm/include"
SOURCE = "#include <cuda_runtime.h>\nint main() { return cudaDeviceSynchronize(); }\n"
FILES = {"op/a.cpp": SOURCE, "op/plain.cpp": "int f();\n", "op/k.cu": "__global__ void k() {}\n"}


def line(root: Path, text: str) -> str:
    """The last line of a script in the sources' folder, after the conversion."""
    written(root, FILES | {"op/build.sh": f"#!/bin/bash\nnvcc -c k.cu\n{text}\n"})
    made = {one.path: one.after.decode() for one in pipeline.apply(root, Config(jobs=1)).conversions}
    return made["op/build.sh"].splitlines()[-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("g++ -O2 a.cpp k.o -o a", f"g++{OPTIONS} -O2 a.cpp k.o -o a"),
        ("/usr/bin/x86_64-linux-gnu-g++-12 -c op/a.cpp", f"/usr/bin/x86_64-linux-gnu-g++-12{OPTIONS} -c op/a.cpp"),
        ("CXX=g++; S=a.cpp\n$CXX -c ${S}", f"$CXX{OPTIONS} -c ${{S}}"),
        ('CXX=${CXX:-g++}\n"$CXX" -c a.cpp', f'"$CXX"{OPTIONS} -c a.cpp'),
        ("F=-Werror\ng++ $F -c a.cpp", f"g++{OPTIONS} -Wno-error=unused-result $F -c a.cpp"),
        ('F="$F $G -O2"\nG="$G $F"\n' * 40 + "g++ $F $G -c a.cpp", f"g++{OPTIONS} $F $G -c a.cpp"),
    ],
)
def test_what_lacks_the_options_gets_them(tmp_path: Path, text: str, expected: str) -> None:
    assert line(tmp_path, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "g++ -c plain.cpp",
        "g++ -c other.cpp",
        "g++ -D__HIP_PLATFORM_AMD__ -c a.cpp",
        "F=$(hipconfig --cpp_config)\ng++ $F -c a.cpp",
        "g++ $(hipconfig --cpp_config) -c a.cpp",
        "$CXX -c a.cpp",
        "echo g++ a.cpp",
        "clang-format -i a.cpp",
        "# g++ -c a.cpp",
    ],
)
def test_what_has_them_or_needs_none_stays(tmp_path: Path, text: str) -> None:
    assert line(tmp_path, text) == text.splitlines()[-1]
