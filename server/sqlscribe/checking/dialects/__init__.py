"""SQL that the configured engine would reject although the parser reads it.

Looks at the tokens as they are written wherever it can, because the trees rename what they
know. What the engines lack is data: operators and literals in :mod:`.features`, clauses in
:mod:`.clause_features`, functions in :mod:`.foreign`, and their own ways in :mod:`.ways`.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlscribe.checking.dialects.calls import calls
from sqlscribe.checking.dialects.changed import changed
from sqlscribe.checking.dialects.clauses import clauses
from sqlscribe.checking.dialects.first_words import check_first_words
from sqlscribe.checking.dialects.intervals import date_literals
from sqlscribe.checking.dialects.limits import row_limits
from sqlscribe.checking.dialects.operators import operators
from sqlscribe.checking.dialects.phrases import phrases
from sqlscribe.checking.dialects.quoting import check_text_for_names, quoted_names
from sqlscribe.checking.dialects.types import cast_types
from sqlscribe.checking.dialects.view import View
from sqlscribe.checking.dialects.words import words
from sqlscribe.checking.parsing import Parsed
from sqlscribe.notation.findings import Finding
from sqlscribe.schema.model import Schema

__all__ = ["check_dialect", "check_first_words", "check_text_for_names"]


def check_dialect(parse: Parsed, schema: Schema, functions: Collection[str] = ()) -> list[Finding]:
    """What ``parse.dialect`` lacks. Works on text that does not parse, too; never raises.

    ``functions`` are those that the script has made, beside the schema's.
    """
    if not parse.dialect:
        return []
    view = View(parse)
    found = [
        *calls(view, schema, functions),
        *row_limits(view),
        *operators(view),
        *date_literals(view),
        *phrases(view, schema),
        *words(view, schema),
        *cast_types(view),
        *quoted_names(parse),
        *clauses(view),
        *changed(view),
    ]
    return list(dict.fromkeys(found))
