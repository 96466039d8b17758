"""``sqlscribe schema`` and ``sqlscribe profiles``: what is known of the database."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sqlscribe.cli.options import (
    CLEAN,
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
from sqlscribe.settings import ClientSettings, DatabaseSettings, database_url

if TYPE_CHECKING:
    from sqlscribe.loading import Loaded
    from sqlscribe.session import Session
    from sqlscribe.value_profiles import Found

_GROUPS = ("schema/", "file/", "dbt/", "data/", "config/")


@click.group(invoke_without_command=True)
@workspace_option
@json_option
@click.pass_context
def schema(context: click.Context, workspace: Path | None, as_json: bool) -> None:
    """Show what was understood of the schema, or pull it from the database."""
    if context.invoked_subcommand is not None:
        return
    root = root_of(workspace)
    loaded, remark = finish(_with_database(session_in(root), root))
    from sqlscribe import contract

    problems = [
        FileFindings(file.document, found)
        for file in loaded.findings
        if (found := tuple(f for f in file.findings if f.code.startswith(_GROUPS)))
    ]
    if as_json:
        print_json(contract.schema_json(loaded.schema, problems))
    else:
        for table in loaded.schema.tables:
            columns = ", ".join(f"{c.name} {c.type}".strip() for c in table.columns)
            doubt = "  (partly understood)" if table.partly_understood else ""
            say(f"{table.qualified_name} ({columns}){doubt}")
        if not loaded.schema.tables:
            say("no table definitions were found", err=True)
        print_findings(problems)
    if remark:
        say(remark, err=True)
    sys.exit(verdict(problems))


@schema.command()
@click.option("--url", help="Database to read. Default: database.url of sqlscribe.toml.")
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("db"),
    help="Folder for the scripts, relative to the workspace. Default: db.",
)
@click.option("--only", "only", multiple=True, help="Read this schema only; may be repeated.")
@click.option(
    "--profiles/--no-profiles",
    default=None,
    help="Also read values, into profiles/values.yaml. Default: database.run_queries.",
)
@workspace_option
def pull(
    url: str | None,
    into: Path,
    only: tuple[str, ...],
    profiles: bool | None,
    workspace: Path | None,
) -> None:
    """Write the database's schema as DDL files, and its values as profiles, for git."""
    root = root_of(workspace)
    loaded, environment = finish(_trusted(root))
    filled = _address(url, loaded, environment)
    from sqlscribe import pulling
    from sqlscribe.schema.database import read_schema

    live = read_schema(filled, root=root, only_schemas=only)
    for remark in live.remarks:
        say(remark, err=True)
    if not live.schema.tables and (root / into).exists():
        # It may be the wrong database, or an account without rights: nothing is removed.
        raise DatabaseError(f"no table was found, so {into} is left as it is")
    scripts = pulling.scripts_of(live.schema, live.dialect)
    with _written(root / into):
        done = pulling.write_scripts(root / into, scripts, only)
    say(
        f"{len(live.schema.tables)} tables: {len(done.written)} scripts written,"
        f" {len(done.removed)} removed in {into}"
    )
    for name in done.kept:
        say(f"{into / name} is not touched: it does not begin as a pulled script", err=True)
    wanted = loaded.settings.database.run_queries if profiles is None else profiles
    if wanted:
        from dataclasses import replace

        from sqlscribe import value_profiles

        found = value_profiles.from_database(replace(loaded, schema=live.schema), filled, root)
        _write(root / "profiles" / "values.yaml", found)
    elif profiles is None:
        say("no values were read; --profiles reads them", err=True)


@click.command()
@click.argument("rows", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--database", "from_database", is_flag=True, help="Read the database instead.")
@click.option(
    "--into",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Add what is new to this file of profiles. Default: print all of them.",
)
@workspace_option
def profiles(
    rows: tuple[Path, ...], from_database: bool, into: Path | None, workspace: Path | None
) -> None:
    """Find the values of columns in scripts, in files with ROWS, or in the database.

    Columns that are masked, or that may hold personal data, are left out.
    """
    root = root_of(workspace)
    loaded, environment = finish(_trusted(root, see_database=from_database))
    from sqlscribe import value_profiles
    from sqlscribe.knowledge.profile_text import to_yaml

    if from_database:
        found = value_profiles.from_database(loaded, _address(None, loaded, environment), root)
    else:
        found = value_profiles.from_files(loaded, root, rows)
    if into is not None:
        _write(into if into.is_absolute() else Path.cwd() / into, found)
        return
    say(to_yaml(found.profiles), nl=False)
    for remark in found.remarks:
        say(remark, err=True)
    sys.exit(CLEAN)


def _write(path: Path, found: Found) -> None:
    """Add what a file of profiles does not have yet; what people wrote stays theirs."""
    from sqlscribe.knowledge.profile_text import merged

    with _written(path):
        before = path.read_text("utf-8") if path.exists() else ""
    try:
        text = merged(before, found.profiles)
    except ValueError as error:
        raise ConfigurationError(f"{path}: {error}") from error
    if text != before:
        with _written(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8", newline="\n")
    say(f"{len(found.profiles)} columns; {path} {'changed' if text != before else 'kept'}")
    for remark in found.remarks:
        say(remark, err=True)


async def _with_database(session: Session, root: Path) -> tuple[Loaded, str]:
    """What is known, with what the database says now; why it could not be asked."""
    loaded = await session.load(root)
    try:
        return await _seen(session, root, loaded), ""
    except (ConfigurationError, DatabaseError) as error:
        return await session.load(root), str(error)


async def _trusted(root: Path, *, see_database: bool = False) -> tuple[Loaded, Mapping[str, str]]:
    """The workspace as one that is trusted, and the variables that count there.

    Who asks for its database by this command means it.
    """
    session = session_in(root)
    session.configure(ClientSettings(trusted=True))
    loaded = await session.load(root)
    if see_database:
        loaded = await _seen(session, root, loaded)
    return loaded, (await session.workspace(root)).environment()


async def _seen(session: Session, root: Path, loaded: Loaded) -> Loaded:
    """What is known once the database was looked at; a copy may be an hour old."""
    workspace = await session.workspace(root)
    await asyncio.to_thread(workspace.refresh_database, loaded, force=True)
    return await session.load(root)


@contextmanager
def _written(path: Path) -> Iterator[None]:
    """Turns what the file system says against writing into a sentence."""
    try:
        yield
    except OSError as error:
        raise ConfigurationError(f"{path} is not written: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path} is not written: it is no UTF-8 text") from error


def _address(url: str | None, loaded: Loaded, environment: Mapping[str, str]) -> str:
    """The database's URL with its variables filled in."""
    database = loaded.settings.database
    if url:
        database = DatabaseSettings(url=url)
    if not database.url:
        raise ConfigurationError(_why_none(loaded))
    return database_url(database, environment)


def _why_none(loaded: Loaded) -> str:
    """Why no database is known: a file of settings with a mistake counts for nothing."""
    for file in loaded.findings:
        for finding in file.findings:
            if finding.code.startswith("config/") and finding.severity is Severity.ERROR:
                line = file.document.line_of(finding.span.start) + 1
                name = file.document.uri.rpartition("/")[2]
                return f"{name} is not in force, for line {line}: {finding.message}"
    return "no database is named: give --url, or database.url in the file"
