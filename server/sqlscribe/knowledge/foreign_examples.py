"""Pairs of questions and SQL in the formats of other tools.

What a file holds is told by its keys: Vanna's training data, Spider and BIRD, Cortex Analyst's
verified queries, and lists of mappings that call the two by any of the usual names.
"""

from __future__ import annotations

import csv
import datetime
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlscribe.knowledge.located import Node
from sqlscribe.knowledge.located_json import read_json, read_json_lines
from sqlscribe.knowledge.located_yaml import read_yaml
from sqlscribe.notation.document import Document

_QUESTION = ("question", "nl_question", "natural_language", "utterance", "text", "prompt", "input",
             "instruction", "nl", "title")  # fmt: skip
_SQL = ("sql", "gold_sql", "sql_query", "query_sql", "gold", "content", "output", "completion",
        "response", "answer", "target")  # fmt: skip
_LISTS = ("verified_queries", "training_data", "examples", "questions", "queries", "data", "pairs")


@dataclass(frozen=True)
class Pair:
    """``question`` is ``""`` where only the SQL is there. ``line`` is zero-based.

    ``database`` is the name of the database where a file has questions on several.
    """

    question: str
    sql: str
    line: int
    database: str = ""
    dialect: str = ""
    note: str = ""
    verified_by: str = ""
    verified_at: str = ""


class Problem(NamedTuple):
    """Why something in the file is not used. ``line`` is zero-based."""

    line: int
    message: str


class Foreign(NamedTuple):
    pairs: tuple[Pair, ...]
    problems: tuple[Problem, ...]


def read_foreign(document: Document, name: str) -> Foreign:
    """The pairs in a file called ``name``. What cannot be used is a problem, and costs itself."""
    ending = name.rpartition(".")[2].casefold()
    if ending in ("csv", "tsv"):
        return _of_csv(document, "\t" if ending == "tsv" else ",")
    if ending in ("yaml", "yml"):
        located = read_yaml(document)
        roots, said = located.roots, [located.problem] if located.problem else []
    elif ending in ("jsonl", "ndjson"):
        items, said = read_json_lines(document)
        roots = (Node("list", items[0].span, items=tuple(items)),) if items else ()
    elif ending == "json":
        items, said = read_json(document)
        roots = tuple(items)
        if len(items) != 1 or items[0].kind != "mapping":
            roots = (Node("list", items[0].span, items=roots),) if items else ()
    else:
        message = "this kind of file is not known: .json, .jsonl, .csv, .tsv and .yaml are"
        return Foreign((), (Problem(0, message),))
    problems = [Problem(document.line_of(one.span.start), _clause(one.message)) for one in said]
    pairs: list[Pair] = []
    for root in roots:
        for found in _of_root(root, document):
            (pairs if isinstance(found, Pair) else problems).append(found)  # type: ignore[arg-type]
    if not pairs and not problems:
        problems.append(Problem(0, "there are no questions with SQL in it"))
    return Foreign(tuple(pairs), tuple(sorted(problems)))


def _of_root(root: Node, document: Document) -> Iterator[Pair | Problem]:
    if root.kind == "mapping":
        tables = _base_tables(root)
        if root.get("saved_queries") is not None:
            line = document.line_of(root.span.start)
            yield Problem(line, "dbt's saved queries name metrics and hold no SQL")
        for listed in _listed(root):
            for item in listed.items:
                yield _pair(_plain(item), document.line_of(item.span.start), tables)
        if not _listed(root):
            yield from _of_mapping(root, document)
    else:
        for item in root.items:
            yield _pair(_plain(item), document.line_of(item.span.start))


def _of_mapping(root: Node, document: Document) -> Iterator[Pair | Problem]:
    """One pair, or questions as keys with their SQL as values."""
    plain = _plain(root)
    if any(name in plain for name in (*_SQL, "query")):
        yield _pair(plain, document.line_of(root.span.start))
        return
    for key, value in root.pairs:
        if value.kind == "text" and _STARTS.match(value.text):
            line = document.line_of(key.span.start)
            yield _pair({"question": key.text, "sql": value.text}, line)


_STARTS = re.compile(r"\s*(?:--[^\n]*\n\s*)*\(*\s*(?:select|with)\b", re.IGNORECASE)


