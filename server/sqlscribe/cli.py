"""The command line: the same core as the editor's, for people, scripts and CI.

Exit codes: 0 clean, 1 warnings or errors found or no SQL, 2 usage or configuration.
"""

from __future__ import annotations

import asyncio
import difflib
import errno
import io
import json
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sqlscribe import __version__
from sqlscribe.errors import ConfigurationError, SQLScribeError
from sqlscribe.notation.asks import Question
from sqlscribe.notation.document import Document, NotText, decode
from sqlscribe.notation.findings import FileFindings, Severity
from sqlscribe.notation.lexicon import DIALECTS, dialect_named
from sqlscribe.notation.marked_comments import iso_date
from sqlscribe.session import Session, configured_root, request_for

if TYPE_CHECKING:
    from sqlscribe.answer import Answer, Snapshot
    from sqlscribe.loading import Loaded
    from sqlscribe.prompting.context import Request
    from sqlscribe.prompting.prompt import Prompt

CLEAN, FINDINGS, USAGE = 0, 1, 2


def command_line() -> None:
    """Run a command; one clear sentence for what a person can mend, and its exit code."""
    _print_any_text()
    try:
        commands.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(USAGE)
    except click.Abort:
        sys.exit(130)
    except SQLScribeError as error:
        click.echo(f"sqlscribe: {error}", err=True)
        sys.exit(USAGE)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        click.echo(f"sqlscribe: the output was not written: {error.strerror}", err=True)
        sys.exit(USAGE)


def _print_any_text() -> None:
    """Let output hold every letter, whatever the code page of the terminal or of the pipe.

    What is redirected becomes UTF-8, as files with SQL and JSON are; a terminal gets its own
    code page, with the numbers of the letters that it lacks.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            encoding = stream.encoding if stream.isatty() else "utf-8"
            stream.reconfigure(encoding=encoding, errors="backslashreplace")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sqlscribe")
def commands() -> None:
    """A question in a SQL comment becomes checked SQL."""


def _workspace_option(function: Any) -> Any:
    return click.option(
        "--workspace",
        "-w",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="Folder of the workspace. Default: the nearest one with a sqlscribe.toml.",
    )(function)


def _json_option(function: Any) -> Any:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def _place_options(function: Any) -> Any:
    for decorate in (
        click.option("--line", type=click.IntRange(1), help="Line of the question in --file."),
        click.option(
            "--file",
            "file",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="SQL file that holds the question.",
        ),
        click.option("--dialect", default="", help="Dialect for this question."),
        click.option("--model", default="", help="Model for this question, from [models.…]."),
        click.option("--as-of", default="", help="Take this date (YYYY-MM-DD) as today."),
    ):
        function = decorate(function)
    return function


@commands.command()
@click.option("--tcp", metavar="HOST:PORT", help="Listen there instead of on stdio.")
@click.option("--log-level", type=click.Choice(["debug", "info", "warning", "error"]))
def serve(tcp: str | None, log_level: str | None) -> None:
    """Run the language server on stdio."""
    # Reached for its help only: __main__ starts the server before this library is imported.
    raise click.UsageError("start the server as: sqlscribe serve")


@commands.command()
@click.argument("question", required=False)
@_place_options
@click.option("--regenerate", is_flag=True, help="Ask the model even if an answer is stored.")
@_workspace_option
@_json_option
def ask(
    question: str | None,
    file: Path | None,
    line: int | None,
    dialect: str,
    model: str,
    as_of: str,
    regenerate: bool,
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Answer QUESTION, or the question at --file and --line, with checked SQL."""
    asked = _asked(question, file, line, dialect, model, as_of)
    given = asyncio.run(_answer(asked, _root(workspace, file), regenerate, quiet=as_json))
    from sqlscribe import contract

    if as_json:
        _print_json(contract.answer_json(given))
    else:
        if given.sql:
            click.echo(given.sql)
        for sentence in (given.message, *given.choices, *given.warnings):
            if sentence:
                click.echo(f"-- {sentence}", err=True)
        for finding in given.findings:
            click.echo(f"-- {finding.severity}: {finding.message} [{finding.code}]", err=True)
    sys.exit(CLEAN if given.is_clean else FINDINGS)


