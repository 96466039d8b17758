"""Quick fixes of what the checker found: one, all of a kind, and all of a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from sqlscribe.lsp import convert
from sqlscribe.lsp.edits import edit_of
from sqlscribe.notation.document import Document, Span, TextEdit
from sqlscribe.notation.findings import Finding

if TYPE_CHECKING:
    from sqlscribe.lsp.server import SQLScribeServer

FIX_ALL = "source.fixAll.sqlscribe"
_FIX = types.CodeActionKind.QuickFix


def quick_fixes(
    server: SQLScribeServer, document: Document, where: Span, everything: bool
) -> Iterator[types.CodeAction]:
    """Fixes of the findings here, if they were made on exactly this text.

    ``everything`` asks for the fix of the whole file, wherever the cursor is.
    """
    made_on, findings = server.diagnostics.findings.get(document.uri, (None, ()))
    if made_on is not document:
        return
    here = [each for each in findings if _touches(each, where) and each.fixes]
    for finding in here:
        for fix in finding.fixes:
            yield types.CodeAction(
                fix.title,
                kind=_FIX,
                diagnostics=[convert.diagnostic(document, finding, server.encoding)],
                is_preferred=fix.preferred or None,
                edit=edit_of(server, document, fix.edits),
            )
    for code in dict.fromkeys(finding.code for finding in here):
        same = [each for each in findings if each.code == code and _sure(each)]
        if len(same) > 1:
            title = f"Fix all {code} in this file"
            yield _all(server, document, same, title, _FIX)
    sure = [each for each in findings if _sure(each)]
    if sure and (everything or (here and len({each.code for each in sure}) > 1)):
        yield _all(server, document, sure, "Fix all in this file", FIX_ALL)


def _all(
    server: SQLScribeServer,
    document: Document,
    findings: Iterable[Finding],
    title: str,
    kind: types.CodeActionKind | str,
) -> types.CodeAction:
    findings = list(findings)
    edit = edit_of(server, document, _together(findings))
    cured = [convert.diagnostic(document, each, server.encoding) for each in findings]
    return types.CodeAction(title, kind=kind, diagnostics=cured, edit=edit)


def _together(findings: Iterable[Finding]) -> list[TextEdit]:
    """The edits of the preferred fixes; of those that meet, the first one's."""
    taken: list[TextEdit] = []
    for finding in findings:
        edits = next(fix.edits for fix in finding.fixes if fix.preferred)
        if not any(_meet(edit.span, other.span) for edit in edits for other in taken):
            taken += edits
    return sorted(taken, key=lambda edit: edit.span)


def _sure(finding: Finding) -> bool:
    return any(fix.preferred for fix in finding.fixes)


def _meet(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end


def _touches(finding: Finding, where: Span) -> bool:
    return finding.span.start <= where.end and where.start <= finding.span.end
