"""Examples of other tools become training files in our own notation, each one checked first."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from sqlscribe.checking.check import parses
from sqlscribe.checking.reads import classify
from sqlscribe.knowledge.examples import Example, read_examples
from sqlscribe.knowledge.foreign_examples import Pair, Problem
from sqlscribe.knowledge.terms import same_question
from sqlscribe.notation import asks
from sqlscribe.notation.document import UNWRITABLE, Document
from sqlscribe.notation.lexicon import dialect_named
from sqlscribe.notation.stamps import stamp
from sqlscribe.provenance import sql_fingerprint


@dataclass(frozen=True)
class Imported:
    """``text`` is what is to be added to a training file, ``""`` for nothing.

    ``added`` and ``known`` count pairs: those in the text, and those that examples or earlier
    pairs say already. ``notes`` counts the notes that such a file has no place for.
    """

    text: str
    added: int
    known: int
    problems: tuple[Problem, ...]
    notes: int = 0


def imported(
    pairs: Iterable[Pair], examples: Iterable[Example], path: Path, dialect: str
) -> Imported:
    """The pairs as text for the training file ``path``. ``dialect`` is that of the workspace.

    Of several answers to one question in the pairs the later one counts; one that a verified
    example answers otherwise is left to people.
    """
    answered = {(same_question(each.question), each.dialect or dialect): each for each in examples}
    problems: list[Problem] = []
    kept: dict[tuple[str, str], Pair] = {}
    known = 0
    for pair in pairs:
        pair, problem = _fit(pair, dialect)
        if problem is not None:
            problems.append(problem)
            continue
        key = (same_question(pair.question), pair.dialect)
        example, earlier = answered.get(key), kept.get(key)
        if example is not None:
            if _bare(example.sql) == _bare(pair.sql):
                known += 1
            else:
                place = f"{example.file.name}, line {example.line + 1}"
                said = f"the question has another answer already, in {place}"
                problems.append(Problem(pair.line, said))
            continue
        if earlier is not None and _bare(earlier.sql) == _bare(pair.sql):
            known += 1
            continue
        if earlier is not None:
            said = f"the question has another answer on line {pair.line + 1}, which is used"
            problems.append(Problem(earlier.line, said))
            del kept[key]
        kept[key] = pair
    texts: list[str] = []
    in_lines = path.suffix.casefold() in (".jsonl", ".ndjson")
    for pair in kept.values():
        text = _line(pair, dialect) if in_lines else _text(pair, path, dialect)
        if text:
            texts.append(text)
        else:
            problems.append(Problem(pair.line, "it cannot be written as a comment and its answer"))
    notes = 0 if in_lines else sum(1 for pair in kept.values() if pair.note)
    whole = ("" if in_lines else "\n").join(texts)
    return Imported(whole, len(texts), known, tuple(sorted(problems)), notes)


def asked_for(pair: Pair, question: str) -> Pair:
    """The pair with the question that somebody found for its SQL."""
    return replace(pair, question=question)


def _fit(pair: Pair, dialect: str) -> tuple[Pair, Problem | None]:
    """The pair with a dialect that there is, or why it is no example."""
    named = dialect_named(pair.dialect) if pair.dialect else dialect
    if named is None:
        return pair, Problem(pair.line, f"there is no dialect {pair.dialect}")
    # One such character would make the whole training file unreadable.
    question, note = (UNWRITABLE.sub(" ", said).strip() for said in (pair.question, pair.note))
    pair = replace(pair, dialect=named, question=question, note=note)
    if not pair.question:
        return pair, Problem(pair.line, "it has no question; --ask-model has the model find one")
    if reason := parses(pair.sql, named):
        return pair, Problem(pair.line, f"its SQL does not parse: {reason}")
    verdict = classify(pair.sql, named)
    if not verdict.read:
        return pair, Problem(pair.line, f"its SQL does not only read: {verdict.reason}")
    return pair, None


def _line(pair: Pair, dialect: str) -> str:
    """One example as a line of JSON."""
    facts = {
        "question": pair.question,
        "sql": pair.sql,
        "dialect": pair.dialect if pair.dialect != dialect else "",
        "note": pair.note,
        "verified_by": pair.verified_by,
        "verified_at": pair.verified_at,
    }
    return json.dumps({key: fact for key, fact in facts.items() if fact}, ensure_ascii=False) + "\n"


def _text(pair: Pair, path: Path, dialect: str) -> str:
    """One example as it stands in a training file; ``""`` where it would not be read as such."""
    option = f"[dialect={pair.dialect}]" if pair.dialect != dialect else ""
    first, *rest = pair.question.split("\n")
    lines = [f"-- ask{option}: {first}", *(f"-- {line}".rstrip() for line in rest)]
    asked = Document("", "\n".join(lines) + "\n")
    script = asks.read(asked, dialect)
    if len(script.questions) != 1:
        return ""
    facts = [("verified_by", pair.verified_by), ("verified_at", pair.verified_at)]
    told = stamp([fact for fact in facts if fact[1]]) if any(fact[1] for fact in facts) else ""
    try:
        text = asked.changed([asks.place(asked, script.questions[0], pair.sql, told)]).text
    except ValueError:
        return ""
    # As it will be read between others.
    around = f"-- ask: before\nSELECT 1;\n\n{text}\n-- ask: behind\nSELECT 2;\n"
    found, _ = read_examples(Document("", around), path, dialect)
    if len(found) != 3 or found[2].question != "behind":
        return ""
    same = same_question(found[1].question) == same_question(pair.question)
    written = sql_fingerprint(found[1].sql, pair.dialect)
    return text if same and written == sql_fingerprint(pair.sql, pair.dialect) else ""


def _bare(sql: str) -> str:
    return " ".join(sql.split()).rstrip("; ")
