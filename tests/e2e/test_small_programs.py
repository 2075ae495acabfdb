"""Small CUDA programs with Makefiles of several habits, converted and built for gfx90a by the real compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config

pytestmark = pytest.mark.rocm

GPU = "gfx90a"
_TARGET = f"amdgcn-amd-amdhsa--{GPU}".encode()
MAIN = """int main() {
  float *d;
  cudaMalloc(&d, 256 * sizeof(float));
  work<<<1, 256>>>(d);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(d);
  return e != cudaSuccess;
}
"""
ADD = "#include <cuda_runtime.h>\n__global__ void work(float *d) { d[threadIdx.x] += 1.0f; }\n" + MAIN
SUM = (
    "#include <cuda_runtime.h>\n__global__ void work(float *d) {\n  float v = d[threadIdx.x];\n"
    "  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);\n"
    "  if (threadIdx.x % 32 == 0) d[threadIdx.x] = v;\n}\n" + MAIN
)
SHARED = (
    "#include <cuda.h>\n#include <cuda_runtime.h>\n__constant__ float scale = 2.0f;\n"
    "__global__ void work(float *d) {\n  extern __shared__ float s[];\n  s[threadIdx.x] = d[threadIdx.x] * scale;\n"
    "  __syncthreads();\n  d[threadIdx.x] = s[255 - threadIdx.x];\n}\n" + MAIN.replace("256>>>", "256, 1024>>>")
)
ATOMIC = (
    "#include <cuda_runtime.h>\n#include <stdio.h>\n__device__ int count;\n"
    "__global__ void work(float *d) { if (d[threadIdx.x] > 0) atomicAdd(&count, 1); }\n" + MAIN
)
HALF = (
    "#include <cuda_fp16.h>\n#include <cuda_runtime.h>\n__global__ void work(float *d) {\n"
    "  __half h = __float2half(d[threadIdx.x]);\n  d[threadIdx.x] = __half2float(__hadd(h, h));\n}\n" + MAIN
)
FAR = "#include <cuda_runtime.h>\n__device__ float twice(float x) { return 2 * x; }\n"
NEAR = (
    "#include <cuda_runtime.h>\nextern __device__ float twice(float x);\n"
    "__global__ void work(float *d) { d[threadIdx.x] = twice(d[threadIdx.x]); }\n" + MAIN
)
LAUNCH = "void launch(float *d);\n"
KERNEL = (
    "#include <cuda_runtime.h>\n__global__ void work(float *d) { d[threadIdx.x] = 0; }\n"
    "void launch(float *d) { work<<<1, 64>>>(d); }\n"
)
HOST = (
    '#include <cuda_runtime.h>\n#include "launch.h"\nint main() {\n  void *d;\n  cudaMalloc(&d, 256);\n'
    "  launch((float *)d);\n  return cudaFree(d) != cudaSuccess;\n}\n"
)

PROGRAMS: dict[str, dict[str, str]] = {
    "compiler in CC": {
        "a.cu": ADD,
        "Makefile": "CC = nvcc\nARCH = sm_60\nCFLAGS = -O3 -arch=$(ARCH)\napp: a.cu\n\t$(CC) $(CFLAGS) a.cu -o app\n",
    },
    "implicit rule": {
        "app.cpp": ADD,
        "Makefile": "CXX = nvcc\nCXXFLAGS = -O2 -x cu -arch=sm_70\nLDLIBS = -lcudart\napp: app.cpp\n"
        "\t$(CXX) $(CXXFLAGS) app.cpp -o app\n",
    },
    "number": {
        "a.cu": SUM,
        "Makefile": "NVCC ?= nvcc\nSM ?= 70\nF = -gencode arch=compute_$(SM),code=sm_$(SM) -lineinfo\n"
        "app: a.cu\n\t$(NVCC) $(F) -std=c++14 -Xcompiler -Wall $< -o $@\n",
    },
    "loop": {
        "a.cu": SHARED,
        "Makefile": "NVCC = nvcc\nSMS ?= 60 70\n"
        "$(foreach s,$(SMS),$(eval G += -gencode arch=compute_$(s),code=sm_$(s)))\n"
        "app: a.o\n\t$(NVCC) $(G) $^ -o $@\n%.o: %.cu\n\t$(NVCC) $(G) -Xptxas -v,-O3 -c $< -o $@\n",
    },
    "default goal": {
        "a.cu": ATOMIC,
        "Makefile": "NVCC := $(shell which nvcc || echo nvcc)\n"
        "NVCCFLAGS := -O3 -m64 -arch=sm_75 -cudart shared\n"
        "all: app\napp: a.cu\n\t$(NVCC) $(NVCCFLAGS) $< -o $@\n",
    },
    "half": {
        "a.cu": HALF,
        "Makefile": "NVCC = nvcc\nifdef DEBUG\nF = -g -G\nelse\nF = -O3 -arch=sm_80 -maxrregcount=64\nendif\n"
        'app: a.cu\n\t$(NVCC) $(F) --compiler-options "-Wall -O2" $< -o $@\n',
    },
    "relocatable": {
        "a.cu": NEAR,
        "b.cu": FAR,
        "Makefile": "NVCC = nvcc\nOBJ = a.o b.o\n"
        "app: $(OBJ)\n\t$(NVCC) -arch=sm_60 -rdc=true $(OBJ) -o $@ -lcudadevrt\n"
        "%.o: %.cu\n\t$(NVCC) -arch=sm_60 -dc $< -o $@\n",
    },
    "host compiler too": {
        "launch.h": LAUNCH,
        "k.cu": KERNEL,
        "m.cpp": HOST,
        "Makefile": "CUDA_HOME ?= /usr/local/cuda\nCXX = g++\nNVCC = $(CUDA_HOME)/bin/nvcc\n"
        "CXXFLAGS = -O2 -Wall\n"
        "INC = -I$(CUDA_HOME)/include\nLIB = -L$(CUDA_HOME)/lib64 -lcudart\n"
        "app: k.o m.o\n\t$(NVCC) $^ -o $@ $(LIB)\nm.o: m.cpp\n\t$(CXX) $(CXXFLAGS) $(INC) -c $< -o $@\n"
        'k.o: k.cu\n\t$(NVCC) -arch=sm_60 -Xcompiler "$(CXXFLAGS)" $(INC) -c $< -o $@\n',
    },
    "included settings": {
        "a.cu": ADD,
        "common/make.config": "NVCC = nvcc\nGPU ?= sm_52\nOPTS = -O3 -arch=$(GPU)\n",
        "Makefile": "include common/make.config\napp: a.cu\n\t@echo building\n\t$(NVCC) $(OPTS) $< -o $@ -lcudart\n",
    },
    "shared library": {
        "k.cu": KERNEL,
        "Makefile": "NVCC = nvcc\napp: libk.so\n\tcp libk.so app\nlibk.so: k.cu\n"
        '\t$(NVCC) -shared -Xcompiler -fPIC -gencode=arch=compute_70,code=\\"sm_70,compute_70\\" $< -o $@\n',
    },
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_converted_program_is_built_by_its_converted_makefile(name: str, tmp_path: Path) -> None:
    if shutil.which("make") is None:
        pytest.skip("GNU make is not installed")
    for path, text in PROGRAMS[name].items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    applied = pipeline.apply(tmp_path, Config(arch=(GPU,), jobs=1))
    for conversion in applied.conversions:
        (tmp_path / conversion.path).write_bytes(conversion.after)
    for path, data in applied.added.items():
        (tmp_path / path).write_bytes(data)
    environment = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "LANG", "TMPDIR")}
    rocm = subprocess.run(["hipconfig", "--rocmpath"], capture_output=True, text=True, check=True).stdout.strip()
    environment |= {"HIP_PLATFORM": "amd"}
    done = subprocess.run(
        ["make", f"ROCM_PATH={rocm}"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert _TARGET in (tmp_path / "app").read_bytes()
