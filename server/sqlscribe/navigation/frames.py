"""What the reading of a statement knows between two parentheses."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from sqlscribe.navigation.reading import Block, Clause, Cte, Source
from sqlscribe.schema.ddl.tokens import Token


@dataclass(eq=False)
class Frame:
    """What is known between two parentheses.

    ``sources`` are parentheses around joins, ``names`` those around a list of names, which go
    to ``into``. ``source`` waits for its alias, ``cte`` for its query; ``defines`` is true
    behind the AS of that. ``insert`` is the INSERT whose query may stand here.
    """

    kind: Literal["query", "group", "sources", "names"]
    block: Block | None = None
    parent: Block | None = None
    ctes: tuple[Cte, ...] = ()
    clause: Clause = Clause.NONE
    expects_source: bool = False
    lateral: bool = False
    source: Source | None = None
    cte: Cte | None = None
    defines: bool = False
    recursive: bool = False
    blocks: list[Block] = field(default_factory=list)
    into: list[Token] = field(default_factory=list)
    insert: Block | None = None
    item: int = -1
    opened: int = -1


def find_target(block: Block) -> None:
    """``UPDATE o SET … FROM orders o``: what is changed is the source with that alias."""
    if block.kind not in ("UPDATE", "DELETE") or len(block.sources) < 2:
        return
    first, *others = block.sources
    if len(first.path) != 1 or first.alias is not None:
        return
    name = first.path[0].text.casefold()
    for source in others:
        if source.alias is not None and source.alias.text.casefold() == name:
            block.sources = [source, *(each for each in others if each is not source)]
            return
