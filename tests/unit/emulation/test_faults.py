"""What the emulated GPU finds that a GPU hides: one kernel with each fault, and beside it one without.

The semantics are those of the programming guides of CUDA and HIP; `faults.hip` has the kernels.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from cudamigrate.emulation import build, compare, programs, records, run
from cudamigrate.model.verification import Flags

SEEDED = {
    "barriers_differ": ("barriers-differ-in-wave", "threads of one wave wait at different barriers"),
    "never_written": ("uninitialised-shared-memory", "no thread of the block has written"),
    "not_written_by_a_call": ("uninitialised-shared-memory", "no thread of the block has written"),
    "half_by_call": ("uninitialised-shared-memory", "no thread of the block has written"),
    "beyond_allocation": ("out-of-bounds", "reads byte 256 of an allocation of 256"),
    "beyond_shared": ("out-of-bounds", "outside of the shared array s"),
    "beyond_shared_class": ("out-of-bounds", "outside of the shared array s"),
    "beyond_shared_halves": ("out-of-bounds", "reads outside of the shared array"),
    "never_written_class": ("uninitialised-shared-memory", "no thread of the block has written"),
    "beyond_dynamic": ("out-of-bounds", "writes byte 256 of a dynamic shared memory of 256 bytes"),
    "race": ("race", "without a barrier between them"),
    "spins_on_own_wave": ("spin-on-own-wave", "waits for a lane of its own wave"),
    "absent_lane": ("read-of-absent-lane", "which does not take part"),
    "freed": ("use-after-free", "which is freed"),
    "waits_for_ever": ("deadlock", "that no other thread brings"),
    "uses_no_address": ("invalid-access", "uses an address that is none"),
    "host_reads": ("host-uses-device-memory", "the host reads device memory"),
}
ENDS = frozenset({"waits_for_ever", "uses_no_address"})
"""Those that a program does not survive."""
MOVED = 3
"""Lines by which the original's text is further down than the converted file's."""
CLEAN = (
    "barriers_agree",
    "written",
    "written_by_a_call",
    "written_by_call",
    "written_by_a_call_like_poison",
    "inside_allocation",
    "inside_shared",
    "inside_shared_class",
    "inside_shared_floats",
    "inside_shared_halves",
    "inside_dynamic",
    "no_race",
    "flag_orders",
    "takes_turns",
    "present_lane",
    "waits_in_turn",
    "waits_for_block",
    "loops_apart",
    "continues_apart",
)


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, programs.Tree]:
    """The program with all kernels."""
    chosen = build.compiler()
    if chosen is None:
        pytest.skip(build.INSTALL)
    folder = tmp_path_factory.mktemp("faults")
    (folder / "tree").mkdir()
    (folder / "tree" / "faults.hip").write_bytes((Path(__file__).parent / "faults.hip").read_bytes())
    tree = programs.copied(folder / "tree", folder / "copy", "hip", Flags(""))
    return programs.program(tree, "faults.hip", 64, chosen), tree


def recorded(
    program: tuple[Path, programs.Tree], kernel: str, folder: Path, schedule: str = "lockstep"
) -> tuple[str, records.Record]:
    """What a run of one kernel prints and records."""
    settings = {"WAVE": "64", "VENDOR": "amd", "SCHEDULE": schedule, "RECORD": str(folder / "record")}
    environment = {**os.environ, **{f"CUDAMIGRATE_EMULATION_{name}": word for name, word in settings.items()}}
    done = subprocess.run([program[0], kernel], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == (118 if kernel in ENDS else 0), done.stderr
    return done.stdout, records.read(folder / "record", program[0], program[1].sources)


def original(folder: Path) -> programs.Tree:
    """The tree before: the same text with more lines above it."""
    text = (Path(__file__).parent / "faults.hip").read_text()
    (folder / "before").mkdir()
    (folder / "before" / "faults.hip").write_text("// before\n" * MOVED + text)
    return programs.copied(folder / "before", folder / "before-copy", "cuda", Flags(""))


@pytest.mark.parametrize("kernel", SEEDED)
def test_a_seeded_fault_is_found_at_its_line(kernel: str, program: tuple[Path, programs.Tree], tmp_path: Path) -> None:
    _, record = recorded(program, kernel, tmp_path)
    kind, said = SEEDED[kernel]
    assert [fault.kind for fault in record.faults] == [kind] * len(record.faults) != []
    fault = record.faults[0]
    assert said in fault.detail and (fault.where.startswith("thread (") or kernel == "host_reads")
    path, line = fault.places[0]
    lines = (Path(__file__).parent / "faults.hip").read_text().splitlines()
    assert path == "faults.hip"
    start = max(number for number, text in enumerate(lines[:line]) if text.startswith(("__global__", "static int")))
    assert f" {kernel}(" in lines[start]
    ran = compare.Ran(0, "", {}, record)
    (told, *_) = run.seen_faults(ran, compare.Ran(0, "", {}, records.Record()), program[1], original(tmp_path))
    assert (told.path, told.line, told.origin) == ("faults.hip", line, f"faults.hip:{line + MOVED}")


@pytest.mark.parametrize("order", ["lockstep", "free", "random"])
@pytest.mark.parametrize("kernel", CLEAN)
def test_a_kernel_without_fault_raises_none(
    kernel: str, order: str, program: tuple[Path, programs.Tree], tmp_path: Path
) -> None:
    _, record = recorded(program, kernel, tmp_path, order)
    assert record.launches == 1 and record.faults == []


def test_poison_is_no_zero_that_a_minimum_would_miss(program: tuple[Path, programs.Tree], tmp_path: Path) -> None:
    with_absent, _ = recorded(program, "absent_lane", tmp_path)
    without, _ = recorded(program, "present_lane", tmp_path)
    assert without.split() == ["0", "1", "9"] and with_absent != without


def test_lanes_of_different_turns_of_a_loop_do_not_vote_together(
    program: tuple[Path, programs.Tree], tmp_path: Path
) -> None:
    # lane 9 votes in turns 1, 3, 5 and 7, each with the lanes of odd number above the turn
    printed, _ = recorded(program, "loops_apart", tmp_path)
    assert printed.split()[2] == str(sum((64 - turn - 1) // 2 for turn in (1, 3, 5, 7)))


def test_lanes_that_go_on_early_vote_with_those_of_their_turn(
    program: tuple[Path, programs.Tree], tmp_path: Path
) -> None:
    chosen = build.compiler()
    if chosen is not None and chosen.is_clang:
        pytest.skip("clang++ turns a loop from two places, the later of which is not known in the first turn")
    # lane 9 votes in the turns whose number three does not divide, each with all lanes but every third
    printed, _ = recorded(program, "continues_apart", tmp_path)
    turns = [[lane for lane in range(64) if (lane + turn) % 3] for turn in range(1, 9)]
    assert printed.split()[2] == str(sum(len(lanes) for lanes in turns if 9 in lanes))


def test_a_mask_that_names_lanes_which_never_come(tmp_path: Path) -> None:
    chosen = build.compiler()
    assert chosen is not None or pytest.skip(build.INSTALL)
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "masks.cu").write_bytes((Path(__file__).parent / "masks.cu").read_bytes())
    tree = programs.copied(tmp_path / "tree", tmp_path / "copy", "cuda", Flags(""))
    built = programs.program(tree, "masks.cu", 32, chosen), tree
    _, fine = recorded(built, "present", tmp_path)
    assert fine.faults == [] and fine.launches == 1
    (tmp_path / "record").unlink()
    _, record = recorded(built, "absent", tmp_path)
    (fault, *_) = record.faults
    assert fault.kind == "mask-names-absent-lanes" and fault.places[0] == ("masks.cu", 11)
