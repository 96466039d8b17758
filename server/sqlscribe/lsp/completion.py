"""Completion: in SQL and its questions, in the configuration, in templates."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from sqlscribe.lsp import convert
from sqlscribe.lsp.encoded import Encoded
from sqlscribe.lsp.notebooks import known_in_cell
from sqlscribe.notation.document import Document
from sqlscribe.settings import CONFIGURATION

if TYPE_CHECKING:
    from sqlscribe.completion import Suggestion
    from sqlscribe.lsp.server import SQLScribeServer

OPTIONS = types.CompletionOptions(trigger_characters=["@", ".", "[", "=", ",", "{", "(", '"', "'"])

_KINDS = {
    "table": types.CompletionItemKind.Class,
    "column": types.CompletionItemKind.Field,
    "question": types.CompletionItemKind.Snippet,
    "option": types.CompletionItemKind.Property,
    "value": types.CompletionItemKind.EnumMember,
    "key": types.CompletionItemKind.Property,
    "variable": types.CompletionItemKind.Variable,
    "alias": types.CompletionItemKind.Variable,
}


async def completion(ls: SQLScribeServer, params: types.CompletionParams) -> Encoded | None:
    """What may be written here; from what is known already, so that nobody waits."""
    document = ls.session.documents.get(params.text_document.uri)
    if document is None:
        return None
    offset = convert.offset(document, params.position, ls.encoding)
    found = await _suggestions(ls, document, offset)
    ranges = {
        span: {
            name: place._asdict()
            for name, place in document.range(span, ls.encoding)._asdict().items()
        }
        for span in {one.span for one in found}
    }
    items = [_item(one, ranges[one.span], place) for place, one in enumerate(found)]
    from sqlscribe.completion.questions import MOST

    return Encoded(json.dumps({"isIncomplete": len(items) >= MOST, "items": items}))


async def _suggestions(
    server: SQLScribeServer, document: Document, offset: int
) -> list[Suggestion]:
    if not document.holds(offset):
        return []
    place = server.session.place(document.uri)
    name = document.uri.rpartition("/")[2]
    loaded = await server.session.known(place.root)
    if name == CONFIGURATION:
        from sqlscribe.completion.configuration import in_configuration

        return in_configuration(document, offset, loaded.schema)
    if name.endswith(".j2"):
        from sqlscribe.completion.templates import in_template

        return in_template(document, offset, loaded.templates)
    from sqlscribe.completion.questions import in_line_comment, in_question

    if server.session.is_sql(document.uri) and not in_line_comment(document, offset):
        from sqlscribe.completion.sql import in_sql

        named = in_sql(document, offset, await known_in_cell(server, document, loaded))
        if named is not None:
            return named
    return in_question(
        document, offset, loaded.schema, loaded.examples, tuple(loaded.settings.models)
    )


def _item(one: Suggestion, range_: Any, place: int) -> dict[str, Any]:
    """An item as the protocol has it: there are hundreds, so none is made as an object first."""
    item = {
        "label": one.shown,
        "kind": _KINDS[one.kind].value,
        # Editors sort by this, and filter by what already stands there.
        "sortText": f"{place:04}",
        "filterText": one.shown,
        "textEdit": {"range": range_, "newText": one.text},
    }
    if one.detail:
        item["detail"] = one.detail
    if one.documentation:
        item["documentation"] = one.documentation
    return item
