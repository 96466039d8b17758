"""Question sets: questions with the SQL that answers them, and the database to run it on.

A set is a file of JSON lines. Only ``question`` is required; a question without ``gold_sql``
(or ``sql``) is one that the schema cannot answer, and ``insufficient`` is its right outcome.

    {"id": "q1", "question": "…", "gold_sql": "SELECT …", "gold_alternatives": ["…"],
     "db_id": "shop", "db": "db/shop.sqlite", "schema": "schema/shop.sql", "dialect": "sqlite",
     "evidence": "a hint", "order_matters": false, "lang": "en", "difficulty": "easy",
     "as_of": "2024-01-31"}

``db`` and ``schema`` are paths beside the set, or ``db`` a URL. Where a line has none, those of
another question on the same ``db_id`` are taken.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlscribe.errors import ConfigurationError
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.terms import has_cjk
from sqlscribe.notation.lexicon import dialect_named
from sqlscribe.notation.marked_comments import iso_date


@dataclass(frozen=True)
class EvalQuestion:
    """A question whose answer is known.

    ``gold`` are the queries any of which is right; empty for what cannot be answered.
    ``database`` is a URL, ``""`` for the workspace's own; so is ``schema`` ``None`` for that.
    ``example`` is set where the question is a verified example that is held out.
    """

    id: str
    question: str
    gold: tuple[str, ...] = ()
    dialect: str = ""
    db_id: str = ""
    lang: str = ""
    difficulty: str = ""
    evidence: str = ""
    order_matters: bool = False
    database: str = ""
    schema: Path | None = None
    as_of: datetime.date | None = None
    example: Example | None = None

    @property
    def is_answerable(self) -> bool:
        return bool(self.gold)


def read_sets(
    paths: Sequence[Path], *, dialect: str = "", database: str = ""
) -> tuple[EvalQuestion, ...]:
    """The questions of all files, those of one database after another.

    With ``dialect`` the gold SQL of ``gold_sql_DIALECT`` and the DDL of ``schema_DIALECT/`` are
    taken, and questions that have none are left out. ``database`` is the URL of the database
    for all questions; ``{db_id}`` in it stands for each one's own.
    Raises ``ConfigurationError`` with file and line for what cannot be used.
    """
    questions: list[EvalQuestion] = []
    for path in paths:
        questions += _read(path, dialect, database)
    _check_ids(questions)
    complete = list(_completed(questions))
    order = {db_id: place for place, db_id in enumerate(dict.fromkeys(q.db_id for q in complete))}
    return tuple(sorted(complete, key=lambda question: order[question.db_id]))


def from_examples(examples: Iterable[Example], database: str) -> tuple[EvalQuestion, ...]:
    """The workspace's own verified examples as questions."""
    return tuple(
        EvalQuestion(
            id=example.key[:12],
            question=example.question,
            gold=(example.sql,),
            dialect=example.dialect,
            lang=_language(example.question),
            database=database,
            example=example,
        )
        for example in examples
    )


