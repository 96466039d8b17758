"""How each dialect writes comments, strings and quoted names, and a scanner that knows it.

The facts follow the tokenizers of sqlglot, which a test compares; where the engines are known
to differ from them, the engines win.
Nothing here parses: a scan of a megabyte takes a few hundredths of a second, so it can run on
every keystroke.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from sqlscribe.notation.dialect_marks import CLEAR, MARKS, PRODUCTS


class Kind(Enum):
    """What a piece of text is. Placeholders of templates (``{{ … }}``) count as code."""

    CODE = "code"
    LINE_COMMENT = "line comment"
    BLOCK_COMMENT = "block comment"
    STRING = "string"
    IDENTIFIER = "identifier"


class Piece(NamedTuple):
    """``text[start:end]`` is of one kind. Quotes and comment marks belong to their piece."""

    kind: Kind
    start: int
    end: int


@dataclass(frozen=True)
class Lexicon:
    """The lexical facts of one dialect. ``--`` and ``/* */`` comments exist in all of them."""

    hash_comments: bool = False
    slash_comments: bool = False
    """``//`` starts a comment."""
    nested_comments: bool = True
    strict_dashes: bool = False
    """``--`` starts a comment only before a blank, or first on its line."""
    version_comments: bool = False
    """``/*!40101 … */`` is code for the engine."""
    doubled_quotes: bool = True
    """``''`` inside a string is a quote."""
    backslash_escapes: bool = False
    escape_strings: bool = False
    """``E'…'`` has backslash escapes although plain strings have none."""
    raw_strings: bool = False
    """``r'…'`` has no backslash escapes although plain strings have them."""
    alternative_quotes: bool = False
    """``q'[…]'`` with any delimiter."""
    triple_quotes: bool = False
    dollar_quotes: bool = False
    """``$$…$$`` is a string."""
    dollar_tags: bool = False
    """``$tag$…$tag$`` is a string too."""
    double_quoted_strings: bool = False
    """``"…"`` is a string; in the other dialects it is a name."""
    backtick_identifiers: bool = False
    bracket_identifiers: bool = False
    backslash_in_names: bool = False
    file_paths: bool = False
    """``file:///tmp/*.csv`` and ``@stage/*.csv`` are words, without a comment in them."""


_GENERIC = Lexicon(dollar_quotes=True, dollar_tags=True, backtick_identifiers=True)
_ANSI = Lexicon()
_POSTGRES = Lexicon(escape_strings=True, dollar_quotes=True, dollar_tags=True)
_MYSQL = Lexicon(
    hash_comments=True,
    nested_comments=False,
    strict_dashes=True,
    version_comments=True,
    backslash_escapes=True,
    double_quoted_strings=True,
    backtick_identifiers=True,
)
_DORIS = replace(_MYSQL, strict_dashes=False, version_comments=False)
_HIVE = Lexicon(
    backslash_escapes=True,
    doubled_quotes=False,
    double_quoted_strings=True,
    backtick_identifiers=True,
)
_SPARK = replace(_HIVE, raw_strings=True)
_TRINO = Lexicon(nested_comments=False, dollar_quotes=True)
_TSQL = Lexicon(bracket_identifiers=True)

