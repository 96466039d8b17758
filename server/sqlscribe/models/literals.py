"""Puts other values into the literals of a SQL text, and changes nothing else.

A value is replaced only where it is certain which literal stands for it. Everything else, a
range whose other end follows from the value included, is left to somebody who understands it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence, Set
from decimal import Decimal
from typing import NamedTuple

from sqlscribe.notation.lexicon import Kind, Piece, lexicon, scan


class Change(NamedTuple):
    """One value for another. ``kind``: ``number``, ``date``, ``text`` (quoted), ``value``."""

    kind: str
    old: str
    new: str


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


def changed(sql: str, dialect: str, changes: Sequence[Change]) -> str | None:
    """The SQL with every old value replaced by its new one; ``None`` where that is unclear.

    Changes of one old value must agree, and there must be a literal for each of them.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for kind, old, new in changes:
        family = "text" if kind == "value" else kind
        groups.setdefault((family, _value(family, old)), []).append(_value(family, new))
    moved = {key: values for key, values in groups.items() if set(values) != {key[1]}}
    if not moved:
        return sql
    spoken_of = {was.casefold() for family, was in groups if family == "text"}
    numbers = {was for family, was in groups if family == "number"}
    literals = _Literals(sql, dialect, spoken_of, numbers)
    edits: list[_Edit] = []
    for (family, was), values in moved.items():
        places = literals.places(family, was, values[0])
        if len(set(values)) > 1 or places is None or len(places) != len(values):
            return None
        edits += places
    dates = {was for family, was in groups if family == "date"}
    if any(family == "date" for family, _ in moved) and literals.has_other_date(dates):
        # The other end of a range would have to move with it.
        return None
    result = _edited(sql, edits)
    return result if result is not None and same_code(sql, result, dialect) else None


def same_code(one: str, other: str, dialect: str) -> bool:
    """True where two texts differ inside literals only."""
    return _outline(one, dialect) == _outline(other, dialect)


_DATE = re.compile(r"(?<!\d)\d{4}[-/.]?\d{2}(?:[-/.]?\d{2})?(?!\d)")
_NUMBER = re.compile(r"(?<![\w$@:.?])\d+(?:\.\d+)?(?![\w.])")
_PLAIN_NUMBER = re.compile(r"\d{1,30}(?:\.\d{1,30})?")
_CASE = re.compile(r"\b(?:lower|upper|lcase|ucase)\s*\(", re.IGNORECASE)
_IN = re.compile(r"\bin\s*\(\s*\Z", re.IGNORECASE)
_NEXT = re.compile(r"\s*,\s*|\s*\bor\s+[^'()]{1,80}(?:=|\blike)\s*", re.IGNORECASE)
# Numbers of a query that say nothing about the rows that are asked for: digits after the point,
# sizes of types, columns by their place, factors between units.
_SIZED = frozenset(
    "decimal numeric number dec varchar varchar2 nvarchar char nchar float datetime2 timestamp"
    " time".split()
)
_WITH_DIGITS = frozenset(
    "round trunc truncate format substr substring left right lpad rpad log power".split()
)
_BY_PLACE = re.compile(
    r"\b(?:group|order)\s+by\s+(?:\d+(?:\s+(?:asc|desc))?\s*,\s*)*\Z", re.IGNORECASE
)
_FACTOR_BEFORE = re.compile(r"(?:\*|(?<!\*)/)\s*\Z")
_FACTOR_BEHIND = re.compile(r"\s*(?:\*|/(?!\*))")
_TOP = re.compile(r"\btop\s*\Z", re.IGNORECASE)
_OF_INTERVAL = re.compile(r"\binterval\s+'[^']{0,40}'\s*\*\s*\Z", re.IGNORECASE)
_TIMES_INTERVAL = re.compile(r"\s*\*\s*interval\b", re.IGNORECASE)
_NAME_BEFORE = re.compile(r"(\w+)\s*\Z")
_RANGE = re.compile(r"\bbetween\s+(\d+(?:\.\d+)?)\s+and\s+(\d+(?:\.\d+)?)", re.IGNORECASE)
_RESULT = re.compile(r"\b(?:then|else|select)\s+\Z", re.IGNORECASE)
_NAMED = re.compile(r"\s+as\b", re.IGNORECASE)
_LONGEST_CALL = 2000
_UNSAFE = re.compile(r"[\\\x00-\x1f\x7f\u2028\u2029\ud800-\udfff]")


