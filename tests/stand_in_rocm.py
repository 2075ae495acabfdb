"""A folder that CMake takes for ROCm: packages with the real ones' targets, and a compiler that makes empty files.

The compiler refuses nvcc's options, so that a build which ends well has none of them left.
"""

from __future__ import annotations

from pathlib import Path

COMPILER = """#!/bin/sh
echo "$*" >> "$STAND_IN_LOG"
out=
while [ $# -gt 0 ]; do
  case "$1" in
    -o) out=$2; shift ;;
    -gencode*|--generate-code*|--gpu-*|-arch*|-code=*|-Xcompiler*|--compiler-options*) bad=$1 ;;
    -Xptxas*|--ptxas-options*|-Xcudafe*|--diag*|-lcu*|--threads*|sm_*|compute_*|*\\;*) bad=$1 ;;
    -*\\ -[a-zA-Z]*) bad=$1 ;;
    --use_fast_math|-use_fast_math|-lineinfo|-rdc*|-dc|--expt-*|--extended-lambda|-ccbin*|*maxrregcount*|-G) bad=$1 ;;
  esac
  if [ -n "$bad" ]; then echo "unknown argument: $bad" >&2; exit 1; fi
  shift
done
[ -z "$out" ] || : > "$out"
"""
PACKAGES = {
    "hip": ("hip::host", "hip::device"),
    "hipblas": ("roc::hipblas",),
    "hipfft": ("hip::hipfft",),
    "hiprand": ("hip::hiprand",),
    "hipsparse": ("roc::hipsparse",),
    "hipsolver": ("roc::hipsolver",),
    "rccl": ("roc::rccl", "rccl"),
    "rocthrust": ("roc::rocthrust",),
    "hipcub": ("hip::hipcub",),
    "libhipcxx": ("libhipcxx::libhipcxx",),
}


def make(root: Path) -> Path:
    """Fill a folder, and return it."""
    for name, targets in {**PACKAGES, "hip-lang": ()}.items():
        folder = root / "lib" / "cmake" / name
        folder.mkdir(parents=True)
        made = "".join(
            f"if(NOT TARGET {target})\n  add_library({target} INTERFACE IMPORTED GLOBAL)\nendif()\n"
            for target in targets
        )
        made += f"set({name}_FOUND 1)\nset({name}_INCLUDE_DIRS {root}/include)\nset({name}_VERSION 6.3.0)\n"
        (folder / f"{name}-config.cmake").write_text(made)
    (root / "include").mkdir()
    (root / "bin").mkdir()
    compiler = root / "bin" / "clang++"
    compiler.write_text(COMPILER)
    compiler.chmod(0o755)
    return root


def settings(rocm: Path) -> dict[str, str]:
    """Variables of CMake that make it use the folder and its compiler, without trying the compiler first."""
    compiler = str(rocm / "bin" / "clang++")
    found = {
        "CMAKE_PREFIX_PATH": str(rocm),
        "CMAKE_HIP_COMPILER_ROCM_ROOT": str(rocm),
        "CMAKE_BUILD_TYPE": "Debug",
        "CMAKE_HIP_ARCHITECTURES": "gfx90a",
    }
    for language, identity in (("CXX", "GNU"), ("HIP", "Clang")):
        found |= {f"CMAKE_{language}_COMPILER": compiler, f"CMAKE_{language}_COMPILER_ID": identity}
        found |= {f"CMAKE_{language}_COMPILER_FORCED": "1", f"CMAKE_{language}_COMPILER_ID_RUN": "1"}
        found |= {f"CMAKE_{language}_STANDARD_COMPUTED_DEFAULT": "17", f"CMAKE_{language}_COMPILER_VERSION": "17"}
    return found
