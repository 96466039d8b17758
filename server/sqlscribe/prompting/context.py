"""What goes into a prompt, and why; what was left out, and why.

The whole schema goes in while it fits. Above that: tables pinned in the question, tables that
retrieval found, tables that the chosen examples use, the tables on the join paths between all
of those, and their neighbours while there is room.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from typing import Literal, TypeVar

from sqlscribe.knowledge.examples import Example
from sqlscribe.knowledge.notes import Section
from sqlscribe.knowledge.profiles import Profile
from sqlscribe.knowledge.retrieval import Scored
from sqlscribe.knowledge.values import ValueMatch
from sqlscribe.prompting.tokens import CHARACTERS_PER_TOKEN, estimate
from sqlscribe.schema import graph
from sqlscribe.schema.model import Schema, Table

Item = TypeVar("Item")
ReplyFormName = Literal["sql", "slots"]

_EXAMPLES_SHARE = 0.3
_NOTES_SHARE = 0.15
_LONGEST_LINE = 300
"""Characters to which notes on examples are cut in the prompt."""
_NO_ROOM = "no room in the prompt's budget"
_TEMPLATE_TOKENS = 900
"""About what the shipped templates cost by themselves."""


@dataclass(frozen=True)
class Turn:
    """One thing that the person said, or the SQL that was given back."""

    role: str
    text: str


@dataclass(frozen=True)
class Request:
    """One question as it is asked: the words, and what stands around them.

    ``task`` is the folder of templates: ``ask``, ``refine`` or ``repair``.
    ``sql`` is the statement to be changed, ``error`` the engine's message about it.
    ``mentions`` are the raw names after ``@``.
    """

    question: str
    task: str = "ask"
    turns: tuple[Turn, ...] = ()
    sql: str = ""
    error: str = ""
    mentions: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The question without its mentions, which say where to look and not what is asked."""
        text = self.question
        for mention in self.mentions:
            text = re.sub(rf"\s*@{re.escape(mention)}(?![^\W_])", "", text)
        return text.strip()

    @property
    def search_text(self) -> str:
        """What retrieval looks for: the whole chain, so that "and by region" finds its tables."""
        said = [turn.text for turn in self.turns if turn.role == "user"]
        return "\n".join([*said, self.question])


@dataclass(frozen=True)
class LeftOut:
    kind: str
    name: str
    reason: str


@dataclass(frozen=True)
class Material:
    """All that may go in: what is known, and what retrieval made of it, best first."""

    schema: Schema
    dialect: str
    today: datetime.date
    timezone: str = ""
    rules: str = ""
    instructions: str = ""
    tables: Sequence[Scored[Table]] = ()
    examples: Sequence[Scored[Example]] = ()
    notes: Sequence[Scored[Section]] = ()
    profiles: Sequence[Profile] = ()
    matches: Sequence[ValueMatch] = ()
    further_examples: Sequence[Scored[Example]] = ()
    """Those behind ``examples``, from which a draft of the answer chooses by its shape."""
    may_look_up: bool = False
    """Whether the model may ask for the values of a column."""
    reply: ReplyFormName = "sql"


@dataclass(frozen=True)
class Limits:
    """``tokens`` bounds the whole prompt, ``whole_schema`` is in characters of DDL.

    ``examples`` bounds, in tokens, all examples but the nearest: no provider caches them, and
    the first tell the most.
    """

    tokens: int = 12_000
    whole_schema: int = 30_000
    examples: int = 500


@dataclass(frozen=True)
class Context:
    """The choice for one prompt. Tables are in file order, examples and notes best first."""

    request: Request
    material: Material
    tables: tuple[Scored[Table], ...]
    examples: tuple[Scored[Example], ...]
    notes: tuple[Scored[Section], ...]
    profiles: tuple[Profile, ...]
    left_out: tuple[LeftOut, ...]
    unknown_mentions: tuple[str, ...] = ()
    whole_schema: bool = True


def room_for_examples(tokens: int, unbounded: int) -> int:
    """The most tokens that examples may take of a prompt of ``tokens``, the nearest one too.

    ``unbounded`` are those of what goes in whole.
    """
    return int(_room(tokens, unbounded) * _EXAMPLES_SHARE)


def _room(tokens: int, unbounded: int) -> int:
    return max(tokens - _TEMPLATE_TOKENS - unbounded, 0)


def unbounded_tokens(request: Request, material: Material) -> int:
    """What the words take of a prompt that go in whole, whatever the limits are."""
    return sum(
        map(estimate, (material.rules, material.instructions, request.search_text, request.sql))
    )


