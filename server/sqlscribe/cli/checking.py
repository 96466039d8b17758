"""``sqlscribe check``: findings on files, for people and for CI."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import click

from sqlscribe.cli.options import (
    json_option,
    print_findings,
    print_json,
    root_of,
    session_in,
    verdict,
    workspace_option,
)
from sqlscribe.notation.findings import FileFindings

FORMATS = ("text", "json", "github", "sarif")


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    help="Form of the output: for people, programs, GitHub's annotations, or SARIF.",
)
@workspace_option
@json_option
def check(files: tuple[Path, ...], form: str, workspace: Path | None, as_json: bool) -> None:
    """Check SQL files, examples, templates and configuration; all of them without FILES."""
    root = root_of(workspace, files[0] if files else None)
    problems = asyncio.run(_check(root, files))
    from sqlscribe import ci_formats, contract

    match "json" if as_json else form:
        case "json":
            print_json({"diagnostics": contract.diagnostics_json(problems)})
        case "sarif":
            print_json(ci_formats.sarif(problems, root))
        case "github":
            for line in ci_formats.github_annotations(problems, root):
                click.echo(line)
        case _:
            print_findings(problems)
    sys.exit(verdict(problems))


async def _check(root: Path, named: tuple[Path, ...]) -> list[FileFindings]:
    from sqlscribe import contract, files
    from sqlscribe.inspection import Inspector

    session = session_in(root)
    loaded = await session.load(root)
    inspector = Inspector(loaded.schema)
    wanted = {file.resolve() for file in named}
    problems = [
        file
        for file in loaded.findings
        if not wanted or Path(contract.file_of(file.document)) in wanted
    ]
    known = {(file.document.uri, finding) for file in problems for finding in file.findings}
    reader = files.Reader()
    for entry in [files.entry(path) for path in sorted(wanted)] or files.walk(root):
        if not entry.name.lower().endswith(".sql"):
            continue
        text = reader.read(entry, {}, fallback=loaded.settings.encoding)
        session.open(text.document, entry.path)
        found = (*text.findings, *inspector.inspect(session.script(text.document)))
        new = tuple(one for one in found if (text.document.uri, one) not in known)
        if new:
            problems.append(FileFindings(text.document, new))
    return problems
