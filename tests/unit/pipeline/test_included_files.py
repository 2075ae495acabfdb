"""Files whose endings say nothing: read where code includes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline.run import scan

CODE = '#include <cuda_runtime.h>\n#include "{}"\nint main() {{ return 0; }}\n'
USES = "void f(int *a) { cudaFree(a); }\n"


def read(root: Path, files: dict[str, str], config: Config | None = None) -> list[str]:
    """The files that a scan reads."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return [one.path for one in scan(root, config or Config()).files]


@pytest.mark.parametrize(
    ("spelled", "path"),
    [
        ("k.kern", "src/k.kern"),
        ("K.Kern", "src/K.Kern"),
        ("kernels", "src/kernels"),
        ("../deep/k.kern", "deep/k.kern"),
        ("deep/k.kern", "src/deep/k.kern"),
        ("deep/k.kern", "deep/k.kern"),
        ("table.txt", "src/table.txt"),
    ],
)
def test_what_code_includes_is_read(tmp_path: Path, spelled: str, path: str) -> None:
    assert path in read(tmp_path, {"src/a.cu": CODE.format(spelled), path: USES})


def test_so_is_what_that_includes(tmp_path: Path) -> None:
    files = {"a.cc": '#include "b.body"\n', "b.body": '#include "c.body"\n', "c.body": USES}
    assert read(tmp_path, files) == ["a.cc", "b.body", "c.body"]


@pytest.mark.parametrize(
    ("code", "path", "config"),
    [
        (CODE.format("other.kern"), "k.kern", Config()),
        (CODE.format("k.kern").replace('"', "'"), "k.kern", Config()),
        (CODE.format("../k.kern"), "../k.kern", Config()),
        (CODE.format("k.kern"), "k.kern", Config(exclude=("*.kern",))),
        (CODE.format("third_party/k.kern"), "third_party/k.kern", Config()),
    ],
)
def test_what_none_includes_or_is_not_asked_for_is_not(tmp_path: Path, code: str, path: str, config: Config) -> None:
    root = tmp_path / "root"
    root.mkdir()
    assert read(root, {"a.cu": code, path: USES}, config) == ["a.cu"]


def test_a_link_and_bytes_that_are_no_text_are_not(tmp_path: Path) -> None:
    (tmp_path / "k.kern").symlink_to(tmp_path.parent / "elsewhere")
    (tmp_path / "b.kern").write_bytes(b"\0\1")
    code = CODE.format("k.kern") + '#include "b.kern"\n'
    assert [one for one in read(tmp_path, {"a.cu": code}) if one != "b.kern"] == ["a.cu"]
    skipped = {skip.path: skip.kind for skip in scan(tmp_path, Config()).skipped}
    assert skipped["b.kern"] == "binary"
