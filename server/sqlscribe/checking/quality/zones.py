"""Moments shifted to a time zone twice."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from sqlscribe.checking.quality.look import Look, finding
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding

_WITH_ZONE = re.compile(r"timestamptz|timestamp.*with time zone", re.IGNORECASE)
# Where a moment in a zone becomes a local time without one.
_LOCAL = frozenset({"postgres", "redshift", "duckdb"})


def check_zones(look: Look) -> Iterator[Finding]:
    """A moment turned into local time, and that time taken for another zone's."""
    for node in look.nodes:
        if isinstance(node, exp.ConvertTimezone):
            yield from _converted_twice(look, node)
        elif isinstance(node, exp.AtTimeZone) and look.engine in _LOCAL:
            yield from _local_twice(look, node)


def _local_twice(look: Look, node: exp.AtTimeZone) -> Iterator[Finding]:
    inner = node.this
    while isinstance(inner, exp.Paren):
        inner = inner.this
    if not isinstance(inner, exp.AtTimeZone):
        return
    column = look.known(inner.this).column
    if column is None:
        return
    name = inner.this.this
    place = Span(name.meta["start"], name.meta["end"] + 1)
    if _WITH_ZONE.match(column.type):
        message = (
            f"{column.name} has a time zone: AT TIME ZONE twice shifts it twice; "
            "once gives the local time"
        )
        yield from finding("quality/zone-twice", message, place)
    elif node.args.get("zone") == inner.args.get("zone"):
        # Without a zone the first says which one it is of, and the second converts.
        message = f"the second AT TIME ZONE undoes the first on {column.name}"
        yield from finding("quality/zone-twice", message, place)


def _converted_twice(look: Look, node: exp.ConvertTimezone) -> Iterator[Finding]:
    """The same conversion around itself: the second takes a local time for one of the first."""
    inner = node.args.get("timestamp")
    zones = [(part.args.get("source_tz"), part.args.get("target_tz")) for part in (node, inner)
             if isinstance(part, exp.ConvertTimezone)]  # fmt: skip
    if len(zones) < 2 or zones[0] != zones[1] or zones[0][0] == zones[0][1]:
        return
    message = "the same conversion of time zones is made twice, and shifts the moment twice"
    yield from finding("quality/zone-twice", message, look.span(inner))
