"""What a team calls its tables and columns, found in its rules and notes.

    revenue means SUM(order_items.price * qty)
    客户 = customers
    GMV: gross merchandise value, orders.total before refunds

Only what leads to a name of the schema counts, or to a few words that take the place of others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sqlscribe.knowledge import terms
from sqlscribe.schema.model import Schema


class Synonym(NamedTuple):
    """``said`` is what people say, folded; ``meant`` are names of the schema, or other words."""

    said: str
    meant: tuple[str, ...]


def synonyms(texts: Iterable[str], schema: Schema) -> tuple[Synonym, ...]:
    """The definitions in ``texts``, one for each thing said, in their order."""
    names = _names(schema)
    found: dict[str, dict[str, None]] = {}
    for text in texts:
        for line in text.splitlines():
            for said, meant in _definitions(line[:_LONGEST_LINE], names):
                found.setdefault(said, {}).update(dict.fromkeys(meant))
    return tuple(Synonym(said, tuple(meant)) for said, meant in found.items())


def in_words_of_schema(question: str, known: Sequence[Synonym]) -> str:
    """A question with what its words mean behind it, for searching; else just the question."""
    folded = f" {_folded(question)} "
    meant: dict[str, None] = {}
    for _ in range(_STEPS):
        said = f"{folded}{_folded(' '.join(meant))} "
        for synonym in known:
            if _says(said, synonym.said):
                meant.update(dict.fromkeys(synonym.meant))
    new = [name for name in meant if not _says(folded, _folded(name))]
    return "\n".join([question, " ".join(new)]) if new else question


_STEPS = 2
"""A word may be explained by another one that is explained itself."""
_LONGEST_LINE = 500
_MOST_WORDS = 4
_MOST_LETTERS_IN_CJK = 12
_DEFINITION = re.compile(
    r"\s+(?:means?|is\s+defined\s+as|are\s+defined\s+as|stands?\s+for|refers?\s+to|is\s+called"
    r"|are\s+called|is\s+also\s+called|is\s+short\s+for|a\.?k\.?a\.?)\s+"
    r"|\s*(?:=|:=|≡|->|→|：|指的是|是指|定义为|等于|也叫|又称|称为|表示|即)\s*|:\s+"
)
_MARKUP = re.compile(r"^[\s>*#|\-+\d.)•·]+|[*`\"'“”「」]+|(?<!\w)_+|_+(?!\w)")
_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def _definitions(line: str, names: dict[str, str]) -> Iterator[tuple[str, list[str]]]:
    plain = _MARKUP.sub(" ", line).strip()
    match = _DEFINITION.search(plain)
    if match is None:
        return
    left, right = plain[: match.start()].strip(), plain[match.end() :].strip(" .。;；")
    if _folded(left) == _folded(right):
        return
    meant = _named(right, names)
    if meant and _is_short(left) and _folded(left) not in map(_folded, meant):
        yield _folded(left), meant
    elif (reverse := _named(left, names)) and len(_NAME.findall(left)) == 1 and _is_short(right):
        # ``customers: 客户`` is written as often as the other way round.
        yield _folded(right), reverse
    elif not meant and _is_short(left) and _is_short(right) and ":" not in match.group():
        yield _folded(left), [right]


def _named(text: str, names: dict[str, str]) -> list[str]:
    """The names of tables and columns in a text, as the schema spells them."""
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        name = match.group()
        known = names.get(name.casefold()) or names.get(name.rpartition(".")[2].casefold())
        if known and name.casefold() not in terms.STOP_WORDS:
            found[name if "." in name else known] = None
    return list(found)


def _names(schema: Schema) -> dict[str, str]:
    names: dict[str, str] = {}
    for table in schema.tables:
        for column in table.columns:
            names.setdefault(column.name.casefold(), column.name)
    return names | {table.name.casefold(): table.name for table in schema.tables}


_HEADINGS = frozenset("note tip hint example warning important remark rule definition e.g".split())


def _is_short(text: str) -> bool:
    words = _folded(text).split()
    if not words or all(word in terms.STOP_WORDS or word in _HEADINGS for word in words):
        return False
    limit = _MOST_LETTERS_IN_CJK if terms.has_cjk(text) else 40
    return len(words) <= _MOST_WORDS and len(text) <= limit


def _folded(text: str) -> str:
    parts = (characters or " ".join(words) for characters, words in terms.runs(text))
    return " ".join(" ".join(map(terms.singular, part.split())) for part in parts)


def _says(folded: str, said: str) -> bool:
    if not said:
        return False
    return said in folded if terms.has_cjk(said) else f" {said} " in folded
