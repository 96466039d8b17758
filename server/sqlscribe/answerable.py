"""Whether this database can answer a question: by its words, and by what a model made of it.

A small model seldom says that something is missing. It writes a query for every question, with
names that it made up where the schema has none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from sqlscribe.knowledge import unrelated
from sqlscribe.knowledge.values import match_values
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.outcomes import Answer
from sqlscribe.prompting.context import Request
from sqlscribe.prompting.prompt import Prompt
from sqlscribe.snapshot import Snapshot


def turned_away(request: Request, snapshot: Snapshot, prompt: Prompt) -> Answer | None:
    """The answer to a question that is about something else than this database."""
    if request.task != "ask" or request.turns or request.mentions:
        # Whoever names a table, or speaks of an earlier answer, knows where to look.
        return None
    strange = unrelated.strange_words(
        request.words, snapshot.schema.tables, snapshot.likeness, *_said_here(request, snapshot)
    )
    if not strange:
        return None
    message = (
        f"nothing that is known of this database speaks of {_listed(strange)}; to ask the model "
        "all the same, mention a table with @, or regenerate"
    )
    return Answer("insufficient", message=message, withheld=True, prompt=prompt)


def looked_over(answer: Answer, request: Request, snapshot: Snapshot, *, insists: bool) -> Answer:
    """A model's answer, where its SQL leaves out or makes up what the question speaks of.

    It is no answer where it makes names up for that, unless the person ``insists`` on seeing
    the draft. Where it only may have left out some words, it says so.
    """
    is_own = answer.source in ("model", "stored") and answer.outcome == "sql"
    if not is_own or request.task == "repair":
        return answer
    if not answer.is_clean:
        return answer if insists else _without_invention(answer, request, snapshot)
    if request.task != "ask" or request.turns:
        return answer
    tables, said = snapshot.schema.tables, _said_here(request, snapshot)
    left_out = unrelated.unanswered_words(request.words, answer.sql, tables, *said)
    if not left_out:
        return answer
    if not insists and unrelated.is_left_unanswered(request.words, left_out):
        message = (
            f"neither the model's query nor anything known of this database speaks of "
            f"{_listed(left_out)}; regenerate to see that query all the same"
        )
        return _declined(answer, message)
    hint = (
        f"neither this query nor anything known of this database speaks of {_listed(left_out)}, "
        "so the answer may leave that out"
    )
    return replace(answer, warnings=(*answer.warnings, hint))


def _without_invention(answer: Answer, request: Request, snapshot: Snapshot) -> Answer:
    """The answer, or what is missing where its names were made up for words of the question."""
    made_up = tuple(_made_up(answer.sql, answer.findings))
    asked = unrelated.invented_for(
        request.words, made_up, snapshot.schema.tables, *_said_here(request, snapshot)
    )
    if not asked:
        return answer
    message = (
        f"nothing that is known of this database speaks of {_listed(asked)}, and the model's "
        "query makes up names for that; regenerate to see it all the same"
    )
    return _declined(answer, message)


def _made_up(sql: str, findings: Sequence[Finding]) -> Iterator[str]:
    """The names of a query that the schema does not have, nor any that are near."""
    for finding in findings:
        if finding.severity is not Severity.ERROR or finding.fixes:
            continue
        if finding.code in ("name/unknown-column", "name/unknown-field"):
            yield finding.span.of(sql)
        elif finding.code == "name/unknown-table":
            # Of its columns nobody knows, so that all names of the query may be made up.
            yield from _NAME.findall(_TEXT.sub("''", sql))


_TEXT = re.compile(r"'[^']*'")
_NAME = re.compile(r"[^\W\d]\w*")


def _declined(answer: Answer, message: str) -> Answer:
    """The answer without its SQL, and what it has cost."""
    bare = Answer("insufficient", message=message, withheld=True, prompt=answer.prompt)
    return replace(
        bare,
        source=answer.source,
        model=answer.model,
        usage=answer.usage,
        calls=answer.calls,
        warnings=answer.warnings,
    )


def _said_here(request: Request, snapshot: Snapshot) -> tuple[list[str], list[str]]:
    """What else than the schema speaks of this database, and the values that the question has."""
    texts = chain(
        (snapshot.rules, snapshot.instructions),
        (synonym.said for synonym in snapshot.synonyms),
        (f"{example.question} {example.note}" for example in snapshot.examples),
        (f"{note.title} {note.text}" for note in snapshot.notes),
    )
    values = match_values(request.words, snapshot.profiles, snapshot.schema)
    return list(texts), [match.words for match in values]


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words[:_SHOWN_WORDS])


_SHOWN_WORDS = 4
