"""Answers of a model that wait for an editor in another process, by files that both can see."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from loopback import Behaviour, Connection, Say


def fenced(sql: str) -> Say:
    return Say(f"```sql\n{sql}\n```")


@dataclass(frozen=True)
class Held:
    """Tells by the file ``asked`` that it was asked, and answers once the file ``go`` is there."""

    asked: Path
    go: Path
    then: Behaviour

    def __call__(self, connection: Connection) -> bool:
        self.asked.touch()
        while not self.go.exists():
            if not connection.stays(0.05):
                return False
        return self.then(connection)
