"""What a piece of text is: a query, another statement, a broken query, or no SQL at all."""

from __future__ import annotations

import re
from enum import IntEnum

from sqlglot import exp

from sqlscribe.checking.parsing import Parsed, open_literal, parsed
from sqlscribe.checking.writes import READS, STATEMENTS
from sqlscribe.notation.lexicon import Kind, scan


class Grade(IntEnum):
    """How sure it is that a text is SQL. Larger is better."""

    NONE = 0
    BROKEN = 1
    """It starts as a query and does not parse."""
    WRITE = 2
    """A statement that is no query."""
    QUERY = 3


_QUERY_VERB = re.compile(r"[\s(]*(?:select|with)\b", re.IGNORECASE)

# A statement that the parser keeps as opaque text must at least look like one.
_OBJECT = (
    r"(?:table|view|index|database|schema|user|role|function|procedure|trigger|sequence|type"
    r"|extension|column|policy|server|login|event|tablespace)"
)
_COMMAND = re.compile(
    r"explain\b.{0,200}?\b(?:select|with|insert|update|delete|merge|values)\b"
    r"|show\s+(?:full\s+)?(?:create\s+\w+\s+\S+|(?:tables|columns|databases|schemas|index|indexes"
    r"|keys|views|status|variables|processlist|grants|functions|partitions|all|[a-z]+_[a-z_]+)"
    r"\s*(?:;|\Z|\b(?:from|in|like|where|for|on)\b))"
    r"|(?:call|exec|execute)\s+[\w.\"\[\]]+\s*(?:\(|@|')|exec(?:ute)?\s+\w+[._]\w+|execute\s+immediate\b"
    r"|vacuum(?:\s+(?:full|analyze|into)\b.*|\s*\(.*|\s+\w+)?\s*;?\s*\Z"
    r"|(?:drop|create|alter|comment\s+on|rename)\s+(?:(?:or\s+replace|unique|external"
    rf"|temp(?:orary)?|materialized)\s+)*{_OBJECT}\s+(?:if\s+(?:not\s+)?exists\s+)?[\w\"`\[.]"
    r"|(?:copy|unload|put|get|remove|list)\s+\S+\s+(?:from|to)\b|load\s+(?:data|')"
    r"|(?:grant|revoke)\b.+\b(?:on|to|from)\b|set\s+.+(?:=|\bto\b)|replace\s+into\b"
    r"|lock\s+tables?\b|truncate\s+table\b|do\s+(?:\$|language\b)|declare\s+@?\w+\s+\w+"
    r"|prepare\s+\w+\s+(?:as|from)\b|begin\s*;|begin\s+(?:transaction|work|tran)\b"
    r"|add\s+(?:jar|file)\b|optimize\s+table\b|refresh\s+(?:materialized|table)\b|analyze\s+\w+"
    r"|reindex\b|attach\s+(?:database|')|detach\b|fetch\s+\w+\s+from\b|kill\s+\d+",
    re.IGNORECASE | re.DOTALL,
)
_OPAQUE = (exp.Command, exp.Set, exp.Use, exp.Kill, exp.Execute, exp.Declare, exp.Attach)
_TRANSACTION = (exp.Transaction, exp.Commit, exp.Rollback)

# Where a sentence that starts with one of these words cannot be a statement.
_NO_DESCRIBE = frozenset({"", "postgres", "redshift", "sqlite", "tsql", "fabric", "bigquery"})
_NO_SHOW = frozenset({"", "sqlite", "tsql", "fabric", "oracle", "bigquery"})
_SETTINGS_ONLY = re.compile(
    r"show\s+(?:tables|columns|databases|index|keys|views)\b", re.IGNORECASE
)
_FROM_FIRST = frozenset({"duckdb", "clickhouse"})
_FROM_WITH_MORE = re.compile(r"from\b.*(?:\|>|\b(?:select|insert)\b)", re.IGNORECASE | re.DOTALL)


def graded(sql: str, dialect: str) -> Grade:
    """What a text is, by its weakest statement."""
    parse = parsed(sql, dialect)
    if parse.problem is not None:
        return Grade.BROKEN if _QUERY_VERB.match(code_of(sql, dialect)) else Grade.NONE
    return min((_grade(tree, parse) for tree in parse.trees), default=Grade.NONE)


def _cannot_show(text: str, dialect: str) -> bool:
    if dialect in ("postgres", "redshift"):
        return _SETTINGS_ONLY.match(text) is not None
    return dialect in _NO_SHOW and text[:4].lower() == "show"


