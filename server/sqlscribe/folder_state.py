"""What an editor may show all the time about a folder: its model, and what is known of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlscribe.loading import Loaded
    from sqlscribe.workspace import Workspace


@dataclass(frozen=True)
class FolderState:
    """Phrases for people, and counts, which are ``None`` until the folder was read.

    ``why`` says why this is the model. ``database`` is ``""`` where none is configured; its
    address is never told.
    """

    index: str
    model: str = ""
    why: str = ""
    dialect: str = ""
    tables: int | None = None
    examples: int | None = None
    database: str = ""
    remarks: tuple[str, ...] = ()


READING = FolderState("the folder is being read")


def state_of(workspace: Workspace, loaded: Loaded) -> FolderState:
    """The state of a folder that was read. Blocks while a model is looked for."""
    model, why = workspace.models.resolved(loaded.settings.model)
    return FolderState(
        _index(workspace, loaded),
        model.name,
        why,
        loaded.dialect,
        len(loaded.schema.tables),
        len(loaded.examples),
        _database(loaded),
        workspace.remarks(loaded),
    )


def _index(workspace: Workspace, loaded: Loaded) -> str:
    if workspace.index.holds(loaded):
        entries = sum(workspace.index.sync(loaded).values())
        return workspace.index.remark or f"{entries:,} entries"
    if loaded.settings.embedding.name == "builtin":
        return "it is being made"
    # Nothing is sent to an embedding model before something is asked.
    return "made with the first question"


def _database(loaded: Loaded) -> str:
    database = loaded.settings.database
    if not database.url:
        return ""
    return "queries may be run" if database.run_queries else "its schema is read, no query is run"
