"""``sqlscribe demo``: the bundled workspace, a real server over stdio, and a real client.

Everything happens in a copy of ``examples/shop``, so that the bundled one stays as it is. The
questions go the way an editor's go: code action, resolve, edit. Only then does this program
run the SQL, read-only, on a database made of the example's own DDL and CSV files.
"""

from __future__ import annotations

import csv
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from sqlscribe import __version__
from sqlscribe.loading import bundled
from sqlscribe.lsp import convert
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document, Position, Range, TextEdit
from sqlscribe.schema import ddl

_ROWS = 6
_DIALECT = "sqlite"


async def run(svg: Path | None = None) -> int:
    """Ask every question of the example; 0 if the route held, 1 if it did not.

    ``svg`` is where a picture of the terminal is saved.
    """
    console = Console(highlight=False, record=svg is not None, width=100 if svg else None)
    with tempfile.TemporaryDirectory(prefix="sqlscribe-demo-") as folder:
        workspace = Path(folder) / "shop"
        shutil.copytree(
            bundled("examples/shop"), workspace, ignore=shutil.ignore_patterns(".sqlscribe")
        )
        rows = build_database(workspace, workspace / "shop.db")
        console.print(
            f"[bold]SQLScribe demo[/bold] · {workspace.name}: {rows:,} rows in SQLite, made of"
            f" db/*.sql and data/*.csv · model [bold]verified[/bold] (built in, needs no key)"
        )
        client = _DemoClient()
        await client.start_io(sys.executable, "-m", "sqlscribe", "serve")
        try:
            answered = await _ask_all(client, workspace, console)
        finally:
            # Ctrl-C in a terminal ends the server too.
            with suppress(RuntimeError):
                await client.shutdown_async(None)
                client.exit(None)
            await client.stop()  # type: ignore[no-untyped-call]
    if svg is not None:
        console.save_svg(str(svg), title="sqlscribe demo")
    return 0 if answered else 1


def build_database(workspace: Path, target: Path) -> int:
    """Make a SQLite database of the workspace's DDL and CSV files; returns its rows."""
    total = 0
    with closing(sqlite3.connect(target)) as database:
        for script in ddl.migration_order((workspace / "db").glob("*.sql")):
            database.executescript(script.read_text("utf-8"))
        for file in sorted((workspace / "data").glob("*.csv")):
            with file.open(encoding="utf-8", newline="") as lines:
                reader = csv.reader(lines)
                names = next(reader)
                values = [[cell or None for cell in row] for row in reader]
            columns = ", ".join(f'"{name}"' for name in names)
            marks = ", ".join("?" * len(names))
            database.executemany(f'INSERT INTO "{file.stem}" ({columns}) VALUES ({marks})', values)
            total += len(values)
        database.commit()
    return total


class _DemoClient(LanguageClient):
    """An editor without a screen: remembers what the server tells the person."""

    def __init__(self) -> None:
        super().__init__("sqlscribe-demo", __version__)
        self.said: list[str] = []

        @self.feature(types.WINDOW_SHOW_MESSAGE)  # type: ignore[untyped-decorator]
        def told(params: types.ShowMessageParams) -> None:
            self.said.append(params.message)


