"""Remembering what was worked out about large things without comparing them.

Thousands of tables or examples are equal to others only after all of them were looked at, which
costs more than what is remembered saves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from operator import is_
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class _Identities:
    """Things that equal only the very same ones. They are kept, so that no other takes an id."""

    def __init__(self, things: tuple[object, ...]) -> None:
        self.things = things
        self._hash = hash(tuple(map(id, things)))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Identities)
            and len(self.things) == len(other.things)
            and all(map(is_, self.things, other.things))
        )

    def __hash__(self) -> int:
        return self._hash


def identity_cache(maxsize: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """An ``lru_cache`` that takes its positional arguments for what they are, not what they equal.

    It keeps the arguments of the last ``maxsize`` different calls.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @lru_cache(maxsize=maxsize)
        def remembered(key: _Identities) -> R:
            return function(*key.things)  # type: ignore[call-arg, arg-type]

        @wraps(function)
        def looked_up(*things: P.args, **_: P.kwargs) -> R:
            return remembered(_Identities(things))

        return looked_up

    return decorate
