"""The tools that coding agents call, on the official SDK of the Model Context Protocol; over standard input and output.

Every tool answers with a small typed object, or with an error that says what to do. Tools read one tree; one of them
writes, and only into the output that was named when the server was started.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import Field

from cudamigrate.agents import answers
from cudamigrate.agents import tasks as work
from cudamigrate.agents.workspace import Workspace
from cudamigrate.emulation import run as emulation
from cudamigrate.errors import InputError, MigrateError
from cudamigrate.model.verification import Flags
from cudamigrate.output import patch
from cudamigrate.pipeline import lookup, prove, run
from cudamigrate.rulebase import explain as pages

_PAGE = 8_000
"""Characters of an explanation or a diff, at most."""
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
_INSTRUCTIONS = """Moves CUDA code to AMD GPUs. Start with `scan`. `tasks` lists the work that no safe fix handles:
place, code, facts, what to write, how to prove it. `findings` and `apply_fix` go through one file; `explain` says what
a CUDA name or a rule means. After a change, `verify` type-checks for AMD. Paths are relative to the repository."""

Guard = Callable[[], AbstractContextManager[None]]
"""Enters what one tool does at a time, and turns expected failures into text."""
RelativePath = Annotated[str, Field(description="A file or folder, relative to the repository; empty for all of it.")]
Offset = Annotated[int, Field(ge=0, description="How many to skip: `next_offset` of the page before.")]


@contextmanager
def _reported() -> Iterator[None]:
    """Expected failures reach the agent as text."""
    try:
        yield
    except MigrateError as error:
        raise ToolError(str(error)) from None


def create(root: Path, output: Path | None = None, allow_run: bool = False) -> MCPServer:
    """The server for a repository. Raises MigrateError where the root or the output cannot be used."""
    space, lock = Workspace(root, output), threading.Lock()
    server = MCPServer("cudamigrate", version=run.tool_version(), instructions=_INSTRUCTIONS, log_level="WARNING")

    @contextmanager
    def one_at_a_time() -> Iterator[None]:
        with lock, _reported():
            yield

    _readers(server, space, one_at_a_time)
    _writer(server, space, one_at_a_time)
    _provers(server, space, one_at_a_time, allow_run)
    return server


def _readers(server: MCPServer, space: Workspace, guarded: Guard) -> None:
    """Add the tools that say what is there."""

    @server.tool(annotations=_READS)
    def scan() -> answers.ScanAnswer:
        """What is CUDA in the repository: a headline with the work left, counts, and the files with most work."""
        with guarded():
            return answers.scanned(run.scan(space.tree, space.config), str(space.tree))

    @server.tool(annotations=_READS)
    def findings(
        path: RelativePath = "", offset: Offset = 0, limit: Annotated[int, Field(ge=1, le=50)] = 20
    ) -> answers.FindingsAnswer:
        """The findings of a file or folder, a page at a time. `id` names a finding for `apply_fix`."""
        with guarded():
            return answers.found(space.findings(path or "."), offset, limit)

    @server.tool(annotations=_READS)
    def tasks(
        path: RelativePath = "", offset: Offset = 0, limit: Annotated[int, Field(ge=1, le=10)] = 3
    ) -> answers.TasksAnswer:
        """The work that is left once all safe fixes are made: place, code, facts, what to write, how to prove it."""
        with guarded():
            every = work.tasks(space.applied(), str(space.output or "DIR"), str(space.root))
            return answers.left(work.only(every, space.inside(path or ".")), offset, limit)

    @server.tool(annotations=_READS)
    def explain(
        name: Annotated[str, Field(description="A rule id, a CUDA symbol or a header.")],
    ) -> answers.ExplainAnswer:
        """What a CUDA name is on AMD, or what a rule means and what to do."""
        with guarded():
            found = lookup.explained(name, space.config)
            if not found:
                return answers.ExplainAnswer(name, "", lookup.nearest(name, space.config))
            return answers.ExplainAnswer(name, pages.render_rules(lookup.bare(name), found)[:_PAGE])


def _writer(server: MCPServer, space: Workspace, guarded: Guard) -> None:
    """Add the one tool that writes."""

    @server.tool(annotations=_WRITES)
    def apply_fix(
        path: Annotated[str, Field(description="The file, relative to the repository.")],
        finding_id: Annotated[str, Field(description="`id` of a finding of that file.")],
        unsafe: Annotated[bool, Field(description="Make a fix that needs review; read its diff.")] = False,
    ) -> answers.FixAnswer:
        """Make the fix of one finding in the output folder; without one, show the diff and write nothing."""
        with guarded():
            finding, fixed = space.fixed(path, finding_id, unsafe)
            diff = patch.unified([fixed.conversion], fixed.headers, space.tree).decode("utf-8", "replace")
            written = list(space.write(fixed))
            left = len(space.findings(finding.path)) - (0 if written else fixed.conversion.applied)
            return answers.FixAnswer(finding.rule, finding.path, diff[:_PAGE], written, left)


def _provers(server: MCPServer, space: Workspace, guarded: Guard, allow_run: bool) -> None:
    """Add the tools that judge; the one that runs code only where that is allowed."""

    @server.tool(annotations=_READS)
    def verify(path: RelativePath = "") -> answers.VerifyAnswer:
        """Type-check HIP code for AMD without a GPU: the whole tree, or one file or folder of it."""
        with guarded():
            inside = space.inside(path or ".")
            only = space.config if inside == "." else replace(space.config, include=(space.glob(inside),))
            return answers.verified(prove.verify(space.tree, only))

    if not allow_run:
        return

    @server.tool(annotations=_WRITES, name="run")
    def run_programs(
        time_limit: Annotated[int, Field(ge=1, le=600, description="Seconds for each run.")] = 60,
    ) -> answers.RunAnswer:
        """Run the programs of the output beside the original's on an emulated GPU, in a sandbox, and compare."""
        with guarded():
            if space.tree == space.root:
                raise InputError("there is no converted code to run: start the server with --output, and apply fixes")
            settings = space.config
            limits = replace(emulation.Options().limits, seconds=time_limit)
            flags = Flags(settings.standard, settings.defines, settings.include_dirs)
            options = emulation.Options((32, 64), "lockstep", 1, limits, flags, settings.jobs)
            return answers.ran(prove.execute(space.tree, space.root, options))


def serve(root: Path, output: Path | None = None, allow_run: bool = False) -> None:
    """Answer an agent on standard input and output until it closes them. Raises MigrateError before it starts."""
    create(root, output, allow_run).run()