async def _ask_all(client: _DemoClient, workspace: Path, console: Console) -> bool:
    capabilities = types.ClientCapabilities(
        text_document=types.TextDocumentClientCapabilities(
            code_action=types.CodeActionClientCapabilities(
                resolve_support=types.ClientCodeActionResolveOptions(["edit"]),
                data_support=True,
            )
        )
    )
    folder = types.WorkspaceFolder(workspace.as_uri(), workspace.name)
    await client.initialize_async(types.InitializeParams(capabilities, workspace_folders=[folder]))
    client.initialized(types.InitializedParams())
    file = workspace / "questions.sql"
    document = Document(file.as_uri(), file.read_text("utf-8"), 1)
    item = types.TextDocumentItem(document.uri, "sql", 1, document.text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    answered = 0
    for number in range(len(asks.read(document, _DIALECT).questions)):
        question = asks.read(document, _DIALECT).questions[number]
        console.print()
        console.print(Text(f"-- ask: {question.text}", style="bold cyan"))
        where = document.range(question.span, "utf-16")
        head = await _head(client, document, where.start)
        console.print(Text(f"   {head}", style="dim"))
        action = await _resolved_action(client, document, where)
        result = (action.data or {}).get("answer") if action else None
        if action is None or action.edit is None:
            console.print(Text(f"   {client.said[-1] if client.said else 'no answer'}", "yellow"))
            continue
        answered += 1
        document = _applied(client, document, action.edit)
        _show(console, workspace, result or {})
    return answered > 0


async def _head(client: _DemoClient, document: Document, at: Position) -> str:
    identifier = types.TextDocumentIdentifier(document.uri)
    hover = await client.text_document_hover_async(
        types.HoverParams(identifier, types.Position(*at))
    )
    contents = hover.contents if hover else None
    text = contents.value if isinstance(contents, types.MarkupContent) else ""
    return text.partition("\n")[0]


async def _resolved_action(
    client: _DemoClient, document: Document, where: Range
) -> types.CodeAction | None:
    range_ = types.Range(types.Position(*where.start), types.Position(*where.end))
    offered = await client.text_document_code_action_async(
        types.CodeActionParams(
            types.TextDocumentIdentifier(document.uri), range_, types.CodeActionContext([])
        )
    )
    for action in offered or []:
        if isinstance(action, types.CodeAction) and action.data:
            return await client.code_action_resolve_async(action)
    return None


def _applied(client: _DemoClient, document: Document, edit: types.WorkspaceEdit) -> Document:
    """Do what an editor does with an edit: change its text and tell the server."""
    changes = [
        TextEdit(convert.span(document, change.range, "utf-16"), change.new_text)
        for group in edit.document_changes or []
        if isinstance(group, types.TextDocumentEdit)
        for change in group.edits
        if isinstance(change, types.TextEdit)
    ]
    changed = document.changed(changes, (document.version or 0) + 1)
    whole = types.TextDocumentContentChangeWholeDocument(changed.text)
    identifier = types.VersionedTextDocumentIdentifier(changed.version or 0, changed.uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(identifier, [whole]))
    return changed


def _show(console: Console, workspace: Path, result: dict[str, Any]) -> None:
    sql = result["sql"]
    console.print(Padding(_coloured(sql), (0, 3)))
    found = result["findings"]
    checked = f"checked: {', '.join(result['checked'])}"
    summary = f"{len(found)} finding(s)" if found else "no problems found"
    console.print(Text(f"   {checked} · {summary} · {result['message'] or ''}", style="green"))
    names, rows = read_rows(workspace / "shop.db", sql)
    table = Table(show_edge=False, pad_edge=False, box=None, header_style="bold")
    for name in names:
        table.add_column(name)
    for row in rows[:_ROWS]:
        table.add_row(*("" if value is None else str(value) for value in row))
    console.print(table)
    if len(rows) > _ROWS:
        console.print(Text(f"… {len(rows) - _ROWS} more rows", style="dim"))


_KEYWORDS = (
    r"\b(?:SELECT|FROM|JOIN|LEFT|ON|WHERE|AND|OR|NOT|EXISTS|GROUP|ORDER|BY|LIMIT|AS|DESC|ASC)\b"
)


def _coloured(sql: str) -> Text:
    """SQL in the terminal's own colours, which can be read on light and dark ones."""
    text = Text(sql)
    text.highlight_regex(_KEYWORDS, "blue")
    text.highlight_regex(r"'[^']*'", "magenta")
    return text


def read_rows(database: Path, sql: str) -> tuple[Sequence[str], list[tuple[Any, ...]]]:
    """Run a query in a database that is opened for reading only."""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        # Attaching another file would make it where there is none.
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        cursor = connection.execute(sql)
        return [column[0] for column in cursor.description], cursor.fetchall()
