"""The lexical facts against sqlglot's tokenizers, and the scanner against small texts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot.dialects.dialect import Dialect

from sqlscribe.notation.dialect_marks import MARKS, PRODUCTS
from sqlscribe.notation.lexicon import (
    DIALECTS,
    Kind,
    Piece,
    dialect_named,
    guess_dialect,
    lexicon,
    scan,
)

relaxed = settings(max_examples=100, deadline=None)

# Where we do not follow sqlglot, and why.
DEPARTURES = {
    ("", "backtick_identifiers"): "text of an unknown dialect may quote with backticks",
    ("", "dollar_quotes"): "text of an unknown dialect may hold PostgreSQL functions",
    ("athena", "backslash_escapes"): "queries go to Trino, where ESCAPE '\\' is one character",
    ("databricks", "dollar_quotes"): "bodies of Python functions stand in $$",
    ("trino", "dollar_quotes"): "bodies of Python functions stand in $$",
    ("fabric", "double_quoted_strings"): "QUOTED_IDENTIFIER is on by default",
    ("tsql", "double_quoted_strings"): "QUOTED_IDENTIFIER is on by default",
    ("dax", "single_quoted_names"): "'Table' has the same extent as a string",
}


def facts_of_sqlglot(dialect: str) -> dict[str, bool]:
    tokenizer = Dialect.get_or_raise(dialect or None).tokenizer_class
    quotes = {quote if isinstance(quote, str) else quote[0] for quote in tokenizer.QUOTES}
    names = {name if isinstance(name, str) else name[0] for name in tokenizer.IDENTIFIERS}
    prefixes = {
        start if isinstance(start, str) else start[0]
        for group in (tokenizer.RAW_STRINGS, tokenizer.HEREDOC_STRINGS, tokenizer.BYTE_STRINGS)
        for start in group
    }
    return {
        "hash_comments": "#" in tokenizer.COMMENTS,
        "slash_comments": "//" in tokenizer.COMMENTS,
        "nested_comments": tokenizer.NESTED_COMMENTS,
        "backslash_escapes": "\\" in tokenizer.STRING_ESCAPES,
        "doubled_quotes": bool({"'", '"'} & set(tokenizer.STRING_ESCAPES)),
        "double_quoted_strings": '"' in quotes,
        "backtick_identifiers": "`" in names,
        "bracket_identifiers": "[" in names,
        "dollar_quotes": bool({"$", "$$"} & prefixes),
        "triple_quotes": '"""' in quotes,
        "alternative_quotes": "q'[" in prefixes,
        "single_quoted_names": "'" in names,
    }


@pytest.mark.parametrize("dialect", ["", *DIALECTS])
def test_facts_are_those_of_sqlglot_but_for_named_departures(dialect: str) -> None:
    ours = lexicon(dialect)
    theirs = facts_of_sqlglot(dialect)
    differing = {name for name, value in theirs.items() if getattr(ours, name, False) != value}
    assert differing == {name for other, name in DEPARTURES if other == dialect}


def test_all_dialects_of_sqlglot_are_known() -> None:
    assert set(DIALECTS) == set(Dialect.classes) - {""}


def test_an_unknown_dialect_is_read_as_generic() -> None:
    assert lexicon("cobol") == lexicon("")
    assert lexicon("MySQL") == lexicon("mysql")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Postgres", "postgres"),
        (" PostgreSQL ", "postgres"),
        ("SQL  Server", "tsql"),
        ("MariaDB", "mysql"),
        ("generic", ""),
        ("postgress", None),
        ("", None),
    ],
)
def test_dialects_go_by_several_names(written: str, meant: str | None) -> None:
    assert dialect_named(written) == meant


LETTERS = {
    Kind.LINE_COMMENT: "L",
    Kind.BLOCK_COMMENT: "B",
    Kind.STRING: "S",
    Kind.IDENTIFIER: "I",
}


def check(dialect: str, text: str, *expected: str) -> None:
    """``expected``: each piece that is not code, as its kind's letter and its text."""
    found = [
        f"{LETTERS[piece.kind]} {text[piece.start : piece.end]}"
        for piece in scan(text, dialect)
        if piece.kind is not Kind.CODE
    ]
    assert found == list(expected)


