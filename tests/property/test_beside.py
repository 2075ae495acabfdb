"""Build, package and environment files: for any bytes nothing raises, and applying twice is applying once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import known_files, project_front_end
from cudamigrate.model import SourceFile
from cudamigrate.pipeline import convert_file, inspect_file
from cudamigrate.project.discovery import languages
from tests.draws import examples

PATHS = [
    "requirements.txt", "pyproject.toml", "setup.cfg", "environment.yml", "uv.lock", "Dockerfile", "run.sh", "ci.yml",
    "devcontainer.json", "a.pc", "control",
]  # fmt: skip
BOOK = pipeline.rules(pipeline.target(Config()))
LANGUAGE = languages(known_files())
SAMPLES = Path(__file__).parents[2] / "fixtures" / "projects" / "torch-extension" / "before"
PIECES = [
    b"torch==2.12.0+cu130", b"nvidia-nccl-cu12", b"cupy-cuda12x>=13", b"pip install ", b"nvidia-smi -L", b"--gpus all",
    b"https://download.pytorch.org/whl/cu130", b"FROM nvidia/cuda:12.4.1-devel-ubuntu22.04", b"runtime: nvidia",
    b"services:", b"dependencies", b"[project]", b"[", b"]", b"= ", b'"', b"'", b"- ", b"{", b"}", b": ", b"\\", b"\n",
    b"\r\n", b"  ", b"#", b"|", b"run", b"RUN <<EOF", b"EOF", b"${{ x }}", b"$(", b")", b"`", b"&& ", b"deploy",
    b"\xff",
    b"export CUDA_HOME=/usr/local/cuda", b"#SBATCH --gres=gpu:a100:1", b"[[package]]", b"name = ", b"image: ",
    b"Libs: ", b"Requires: ", b"-lcudart ",
    b"\xc3\xa9",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=25).map(b"".join)


def convert(path: str, data: bytes) -> bytes:
    source = SourceFile(path, data, LANGUAGE(path))
    findings = [f for f in inspect_file.inspect(source, BOOK).findings if f.fix is not None and f.fix.safety == "safe"]
    return convert_file.convert(source, findings).after


@pytest.mark.parametrize("path", PATHS)
@settings(deadline=None, max_examples=examples(60))
@given(data=st.one_of(st.binary(max_size=300), texts))
def test_front_end_never_raises_on_any_bytes(path: str, data: bytes) -> None:
    source = SourceFile(path, data, LANGUAGE(path))
    front = project_front_end(source.language)
    assert front is not None
    for use in front.parse(source).uses:
        assert 0 <= use.span.start <= use.span.end <= len(data)
    front.broken(data)
    inspect_file.inspect(source, BOOK)


@pytest.mark.parametrize("path", PATHS)
@settings(deadline=None, max_examples=examples(60))
@given(data=texts)
def test_applying_twice_is_applying_once(path: str, data: bytes) -> None:
    once = convert(path, data)
    assert convert(path, once) == once


@pytest.mark.parametrize(
    "name", ["requirements.txt", "pyproject.toml", "environment.yml", "Dockerfile", "docker-compose.yml", "train.slurm"]
)
@settings(deadline=None, max_examples=examples(25))
@given(place=st.floats(0, 1), piece=st.sampled_from(PIECES))
def test_damaged_file_is_converted_or_left_and_never_raises(name: str, place: float, piece: bytes) -> None:
    data = (SAMPLES / name).read_bytes()
    at = int(place * len(data))
    once = convert(name, data[:at] + piece + data[at:])
    assert convert(name, once) == once


@pytest.mark.parametrize("path", PATHS)
def test_text_without_anything_of_cuda_comes_out_as_it_is(path: str) -> None:
    data = b"numpy\r\n# caf\xe9\n[project]\nname = 'x'\n\tFROM python:3.12\nrun: [a, b]\n"
    assert convert(path, data) == data


@pytest.mark.parametrize("path", PATHS)
def test_large_file_of_one_kind_of_byte_takes_no_time(path: str) -> None:
    for piece in (b"(", b"[", b'"', b"{{", b"a-", b"\\\n", b"=", b"- ", b"a,=", b"'"):
        source = SourceFile(path, b"torch nvidia " + piece * 3000, LANGUAGE(path))
        inspect_file.inspect(source, BOOK)
