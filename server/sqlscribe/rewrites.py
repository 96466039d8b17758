"""What statements come to when they are written anew, kept so that menus are instant."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlscribe.checking.rewriting import Rewritten

_KEPT = 500


class Rewrites:
    """Statements formatted and in other dialects.

    May be used from any thread: at worst something is made twice.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str, str], Rewritten] = {}

    def made(self, sql: str, dialect: str, to: str = "") -> Rewritten:
        """A statement in the dialect ``to``, or formatted for ``""``."""
        key = (sql, dialect, to)
        if key not in self._known:
            from sqlscribe.checking.rewriting import converted, formatted

            if len(self._known) >= _KEPT:
                self._known.clear()
            self._known[key] = converted(*key) if to else formatted(sql, dialect)
        return self._known[key]

    def reasons(
        self, sql: str, dialect: str, targets: Iterable[str], seconds: float
    ) -> dict[str, str]:
        """Why it cannot be written in each of the dialects, as far as there is time to see.

        ``""`` where it can, or where nobody knows yet.
        """
        until = time.monotonic() + seconds
        found: dict[str, str] = {}
        for to in targets:
            known = self._known.get((sql, dialect, to))
            if known is None and time.monotonic() < until:
                known = self.made(sql, dialect, to)
            found[to] = known.reason if known is not None else ""
        return found
