"""The route of one question: prompt, model, extraction, check, repair.

Works on a frozen :class:`Snapshot`, so nothing is locked while a model is awaited.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from sqlscribe.answerable import looked_over, turned_away
from sqlscribe.checking.extraction.cleaning import without_marks
from sqlscribe.conversation import converse
from sqlscribe.drafts import offered
from sqlscribe.errors import ModelError, TemplateError, TooLong
from sqlscribe.material import gathered, with_samples
from sqlscribe.models import verified
from sqlscribe.models.chat import ChatModel
from sqlscribe.outcomes import Answer, Outcome, Report, Source, silent
from sqlscribe.prompting.context import Request, assemble, shrunk, unbounded_tokens
from sqlscribe.prompting.prompt import Prompt, build
from sqlscribe.snapshot import Snapshot

__all__ = ["Answer", "Outcome", "Report", "Source", "answer", "known", "prepare", "silent"]


def prepare(request: Request, snapshot: Snapshot) -> Prompt:
    """The prompt of a question: what *Preview* shows and what the model will read.

    Raises :class:`TemplateError`.
    """
    context = assemble(request, gathered(request, snapshot), snapshot.limits)
    context = with_samples(context, snapshot)
    return build(context, snapshot.templates, snapshot.limits)


async def answer(
    request: Request,
    snapshot: Snapshot,
    *,
    report: Report = silent,
    regenerate: bool = False,
) -> Answer:
    """Answer one question. Cancelling the task cancels the call to the model.

    A verified example and a stored answer come first, and a question that is not about this
    database is turned away, unless ``regenerate``.
    """
    report("retrieving")
    try:
        prompt = await asyncio.to_thread(prepare, request, snapshot)
    except TemplateError as error:
        return Answer("failed", message=str(error), error="template")
    match = await asyncio.to_thread(_match, request, snapshot)
    known = None if regenerate else await asyncio.to_thread(_known, match, snapshot, prompt)
    if known is not None:
        return await asyncio.to_thread(looked_over, known, request, snapshot, insists=False)
    try:
        model = await snapshot.connect()
        if model is None:
            return await asyncio.to_thread(_without_model, match, snapshot, prompt)
        if not regenerate:
            away = await asyncio.to_thread(turned_away, request, snapshot, prompt)
            if away is not None:
                return away
        _fits(prompt, snapshot)
        told = await _ask(model, prompt, snapshot, report)
        return await asyncio.to_thread(looked_over, told, request, snapshot, insists=regenerate)
    except (ModelError, TemplateError) as error:
        return Answer(
            "failed",
            message=str(error),
            error=error.kind if isinstance(error, ModelError) else "template",
            model=snapshot.model_name,
            prompt=prompt,
        )


def _fits(prompt: Prompt, snapshot: Snapshot) -> None:
    """Raises :class:`TooLong` where what must not be cut exceeds the limit by itself."""
    needed = unbounded_tokens(prompt.context.request, prompt.context.material)
    allowed = snapshot.limits.tokens
    if needed > allowed:
        raise TooLong(
            f"the rules and the question alone take about {needed:,} tokens, and "
            f"limits.prompt_tokens allows {allowed:,}"
        )


async def _ask(model: ChatModel, prompt: Prompt, snapshot: Snapshot, report: Report) -> Answer:
    """Converse; once more with a part of the prompt where the whole is too long for the model."""
    try:
        return await converse(model, prompt, snapshot, report)
    except TooLong as error:
        smaller = shrunk(prompt.context, prompt.tokens, prompt.tokens // 2)
        if smaller is None:
            raise
        part = await asyncio.to_thread(build, smaller, snapshot.templates, snapshot.limits)
        told = await converse(model, part, snapshot, report)
        if told.is_clean:
            # Under the whole prompt too, so that the failing call is not made again.
            key = prompt.fingerprint(model.name)
            await asyncio.to_thread(snapshot.stored.put, key, told.sql)
        return replace(told, warnings=(*told.warnings, f"{error}; asked with a part of it"))


def known(request: Request, snapshot: Snapshot, *, may_be_stored: bool = True) -> Answer | None:
    """A verified or stored answer in which no error is found, at no cost and with no call.

    The engine is not asked again. A stored one is found by its prompt, which takes a while to
    make in a large folder. ``None`` where there is no answer, or no prompt.
    """
    offline = replace(snapshot, engine=None)
    match = _match(request, offline)
    if isinstance(match, verified.VerifiedAnswer):
        found = _verified_answer(match, offline, None, request.search_text)
        if found.is_clean:
            return found
    if not may_be_stored:
        return None
    try:
        stored = _stored(offline, prepare(request, offline))
    except TemplateError:
        return None
    told = stored and looked_over(stored, request, offline, insists=False)
    return told if told is not None and told.outcome == "sql" else None


_LONGEST_MATCHED = 10_000
"""Characters. No example asks so much, and looking for dates and values in it takes long."""
_Match = verified.VerifiedAnswer | verified.Declined


def _match(request: Request, snapshot: Snapshot) -> _Match:
    """The verified example that asks the same, or those that come near."""
    if len(request.question) > _LONGEST_MATCHED:
        return verified.Declined(())
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
    return _stored(snapshot, prompt)


def _stored(snapshot: Snapshot, prompt: Prompt) -> Answer | None:
    """The answer that was stored for exactly this prompt, if it is still without errors."""
    sql = snapshot.stored.get(prompt.fingerprint(snapshot.model_name))
    if sql is None:
        return None
    stored = offered(without_marks(sql, snapshot.dialect), snapshot, prompt)
    # Only clean ones are stored. One that is not was put there by somebody else, or is out of
    # date: the model is asked instead.
    return replace(stored, source="stored", model=snapshot.model_name) if stored.is_clean else None


def _verified_answer(
    match: verified.VerifiedAnswer, snapshot: Snapshot, prompt: Prompt | None, asked: str = ""
) -> Answer:
    by = f" by {match.example.verified_by}" if match.example.verified_by else ""
    return replace(
        offered(match.sql, snapshot, prompt, asked),
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
