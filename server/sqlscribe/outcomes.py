"""What comes of a question, as a person and other programs see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from sqlscribe.knowledge.examples import Example
from sqlscribe.models.chat import Usage
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.prompting.prompt import Prompt

Outcome = Literal["sql", "needs_choice", "insufficient", "refused", "no_sql", "truncated", "failed"]
Source = Literal["model", "stored", "verified", "none"]


@dataclass(frozen=True)
class Answer:
    """What came of a question. ``sql`` is set only when ``outcome`` is ``"sql"``.

    ``message`` is one sentence for the person where there is no SQL, or where there is
    something to know about it. ``tables`` are those that the SQL uses, with their schemas.
    ``calls`` counts the model's replies. Of a ``withheld`` one, asking again with ``regenerate``
    gives what was held back. ``dialect`` is the one that it was made in, where an editor asked.
    """

    outcome: Outcome
    sql: str = ""
    message: str = ""
    tables: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    alternates: tuple[str, ...] = ()
    source: Source = "none"
    model: str = ""
    error: str = ""
    usage: Usage = field(default_factory=Usage)
    calls: int = 0
    warnings: tuple[str, ...] = ()
    example: Example | None = None
    withheld: bool = False
    dialect: str = ""
    prompt: Prompt | None = None

    @property
    def is_clean(self) -> bool:
        """SQL in which no error was found."""
        wrong = any(finding.severity is Severity.ERROR for finding in self.findings)
        return self.outcome == "sql" and not wrong


Report = Callable[[str], None]
"""Told the stage that begins: ``retrieving``, ``asking …``, ``checking``, ``repairing 1/2``."""


def silent(stage: str) -> None:
    """A report that nobody watches."""
