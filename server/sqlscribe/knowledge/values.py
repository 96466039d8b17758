"""Known values that a question speaks of, in any script, as far as that is certain.

``orders.region has 'East China'`` tells a model what to compare with, whether the question says
"east china", "East-China" or misspells it. A wrong hint is worse than none: words that say
nothing, words of the schema and short codes match no value by chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlscribe.identity_cache import identity_cache
from sqlscribe.knowledge import terms
from sqlscribe.knowledge.masking import mask
from sqlscribe.knowledge.near_values import NearValues, distance
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.knowledge.thesaurus import senses
from sqlscribe.knowledge.units import stem, units
from sqlscribe.schema.model import Schema


class ValueMatch(NamedTuple):
    """``table.column`` has ``value``, of which the question speaks in ``words``.

    ``score`` is 1.0 for the very spelling, and above 0.5 for everything that is returned.
    """

    table: str
    column: str
    value: str
    score: float
    words: str


def match_values(
    question: str, profiles: tuple[Profile, ...], schema: Schema, limit: int = 20
) -> tuple[ValueMatch, ...]:
    """At most ``limit`` matches, best first, each value with at most a few of its columns.

    Values come from the profiles and from what the schema allows. Columns that the question
    names come first. The first call for a tuple of profiles takes longer.
    """
    known = _known(profiles, schema)
    question = question[:_LONGEST_QUESTION]
    said = frozenset().union(*(unit.names for unit in units(question)))
    found: list[tuple[float, ValueMatch]] = []
    for spoken in _longest(known.spoken(question)):
        matches = [
            (spoken.score + _NAMED * named, ValueMatch(*place, spoken.score, spoken.words))
            for place in known.places(spoken.value)
            for named in (_share_said(place, said),)
        ]
        matches.sort(key=lambda entry: -entry[0])
        found += matches[:_COLUMNS_OF_ONE]
    found.sort(key=lambda entry: -entry[0])
    return tuple(match for _, match in found[:limit])


_LONGEST_QUESTION = 4000
_COLUMNS_OF_ONE = 4
_NAMED = 0.2
"""What it counts that the question names the table or column of a value."""
_WORDS_IN_A_VALUE = 8
_SHORT = 3
"""Letters up to which capitals are a code, which counts in its own spelling only."""
_FOLDED, _INFLECTED, _WITHOUT_ENDING = 0.97, 0.93, 0.9
_DERIVED, _WORD_ENDINGS, _SHORTEST_DERIVED = 0.85, ("ful", "ed", "d", "ly"), 5
_SLIP, _LONG_IN_CJK = 0.8, 4
_CJK_ENDINGS = tuple("省市县区州国店部")
_QUERY_WORDS = frozenset(
    "no not none all any each every per total count number sum average mean median max min most"
    " least top bottom first last next previous order sort group distinct unique true false null"
    " new more less than over under between before after since until day week month year today"
    " yesterday only also both other same different name date time value type id".split()
)


class _Spoken(NamedTuple):
    """A known value, where the question says it, and how surely."""

    start: int
    end: int
    score: float
    value: str
    words: str


class _Word(NamedTuple):
    start: int
    end: int
    folded: str


@identity_cache(maxsize=2)
def _known(profiles: tuple[Profile, ...], schema: Schema) -> _KnownValues:
    return _KnownValues(profiles, schema)


@dataclass
class _Values:
    """Values by the form in which they are compared."""

    by_words: dict[str, list[str]] = field(default_factory=dict)
    by_letters: dict[str, list[str]] = field(default_factory=dict)
    by_pair: dict[str, list[tuple[str, str]]] = field(default_factory=dict)


class _KnownValues:
    def __init__(self, profiles: Iterable[Profile], schema: Schema) -> None:
        self._columns: list[tuple[str, str]] = []
        self._having: dict[str, list[int]] = {}
        self._values = _Values()
        for profile in profiles:
            self._add_column(profile.table, profile.column, profile.values)
        for table in schema.tables:
            for column in table.columns:
                if column.values:
                    self._add_column(table.name, column.name, column.values)
        self._names = _schema_words(schema)
        self._near = NearValues(self._values.by_words)

    def places(self, value: str) -> Iterator[tuple[str, str, str]]:
        """Table, column and value for each column that has it."""
        for number in dict.fromkeys(self._having[value]):
            yield (*self._columns[number], value)

    def spoken(self, question: str) -> Iterator[_Spoken]:
        """All that the question may mean; places may overlap."""
        quoted = [slot for slot in mask(question).slots if slot.kind == "text"]
        for slot in quoted:
            inside = slot.text[1:-1]
            yield from self._in_quotes(inside, slot.span.start, slot.span.end)
        masked = _blanked(question, [slot.span for slot in quoted])
        words = _words(masked)
        is_loud = masked == masked.upper() and masked != masked.lower()
        exact = list(self._by_words(masked, words, is_loud))
        yield from exact
        yield from self._in_cjk(masked)
        taken = {place for one in exact for place in range(one.start, one.end)}
        odd = [w for w in words if w.start not in taken and not self._is_known_word(w.folded)]
        for start, end, score, folded in self._near.found(words, odd):
            for value in self._values.by_words[folded]:
                yield _Spoken(start, end, score, value, masked[start:end])

    def _add_column(self, table: str, column: str, values: Sequence[str]) -> None:
        number = len(self._columns)
        self._columns.append((table, column))
        for value in values:
            having = self._having.get(value)
            if having is not None:
                having.append(number)
                continue
            folded = fold(value)
            if not folded:
                continue
            self._having[value] = [number]
            if terms.has_cjk(folded):
                for form in dict.fromkeys((folded, _without_ending(folded))):
                    if len(form) > 1:
                        self._values.by_pair.setdefault(form[:2], []).append((form, value))
            self._values.by_words.setdefault(folded, []).append(value)
            letters = folded.replace(" ", "")
            if letters != folded:
                self._values.by_letters.setdefault(letters, []).append(value)

    def _in_quotes(self, text: str, start: int, end: int) -> Iterator[_Spoken]:
        folded = fold(text)
        for value in self._values.by_words.get(folded, ()):
            yield _Spoken(start, end, 1.0 if value == text else _FOLDED, value, text)
        if folded in self._values.by_words:
            return
        for value in self._values.by_letters.get(folded.replace(" ", ""), ()):
            yield _Spoken(start, end, _INFLECTED, value, text)
        for score, near in self._near.of_phrase(folded):
            for value in self._values.by_words[near]:
                yield _Spoken(start, end, score, value, text)

    def _by_words(self, text: str, words: Sequence[_Word], is_loud: bool) -> Iterator[_Spoken]:
        for first in range(len(words)):
            for last in range(first, min(first + _WORDS_IN_A_VALUE, len(words))):
                span = words[first : last + 1]
                start, end = span[0].start, span[-1].end
                folded = " ".join(word.folded for word in span)
                for form, score in _forms(folded):
                    values = self._values.by_words.get(form, ())
                    if not values and form == folded:
                        values = self._values.by_letters.get(form.replace(" ", ""), ())
                        score = _INFLECTED
                    for value in values:
                        if self._is_said(value, text[start:end], len(span), is_loud):
                            exact = 1.0 if value == text[start:end] else score
                            yield _Spoken(start, end, exact, value, text[start:end])

    def _is_said(self, value: str, said: str, words: int, is_loud: bool) -> bool:
        """False where a word of everyday English only happens to be a value."""
        folded = said.casefold()
        if words > 1:
            return True
        if folded.isdecimal():
            return False
        if len(value) <= _SHORT and value.isascii() and (value.isupper() or len(value) < _SHORT):
            # A code such as US or NO: in its own spelling, and not in a question all in capitals.
            return value == said and said.isupper() and not is_loud and folded not in _QUERY_WORDS
        return not (folded in terms.STOP_WORDS or folded in _QUERY_WORDS or self._names_it(folded))

    def _names_it(self, word: str) -> bool:
        return stem(word) in self._names

    def _is_known_word(self, word: str) -> bool:
        """True for what is surely no misspelt value: it is a word already."""
        return (
            word in terms.STOP_WORDS
            or word in _QUERY_WORDS
            or self._names_it(word)
            or any(form in senses() for form in (word, terms.singular(word)))
        )

    def _in_cjk(self, text: str) -> Iterator[_Spoken]:
        if not terms.has_cjk(text):
            return
        folded, places = _folded_in_place(text)
        for start in range(len(folded) - 1):
            for form, value in self._values.by_pair.get(folded[start : start + 2], ()):
                whole = fold(value) == form
                length, score = len(form), _FOLDED if whole else _WITHOUT_ENDING
                if not folded.startswith(form, start):
                    length, score = _with_slip(folded, start, form) if whole else 0, _SLIP
                if length:
                    span = places[start], places[start + length - 1] + 1
                    said = text[span[0] : span[1]]
                    yield _Spoken(*span, 1.0 if said == value else score, value, said)


def fold(text: str) -> str:
    """A value in the form in which equal ones are equal: case, width, accents, marks aside."""
    return " ".join(word for word in _folded_words(text))


def _folded_words(text: str) -> Iterator[str]:
    for characters, parts in terms.runs(text):
        yield characters or "".join(parts)


def _words(text: str) -> list[_Word]:
    """The words of a text that are not in CJK characters, without a possessive ``'s``."""
    found: list[_Word] = []
    start = 0
    for match in terms.WORD.finditer(text):
        start = match.start()
        folded = fold(match.group())
        previous = found[-1] if found else None
        if folded == "s" and previous and text[previous.end : start] in ("'", "’"):
            continue
        if folded:
            found.append(_Word(start, match.end(), folded))
    return found


