"""What a question in a SQL file is."""

from __future__ import annotations

import datetime
import hashlib
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.embedded import outline_of
from sqlscribe.notation.findings import Finding
from sqlscribe.notation.lexicon import Kind, Piece, scan
from sqlscribe.notation.marked_comments import Mention, QuestionKind
from sqlscribe.notation.statements import Outline, Statement, split


@dataclass(frozen=True)
class Turn:
    """An earlier comment of the chain that a question belongs to."""

    kind: QuestionKind
    text: str


@dataclass(frozen=True)
class Question:
    """A question and its place.

    ``answer`` is the statement that answers an ``ask``, with its terminator; for ``refine``
    and ``error`` it is the statement to be changed, which stands above, or below where a
    refined statement has no question of its own.
    ``turns`` are the earlier comments of the chain, oldest first. Options and mentions of the
    whole chain count. ``previous`` is the span of the question above the statement.
    ``ordinal`` counts equal questions of the file from zero. ``dialect`` is the one that the
    file was read in.
    """

    kind: QuestionKind
    text: str
    span: Span
    indent: str = ""
    answer: Span | None = None
    turns: tuple[Turn, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    mentions: tuple[Mention, ...] = ()
    findings: tuple[Finding, ...] = ()
    previous: Span | None = None
    ordinal: int = 0
    dialect: str = ""

    @property
    def identity(self) -> tuple[object, ...]:
        """What makes it the same question in another version of the file."""
        return (self.kind, self.text, self.turns, self.options)

    @cached_property
    def fingerprint(self) -> str:
        """A short name of what is asked, wherever it stands."""
        said = f"{self.kind}\0{self.text}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(said, digest_size=6).hexdigest()

    @cached_property
    def identity_fingerprint(self) -> str:
        """A short name of its identity, for plain data."""
        said = repr(self.identity).encode("utf-8", "surrogatepass")
        return hashlib.blake2b(said, digest_size=6).hexdigest()

    def moved(self, by: int) -> Question:
        """The same question, so many characters further down."""
        # Through its constructor it would take five times as long, with hundreds in a file.
        other = object.__new__(Question)
        vars(other).update(
            vars(self),
            span=self.span.moved(by),
            answer=self.answer and self.answer.moved(by),
            mentions=tuple([Mention(name, span.moved(by)) for name, span in self.mentions]),
            findings=tuple([finding.moved(by) for finding in self.findings]),
            previous=self.previous and self.previous.moved(by),
        )
        return other

    @property
    def chain(self) -> tuple[Turn, ...]:
        """All comments up to this one."""
        refined = bool(self.turns) and self.kind == "ask"
        return (*self.turns, Turn("refine" if refined else self.kind, self.text))


@dataclass(frozen=True)
class Script:
    """A SQL file as read. ``assumed`` is the dialect it was read with unless it names one.

    ``findings`` are on the file's options and on comments that are no questions for a reason;
    those on a question are its own.
    """

    document: Document
    dialect: str
    assumed: str = ""
    as_of: datetime.date | None = None
    questions: tuple[Question, ...] = ()
    findings: tuple[Finding, ...] = ()
    known: Outline | None = field(default=None, repr=False, compare=False)

    def question_at(self, offset: int) -> Question | None:
        """The question whose comment holds an offset; where two touch, the first."""
        behind = bisect_right(self.questions, offset, key=lambda each: each.span.start)
        near = self.questions[max(0, behind - 2) : behind]
        return next((each for each in near if each.span.contains(offset)), None)

    def sql_of(self, question: Question) -> str:
        """The answer of a question as it stands, without its terminator; ``""`` without one."""
        if question.answer is None:
            return ""
        start, end = question.answer
        own = own_answer(self.document, question)
        return self.document.text[start : self._ends.get(end, end) if own is None else own.span.end]

    @cached_property
    def _ends(self) -> dict[int, int]:
        return {statement.end: statement.span.end for statement in self.statements}

    @cached_property
    def outline(self) -> Outline:
        """The statements and comments of the file."""
        return self.known or outline_of(self.document, self.dialect)

    @property
    def read_outline(self) -> Outline | None:
        """The outline, if it was made already."""
        return self.known or vars(self).get("outline")

    @property
    def statements(self) -> tuple[Statement, ...]:
        return self.outline.statements

    @property
    def comments(self) -> tuple[Piece, ...]:
        """Comments outside of the parts of the file that are no SQL."""
        return self.outline.comments


def own_dialect(question: Question) -> str:
    """The dialect that a question is to be answered in."""
    return dict(question.options).get("dialect") or question.dialect


def own_answer(document: Document, question: Question) -> Statement | None:
    """The answer under a question as the dialect reads it that the question names.

    The file's own may find quotes elsewhere, and take in what stands below. ``None`` where that
    one counts.
    """
    dialect, answer = own_dialect(question), question.answer
    if answer is None or dialect == question.dialect or document.host is not document:
        return None
    if question.kind != "ask" or answer.start < question.span.end:
        return None
    found = split(document.text[answer.start :], dialect, 0)
    if not found:
        return None
    own = found[0].moved(answer.start)
    if own.end <= answer.end:
        return own
    if own.end == own.span.end or EMPTY_LINE.search(document.text, answer.end, own.end):
        return None
    more = document.text[answer.end : own.end]
    last = answer.end - 1 - answer.start
    inside = any(
        piece.kind is not Kind.CODE and piece.start <= last < piece.end - 1
        for piece in scan(document.text[answer.start : own.end], dialect)
    )
    # Else what stands on the next lines has been ended by a word of the file's own, as by GO.
    return own if inside or len(more.splitlines()) < 2 else None


EMPTY_LINE = re.compile(r"(?>\r\n|\r|\n)[^\S\r\n]*+[\r\n]")
"""What stands behind one is no part of an answer that the file's dialect ends."""