@pytest.mark.parametrize(
    ("dialect", "text", "expected"),
    [
        ("", "a -- b 'c\nd", ["L -- b 'c"]),
        ("", "a -- b\r\n-- c\rd", ["L -- b", "L -- c"]),
        ("", "-- a\u2028b\n'c'", ["L -- a\u2028b", "S 'c'"]),
        ("", "/* a 'b */ 'c /* d'", ["B /* a 'b */", "S 'c /* d'"]),
        ("", "'it''s' \"a\"\"b\" `c`", ["S 'it''s'", 'I "a""b"', "I `c`"]),
        ("", "5 - 3 / 2 * 1", []),
        # Comments.
        ("postgres", "/* a /* b */ c */ d", ["B /* a /* b */ c */"]),
        ("mysql", "/* a /* b */ c", ["B /* a /* b */"]),
        ("postgres", "/* see db/*.sql */ SELECT 'a'", ["B /* see db/*.sql */", "S 'a'"]),
        ("postgres", "a /* b", ["B /* b"]),
        ("postgres", "a # b", []),
        ("mysql", "a # b", ["L # b"]),
        ("bigquery", "a # b\nc", ["L # b"]),
        ("snowflake", "a // b", ["L // b"]),
        ("snowflake", "PUT file:///data/x @y; 'z'", ["S 'z'"]),
        ("postgres", "a // b", []),
        ("mysql", "SELECT 5--1, 'a' -- b", ["S 'a'", "L -- b"]),
        ("mysql", "--first on its line\n a--b", ["L --first on its line"]),
        ("postgres", "SELECT 5--1", ["L --1"]),
        ("mysql", "/*!40101 SET x='a' */;", ["S 'a'"]),
        ("sqlite", "/*!40101 SET x='a' */;", ["B /*!40101 SET x='a' */"]),
        ("mysql", "/*+ hint */ a", ["B /*+ hint */"]),
        # Strings.
        ("mysql", r"'a\'b' c", [r"S 'a\'b'"]),
        ("postgres", r"'a\' c", [r"S 'a\'"]),
        ("postgres", r"E'a\'b' c 'd'", [r"S 'a\'b'", "S 'd'"]),
        ("postgres", r"SOME'a\' || 'b'", [r"S 'a\'", "S 'b'"]),
        ("bigquery", r"'''it's; \''' " " ''' x", [r"S '''it's; \''' " " '''"]),
        ("bigquery", "'' x 'y'", ["S ''", "S 'y'"]),
        ("spark", r"r'a\' b", [r"S 'a\'"]),
        ("spark", r"'a\' b'", [r"S 'a\' b'"]),
        ("oracle", "q'[it's]' || nq'!a'b!' || Q'xaxbx'", ["S '[it's]'", "S '!a'b!'", "S 'xaxbx'"]),
        ("oracle", "seq'a'", ["S 'a'"]),
        ("mysql", '"a" b', ['S "a"']),
        ("postgres", '"a" b', ['I "a"']),
        ("tsql", "[a]]b] 'c' N'd'", ["I [a]]b]", "S 'c'", "S 'd'"]),
        ("sqlite", "[a'b] `c'd`", ["I [a'b]", "I `c'd`"]),
        ("postgres", "a[1] || '[x'", ["S '[x'"]),
        ("bigquery", r"`a\`b` 'c'", [r"I `a\`b`", "S 'c'"]),
        # Dollar quotes.
        ("postgres", "AS $$ it's; $$ x", ["S $$ it's; $$"]),
        ("postgres", "AS $b$ $$ ' $b$ x", ["S $b$ $$ ' $b$"]),
        ("postgres", "a$b$c 'd' $1$ 'e'", ["S 'd'", "S 'e'"]),
        ("snowflake", "$$ a $$ $b$ c", ["S $$ a $$"]),
        ("postgres", "AS $$ never closed\n;", ["S $$ never closed\n;"]),
        ("sqlite", "$$ 'a' $$", ["S 'a'"]),
        # What is not closed ends with its line.
        ("postgres", "SELECT 'abc\n-- ask: x", ["S 'abc", "L -- ask: x"]),
        ("mysql", "SELECT 'abc\\'\n-- ask: x", ["S 'abc\\'", "L -- ask: x"]),
        ("tsql", "SELECT [abc\n-- ask: x", ["I [abc", "L -- ask: x"]),
        # Placeholders of templates.
        ("", "{{ config(a='b;', x=\"-- y\") }} 'c'", ["S 'c'"]),
        ("", "{% if x == 'it' %} {# don't #} 'c'", ["S 'c'"]),
        ("", "{{ it's", ["S 's"]),
        ("duckdb", "{'a': {'b': 1}}", ["S 'a'", "S 'b'"]),
    ],
)
def test_pieces(dialect: str, text: str, expected: list[str]) -> None:
    check(dialect, text, *expected)


