"""What is offered on a statement: repair it, explain it, convert it, format it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from sqlscribe.lsp import convert
from sqlscribe.lsp.offers import Offer, short
from sqlscribe.lsp.targets import spot_data
from sqlscribe.notation.asks import Script
from sqlscribe.notation.codes import CODES
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding

if TYPE_CHECKING:
    from sqlscribe.loading import Loaded
    from sqlscribe.lsp.server import SQLScribeServer
    from sqlscribe.sql_actions import Spot

_SECONDS = 0.003
"""How long to look which conversions will fail; what is not looked at is seen when it is done."""
_MOST_CHARACTERS = 5_000
"""Longer statements are not written anew only to know whether that can be done."""
_MOST_ERRORS = 3
_REPAIR = "Repair SQL from error"


def statement_actions(
    server: SQLScribeServer,
    script: Script,
    where: Span,
    context: types.CodeActionContext,
    loaded: Loaded | None,
) -> Iterator[Offer]:
    """The actions on the query here. Where nothing was loaded yet, nothing heavy is imported."""
    if loaded is None:
        return
    from sqlscribe.sql_actions import spot_at

    spot = spot_at(script, where)
    yield from _repairs(server, script, spot, context)
    if spot is None:
        return
    data = spot_data(spot)
    yield Offer("Explain SQL", "explain", data)
    if spot.question is None:
        yield Offer("Write its question", "question", data)
    yield from _rewrites(server, spot, context, loaded)


def _repairs(
    server: SQLScribeServer,
    script: Script,
    spot: Spot | None,
    context: types.CodeActionContext,
) -> Iterator[Offer]:
    """Repairs of the queries that errors of other servers speak of.

    Editors send those of the whole line, or of all that is selected.
    """
    if not context.diagnostics:
        return
    from sqlscribe.sql_actions import spot_said

    document = script.document
    _, own = server.diagnostics.findings.get(document.uri, (None, ()))
    errors = list(_said_by_others(context, own))[:_MOST_ERRORS]
    for error in errors:
        said = spot_said(script, convert.span(document, error.range, server.encoding), spot)
        if said is None:
            continue
        # One of several is chosen by its words.
        title = _REPAIR if len(errors) == 1 else f"{_REPAIR}: {short(error.message)}"
        data = spot_data(said, error=error.message)
        quick = types.CodeActionKind.QuickFix
        yield Offer(title, "answer", data, quick, diagnostics=[error])


def _said_by_others(
    context: types.CodeActionContext, own: Iterable[Finding]
) -> Iterator[types.Diagnostic]:
    """Errors of other servers: what ours says has its own fixes.

    Some editors send diagnostics back without their source.
    """
    serious = (types.DiagnosticSeverity.Error, types.DiagnosticSeverity.Warning, None)
    ours = {finding.message for finding in own}
    for diagnostic in context.diagnostics:
        if diagnostic.source is None and (diagnostic.code in CODES or diagnostic.message in ours):
            continue
        if diagnostic.source != "sqlscribe" and diagnostic.severity in serious:
            yield diagnostic


def _rewrites(
    server: SQLScribeServer, spot: Spot, context: types.CodeActionContext, loaded: Loaded
) -> Iterator[Offer]:
    from sqlscribe.sql_actions import dialects_for

    data = spot_data(spot)
    named = tuple(
        dict(question.options).get("dialect", "") for question in spot.script.questions[:50]
    )
    also = (spot.script.dialect, loaded.dialect, *named)
    to = dialects_for(spot, also)
    # Editors ask again with every move of the cursor; then nothing is worked out for it.
    quick = context.trigger_kind == types.CodeActionTriggerKind.Automatic
    seconds = 0.0 if quick or len(spot.sql) > _MOST_CHARACTERS else _SECONDS
    reasons = server.rewrites.reasons(spot.sql, spot.dialect, ("", *to), seconds)
    yield Offer("Format SQL", "format", data, disabled=reasons[""])
    for dialect in to:
        title = f"Convert to {dialect}"
        yield Offer(title, "convert", {**data, "to": dialect}, disabled=reasons[dialect])
