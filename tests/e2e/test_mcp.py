"""The tools for coding agents, called by the SDK's own client over standard input and output."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import command_line
import pytest

pytest.importorskip("mcp", reason="the extra `mcp` is not installed")

from mcp import ClientSession, StdioServerParameters, stdio_client

FIXTURES = Path(__file__).parents[2] / "fixtures" / "projects"
Call = Callable[..., Awaitable[dict[str, Any]]]


class RefusedError(Exception):
    """A tool's answer that is an error."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    shutil.copytree(FIXTURES / "reduction" / "before", root)
    return root


def snapshot(folder: Path) -> dict[str, bytes]:
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def session(work: Callable[[ClientSession, Call], Awaitable[None]], *words: str | Path) -> None:
    """Start a server, do the work, and end it."""

    async def run() -> None:
        server = StdioServerParameters(command=sys.executable, args=["-m", "cudamigrate", "mcp", *map(str, words)])
        async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
            await client.initialize()

            async def call(tool: str, **arguments: Any) -> dict[str, Any]:
                result: Any = await client.call_tool(tool, arguments)
                if result.is_error:
                    raise RefusedError(result.content[0].text)
                assert len(result.content[0].text) < 40_000, "answers are small"
                return dict(result.structured_content)

            await work(client, call)

    asyncio.run(run())


async def _refused(call: Awaitable[object]) -> str:
    with pytest.raises(RefusedError) as caught:
        await call
    return str(caught.value)


def test_an_agent_finds_reads_fixes_and_proves_in_the_output_alone(project: Path, tmp_path: Path) -> None:
    output, before = tmp_path / "hip", snapshot(project)

    async def work(client: ClientSession, call: Call) -> None:
        listed = await client.list_tools()
        assert {tool.name for tool in listed.tools} == {
            "scan", "findings", "tasks", "explain", "apply_fix", "verify",
        }  # fmt: skip
        assert all(tool.output_schema for tool in listed.tools)

        seen = await call("scan")
        assert seen["findings"] > 0 and seen["fixed_by_apply"] <= seen["findings"]
        everywhere = (await call("findings", limit=50))["findings"]
        path = next(one["path"] for one in everywhere if one["fix"] == "safe" and one["rule"].startswith("api/"))

        page = await call("findings", path=path, limit=2)
        assert page["total"] > 2 and page["next_offset"] == 2
        rest = await call("findings", path=path, offset=2, limit=50)
        every = [*page["findings"], *rest["findings"]]
        assert len({one["id"] for one in every}) == page["total"]

        fixable = next(one for one in every if one["fix"] == "safe" and one["rule"].startswith("api/"))
        answer = await call("explain", name=fixable["rule"])
        assert fixable["rule"] in answer["text"]
        assert (await call("explain", name="cudaMaloc"))["nearest"] == "cudaMalloc"

        fixed = await call("apply_fix", path=path, finding_id=fixable["id"])
        assert path in fixed["written"] and fixed["diff"].startswith(f"--- a/{path}")
        assert (output / path).read_bytes() != before[path]
        again = await call("findings", path=path, limit=50)
        assert fixed["left_in_file"] == again["total"] < page["total"]
        assert "has no finding" in await _refused(call("apply_fix", path=path, finding_id=fixable["id"]))

    session(work, project, "--output", output)
    assert snapshot(project) == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["hip", "project"]


def test_without_an_output_nothing_is_written_and_paths_stay_inside(project: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.cu"
    secret.write_text("void f(void **p) { cudaMalloc(p, 4); }\n")
    (project / "link.cu").symlink_to(secret)
    before = snapshot(tmp_path)

    async def work(client: ClientSession, call: Call) -> None:
        listed = (await call("findings", limit=50))["findings"]
        one = next(one for one in listed if one["fix"] == "safe")
        fixed = await call("apply_fix", path=one["path"], finding_id=one["id"])
        assert fixed["written"] == [] and fixed["diff"]
        for path in ("../secret.cu", str(secret), "link.cu", "/etc/passwd"):
            assert "outside" in await _refused(call("findings", path=path))
            assert "outside" in await _refused(call("apply_fix", path=path, finding_id="0"))
            assert "outside" in await _refused(call("verify", path=path))
        assert "does not exist" in await _refused(call("tasks", path="none.cu"))

    session(work, project)
    assert snapshot(tmp_path) == before


def test_tasks_follow_what_the_agent_writes(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.cu").write_text("void f(cudaGraphicsResource *r) { cudaGraphicsEGLRegisterImage(r, 0, 0); }\n")

    async def work(client: ClientSession, call: Call) -> None:
        page = await call("tasks", limit=1)
        (task,) = page["tasks"]
        assert task["path"] == "a.cu" and f"{project}/a.cu" in task["prove"][0]
        (project / "a.cu").write_text("void f() {}\n")
        assert (await call("tasks"))["total"] == 0

    session(work, project, "--output", project)


PROGRAM = """#include <cuda_runtime.h>
#include <cstdio>
__global__ void twice(float *v) { v[threadIdx.x] *= 2; }
int main() {
  float h[4] = {1, 2, 3, 4}, *d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  twice<<<1, 4>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  printf("%g\\n", h[3]);
  cudaFree(d);
}
"""


def test_what_was_converted_is_type_checked_and_run_where_that_is_allowed(tmp_path: Path) -> None:
    pytest.importorskip("clang", reason="the extra `verify` is not installed")
    project, output = tmp_path / "project", tmp_path / "hip"
    project.mkdir()
    (project / "a.cu").write_text(PROGRAM)
    assert command_line.run("apply", project, "--output", output, "--no-verify").returncode == 0

    async def work(client: ClientSession, call: Call) -> None:
        judged = await call("verify", path="a.cu")
        assert judged["absent"] or (judged["ok"] and judged["counts"] == {"checked": 1})
        ran = await call("run", time_limit=30)
        if not ran["absent"]:
            assert ran["ok"] and [one["verdict"] for one in ran["programs"]] == ["same"]
        (output / "a.cu").write_text((output / "a.cu").read_text().replace("*= 2", "*= undeclared"))
        judged = await call("verify")
        if not judged["absent"]:
            assert not judged["ok"] and "undeclared" in judged["complaints"][0]["message"]
            assert (judged["complaints"][0]["path"], judged["complaints"][0]["line"]) == ("a.cu", 3)

    session(work, project, "--output", output, "--allow-run")


def test_a_folder_of_somebody_else_is_refused_before_anything_starts(project: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all of it")
    command = [sys.executable, "-m", "cudamigrate", "mcp", str(project), "--output", str(tmp_path / "mine")]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 2 and "was not made by cudamigrate" in done.stderr