def test_a_placeholder_is_code_of_its_own() -> None:
    assert list(scan("a {{ 'b' }} c", "")) == [
        Piece(Kind.CODE, 0, 2),
        Piece(Kind.CODE, 2, 11),
        Piece(Kind.CODE, 11, 13),
    ]


ATOMS = (
    "' \" ` [ ] $ $$ $a$ /* */ -- # // \\ \\' E' q'[ ]' r' ''' {{ }} {% %} /*! ; ( ) a é 1 @ "
    "GO BEGIN END CASE SELECT CREATE IS AS DELIMITER"
).split()
sql_like = st.lists(
    st.one_of(st.sampled_from([*ATOMS, "\n", "\r\n", "\r", " "]), st.characters()), max_size=30
).map("".join)


@relaxed
@given(sql_like, st.sampled_from(["", *DIALECTS]))
def test_pieces_cover_the_text_without_gaps(text: str, dialect: str) -> None:
    end = 0
    for piece in scan(text, dialect):
        assert piece.start == end
        assert piece.end > piece.start
        end = piece.end
    assert end == len(text)


@relaxed
@given(st.text(st.characters(exclude_characters="'\\")), st.sampled_from(["", *DIALECTS]))
def test_a_closed_string_is_one_piece_whatever_it_holds(inside: str, dialect: str) -> None:
    text = f"SELECT '{inside}' AS a"
    if inside or not lexicon(dialect).triple_quotes:
        assert Piece(Kind.STRING, 7, 9 + len(inside)) in list(scan(text, dialect))


@pytest.mark.parametrize(
    "atom", ["(", "'", "\\'\n", "[", "/*", "/*/* */", "{{", "{{ } ", "$a$ ", "--", "q'a", "\x00"]
)
def test_hostile_text_takes_linear_time(atom: str) -> None:
    text = (atom * 200_000)[:200_000]
    for dialect in ("", "mysql", "oracle", "tsql"):
        assert sum(piece.end - piece.start for piece in scan(text, dialect)) == len(text)


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("CREATE TABLE [dbo].[a] ([b] [int] IDENTITY(1,1))\nGO\n", "tsql"),
        ("-- MySQL dump 10.13\n", "mysql"),
        ("CREATE TABLE `a` (b int AUTO_INCREMENT) ENGINE=InnoDB;", "mysql"),
        ("COPY a (b) FROM stdin;\n1\n\\.\n", "postgres"),
        ("CREATE TABLE a (b jsonb, c timestamptz);", "postgres"),
        ("CREATE TABLE a (b VARCHAR2(10 BYTE))\n/\n", "oracle"),
        ("PRAGMA foreign_keys = ON;\nCREATE TABLE a (b INTEGER);", "sqlite"),
        ("CREATE VIRTUAL TABLE a USING fts5(b, c);", "sqlite"),
        ("CREATE TABLE a (b INT64, c STRUCT<d STRING>);", "bigquery"),
        ("CREATE TABLE a (b VARIANT, c TIMESTAMP_NTZ(9));", "snowflake"),
        ("CREATE TABLE a (b int) DISTSTYLE KEY DISTKEY (b);", "redshift"),
        ("CREATE TABLE a (b int) USING DELTA;", "databricks"),
        ("CREATE TABLE a (b int) STORED AS ORC;", "hive"),
        ("CREATE TABLE a (b int) USING parquet;", "spark"),
        ("CREATE TABLE a (b UInt8) ENGINE = MergeTree ORDER BY b;", "clickhouse"),
        ("CREATE MULTISET TABLE a (b int);", "teradata"),
        ("INSTALL spatial;\nSELECT * FROM read_parquet('a.parquet');", "duckdb"),
        ("/* Shop for SQL Server */\nCREATE TABLE a (b int);", "tsql"),
        ("CREATE TABLE a (b int, c text);", ""),
        ("-- from MySQL to SQLite\nCREATE TABLE a (b int);", ""),
        ("CREATE TABLE oracle (b int);", ""),
        ("", ""),
    ],
)
def test_the_dialect_shows_in_a_script(text: str, dialect: str) -> None:
    assert guess_dialect(text) == dialect


def test_marks_are_of_known_dialects() -> None:
    assert set(MARKS) == set(PRODUCTS) <= set(DIALECTS)


@relaxed
@given(sql_like)
def test_a_guess_is_a_dialect_or_none(text: str) -> None:
    assert guess_dialect(text) in ("", *DIALECTS)
