"""What a reader or a checker says about a text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sqlscribe.notation.document import Document, Span, TextEdit


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"


@dataclass(frozen=True)
class Fix:
    """A change that cures a finding. ``preferred`` where there is little doubt."""

    title: str
    edits: tuple[TextEdit, ...]
    preferred: bool = False


@dataclass(frozen=True)
class Related:
    """Another place that a finding is about, and what is said of that one."""

    document: Document
    span: Span
    message: str


@dataclass(frozen=True)
class Finding:
    """One remark. ``code`` is stable (``name/unknown-column``); ``span`` is in the checked text.

    ``message`` is a sentence for a person and goes to the model unchanged in a repair.
    """

    code: str
    severity: Severity
    message: str
    span: Span
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()

    def moved(self, by: int) -> Finding:
        """The same finding in a text where the checked part starts ``by`` characters later."""
        if by == 0:
            return self
        fixes = tuple(
            Fix(
                fix.title,
                tuple(TextEdit(edit.span.moved(by), edit.text) for edit in fix.edits),
                fix.preferred,
            )
            for fix in self.fixes
        )
        span = self.span.moved(by)
        return Finding(self.code, self.severity, self.message, span, fixes, self.related)


@dataclass(frozen=True)
class FileFindings:
    """The findings on one file; ``document.uri`` names it, spans are in ``document.text``."""

    document: Document
    findings: tuple[Finding, ...]