_LEXICONS = {
    # Hive's tokenizer with Trino's names; queries go to Trino, where a backslash is a letter.
    "athena": Lexicon(backtick_identifiers=True),
    "bigquery": Lexicon(
        hash_comments=True,
        nested_comments=False,
        backslash_escapes=True,
        doubled_quotes=False,
        triple_quotes=True,
        double_quoted_strings=True,
        backtick_identifiers=True,
        backslash_in_names=True,
    ),
    "clickhouse": Lexicon(
        hash_comments=True,
        backslash_escapes=True,
        dollar_quotes=True,
        dollar_tags=True,
        backtick_identifiers=True,
        backslash_in_names=True,
    ),
    "databricks": replace(_SPARK, dollar_quotes=True),
    "dax": Lexicon(slash_comments=True, double_quoted_strings=True, bracket_identifiers=True),
    "doris": _DORIS,
    "dremio": Lexicon(slash_comments=True),
    "drill": Lexicon(backtick_identifiers=True),
    "druid": _ANSI,
    "duckdb": _POSTGRES,
    "dune": Lexicon(nested_comments=False),
    "exasol": Lexicon(bracket_identifiers=True),
    "fabric": _TSQL,
    "hive": _HIVE,
    "materialize": _POSTGRES,
    "mysql": _MYSQL,
    "oracle": Lexicon(nested_comments=False, alternative_quotes=True),
    "postgres": _POSTGRES,
    "presto": Lexicon(nested_comments=False),
    "prql": Lexicon(double_quoted_strings=True, backtick_identifiers=True),
    "redshift": replace(_POSTGRES, backslash_escapes=True),
    "risingwave": _POSTGRES,
    "singlestore": replace(_MYSQL, strict_dashes=False),
    "snowflake": Lexicon(
        slash_comments=True,
        nested_comments=False,
        backslash_escapes=True,
        dollar_quotes=True,
        file_paths=True,
    ),
    "solr": Lexicon(backtick_identifiers=True),
    "spark": _SPARK,
    "spark2": _HIVE,
    "sqlite": Lexicon(nested_comments=False, backtick_identifiers=True, bracket_identifiers=True),
    "starrocks": replace(_DORIS, hash_comments=False),
    "tableau": Lexicon(double_quoted_strings=True, bracket_identifiers=True),
    "teradata": _ANSI,
    "trino": _TRINO,
    "tsql": _TSQL,
}

DIALECTS: tuple[str, ...] = tuple(sorted(_LEXICONS))
"""All dialects by name. ``""``, which is not among them, is SQL of no known dialect."""

_ALIASES = {
    "generic": "",
    "greenplum": "postgres",
    "mariadb": "mysql",
    "microsoft sql server": "tsql",
    "mssql": "tsql",
    "pg": "postgres",
    "pgsql": "postgres",
    "postgresql": "postgres",
    "spark sql": "spark",
    "sparksql": "spark",
    "sql server": "tsql",
    "sqlite3": "sqlite",
    "sqlserver": "tsql",
    "t-sql": "tsql",
    "tidb": "mysql",
    "transact-sql": "tsql",
}


def dialect_named(name: str) -> str | None:
    """The dialect that a person means by ``name`` (``PostgreSQL``), or ``None``."""
    name = " ".join(name.lower().split())
    return name if name in _LEXICONS else _ALIASES.get(name)


def known_dialect(dialect: str) -> str:
    """The dialect's name in lower case, ``""`` where it is not known."""
    name = dialect.lower()
    return name if name in _LEXICONS else ""


def lexicon(dialect: str) -> Lexicon:
    """The facts of a dialect; those of generic SQL where it is not known."""
    return _LEXICONS.get(dialect.lower(), _GENERIC)


def scan(text: str, dialect: str) -> Iterator[Piece]:
    """Cut a text into pieces that cover it without gaps, in order; never raises.

    An unterminated string or name ends with its line, so that a quote which is just being
    typed does not turn the rest of the file around. An unterminated comment or dollar quote
    goes to the end of the text, as the engines have it.
    """
    pattern = _scanner(lexicon(dialect))
    start = position = 0
    while position < len(text):
        match = pattern.match(text, position)
        if match is None or match.lastgroup is None:
            break
        position = match.end()
        if match.lastgroup == "code":
            continue
        token = match.start(match.lastgroup)
        if start < token:
            yield Piece(Kind.CODE, start, token)
        yield Piece(_KINDS[match.lastgroup], token, position)
        start = position
    if start < len(text):
        yield Piece(Kind.CODE, start, len(text))


_KINDS = {
    "line": Kind.LINE_COMMENT,
    "block": Kind.BLOCK_COMMENT,
    "string": Kind.STRING,
    "identifier": Kind.IDENTIFIER,
    "placeholder": Kind.CODE,
}


