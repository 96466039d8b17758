"""A script read again after an edit: only what stands around the edit is looked at.

Behind a terminator a script is read as if it began there, with a few exceptions that are seen
beforehand. So reading begins above the edit, ends at the first terminator below it where the
old reading had one too, and the rest is taken over. The result is what reading the whole would
give.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from sqlscribe.notation.asks import heading, numbered, questions_in
from sqlscribe.notation.document import Document, Span, difference
from sqlscribe.notation.findings import Finding
from sqlscribe.notation.lexicon import Piece, known_dialect
from sqlscribe.notation.question import Question, Script
from sqlscribe.notation.statements import Outline, Walk

_ABOVE = 2
"""Statements above an edit that are read again: the words of two may make one beginning."""
_BEHIND = 8
"""Characters in front of a place that may bear on how it is read."""
_REACHES_UP = re.compile(r"""['"`\\]|/\*|\*/|\{[{%\#]""")
"""What may close something that was opened far above, and passed for unclosed until now."""


def reread(old: Script, document: Document, dialect: str) -> Script | None:
    """What :func:`asks.read` says of a document of which ``old`` is an earlier version.

    ``None`` where the edit may bear on what stands far above it, so that all must be read.
    """
    view = old.read_outline
    if view is None or old.assumed != dialect or document.host is not document:
        return None
    edit = difference(old.document.text, document.text).span
    script = heading(document, dialect)
    if script.dialect != old.dialect or not _is_local(old, document, view, edit):
        return None
    part = _Part(old, document, view, edit)
    known = part.outline()
    questions, notes = part.questions(known)
    findings = (*script.findings, *notes)
    return replace(script, questions=questions, findings=findings, known=known)


def _is_local(old: Script, document: Document, view: Outline, edit: Span) -> bool:
    """Whether an edit bears on nothing that stands far above it."""
    before, after = old.document.text, document.text
    start = max(edit.start - 2, 0)
    end = edit.end + len(after) - len(before)
    touched = (before[start : edit.end + 2], after[start : end + 2])
    return view.plain and not any(map(_REACHES_UP.search, touched))


class _Part:
    """The part of a script that is read again, from the end of a statement to that of another.

    Places are in the old text, from which everything behind the part moves ``by`` characters.
    ``begin`` is the same in both; at ``joint`` the statements go on as before, at ``end`` the
    questions, each ``None`` where the text is read to its end.
    """

    def __init__(self, old: Script, document: Document, view: Outline, edit: Span) -> None:
        self.old = old
        self.document = document
        self.view = view
        self.by = len(document.text) - len(old.document.text)
        self.ends = [statement.end for statement in view.statements]
        self.first_end = bisect_left(self.ends, edit.end + _BEHIND)
        above = max(bisect_left(self.ends, edit.start) - _ABOVE, 0)
        while above and not self._is_end(above - 1):
            above -= 1
        self.begin = self.ends[above - 1] if above else 0
        self.joint: int | None = None
        self.end: int | None = None

    def _is_end(self, index: int) -> bool:
        """Whether a script may be read anew behind a statement."""
        statements = self.view.statements
        if index + 1 >= len(statements):
            return False
        statement = statements[index]
        ended = statement.end > statement.span.end
        return ended and statements[index + 1].lead.start == statement.end

    def outline(self) -> Outline:
        """The outline of the new text."""
        places = range(self.first_end, len(self.ends))
        ends = {self.ends[index] + self.by: index for index in places if self._is_end(index)}
        walk = Walk(self.document.text, known_dialect(self.old.dialect), self.begin)
        if walk.run(ends):
            self.joint = walk.position - self.by
            self.end = self._end_behind(ends[walk.position])
        old, by = self.view, self.by
        above, below = _around(old.statements, lambda each: each.span.start, self.begin, self.joint)
        over, under = _around(old.comments, lambda each: each.start, self.begin, self.joint)
        first, last = _around(old.skipped, lambda each: each.start, self.begin, self.joint)
        if by:
            below = [statement.moved(by) for statement in below]
            under = [Piece(kind, start + by, end + by) for kind, start, end in under]
            last = [span.moved(by) for span in last]
        return Outline(
            (*above, *walk.statements, *below),
            (*over, *walk.comments, *under),
            (*first, *walk.skipped, *last),
            tuple(walk.delimiters),
            walk.plain,
        )

    def _end_behind(self, index: int) -> int | None:
        """Where the first statement ends that stands whole behind the joint, lines and all.

        A question may speak of the statement above it, and is as far in as its line.
        """
        text, joint = self.old.document.text, self.ends[index]
        for below in range(index + 1, len(self.ends)):
            end = self.ends[below]
            if self._is_end(below) and _LINE_END.search(text, joint, end):
                return end
        return None

    def _owners(self) -> int:
        """The index of the first question that the statement above may answer."""
        index = bisect_left(self.ends, self.begin)
        lead = self.view.statements[index].lead if self.begin else Span(0, 0)
        return bisect_left(self.old.questions, lead.start, key=_start)

    def questions(self, known: Outline) -> tuple[tuple[Question, ...], list[Finding]]:
        """The questions of the new text, and findings on comments that ask nothing."""
        old, by = self.old, self.by
        above, below = _around(old.questions, _start, self.begin, self.end)
        end = len(self.document.text) if self.end is None else self.end + by
        where = Span(self.begin, end)
        new, said = questions_in(self.document, known, old.dialect, where, above[self._owners() :])
        before = old.questions[len(above) : len(old.questions) - len(below)]
        notes = old.findings[len(heading(old.document, old.assumed).findings) :]
        over, under = _around(notes, _start, self.begin, self.end)
        if by:
            below = [question.moved(by) for question in below]
            under = [finding.moved(by) for finding in under]
        found: tuple[Question, ...]
        if [one.identity for one in before] == [one.identity for one in new]:
            counted = [replace(b, ordinal=a.ordinal) for a, b in zip(before, new, strict=True)]
            found = (*above, *counted, *below)
        else:
            found = numbered([*above, *new, *below])
        return found, [*over, *said, *under]


_LINE_END = re.compile(r"[\r\n]")
_T = TypeVar("_T")


def _start(one: Question | Finding) -> int:
    return one.span.start


def _around(
    old: Sequence[_T], start: Callable[[_T], int], begin: int, end: int | None
) -> tuple[Sequence[_T], Sequence[_T]]:
    """What begins above a part of the old text, and what begins below it."""
    above = old[: bisect_left(old, begin, key=start)]
    return above, () if end is None else old[bisect_left(old, end, key=start) :]
