"""Findings in the forms that CI services read: GitHub's annotations, and SARIF.

SARIF is 2.1.0 as OASIS published it; the commands are those of GitHub Actions' "Workflow
commands". Lines and columns are one-based and count code points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from sqlscribe import __version__
from sqlscribe.contract import file_of, finding_json
from sqlscribe.notation.codes import CODES
from sqlscribe.notation.findings import FileFindings, Severity

_ANNOTATIONS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "notice",
    Severity.HINT: "notice",
}
_LEVELS = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFORMATION: "note",
    Severity.HINT: "note",
}


def github_annotations(problems: Iterable[FileFindings], root: PurePath) -> Iterator[str]:
    """One workflow command for each finding; paths are relative to ``root``."""
    for file in problems:
        for finding in file.findings:
            place = finding_json(file.document, finding)
            properties = {
                "file": _relative(file_of(file.document), root),
                "line": place["line"],
                "endLine": place["end_line"],
                "col": place["column"],
                "endColumn": place["end_column"],
                "title": finding.code,
            }
            listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
            yield f"::{_ANNOTATIONS[finding.severity]} {listed}::{_data(finding.message)}"


def sarif(problems: Iterable[FileFindings], root: PurePath) -> dict[str, Any]:
    """A SARIF log with one run; its rules are the codes that were found."""
    problems = list(problems)
    codes = sorted({finding.code for file in problems for finding in file.findings})
    numbers = {code: number for number, code in enumerate(codes)}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "SQLScribe",
                        "version": __version__,
                        "semanticVersion": __version__,
                        "rules": [_rule(code) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"SRCROOT": {"uri": f"{root.as_uri().rstrip('/')}/"}},
                "results": list(_results(problems, numbers, root)),
            }
        ],
    }


def _rule(code: str) -> dict[str, Any]:
    return {"id": code, "shortDescription": {"text": CODES.get(code, code)}}


def _results(
    problems: Iterable[FileFindings], numbers: dict[str, int], root: PurePath
) -> Iterator[dict[str, Any]]:
    for file in problems:
        name = file_of(file.document)
        for finding in file.findings:
            place = finding_json(file.document, finding)
            region = {
                "startLine": place["line"],
                "startColumn": place["column"],
                "endLine": place["end_line"],
                "endColumn": place["end_column"],
            }
            physical = {"artifactLocation": _artifact(name, root), "region": region}
            yield {
                "ruleId": finding.code,
                "ruleIndex": numbers[finding.code],
                "level": _LEVELS[finding.severity],
                "message": {"text": finding.message},
                "locations": [{"physicalLocation": physical}],
            }


def _artifact(name: str, root: PurePath) -> dict[str, str]:
    relative = _relative(name, root)
    if relative == name:
        path = type(root)(name)
        return {"uri": path.as_uri() if path.is_absolute() else quote(name)}
    return {"uri": quote(relative), "uriBaseId": "SRCROOT"}


def _relative(name: str, root: PurePath) -> str:
    """The path below the root, with slashes; what is elsewhere keeps its name."""
    path = type(root)(name)
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else name


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _data(str(value)).replace(":", "%3A").replace(",", "%2C")
