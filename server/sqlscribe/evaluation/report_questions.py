"""The questions of a report: what was asked, what is right, and what each arm made of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from sqlscribe.evaluation.cells import Cell, shown
from sqlscribe.evaluation.dataset import EvalQuestion
from sqlscribe.evaluation.execution import Result
from sqlscribe.evaluation.markup import escaped, joined
from sqlscribe.evaluation.run import SHOWN_ROWS, Gold, Run, Trial
from sqlscribe.evaluation.summary import seconds
from sqlscribe.models.chat import Message

_SHARED = 600
"""Characters from which on a message that several prompts have stands at the end, once."""


def questions_html(run: Run) -> str:
    """All questions, filters for them, and the messages that many prompts share."""
    by_question: dict[str, list[Trial]] = {}
    for trial in run.trials:
        by_question.setdefault(trial.question.id, []).append(trial)
    shared = _shared(run.trials)
    items = [
        _question(trials, run.golds[name], shared, number)
        for number, (name, trials) in enumerate(by_question.items(), 1)
    ]
    return joined(
        "<h2>Questions</h2>",
        _filters(run),
        *items,
        '<p class="none" hidden>No question is like that.</p>',
        _skipped(run),
        _appendix(shared),
    )


def _filters(run: Run) -> str:
    questions = [trial.question for trial in run.trials]
    groups = dict.fromkeys(group for question in questions for group in _groups_of(question))
    return joined(
        '<form class="filters" hidden>',
        '<input type="search" name="text" placeholder="Search" aria-label="Search">',
        _select("which", [("failures", "Failures"), ("differ", "Arms differ"), ("all", "All")]),
        _select("arm", [("", "Every arm"), *((arm.name, arm.name) for arm in run.arms)]),
        _select("verdict", [("", "Any verdict"), *_same(trial.verdict for trial in run.trials)]),
        _select("group", [("", "Everywhere"), *_same(groups)]),
        "<output></output></form>",
    )


def _select(name: str, options: Iterable[tuple[str, str]]) -> str:
    inner = "".join(
        f'<option value="{escaped(value)}">{escaped(label)}</option>' for value, label in options
    )
    return f'<select name="{name}" aria-label="{name}">{inner}</select>'


def _same(values: Iterable[str]) -> list[tuple[str, str]]:
    return [(value, value) for value in sorted(dict.fromkeys(values))]


def _groups_of(question: EvalQuestion) -> list[str]:
    return [text for text in (question.db_id, question.lang, question.difficulty) if text]


def _question(trials: Sequence[Trial], gold: Gold, shared: dict[str, str], number: int) -> str:
    question = trials[0].question
    verdicts = json.dumps({trial.arm: trial.verdict for trial in trials}, ensure_ascii=False)
    groups = json.dumps(_groups_of(question), ensure_ascii=False)
    about = " · ".join([question.id, *_groups_of(question)])
    return joined(
        f'<details class="question" id="q{number}" data-verdicts="{escaped(verdicts)}"'
        f' data-groups="{escaped(groups)}"><summary>',
        f'<span class="asked">{escaped(question.question)}</span>',
        f'<span class="chips">{"".join(_chip(trial) for trial in trials)}</span>',
        f'<span class="about">{escaped(about)}</span></summary><div class="inside">',
        f'<p class="said note">{escaped(question.evidence)}</p>' if question.evidence else "",
        _gold(gold),
        *(_trial(trial, shared) for trial in trials),
        "</div></details>",
    )


def _chip(trial: Trial) -> str:
    kind = "good" if trial.is_right else "odd" if trial.verdict == "no sql" else "bad"
    told = trial.outcome if trial.verdict == "no sql" else trial.verdict
    return f'<span class="chip {kind}">{escaped(trial.arm)}: {escaped(told)}</span>'


def _gold(gold: Gold) -> str:
    if not gold.results:
        return '<p class="said note">The schema cannot answer this; saying so is right.</p>'
    (sql, result), others = gold.results[0], gold.results[1:]
    more = "".join(f"<pre>{escaped(other)}</pre>" for other, _ in others)
    alternatives = (
        f'<details class="prompt"><summary>{len(others)} more that are right</summary>{more}'
        "</details>"
        if others
        else ""
    )
    return (
        f'<div class="gold"><h3>Expected</h3><div class="pair"><div><pre>{escaped(sql)}</pre>'
        f"{alternatives}</div><div>{_rows(result)}</div></div></div>"
    )


def _trial(trial: Trial, shared: dict[str, str]) -> str:
    sql = f"<pre>{escaped(trial.sql)}</pre>" if trial.sql else ""
    if not sql and trial.replies:
        sql = f"<pre>{escaped(trial.replies[-1])}</pre>"
    return joined(
        f'<div class="trial"><h3>{escaped(trial.arm)} {_chip(trial)}'
        f'<span class="usage">{escaped(_usage(trial))}</span></h3>',
        f'<div class="pair"><div>{sql}{_said(trial)}</div>',
        f"<div>{_rows(trial.result) if trial.result.columns else ''}</div></div>",
        _prompt(trial, shared),
        "</div>",
    )


def _said(trial: Trial) -> str:
    told = [f'<p class="said">{escaped(trial.error)}</p>'] if trial.error else []
    told += [
        f'<p class="said">{escaped(finding.message)} <code>{escaped(finding.code)}</code></p>'
        for finding in trial.findings
    ]
    notes = [trial.message, *trial.warnings]
    told += [f'<p class="said note">{escaped(note)}</p>' for note in notes if note]
    return "".join(told)


def _usage(trial: Trial) -> str:
    parts = [trial.source if trial.source != "model" else ""]
    if trial.repairs:
        parts.append(f"{trial.repairs} repair{'s' if trial.repairs > 1 else ''}")
    if trial.usage.prompt_tokens is not None:
        parts.append(f"{trial.usage.prompt_tokens:,} + {trial.usage.completion_tokens or 0} tokens")
    parts.append(seconds(trial.seconds))
    return " · ".join(filter(None, parts))


def _rows(result: Result) -> str:
    head = "".join(f"<th>{escaped(name)}</th>" for name in result.columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in shown(row))}</tr>"
        for row in result.rows[:SHOWN_ROWS]
    )
    number = result.count
    more = f"{number:,} row{'' if number == 1 else 's'}"
    if result.cut:
        more = f"more than {more}"
    if number > SHOWN_ROWS:
        more += f", the first {SHOWN_ROWS} shown"
    return (
        f'<div class="rows"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        f'</div><p class="about">{escaped(more)}</p>'
    )


def _cell(value: Cell) -> str:
    return "<i>NULL</i>" if value is None else escaped(str(value))


def _prompt(trial: Trial, shared: dict[str, str]) -> str:
    if not trial.sent:
        return ""
    messages = "".join(_message(message, shared) for message in trial.sent)
    reply = trial.replies[-1] if trial.replies else ""
    answer = f'<p class="role">reply</p><pre>{escaped(reply)}</pre>' if trial.replies else ""
    return (
        f'<details class="prompt"><summary>Prompt and reply</summary>{messages}{answer}</details>'
    )


def _message(message: Message, shared: dict[str, str]) -> str:
    head = f'<p class="role">{escaped(message.role)}</p>'
    if (anchor := shared.get(message.content)) is not None:
        start = escaped(" ".join(message.content.split())[:120])
        return f'{head}<pre><a href="#{anchor}">{start}…</a></pre>'
    return f"{head}<pre>{escaped(message.content)}</pre>"


def _shared(trials: Iterable[Trial]) -> dict[str, str]:
    """Anchors by content of the long messages that stand in several prompts."""
    counts = Counter(message.content for trial in trials for message in trial.sent)
    long = [text for text, count in counts.items() if count > 1 and len(text) > _SHARED]
    return {text: f"m{number}" for number, text in enumerate(long, 1)}


def _appendix(shared: dict[str, str]) -> str:
    if not shared:
        return ""
    items = "".join(
        f'<details class="prompt" id="{anchor}"><summary>{escaped(" ".join(text.split())[:120])}…'
        f"</summary><pre>{escaped(text)}</pre></details>"
        for text, anchor in shared.items()
    )
    return f"<h2>Messages that several prompts share</h2>{items}"


def _skipped(run: Run) -> str:
    if not run.skipped:
        return ""
    items = "".join(
        f'<p class="said note">{escaped(one.question.id)}: {escaped(one.reason)}</p>'
        for one in run.skipped
    )
    return f"<h2>Not counted</h2>{items}"
