"""mma.sync on emulated wavefronts of 32 and of 64 lanes, against plain products; what compilers make of it.

With matrix cores the products go through models of AMD's instructions. CUDAMIGRATE_MMA_PRODUCTS sets how many products
of each form are compared on each width of wavefront; of many the programs are compiled with optimisation.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from mma import layouts, machine_code
from runtime.emulated import EMULATION, RUNTIME, compiled, prefix

pytestmark = pytest.mark.exhaustive

HERE = Path(__file__).parent
COUNT = os.environ.get("CUDAMIGRATE_MMA_PRODUCTS", "12")
_MFMA = "-DCUDAMIGRATE_MFMA="
_WMMA = "-DCUDAMIGRATE_MFMA=0 -DCUDAMIGRATE_WMMA=0x1100"
CORES = {
    "gfx908": f"{_MFMA}0x908",
    "gfx90a": f"{_MFMA}0x90a",
    "gfx942": f"{_MFMA}0x940",
    "gfx950": f"{_MFMA}0x950",
    "gfx1100": _WMMA,
    "gfx1100-flush": f"{_WMMA} -DCUDAMIGRATE_FLUSH_HALVES",
    "gfx1200-flush": "-DCUDAMIGRATE_MFMA=0 -DCUDAMIGRATE_WMMA=0x1200 -DCUDAMIGRATE_FLUSH_HALVES",
}
MODELS = ("gfx908", "gfx90a", "gfx942", "gfx950", "gfx1100-flush", "gfx1200-flush")
"""Those that every form runs on: with flushed halves, gfx1100 and gfx1200 use all of their instructions."""
FORMS = re.findall(r"^FORM\((\d+), (\d+), (\w+)", (HERE / "forms.inc").read_text(), re.MULTILINE)
WRONG = {
    "the column to the right": (
        "const unsigned int column = (lane_id() & 3u) * 8u;",
        "const unsigned int column = (lane_id() & 3u) * 8u ^ 4u;",
        "m16n8k16.f16",
        "",
    ),
    "sums that stop where they wrap": ("d[i] = Saturate ? add_sat", "d[i] = true ? add_sat", "m16n8k16.s8", ""),
    "warps that change places": (
        "const unsigned int from = 32u * (half ^ i)",
        "const unsigned int from = 32u * (half ^ i ^ 1u)",
        "m16n8k16.f16",
        CORES["gfx942"],
    ),
    "half a wavefront taken for all of it": (" || __ballot(1) != ~0ull", "", "m16n8k16.f16", CORES["gfx942"]),
    "results of f64 laid out as those of f32": (
        "of_four(unsigned int row) { return row & 3u; }",
        "of_four(unsigned int row) { return row >> 2; }",
        "m16n8k8.f64",
        CORES["gfx942"],
    ),
    "subnormal halves lost": (
        "CUDAMIGRATE_MFMA == 0x90a && !defined(CUDAMIGRATE_FLUSH_HALVES)",
        "0",
        "m16n8k16.f16",
        CORES["gfx90a"],
    ),
    "columns and rows in each other's places": (
        "sums[2 * half + c] = found[2 * c + half]",
        "sums[2 * half + c] = found[2 * half + c]",
        "m16n8k32.s8",
        CORES["gfx1100"],
    ),
    "columns 4 to 7 taken for 0 to 3": (
        "column = (lane & 3u) | (lane >> 1 & 4u);",
        "column = lane & 3u;",
        "m16n8k32.s8",
        CORES["gfx1200-flush"],
    ),
    "rows of the neighbour": ("got[from ^ 1u] : got[from]", "got[from] : got[from]", "m16n8k32.s8", CORES["gfx1100"]),
    "metadata of the other row": ("16u * row + 4u * t", "4u * t", "registers", ""),
    "an infinity where nothing is held": (
        "by_sparse<detail::result<Sum>::integer>",
        "by_sparse<true>",
        "registers",
        "",
    ),
    "unsigned bytes that lack 128": ("many) one = 0x40404040u", "many) one = 0u", "m16n8k32.u8", CORES["gfx942"]),
}


@pytest.fixture(scope="module")
def machine(wavefront: list[str], tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The emulated GPU, and the layouts as C++, made once."""
    folder = tmp_path_factory.mktemp("layouts")
    (folder / "layouts.inc").write_text(layouts.cpp())
    return [f"-I{folder}", *wavefront]