def _grade(tree: exp.Expression, parse: Parsed) -> Grade:
    if isinstance(tree, _OPAQUE):
        text = parse.sql[parse.tokens[0].start :]
        if _COMMAND.match(text) is None or _cannot_show(text, parse.dialect):
            return Grade.NONE
        return Grade.QUERY if text[:4].lower() in ("expl", "show") else Grade.WRITE
    if isinstance(tree, READS):
        return Grade.QUERY
    return Grade.WRITE if isinstance(tree, STATEMENTS) else Grade.NONE


def code_of(sql: str, dialect: str) -> str:
    """The text with comments blanked and literals hollowed out, at the same offsets."""
    parts = []
    for kind, start, end in scan(sql, dialect):
        if kind is Kind.CODE:
            parts.append(sql[start:end])
        elif kind in (Kind.STRING, Kind.IDENTIFIER):
            parts.append("_" * (end - start))
        else:
            parts.append(" " * (end - start))
    return "".join(parts)


# No table has one of these names without quotes; sentences are full of them.
_ARTICLES = frozenset(
    """
    the your this that these those my our each its their which it them what how
    """.split()
)


def is_sentence(sql: str, dialect: str, *, a_too: bool = True) -> bool:
    """True for English that parses: ``select the columns``, ``insert coin``.

    Unless ``a_too``, ``FROM a list`` is none: ``a`` may be a table.
    """
    parse = parsed(sql, dialect)
    if len(parse.trees) != 1:
        return False
    tree = parse.trees[0]
    if _is_fragment(tree, parse):
        return True
    named = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    if any(_is_article(table, named, a_too=a_too) for table in tree.find_all(exp.Table)):
        return True
    if not isinstance(tree, exp.Select):
        return False
    if not tree.expressions and tree.args.get("from_") is None:
        return True
    plain = (exp.Column, exp.Star)
    names_only = all(isinstance(item.unalias(), plain) for item in tree.expressions)
    return names_only and tree.args.get("from_") is None and tree.find(exp.Column) is not None


def _is_fragment(tree: exp.Expression, parse: Parsed) -> bool:
    """True for a few words that the parser takes for a statement with its parts left out."""
    text = parse.sql[parse.tokens[0].start :]
    match tree:
        case exp.Insert():
            return tree.expression is None and not tree.args.get("default")
        case exp.Update():
            return not tree.expressions
        case exp.Delete():
            return not tree.args.get("where") and " from " not in f" {text.lower()} "
        case exp.Describe():
            return parse.dialect in _NO_DESCRIBE and text[:4].lower() == "desc"
        case exp.Values():
            return "(" not in text
        case exp.Pivot():
            return parse.dialect != "duckdb"
        case exp.Select() if text[:4].lower() == "from":
            return parse.dialect not in _FROM_FIRST and _FROM_WITH_MORE.match(text) is None
    return isinstance(tree, _TRANSACTION)


# What a statement cannot end with.
_UNFINISHED = re.compile(
    r"(?:\b(?:select|from|where|and|or|on|join|by|as|in|not|like|ilike|between|is|case|when|then"
    r"|else|with|union|all|except|intersect|having|set|values|interval|distinct|over|partition"
    r"|inner|left|right|full|cross|outer|using|limit|offset|group|order|exists|any|recursive"
    r"|lateral|into|update|insert|delete|extract|cast)|[,(=<>+/|.-]|(?<=[\w)\s])\*)\s*\Z",
    re.IGNORECASE,
)


def looks_cut(sql: str, dialect: str) -> bool:
    """True where the text ends in the middle of a statement."""
    if open_literal(sql, dialect) is not None:
        return True
    code = code_of(sql, dialect)
    if code.count("(") > code.count(")") or _UNFINISHED.search(code):
        return True
    words = re.findall(r"\b(?:case|end)\b", code, re.IGNORECASE)
    if sum(1 if word.lower() == "case" else -1 for word in words) > 0:
        return True
    trees = parsed(sql, dialect).trees
    if trees and isinstance(trees[0], exp.Select) and trees[0].args.get("from_") is None:
        return trees[0].find(exp.Column) is not None
    only_with = re.match(r"\s*with\b", code, re.IGNORECASE) and code.rstrip().endswith(")")
    return bool(only_with) and graded(sql, dialect) is Grade.BROKEN


def _is_article(table: exp.Table, named: set[str], *, a_too: bool) -> bool:
    """``from the list``: the parser reads a table with an alias. ``a`` may be a real name.

    ``named`` are those that the query itself gives.
    """
    word = table.name.lower()
    if word in named or not isinstance(table.this, exp.Identifier):
        return False
    if table.this.args.get("quoted"):
        return False
    return word in _ARTICLES or (a_too and word in ("a", "an") and bool(table.alias))
