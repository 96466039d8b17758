"""One item of a table's list: a column with its own constraints, or a constraint."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlscribe.schema.ddl.changes import Constraint, Like
from sqlscribe.schema.ddl.constraints import read_check, read_constraint, read_reference
from sqlscribe.schema.ddl.cursor import Cursor
from sqlscribe.schema.ddl.tokens import Sort, words
from sqlscribe.schema.ddl.types import (
    ATTRIBUTES,
    COMMON,
    enum_values,
    nested_fields,
    take_type,
    type_text,
)
from sqlscribe.schema.model import Column


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
    column = Column(
        name=name.text,
        type=written,
        nullable=draft.nullable and _may_be_null(written, item.tokens.dialect),
        comment=draft.comment,
        quoted=name.sort is not Sort.WORD,
        values=enum_values(type_),
        fields=nested_fields(type_),
    )
    return Item(column, tuple(draft.constraints), understood=draft.understood)


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
            draft.constraints += read_reference(item, (draft.name,), name)
        elif item.take("CHECK"):
            draft.constraints += read_check(item, name)
        elif item.take("AS", "IDENTITY"):
            draft.nullable = False
        elif word in ("COMMENT", "OPTIONS", "DESCRIPTION"):
            draft.comment = read_comment(item) or draft.comment
        else:
            if _lacks_comma(item, previous):
                draft.understood = False
            item.skip()
        previous = word


_TAKES_A_WORD = words("DEFAULT COLLATE ENCODE COMPRESSION STORAGE CHARSET SET UPDATE POLICY CODEC")


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
        and token.word not in ("WITHOUT", "LOCAL", "DOUBLE", "SET", "CHANGE")
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
