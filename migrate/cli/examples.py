"""Examples at the end of each command's help; a test reads each of them with the option parser."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "scan": (
        "cudamigrate scan path/to/project",
        "cudamigrate scan . --format html --output report.html",
        "cudamigrate scan . --arch gfx942 --gpu-hours 2000 --price-from 3.5 --price-to 2.4",
        "cudamigrate scan . --to mi300x,mi325x --from h200 --gpu-hours 2e3 --price-from 5 --price-to mi300x=2,mi325x=3",
    ),
    "apply": (
        "cudamigrate apply . --diff",
        "cudamigrate apply . --branch hip/main --pr-text pr.md",
        "cudamigrate apply . --pick --todo",
        "cudamigrate apply . --update",
        "cudamigrate apply . --output ../project-hip --run",
    ),
    "check": (
        "cudamigrate check",
        "cudamigrate check --since origin/main --format github",
        "cudamigrate check src --all --ignore launch",
    ),
    "baseline": ("cudamigrate baseline .", "cudamigrate check --all --baseline .cudamigrate-baseline.json src"),
    "verify": (
        "cudamigrate verify ../project-hip",
        "cudamigrate verify ../project-hip --original . --run",
        "cudamigrate verify . --engine hipcc --arch gfx1100",
    ),
    "tasks": (
        "cudamigrate tasks . --output tasks.md",
        "cudamigrate tasks . --format json",
    ),
    "explain": (
        "cudamigrate explain cudaMemcpyToSymbol",
        "cudamigrate explain warp/hardcoded-size",
        "cudamigrate explain cub/cub.cuh --format json",
    ),
    "report": ("cudamigrate report scan.json --format markdown",),
    "diff": ("cudamigrate diff before.json after.json", "cudamigrate diff before.json after.json --fail-on new"),
    "init": ("cudamigrate init", "cudamigrate init --yes --no-workflow"),
    "server": ("cudamigrate server",),
    "mcp": ("cudamigrate mcp .", "cudamigrate mcp . --output ../project-hip"),
    "headers": ("cudamigrate headers install", "cudamigrate headers install --rocm 6.2", "cudamigrate headers remove"),
    "cache": ("cudamigrate cache info", "cudamigrate cache clear"),
    "rules": ("cudamigrate rules --group warp", "cudamigrate rules test my-rules/"),
}
"""What to type, by command."""


def epilog(command: str) -> str:
    """The examples of a command as the help shows them."""
    return "\n\n".join(["Examples:", *(f"  {line}" for line in EXAMPLES[command])])
