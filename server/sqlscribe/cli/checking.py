"""``sqlscribe check``: findings on files, for people and for CI."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sqlscribe.cli.options import (
    CLEAN,
    USAGE,
    finish,
    json_option,
    print_findings,
    print_json,
    root_of,
    say,
    session_in,
    verdict,
    workspace_option,
)
from sqlscribe.errors import ConfigurationError, DatabaseError
from sqlscribe.notation.findings import FileFindings, Severity
from sqlscribe.settings import CONFIGURATION, ClientSettings

if TYPE_CHECKING:
    from sqlscribe.loading import Loaded
    from sqlscribe.workspace import Workspace

FORMATS = ("text", "json", "github", "sarif")


@click.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    help="Form of the output: for people, programs, GitHub's annotations, or SARIF.",
)
@click.option(
    "--database", "ask_database", is_flag=True, help="Also ask the database of the configuration."
)
@workspace_option
@json_option
def check(
    files: tuple[Path, ...],
    form: str,
    ask_database: bool,
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Check SQL files, examples, templates and configuration; all of them without FILES.

    A folder among FILES stands for all files in it.
    """
    root = root_of(workspace, files[0] if files else None)
    problems, remark = finish(_check(root, files, ask_database))
    from sqlscribe import ci_formats, contract

    match "json" if as_json else form:
        case "json":
            print_json({"diagnostics": contract.diagnostics_json(problems)})
        case "sarif":
            print_json(ci_formats.sarif(problems, root))
        case "github":
            for line in ci_formats.github_annotations(problems, root):
                say(line)
        case _:
            print_findings(problems)
    if remark:
        say(f"The database was not asked: {remark}", err=True)
    # What was to be done and was not is no clean result either.
    sys.exit(verdict(problems) or (USAGE if remark else CLEAN))


def _look_at_database(workspace: Workspace, loaded: Loaded) -> str:
    """See what the database holds now; why that cannot be seen, or ``""``."""
    if not loaded.settings.database.url:
        return "none is configured that may be used"
    try:
        workspace.refresh_database(loaded, force=True)
    except (ConfigurationError, DatabaseError) as error:
        return str(error)
    return ""


def _is_broken(file: FileFindings, path: Path, root: Path) -> bool:
    """A configuration with errors: no file is checked as it says, so that everybody is told."""
    severe = any(finding.severity is Severity.ERROR for finding in file.findings)
    return severe and path == root.resolve() / CONFIGURATION


async def _check(
    root: Path, named: tuple[Path, ...], ask_database: bool
) -> tuple[list[FileFindings], str]:
    """Findings on the files, and why the database was not asked although it should have been."""
    from sqlscribe import contract, files, origins

    session = session_in(root)
    if ask_database:
        # Who asks for the database by this option trusts the folder that names it.
        session.configure(ClientSettings(trusted=True))
    loaded = await session.load(root)
    remark = ""
    if ask_database:
        remark = _look_at_database(await session.workspace(root), loaded)
        ask_database = not remark
        loaded = await session.load(root)
    # Only what stands in the files counts: the records of one machine would make its findings
    # differ from those of another.
    stamped = origins.Origins(None)
    inspector = (await session.workspace(root)).inspector(
        loaded, ask_database=ask_database, in_full=True
    )
    wanted = sorted({file.resolve() for file in named})

    def is_wanted(path: Path) -> bool:
        return not wanted or not set(wanted).isdisjoint((path, *path.parents))

    problems = [
        file
        for file in (*loaded.findings, *await session.unfit_examples(root, loaded))
        if is_wanted(path := Path(contract.file_of(file.document))) or _is_broken(file, path, root)
    ]
    known = {(file.document.uri, finding) for file in problems for finding in file.findings}
    reader = files.Reader()
    entries = {
        entry.path: entry
        for path in wanted or [root]
        for entry in (files.walk(path) if path.is_dir() else [files.entry(path)])
    }
    for entry in entries.values():
        if not entry.name.lower().endswith(".sql"):
            continue
        text = reader.read(entry, {}, fallback=loaded.settings.encoding)
        session.open(text.document, entry.path)
        script = session.script(text.document)
        stale = origins.stale(script, stamped, loaded)
        found = (*text.findings, *inspector.inspect(script), *stale)
        new = tuple(one for one in found if (text.document.uri, one) not in known)
        if new:
            problems.append(FileFindings(text.document, new))
    return problems, remark
