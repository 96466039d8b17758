"""``sqlscribe doctor``: what the program found, with nothing private in it."""

from __future__ import annotations

import asyncio
import os
import platform
import sys
from importlib import metadata
from pathlib import Path

from sqlscribe import __version__
from sqlscribe.models.providers import KEY_VARIABLES
from sqlscribe.session import Session
from sqlscribe.settings import CONFIGURATION

_LIBRARIES = ("pygls", "sqlglot", "litellm", "apsw", "sqlite-vec", "wordllama")


async def examine(session: Session, root: Path) -> dict[str, str]:
    """Facts by name, in the order they are shown. Keys are named, never printed."""
    loaded = await session.load(root)
    workspace = await session.workspace(root)
    model, reason = await asyncio.to_thread(workspace.model, loaded.settings)
    counts = await asyncio.to_thread(workspace.sync, loaded)
    environment = workspace.environment()
    keys = [name for name in sorted(set(KEY_VARIABLES.values())) if environment.get(name)]
    configured = (root / CONFIGURATION).is_file()
    dialect = loaded.dialect or "not known"
    problems = sum(len(file.findings) for file in loaded.findings)
    return {
        "sqlscribe": __version__,
        "python": f"{platform.python_version()} at {sys.executable}",
        "platform": f"{platform.system()} {platform.machine()}",
        "libraries": ", ".join(f"{name} {_version(name)}" for name in _LIBRARIES),
        "workspace": str(root),
        "configuration": CONFIGURATION if configured else f"no {CONFIGURATION}: defaults",
        "dialect": dialect if loaded.settings.dialect else f"{dialect} (guessed from the DDL)",
        "schema": f"{len(loaded.schema.tables)} tables",
        "examples": str(len(loaded.examples)),
        "rules": f"{len(loaded.rules):,} characters",
        "notes": f"{len(loaded.notes)} sections",
        "findings": f"{problems} (sqlscribe check lists them)" if problems else "none",
        "index": workspace.index_remark() or f"{sum(counts.values())} entries in .sqlscribe",
        "model": f"{model.name} ({reason})",
        "keys": ", ".join(keys) or "none in the environment or .env",
        "remarks": "; ".join(workspace.remarks(loaded)) or "none",
        "environment": _environment_note(),
    }


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
