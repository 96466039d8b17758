"""SQL that the configured engine would reject although the parser reads it.

Looks at the tokens as they are written, because the trees rename what they know.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from sqlscribe.checking import features
from sqlscribe.checking.features import FUNCTIONS, Feature
from sqlscribe.checking.parsing import Parsed, span_of
from sqlscribe.notation.document import Span, TextEdit
from sqlscribe.notation.findings import Finding, Fix, Severity
from sqlscribe.notation.lexicon import Kind, lexicon, scan
from sqlscribe.schema.identifiers import quote
from sqlscribe.schema.model import Schema


def check_dialect(parse: Parsed, schema: Schema) -> list[Finding]:
    """Features that ``parse.dialect`` lacks. Works on text that does not parse, too."""
    if not parse.dialect:
        return []
    findings = [
        *_functions(parse, schema),
        *_phrases(parse),
        *_quotes(parse),
        *_named_by_text(parse),
    ]
    for tree in parse.trees:
        findings += _clauses(tree, parse)
        findings += _table_aliases(tree, parse)
    return findings


def _finding(
    feature: Feature, span: Span, dialect: str, fixes: tuple[Fix, ...] = ()
) -> Iterator[Finding]:
    """One finding, if the dialect lacks the feature."""
    if dialect not in feature.instead:
        return
    instead = feature.instead[dialect]
    message = f"{dialect} {feature.says}" + (f"; use {instead}" if instead else "")
    yield Finding(f"dialect/{feature.code}", Severity.ERROR, message, span, fixes)


def _between(first: Token, last: Token) -> Span:
    return Span(first.start, last.end + 1)


def _functions(parse: Parsed, schema: Schema) -> Iterator[Finding]:
    tokens = parse.tokens
    for index, token in enumerate(tokens[:-1]):
        name = token.text.casefold()
        if tokens[index + 1].token_type is not TokenType.L_PAREN or name not in FUNCTIONS:
            continue
        if token.token_type in _LITERALS or name in schema.functions:
            continue
        if index and tokens[index - 1].token_type in _NO_CALL:
            continue
        if _is_cte(tokens, index + 1):
            continue
        says = f"does not have {token.text}()"
        feature = Feature(name.replace("_", "-"), says, FUNCTIONS[name])
        yield from _finding(feature, span_of(token), parse.dialect)


_LITERALS = frozenset({TokenType.STRING, TokenType.IDENTIFIER, TokenType.NUMBER})
# Behind these a name with a parenthesis is no call: a method, a column, a table of INSERT.
_NO_CALL = frozenset(
    {
        TokenType.DOT,
        TokenType.INTO,
        TokenType.TABLE,
        TokenType.INDEX,
        TokenType.WITH,
        TokenType.R_PAREN,
        TokenType.VAR,
        TokenType.NUMBER,
        TokenType.STRING,
    }
)


def _is_cte(tokens: Sequence[Token], opening: int) -> bool:
    """``month (a, b) AS (``: the name of a CTE with its columns."""
    depth = 0
    for index in range(opening, min(opening + 60, len(tokens) - 2)):
        kind = tokens[index].token_type
        depth += (kind is TokenType.L_PAREN) - (kind is TokenType.R_PAREN)
        if depth == 0:
            after = tokens[index + 1].token_type, tokens[index + 2].token_type
            return after == (TokenType.ALIAS, TokenType.L_PAREN)
    return False


_SPACES = re.compile(r"[\s,;:/|_.()-]*\Z")
_UNIT = frozenset(
    "day days month months year years hour hours minute minutes second seconds week weeks"
    " quarter quarters microsecond millisecond".split()
)


def _phrases(parse: Parsed) -> Iterator[Finding]:
    """Features that a few tokens in a row give away."""
    tokens = parse.tokens
    for index, token in enumerate(tokens):
        rest = tokens[index + 1 : index + 5]
        before = tokens[index - 1] if index else None
        for feature, last in _phrase(token, before, rest):
            yield from _finding(feature, _between(token, last), parse.dialect)


def _phrase(
    token: Token, before: Token | None, rest: Sequence[Token]
) -> Iterator[tuple[Feature, Token]]:
    kind = token.token_type
    following = rest[0].token_type if rest else None
    if kind is TokenType.LIMIT and following in _VALUES:
        yield features.LIMIT, rest[0]
        if len(rest) > 2 and rest[1].token_type is TokenType.COMMA:
            yield features.LIMIT_PAIR, rest[2]
    elif kind in (TokenType.SELECT, TokenType.DISTINCT) and _is_top(rest):
        yield features.TOP, rest[0]
    elif kind is TokenType.FETCH and rest and rest[0].text.upper() in ("FIRST", "NEXT"):
        yield features.FETCH_FIRST, rest[0]
    elif kind is TokenType.INTERVAL and following in (TokenType.STRING, TokenType.NUMBER):
        yield from _interval(rest)
    elif kind in _WORD_FEATURES:
        yield _WORD_FEATURES[kind], token
    else:
        yield from _operator(token, before, rest)


_VALUES = frozenset({TokenType.NUMBER, TokenType.PARAMETER, TokenType.PLACEHOLDER})
_WORD_FEATURES = {
    TokenType.ILIKE: features.ILIKE,
    TokenType.SIMILAR_TO: features.SIMILAR_TO,
}


def _is_top(rest: Sequence[Token]) -> bool:
    if not rest or rest[0].text.upper() != "TOP" or len(rest) < 2:
        return False
    number = rest[1].token_type is TokenType.NUMBER
    return number or (
        rest[1].token_type is TokenType.L_PAREN
        and len(rest) > 3
        and rest[2].token_type is TokenType.NUMBER
    )


def _interval(rest: Sequence[Token]) -> Iterator[tuple[Feature, Token]]:
    yield features.INTERVAL, rest[0]
    unit = len(rest) > 1 and rest[1].text.casefold() in _UNIT
    if rest[0].token_type is TokenType.NUMBER and unit:
        yield features.INTERVAL_NUMBER, rest[1]
    elif not unit and re.fullmatch(r"[+-]?\d+ +[a-z]+", rest[0].text, re.IGNORECASE):
        yield features.INTERVAL_TEXT, rest[0]


def _operator(
    token: Token, before: Token | None, rest: Sequence[Token]
) -> Iterator[tuple[Feature, Token]]:
    kind = token.token_type
    after = rest[0] if rest else None
    strings = [part for part in (before, after) if part and part.token_type is TokenType.STRING]
    if kind is TokenType.DCOLON and (before is None or before.text.casefold() not in _STATIC):
        yield features.CAST_OPERATOR, after or token
    elif kind is TokenType.EQ and token.end > token.start:
        yield features.DOUBLE_EQUALS, token
    elif kind is TokenType.RLIKE and after and token.text.upper() == "REGEXP":
        yield features.REGEXP, token
    elif kind is TokenType.DPIPE and strings:
        yield features.CONCAT_PIPES, token
    elif kind is TokenType.PLUS and any(_SPACES.match(part.text) for part in strings):
        yield features.CONCAT_PLUS, token
    elif token.text.upper() == "MINUS" and after and after.token_type is TokenType.SELECT:
        yield features.MINUS, token
    elif kind is TokenType.COMMA and after and after.token_type is TokenType.FROM:
        yield features.TRAILING_COMMA, token
    elif token.text.upper() == "APPLY" and before and before.text.upper() in ("CROSS", "OUTER"):
        yield features.APPLY, token
    elif token.text.upper() == "NULLS" and after and after.text.upper() in ("FIRST", "LAST"):
        yield features.NULLS_ORDER, after
    elif (
        kind in (TokenType.DATE, TokenType.TIMESTAMP, TokenType.DATETIME)
        and after is not None
        and after.token_type is TokenType.STRING
        and (before is None or before.token_type not in (TokenType.ALIAS, TokenType.DCOLON))
    ):
        yield features.DATE_LITERAL, after


# T-SQL calls the methods of its types so: geography::Point(…).
_STATIC = frozenset({"geography", "geometry", "hierarchyid"})


def _clauses(tree: exp.Expression, parse: Parsed) -> Iterator[Finding]:
    """Features that only the tree shows."""
    for node in tree.walk():
        for feature, word in _clause(node):
            span = _word_span(word, parse)
            if span is not None:
                yield from _finding(feature, span, parse.dialect)


def _clause(node: exp.Expression) -> Iterator[tuple[Feature, str]]:
    if isinstance(node, exp.Distinct) and node.args.get("on"):
        yield features.DISTINCT_ON, "DISTINCT"
    elif isinstance(node, exp.Join) and node.args.get("side") == "FULL":
        yield features.FULL_JOIN, "FULL"
    elif isinstance(node, exp.Qualify):
        yield features.QUALIFY, "QUALIFY"
    elif isinstance(node, exp.Filter):
        yield features.FILTER, "FILTER"
    elif isinstance(node, exp.Star) and node.args.get("except_"):
        yield features.STAR_EXCEPT, "*"
    elif isinstance(node, exp.Boolean):
        yield features.BOOLEAN, "TRUE" if node.this else "FALSE"
    elif isinstance(node, exp.Lateral) and node.args.get("cross_apply") is None:
        yield features.LATERAL, "LATERAL"


def _table_aliases(tree: exp.Expression, parse: Parsed) -> Iterator[Finding]:
    """``FROM orders AS o``, where an engine wants the alias alone."""
    if parse.dialect not in features.TABLE_AS.instead:
        return
    before = {token.start: last for last, token in pairwise(parse.tokens)}
    for node in tree.find_all(exp.Table, exp.Subquery):
        alias = node.args.get("alias")
        name = alias.this if isinstance(alias, exp.TableAlias) else None
        if not isinstance(name, exp.Identifier) or not isinstance(
            node.this, exp.Identifier | exp.Query
        ):
            continue
        word = before.get(name.meta.get("start", -1))
        if word is not None and word.token_type is TokenType.ALIAS:
            span = span_of(word)
            edit = TextEdit(Span(word.start, name.meta["start"]), "")
            fix = Fix("Remove AS", (edit,), preferred=True)
            yield from _finding(features.TABLE_AS, span, parse.dialect, (fix,))


def _word_span(word: str, parse: Parsed) -> Span | None:
    found = next((token for token in parse.tokens if token.text.upper() == word), None)
    return span_of(found) if found else None


_BACKTICKED = re.compile(r"`([^`\n]+)`")
_BRACKETED = re.compile(r"(?<![\w\])\"`])(\s*)\[([^\W\d][\w ]*)\]")
_ARRAY_BEFORE = re.compile(r"(?:\w|[\])\"])\s*\Z")
_KEYWORD_BEFORE = re.compile(
    r"(?:^|\b(?:select|from|join|where|and|or|on|by|as|distinct|having|not|in|into|update|set"
    r"|when|then|else|case|between|like))\s*\Z",
    re.IGNORECASE,
)


def _quotes(parse: Parsed) -> Iterator[Finding]:
    """Names in the quotes of another dialect."""
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
                lead = parse.sql[max(start + found.start() - 40, 0) : start + found.start()]
                if _ARRAY_BEFORE.search(lead) and not _KEYWORD_BEFORE.search(lead):
                    continue
                span = Span(start + found.end(1), start + found.end())
                yield from _requoted(features.BRACKETS, span, found[2], parse)


def _requoted(feature: Feature, span: Span, name: str, parse: Parsed) -> Iterator[Finding]:
    plain = re.fullmatch(r"[^\W\d]\w*", name) is not None
    text = name if plain else quote(name, parse.dialect)
    fix = Fix(f"Change to {text}", (TextEdit(span, text),), preferred=True)
    yield from _finding(feature, span, parse.dialect, (fix,))


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
            fix = Fix(f"Change to {text}", (TextEdit(span, text),), preferred=True)
            yield from _finding(features.DOUBLE_QUOTES, span, parse.dialect, (fix,))
