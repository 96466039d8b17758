"""The route of one question: prompt, model, extraction, check, repair.

Works on a frozen :class:`Snapshot`, so nothing is locked while a model is awaited.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

from sqlscribe.checking import reads
from sqlscribe.checking.check import Checked, check, is_about_today
from sqlscribe.checking.extraction import Extraction, extract
from sqlscribe.errors import ModelError, TemplateError, TooLong
from sqlscribe.knowledge.examples import Example
from sqlscribe.material import gathered
from sqlscribe.models import verified
from sqlscribe.models.chat import ChatModel, Message, Reply, Usage
from sqlscribe.notation.findings import Finding, Severity
from sqlscribe.notation.ignores import is_ignored
from sqlscribe.prompting.context import Request, assemble, shrunk
from sqlscribe.prompting.prompt import Prompt, build, repair_message
from sqlscribe.schema.model import Table
from sqlscribe.snapshot import Snapshot

Outcome = Literal["sql", "needs_choice", "insufficient", "refused", "no_sql", "truncated", "failed"]
Source = Literal["model", "stored", "verified", "none"]


@dataclass(frozen=True)
class Answer:
    """What came of a question. ``sql`` is set only when ``outcome`` is ``"sql"``.

    ``message`` is one sentence for the person where there is no SQL, or where there is
    something to know about it. ``tables`` are those that the SQL uses, with their schemas.
    ``calls`` counts the model's replies.
    """

    outcome: Outcome
    sql: str = ""
    message: str = ""
    tables: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    alternates: tuple[str, ...] = ()
    source: Source = "none"
    model: str = ""
    error: str = ""
    usage: Usage = field(default_factory=Usage)
    calls: int = 0
    warnings: tuple[str, ...] = ()
    example: Example | None = None
    prompt: Prompt | None = None

    @property
    def is_clean(self) -> bool:
        """SQL in which no error was found."""
        wrong = any(finding.severity is Severity.ERROR for finding in self.findings)
        return self.outcome == "sql" and not wrong


Report = Callable[[str], None]
"""Told the stage that begins: ``retrieving``, ``asking …``, ``checking``, ``repairing 1/2``."""


def silent(stage: str) -> None:
    """A report that nobody watches."""


def prepare(request: Request, snapshot: Snapshot) -> Prompt:
    """The prompt of a question: what *Preview* shows and what the model will read.

    Raises :class:`TemplateError`.
    """
    context = assemble(request, gathered(request, snapshot), snapshot.limits)
    return build(context, snapshot.templates, snapshot.limits)


async def answer(
    request: Request,
    snapshot: Snapshot,
    *,
    report: Report = silent,
    regenerate: bool = False,
) -> Answer:
    """Answer one question. Cancelling the task cancels the call to the model.

    A verified example and a stored answer come first, unless ``regenerate``.
    """
    report("retrieving")
    try:
        prompt = await asyncio.to_thread(prepare, request, snapshot)
    except TemplateError as error:
        return Answer("failed", message=str(error), error="template")
    match = await asyncio.to_thread(_match, request, snapshot)
    known = None if regenerate else await asyncio.to_thread(_known, match, snapshot, prompt)
    if known is not None:
        return known
    try:
        model = await snapshot.connect()
        if model is None:
            return await asyncio.to_thread(_without_model, match, snapshot, prompt)
        return await _ask(model, prompt, snapshot, report)
    except (ModelError, TemplateError) as error:
        return Answer(
            "failed",
            message=str(error),
            error=error.kind if isinstance(error, ModelError) else "template",
            model=snapshot.model_name,
            prompt=prompt,
        )


async def _ask(model: ChatModel, prompt: Prompt, snapshot: Snapshot, report: Report) -> Answer:
    """Converse; once more with a part of the prompt where the whole is too long for the model."""
    try:
        return await _converse(model, prompt, snapshot, report)
    except TooLong as error:
        smaller = shrunk(prompt.context, prompt.tokens, prompt.tokens // 2)
        if smaller is None:
            raise
        part = await asyncio.to_thread(build, smaller, snapshot.templates, snapshot.limits)
        told = await _converse(model, part, snapshot, report)
        if told.is_clean:
            # Under the whole prompt too, so that the failing call is not made again.
            key = prompt.fingerprint(model.name)
            await asyncio.to_thread(snapshot.stored.put, key, told.sql)
        return replace(told, warnings=(*told.warnings, f"{error}; asked with a part of it"))


_Match = verified.VerifiedAnswer | verified.Declined


def _match(request: Request, snapshot: Snapshot) -> _Match:
    """The verified example that asks the same, or those that come near."""
    match = verified.answer(
        request.words,
        snapshot.examples,
        snapshot.slot_values,
        dialect=snapshot.dialect,
        today=snapshot.today,
    )
    if isinstance(match, verified.VerifiedAnswer) and (request.task != "ask" or request.turns):
        # What is said about an earlier answer is no question of its own.
        return verified.Declined((match.example,))
    return match


def _known(match: _Match, snapshot: Snapshot, prompt: Prompt) -> Answer | None:
    """The verified or the stored answer, checked again against today's schema.

    An example that does not fit the schema any more answers nothing.
    """
    if isinstance(match, verified.VerifiedAnswer):
        found = _verified_answer(match, snapshot, prompt)
        if found.is_clean:
            return found
    sql = snapshot.stored.get(prompt.fingerprint(snapshot.model_name))
    if sql is None:
        return None
    return replace(_offer(sql, snapshot, prompt), source="stored", model=snapshot.model_name)


def _verified_answer(match: verified.VerifiedAnswer, snapshot: Snapshot, prompt: Prompt) -> Answer:
    by = f" by {match.example.verified_by}" if match.example.verified_by else ""
    return replace(
        _offer(match.sql, snapshot, prompt),
        source="verified",
        model="verified",
        example=match.example,
        message=f"a verified example answers this{by}",
    )


def _without_model(match: _Match, snapshot: Snapshot, prompt: Prompt) -> Answer:
    """What verified examples say where they are all there is."""
    if isinstance(match, verified.VerifiedAnswer):
        return _verified_answer(match, snapshot, prompt)
    if match.nearest:
        asked = "; ".join(f"“{example.question}”" for example in match.nearest)
        message = f"no verified example answers this, and no model is set. The nearest: {asked}"
    elif snapshot.examples:
        message = "no verified example answers this, and no model is set"
    else:
        message = "there are no verified examples, and no model is set"
    return Answer("insufficient", message=message, model="verified", prompt=prompt)


async def _converse(model: ChatModel, prompt: Prompt, snapshot: Snapshot, report: Report) -> Answer:
    """Ask, and send exact findings back until the SQL is clean, repeated or out of tries."""
    messages: list[Message] = list(prompt.messages)
    drafts: list[_Draft] = []
    reply = Reply("")
    usage = Usage()
    calls = 0
    warnings: list[str] = []

    def told(draft: _Draft) -> Answer:
        return replace(
            draft.answer,
            source="model",
            model=model.name,
            usage=usage,
            calls=calls,
            warnings=tuple(dict.fromkeys(warnings)),
        )

    for attempt in range(snapshot.max_repairs + 1):
        report(f"repairing {attempt}/{snapshot.max_repairs}" if attempt else f"asking {model.name}")
        try:
            if drafts:
                asked = await asyncio.to_thread(_repair, drafts[-1], snapshot, prompt)
                messages += [Message("assistant", reply.text), asked]
            reply = await model.complete(messages, prompt.form)
        except (ModelError, TemplateError) as error:
            if not drafts:
                raise
            # The draft is worth more than the news that its repair failed.
            warnings.append(f"the SQL was not repaired: {error}")
            return told(_best(drafts))
        calls += 1
        usage = usage.plus(reply.usage)
        warnings += reply.warnings
        report("checking")
        found = await asyncio.to_thread(_judge, reply, snapshot, prompt)
        given_up = not found.errors and found.answer.outcome != "sql"
        if drafts and (given_up or _is_repeated(found, drafts)):
            # The model repeats itself or gives up: the drafts it gave before are what there is.
            return told(_best(drafts))
        if given_up:
            return told(found)
        if not found.errors:
            key = prompt.fingerprint(model.name)
            await asyncio.to_thread(snapshot.stored.put, key, found.sql)
            return told(found)
        drafts.append(found)
    return told(_best(drafts))


@dataclass(frozen=True)
class _Draft:
    """What a reply comes to, the SQL in it, and the errors that a repair may cure.

    SQL that does not parse is refused as an answer, since nothing is known about it, but its
    errors can still be sent back.
    """

    answer: Answer
    sql: str = ""
    errors: tuple[Finding, ...] = ()


def _best(drafts: Sequence[_Draft]) -> _Draft:
    """One that may be offered before any other, then the fewest errors, then the latest."""
    return min(
        reversed(drafts), key=lambda draft: (draft.answer.outcome != "sql", len(draft.errors))
    )


def _is_repeated(found: _Draft, drafts: Sequence[_Draft]) -> bool:
    """Blanks do not make SQL new, nor does letter case that cures nothing."""

    def said(draft: _Draft) -> tuple[str, tuple[str, ...]]:
        messages = tuple(finding.message.casefold() for finding in draft.errors)
        return " ".join(draft.sql.split()).casefold(), messages

    return said(found) in {said(draft) for draft in drafts}


def _judge(reply: Reply, snapshot: Snapshot, prompt: Prompt) -> _Draft:
    """What a reply holds."""
    extraction = extract(reply.text, snapshot.dialect, cut_off=reply.cut_off)
    if extraction.outcome != "sql":
        return _Draft(_without_sql(extraction, prompt))
    offered = _offer(extraction.sql, snapshot, prompt)
    answer = replace(offered, alternates=extraction.alternates)
    findings = answer.findings
    if answer.outcome != "sql" and not reads.classify(extraction.sql, snapshot.dialect).parsed:
        findings = check(extraction.sql, snapshot.schema, snapshot.dialect).findings
    errors = tuple(finding for finding in findings if finding.severity is Severity.ERROR)
    return _Draft(answer, extraction.sql, errors)


def _without_sql(extraction: Extraction, prompt: Prompt) -> Answer:
    """What the person is told about a reply that holds no SQL."""
    match extraction.outcome:
        case "truncated":
            return Answer(
                "truncated",
                message="the model's reply was cut off before its end",
                prompt=prompt,
            )
        case "needs_choice":
            return Answer(
                "needs_choice",
                message="the question can be read in more than one way",
                choices=extraction.choices,
                prompt=prompt,
            )
        case "insufficient":
            return Answer("insufficient", message=extraction.declined or "", prompt=prompt)
        case _:
            said = " ".join(extraction.prose.split())
            message = "the model's reply was empty"
            if said:
                message = f"the model answered without SQL: {said[:500]}"
            return Answer("no_sql", message=message, prompt=prompt)


def _offer(sql: str, snapshot: Snapshot, prompt: Prompt) -> Answer:
    """SQL with what the checker says about it; refused where it is not known to be a read."""
    verdict = reads.classify(sql, snapshot.dialect)
    if not verdict.read:
        return Answer("refused", message=verdict.reason, prompt=prompt)
    question = prompt.context.request.search_text
    checked = _checked(sql, snapshot, snapshot.today if is_about_today(question) else None)
    return Answer(
        "sql",
        sql=sql,
        tables=checked.tables,
        findings=checked.findings,
        checked=checked.checked,
        unchecked=checked.unchecked,
        prompt=prompt,
    )


def _checked(sql: str, snapshot: Snapshot, today: date | None) -> Checked:
    """What is found without a database, and then what the engine says where there is one."""
    found = check(sql, snapshot.schema, snapshot.dialect, values=snapshot.known_values, today=today)
    findings = tuple(f for f in found.findings if not is_ignored(f.code, snapshot.ignored))
    found = replace(found, findings=findings)
    engine = snapshot.engine
    if engine is None or any(finding.severity is Severity.ERROR for finding in findings):
        # What is wrong already is said better by the checker, with the right name beside it.
        return found
    refused = engine.explain(sql)
    if engine.remark:
        return replace(found, unchecked=(*found.unchecked, engine.remark))
    return replace(
        found, findings=(*findings, *refused), checked=(*found.checked, f"explain ({engine.name})")
    )


def _repair(draft: _Draft, snapshot: Snapshot, prompt: Prompt) -> Message:
    """What sends the errors of a draft back to the model."""
    involved = _involved(draft.sql, draft.errors, snapshot, prompt)
    return repair_message(prompt, snapshot.templates, draft.sql, draft.errors, involved)


def _involved(
    sql: str, wrong: Sequence[Finding], snapshot: Snapshot, prompt: Prompt
) -> tuple[Table, ...]:
    """Tables whose columns the model should see again: those it used, else those it was shown."""
    used = check(sql, snapshot.schema, snapshot.dialect).tables
    by_name = {table.qualified_name: table for table in snapshot.schema.tables}
    involved = tuple(by_name[name] for name in used if name in by_name)
    if involved and not any(finding.code == "name/unknown-table" for finding in wrong):
        return involved
    shown = tuple(scored.item for scored in prompt.context.tables)
    return tuple(dict.fromkeys((*involved, *shown)))[:20]
