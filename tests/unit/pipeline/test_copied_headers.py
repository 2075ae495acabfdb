"""Headers that a Makefile copies to another folder are those that sources include from there."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.pipeline.copied_headers import copies

FILES = ("src/a.h", "src/b.h", "src/a.cpp", "lib/src/a.h")


@pytest.mark.parametrize(
    ("makefile", "made"),
    [
        ("lib:\n\tcp src/*.h include\n", {"include/a.h": "src/a.h", "include/b.h": "src/b.h"}),
        ("S=./src/\nI = ./inc/\nlib:\n\t@cp $(S)/a.h ${I}\n", {"inc/a.h": "src/a.h"}),
        ("lib:\n\tmkdir -p inc && cp -f src/a.h src/b.h inc/\n", {"inc/a.h": "src/a.h", "inc/b.h": "src/b.h"}),
        ("lib:\n\t$(CP) src/a.h include/main.h\n", {"include/main.h": "src/a.h"}),
        ("N = x\ni/$(N)/%.h: src/%.h\n\t@cp $< $@\n", {"i/x/a.h": "src/a.h", "i/x/b.h": "src/b.h"}),
        ("inc/main.h: src/a.h\n\tcp $< $@\n", {"inc/main.h": "src/a.h"}),
        ("inc/%.h: lib/%.h\n\tcp $< $@\n", {}),
        ("a.o b.o: src/a.h\n\tcp $< $@\n", {}),
        ("lib:\n\tcp src/*.h $(DESTDIR)\n", {}),
        ("I = a\nI += b\nlib:\n\tcp src/*.h $(I)\n", {}),
        ("lib:\n\tcd lib && cp src/*.h include\n", {}),
        ("lib:\n\techo cp src/*.h include\n# cp src/*.h include\n", {}),
        ("lib:\n\tcp more/*.h include\n", {}),
    ],
)
def test_copies_are_known_by_the_commands(makefile: str, made: dict[str, str]) -> None:
    assert copies({"Makefile": makefile.encode()}, FILES) == made


def test_paths_count_from_the_folder_of_the_makefile() -> None:
    assert copies({"lib/Makefile": b"l:\n\tcp src/a.h ../include\n"}, FILES) == {"include/a.h": "lib/src/a.h"}


@pytest.mark.parametrize(
    ("copy", "header", "given"),
    [
        ("cp src/*.h include", "#include <cuda_runtime.h>\n", True),
        ("cp src/*.h other", "#include <cuda_runtime.h>\n", False),
        ("cp src/*.h include", "#include <vector>\n", False),
    ],
)
def test_the_hosts_compiler_of_a_source_that_includes_a_copy_gets_what_hip_needs(
    copy: str, header: str, given: bool, tmp_path: Path
) -> None:
    files = {
        "Makefile": f"lib:\n\t{copy}\n\tnvcc -c src/k.cu\n",
        "src/k.cu": "#include <cuda_runtime.h>\n__global__ void k() {}\n",
        "src/api.h": header,
        "test/Makefile": ".cpp.o:\n\tg++ -I ../include -c main.cpp\nL = -lcudart\n",
        "test/main.cpp": '#include "../include/api.h"\nint main() {}\n',
    }
    written(tmp_path, files)
    made = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}
    options = " -D__HIP_PLATFORM_AMD__ -I/opt/rocm/include" if given else ""
    assert f"g++{options} -I ../include -c main.cpp" in made["test/Makefile"]
