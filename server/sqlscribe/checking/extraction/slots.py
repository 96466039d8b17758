"""What a reply in JSON says in its other fields where it gives no query."""

from __future__ import annotations

import json
from typing import Literal, NamedTuple

_FIELDS = frozenset({"missing", "readings", "lookup"})


class Stated(NamedTuple):
    """``missing`` is what the schema lacks; ``readings`` are what the question may mean.

    ``sql`` is a query for the values that the model wants to know first.
    """

    outcome: Literal["insufficient", "needs_choice", "lookup"]
    missing: str = ""
    readings: tuple[str, ...] = ()
    sql: str = ""


def stated(text: str) -> Stated | None:
    """Why an object without SQL has none; ``None`` where it has some, or is no such object."""
    start = text.find("{")
    if start < 0 or not any(f'"{field}"' in text for field in _FIELDS):
        return None
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or value.get("sql"):
        return None
    lookup = value.get("lookup")
    if isinstance(lookup, str) and lookup.strip():
        return Stated("lookup", sql=lookup.strip().rstrip("; \n"))
    readings = value.get("readings")
    if isinstance(readings, list):
        said = tuple(one.strip() for one in readings if isinstance(one, str) and one.strip())
        if len(said) > 1:
            return Stated("needs_choice", readings=said)
    missing = value.get("missing")
    if isinstance(missing, str) and missing.strip():
        return Stated("insufficient", missing=missing.strip())
    return None
