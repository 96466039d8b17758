"""Other language servers for SQL on the same file, in environments of their own.

What can be compared is what they do too. They are installed once into a folder that may be
deleted at any time; where one cannot be had, the reason is told.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from editor_client import Client, ServerError
from editor_workspace import Generated, columns

ROUNDS = 20
INSTALL_SECONDS = 900
_SETTLED_SECONDS = 2.0
_TYPED = "sales_12"


class Missing(Exception):
    """Why a server cannot be compared with."""


@dataclass(frozen=True)
class Peer:
    """A server that is up, and how it wants to be told of a change."""

    name: str
    client: Client
    whole: bool


def sqlmesh(place: Path, generated: Generated) -> list[str]:
    """Install SQLMesh's server, and tell it of the tables as external models."""
    program = place / "sqlmesh/bin/sqlmesh_lsp"
    if not program.exists():
        _run([sys.executable, "-m", "venv", str(place / "sqlmesh")])
        pip = [str(place / "sqlmesh/bin/python"), "-m", "pip", "install", "--quiet"]
        _run([*pip, "--disable-pip-version-check", "sqlmesh[lsp]"])
    config = "gateways: {local: {connection: {type: duckdb}}}\n"
    config += "default_gateway: local\nmodel_defaults: {dialect: postgres}\n"
    models = "".join(
        f"- name: {name}\n  columns: {{{', '.join(f'{c}: {kind}' for c, kind in of)}}}\n"
        for name, of in columns(generated)
    )
    _write(generated.folder, {"config.yaml": config, "external_models.yaml": models})
    return [str(program)]


def node_server(place: Path, generated: Generated) -> list[str]:
    """Install sql-language-server, and give it the tables as its own kind of JSON file."""
    if shutil.which("npm") is None:
        raise Missing("there is no npm")
    program = place / "node/node_modules/.bin/sql-language-server"
    if not program.exists():
        (place / "node").mkdir(parents=True, exist_ok=True)
        npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix"]
        # Its own bounds let in a version of the protocol's library that it cannot load.
        packages = ["vscode-languageserver-protocol@3.17.5", "sql-language-server@1.7.1"]
        _run([*npm, str(place / "node"), *packages])
    schema = {
        "tables": [
            {
                "catalog": None,
                "database": None,
                "tableName": name,
                "columns": [{"columnName": c, "description": kind} for c, kind in of],
            }
            for name, of in columns(generated)
        ],
        "functions": [],
    }
    setting = {"name": "json", "adapter": "json", "filename": str(generated.folder / "tables.json")}
    _write(
        generated.folder,
        {"tables.json": json.dumps(schema), ".sqllsrc.json": json.dumps(setting)},
    )
    return [str(program), "up", "--method", "stdio"]


PEERS = {"sqlmesh": sqlmesh, "sql-language-server": node_server}


def compared(ours: Sequence[str], generated: Generated, place: Path) -> str:
    """The same keystrokes in every server, in turn, and what came of them: a table."""
    place.mkdir(parents=True, exist_ok=True)
    reasons: list[str] = []
    commands = {"sqlscribe": list(ours)}
    for name, install in PEERS.items():
        try:
            commands[name] = install(place, generated)
        except (Missing, OSError, subprocess.SubprocessError) as error:
            reasons.append(f"skipped: {name}: {_short(error)}")
    with ExitStack() as stack:
        peers = []
        for name, command in commands.items():
            client = stack.enter_context(Client(command, generated.folder))
            try:
                peers.append(_started(name, client, generated))
            except (ServerError, TimeoutError) as error:
                reasons.append(f"skipped: {name}: {_short(error)}")
        rows = [f"{'key, then completion of a table, in the same file':50}{'p50':>9}{'p95':>9} ms"]
        rows += [_row(peer, seconds, note) for peer, seconds, note in _measured(peers, generated)]
    return "\n".join([*rows, *reasons])


