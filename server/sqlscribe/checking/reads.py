"""Whether a text is one query that only reads.

The whole tree is walked. What is not known to read counts as a write: better a harmless
statement refused than a harmful one shown as harmless.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp

from sqlscribe.checking.calls import objections_of_words, writes_a_file
from sqlscribe.checking.parsing import Parsed, parsed
from sqlscribe.checking.writes import READS, objections_of_tree, word_of
from sqlscribe.notation.lexicon import Kind, lexicon, scan
from sqlscribe.notation.statements import split


@dataclass(frozen=True)
class Verdict:
    """``kinds`` has one word per statement (``SELECT``, ``DROP``).

    ``reason`` says why it is no read, as a clause for a person; ``""`` for a read.
    ``parsed`` is false for a query that does not parse: it is no read, because nothing is
    known about it, but what it needs is a repair.
    """

    read: bool
    reason: str
    kinds: tuple[str, ...]
    parsed: bool = True


_SAFE_PRAGMA = re.compile(
    r"PRAGMA\s+(?:\w+\.)?(?:(?:table_info|table_xinfo|index_list|index_info|index_xinfo"
    r"|foreign_key_list|foreign_key_check|integrity_check|quick_check|table_list|storage_info)"
    r"(?:\s*\([^()]*\))?"
    r"|(?:database_list|collation_list|compile_options|function_list|module_list|pragma_list"
    r"|user_version|schema_version|application_id|encoding|foreign_keys|journal_mode|page_count"
    r"|page_size|freelist_count|cache_size|data_version|synchronous|show_tables"
    r"|show_tables_expanded|show_databases|database_size|version|platform|functions))\s*;?\s*\Z",
    re.IGNORECASE,
)
_EXPLAIN = re.compile(
    r"\s*(?:EXPLAIN|DESCRIBE|DESC)\b(?P<plan>\s+PLAN\b)?"
    r"(?:\s+(?:ANALYZE|VERBOSE|EXTENDED|FORMATTED|CODEGEN|COST|LOGICAL|QUERY\s+PLAN"
    r"|FORMAT\s*=\s*\w+|USING\s+\w+|AST|SYNTAX|PIPELINE|ESTIMATE)\b|\s*\([^()]*\)(?=\s*\w))*\s*",
    re.IGNORECASE,
)
_VERSION_COMMENT = re.compile(r"/\*M?!\d*|\*/")

_ANALYZE = re.compile(
    r"\bANALY[ZS]E\b(?!\s*(?:=\s*)?(?:FALSE|OFF|0|'(?:FALSE|OFF|0)')\b)", re.IGNORECASE
)
_UNSEEN = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters, ends of lines that are none in SQL, marks that change the order in which
a text is shown, and halves of characters."""
_SHOWN = re.compile(
    r"\s*SHOW\s*(?=[(']|(?:SELECT|FROM|WITH|VALUES|TABLE|PIVOT|UNPIVOT)\b)", re.IGNORECASE
)
"""DuckDB shows the columns of a query, and so reads the head of a file that stands in it."""
_FLAT_COMMENTS = frozenset({"athena", "dremio", "drill", "druid", "exasol", "hive", "spark2"})
_FLAT_COMMENTS |= {"", "teradata"}
"""Where a comment within a comment ends both, or may: the parser has the first one go on."""
_WRITING = frozenset(
    """
    ALTER CALL COPY CREATE DELETE DO DROP EXEC EXECUTE GRANT INSERT LOAD MERGE RENAME REPLACE
    REVOKE SET TRUNCATE UPDATE
    """.split()
)
_SLASH_LINE = re.compile(r"\n[ \t]*/\s*\Z")


def classify(sql: str, dialect: str) -> Verdict:
    """Whether ``sql`` is exactly one statement that reads and does nothing else."""
    if (unseen := _UNSEEN.search(sql)) is not None:
        # What an engine would run is not what a person sees: some stop reading at a NUL, and
        # editors and terminals turn the text around, or take the rest for another line.
        return Verdict(False, f"the answer holds a {_name_of(unseen[0])} character", ())
    if reason := _read_otherwise(sql, dialect):
        return Verdict(False, reason, ())
    if dialect == "oracle":
        sql = _SLASH_LINE.sub("", sql)
    return _classify(_opened(sql, dialect), dialect)


@lru_cache(maxsize=64)
def _classify(sql: str, dialect: str) -> Verdict:
    parse = parsed(sql, dialect)
    statements = split(sql, dialect)
    if parse.problem is not None:
        kinds = tuple(statement.keyword for statement in statements)
        return _unparsed(parse, kinds)
    kinds = tuple(word_of(tree) for tree in parse.trees)
    if len(kinds) != 1 or len(statements) > 1:
        if len(statements) > len(kinds):
            kinds = tuple(statement.keyword for statement in statements)
        return Verdict(False, _count(kinds), kinds)
    tree = parse.trees[0]
    if isinstance(tree, exp.Command | exp.Describe) and (inner := _explained(parse)) is not None:
        return Verdict(inner.read, inner.reason, kinds)
    reason = next(_objections(tree, parse), "")
    return Verdict(not reason, reason, kinds)