@commands.command()
@click.argument("question", required=False)
@_place_options
@_workspace_option
@_json_option
def prompt(
    question: str | None,
    file: Path | None,
    line: int | None,
    dialect: str,
    model: str,
    as_of: str,
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Show the exact prompt for QUESTION; no model is called."""
    asked = _asked(question, file, line, dialect, model, as_of)
    rendered, name, remarks = asyncio.run(_prompt(asked, _root(workspace, file)))
    from sqlscribe import contract
    from sqlscribe.prompting import preview

    if as_json:
        _print_json(contract.prompt_json(rendered, name))
        return
    for head in (preview.head_line(rendered, name), *preview.details(rendered), *remarks):
        click.echo(f"-- {head}", err=True)
    click.echo(preview.text(rendered))


@commands.command()
@_workspace_option
@_json_option
def schema(workspace: Path | None, as_json: bool) -> None:
    """Show what was understood of the schema."""
    loaded = asyncio.run(_load(_root(workspace)))
    from sqlscribe import contract

    problems = [
        FileFindings(file.document, found)
        for file in loaded.findings
        if (found := tuple(f for f in file.findings if f.code.startswith(("schema/", "file/"))))
    ]
    if as_json:
        _print_json(contract.schema_json(loaded.schema, problems))
    else:
        for table in loaded.schema.tables:
            columns = ", ".join(f"{c.name} {c.type}".strip() for c in table.columns)
            doubt = "  (partly understood)" if table.partly_understood else ""
            click.echo(f"{table.qualified_name} ({columns}){doubt}")
        if not loaded.schema.tables:
            click.echo("no table definitions were found", err=True)
        _print_findings(problems)
    sys.exit(_verdict(problems))


@commands.command()
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@_workspace_option
@_json_option
def check(files: tuple[Path, ...], workspace: Path | None, as_json: bool) -> None:
    """Check SQL files, examples, templates and configuration; all of them without FILES."""
    root = _root(workspace, files[0] if files else None)
    problems = asyncio.run(_check(root, files))
    from sqlscribe import contract

    if as_json:
        _print_json({"diagnostics": contract.diagnostics_json(problems)})
    else:
        _print_findings(problems)
    sys.exit(_verdict(problems))


@commands.command()
@_workspace_option
def index(workspace: Path | None) -> None:
    """Build the search index, or bring it up to date."""
    root = _root(workspace)

    async def build() -> tuple[dict[str, int], str]:
        session = _session(root)
        loaded = await session.load(root)
        space = await session.workspace(root)
        return await asyncio.to_thread(space.sync, loaded), space.index_remark()

    counts, remark = asyncio.run(build())
    click.echo(", ".join(f"{number} {kind}s" for kind, number in counts.items()))
    if remark:
        click.echo(remark, err=True)


@commands.command()
@_workspace_option
@_json_option
def doctor(workspace: Path | None, as_json: bool) -> None:
    """Say what was found: interpreter, keys by name, model, schema, index."""
    from sqlscribe import doctor as examination

    root = _root(workspace)
    facts = asyncio.run(examination.examine(_session(root), root))
    if as_json:
        _print_json({"facts": facts})
        return
    width = max(map(len, facts))
    for name, fact in facts.items():
        click.echo(f"{name:<{width}}  {fact}")


@commands.command()
@click.option(
    "--svg", type=click.Path(dir_okay=False, path_type=Path), help="Also save it as a picture."
)
def demo(svg: Path | None) -> None:
    """Run the bundled example end to end, with a real server and a real client."""
    if svg is not None and not svg.resolve().parent.is_dir():
        raise click.UsageError(f"--svg {svg}: there is no such folder")
    from sqlscribe import demo as demonstration

    sys.exit(asyncio.run(demonstration.run(svg)))


def _root(workspace: Path | None, near: Path | None = None) -> Path:
    """The workspace's folder: named, else the nearest with a configuration, else this one."""
    if workspace is not None:
        return workspace.resolve()
    try:
        here = Path.cwd()
    except FileNotFoundError:
        raise ConfigurationError("the current folder is gone; name one with --workspace") from None
    start = near.resolve().parent if near is not None else here
    return configured_root(start) or here


def _session(root: Path) -> Session:
    session = Session()
    session.set_roots([root])
    return session


class _Asked(NamedTuple):
    """A question by its place: one-based ``line`` of a document; ``file`` where that is one."""

    document: Document
    file: Path | None
    line: int
    options: dict[str, str]


def _asked(
    question: str | None,
    file: Path | None,
    line: int | None,
    dialect: str,
    model: str,
    as_of: str,
) -> _Asked:
    if (question is None) == (file is None):
        raise click.UsageError("give either a question or --file and --line")
    if question is not None and not question.strip():
        raise click.UsageError("the question is empty")
    named = dialect_named(dialect) if dialect else ""
    if named is None:
        raise click.UsageError(f"--dialect {dialect}: there is no such dialect. {_near(dialect)}")
    if as_of and iso_date(as_of) is None:
        raise click.UsageError(f"--as-of {as_of}: not a date like 2024-01-31")
    options = {
        name: value
        for name, value in (("dialect", named), ("model", model), ("as_of", as_of))
        if value
    }
    if file is None:
        commented = "\n-- ".join((question or "").splitlines())
        document = Document("untitled:question.sql", f"-- ask: {commented}\n")
        return _Asked(document, None, 1, options)
    if line is None:
        raise click.UsageError("--file needs --line")
    return _Asked(_document(file), file, line, options)


def _near(dialect: str) -> str:
    close = difflib.get_close_matches(dialect.lower(), DIALECTS, 3) or list(DIALECTS)
    return f"Did you mean {', '.join(close)}?"


def _document(file: Path) -> Document:
    try:
        return Document(file.resolve().as_uri(), decode(file.read_bytes()).text)
    except NotText as error:
        raise ConfigurationError(f"{file}: {error}") from error
    except OSError as error:
        raise ConfigurationError(f"{file}: {error.strerror or error}") from error


async def _question(session: Session, asked: _Asked, root: Path) -> tuple[Document, Question]:
    document, file, line, options = asked
    # A question from the command line belongs to the workspace, though it has no file there.
    session.open(document, file.resolve() if file is not None else root / "question.sql")
    await session.load(root)
    for question in session.script(document).questions:
        first, last = document.range(question.span)
        if first.line < line <= last.line + 1:
            own = {**dict(question.options), **options}
            return document, replace(question, options=tuple(own.items()))
    raise click.UsageError(f"no question stands on line {line}")


async def _prepared(asked: _Asked, root: Path) -> tuple[Request, Snapshot]:
    session = _session(root)
    document, question = await _question(session, asked, root)
    return request_for(document, question), await session.snapshot(document, question)


async def _answer(asked: _Asked, root: Path, regenerate: bool, quiet: bool) -> Answer:
    from sqlscribe import answer

    request, snapshot = await _prepared(asked, root)

    def report(stage: str) -> None:
        if not quiet and sys.stderr.isatty():
            click.echo(f"-- {stage} …", err=True)

    return await answer.answer(request, snapshot, report=report, regenerate=regenerate)


async def _prompt(asked: _Asked, root: Path) -> tuple[Prompt, str, tuple[str, ...]]:
    """The prompt, the model's name, and what a person should know about the workspace."""
    from sqlscribe import answer

    request, snapshot = await _prepared(asked, root)
    rendered = await asyncio.to_thread(answer.prepare, request, snapshot)
    return rendered, snapshot.model_name, snapshot.remarks


async def _load(root: Path) -> Loaded:
    return await _session(root).load(root)


async def _check(root: Path, named: tuple[Path, ...]) -> list[FileFindings]:
    from sqlscribe import contract, files
    from sqlscribe.inspection import Inspector

    session = _session(root)
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


def _verdict(problems: Iterable[FileFindings]) -> int:
    """Hints and information are shown, and do not fail a build."""
    serious = {Severity.ERROR, Severity.WARNING}
    found = (finding.severity for file in problems for finding in file.findings)
    return FINDINGS if serious.intersection(found) else CLEAN


def _print_json(data: Any) -> None:
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def _print_findings(problems: Iterable[FileFindings]) -> None:
    from sqlscribe import contract

    for found in contract.diagnostics_json(problems):
        place = f"{found['file']}:{found['line']}:{found['column']}"
        click.echo(f"{place}: {found['severity']}: {found['message']} [{found['code']}]")
