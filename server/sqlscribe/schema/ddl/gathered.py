"""What reading a script gathers."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlscribe.notation.findings import Finding
from sqlscribe.schema.ddl.changes import Change


@dataclass
class Read:
    """What was read so far; ``line`` is where the statement that is being read starts."""

    changes: list[Change] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    line: int = 0
