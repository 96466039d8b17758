"""Names and texts in the quotes of another dialect."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise

from sqlglot.tokens import TokenType

from sqlscribe.checking.dialects import features
from sqlscribe.checking.dialects.feature import Feature, findings, rewrite
from sqlscribe.checking.names.misses import Miss, MissKind
from sqlscribe.checking.parsing import Parsed, span_of
from sqlscribe.notation.document import Span
from sqlscribe.notation.findings import Finding
from sqlscribe.notation.lexicon import Kind, lexicon, scan
from sqlscribe.schema.identifiers import quote

_BACKTICKED = re.compile(r"`([^`\n]+)`")
_BRACKETED = re.compile(r"(?<![\w\])\"`])\[([^\W\d][\w ]*)\]")
_ARRAY_BEFORE = re.compile(r"(?:\w|[\])\"])\s*\Z")
_KEYWORD_BEFORE = re.compile(
    r"(?:^|\b(?:select|from|join|where|and|or|on|by|as|distinct|having|not|in|into|update|set"
    r"|when|then|else|case|between|like))\s*\Z",
    re.IGNORECASE,
)


def quoted_names(parse: Parsed) -> Iterator[Finding]:
    """Names in quotes that are none here."""
    lex = lexicon(parse.dialect)
    for kind, start, end in scan(parse.sql, parse.dialect):
        if kind is not Kind.CODE:
            continue
        code = parse.sql[start:end]
        if not lex.backtick_identifiers:
            for found in _BACKTICKED.finditer(code):
                span = Span(start + found.start(), start + found.end())
                yield from _requoted(features.BACKTICKS, span, found[1], parse)
        if not lex.bracket_identifiers:
            for found in _BRACKETED.finditer(code):
                at = start + found.start()
                lead = parse.sql[max(at - 200, 0) : at].rstrip()[-40:]
                if _ARRAY_BEFORE.search(lead) and not _KEYWORD_BEFORE.search(lead):
                    continue
                span = Span(at, start + found.end())
                yield from _requoted(features.BRACKETS, span, found[1], parse)
    yield from _named_by_text(parse)


def _requoted(feature: Feature, span: Span, name: str, parse: Parsed) -> Iterator[Finding]:
    plain = re.fullmatch(r"[^\W\d]\w*", name) is not None
    text = name if plain else quote(name, parse.dialect)
    yield from findings(feature, span, parse.dialect, rewrite(f"Change to {text}", (span, text)))


_OPERAND = frozenset(
    {
        TokenType.SELECT,
        TokenType.DISTINCT,
        TokenType.COMMA,
        TokenType.ORDER_BY,
        TokenType.GROUP_BY,
        TokenType.WHERE,
        TokenType.AND,
        TokenType.OR,
        TokenType.ON,
    }
)
_AFTER_NAME = frozenset(
    {
        TokenType.COMMA,
        TokenType.FROM,
        TokenType.ALIAS,
        TokenType.EQ,
        TokenType.NEQ,
        TokenType.LT,
        TokenType.LTE,
        TokenType.GT,
        TokenType.GTE,
        TokenType.IS,
        TokenType.IN,
        TokenType.LIKE,
        TokenType.BETWEEN,
        TokenType.ASC,
        TokenType.DESC,
        TokenType.LIMIT,
    }
)


_ONLY_NAMES = frozenset({TokenType.FROM, TokenType.JOIN, TokenType.INTO, TokenType.DOT})


def _named_by_text(parse: Parsed) -> Iterator[Finding]:
    """``FROM "orders"`` and ``o."total"``, where such quotes make a text."""
    if not lexicon(parse.dialect).double_quoted_strings:
        return
    for before, token in pairwise(parse.tokens):
        quoted = parse.sql[token.start : token.start + 1] == '"'
        if quoted and token.token_type is TokenType.STRING and before.token_type in _ONLY_NAMES:
            yield from _requoted(features.DOUBLE_QUOTES, span_of(token), token.text, parse)


def check_text_for_names(parse: Parsed, columns: Collection[str]) -> Iterator[Finding]:
    """Strings in double quotes that stand where a name does and are called like a column.

    ``columns`` are the case-folded names of the columns in use.
    """
    if not lexicon(parse.dialect).double_quoted_strings:
        return
    lists: list[bool] = []
    for index, token in enumerate(parse.tokens):
        after = parse.tokens[index + 1].token_type if index + 1 < len(parse.tokens) else None
        if token.token_type is TokenType.L_PAREN:
            lists.append(after is not TokenType.SELECT)
        elif token.token_type is TokenType.R_PAREN and lists:
            lists.pop()
        if (
            token.token_type is TokenType.STRING
            and parse.sql[token.start : token.start + 1] == '"'
            and token.text.casefold() in columns
            and not (lists and lists[-1])
            and index
            and parse.tokens[index - 1].token_type in _OPERAND
            and (after is None or after in _AFTER_NAME)
        ):
            text = quote(token.text, parse.dialect)
            span = span_of(token)
            fix = rewrite(f"Change to {text}", (span, text))
            yield from findings(features.DOUBLE_QUOTES, span, parse.dialect, fix)


_COMPARED = frozenset({TokenType.EQ, TokenType.NEQ, TokenType.LIKE, TokenType.ILIKE})


def check_names_for_text(parse: Parsed, misses: Collection[Miss]) -> Iterator[Finding]:
    """Unknown columns in double quotes that something is compared with: texts are meant."""
    wrong = {
        miss.name.meta.get("start")
        for miss in misses
        if miss.kind is MissKind.COLUMN and miss.before is None and miss.name.args.get("quoted")
    }
    listed = False
    for before, token in pairwise(parse.tokens):
        if token.token_type in (TokenType.L_PAREN, TokenType.R_PAREN):
            listed = before.token_type is TokenType.IN
        if token.start not in wrong or parse.sql[token.start] != '"':
            continue
        if listed or before.token_type in _COMPARED:
            span = span_of(token)
            text = "'" + token.text.replace("'", "''") + "'"
            fix = rewrite(f"Change to {text}", (span, text))
            yield from findings(features.QUOTED_TEXT, span, parse.dialect, fix)
