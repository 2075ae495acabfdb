"""The language server, asked by a client over standard input and output."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra `server` is not installed")

from lsprotocol import types
from pygls.lsp.client import LanguageClient

SOURCE = """#include <cuda_runtime.h>
/* \U0001f600 */ void f(void **p) { cudaMalloc(p, 4); }
__global__ void k(float *v) {
  v[0] = __shfl_down_sync(0xffffffff, v[0], 16);
}
"""
SHORT = "#include <cuda_runtime.h>\nvoid f(void **p) { cudaMalloc(p, 4); }\n"


class Editor:
    """A client with one open file, and the problems reported to it."""

    def __init__(self, client: LanguageClient, path: Path) -> None:
        self.client, self.path, self.uri = client, path, path.as_uri()
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.messages: asyncio.Queue[types.ShowMessageParams] = asyncio.Queue()

    async def open(self, text: str) -> list[types.Diagnostic]:
        item = types.TextDocumentItem(self.uri, "cuda-cpp", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return list((await self.next()).diagnostics)

    async def next(self) -> types.PublishDiagnosticsParams:
        return await asyncio.wait_for(self.published.get(), 60)

    def change(self, text: str, version: int) -> None:
        named = types.VersionedTextDocumentIdentifier(version, self.uri)
        whole = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(named, [whole]))

    async def actions(self, line: int, only: list[str] | None = None) -> list[types.CodeAction]:
        named, where = types.TextDocumentIdentifier(self.uri), types.Position(line, 0)
        context = types.CodeActionContext([], only=only)
        asked = types.CodeActionParams(named, types.Range(where, where), context)
        return list(await self.client.text_document_code_action_async(asked) or [])  # type: ignore[arg-type]

    async def hover(self, line: int, character: int) -> types.Hover | None:
        named = types.TextDocumentIdentifier(self.uri)
        return await self.client.text_document_hover_async(types.HoverParams(named, types.Position(line, character)))


def session(path: Path, work: Callable[[Editor], Awaitable[None]]) -> None:
    """Start a server for the folder of `path`, do the work, and end it as editors do."""

    async def run() -> None:
        client = LanguageClient("tests", "1")
        editor = Editor(client, path)

        @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: types.PublishDiagnosticsParams) -> None:
            editor.published.put_nowait(params)

        @client.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(params: types.ShowMessageParams) -> None:
            editor.messages.put_nowait(params)

        await client.start_io(sys.executable, "-m", "cudamigrate", "server")
        await client.initialize_async(types.InitializeParams(types.ClientCapabilities(), root_uri=path.parent.as_uri()))
        client.initialized(types.InitializedParams())
        await work(editor)
        await client.shutdown_async(None)
        client.exit(None)
        process: Any = client._server
        assert await asyncio.wait_for(process.wait(), 30) == 0
        await client.stop()

    asyncio.run(run())


def applied(text: str, action: types.CodeAction) -> str:
    """The text after the edits of an action, made from the last to the first; all take whole lines."""
    assert action.edit is not None and action.edit.changes is not None
    ((_, edits),) = action.edit.changes.items()
    lines = text.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda one: one.range.start.line, reverse=True):
        assert edit.range.start.character == edit.range.end.character == 0
        lines[edit.range.start.line : edit.range.end.line] = [edit.new_text]
    return "".join(lines)


def test_an_open_file_has_its_problems_explanations_and_fixes(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_text("// what is on disk is not what the editor shows\n")

    async def work(editor: Editor) -> None:
        problems = await editor.open(SOURCE)
        malloc = next(one for one in problems if "cudaMalloc" in one.message)
        start, end = malloc.range.start, malloc.range.end
        line = SOURCE.splitlines()[1].encode("utf-16-le")
        assert line[2 * start.character : 2 * end.character].decode("utf-16-le") == "cudaMalloc(p, 4)"
        assert malloc.source == "cudamigrate" and start.line == 1
        assert {one.range.start.line for one in problems} == {0, 1, 3}

        page = await editor.hover(1, start.character + 2)
        assert page is not None and isinstance(page.contents, types.MarkupContent)
        assert "hipMalloc" in page.contents.value and page.range == malloc.range
        assert await editor.hover(1, 22) is None

        fix = next(one for one in await editor.actions(1) if str(one.title).startswith("Fix api/"))
        assert applied(SOURCE, fix) == SOURCE.replace("cudaMalloc", "hipMalloc")
        assert fix.diagnostics is not None and fix.diagnostics[0].code == malloc.code
        (whole,) = await editor.actions(0, ["source.fixAll"])
        after = applied(SOURCE, whole)
        assert "hip/hip_runtime.h" in after and "hipMalloc" in after and "cuda" not in after
        assert await editor.actions(2, ["refactor"]) == []

    session(path, work)
    assert path.read_text() == "// what is on disk is not what the editor shows\n"
    assert [one.name for one in tmp_path.iterdir()] == ["a.cu"]


def test_problems_follow_changes_comments_and_configuration(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"

    async def work(editor: Editor) -> None:
        assert await editor.open(SOURCE) != []
        editor.change("int f();\n", 2)
        editor.change(SOURCE, 3)
        editor.change(SHORT, 4)
        published = await editor.next()
        assert published.version == 4 and len(published.diagnostics) == 2  # the versions between were never analysed
        comment = next(one for one in await editor.actions(1) if str(one.title).startswith("Ignore"))
        editor.change(applied(SHORT, comment), 5)
        assert [one.range.start.line for one in (await editor.next()).diagnostics] == [0]

        (tmp_path / ".cudamigrate.toml").write_text("rocm = 7\n")
        change = types.FileEvent((tmp_path / ".cudamigrate.toml").as_uri(), types.FileChangeType.Created)
        editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([change]))
        message = await asyncio.wait_for(editor.messages.get(), 60)
        assert "`rocm` must be a string" in message.message

        named = types.TextDocumentIdentifier(editor.uri)
        editor.client.text_document_did_close(types.DidCloseTextDocumentParams(named))
        assert list((await editor.next()).diagnostics) == []

    session(path, work)


def test_a_file_that_is_not_read_has_no_problems(tmp_path: Path) -> None:
    async def work(editor: Editor) -> None:
        assert await editor.open("cudaMalloc in prose\n") == []
        assert await editor.actions(0) == [] and await editor.hover(0, 2) is None

    session(tmp_path / "notes.txt", work)
