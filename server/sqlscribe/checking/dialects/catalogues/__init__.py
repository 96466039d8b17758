"""The functions that the engines have, listed by the engines themselves."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module

_LISTED = frozenset({"duckdb", "mysql", "postgres", "sqlite"})


@lru_cache(maxsize=8)
def catalogue(engine: str) -> frozenset[str]:
    """All functions of an engine by lower-case name; empty where there is no list."""
    if engine not in _LISTED:
        return frozenset()
    # Few people use more than one of these, and the lists are long.
    names: frozenset[str] = import_module(f"{__name__}.{engine}").NAMES
    return names
