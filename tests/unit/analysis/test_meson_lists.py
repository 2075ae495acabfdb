"""Strings of Meson files that nvcc alone gets."""

from __future__ import annotations

import pytest

from cudamigrate.frontends import meson
from cudamigrate.model import SourceFile


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("executable('a', 'a.cu', cuda_args: ['-G', '-O0'])", 1),
        ("o = ['-G']\nexecutable('a', 'a.cu', cuda_args: o + ['-DN'])", 1),
        ("cuda_args = ['-O0']\ncuda_args += ['-G']\nexecutable('a', 'a.cu', cuda_args: cuda_args)", 1),
        ("more = ['-G']\no = ['-O0'] + more\nexecutable('a', 'a.cu', cuda_args: o)", 1),
        ("o = cc.get_supported_arguments(['-G'])\nexecutable('a', 'a.cu', cuda_args: o)", 1),
        ("add_project_arguments('-G', language: 'cuda')", 1),
        ("o = ['-G']\nadd_project_arguments(o, language: ['cuda'])", 1),
        ("executable('a', 'a.cu', cpp_args: ['-G'], cuda_args: ['-O0'])", 0),
        ("o = ['-G']\nexecutable('a', 'a.cu', cuda_args: o, cpp_args: o)", 0),  # for another compiler too
        ("cuda_args = ['-G']\nrun_command('tool', cuda_args)", 0),  # the name says nothing
        ("add_project_arguments('-G', language: ['cuda', 'cpp'])", 0),
        ("add_project_arguments('-G', language: 'cpp')  # not 'cuda'", 0),
        ("o = ['-G']\nsubdir('cuda')", 0),  # who reads it is not seen
        ("executable('a', cuda_args: ['-O0'] )\nrun_command('cmake', '-G', 'Ninja')", 0),
    ],
)
def test_debugging_of_device_code_is_found_where_nvcc_gets_it(text: str, found: int) -> None:
    parsed = meson.parse(SourceFile("meson.build", f"project('p', 'cuda')\n{text}\n".encode(), "meson"))
    assert sum(use.name == "-G" for use in parsed.uses) == found
