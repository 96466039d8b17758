"""What an engine calls a column of a result that the query gives no name."""

from __future__ import annotations

from typing import NamedTuple

from sqlscribe.schema.ddl.cursor import Cursor
from sqlscribe.schema.ddl.tokens import Sort, Token, words
from sqlscribe.schema.ddl.types import take_type

_POSTGRES = frozenset({"postgres", "redshift", "materialize", "risingwave"})
_AS_WRITTEN = frozenset({"sqlite", "mysql"})
_LONGEST = 64
"""Characters; MySQL makes up a name for a longer one."""
_DEEPEST = 20
_NOTHING = "?column?"


def default_name(item: Cursor, dialect: str, place: int) -> str:
    """The name of an unnamed expression, ``""`` where only the engine could tell.

    ``item`` are its tokens, ``place`` its number in the list, from zero.
    """
    if dialect in _POSTGRES:
        return _figured(item, dialect, 0).name or _NOTHING
    if dialect in _AS_WRITTEN:
        return _written(item, dialect, place)
    if dialect == "duckdb":
        return _called(item)
    return ""


def _written(item: Cursor, dialect: str, place: int) -> str:
    if dialect == "sqlite":
        return item.source()
    if len(item.left()) == 1 and item.peek().sort is Sort.STRING:
        return item.peek().text
    source = item.source()
    return source if len(source) <= _LONGEST else f"Name_exp_{place + 1}"


def _called(item: Cursor) -> str:
    """DuckDB writes calls as ``sum(amount)``; what it makes of operators is left open."""
    name = item.next()
    inside = item.group() if name.sort is Sort.WORD else None
    if inside is None or item or name.word == "UNNEST":
        # UNNEST of a struct gives as many columns as it has fields.
        return ""
    if name.word == "COUNT" and inside.source() == "*":
        return "count_star()"
    arguments = inside.items() if inside else []
    if any(len(each.left()) != 1 or each.peek().sort is not Sort.WORD for each in arguments):
        return ""
    return f"{name.text.lower()}({', '.join(each.source() for each in arguments)})"


# -- PostgreSQL ---------------------------------------------------------------------------


class _Figured(NamedTuple):
    """A name, ``""`` for none; a ``weak`` one gives way to that of a type around it."""

    name: str
    weak: bool = False


_NONE = _Figured("", True)
_TAILS = words("FILTER OVER WITHIN")
_NO_NAMES = words("NOT NULL TRUE FALSE SELECT AND OR IS IN LIKE BETWEEN")
_TYPES = {
    "int": "int4",
    "integer": "int4",
    "bigint": "int8",
    "smallint": "int2",
    "boolean": "bool",
    "real": "float4",
    "float": "float8",
    "double precision": "float8",
    "decimal": "numeric",
    "dec": "numeric",
    "char": "bpchar",
    "character": "bpchar",
    "character varying": "varchar",
    "timestamp with time zone": "timestamptz",
    "timestamp without time zone": "timestamp",
    "time with time zone": "timetz",
    "time without time zone": "time",
    "bit varying": "varbit",
}


def _figured(item: Cursor, dialect: str, depth: int) -> _Figured:
    """As PostgreSQL figures it out."""
    if depth > _DEEPEST or not item:
        return _NONE
    cast = _cast(item)
    if cast is not None:
        inner, type_ = cast
        found = _figured(inner, dialect, depth + 1)
        return _Figured(_type_name(type_), True) if found.weak else found
    if item.sees_mark("("):
        return _in_brackets(item, dialect, depth)
    if item.sees("CASE"):
        return _case(item, dialect, depth)
    literal = item.copy()
    type_ = take_type(literal)
    if type_ and literal.peek().sort is Sort.STRING:
        alone = len(literal.left()) == 1 or type_.sees("INTERVAL")
        return _Figured(_type_name(type_), True) if alone else _NONE
    return _Figured(name) if (name := _named(item, dialect)) else _NONE


