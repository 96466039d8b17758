"""One query of a person's choice, run on the configured database, which is only read.

Nothing here runs by itself: somebody asks for each single run.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlscribe.settings import Settings

if TYPE_CHECKING:
    from sqlscribe.loading import Loaded
    from sqlscribe.schema.database.running import Rows
    from sqlscribe.schema.database.stopping import Stop
    from sqlscribe.workspace import Workspace

MOST_ROWS = 1_000
_SECONDS = 30.0
"""How long an engine may take; a person watches, and can cancel."""


def refusal(settings: Settings, trusted: bool | None) -> str:
    """Why no query is run in a folder, for a person; ``""`` where one may be.

    ``trusted`` as in ``ClientSettings``: the queries of a workspace that nobody trusts are not
    run on the user's own database either.
    """
    if trusted is False:
        return "no query is run in a workspace that is not trusted"
    if not settings.database.url:
        return "no database is configured; database.url names one"
    if not settings.database.run_queries:
        return "queries are not run while database.run_queries is off"
    return ""


def run(workspace: Workspace, loaded: Loaded, sql: str, dialect: str, stop: Stop) -> Rows:
    """The rows of one query that only reads; ``dialect`` is that of its text.

    ``stop`` ends it from another thread. Blocks as long as the engine takes. Raises
    ``DatabaseError``, of the kind ``not_a_read`` for what is never sent, and
    ``ConfigurationError`` where the database's URL cannot be filled in.
    """
    from sqlscribe.schema.database.running import run_read

    url = workspace.address(loaded.settings.database)
    root = workspace.root or Path.cwd()
    return run_read(
        url, root, dialect, sql, timeout_seconds=_SECONDS, max_rows=MOST_ROWS, stop=stop
    )
