"""Scripts that were read, as text to keep: short to write, quick to read, and checked.

A value becomes JSON: dataclasses are lists of their fields, without the last ones that have
their defaults, and with a number in front where several classes may stand in one place. What
does not have exactly the right form is nothing: a kept text may be damaged or another's.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields, is_dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.schema.ddl.changes import Change
from sqlscribe.schema.ddl.script import DdlScript
from sqlscribe.schema.model import Column

FORMAT = 3
"""To be raised with every change of what is kept, and of what reading makes of a text."""

_ODD = (ValueError, TypeError, LookupError, RecursionError)


def encode(script: DdlScript) -> str | None:
    """A script on one line of ASCII; ``None`` for one that cannot be kept."""
    if any(finding.fixes for finding in script.findings):
        return None
    findings = [
        (finding.code, finding.severity.value, finding.message, finding.span)
        for finding in script.findings
    ]
    changes = _changes().write(script.changes)
    try:
        return json.dumps([FORMAT, script.dialect, changes, findings], separators=(",", ":"))
    except RecursionError:
        return None


def decode(text: str | bytes, path: Path) -> DdlScript | None:
    """The script that :func:`encode` wrote, as that of ``path``; ``None`` for anything else."""
    try:
        form, dialect, changes, findings = json.loads(text)
        if form != FORMAT or type(dialect) is not str:
            return None
        found = tuple(_finding(*each) for each in findings)
        return DdlScript(path, dialect, _changes().read(changes), found)
    except _ODD:
        return None


def _finding(code: Any, severity: Any, message: Any, span: Any) -> Finding:
    start, end = span
    return Finding(
        _text(code), Severity(severity), _text(message), Span(_whole(start), _whole(end))
    )


@cache
def _changes() -> _Codec:
    return _codec(tuple[Change, ...])


# -- a codec for every type that a change is made of ---------------------------------------


class _Codec(NamedTuple):
    """``write`` makes a value plain; ``read`` makes it again, or raises one of ``_ODD``."""

    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


@cache
def _codec(type_: Any) -> _Codec:
    if type_ in _SIMPLE:
        return _Codec(_as_it_is, _SIMPLE[type_])
    if type_ == tuple[Column, ...]:
        return _Codec(_write_columns, _read_columns)
    origin, arguments = get_origin(type_), get_args(type_)
    if origin is Literal:
        return _Codec(_as_it_is, _one_of(arguments))
    if origin is tuple:
        return _tuple(arguments)
    if origin in (Union, types.UnionType):
        return _union(arguments)
    if is_dataclass(type_) or hasattr(type_, "_fields"):
        return _record(type_)
    raise TypeError(f"{type_} cannot be kept")


def _as_it_is(value: Any) -> Any:
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise TypeError
    return value


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError
    return value


def _truth(value: Any) -> bool:
    if type(value) is not bool:
        raise TypeError
    return value


def _nothing(value: Any) -> None:
    if value is not None:
        raise TypeError


_SIMPLE: dict[Any, Callable[[Any], Any]] = {
    str: _text,
    int: _whole,
    bool: _truth,
    type(None): _nothing,
}


def _one_of(allowed: Sequence[Any]) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if value not in allowed:
            raise ValueError
        return value

    return read


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise TypeError
    return value


def _tuple(parts: Sequence[Any]) -> _Codec:
    if len(parts) == 2 and parts[1] is Ellipsis:
        inner = _later(parts[0])
        return _Codec(
            lambda value: [inner().write(each) for each in value],
            lambda value: tuple(map(inner().read, _list(value))),
        )
    each = [_later(part) for part in parts]
    return _Codec(
        lambda value: [part().write(v) for part, v in zip(each, value, strict=True)],
        lambda value: tuple(part().read(v) for part, v in zip(each, _list(value), strict=True)),
    )


def _later(type_: Any) -> Callable[[], _Codec]:
    """A query holds queries: its codec is there only once it is asked for."""
    return lambda: _codec(type_)


def _union(options: Sequence[Any]) -> _Codec:
    """A number says which of several classes it is; of simple values, their own kind does."""
    classes = [option for option in options if option not in _SIMPLE]
    simple = [option for option in options if option in _SIMPLE]
    numbers = {class_: number for number, class_ in enumerate(classes)}
    if get_origin(classes[0] if classes else None) is tuple:
        # A tuple or nothing.
        numbers = {tuple: 0}
    inner = [_later(class_) for class_ in classes]

    def write(value: Any) -> Any:
        number = numbers.get(type(value))
        return value if number is None else [number, inner[number]().write(value)]

    def read(value: Any) -> Any:
        if type(value) is not list:
            if not any(type(value) is option for option in simple):
                raise TypeError
            return value
        number, kept = value
        if number.__class__ is not int or number < 0:
            raise TypeError
        return inner[number]().read(kept)

    return _Codec(write, read)


def _record(class_: Any) -> _Codec:
    names, defaults = _fields(class_)
    hints = get_type_hints(class_)
    inner = [_codec(hints[name]) for name in names]
    writers = [(name, codec.write) for name, codec in zip(names, inner, strict=True)]
    readers = [codec.read for codec in inner]
    needed, most = len(names) - len(defaults), len(names)

    def write(value: Any) -> list[Any]:
        kept = most
        while kept > needed and getattr(value, names[kept - 1]) == defaults[kept - 1 - needed]:
            kept -= 1
        return [each(getattr(value, name)) for name, each in writers[:kept]]

    def read(value: Any) -> Any:
        if not needed <= len(_list(value)) <= most:
            raise ValueError
        return class_(*[each(kept) for each, kept in zip(readers, value, strict=False)])

    return _Codec(write, read)


def _fields(class_: Any) -> tuple[list[str], list[Any]]:
    """Names of the fields, and the defaults of the last ones."""
    if is_dataclass(class_):
        own = fields(class_)
        return [f.name for f in own], [f.default for f in own if f.default is not MISSING]
    return list(class_._fields), list(class_._field_defaults.values())


# -- columns: nine tenths of what is kept --------------------------------------------------

_PARTS, _ROWS = "\t", "\n"


def _write_columns(columns: Sequence[Column]) -> Any:
    """Columns as one text, a line for each; what lists things stands beside it by its place."""
    rows = [_row(column) for column in columns]
    if any(row.count(_PARTS) != 3 or _ROWS in row or row[0] == _PARTS for row in rows):
        codec = _codec(Column)
        return [codec.write(column) for column in columns]
    beside = [
        [place, column.values, column.fields]
        for place, column in enumerate(columns)
        if column.values or column.fields
    ]
    text = _ROWS.join(row.rstrip(_PARTS) for row in rows)
    return {text: beside}


def _row(column: Column) -> str:
    flags = ("" if column.nullable else "!") + ("q" if column.quoted else "")
    return _PARTS.join((column.name, column.type, flags, column.comment))


def _read_columns(kept: Any) -> tuple[Column, ...]:
    if type(kept) is list:
        return tuple(map(_codec(Column).read, kept))
    if type(kept) is not dict:
        raise TypeError
    ((text, beside),) = kept.items()
    columns = [_column(row) for row in text.split(_ROWS)] if text else []
    for place, values, nested in beside:
        listed = _codec(tuple[str, ...]).read
        columns[_whole(place)] = replace(
            columns[place], values=listed(values), fields=listed(nested)
        )
    return tuple(columns)


@lru_cache(maxsize=32768)
def _column(row: str) -> Column:
    """Many tables have the same ``id``: they may have the same object."""
    parts = row.split(_PARTS)
    if len(parts) > 4 or not parts[0]:
        raise ValueError
    name, type_, flags, comment = (*parts, "", "", "")[:4]
    return Column(name, type_, "!" not in flags, comment, "q" in flags)
