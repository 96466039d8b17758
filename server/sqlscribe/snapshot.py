"""All that one answer is made from, frozen while a model is awaited."""

from __future__ import annotations

import datetime
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sqlscribe.checking.check import Values
from sqlscribe.knowledge import masking, retrieval
from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.masking import Masked
from sqlscribe.knowledge.notes import Section
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.knowledge.synonyms import Synonym
from sqlscribe.models.chat import ChatModel
from sqlscribe.notation.findings import Finding
from sqlscribe.prompting.context import Limits, ReplyFormName
from sqlscribe.prompting.templates import Templates
from sqlscribe.schema.database.running import Rows
from sqlscribe.schema.model import Schema, Table


class Search(Protocol):
    """The index, as far as a question needs it."""

    def __call__(self, text: str, kind: str, limit: int) -> Sequence[retrieval.Hit]: ...


class Engine(Protocol):
    """Who knows whether a query would run; it never raises."""

    @property
    def name(self) -> str: ...

    @property
    def remark(self) -> str: ...

    def explain(self, sql: str) -> tuple[Finding, ...]: ...


class StoredAnswers(Protocol):
    """Answers by the fingerprint of their prompt."""

    def get(self, fingerprint: str) -> str | None: ...

    def put(self, fingerprint: str, sql: str) -> None: ...


# Its text would be that of thousands of tables, and asyncio makes it behind each command.
@dataclass(frozen=True, repr=False)
class Snapshot:
    """All that one answer is made from, as it stood when the question was asked.

    ``known_values`` are for the checker alone and reach no model; ``slot_values`` are the columns
    of each known value, which ``mask`` takes out of questions. ``fits`` tells whether the schema
    still has all that an example names. ``likeness`` tells how near each of
    some words comes to others, if anything can. ``ignored`` are the codes of
    findings that nobody wants to see. ``connect`` gives the model, or ``None`` where only
    verified examples answer. ``run`` gives the rows of a query, at most so many, and raises
    ``DatabaseError``; ``None`` where none is run. ``price`` gives US dollars of one token of a
    prompt, ``None`` where it is not known; it may read a long list. ``samples`` gives values of
    the columns of tables that may go to a model, ``None`` where none are read for that.
    ``send_rows``: rows that were read may go to a model, but never those of columns in
    ``masks``. ``puts_right_first``: wrong names that can mean one thing only are put right
    before the model is asked to. ``hide`` takes the key that the model gets out of what the
    model says.
    """

    dialect: str
    schema: Schema
    templates: Templates
    search: Search
    connect: Callable[[], Awaitable[ChatModel | None]]
    stored: StoredAnswers
    today: datetime.date
    timezone: str = ""
    model_name: str = "verified"
    examples: tuple[Example, ...] = ()
    notes: tuple[Section, ...] = ()
    rules: str = ""
    instructions: str = ""
    profiles: tuple[Profile, ...] = ()
    send_profiles: bool = False
    send_rows: bool = False
    masks: tuple[str, ...] = ()
    run: Callable[[str, int], Rows] | None = None
    samples: Callable[[Sequence[Table]], tuple[Profile, ...]] | None = None
    known_values: Values | None = None
    slot_values: Mapping[str, Sequence[str]] = field(default_factory=dict)
    mask: Callable[[str], Masked] = masking.mask
    synonyms: tuple[Synonym, ...] = ()
    fits: Callable[[Example], bool] = lambda example: True
    likeness: Callable[[Sequence[str], Sequence[str]], Sequence[float]] = lambda words, others: ()
    hide: Callable[[str], str] = str
    engine: Engine | None = None
    ignored: tuple[str, ...] = ()
    limits: Limits = field(default_factory=Limits)
    example_limit: int = 5
    max_repairs: int = 2
    puts_right_first: bool = False
    candidates: int = 1
    reply: ReplyFormName = "sql"
    price: Callable[[], float | None] = lambda: None
    remarks: tuple[str, ...] = ()
