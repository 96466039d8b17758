"""Where a column's type ends, what it nests, and which values it or a CHECK allows."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlscribe.notation.script_lines import is_tsql
from sqlscribe.schema.ddl.cursor import Cursor
from sqlscribe.schema.ddl.tokens import Sort, words

# Words that end a type. What is in no engine's grammar after a type does no harm here.
ATTRIBUTES = words(
    "ALIAS ALWAYS AS ASSERT AT AUTO_INCREMENT AUTOINCREMENT BEFORE BY CASESPECIFIC "
    "CHARSET CHECK CLUSTERED CODEC COLLATE COLUMN_FORMAT COMMENT COMPRESS COMPRESSION "
    "CONSTRAINT CREATE DEFAULT DEFERRABLE DELTA DISABLE DISTKEY ENABLE ENCODE ENCRYPT "
    "ENCRYPTED END ENFORCED ENGINE_ATTRIBUTE EPHEMERAL EXCLUDE FILESTREAM FIRST FOR "
    "FORMAT FOREIGN FROM GENERATED HIDDEN IDENTITY INITIALLY INLINE INVISIBLE KEY "
    "LOCATION MASKED MASKING MATERIALIZED NONCLUSTERED NORELY NOT NOVALIDATE NULL NULLS "
    "ON OPTIONS PERSISTED POLICY PRIMARY PROJECTION REFERENCES RELY ROWGUIDCOL SORTKEY "
    "SPARSE SRID STORAGE STORED TAG TITLE TTL UNIQUE UPPERCASE USING VALIDATE VIRTUAL "
    "VISIBLE WITH AFTER"
)
# Words that may follow the first word of a type.
_MORE_OF_A_TYPE = words(
    "ARRAY ASCII BIG BINARY BYTE CHAR CHARACTER DAY DOUBLE FIXED GEOMETRY HOUR INT "
    "INTEGER LARGE LOCAL LONG MINUTE MONTH MULTISET NATIONAL NATIVE OBJECT PRECISION "
    "RAW SECOND SIGNED SIZE TEXT TIME TINYINT TO TYPE UNICODE UNSIGNED VARCHAR "
    "VARCHARACTER VARYING WITHOUT YEAR ZEROFILL ZONE ROWTYPE MAX"
)
COMMON = words(
    "BIGINT BIGSERIAL BIT BLOB BOOL BOOLEAN CHAR CLOB DATETIME DATETIME2 DECIMAL FLOAT "
    "FLOAT64 INT INT64 INTEGER JSON JSONB NCHAR NUMBER NUMERIC NVARCHAR REAL SERIAL "
    "SMALLINT STRING TEXT TIMESTAMP TIMESTAMPTZ TINYINT UUID VARBINARY VARCHAR VARCHAR2"
)
_NESTED = words("STRUCT ROW TUPLE NESTED UNION OBJECT RECORD")
_SPACE = re.compile(r"\s+")
_BRACKETED = re.compile(r"\[([^\W\d]\w*)\]")
_DEEPEST = 50
_SHORTEST_NESTED = 5
"""Tokens of ``ROW(a int)``."""


def take_type(item: Cursor) -> Cursor:
    """The tokens of the type that starts here; the cursor moves behind them."""
    start, angles = item.at, 0
    any_word = item.tokens.dialect == "sqlite"
    while item:
        token, first = item.peek(), item.at == start
        after_dot = not first and item.tokens.tokens[item.at - 1].text == "."
        if token.sort is Sort.MARK:
            if token.text == "<":
                angles += 1
            elif token.text == ">":
                angles -= 1
            elif not angles and (first or token.text not in "([.%"):
                break
        elif not (angles or first or after_dot) and (
            token.sort is not Sort.WORD
            or not (any_word or token.word in _MORE_OF_A_TYPE or _zone(item))
        ):
            break
        if not angles and not after_dot and _ends_type(item):
            break
        item.skip()
    return Cursor(item.tokens, start, item.at)


def _zone(item: Cursor) -> bool:
    return item.sees("WITH", "TIME", "ZONE") or item.sees("WITH", "LOCAL")


def _ends_type(item: Cursor) -> bool:
    if item.sees("CHARACTER", "SET"):
        return True
    qualifies = item.sees_mark(".", 1)
    return item.peek().word in ATTRIBUTES and not qualifies and not _zone(item)


def type_text(type_: Cursor) -> str:
    """The type as the DDL writes it, on one line; T-SQL's ``[int]`` as ``int``."""
    text = _SPACE.sub(" ", type_.source())
    if "[" in text and is_tsql(type_.tokens.dialect):
        return _BRACKETED.sub(r"\1", text)
    return text


