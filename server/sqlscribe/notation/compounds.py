"""Statements that hold statements: bodies of routines and triggers, and anonymous blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from sqlscribe.notation.script_lines import is_tsql

WORDS = (
    r"(?:END\s++(?:IF|LOOP|WHILE|REPEAT|FOR|CASE)|BEGIN(?!\s*+;|\s++(?:TRAN|TRANSACTION|WORK)\b)"
    r"|END|CASE|DECLARE|PROCEDURE|FUNCTION|COMPOUND"
    r"|(?:IS|AS)(?!\s++(?:NULL|NOT|LANGUAGE|EXTERNAL|MLE)\b))(?![\w$])"
)
"""Source of an expression for the words that :meth:`Compound.word` wants to see."""

_BLANK = r"(?:\s++|--[^\r\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)++"
_MODIFIER = (
    r"(?:OR\s++REPLACE|OR\s++ALTER|EDITIONABLE|NONEDITIONABLE|TEMP|TEMPORARY|SECURE|AGGREGATE"
    r"|CONSTRAINT|DEFINER\s*+=\s*+[^\s(]++(?:\s*+\(\s*+\))?+)"
)
_ROUTINE = re.compile(
    rf"(?i:(?:CREATE(?:{_BLANK}{_MODIFIER})*+|ALTER){_BLANK}"
    r"(?P<object>PROC(?:EDURE)?|FUNCTION|TRIGGER|EVENT|PACKAGE(?:\s++BODY)?|TYPE\s++BODY)\b)"
)
_BLOCK = re.compile(
    r"(?i:BEGIN\b(?!\s*+(?:;|\Z)|\s++(?:TRAN|TRANSACTION|WORK|ISOLATION|READ|DEFERRED|IMMEDIATE"
    r"|EXCLUSIVE|CONCURRENT)\b))"
)
_DECLARE = re.compile(r"(?i:DECLARE\b)")
_DECLARING = frozenset({"oracle", "snowflake"})
_SCRIPTING = _DECLARING | {"bigquery", "databricks", "spark", "exasol"}


@dataclass
class Compound:
    """How far into its body a compound statement has been read.

    ``stack`` holds what is open: ``begin``, ``case``, ``declare`` (declarations that a
    ``begin`` follows) and ``package``. ``batch`` says that only ``GO`` ends it.
    """

    dialect: str
    batch: bool = False
    header: str = ""
    stack: list[str] = field(default_factory=list)

    def word(self, word: str) -> None:
        """Read one of the words outside parentheses."""
        match word.upper().split():
            case ["BEGIN"]:
                if self.stack and self.stack[-1] == "declare":
                    self.stack.pop()
                self.stack.append("begin")
            case ["CASE"]:
                self.stack.append("case")
            case ["END"] | ["END", "CASE"]:
                if self.stack:
                    self.stack.pop()
            case ["DECLARE"] if not self.stack and self.dialect in _DECLARING | {""}:
                self.stack.append("declare")
            case ["COMPOUND"] if self.dialect == "oracle":
                self.stack.append("package")
            case ["PROCEDURE" | "FUNCTION"] if self.dialect == "oracle":
                self.header = "declare"
            case ["IS" | "AS"] if self.header:
                self.stack.append(self.header)
                self.header = ""

    def ends_at_semicolon(self) -> bool:
        """Whether a semicolon here ends the whole; it ends a mere heading in any case."""
        self.header = ""
        return not self.stack and not self.batch

    @property
    def open(self) -> bool:
        return self.batch or bool(self.stack)


def compound(text: str, start: int, dialect: str) -> Compound | None:
    """The state for a statement that begins at ``start``, ``None`` if it is a simple one."""
    routine = _ROUTINE.match(text, start)
    if routine is not None:
        if is_tsql(dialect):
            return Compound(dialect, batch=True)
        header = ""
        if dialect == "oracle" and not routine["object"].upper().startswith(("TRIGGER", "EVENT")):
            package = routine["object"].upper().startswith(("PACKAGE", "TYPE"))
            header = "package" if package else "declare"
        return Compound(dialect, header=header)
    if dialect in _SCRIPTING and _BLOCK.match(text, start):
        return Compound(dialect)
    if dialect in _DECLARING and _DECLARE.match(text, start):
        return Compound(dialect)
    return None
