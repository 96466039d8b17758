"""The route of one question: prompt, model, extraction, check, repair.

Works on a frozen :class:`Snapshot`, so nothing is locked while a model is awaited.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from sqlscribe.checking.extraction.cleaning import without_marks
from sqlscribe.conversation import converse
from sqlscribe.drafts import offered
from sqlscribe.errors import ModelError, TemplateError, TooLong
from sqlscribe.knowledge.unrelated import strange_words, unanswered_words
from sqlscribe.knowledge.values import match_values
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
        return await asyncio.to_thread(_with_hint, known, request, snapshot)
    try:
        model = await snapshot.connect()
        if model is None:
            return await asyncio.to_thread(_without_model, match, snapshot, prompt)
        if not regenerate:
            strange = await asyncio.to_thread(_strange_words, request, snapshot)
            if strange:
                return _turned_away(strange, prompt)
        _fits(prompt, snapshot)
        told = await _ask(model, prompt, snapshot, report)
        return await asyncio.to_thread(_with_hint, told, request, snapshot)
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
        return _stored(offline, prepare(request, offline))
    except TemplateError:
        return None


def _strange_words(request: Request, snapshot: Snapshot) -> tuple[str, ...]:
    """The words by which a question is about something else than this database."""
    if request.task != "ask" or request.turns or request.mentions:
        # Whoever names a table, or speaks of an earlier answer, knows where to look.
        return ()
    texts, values = _said_here(request, snapshot)
    return strange_words(request.words, snapshot.schema.tables, snapshot.likeness, texts, values)


def _said_here(request: Request, snapshot: Snapshot) -> tuple[list[str], list[str]]:
    """What else than the schema speaks of this database, and the values that the question has."""
    texts = chain(
        (snapshot.rules, snapshot.instructions),
        (synonym.said for synonym in snapshot.synonyms),
        (f"{example.question} {example.note}" for example in snapshot.examples),
        (f"{note.title} {note.text}" for note in snapshot.notes),
    )
    values = match_values(request.words, snapshot.profiles, snapshot.schema)
    return list(texts), [match.words for match in values]


def _with_hint(answer: Answer, request: Request, snapshot: Snapshot) -> Answer:
    """A model's answer, with the words of the question that it may have left out."""
    is_own = answer.source in ("model", "stored") and answer.outcome == "sql"
    if not is_own or request.task != "ask" or request.turns:
        return answer
    texts, values = _said_here(request, snapshot)
    left_out = unanswered_words(request.words, answer.sql, snapshot.schema.tables, texts, values)
    if not left_out:
        return answer
    hint = (
        f"neither this query nor anything known of this database speaks of {_listed(left_out)}, "
        "so the answer may leave that out"
    )
    return replace(answer, warnings=(*answer.warnings, hint))


def _turned_away(strange: Sequence[str], prompt: Prompt) -> Answer:
    message = (
        f"nothing that is known of this database speaks of {_listed(strange)}; to ask the model "
        "all the same, mention a table with @, or regenerate"
    )
    return Answer("insufficient", message=message, prompt=prompt)


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"“{word}”" for word in words[:_SHOWN_WORDS])


_SHOWN_WORDS = 4

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
