"""Where the answers of a folder came from, kept, and compared with what the folder says now.

Records stand under ``.sqlscribe/origins/``, a small file for each question; a stamp under an
answer comes before them, since it was shared. The folder may be deleted at any time, and not
be writable at all: then records live as long as the process.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from sqlscribe.generated_files import open_generated, write_generated
from sqlscribe.knowledge.examples import Example
from sqlscribe.loading import Loaded
from sqlscribe.notation.asks import Question, Script
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.notation.ignores import is_ignored, read_ignores
from sqlscribe.notation.stamps import read_facts, stamp_under, write_facts
from sqlscribe.provenance import (
    Known,
    Record,
    accepted,
    changes,
    facts_of,
    key_of,
    models_of,
    origin_of,
    record_of,
    sql_fingerprint,
)

_RECORDS = 8
"""Records kept of one question: it may be asked in several files, with other SQL in each."""
_KEPT = 10_000
"""Files kept; the oldest go first."""
_LONGEST = 100_000
"""Characters of a file that are read."""
_NAME = re.compile(r"(?:sql-)?[0-9a-f]{8,64}")
"""What a file may be called: some names come from a text that anybody may have written."""


@dataclass(frozen=True)
class Standing:
    """What is known of the answer that stands under a question.

    ``changes`` are those since it was given, each in a few words. ``edited`` where a person has
    changed the SQL since. ``verified`` is the example that says the same.
    """

    record: Record | None = None
    stamped: bool = False
    edited: bool = False
    changes: tuple[str, ...] = ()
    verified: Example | None = None


NOTHING_KNOWN = Standing()


class Origins:
    """The origins of one folder's answers. May be used from any thread.

    ``remark`` says in one sentence why they are not kept, where they are not.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._memory: dict[str, tuple[str, ...]] = {}
        self._lock = threading.Lock()
        self._known: tuple[Loaded, Known] | None = None
        self._standings: dict[tuple[object, ...], Standing] = {}
        self._standings_of: tuple[Loaded, int, int] | None = None
        self._puts = 0
        self.remark = ""

    def known(self, loaded: Loaded) -> Known:
        """What origins are compared with; made once for everything that is loaded."""
        found = self._known
        if found is None or found[0] is not loaded:
            models = models_of(loaded.settings)
            known = Known(loaded.schema, loaded.examples, loaded.rules, loaded.templates, models)
            found = self._known = (loaded, known)
        return found[1]

    def standing(self, script: Script, question: Question, loaded: Loaded) -> Standing:
        """What is known of the answer under a question. One small file is read, or two."""
        # SQL of a question that is still asked elsewhere in the file may be told apart later.
        return self._remembered(script, question, loaded, is_unknown_kept=False)

    def changes(self, script: Script, question: Question, loaded: Loaded) -> tuple[str, ...]:
        """What has changed since a question was answered, as :meth:`standing` says.

        At every pause in typing it is asked of each question in a file.
        """
        return self._remembered(script, question, loaded, is_unknown_kept=True).changes

    def _remembered(
        self, script: Script, question: Question, loaded: Loaded, *, is_unknown_kept: bool
    ) -> Standing:
        """What was found out before, while neither the folder nor the records have changed."""
        if not is_answered(question):
            return NOTHING_KNOWN
        state = (loaded, self._puts, self._last_written())
        was = self._standings_of
        is_other = was is None or was[0] is not loaded or was[1:] != state[1:]
        if is_other or len(self._standings) > _KEPT:
            self._standings, self._standings_of = {}, state
        asked = tuple((turn.kind, turn.text) for turn in question.chain)
        sql = script.sql_of(question)
        end = question.answer.end if question.answer else 0
        stamp = stamp_under(script.document.text, end)
        facts = stamp.facts if stamp is not None else ()
        key = (asked, question.options, sql, script.dialect, facts)
        found = self._standings.get(key)
        if found is None or (found.record is None and not is_unknown_kept):
            found = self._looked_up(script, question, loaded)
            if found.record is None or found.record.question == key_of(question):
                self._standings[key] = found
        return found

    def _looked_up(self, script: Script, question: Question, loaded: Loaded) -> Standing:
        known = self.known(loaded)
        sql = script.sql_of(question)
        print_ = sql_fingerprint(sql, script.dialect)
        key = key_of(question)
        record, stamped = self._record(script, question, key, print_)
        verified = _verified(question, print_, script.dialect, known)
        if record is None:
            return Standing(verified=verified)
        edited = record.sql != print_
        origin = record.origin
        if edited:
            # What a person took out of the SQL may change as it likes.
            kept = {name: was for name, was in origin.tables.items() if _is_named(name, sql)}
            origin = replace(origin, tables=kept)
        asked = () if record.question == key else ("the question changed",)
        # A stamp is shared, and each of those who share it may have a model of their own.
        asks_for = None if stamped else _asks_for(question)
        return Standing(
            record,
            stamped,
            edited,
            (*asked, *changes(origin, known, asks_for)),
            verified,
        )

    def _last_written(self) -> int:
        """When another process may have written a record last."""
        try:
            return 0 if self._folder is None else self._folder.stat().st_mtime_ns
        except OSError:
            return 0

    def has_answered(self, question: Question) -> bool:
        """Whether an answer was ever given to a question."""
        return bool(self._lines(key_of(question)))

    def find(self, question: Question, sql: str) -> Record | None:
        """The record of exactly this answer to a question."""
        print_ = sql_fingerprint(sql, question.dialect)
        return _last(self._records(key_of(question)), print_)

    def accept(self, script: Script, question: Question, loaded: Loaded) -> Record | None:
        """Keep that an answer is right as it stands; ``None`` where nothing was known about it."""
        standing = self.standing(script, question, loaded)
        if standing.record is None:
            return None
        known = self.known(loaded)
        origin = accepted(standing.record.origin, known, _asks_for(question))
        sql = script.sql_of(question)
        if standing.edited:
            from sqlscribe.checking.check import check

            used = check(sql, loaded.schema, script.dialect).tables
            tables = origin_of(used, (), known, origin.model, origin.at).tables
            origin = replace(origin, tables=tables)
        record = Record(key_of(question), sql_fingerprint(sql, script.dialect), origin)
        self.put(record)
        return record

    def follow(self, script: Script, question: Question, sql: str, loaded: Loaded) -> Record | None:
        """Keep that an answer is about to be written as ``sql``, which means the same.

        ``None`` where nothing is known about it, or a person has changed it before.
        """
        standing = self.standing(script, question, loaded)
        if standing.record is None or standing.edited:
            return None
        record = replace(standing.record, sql=sql_fingerprint(sql, script.dialect))
        self.put(record)
        return record

    def put(self, record: Record) -> None:
        """Keep a record, in place of an older one of the same answer."""
        if not record.question:
            return
        with self._lock:
            self._puts += 1
            others = [old for old in self._records(record.question) if old.sql != record.sql]
            lines = [write_facts(facts_of(each)) for each in (*others, record)]
            self._write(record.question, lines[-_RECORDS:])
            asked = [key for key in self._lines(_by_sql(record.sql)) if key != record.question]
            self._write(_by_sql(record.sql), [*asked, record.question][-_RECORDS:])

    def _record(
        self, script: Script, question: Question, key: str, sql: str
    ) -> tuple[Record | None, bool]:
        """The record of an answer, and whether it stands under it."""
        end = question.answer.end if question.answer else 0
        stamp = stamp_under(script.document.text, end)
        if stamp is not None and (stamped := record_of(stamp.facts)) is not None:
            return stamped, True
        records = self._records(key)
        if records:
            return _last(records, sql) or records[-1], False
        # SQL that answered another question, which nobody asks in this file any more.
        asked = self._lines(_by_sql(sql))
        if asked and not any(key_of(other) in asked for other in script.questions):
            return _last(self._records(asked[-1]), sql), False
        return None, False

    def _records(self, key: str) -> list[Record]:
        records = [record_of(read_facts(line)) for line in self._lines(key)]
        return [record for record in records if record is not None]

    def _lines(self, name: str) -> tuple[str, ...]:
        if self._folder is None or not _NAME.fullmatch(name):
            return self._memory.get(name, ())
        try:
            with open_generated(self._folder / name) as file:
                text = file.read(4 * _LONGEST).decode("utf-8", "surrogatepass")[:_LONGEST]
            return tuple(text.splitlines())
        except (OSError, ValueError):
            # Not there, or damaged: then nothing is known, unless it could not be written.
            return self._memory.get(name, ())

    def _write(self, name: str, lines: list[str]) -> None:
        if self._folder is not None and _NAME.fullmatch(name):
            try:
                content = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")
                write_generated(self._folder, name, content)
                self._prune(self._folder)
                self.remark = ""
                return
            except OSError as error:
                self.remark = f"origins of answers are not kept: {error.strerror or error}"
        self._memory[name] = tuple(lines)
        if len(self._memory) > _KEPT:
            del self._memory[next(iter(self._memory))]

    def _prune(self, folder: Path) -> None:
        files = [file for file in folder.iterdir() if not file.name.startswith(".")]
        if len(files) > _KEPT:
            for file in sorted(files, key=_written)[: len(files) - _KEPT]:
                file.unlink(missing_ok=True)


