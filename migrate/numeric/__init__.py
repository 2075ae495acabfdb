"""Numeric checks: a harness that runs the code of a tree on both vendors and compares the numbers.

Result: a `Plan` of what it exports to Python and which programs it has, and from that the files of a harness. Nothing
of the tree is executed, and nothing here says that code is right: the harness does, on machines that have the GPUs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from cudamigrate.numeric import exports, guess, modules
from cudamigrate.numeric.exports import Export
from cudamigrate.numeric.functions import Functions, has_main
from cudamigrate.numeric.model import Case, Plan, Program
from cudamigrate.numeric.write import render, write
from cudamigrate.wording import count_of

__all__ = ["Case", "Plan", "Program", "gpu_here", "instructions", "plan", "render", "write"]

_GPUS = ("/dev/kfd", "/dev/nvidia0")


def gpu_here() -> bool:
    """Does this machine have an NVIDIA or AMD GPU?"""
    return any(Path(device).exists() for device in _GPUS)


def plan(root: Path, sources: Mapping[str, bytes]) -> Plan:
    """What the sources offer to run. Paths are relative to `root`; Python files tell how extensions are called."""
    known = modules.extensions(sources)
    functions = Functions({path: data for path, data in sources.items() if not path.endswith(".py")})
    found, left = exports.find(functions)
    cases = tuple(_cases(found, functions, known))
    used = {export.owner for export in found if export.form == "ops"}
    return Plan(
        title=root.resolve().name,
        imports=tuple(
            _imports(sorted(used), [export.path for export in found if export.form == "ops"], known, sources)
        ),
        cases=cases,
        programs=tuple(_programs(functions)),
        left=tuple(left),
    )


def instructions(plan: Plan, place: str) -> list[str]:
    """What was written to `place`, how to run it, and that it was not run."""
    parts, ways = [], []
    if plan.cases:
        ready = sum(not case.unclear and not guess.missing(case.arguments) for case in plan.cases)
        parts.append(f"{count_of(len(plan.cases), 'exported function')} ({ready} with every argument guessed)")
        ways.append(f"python {place}/run.py --record record.pt on NVIDIA, then --compare record.pt on AMD")
    if plan.programs:
        parts.append(count_of(len(plan.programs), "program"))
        again = "--record out.json --command CMD on NVIDIA, then --compare out.json --command CMD on AMD"
        ways.append(f"python {place}/run_program.py {again}")
    why = "edit the inputs and build the code first" if gpu_here() else "no GPU here"
    return [
        f"numeric: {' and '.join(parts)} in {place}; run: {'; '.join(ways)}",
        f"numeric: UNVERIFIED (not run: {why})",
    ]


def _cases(found: Sequence[Export], functions: Functions, known: list[modules.Extension]) -> Iterator[Case]:
    times = Counter(export.name for export in found)
    taken: set[str] = set()
    for export in found:
        module, note = _module(export, known)
        name = export.name if times[export.name] == 1 else f"{module.split('.')[-1] or export.path}.{export.name}"
        name = name.replace(",", "_")
        while name in taken:
            name += "_"
        taken.add(name)
        source = f"{export.path}:{export.line}"
        if export.signature is None:
            yield Case(name, module, note, export.name, source, unclear=f"{export.problem}: its arguments are unknown")
            continue
        arguments = guess.arguments(export, functions)
        yield Case(
            name=name,
            module=module,
            module_note=note,
            function=export.name,
            source=source,
            arguments=arguments,
            keywords=tuple(argument.name for argument in arguments if argument.keyword),
            opaque=not export.signature.returns,
        )


def _module(export: Export, known: list[modules.Extension]) -> tuple[str, str]:
    """What to import for an export, and a remark on it."""
    owner, _, inner = export.owner.partition(".")
    if export.form == "ops":
        if owner.isidentifier() and owner != "TORCH_EXTENSION_NAME":
            return f"torch.ops.{owner}", ""
        name, several = modules.module_of(export.path, known)
        space = name.split(".")[-1]
        return (f"torch.ops.{space}" if space else ""), _choice(several) or "GUESSED"
    if owner.isidentifier() and owner != "TORCH_EXTENSION_NAME":
        return export.owner, "GUESSED: the name in C++; a package may be around it"
    name, several = modules.module_of(export.path, known)
    return f"{name}.{inner}" if name and inner else name, "by the build script" if name else _choice(several)


def _choice(several: Sequence[str]) -> str:
    return f"one of {', '.join(several[:6])}" if several else "the name under which the extension is built"


def _imports(
    spaces: Sequence[str], paths: Sequence[str], known: list[modules.Extension], sources: Mapping[str, bytes]
) -> Iterator[str]:
    """What may register the operators: a package called as their namespace, or the extensions of their files."""
    packages = {PurePosixPath(path).parent.name for path in sources if path.endswith("/__init__.py")}
    named = [space for space in spaces if space in packages]
    built = [modules.module_of(path, known)[0] for path in paths]
    yield from dict.fromkeys(name for name in [*named, *(built if not named else [])] if name)


def _programs(functions: Functions) -> Iterator[Program]:
    taken: set[str] = set()
    for source in functions.sources.values():
        if b"main" not in source.data:
            continue
        line = has_main(source)
        if not line:
            continue
        stem = PurePosixPath(source.path).stem
        name = stem if stem not in taken else PurePosixPath(source.path).with_suffix("").as_posix()
        while name in taken:
            name += "_"
        taken.add(name)
        yield Program(name, f"{source.path}:{line}")
