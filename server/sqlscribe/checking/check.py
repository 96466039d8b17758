"""What can be said about a statement without a database: syntax, names, dialect, habits.

Nobody says "valid" here: what was looked at and what could not be is part of the answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date

from sqlglot import exp

from sqlscribe.checking.dialects import check_dialect, check_first_words, check_text_for_names
from sqlscribe.checking.gaps import gap_in
from sqlscribe.checking.names import check_names
from sqlscribe.checking.names.making import around, declared_in, made_by, may_make
from sqlscribe.checking.names.misses import Walk
from sqlscribe.checking.names.parts import parts_of
from sqlscribe.checking.names.script import NOTHING, Made
from sqlscribe.checking.names.spelling import is_slip
from sqlscribe.checking.names.targets import targets_of
from sqlscribe.checking.parsing import Parsed, parsed, parses
from sqlscribe.checking.quality import check_quality
from sqlscribe.checking.quality.look import Values
from sqlscribe.checking.quality.years import is_about_today
from sqlscribe.checking.reads import classify
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.notation.script_lines import is_tsql
from sqlscribe.schema.model import Schema

__all__ = [
    "NOTHING",
    "Checked",
    "Made",
    "Values",
    "check",
    "is_about_today",
    "made_by",
    "may_make",
    "parses",
]


@dataclass(frozen=True)
class Checked:
    """``findings`` in the order of the text, their spans in it.

    ``tables`` are the tables used, with their schemas, in order, without the query's own
    names. ``checked`` says in words what was looked at, ``unchecked`` in sentences what
    could not be.
    """

    findings: tuple[Finding, ...] = ()
    tables: tuple[str, ...] = ()
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()


def check(
    sql: str,
    schema: Schema,
    dialect: str,
    *,
    made: Made = NOTHING,
    values: Values | None = None,
    today: date | None = None,
    reads_only: bool = True,
) -> Checked:
    """Check one statement or several against a schema. Never raises.

    ``made`` is what earlier statements of the same script have made. ``values`` are the known
    values of columns, by the case-folded names of table (with its schema) and column.
    ``today`` is for an answer to a question that counts from it, and names no year.
    ``reads_only``: look whether it only reads, too; no finding depends on that.
    """
    try:
        parts = parts_of(sql, dialect)
    except RecursionError:
        return Checked(unchecked=("the statement could not be checked: it is nested too deeply",))
    if parts is None:
        checked = _checked(sql, schema, dialect, made, values, today)
        if reads_only and parses(sql, dialect) is None and classify(sql, dialect).read:
            return replace(checked, checked=(*checked.checked, "read-only"))
        return checked
    findings = list(check_first_words(sql, dialect))
    findings += _slips(sql, schema, dialect, made)
    if not parts:
        return Checked(_ordered(findings), unchecked=(_NO_NAMES,))
    inside = declared_in(sql, dialect, made)
    tables: dict[str, None] = {}
    unchecked: dict[str, None] = {}
    for part in parts:
        checked = _checked(
            part.sql, schema, dialect, around(part, inside, schema, dialect), values, today
        )
        findings += (
            finding.moved(part.start)
            for finding in checked.findings
            if part.strict or not finding.code.startswith(("syntax/", "check/"))
        )
        tables |= dict.fromkeys(checked.tables)
        unchecked |= dict.fromkeys(checked.unchecked)
    return Checked(_ordered(findings), tuple(tables), ("names", "dialect"), tuple(unchecked))


def _slips(sql: str, schema: Schema, dialect: str, made: Made) -> list[Finding]:
    """Names of a statement without a query that are nearly right."""
    return [
        finding.moved(part.start)
        for part in targets_of(sql, dialect, schema)
        for finding in check_names(parsed(part.sql, dialect), schema, made).findings
        if any(
            fix.preferred and is_slip(finding.span.of(part.sql), fix.edits[0].text)
            for fix in finding.fixes
        )
    ]


_NO_NAMES = "names were not checked in a statement of this kind"


def _ordered(findings: list[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(dict.fromkeys(findings), key=lambda found: (found.span, found.code)))


def _checked(
    sql: str, schema: Schema, dialect: str, made: Made, values: Values | None, today: date | None
) -> Checked:
    """Check a query, or a statement of another kind as far as it parses."""
    parse = parsed(sql, dialect)
    findings = list(check_dialect(parse, schema, made.functions))
    if parse.problem is not None:
        return _unparsed(parse, findings)
    checked = ["dialect"] if parse.dialect else []
    unchecked = (
        [] if parse.dialect else ["the dialect is not known, so its own rules were not checked"]
    )
    tables: tuple[str, ...] = ()
    try:
        names = check_names(parse, schema, made)
        findings += names.findings
        tables = tuple(names.walk.tables)
        findings += check_text_for_names(parse, _columns(names.walk))
        functions = schema.functions | made.functions
        findings += check_quality(parse, names.walk, values, today, functions)
    except RecursionError:
        unchecked.append("names could not be checked: the statement is nested too deeply")
    else:
        unchecked += _unsure(parse, schema, names.walk.unsure)
        if schema.tables and _followed(parse):
            checked.insert(0, "names")
    return Checked(_ordered(_plainest(findings)), tables, tuple(checked), tuple(unchecked))


_NO_COLUMNS = frozenset({"dialect/quotes", "dialect/function", "dialect/rownum"})


def _plainest(findings: list[Finding]) -> list[Finding]:
    """Without what another finding explains better: a text in the wrong quotes is no column."""
    foreign = {finding.span for finding in findings if finding.code in _NO_COLUMNS}
    codes = {finding.code for finding in findings}
    return [
        finding
        for finding in findings
        if not (finding.code == "name/unknown-column" and finding.span in foreign)
        and not (finding.code == "quality/cross-join" and "dialect/outer-join-mark" in codes)
    ]


def _columns(walk: Walk) -> set[str]:
    return {
        key.casefold()
        for _, scope in walk.selects
        for source in scope.sources
        for key in source.output.columns
    }


_TEMPLATE = re.compile(r"\{\{|\{%|\$\{|<%|\{\w+\}|%\(\w+\)s")


def _unparsed(parse: Parsed, findings: list[Finding]) -> Checked:
    problem = parse.problem
    assert problem is not None
    if not problem.sure:
        message = f"the statement could not be checked: {problem.message}"
        start = Span(problem.span.start, problem.span.start)
        findings.append(Finding("check/not-checked", Severity.HINT, message, start))
        return Checked(tuple(findings), unchecked=(message,))
    if words := gap_in(parse.sql, parse.dialect):
        return Checked(
            tuple(findings),
            unchecked=(f"the statement could not be checked: the parser does not know {words}",),
        )
    if _TEMPLATE.search(parse.sql):
        return Checked(
            tuple(findings),
            unchecked=("the statement could not be checked: it holds template placeholders",),
        )
    if _runs_on(parse):
        return Checked(
            tuple(findings),
            unchecked=("names could not be checked: put semicolons between the statements",),
        )
    if not findings:
        # A feature of another dialect explains the error better than the parser does.
        findings.append(Finding("syntax/error", Severity.ERROR, problem.message, problem.span))
    ordered = tuple(sorted(findings, key=lambda finding: finding.span))
    return Checked(ordered, unchecked=("names could not be checked: the statement does not parse",))


_STARTS = frozenset(
    """
    alter begin break close commit continue create deallocate declare delete deny drop exec execute
    fetch goto grant if insert merge open print raiserror return revoke rollback save select set
    throw truncate update use waitfor while with
    """.split()
)


def _runs_on(parse: Parsed) -> bool:
    """T-SQL needs no semicolons between statements, the parser does."""
    if not is_tsql(parse.dialect) or parse.problem is None:
        return False
    span = parse.problem.span
    line = parse.sql[parse.sql.rfind("\n", 0, span.start) + 1 : span.start]
    return not line.strip() and span.of(parse.sql).casefold() in _STARTS and span.start > 0


_FOLLOWED = (exp.Query, exp.DML, exp.Values, exp.MultitableInserts, exp.Pivot)


def _followed(parse: Parsed) -> bool:
    return all(isinstance(tree, _FOLLOWED) for tree in parse.trees)


def _unsure(parse: Parsed, schema: Schema, unsure: list[str]) -> list[str]:
    if not schema.tables:
        return ["names were not checked, because no schema was found"]
    if not _followed(parse):
        return [_NO_NAMES]
    names = list(dict.fromkeys(unsure))
    if not names:
        return []
    shown = ", ".join(names[:5]) + (" and others" if len(names) > 5 else "")
    return [f"the schema does not say whether these names are right: {shown}"]
