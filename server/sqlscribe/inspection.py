"""Findings on a whole SQL file: its questions, and every statement that holds a query."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from urllib.parse import unquote

from sqlscribe.checking.check import Values, check, made_by, may_make
from sqlscribe.checking.engine import Engine
from sqlscribe.checking.names.making import MAKERS
from sqlscribe.checking.names.parts import HOLDERS, NAMING, QUERIES, parts_of
from sqlscribe.checking.names.running import Deed, Running, together, words_of
from sqlscribe.checking.names.script import NO_DEEDS, Deeds, Made
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.document import Span
from sqlscribe.notation.embedded import outline_of
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.notation.ignores import without_ignored
from sqlscribe.notation.jinja_sql import is_templated, neutral
from sqlscribe.notation.script_lines import is_tsql
from sqlscribe.notation.statements import Statement
from sqlscribe.notebooks import NOTHING_AROUND, Around, is_checked, is_told
from sqlscribe.prompting.context import resolve_mention
from sqlscribe.schema.differences import changed_tables
from sqlscribe.schema.model import Schema

_KEPT = 20_000
"""Statements whose findings are kept; as many again from before are kept while they are used."""
_RESULTS = 8
"""Findings kept of one statement, for the states of the script in which it stands."""
_MOST_ASKED = 100
"""Statements about which the engine is asked at one time; the others' turn comes next."""
_MOST_CHARACTERS = 600_000
"""Statements checked in one file, together; what comes behind is data more often than not."""


