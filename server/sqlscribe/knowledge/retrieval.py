"""What of the team's knowledge a question gets: examples, notes and tables, best first.

The index says what is close. Here it is decided what is used: the same question comes first,
a table that is named comes before one that is only close, and examples that say the same thing
twice are thinned out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from sqlscribe.knowledge import table_words, terms
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.masking import Masked, mask
from sqlscribe.knowledge.notes import Section
from sqlscribe.knowledge.skeleton import likeness, skeleton
from sqlscribe.knowledge.units import agreement, units
from sqlscribe.schema.model import Table

Item = TypeVar("Item")

_SAME = 0.9
"""Overlap of letters above which two masked questions say the same thing."""
_SAME_SHAPE = 0.8
"""Overlap of words above which they do where their SQL has one shape too."""
_MASKED = 0.3
"""What the words of the masked questions count, measured by all that the index says."""
_SAME_SCRIPT = 0.08
"""For being in the asker's script: of two that ask the same, that one is the better model."""
_DRAFT = 0.5
"""The share of a draft's shape in the order of examples, as against the question's."""
_ALIKE = 0.6
"""Likeness of two shapes from which one is a model for the other."""
_CLOSE = 0.4
"""What the index says of a table counts this much beside the words of its names."""
_MOST_TABLES = 150
_WORDS_IN_A_NAME = 6
LONGEST_QUESTION = 4000
"""In characters: more than that is a file in the wrong place, and would only take time."""


