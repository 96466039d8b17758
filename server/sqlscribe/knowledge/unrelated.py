"""Questions that have nothing to do with the database, or ask for more than it has.

A small model writes SQL for "What is the national animal of Canada?" too. Here such a question
is told by its words: neither the schema nor anything else that the team wrote has them. It is
better to miss one than to turn away a question that has an answer. Values and the jargon of a
trade are strange words too ("red running shoes", "kidney stones"), so that strange words alone
tell nothing: the question must also be put as one about the world, or to the model as a writer.
Questions about a schema whose names are no English are never turned away.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, median

from sqlscribe.knowledge import table_words, terms
from sqlscribe.knowledge.thesaurus import senses
from sqlscribe.knowledge.units import stem, units
from sqlscribe.schema.model import Table

Likeness = Callable[[Sequence[str], Sequence[str]], Sequence[float]]
"""How near each word comes to the nearest of others; nothing where nothing can tell."""


def strange_words(
    question: str,
    tables: Sequence[Table],
    likeness: Likeness,
    texts: Iterable[str] = (),
    values: Iterable[str] = (),
) -> tuple[str, ...]:
    """The words for which ``question`` is not about this database; none where it may well be.

    ``texts`` is what else is known to belong here: questions of examples, rules, notes and
    synonyms. ``values`` are the words of the question that are values of the data.
    """
    if not tables or not _is_about_the_world(question) or not _is_english(tables):
        return ()
    known_values = _words_of(values)
    said = table_words.in_names(question, tables)
    related = [unit for unit, is_name in said.items() if is_name or unit.word in known_values]
    if len(related) > _FEW_RELATED:
        return ()
    known = _names_said(texts)
    small = _small_words(question)
    strange = tuple(
        unit.word
        for unit in said
        if unit not in related and unit.word in small and not unit.names & (known | _EVERYDAY)
    )
    if len(strange) < (_MANY if related else _ENOUGH):
        return ()
    near = likeness((*strange, *_ORDINARY), _names(tables))
    if not near:
        return ()
    own, others = near[: len(strange)], near[len(strange) :]
    return strange if fmean(own) < max(_NEAR, _NEARER * median(others)) else ()


def unanswered_words(
    question: str,
    sql: str,
    tables: Sequence[Table],
    texts: Iterable[str] = (),
    values: Iterable[str] = (),
) -> tuple[str, ...]:
    """The words of ``question`` that nothing known here has, and the query ``sql`` has not either.

    None where it is only one: questions are worded otherwise than schemas. ``texts`` and
    ``values`` are as for :func:`strange_words`.
    """
    if not tables or not _is_english(tables):
        return ()
    known_values = _words_of(values)
    small = _small_words(question)
    written = sql.casefold()
    found = tuple(
        unit.word
        for unit, is_name in table_words.in_names(question, tables).items()
        if not is_name
        and unit.word in small
        and unit.word not in known_values
        and not unit.names & (_EVERYDAY | _SAID_OF_ANYTHING)
        and unit.word[:_BEGINNING] not in written
    )
    if len(found) >= _ENOUGH:
        said = {word[:_BEGINNING] for text in texts for word in _WORD.findall(text.casefold())}
        found = tuple(word for word in found if word[:_BEGINNING] not in said)
    return found if len(found) >= _ENOUGH else ()


def is_left_unanswered(question: str, left_out: Sequence[str]) -> bool:
    """Whether a question about the world was left unanswered, of which a query has so little."""
    return len(left_out) >= _MANY and _ABOUT_THE_WORLD.match(question) is not None


def invented_for(
    question: str,
    names: Iterable[str],
    tables: Sequence[Table],
    texts: Iterable[str] = (),
    values: Iterable[str] = (),
) -> tuple[str, ...]:
    """The words of ``question`` that nothing known here has, and names that were made up have.

    ``texts`` and ``values`` are as for :func:`strange_words`. None where the schema is made of
    abbreviations, one of which may well mean the word.
    """
    parts = {stem(part) for name in names for part in terms.name_parts(name)}
    if not parts or not tables or not _is_english(tables):
        return ()
    known = _names_said(texts)
    known_values = _words_of(values)
    return tuple(
        unit.word
        for unit, is_name in table_words.in_names(question, tables).items()
        if not is_name
        and stem(unit.word) in parts
        and unit.word not in known_values
        and not unit.names & (known | _EVERYDAY)
    )


def _small_words(question: str) -> set[str]:
    """Words without a capital: one with a capital may be a name, and so a value."""
    return {word for word in _WORD.findall(question) if word.islower()}


def _names_said(texts: Iterable[str]) -> set[str]:
    return {name for text in texts for unit in units(text) for name in unit.names}


def _words_of(values: Iterable[str]) -> set[str]:
    return {word for value in values for word in terms.plain_words(value)}


_BEGINNING = 4
"""Letters by which a query or a text has a word: ``cancel`` is in ``status = 'cancelled'``."""
_WORD = re.compile(r"[^\W\d_]+")
_FEW_RELATED = 1
_ENOUGH, _MANY = 2, 3
"""Strange words that are enough where nothing is related, and where one word is."""
_NEAR = 0.19
"""Words that have nothing to do with a small schema come as near as 0.18 to its names."""
_NEARER = 1.1
"""To those of a large one they come nearer, as these do which belong to few databases."""
_ORDINARY = tuple(
    """poem quantum violin religion democracy emotion volcano galaxy whisper theory ocean angel
    muscle dinosaur wisdom autumn grammar castle joke bacteria sculpture gravity prayer
    jungle""".split()
)
_ABOUT_THE_WORLD = re.compile(
    r"""^\W* (?: (?:please|hey|hi|hello|so|and|but) \W+ )* (?:
      how \s (?: do (?! \s we\b) | does | can | could | should | has | have ) \b
    | what \s steps \b | should \s i \b | translate \b
    | (?: write | compose | tell | give ) \s (?:me|us)? \s? an? \s
      (?: \w+ \s )? (?: poem | haiku | joke | story | song | essay | limerick ) \b
    | (?: what | who | explain | describe ) \b .* \b (?: of \s life | recipes? \s for
      | national \s (?: animal | bird | flower | dish | anthem ) | the \s capital \s of
      | universe | gala (?:xy|xies) | quantum | photosynthesis | dinosaurs? | jungle ) \b
    )""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
