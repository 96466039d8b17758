"""The command that measures how often the answers are right."""

from __future__ import annotations

import datetime
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

from sqlscribe.cli.options import (
    CLEAN,
    FINDINGS,
    finish,
    json_option,
    print_json,
    root_of,
    say,
    workspace_option,
)
from sqlscribe.errors import ConfigurationError
from sqlscribe.notation.lexicon import dialect_named
from sqlscribe.notation.marked_comments import iso_date
from sqlscribe.settings import CONFIGURATION

if TYPE_CHECKING:
    from sqlscribe.evaluation.arms import Arm
    from sqlscribe.evaluation.baseline import Change, Passed
    from sqlscribe.evaluation.dataset import EvalQuestion
    from sqlscribe.evaluation.execution import Executor
    from sqlscribe.evaluation.replies import ReplyFile
    from sqlscribe.evaluation.run import Run, Trial
    from sqlscribe.evaluation.snapshots import Snapshots

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_NEW_FILE = click.Path(dir_okay=False, path_type=Path)


class Options(NamedTuple):
    """The command's options, as they are given."""

    sets: tuple[Path, ...]
    held_out: bool
    database: str
    examples: tuple[Path, ...]
    arms: Path | None
    only_arms: tuple[str, ...]
    overrides: tuple[str, ...]
    dialect: str
    only: tuple[str, ...]
    limit: int | None
    evidence: bool
    as_of: str
    order: Literal["question", "database"]
    jobs: int
    seconds: float
    out: Path | None
    fresh: bool
    html: Path | None
    baseline: Path | None
    save_baseline: Path | None
    tolerance: float | None
    workspace: Path | None
    as_json: bool


def _options(function: Any) -> Any:
    for decorate in reversed(
        (
            click.argument("sets", nargs=-1, metavar="[SET]…", type=_FILE),
            click.option("--held-out", is_flag=True, help="Ask the workspace's own examples, each"
                         " without itself. The default where no SET is given."),
            click.option("--database", default="", metavar="URL", help="Database to run the"
                         " queries on; {db_id} in it stands for each question's own."),
            click.option("--examples", multiple=True, type=_FILE, help="Examples (.jsonl) for"
                         " questions that bring their own schema; by db_id."),
            click.option("--arms", type=_FILE, help="Arms to compare (.toml)."),
            click.option("--arm", "only_arms", multiple=True, metavar="NAME",
                         help="Only these arms of --arms; the first is the reference."),
            click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE",
                         help="A setting for every arm, such as model.name=openai/local."),
            click.option("--dialect", default="", help="Take gold SQL and schema of this dialect"
                         " (gold_sql_DIALECT, schema_DIALECT/)."),
            click.option("--only", multiple=True, metavar="TEXT",
                         help="Only questions with this id, db_id, lang or difficulty."),
            click.option("--limit", type=click.IntRange(1), help="Only the first so many."),
            click.option("--evidence/--no-evidence", default=True,
                         help="Whether a question's hint is asked with it. Default: it is."),
            click.option("--as-of", default="", help="Take this date (YYYY-MM-DD) as today."
                         " Default: the day on which the first reply was kept."),
            click.option("--order", type=click.Choice(["question", "database"]),
                         default="question", help="All arms on a question, then on the next; or"
                         " an arm on a whole database, which suits a small prefix cache."),
            click.option("--jobs", type=click.IntRange(1, 64), default=1,
                         help="Questions asked at once."),
            click.option("--timeout", "seconds", type=click.FloatRange(0.1, 3600), default=30.0,
                         help="Seconds that a query may take."),
            click.option("--out", type=click.Path(file_okay=False, path_type=Path),
                         help="Folder for the model's replies. Default: .sqlscribe/eval."),
            click.option("--fresh", is_flag=True, help="Ask again what was answered before."),
            click.option("--html", type=_NEW_FILE, help="Write a report to read in a browser."),
            click.option("--baseline", type=_FILE, help="Fail (exit code 1) where a question"
                         " that passed fails now."),
            click.option("--save-baseline", type=_NEW_FILE, help="Store what passes."),
            click.option("--tolerance", type=click.FloatRange(0, 100), metavar="POINTS",
                         help="With --baseline: single questions may fail, and the accuracy may"
                         " fall by so much."),
            workspace_option,
            json_option,
        )
    ):  # fmt: skip
        function = decorate(function)
    return function


@click.command("eval")
@_options
def eval_(**given: Any) -> None:
    """Measure how often answers are right: run them beside the gold SQL and compare the rows.

    SET is a file of JSON lines with question, gold_sql, and the database to run on.
    """
    options = Options(**given)
    _check(options)
    changes = finish(_evaluate(options))
    sys.exit(FINDINGS if any(change.is_worse for change in changes) else CLEAN)


def _check(options: Options) -> None:
    """Usage errors, before anything is read."""
    if options.sets and options.held_out:
        raise click.UsageError("--held-out asks the workspace's own examples, so give no SET")
    if options.as_of and iso_date(options.as_of) is None:
        raise click.UsageError(f"--as-of {options.as_of}: not a date like 2024-01-31")
    if options.dialect and dialect_named(options.dialect) is None:
        raise click.UsageError(f"--dialect {options.dialect}: there is no such dialect")
    if options.only_arms and options.arms is None:
        raise click.UsageError("--arm needs --arms")
    if options.tolerance is not None and options.baseline is None:
        raise click.UsageError("--tolerance needs --baseline")
    for name, file in (("html", options.html), ("save-baseline", options.save_baseline)):
        if file is not None and not file.resolve().parent.is_dir():
            raise click.UsageError(f"--{name} {file}: there is no such folder")


