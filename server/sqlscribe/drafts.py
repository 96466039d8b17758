"""What a model's reply comes to: SQL with what is known about it, or why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, NamedTuple

from sqlscribe.checking import reads
from sqlscribe.checking.check import Checked, check, is_about_today
from sqlscribe.checking.extraction import Extraction, extract
from sqlscribe.checking.extraction.cleaning import without_marks
from sqlscribe.checking.mending import mended
from sqlscribe.checking.shape import doubts
from sqlscribe.checking.value_queries import is_narrowed
from sqlscribe.errors import DatabaseError
from sqlscribe.models.chat import Reply
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.notation.ignores import is_ignored
from sqlscribe.outcomes import Answer
from sqlscribe.prompting.prompt import Prompt
from sqlscribe.snapshot import Snapshot


class Doubt(NamedTuple):
    """Something about a query without errors that is probably not what was asked for.

    ``shape``: a sentence on the result's columns or rows. ``empty``: what the query gives
    (``no rows``).
    """

    kind: Literal["shape", "empty"]
    message: str


@dataclass(frozen=True)
class Draft:
    """What a reply comes to, the SQL in it, and the errors and doubts that a repair may cure.

    SQL that does not parse is refused as an answer, since nothing is known about it, but its
    errors can still be sent back. ``lookup`` is a query for values that the model wants first.
    ``mended`` tells which names in the SQL were put right here.
    """

    answer: Answer
    sql: str = ""
    errors: tuple[Finding, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    lookup: str = ""
    mended: tuple[str, ...] = ()

    @property
    def has_given_up(self) -> bool:
        """There is no SQL, and nothing to send back."""
        return not self.errors and self.answer.outcome != "sql"


def judge(reply: Reply, snapshot: Snapshot, prompt: Prompt) -> Draft:
    """What a reply holds."""
    extraction = extract(reply.text, snapshot.dialect, cut_off=reply.cut_off)
    if extraction.outcome == "lookup":
        return Draft(Answer("insufficient", prompt=prompt), lookup=extraction.sql)
    if extraction.outcome != "sql":
        return Draft(_without_sql(extraction, snapshot, prompt))
    sql = without_marks(extraction.sql, snapshot.dialect)
    alternates = tuple(snapshot.hide(other) for other in extraction.alternates)
    answer = replace(offered(sql, snapshot, prompt), alternates=alternates)
    findings = answer.findings
    if answer.outcome != "sql" and not reads.classify(sql, snapshot.dialect).parsed:
        findings = check(sql, snapshot.schema, snapshot.dialect).findings
    errors = tuple(finding for finding in findings if finding.severity is Severity.ERROR)
    draft = Draft(answer, sql, errors)
    if draft.errors or draft.answer.outcome != "sql":
        return draft
    return replace(draft, doubts=_doubts(draft, snapshot, prompt))


def put_right(draft: Draft, snapshot: Snapshot, prompt: Prompt) -> Draft:
    """The draft with names put right, where that leaves no error; else the draft as it is."""
    if snapshot.max_repairs == 0 or not draft.errors or draft.answer.outcome != "sql":
        return draft
    found = mended(draft.sql, snapshot.schema, snapshot.dialect)
    if found is None:
        return draft
    answer = offered(found.sql, snapshot, prompt)
    if not answer.is_clean:
        return draft
    answer = replace(answer, alternates=draft.answer.alternates)
    return Draft(answer, found.sql, mended=found.changes)


def best(drafts: Sequence[Draft]) -> Draft:
    """One that may be offered before any other, then the fewest errors, then the fewest doubts.

    Of equals the latest where there are errors, which the model has seen, and the first where
    there are none: it may have been right.
    """

    def rank(entry: tuple[int, Draft]) -> tuple[bool, int, int, int]:
        number, draft = entry
        age = -number if draft.errors else number
        return draft.answer.outcome != "sql", len(draft.errors), len(draft.doubts), age

    return min(enumerate(drafts), key=rank)[1]


def is_repeated(found: Draft, drafts: Sequence[Draft]) -> bool:
    """Blanks do not make SQL new, nor does letter case that cures nothing."""

    def said(draft: Draft) -> tuple[str, tuple[str, ...]]:
        messages = [finding.message for finding in draft.errors]
        messages += [doubt.message for doubt in draft.doubts]
        return " ".join(draft.sql.split()).casefold(), tuple(map(str.casefold, messages))

    return said(found) in {said(draft) for draft in drafts}


def offered(sql: str, snapshot: Snapshot, prompt: Prompt | None, asked: str = "") -> Answer:
    """SQL with what the checker says about it; refused where it is not known to be a read.

    ``asked`` is the question where no prompt was made for it.
    """
    verdict = reads.classify(sql, snapshot.dialect)
    if not verdict.read:
        return Answer("refused", message=snapshot.hide(verdict.reason), prompt=prompt)
    if snapshot.hide(sql) != sql:
        # It would stand in a file, and from there go anywhere.
        return Answer("refused", message="the answer holds the key of the model", prompt=prompt)
    question = prompt.context.request.search_text if prompt is not None else asked
    checked = _checked(sql, snapshot, snapshot.today if is_about_today(question) else None)
    return Answer(
        "sql",
        sql=sql,
        tables=checked.tables,
        findings=checked.findings,
        checked=checked.checked,
        unchecked=checked.unchecked,
        prompt=prompt,
    )


def _checked(sql: str, snapshot: Snapshot, today: date | None) -> Checked:
    """What is found without a database, and then what the engine says where there is one."""
    found = check(sql, snapshot.schema, snapshot.dialect, values=snapshot.known_values, today=today)
    findings = tuple(f for f in found.findings if not is_ignored(f.code, snapshot.ignored))
    found = replace(found, findings=findings)
    engine = snapshot.engine
    if engine is None or any(finding.severity is Severity.ERROR for finding in findings):
        # What is wrong already is said better by the checker, with the right name beside it.
        return found
    refused = engine.explain(sql)
    if engine.remark:
        return replace(found, unchecked=(*found.unchecked, engine.remark))
    return replace(
        found, findings=(*findings, *refused), checked=(*found.checked, f"explain ({engine.name})")
    )


def _doubts(draft: Draft, snapshot: Snapshot, prompt: Prompt) -> tuple[Doubt, ...]:
    """What a query without errors gives, as against what was asked for."""
    if snapshot.max_repairs == 0:
        # There is nobody to tell, and running the query would cost time.
        return ()
    # Only what was asked last: a refinement may take back what was said before.
    asked = prompt.context.request.question
    found = [Doubt("shape", message) for message in doubts(asked, draft.sql, snapshot.dialect)]
    if snapshot.run is not None and not found and is_narrowed(draft.sql, snapshot.dialect):
        found += _emptiness(draft.sql, snapshot)
    return tuple(found)


def _emptiness(sql: str, snapshot: Snapshot) -> Sequence[Doubt]:
    """Whether the query gives nothing, or one row of nothing but NULL."""
    assert snapshot.run is not None
    try:
        got = snapshot.run(sql, 2)
    except DatabaseError:
        # A database that is away or slow says nothing about the query, and what it refuses
        # was said by EXPLAIN.
        return ()
    if not got.rows and not got.truncated:
        return (Doubt("empty", "no rows"),)
    if len(got.rows) == 1 and all(value is None for value in got.rows[0]):
        return (Doubt("empty", "one row that holds only NULL"),)
    return ()


def _without_sql(extraction: Extraction, snapshot: Snapshot, prompt: Prompt) -> Answer:
    """What the person is told about a reply that holds no SQL, without the model's key."""
    hide = snapshot.hide
    match extraction.outcome:
        case "truncated":
            return Answer(
                "truncated",
                message="the model's reply was cut off before its end",
                prompt=prompt,
            )
        case "needs_choice":
            return Answer(
                "needs_choice",
                message="the question can be read in more than one way",
                choices=tuple(map(hide, extraction.choices)),
                prompt=prompt,
            )
        case "insufficient":
            return Answer("insufficient", message=hide(extraction.declined or ""), prompt=prompt)
        case _:
            said = hide(" ".join(extraction.prose.split()))
            message = "the model's reply was empty"
            if said:
                message = f"the model answered without SQL: {said[:500]}"
            return Answer("no_sql", message=message, prompt=prompt)
