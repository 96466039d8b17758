"""Whatever is typed while answers are on their way, no text is lost, and no answer either.

A machine types, pastes, undoes, moves and deletes questions, saves, closes and opens again,
while a model answers when the machine says so. The editor is a strict one: it makes an edit of
the version that it has, or not at all. ``EXAMPLES=500`` runs it for longer.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
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
GENERATE = ("Generate SQL", "Regenerate SQL")
STORED = "Use stored answer"
_ANSWER = re.compile(r"SELECT (\d+) AS answer_\1")
T = TypeVar("T")


@pytest.fixture
def world(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    later = Later()
    with LoopbackModel(later) as model:
        folder = write(tmp_path / "shop", {**SHOP, "sqlscribe.toml": ""})
        use_model(folder, model.api_base)
        world = World(folder, request.param, model, later)
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
)
pieces = st.builds(
    lambda piece, number: piece.format(number) + "\n",
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
        self.running: dict[asyncio.Future[Any], tuple[str, Question]] = {}
        """The identifiers of requests, and the questions that they ask."""
        self.kept: dict[tuple[str, str], set[int]] = {}
        """Questions whose answer found no place, and what its number may be."""
        self.placed: set[tuple[str, str, int]] = set()
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
        [action] = [one for one in self._actions(question) if one.title in GENERATE]
        name = f"resolve {next(self.world.names)}"
        request = self.world.loop.create_task(
            self.editor.client.protocol.send_request_async(
                types.CODE_ACTION_RESOLVE, action, msg_id=name
            )
        )
        self.running[request] = (name, question)
        self._until(
            lambda: (
                request.done()
                or self._is_waited_for(question)
                # No more are asked at one time.
                or len(self.later.waiting) >= 2
            )
        )
        self._take_answers()

    @rule(which=shares)
    def gives_up(self, which: float) -> None:
        if not self.running:
            return
        request = _at(list(self.running), which)
        name, _ = self.running.pop(request)
        self.editor.client.protocol.notify(types.CANCEL_REQUEST, types.CancelParams(name))
        self.world.run(_ended(request))

    @rule(which=shares)
    def takes_a_stored_answer(self, which: float) -> None:
        if not self.restorable:
            return
        question = _at(self.restorable, which)
        [action] = [one for one in self._actions(question) if one.title == STORED]
        numbers = self.kept[question.kind, question.text]
        resolved = self.world.run(self.editor.client.code_action_resolve_async(action))
        assert self._place(question, resolved) in numbers

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
        while self.running:
            if self.later.waiting:
                self._answer(0)
            else:
                self._until(
                    lambda: self.later.waiting or any(request.done() for request in self.running)
                )
            self._take_answers()
        if self.closed is not None:
            self.opens_again()
        for question in self.restorable:
            titles = [one.title for one in self._actions(question)]
            assert STORED in titles, f"the answer to {question.text!r} is lost"
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
        found = asks.read(self.document, "postgres").questions
        return [question for question in found if question.kind == "ask"]

    @property
    def restorable(self) -> list[Question]:
        return [one for one in self.questions if (one.kind, one.text) in self.kept]

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
        answers = {one.answer for one in script.questions if one.answer and one.kind == "ask"}
        found += [(span, None) for span in answers]
        starts = {span.start for span in answers}
        found += [(one.span, None) for one in script.statements if one.span.start not in starts]
        return sorted(found, key=lambda each: each[0])

    def _edit(self, *edits: TextEdit) -> None:
        self.past.append(self.text)
        self.editor.edit(self.name, edits, whole=self.whole)

    def _actions(self, question: Question) -> list[types.CodeAction]:
        place = self.document.position(question.span.start + 2, self.editor.encoding)
        return self.world.run(self.editor.actions(self.name, place.line, place.character))

    def _is_waited_for(self, question: Question, besides: int = 0) -> bool:
        """Whether a request for this question is at the model."""
        waiting = [number for number in list(self.later.waiting) if number != besides]
        return any(question.text in self.later.asked[number] for number in waiting)

    def _answer(self, which: float) -> None:
        """Let the model answer, and wait until the server has said so to all who asked."""
        waiting = sorted(self.later.waiting.items())
        number, told = _at(waiting, which)
        self.settled = self.document.version or 0 if self.is_open else 0
        asked = self.later.asked[number]
        told.set()
        mine = [one for one, (_, question) in self.running.items() if question.text in asked]
        self._until(
            lambda: all(
                one.done() or self._is_waited_for(self.running[one][1], besides=number)
                for one in mine
            )
        )

    def _until(self, holds: Callable[[], object]) -> None:
        async def wait() -> None:
            while not holds():
                await asyncio.sleep(0.002)

        try:
            self.world.run(wait())
        except TimeoutError:
            asked = [self.later.asked[number][-300:] for number in self.later.waiting]
            running = [question.text for _, question in self.running.values()]
            said = self.editor.messages[-3:]
            raise AssertionError(
                f"{running} came to nothing; at the model: {asked}; {said}"
            ) from None

    def _take_answers(self) -> None:
        """Let the editor make the edits that have come, if they are of the version it has."""
        for request in [request for request in self.running if request.done()]:
            _, question = self.running.pop(request)
            resolved = request.result()
            numbers = {
                number
                for number, asked in self.later.asked.items()
                if question.text in asked and number not in self.later.waiting
            }
            number = self._place(question, resolved)
            if number is not None:
                assert number in numbers
                continue
            if resolved.data["answer"]["outcome"] != "sql":
                # What was typed into the question left nothing of the database in it.
                assert not numbers
                continue
            if resolved.edit is None and self.is_open and self.document.version == self.settled:
                script = asks.read(self.document, "postgres")
                assert asks.find_again(question, script) is None, "an answer found no place"
            is_placed = any((question.kind, question.text, one) in self.placed for one in numbers)
            if not is_placed:
                self.kept[question.kind, question.text] = numbers

    def _place(self, question: Question, resolved: types.CodeAction) -> int | None:
        """Make the edit of an action, and look that it is whole, and nothing else changed.

        ``None`` where it is none, or not of the version that the editor has.
        """
        if resolved.edit is None or not self.is_open:
            return None
        [group] = resolved.edit.document_changes or []
        assert isinstance(group, types.TextDocumentEdit)
        if group.text_document.version != self.document.version:
            return None
        before = self.document
        asked = asks.find_again(question, asks.read(before, "postgres"))
        assert asked is not None, "an answer for a question that is not there"
        self.past.append(before.text)
        after = self.editor.apply(resolved.edit)
        script = asks.read(after, "postgres")
        [answered] = [one for one in script.questions if one.span == asked.span]
        assert answered.identity == asked.identity
        assert answered.answer is not None
        found = _ANSWER.fullmatch(script.sql_of(answered))
        assert found is not None, "the answer is not whole"
        number = int(found[1])
        assert question.text in self.later.asked[number], "the answer to another question"
        end = asked.span.end
        old_end = end if asked.answer is None else asked.answer.end
        assert after.text[:end] == before.text[:end]
        rest, old_rest = after.text[answered.answer.end :], before.text[old_end:]
        # A comment that waits for an answer of its own is kept apart by an empty line.
        assert rest in (old_rest, after.newline + old_rest)
        self.kept.pop((question.kind, question.text), None)
        self.placed.add((question.kind, question.text, number))
        return number


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


@pytest.mark.timeout(0 if EXAMPLES > 100 else 180)
@pytest.mark.parametrize("world", ["utf-8", "utf-16", "utf-32"], indirect=True)
def test_no_text_and_no_answer_is_lost(world: World) -> None:
    run_state_machine_as_test(
        lambda: Typist(world),
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            # A shorter example of a failure takes minutes to find.
            phases=(Phase.generate, Phase.shrink) if EXAMPLES > FEW else (Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )


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