def is_answered(question: Question) -> bool:
    """Whether the question has its answer under it; a refinement that waits has it above."""
    answer = question.answer
    return answer is not None and question.kind != "error" and answer.start >= question.span.end


def stale(script: Script, origins: Origins, loaded: Loaded) -> tuple[Finding, ...]:
    """A hint on each question whose answer may be out of date, which says why."""
    ignored = loaded.settings.checks.ignore
    if is_ignored("ask/stale", ignored):
        return ()
    found = tuple(_stale(script, origins, loaded))
    ignores = tuple(read_ignores(script)) if found else ()
    return tuple(each for each in found if not any(one.covers(each) for one in ignores))


def _stale(script: Script, origins: Origins, loaded: Loaded) -> Iterator[Finding]:
    for question in script.questions:
        changed = origins.changes(script, question, loaded)
        if changed:
            message = f"the answer may be out of date: {', '.join(changed)}"
            yield Finding("ask/stale", Severity.HINT, message, question.span)


def _asks_for(question: Question) -> str:
    """What a question calls the model that it wants."""
    return dict(question.options).get("model", "")


def _verified(question: Question, sql: str, dialect: str, known: Known) -> Example | None:
    asked = "\n".join(turn.text for turn in question.chain)
    for example in known.asked(asked):
        if sql_fingerprint(example.sql, example.dialect or dialect) == sql:
            return example
    return None


def _last(records: list[Record], sql: str) -> Record | None:
    return next((record for record in reversed(records) if record.sql == sql), None)


def _is_named(table: str, sql: str) -> bool:
    name = table.rpartition(".")[2]
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", sql, re.IGNORECASE) is not None


def _by_sql(sql: str) -> str:
    return f"sql-{sql}"


def _written(file: Path) -> float:
    """When a file was written; long ago where another process has just removed it."""
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return 0.0