def _started(name: str, client: Client, generated: Generated) -> Peer:
    client.initialize(generated.folder)
    sync = client.capabilities.get("textDocumentSync")
    kind = sync.get("change") if isinstance(sync, dict) else sync
    item = {"uri": generated.uri, "languageId": "sql", "version": 1, "text": generated.text}
    client.notify("textDocument/didOpen", {"textDocument": item})
    client.quiet(_SETTLED_SECONDS)
    peer = Peer(name, client, kind == 1)
    # The first one waits for what is still being read.
    _complete(peer, generated, 0, version=2, seconds=300)
    client.quiet(_SETTLED_SECONDS)
    return peer


def _measured(peers: Sequence[Peer], generated: Generated) -> list[tuple[Peer, list[float], str]]:
    figures: list[tuple[Peer, list[float], str]] = [(peer, [], "") for peer in peers]
    for number in range(1, ROUNDS + 1):
        for place, (peer, seconds, _) in enumerate(figures):
            try:
                took, note = _complete(peer, generated, 7 * number, version=2 + number)
            except (ServerError, TimeoutError) as error:
                figures[place] = (peer, seconds, _short(error))
                continue
            figures[place] = (peer, [*seconds, took], note)
    return figures


def _complete(
    peer: Peer, generated: Generated, question: int, version: int, seconds: float = 60
) -> tuple[float, str]:
    """Type the beginning of a table's name in FROM and ask what may follow.

    Seconds from the keystroke to the answer, and what that was. What was typed the time before
    is the text again.
    """
    lines = generated.text.split("\n")
    line = generated.line(question, 3)
    lines[line] = f"FROM {_TYPED}"
    changed: dict[str, Any] = {"text": "\n".join(lines)}
    changes = [changed]
    if not peer.whole:
        # The whole at once, but as a range: the server may read what is left as it likes.
        before = {"line": line, "character": 0}
        after = {"line": line, "character": len(generated.text.split("\n")[line])}
        changes = [{"range": {"start": before, "end": after}, "text": lines[line]}]
    identifier = {"uri": generated.uri, "version": version * 2}
    params = {"textDocument": identifier, "contentChanges": changes}
    position = {"line": line, "character": len(lines[line])}
    asked = {
        "textDocument": {"uri": generated.uri},
        "position": position,
        "context": {"triggerKind": 1},
    }
    start = time.perf_counter()
    peer.client.notify("textDocument/didChange", params)
    reply = peer.client.request("textDocument/completion", asked, seconds)
    took = time.perf_counter() - start
    _undo(peer, generated, line, lines[line], version * 2 + 1)
    items = reply.result.get("items") if isinstance(reply.result, dict) else reply.result
    fitting = [each for each in items or [] if _TYPED in str(each.get("label"))]
    return took, f"{len(items or [])} items, {len(fitting)} of them fit"


def _undo(peer: Peer, generated: Generated, line: int, typed: str, version: int) -> None:
    changes: list[dict[str, Any]] = [{"text": generated.text}]
    if not peer.whole:
        start, end = {"line": line, "character": 0}, {"line": line, "character": len(typed)}
        was = generated.text.split("\n")[line]
        changes = [{"range": {"start": start, "end": end}, "text": was}]
    identifier = {"uri": generated.uri, "version": version}
    params = {"textDocument": identifier, "contentChanges": changes}
    peer.client.notify("textDocument/didChange", params)


def _row(peer: Peer, seconds: Sequence[float], note: str) -> str:
    if not seconds:
        return f"  {peer.name:48}{'':>18}    {note}"
    ordered = sorted(seconds)
    middle, high = (
        1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.95)
    )
    held = peer.client.resident()
    memory = f", {held:,.0f} MB" if held is not None else ""
    return f"  {peer.name:48}{middle:9.1f}{high:9.1f}    {note}{memory}"


def _run(command: list[str]) -> None:
    """Run an installer. Raises ``Missing`` with its last words where it fails."""
    print(f"installing {command[-1].rpartition('/')[2]} …", file=sys.stderr)
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=INSTALL_SECONDS, env=os.environ
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise Missing(f"it could not be installed: {said[-1] if said else done.returncode}")


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")


def _short(error: BaseException) -> str:
    line = " ".join(str(error).split())
    return line if len(line) <= 160 else f"{line[:159]}…"
