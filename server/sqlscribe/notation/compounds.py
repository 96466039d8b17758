"""Statements that hold statements: bodies of routines and triggers, blocks, and IF, LOOP, CASE."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sqlscribe.notation.script_lines import is_mysql, is_tsql

_CLOSING = r"END(?:\s++(?:IF|LOOP|WHILE|REPEAT|FOR|CASE))?+|CASE"
_OPENING = r"BEGIN(?!\s*+;|\s++(?:TRAN|TRANSACTION|WORK)\b)"
_CONTROLS = r"IF|LOOP|WHILE|REPEAT|FOR"
_HEADINGS = r"PROCEDURE|FUNCTION|COMPOUND|(?:IS|AS)(?!\s++(?:NULL|NOT|LANGUAGE|EXTERNAL|MLE)\b)"


def word_source(dialect: str) -> str:
    """Source of an expression for the words that :meth:`Compound.word` wants to see."""
    words = [_CLOSING]
    if not is_tsql(dialect):
        words.append(_OPENING)
    if dialect in _DECLARING or not dialect:
        words.append("DECLARE")
    if dialect == "oracle":
        words.append(_HEADINGS)
    if _has_controls(dialect):
        words.append(_CONTROLS)
    return rf"(?:{'|'.join(words)})(?![\w$])"


_BLANK = r"(?:\s++|--[^\r\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)++"
_MODIFIER = (
    r"(?:OR\s++REPLACE|OR\s++ALTER|EDITIONABLE|NONEDITIONABLE|TEMP|TEMPORARY|SECURE|AGGREGATE"
    r"|CONSTRAINT|DEFINER\s*+=\s*+[^\s(]++(?:\s*+\(\s*+\))?+)"
)
_ROUTINE = re.compile(
    rf"(?i:(?:CREATE(?:{_BLANK}{_MODIFIER})*+|ALTER){_BLANK}"
    r"(?P<object>PROC(?:EDURE)?|FUNCTION|TRIGGER|EVENT|PACKAGE(?:\s++BODY)?|TYPE\s++BODY"
    r"|TASK|RULE)\b)"
)
_LABEL = r"(?:[^\W\d]\w*+\s*+:\s*+|<<\s*+\w++\s*+>>\s*+)?+"
_BLOCK = re.compile(
    rf"(?i:{_LABEL}BEGIN\b(?!\s*+(?:;|\Z)|\s++(?:TRAN|TRANSACTION|WORK|ISOLATION|READ|DEFERRED"
    r"|IMMEDIATE|EXCLUSIVE|CONCURRENT|NAME)\b))"
)
_ATOMIC = re.compile(r"(?i:BEGIN\s++NOT\s++ATOMIC\b)")
_CONTROL = re.compile(rf"(?i:{_LABEL}(?:{_CONTROLS}|CASE)\b)")
_DECLARE = re.compile(rf"(?i:{_LABEL}DECLARE\b)")
_FUNCTIONS = re.compile(rf"(?i:WITH{_BLANK}(?:FUNCTION|PROCEDURE)\b)")
_JAVA = re.compile(
    rf"(?i:CREATE(?:{_BLANK}(?:OR\s++REPLACE|AND\s++(?:COMPILE|RESOLVE)|NOFORCE))*+{_BLANK}JAVA\b)"
)
# Where a statement inside a body may begin: what stands before IF, LOOP and their like.
_BEFORE_STATEMENT = re.compile(
    r"(?i:;|:|\b(?:BEGIN|ATOMIC|THEN|ELSE|DO|LOOP|REPEAT|ROW|AS|DETERMINISTIC|DATA|INVOKER|DEFINER"
    r"|SQL))\Z"
)
_DECLARING = frozenset({"oracle", "snowflake"})
_BLOCKS = frozenset({"begin", "declare"})
_CONTROLLED = frozenset({"snowflake", "bigquery", "databricks", "spark"})
_SCRIPTING = _DECLARING | {"bigquery", "databricks", "spark", "exasol"}


def _has_controls(dialect: str) -> bool:
    """Whether IF, LOOP and their like stand outside BEGIN and END too."""
    return dialect in _CONTROLLED or is_mysql(dialect)


@dataclass
class Compound:
    """How far into its body a compound statement has been read.

    ``stack`` holds what is open: ``begin``, ``case``, ``declare`` (declarations that a
    ``begin`` follows), ``package`` and ``control`` (``IF`` and the like; within a ``begin``
    nobody counts them). ``batch`` says that only ``GO`` or ``/`` ends it, ``in_brackets``
    that a semicolon inside parentheses does not. ``functions`` says that a query follows the
    functions it begins with. ``blocks`` counts ``begin`` and ``declare``.
    """

    dialect: str
    batch: bool = False
    header: str = ""
    in_brackets: bool = False
    functions: bool = False
    stack: list[str] = field(default_factory=list)
    blocks: int = 0

    def word(self, word: str, before: str) -> None:
        """Read one of the words outside parentheses; ``before`` is the code in front of it."""
        match word.upper().split():
            case ["BEGIN"]:
                if self.stack and self.stack[-1] in ("declare", "package"):
                    self._pop()
                self._push("begin")
            case ["CASE"]:
                self._push("case")
            case ["END"] | ["END", "CASE"]:
                self._pop()
            case ["END", _] if self.stack and self.stack[-1] == "control":
                self._pop()
            case ["IF" | "LOOP" | "WHILE" | "REPEAT" | "FOR"] if self._counts(before):
                self._push("control")
            case ["DECLARE"] if not self.stack and self.dialect in _DECLARING | {""}:
                self._push("declare")
            case ["COMPOUND"] if self.dialect == "oracle":
                self._push("trigger")
            case ["PROCEDURE" | "FUNCTION"] if self.dialect == "oracle":
                self.header = "declare"
            case ["IS" | "AS"] if self.header:
                self._push(self.header)
                self.header = ""

    def _push(self, sort: str) -> None:
        self.stack.append(sort)
        self.blocks += sort in _BLOCKS

    def _pop(self) -> None:
        if self.stack:
            self.blocks -= self.stack.pop() in _BLOCKS

    def _counts(self, before: str) -> bool:
        """Whether IF or the like opens something. In BEGIN … END nobody counts: END closes it."""
        if self.blocks:
            return False
        # The body of a MySQL routine may follow its parameters.
        body = before.endswith(")") and not self.stack and is_mysql(self.dialect)
        return not before or body or _BEFORE_STATEMENT.search(before) is not None

    def ends_at_semicolon(self, depth: int) -> bool:
        """Whether a semicolon here ends the whole; it ends a mere heading in any case."""
        self.header = ""
        if self.functions and not self.stack:
            self.functions = False
            return False
        return not self.stack and not self.batch and not (self.in_brackets and depth)

    @property
    def open(self) -> bool:
        return self.batch or bool(self.stack)


def compound(text: str, start: int, dialect: str) -> Compound | None:
    """The state for a statement that begins at ``start``, ``None`` if it is a simple one."""
    routine = _ROUTINE.match(text, start)
    if routine is not None:
        return _routine(routine["object"].upper(), dialect)
    if dialect in _SCRIPTING and _BLOCK.match(text, start):
        return Compound(dialect)
    if dialect in _DECLARING and _DECLARE.match(text, start):
        return Compound(dialect)
    if dialect in _CONTROLLED and _CONTROL.match(text, start):
        return Compound(dialect)
    if is_mysql(dialect) and _ATOMIC.match(text, start):
        return Compound(dialect)
    if dialect == "oracle":
        if _JAVA.match(text, start):
            return Compound(dialect, batch=True)
        if _FUNCTIONS.match(text, start):
            return Compound(dialect, functions=True)
    return None


def _routine(sort: str, dialect: str) -> Compound | None:
    if is_tsql(dialect):
        return Compound(dialect, batch=True) if sort not in ("EVENT", "TASK", "RULE") else None
    if sort == "RULE":
        return Compound(dialect, in_brackets=True)
    header = ""
    if dialect == "oracle" and sort not in ("TRIGGER", "EVENT"):
        header = "package" if sort.startswith(("PACKAGE", "TYPE")) else "declare"
    return Compound(dialect, header=header)