class Patterns(NamedTuple):
    """Sources of regular expressions for one dialect.

    ``starters`` is the inside of a character class: a token of the other five starts with one
    of these. ``other`` matches the frequent code that starts with one of them all the same.
    None of them backtracks or takes more than linear time over a whole text.
    """

    starters: str
    other: str
    line_comment: str
    block_comment: str
    string: str
    identifier: str
    placeholder: str


# The bounds keep a text full of unmatched braces cheap.
_PLACEHOLDER = (
    r"\{\{(?!\{)[^}]{0,2000}+(?:\}(?!\})[^}]{0,200}+){0,50}+\}\}"
    r"|\{%[^%]{0,2000}+(?:%(?!\})[^%]{0,200}+){0,50}+%\}"
    r"|\{\#[^#]{0,2000}+(?:\#(?!\})[^#]{0,200}+){0,50}+\#\}"
)
_FILE_PATH = (
    r"(?<=[fF][iI][lL][eE]:)//[^\s;,)]*+"
    r"|@[\w~%.$-]*+(?:/(?!/|\*(?:\s|\Z))[^\s;,()'\"/]*+)*+"
)
_COMMENT_DEPTH = 8


@lru_cache(maxsize=64)
def patterns(lex: Lexicon) -> Patterns:
    """The regular expressions that follow from the facts."""
    doubled, backslash = lex.doubled_quotes, lex.backslash_escapes
    in_names = lex.backslash_in_names
    double = _quoted('"', doubled, backslash if lex.double_quoted_strings else in_names)
    strings: list[str] = []
    identifiers: list[str] = []
    if lex.triple_quotes:
        strings += [_until("'''"), _until('"""')]
    if lex.alternative_quotes:
        strings.append(_alternative_quotes())
    if lex.escape_strings:
        strings.append(r"(?<=(?<!\w)[eE])" + _quoted("'", doubled, backslash=True))
    if lex.raw_strings:
        strings += [r"(?<=(?<!\w)[rR])'[^']*+'", r'(?<=(?<!\w)[rR])"[^"]*+"']
    strings.append(_quoted("'", doubled, backslash))
    (strings if lex.double_quoted_strings else identifiers).append(double)
    if lex.dollar_quotes:
        tag = r"(?P<tag>(?:[^\W\d]\w*+)?+)" if lex.dollar_tags else "(?P<tag>)"
        strings.append(rf"(?<![\w$])\${tag}\$[^$]*+(?:\$(?!(?P=tag)\$)[^$]*+)*+(?:\$(?P=tag)\$)?+")
    if lex.backtick_identifiers:
        identifiers.append(_quoted("`", True, in_names))
    if lex.bracket_identifiers:
        identifiers.append(r"\[(?:[^\]\r\n]++|\]\])*+\]?+")
    return Patterns(
        starters="'\"\\-/{"
        + ("#" if lex.hash_comments else "")
        + ("$" if lex.dollar_quotes else "")
        + ("`" if lex.backtick_identifiers else "")
        + (r"\[" if lex.bracket_identifiers else "")
        + ("@" if lex.file_paths else "")
        + (r"\\" if backslash else ""),
        # Outside strings, too, a backslash takes its neighbour with it: so the quotes of an
        # unterminated string are the same ones however it is entered.
        other=r"-(?!-)|/(?![*/])|\{(?![{%\#])" + (r"|\\[\s\S]" if backslash else ""),
        line_comment=_line_comment(lex),
        block_comment=_block_comment(lex),
        string="|".join(strings),
        identifier="|".join(identifiers),
        placeholder=f"{_FILE_PATH}|{_PLACEHOLDER}" if lex.file_paths else _PLACEHOLDER,
    )


@lru_cache(maxsize=64)
def _scanner(lex: Lexicon) -> re.Pattern[str]:
    p = patterns(lex)
    return re.compile(
        rf"(?:[^{p.starters}]++|{p.other})*+"
        rf"(?:(?P<line>{p.line_comment})|(?P<block>{p.block_comment})|(?P<string>{p.string})"
        rf"|(?P<identifier>{p.identifier})|(?P<placeholder>{p.placeholder})|(?P<code>[\s\S]))"
    )


