"""Questions in a SQL file: what is asked, which statement answers it, where an answer goes.

Comments of a chain stand together above the one answer that they have led to::

    -- ask: revenue by month
    -- refine: only 2024
    SELECT …;

A ``-- refine:`` or ``-- error:`` under a statement is still to be answered.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.embedded import outline_of
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.notation.jinja_places import HEAD_TAGS, ONLY_TAGS
from sqlscribe.notation.lexicon import Piece, dialect_named
from sqlscribe.notation.marked_comments import (
    MarkedComment,
    Mention,
    file_options,
    iso_date,
    marked_comments,
    may_hold_marks,
    option_finding,
)
from sqlscribe.notation.placing import place
from sqlscribe.notation.question import Question, Script, Turn
from sqlscribe.notation.stamps import stamp_under
from sqlscribe.notation.statements import Outline, Statement

__all__ = ["Mention", "Question", "Script", "Turn", "find_again", "place", "read"]


def read(document: Document, dialect: str) -> Script:
    """The questions of a document. ``dialect`` counts where the file names none."""
    script = heading(document, dialect)
    if not may_hold_marks(document.text):
        return script
    view = outline_of(document, script.dialect)
    questions, findings = questions_in(document, view, script.dialect)
    return replace(
        script,
        questions=numbered(questions),
        findings=(*script.findings, *findings),
        known=view,
    )


def heading(document: Document, dialect: str) -> Script:
    """What the head of a document says about the whole of it; no questions yet."""
    findings: list[Finding] = []
    values: dict[str, str] = {}
    for option in file_options(document.text):
        if finding := option_finding(*option):
            findings.append(finding)
        else:
            values.setdefault(option.name, option.value)
    named = dialect_named(values.get("dialect", ""))
    return Script(
        document=document,
        dialect=dialect if named is None else named,
        assumed=dialect,
        as_of=iso_date(values.get("as_of", "")),
        findings=tuple(findings),
    )


def questions_in(
    document: Document,
    view: Outline,
    dialect: str,
    where: Span | None = None,
    above: Sequence[Question] = (),
) -> tuple[list[Question], list[Finding]]:
    """The questions whose comments begin in ``where``, and findings on comments that ask nothing.

    ``where`` begins and ends behind terminators of statements; ``above`` are the last questions
    before it. Equal questions are not counted yet.
    """
    reader = _Reader(document, view, dialect, where or Span(0, len(document.text)), above)
    return reader.read(), sorted(reader.findings, key=lambda finding: finding.span)


def numbered(questions: Sequence[Question]) -> tuple[Question, ...]:
    """The questions of a document with equal ones counted."""
    seen: Counter[tuple[object, ...]] = Counter()
    counted = []
    for question in questions:
        ordinal = seen[question.identity]
        seen[question.identity] += 1
        counted.append(
            question if question.ordinal == ordinal else replace(question, ordinal=ordinal)
        )
    return tuple(counted)


def find_again(question: Question, script: Script) -> Question | None:
    """The same question in another version of its file, ``None`` if it is gone or changed.

    Of several equal ones that which is as far down among them, else the nearest.
    """
    same = [other for other in script.questions if other.identity == question.identity]
    for other in same:
        if other.ordinal == question.ordinal:
            return other
    return min(same, key=lambda other: abs(other.span.start - question.span.start), default=None)


_GOING_ON = frozenset(
    "UNION EXCEPT INTERSECT MINUS FROM WHERE GROUP HAVING QUALIFY ORDER LIMIT OFFSET FETCH WINDOW"
    " JOIN INNER LEFT RIGHT FULL CROSS NATURAL LATERAL ON USING AND OR AS IN IS LIKE ILIKE BETWEEN"
    " WHEN THEN ELSE".split()
)
"""First words of what can only be the rest of a statement."""
_JOINING = frozenset(",)=>+*|&")
"""First letters of what can only be the rest of a statement."""
_OPENERS = dict.fromkeys(
    ("duckdb", "hive", "spark", "spark2", "databricks", "bigquery", "clickhouse", "prql"),
    frozenset({"FROM"}),
)
"""Of these, the words that begin a statement in some dialects."""
_STEERING = frozenset("BEGIN START COMMIT ROLLBACK ABORT SAVEPOINT RELEASE END USE SET GO".split())
"""First words of statements that steer a script: they answer nothing, and must not be replaced."""
_INSIDE = "a question within a statement gets no answer; write it above that, or end that with ;"


class _Reader:
    """Reads the questions of a script, or of a part of it."""

    def __init__(
        self,
        document: Document,
        view: Outline,
        dialect: str,
        where: Span,
        above: Sequence[Question],
    ) -> None:
        self.document = document
        self.text = document.text
        self.dialect = dialect
        self.comments = view.comments
        self.statements = view.statements
        self.starts = [statement.span.start for statement in self.statements]
        self.marked = list(marked_comments(self.document, self._comments_in(where)))
        self.marks = {comment.span.start for comment in self.marked}
        self.findings: list[Finding] = []
        self.answered = {
            question.answer.end: question
            for question in above
            if question.answer is not None and question.answer.start >= question.span.end
        }

    def read(self) -> list[Question]:
        found = (self._question(group) for group in self._groups())
        return [question for question in found if question is not None]

    def _groups(self) -> list[list[MarkedComment]]:
        """Comments that stand together as one question: an ask and the refines under it."""
        groups: list[list[MarkedComment]] = []
        inside: MarkedComment | None = None
        for comment in self.marked:
            if not comment.text:
                self.findings += comment.findings
            elif self._inside_statement(comment):
                refines = comment.kind == "refine" and inside and self._goes_on(inside, comment)
                if comment.kind != "error" and not refines:
                    self._note(comment, "ask/inside-statement", _INSIDE)
                inside = comment
            elif comment.kind == "refine" and groups and self._goes_on(groups[-1][-1], comment):
                groups[-1].append(comment)
            else:
                groups.append([comment])
        return groups

    def _goes_on(self, above: MarkedComment, comment: MarkedComment) -> bool:
        return above.kind != "error" and _adjoins(self.text[above.span.end : comment.span.start])

    def _inside_statement(self, comment: MarkedComment) -> bool:
        index = bisect_right(self.starts, comment.span.start) - 1
        if index < 0:
            return False
        above = self.statements[index]
        if comment.span.start < above.span.end:
            return True
        # A question ends a statement that has no terminator, but not where it plainly goes on:
        # what follows would be taken for the answer, and be replaced.
        below = self.statements[index + 1] if index + 1 < len(self.statements) else None
        if below is None or above.end != above.span.end:
            return False
        first = self.text[below.span.start]
        words = _GOING_ON - _OPENERS.get(self.dialect, frozenset())
        return first in _JOINING or (first.isalpha() and below.keyword in words)

    def _question(self, group: Sequence[MarkedComment]) -> Question | None:
        first, last = group[0], group[-1]
        question = Question(
            kind=first.kind,
            text=last.text,
            span=Span(first.span.start, last.span.end),
            indent=first.indent,
            turns=tuple(Turn(comment.kind, comment.text) for comment in group[:-1]),
            options=_merged(self._said_around(first), *(comment.options for comment in group)),
            mentions=tuple(mention for comment in group for mention in comment.mentions),
            findings=tuple(finding for comment in group for finding in comment.findings),
            dialect=self.dialect,
        )
        above = None if first.kind == "ask" else self._statement_above(question.span)
        if above is not None:
            return self._on_statement(question, above)
        if first.kind == "error":
            self._note(first, "ask/no-statement", "no statement stands directly above this error")
            return None
        below = self._statement_below(question.span)
        if below is None and first.kind == "refine":
            self._note(first, "ask/no-statement", "there is nothing to refine directly above")
            return None
        question = replace(question, answer=below)
        if below is not None:
            self.answered[below.end] = question
        return question

    def _said_around(self, comment: MarkedComment) -> tuple[tuple[str, str], ...]:
        """The dialect of the block or cell that a comment stands in, where it is another one."""
        dialect = self.document.dialect_at(comment.span.start)
        return (("dialect", dialect),) if dialect not in ("", self.dialect) else ()

    def _on_statement(self, question: Question, statement: Statement) -> Question:
        """A question about the statement above it, with the question above that."""
        owner = self.answered.get(statement.end)
        if owner is None:
            return replace(question, answer=Span(statement.span.start, statement.end))
        return replace(
            question,
            answer=owner.answer,
            turns=(*owner.chain, *question.turns),
            options=_merged(owner.options, question.options),
            mentions=(*owner.mentions, *question.mentions),
            previous=owner.span,
        )

    def _statement_above(self, span: Span) -> Statement | None:
        """The statement whose last line is the line before, or this line before ``span``.

        A stamp under it belongs to it.
        """
        index = bisect_left(self.starts, span.start) - 1
        if index < 0:
            return None
        statement = self.statements[index]
        if statement.end > span.start:
            return None
        stamp = stamp_under(self.text, statement.end)
        last = statement.end if stamp is None else min(stamp.span.end, span.start)
        lines = self.document.line_of(span.start) - self.document.line_of(last - 1)
        between = self._comments_in(Span(statement.end, span.start))
        asked = any(piece.start in self.marks for piece in between)
        code = any(gap.strip() for gap in self._gaps(statement.end, between, span.start))
        return None if lines > 1 or asked or code else statement

    def _statement_below(self, span: Span) -> Span | None:
        """The statement that begins on the next line, with comments that lead it there."""
        index = bisect_left(self.starts, span.end)
        if index == len(self.statements):
            return None
        statement = self.statements[index]
        between = self._comments_in(Span(span.end, statement.span.start))
        asked = any(piece.start in self.marks for piece in between)
        gaps = self._gaps(span.end, between, statement.span.start)
        if asked or not all(_adjoins(gap) for gap in gaps) or statement.keyword in _STEERING:
            return None
        code = statement.span.of(self.text)
        if ONLY_TAGS.match(code):
            return None
        head = HEAD_TAGS.match(code)
        if head is not None:
            return Span(statement.span.start + head.end(), statement.end)
        return Span(span.end + len(gaps[0]), statement.end)

    def _comments_in(self, span: Span) -> Sequence[Piece]:
        first = bisect_left(self.comments, span.start, key=lambda piece: piece.start)
        last = bisect_left(self.comments, span.end, key=lambda piece: piece.start)
        return self.comments[first:last]

    def _gaps(self, start: int, comments: Sequence[Piece], end: int) -> list[str]:
        """What stands between comments."""
        begins = [start, *(piece.end for piece in comments)]
        ends = [*(piece.start for piece in comments), end]
        return [self.text[a:b] for a, b in zip(begins, ends, strict=True)]

    def _note(self, comment: MarkedComment, code: str, message: str) -> None:
        self.findings.append(Finding(code, Severity.HINT, message, comment.span))


_ADJOINING = re.compile(r"[^\S\r\n]*+(?:\r\n|\r|\n)?+[^\S\r\n]*+")


def _adjoins(gap: str) -> bool:
    """Whether what follows a gap is on the same or the next line, with nothing between."""
    return _ADJOINING.fullmatch(gap) is not None


def _merged(*options: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Options of several comments; the later ones win."""
    return tuple({name: value for some in options for name, value in some}.items())
