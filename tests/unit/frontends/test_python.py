"""The Python front end: uses in strings, embedded kernels, options and requirements."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import part_of, python
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.syntax.project_file import ProjectFile


def parse(text: str, path: str = "a.py") -> ProjectFile:
    return python.parse(SourceFile(path, text.encode(), "python"))


def named(text: str, kind: str, path: str = "a.py") -> list[tuple[str, str]]:
    parsed = parse(text, path)
    return [(use.name, parsed.source.text(use.span)) for use in parsed.uses if use.kind == kind]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("os.environ['CUDA_HOME']", "$CUDA_HOME"),
        ("os.getenv('CUDA_HOME', '')", "$CUDA_HOME"),
        ("'CUDA_HOME' in os.environ", "$CUDA_HOME"),
        ("run(env={'CUDA_HOME': home})", "$CUDA_HOME"),
        ("monkeypatch.setenv('CUDA_HOME', x)", "$CUDA_HOME"),
        ("table = {'CUDA_HOME': home}", '"CUDA_HOME"'),
        ("print('CUDA_HOME')", '"CUDA_HOME"'),
        ("subprocess.run(['nvcc', '-V'])", "!nvcc"),
        ("subprocess.run([home + '/bin/nvcc', '-V'])", "!nvcc"),
        ("os.system('cd x && nvcc -o a a.cu')", "!nvcc"),
        ("exe = 'nvcc.exe'\nfound = find_executable(exe)", "!nvcc"),
        ("exe = 'nvcc'\nprint(exe)", '"nvcc"'),
        ("for n in ('CUDA_HOME', 'X'):\n    if n in os.environ: f(os.environ[n])", "$CUDA_HOME"),
        ("for n in ('CUDA_HOME', 'X'):\n    print(n, os.environ[m])", '"CUDA_HOME"'),
        ("flags['nvcc']", '"nvcc"'),
        ("ctypes.CDLL('/usr/lib/libcudart.so.12.1')", '"libcudart.so"'),
        ("ctypes.CDLL('cudart64_110.dll')", '"libcudart.so"'),
    ],
)
def test_word_in_a_string_is_reported_by_what_it_is_for(text: str, name: str) -> None:
    assert name in [found for found, _ in named(text, "string")]


def test_an_option_that_words_are_only_looked_at_for_is_none() -> None:
    text = "nvcc_args = ['-G']\nif any(one.startswith('-ccbin') for one in nvcc_args):\n    call('nvcc', '-lineinfo')\n"
    assert [name for name, _ in named(text, "option")] == ["-G", "-lineinfo"]


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("x = {'nvcc': ['-O3', '-lineinfo']}", ["-O3", "-lineinfo"]),
        ("nvcc_flags = ['-gencode', 'arch=compute_80,code=sm_80', '-G']", ["-gencode", "-G"]),
        ("a = ['-G']\nx = {'cxx': [], 'nvcc': a + ['-g'] if debug else a}", ["-G", "-g"]),
        ("load(name='x', extra_cuda_cflags=['--use_fast_math'])", ["--use_fast_math"]),
        ("args['nvcc'].append('-lineinfo')", ["-lineinfo"]),
        ("o = {'extra_cuda_cflags': ['-res-usage']}\nload('x', s, **o)", ["-res-usage"]),
        ("o = {'nvcc_x': 1}\no.update({'extra_cuda_cflags': ['-G']})\nload('x', s, **o, w=1)", ["-G"]),
        ("def f():\n    return dict(extra_cuda_cflags=['-G'])\nload('x', s, **{**f(), 'b': 1})", ["-G"]),
        ("class A:\n  def f(self):\n    self.o = {'extra_cuda_cflags': ['-G']}\n    load('x', **self.o)", ["-G"]),
        ("def f(a, b=['-g']):\n  load(a, extra_cuda_cflags=b)\nf(a, ['-G'])\nf(b=['-O2'])", ["-g", "-G", "-O2"]),
        ("CUDAExtension('a', s, extra_compile_args=['-res-usage'])", ["-res-usage"]),
        (
            "from torch.utils.cpp_extension import CUDAExtension as C\n"
            "C('a', s, extra_compile_args=['-res-usage'], libraries=['cublas'])",
            ["-res-usage", "-lcublas"],
        ),
        ("from torch.utils.cpp_extension import CppExtension as C\nC('a', s, extra_compile_args=['-g'])", []),
        (
            "import torch.utils.cpp_extension as ext\next.load('a', s, extra_cuda_cflags=['-lineinfo'])",
            ["-lineinfo"],
        ),
        ("o = {'extra_cuda_cflags': ['-G']}\nprint(o)\nload('x', s, **p)", []),
        ("def f(a, b):\n    load(a, extra_cuda_cflags=a)\nf(a, ['-G'])", []),
        ("CppExtension('a', s, extra_compile_args=['-g'])", []),
        ("NVCC_FLAGS += ' -lineinfo -O2'.split()", ["-lineinfo", "-O2"]),
        ("nvcc_flags = f()\ndef f():\n    return [f(), f(), '-lineinfo']", ["-lineinfo"]),
        ("a = ['-G']\na += ['-lineinfo']\na.append('-O2')\nnvcc_flags = a\ncuda_flags = a", ["-G", "-lineinfo", "-O2"]),
        ("def nvcc_args(self):\n    return ['-lineinfo']", ["-lineinfo"]),
        ("x = {'cxx': ['-O3', '-g']}\nflags = ['-lineinfo']", []),
        ("put['NVCCFLAG_ARCH'] = '-gencode arch=sm_%d -G' % n", ["-gencode", "-G"]),
        ("put['NVCCFLAG_ARCH'] = ''\nput['REGS'] = '--maxrregcount=8'", ["--maxrregcount=8"]),
        ("put['CXX_FLAGS'] = '-G'\nput['REGS'] = '--maxrregcount=8'", []),
        ("nvcc_flags.append('-arch=sm_{}'.format(n))", ["-arch=sm_{}"]),
        ("NVCC_FLAGS = f'-DX=\\'a\\' -arch=sm_{a + b} -G'", ["-DX=\\'a\\'", "-arch=sm_{a + b}", "-G"]),
        (
            "run('nvcc')\nmore = [f'-arch=sm_{a}', '-O2', '--compiler-options', '-fPIC']",
            ["-arch=sm_{a}", "--compiler-options"],
        ),
        ("run('nvcc')\nmore = [f'-gencode=arch=compute_{a}' for a in b]", ["-gencode=arch=compute_{a}"]),
        ("run('nvcc')\nprint('see -arch=sm_70')\nx = ['-march=native', '-larch']", []),
        ("from setuptools import Extension\nExtension('m', [], libraries=['cudart', 'm'])", ["-lcudart", "-lm"]),
        ("from mylib import Extension\nExtension('m', [], libraries=['cudart', 'm'])", []),
        ("env = Environment()\nenv.Append(LIBS=['cudart', 'm'])", ["-lcudart", "-lm"]),
        ("env.Program('app', ['a.cpp'], LIBS='cublas')", ["-lcublas"]),
        ("report.show(LIBS=['cudart'])\nLIBS = ['cublas']", []),
    ],
)
def test_options_are_those_for_nvcc(text: str, options: list[str]) -> None:
    assert [name for name, _ in named(text, "option")] == options


def test_requirements_of_a_setup_are_packages() -> None:
    text = "from setuptools import setup\nneeds = ['torch>=2', 'Cupy_CUDA12x[all] ; x']\n" \
           "setup(install_requires=needs, extras_require={'a': ['nvidia-ml-py']}, keywords=['tensorrt'])"  # fmt: skip
    found = [("torch", "torch"), ("cupy-cuda12x", "Cupy_CUDA12x"), ("nvidia-ml-py", "nvidia-ml-py")]
    assert named(text, "package", "setup.py") == found
    assert named(text, "package", "a.py") == []


KERNEL = "__global__ void k(float *x) { x[0] = __shfl_down_sync(0xffffffff, x[1], 16); }"


@pytest.mark.parametrize(
    "text",
    [
        f"import cupy as cp\nk = cp.RawKernel(r'''\n{KERNEL}\n''', 'k')",
        f"import cupy\nCODE = '''\n{KERNEL}'''\nk = cupy.RawModule(code=CODE)",
        f"from pycuda.compiler import SourceModule\nm = SourceModule('\\n{KERNEL}')",
        f"import cupy\nk = cupy.RawKernel('first line\\n'\n  '{KERNEL}', 'k')",
    ],
)
def test_kernel_in_a_string_is_read_at_its_place(text: str) -> None:
    found = [finding for finding in find_in_text(text, "a.py").findings if finding.rule == "warp/sync-shuffle"]
    assert [text.encode()[f.span.start : f.span.end].decode() for f in found] == [
        "__shfl_down_sync(0xffffffff, x[1], 16)"
    ]
    line = text[: text.index("__shfl")].count("\n") + 1
    assert found[0].position.line == line
    assert "__shfl" in found[0].excerpt


def test_fix_in_a_string_that_python_writes_otherwise_is_left_out() -> None:
    plain = "import cupy\nk = cupy.RawKernel('''void f() { cudaFree(p); }''', 'k')"
    assert "hipFree(p)" in find_in_text(plain, "a.py").after
    split = "import cupy\nk = cupy.RawKernel('void f() { cuda' 'Free(p); }', 'k')"
    result = find_in_text(split, "a.py")
    assert result.after == split
    assert [finding.rule for finding in result.findings] == ["api/cudaFree"]


def test_pytorch_renames_names_of_inline_sources_itself() -> None:
    text = "from torch.utils.cpp_extension import load_inline\n" \
           f"load_inline('x', cuda_sources='''\n{KERNEL}\nvoid f() {{ cudaFree(0); }}''')"  # fmt: skip
    result = find_in_text(text, "a.py")
    assert result.after == text
    assert [finding.rule for finding in result.findings] == ["warp/sync-shuffle"]


def test_setup_belongs_to_the_build() -> None:
    assert [part_of(python, path) for path in ("setup.py", "a/setup_cuda.py", "a/b.py", "mysetup.py")] == [
        "build", "build", "python", "python"
    ]  # fmt: skip


def test_broken_counts_what_does_not_parse() -> None:
    assert python.broken(b"x = 1\n") == 0
    assert python.broken(b"x = (1\ny = ]\n") > 0


@pytest.mark.parametrize(
    "text",
    [
        "import cupy\nc = ''\nc = 'a' + c\nc += 'b'\nk = cupy.RawKernel(c, 'k')",
        "import cupy\nc = c + 'a'\nk = cupy.RawKernel(c, 'k')",
        "import cupy\nk = cupy.RawKernel(" + "'a' + " * 3000 + "'b', 'k')",
        "import cupy\nk = cupy.RawKernel(" + "(" * 3000 + "'b'" + ")" * 3000 + ", 'k')",
        "nvcc_flags = " + "['-G'] + " * 3000 + "['-g']\nnvcc_flags = nvcc_flags + nvcc_flags",
        "nvcc_flags = " + "[" * 3000 + "'-G'" + "]" * 3000,
        "if " + "is_hip() and " * 3000 + "x:\n    pass\nif " + "not " * 3000 + "is_hip(): pass",
        "from setuptools import setup\na = b\nb = a + ['torch']\nsetup(install_requires=a + " + "b + " * 3000 + "a)",
    ],
)
def test_deep_and_circular_expressions_do_no_harm(text: str) -> None:
    find_in_text(text, "setup.py")


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("from kernels import SRC\nk = cupy.RawKernel(SRC, 'k')", True),
        ("for src in sources():\n    cupy.RawKernel(src, 'k')", True),
        ("src = read()\nk = cupy.RawKernel(src, 'k')", True),
        ("def make(src, n=1):\n    return cupy.RawKernel(src, 'k')", False),  # who calls it has the source
        ("make = lambda src: cupy.RawKernel(src, 'k')", False),
        ("def make(name):\n    return cupy.RawKernel(src, name)", True),
    ],
)
def test_a_kernel_whose_source_is_elsewhere_is_reported_where_it_is_compiled(text: str, reported: bool) -> None:
    rules = [finding.rule for finding in find_in_text(f"import cupy\n{text}\n", "a.py").findings]
    assert ("python/kernel-source-computed" in rules) == reported


@pytest.mark.parametrize(
    ("text", "many"),
    [
        ("flags = os.getenv('NVCC_FLAGS', '').split()", 0),
        ("flags = os.environ['NVCC_FLAGS']", 0),
        ("flags = os.environ.get('NVCC_FLAGS')", 0),
        ("os.environ['NVCC_FLAGS'] = '-O3'", 1),
        ("os.environ.setdefault('NVCC_FLAGS', '-O3')", 1),
        ("gpus = os.getenv('NVIDIA_VISIBLE_DEVICES')", 1),
        ("more = os.getenv('NVCC_APPEND_FLAGS')", 1),
    ],
)
def test_variable_of_the_program_itself_is_none_of_nvidias(text: str, many: int) -> None:
    assert len([name for name, _ in named(text, "string") if name.startswith("$")]) == many


@pytest.mark.parametrize(
    ("text", "is_broken"),
    [
        ("""a = f'{",".join(x)}'""", False),
        ("""a = f'{', '.join(x)}'""", True),
        ('''a = f"{x["k"]}"''', True),
        ('''a = f"""{x["k"]}"""''', False),
        ("""a = f"{x['k']}{y}" + '{'""", False),
    ],
)
def test_quotes_of_an_f_string_within_it_are_read_by_newer_pythons_alone(text: str, is_broken: bool) -> None:
    assert bool(python.broken(text.encode())) is is_broken


TORCH = "import torch\nfrom torch.utils.cpp_extension import CUDA_HOME\n"


@pytest.mark.parametrize(
    ("option", "made"),
    [
        ("""f'--compiler-options={",".join(x)}'""", None),
        ("""f'-Xcompiler=-Wall,{x}'""", None),
        ('''f"--compiler-options=-I{x}"''', 'f"-I{x}"'),
        ('''"--compiler-options=-fPIC,-Wall"''', '"-fPIC", "-Wall"'),
    ],
)
def test_options_that_a_program_fills_in_are_parted_where_they_are_seen(option: str, made: str | None) -> None:
    text = f"{TORCH}def build(x):\n    run([CUDA_HOME + '/bin/nvcc', {option}, 'a.cu'])\n"
    found = [one for one in find_in_text(text, "a.py").findings if one.rule == "build/flag-host"]
    written = [edit.replacement.decode() for one in found if one.fix is not None for edit in one.fix.edits]
    assert len(found) == 1
    assert not written if made is None else any(made in one for one in written)
