"""``sqlscribe doctor``: what the program found, for the person at this machine."""

from __future__ import annotations

import asyncio
import os
import platform
import sys
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from sqlscribe import __version__
from sqlscribe.answer_history import now
from sqlscribe.loading import Loaded
from sqlscribe.models.litellm_library import is_free, is_priced
from sqlscribe.models.providers import KEY_VARIABLES
from sqlscribe.session import Session
from sqlscribe.settings import CONFIGURATION, ModelSettings, Settings
from sqlscribe.spending import dollars
from sqlscribe.workspace import Workspace

_LIBRARIES = ("pygls", "sqlglot", "litellm", "apsw", "sqlite-vec", "wordllama", "sqlalchemy")
_DRIVERS = ("duckdb", "psycopg", "pymysql", "pymssql", "oracledb")


async def examine(session: Session, root: Path) -> dict[str, str]:
    """Facts by name, in the order they are shown. Keys are named, never printed."""
    await session.load(root)
    database_remark = await session.see_database(root)
    loaded = await session.load(root)
    workspace = await session.workspace(root)
    model, reason = await asyncio.to_thread(workspace.models.resolved, loaded.settings.model)
    counts = await asyncio.to_thread(workspace.index.sync, loaded)
    environment = workspace.environment()
    engine = workspace.engine(loaded)
    keys = [name for name in sorted(set(KEY_VARIABLES.values())) if environment.get(name)]
    configured = (root / CONFIGURATION).is_file()
    dialect = loaded.dialect or "not known"
    problems = sum(len(file.findings) for file in loaded.findings)
    return {
        "sqlscribe": __version__,
        "python": f"{platform.python_version()} at {sys.executable}",
        "platform": f"{platform.system()} {platform.machine()}",
        "libraries": libraries(),
        "drivers": drivers(),
        "workspace": str(root),
        "configuration": CONFIGURATION if configured else f"no {CONFIGURATION}: defaults",
        "dialect": dialect if loaded.settings.dialect else f"{dialect} (guessed from the DDL)",
        "schema": f"{len(loaded.schema.tables)} tables",
        "examples": str(len(loaded.examples)),
        "rules": f"{len(loaded.rules):,} characters",
        "notes": f"{len(loaded.notes)} sections",
        "findings": f"{problems} (sqlscribe check lists them)" if problems else "none",
        "index": workspace.index.remark or f"{sum(counts.values())} entries in .sqlscribe",
        "model": f"{model.name} ({reason})",
        "database": _database(loaded, database_remark),
        "engine": engine.name if engine is not None else "none is asked about queries",
        "keys": ", ".join(keys) or "none in the environment or .env",
        "spending": await asyncio.to_thread(_spending, workspace, loaded.settings, model),
        "remarks": "; ".join(workspace.remarks(loaded)) or "none",
        "environment": _environment_note(),
    }


def _database(loaded: Loaded, remark: str) -> str:
    """What is configured, without its address, which may hold a password."""
    if not loaded.settings.database.url:
        return "none configured"
    return remark or "read"


def _spending(workspace: Workspace, settings: Settings, model: ModelSettings) -> str:
    """What was spent today, against which limit, and whether the model's calls count."""
    today = now().date()
    spent = dollars(workspace.history.spent(today).total)
    limit = settings.limits.cost_per_day
    if limit is None:
        return f"{spent} today, with no limit"
    said = f"{spent} of {dollars(limit)} today"
    if model.name == "verified" or is_free(model.name, model.api_base):
        return f"{said}; {model.name} costs nothing"
    if model.name == "editor" or not is_priced(model.name):
        return f"{said}; what {model.name} costs is not known, so its calls do not count"
    return said


def libraries() -> str:
    """The versions of the libraries that matter."""
    return ", ".join(f"{name} {_version(name)}" for name in _LIBRARIES)


def drivers() -> str:
    """The versions of the database drivers that are installed."""
    there = [f"{name} {_version(name)}" for name in _DRIVERS if find_spec(name) is not None]
    return ", ".join(there) or "none installed"


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "is not installed"


def _environment_note() -> str:
    return (
        f"{len(os.environ)} variables; a server that an editor starts may see fewer than this"
        " shell, so keys may be missing there"
    )