def assemble(request: Request, material: Material, limits: Limits) -> Context:
    """Choose what goes in under ``limits``."""
    left_out: list[LeftOut] = []
    unbounded = unbounded_tokens(request, material)
    room = _room(limits.tokens, unbounded)
    nearest = sum(example_tokens(scored.item) for scored in material.examples[:1])
    examples, spent = _fill(
        material.examples,
        min(room_for_examples(limits.tokens, unbounded), max(limits.examples, nearest)),
        example_tokens,
        lambda example: LeftOut("example", example.question, _NO_ROOM),
        left_out,
    )
    room -= spent
    notes, spent = _fill(
        material.notes,
        int(room * _NOTES_SHARE),
        lambda note: estimate(note.text),
        lambda note: LeftOut("note", note.title, _NO_ROOM),
        left_out,
    )
    room -= spent

    pinned, unknown = _pinned(request.mentions, material.schema)
    candidates = [table for table in material.schema.tables if _is_lasting(table)]
    whole = _fits(candidates, min(limits.whole_schema, room * CHARACTERS_PER_TOKEN))
    if whole:
        tables = {id(table): Scored(table, "whole schema") for table in candidates}
        tables |= {id(table): Scored(table, "mentioned") for table in pinned}
    else:
        tables = _choose_tables(pinned, [scored.item for scored in examples], material, room)
        left_out += [
            LeftOut("table", table.qualified_name, "not close enough to the question, or no room")
            for table in candidates
            if id(table) not in tables
        ]
    # File order keeps the prompt's beginning the same for every question on one schema.
    chosen = tuple(tables[id(table)] for table in material.schema.tables if id(table) in tables)
    names = {table.item.qualified_name.casefold() for table in chosen}
    names |= {table.item.name.casefold() for table in chosen}
    profiles = tuple(shown_values(p) for p in material.profiles if p.table.casefold() in names)
    return Context(
        request, material, chosen, examples, notes, profiles, tuple(left_out), unknown, whole
    )


_FEW, _FEW_CHARACTERS, _SOME = 8, 80, 3


def shown_values(profile: Profile) -> Profile:
    """What the prompt shows of a column's values: all of a few short ones, else the first.

    The value that a question speaks of is found among all, and stands beside the question.
    """
    few = len(profile.values) <= _FEW and sum(map(len, profile.values)) <= _FEW_CHARACTERS
    if few or not profile.values:
        return profile
    return replace(profile, values=profile.values[:_SOME], partial=True)


def shrunk(context: Context, tokens: int, target: int) -> Context | None:
    """The context without its lowest-ranked parts, so that ``tokens`` come near ``target``.

    ``None`` when nothing can go: what is left was asked for by name.
    """
    excess = tokens - target
    gone: list[LeftOut] = []
    reason = f"the prompt may have {target} tokens"
    notes, examples, tables = list(context.notes), list(context.examples), list(context.tables)
    while excess > 0 and notes:
        note = notes.pop().item
        excess -= estimate(note.text)
        gone.append(LeftOut("note", note.title, reason))
    while excess > 0 and len(examples) > 1:
        example = examples.pop().item
        excess -= example_tokens(example)
        gone.append(LeftOut("example", example.question, reason))
    droppable = sorted(
        (scored for scored in tables if scored.reason != "mentioned"),
        key=lambda scored: scored.score,
    )
    for scored in droppable[: max(len(tables) - 1, 0)]:
        if excess <= 0:
            break
        tables.remove(scored)
        excess -= _table_characters(scored.item) // CHARACTERS_PER_TOKEN
        gone.append(LeftOut("table", scored.item.qualified_name, reason))
    if not gone:
        return None
    return replace(
        context,
        notes=tuple(notes),
        examples=tuple(examples),
        tables=tuple(tables),
        left_out=context.left_out + tuple(gone),
        whole_schema=context.whole_schema and len(tables) == len(context.tables),
    )


def resolve_mention(name: str, schema: Schema) -> tuple[Table, ...]:
    """Tables that ``@name`` means: ``table``, ``schema.table`` or either with a column.

    Text that runs on without a space (``@orders的总额``) is cut until it fits, but never inside
    a word of Latin letters.
    """
    for end in range(len(name), 0, -1):
        if end < len(name) and name[end].isascii() and name[end] != ".":
            continue
        parts = [part for part in name[:end].split(".") if part]
        found = _named(parts, schema)
        if found:
            return found
    return ()


def _named(parts: list[str], schema: Schema) -> tuple[Table, ...]:
    if not parts:
        return ()
    *qualifier, last = parts
    tables = schema.named(last, ".".join(qualifier))
    if tables or not qualifier:
        return tables
    *outer, table_name = qualifier
    owners = schema.named(table_name, ".".join(outer))
    return tuple(table for table in owners if table.column(last) is not None)