def _quoted(quote: str, doubled: bool, backslash: bool) -> str:
    inner = rf"[^{quote}\\]++|\\[\s\S]" if backslash else rf"[^{quote}]++"
    if doubled:
        inner += f"|{quote}{quote}"
    return rf"(?:{quote}(?:{inner})*+{quote}|{quote}[^\r\n]*+)"


def _until(mark: str) -> str:
    """A triple-quoted string, to the end of the text where it is not closed."""
    return rf"{mark}(?:[^{mark[0]}\\]++|\\[\s\S]|{mark[0]}(?!{mark[1:]}))*+(?:{mark})?+"


def _alternative_quotes() -> str:
    bodies = [
        rf"{re.escape(first)}(?:[^{re.escape(last)}]++|{re.escape(last)}(?!'))*+"
        rf"(?:{re.escape(last)}')?+"
        for first, last in ("[]", "{}", "()", "<>")
    ]
    bodies.append(r"(?P<mark>[^\s\[{(<])(?:(?!(?P=mark)')[\s\S])*+(?:(?P=mark)')?+")
    return rf"(?:(?<=(?<!\w)[qQ])|(?<=(?<!\w)[nN][qQ]))'(?:{'|'.join(bodies)})"


def _line_comment(lex: Lexicon) -> str:
    # Who writes --ask: means a comment, whatever the engine would make of it.
    strict = r"--(?=[\x00-\x20\x7f]|\Z|(?i:ask|refine|error)\s*+[\[:：])|(?<![^\r\n])--"
    dashes = strict if lex.strict_dashes else "--"
    starts = [dashes]
    if lex.hash_comments:
        starts.append(r"\#")
    if lex.slash_comments:
        # file://… and s3://… stand unquoted in PUT and COPY.
        starts.append("(?<!:)(?<!:/)//")
    return rf"(?:{'|'.join(starts)})[^\r\n]*+"


def _block_comment(lex: Lexicon) -> str:
    """Nested to a fixed depth; where that does not close, the first ``*/`` does."""
    start = r"/\*(?!M?!)" if lex.version_comments else r"/\*"
    plain = rf"{start}[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?+"
    if not lex.nested_comments:
        return plain
    nested = r"/\*(?:[^*/]++|\*(?!/)|/(?!\*))*+\*/"
    for _ in range(_COMMENT_DEPTH - 1):
        nested = rf"/\*(?:[^*/]++|\*(?!/)|/(?!\*)|{nested})*+\*/"
    return f"{nested}|{plain}"


def guess_dialect(text: str) -> str:
    """The dialect that a script was written for, from marks that only it has, else ``""``.

    Looks at the beginning only. ``""`` also where two dialects have equally many marks.
    """
    head, comment = text[:_GUESS_LENGTH], text[:_HEADER_LENGTH].split(";", 1)[0]
    weights = {
        dialect: sum(weight for mark, weight in marks if mark.search(head))
        + CLEAR * bool(_PRODUCT[dialect].search(comment))
        for dialect, marks in _MARKS.items()
    }
    first, second = sorted(weights, key=lambda dialect: weights[dialect], reverse=True)[:2]
    clear = weights[first] >= CLEAR and weights[first] > weights[second]
    return first if clear else ""


_GUESS_LENGTH = 60_000
_HEADER_LENGTH = 2_000
_MARKS = {
    dialect: tuple(
        (re.compile(source, re.IGNORECASE | re.MULTILINE), weight)
        for source, weight in sources.items()
    )
    for dialect, sources in MARKS.items()
}
_PRODUCT = {
    dialect: re.compile(rf"^[^\S\r\n]*(?:--|/?\*|\#|DB Server:).*\b{product}\b", re.I | re.M)
    for dialect, product in PRODUCTS.items()
}
