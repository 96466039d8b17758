"""Whatever is typed while answers are on their way, no text is lost, and no answer either.

A machine types, pastes, undoes, moves and deletes questions, saves, closes and opens again,
while a model answers when the machine says so: what was asked for, what a refinement and what
an error asks for, through code actions and through commands. The editor is a strict one: it
makes an edit of the version that it has, or not at all. ``EXAMPLES=500`` runs it for longer.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.errors import FlakyStrategyDefinition
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from editor import editor
from late_answers import Later, World
from loopback import LoopbackModel
from shop import SHOP, use_model, write
from sqlscribe.notation import asks
from sqlscribe.notation.asks import Question
from sqlscribe.notation.document import Document, Span, TextEdit, difference

FEW = 6
EXAMPLES = int(os.environ.get("EXAMPLES", FEW))
STEPS = 25
ASKING = ("Generate SQL", "Regenerate SQL", "Refine SQL", "Repair SQL from error")
STORED = "Use stored answer"
_ANSWER = re.compile(r"SELECT (\d+) AS answer_\1")
_INSERTED = re.compile(r"\s*(SELECT (\d+) AS answer_\2);")
T = TypeVar("T")


class Asked(NamedTuple):
    """A request: the identifier of its message, the question, and the SQL that it had then."""

    name: str
    question: Question
    sql: str


@pytest.fixture
def world(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    later = Later()
    with LoopbackModel(later) as model:
        folder = write(tmp_path / "shop", {**SHOP, "sqlscribe.toml": ""})
        use_model(folder, model.api_base)
        world = World(folder, request.param, model, later)
        world.warm()
        yield world
        world.end()


PIECES = (
    "-- ask: 😀 number {} @orders TEXT",
    "-- ask: 数 {} @orders TEXT\n-- of the 𠮷 kind",
    "/* ask: block {}\n   @orders TEXT */",
    "  -- ask[as_of=2024-01-31]: indented {} @orders TEXT",
    "SELECT {};",
    "SELECT '𠮷' AS a{},\n  2\nFROM orders;",
    "-- a remark 😀 {}",
    "\u2028 {}",
    "-- ask: begun {} @orders TEXT\nSELECT {};\n-- refine: changed {} of TEXT",
    "SELECT {};\n  -- refine: put otherwise {} of TEXT 😀",
    "SELECT '𠮷' AS a{},\n  2 -- a remark\n-- error: there is no {} of TEXT\n-- HINT: try 𠮷",
)
pieces = st.builds(
    lambda piece, number: piece.replace("{}", str(number)) + "\n",
    st.sampled_from(PIECES),
    st.integers(1, 4),
)
shares = st.floats(0, 1, exclude_max=True)


class Typist(RuleBasedStateMachine):
    """What a person and a model may do with one document, in any order."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.editor = world.editor
        self.later = world.later
        self.name = f"q{next(world.names)}.sql"
        self.newline = "\n"
        self.whole = False
        self.past: list[str] = []
        self.running: dict[asyncio.Future[Any], Asked] = {}
        self.commanded: Asked | None = None
        """What a command asks for, that has not said yet what came of it."""
        self.told = 0
        """Messages to the person before it could say anything."""
        self.failure: Exception | None = None
        world.takes = self._takes
        self.kept: dict[tuple[object, ...], set[int]] = {}
        """Questions whose answer found no place, and what its number may be."""
        self.placed: set[tuple[tuple[object, ...], int]] = set()
        self.settled = 0
        """The version since which nothing was typed, when an answer came."""
        self.closed: Document | None = None

    # What a person does.

    @initialize(
        crlf=st.booleans(), whole=st.booleans(), given=st.lists(pieces, min_size=1, max_size=6)
    )
    def opens(self, crlf: bool, whole: bool, given: list[str]) -> None:
        self.newline = "\r\n" if crlf else "\n"
        self.whole = whole
        self.editor.open(self.name, self._lines("".join(given)))

    @rule(at=shares, over=st.sampled_from([0, 0, 0, 1, 2, 9]), text=st.sampled_from("ab😀𠮷 ;'\n"))
    def types_a_character(self, at: float, over: int, text: str) -> None:
        if not self.is_open:
            return
        start = self._offset(at)
        end = self._between_lines(min(start + over, len(self.text)))
        self._edit(TextEdit(Span(start, end), self._lines(text)))

    @rule(at=shares, text=st.lists(pieces, min_size=1, max_size=3).map("".join))
    def pastes_lines(self, at: float, text: str) -> None:
        if not self.is_open:
            return
        start = _at(self.document.line_starts, at)
        self._edit(TextEdit(Span(start, start), self._lines(text)))

    @rule(back=shares)
    def undoes(self, back: float) -> None:
        if not (self.is_open and self.past):
            return
        self._edit(difference(self.text, _at(self.past, back)))

    @rule(which=shares, at=shares)
    def moves_a_question(self, which: float, at: float) -> None:
        if not self.questions:
            return
        span = self._lines_of(_at(self.questions, which))
        left = self.document.changed([TextEdit(span, "")])
        place = _at(left.line_starts, at)
        self._edit(TextEdit(span, ""), TextEdit(Span(place, place), span.of(self.text)))

    @rule(which=shares)
    def deletes_a_question(self, which: float) -> None:
        if not self.questions:
            return
        self._edit(TextEdit(self._lines_of(_at(self.questions, which)), ""))

    @rule()
    def saves(self) -> None:
        if not self.is_open:
            return
        self.editor.save(self.name)

    @rule()
    def closes(self) -> None:
        if not self.is_open:
            return
        self.closed = self.editor.close(self.name)

    @rule()
    def opens_again(self) -> None:
        if self.closed is None:
            return
        assert self.closed.version is not None
        self.editor.open(self.name, self.closed.text, self.closed.version + 1)
        self.closed = None

    @rule(which=shares)
    def asks(self, which: float) -> None:
        """Ask for an answer, and do not wait for it."""
        if not self.questions:
            return
        question = _at(self.questions, which)
        if self.commanded is not None and self.commanded.question.text == question.text:
            return
        action = self._action(question, *ASKING)
        name = f"resolve {next(self.world.names)}"
        request = self.world.loop.create_task(
            self.editor.client.protocol.send_request_async(
                types.CODE_ACTION_RESOLVE, action, msg_id=name
            )
        )
        self.running[request] = self._asked(name, question)
        self._until(lambda: request.done() or self._is_under_way(question))
        self._take_answers()

    @rule(which=shares)
    def asks_by_a_command(self, which: float) -> None:
        """Ask as older editors do: the edit comes when it is ready."""
        asked = [one.question.text for one in self.running.values()]
        if self.commanded is not None or not self.questions:
            return
        question = _at(self.questions, which)
        if question.text in asked:
            return
        target = self._action(question, *ASKING).data
        self.told = len(self.editor.messages)
        self.commanded = self._asked("command", question)
        command = types.ExecuteCommandParams("sqlscribe.answer", [target])
        self.world.run(self.editor.client.workspace_execute_command_async(command))
        self._until(lambda: self._has_said() or self._is_under_way(question))
        self._end_command()

    @rule(which=shares)
    def gives_up(self, which: float) -> None:
        if not self.running:
            return
        request = _at(list(self.running), which)
        cancelled = types.CancelParams(self.running.pop(request).name)
        self.editor.client.protocol.notify(types.CANCEL_REQUEST, cancelled)
        self.world.run(_ended(request))

    @rule(which=shares)
    def takes_a_stored_answer(self, which: float) -> None:
        if not self.restorable:
            return
        question = _at(self.restorable, which)
        action = self._action(question, STORED)
        numbers = self.kept[question.identity]
        resolved = self.world.run(self.editor.client.code_action_resolve_async(action))
        assert self._place(self._asked("", question), resolved.edit) in numbers

    # What a model does.

    @rule(which=shares)
    def answers(self, which: float) -> None:
        """An answer comes, and the editor takes it at once."""
        if not self.later.waiting:
            return
        self._answer(which)
        self._take_answers()

    @rule(which=shares, at=shares)
    def answers_while_one_types(self, which: float, at: float) -> None:
        """The text changes while an answer is under way to the editor already."""
        if not (self.later.waiting and self.is_open):
            return
        self._answer(which)
        start = self._offset(at)
        self._edit(TextEdit(Span(start, start), "x"))
        self._take_answers()

    # What must hold.

    @invariant()
    def the_server_has_the_text_of_the_editor(self) -> None:
        if self.name in self.editor.documents:
            identifier = types.TextDocumentIdentifier(self.document.uri)
            params = types.DocumentSymbolParams(identifier)
            found = self.world.run(self.editor.client.text_document_document_symbol_async(params))
            assert [(_plain(one.name), one.selection_range) for one in _all(found)] == [
                (_plain(span.of(self.text) if text is None else text), self._range(span))
                for span, text in self._symbols()
            ]

    def teardown(self) -> None:
        while self.running or self.commanded is not None:
            if self.later.waiting:
                self._answer(0)
            else:
                self._until(
                    lambda: (
                        self.later.waiting
                        or any(request.done() for request in self.running)
                        or self._has_said()
                    )
                )
            self._take_answers()
            self._end_command()
        if self.closed is not None:
            self.opens_again()
        for question in self.restorable:
            assert self._action(question, STORED)
        if self.name in self.editor.documents:
            self.editor.close(self.name)

    # How it is done.

    @property
    def is_open(self) -> bool:
        return self.closed is None

    @property
    def document(self) -> Document:
        return self.editor.documents[self.name]

    @property
    def text(self) -> str:
        return self.document.text

    @property
    def questions(self) -> list[Question]:
        """The questions that can be asked now."""
        if not self.is_open:
            return []
        return list(asks.read(self.document, "postgres").questions)

    @property
    def restorable(self) -> list[Question]:
        return [one for one in self.questions if one.identity in self.kept]

    def _lines(self, text: str) -> str:
        # What was answered to one machine is stored, and would be known to the next one.
        return text.replace("TEXT", self.name).replace("\n", self.newline)

    def _offset(self, share: float) -> int:
        return self._between_lines(int(share * (len(self.text) + 1)))

    def _between_lines(self, offset: int) -> int:
        """No editor goes between the two halves of a line end."""
        return offset + self.text.startswith("\r\n", offset - 1) if offset else offset

    def _lines_of(self, question: Question) -> Span:
        document = self.document
        first, last = (document.line_of(place) for place in question.span)
        ends = [*document.line_starts, len(self.text)]
        return Span(ends[first], ends[last + 1])

    def _range(self, span: Span) -> types.Range:
        start, end = self.document.range(span, self.editor.encoding)
        return types.Range(types.Position(*start), types.Position(*end))

    def _symbols(self) -> list[tuple[Span, str | None]]:
        """Places of questions and statements; with the text of a question."""
        script = asks.read(self.document, "postgres")
        found: list[tuple[Span, str | None]] = [(one.span, one.text) for one in script.questions]
        answers = {
            one.answer
            for one in script.questions
            if one.answer is not None and one.answer.start >= one.span.end
        }
        found += [(span, None) for span in answers]
        starts = {span.start for span in answers}
        found += [(one.span, None) for one in script.statements if one.span.start not in starts]
        return sorted(found, key=lambda each: each[0])

    def _edit(self, *edits: TextEdit) -> None:
        self.past.append(self.text)
        self.editor.edit(self.name, edits, whole=self.whole)

    def _asked(self, name: str, question: Question) -> Asked:
        return Asked(name, question, _words(question.answer, self.document))

    def _action(self, question: Question, *titles: str) -> types.CodeAction:
        """The action of exactly this question that has one of the titles."""
        place = self.document.position(question.span.start + 2, self.editor.encoding)
        offered = self.world.run(self.editor.actions(self.name, place.line, place.character))
        wanted = (question.identity_fingerprint, question.ordinal)
        [action] = [
            one
            for one in offered
            if one.title in titles and (one.data["identity"], one.data["ordinal"]) == wanted
        ]
        return action

    def _is_for(self, number: int, question: Question) -> bool:
        """Whether an answer is asked for by a question."""
        asked = self.later.asked[number].rstrip()
        if question.kind == "error":
            return f"The database says:\n{question.text}\n\nReply" in asked
        return asked.endswith(f": {question.text}")

    def _is_waited_for(self, question: Question, besides: int = 0) -> bool:
        """Whether a request for this question is at the model."""
        waiting = [number for number in list(self.later.waiting) if number != besides]
        return any(self._is_for(number, question) for number in waiting)

    def _is_under_way(self, question: Question) -> bool:
        # No more than two are asked at one time.
        return self._is_waited_for(question) or len(self.later.waiting) >= 2

    def _numbers(self, question: Question) -> set[int]:
        """The answers that the model has given to a question."""
        given = self.later.asked.keys() - self.later.waiting.keys()
        return {number for number in given if self._is_for(number, question)}

    def _answer(self, which: float) -> None:
        """Let the model answer, and wait until the server has said so to all who asked."""
        waiting = sorted(self.later.waiting.items())
        number, told = _at(waiting, which)
        self.settled = self.document.version or 0 if self.is_open else 0
        mine = [one for one, asked in self.running.items() if self._is_for(number, asked.question)]
        commanded = self.commanded is not None and self._is_for(number, self.commanded.question)
        self.told = len(self.editor.messages)
        told.set()
        self._until(
            lambda: (
                all(
                    one.done() or self._is_waited_for(self.running[one].question, besides=number)
                    for one in mine
                )
                and (not commanded or self._has_said())
            )
        )
        if commanded:
            self._end_command()

    def _has_said(self) -> bool:
        """Whether the command has made an edit, or said why there is none."""
        return self.commanded is None or len(self.editor.messages) > self.told

    def _end_command(self) -> None:
        if self.failure is not None:
            raise self.failure
        if self.commanded is None or len(self.editor.messages) <= self.told:
            return
        question, numbers = self.commanded.question, self._numbers(self.commanded.question)
        self._look_for_a_place(self.commanded)
        self.commanded = None
        if not any((question.identity, one) in self.placed for one in numbers):
            self.kept[question.identity] = numbers

    def _takes(self, edit: types.WorkspaceEdit) -> bool:
        """Make the edit that a command asks for, if it is of the version that the editor has."""
        try:
            assert self.commanded is not None
            number = self._place(self.commanded, edit)
            assert number is None or number in self._numbers(self.commanded.question)
        except (AssertionError, ValueError) as failure:
            self.failure = failure
            return False
        if number is None:
            # The server says so to the person then.
            return False
        self.commanded = None
        return True

    def _until(self, holds: Callable[[], object]) -> None:
        async def wait() -> None:
            while not holds():
                await asyncio.sleep(0.002)

        try:
            self.world.run(wait())
        except TimeoutError:
            asked = [self.later.asked[number][-300:] for number in self.later.waiting]
            running = [one.question.text for one in (*self.running.values(), self.commanded) if one]
            said = self.editor.messages[-3:]
            raise AssertionError(
                f"{running} came to nothing; at the model: {asked}; {said}"
            ) from None

    def _take_answers(self) -> None:
        """Let the editor make the edits that have come, if they are of the version it has."""
        for request in [request for request in self.running if request.done()]:
            asked = self.running.pop(request)
            question, numbers = asked.question, self._numbers(asked.question)
            resolved = request.result()
            number = self._place(asked, resolved.edit)
            if number is not None:
                assert number in numbers
                continue
            if resolved.data["answer"]["outcome"] != "sql":
                # What was typed into the question left nothing of the database in it.
                assert not numbers
                continue
            if resolved.edit is None:
                self._look_for_a_place(asked)
            is_placed = any((question.identity, one) in self.placed for one in numbers)
            if not is_placed:
                self.kept[question.identity] = numbers

    def _look_for_a_place(self, asked: Asked) -> None:
        """An answer without a place had none: nothing was typed since, so it can be seen."""
        if self.is_open and self.document.version == self.settled:
            again = asks.find_again(asked.question, asks.read(self.document, "postgres"))
            if again is not None:
                now = _words(again.answer, self.document)
                assert now not in ("", asked.sql), "an answer found no place"

    def _place(self, asked: Asked, edit: types.WorkspaceEdit | None) -> int | None:
        """Make an edit, and look that it is whole, and nothing else changed.

        ``None`` where it is none, or not of the version that the editor has.
        """
        if edit is None or not self.is_open:
            return None
        [group] = edit.document_changes or []
        assert isinstance(group, types.TextDocumentEdit)
        if group.text_document.version != self.document.version:
            return None
        before = self.document
        question = asks.find_again(asked.question, asks.read(before, "postgres"))
        assert question is not None, "an answer for a question that is not there"
        now = _words(question.answer, before)
        assert now in ("", asked.sql) or _ANSWER.fullmatch(now), "SQL of the person's was replaced"
        self.past.append(before.text)
        after = self.editor.apply(edit)
        look = _answered_under if _is_under(question) else _answered_above
        number = look(before, question, after)
        assert self._is_for(number, question), "the answer to another question"
        self.kept.pop(question.identity, None)
        self.placed.add((question.identity, number))
        return number


