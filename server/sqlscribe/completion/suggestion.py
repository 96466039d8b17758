"""What may be written at a place, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlscribe.notation.document import Span

Kind = Literal["table", "column", "question", "option", "value", "key", "variable", "alias"]


@dataclass(frozen=True)
class Suggestion:
    """``text`` takes the place of ``span``; ``detail`` stands beside it in a list."""

    text: str
    kind: Kind
    span: Span
    detail: str = ""
    documentation: str = ""
    label: str = ""

    @property
    def shown(self) -> str:
        return self.label or self.text
