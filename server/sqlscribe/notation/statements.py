"""Cutting a script into statements, the way the tools of each dialect do it.

No parser: expressions skip over strings, names and comments and stop only where something may
begin or end. What is no SQL (``GO``, psql's ``\\connect``, ``COPY`` data, SQL*Plus and
``DELIMITER`` lines) belongs to no statement.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass
from functools import lru_cache

from sqlscribe.notation.compounds import Compound, compound, word_source
from sqlscribe.notation.document import Span
from sqlscribe.notation.lexicon import Kind, Lexicon, Piece, known_dialect, lexicon, patterns, scan
from sqlscribe.notation.script_lines import (
    closes_below,
    ends_before_query,
    has_copy_data,
    is_tsql,
    line_source,
    sending_source,
)


@dataclass(frozen=True)
class Statement:
    """One statement of a script.

    ``span`` runs from its first to its last code character, without terminator and without
    the comments around it. ``lead`` is what stands before, since the last terminator or
    skipped line. ``end`` is behind the terminator if there is one. ``keyword`` is the first
    word in upper case, ``""`` where there is none.
    """

    span: Span
    lead: Span
    end: int
    keyword: str

    def moved(self, by: int) -> Statement:
        """The same statement, so many characters further down."""
        return Statement(self.span.moved(by), self.lead.moved(by), self.end + by, self.keyword)


@dataclass(frozen=True)
class Outline:
    """A script at a glance. ``comments`` are those outside the skipped parts.

    ``delimiters`` are the terminators that ``DELIMITER`` lines set, with where each begins.
    ``plain`` says that reading may begin anew behind any terminator.
    """

    statements: tuple[Statement, ...]
    comments: tuple[Piece, ...]
    skipped: tuple[Span, ...]
    delimiters: tuple[tuple[int, str], ...] = ()
    plain: bool = False

    def delimiter_at(self, offset: int) -> str:
        """What ends a statement there."""
        marks = [mark for start, mark in self.delimiters if start <= offset]
        return marks[-1] if marks else ";"


def split(text: str, dialect: str, until: int | None = None) -> tuple[Statement, ...]:
    """The statements of a script in order; empty ones are left out. Never raises.

    Behind the first statement whose terminator ends after ``until`` nothing is read any more.
    """
    walk = Walk(text, known_dialect(dialect))
    walk.run(until=until)
    return tuple(walk.statements)


def outline(text: str, dialect: str) -> Outline:
    """The statements, comments and skipped parts of a script. Never raises."""
    walk = Walk(text, known_dialect(dialect))
    walk.run()
    return walk.outline()


_BLANKS = "".join(c for c in map(chr, range(0x3001)) if c.isspace()) + "\ufeff"
_NOT_BLANK = re.compile(rf"[^{re.escape(_BLANKS)}]")
_KEYWORD = re.compile(r"(?:[\s(\ufeff]|\{\{[^}]*+\}\}|\{%[^%]*+%\}|/\*M?!\d*+)*+([^\W\d]\w*+)")
_WORD = re.compile(r"\w")
_FROM_STDIN = re.compile(r"(?i:\bFROM\s+STDIN\b)")
_END_OF_DATA = re.compile(r"(?:\A|(?<=[\r\n]))\\\.[ \t]*(?=[\r\n]|\Z)")
_MAIN_VERB = re.compile(r"(?i:\b(?:SELECT|INSERT|UPDATE|DELETE|MERGE|VALUES)\b)|([()])")
_GOES_ON = re.compile(
    r"(?i:(?:[^\w)\]\"'`*]|\b(?:UNION|ALL|DISTINCT|EXCEPT|INTERSECT|MINUS|NAME|AS"
    r"|THEN|ELSE|DO|BEGIN|LOOP|FOR))\Z)"
)
_NEAR = 20
_MOST_UNCLOSED = 3
_TEMPLATE = ("{{", "{%", "{#")
_HAS_ROWS = re.compile(r"(?i:\b(?:VALUES|SELECT|EXEC|EXECUTE)\b)")
# Statements that may hold others at the start of a line.
_HOLDS_DDL = frozenset({"EXPLAIN", "DESCRIBE", "PREPARE", "GRANT", "REVOKE", "DENY", "AUDIT"})
_HOLDS_WRITES = _HOLDS_DDL | {"CREATE", "FROM", "IF", "WHILE", "COPY", "MERGE"}
# What a question comment ends even inside parentheses that nothing closes: a column list may hold
# comments that look like one, a query that is just being typed should not swallow a question.
_QUERIES = frozenset({"SELECT", "WITH", "FROM", "VALUES", "UPDATE", "DELETE", "MERGE"})


@lru_cache(maxsize=128)
def _events(dialect: str, words: bool, delimiter: str) -> re.Pattern[str]:
    """Skips what does not matter, then matches one event by name (``stop`` at the end)."""
    p = patterns(lexicon(dialect))
    line = re.sub(r"\(\?P<\w+>", "(?:", line_source(dialect))
    end = re.escape(delimiter)
    first = re.escape(delimiter[0])
    starters, other = p.starters, p.other
    if delimiter == ";" and (sent := sending_source(dialect)):
        end += f"|{sent}"
        backslash = r"|\\[\s\S]" if other.endswith(r"|\\[\s\S]") else r"|\\"
        other = other.removesuffix(backslash) + rf"|(?!{sent}){backslash[1:]}"
        starters += "" if r"\\" in starters else r"\\"
    run = plain = rf"[^{starters}{first}()\r\n]++"
    sought = word_source(dialect)
    if words:
        before_word = r"\." if "@" in starters else "[.@]"
        run = rf"[^\w.@{starters}{first}()\r\n]++|{before_word}\w*+|(?!(?i:{sought}))\w++"
    skipped = [
        run,
        _flat(lexicon(dialect), plain, other),
        other,
        p.string,
        p.identifier,
        p.placeholder,
        rf"(?:\r\n|[\r\n])(?!{line})",
    ]
    guard = ""
    if delimiter != ";":
        guard = f"(?!{end})"
        skipped.append(first)
    events = [
        f"(?P<end>{end})",
        f"(?P<line_comment>{p.line_comment})",
        f"(?P<block_comment>{p.block_comment})",
        r"(?P<open>\()",
        r"(?P<close>\))",
        r"(?P<newline>\r\n|[\r\n])",
        r"(?P<stop>\Z)",
    ]
    if words:
        events.append(f"(?P<word>(?i:{sought}))")
    events.append(r"(?P<other>[\s\S])")
    return re.compile(f"(?:{guard}(?:{'|'.join(skipped)}))*+(?:{'|'.join(events)})")


def _flat(lex: Lexicon, run: str, other: str) -> str:
    """Source of an expression for parentheses on one line with nothing in them to look at.

    Nearly all are of that kind, and what the expression skips costs next to nothing.
    """
    quote = r"(?<![qQ])'" if lex.alternative_quotes else "'"
    if lex.triple_quotes:
        quote = r"'(?!'')"
    strings = rf"{quote}[^'\\\r\n]*+'"
    if not lex.triple_quotes:
        strings += r'|"[^"\\\r\n]*+"'
    return rf"\((?:{run}|{other}|{strings})*+\)"


@lru_cache(maxsize=64)
def _lines(dialect: str) -> re.Pattern[str]:
    return re.compile(line_source(dialect))


class Walk:
    """One pass over a script, or over what follows a terminator at ``begin``.

    ``start`` is -1 while no statement has begun.
    """

    def __init__(self, text: str, dialect: str, begin: int = 0) -> None:
        self.text = text
        self.dialect = dialect
        self.statements: list[Statement] = []
        self.comments: list[Piece] = []
        self.skipped: list[Span] = []
        self.delimiters: list[tuple[int, str]] = []
        self.position = begin
        self.delimiter = ";"
        self.counting = True
        self.unclosed: set[int] = set()
        self.copy_data = has_copy_data(dialect)
        self.tsql = is_tsql(dialect)
        self._rest_is_new(begin, begin)

    @property
    def plain(self) -> bool:
        """Whether nothing that was read so far bears on what follows the next terminator."""
        copies = self.copy_data == has_copy_data(self.dialect)
        return copies and not self.unclosed and not self.delimiters

    def outline(self) -> Outline:
        """What was read."""
        return Outline(
            tuple(self.statements),
            tuple(self.comments),
            tuple(self.skipped),
            tuple(self.delimiters),
            # How long a template's expression may be is bounded: any edit might close one.
            self.plain and not any(mark in self.text for mark in _TEMPLATE),
        )

    def _rest_is_new(self, boundary: int, position: int) -> None:
        """Nothing of the next statement has been seen; its lead begins at ``boundary``."""
        self.boundary = boundary
        self.unread = position
        self.start = self.last = -1
        self.keyword = ""
        self.depth = self.cases = 0
        self.compound: Compound | None = None

    def run(self, ends: Container[int] = (), until: int | None = None) -> bool:
        """Read to the end of the text; or, returning True, to the first of ``ends``.

        They are ends of statements, and count where nothing before bears on what follows.
        Also read no further than the first terminator that ends after ``until``.
        """
        if self.position == 0:
            self._line(0)
        event = ""
        while event != "stop":
            words = self.counting and (self.compound is not None or self.tsql)
            pattern = _events(self.dialect, words, self.delimiter)
            match = pattern.match(self.text, self.position)
            assert match is not None
            event = match.lastgroup or ""
            token = match.start(event)
            if self.start < 0 and self._begins(token):
                # Read it again with an eye for BEGIN and END.
                self.position = self.unread = self.start
                event = ""
                continue
            self.position = match.end()
            self._event(event, token)
            if event == "stop" and self._reads_on():
                event = ""
            if event == "end" and self.position in ends and self._is_done() and self.plain:
                return True
            if event == "end" and until is not None and until < self.position and self._is_done():
                return False
        if self.start >= 0:
            self._close(self.last, len(self.text))
        return False

    def _is_done(self) -> bool:
        """Whether a statement has ended right here, and nothing behind it was read."""
        return self.start < 0 and self.boundary == self.unread == self.position

    def _event(self, event: str, token: int) -> None:
        match event:
            case "open":
                self.depth += 1
            case "close":
                self.depth = max(0, self.depth - 1)
            case "newline":
                self._line(self.position)
            case "end":
                self._terminator(token)
            case "line_comment" | "block_comment":
                self._read_to(token)
                self.unread = self.position
                kind = Kind.LINE_COMMENT if event == "line_comment" else Kind.BLOCK_COMMENT
                self.comments.append(Piece(kind, token, self.position))
            case "stop":
                self._read_to(token)
            case "word" if self.depth == 0:
                self._word(self.text[token : self.position], token)

    def _word(self, word: str, token: int) -> None:
        if self.compound is not None:
            between = _NOT_BLANK.search(self.text, self.unread, token)
            end = min(self.last, token) if between is None else token
            before = self.text[max(self.start, end - _NEAR) : end].rstrip(_BLANKS)
            self.compound.word(word, before)
        elif word.upper() == "CASE":
            self.cases += 1
        elif word.upper() == "END":
            self.cases = max(0, self.cases - 1)

    def _read_to(self, position: int) -> None:
        """Take the code between the last comment and ``position`` into the statement."""
        found = _NOT_BLANK.search(self.text, self.unread, position)
        if found is not None:
            if self.start < 0:
                self.start = found.start()
                keyword = _KEYWORD.match(self.text, self.start)
                self.keyword = keyword[1].upper() if keyword else ""
            code = self.text[self.unread : position].rstrip(_BLANKS)
            self.last = self.unread + len(code)
        self.unread = position

    def _begins(self, position: int) -> bool:
        """Look for a beginning before ``position``; True where it is a compound statement."""
        self._read_to(position)
        if self.start < 0 or not self.counting:
            return False
        if self.start not in self.unclosed:
            self.compound = compound(self.text, self.start, self.dialect)
        return self.compound is not None

    def _reads_on(self) -> bool:
        """Go back to a compound statement that the text does not close: it holds nothing then.

        Not for ever, so that a text full of them is not read over and over.
        """
        held = self.compound is not None and self.compound.stack and not self.compound.batch
        if not held or self.delimiter != ";" or len(self.unclosed) >= _MOST_UNCLOSED:
            return False
        self.unclosed.add(self.start)
        while self.comments and self.comments[-1].start >= self.start:
            self.comments.pop()
        self.position = self.start
        self._rest_is_new(self.boundary, self.start)
        return True

    def _terminator(self, token: int) -> None:
        if (
            self.compound is not None
            and self.delimiter == ";"
            and not self.compound.ends_at_semicolon(self.depth)
        ):
            return
        self._read_to(token)
        keyword, start = self.keyword, self.start
        self._close(self.position, self.position)
        if self.copy_data and keyword == "COPY" and _FROM_STDIN.search(self.text, start, token):
            data_end = _END_OF_DATA.search(self.text, self.position)
            if data_end is None:
                self.copy_data = False
            else:
                self._skip(self.position, data_end.end())

    def _close(self, end: int, position: int) -> None:
        """End the statement, if there is one, and go on behind it."""
        if self.start >= 0:
            if self.compound is not None and self.compound.batch:
                code = self.text[self.start : self.last]
                self.last = self.start + len(code.rstrip(f";{_BLANKS}"))
            span, lead = Span(self.start, self.last), Span(self.boundary, self.start)
            self.statements.append(Statement(span, lead, max(end, self.last), self.keyword))
        self._rest_is_new(end, position)

    def _skip(self, start: int, end: int) -> None:
        self.skipped.append(Span(start, end))
        self._rest_is_new(end, end)
        self.position = end

    def _line(self, position: int) -> None:
        """Look at the line that begins at ``position``."""
        line = _lines(self.dialect).match(self.text, position)
        if line is None:
            return
        self._read_to(position)
        match line.lastgroup:
            case "slash" if self.start >= 0:
                self._close(line.end(), line.end())
                self.position = line.end()
            case "go" | "slash" | "command" | "delimiter":
                self._close(max(self.last, self.boundary), position)
                self._skip(position, line.end())
                if line.lastgroup == "delimiter":
                    self.delimiter = line["mark"]
                    # Such a delimiter may stand within a word.
                    self.counting = not _WORD.match(self.delimiter)
                    self.delimiters.append((line.end(), self.delimiter))
            case "setting" if self.start < 0:
                self._skip(position, line.end())
            case "block" if not self._inside():
                self._close(max(self.last, self.boundary), position)
                self._skip(position, line.end())
            case "question" | "start" | "ddl" | "query" as sort:
                if self.start >= 0 and self._begins_anew(sort, position):
                    self._close(self.last, position)

    def _inside(self) -> bool:
        """Whether a new statement cannot begin here."""
        return self.compound is not None or self.depth > 0 or self.cases > 0

    def _begins_anew(self, sort: str, position: int) -> bool:
        """Whether the statement above ends before a line of this sort."""
        if sort == "question":
            if self.compound is not None:
                return not self.compound.open
            return self.depth == 0 or self._is_being_typed(position)
        if self._inside():
            return False
        word = _KEYWORD.match(self.text, position)
        first = word[1].upper() if word else ""
        if sort == "start":
            return self._begins_in_tsql(first)
        if _GOES_ON.search(self.text, max(self.start, self.last - 10), self.last):
            return False
        if sort == "ddl":
            return self.keyword not in _HOLDS_DDL
        if self.keyword == "USE":
            return True
        if self.keyword == "WITH":
            return self._with_is_done(first)
        if self.keyword == "INSERT" and first == "SELECT":
            return not {"SELECT", "VALUES"}.isdisjoint(self._verbs())
        if first in ("UPDATE", "DELETE", "MERGE"):
            return self.keyword not in _HOLDS_WRITES
        if self.tsql and ends_before_query(self.text, self.start, self.keyword):
            return True
        return self.keyword == "SELECT" or self.keyword == first == "INSERT"

    def _is_being_typed(self, position: int) -> bool:
        return self.keyword in _QUERIES and not closes_below(self.text, position, self.dialect)

    def _begins_in_tsql(self, first: str) -> bool:
        match first:
            case "SET":
                return self.keyword not in ("UPDATE", "MERGE", "WITH", "ALTER")
            case "INSERT" if self.keyword == "WITH":
                return self._with_is_done(first)
            case "INSERT":
                return self.keyword != "MERGE"
            case "EXEC" | "EXECUTE" if self.keyword == "INSERT":
                return _HAS_ROWS.search(self.text, self.start, self.last) is not None
            case _:
                return True

    def _with_is_done(self, first: str) -> bool:
        """Whether the query of a WITH stands above already."""
        verbs = [verb for verb in self._verbs() if verb != "VALUES"]
        if first == "WITH":
            return True
        return bool(verbs) and not (first == "SELECT" and verbs == ["INSERT"])

    def _verbs(self) -> list[str]:
        """SELECT, INSERT and the like in the statement so far, outside parentheses."""
        depth = 0
        verbs = []
        for piece in scan(self.text[self.start : self.last], self.dialect):
            if piece.kind is not Kind.CODE:
                continue
            begin, end = self.start + piece.start, self.start + piece.end
            for found in _MAIN_VERB.finditer(self.text, begin, end):
                if found[1] is None and depth == 0:
                    verbs.append(found[0].upper())
                depth += {"(": 1, ")": -1}.get(found[0], 0)
        return verbs
