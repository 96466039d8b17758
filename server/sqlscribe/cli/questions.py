"""The commands that take a question: its answer, or its prompt."""

from __future__ import annotations

import asyncio
import difflib
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from sqlscribe.cli.options import (
    CLEAN,
    FINDINGS,
    finish,
    json_option,
    print_json,
    root_of,
    say,
    session_in,
    workspace_option,
)
from sqlscribe.errors import ConfigurationError
from sqlscribe.notation.asks import Question
from sqlscribe.notation.document import Document
from sqlscribe.notation.lexicon import DIALECTS, dialect_named
from sqlscribe.notation.marked_comments import iso_date
from sqlscribe.session import Session, request_for

if TYPE_CHECKING:
    from sqlscribe.answer import Answer
    from sqlscribe.prompting.context import Request
    from sqlscribe.prompting.prompt import Prompt
    from sqlscribe.settings import Settings
    from sqlscribe.snapshot import Snapshot


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


@click.command()
@click.argument("question", required=False)
@_place_options
@click.option("--regenerate", is_flag=True, help="Ask the model even if an answer is stored.")
@workspace_option
@json_option
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
    """Answer QUESTION, or the question at --file and --line, with checked SQL.

    A QUESTION of - is read from standard input.
    """
    asked = _asked(question, file, line, dialect, model, as_of)
    given, remarks = finish(_answer(asked, root_of(workspace, file), regenerate, quiet=as_json))
    from sqlscribe import contract

    if as_json:
        print_json(contract.answer_json(given))
    else:
        if given.sql:
            say(given.sql)
        for sentence in (given.message, *given.choices, *given.warnings, *remarks):
            if sentence:
                say(f"-- {sentence}", err=True)
        for finding in given.findings:
            say(f"-- {finding.severity}: {finding.message} [{finding.code}]", err=True)
    sys.exit(CLEAN if given.is_clean else FINDINGS)


@click.command()
@click.argument("question", required=False)
@_place_options
@workspace_option
@json_option
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
    """Show the exact prompt for QUESTION; no model is called.

    A QUESTION of - is read from standard input.
    """
    asked = _asked(question, file, line, dialect, model, as_of)
    rendered, snapshot = finish(_prompt(asked, root_of(workspace, file)))
    from sqlscribe import contract
    from sqlscribe.prompting import preview

    if as_json:
        print_json(contract.prompt_json(rendered, snapshot.model_name))
        return
    first = preview.head_line(rendered, snapshot.model_name, snapshot.price())
    for head in (first, *preview.details(rendered), *snapshot.remarks):
        say(f"-- {head}", err=True)
    say(preview.text(rendered))


class _Asked(NamedTuple):
    """A question: its ``text``, or its one-based ``line`` of a ``file``."""

    text: str
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
    if question == "-":
        question = _piped()
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
        return _Asked(f"-- ask: {commented}\n", None, 1, options)
    if line is None:
        raise click.UsageError("--file needs --line")
    return _Asked("", file, line, options)


def _piped() -> str:
    """The question that stands on standard input; some shells put a byte order mark there."""
    if sys.stdin is None:
        raise click.UsageError("standard input is closed, so there is no question on it")
    return sys.stdin.buffer.read().decode("utf-8-sig", "replace").strip()


def _near(dialect: str) -> str:
    close = difflib.get_close_matches(dialect.lower(), DIALECTS, 3) or list(DIALECTS)
    return f"Did you mean {', '.join(close)}?"


def _document(file: Path, settings: Settings) -> Document:
    """The file as the folder reads its own; where its letters are guessed, that is said."""
    from sqlscribe import files

    try:
        found = files.entry(file.absolute())
    except OSError as error:
        raise ConfigurationError(f"{file}: {error.strerror or error}") from error
    largest = settings.limits.schema_file_megabytes
    text = files.Reader().read(found, {}, fallback=settings.encoding, megabytes=largest)
    for finding in text.findings:
        if not text.was_read:
            raise ConfigurationError(f"{file}: {finding.message}")
        say(f"-- {file}: {finding.message}", err=True)
    return Document(file.resolve().as_uri(), text.document.text)


async def _question(session: Session, asked: _Asked, root: Path) -> tuple[Document, Question]:
    text, file, line, options = asked
    loaded = await session.load(root)
    if file is None:
        document = Document("untitled:question.sql", text)
    else:
        document = await asyncio.to_thread(_document, file, loaded.settings)
    # A question from the command line belongs to the workspace, though it has no file there.
    session.open(document, file.resolve() if file is not None else root / "question.sql")
    await session.load(root)
    # Why a database cannot be read is among the remarks of the snapshot.
    await session.see_database(root)
    await session.load(root)
    for question in session.script(document).questions:
        first, last = document.range(question.span)
        if first.line < line <= last.line + 1:
            own = {**dict(question.options), **options}
            return document, replace(question, options=tuple(own.items()))
    raise click.UsageError(f"no question stands on line {line}")


async def _prepared(asked: _Asked, root: Path) -> tuple[Request, Snapshot]:
    session = session_in(root)
    document, question = await _question(session, asked, root)
    return request_for(document, question), await session.snapshot(document, question)


async def _answer(
    asked: _Asked, root: Path, regenerate: bool, quiet: bool
) -> tuple[Answer, tuple[str, ...]]:
    """The answer, and what a person should know about the workspace."""
    from sqlscribe import logs
    from sqlscribe.answer_record import Recorder, place_in
    from sqlscribe.trace import Trace

    trace = Trace()
    trace.stage("loading")
    session = session_in(root)
    document, question = await _question(session, asked, root)
    logs.start(*session.log_levels())
    request, snapshot = request_for(document, question), await session.snapshot(document, question)
    workspace = await session.workspace(root)
    path = asked.file.resolve() if asked.file is not None else None
    place = place_in(root, path, document, question)
    recorder = Recorder(workspace.history, question.text, *place, workspace.redactor(), trace=trace)

    def report(stage: str) -> None:
        if not quiet and sys.stderr.isatty():
            say(f"-- {stage} …", err=True)

    given = await recorder.answer(request, snapshot, report=report, regenerate=regenerate)
    return given, snapshot.remarks


async def _prompt(asked: _Asked, root: Path) -> tuple[Prompt, Snapshot]:
    """The prompt, and what it was made from."""
    from sqlscribe import answer

    request, snapshot = await _prepared(asked, root)
    rendered = await asyncio.to_thread(answer.prepare, request, snapshot)
    return rendered, snapshot
