"""One item of a table's list: a column with its own constraints, or a constraint."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from sqlscribe.schema.ddl_changes import Constraint, Like
from sqlscribe.schema.ddl_tokens import Cursor, Sort
from sqlscribe.schema.ddl_types import (
    ATTRIBUTES,
    COMMON,
    checked_values,
    enum_values,
    nested_fields,
    take_type,
    type_text,
)
from sqlscribe.schema.model import Column, ForeignKey


@dataclass(frozen=True)
class Item:
    """What one item says. ``understood`` is false where something in it may be lost."""

    column: Column | None = None
    constraints: tuple[Constraint, ...] = ()
    like: Like | None = None
    understood: bool = True


_NOT_UNDERSTOOD = Item(understood=False)


def read_item(item: Cursor) -> Item:
    """The column or the constraint that ``item`` holds."""
    if item.peek().sort is Sort.WORD:
        if item.take("LIKE"):
            return _read_like(item)
        constraints = read_constraint(item)
        if constraints is not None:
            return Item(constraints=constraints)
    return read_column(item)


def _read_like(item: Cursor) -> Item:
    name = item.name()
    if name is None:
        return _NOT_UNDERSTOOD
    # MySQL takes the keys unasked.
    keys = item.tokens.dialect == "mysql" or item.seek(
        lambda at: at.sees("INCLUDING", "ALL") or at.sees("INCLUDING", "INDEXES")
    )
    return Item(like=Like(name, keys=keys))


# -- constraints of the table ------------------------------------------------------------

_KEY_NOISE = frozenset(
    "KEY INDEX CLUSTERED NONCLUSTERED USING BTREE HASH NULLS NOT DISTINCT TYPE".split()
)
_OTHER_CONSTRAINTS = (
    ("PERIOD", "FOR"),
    ("SUPPLEMENTAL", "LOG"),
    ("WATERMARK", "FOR"),
    ("SHARD", "KEY"),
    ("SORT", "KEY"),
    ("EXCLUDE", "USING"),
    ("CLUSTERED", "COLUMNSTORE"),
)


def read_constraint(item: Cursor) -> tuple[Constraint, ...] | None:
    """The table constraint here, empty for one of no interest; ``None`` if this is none."""
    start = item.at
    named, name = item.take("CONSTRAINT"), ""
    if named and not _starts_constraint(item):
        given = item.name()
        name = given.name if given else ""
    found = _constraint(item, name)
    if found is None and named:
        return ()
    if found is None:
        item.at = start
    return found


def _starts_constraint(item: Cursor) -> bool:
    return (
        item.sees("PRIMARY", "KEY")
        or item.sees("FOREIGN", "KEY")
        or (item.peek().word in ("UNIQUE", "CHECK") and item.sees_mark("(", 1))
    )


def _constraint(item: Cursor, name: str) -> tuple[Constraint, ...] | None:
    if item.take("PRIMARY", "KEY"):
        return _key("primary", item, name)
    if item.take("FOREIGN", "KEY"):
        return _foreign_key(item, name)
    if item.sees("UNIQUE") and item.peek(1).sort is not Sort.END:
        item.next()
        return _key("unique", item, name)
    if item.sees("CHECK") and item.sees_mark("(", 1):
        item.next()
        return _check(item, name)
    if item.sees("EXCLUDE") and item.sees_mark("(", 1):
        return ()
    if item.sees("PROJECTION") and item.sees_mark("(", 2):
        return ()
    if any(item.sees(*words) for words in _OTHER_CONSTRAINTS) or _is_index(item):
        return ()
    return None


def _key(
    kind: Literal["primary", "unique"], item: Cursor, name: str
) -> tuple[Constraint, ...]:
    item.skip_words(_KEY_NOISE)
    if not item.sees_mark("(") and not item.sees("USING"):
        # MySQL may name the key here.
        given = item.identifier()
        name = name or (given.text if given else "")
        item.skip_words(_KEY_NOISE)
    columns = key_columns(item.group())
    return (Constraint(kind, columns, name),) if columns else ()


def _foreign_key(item: Cursor, name: str) -> tuple[Constraint, ...]:
    if not item.sees_mark("("):
        given = item.identifier()
        name = name or (given.text if given else "")
    columns = key_columns(item.group())
    if not columns or not item.take("REFERENCES"):
        return ()
    return _reference(item, columns, name)


def _reference(item: Cursor, columns: tuple[str, ...], name: str) -> tuple[Constraint, ...]:
    to = item.name()
    if to is None:
        return ()
    target = ForeignKey(columns, to.name, to.schema, key_columns(item.group()))
    return (Constraint("foreign", columns, name, target),)


def _check(item: Cursor, name: str) -> tuple[Constraint, ...]:
    check = item.group()
    found = checked_values(check) if check else None
    if found is None:
        return ()
    column, values = found
    return (Constraint("check", (column,), name, values=values),)


def key_columns(group: Cursor | None) -> tuple[str, ...]:
    """Names in a key's list; an expression is left out, a length or an order ignored."""
    if group is None:
        return ()
    names: list[str] = []
    for part in group.items():
        name = part.identifier()
        called = part.sees_mark("(") and part.peek(1).sort is not Sort.NUMBER
        if name is not None and not called:
            names.append(name.text)
    return tuple(names)


