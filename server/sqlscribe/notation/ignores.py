"""Comments that switch findings off: ``-- sqlscribe: ignore[quality/fan-out]``.

At the end of a line it counts for what that line holds, on a line of its own for the statement
below. ``ignore-file[…]`` counts for the whole file. Without brackets everything is meant;
``quality/*`` means a whole group.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from sqlscribe.notation.codes import nearest_code, stands_for_some
from sqlscribe.notation.document import Document, Span, TextEdit
from sqlscribe.notation.findings import Finding, Fix, Severity
from sqlscribe.notation.question import Script

_MARK = re.compile(
    r"sqlscribe\s*+[:：]\s*+(?P<verb>ignore(?P<file>-file)?)(?![\w-])\s*+(?:\[(?P<codes>[^\]\r\n]*+)\])?+",
    re.IGNORECASE,
)
_CODE = re.compile(r"[^\s,]+")
_FOUND_ELSEWHERE = "ask/stale"
"""Not found by a checker, which cannot know whether a comment switches it off in vain."""
ITS_OWN = ("check/unknown-code", "check/unused-ignore")


@dataclass(frozen=True)
class Ignore:
    """One comment. ``reach`` is where findings must begin; ``codes`` are patterns, none for all."""

    span: Span
    reach: Span
    codes: tuple[tuple[str, Span], ...]

    def covers(self, finding: Finding) -> bool:
        start = finding.span.start
        if not self.reach.start <= start <= self.reach.end:
            return False
        return not self.codes or is_ignored(finding.code, [code for code, _ in self.codes])


def is_ignored(code: str, patterns: Iterable[str]) -> bool:
    """Whether one of the patterns (``quality/fan-out``, ``quality/*``) means the code."""
    return any(fnmatchcase(code, pattern) for pattern in patterns)


def without_ignored(
    script: Script, findings: Iterable[Finding], patterns: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """The findings that neither a comment of the script nor ``patterns`` switch off.

    Comments that name no code there is, or that switch nothing off, are findings themselves.
    """
    patterns = tuple(patterns)
    left = [finding for finding in findings if not is_ignored(finding.code, patterns)]
    ignores = tuple(read_ignores(script))
    if not ignores:
        return tuple(left)
    kept = [finding for finding in left if not any(one.covers(finding) for one in ignores)]
    for one in ignores:
        kept += _about(one, left, script.document)
    return tuple(
        finding
        for finding in kept
        if finding.code not in ITS_OWN or not is_ignored(finding.code, patterns)
    )


def read_ignores(script: Script) -> Iterator[Ignore]:
    """The comments of a script that switch findings off, in order."""
    text = script.document.text
    # Most files have none, and then their comments need not be looked for.
    if _MARK.search(text) is None:
        return
    for comment in script.comments:
        for mark in _MARK.finditer(text, comment.start, comment.end):
            span = Span(*mark.span())
            codes = tuple(_codes(mark))
            if mark["file"]:
                yield Ignore(span, Span(0, len(text)), codes)
            else:
                yield Ignore(span, _reach(script, comment.start), codes)


def _codes(mark: re.Match[str]) -> Iterator[tuple[str, Span]]:
    if mark["codes"] is not None:
        for code in _CODE.finditer(mark["codes"]):
            yield code[0].casefold(), Span(*code.span()).moved(mark.start("codes"))


def _reach(script: Script, at: int) -> Span:
    document = script.document
    line = document.line_span(document.line_of(at))
    if document.text[line.start : at].strip():
        return line
    below = next((one for one in script.statements if one.span.end > at), None)
    if below is None:
        return Span(at, at)
    # Inside a statement the comment stands above one of its lines.
    if below.span.start < at:
        number = document.line_of(at) + 1
        last = len(document.line_starts) - 1
        return document.line_span(number) if number <= last else Span(at, at)
    return below.span


def _about(ignore: Ignore, findings: list[Finding], document: Document) -> Iterator[Finding]:
    """What is wrong with a comment that switches findings off."""
    for code, span in ignore.codes:
        if not stands_for_some(code):
            near = nearest_code(code)
            message = f"there is no finding called {code}" + (
                f"; did you mean {near}?" if near else ""
            )
            fixes = (Fix(f"Change to {near}", (TextEdit(span, near),), True),) if near else ()
            yield Finding("check/unknown-code", Severity.WARNING, message, span, fixes)
    known = all(stands_for_some(code) for code, _ in ignore.codes)
    if is_ignored(_FOUND_ELSEWHERE, [code for code, _ in ignore.codes]):
        return
    if known and not any(ignore.covers(finding) for finding in findings):
        message = "nothing is found here that this comment would switch off"
        yield Finding("check/unused-ignore", Severity.HINT, message, ignore.span)