def _is_under(question: Question) -> bool:
    """Whether the answer of a question goes under it, where it is or replaces one."""
    return question.answer is None or question.answer.start >= question.span.end


def _answered_under(before: Document, asked: Question, after: Document) -> int:
    """The number of the answer under a comment, around which nothing has changed."""
    end = asked.span.end
    assert after.text[:end] == before.text[:end]
    found = _INSERTED.match(after.text, end)
    assert found is not None, "the answer is not whole"
    old_end = end if asked.answer is None else asked.answer.end
    rest, old_rest = after.text[found.end() :], before.text[old_end:]
    # A comment that waits for an answer of its own is kept apart by an empty line.
    assert rest in (old_rest, after.newline + old_rest)
    line = before.line_span(before.line_of(asked.span.start))
    if not before.text[line.start : asked.span.start].strip():
        script = asks.read(after, "postgres")
        [answered] = [one for one in script.questions if one.span == asked.span]
        assert answered.identity == asked.identity
        assert script.sql_of(answered) == found[1]
    return int(found[2])


def _answered_above(before: Document, asked: Question, after: Document) -> int:
    """The number of the statement that stands for the one above a comment.

    A refinement goes above it, an error is gone; all else is as it was, but for blanks.
    """
    assert asked.answer is not None
    text, old = before.text, asked.answer
    script = asks.read(after, "postgres")
    found = [_ANSWER.fullmatch(statement.span.of(after.text)) for statement in script.statements]
    comment = asked.span.of(text) if asked.kind == "refine" else ""
    between = text[old.end : asked.span.start]
    for number in {int(one[1]) for one in found if one is not None}:
        answer = f"SELECT {number} AS answer_{number};"
        parts = (text[: old.start], comment, answer, between, text[asked.span.end :])
        if _bare("".join(parts)) == _bare(after.text):
            if comment:
                again = [one for one in script.questions if one.text == asked.text]
                assert any(_ANSWER.fullmatch(script.sql_of(one)) for one in again)
            return number
    raise AssertionError("the answer is not whole, or something else changed")


