"""What PyTorch's build makes of files, for the type check."""

from __future__ import annotations

from cudamigrate.config import Config
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.build_renames import by_pytorch

HEADER = b"#ifdef __CUDACC__\n#define BOTH __host__ __device__\n#endif\nBOTH inline int one() { return 1; }\n"


def test_the_compilers_macro_is_renamed_in_every_file() -> None:
    """Also where nothing else is, and never as a part of a longer name."""
    other = b"#ifdef MY__CUDACC__\n#define BOTH __host__ __device__\n#endif\n"
    sources = [SourceFile("a.hpp", HEADER, "cxx"), SourceFile("b.hpp", other, "cxx")]
    assert by_pytorch(sources, Config(), ()) == {"a.hpp": HEADER.replace(b"__CUDACC__", b"__HIPCC__")}


def test_names_are_renamed_beside_it() -> None:
    text = b"#include <cuda_runtime.h>\n" + HEADER + b"void f() { cudaDeviceReset(); }\n"
    made = by_pytorch([SourceFile("a.cu", text, "cuda")], Config(), ())["a.cu"]
    assert b"hipDeviceReset" in made and b"#ifdef __HIPCC__" in made
