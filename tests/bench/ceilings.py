"""Question sets that say beside each question what its answer takes: the ceilings of an arm.

    python tests/bench/ceilings.py SET --give tables|values|example [--examples PAIRS] > TOLD

TOLD is SET with a hint on a second line of each question, as a person continues the comment:
the tables of the gold query, the texts that it compares columns with, or the SQL of that pair of
PAIRS on the same database whose shape comes nearest to it. ``--give`` may be given again.
Asked by the same arm, TOLD shows what better retrieval could gain at most.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sqlglot import exp

from sqlscribe.checking.parsing import parsed
from sqlscribe.knowledge.skeleton import likeness, skeleton

Item = dict[str, Any]
GIVEN = ("tables", "values", "example")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("set", type=Path)
    parser.add_argument("--give", action="append", choices=GIVEN, required=True)
    parser.add_argument("--examples", type=Path)
    options = parser.parse_args()
    pairs = _lines(options.examples) if options.examples else []
    for item in _lines(options.set):
        sys.stdout.write(json.dumps(told(item, options.give, pairs, options.set.parent)) + "\n")


def told(item: Item, given: Sequence[str], pairs: Sequence[Item], folder: Path) -> Item:
    """The question with its hints. Paths are made absolute: the new set may lie elsewhere."""
    gold, dialect = item.get("gold_sql", ""), item.get("dialect", "")
    hints = [item["evidence"]] if item.get("evidence") else []
    if gold and "tables" in given:
        hints.append(f"The tables needed are {', '.join(tables(gold, dialect))}.")
    if gold and "values" in given:
        hints += [f"{column} has '{value}'" for column, value in values(gold, dialect)]
    if gold and "example" in given:
        own = [pair for pair in pairs if pair.get("db_id") == item.get("db_id")]
        shape = skeleton(gold, dialect)
        alike = max(
            own, key=lambda pair: likeness(shape, skeleton(pair["sql"], dialect)), default={}
        )
        if alike:
            hints.append(f"The answer has the shape of: {' '.join(alike['sql'].split())}")
    paths = {
        key: str((folder / item[key]).resolve())
        for key in ("db", "schema")
        if item.get(key) and "://" not in item[key]
    }
    return {**item, **paths, "evidence": "\n".join(hints)}


def tables(sql: str, dialect: str) -> list[str]:
    """The tables that a query reads, without those that it makes itself."""
    trees = parsed(sql, dialect).trees
    own = {cte.alias.casefold() for tree in trees for cte in tree.find_all(exp.CTE)}
    names = [table.name for tree in trees for table in tree.find_all(exp.Table)]
    return sorted({name.casefold(): name for name in names if name.casefold() not in own}.values())


def values(sql: str, dialect: str) -> list[tuple[str, str]]:
    """The texts that a query compares columns with, each with the column's name."""
    found = [
        (column.name, literal.this)
        for tree in parsed(sql, dialect).trees
        for comparison in tree.find_all(exp.EQ, exp.NEQ, exp.Like, exp.ILike, exp.In)
        for column, literal in _compared(comparison)
    ]
    return list(dict.fromkeys(found))


def _compared(comparison: exp.Expression) -> Iterator[tuple[exp.Column, exp.Literal]]:
    sides = [comparison.this, comparison.args.get("expression"), *comparison.expressions]
    columns = [each.find(exp.Column) for each in sides if each is not None]
    column = next((each for each in columns if each is not None), None)
    for side in sides:
        if column is not None and isinstance(side, exp.Literal) and side.is_string:
            yield column, side


def _lines(path: Path) -> list[Item]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    main()
