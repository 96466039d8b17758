"""The guard before every engine: what may be sent, and which tables it needs."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from sqlglot import exp

from sqlscribe.checking.names.pseudo import is_catalog
from sqlscribe.checking.parsing import parsed
from sqlscribe.checking.reads import classify
from sqlscribe.notation.lexicon import Kind, scan
from sqlscribe.schema.model import Schema, Table

_TEMPLATE = re.compile(r"\{\{|\{%|\{#|\$\{|<%|%\(\w+\)s|\x00")
_VARIABLES = (exp.Placeholder, exp.Parameter, exp.SessionParameter)
_MAY_BE_VARIABLE = re.compile(r"[{}?:@$&%#]")
_UNPARSED_QUERIES = frozenset({"SELECT", "WITH", "VALUES"})


@dataclass(frozen=True)
class Reads:
    """The tables of a schema that a query reads.

    ``understood`` is true where they are all there is, and every column of theirs is known:
    only then may a missing name be the query's fault.
    """

    tables: tuple[Table, ...] = ()
    understood: bool = False


def may_be_sent(sql: str, dialect: str) -> bool:
    """True for a single query that only reads, and that is complete as it stands.

    A query with variables or placeholders is none: its engine never sees it like that.
    """
    if _TEMPLATE.search(sql) or "/*!" in sql or "/*M!" in sql or _has_no_utf8(sql):
        return False
    try:
        if not classify(sql, dialect).read:
            return False
        trees = parsed(sql, dialect).trees
        if len(trees) != 1 or not isinstance(trees[0], exp.Query | exp.Values):
            return False
        return trees[0].find(*_VARIABLES) is None
    except RecursionError:
        return False


def may_be_parsed(sql: str, dialect: str) -> bool:
    """True for what our parser does not read, but looks like one query.

    Its engine may be asked whether it does: in memory, where nothing can be harmed.
    """
    verdict = classify(sql, dialect)
    problem = parsed(sql, dialect).problem
    if verdict.parsed or problem is None or not problem.sure or len(verdict.kinds) != 1:
        return False
    if _TEMPLATE.search(sql) or _has_no_utf8(sql) or verdict.kinds[0] not in _UNPARSED_QUERIES:
        return False
    code = (sql[start:end] for kind, start, end in scan(sql, dialect) if kind is Kind.CODE)
    return not any(_MAY_BE_VARIABLE.search(piece) for piece in code)


def _has_no_utf8(sql: str) -> bool:
    """Half of a surrogate pair cannot be sent to any engine."""
    return any("\ud800" <= letter <= "\udfff" for letter in sql)


def reads(sql: str, schema: Schema, dialect: str, made: Collection[str] = ()) -> Reads:
    """The tables of ``schema`` that a query which ``may_be_sent`` reads."""
    tree = parsed(sql, dialect).trees[0]
    own = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
    made_here = {name.casefold() for name in made}
    found: dict[tuple[str, str], Table] = {}
    understood = True
    for node in tree.find_all(exp.Table):
        name, namespace = node.name, ".".join(filter(None, (node.catalog, node.db)))
        if not isinstance(node.this, exp.Identifier):
            continue
        if is_catalog(name, namespace, dialect):
            continue
        known = schema.named(name, namespace)
        for table in known:
            found[table.schema, table.name] = table
        if name.casefold() in made_here:
            understood = False
        elif len(known) == 1:
            understood &= bool(known[0].columns) and not known[0].partly_understood
        elif known or namespace or name.casefold() not in own:
            # Unknown, or one of several: the check of names says what there is to say.
            understood = False
    return Reads(tuple(found.values()), understood)
