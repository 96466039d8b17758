"""The reply form ``slots``: a JSON object that states the parts of a query before the query.

The template that asks for it is ``prompts/parts/reply.j2``; a test keeps both alike.
"""

from __future__ import annotations

from typing import Any

from sqlscribe.models.chat import ReplyForm

_TEXT: dict[str, Any] = {"type": "string"}
_TEXTS: dict[str, Any] = {"type": "array", "items": _TEXT}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    # Strict modes want every field required, and no other.
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


# In the order in which they are written: what is stated first guides what comes after.
_STATED: dict[str, Any] = {
    "tables": _TEXTS,
    "joins": _TEXTS,
    "filters": _TEXTS,
    "date_range": {
        "anyOf": [
            _object({"column": _TEXT, "from": _TEXT, "before": _TEXT}),
            {"type": "null"},
        ]
    },
    "group_by": _TEXTS,
    "aggregations": _TEXTS,
    "order_by": _TEXTS,
    "missing": _TEXT,
    "readings": _TEXTS,
}
SLOTS = ReplyForm("query", _object({**_STATED, "sql": _TEXT}))
SLOTS_WITH_LOOKUP = ReplyForm("query", _object({**_STATED, "lookup": _TEXT, "sql": _TEXT}))
"""The same with a field for a query for values, where such a query may be run."""
