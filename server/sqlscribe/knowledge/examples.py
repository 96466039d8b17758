"""Verified examples: questions with the SQL that answers them, read from the team's files.

``.sql`` files hold them in the notation in which questions are asked, ``.yaml``, ``.jsonl``
and ``.json`` files as mappings. What cannot be used becomes a finding at its line, and costs
only itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from sqlscribe.knowledge.located import IN_WORDS, Findings, Node, Problem, closest, nearest
from sqlscribe.knowledge.located_json import read_json, read_json_lines
from sqlscribe.knowledge.located_yaml import read_yaml
from sqlscribe.knowledge.terms import same_question
from sqlscribe.notation import asks
from sqlscribe.notation.document import Document, Span
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.notation.lexicon import DIALECTS, dialect_named
from sqlscribe.notation.question import own_dialect
from sqlscribe.notation.stamps import stamp_under


class Wrong(NamedTuple):
    """An answer that looks right and is not, and what is wrong with it."""

    sql: str
    why: str


@dataclass(frozen=True)
class Example:
    """A question and its verified answer. ``dialect`` is that of the SQL, ``""`` if unknown.

    ``line`` is the zero-based line of ``file`` where the example starts, ``span`` the place
    of the whole example, or of its question, in the text of the file.
    """

    question: str
    sql: str
    dialect: str = ""
    tables: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    note: str = ""
    verified_by: str = ""
    verified_at: str = ""
    wrong: tuple[Wrong, ...] = ()
    file: Path = Path()
    line: int = 0
    span: Span = field(default=Span(0, 0), compare=False)

    @cached_property
    def key(self) -> str:
        """Stable as long as question, dialect and SQL stay; it does not depend on the place."""
        text = "\0".join((same_question(self.question), self.dialect, self.sql))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def read_examples(
    document: Document, path: Path, dialect: str
) -> tuple[tuple[Example, ...], tuple[Finding, ...]]:
    """The examples in a file, by its extension; ``dialect`` is the one of the workspace.

    Files of other kinds hold none.
    """
    findings = Findings()
    nodes: Sequence[Node]
    match path.suffix.casefold():
        case ".yaml" | ".yml":
            nodes, problems = _yaml_items(document)
        case ".jsonl" | ".ndjson":
            nodes, problems = read_json_lines(document)
        case ".json":
            nodes, problems = read_json(document)
        case ".sql":
            return _read_sql(document, path, dialect)
        case _:
            return (), ()
    findings.unreadable("example/syntax", problems)
    examples = [_example(node, document, path, dialect, findings) for node in nodes]
    return tuple(example for example in examples if example), tuple(findings)


def duplicates(examples: Iterable[Example]) -> dict[Path, tuple[Finding, ...]]:
    """Findings by file on questions that were answered before, in the order of ``examples``."""
    latest: dict[tuple[str, str], Example] = {}
    found: dict[Path, list[Finding]] = {}
    for example in examples:
        earlier = latest.get(_asked(example))
        latest[_asked(example)] = example
        if earlier is None:
            continue
        place = f"{earlier.file.name}, line {earlier.line + 1}"
        if _bare(earlier.sql) == _bare(example.sql):
            code, severity = "example/duplicate", Severity.HINT
            message = f"The same question and answer are in {place}."
        else:
            code, severity = "example/two-answers", Severity.WARNING
            message = f"The same question has another answer in {place}. This later one is used."
        found.setdefault(example.file, []).append(Finding(code, severity, message, example.span))
    return {file: tuple(findings) for file, findings in found.items()}


def latest(examples: Iterable[Example]) -> tuple[Example, ...]:
    """One example for each question and dialect: of several, the last one, in its place."""
    kept: dict[tuple[str, str], Example] = {}
    for example in examples:
        kept.pop(_asked(example), None)
        kept[_asked(example)] = example
    return tuple(kept.values())


def usable(
    examples: Iterable[Example], problem_of: Callable[[Example], tuple[str, str] | None]
) -> tuple[tuple[Example, ...], tuple[Finding, ...]]:
    """The examples of one file without those whose SQL has a problem, and findings on these.

    ``problem_of`` gives the code and the reason, where an example's SQL is no good.
    """
    good: list[Example] = []
    findings: list[Finding] = []
    for example in examples:
        problem = problem_of(example)
        if problem is None:
            good.append(example)
        else:
            code, reason = problem
            message = f"This example is not used: {reason}"
            findings.append(Finding(code, Severity.WARNING, message, example.span))
    return tuple(good), tuple(findings)


_GONE = ("name/unknown-table", "name/unknown-column", "name/unknown-field")


def fitting(
    examples: Iterable[Example], findings_of: Callable[[Example], Iterable[Finding]]
) -> tuple[tuple[Example, ...], dict[Path, tuple[Finding, ...]]]:
    """The examples whose names the schema has, and findings by file on the others.

    ``findings_of`` checks an example's SQL against the schema of today; only errors about names
    that are not there count.
    """
    good: list[Example] = []
    gone: dict[Path, list[Finding]] = {}
    for example in examples:
        missing = next(
            (
                finding
                for finding in findings_of(example)
                if finding.code in _GONE and finding.severity is Severity.ERROR
            ),
            None,
        )
        if missing is None:
            good.append(example)
            continue
        message = f"This example is not used, it does not fit the schema: {missing.message}"
        finding = Finding("example/does-not-fit", Severity.WARNING, message, example.span)
        gone.setdefault(example.file, []).append(finding)
    return tuple(good), {file: tuple(findings) for file, findings in gone.items()}


def _asked(example: Example) -> tuple[str, str]:
    return same_question(example.question), example.dialect


def _bare(sql: str) -> str:
    return " ".join(sql.split()).rstrip("; ")


# The notation of questions.


def _read_sql(
    document: Document, path: Path, dialect: str
) -> tuple[tuple[Example, ...], tuple[Finding, ...]]:
    script = asks.read(document, dialect)
    ends = {statement.end: statement.span.end for statement in script.statements}
    examples: list[Example] = []
    findings: list[Finding] = []
    for question in script.questions:
        # A refine or an error that stands for itself is still to be answered.
        if question.kind != "ask":
            continue
        if question.answer is None:
            message = "This question has no answer under it, so it is not used as an example."
            findings.append(Finding("example/no-answer", Severity.HINT, message, question.span))
            continue
        start, end = question.answer
        stamp = stamp_under(document.text, end)
        examples.append(
            Example(
                question="\n".join([*(turn.text for turn in question.turns), question.text]),
                sql=document.text[start : ends.get(end, end)],
                dialect=own_dialect(question),
                verified_by=stamp.get("verified_by") if stamp else "",
                verified_at=stamp.get("verified_at") if stamp else "",
                file=path,
                line=document.line_of(question.span.start),
                span=question.span,
            )
        )
    return tuple(examples), tuple(findings)


# Mappings.

_TEXTS = ("question", "sql", "dialect", "note", "verified_by", "verified_at")
_LISTS = ("tables", "tags")
_KEYS = (*_TEXTS, *_LISTS, "wrong")
_WRONG_KEYS = ("sql", "why")
_STRICT = ("question", "sql", "dialect")
"""A question that reads as a number is a mistake; a note or a name may well be one."""
_SCALARS = ("text", "number", "truth", "date")


def _yaml_items(document: Document) -> tuple[list[Node], list[Problem]]:
    """The items of all documents: of a list, of ``examples`` in a mapping, or the mapping."""
    located = read_yaml(document)
    items: list[Node] = []
    for root in located.roots:
        listed = root.get("examples") if root.kind == "mapping" else root
        if listed is not None and listed.kind == "list":
            items += listed.items
        elif root.kind != "null" and not (located.problem and root is located.roots[-1]):
            items.append(root)
    return items, [located.problem] if located.problem else []


def _example(
    node: Node, document: Document, path: Path, dialect: str, findings: Findings
) -> Example | None:
    first_line = document.line_span(document.line_of(node.span.start))
    place = node.span._replace(end=min(node.span.end, max(first_line.end, node.span.start)))
    if node.kind != "mapping":
        message = "An example is a mapping with question and sql."
        findings.add("example/bad-value", Severity.WARNING, message, place)
        return None
    _check_keys(node, _KEYS, findings)
    texts = {name: _text(node, name, findings) for name in _TEXTS}
    missing = [name for name in ("question", "sql") if not texts[name]]
    if missing:
        message = f"This example has no {' and no '.join(missing)}, so it is not used."
        findings.add("example/incomplete", Severity.WARNING, message, place)
        return None
    texts["dialect"] = _dialect(node, texts["dialect"], dialect, findings)
    return Example(
        **texts,
        tables=_list(node, "tables", findings),
        tags=_list(node, "tags", findings),
        wrong=_wrong(node, findings),
        file=path,
        line=document.line_of(node.span.start),
        span=place,
    )


def _check_keys(node: Node, known: Sequence[str], findings: Findings) -> None:
    seen: set[str] = set()
    for key, _ in node.pairs:
        if key.text in seen:
            findings.warn(
                "example/bad-value", f"{key.text} is given twice; the last one counts.", key
            )
        elif key.text not in known:
            free = [name for name in known if node.get(name) is None]
            near = closest(key.text, free)
            hint = f" Did you mean {near}?" if near else f" Known are {', '.join(known)}."
            message = f"An example has no {key.text!r}.{hint}"
            findings.unknown_key("example/unknown-key", message, key, near)
        seen.add(key.text)


def _text(node: Node, name: str, findings: Findings) -> str:
    value = node.get(name)
    if value is None or value.kind == "null":
        return ""
    if value.kind not in (("text",) if name in _STRICT else _SCALARS):
        quotes = " Put it in quotes." if value.kind in _SCALARS else ""
        message = f"{name} must be text, not {IN_WORDS[value.kind]}.{quotes}"
        findings.warn("example/bad-value", message, value)
        return ""
    return value.text.strip()


def _list(node: Node, name: str, findings: Findings) -> tuple[str, ...]:
    value = node.get(name)
    if value is None or value.kind == "null":
        return ()
    items = value.items if value.kind == "list" else (value,)
    good = _SCALARS if value.kind == "list" else ("text",)
    bad = [item for item in items if item.kind not in good]
    if bad:
        findings.warn("example/bad-value", f"{name} must be a list of names.", bad[0])
    return tuple(item.text for item in items if item.kind in good and item.text.strip())


def _wrong(node: Node, findings: Findings) -> tuple[Wrong, ...]:
    value = node.get("wrong")
    if value is None or value.kind == "null":
        return ()
    found: list[Wrong] = []
    for item in value.items if value.kind == "list" else (value,):
        if item.kind != "mapping":
            findings.warn(
                "example/bad-value", "wrong must be a list of mappings with sql and why.", item
            )
            continue
        _check_keys(item, _WRONG_KEYS, findings)
        wrong = Wrong(_text(item, "sql", findings), _text(item, "why", findings))
        if wrong.sql:
            found.append(wrong)
        else:
            findings.warn(
                "example/incomplete", "This wrong answer has no sql, so it is not used.", item
            )
    return tuple(found)


def _dialect(node: Node, name: str, default: str, findings: Findings) -> str:
    if not name:
        return default
    known = dialect_named(name)
    value = node.get("dialect")
    if known is None and value is not None:
        hint = nearest(name, DIALECTS)
        findings.warn("example/bad-value", f"{name!r} is not a known dialect.{hint}", value)
    return default if known is None else known