"""How questions about the world begin; "what is" begins others too, so that the topic tells."""
_ASKS_FOR_DATA = re.compile(
    r"""\d | \b (?: how \s (?:many|much) | which | list | show | see | get | find | filter | query
    | sql | select | join | count | number | average | mean | median | total | sum | most | least
    | top | highest | lowest | share | percent\w* | rates? | ratio | per | by | each | every | last
    | this | past | yesterday | today | tonight | week\w* | month\w* | quarter\w* | year\w* | daily
    | since | between | sold | sell\w* | buy\w* | bought | spen[dt]\w* | pa(?:y\w*|id) | earn\w*
    | revenue | sales | profit | costs? | price\w* | orders? | customers? | users? | clients?
    | compar\w* | trend\w* | grow\w* | look\w* | doing | do (?= \W* $ ) | go(?:ing)? | perform\w*
    | develop\w* | differ\w* | vary | rank\w* | relat\w* | depend\w* | correlat\w* | break | split
    | affect\w* | influenc\w* | impact\w* | \w{3,}est ) \b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Whoever asks for figures, a time or a comparison asks for data, and so do those who ask how
one thing bears on another."""
_LEAST_ENGLISH = 0.25
_MOST_NAMES = 2_000

_EVERYDAY = frozenset(
    stem(word)
    for word in """
provide answer calculate compute determine explain describe percentage ratio difference highest
lowest largest smallest biggest greatest decimal place alphabetical alphabetically ascending
descending round result return table database zero one two three four five six seven eight nine
ten hundred thousand million half double twice third quarter percent among respectively given
following based overall include exclude inclusive exclusive together currently current latest
recent recently exactly whether consider considering different several various use make many
each kind sort order number amount least few most common popular call name list display report
compare combine between per also well ever never always still above below under over within
without along across like whose such same first second third last next people person thing
information detail data record entry short long old young new early late high low big small
large great good bad best worst better worse average count total sum mean median maximum minimum
top bottom rank example sample question show see know tell find take come possible actual really
very just even only both either neither not no non than rather instead belong contain consist
correspond associate relate annual annually monthly weekly daily yearly quarterly date time day
week month year hour minute today yesterday ago during until since then now past previous
current future start end begin finish open close active inactive happen occur appear exist
revenue sales sale profit margin cost spend spent spending price value worth money dollar euro
growth grow increase decrease change trend rate share score performance activity usage volume
turnover income earn loss balance budget business company customer client user product item
order purchase buy sell sold churn retention conversion segment cohort january february march
april may june july august september october november december monday tuesday wednesday thursday
friday saturday sunday if assume suppose respective individual entire whole full complete
distinct unique duplicate missing empty null group filter include according belong involved
""".split()
)
"""Words of questions to any database, and of measures that columns need not be called by."""

_SAID_OF_ANYTHING = frozenset(
    stem(word)
    for word in """
all more most after before being been having made make came come went go take taken took give
given got get put set keep kept id ids received receive presented present available accounted
account term plus minus everything anything something nothing everyone anyone someone written
write according regarding considering required require associated located found produced used
done called named held happened seen shown said told asked wanted needed via due instead other
another cannot earlier later single
""".split()
)
"""Words that say how things are done or had, and seldom which."""


def _is_about_the_world(question: str) -> bool:
    about = _ABOUT_THE_WORLD.match(question)
    return about is not None and _ASKS_FOR_DATA.search(question) is None


def _is_english(tables: Sequence[Table]) -> bool:
    """Whether the names are made of words that questions may use, not of abbreviations."""
    names = _names(tables)
    known = senses()
    english = sum(terms.singular(name) in known or name in known for name in names)
    return english >= _LEAST_ENGLISH * len(names)


def _names(tables: Sequence[Table]) -> list[str]:
    """The words of which the names of the first tables and columns are made."""
    names = [table.name for table in tables[:_MOST_NAMES]]
    names += [column.name for table in tables[:_MOST_NAMES] for column in table.columns]
    parts = (part for name in names[:_MOST_NAMES] for part in terms.name_parts(name))
    return sorted({part for part in parts if len(part) > 1})