class _Literals:
    """The literals of a SQL text and where a value stands in them.

    ``spoken_of``: the texts that the question has, case-folded. ``numbers``: its numbers.
    """

    def __init__(self, sql: str, dialect: str, spoken_of: Set[str], numbers: Set[str]) -> None:
        self.sql = sql
        self.spoken_of = spoken_of
        self.numbers = {Decimal(one) for one in numbers if _PLAIN_NUMBER.fullmatch(one)}
        self.lexicon = lexicon(dialect)
        pieces = list(scan(sql, dialect))
        self.code = [piece for piece in pieces if piece.kind is Kind.CODE]
        self.strings = [piece for piece in pieces if piece.kind is Kind.STRING]

    def places(self, family: str, old: str, new: str) -> list[_Edit] | None:
        """Where the old value stands, ``None`` where the new one cannot take its place."""
        find = {"number": self._numbers, "date": self._dates}.get(family, self._texts)
        found = find(old, new)
        if found is None or any(old in self._text(odd) for odd in self._odd_strings()):
            return None
        return found

    def has_other_date(self, dates: set[str]) -> bool:
        """True where a string holds a date that is none of these."""
        return any(
            match.group() not in dates
            for piece in self.strings
            for match in _DATE.finditer(self._text(piece))
        )

    def _numbers(self, old: str, new: str) -> list[_Edit] | None:
        if not _PLAIN_NUMBER.fullmatch(old) or not _PLAIN_NUMBER.fullmatch(new):
            return None
        if "." in new and "." not in old:
            # A count such as that of LIMIT takes no fraction.
            return None
        was = Decimal(old)
        edits, others = [], set()
        for piece in self.code:
            for match in _NUMBER.finditer(self.sql, piece.start, piece.end):
                number = Decimal(match.group())
                others.add(number)
                if number == was and self._may_be_asked(*match.span()):
                    edits.append(_Edit(match.start(), match.end(), _unpadded(new)))
        for piece in self._plain_strings():
            for match in _NUMBER.finditer(self.sql, piece.start + 1, piece.end - 1):
                if not _DATE.search(self._text(piece)) and match.group() == old:
                    edits.append(_Edit(match.start(), match.end(), new))
        neighbours = ({was - 1, was + 1} & others) - {Decimal(0), Decimal(1)}
        in_date = any(
            old in re.split(r"\D", match.group())
            for piece in self.strings
            for match in _DATE.finditer(self._text(piece))
        )
        # The other end of a range: it would have to move too.
        return None if neighbours or in_date or self._has_other_end(was) else edits

    def _may_be_asked(self, start: int, end: int) -> bool:
        """Whether a number stands where one of a question may: it is compared or counted."""
        before, behind = self.sql[max(start - _LONGEST_CALL, 0) : start], self.sql[end : end + 200]
        if _BY_PLACE.search(before):
            return False
        if _OF_INTERVAL.search(before) or _TIMES_INTERVAL.match(behind) or _TOP.search(before):
            return True
        if _FACTOR_BEFORE.search(before) or _FACTOR_BEHIND.match(behind):
            return False
        name, is_first = _call_around(before)
        return name not in _SIZED and (is_first or name not in _WITH_DIGITS)

    def _has_other_end(self, number: Decimal) -> bool:
        """True in ``BETWEEN 30 AND 39`` where the question says 30: the other end would move."""
        for piece in self.code:
            for ends in _RANGE.finditer(self.sql, piece.start, piece.end):
                low, high = Decimal(ends[1]), Decimal(ends[2])
                other = high if number == low else low
                is_counted = other == low and low <= 1
                if number in (low, high) and other not in self.numbers and not is_counted:
                    return True
        return False

    def _dates(self, old: str, new: str) -> list[_Edit] | None:
        if _shape(old) != _shape(new) or not re.search(r"\d", old):
            return None
        pattern = re.compile(rf"(?<![\w-]){re.escape(old)}(?![\d-])")
        return [
            _Edit(match.start(), match.end(), new)
            for piece in self._plain_strings()
            for match in pattern.finditer(self.sql, piece.start + 1, piece.end - 1)
        ]

    def _texts(self, old: str, new: str) -> list[_Edit] | None:
        if _UNSAFE.search(new) or not old:
            return None
        edits = []
        for piece in self._plain_strings():
            held = self._text(piece)[1:-1].replace("''", "'")
            bare = held.strip("%")
            alters = [alter for alter in (str, str.lower, str.upper) if bare == alter(old)]
            if not alters:
                continue
            outcomes = {alter(new) for alter in alters}
            if bare != held and re.search("[%_]", new):
                # It would become a part of the pattern.
                return None
            if (len(outcomes) > 1 and self._folds_case()) or self._is_part(piece):
                return None
            if self._is_label(piece):
                return None
            text = held.replace(bare, self._escaped(alters[0](new)), 1)
            edits.append(_Edit(piece.start + 1, piece.end - 1, text))
        return edits

    def _is_part(self, piece: Piece) -> bool:
        """True in ``IN ('gold', 'platinum')`` where the question says gold: it is a definition."""
        at = self.strings.index(piece)
        first = last = at
        while first and self._go_together(first - 1):
            first -= 1
        while last + 1 < len(self.strings) and self._go_together(last):
            last += 1
        members = self.strings[first : last + 1]
        is_list = _IN.search(self.sql[: members[0].start]) is not None
        if not is_list and any("," in self._after(number) for number in range(first, last)):
            # The arguments of a function.
            return False
        others = (self._text(one)[1:-1].strip("%") for one in members if one is not piece)
        return any(text.replace("''", "'").casefold() not in self.spoken_of for text in others)

    def _is_label(self, piece: Piece) -> bool:
        """True in ``THEN 'gold'`` and ``'gold' AS tier``: what makes it gold is said elsewhere."""
        before = self.sql[max(piece.start - _LONGEST_CALL, 0) : piece.start]
        if _RESULT.search(before):
            return True
        return (
            before.rstrip().endswith(",")
            and _NAMED.match(self.sql, piece.end) is not None
            and not _call_around(before)[0].endswith("cast")
        )

    def _go_together(self, number: int) -> bool:
        return _NEXT.fullmatch(self._after(number)) is not None

    def _after(self, number: int) -> str:
        """The code from one string to the next."""
        return self.sql[self.strings[number].end : self.strings[number + 1].start]

    def _folds_case(self) -> bool:
        """True where some value may be compared in lower or upper case."""
        return any(_CASE.search(self._text(piece)) for piece in self.code)

    def _escaped(self, text: str) -> str:
        return text.replace("'", "''" if self.lexicon.doubled_quotes else "\\'")

    def _text(self, piece: Piece) -> str:
        return self.sql[piece.start : piece.end]

    def _plain_strings(self) -> Iterator[Piece]:
        """Strings in simple quotes without escapes other than a doubled quote."""
        for piece in self.strings:
            if self._is_plain(piece):
                yield piece

    def _odd_strings(self) -> Iterator[Piece]:
        for piece in self.strings:
            if not self._is_plain(piece):
                yield piece

    def _is_plain(self, piece: Piece) -> bool:
        text = self._text(piece)
        if len(text) < 2 or text[0] != "'" or text[-1] != "'" or "\\" in text:
            return False
        inside = text[1:-1]
        return "'" not in (inside.replace("''", "") if self.lexicon.doubled_quotes else inside)