def _is_index(item: Cursor) -> bool:
    """``KEY idx (a)`` is an index, ``key varchar(10)`` a column."""
    if item.peek().word not in ("KEY", "INDEX", "FULLTEXT", "SPATIAL"):
        return False
    if item.tokens.dialect == "clickhouse":
        return item.sees("INDEX")
    ahead = 1
    while item.peek(ahead).sort in (Sort.WORD, Sort.NAME) and ahead < 8:
        ahead += 1
    inside = item.peek(ahead + 1)
    return (
        item.sees_mark("(", ahead)
        and inside.sort in (Sort.WORD, Sort.NAME, Sort.MARK)
        and inside.word != "MAX"
    )


# -- columns -----------------------------------------------------------------------------


@dataclass
class _Draft:
    """A column while its attributes are read."""

    name: str
    nullable: bool = True
    comment: str = ""
    constraints: list[Constraint] = field(default_factory=list)
    understood: bool = True


def read_column(item: Cursor) -> Item:
    """A column's definition: name, type, attributes."""
    name = item.identifier()
    if name is None or item.sees_mark("."):
        return _NOT_UNDERSTOOD
    type_ = take_type(item)
    if not type_ and item.peek().sort in (Sort.MARK, Sort.NUMBER):
        return _NOT_UNDERSTOOD
    draft = _Draft(name.text)
    _read_attributes(item, draft)
    written = type_text(type_)
    values = enum_values(type_)
    for constraint in draft.constraints:
        if constraint.kind == "check" and same(constraint.columns[0], name.text):
            values = constraint.values
    column = Column(
        name=name.text,
        type=written,
        nullable=draft.nullable and _may_be_null(written, item.tokens.dialect),
        comment=draft.comment,
        quoted=name.sort is not Sort.WORD,
        values=values,
        fields=nested_fields(type_),
    )
    keys = tuple(each for each in draft.constraints if each.kind != "check")
    return Item(column, keys, understood=draft.understood)


def same(one: str, other: str) -> bool:
    """Whether two names may mean the same: letter case ignored."""
    return one.casefold() == other.casefold()


def _may_be_null(type_: str, dialect: str) -> bool:
    lowered = type_.lower()
    if dialect == "clickhouse":
        return lowered.startswith(("nullable(", "lowcardinality(nullable(")) or not type_
    return lowered not in ("serial", "bigserial", "smallserial")


def _read_attributes(item: Cursor, draft: _Draft) -> None:
    name, previous = "", ""
    while item:
        word = item.peek().word
        if item.take("NOT", "NULL"):
            draft.nullable = False
        elif item.take("CONSTRAINT"):
            given = item.identifier()
            name = given.text if given else ""
        elif item.take("PRIMARY", "KEY") or (word == "KEY" and item.take("KEY")):
            draft.nullable = False
            draft.constraints.append(Constraint("primary", (draft.name,), name))
        elif item.take("UNIQUE"):
            item.take("KEY")
            draft.constraints.append(Constraint("unique", (draft.name,), name))
        elif item.take("REFERENCES"):
            draft.constraints += _reference(item, (draft.name,), name)
        elif item.take("CHECK"):
            draft.constraints += _check(item, name)
        elif item.take("AS", "IDENTITY"):
            draft.nullable = False
        elif word in ("COMMENT", "OPTIONS", "DESCRIPTION"):
            draft.comment = read_comment(item) or draft.comment
        else:
            if _lacks_comma(item, previous):
                draft.understood = False
            item.skip()
        previous = word


_TAKES_A_WORD = frozenset(
    "DEFAULT COLLATE ENCODE COMPRESSION STORAGE CHARSET SET UPDATE POLICY CODEC".split()
)


def _lacks_comma(item: Cursor, previous: str) -> bool:
    """``id int name text``: a second column hides in this one."""
    token, after = item.peek(), item.peek(1)
    return (
        token.sort in (Sort.WORD, Sort.NAME)
        and token.word not in ATTRIBUTES
        and token.word not in COMMON
        and after.word in COMMON
        and previous not in _TAKES_A_WORD
        and item.tokens.tokens[item.at - 1].text not in (":", ".", "=")
        and token.word not in ("WITHOUT", "LOCAL", "DOUBLE", "SET")
    )


def read_comment(item: Cursor) -> str | None:
    """``COMMENT 'x'``, ``COMMENT = 'x'`` or ``OPTIONS (description = 'x')``, if it is here."""
    if item.take("OPTIONS"):
        return _description(item.group())
    item.next()
    item.take_mark("=")
    return item.text()


def _description(group: Cursor | None) -> str | None:
    if group is None:
        return None
    for option in group.items():
        if option.take("DESCRIPTION") and option.take_mark("="):
            return option.text()
    return None


def with_checks(columns: list[Column], constraints: list[Constraint]) -> list[Column]:
    """``columns`` with the values that the table's own CHECKs allow them."""
    checks = {each.columns[0].casefold(): each for each in constraints if each.kind == "check"}
    return [
        replace(column, values=checks[column.name.casefold()].values)
        if column.name.casefold() in checks
        else column
        for column in columns
    ]
