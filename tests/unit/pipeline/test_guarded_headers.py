"""Headers that get HIP's runtime header, and that sources for the host's compiler read too."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

HEADER = "#define SAFE(call) do { cudaError_t e = call; } while (0)\nextern void report(cudaError_t error);\n"
PLAIN = "#pragma once\n#include <hip/hip_runtime.h>\n"
BEHIND = "#if defined(__HIPCC__)\n#include <hip/hip_runtime.h>\n#endif\n"
KERNEL = '#include "api.h"\n__global__ void k(int *a) { a[0] = 1; }\n'
MAKE = "app: k.o main.o\n\tnvcc k.o main.o -o app\nk.o: k.cu\n\tnvcc -c k.cu -o k.o\nmain.o: main.c\n\tgcc -c main.c\n"


def converted(root: Path, files: dict[str, str]) -> dict[str, str]:
    written(root, {"k.cu": KERNEL, "src/api.h": HEADER, "Makefile": MAKE, **files})
    made = pipeline.apply(root, Config(jobs=1))
    return {one.path: one.after.decode() for one in made.conversions}


@pytest.mark.parametrize(
    "files",
    [
        {"main.c": '#include "src/api.h"\nint main(void) { return 0; }\n'},
        {"main.c": '#include "all.h"\nint main(void) { return 0; }\n', "all.h": '#include "src/api.h"\n'},
        {"more/main.cpp": '#include "src/api.h"\nint main() {}\n'},
    ],
)
def test_a_source_for_the_host_reads_no_header_of_hips(files: dict[str, str], tmp_path: Path) -> None:
    made = converted(tmp_path, files)
    assert BEHIND in made["src/api.h"]
    assert "__HIP_PLATFORM_AMD__" not in made["Makefile"]


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"main.c": "int main(void) { return 0; }\n"},
        {"main.c": '#include <cuda_runtime.h>\n#include "src/api.h"\nint main(void) { return 0; }\n'},
        {"main.cpp": '#include "src/api.h"\n__global__ void l() {}\nint main() { l<<<1, 1>>>(); }\n'},
        {"main.c": '#ifdef __CUDACC__\n#include "src/api.h"\n#endif\nint main(void) { return 0; }\n'},
    ],
)
def test_one_that_reads_it_anyway_or_no_such_header_changes_nothing(files: dict[str, str], tmp_path: Path) -> None:
    assert BEHIND not in converted(tmp_path, files)["src/api.h"]


def test_other_modules_read_a_copy_of_the_header(tmp_path: Path) -> None:
    make = "../include/lib/%.h: src/%.h\n\tcp $< $@\nk.o: k.cu\n\tnvcc -c k.cu\n"
    files = {"lib/Makefile": make, "lib/src/api.h": f"#include <cuda_runtime.h>\n{HEADER}"}
    files["app/main.c"] = '#include "lib/api.h"\nint main(void) { return 0; }\n'
    files["app/Makefile"] = "main.o: main.c\n\tgcc -I../include -c main.c\n"
    made = converted(tmp_path, files)
    assert "gcc -D__HIP_PLATFORM_AMD__ -I/opt/rocm/include -I../include" in made["app/Makefile"]
