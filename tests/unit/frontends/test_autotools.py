"""What configure scripts say of CUDA is found, and their variables keep the names that Makefiles get them by."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import autotools
from cudamigrate.model import SourceFile


def named(text: str) -> list[tuple[str, str]]:
    """The uses in a configure script, with their text."""
    data = text.encode()
    uses = autotools.parse(SourceFile("configure.ac", data, "autotools")).uses
    return [(use.name, data[use.span.start : use.span.end].decode()) for use in uses]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(
            'D="$p/bin/nvcc"\nL="-L$q/lib64"\nq=$p\n', [("nvcc", "nvcc"), ("lib64 of CUDA", "lib64")], id="copy"
        ),
        pytest.param(
            'q=/opt/cuda\nL="-L$q/lib64"\n', [("/usr/local/cuda", "/opt/cuda"), ("lib64 of CUDA", "lib64")], id="value"
        ),
        pytest.param('D="$p/bin/gcc"\nL="-L$p/lib64" # cuda\n', [], id="another folder"),
        pytest.param(
            'NVCCFLAGS="-O3 -G -lineinfo"\n', [("-O3", "-O3"), ("-G", "-G"), ("-lineinfo", "-lineinfo")], id="nvcc's"
        ),
        pytest.param('CXXFLAGS="-O3 -G" # cuda\n', [], id="the host's"),
        pytest.param("LIBS='-lm -lcudart'\n", [("-lcudart", "-lcudart")], id="means nvcc by itself"),
        pytest.param("dnl nvcc\n# nvcc\nx=1 # nvcc\n", [], id="comments"),
    ],
)
def test_uses(text: str, found: list[tuple[str, str]]) -> None:
    assert named(text) == found


def test_templates_of_makefiles_keep_the_names_that_configure_gives(tmp_path: Path) -> None:
    lines = "LDFLAGS = -L$(CUDA_PATH)/lib64 -lcudart\na: a.cu\n\tnvcc a.cu\n"
    written(
        tmp_path,
        {
            "configure.ac": "CUDA_PATH=/usr/local/cuda\nAC_SUBST(CUDA_PATH)\n",
            "Makefile.in": "CUDA_PATH = @CUDA_PATH@\n" + lines,
            "own/Makefile.in": "CUDA_PATH = /usr/local/cuda\n" + lines,
        },
    )
    made = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}
    assert "CUDA_PATH=/opt/rocm" in made["configure.ac"]
    assert made["Makefile.in"].startswith("CUDA_PATH = @CUDA_PATH@\nLDFLAGS = -L$(CUDA_PATH)/lib -lamdhip64\n")
    assert made["own/Makefile.in"].startswith("ROCM_PATH = /opt/rocm\nLDFLAGS = -L$(ROCM_PATH)/lib -lamdhip64\n")


def test_a_folder_of_the_toolkit_may_be_the_default_of_an_option() -> None:
    text = 'AC_ARG_WITH([cuda], [], [prefix=$withval], [prefix={}])\nLIBS="-L$prefix/lib64 -lcudart"\n'
    assert ("lib64 of CUDA", "lib64") in named(text.replace("{}", "/usr/local/cuda"))
    assert ("lib64 of CUDA", "lib64") not in named(text.replace("{}", "/usr/local/cudamine"))