@dataclass(frozen=True, slots=True)
class _Result:
    """``mark`` is another one for every result."""

    findings: tuple[Finding, ...]
    deeds: Deeds
    mark: int


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of one statement's text.

    ``size`` counts the characters that are parsed. ``results``, and what the engine refuses,
    are by the marks of what the script made of the names in it.
    """

    words: frozenset[str]
    size: int
    results: dict[tuple[int, ...], _Result] = field(default_factory=dict)
    refused: dict[tuple[int, ...], tuple[Finding, ...]] = field(default_factory=dict)


class Inspector:
    """Checks scripts against one schema, and each distinct statement only once.

    ``values`` are the known values of columns, as :func:`check` takes them. ``relations`` are
    the names of tables that templates call by ``ref`` and ``source``. ``ignored`` are the codes
    of findings that nobody wants to see. ``engine`` is asked about queries in ``dialect``, about
    ``asked_at_once`` new ones in one inspection.
    May be used from any thread: at worst a statement is checked twice.
    """

    def __init__(
        self,
        schema: Schema,
        values: Values | None = None,
        *,
        relations: Mapping[str, str] | None = None,
        ignored: tuple[str, ...] = (),
        engine: Engine | None = None,
        dialect: str = "",
        asked_at_once: int = _MOST_ASKED,
    ) -> None:
        self.schema = schema
        self._values = values
        self._relations = relations or {}
        self._ignored = ignored
        self._engine = engine
        self._dialect = dialect
        self._asked_at_once = asked_at_once
        self._known: dict[tuple[str, str], _Known] = {}
        self._older: dict[tuple[str, str], _Known] = {}
        self._sound_rows: set[tuple[str, str, tuple[int, ...]]] = set()
        self._marks = count()

    def against(self, schema: Schema) -> Inspector:
        """One that checks the same against another schema, and asks no engine."""
        other = Inspector(
            schema,
            self._values,
            relations=self._relations,
            ignored=self._ignored,
            dialect=self._dialect,
        )
        other.follow(self)
        return other

    def follow(self, before: Inspector) -> None:
        """Take over what is known of statements that name no table that has changed since.

        ``before`` checked with the same values, names and settings, against another schema.
        """
        changed = changed_words(before.schema, self.schema)
        if changed is None:
            return
        # Marks of both may meet in one script.
        self._marks = before._marks
        for key, known in (*list(before._older.items()), *list(before._known.items())):
            if known.words.isdisjoint(changed):
                results = {
                    marks: result
                    for marks, result in list(known.results.items())
                    # What is missing may be there now under any name.
                    if not any(each.code.startswith("name/") for each in result.findings)
                }
                self._known[key] = _Known(known.words, known.size, results, dict(known.refused))

    def inspect(self, script: Script, around: Around = NOTHING_AROUND) -> tuple[Finding, ...]:
        """All findings, in the order of the text; spans are in the script's document.

        ``around`` are the other cells of a notebook that the script is a cell of.
        """
        findings = list(script.findings)
        for question in script.questions:
            findings += question.findings
            findings += self._mentions(question)
        if _is_for_sql_server(script):
            findings.append(Finding("check/not-checked", Severity.HINT, _OTHER_DIALECT, Span(0, 0)))
        elif _MIGRATION.search(script.document.uri.replace("\\", "/")):
            findings += filter(_is_sure_of_old, self._statements(script, around))
        else:
            findings += self._statements(script, around)
        # A pending refinement repeats the findings of the question above it.
        left = without_ignored(script, dict.fromkeys(findings), self._ignored)
        told = (each for each in left if is_told(script.document, each, script, around))
        return tuple(sorted(told, key=lambda finding: finding.span))

    def _statements(self, script: Script, around: Around) -> Iterator[Finding]:
        text = script.document.text
        running = self._made_before(around)
        if not is_templated(text):
            yield from self._checked(script, text, script.statements, running)
            return
        plain = neutral(
            text,
            script.dialect,
            this=_model_name(script.document.uri),
            relations=self._relations,
        )
        if not plain.complete:
            # The template may give other names and clauses than those that can be seen.
            return
        statements = outline_of(script.document, script.dialect, plain.text).statements
        for finding in self._checked(script, plain.text, statements, running):
            # A stand-in says nothing about what the template puts there, or how many columns.
            if finding.code == "name/column-count" and plain.filled:
                continue
            if not any(_touch(finding.span, filled) for filled in plain.filled):
                yield finding

    def _made_before(self, around: Around) -> Running:
        """What the cells above have made of the names, as far as it can be seen."""
        running = Running()
        for script in around.before:
            for statement in script.statements:
                sql = statement.span.of(script.document.text)
                if may_make(sql):
                    known = self._look_at(sql, script.dialect)
                    result = self._result(sql, script.dialect, known, running)
                    if result.deeds:
                        running.add(result.deeds, result.mark)
        return running

    def _checked(
        self, script: Script, text: str, statements: tuple[Statement, ...], running: Running
    ) -> Iterator[Finding]:
        asked_in = _dialects_asked(script)
        left = _MOST_CHARACTERS
        questions = self._asked_at_once
        for statement in statements:
            if not _is_checked(statement, text):
                continue
            dialect = asked_in.get(statement.end, script.dialect)
            if not is_checked(script.document, statement, dialect):
                continue
            sql = statement.span.of(text)
            known = self._look_at(sql, dialect)
            left -= known.size
            if left < 0:
                message = (
                    f"the file is long: what comes after {_MOST_CHARACTERS:,} characters of"
                    " queries was not checked"
                )
                start = statement.span.start
                yield Finding("check/too-long", Severity.HINT, message, Span(start, start))
                return
            result = self._result(sql, dialect, known, running)
            for finding in result.findings:
                yield finding.moved(statement.span.start)
            if statement.keyword in QUERIES and self._is_asked(dialect, result.findings):
                about = running.about(known.words)
                questions -= self._ask(sql, known, about, at_all=questions > 0)
                for finding in known.refused.get(_marks(about), ()):
                    yield finding.moved(statement.span.start)
            if result.deeds:
                running.add(result.deeds, result.mark)

    def _look_at(self, sql: str, dialect: str) -> _Known:
        key = (sql, dialect)
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _KEPT:
                self._older, self._known = self._known, {}
            known = self._older.get(key) or _Known(words_of(sql), _size(sql, dialect))
            self._known[key] = known
        return known

    def _result(self, sql: str, dialect: str, known: _Known, running: Running) -> _Result:
        about = running.about(known.words)
        marks = _marks(about)
        result = known.results.get(marks)
        if result is None:
            made = together(about)
            findings = self._findings(sql, dialect, marks, made)
            deeds = made_by(sql, self.schema, dialect, made) if may_make(sql) else NO_DEEDS
            if len(known.results) >= _RESULTS:
                known.results.clear()
            result = known.results[marks] = _Result(findings, deeds, next(self._marks))
        return result

    def _findings(
        self, sql: str, dialect: str, marks: tuple[int, ...], made: Made
    ) -> tuple[Finding, ...]:
        """What is wrong in a statement.

        In a script of rows, each inserted by a statement of its own, the first that has no
        finding speaks for all others that differ in their values alone.
        """
        shape = (_shape_of_rows(sql), dialect, marks)
        if shape[0] and shape in self._sound_rows:
            return ()
        values = self._values
        findings = check(
            sql, self.schema, dialect, made=made, values=values, reads_only=False
        ).findings
        if shape[0] and not findings:
            if len(self._sound_rows) >= _KEPT:
                self._sound_rows.clear()
            self._sound_rows.add(shape)
        return findings

    def _is_asked(self, dialect: str, findings: tuple[Finding, ...]) -> bool:
        """The engine is asked about its own dialect, and not about what is wrong already."""
        wrong = any(finding.severity is Severity.ERROR for finding in findings)
        return self._engine is not None and dialect == self._dialect and not wrong

    def _ask(self, sql: str, known: _Known, about: Sequence[Deed], *, at_all: bool) -> int:
        """Note what the engine refuses; 1 if it had to be asked. A distant one takes its time."""
        marks = _marks(about)
        if marks in known.refused or not at_all or self._engine is None:
            return 0
        made = together(about)
        names = {*made.names, *made.gone, *(table.name.casefold() for table in made.tables)}
        if len(known.refused) >= _RESULTS:
            known.refused.clear()
        known.refused[marks] = self._engine.explain(sql, made=names)
        return 1

    def _mentions(self, question: Question) -> list[Finding]:
        if not self.schema.tables:
            return []
        return [
            Finding(
                "ask/unknown-table",
                Severity.WARNING,
                f"@{mention.name} is no table or column of the schema",
                mention.span,
            )
            for mention in question.mentions
            if not resolve_mention(mention.name, self.schema)
        ]


def changed_words(before: Schema, now: Schema) -> frozenset[str] | None:
    """Of each table that is not the same in both, a word that SQL with it must have.

    ``None`` where everything may mean something else.
    """
    changed = changed_tables(before, now)
    if changed is None or bool(before.tables) != bool(now.tables):
        # While no table is known, none is called unknown.
        return None
    return frozenset(max(words_of(name), key=len, default="") for name in changed)


_GO = re.compile(r"^[ \t]*GO[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_OTHER_DIALECT = (
    "lines with GO belong to SQL Server, so the statements were not checked in another dialect;"
    " a comment -- dialect: tsql at the head of the file makes it one of SQL Server's"
)


def _is_for_sql_server(script: Script) -> bool:
    """Whether a script has the lines between batches that no other engine's tools know."""
    if is_tsql(script.dialect):
        return False
    return sum(1 for _ in islice(_GO.finditer(script.document.text), 2)) == 2


