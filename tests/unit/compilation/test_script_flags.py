"""What commands of shell scripts give the sources that they compile."""

from __future__ import annotations

from pathlib import Path

from cudamigrate.compilation import build_flags
from cudamigrate.compilation.build_settings import UNNAMED, Settings

SCRIPT = """\
cd ops
nvcc -std=c++17 -c -o sum.o sum_kernel.cu.cc \\
    -I include -D MINE_GPU=1 -x cu -DWIDTH=$WIDTH -Xcompiler -fPIC
cd ..
g++ -shared -o sum.so ops/sum.cc -DMINE_HOST
echo nvcc -DPRINTED ops/other.cu
"""


def settings(root: Path, files: dict[str, str], path: str) -> Settings:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return build_flags.read(root).settings(str(root / path))


FILES = {"make.sh": SCRIPT, "ops/sum_kernel.cu.cc": "", "ops/sum.cc": "", "ops/other.cu": "", "ops/include/a.h": ""}


def test_options_reach_the_sources_of_their_command_alone(tmp_path: Path) -> None:
    found = settings(tmp_path, FILES, "ops/sum_kernel.cu.cc")
    assert (list(found.defines), list(found.includes)) == (["MINE_GPU=1"], [str(tmp_path / "ops/include")])
    assert (found.open, found.standards, found.sources) == ({"WIDTH"}, {"17"}, ["make.sh"])
    assert list(settings(tmp_path, FILES, "ops/sum.cc").defines) == ["MINE_HOST"]
    assert settings(tmp_path, FILES, "ops/other.cu").sources == []


def test_macros_that_some_commands_give_are_not_known(tmp_path: Path) -> None:
    script = "nvcc -DBOTH -DONE a.cu\nnvcc -DBOTH -DSIZE=2 a.cu\n"
    found = settings(tmp_path, {"build.sh": script, "a.cu": ""}, "a.cu")
    assert (list(found.defines), found.some) == (["BOTH"], {"ONE", "SIZE"})


def test_a_folder_that_a_variable_holds_is_not_followed(tmp_path: Path) -> None:
    files = {"tools/build.sh": "cd $HOME\nnvcc -DA a.cu\nnvcc -DB $X/b.cu\n", "tools/a.cu": "", "b.cu": ""}
    assert list(settings(tmp_path, files, "tools/a.cu").defines) == ["A"]
    assert settings(tmp_path, files, "b.cu").sources == []


def test_a_compiler_in_a_variable_and_folders_that_are_written_out(tmp_path: Path) -> None:
    script = 'NVCC="$1"\nat="."\nWIDTH=$2\n${NVCC} -DGPU -DSTATES=4 -DWIDTH=$WIDTH $at/a.cu ${FLAGS} || exit\n'
    found = settings(tmp_path, {"make.sh": script, "a.cu": ""}, "a.cu")
    assert (list(found.defines), found.open) == (["GPU", "STATES=4"], {"WIDTH"})


def test_a_folder_with_several_values_or_another_program_is_not_followed(tmp_path: Path) -> None:
    script = "at=.\nif test -d x; then at=x; fi\nNVCC=$1\n$NVCC -DA $at/a.cu\n$RUN -DB b.cu\n"
    files = {"make.sh": script, "a.cu": "", "b.cu": ""}
    assert [settings(tmp_path, files, path).sources for path in ("a.cu", "b.cu")] == [[], []]


def test_a_macro_whose_name_a_variable_holds_reaches_all_that_a_pattern_names(tmp_path: Path) -> None:
    files = {"build.sh": "M=$1\nnvcc -rdc=true -D${M} -DWIDE *.cu -o app\n", "a.cu": "", "b.cu": "", "sub/c.cu": ""}
    for path in ("a.cu", "b.cu"):
        found = settings(tmp_path, files, path)
        assert (list(found.defines), found.open) == (["WIDE"], {UNNAMED})
    assert settings(tmp_path, files, "sub/c.cu").sources == []


def test_a_macro_of_make_whose_name_nobody_gives(tmp_path: Path) -> None:
    rule = "app: a.cu\n\tnvcc -D$(MODEL) a.cu -o app\n"
    assert settings(tmp_path / "open", {"Makefile": rule, "a.cu": ""}, "a.cu").open == {UNNAMED}
    found = settings(tmp_path / "set", {"Makefile": f"MODEL = D3Q19\n{rule}", "a.cu": ""}, "a.cu")
    assert (list(found.defines), found.open) == (["D3Q19"], set())
