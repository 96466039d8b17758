"""Findings on the names of a query, with the nearest right names as quick fixes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlscribe.checking.names.counts import check_counts
from sqlscribe.checking.names.misses import Miss, MissKind, Walk
from sqlscribe.checking.names.resolution import resolve
from sqlscribe.checking.names.script import NOTHING, Made
from sqlscribe.checking.names.wrong_columns import (
    ambiguous_column,
    early_column,
    spelled_column,
    taken_column,
    unknown_alias,
    unknown_column,
    unknown_field,
    unknown_window,
)
from sqlscribe.checking.names.wrong_tables import (
    ambiguous_table,
    dropped_table,
    spelled_table,
    unknown_table,
)
from sqlscribe.checking.parsing import Parsed
from sqlscribe.notation.findings import Finding
from sqlscribe.schema.model import Schema

_MOST = 200
"""Wrong names told of one text: whoever has more has another problem."""


@dataclass(frozen=True)
class Names:
    """``findings`` on names, and the walk that led to them."""

    findings: tuple[Finding, ...]
    walk: Walk


def check_names(parse: Parsed, schema: Schema, made: Made = NOTHING) -> Names:
    """Wrong names of a parsed text. ``made`` is what earlier statements made."""
    walk = resolve(parse, schema, made)
    if walk.misses and made.tables:
        schema = Schema((*made.tables, *schema.tables))
    misses = [miss for miss in walk.misses if not _is_sequence(miss, parse.dialect)]
    findings = [_TELLERS[miss.kind](miss, parse, schema) for miss in misses[:_MOST]]
    findings += check_counts(parse, schema, made)
    return Names(tuple(dict.fromkeys(findings)), walk)


_OF_SEQUENCES = {
    "postgres": frozenset({"last_value", "log_cnt", "is_called"}),
    "mysql": frozenset(
        {"next_not_cached_value", "minimum_value", "maximum_value", "start_value", "increment"}
        | {"cache_size", "cycle_option", "cycle_count"}
    ),
}


def _is_sequence(miss: Miss, dialect: str) -> bool:
    """PostgreSQL's and MariaDB's sequences are read like tables, always of the same columns."""
    wanted = miss.source.wanted if miss.source is not None else set()
    of_sequences = _OF_SEQUENCES.get(dialect, frozenset())
    return miss.kind is MissKind.TABLE and bool(wanted) and wanted <= of_sequences


_TELLERS: dict[MissKind, Callable[[Miss, Parsed, Schema], Finding]] = {
    MissKind.TABLE: unknown_table,
    MissKind.TABLE_GONE: dropped_table,
    MissKind.TABLE_SPELLING: spelled_table,
    MissKind.TABLE_AMBIGUOUS: ambiguous_table,
    MissKind.COLUMN: unknown_column,
    MissKind.COLUMN_SPELLING: spelled_column,
    MissKind.COLUMN_TAKEN: taken_column,
    MissKind.COLUMN_AMBIGUOUS: ambiguous_column,
    MissKind.COLUMN_TOO_EARLY: early_column,
    MissKind.ALIAS: unknown_alias,
    MissKind.FIELD: unknown_field,
    MissKind.WINDOW: unknown_window,
}
