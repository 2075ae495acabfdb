"""The programs that a command starts: its first word, and those behind programs that start others.

`sudo -u root mpirun -n 2 nsys profile ./app` starts four. What is set for one alone is passed over: `CUDA_CACHE=1 ncu`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cudamigrate.lazy_re import re
from cudamigrate.model import Span

WRAPPERS = {
    "command", "doas", "env", "exec", "hash", "ionice", "mpiexec", "mpirun", "nice", "nohup", "numactl", "setsid",
    "srun", "ssh", "stdbuf", "strace", "sudo", "taskset", "time", "timeout", "type", "watch", "which", "xargs",
}  # fmt: skip
"""Commands that take another command, or its name."""
_VALUED = {
    "sudo": ("-u", "-g", "-p"), "doas": ("-u",), "env": ("-u",), "timeout": ("-s", "-k"), "nice": ("-n",),
    "srun": ("-p", "-A", "-J", "-w", "-x", "-o", "-e", "-D", "-C", "-G", "--gres", "--constraint", "--partition"),
    "ssh": ("-l", "-i", "-p"),
    "mpiexec": (
        *("-f", "-machinefile", "-hostfile", "--hostfile", "-host", "-hosts", "--host", "-H", "-x", "-bind-to"),
        *("--bind-to", "-map-by", "--map-by", "-wdir", "-wd", "--wdir", "-rf", "--rankfile", "-genvlist", "-envlist"),
        *("-iface", "-rmk"),
    ),
}  # fmt: skip
"""Their options that take the next word, which is no command: `sudo -u root nvcc`."""
_PAIRED = ("-genv", "-env", "--mca", "-mca", "-gmca", "--gmca")
"""Options of MPI's starters that take a name and a value: `mpiexec -genv OMP_PROC_BIND close ./app`."""
_LIKE_MPIEXEC = re.compile(r"mpi(?:exec|run)(?:\.\w+)?")
"""What starts the processes of MPI, also by the name of one of several that are installed: `mpiexec.hydra`."""
_COMMAND = re.compile(r"[A-Za-z_/][\w./+-]*")
_SETS = re.compile(r"[A-Za-z_]\w*=.*", re.DOTALL)
TOOLS = frozenset(
    (
        *("nsys", "ncu", "nvprof", "nsight-sys", "nv-nsight-cu-cli", "nsys-ui", "ncu-ui", "nvvp", "dlprof"),
        *("compute-sanitizer", "cuda-memcheck", "cuda-gdb"),
    )
)
"""NVIDIA's tools that run a program, to measure it or to look for its faults; their rules are on commands."""


def behind(texts: Sequence[str], at: int) -> int:
    """The place of the command that the one at `at` starts, which takes another; the number of words where none is."""
    wrapper = texts[at].rpartition("/")[2]
    of_mpi = _LIKE_MPIEXEC.fullmatch(wrapper) is not None
    valued = _VALUED.get("mpiexec" if of_mpi else wrapper, ())
    at += 1
    while at < len(texts) and (_COMMAND.fullmatch(texts[at]) is None or texts[at] == wrapper):
        at += 3 if of_mpi and texts[at] in _PAIRED else 2 if texts[at] in valued else 1
    return at


def takes_command(name: str) -> bool:
    """Whether a program takes another command: one of `WRAPPERS`, or a starter of MPI's processes."""
    return name in WRAPPERS or _LIKE_MPIEXEC.fullmatch(name) is not None


def started(texts: Sequence[str]) -> Iterator[int]:
    """The places of the programs in the words of one command."""
    at = 0
    while at < len(texts) and _SETS.fullmatch(texts[at]):
        at += 1
    while at < len(texts):
        yield at
        if not takes_command(texts[at].rpartition("/")[2]):
            return
        at = behind(texts, at)


def starts_another(texts: Sequence[str]) -> bool:
    """Whether the words of a command end where the program would be that it starts: `mpirun -n 4`."""
    last = max(started(texts), default=-1)
    return last >= 0 and takes_command(texts[last].rpartition("/")[2]) and behind(texts, last) >= len(texts)


def tool(texts: Sequence[str], spans: Sequence[Span]) -> tuple[str, Span] | None:
    """The one of `TOOLS` that a command starts, by its name or an absolute path, and where its name is.

    One below the folder that the command is run in is the project's own: `./ncu`.
    """
    for at in started(texts):
        folder, _, name = texts[at].rpartition("/")
        if name in TOOLS and folder[:1] in ("", "/", "$"):
            return name, Span(spans[at].end - len(name), spans[at].end)
    return None