def _program(
    compiler: str, machine: list[str], made: Path, cores: str, headers: Path = RUNTIME, source: str = "", form: str = ""
) -> str:
    words = [
        "-include",
        str(prefix(compiler)),
        "-Wno-unknown-pragmas",
        f"-I{EMULATION}",
        f"-I{HERE}",
        f"-I{headers}",
        f"-I{RUNTIME}",
        *cores.split(),
    ]
    if cores:
        words.append("-DCUDAMIGRATE_MATRIX_MODEL")
    if int(COUNT) > 1000:  # with -O1 one call becomes several, which lanes of the emulation do not make together
        words.append("-Og")
    if form:
        rows, depth, left = re.findall(r"m(\d+)n8k(\d+)\.(\w+)", form)[0]
        lines = (HERE / "forms.inc").read_text().splitlines(keepends=True)
        head = f"FORM({rows}, {depth}, {left},"
        made.with_name("one.inc").write_text("".join([lines[0], *(line for line in lines if line.startswith(head))]))
        words.append(f'-DFORMS="{made.with_name("one.inc")}"')
    text = str(HERE / f"{source or 'products'}.cpp")
    done = compiled(compiler, [*words, text, *machine, "-o", str(made)], seen=False)
    assert done.returncode == 0, done.stderr
    return str(made)


