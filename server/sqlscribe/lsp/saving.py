"""*Save as verified example*: the edit of a training file, in whatever way the client can."""

from __future__ import annotations

import asyncio
import datetime
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlscribe.lsp import answers, convert, targets
from sqlscribe.lsp.edits import edit_of, new_file
from sqlscribe.lsp.work import Done
from sqlscribe.notation.document import Document
from sqlscribe.notation.question import own_dialect

if TYPE_CHECKING:
    from sqlscribe.knowledge.examples import Example
    from sqlscribe.loading import Loaded
    from sqlscribe.lsp.server import SQLScribeServer
    from sqlscribe.notation.asks import Question, Script
    from sqlscribe.saving import Saved, Verified

NO_FOLDER = "there is no folder to save it in: open the one with the workspace's files"


async def work(server: SQLScribeServer, data: Any) -> Done:
    """Save the answer of a question; with ``replace`` in place of the one that is saved."""
    script = await targets.script_of(server, data)
    question = targets.question_of(server, script, data) if script is not None else None
    if script is None or question is None:
        return Done(problem=answers.CHANGED)
    root = server.session.place(script.document.uri).root
    if root is None:
        return Done(problem=NO_FOLDER)
    loaded = await server.session.load(root)
    verified = await asyncio.to_thread(_verified, server, script, question, root, loaded)
    if verified is None:
        return Done(problem="there is no answer under this question to save")
    from sqlscribe import saving

    same, other = saving.twins(verified, loaded.examples)
    if same is not None:
        return Done(problem=already(same, root))
    if other is not None and data.get("replace"):
        return await _replace(server, verified, other, loaded)
    if other is not None:
        return Done(problem=f"the question has another answer in {_where(other, root)}: replace it")
    return await _add(server, root, verified, loaded)


def already(example: Example, root: Path) -> str:
    return f"this answer is verified already, in {_where(example, root)}"


def _where(example: Example, root: Path) -> str:
    file = example.file
    name = file.relative_to(root).as_posix() if file.is_relative_to(root) else file.name
    return f"{name}, line {example.line + 1}"


def _verified(
    server: SQLScribeServer, script: Script, question: Question, root: Path, loaded: Loaded
) -> Verified | None:
    from sqlscribe import origins, saving
    from sqlscribe.checking.check import check
    from sqlscribe.git_author import git_author
    from sqlscribe.provenance import schema_fingerprint

    sql = script.sql_of(question) if origins.is_answered(question) else ""
    dialect = own_dialect(question)
    verified = saving.verified_of(question, sql, dialect)
    if verified is None:
        return None
    used = check(sql, loaded.schema, dialect).tables
    known = server.session.origins(root).known(loaded)
    return replace(
        verified,
        by=git_author(root, server.session.environment),
        at=datetime.date.today().isoformat(),
        schema=schema_fingerprint(used, known),
    )


async def _add(server: SQLScribeServer, root: Path, verified: Verified, loaded: Loaded) -> Done:
    from sqlscribe import saving

    patterns = loaded.settings.training
    path, there = await asyncio.to_thread(saving.training_file, root, patterns)
    if path is None:
        return Done(problem="no pattern under training takes a .sql file")
    done = await _add_to(server, root, path, verified, loaded, "" if not there else None)
    if done.edit is not None or done.note or verified.dialect == loaded.dialect:
        return done
    own = saving.own_file(root, path, verified.dialect, patterns)
    if own is None:
        return done
    there = await asyncio.to_thread(own.exists)
    head = None if there else saving.head_of(verified.dialect)
    return await _add_to(server, root, own, verified, loaded, head)


async def _add_to(
    server: SQLScribeServer,
    root: Path,
    path: Path,
    verified: Verified,
    loaded: Loaded,
    head: str | None,
) -> Done:
    """Add to a file that is there, or to a new one that begins with ``head``."""
    from sqlscribe import saving

    name = path.relative_to(root).as_posix()
    if head is None:
        document = await _document(server, path, loaded)
    else:
        document = Document(path.as_uri(), head)
    if document is None:
        return Done(problem=f"{name} cannot be read")
    saved = saving.added(document, path, verified, loaded.dialect)
    if saved.reason:
        return Done(problem=f"not saved: {saved.reason}")
    if head is not None:
        return await _create(server, path, name, saved)
    edit = edit_of(server, saved.document, saved.edits)
    return Done(edit, note=f"saved in {name}")


async def _replace(
    server: SQLScribeServer, verified: Verified, old: Example, loaded: Loaded
) -> Done:
    from sqlscribe import saving

    if old.file.suffix.casefold() != ".sql":
        return Done(problem=f"change it in {old.file.name}, line {old.line + 1}")
    document = await _document(server, old.file, loaded)
    if document is None:
        return Done(problem=f"{old.file.name} cannot be read")
    saved = saving.replaced(document, old.file, old, verified, loaded.dialect)
    if saved.reason:
        return Done(problem=f"not saved: {saved.reason}")
    edit = edit_of(server, saved.document, saved.edits)
    return Done(edit, note=f"replaced in {old.file.name}")


async def _document(server: SQLScribeServer, path: Path, loaded: Loaded) -> Document | None:
    """The text of a training file: the editor's where it is open there, else from disk."""
    for document in server.session.documents.values():
        if convert.path_of(document.uri) == path:
            return document
    from sqlscribe import saving

    return await asyncio.to_thread(saving.document_of, path, loaded.settings.encoding)


async def _create(server: SQLScribeServer, path: Path, name: str, saved: Saved) -> Done:
    """A new file: by the client where it makes files, else written here, and told."""
    text = saved.document.changed(saved.edits).text
    edit = new_file(server, path.as_uri(), text)
    if edit is not None:
        return Done(edit, note=f"saved in {name}, a new file")
    from sqlscribe import saving

    try:
        await asyncio.to_thread(saving.write_new, path, text)
    except OSError as error:
        return Done(problem=f"{name} cannot be written: {error.strerror or error}")
    server.diagnostics.schedule()
    return Done(note=f"saved in {name}, a new file")
