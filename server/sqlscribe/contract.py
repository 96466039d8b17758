"""The JSON shapes of ``--json`` and of ``sqlscribe/answer``. They are a contract.

Lines and columns are one-based and count code points, as compilers and CI annotations do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import unquote, urlsplit

from sqlscribe.answer import Answer
from sqlscribe.knowledge.examples import Example
from sqlscribe.models.chat import Usage
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import FileFindings, Finding
from sqlscribe.prompting.prompt import Prompt
from sqlscribe.schema.model import Schema, Table

Json = dict[str, Any]


def answer_json(answer: Answer) -> Json:
    """``{outcome, sql, findings, model, usage, provenance}`` and what explains them."""
    document = Document("", answer.sql)
    return {
        "outcome": answer.outcome,
        "sql": answer.sql or None,
        "message": answer.message or None,
        "findings": [finding_json(document, finding) for finding in answer.findings],
        "choices": list(answer.choices),
        "alternates": list(answer.alternates),
        "checked": list(answer.checked),
        "unchecked": list(answer.unchecked),
        "warnings": list(answer.warnings),
        "model": answer.model or None,
        "error": answer.error or None,
        "usage": {**_usage(answer.usage), "calls": answer.calls},
        "provenance": _provenance(answer),
    }


def prompt_json(prompt: Prompt, model: str) -> Json:
    """``{messages, tokens, sections, tables, examples, left_out, values_sent}``."""
    context = prompt.context
    return {
        "model": model,
        "messages": [{"role": m.role, "content": m.content} for m in prompt.messages],
        "tokens": prompt.tokens,
        "tokens_are": "estimated",
        "sections": [{"name": s.name, "tokens": s.tokens} for s in prompt.sections],
        "tables": [
            {"name": s.item.qualified_name, "reason": s.reason, "score": round(s.score, 4)}
            for s in context.tables
        ],
        "examples": [
            {**_example(s.item), "reason": s.reason, "score": round(s.score, 4)}
            for s in context.examples
        ],
        "notes": [{"title": s.item.title, "reason": s.reason} for s in context.notes],
        "left_out": [
            {"kind": left.kind, "name": left.name, "reason": left.reason}
            for left in context.left_out
        ],
        "unknown_mentions": list(context.unknown_mentions),
        "values_sent": prompt.values_sent,
    }


def schema_json(schema: Schema, diagnostics: Iterable[FileFindings]) -> Json:
    """``{tables: […], diagnostics}``."""
    return {
        "tables": [_table(table) for table in schema.tables],
        "diagnostics": diagnostics_json(diagnostics),
    }


def diagnostics_json(diagnostics: Iterable[FileFindings]) -> list[Json]:
    """``[{file, line, column, end_line, end_column, severity, code, message, fixes}]``."""
    return [
        {"file": file_of(file.document), **finding_json(file.document, finding)}
        for file in diagnostics
        for finding in file.findings
    ]


def finding_json(document: Document, finding: Finding) -> Json:
    start, end = document.range(finding.span)
    return {
        "line": start.line + 1,
        "column": start.character + 1,
        "end_line": end.line + 1,
        "end_column": end.character + 1,
        "severity": finding.severity.value,
        "code": finding.code,
        "message": finding.message,
        "fixes": [
            {
                "title": fix.title,
                "preferred": fix.preferred,
                "edits": [
                    {
                        "start": list(_one_based(document, edit.span.start)),
                        "end": list(_one_based(document, edit.span.end)),
                        "text": edit.text,
                    }
                    for edit in fix.edits
                ],
            }
            for fix in finding.fixes
        ],
    }


def file_of(document: Document) -> str:
    """The path of a document's file, for people and for CI."""
    parts = urlsplit(document.uri)
    if parts.scheme != "file":
        return document.uri
    path = unquote(parts.path)
    if parts.netloc and parts.netloc != "localhost":
        # A folder that another machine shares: //server/share/q.sql.
        path = f"//{parts.netloc}{path}"
    return str(PurePath(_DRIVE.sub("", path)))


_DRIVE = re.compile(r"\A/(?=[A-Za-z]:)")
"""What stands before the drive's letter in a URI, and not in a path."""


def _one_based(document: Document, offset: int) -> tuple[int, int]:
    line, character = document.position(offset)
    return line + 1, character + 1


def _usage(usage: Usage) -> Json:
    return {
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "cached_tokens": usage.cached_tokens,
        "cost": usage.cost,
    }


def _provenance(answer: Answer) -> Json:
    prompt = answer.prompt
    return {
        "source": answer.source,
        "example": _example(answer.example) if answer.example else None,
        "prompt_tokens": prompt.tokens if prompt else None,
        "fingerprint": prompt.fingerprint(answer.model) if prompt else None,
        "tables": [s.item.qualified_name for s in prompt.context.tables] if prompt else [],
        "examples": [_example(s.item) for s in prompt.context.examples] if prompt else [],
        "left_out": len(prompt.context.left_out) if prompt else 0,
    }


def _example(example: Example) -> Json:
    return {
        "question": example.question,
        "file": _path(example.file),
        "line": example.line + 1,
        "verified_by": example.verified_by or None,
    }


def _table(table: Table) -> Json:
    return {
        "name": table.name,
        "schema": table.schema or None,
        "kind": table.kind,
        "columns": [
            {
                "name": column.name,
                "type": column.type,
                "nullable": column.nullable,
                "comment": column.comment or None,
                "values": list(column.values),
                "fields": list(column.fields),
            }
            for column in table.columns
        ],
        "primary_key": list(table.primary_key),
        "foreign_keys": [
            {
                "columns": list(key.columns),
                "to_table": key.to_table,
                "to_schema": key.to_schema or None,
                "to_columns": list(key.to_columns),
            }
            for key in table.foreign_keys
        ],
        "comment": table.comment or None,
        "file": _path(table.file),
        "line": table.line + 1,
        "partly_understood": table.partly_understood,
    }


def _path(path: Path | None) -> str | None:
    return str(path) if path is not None else None
