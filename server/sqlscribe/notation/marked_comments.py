"""Comments that address SQLScribe: ``-- ask: …``, ``/* refine: … */``, ``# error: …``.

What is written in one of them, and where; how they hang together is read in ``asks``.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, NamedTuple, cast

from sqlscribe.notation.document import Document, Span, TextEdit
from sqlscribe.notation.findings import Finding, Fix, Severity
from sqlscribe.notation.lexicon import DIALECTS, Kind, Lexicon, Piece, dialect_named
from sqlscribe.notation.stamps import OURS

QuestionKind = Literal["ask", "refine", "error"]
OPTIONS = ("dialect", "model", "as_of")
"""Names of the options that a question may carry."""


class Mention(NamedTuple):
    """``@orders.status`` in a question. ``span`` begins at the ``@``.

    ``name`` is all that can belong to the name, quotes included: in ``统计@orders的总额`` it
    is ``orders的总额``, and only who knows the schema can tell where the name ends.
    """

    name: str
    span: Span

    @property
    def parts(self) -> tuple[str, ...]:
        """The name cut at its dots, without quotes."""
        return tuple(_bare(part.group()) for part in _PART.finditer(self.name))


@dataclass(frozen=True)
class MarkedComment:
    """One question comment with the comment lines that continue it.

    ``text`` is what the person said, byte for byte but for comment marks and line ends.
    ``indent`` is the blank space at the start of its first line.
    """

    kind: QuestionKind
    text: str
    span: Span
    indent: str
    options: tuple[tuple[str, str], ...] = ()
    mentions: tuple[Mention, ...] = ()
    findings: tuple[Finding, ...] = ()


class FileOption(NamedTuple):
    """``-- dialect: snowflake`` in the head of a file. ``span`` is that of the value."""

    name: str
    value: str
    span: Span


_DECORATION = r"[-#*/!]*+\s*+(?:\*\s++)?+"
_WORD = r"(?i:ask|refine|error)"
MARK = re.compile(
    rf"{_DECORATION}(?P<kind>{_WORD})\s*+"
    r"(?P<bracket>\[(?P<options>[^\]\r\n]*+)\]|\[(?P<unclosed>[^\]\r\n:：]*+))?+\s*+[:：]"
)
_FILE_OPTION = re.compile(
    rf"{_DECORATION}(?i:(?P<name>dialect|as[ _-]?of))\s*+[:：][^\S\r\n]*+(?P<value>[^\r\n]*+)"
)
# Bounded, so that a long line of dashes is not read again from each of them.
_ANY_MARK = re.compile(
    rf"(?:--|\#|//|/\*)[-#*/!]{{0,99}}+\s*+(?:\*\s++)?+"
    rf"(?:{_WORD}\s*+[\[:：]|(?i:dialect|as[ _-]?of)\s*+[:：])"
)
_HEAD = re.compile(r"(?:[\s\ufeff]++|(?:--|\#|//)[^\r\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)*+")
_HEAD_COMMENT = re.compile(r"(?:--|\#|//)[^\r\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/")
_PART = re.compile(r'"(?:[^"\r\n]|"")+"|`[^`\r\n]+`|\[[^\]\r\n]+\]|[\w$]+')
_MENTION = re.compile(rf"(?<![A-Za-z0-9_@])[@＠]((?:{_PART.pattern})(?:\.(?:{_PART.pattern}))*)")
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def may_hold_marks(text: str) -> bool:
    """Whether it is worth looking for marked comments; quick, and never wrongly False."""
    return _ANY_MARK.search(text) is not None


def question_line(lex: Lexicon) -> str:
    """Source of an expression for the start of a line that is a question comment."""
    openers = ["--", r"/\*"]
    openers += [r"\#"] if lex.hash_comments else []
    openers += ["//"] if lex.slash_comments else []
    decoration = r"[-#*/!]*+[ \t]*+"
    return (
        rf"[ \t]*+(?:{'|'.join(openers)}){decoration}{_WORD}[ \t]*+"
        r"(?:\[(?:[^\]\r\n]*+\]|[^\]:：\r\n]*+))?+[ \t]*+[:：]"
    )


def marked_comments(document: Document, comments: Sequence[Piece]) -> Iterator[MarkedComment]:
    """The question comments among all the comments of a document, in order."""
    index = 0
    while index < len(comments):
        comment = comments[index]
        index += 1
        mark = MARK.match(
            document.text, comment.start + _width(document.text, comment), comment.end
        )
        if mark is None:
            continue
        segments = [Span(mark.end(), _content_end(document.text, comment))]
        last = comment
        if comment.kind is Kind.LINE_COMMENT:
            while index < len(comments) and _continues(document.text, last, comments[index]):
                last = comments[index]
                index += 1
                segments.append(_line_content(document.text, last))
        yield _marked(document, mark, segments, Span(comment.start, last.end))


def file_options(text: str) -> Iterator[FileOption]:
    """The options among the comments before the first statement.

    The dialect is not known yet, so comments of all dialects count.
    """
    head = _HEAD.match(text)
    for comment in _HEAD_COMMENT.finditer(text, 0, head.end() if head else 0):
        option = _FILE_OPTION.match(text, comment.start(), comment.end())
        if option is None:
            continue
        start = option.start("value")
        value = option["value"].removesuffix("*/").strip().strip("\"'`")
        end = start + len(value) if value else option.end()
        yield FileOption(_option_name(option["name"]), value, Span(start, end))


def option_finding(name: str, value: str, span: Span) -> Finding | None:
    """What is wrong with the value of a known option, if anything."""
    if not value:
        return _bad(f"{name} has no value", span)
    if name == "dialect" and dialect_named(value) is None:
        close = get_close_matches(value.lower(), DIALECTS, n=3, cutoff=0.7)
        hint = f"did you mean {' or '.join(close)}? " if close else ""
        message = f"unknown dialect {value!r}: {hint}Known are {', '.join(DIALECTS)}"
        fixes = tuple(
            Fix(f"Change to {other}", (TextEdit(span, other),), len(close) == 1) for other in close
        )
        return _bad(message, span, fixes)
    if name == "as_of" and iso_date(value) is None:
        return _bad(f"{value!r} is no date; write one like 2024-01-31", span)
    return None


def iso_date(value: str) -> datetime.date | None:
    """The date of ``2024-01-31``, ``None`` for anything else."""
    if not _ISO_DATE.fullmatch(value):
        return None
    try:
        return datetime.date.fromisoformat(value)
    except ValueError:
        return None


def _marked(
    document: Document, mark: re.Match[str], segments: Sequence[Span], span: Span
) -> MarkedComment:
    text = document.text
    said = "\n".join(segment.of(text) for segment in segments)
    said = said.replace("\r\n", "\n").replace("\r", "\n").strip()
    options, findings = _options(mark)
    kind = cast(QuestionKind, mark["kind"].lower())
    if not said:
        message = f"nothing is said after {mark['kind']}:"
        findings.append(Finding("ask/empty", Severity.INFORMATION, message, span))
    line = document.line_span(document.line_of(span.start)).of(text)
    return MarkedComment(
        kind=kind,
        text=said,
        span=span,
        indent=line[: len(line) - len(line.lstrip())],
        options=tuple(options.items()),
        mentions=tuple(
            Mention(found[1], Span(found.start(), found.end()))
            for segment in segments
            for found in _MENTION.finditer(text, segment.start, segment.end)
        ),
        findings=tuple(findings),
    )


def _options(mark: re.Match[str]) -> tuple[dict[str, str], list[Finding]]:
    """What stands in the brackets behind the mark: good values, and findings on the others."""
    options: dict[str, str] = {}
    findings: list[Finding] = []
    if mark["bracket"] is None:
        return options, findings
    bracket = Span(*mark.span("bracket"))
    if mark["options"] is None:
        findings.append(_bad("the options have no closing ]", bracket))
    group = "unclosed" if mark["options"] is None else "options"
    for entry in re.finditer(r"[^,，]+", mark[group]):
        written = entry.group().strip()
        start = mark.start(group) + entry.start() + len(entry[0]) - len(entry[0].lstrip())
        span = Span(start, start + len(written))
        raw_name, *rest = re.split("[=＝]", written, maxsplit=1)
        raw_value = rest[0] if rest else ""
        name, value = _option_name(raw_name), raw_value.strip().strip("\"'`")
        if not written or not rest:
            findings.append(_bad(f"an option is written name=value, not {written!r}", span))
        elif name not in OPTIONS:
            findings.append(_unknown(name, Span(start, start + len(raw_name.rstrip()))))
        elif finding := option_finding(name, value, _value_span(span, raw_value, value)):
            findings.append(finding)
        elif name in options:
            findings.append(_bad(f"{name} is given twice; the first one counts", span))
        else:
            options[name] = dialect_named(value) or value if name == "dialect" else value
    return options, findings


def _value_span(option: Span, raw: str, value: str) -> Span:
    if not value:
        return option
    start = option.end - len(raw) + raw.index(value)
    return Span(start, start + len(value))


def _unknown(name: str, span: Span) -> Finding:
    close = get_close_matches(name, OPTIONS, n=1)
    hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(OPTIONS)}"
    fixes = tuple(Fix(f"Change to {n}", (TextEdit(span, n),), preferred=True) for n in close)
    message = f"unknown option {name!r}: {hint}"
    return Finding("ask/unknown-option", Severity.WARNING, message, span, fixes)


def _bad(message: str, span: Span, fixes: tuple[Fix, ...] = ()) -> Finding:
    return Finding("ask/bad-option", Severity.WARNING, message, span, fixes)


def _option_name(written: str) -> str:
    name = re.sub(r"[\s-]+", "_", written.strip().lower())
    return "as_of" if name == "asof" else name


def _continues(text: str, last: Piece, comment: Piece) -> bool:
    """Whether a comment stands on the next line, is of the same sort and has no mark itself."""
    if comment.kind is not Kind.LINE_COMMENT or text[comment.start] != text[last.start]:
        return False
    between = text[last.end : comment.start]
    if between.strip() or len(re.findall(r"\r\n|\r|\n", between)) != 1:
        return False
    span = (comment.start + _width(text, comment), comment.end)
    return not any(mark.match(text, *span) for mark in (MARK, _FILE_OPTION, OURS))


def _width(text: str, comment: Piece) -> int:
    """Length of the mark that opens a comment."""
    return 1 if text[comment.start] == "#" else 2


def _content_end(text: str, comment: Piece) -> int:
    closed = comment.kind is Kind.BLOCK_COMMENT and comment.end - comment.start >= 4
    return comment.end - 2 if closed and text.endswith("*/", 0, comment.end) else comment.end


def _line_content(text: str, comment: Piece) -> Span:
    start = comment.start + _width(text, comment)
    return Span(min(start + text.startswith(" ", start), comment.end), comment.end)


def _bare(part: str) -> str:
    if part[0] == '"':
        return part[1:-1].replace('""', '"')
    return part[1:-1] if part[0] in "`[" else part