def _listed(root: Node) -> list[Node]:
    found = [root.get(name) for name in _LISTS] if root.kind == "mapping" else []
    return [node for node in found if node is not None and node.kind == "list"]


def _base_tables(root: Node) -> dict[str, str]:
    """The tables behind the logical ones of a semantic model, which its queries call ``__name``."""
    found: dict[str, str] = {}
    tables = root.get("tables")
    for table in tables.items if tables is not None else ():
        name, base = table.get("name"), table.get("base_table")
        real = base.get("table") if base is not None else None
        if name is not None and real is not None:
            found[name.text.casefold()] = real.text
    return found


def _plain(node: Node) -> dict[str, str]:
    """The scalars of a mapping by their names in lower case."""
    return {
        key.text.strip().casefold(): value.text
        for key, value in node.pairs
        if value.kind not in ("list", "mapping", "null")
    }


def _of_csv(document: Document, separator: str) -> Foreign:
    pairs: list[Pair] = []
    problems: list[Problem] = []
    text = document.text.removeprefix("\ufeff").replace("\0", "")
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator)
    before = 0
    try:
        before = reader.line_num
        for row in reader:
            plain = {
                str(name).strip().casefold(): value
                for name, value in row.items()
                if isinstance(value, str)
            }
            found = _pair(plain, max(before, 1))
            before = reader.line_num
            (pairs if isinstance(found, Pair) else problems).append(found)  # type: ignore[arg-type]
    except csv.Error as error:
        problems.append(Problem(before, f"the rest cannot be read: {error}"))
    if not pairs and not problems:
        problems.append(Problem(0, "there are no questions with SQL in it"))
    return Foreign(tuple(pairs), tuple(problems))


def _pair(
    plain: Mapping[str, str], line: int, tables: Mapping[str, str] | None = None
) -> Pair | Problem:
    kind = plain.get("training_data_type", "sql").strip().casefold()
    if kind != "sql":
        where = "schema" if kind == "ddl" else "notes"
        return Problem(line, f"this is no question but {kind}, which belongs to the {where}")
    sql = _first(plain, _SQL)
    question = _first(plain, _QUESTION)
    if "query" in plain:
        # The SQL for some tools, and the question for those that have a field for the SQL.
        if not sql:
            sql = plain["query"]
        elif not question:
            question = plain["query"]
    if not sql.strip():
        known = ", ".join(list(plain)[:6]) or "nothing"
        return Problem(line, f"there is no SQL in it, only {known}")
    return Pair(
        _question(question),
        _sql(sql, tables or {}),
        line,
        plain.get("db_id", "").strip(),
        plain.get("dialect", "").strip(),
        " ".join((plain.get("evidence") or plain.get("note") or "").split()),
        plain.get("verified_by", "").strip(),
        _day(plain.get("verified_at", "")),
    )


def _first(plain: Mapping[str, str], names: Sequence[str]) -> str:
    return next((plain[name] for name in names if plain.get(name, "").strip()), "")


_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


def _question(text: str) -> str:
    """One spelling of the same letters; escapes of escapes are undone."""
    if text.isascii():
        text = _ESCAPE.sub(lambda code: chr(int(code[1], 16)), text)
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return unicodedata.normalize("NFC", "\n".join(map(str.strip, text.strip().splitlines())))


_FENCE = re.compile(r"\A\s*```\w*\s*\n(?P<sql>.*?)\n?\s*```\s*\Z", re.DOTALL)


def _sql(text: str, tables: Mapping[str, str]) -> str:
    fenced = _FENCE.match(text)
    sql = (fenced["sql"] if fenced else text).strip()
    sql = re.sub(r"(?:\s*;)+\Z", "", sql)
    if tables:
        sql = re.sub(r"\b__(\w+)", lambda name: tables.get(name[1].casefold(), name[0]), sql)
    return sql


def _day(text: str) -> str:
    """A day from a day, a time, or seconds since 1970; ``""`` for anything else."""
    text = text.strip()
    if re.fullmatch(r"\d{9,11}", text):
        moment = datetime.datetime.fromtimestamp(int(text), datetime.UTC)
        return moment.date().isoformat()
    day = re.match(r"\d{4}-\d\d-\d\d", text)
    return day[0] if day else ""


def _clause(sentence: str) -> str:
    return f"{sentence[:1].lower()}{sentence[1:].rstrip('.')}"
