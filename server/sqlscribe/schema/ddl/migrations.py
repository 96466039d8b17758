"""The order of migrations, and the parts of them that go back instead of forward."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

_DIGITS = re.compile(r"(\d+)")
_FLYWAY = re.compile(r"[VB](\d+(?:[._]\d+)*)__", re.IGNORECASE)
_BASELINE = re.compile(r"B\d+(?:[._]\d+)*__", re.IGNORECASE)
_REPEATABLE = re.compile(r"R__", re.IGNORECASE)
_BACKWARD = re.compile(
    r"U\d+(?:[._]\d+)*__.*|(?:.+\.)?(?:down|undo|rollback|revert)\.[^.]+"
    r"|\d+[._-](?:down|undo|rollback|revert)\..*",
    re.IGNORECASE,
)
_MAYBE_BACKWARD = re.compile(r"(.+)[_-](?:down|undo|rollback|revert)(\.[^.]+)", re.IGNORECASE)
_BACKWARD_FOLDERS = frozenset(
    {"revert", "reverts", "verify", "rollback", "rollbacks", "undo", "down", "downs"}
)
_FORWARD_FOLDERS = ("deploy", "up", "ups", "do", "migrate", "migrations")
_VERSIONED = re.compile(r"(?:V|R|B|R__)?\d", re.IGNORECASE)

# dbmate, goose, sql-migrate, micrate, node-pg-migrate, Play evolutions, MyBatis, rambler.
_PART = re.compile(
    r"(?:^|(?<=\r))[ \t]*(?:--|#)[ \t]*"
    r"(?:migrate:|\+[ \t]*(?:goose|migrate|micrate)[ \t]+|rambler[ \t]+|(?:---[ \t]*)?!"
    r"|//[ \t]*@|(?=(?:up|down)[ \t]+migration))[ \t]*"
    r"(?P<word>up|down|ups|downs|undo)\b[^\r\n]*",
    re.IGNORECASE | re.MULTILINE,
)
_NOT_LINE_END = re.compile(r"[^\r\n]")

# Sqitch: "users@v1.sql" was "users.sql" up to the tag v1.
_UNTAGGED = re.compile(r"(?<=\w)(@[\w.-]+\.sql)\Z", re.IGNORECASE)

_Key = tuple[int, tuple[int, ...], tuple[tuple[int, tuple[tuple[int, int, str], ...]], ...]]


def migration_order(paths: Iterable[Path]) -> list[Path]:
    """``paths`` in the order in which they are meant to be run.

    Numbers count as numbers (``V2__`` before ``V10__``, ``V1__`` before ``V1_1__``), files
    come before the folders beside them, Flyway's repeatable scripts last, and what Sqitch
    keeps of a reworked change before the change. Scripts that undo others are left out.
    """
    given = list(paths)
    known = frozenset(given)
    return sorted((path for path in given if not _goes_back(path, known)), key=_key)


def _goes_back(path: Path, known: frozenset[Path]) -> bool:
    if _BACKWARD.fullmatch(path.name):
        return True
    # "count_down.sql" may be anything, unless what it would undo is there too.
    maybe = _MAYBE_BACKWARD.fullmatch(path.name)
    if maybe and any(path.with_name(maybe[1] + way + maybe[2]) in known for way in _WAYS):
        return True
    folder = path.parent
    return folder.name.casefold() in _BACKWARD_FOLDERS and any(
        forward / path.name in known
        for forward in (folder.parent, *map(folder.with_name, _FORWARD_FOLDERS))
    )


_WAYS = ("", "_up", "-up", "_do", "-do")


def is_step(path: Path) -> bool:
    """Whether a script is a step of a history.

    A step has a number: ``V7__drop_old.sql``, ``0007_drop_old/up.sql``. A file that is only
    called ``schema.sql`` holds the whole, and ``drop_all.sql`` clears the database away.
    """
    return any(_VERSIONED.match(name) for name in (path.name, path.parent.name))


def holds_the_whole(path: Path, later: Path) -> bool:
    """Whether one of two scripts is a dump of what the steps lead to, or Flyway's baseline."""
    return is_step(later) and (not is_step(path) or _BASELINE.match(later.name) is not None)


def _key(path: Path) -> _Key:
    version = _FLYWAY.match(path.name)
    place = tuple((1, _natural(part)) for part in path.parts[:-1])
    whole = (*place, (0, _natural(_UNTAGGED.sub(r" \1", path.name))))
    if version is not None:
        numbers = tuple(int(number) for number in _DIGITS.findall(version.group(1)))
        return 1, numbers, whole
    return 2 if _REPEATABLE.match(path.name) else 0, (), whole


@lru_cache(maxsize=10_000)
def _natural(name: str) -> tuple[tuple[int, int, str], ...]:
    """Parts that compare as people count: numbers by value, before letters."""
    return tuple(
        (0, int(part), part) if part.isdecimal() else (1, 0, part.casefold())
        for part in _DIGITS.split(name)
        if part
    )


def without_down_parts(text: str) -> str:
    """``text`` with what undoes a migration as blanks; every other offset stays as it is."""
    if "own" not in text and "OWN" not in text and "@UNDO" not in text:
        return text
    pieces: list[str] = []
    done, down = 0, False
    for found in _PART.finditer(text):
        piece = text[done : found.start()]
        pieces.append(_NOT_LINE_END.sub(" ", piece) if down else piece)
        down = found["word"].lower() in ("down", "downs", "undo")
        done = found.start()
    rest = text[done:]
    pieces.append(_NOT_LINE_END.sub(" ", rest) if down else rest)
    return "".join(pieces)
