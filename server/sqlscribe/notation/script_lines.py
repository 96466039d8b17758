"""Lines of a script that are no SQL, or that begin a statement without a terminator before it.

Each tool has its own: psql's backslash commands, ``GO`` of the SQL Server tools, SQL*Plus
settings, ``DELIMITER`` of the mysql client, the dot commands of the SQLite shell.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sqlscribe.notation.lexicon import Kind, lexicon, scan
from sqlscribe.notation.marked_comments import question_line

_POSTGRES = frozenset({"", "postgres", "redshift", "materialize", "risingwave"})
_PSQL = frozenset({"postgres", "materialize", "risingwave"})
_TSQL = frozenset({"tsql", "fabric"})
_MYSQL = frozenset({"", "mysql", "singlestore", "doris", "starrocks"})
_SLASH = frozenset({"", "oracle", "exasol"})

_REST = r"[^\r\n]*+"
# A hyphen at the end of a line goes on with it; a row of them is a ruler.
_REST_ON = r"(?:[^\r\n]*+(?<=[^\-]-)(?:\r\n|[\r\n]))*+[^\r\n]*+"
_END_OF_LINE = r"(?=[\r\n]|\Z)"
_SQLPLUS_TEXT = r"(?:PROMPT|REM(?:ARK)?)\b"
_SQLPLUS = (
    r"(?:SPO(?:OL)?|WHENEVER|DEF(?:INE)?|UNDEF(?:INE)?|COL(?:UMN)?|TTI(?:TLE)?"
    r"|BTI(?:TLE)?|BRE(?:AK)?|COMP(?:UTE)?|CL(?:EAR)?|CONN(?:ECT)?|DISC(?:ONNECT)?|HO(?:ST)?"
    r"|ACC(?:EPT)?|PAU(?:SE)?|EXIT|QUIT|SHO(?:W)?|START|VAR(?:IABLE)?|PRI(?:NT)?|TIMI(?:NG)?"
    r"|DESC(?:RIBE)?|EXEC(?:UTE)?|STORE|SAVE|HELP|PASSW(?:ORD)?)\b"
    r"|SET\s++(?!TRANSACTION\b|ROLE\b|CONSTRAINTS?\b)|@{1,2}|!"
)
# Text up to a line with a hash, which is not looked for without end.
_SQLPLUS_DOCUMENT = (
    rf"DOC(?:UMENT)?[ \t>]*+{_END_OF_LINE}(?:(?:\r\n|[\r\n])(?![ \t]*+\#)[^\r\n]*+){{0,99}}+"
    r"(?:\r\n|[\r\n])[ \t]*+\#[^\r\n]*+"
)
# ALTER COLUMN, DROP CONSTRAINT and the SET of an UPDATE go on with the statement above.
_TSQL_OBJECT = (
    r"(?:TABLE|VIEW|INDEX|PROC(?:EDURE)?|FUNCTION|TRIGGER|SCHEMA|TYPE|SEQUENCE|SYNONYM"
    r"|DATABASE|USER|LOGIN|ROLE|STATISTICS|AUTHORIZATION|QUEUE|SERVICE|ASSEMBLY)\b"
)
_TSQL_START = (
    rf"CREATE\b|(?:ALTER|DROP)\s++{_TSQL_OBJECT}|EXEC(?:UTE)?\b(?!\s*+\(|\s++AS\b)|USE\s++[\[\w]"
    r"|SET\s++(?:@|[A-Z_]++[^\r\n;=]*?\s(?:ON|OFF)\b|DATEFORMAT\b|LANGUAGE\b|TRANSACTION\b"
    r"|ROWCOUNT\b|LOCK_TIMEOUT\b)|(?:COMMIT|ROLLBACK|RETURN|THROW|BREAK|CONTINUE|WAITFOR)\b"
    r"|DELETE\s++(?!ON\b|SET\b|NO\b|CASCADE\b)[\[\w@#]|INSERT\s++(?:INTO\b|[\[\w])|BULK\s++INSERT\b|PRINT\b"
    r"|TRUNCATE\s++TABLE\b|RAISERROR\b|DECLARE\s++(?:@|\w++\s++(?:INSENSITIVE\s++|SCROLL\s++)*+CURSOR\b)"
    r"|FETCH\s++(?:(?:NEXT|PRIOR|FIRST|LAST|(?:ABSOLUTE|RELATIVE)\s++\S++)\s++)?+FROM\b"
    rf"|(?:OPEN|CLOSE)\s++(?:GLOBAL\s++)?+[\w@]++[ \t]*+;?[ \t]*+{_END_OF_LINE}|DEALLOCATE\s++[\w@]"
    r"|WHILE\b|(?:GRANT|REVOKE|DENY)\s++\w|GOTO\s++\w|SAVE\s++TRAN"
    r"|IF\s++(?:NOT\s++)?+(?:EXISTS\s*+\(|OBJECT_ID\b|SCHEMA_ID\b|DB_ID\b|COL_LENGTH\b|@|\()"
)
_TSQL_BLOCK = rf"(?:(?:BEGIN|END)(?:[ \t]++(?:TRY|CATCH))?+|ELSE)[ \t]*+;?[ \t]*+{_END_OF_LINE}"
_SQLCMD = r":(?:setvar|r|on|out|error|connect|list|listvar|reset|quit|exit|xml|!!)\b"
# Outside parentheses, and with a whole expression above, these go on with few statements.
_DDL_START = (
    r"CREATE\s++(?:OR\s++REPLACE|TABLE|VIEW|INDEX|UNIQUE|TEMP(?:ORARY)?|GLOBAL|EXTERNAL"
    r"|TRANSIENT|MATERIALIZED|VIRTUAL|SCHEMA|DATABASE|SEQUENCE|TYPE|DOMAIN|EXTENSION|FUNCTION"
    r"|PROCEDURE|TRIGGER)\b|ALTER\s++TABLE\b|DROP\s++(?:TABLE|VIEW|INDEX|SEQUENCE)\b"
)
_QUERY_START = (
    r"SELECT\b|WITH\s++\w++\s++AS\s*+\(|INSERT\s++INTO\b|DELETE\s++FROM\b|MERGE\s++INTO\b"
    r"|UPDATE\s++(?!SET\b)\S++\s++SET\b"
)


def is_mysql(dialect: str) -> bool:
    """Whether it is MySQL or speaks like it."""
    return dialect in _MYSQL and bool(dialect)


def sending_source(dialect: str) -> str:
    """Source of an expression for what sends a statement off, beside its terminator.

    It begins with a backslash: psql's ``\\gset`` and all behind it, mysql's ``\\G``. Empty
    where there is no such thing.
    """
    if dialect in _PSQL:
        return rf"\\[A-Za-z]{_REST}"
    return rf"\\[gG][ \t]*+{_END_OF_LINE}" if is_mysql(dialect) else ""


def has_copy_data(dialect: str) -> bool:
    """Whether ``COPY … FROM stdin`` is followed by rows of data."""
    return dialect in _POSTGRES


def is_tsql(dialect: str) -> bool:
    """Whether statements need no terminator and go in batches."""
    return dialect in _TSQL


@lru_cache(maxsize=64)
def line_source(dialect: str) -> str:
    """Source of an expression for the start of a line that means something to a script.

    Its named groups:

    - ``question``: a question comment
    - ``go``, ``slash``, ``command``: the whole line; ends the statement above
    - ``delimiter``: the whole line, with the new delimiter as ``mark``
    - ``setting``: the whole line; of meaning only where no statement has begun
    - ``block``: the whole line; holds statements together and is none
    - ``start``: begins a statement in T-SQL
    - ``ddl``, ``query``: may begin a statement
    """
    lines = [rf"(?P<question>{question_line(lexicon(dialect))})"]
    words = []
    if dialect in _TSQL or not dialect:
        comment = rf"(?:--{_REST})?+"
        words.append(rf"(?P<go>GO(?:[ \t]++\d++)?+[ \t]*+;?[ \t]*+{comment}{_END_OF_LINE})")
    if dialect in _SLASH:
        words.append(rf"(?P<slash>/[ \t]*+{_END_OF_LINE})")
    if dialect in _POSTGRES:
        words.append(rf"(?P<command>\\{_REST})")
    if dialect in _MYSQL:
        words.append(rf"(?P<delimiter>DELIMITER[ \t]++(?P<mark>\S++){_REST})")
        words.append(
            rf"(?P<setting>(?:SOURCE|\\\.)[ \t]++\S{_REST}"
            rf"|(?:NO)?WARNINGS?[ \t]*+;?{_END_OF_LINE})"
        )
    if dialect == "oracle":
        words.append(
            rf"(?P<setting>{_SQLPLUS_TEXT}{_REST}|{_SQLPLUS_DOCUMENT}|(?:{_SQLPLUS}){_REST_ON})"
        )
    if dialect == "snowflake":
        words.append(rf"(?P<setting>![a-z]{_REST})")
    if dialect in ("sqlite", "duckdb"):
        words.append(rf"(?P<setting>\.[a-z]{_REST})")
    if dialect in _TSQL:
        words.append(rf"(?P<command>{_SQLCMD}{_REST})")
        words += [rf"(?P<block>{_TSQL_BLOCK})", rf"(?P<start>{_TSQL_START})"]
    words += [rf"(?P<ddl>{_DDL_START})", rf"(?P<query>{_QUERY_START})"]
    lines.append(rf"[ \t]*+(?i:{'|'.join(words)})")
    return "|".join(lines)


_ENDS_IN_TSQL = frozenset(
    {"ALTER", "BEGIN", "BREAK", "COMMIT", "CONTINUE", "DECLARE", "DELETE", "DROP", "EXEC"}
    | {"EXECUTE", "PRINT", "RAISERROR", "RETURN", "ROLLBACK", "SET", "THROW", "TRUNCATE"}
    | {"UPDATE", "USE", "WAITFOR", "OPEN", "FETCH", "CLOSE", "DEALLOCATE", "GOTO", "SAVE"}
)
_HOLDS_NO_QUERY = re.compile(
    r"(?i:CREATE\s++(?:(?:UNIQUE|CLUSTERED|NONCLUSTERED|COLUMNSTORE)\s++)*+(?:TABLE|INDEX|TYPE)\b)"
)


def ends_before_query(text: str, start: int, keyword: str) -> bool:
    """Whether no query may stand in T-SQL's statement of this keyword, which begins there."""
    return keyword in _ENDS_IN_TSQL or _HOLDS_NO_QUERY.match(text, start) is not None


_LOOKED_THROUGH = 5_000
"""Characters of one statement below a question that are looked through for a parenthesis."""
_BRACKETS = re.compile(r"[();]")


def closes_below(text: str, position: int, dialect: str) -> bool:
    """Whether the statement at ``position`` closes a parenthesis that was opened above.

    Not where its terminator comes first: then the parenthesis is one that is being typed.
    """
    below = text[position : position + _LOOKED_THROUGH]
    depth = 0
    for piece in scan(below, dialect):
        if piece.kind is not Kind.CODE:
            continue
        for found in _BRACKETS.finditer(below, piece.start, piece.end):
            if found[0] == ";":
                return False
            depth += 1 if found[0] == "(" else -1
            if depth < 0:
                return True
    return False