async def _evaluate(options: Options) -> tuple[Change, ...]:
    from sqlscribe.evaluation import arms as arm_files
    from sqlscribe.evaluation import baseline
    from sqlscribe.evaluation.execution import Executor
    from sqlscribe.evaluation.replies import ReplyFile

    if options.arms is not None:
        arms = arm_files.read_arms(options.arms, options.overrides, options.only_arms)
    else:
        arms = arm_files.alone(options.overrides)
    before = baseline.load(options.baseline) if options.baseline is not None else None
    root = root_of(options.workspace)
    replies = ReplyFile(_folder(options, root) / "replies.jsonl", fresh=options.fresh)
    if replies.remark:
        say(replies.remark, err=True)
    with closing(replies), Executor(root, seconds=options.seconds) as executor:
        found = await _run(options, arms, root, replies, executor)
    return _told(found, options, before)


async def _run(
    options: Options, arms: tuple[Arm, ...], root: Path, replies: ReplyFile, executor: Executor
) -> Run:
    from sqlscribe.evaluation.run import Bench, run
    from sqlscribe.evaluation.snapshots import Snapshots

    questions = _sets(options)
    is_workspace = options.workspace is not None or (root / CONFIGURATION).is_file()
    needs_one = not questions or any(question.schema is None for question in questions)
    today = iso_date(options.as_of or replies.started) or datetime.date.today()
    snapshots = Snapshots(
        root if is_workspace or needs_one else None,
        os.environ,
        executor,
        today=today,
        examples=options.examples,
    )

    def database(question: EvalQuestion) -> str:
        given = question.database or options.database.replace("{db_id}", question.db_id)
        return given or snapshots.database(arms[0])

    with closing(snapshots), _progress() as progress:
        if not options.sets:
            questions = _own_examples(options, snapshots, arms)
        questions = _chosen(questions, options)
        replies.begin(today.isoformat())
        bench = Bench(
            snapshots,
            executor,
            replies,
            database,
            evidence=options.evidence,
            order=options.order,
            jobs=options.jobs,
        )
        found = await run(questions, arms, bench, progress)
    for remark in snapshots.remarks:
        say(remark, err=True)
    return found


def _folder(options: Options, root: Path) -> Path:
    """Where replies are kept; the default one is generated, and git is told so."""
    if options.out is not None:
        return options.out
    from sqlscribe.generated_files import GENERATED, make_generated

    folder = root / GENERATED
    try:
        make_generated(folder)
    except OSError as error:
        raise ConfigurationError(f"{folder}: {error.strerror or error}") from error
    return folder / "eval"


def _sets(options: Options) -> tuple[EvalQuestion, ...]:
    from sqlscribe.evaluation.dataset import read_sets

    dialect = dialect_named(options.dialect) or "" if options.dialect else ""
    return read_sets(options.sets, dialect=dialect, database=options.database)


def _own_examples(
    options: Options, snapshots: Snapshots, arms: tuple[Arm, ...]
) -> tuple[EvalQuestion, ...]:
    from sqlscribe.evaluation.dataset import from_examples

    examples = snapshots.loaded(arms[0]).examples
    if not examples:
        raise ConfigurationError(
            "there is nothing to ask: no SET is given, and the workspace has no examples"
        )
    return from_examples(examples, options.database)


def _chosen(questions: tuple[EvalQuestion, ...], options: Options) -> tuple[EvalQuestion, ...]:
    wanted = set(options.only)
    chosen = [
        question
        for question in questions
        if not wanted or wanted & {question.id, question.db_id, question.lang, question.difficulty}
    ]
    if not chosen:
        raise ConfigurationError("there is no question to ask: --only leaves none over")
    return tuple(chosen[: options.limit])


@contextmanager
def _progress() -> Iterator[Callable[[int, int, Trial | None], None]]:
    """A bar on standard error, with the score so far; nothing where that is no terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total, trial: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}", markup=False),
    )
    right: dict[str, list[int]] = {}
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def told(done: int, total: int, trial: Trial | None) -> None:
            if trial is not None:
                score = right.setdefault(trial.arm, [0, 0])
                score[0] += trial.is_right
                score[1] += 1
            scores = "  ".join(f"{arm} {good}/{n}" for arm, (good, n) in right.items())
            bar.update(task, completed=done, total=total, description=scores)

        yield told


def _told(run: Run, options: Options, before: dict[str, Passed] | None) -> tuple[Change, ...]:
    """Print and write what came of it; the changes against the baseline, if there is one."""
    from sqlscribe.evaluation import baseline
    from sqlscribe.evaluation.as_json import run_json
    from sqlscribe.evaluation.report import html
    from sqlscribe.evaluation.summary import changed, summary

    changes = () if before is None else baseline.changes(before, run, options.tolerance)
    if options.html is not None:
        try:
            options.html.write_text(html(run), "utf-8")
        except OSError as error:
            raise ConfigurationError(f"{options.html}: {error.strerror or error}") from error
    if options.save_baseline is not None:
        baseline.save(options.save_baseline, run)
    for skipped in run.skipped:
        say(f"not counted: {skipped.question.id}: {skipped.reason}", err=True)
    if options.as_json:
        print_json({**run_json(run), "changes": [asdict(change) for change in changes]})
    else:
        say(summary(run))
        if changes:
            say(f"\n{changed(changes)}")
    return changes