class Hit(NamedTuple):
    """What the index found. ``score`` is 1.0 for an entry that leads every ranking.

    ``reasons`` are its ranks: ``words #1``, ``letters #2``, ``meaning #1``.
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
    question: str,
    examples: Sequence[Example],
    hits: Iterable[Hit],
    limit: int,
    masked_by: Callable[[str], Masked] = mask,
) -> tuple[Scored[Example], ...]:
    """At most ``limit`` examples: first those that ask the same, then the closest.

    How close is told by the hits, and by the words that are left when ``masked_by`` has taken
    the values out. Of several that say nearly the same, the first is enough.
    """
    by_key = {example.key: example for example in examples}
    asked, masked = terms.same_question(question), masked_by(question)
    said, in_cjk = _said(masked), terms.has_cjk(question)
    ranked: list[tuple[int, float, Scored[Example]]] = []
    for example, hit in _known(by_key, hits):
        theirs = masked_by(example.question)
        if terms.same_question(example.question) == asked:
            ranked.append((0, 0.0, Scored(example, "the same question", 1.0)))
        elif theirs.key == masked.key:
            reason = "the same question with other values"
            ranked.append((1, 0.0, Scored(example, reason, hit.score)))
        else:
            score = hit.score + _MASKED * agreement(said, _said(theirs))
            score += _SAME_SCRIPT * (terms.has_cjk(example.question) == in_cjk)
            found = Scored(example, ", ".join(hit.reasons), score / (1 + _MASKED + _SAME_SCRIPT))
            ranked.append((2, -score, found))
    ranked.sort(key=lambda entry: entry[:2])
    return tuple(_different([scored for *_, scored in ranked], masked_by))[:limit]


def rerank(
    examples: Sequence[Scored[Example]], draft: str, dialect: str = ""
) -> tuple[Scored[Example], ...]:
    """The examples again, those first whose SQL has the shape of a ``draft`` of the answer.

    Those that ask the same stay in front. Give it more examples than are wanted, and cut after.
    """
    shape = skeleton(draft, dialect)
    best = max((scored.score for scored in examples), default=0.0) or 1.0

    def rank(scored: Scored[Example]) -> tuple[bool, float]:
        alike = likeness(shape, _shape(scored.item))
        closeness = (1 - _DRAFT) * scored.score / best + _DRAFT * alike
        return not scored.reason.startswith("the same question"), -closeness

    return tuple(sorted(examples, key=rank))


def shaped_alike(
    examples: Sequence[Scored[Example]], draft: str, dialect: str = ""
) -> tuple[Scored[Example], ...]:
    """Those of the examples whose SQL has nearly the shape of a ``draft``, the closest first."""
    shape = skeleton(draft, dialect)
    return tuple(
        scored
        for scored in rerank(examples, draft, dialect)
        if likeness(shape, _shape(scored.item)) >= _ALIKE
    )


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
    """Tables by their keys in the index, best first: those that the question names, then those
    of which it says a part, or that the hits are close to.

    A name counts in any letter case, with spaces for underscores, in the singular or plural and
    in another word for the same, in English or Chinese. So does what a comment in CJK
    characters calls the table.
    """
    question = question[:LONGEST_QUESTION]
    keys = list(tables)
    spoken = table_words.spoken(question, list(tables.values()))
    close = _strengths(hits)
    found: list[Scored[Table]] = []
    in_cjk = terms.has_cjk(question)
    for number, key in enumerate(keys):
        table, hit, said = tables[key], close.get(key), spoken.get(number)
        if (said and said.score == 1.0) or (in_cjk and _is_said(table.comment, question)):
            found.append(Scored(table, "named in the question", 1.0))
        elif said or hit:
            reasons = [said.reason] if said else []
            reasons += [hit.reason] if hit else []
            score = (said.score if said else 0.0) + (_CLOSE * hit.score if hit else 0.0)
            found.append(Scored(table, ", ".join(reasons), min(score, _ALMOST)))
    found.sort(key=lambda scored: -scored.score)
    return tuple(found[: _MOST_TABLES if limit is None else limit])


_ALMOST = 0.95
"""The highest score of a table that is not named."""


class _Strength(NamedTuple):
    score: float
    reason: str


def _strengths(hits: Iterable[Hit]) -> dict[str, _Strength]:
    """How much each hit stands out: 1.0 for the best, near 0.0 for the last of them."""
    found = list(hits)
    lowest = min((hit.score for hit in found), default=0.0)
    spread = max((hit.score for hit in found), default=0.0) - lowest
    return {
        hit.key: _Strength((hit.score - lowest) / spread if spread else 1.0, ", ".join(hit.reasons))
        for hit in found
    }


def card(table: Table) -> str:
    """A table as it is searched: its names and comments."""
    columns = [f"{column.name} {column.comment}".strip() for column in table.columns]
    return "\n".join([table.qualified_name.replace(".", " "), table.comment, *columns])


def _known(by_key: Mapping[str, Item], hits: Iterable[Hit]) -> Iterator[tuple[Item, Hit]]:
    """Hits on what is loaded; another process may have indexed something else meanwhile."""
    return ((by_key[hit.key], hit) for hit in hits if hit.key in by_key)


def _scored(item: Item, hit: Hit) -> Scored[Item]:
    return Scored(item, ", ".join(hit.reasons), hit.score)


def _said(masked: Masked) -> tuple[frozenset[str], ...]:
    """What a question says apart from its values: for each word its names."""
    return tuple(unit.names for unit in units(" ".join(masked.pieces)))


def _shape(example: Example) -> tuple[str, ...]:
    return _shape_of(example.sql, example.dialect)


@lru_cache(maxsize=10_000)
def _shape_of(sql: str, dialect: str) -> tuple[str, ...]:
    """By the text alone: an example is another one as soon as a line is typed above it."""
    return skeleton(sql, dialect)


def _different(
    ranked: Iterable[Scored[Example]], masked_by: Callable[[str], Masked]
) -> Iterator[Scored[Example]]:
    """Those that are not nearly the same as one before; the same question is never left out."""
    seen: list[tuple[frozenset[str], tuple[frozenset[str], ...], tuple[str, ...]]] = []
    for scored in ranked:
        masked = masked_by(scored.item.question)
        letters = frozenset(terms.grams(" ".join(masked.pieces)))
        said, shape = _said(masked), _shape(scored.item)
        is_new = not any(
            terms.overlap(letters, others) > _SAME
            or (shape == other_shape and agreement(said, other_said) > _SAME_SHAPE)
            for others, other_said, other_shape in seen
        )
        if is_new or scored.reason == "the same question":
            yield scored
        seen.append((letters, said, shape))


def _names_in(question: str) -> frozenset[str]:
    """Every run of a few words of the question, in the form that names are compared in."""
    found = [terms.singular(word) for word in terms.name_parts(question[:LONGEST_QUESTION])]
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
    if not terms.has_cjk(comment):
        return False
    phrases = (part.removesuffix("表") for part in _BETWEEN_PHRASES.split(comment))
    return any(len(part) > 1 and terms.has_cjk(part) and part in question for part in phrases)


@lru_cache(maxsize=50_000)
def _spoken(name: str) -> str:
    """A name as it is said: ``OrderItems`` is ``order item``."""
    return " ".join(terms.singular(part) for part in terms.name_parts(name))
