"""What the words of a query say against its being a read.

The trees rename functions and forget how a name was written, so this looks at the tokens:
calls with effects, assignments, and in T-SQL the start of another statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from sqlglot.tokens import Token, TokenType

from sqlscribe.checking.effects import PACKAGES_NEED_NO_CALL, effect_of, folded
from sqlscribe.checking.parsing import Parsed
from sqlscribe.notation.script_lines import is_tsql

# T-SQL needs no semicolons: these words start a statement even where an alias could stand.
_TSQL_STATEMENTS = frozenset(
    """
    alter backup break bulk checkpoint commit continue create dbcc deallocate declare delete deny
    drop dump exec execute goto grant kill print raiserror readtext reconfigure restore return
    revert revoke rollback save setuser shutdown truncate update updatetext waitfor while writetext
    """.split()
)
_ESCAPED_NAMES = frozenset({"postgres", "materialize", "risingwave", ""})
_SEQUENCE_COLUMNS = frozenset({"oracle", "snowflake", "exasol", ""})
_LITERALS = frozenset({TokenType.STRING, TokenType.NUMBER, TokenType.NATIONAL_STRING})
_FETCHES_ENTITIES = frozenset({"oracle", ""})
_FILE_OUTPUT = frozenset({("INTO", "OUTFILE"), ("INTO", "DUMPFILE")})
_SAYS_SO = re.compile(r"(?:drop|delete|truncate|insert|update|purge|kill|terminate|exec|execute)_")
_ENTITIES = ("<!doctype", "<!entity")
_OPAQUE = 2  # The tokenizer leaves statements that it does not know as a word and a text.


def objections_of_words(parse: Parsed, reads: Callable[[str, str], bool]) -> Iterator[str]:
    """What speaks against a read, in the order of the text.

    ``reads`` says whether a query in a string, which a function runs, is a read itself.
    """
    tokens, dialect = parse.tokens, parse.dialect
    if writes_a_file(parse):
        yield "the query writes a file (INTO OUTFILE)"
    if dialect in _ESCAPED_NAMES and _is_escaped(parse):
        yield "a name is written in escapes, so it cannot be told what it means"
    for at, token in enumerate(tokens):
        if token.token_type is TokenType.COLON_EQ and _type(tokens, at - 2) is TokenType.PARAMETER:
            yield "the query sets a variable"
        elif token.text == "->>" and dialect == "snowflake":
            yield "the answer is a chain of statements (->>)"
        elif (
            token.token_type is TokenType.PARAMETER and dialect == "snowflake" and token.text == "@"
        ):
            yield "the query reads files of a stage"
        elif token.token_type in _LITERALS:
            if dialect in _FETCHES_ENTITIES and any(m in token.text.lower() for m in _ENTITIES):
                yield "an XML text of the query may bring in files or addresses (<!DOCTYPE)"
        elif _type(tokens, at + 1) is TokenType.L_PAREN:
            yield from _objections_to_call(tokens, at, dialect, reads)
        elif _after_dot(tokens, at):
            yield from _objections_to_part(tokens, at, dialect)
        elif token.token_type is not TokenType.IDENTIFIER:
            yield from _objections_to_word(token, dialect)


def _objections_to_call(
    tokens: tuple[Token, ...], at: int, dialect: str, reads: Callable[[str, str], bool]
) -> Iterator[str]:
    name, word = tokens[at].text, folded(tokens[at].text)
    path = f"{tokens[at - 2].text}.{name}" if _after_dot(tokens, at) else name
    if effect := effect_of(name, dialect):
        yield f"{name} {effect}"
    elif effect := effect_of(path, dialect):
        yield f"{path} {effect}"
    elif word == "last_insert_id" and _type(tokens, at + 2) is not TokenType.R_PAREN:
        yield f"{name} with a value changes a setting"
    elif word.startswith("crosstab") and not all(
        reads(query, dialect) for query in _strings_within(tokens, at + 1)
    ):
        yield f"{name} runs another query"
    elif is_tsql(dialect) and word in _TSQL_STATEMENTS:
        yield f"the answer is not a query ({name.upper()})"
    elif _SAYS_SO.match(word):
        # No engine has a function of such a name that only computes; somebody's own has one.
        yield f"{name} says by its name that it changes something"


def _objections_to_part(tokens: tuple[Token, ...], at: int, dialect: str) -> Iterator[str]:
    """What a name behind a point does without being called."""
    name = tokens[at].text
    path = f"{tokens[at - 2].text}.{name}"
    if dialect in _SEQUENCE_COLUMNS and folded(name).split("@")[0] == "nextval":
        yield "NEXTVAL advances a sequence"
    elif dialect in PACKAGES_NEED_NO_CALL and (effect := effect_of(path, dialect)):
        yield f"{path} {effect}"


def _objections_to_word(token: Token, dialect: str) -> Iterator[str]:
    word = token.text.lower()
    # Where the dialect is not known, it may be one that needs no semicolon: 1 DELETE FROM t.
    if (is_tsql(dialect) and word in _TSQL_STATEMENTS) or (not dialect and word == "delete"):
        yield f"the answer is not a query ({token.text.upper()})"


def writes_a_file(parse: Parsed) -> bool:
    """Whether a query ends in ``INTO OUTFILE`` or the like."""
    words = [
        word
        for token in parse.tokens
        if token.token_type not in _LITERALS or len(parse.tokens) <= _OPAQUE
        for word in token.text.upper().split()
    ]
    return any(pair in _FILE_OUTPUT for pair in pairwise(words))


def _is_escaped(parse: Parsed) -> bool:
    """Whether a name is written like ``U&"\\0070g_sleep"``."""
    return any(
        token.token_type is TokenType.IDENTIFIER
        and parse.sql[max(token.start - 2, 0) : token.start].lower() == "u&"
        for token in parse.tokens
    )


def _type(tokens: tuple[Token, ...], at: int) -> TokenType | None:
    return tokens[at].token_type if 0 <= at < len(tokens) else None


def _after_dot(tokens: tuple[Token, ...], at: int) -> bool:
    return at >= 2 and tokens[at - 1].token_type is TokenType.DOT


def _strings_within(tokens: tuple[Token, ...], at: int) -> Iterator[str]:
    """The strings inside the parentheses that open at a token."""
    depth = 0
    for token in tokens[at:]:
        if token.token_type is TokenType.L_PAREN:
            depth += 1
        elif token.token_type is TokenType.R_PAREN:
            depth -= 1
            if not depth:
                return
        elif token.token_type not in (TokenType.COMMA, TokenType.NUMBER):
            yield token.text
