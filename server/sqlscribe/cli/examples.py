"""``sqlscribe examples import``: examples of other tools, in our own notation."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

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
from sqlscribe.files import Globs
from sqlscribe.notation.document import Document, NotText, decode

if TYPE_CHECKING:
    from sqlscribe.importing import Imported
    from sqlscribe.knowledge.foreign_examples import Foreign, Pair
    from sqlscribe.snapshot import Snapshot


@click.group()
def examples() -> None:
    """Bring in verified examples."""


@examples.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--into",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Training file to add to. Default: training/NAME.sql, after FILE.",
)
@click.option("--only", help="Take the questions on this database (db_id) only.")
@click.option("--ask-model", is_flag=True, help="Have the model find the questions of bare SQL.")
@workspace_option
@json_option
def import_(
    file: Path,
    into: Path | None,
    only: str | None,
    ask_model: bool,
    workspace: Path | None,
    as_json: bool,
) -> None:
    """Add the questions and SQL of FILE to the training files.

    FILE is Vanna's training data, a set like Spider's or BIRD's, Cortex Analyst's verified
    queries, or any list of questions with SQL, as .json, .jsonl, .csv, .tsv or .yaml.
    """
    from sqlscribe.knowledge.foreign_examples import read_foreign

    found = read_foreign(_document(file), file.name)
    pairs = _of_one_database(found, only)
    root = root_of(workspace)
    into = (into or root / "training" / f"{file.stem}.sql").resolve()
    if into.suffix not in (".sql", ".jsonl"):
        raise click.UsageError(f"--into {into}: examples are written as .sql or .jsonl")
    done, remark, dialect = finish(_imported(pairs, root, into, ask_model))
    if done.text:
        _add(into, done.text, dialect)
    problems = sorted((*found.problems, *done.problems))
    if as_json:
        print_json(
            {
                "file": str(into),
                "added": done.added,
                "known": done.known,
                "problems": [{"line": one.line + 1, "message": one.message} for one in problems],
            }
        )
    else:
        say(
            f"{done.added} examples added to {into}, {done.known} known already,"
            f" {len(problems)} not used"
        )
        for problem in problems:
            say(f"{file}:{problem.line + 1}: {problem.message}", err=True)
    for said in remark:
        say(said, err=True)
    sys.exit(FINDINGS if problems else CLEAN)


def _document(file: Path) -> Document:
    try:
        decoded = decode(file.read_bytes())
    except NotText as error:
        raise ConfigurationError(f"{file}: {error}") from error
    except OSError as error:
        raise ConfigurationError(f"{file}: {error.strerror or error}") from error
    if decoded.remark is not None:
        say(f"{file}: {decoded.remark}", err=True)
    return Document(file.resolve().as_uri(), decoded.text)


def _of_one_database(found: Foreign, only: str | None) -> Sequence[Pair]:
    names = sorted({pair.database for pair in found.pairs if pair.database})
    if only is not None:
        if only not in names:
            raise click.UsageError(f"--only {only}: there is none; {_some(names)}")
        return [pair for pair in found.pairs if pair.database == only]
    if len(names) > 1:
        raise click.UsageError(f"--only names the database whose questions to take; {_some(names)}")
    return found.pairs


def _some(names: Sequence[str]) -> str:
    if not names:
        return "the file names no databases"
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"the file has {', '.join(names[:8])}{more}"


async def _imported(
    pairs: Sequence[Pair], root: Path, into: Path, ask_model: bool
) -> tuple[Imported, list[str], str]:
    """What is to be written, what a person should know about it, and the workspace's dialect."""
    session = session_in(root)
    loaded = await session.load(root)
    from sqlscribe import importing

    if ask_model:
        snapshot = await session.snapshot(Document("untitled:import.sql", ""))
        pairs = [await _questioned(pair, snapshot) for pair in pairs]
    done = await asyncio.to_thread(importing.imported, pairs, loaded.examples, into, loaded.dialect)
    remarks: list[str] = []
    if done.notes:
        remarks.append(
            f"{done.notes} notes have no place in a .sql file; --into with a .jsonl file keeps them"
        )
    name = into.relative_to(root).as_posix() if into.is_relative_to(root) else ""
    if done.text and not (name and Globs(loaded.settings.training).match(name)):
        remarks.append(f"{into} is not among the files of the training setting: it is not read")
    return done, remarks, loaded.dialect


async def _questioned(pair: Pair, snapshot: Snapshot) -> Pair:
    """The pair with a question of the model's where it has none."""
    if pair.question:
        return pair
    from sqlscribe import importing, sql_prose

    told = await sql_prose.tell("question", pair.sql, "", snapshot)
    if told.problem:
        raise ConfigurationError(f"no question was found for the SQL: {told.problem}")
    return importing.asked_for(pair, sql_prose.one_question(told.words))


def _add(path: Path, text: str, dialect: str) -> None:
    """Add to a training file, made where it is not there. Raises ``ConfigurationError``."""
    from sqlscribe.saving import terminator

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+", encoding="utf-8", errors="surrogatepass", newline="") as file:
            file.seek(0)
            before = Document("", file.read())
            is_sql = path.suffix == ".sql"
            ended = before.changed(terminator(before, dialect)) if is_sql else before
            gap = "" if not ended.text or ended.text.endswith("\n") else "\n"
            gap += "\n" if is_sql and ended.text.strip() else ""
            if ended.text != before.text:
                file.truncate(0)
                file.write(ended.text)
            file.write(f"{gap}{text}")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: the examples were not written: {error}") from error
