"""The talk with a model about one prompt: ask, look up, vote, and send back what is wrong."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

from sqlscribe import lookups, repairs
from sqlscribe.drafts import Draft, best, is_repeated, judge, put_right
from sqlscribe.errors import ModelError, TemplateError
from sqlscribe.models.chat import ChatModel, Message, Reply, Usage, at_temperature
from sqlscribe.outcomes import Answer, Report
from sqlscribe.prompting.prompt import Prompt
from sqlscribe.snapshot import Snapshot
from sqlscribe.voting import vote

_WARM = 0.7
"""The temperature of further candidates, which would all be the same reply at none."""


async def converse(model: ChatModel, prompt: Prompt, snapshot: Snapshot, report: Report) -> Answer:
    """Ask, and send back what is wrong until the SQL is clean, repeated or out of tries.

    Errors go back up to ``max_repairs`` times, a doubt of each kind once. Names that can mean
    one thing only are put right before that, or where the model could not, as the snapshot says.
    Raises ``ModelError`` and ``TemplateError`` where there is no draft yet.
    """
    talk = _Talk(model, prompt, snapshot, report, list(prompt.messages))
    found = await talk.begin()
    drafts: list[Draft] = []
    doubted: set[str] = set()
    repaired = 0
    while True:
        if found.has_given_up or is_repeated(found, drafts):
            # The model repeats itself or gives up: the drafts it gave before are what there is.
            break
        drafts.append(found)
        if found.errors and snapshot.puts_right_first:
            right = await asyncio.to_thread(put_right, found, snapshot, prompt)
            if right.mended:
                return await talk.end(right, repaired)
        new_doubts = {doubt.kind for doubt in found.doubts} - doubted
        if not found.errors and not new_doubts:
            break
        if repaired == snapshot.max_repairs:
            break
        repaired += 1
        doubted |= {doubt.kind for doubt in found.doubts[:1]}
        try:
            found = await talk.repair(found, repaired)
        except (ModelError, TemplateError) as error:
            # The draft is worth more than the news that its repair failed.
            talk.warnings.append(f"the SQL was not repaired: {error}")
            break
    return await talk.end(best(drafts) if drafts else found, repaired)


@dataclass
class _Talk:
    """What was said so far, and what it cost."""

    model: ChatModel
    prompt: Prompt
    snapshot: Snapshot
    report: Report
    messages: list[Message]
    reply: Reply = field(default_factory=lambda: Reply(""))
    usage: Usage = field(default_factory=Usage)
    calls: int = 0
    lookups: int = 0
    warnings: list[str] = field(default_factory=list)
    vote: str = ""

    async def begin(self) -> Draft:
        """The first draft, of several candidates the one that most agree with."""
        wanted = self.snapshot.candidates
        if wanted < 2:
            self.report(f"asking {self.model.name}")
            return await self._settled(await self._ask())
        self.report(f"asking {self.model.name} for {wanted} candidates")
        replies = await self._candidates(wanted)
        self.report("checking")
        drafts = [
            await asyncio.to_thread(judge, reply, self.snapshot, self.prompt) for reply in replies
        ]
        counted = await asyncio.to_thread(vote, drafts, self.snapshot)
        self.vote = counted.told
        self.reply, chosen = replies[counted.winner], drafts[counted.winner]
        others = [draft.sql for draft in drafts if draft.sql and not draft.errors]
        known = {chosen.sql, *chosen.answer.alternates}
        further = [sql for sql in dict.fromkeys(others) if sql not in known]
        alternates = (*chosen.answer.alternates, *further)
        chosen = replace(chosen, answer=replace(chosen.answer, alternates=alternates))
        return await self._settled(chosen)

    async def repair(self, draft: Draft, number: int) -> Draft:
        """The next draft, made from what is wrong with this one."""
        self.report(f"repairing {number}/{self.snapshot.max_repairs}")
        asked = await asyncio.to_thread(repairs.repair, draft, self.snapshot, self.prompt)
        self._say(asked)
        return await self._settled(await self._ask())

    async def end(self, draft: Draft, repaired: int) -> Answer:
        """The answer; one without errors is kept for the next time, if it is the model's own."""
        draft = await asyncio.to_thread(put_right, draft, self.snapshot, self.prompt)
        answer = draft.answer
        if answer.is_clean and not draft.mended:
            key = self.prompt.fingerprint(self.model.name)
            await asyncio.to_thread(self.snapshot.stored.put, key, answer.sql)
        elif draft.errors and answer.outcome == "sql":
            answer = replace(answer, message=_marked(draft, repaired))
        remarks = [doubt.message for doubt in draft.doubts if doubt.kind == "shape"]
        remarks += [f"names put right: {change}" for change in draft.mended]
        remarks += [
            f"the query gives {doubt.message}" for doubt in draft.doubts if doubt.kind == "empty"
        ]
        return replace(
            answer,
            source="model",
            model=self.model.name,
            usage=self.usage,
            calls=self.calls,
            checked=(*answer.checked, *([self.vote] if self.vote and answer.sql else [])),
            warnings=tuple(dict.fromkeys([*self.warnings, *remarks])),
        )

    async def _ask(self) -> Draft:
        self._take(await self.model.complete(self.messages, self.prompt.form))
        self.report("checking")
        return await asyncio.to_thread(judge, self.reply, self.snapshot, self.prompt)

    async def _settled(self, draft: Draft) -> Draft:
        """The draft, after the lookups that the model wants before it gives one."""
        while draft.lookup:
            self.lookups += 1
            self.report("looking up values")
            looked = await asyncio.to_thread(
                lookups.look_up, draft.lookup, self.snapshot, self.prompt, self.lookups
            )
            if looked.message is None:
                return Draft(replace(draft.answer, message=looked.refused))
            self.warnings.append(looked.told)
            self._say(looked.message)
            draft = await self._ask()
        return draft

    async def _candidates(self, wanted: int) -> list[Reply]:
        """The replies that came. Raises the first one's error where none came."""
        warm = at_temperature(self.model, _WARM)
        models = [self.model, *[warm] * (wanted - 1)]
        form = self.prompt.form
        results = await asyncio.gather(
            *(each.complete(self.messages, form) for each in models), return_exceptions=True
        )
        replies: list[Reply] = []
        errors: list[ModelError] = []
        for result in results:
            if isinstance(result, Reply):
                self._take(result)
                replies.append(result)
            elif isinstance(result, ModelError):
                errors.append(result)
            else:
                raise result
        if not replies:
            raise errors[0]
        if errors:
            self.warnings.append(f"{len(errors)} of {wanted} candidates failed: {errors[0]}")
        return replies

    def _take(self, reply: Reply) -> None:
        self.reply = reply
        self.calls += 1
        self.usage = self.usage.plus(reply.usage)
        self.warnings += reply.warnings

    def _say(self, message: Message) -> None:
        self.messages += [Message("assistant", self.reply.text), message]


def _marked(draft: Draft, repaired: int) -> str:
    """What a person is told of SQL that would not run."""
    tries = f" after {repaired} repair{'s' if repaired != 1 else ''}" if repaired else ""
    more = f" (and {len(draft.errors) - 1} more)" if len(draft.errors) > 1 else ""
    return f"a draft that would not run{tries}: {draft.errors[0].message}{more}"