def _call_around(before: str) -> tuple[str, bool]:
    """The name before the parenthesis that is still open, and whether no comma follows it."""
    depth, is_first = 0, True
    for at in range(len(before) - 1, -1, -1):
        if before[at] == ")":
            depth += 1
        elif before[at] == "(" and depth:
            depth -= 1
        elif before[at] == "(":
            name = _NAME_BEFORE.search(before[:at])
            return (name[1].lower() if name else ""), is_first
        elif before[at] == "," and not depth:
            is_first = False
    return "", is_first


def _value(family: str, text: str) -> str:
    """A slot's text as a value: without its quotes, its thousands marks, its width."""
    text = text.strip()
    if family == "number":
        plain = unicodedata.normalize("NFKC", text)
        return re.sub(r"(?<=\d)[,_'\u2019 ](?=\d{3}\b)", "", plain)
    if family == "date":
        return unicodedata.normalize("NFKC", text)
    for opening, closing in ("''", '""', "“”", "‘’", "「」", "『』", "《》", "``"):
        if len(text) >= 2 and text[0] == opening and text[-1] == closing:
            return text[1:-1]
    return text


def _unpadded(number: str) -> str:
    return re.sub(r"^0+(?=\d)", "", number)


def _shape(text: str) -> str:
    return re.sub(r"[0-9]", "0", text)


def _edited(sql: str, edits: list[_Edit]) -> str | None:
    """The SQL with the edits made, ``None`` where two of them meet."""
    pieces, done = [], 0
    for start, end, text in sorted(edits):
        if start < done:
            return None
        pieces += [sql[done:start], text]
        done = end
    return "".join([*pieces, sql[done:]])


def _outline(sql: str, dialect: str) -> list[tuple[Kind, str]]:
    return [
        (
            piece.kind,
            ""
            if piece.kind is Kind.STRING
            else _NUMBER.sub("0", sql[piece.start : piece.end])
            if piece.kind is Kind.CODE
            else sql[piece.start : piece.end],
        )
        for piece in scan(sql, dialect)
    ]
