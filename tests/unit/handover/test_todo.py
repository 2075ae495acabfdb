"""Comments at places: only where a comment is possible, and out again without a trace."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cudamigrate import edits, pipeline
from cudamigrate.config import Config
from cudamigrate.handover import todo
from cudamigrate.handover.line_starts import comments_at, same_code
from cudamigrate.handover.result import Result
from cudamigrate.model import SourceFile

C_CODE = """\
int a;
/* one
two */
#define M(x) \\
    f(x); \\
    g(x)
const char *s = R"(
in text
)";
// goes on \\
int hidden;
call(1,
     2);
"""
PYTHON = '''\
"""Of two
lines."""
x = f(1,
      2)
y = 1 + \\
    2
z = """
text
"""
'''
CMAKE = """\
set(A "one
two")
set(B [[
text
]])
add_library(a
  b.cu)
"""
SHELL = """\
cat <<EOF
text
EOF
run \\
  --option
echo "one
two"
"""
MAKE = """\
A = 1 \\
    2
define TEXT
one
endef
all:
\tnvcc a.cu
"""
YAML = """\
a:
  run: |
    nvcc a.cu
    b
  c: 1
"""
TOML = '''\
a = """
text
"""
b = [
  1,
]
'''
DOCKER = """\
FROM a
RUN b \\
  && c
COPY d e
"""


@pytest.mark.parametrize(
    ("language", "text", "lines"),
    [
        ("cuda", C_CODE, {1, 2, 4, 7, 10, 12, 13}),
        ("python", PYTHON, {1, 3, 4, 5, 7}),
        ("cmake", CMAKE, {1, 3, 6, 7}),
        ("shell", SHELL, {1, 4, 6}),
        ("make", MAKE, {1, 3, 6, 7}),
        ("yaml", YAML, {1, 2, 5}),
        ("toml", TOML, {1, 4, 5, 6}),
        ("docker", DOCKER, {1, 2, 4}),
        ("docker", DOCKER + "RUN <<EOF\na\nEOF\n", set()),
        ("json", "{\n}\n", set()),
    ],
)
def test_comments_are_possible_between_tokens(language: str, text: str, lines: set[int]) -> None:
    source = SourceFile("a", text.encode(), language)
    starts = source.line_starts()
    assert {line for line in comments_at(source) if starts[line - 1] < len(source.data)} == lines


def test_a_comment_that_changes_the_text_is_seen() -> None:
    for language, before, after in [
        ("cuda", 'f("a");\n', 'f("a // x");\n'),
        ("python", "x = 1\n", "x = 2\n"),
        ("yaml", "a: |\n  b\n", "a: |\n  # x\n  b\n"),
    ]:
        assert not same_code(SourceFile("a", before.encode(), language), after.encode())
    assert same_code(SourceFile("a", b"f(\n1);\n", "cuda"), b"f(\n// x\n1);\n")


PIECES = st.sampled_from(
    ['"""', "'", '"', "\\", "\n", "\r\n", "/*", "*/", "//", "#define A ", 'R"(', ')"', "a", " ", "("]
)
SAID = ("api/cudaFree: " + "do this " * 20, "api/cudaFree: " + "x" * 150)


@pytest.mark.parametrize("language", ["cuda", "python", "shell", "make"])
@settings(deadline=None)
@given(text=st.lists(PIECES, max_size=40).map("".join), offset=st.integers(0, 60), said=st.sampled_from(SAID))
def test_a_comment_comes_out_without_a_trace(language: str, text: str, offset: int, said: str) -> None:
    source = SourceFile("a", text.encode(), language)
    at = min(offset, len(source.data))
    fix = todo._comments(source, [(at, said)])
    if fix is None:
        return
    marked = edits.apply(source.data, [fix]).data
    assert marked != source.data
    undone = todo._without(SourceFile("a", marked, language))
    assert undone is not None and undone.after == source.data
    assert todo._comments(SourceFile("a", marked, language), [(edits.Offsets([fix]).moved(at), said)]) is None


def test_the_style_of_the_line_is_kept() -> None:
    source = SourceFile("a.cu", b"int f() {\r\n\tg();\r\n}\r\n", "cuda")
    fix = todo._comments(source, [(13, "warp/x: do y")])
    assert fix is not None
    assert edits.apply(source.data, [fix]).data == b"int f() {\r\n\t// cudamigrate: warp/x: do y\r\n\tg();\r\n}\r\n"


def test_other_comments_stay(tmp_path: Path) -> None:
    code = (
        "// cudamigrate: ignore[warp] a reason\n// cudamigrate: warp/x: do y\n// cudamigrate: ... and z\n"
        '// ours\nconst char *s = R"(\n// cudamigrate: warp/x: text\n)";\n'
    )
    (tmp_path / "a.cu").write_text(code)
    _, files = todo.removed(tmp_path, Config())
    assert [one.path for one in files] == ["a.cu"]
    assert files[0].after.decode() == code.replace("// cudamigrate: warp/x: do y\n// cudamigrate: ... and z\n", "")


def test_what_pytorchs_build_renames_gets_no_comment(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text(
        "from setuptools import setup\nfrom torch.utils.cpp_extension import CUDAExtension\n"
        "setup(ext_modules=[CUDAExtension('a', ['a.cu'])])\n"
    )
    (tmp_path / "a.cu").write_text(
        "#include <cuda_runtime.h>\n__global__ void k(float *p) { __nanosleep(7); }\n"
        "void go(float *p) { k<<<1, 64>>>(p); cudaDeviceSynchronize(); cudaLibraryLoadData(0); }\n"
    )
    applied = pipeline.apply(tmp_path, Config(jobs=1))
    made = todo.marked(Result(applied.report, applied.conversions, {}, by_build=applied.by_build))
    said = b"".join(one.replacement for fix in made.comments.values() for one in fix.edits)
    assert b"cudaLibraryLoadData" in said
    assert b"cudaDeviceSynchronize" not in said
    assert not [one for one in made.left() if "cudaDeviceSynchronize" in one.rule]


@pytest.mark.parametrize(("places", "comments"), [(8, 8), (9, 1)])
def test_what_is_said_in_many_places_is_said_once(tmp_path: Path, places: int, comments: int) -> None:
    (tmp_path / "a.cu").write_text("void f() {\n" + "    cudaLibraryLoadData(0);\n" * places + "}\n")
    applied = pipeline.apply(tmp_path, Config(jobs=1))
    made = todo.marked(Result(applied.report, applied.conversions, {}, by_build=applied.by_build))
    said = b"".join(one.replacement for one in made.comments["a.cu"].edits)
    assert said.count(b"cudamigrate: build/module-in-memory") == comments
    assert (b"the first of 9" in b" ".join(said.split())) is (comments == 1)