@pytest.mark.parametrize("cores", ["", *(CORES[name] for name in MODELS)], ids=["lanes", *MODELS])
def test_products_are_right(cores: str, compiler: str, machine: list[str], tmp_path: Path) -> None:
    program = _program(compiler, machine, tmp_path / "products", cores)
    done = subprocess.run([program, "", COUNT], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stdout
    compared = re.findall(r"^m\d+n8k\d+\S* (\d+) (\d+)$", done.stdout, re.MULTILINE)
    assert len(compared) == len(FORMS)
    assert all(min(int(narrow), int(wide)) >= int(COUNT) for narrow, wide in compared)
    used = re.search(r"matrix instructions by lane: (\d+)", done.stdout)
    assert used is None if not cores else used is not None and int(used[1]) > 16 * len(FORMS)


@pytest.mark.parametrize("mistake", WRONG)
def test_emulation_sees(mistake: str, compiler: str, machine: list[str], tmp_path: Path) -> None:
    right, wrong, form, cores = WRONG[mistake]
    changed = 0
    for name in ("cudamigrate_mma.h", "cudamigrate_matrix_cores.h", "cudamigrate_sparse.h"):
        text = (RUNTIME / name).read_text()
        changed += right in text
        (tmp_path / name).write_text(text.replace(right, wrong))
    assert changed, "the text of this mistake is in no header any more"
    whole = form == "registers"
    program = _program(
        compiler,
        machine,
        tmp_path / "products",
        cores,
        tmp_path,
        source="registers" if whole else "",
        form="" if whole else form,
    )
    done = subprocess.run([program, *([] if whole else [form]), "40"], capture_output=True, text=True)
    assert done.returncode != 0, done.stdout


def test_fragments_move_as_ptx_says(compiler: str, machine: list[str], tmp_path: Path) -> None:
    program = _program(compiler, machine, tmp_path / "fragments", "", source="fragments")
    done = subprocess.run([program, str(max(200, int(COUNT)))], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stdout
    assert set(re.findall(r"^(\S+) \d+$", done.stdout, re.MULTILINE)) == {
        "ldmatrix", "ldmatrix.trans", "stmatrix", "stmatrix.trans", "movmatrix", "m8n8k4",
    }  # fmt: skip


@pytest.mark.parametrize("cores", ["", CORES["gfx942"]], ids=["lanes", "gfx942"])
def test_sparse_products_and_registers_of_fragments(
    cores: str, compiler: str, machine: list[str], tmp_path: Path
) -> None:
    program = _program(compiler, machine, tmp_path / "registers", cores, source="registers")
    done = subprocess.run([program, COUNT], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stdout
    sparse = re.findall(r"^sp\.\S+ (\d+)$", done.stdout, re.MULTILINE)
    assert sparse == [COUNT] * 11
    assert re.findall(r"^wmma\.\S+ (\d+)$", done.stdout, re.MULTILINE) == [COUNT] * 12


@pytest.mark.parametrize("cores", ["", CORES["gfx942"], CORES["gfx1100"]], ids=["lanes", "gfx942", "gfx1100"])
def test_warp_matrix_functions_are_right(cores: str, compiler: str, machine: list[str], tmp_path: Path) -> None:
    program = _program(compiler, machine, tmp_path / "warp_matrices", cores, source="warp_matrices")
    done = subprocess.run([program, COUNT if int(COUNT) > 1000 else "2"], capture_output=True, text=True)
    print(done.stdout)
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 15), done.stdout


INSTRUCTIONS = {
    "gfx90a": (
        "v_mfma_f32_16x16x4f32", "v_mfma_f64_16x16x4f64", "v_mfma_i32_16x16x16i8", "v_dot4c_i32_i8", "v_dot4_u32_u8",
        "v_dot2_u32_u16", "v_perm_b32", "v_mov_b32_dpp",
    ),
    "gfx940": (
        "v_mfma_f32_16x16x16_f16", "v_mfma_f32_16x16x16_bf16", "v_mfma_f32_16x16x8_xf32", "v_mfma_f64_16x16x4_f64",
        "v_mfma_i32_16x16x32_i8", "v_dot2c_i32_i16",
    ),
    "gfx1030": ("v_dot4c_i32_i8", "v_dot4_u32_u8", "v_dot8_u32_u4", "v_dot2_u32_u16", "v_perm_b32"),
    "gfx1100": (
        "v_wmma_i32_16x16x16_iu8", "v_wmma_i32_16x16x16_iu4", "v_dot4_i32_iu8", "v_dot4_u32_u8",
        "v_dot8_i32_iu4", "v_dot8_u32_u4", "v_perm_b32",
    ),
}  # fmt: skip


def _assembly(arch: str, tmp_path: Path, *more: str) -> str:
    """What hipcc makes of the sheet of forms."""
    made = tmp_path / "sheet.s"
    words = ["-x", "hip", f"--offload-arch={arch}", "-std=c++14", "-O2", "--cuda-device-only", "-nogpulib", "-S"]
    words += ["-Wall", "-Wextra", "-Wno-unused-command-line-argument", f"-I{RUNTIME}", f"-I{HERE}", *more]
    environment = {**os.environ, "HIP_PLATFORM": "amd"}
    command = ["hipcc", *words, str(HERE / "sheet.hip"), "-o", str(made)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    return made.read_text()


@pytest.mark.rocm
@pytest.mark.parametrize("arch", INSTRUCTIONS)
def test_compiled_code_has_the_instructions(arch: str, tmp_path: Path) -> None:
    """gfx940 is what the compiler of ROCm 5.2 calls the kind of gfx942."""
    text = _assembly(arch, tmp_path)
    assert [name for name in INSTRUCTIONS[arch] if name not in text] == []
    assert "quad_perm" in text
    assert machine_code.wrong(text, arch, "") == []


@pytest.mark.rocm
@pytest.mark.parametrize(
    ("arch", "setting"),
    [("gfx908", ""), ("gfx90a", machine_code.FLUSH), ("gfx1100", machine_code.FLUSH)],
    ids=["gfx908", "gfx90a-flush", "gfx1100-flush"],
)
def test_other_settings_have_their_instructions_too(arch: str, setting: str, tmp_path: Path) -> None:
    text = _assembly(arch, tmp_path, machine_code.few(tmp_path), *setting.split())
    assert machine_code.wrong(text, arch, setting) == []