def _forms(folded: str) -> Iterator[tuple[str, float]]:
    """A phrase, its singular and its plural, and a word with another ending: ``successful``."""
    yield folded, _FOLDED
    single = terms.singular(folded)
    yield single if single != folded else f"{folded}s", _INFLECTED
    for ending in _WORD_ENDINGS if len(folded) > _SHORTEST_DERIVED else ():
        yield folded.removesuffix(ending) if folded.endswith(ending) else folded + ending, _DERIVED


def _folded_in_place(text: str) -> tuple[str, list[int]]:
    """A text folded letter by letter without its spaces, and the place of each letter."""
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for letter in fold(character).replace(" ", ""):
            letters.append(letter)
            places.append(place)
    return "".join(letters), places


def _with_slip(text: str, start: int, form: str) -> int:
    """How many characters at ``start`` are a longer value with one wrong in its middle, or 0."""
    if len(form) < _LONG_IN_CJK:
        return 0
    for length in (len(form) - 1, len(form), len(form) + 1):
        said = text[start : start + length]
        if said[-1:] == form[-1] and distance(said, form, 1) == 1:
            return length
    return 0


def _without_ending(folded: str) -> str:
    """``北京市`` is said as ``北京`` as often."""
    return folded.removesuffix(folded[-1]) if folded.endswith(_CJK_ENDINGS) else folded


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _longest(spoken: Iterable[_Spoken]) -> list[_Spoken]:
    """Of matches that overlap those of the most characters, then of the best score."""
    chosen: list[_Spoken] = []
    ordered = sorted(spoken, key=lambda one: (one.start - one.end, -one.score))
    for one in dict.fromkeys(ordered):
        same = [other for other in chosen if other.start < one.end and one.start < other.end]
        if all((o.start, o.end, o.score) == (one.start, one.end, one.score) for o in same):
            chosen.append(one)
    return chosen


def _schema_words(schema: Schema) -> frozenset[str]:
    words: set[str] = set()
    for table in schema.tables:
        for name in (table.name, *(column.name for column in table.columns)):
            words.update(stem(part) for part in terms.name_parts(name))
    return frozenset(words)


def _share_said(place: tuple[str, str, str], said: frozenset[str]) -> float:
    table, column, _ = place
    names = [unit.names for unit in units(f"{table} {column}")]
    return sum(not name.isdisjoint(said) for name in names) / max(len(names), 1)
