"""What the parts of the walk need of each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from sqlglot import exp

from sqlscribe.checking.names.aliases import Clause
from sqlscribe.checking.names.scopes import Output, Scope

Ctes = Mapping[str, Output]
"""The queries that WITH names, by key."""


class Queries(Protocol):
    """The walk that follows queries, wherever they stand."""

    def query(self, query: exp.Expression, parent: Scope | None, ctes: Ctes) -> Output: ...

    def expressions(
        self, node: exp.Expression, scope: Scope, clause: Clause, ctes: Ctes
    ) -> None: ...

    def with_names(self, query: exp.Expression, parent: Scope | None, ctes: Ctes) -> Ctes: ...


class Adder(Protocol):
    """What fills scopes with sources."""

    def add(self, node: exp.Expression, scope: Scope, ctes: Ctes) -> None: ...
