"""The language server: one object, and one table of what answers which method."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Generator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, NoReturn

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from sqlscribe import __version__
from sqlscribe.answer_queue import AnswerQueue
from sqlscribe.lsp import (
    actions,
    answers,
    commands,
    completion,
    configuration,
    convert,
    diagnostics,
    editor_log,
    editor_model,
    fetched,
    hover,
    inline_completion,
    lenses,
    navigation,
    notebooks,
    outline,
    preview,
    process,
    report,
    running,
    status,
    targets,
)
from sqlscribe.lsp.encoded import Encoded, message
from sqlscribe.models.chat import Hear
from sqlscribe.notation.document import Document, Encoding
from sqlscribe.rewrites import Rewrites
from sqlscribe.session import Opened, Session

logger = logging.getLogger(__name__)


class Protocol(LanguageServerProtocol):
    """pygls's protocol with documents of our own.

    Its documents split lines at characters that are no line ends in LSP, so that every position
    behind one would be off.
    """

    _server: SQLScribeServer

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(
        self, params: types.InitializeParams
    ) -> Generator[Any, Any, types.InitializeResult]:
        result = yield from super().lsp_initialize(params)
        preview.announce(result.capabilities)
        if not self._server.diagnostics.fetched.is_on:
            # It is sent them, and would show each of them twice.
            result.capabilities.diagnostic_provider = None
        return result

    def structure_message(self, data: Any) -> Any:
        """Both sides learn of what cannot be read; the library only logs it, and one waits.

        A request gets an error, and a wait for the editor's answer ends with one.
        """
        try:
            return self._as_opened(super().structure_message(data))
        except JsonRpcException:
            method, number = data.get("method"), data.get("id")
            if isinstance(number, int | str):
                what = f"the parameters of {method}" if method else "the answer"
                error = JsonRpcInvalidParams(f"{what} cannot be read").to_response_error()
                if method:
                    self._send_response(number, error=error)
                else:
                    self._handle_response(number, error=error)
            raise

    def _as_opened(self, said: Any) -> Any:
        """A message with its document spelled as it was when that was opened."""
        named = getattr(getattr(said, "params", None), "text_document", None)
        if named is not None and not isinstance(named, types.TextDocumentItem):
            named.uri = targets.spelled(self._server, named.uri)
        return said

    def _execute_handler(self, msg_id: int | str, *args: Any, **options: Any) -> None:
        """The library keeps what notifications and commands came to for good; here it goes."""
        super()._execute_handler(msg_id, *args, **options)
        future = self._request_futures.get(msg_id)
        if future is None:
            return
        loop = asyncio.get_running_loop()

        def done(which: Any) -> None:
            # By a worker, or while all of them are cancelled: not at once. A loop that has ended
            # takes nothing, and the process goes with it.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._forget, msg_id, which)

        future.add_done_callback(done)

    def _forget(self, msg_id: int | str, done: Any) -> None:
        if self._request_futures.get(msg_id) is done:
            del self._request_futures[msg_id]

    def _send_handler_result(self, future: Future[Any], *, msg_id: int | str) -> None:
        """What is refused for a reason is no failure of the server; the library logs it as one."""
        error = None if future.cancelled() else future.exception()
        if isinstance(error, JsonRpcException) and error.code == types.LSPErrorCodes.RequestFailed:
            self._request_futures.pop(msg_id, None)
            self._send_response(msg_id, error=error.to_response_error())
        else:
            super()._send_handler_result(future, msg_id=msg_id)

    def _send_data(self, data: Any) -> None:
        result = getattr(data, "result", None)
        if isinstance(result, Encoded) and self.writer is not None:
            self.writer.write(message(data.id, result, self._include_headers))
        else:
            super()._send_data(data)

    def send_request_async(
        self, method: str, params: Any = None, msg_id: int | str | None = None
    ) -> asyncio.Future[Any]:
        """An answer that nobody waits for any more is dropped; the library would break on it."""
        return asyncio.shield(super().send_request_async(method, params, msg_id))

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        said = convert.opened(item.uri, item.language_id)
        self._server.take(Document(item.uri, item.text, item.version), said)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        self._server.change(params.text_document, params.content_changes)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self._server.leave(params.text_document.uri)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_OPEN)
    def lsp_notebook_document__did_open(self, params: types.DidOpenNotebookDocumentParams) -> None:
        notebooks.opened(self._server, params)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def lsp_notebook_document__did_change(
        self, params: types.DidChangeNotebookDocumentParams
    ) -> None:
        notebooks.changed(self._server, params)

    @lsp_method(types.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def lsp_notebook_document__did_close(
        self, params: types.DidCloseNotebookDocumentParams
    ) -> None:
        notebooks.closed(self._server, params)

    def plain(self, value: object) -> Any:
        """A protocol object as JSON data, for results of our own requests."""
        return self._converter.unstructure(value)

    @lsp_method(types.EXIT)
    def lsp_exit(self, *_: object) -> NoReturn:
        self._server.session.shutdown()
        process.leave(0 if self._shutdown else 1)

    @lsp_method(types.SHUTDOWN)
    def lsp_shutdown(self, *_: object) -> Generator[Any, Any, None]:
        self._server.cancel_all()
        yield from super().lsp_shutdown()


class SQLScribeServer(LanguageServer):
    """pygls's server with the session of this editor, and the tasks it has under way."""

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__(
            "sqlscribe",
            __version__,
            protocol_cls=Protocol,
            converter_factory=default_converter,
            notebook_document_sync=notebooks.OPTIONS,
            max_workers=2,
        )
        self.session = Session()
        self.has_editor_model = False
        self.diagnostics = diagnostics.Publisher(self)
        self.unplaced: dict[answers.Key, str] = {}
        """Answers whose question had changed when they came, by URI and identity."""
        self.handed: dict[answers.Key, tuple[str, tuple[str, ...]]] = {}
        """Answers whose edits the editor was given last, likewise, with what those insert."""
        self.choices: dict[answers.Key, tuple[str, ...]] = {}
        """The readings of questions that can be read in more than one way, likewise."""
        self.withheld: dict[answers.Key, bool] = {}
        """Questions that seem to have no answer here, likewise."""
        self.queue: AnswerQueue[Any] = AnswerQueue(self.spawn, lambda: report.refresh_lenses(self))
        self.rewrites = Rewrites()
        self.previews = preview.Previews(self)
        self.inspections = lenses.Inspections(self)
        self.ghosts = inline_completion.Ghosts()
        self.hearing: dict[int | str, Hear] = {}
        """Who hears the pieces of the editor's replies, by the token that they come under."""
        self.runs = running.Runs()
        self.status = status.Status(self)
        self.log = editor_log.EditorLog(self)
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def encoding(self) -> Encoding:
        """Units of the positions, as agreed on in ``initialize``."""
        match self.protocol.workspace.position_encoding:
            case types.PositionEncodingKind.Utf8:
                return "utf-8"
            case types.PositionEncodingKind.Utf32:
                return "utf-32"
            case _:
                return "utf-16"

    def take(self, document: Document, said: Opened | None = None) -> None:
        """A document was opened, with what the editor says of it, or changed."""
        self.session.open(document, convert.path_of(document.uri), said)
        answers.seen(self, document.uri)
        self.diagnostics.schedule(look=False)
        self.previews.changed(document.uri)
        self.ghosts.end(document.uri)

    def change(
        self,
        named: types.VersionedTextDocumentIdentifier,
        changes: Sequence[types.TextDocumentContentChangeEvent],
    ) -> None:
        """A document was typed in."""
        known = self.session.documents.get(named.uri)
        if known is None:
            logger.warning("a change of a document that is not open: ignored")
            return
        document = known.host
        for change in changes:
            document = convert.changed(document, change, self.encoding)
        self.take(document.next(document.text, named.version))

    def leave(self, uri: str) -> None:
        """A document was closed."""
        self.session.close(uri)
        answers.seen(self, uri)
        self.ghosts.end(uri)
        self.diagnostics.closed(uri)
        self.inspections.closed(uri)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run something in the background; what goes wrong there is logged, not lost."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def cancel_all(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("a background task failed", exc_info=error)