def _dialects_asked(script: Script) -> dict[int, str]:
    """The dialects that questions name for their answers, by where those end."""
    return {
        question.answer.end: dialect
        for question in script.questions
        if question.answer is not None and (dialect := dict(question.options).get("dialect"))
    }


def _marks(about: Sequence[Deed]) -> tuple[int, ...]:
    return tuple([deed.mark for deed in about])


def _model_name(uri: str) -> str:
    """What a dbt model is called: the name of its file."""
    return unquote(uri.rpartition("/")[2]).rpartition(".")[0]


def _touch(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end


_MIGRATION = re.compile(
    r"(?:\A|/)(?:(?:[VBU]\d[\d._]*__|R__|0\d\d|\d{8})[^/]*\Z|(?:migrations?|migrate)/)",
    re.IGNORECASE,
)


def _is_sure_of_old(finding: Finding) -> bool:
    """Whether a finding also holds where later migrations may have renamed or dropped things.

    The schema is that after all of them: only of a slip, with one right name near, one can be
    sure in the middle.
    """
    named = finding.code.startswith("name/")
    return not named or any(fix.preferred for fix in finding.fixes)


_CHECKED = QUERIES | HOLDERS | MAKERS | {"PIVOT", "UNPIVOT"} | NAMING


def _is_checked(statement: Statement, text: str) -> bool:
    return statement.keyword in _CHECKED or text.startswith("(", statement.span.start)


_ROWS = re.compile(r"\s*INSERT\s+INTO\s[^;'()]*\([^;'()]*\)\s*VALUES\b", re.IGNORECASE)
_MORE = re.compile(
    r"\b(?:SELECT|WHERE|SET|RETURNING|CONFLICT|DUPLICATE)\b|\\|--|/\*", re.IGNORECASE
)
_VALUE = re.compile(r"'(?:[^']|'')*'|(?<![\w.'])\d+(?:\.\d+)?(?![\w.])")


def _shape_of_rows(sql: str) -> str:
    """An INSERT of rows that are written out, without their values; ``""`` for all else."""
    head = _ROWS.match(sql)
    if head is None or _MORE.search(sql) is not None:
        return ""
    return head[0] + _VALUE.sub("?", sql[head.end() :])


def _size(sql: str, dialect: str) -> int:
    parts = parts_of(sql, dialect)
    return len(sql) if parts is None else sum(len(part.sql) for part in parts)
