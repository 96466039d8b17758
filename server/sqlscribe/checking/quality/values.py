"""Literals that a column surely or probably does not hold."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot.tokens import TokenType

from sqlscribe.checking.names.scopes import Known
from sqlscribe.checking.names.spelling import nearest
from sqlscribe.checking.quality.look import Look, finding, fix, is_number, is_text
from sqlscribe.checking.quality.strictness import STRICT
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Fix, Severity

_SHOWN = 6
_EQUAL = frozenset({TokenType.EQ, TokenType.NEQ})
_IGNORES_CASE = frozenset({"mysql", "tsql"})
_LENIENT = frozenset({"sqlite"})
_STRICT = frozenset(engine for engine, strict in STRICT.items() if strict.groups)
"""Of these :mod:`.operands` tells what is compared with a literal of another type."""
# Words in the names of columns that hold what people write, in whatever letters.
_FREE_WORDS = frozenset(
    """
    address author brand city color colour company country county customer department district
    firstname fullname genre lastname manufacturer name nationality province region state street
    surname title town vendor
    """.split()
)

_OTHER_WORDS = frozenset(
    """
    code column constraint domain file host id index key role routine schema sequence slug table
    trigger type user
    """.split()
)


def check_values(look: Look) -> Iterator[Finding]:
    """Columns compared with literals."""
    for index, token in enumerate(look.view.tokens):
        known = look.walk.bound.get(token.start)
        if known is None and token.token_type is TokenType.VAR:
            yield from _unknown_column(look, index)
        if known is None or known.column is None:
            continue
        for place in _compared(look, index):
            yield from _literal(look, known, index, place)


def _unknown_column(look: Look, index: int) -> Iterator[Finding]:
    """Without a schema the name alone says whether a column holds what people write."""
    view = look.view
    literal = view.kind(index + 1) is TokenType.EQ and view.kind(index + 2) is TokenType.STRING
    if literal and view.parse.sql[view.tokens[index + 2].start] == "'":
        yield from _letter_case(look, Known(), index, index + 2)


def _compared(look: Look, index: int) -> Iterator[int]:
    """The literals that the column at ``index`` is set equal to, also in a list."""
    view = look.view
    at = index + 1 + (view.kind(index + 1) is TokenType.NOT)
    literals = (TokenType.STRING, TokenType.NUMBER)
    if view.kind(at) in _EQUAL and view.kind(at + 1) in literals:
        if view.kind(at + 2) not in (TokenType.DCOLON, TokenType.COLLATE):
            yield at + 1
    elif view.kind(at) is TokenType.IN and view.kind(at + 1) is TokenType.L_PAREN:
        for first, last in view.arguments(at + 1) or ():
            if first == last and view.kind(first) in literals:
                yield first


def _literal(look: Look, known: Known, index: int, place: int) -> Iterator[Finding]:
    column = known.column
    assert column is not None
    token = look.view.tokens[place]
    if token.token_type is TokenType.NUMBER:
        if is_text(column.type) and look.engine == "redshift":
            yield from _number_for_text(look, index, place)
        return
    text = look.view.parse.sql[token.start : token.end + 1]
    if look.is_filled_in(token.start, token.text):
        return
    if text[:1] not in ("'", '"') or (text[:1] == '"' and look.engine not in _DOUBLE_QUOTED):
        return
    values, sure = _values(look, known)
    if values:
        yield from _unknown_value(look, index, place, values, sure=sure)
    elif is_number(column.type) and look.engine not in _LENIENT | _STRICT:
        yield from _text_for_number(look, index, place)
    elif is_text(column.type):
        yield from _letter_case(look, known, index, place)


_DOUBLE_QUOTED = frozenset({"mysql", "bigquery", "spark", "sqlite"})


def _values(look: Look, known: Known) -> tuple[tuple[str, ...], bool]:
    """The known values of a column, and whether there can be no others."""
    column, table = known.column, known.table
    if column is None:
        return (), False
    if column.values:
        return column.values, True
    if table is None:
        return (), False
    names = (table.qualified_name.casefold(), table.name.casefold())
    found = (look.values.get((name, column.name.casefold())) for name in names)
    return next((values for values in found if values), ()), False


def _unknown_value(
    look: Look, index: int, place: int, values: tuple[str, ...], *, sure: bool
) -> Iterator[Finding]:
    token = look.view.tokens[place]
    text = token.text
    folded = {value.casefold(): value for value in values}
    if text in values or (look.engine in _IGNORES_CASE and text.casefold() in folded):
        return
    name = look.view.tokens[index].text
    fixes: list[Fix] = []
    right = folded.get(text.casefold())
    if right is not None:
        message = f"{name} has the value '{right}' in other letters: '{text}' finds no row"
        fixes.append(_instead(look, place, right, sure=True))
    else:
        shown = ", ".join(f"'{value}'" for value in values[:_SHOWN])
        more = ", …" if len(values) > _SHOWN else ""
        end = "is none of them" if look.assigned(index) else "finds no row"
        message = f"{name} can only be {shown}{more}: '{text}' {end}"
        if not sure:
            message = f"'{text}' is not among the known values of {name}: {shown}{more}"
        near = nearest(text, values, 3)
        fixes += [_instead(look, place, item.name, sure=False) for item in near]
    span = look.view.span(place, place)
    severity = Severity.WARNING if sure else Severity.HINT
    yield from finding("quality/unknown-value", message, span, *fixes, severity=severity)


def _instead(look: Look, place: int, value: str, *, sure: bool) -> Fix:
    text = "'" + value.replace("'", "''") + "'"
    return fix(f"Change to {text}", (look.view.span(place, place), text), sure=sure)


def _number_for_text(look: Look, index: int, place: int) -> Iterator[Finding]:
    name, number = look.view.tokens[index].text, look.view.tokens[place].text
    message = f"{name} is a text, and {look.dialect} compares no text with a number; use '{number}'"
    span = look.view.span(place, place)
    yield from finding(
        "quality/type-mismatch", message, span, _instead(look, place, number, sure=True)
    )


def _text_for_number(look: Look, index: int, place: int) -> Iterator[Finding]:
    text = look.view.tokens[place].text
    try:
        float(text.strip().replace(",", ""))
    except ValueError:
        name = look.view.tokens[index].text
        message = f"{name} is a number, and '{text}' is none"
        yield from finding("quality/type-mismatch", message, look.view.span(place, place))


def _letter_case(look: Look, known: Known, index: int, place: int) -> Iterator[Finding]:
    """A word all in small letters, for a column of names as people write them."""
    column, table = known.column, known.table
    name, type_ = look.view.tokens[index].text, column.type.casefold() if column else ""
    text = look.view.tokens[place].text
    letters = [letter for letter in text if letter.isalpha()]
    words_only = all(letter.isalpha() or letter in " '." for letter in text)
    # Capitals alone are how codes are kept; small letters are how people type.
    if look.engine in _IGNORES_CASE or len(letters) < 3 or not text.islower():
        return
    if not words_only or not letters[0].isascii():
        return
    if "citext" in type_ or "nocase" in type_ or look.assigned(index):
        return
    words = set(name.casefold().replace("-", "_").split("_"))
    keys = {name.casefold() for name in table.primary_key} if table is not None else set()
    if not words & _FREE_WORDS or name.casefold() in keys | {"username"}:
        return
    if words & _OTHER_WORDS:
        return
    view = look.view
    if view.kind(index + 1) is not TokenType.EQ:
        return
    first = index
    while view.kind(first - 1) is TokenType.DOT and first > 1:
        first -= 2
    name = view.text(first, index)
    message = (
        f"letter case counts in {look.dialect}: '{text}' does not find {text.title()}; "
        f"LOWER({name}) = '{text.lower()}' finds both"
    )
    start = view.tokens[first].start
    own = f"LOWER({name}) = '{text.lower()}'".replace("''", "'")
    change = fix(f"Change to {own}", (Span(start, view.tokens[place].end + 1), own), sure=False)
    yield from finding(
        "quality/letter-case",
        message,
        view.span(place, place),
        change,
        severity=Severity.INFORMATION,
    )