def _pinned(mentions: Iterable[str], schema: Schema) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    pinned: dict[int, Table] = {}
    unknown: list[str] = []
    for mention in mentions:
        found = resolve_mention(mention, schema)
        pinned |= {id(table): table for table in found}
        if not found:
            unknown.append(mention)
    return tuple(pinned.values()), tuple(unknown)


def _is_lasting(table: Table) -> bool:
    """False for partitions, whose parent stands for them, and for what lives for one script."""
    return not table.parent and not table.kind.startswith("temporary")


def _choose_tables(
    pinned: Sequence[Table], examples: Sequence[Example], material: Material, room: int
) -> dict[int, Scored[Table]]:
    """Tables by descending score while there is room; a table lends score to its neighbours."""
    schema = material.schema
    chosen = {id(table): Scored(table, "mentioned", 1.0) for table in pinned}
    characters = room * CHARACTERS_PER_TOKEN
    characters -= sum(_table_characters(table) for table in pinned)
    # A part of the room stays for the join paths, without which the tables are of no use.
    reserve, characters = characters // 4, characters - characters // 4

    best = max([scored.score for scored in material.tables] + [_WEAKEST_BEST])
    candidates = [Scored(t, "used by an example", 0.9) for t in _used_by(examples, schema)]
    candidates += [
        Scored(scored.item, scored.reason, 0.8 * scored.score / best) for scored in material.tables
    ]
    candidates += [found for scored in chosen.values() for found in _neighbours(schema, scored)]
    # The counter keeps equal scores in their order, and tables from being compared.
    heap = [(-scored.score, number, scored) for number, scored in enumerate(candidates)]
    heapify(heap)
    counter = len(heap)
    while heap:
        _, _, scored = heappop(heap)
        cost = _table_characters(scored.item)
        if id(scored.item) in chosen or not _is_lasting(scored.item) or cost > characters:
            continue
        chosen[id(scored.item)] = scored
        characters -= cost
        for found in _neighbours(schema, scored):
            counter += 1
            heappush(heap, (-found.score, counter, found))
    characters += reserve
    strong = [scored.item for scored in chosen.values() if scored.score >= _STRONG]
    for table in graph.join_path_tables(schema, strong):
        cost = _table_characters(table)
        if id(table) not in chosen and cost <= characters:
            chosen[id(table)] = Scored(table, "on a join path", 0.5)
            characters -= cost
    return chosen


_WEAKEST_BEST = 0.5
"""A best hit below this is a weak one, and is not raised to a strong one."""
_STRONG = 0.4
_HOP = 0.7
_FEW_JOINS = 8
_FAINTEST = 0.05


def _neighbours(schema: Schema, scored: Scored[Table]) -> list[Scored[Table]]:
    """Tables that join this one. One that everything joins says little about each of them."""
    joins = graph.joins_of(schema, scored.item)
    score = scored.score * _HOP * min(1.0, _FEW_JOINS / max(len(joins), 1))
    if score < _FAINTEST:
        return []
    reason = f"joins {scored.item.name}"
    return [Scored(join.other(scored.item), reason, score) for join in joins]


_WORD = re.compile(r"\w+")


def _used_by(examples: Iterable[Example], schema: Schema) -> Iterable[Table]:
    for example in examples:
        for name in (*example.tables, *dict.fromkeys(_WORD.findall(example.sql))):
            yield from schema.named(name.rpartition(".")[2])


def _fill(
    ranked: Sequence[Scored[Item]],
    room: int,
    cost: Callable[[Item], int],
    named: Callable[[Item], LeftOut],
    left_out: list[LeftOut],
) -> tuple[tuple[Scored[Item], ...], int]:
    """The best that fit into ``room`` tokens, and what they cost; the others are ``named``."""
    taken: list[Scored[Item]] = []
    spent = 0
    for scored in ranked:
        tokens = cost(scored.item)
        if spent + tokens <= room:
            taken.append(scored)
            spent += tokens
        else:
            left_out.append(named(scored.item))
    return tuple(taken), spent


def example_tokens(example: Example) -> int:
    """About what an example takes of a prompt."""
    said = [example.question, example.sql, example.note[:_LONGEST_LINE]]
    for pair in example.wrong:
        said += [pair.sql, pair.why[:_LONGEST_LINE]]
    return sum(map(estimate, said)) + 12


def _fits(tables: Iterable[Table], characters: int) -> bool:
    for table in tables:
        characters -= _table_characters(table)
        if characters < 0:
            return False
    return True


def _table_characters(table: Table) -> int:
    """About how long the table's DDL is in the prompt."""
    size = 24 + len(table.qualified_name) + len(table.comment)
    for column in table.columns:
        size += 10 + len(column.name) + len(column.type) + len(column.comment)
        size += sum(len(value) + 4 for value in column.values)
    return size + 60 * len(table.foreign_keys)
