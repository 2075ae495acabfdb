"""Asks AMD's Python bindings for the values of enumerators and constants."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterable

from tests.symbols import wheels

Values = dict[str, dict[str, "int | float | str"]]
"""Module -> name -> value."""

_WHEELS = ("rocm-bindings-core", "rocm-bindings-hip", "rocm-bindings-libraries", "rocm-bindings-systems")
_PROGRAM = """
import enum, importlib, json, sys
found = {}
for module in sys.argv[2:]:
    sys.path[:0] = [sys.argv[1]]
    try:
        names = vars(importlib.import_module("rocm.bindings." + module))
    except ImportError:
        continue
    values = found[module] = {}
    for name, value in names.items():
        if isinstance(value, type) and issubclass(value, enum.Enum):
            values.update({key: int(member) for key, member in value.__members__.items()})
        elif isinstance(value, bytes):
            values[name] = value.decode()
        elif isinstance(value, (int, float, str)) and not isinstance(value, bool) and not name.startswith("_"):
            values[name] = int(value) if isinstance(value, int) else value
json.dump(found, sys.stdout)
"""


def read(version: str, modules: Iterable[str]) -> Values:
    """The values that `modules` of the bindings have. Raises LookupError where no Python here can load them."""
    python = shutil.which("python3.11") if sys.version_info[:2] != (3, 11) else sys.executable
    if python is None:
        raise LookupError("the bindings are read with Python 3.11, and there is no python3.11 on PATH")
    folder = wheels.cache() / f"rocm-bindings-installed-{version}"
    if not folder.is_dir():
        pinned = [f"{name}=={version}" for name in _WHEELS]
        command = [sys.executable, "-m", "pip", "--quiet", "download", "--no-deps", "--only-binary=:all:"]
        command += ["--python-version=3.11", *(f"--platform={platform}" for platform in wheels.PLATFORMS)]
        staging = folder.with_name(folder.name + ".part")
        subprocess.run([*command, "--dest", str(staging), *pinned], check=True)
        for wheel in sorted(staging.glob("*.whl")):
            shutil.unpack_archive(wheel, staging / "site", "zip")
        (staging / "site").rename(folder)
        shutil.rmtree(staging)
    command = [python, "-c", _PROGRAM, str(folder), *modules]
    answer: Values = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return answer
