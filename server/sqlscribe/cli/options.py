"""What several commands share: their options, the workspace they mean, and how they print."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Coroutine, Iterable
from pathlib import Path
from typing import Any, TypeVar

import click

from sqlscribe.errors import ConfigurationError
from sqlscribe.notation.findings import FileFindings, Severity
from sqlscribe.session import Session, configured_root

CLEAN, FINDINGS, USAGE = 0, 1, 2
Result = TypeVar("Result")


def workspace_option(function: Any) -> Any:
    return click.option(
        "--workspace",
        "-w",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="Folder of the workspace. Default: the nearest one with a sqlscribe.toml.",
    )(function)


def json_option(function: Any) -> Any:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def root_of(workspace: Path | None, near: Path | None = None) -> Path:
    """The workspace's folder: named, else the nearest with a configuration, else this one."""
    if workspace is not None:
        return workspace.resolve()
    try:
        here = Path.cwd()
    except FileNotFoundError:
        raise ConfigurationError("the current folder is gone; name one with --workspace") from None
    near = here if near is None else near.resolve()
    return configured_root(near if near.is_dir() else near.parent) or here


def session_in(root: Path) -> Session:
    session = Session()
    session.set_roots([root])
    return session


def finish(work: Coroutine[Any, Any, Result]) -> Result:
    """What ``work`` gives, once it is done.

    Its result is kept from the event loop's main task: Python writes that task out as a text
    when the loop ends (its handler of Ctrl-C is compared with the signal module's constants),
    and a schema of many thousands of tables would take seconds.
    """
    given: list[Result] = []

    async def keep() -> None:
        given.append(await work)

    asyncio.run(keep())
    return given[0]


def verdict(problems: Iterable[FileFindings]) -> int:
    """The exit code. Hints and information are shown, and do not fail a build."""
    serious = {Severity.ERROR, Severity.WARNING}
    found = (finding.severity for file in problems for finding in file.findings)
    return FINDINGS if serious.intersection(found) else CLEAN


_UNSEEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
    r"|\r(?!\n)"
)


def say(text: str, *, err: bool = False, nl: bool = True) -> None:
    """Print a text for people.

    It may hold what a model or a file said: in a terminal, which would obey control characters
    and turn a text around, they are written as their numbers. What is redirected stays as it is.
    """
    stream = sys.stderr if err else sys.stdout
    # A stream that is closed is none at all.
    if stream is not None and stream.isatty():
        text = _UNSEEN.sub(lambda mark: f"\\u{ord(mark[0]):04x}", text)
    click.echo(text, err=err, nl=nl)


def print_json(data: Any) -> None:
    say(json.dumps(data, ensure_ascii=False, indent=2))


def print_findings(problems: Iterable[FileFindings]) -> None:
    from sqlscribe import contract

    for found in contract.diagnostics_json(problems):
        place = f"{found['file']}:{found['line']}:{found['column']}"
        say(f"{place}: {found['severity']}: {found['message']} [{found['code']}]")
