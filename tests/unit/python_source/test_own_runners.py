"""A command of nvcc is found where a function of the text's own runs it, and not where it only shows it."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "import os\nimport shlex\nimport subprocess\n"
RUN = "def make(where, line):\n    subprocess.run(line, shell=True, cwd=where)\n"
PASS = "def first(line, name=''):\n    make('.', line)\n"

METHOD = "class A:\n  def make(self, line):\n    os.system(line)\n"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        (f"{RUN}make('.', 'nvcc -O3 a.cu')", 1),
        (f"{RUN}{PASS}first('nvcc -O3 a.cu', name='b')", 1),
        (f"{PASS}{RUN}first(f'nvcc -Xcompiler \\\"-O2\\\" -o {{name}} a.cu')", 1),
        (f"{METHOD}  def all(self):\n    self.make('nvcc a.cu')", 1),
        ("def make(line):\n    subprocess.call(shlex.split(line))\nmake('nvcc -c a.cu')", 1),
        ("def make(line):\n    subprocess.call(line.split(' '))\nmake('nvcc -c a.cu')", 1),
        ("line = 'nvcc -c {}'.format(name)\nos.popen(line)", 1),
        (f"{RUN}make('nvcc -O3 a.cu', 'true')", 0),
        (f"{RUN}{PASS}first('true', 'nvcc -O3 a.cu')", 0),
        ("def make(line):\n    print(line)\n    subprocess.run('true')\nmake('nvcc -O3 a.cu')", 0),
        ("def make(line):\n    subprocess.run('true', cwd=line)\nmake('nvcc -O3 a.cu')", 0),
        ("line = 'nvcc -c {}'.format(name)\nprint(line)", 0),
    ],
)
def test_commands_that_own_functions_run(code: str, found: int) -> None:
    rules = [one.rule for one in find_in_text(f"{HEAD}{code}\n", "a.py").findings]
    assert rules.count("python/nvcc-run") == found
