"""The protocol: what an editor asks, answered from `analysis.py`; `serve` runs until the editor closes the connection.

Files are analysed one after another in a thread of their own, a moment after the last key was pressed, so that the
editor never waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from cudamigrate.errors import MigrateError
from cudamigrate.model import Finding
from cudamigrate.pipeline.run import tool_version
from cudamigrate.server import analysis
from cudamigrate.server.analysis import Analysed, Change

SOURCE = "cudamigrate"
DELAY = 0.2
"""Seconds without a change before a file is analysed again."""
FIX_ALL = "source.fixAll.cudamigrate"
_SEVERITY = {
    "compile-error": types.DiagnosticSeverity.Warning,
    "wrong-result": types.DiagnosticSeverity.Warning,
    "missing": types.DiagnosticSeverity.Information,
    "slower": types.DiagnosticSeverity.Information,
    "fine": types.DiagnosticSeverity.Hint,
}


class Server(LanguageServer):
    """The language server with the last analysis of each open file, by URI and version."""

    def __init__(self) -> None:
        super().__init__(SOURCE, tool_version(), types.TextDocumentSyncKind.Full)
        self._known: dict[str, tuple[int | None, Analysed | None]] = {}
        self._worker = ThreadPoolExecutor(1, "analysis")
        self._reported: set[str] = set()

    async def analysed(self, uri: str) -> Analysed | None:
        """What is known of the file as it is in the editor; None where it is none of ours."""
        document = self.workspace.get_text_document(uri)
        version, text = document.version, document.source
        cached = self._known.get(uri)
        if cached is not None and cached[0] == version and version is not None:
            return cached[1]
        path = uris.to_fs_path(uri)
        if path is None:
            return None
        try:
            found = await asyncio.get_running_loop().run_in_executor(self._worker, analysis.analyse, Path(path), text)
        except MigrateError as error:
            self._tell(str(error))
            found = None
        self._known[uri] = (version, found)
        return found

    def _tell(self, text: str) -> None:
        """Show a message, once: a configuration that is wrong is wrong for every file."""
        if text not in self._reported:
            self._reported.add(text)
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"{SOURCE}: {text}"))

    async def publish(self, uri: str) -> None:
        """Send the problems of a file."""
        found = await self.analysed(uri)
        document = self.workspace.get_text_document(uri)
        said = [] if found is None else _diagnostics(document, found)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, said, document.version))

    def forget(self, uri: str) -> None:
        """Let go of a file that was closed, and take its problems out of the editor."""
        self._known.pop(uri, None)
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    def stale(self) -> list[str]:
        """Drop every analysis, since rules or configuration may have changed; the files that are open."""
        self._known.clear()
        self._reported.clear()
        return list(self.workspace.text_documents)


def _range(document: TextDocument, found: Analysed, start: tuple[int, int], end: tuple[int, int]) -> types.Range:
    """A range in the units of the client, from lines and columns that count characters from 0."""
    places = types.Range(types.Position(*start), types.Position(*end))
    return document.position_codec.range_to_client_units(found.lines, places)


def _place(document: TextDocument, found: Analysed, finding: Finding) -> types.Range:
    start, end = finding.position, finding.end
    return _range(document, found, (start.line - 1, start.column - 1), (end.line - 1, end.column - 1))


def _diagnostic(document: TextDocument, found: Analysed, finding: Finding) -> types.Diagnostic:
    return types.Diagnostic(
        range=_place(document, found, finding),
        message=finding.message,
        severity=_SEVERITY[finding.outcome],
        code=finding.rule,
        source=SOURCE,
        data=finding.fingerprint,
    )


def _diagnostics(document: TextDocument, found: Analysed) -> list[types.Diagnostic]:
    said = [_diagnostic(document, found, finding) for finding in found.problems]
    for remark in found.checked.remarks:
        start = (remark.line - 1, remark.column - 1)
        end = (remark.line - 1, len(found.source.line(remark.line)))
        said.append(
            types.Diagnostic(
                range=_range(document, found, start, end),
                message=f"suppression {remark.message}",
                severity=types.DiagnosticSeverity.Information,
                code="suppression",
                source=SOURCE,
            )
        )
    return said


def _edit(document: TextDocument, found: Analysed, changes: Sequence[Change]) -> types.WorkspaceEdit:
    edits = [types.TextEdit(_range(document, found, (one.start, 0), (one.end, 0)), one.text) for one in changes]
    return types.WorkspaceEdit(changes={document.uri: edits})


def _fix(document: TextDocument, found: Analysed, finding: Finding) -> types.CodeAction | None:
    """The action that makes the fix of a finding; None where it has none that can be made on its own."""
    changes = found.changes(found.together(finding))
    if finding.fix is None or not changes:
        return None
    safe = finding.fix.safety == "safe"
    return types.CodeAction(
        title=f"Fix {finding.rule} for AMD" + ("" if safe else " (needs review)"),
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[_diagnostic(document, found, finding)],
        is_preferred=safe,
        edit=_edit(document, found, changes),
    )


def _suppress(document: TextDocument, found: Analysed, finding: Finding) -> types.CodeAction | None:
    """The action that writes a comment which suppresses a finding, with a place for the reason; None in JSON."""
    if found.source.data.lstrip().startswith(b"{"):
        return None
    line = found.source.line(finding.position.line)
    mark = "//" if found.source.language in ("cuda", "cxx", "") else "#"
    indent = line[: len(line) - len(line.lstrip())]
    text = f"{indent}{mark} cudamigrate: ignore[{finding.rule}] reason\n"
    at = finding.position.line - 1
    return types.CodeAction(
        title=f"Ignore {finding.rule} here: write the reason",
        kind=types.CodeActionKind.QuickFix,
        edit=_edit(document, found, [Change(at, at, text)]),
    )


def _actions(document: TextDocument, found: Analysed, request: types.CodeActionParams) -> list[types.CodeAction]:
    """What can be done: about the problems in the range that is asked for, and about all of the file."""
    first, last = request.range.start.line + 1, request.range.end.line + 1
    made: list[types.CodeAction] = []
    for finding in found.problems:
        if finding.position.line <= last and finding.end.line >= first:
            fix = _fix(document, found, finding)
            made += [action for action in (fix, _suppress(document, found, finding)) if action is not None]
    changes = found.changes(found.fixable())
    if changes:
        title = f"Fix all that is safe for AMD in this file ({len(found.fixable())})"
        made.append(types.CodeAction(title=title, kind=FIX_ALL, edit=_edit(document, found, changes)))
    only = request.context.only
    wanted = tuple(only or ())
    return [one for one in made if only is None or str(one.kind).startswith(wanted)]


def _create() -> Server:
    """The server with its answers."""
    server = Server()

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(server: Server, params: types.DidOpenTextDocumentParams) -> None:
        await server.publish(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(server: Server, params: types.DidChangeTextDocumentParams) -> None:
        await asyncio.sleep(DELAY)
        uri, version = params.text_document.uri, params.text_document.version
        document = server.workspace.text_documents.get(uri)
        if document is not None and document.version == version:
            await server.publish(uri)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(server: Server, params: types.DidSaveTextDocumentParams) -> None:
        await server.publish(params.text_document.uri)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(server: Server, params: types.DidCloseTextDocumentParams) -> None:
        server.forget(params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def watched(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
        for uri in server.stale():
            await server.publish(uri)

    _answers(server)
    return server


def _answers(server: Server) -> None:
    """Add the requests that a person makes: what is this, and what can be done."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(server: Server, params: types.HoverParams) -> types.Hover | None:
        uri = params.text_document.uri
        found = await server.analysed(uri)
        if found is None:
            return None
        document = server.workspace.get_text_document(uri)
        place = document.position_codec.position_from_client_units(found.lines, params.position)
        answer = analysis.meaning(found, place.line, place.character)
        if answer is None:
            return None
        page, start, end = answer
        end = min(end, len(found.source.line(place.line + 1)))
        content = types.MarkupContent(types.MarkupKind.Markdown, page)
        return types.Hover(content, _range(document, found, (place.line, start), (place.line, end)))

    kinds = [types.CodeActionKind.QuickFix, FIX_ALL]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds))
    async def actions(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        found = await server.analysed(params.text_document.uri)
        if found is None:
            return []
        return _actions(server.workspace.get_text_document(params.text_document.uri), found, params)


def serve() -> None:
    """Answer an editor on standard input and output, until it closes them."""
    _create().start_io()
