"""Which of several replies to one question is the answer: what most of them come to.

Queries are counted by the rows they give where a database may be run, else by their form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from sqlscribe.checking.canonical import canonical
from sqlscribe.drafts import Draft
from sqlscribe.errors import DatabaseError
from sqlscribe.schema.database.running import Rows, Value
from sqlscribe.snapshot import Snapshot

_MOST_ROWS = 1000
_DIGITS = 6
"""Sums of floating-point numbers differ in their last digits."""


@dataclass(frozen=True)
class Vote:
    """``winner`` is the first of those that most agree with. ``told`` says how it came about."""

    winner: int
    told: str


def vote(drafts: Sequence[Draft], snapshot: Snapshot) -> Vote:
    """Count the drafts. Those with errors, and replies that say nothing, do not count. Blocks."""
    forms = {
        number: canonical(draft.sql, snapshot.dialect)
        for number, draft in enumerate(drafts)
        if draft.answer.outcome == "sql" and not draft.errors
    }
    by_rows = len(set(forms.values())) > 1 and snapshot.run is not None
    keys: dict[int, Hashable] = {}
    given: dict[str, Hashable | None] = {}
    for number, draft in enumerate(drafts):
        if number in forms:
            form = forms[number]
            if by_rows:
                if form not in given:
                    given[form] = _given(draft.sql, snapshot)
                if given[form] is not None:
                    keys[number] = given[form]
            else:
                keys[number] = form
        elif draft.lookup or draft.answer.outcome in ("insufficient", "needs_choice"):
            keys[number] = draft.answer.outcome
    if not keys and forms:
        # The database refused all of them, or is away: their forms are what there is.
        keys, by_rows = dict(forms), False
    if not keys:
        return Vote(0, "")
    counts = Counter(keys.values())
    most = max(counts.values())
    winner = next(number for number, key in keys.items() if counts[key] == most)
    how = "by rows" if by_rows else "by form"
    return Vote(winner, f"vote ({most} of {len(drafts)} {how})")


def _given(sql: str, snapshot: Snapshot) -> Hashable | None:
    """What a query gives, without the order of its rows; ``None`` where it gives nothing."""
    assert snapshot.run is not None
    try:
        got = snapshot.run(sql, _MOST_ROWS)
    except DatabaseError:
        return None
    return _key(got, canonical(sql, snapshot.dialect))


def _key(got: Rows, form: str) -> Hashable:
    if got.truncated:
        # Without an order any thousand rows may come.
        return form
    rows = Counter(tuple(map(_rounded, row)) for row in got.rows)
    return len(got.columns), frozenset(rows.items())


def _rounded(value: Value) -> Value:
    return round(value, _DIGITS) if isinstance(value, float) else value
