"""What an engine takes and the parser does not know.

The parser's word that a text is wrong counts only where none of this stands in it. Some parts
can be left out, so that the rest is checked; with others the statement is not checked at all.
What makes more of a query than a read must not be left out: whoever asks would take the rest
for one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from sqlscribe.notation.lexicon import Kind, scan


class _Part(NamedTuple):
    """The first group of ``pattern`` can be left out; ``instead`` stands at its end."""

    pattern: re.Pattern[str]
    instead: str = ""


def _part(pattern: str, instead: str = "") -> _Part:
    return _Part(re.compile(pattern, re.IGNORECASE | re.DOTALL), instead)


_NAME = r"[\w.\[\]\"`$#@]+"
_FLAT = r"\([^()]*\)"
# As much as may stand between two words: more would make searches in odd texts slow.
_SOME = r"[^;]{0,500}?"
_NESTED = rf"\((?:[^()]|{_FLAT})*\)"

_ARGUMENT = rf"(?:[^(),]|{_NESTED})*"

# The second parameter, ``:2``, by its number.
_BIND_NUMBER = _part(r"(?<![:\w)\]])(:)(?=\d+\b)")
# What SQL*Plus and SnowSQL put in, as a parameter.
_SUBSTITUTED = _part(r"(?<![\w&)])(&{1,2})(?=\w)", ":")
_AT_LOCAL = _part(r"\b(AT\s+LOCAL)\b")
_OF_EVERY = (
    # The row of a cursor: which one is nothing that a check could tell.
    _part(r"\bWHERE\s+(CURRENT\s+OF\s+[\w:@]+)", "NULL"),
    _part(r"\b((?:NULL|ABSENT)\s+ON\s+NULL)\b"),
    _part(r"\b((?:WITH|WITHOUT)\s+(?:(?:UN)?CONDITIONAL\s+)?(?:ARRAY\s+)?WRAPPER)\b"),
    _part(r"\b((?:WITH|WITHOUT)\s+UNIQUE(?:\s+KEYS)?)\b"),
    # MATCH_RECOGNIZE.
    _part(rf"\b(SUBSET\s+\w+\s*=\s*{_FLAT}(?:\s*,\s*\w+\s*=\s*{_FLAT})*)"),
    _part(r"\b(INITIAL|SEEK)\s+PATTERN\b"),
    # A column of that name.
    _part(r"(?<![\w.])(INTERVAL)(?=\s*[/%])", "NULL"),
)
_SPARK = (
    _part(r"\b(?:MERGE|INSERT)\s+(WITH\s+SCHEMA\s+EVOLUTION)\b"),
    _part(rf"\bPARTITION\s*{_FLAT}\s+(IF\s+NOT\s+EXISTS)\b"),
)
_PARTS = {
    "mysql": (
        _part(r"\A\s*(?:UPDATE|DELETE)\s((?:\s*(?:LOW_PRIORITY|QUICK|IGNORE)\b)+)"),
        _part(r"\A\s*INSERT\s+(LOW_PRIORITY|HIGH_PRIORITY|DELAYED)\b"),
        _part(r"\bSELECT\s+((?:SQL_\w+\s+)+)(?=DISTINCT|ALL\b)"),
        _part(rf"\A\s*DELETE\s{_SOME}\w(\.\*)"),
        _part(rf"\bGROUP\s+BY\b{_SOME}\b(ASC|DESC)\b(?=\s*(?:,|\)|WITH\b|HAVING\b|ORDER\b|\Z))"),
    ),
    "tsql": (
        _part(rf"\bDELETE\s+(?:TOP\s*{_FLAT}\s*)?(FROM)\s+{_NAME}\s+(?:FROM|OUTPUT)\b"),
        _part(rf"\A\s*(?:UPDATE|DELETE|INSERT)\s+(TOP\s*{_FLAT}(?:\s*PERCENT\b)?)"),
        _part(rf"\bOUTPUT\b{_SOME}(\bINTO\s+{_NAME}\s*{_FLAT})"),
        _part(rf"\bINSERT\s+(?:INTO\s+)?{_NAME}\s+(WITH\s*{_FLAT})"),
        _part(rf"\A\s*INSERT\b(?:[^;()]|{_FLAT})*?(\bEXEC(?:UTE)?\b.*)\Z"),
        _part(r"\b(?:FREETEXTTABLE|CONTAINSTABLE)\s*\([^()]*?(,\s*LANGUAGE\s+[^(),]+)"),
        _part(r"\b(?:TRY_)?PARSE\s*\([^()]*?(\bUSING\s+[^()]*)\)"),
        _part(r"[\w\])]\s*([-+*/%&|^])=(?!=)"),
        _part(rf"\b(OPTION\s*{_NESTED})(?=\s*(?:;|\Z))"),
        _part(rf"\bWITH\s+(XMLNAMESPACES\s*{_FLAT}\s*,)"),
        _part(rf"\b(WITH\s+XMLNAMESPACES\s*{_FLAT})"),
        # The place of a row on the disk.
        _part(r"(?<![\w%])((?:\w+\.)?%%\w+%%)", "NULL"),
        _part(r"\A\s*DROP\s+(?:PROC|PROCEDURE|FUNCTION|TRIGGER|INDEX)\b[^,;]*(,[^;]*)"),
    ),
    "oracle": (
        _part(rf"\bWHEN\b{_SOME}\b(DELETE\s+WHERE\b.*?)(?=\bWHEN\b|\bLOG\b|\Z)"),
        _part(r"\b(LOG\s+ERRORS\b[^;]{0,300})\Z"),
        _part(rf"\bRETURN(?:ING)?\s{_SOME}(\b(?:BULK\s+COLLECT\s+)?INTO\s+:[^;]{{0,300}})\Z"),
        _part(rf"\b(PARTITION\s+BY\s*{_FLAT})(?=\s+(?:ON|USING|LEFT|RIGHT)\b)"),
        _part(r"\)\s*(\(\s*\+\s*\))"),
        _part(r"\bPIVOT\s+(XML)\b"),
        _SUBSTITUTED,
        _AT_LOCAL,
        _BIND_NUMBER,
    ),
    "sqlite": (
        _part(r"\A\s*UPDATE\s+(OR\s+(?:ROLLBACK|ABORT|REPLACE|FAIL|IGNORE))\b"),
        _part(r"\?(\d+)"),
        _part(r"(\bON\s+CONFLICT\b(?:(?!\bON\s+CONFLICT\b).)*)(?=\bON\s+CONFLICT\b)"),
    ),
    "postgres": (
        # Variables of psql, in quotes.
        _part(r"""(?<![:\w])(:)(?=(['"])\w+\2)"""),
        _part(r"\b(OVERRIDING\s+(?:SYSTEM|USER)\s+VALUE)\b"),
        _part(rf"\bORDER\s+BY\b{_SOME}(\bUSING\s*[<>~=]+)"),
        _part(r"(?:,|\b(?:FROM|JOIN|UPDATE|INTO))\s*\b(ONLY)\b"),
        # The absolute value: ``@ -5``.
        _part(r"(?<![-+*/<>=~!@#%^&|`?\w)\]])(@)(?=\s*[-+(\w.\"])"),
        _part(r"\b(LATERAL)\s+ROWS\s+FROM\s*\("),
        # A step like '1 month 2 days', at which the parser gives up.
        _part(rf"\bgenerate_series\s*\({_ARGUMENT},{_ARGUMENT}(,\s*'[^']*')\s*\)"),
        _BIND_NUMBER,
    ),
    "duckdb": (_part(r"\bUNNEST\s*\([^()]*?(,\s*(?:recursive|max_depth)\s*(?::=|=>)\s*\w+)"),),
    "clickhouse": (
        _part(r"\bLIMIT\s+[\w.]+(?:\s+OFFSET\s+\w+)?\s+(WITH\s+TIES)\b"),
        _part(r"[*)]\s*(APPLY\s+\w+)\b(?!\s*\()"),
    ),
    "bigquery": (
        _part(rf"\bSELECT\s+(WITH\s+[A-Z]+_[A-Z]+(?:\s+OPTIONS\s*{_FLAT})?)"),
    ),
    "snowflake": (_SUBSTITUTED,),
    "trino": (_AT_LOCAL,),
    **dict.fromkeys(("spark", "databricks", "hive"), _SPARK),
}  # fmt: skip


def _gap(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join((*patterns, *_GAPS_OF_EVERY)), re.IGNORECASE)


_GAPS_OF_EVERY = (
    r"\bJSON_TABLE\s*\(",
    r"\bXML(?:QUERY|EXISTS|CAST|SERIALIZE|PARSE|ROOT|PI|TABLE)\s*\(",
    r"\bTABLE\s*\([^()]*\)\s+(?:PARTITION|ORDER|DISTRIBUTE|CLUSTER|SORT|KEEP|PRUNE|WITH)\b",
    r"\bJSON_\w+\s*\([^()]*\bRETURNING\b",
    r"\bGRAPH_TABLE\s*\(",
    r"\A\s*COMMENT\s+ON\b[^;]*\bIS\s+NULL\b",
)
_INSERTS_FROM = r"\A\s*FROM\b[\s\S]*?\bINSERT\s+(?:INTO|OVERWRITE)\b"
_SPARK_GAP = _gap(_INSERTS_FROM, r"\bDIRECTORY\b", r"\bvector_search\s*\(", r"!<|!>")
_GAPS = {
    "bigquery": _gap(
        r"\bWITH\s+OFFSET\b",
        r"\|>",
        r"\(\s*(?:MODEL|TABLE)\s+[`\w]",
        r"\b(?:rb|br)['\"]",
        r"\b(?:ANY|ALL|SOME)\s+UNNEST\s*\(",
    ),
    "oracle": _gap(
        r"\bMODEL\s+(?:\w+\s+){0,6}?(?:PARTITION|DIMENSION)\s+BY\b",
        r"\A\s*(?:WITH\s+(?:FUNCTION|PROCEDURE)\b|UPDATE\s*\(|DELETE\s+(?:FROM\s*)?\()",
        r"\bVERSIONS\s+(?:BETWEEN|PERIOD)\b",
        r"\bIS\s+(?:NOT\s+)?(?:OF\b|A\s+SET\b|EMPTY\b)",
        r"\b(?:MEMBER|SUBMULTISET)\s+(?:OF\s+)?\w",
    ),
    "mysql": _gap(
        r"\bINTO\s+(?:OUTFILE|DUMPFILE|@)",
        r"\A\s*VALUES\s*\(",
        r"\{\s*OJ\b",
        r"\bNEXT\s+VALUE\s+FOR\b",
        r"\\N\b",
    ),
    "tsql": _gap(
        r"\bOPENROWSET\s*\(\s*BULK\b",
        r"!<|!>",
        r"\A\s*EXEC(?:UTE)?\s+AS\b",
        r"\{\s*\w+\s+'",
        rf"\b(?:MATCH|SHORTEST_PATH)\s*\({_SOME}[-<]\s*\(",
    ),
    "postgres": _gap(
        r"\bUSING\s*\([^()]*\)\s+AS\s+\w",
        r"\bIS\s+(?:NOT\s+)?(?:NFK?[CD]\s+)?NORMALIZED\b",
        r"\bRETURNING\s+WITH\s*\(",
        r"\b(?:box|circle|line|lseg|path|polygon|cube|ltree)\s+'",
        r"\A\s*INSERT\s+INTO\s+[\w.\"]+\s*(?:AS\s+\w+\s*)?\([^()]*\[",
        r"\A\s*COMMENT\s+ON\b(?!\s+(?:TABLE|COLUMN|VIEW)\b)",
        r"\A\s*COMMENT\s+ON\b[^;]*\bIS\s+(?:E'|U&')",
        # Parameters may have names and modes: DROP FUNCTION f(IN a int, b text).
        r"\A\s*DROP\s+(?:FUNCTION|PROCEDURE|ROUTINE|AGGREGATE)\b",
    ),
    "snowflake": _gap(r"->>"),
    "trino": _gap(r"\bMEASURES\b", r"\A\s*WITH\s+SESSION\b"),
    "clickhouse": _gap(
        r"\bINTO\s+OUTFILE\b",
        r"\bSELECT\s+(?:DISTINCT\s+)?TOP\s+\(?\d",
        r"\bLIMIT\s+\d+(?:\s*,\s*\d+|\s+OFFSET\s+\d+)?\s+BY\b",
        r"\A\s*INSERT\s[^;]*?\bFORMAT\s+\w+",
    ),
    **dict.fromkeys(("spark", "databricks", "hive"), _SPARK_GAP),
}
_GAP = _gap()


_KIN = {
    "fabric": "tsql",
    "presto": "trino",
    "athena": "trino",
    "redshift": "postgres",
    "materialize": "postgres",
    "risingwave": "postgres",
    "spark2": "spark",
}
_MOST = 100
"""As often a part is looked for in one text."""


def without_parts(sql: str, dialect: str) -> str:
    """The text with blanks in the place of what the parser does not know and can be left out."""
    code = _code(sql, dialect)
    for part in (*_PARTS.get(_KIN.get(dialect, dialect), ()), *_OF_EVERY):
        for _ in range(_MOST):
            if (found := part.pattern.search(code)) is None:
                break
            start, end = found.span(1)
            new = part.instead.rjust(end - start)
            sql = sql[:start] + new + sql[end:]
            code = code[:start] + new + code[end:]
    return sql


def gap_in(sql: str, dialect: str) -> str:
    """The words with which a statement cannot be checked; ``""`` where there are none."""
    found = _GAPS.get(_KIN.get(dialect, dialect), _GAP).search(_code(sql, dialect))
    return " ".join(found[0].split()) if found else ""


def _code(sql: str, dialect: str) -> str:
    """The text without the words of its strings and comments, at the same places."""
    pieces = []
    for piece in scan(sql, dialect):
        text = sql[piece.start : piece.end]
        if piece.kind in (Kind.STRING, Kind.IDENTIFIER) and len(text) > 1:
            text = text[:1] + re.sub(r"\W", "x", text[1:-1]) + text[-1:]
        elif piece.kind in (Kind.LINE_COMMENT, Kind.BLOCK_COMMENT):
            text = " " * len(text)
        pieces.append(text)
    return "".join(pieces)