def create_server() -> SQLScribeServer:
    """A server with every feature bound; nothing heavy is imported yet."""
    server = SQLScribeServer()
    feature = server.feature
    feature(types.INITIALIZE)(configuration.initialize)
    feature(types.INITIALIZED)(configuration.initialized)
    feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)(configuration.did_change_configuration)
    feature(types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(configuration.did_change_folders)
    feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)(diagnostics.did_change_files)
    feature(types.TEXT_DOCUMENT_DID_SAVE)(diagnostics.did_save)
    feature(types.NOTEBOOK_DOCUMENT_DID_SAVE)(notebooks.saved)
    feature(types.TEXT_DOCUMENT_DIAGNOSTIC, fetched.OPTIONS)(fetched.document_diagnostic)
    feature(types.WORKSPACE_DIAGNOSTIC)(fetched.workspace_diagnostic)
    feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=list(actions.KINDS), resolve_provider=True),
    )(actions.code_actions)
    feature(types.CODE_ACTION_RESOLVE)(actions.resolve)
    feature(types.TEXT_DOCUMENT_HOVER)(hover.hover)
    feature(types.TEXT_DOCUMENT_COMPLETION, completion.OPTIONS)(completion.completion)
    feature(types.TEXT_DOCUMENT_INLINE_COMPLETION, inline_completion.OPTIONS)(
        inline_completion.inline_completion
    )
    feature(types.TEXT_DOCUMENT_DEFINITION)(navigation.definition)
    feature(types.TEXT_DOCUMENT_REFERENCES)(navigation.references)
    feature(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)(navigation.document_highlight)
    feature(types.TEXT_DOCUMENT_RENAME, types.RenameOptions(prepare_provider=True))(
        navigation.rename
    )
    feature(types.TEXT_DOCUMENT_PREPARE_RENAME)(navigation.prepare_rename)
    feature(types.WORKSPACE_SYMBOL)(navigation.workspace_symbols)
    feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(outline.document_symbols)
    feature(types.TEXT_DOCUMENT_FOLDING_RANGE)(outline.folding_ranges)
    feature(types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, outline.LEGEND)(outline.semantic_tokens)
    feature(types.TEXT_DOCUMENT_CODE_LENS, lenses.OPTIONS)(lenses.code_lens)
    feature(types.CODE_LENS_RESOLVE)(lenses.resolve)
    feature(types.WORKSPACE_TEXT_DOCUMENT_CONTENT)(preview.content)
    feature(editor_model.CHANGED_METHOD)(editor_model.models_changed)
    feature(types.PROGRESS)(editor_model.piece_came)
    feature(answers.ANSWER_METHOD)(answers.answer)
    feature(running.METHOD)(running.run)
    commands.register(server)
    return server