def _read_otherwise(sql: str, dialect: str) -> str:
    """Why an engine may run what is a comment or a string for the parser; ``""`` if none may."""
    if dialect in _FLAT_COMMENTS and "/*" in sql:
        blocks = (piece for piece in scan(sql, dialect) if piece.kind is Kind.BLOCK_COMMENT)
        if any(sql.find("/*", start + 2, end) >= 0 for _, start, end in blocks):
            return "a comment holds the start of another, and engines differ in where it ends"
    if not dialect:
        # It may be MySQL, where a backslash keeps a quote from ending a string.
        kinds = tuple(statement.keyword for statement in split(sql, "mysql"))
        if len(kinds) > 1 and not _WRITING.isdisjoint(kinds):
            return _count(kinds)
    return ""


def _name_of(character: str) -> str:
    return "NUL" if character == "\0" else f"U+{ord(character):04X}"


def _unparsed(parse: Parsed, kinds: tuple[str, ...]) -> Verdict:
    if len(kinds) > 1:
        return Verdict(False, _count(kinds), kinds)
    if kinds and kinds[0] not in ("SELECT", "WITH", "VALUES", "FROM", "TABLE", "("):
        return Verdict(False, f"the answer is not a query ({kinds[0]})", kinds)
    if writes_a_file(parse):
        return Verdict(False, "the query writes a file (INTO OUTFILE)", kinds)
    message = parse.problem.message if parse.problem else ""
    return Verdict(False, f"it cannot be told that it only reads: {message}", kinds, False)


def _count(kinds: tuple[str, ...]) -> str:
    if not kinds:
        return "the answer holds no statement"
    other = next((kind for kind in kinds if kind not in ("SELECT", "WITH")), "")
    return f"{len(kinds)} statements" + (f", one of them {other}" if other else "")


def _objections(tree: exp.Expression, parse: Parsed) -> Iterator[str]:
    """What speaks against a single statement being a read, the plainest reason first."""
    if not isinstance(tree, READS) and not _shows(tree):
        word = word_of(tree)
        yield f"the answer is not a query ({word})" if word else "the answer is not a query"
        return
    if isinstance(tree, exp.Pragma) and not _SAFE_PRAGMA.match(parse.sql.strip()):
        yield "the answer is not a query (this PRAGMA may change a setting)"
    yield from objections_of_tree(tree, parse.dialect)
    yield from objections_of_words(parse, _is_read)


def _is_read(sql: str, dialect: str) -> bool:
    """Whether a query in a string reads; one that again holds such a string is not followed."""
    return "crosstab" not in sql.lower() and classify(sql, dialect).read


def _shows(tree: exp.Expression) -> bool:
    return isinstance(tree, exp.Command) and str(tree.this).upper() == "SHOW"


def _explained(parse: Parsed) -> Verdict | None:
    """The verdict on the statement under EXPLAIN; ``None`` where there is no such statement."""
    start = parse.tokens[0].start
    if parse.dialect == "duckdb" and (shown := _SHOWN.match(parse.sql, start)) is not None:
        return classify(parse.sql[shown.end() :], parse.dialect)
    head = _EXPLAIN.match(parse.sql, start)
    if head is None:
        return None
    if head["plan"] and parse.dialect == "oracle":
        return Verdict(False, "EXPLAIN PLAN writes to the plan table", ())
    rest = parse.sql[head.end() :]
    if _EXPLAIN.match(rest):
        return Verdict(False, "the answer explains an explanation", ())
    inner = parsed(rest, parse.dialect)
    if inner.problem is None and inner.trees and not isinstance(inner.trees[0], _NAMES):
        verdict = classify(rest, parse.dialect)
        if verdict.read and _ANALYZE.search(head[0]):
            return Verdict(False, "EXPLAIN ANALYZE runs the statement", ())
        return verdict
    if isinstance(parse.trees[0], exp.Describe):
        return None
    return Verdict(False, "it cannot be told that it only reads", ())


_NAMES = (exp.Column, exp.Alias, exp.Table, exp.Dot)


def _opened(sql: str, dialect: str) -> str:
    """MySQL runs the text inside ``/*! … */``, so it is looked at as code.

    Where the dialect is not known it may be MySQL.
    """
    if "/*!" not in sql and "/*M!" not in sql:
        return sql
    if dialect and not lexicon(dialect).version_comments:
        return sql
    parts = []
    for kind, start, end in scan(sql, "mysql"):
        piece = sql[start:end]
        parts.append(_VERSION_COMMENT.sub(" ", piece) if kind is Kind.CODE else piece)
    return "".join(parts)
