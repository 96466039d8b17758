"""The JSON of ``sqlscribe eval --json``. Its shape is a contract.

``{arms: [{name, n, correct, …}], pairs: [{arm, reference, difference, …}],
questions: [{id, question, arms: {NAME: {verdict, sql, …}}}], skipped: [{id, reason}]}``
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlscribe.contract import finding_json
from sqlscribe.evaluation.cells import shown
from sqlscribe.evaluation.execution import Result
from sqlscribe.evaluation.figures import ArmFigures, PairFigures, Share, arm_figures, pair_figures
from sqlscribe.evaluation.run import SHOWN_ROWS, Run, Trial
from sqlscribe.notation.document import Document

Json = dict[str, Any]


def run_json(run: Run) -> Json:
    return {
        "arms": [_arm(figures) for figures in arm_figures(run)],
        "pairs": [_pair(figures) for figures in pair_figures(run)],
        "questions": _questions(run),
        "skipped": [{"id": one.question.id, "reason": one.reason} for one in run.skipped],
    }


def _arm(figures: ArmFigures) -> Json:
    return {
        "name": figures.name,
        "description": figures.description or None,
        "model": figures.model or None,
        "n": figures.correct.n,
        "correct": figures.correct.count,
        "execution_accuracy": _rounded(figures.correct.rate),
        "interval": [_rounded(bound) for bound in figures.correct.interval],
        "valid_sql": figures.valid.count,
        "valid_sql_of": figures.valid.n,
        "valid_sql_rate": _rounded(figures.valid.rate),
        "declined": figures.declined.count,
        "declined_rate": _rounded(figures.declined.rate),
        "unanswerable": figures.recognised.n,
        "recognised": figures.recognised.count,
        "recognised_rate": _rounded(figures.recognised.rate),
        "outcomes": dict(figures.outcomes),
        "verdicts": dict(figures.verdicts),
        "sources": dict(figures.sources),
        "repaired_questions": figures.repaired,
        "repairs": figures.repairs,
        "calls": figures.calls,
        "prompt_tokens": figures.prompt_tokens,
        "completion_tokens": figures.completion_tokens,
        "cached_share": _rounded(figures.cached),
        "cost": figures.cost,
        "seconds_median": _rounded(figures.seconds_median),
        "seconds_p90": _rounded(figures.seconds_p90),
        **{
            f"by_{kind}": {name: _share(share) for name, share in groups.items()}
            for kind, groups in figures.groups.items()
        },
    }


def _share(share: Share) -> Json:
    return {"n": share.n, "correct": share.count, "execution_accuracy": _rounded(share.rate)}


def _pair(figures: PairFigures) -> Json:
    return {
        "arm": figures.arm,
        "reference": figures.reference,
        "n": figures.table.n,
        "difference": _rounded(figures.difference),
        "interval": [_rounded(bound) for bound in figures.interval],
        "p": float(f"{figures.p:.4g}"),
        "both_right": figures.table.both,
        "only_arm_right": figures.table.only_first,
        "only_reference_right": figures.table.only_second,
        "both_wrong": figures.table.neither,
        "seconds_ratio": _rounded(figures.slower),
    }


def _questions(run: Run) -> list[Json]:
    found: dict[str, Json] = {}
    for trial in run.trials:
        question = trial.question
        item = found.setdefault(
            question.id,
            {
                "id": question.id,
                "db_id": question.db_id or None,
                "lang": question.lang,
                "difficulty": question.difficulty or None,
                "question": question.question,
                "evidence": question.evidence or None,
                "gold": [
                    {"sql": sql, **result_json(result)}
                    for sql, result in run.golds[question.id].results
                ],
                "arms": {},
            },
        )
        item["arms"][trial.arm] = _trial(trial)
    return list(found.values())


def _trial(trial: Trial) -> Json:
    document = Document("", trial.sql)
    return {
        "correct": trial.is_right,
        "verdict": trial.verdict,
        "outcome": trial.outcome,
        "sql": trial.sql or None,
        "message": trial.message or None,
        "error": trial.error or None,
        "findings": [finding_json(document, finding) for finding in trial.findings],
        "warnings": list(trial.warnings),
        "source": trial.source,
        "calls": trial.calls,
        "repairs": trial.repairs,
        "prompt_tokens": trial.usage.prompt_tokens,
        "completion_tokens": trial.usage.completion_tokens,
        "cached_tokens": trial.usage.cached_tokens,
        "cost": trial.usage.cost,
        "seconds": _rounded(trial.seconds),
        **(result_json(trial.result) if trial.result.columns else {}),
    }


def result_json(result: Result) -> Mapping[str, Any]:
    return {
        "columns": list(result.columns),
        "rows": [shown(row) for row in result.rows[:SHOWN_ROWS]],
        "row_count": result.count,
    }


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)
