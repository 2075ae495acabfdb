"""What configure scripts say of CUDA is found, and their variables keep the names that Makefiles get them by."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import autotools
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.rule_tests import find_in_text


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
        pytest.param(
            'NVCCFLAGS="-c \\\n -G \\\n -Xcompiler \\"-g\\""\nCXX="-G"\n',
            [("-c", "-c"), ("-G", "-G"), ("-Xcompiler", "-Xcompiler")],
            id="a value on several lines",
        ),
        pytest.param(
            'q=/opt/cuda\nif a; then\nN="lib64"\nelse\nN="x64"\nfi\nL="-L$q/$N"\n',
            [("/usr/local/cuda", "/opt/cuda"), ("lib64 of CUDA", "$N")],
            id="a folder by a variable",
        ),
        pytest.param(
            'q=/opt/cuda\nN="lib64"\nN="obj"\nL="-L$q/$N"\n', [("/usr/local/cuda", "/opt/cuda")], id="no folder"
        ),
        pytest.param(
            'q=/opt/cuda\nL="-L$m $m/libnccl.so \\\n $q/lib/libcudart.so $q/lib/x64/cudart.lib"\n',
            [
                ("/usr/local/cuda", "/opt/cuda"),
                ("library file in a value", "libnccl.so"),
                ("library file cudart", "libcudart.so"),
                ("library file in a value", "cudart.lib"),
            ],
            id="files of libraries in values",
        ),
        pytest.param("rm $m/libnccl.so # cuda\nX=1 cp cudart.lib $d\n", [], id="files of libraries elsewhere"),
        pytest.param('DBG="-O0 -G"\nNVCCFLAGS="$DBG"\n', [("-O0", "-O0"), ("-G", "-G")], id="passed on to nvcc"),
        pytest.param('DBG="-O0 -G"\nNVCCFLAGS="$DBG"\nCXXFLAGS="$DBG"\n', [], id="passed on to others too"),
        pytest.param('DBG="-O0 -G"\nNVCCFLAGS="" CXXFLAGS="$DBG" # nvcc\n', [], id="behind the value"),
        pytest.param(
            "AC_ARG_WITH([x],\n AC_HELP_STRING([--with-x=ARCH],[for nvcc, e.g. [--gpu-architecture=sm_20]]),\n [X=1])\n"
            'AC_DEFINE_UNQUOTED([ARCH], ["$X"], [what --gpu-architecture of nvcc is given])\n'
            "AC_MSG_ERROR([nvcc was not found])\n",
            [],
            id="texts for people",
        ),
        pytest.param("AC_DEFINE([USE], [1], [CUDA])\nAC_PATH_PROG([C],[nvcc])\n", [("nvcc", "nvcc")], id="a search"),
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


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('NVCC="nvcc -ccbin ${CC%% *} -lineinfo"', 'NVCC="hipcc -gline-tables-only"'),
        ('NVCC="nvcc -ccbin $(command -v "$CC" g++) -lineinfo"', 'NVCC="hipcc -gline-tables-only"'),
        ('NVCC="nvcc -ccbin `command -v $CC g++`"', 'NVCC="hipcc"'),
        ("NVCC='nvcc -ccbin \"my dir/g++\" -lineinfo'", "NVCC='hipcc -gline-tables-only'"),
        ("$NVCC -ccbin ${CC:-a b} -lineinfo -c a.cu", "$NVCC -gline-tables-only -c a.cu"),
        ('NVCC="nvcc -ccbin gcc *}"', 'NVCC="hipcc *}"'),
        ('NVCCFLAGS="$(test $a = b && echo -lineinfo)"', 'NVCCFLAGS="$(test $a = b && echo -gline-tables-only)"'),
        ('NVCCFLAGS="$(test -x tool && ./tool -lineinfo)"', 'NVCCFLAGS="$(test -x tool && ./tool -gline-tables-only)"'),
        ('NVCCFLAGS="$(find . -G)"', 'NVCCFLAGS="$(find . -G)"'),
    ],
)
def test_an_expansion_with_blanks_is_one_word(tmp_path: Path, text: str, written: str) -> None:
    assert converted(tmp_path, f"{text}\n") == f"{written}\n"


@pytest.mark.parametrize(
    "macro", ["AC_ARG_ENABLE(nvcc", "AC_ARG_WITH([nvcc]", "AC_SUBST([nvcc]", "AC_PATH_PROG( [nvcc]"]
)
def test_the_name_of_an_option_or_a_variable_stays(tmp_path: Path, macro: str) -> None:
    assert converted(tmp_path, f"{macro}, [nvcc])\n") == f"{macro}, [hipcc])\n"


def test_a_program_that_is_looked_for_is_no_name(tmp_path: Path) -> None:
    assert converted(tmp_path, "AC_CHECK_PROG(HAVE, [nvcc], yes, no)\n") == "AC_CHECK_PROG(HAVE, [hipcc], yes, no)\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('LDMOD+=" -module -Xcompiler -shared"\n', []),
        ('CUDA_LDFLAGS="-Xcompiler -shared"\n', ["-Xcompiler"]),
        ('FLAGS="-lineinfo -Xcompiler -fPIC"\n', ["-lineinfo", "-Xcompiler"]),
        ('FLAGS="-lineinfo"\nFLAGS="$FLAGS -Xcompiler -fPIC"\n', ["-lineinfo", "-Xcompiler"]),
        ('FLAGS="-Xcompiler -fPIC"\n$NVCC $FLAGS -c a.cu\n', ["-Xcompiler"]),
        ('FLAGS="-Xcompiler -fPIC"\n$CC $FLAGS -c a.c\n', []),
    ],
)
def test_options_of_libtool_are_not_those_of_nvcc(text: str, found: list[str]) -> None:
    assert [name for name, _ in named(text)] == found


def converted(tree: Path, text: str) -> str:
    """A configure script as it is written for HIP."""
    written(tree, {"configure.ac": text})
    return next((one.after.decode() for one in pipeline.apply(tree, Config(jobs=1)).conversions), text)


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("AC_CHECK_LIB([m], [cos], [], [], [-lcudart])", "AC_CHECK_LIB([m], [cos], [], [], [-lamdhip64])"),
        ("OWN_LINK([gpu], [-lcufft -lm])", "OWN_LINK([gpu], [-lhipfft -lm])"),
        ('NVCCFLAGS="-arch=sm_35"', 'NVCCFLAGS="--offload-arch=gfx90a --offload-arch=gfx942"'),
        ("AC_ARG_VAR([GPU_FLAGS], [options of nvcc])", "AC_ARG_VAR([GPU_FLAGS], [options of nvcc])"),
    ],
)
def test_arguments_and_values_of_macros(line: str, after: str) -> None:
    assert find_in_text(f"NVCC=nvcc\n{line}\n", "configure.ac").after == f"NVCC=hipcc\n{after}\n"
