"""Files of machine code for NVIDIA's GPUs are reported where they are named, in repositories that load modules."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

LOADS = "#include <cuda.h>\nbool load(CUmodule *m, const char *n) { return !cuModuleLoad(m, n); }\n"
NAMES = '#include "load.h"\nbool start(CUmodule *m) {\n  return load(m, "data/walk_sm89.cubin");\n}\n'
LINKS = 'bool f(CUlinkState s, void *d, size_t n) {\n  return cuLinkAddData(s, P, d, n, "walk.ptx", 0, 0, 0);\n}\n'
MADE = 'void f(S s, N m) {\n  std::unique_ptr<N> n("t/w.ptx", remove);\n  std::ofstream out(n.get());\n  out << s;\n}\n'
CODE, COMPILED = "build/machine-code-file", "build/compiled-module-file"
MADE_NAME = "build/made-module-name"
STARTS = 'int make() { return system("nvcc -cubin -o out.bin walk.txt"); }\n'


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({"data/walk_sm89.cubin": "\x7fELF"}, [("main.cpp", 3, CODE)], id="all there is"),
        pytest.param({}, [("main.cpp", 3, CODE)], id="found at run time"),
        pytest.param({"walk.cu": "__global__ void k() {}\n"}, [("main.cpp", 3, COMPILED)], id="its source is here"),
        pytest.param({"wal.cu": "__global__ void k() {}\n"}, [("main.cpp", 3, CODE)], id="another source"),
        pytest.param(
            {"Makefile": "m:\n\tnvcc -cubin -o x x.cu\n"}, [("main.cpp", 3, COMPILED)], id="the build makes it"
        ),
        pytest.param({"load.cpp": "int load();\n"}, [], id="nothing loads modules"),
        pytest.param({"make.cpp": STARTS}, [("main.cpp", 3, COMPILED)], id="the program makes it"),
        pytest.param(
            {"make.cpp": STARTS.replace("system", "printf")}, [("main.cpp", 3, CODE)], id="the program says how to"
        ),
        pytest.param(
            {"main.cpp": NAMES.replace("walk_sm89", "%s_%08x")}, [("main.cpp", 3, MADE_NAME)], id="a name put together"
        ),
        pytest.param(
            {"main.cpp": NAMES.replace("walk_sm89", "walk_%d")}, [("main.cpp", 3, CODE)], id="its end put together"
        ),
        pytest.param({"main.cpp": '// load "walk.cubin"\n'}, [], id="comment"),
        pytest.param({"main.cpp": 'bool f(S s) { return ends(s, ".cubin"); }\n'}, [], id="an ending alone"),
        pytest.param({"main.cpp": 'bool f() { return say("give a walk.cubin"); }\n'}, [], id="text"),
        pytest.param({"main.cpp": LINKS}, [], id="a name in messages"),
        pytest.param(
            {"main.cpp": LINKS.replace(', "walk.ptx"', ', s, "walk.ptx"')}, [("main.cpp", 2, CODE)], id="no name"
        ),
        pytest.param(
            {"main.cpp": 'void f(S s) {\n  std::ofstream out("t/w.ptx");\n  out << s;\n  link("-lw.ptx");\n}\n'},
            [],
            id="made here",
        ),
        pytest.param({"main.cpp": MADE}, [], id="made here, its name kept"),
        pytest.param({"main.cpp": MADE.replace("ofstream", "ifstream")}, [("main.cpp", 2, CODE)], id="read here"),
        pytest.param({"main.cpp": MADE.replace("out(n", "out(m")}, [("main.cpp", 2, CODE)], id="another is made"),
        pytest.param(
            {
                "main.cpp": NAMES.replace(
                    "  r", '#ifdef __HIP_PLATFORM_AMD__\n  return load(m, "a.co");\n#else\n  r'
                ).replace(";\n}", ";\n#endif\n}")
            },
            [],
            id="another file for AMD",
        ),
    ],
)
def test_machine_code_is_told_where_it_is_named(
    tmp_path: Path, files: dict[str, str], told: list[tuple[str, int, str]]
) -> None:
    written(tmp_path, {"load.cpp": LOADS, "main.cpp": NAMES, **files})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert [
        (one.path, one.position.line, one.rule) for one in findings if one.rule in (CODE, COMPILED, MADE_NAME)
    ] == told


LINKS = "CUresult add(CUlinkState s, void *p, size_t n) {\n  return %s;\n}\n"
WRITES = """#include <fstream>
bool start(CUmodule *m, const char *text) {
  std::string name("walk.ptx");
  { std::ofstream file(name.c_str()); file << text; }
  return load(m, "walk.ptx");
}
"""


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (LINKS % 'cuLinkAddData(s, CU_JIT_INPUT_PTX, p, n, "walk.ptx", 0, 0, 0)', []),
        (LINKS % 'cuLinkAddFile(s, CU_JIT_INPUT_PTX, "walk.ptx", 0, 0, 0)', [2]),
        (LINKS % 'cuLinkAddData(s, CU_JIT_INPUT_PTX, read("walk.ptx"), n, "x", 0, 0, 0)', [2]),
        (WRITES, []),
        (WRITES.replace("std::ofstream file(name.c_str())", 'FILE *file = fopen(name.c_str(), "wb")'), []),
        (WRITES.replace("std::ofstream file(name.c_str())", 'FILE *file = fopen(name.c_str(), "rb")'), [3, 5]),
        (WRITES.replace("ofstream", "ifstream"), [3, 5]),
        (WRITES.replace("(name.c_str()); file <<", "(other); say(name); file <<"), [3, 5]),
        (WRITES.replace('load(m, "walk.ptx")', 'load(m, "run.ptx")'), [5]),
        (WRITES.replace("file(name", "file(other"), [3, 5]),
        (
            WRITES.replace("{ std::ofstream file(name.c_str()); file << text; }", "")
            + WRITES.replace('  std::string name("walk.ptx");\n', "").replace("start(", "begin("),
            [3, 5, 10],
        ),
    ],
)
def test_what_the_program_writes_itself_is_no_file_of_machine_code(tmp_path: Path, text: str, lines: list[int]) -> None:
    written(tmp_path, {"load.cpp": LOADS, "main.cpp": text})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert [one.position.line for one in findings if one.rule == CODE and one.path == "main.cpp"] == lines


BYTES = "extern const char bytes[];\nbool f(CUmodule *m) { return !cuModuleLoadData(m, bytes); }\n"


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({}, 1, id="an array"),
        pytest.param(
            {"b.cpp": "#include <nvrtc.h>\nvoid g(nvrtcProgram p) { nvrtcDestroyProgram(&p); }\n"}, 0, id="compiled"
        ),
        pytest.param({"b.cpp": "#include <cuda.h>\nvoid g(CUlinkState s) { cuLinkDestroy(s); }\n"}, 0, id="linked"),
        pytest.param({"Makefile": "m:\n\tnvcc -cubin -o x x.cu\n"}, 0, id="the build makes it"),
        pytest.param({"b.cpp": 'const char *n = "walk.cubin";\n'}, 0, id="a file is named"),
        pytest.param({"a.cpp": LOADS}, 0, id="from a file"),
    ],
)
def test_machine_code_in_memory_is_told_where_nothing_compiles_it(
    tmp_path: Path, files: dict[str, str], told: int
) -> None:
    written(tmp_path, {"a.cpp": f"#include <cuda.h>\n{BYTES}", **files})
    found = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule == "build/module-in-memory"]
    assert [one.position.line for one in found] == [3] * told


CGO = 'package a\n\n// #include <cuda.h>\nimport "C"\n'
GO = 'package a\n\nfunc start() Module {\n\treturn Load("data/walk.ptx")\n}\n'


@pytest.mark.parametrize(
    ("files", "found"),
    [
        pytest.param({}, [("b.go", 4, CODE)], id="all there is"),
        pytest.param({"walk.cu": "__global__ void k() {}\n"}, [("b.go", 4, COMPILED)], id="its source is here"),
        pytest.param({"b.go": GO.replace('"', "`")}, [("b.go", 4, CODE)], id="a raw text"),
        pytest.param({"b.go": GO.replace("return", "// return")}, [], id="comment"),
        pytest.param({"b.go": GO.replace("walk", "other")}, [], id="no file of the tree"),
        pytest.param({"a.go": CGO.replace("cuda.h", "math.h")}, [], id="no CUDA"),
    ],
)
def test_a_file_that_go_names_is_reported_where_go_uses_cuda(
    files: dict[str, str], found: list[tuple[str, int, str]], tmp_path: Path
) -> None:
    tree = {"a.go": CGO, "b.go": GO, "data/walk.ptx": "//\n", "k.cu": "__global__ void other() {}\n"}
    findings = pipeline.scan(written(tmp_path, tree | files), Config(jobs=1, cache=False)).findings
    assert [(one.path, one.position.line, one.rule) for one in findings if one.rule in (CODE, COMPILED)] == found
