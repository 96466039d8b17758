"""What of the team's knowledge a question gets: examples, notes and tables, best first.

The index says what is close. Here it is decided what is used: the same question comes first,
a table that is named comes before one that is only close, and examples that say the same thing
twice are thinned out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from sqlscribe.knowledge import terms
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.masking import mask
from sqlscribe.knowledge.notes import Section
from sqlscribe.schema.model import Table

Item = TypeVar("Item")

_SAME = 0.9
"""Overlap of letters above which two masked questions say the same thing."""
_WORDS_IN_A_NAME = 6
LONGEST_QUESTION = 4000
"""In characters: more than that is a file in the wrong place, and would only take time."""


class Hit(NamedTuple):
    """What the index found. ``score`` is 1.0 for an entry that leads every ranking.

    ``reasons`` are its ranks: ``words 1``, ``letters 2``, ``meaning 1``.
    """

    key: str
    score: float
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Scored(Generic[Item]):
    """Something chosen, with its score (0 where none was computed) and the reason."""

    item: Item
    reason: str
    score: float = 0.0


def choose_examples(
    question: str, examples: Sequence[Example], hits: Iterable[Hit], limit: int
) -> tuple[Scored[Example], ...]:
    """At most ``limit`` examples: first those that ask the same, then the closest hits.

    Of several that differ in numbers, dates and quoted strings only, the first is enough.
    """
    by_key = {example.key: example for example in examples}
    asked, masked = terms.same_question(question), mask(question).key
    ranked: list[tuple[int, Scored[Example]]] = []
    for example, hit in _known(by_key, hits):
        if terms.same_question(example.question) == asked:
            ranked.append((0, Scored(example, "the same question", 1.0)))
        elif mask(example.question).key == masked:
            reason = "the same question with other values"
            ranked.append((1, Scored(example, reason, hit.score)))
        else:
            ranked.append((2, _scored(example, hit)))
    ranked.sort(key=lambda entry: entry[0])
    return tuple(_different(scored for _, scored in ranked))[:limit]


def choose_notes(
    question: str, notes: Sequence[Section], hits: Iterable[Hit], limit: int = 6
) -> tuple[Scored[Section], ...]:
    """At most ``limit`` sections: first those whose heading is in the question, then the hits."""
    by_key = {note.key: note for note in notes}
    names = _names_in(question)
    scored = [
        (not _is_named(note.title.rpartition(" > ")[2], names, question), _scored(note, hit))
        for note, hit in _known(by_key, hits)
    ]
    scored.sort(key=lambda entry: entry[0])
    return tuple(entry for _, entry in scored)[:limit]


def choose_tables(
    question: str, tables: Mapping[str, Table], hits: Iterable[Hit], limit: int | None = None
) -> tuple[Scored[Table], ...]:
    """Tables by their keys in the index: first those that the question names, then the hits.

    A name counts in any letter case, with spaces for underscores and with or without a plural.
    So does what a comment in CJK characters calls the table.
    """
    names = _names_in(question)
    named = {
        key: Scored(table, "named in the question", 1.0)
        for key, table in tables.items()
        if _is_named(table.name, names, question) or _is_said(table.comment, question)
    }
    close = {
        hit.key: _scored(table, hit) for table, hit in _known(tables, hits) if hit.key not in named
    }
    return (*named.values(), *close.values())[:limit]


def _known(by_key: Mapping[str, Item], hits: Iterable[Hit]) -> Iterator[tuple[Item, Hit]]:
    """Hits on what is loaded; another process may have indexed something else meanwhile."""
    return ((by_key[hit.key], hit) for hit in hits if hit.key in by_key)


def _scored(item: Item, hit: Hit) -> Scored[Item]:
    return Scored(item, ", ".join(hit.reasons), hit.score)


def _different(ranked: Iterable[Scored[Example]]) -> Iterator[Scored[Example]]:
    """Those that are not nearly the same as one before; the same question is never left out."""
    seen: list[frozenset[str]] = []
    for scored in ranked:
        letters = frozenset(terms.grams(mask(scored.item.question).text))
        if scored.reason == "the same question" or not any(
            terms.overlap(letters, earlier) > _SAME for earlier in seen
        ):
            yield scored
        seen.append(letters)


def _names_in(question: str) -> frozenset[str]:
    """Every run of a few words of the question, in the form that names are compared in."""
    found = [_singular(word) for word in terms.name_parts(question[:LONGEST_QUESTION])]
    runs = {
        " ".join(found[start:end])
        for start in range(len(found))
        for end in range(start + 1, min(start + _WORDS_IN_A_NAME, len(found)) + 1)
    }
    return frozenset(runs - terms.STOP_WORDS)


def _is_named(name: str, names: frozenset[str], question: str) -> bool:
    if terms.has_cjk(name):
        # Without spaces there are no words that could be compared.
        return len(name) > 1 and name in question
    return _spoken(name) in names


_BETWEEN_PHRASES = re.compile(r"[\s,，;；、。.:：()（）|/]+")


def _is_said(comment: str, question: str) -> bool:
    """True where a table's comment calls it in CJK characters what the question does: ``订单表``.

    Its name may well be in English.
    """
    if not terms.has_cjk(comment) or not terms.has_cjk(question):
        return False
    phrases = (part.removesuffix("表") for part in _BETWEEN_PHRASES.split(comment))
    return any(len(part) > 1 and terms.has_cjk(part) and part in question for part in phrases)


@lru_cache(maxsize=50_000)
def _spoken(name: str) -> str:
    """A name as it is said: ``OrderItems`` is ``order item``."""
    return " ".join(_singular(part) for part in terms.name_parts(name))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word