def _cast(item: Cursor) -> tuple[Cursor, Cursor] | None:
    """``x::type`` and ``CAST(x AS type)``, the last of several: what is cast, and the type."""
    if item.sees("CAST") and item.sees_mark("(", 1):
        call = Cursor(item.tokens, item.at + 1, item.end)
        inside = call.group()
        if inside is None or call:
            return None
        start = inside.at
        if not inside.seek(lambda at: at.sees("AS")):
            return None
        what = Cursor(item.tokens, start, inside.at)
        inside.next()
        return what, inside
    at, found = item.copy(), -1
    while at:
        if at.sees_mark(":") and at.sees_mark(":", 1):
            found = at.at
            at.at += 1
        elif at.peek().sort is Sort.MARK and at.peek().text in _OPERATORS:
            return None
        at.skip()
    if found < 0:
        return None
    type_ = Cursor(item.tokens, found + 2, item.end)
    rest = type_.copy()
    take_type(rest)
    if rest.take("COLLATE"):
        rest.name()
    return None if rest else (Cursor(item.tokens, item.at, found), type_)


_OPERATORS = "+-*/%|&^<>=~!@#"


def _type_name(type_: Cursor) -> str:
    names = [token for token in take_type(type_).left() if token.sort in (Sort.WORD, Sort.NAME)]
    if not names or names[-1].sort is Sort.NAME:
        return names[-1].text if names else ""
    text = " ".join(token.text.lower() for token in names)
    return _TYPES.get(text, names[-1].text.lower())


def _in_brackets(item: Cursor, dialect: str, depth: int) -> _Figured:
    inside = item.group()
    if inside is None:
        return _NONE
    if item.sees_mark("."):
        return _Figured(_last_name(item))
    if item and not item.sees_mark("["):
        return _NONE
    if inside.take("SELECT"):
        name = _figured(_first(inside), dialect, depth + 1).name
        return _Figured(name, not name)
    if inside.sees("VALUES"):
        return _Figured("column1")
    many = len(inside.copy().items()) > 1
    return _Figured("row") if many else _figured(inside, dialect, depth + 1)


def _first(select: Cursor) -> Cursor:
    """The only column of a SELECT between brackets; a name that it is given stands last."""
    start = select.at
    select.seek(lambda at: at.sees("FROM"))
    end = select.at if select.at > start else select.end
    column = Cursor(select.tokens, start, end)
    if column.copy().seek(lambda at: at.sees("AS")):
        return Cursor(select.tokens, end - 1, end)
    return column


def _case(item: Cursor, dialect: str, depth: int) -> _Figured:
    """A CASE is called like its ELSE, if that is a column or a call."""
    if item.left()[-1].word != "END":
        return _NONE
    body = Cursor(item.tokens, item.at + 1, item.end - 1)
    other: Cursor | None = None
    nested = 0
    while body:
        word = body.peek().word
        nested += {"CASE": 1, "END": -1}.get(word, 0)
        body.skip()
        if word == "ELSE" and nested == 0:
            other = Cursor(item.tokens, body.at, item.end - 1)
    found = _figured(other, dialect, depth + 1) if other is not None else _NONE
    return _Figured("case", True) if found.weak else found


def _named(item: Cursor, dialect: str) -> str:
    """A column, perhaps with subscripts, or a call with what may follow it."""
    start = item.peek()
    if start.sort not in (Sort.WORD, Sort.NAME) or start.word in _NO_NAMES:
        return ""
    last = item.next()
    while item.take_mark("."):
        last = item.next()
    if item.sees_mark("("):
        name = _call_name(last, item.group(), dialect)
        while item.peek().word in _TAILS:
            item.take("WITHIN")
            item.next()
            item.take("GROUP")
            if item.group() is None:
                item.next()
    elif start.word == "ARRAY" and item.sees_mark("["):
        name = "array"
    else:
        name = last.text if last.sort is Sort.NAME else last.text.lower()
    return _behind(item, name)


def _behind(item: Cursor, name: str) -> str:
    """``name`` if only subscripts, fields or a collation follow, or what else they make of it."""
    while item:
        if item.sees_mark("["):
            item.skip()
        elif item.sees_mark("."):
            return _last_name(item)
        elif item.take("COLLATE"):
            item.name()
        elif item.take("AT", "TIME", "ZONE"):
            return "timezone"
        else:
            return ""
    return name


def _last_name(item: Cursor) -> str:
    name = item.name()
    if name is None or item:
        return ""
    return name.name if name.quoted else name.name.lower()


def _call_name(name: Token, inside: Cursor | None, dialect: str) -> str:
    called = name.text if name.sort is Sort.NAME else name.text.lower()
    if called == "trim" and inside is not None:
        return {"LEADING": "ltrim", "TRAILING": "rtrim"}.get(inside.peek().word, "btrim")
    if called == "extract" and dialect == "redshift":
        return "date_part"
    return called
