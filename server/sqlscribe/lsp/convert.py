"""Between the program's words and the protocol's. Nothing else builds protocol types of text."""

from __future__ import annotations

import re
from pathlib import Path

from lsprotocol import types
from pygls import uris

from sqlscribe.notation.document import Document, Encoding, Position, Range, Span, TextEdit
from sqlscribe.notation.findings import Finding, Related, Severity
from sqlscribe.session import Opened

_SEVERITIES = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}


def offset(document: Document, position: types.Position, encoding: Encoding) -> int:
    return document.offset(Position(position.line, position.character), encoding)


def span(document: Document, range_: types.Range, encoding: Encoding) -> Span:
    start = Position(range_.start.line, range_.start.character)
    return document.span(Range(start, Position(range_.end.line, range_.end.character)), encoding)


def range_of(document: Document, where: Span, encoding: Encoding) -> types.Range:
    start, end = document.range(where, encoding)
    return types.Range(types.Position(*start), types.Position(*end))


def text_edit(document: Document, edit: TextEdit, encoding: Encoding) -> types.TextEdit:
    edit = document.outward(edit)
    return types.TextEdit(range_of(document, edit.span, encoding), edit.text)


def diagnostic(
    document: Document, finding: Finding, encoding: Encoding, *, related: bool = False
) -> types.Diagnostic:
    """``related`` for editors that show the other places that a finding is about."""
    others = [_related(each, encoding) for each in finding.related] if related else []
    return types.Diagnostic(
        range_of(document, finding.span, encoding),
        finding.message,
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        source="sqlscribe",
        related_information=others or None,
    )


def _related(other: Related, encoding: Encoding) -> types.DiagnosticRelatedInformation:
    place = range_of(other.document, other.span, encoding)
    return types.DiagnosticRelatedInformation(
        types.Location(other.document.uri, place), other.message
    )


def path_of(uri: str) -> Path | None:
    """The file behind a URI, one spelling for all of a file's URIs; ``None`` for ``untitled:``."""
    if uri[:5].casefold() != "file:":
        return None
    # The host of this very machine may be named.
    name = uris.to_fs_path(re.sub(r"(?i)^file://localhost(?=/)", "file://", uri))
    if name is None or "\0" in name:
        return None
    # Windows editors send both C: and c%3A; one letter case makes them the same key.
    return Path(name[0].lower() + name[1:] if name[1:2] == ":" else name)


_BESIDE = ("untitled", "vscode-notebook-cell", "git")
"""Schemes of texts that are no files, and may name the file that they belong to."""
_PATH = re.compile(r"(?://[^/?#]*+)?+(/[^?#]*+)")
_NOWHERE = ("inmemory", "output", "vscode-interactive-input")
"""Schemes of texts that are no files at all; what else is no ``file:`` only the editor can read."""


def opened(uri: str, language: str, notebook: str = "") -> Opened:
    """What a URI and the editor's name for a language say of a document.

    ``notebook`` is the URI of the notebook of which it is a cell.
    """
    scheme, _, rest = uri.partition(":")
    is_cell = bool(notebook) or scheme == "vscode-notebook-cell"
    near = path_of(notebook)
    named = _PATH.match(rest)
    if near is None and scheme in _BESIDE and named is not None:
        near = path_of(f"file://{named[1]}")
    is_known = is_cell or scheme.casefold() in ("file", *_BESIDE, *_NOWHERE)
    return Opened(path_of(uri), language.lower(), is_cell, near, not is_known)


def changed(
    document: Document, change: types.TextDocumentContentChangeEvent, encoding: Encoding
) -> Document:
    """The document after one change notification's item."""
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return document.next(change.text, document.version)
    edit = TextEdit(span(document, change.range, encoding), change.text)
    return document.changed([edit])