def enum_values(type_: Cursor) -> tuple[str, ...]:
    """The values of ``ENUM('a', 'b')`` and ClickHouse's ``Enum8('a' = 1)``."""
    if not type_.peek().word.startswith("ENUM") or not type_.sees_mark("(", 1):
        return ()
    return strings(Cursor(type_.tokens, type_.at + 1, type_.end).group())


def strings(group: Cursor | None) -> tuple[str, ...]:
    """All strings in a group, in order."""
    if group is None:
        return ()
    tokens = group.left()
    return tuple(token.text for token in tokens if token.sort is Sort.STRING)


def nested_fields(type_: Cursor) -> tuple[str, ...]:
    """Dotted paths of the leaves of a nested type, through arrays and maps."""
    if len(type_.left()) < _SHORTEST_NESTED:
        return ()
    return tuple(dict.fromkeys(_paths(Cursor(type_.tokens, type_.at, type_.end), 0)))


def _paths(type_: Cursor, depth: int) -> Iterator[str]:
    if depth > _DEEPEST:
        return
    nested = type_.peek().word in _NESTED
    type_.next()
    inside = type_.group() or _angle_group(type_)
    if inside is None:
        return
    for item in inside.items():
        if not nested:
            # An array's or a map's part has no name of its own.
            yield from _paths(item, depth + 1)
            continue
        name = item.identifier()
        if name is None:
            continue
        item.take_mark(":")
        if not item:
            continue
        inner = list(_paths(item, depth + 1))
        yield from (f"{name.text}.{path}" for path in inner)
        if not inner:
            yield name.text


def _angle_group(type_: Cursor) -> Cursor | None:
    if not type_.sees_mark("<"):
        return None
    start, angles = type_.at + 1, 0
    while type_:
        if type_.sees_mark("<"):
            angles += 1
        elif type_.sees_mark(">"):
            angles -= 1
            if not angles:
                return Cursor(type_.tokens, start, type_.at)
        type_.skip()
    return Cursor(type_.tokens, start, type_.end)


_LIST = r"L(?:,L)*"
_ONE_COLUMN = rf"(?:C IN {_LIST}|C = ANY ARRAY {_LIST}|C = L|C IS NULL)"
_ONLY_VALUES = re.compile(rf"{_ONE_COLUMN}(?: OR {_ONE_COLUMN})*")


def checked_values(check: Cursor) -> tuple[str, tuple[str, ...]] | None:
    """The column and the only values that a CHECK allows it, ``None`` where it says else.

    Understood are ``IN (…)``, ``= ANY (ARRAY[…])`` and ``a = 1 OR a = 2``, with casts.
    """
    shape: list[str] = []
    values: list[str] = []
    columns: dict[str, str] = {}
    while check:
        token = check.next()
        if token.sort in (Sort.STRING, Sort.NUMBER):
            values.append(token.text)
            shape.append("L")
        elif token.word in ("IN", "OR", "IS", "NULL", "ANY", "ARRAY"):
            shape.append(token.word)
        elif token.sort in (Sort.WORD, Sort.NAME):
            columns.setdefault(token.text.casefold(), token.text)
            shape.append("C")
        elif token.text == ":" and check.take_mark(":"):
            _skip_cast(check)
        elif token.text in "=,":
            shape.append(token.text)
        elif token.text not in "()[]":
            return None
    if len(columns) != 1 or not values:
        return None
    if not _ONLY_VALUES.fullmatch(" ".join(shape).replace(" , ", ",")):
        return None
    return next(iter(columns.values())), tuple(dict.fromkeys(values))


def _skip_cast(check: Cursor) -> None:
    while check.peek().sort in (Sort.WORD, Sort.NAME) and check.peek().word != "OR":
        check.next()
        check.take_mark(".")
    check.group()