def lines_of(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The mappings of a file of JSON lines, each with its one-based line."""
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: this is not UTF-8 text") from error
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            item = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ConfigurationError(f"{path}, line {number}: not JSON: {error}") from error
        if not isinstance(item, dict):
            raise ConfigurationError(f"{path}, line {number}: a question is a mapping")
        yield number, item


def _read(path: Path, dialect: str, database: str) -> Iterator[EvalQuestion]:
    for number, item in lines_of(path):
        place = f"{path}, line {number}"
        is_of_another = _dialect(item, place) not in ("", dialect)
        if dialect and is_of_another and "gold_sql" in item and f"gold_sql_{dialect}" not in item:
            continue
        yield _question(item, path, place, dialect, database)


def _question(
    item: dict[str, Any], path: Path, place: str, dialect: str, database: str
) -> EvalQuestion:
    asked = _text(item, "question", place)
    if not asked.strip():
        raise ConfigurationError(f"{place}: there is no question")
    db_id = _text(item, "db_id", place)
    own = f"gold_sql_{dialect}"
    if dialect and own in item:
        gold = [_text(item, own, place)]
    else:
        gold = [_text(item, "gold_sql", place) or _text(item, "sql", place)]
        gold += _texts(item, "gold_alternatives", place)
    return EvalQuestion(
        id=_text(item, "id", place) or place.rpartition("/")[2],
        question=asked,
        gold=tuple(dict.fromkeys(sql for sql in gold if sql.strip())),
        dialect=dialect or _dialect(item, place),
        db_id=db_id,
        lang=_text(item, "lang", place) or _language(asked),
        difficulty=_text(item, "difficulty", place),
        evidence=_text(item, "evidence", place),
        order_matters=item.get("order_matters") is True,
        database=_database(item, path, place, database.replace("{db_id}", db_id)),
        schema=_schema(item, path, place, dialect, db_id),
        as_of=_date(item, place),
    )


def _database(item: dict[str, Any], path: Path, place: str, given: str) -> str:
    named = _text(item, "db", place)
    if given or "://" in named:
        return given or named
    return file_url(path.parent / named, place) if named else ""


def file_url(file: Path, place: str) -> str:
    """The URL of a database in a file, by how the file begins."""
    try:
        with file.open("rb") as opened:
            head = opened.read(16)
    except OSError as error:
        raise ConfigurationError(f"{place}: {file}: {error.strerror or error}") from error
    engine = "duckdb" if head[8:12] == b"DUCK" else "sqlite"
    return f"{engine}:///{file.resolve().as_posix()}"


def _schema(item: dict[str, Any], path: Path, place: str, dialect: str, db_id: str) -> Path | None:
    own = path.parent / f"schema_{dialect}" / f"{db_id}.sql"
    if dialect and db_id and own.is_file():
        return own.resolve()
    named = _text(item, "schema", place)
    if not named:
        return None
    schema = path.parent / named
    if not schema.is_file():
        raise ConfigurationError(f"{place}: there is no file {schema}")
    return schema.resolve()


def _completed(questions: Sequence[EvalQuestion]) -> Iterator[EvalQuestion]:
    """Questions without a database or a schema get those of another one on the same data."""
    known: dict[str, EvalQuestion] = {}
    for question in questions:
        if question.db_id and (question.schema or question.database):
            known.setdefault(question.db_id, question)
    for question in questions:
        like = known.get(question.db_id)
        if like is not None and not (question.schema or question.database):
            question = replace(
                question,
                schema=like.schema,
                database=like.database,
                dialect=question.dialect or like.dialect,
            )
        yield question


def _check_ids(questions: Iterable[EvalQuestion]) -> None:
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise ConfigurationError(f"two questions have the id {question.id}")
        seen.add(question.id)


def _text(item: dict[str, Any], key: str, place: str) -> str:
    value = item.get(key)
    if value is None:
        return ""
    if isinstance(value, int) and key in ("id", "difficulty"):
        return str(value)
    if not isinstance(value, str):
        raise ConfigurationError(f"{place}: {key} must be text")
    return value


def _texts(item: dict[str, Any], key: str, place: str) -> list[str]:
    value = item.get(key) or []
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ConfigurationError(f"{place}: {key} must be a list of texts")
    return value


def _dialect(item: dict[str, Any], place: str) -> str:
    given = _text(item, "dialect", place)
    named = dialect_named(given) if given else ""
    if named is None:
        raise ConfigurationError(f"{place}: there is no dialect {given!r}")
    return named


def _date(item: dict[str, Any], place: str) -> datetime.date | None:
    given = _text(item, "as_of", place)
    if given and iso_date(given) is None:
        raise ConfigurationError(f"{place}: as_of must be a date like 2024-01-31")
    return iso_date(given) if given else None


def _language(text: str) -> str:
    return "zh" if has_cjk(text) else "en"
