"""A script that was read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlscribe.notation.findings import Finding
from sqlscribe.schema.ddl.changes import Change


@dataclass(frozen=True)
class DdlScript:
    """What one script does to a schema. Findings have their spans in the script's text."""

    path: Path
    dialect: str
    changes: tuple[Change, ...]
    findings: tuple[Finding, ...]