def _bare(text: str) -> str:
    return "".join(text.split())


def _words(span: Span | None, document: Document) -> str:
    """A statement without its terminator, however it is laid out."""
    return "" if span is None else " ".join(span.of(document.text).split()).rstrip("; ")


def _at(some: Sequence[T], share: float) -> T:
    return some[int(share * len(some))]


def _plain(name: str) -> str:
    """As much of a name as an outline shows of it."""
    return " ".join(name.split())[:50]


def _all(symbols: Sequence[Any]) -> list[types.DocumentSymbol]:
    """Symbols and those within them, in the order of the text."""
    found = [one for each in symbols for one in (each, *(each.children or ()))]
    return sorted(found, key=lambda one: (one.range.start.line, one.range.start.character))


async def _ended(request: asyncio.Future[Any]) -> None:
    await asyncio.wait([request])
    if (error := request.exception()) is not None:
        assert isinstance(error, JsonRpcException)


@pytest.mark.timeout(0 if EXAMPLES > 20 else 300)
@pytest.mark.parametrize("world", ["utf-8", "utf-16", "utf-32"], indirect=True)
def test_no_text_and_no_answer_is_lost(world: World) -> None:
    for is_last in (False, False, True):
        try:
            run_state_machine_as_test(
                lambda: Typist(world),
                settings=settings(
                    max_examples=EXAMPLES,
                    stateful_step_count=STEPS,
                    deadline=None,
                    database=None,
                    # The same ones every time, as in continuous integration; many are at random.
                    derandomize=EXAMPLES <= FEW,
                    # A shorter example of a failure takes minutes to find.
                    phases=(Phase.generate, Phase.shrink) if EXAMPLES > FEW else (Phase.generate,),
                    suppress_health_check=list(HealthCheck),
                ),
            )
            return
        except FlakyStrategyDefinition as differs:
            # Two runs that begin alike may end apart: it depends on what the server has sent
            # meanwhile. A failure of either is told as what it is.
            if is_last or differs.__context__ is not None:
                raise


async def test_an_answer_that_came_too_late_for_its_edit_stays_available(shop: Path) -> None:
    async with editor(shop) as ed:
        question = "-- ask: how many customers live in 'Oslo'?\n"
        ed.open("q.sql", question)
        refused = await ed.resolved("q.sql", 0)
        assert refused.edit is not None
        ed.type("q.sql", len(question), "x")
        taken = await ed.resolved("q.sql", 0, STORED)
        document = ed.apply(taken.edit)
        assert document.text.startswith(f"{question}SELECT count(*) FROM customers")
        assert STORED not in [one.title for one in await ed.actions("q.sql", 0)]
