"""What an editor waits for, on a large workspace, as ratios to an empty request of the same run.

    make bench-editor                      # JSON=file for the figures as data

Every request is measured in turn with an empty one, for which the server does nothing: machines
are busy and quick by turns, and the ratio is what stays.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import editor_peers
from editor_client import Client, ServerError
from editor_workspace import Generated, generate

ROUNDS = 60
TIMES_EMPTY = 5
MILLISECONDS = 25
_SETTLED_SECONDS = 1.0
_FIRST = 3
"""Rounds that import and fill what the others find; the slowest of them is told beside."""
_IDLE = 0.05
"""The share of a processor below which a server counts as idle."""
OURS = (sys.executable, "-m", "sqlscribe", "serve")


@dataclass
class Budget:
    """``times`` are of an empty request, ``milliseconds`` absolute; both hold at p95."""

    milliseconds: float
    times: float | None = None


NATIVE = Budget(MILLISECONDS, TIMES_EMPTY)
BEHIND_A_KEY = Budget(MILLISECONDS)
"""Two messages are waited for: the key, which changes the text, and the request."""


@dataclass
class Figure:
    """Seconds of one kind of request, and of the empty ones in turn with them.

    ``worked`` are seconds of the processor, which hardly know how busy the machine is.
    """

    name: str
    seconds: list[float]
    empty: list[float] = field(default_factory=list)
    worked: list[float] = field(default_factory=list)
    empty_worked: list[float] = field(default_factory=list)
    budget: Budget | None = None
    note: str = ""

    def at(self, share: float) -> float:
        """Milliseconds that a share of the requests stays within."""
        return at(self.seconds, share)

    def times_empty(self, share: float) -> float | None:
        return self.at(share) / at(self.empty, share) if self.empty else None

    def work(self) -> tuple[float, float] | None:
        """Milliseconds of the processor at the median, and how many times an empty request's."""
        if not self.worked or not any(self.empty_worked):
            return None
        worked = statistics.median(self.worked)
        return 1000 * worked, worked / statistics.median(self.empty_worked)

    @property
    def verdict(self) -> str:
        if self.budget is None:
            return ""
        times = self.times_empty(0.95)
        met = self.at(0.95) <= self.budget.milliseconds
        if times is not None and self.budget.times is not None:
            met = met and times <= self.budget.times
        return "met" if met else "MISSED"


def at(seconds: Sequence[float], share: float) -> float:
    """A quantile in milliseconds."""
    ordered = sorted(seconds)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Desk:
    """The long file, open in one editor; what is typed goes into it."""

    def __init__(self, client: Client, generated: Generated) -> None:
        self.client = client
        self.generated = generated
        self.version = 1
        self.figures: list[Figure] = []
        self.skipped: list[str] = []

    @property
    def named(self) -> dict[str, str]:
        return {"uri": self.generated.uri}

    def open(self) -> None:
        item = {"uri": self.generated.uri, "languageId": "sql", "version": 1}
        item |= {"text": self.generated.text}
        self.client.notify("textDocument/didOpen", {"textDocument": item})

    def type(self, line: int, character: int, text: str, over: int = 0) -> float:
        """One keystroke; when it was sent."""
        self.version += 1
        span = {"start": _at(line, character), "end": _at(line, character + over)}
        identifier = {"uri": self.generated.uri, "version": self.version}
        params = {"textDocument": identifier, "contentChanges": [{"range": span, "text": text}]}
        return self.client.notify("textDocument/didChange", params)

    def empty(self) -> float:
        """A request about a text that is not open."""
        nowhere = {"textDocument": {"uri": "file:///nowhere.sql"}, "position": _at(0, 0)}
        return self.client.request("textDocument/hover", nowhere).seconds

    def measure(
        self,
        name: str,
        method: str,
        params: Callable[[int], Any],
        *,
        budget: Budget | None = NATIVE,
        before: Callable[[int], object] | None = None,
        rounds: int = ROUNDS,
        answered: bool = True,
    ) -> None:
        """Measure a request in turn with the empty one; ``before`` runs right before each."""
        figure = Figure(name, [], budget=budget)
        first = 0.0
        for number in range(-_FIRST, rounds):
            if number == 0:
                first = max(figure.seconds)
                figure = Figure(name, [], budget=budget)
            start = self.client.worked()
            figure.empty.append(self.empty())
            start, before_it = self.client.worked(), start
            figure.empty_worked.append(start - before_it)
            if before is not None:
                before(number)
            asked = params(number)
            reply = self.client.request(method, asked)
            figure.worked.append(self.client.worked() - start)
            if answered and not reply.result:
                raise ServerError(f"{name}: there was no answer")
            figure.seconds.append(reply.seconds)
            figure.note = f"{reply.size / 1000:,.1f} kB; at first {1000 * first:.0f} ms"
        self.figures.append(figure)

    def settle(self) -> None:
        """Wait until the server has nothing to do: after a start it fills its index."""
        before, idle = self.client.worked(), False
        while not idle:
            self.client.quiet(_SETTLED_SECONDS)
            worked = self.client.worked()
            idle, before = worked - before < _IDLE * _SETTLED_SECONDS, worked


def warm(desk: Desk) -> None:
    """What is asked while nobody types."""
    line = desk.generated.line

    def actions(number: int, below: int) -> Any:
        return {
            "textDocument": desk.named,
            "range": {
                "start": _at(line(7 * number, below), 9),
                "end": _at(line(7 * number, below), 9),
            },
            "context": {"diagnostics": [], "triggerKind": 2},
        }

    def place(number: int, below: int, character: int) -> Any:
        return {"textDocument": desk.named, "position": _at(line(7 * number, below), character)}

    lenses = desk.client.request("textDocument/codeLens", {"textDocument": desk.named}).result
    measure = desk.measure
    measure("code actions on a question", "textDocument/codeAction", lambda n: actions(n, 0))
    measure("code actions on a statement", "textDocument/codeAction", lambda n: actions(n, 3))
    whole = {"textDocument": desk.named}
    measure("lenses of the file", "textDocument/codeLens", lambda _: whole)
    measure("one lens resolved", "codeLens/resolve", lambda n: lenses[7 * n % len(lenses)])
    measure("hover on a table", "textDocument/hover", lambda n: place(n, 3, 7))
    measure("hover on a column", "textDocument/hover", lambda n: place(n, 1, 11))
    measure(
        "definition of a table",
        "textDocument/definition",
        lambda n: place(n, 3, 7),
        budget=Budget(MILLISECONDS),
    )
    written = [
        ("a mention", 0, lambda n: f"-- ask: the names of number {n} with @sales_{n}"),
        ("a column behind an alias", 1, lambda n: "SELECT s."),
        ("a table", 3, lambda n: f"FROM sales_{n}"),
        ("a question", 0, lambda n: "-- ask: the names"),
    ]
    for name, below, before in written:
        measure(
            f"completion of {name}",
            "textDocument/completion",
            lambda n, below=below, before=before: {  # type: ignore[misc]
                **place(n, below, len(before(7 * n))),
                "context": {"triggerKind": 1},
            },
        )
    measure("semantic tokens", "textDocument/semanticTokens/full", lambda _: whole, budget=None)
    measure("document symbols", "textDocument/documentSymbol", lambda _: whole, budget=None)
    rendered = Budget(150)
    measure(
        "hover that renders a prompt",
        "textDocument/hover",
        lambda n: place(n, 0, 9),
        budget=rendered,
    )


def typing(desk: Desk) -> None:
    """What is asked right after a keystroke, before anything else was read."""
    line = desk.generated.line

    def key(number: int) -> None:
        desk.type(line(7 * number, 5), len("  AND s.total > 0"), str(number % 10))

    def place(number: int, below: int, character: int) -> Any:
        return {"textDocument": desk.named, "position": _at(line(7 * number, below), character)}

    def actions(number: int) -> Any:
        where = _at(line(7 * number, 5), 9)
        context = {"diagnostics": [], "triggerKind": 2}
        return {
            "textDocument": desk.named,
            "range": {"start": where, "end": where},
            "context": context,
        }

    whole = {"textDocument": desk.named}
    measure = desk.measure
    soon = partial(measure, before=key, budget=BEHIND_A_KEY)
    soon("key, then code actions", "textDocument/codeAction", actions)
    soon("key, then lenses", "textDocument/codeLens", lambda _: whole)
    soon("key, then hover", "textDocument/hover", lambda n: place(n, 3, 7))
    measure(
        "key, then semantic tokens",
        "textDocument/semanticTokens/full",
        lambda _: whole,
        before=key,
        budget=None,
    )
    _completions(desk)


def _completions(desk: Desk) -> None:
    """Typed and taken back: a mention, a column behind an alias, a table, a question."""
    line = desk.generated.line
    written = [
        ("a mention", 0, len("-- ask: the names of number "), " @sales_1"),
        ("a column behind an alias", 1, len("SELECT "), "s."),
        ("a table", 3, len("FROM "), "sales_12"),
        ("a question", 0, len("-- ask: "), "number 1"),
    ]
    for name, below, character, text in written:
        typed: list[int] = []

        def undo(typed: list[int] = typed, text: str = text, character: int = character) -> None:
            if typed:
                desk.type(typed.pop(), character, "", over=len(text))

        def key(
            number: int,
            typed: list[int] = typed,
            below: int = below,
            text: str = text,
            character: int = character,
            undo: Callable[[], None] = undo,
        ) -> None:
            undo()
            typed.append(line(7 * number, below))
            desk.type(typed[-1], character, text)

        end = character + len(text)
        desk.measure(
            f"key, then completion of {name}",
            "textDocument/completion",
            lambda n, below=below, end=end: {  # type: ignore[misc]
                "textDocument": desk.named,
                "position": _at(line(7 * n, below), end),
                "context": {"triggerKind": 1},
            },
            before=key,
            budget=BEHIND_A_KEY,
        )
        undo()


def inline(desk: Desk) -> None:
    """Ghost text under a question, from what is stored or verified."""
    if not desk.client.capabilities.get("inlineCompletionProvider"):
        desk.skipped.append("inline completion: this server has none")
        return
    line = desk.generated.line

    def params(number: int) -> Any:
        where = _at(line(7 * number), len("-- ask: the names of number"))
        context = {"triggerKind": 2}
        return {"textDocument": desk.named, "position": where, "context": context}

    desk.measure("inline completion", "textDocument/inlineCompletion", params, answered=False)


def published(desk: Desk) -> None:
    """From a keystroke that makes a name wrong to the finding in the editor."""
    line = desk.generated.line
    figure = Figure("key, then findings published", [])
    for number in range(0, 2 * 12, 2):
        where = line(7 * number, 2), len("  s.placed_at")
        for text, over, wrong in (("x", 0, True), ("", 1, False)):
            sent = desk.type(*where, text, over)

            def fits(params: Any, wrong: bool = wrong) -> bool:
                ours = params["uri"] == desk.generated.uri
                codes = [each.get("code") for each in params["diagnostics"]]
                return ours and ("name/unknown-column" in codes) == wrong

            figure.seconds.append(
                desk.client.until("textDocument/publishDiagnostics", fits, sent) - sent
            )
    figure.note = "a pause of 250 ms in typing is waited for"
    desk.figures.append(figure)


def loading(desk: Desk) -> Figure:
    """Code actions while the folder is read for the first time; returns when it is known."""
    figure = Figure("code actions while it loads", [], budget=Budget(50))
    params = _actions(desk, _at(desk.generated.line(3, 3), 9))
    start = time.perf_counter()
    while True:
        reply = desk.client.request("textDocument/codeAction", params)
        figure.seconds.append(reply.seconds)
        # What can be done with a statement is offered once its folder is known.
        if any(each["title"] == "Explain SQL" for each in reply.result):
            figure.note = f"it took {time.perf_counter() - start:.1f} s"
            return figure
        time.sleep(0.01)


@contextmanager
def started(generated: Generated) -> Iterator[Desk]:
    with Client(OURS, generated.folder) as client:
        client.initialize(generated.folder)
        yield Desk(client, generated)


def memory(folder: Path) -> Figure | None:
    """Megabytes of an idle server that knows 1,000 tables, given as a figure."""
    generated = generate(folder, tables=1_000, examples=100, questions=10)
    with started(generated) as desk:
        desk.open()
        loading(desk)
        desk.settle()
        held = desk.client.resident()
    if held is None:
        return None
    return Figure("memory of an idle server, 1,000 tables (MB)", [held / 1000], budget=Budget(120))


def measured(folder: Path) -> tuple[list[Figure], list[str]]:
    generated = generate(folder / "large")
    with started(generated) as desk:
        desk.open()
        desk.figures.append(loading(desk))
        desk.settle()
        # The first ones import and fill what the others find.
        for part in (warm, typing):
            part(desk)
            desk.settle()
        inline(desk)
        published(desk)
    held = memory(folder / "small")
    if held is None:
        desk.skipped.append("memory: this system does not tell")
    return [*desk.figures, *([held] if held else [])], desk.skipped


def table(figures: Sequence[Figure]) -> str:
    """The figures for people: milliseconds, times of an empty request, and the processor's."""
    shares = "".join(f"{name:>7}" for name in ("p50", "p95", "p99"))
    rows = [f"{'':50}{shares} ms{shares} × empty{'cpu':>7} ms ×     budget"]
    for figure in figures:
        cells = "".join(f"{figure.at(share):7.1f}" for share in _SHARES) + "   "
        times = [figure.times_empty(share) for share in _SHARES]
        cells += "".join(f"{'' if each is None else f'{each:.1f}':>7}" for each in times)
        work = figure.work()
        cells += f"        {work[0]:7.1f} {work[1]:5.1f} " if work else " " * 22
        rows.append(f"{figure.name:50}{cells}   {figure.verdict:7} {figure.note}".rstrip())
    return "\n".join(rows)


def as_json(figures: Sequence[Figure], skipped: Sequence[str]) -> dict[str, Any]:
    told = []
    for figure in figures:
        work = figure.work()
        told.append(
            {
                "name": figure.name,
                "milliseconds": dict(zip(_NAMES, map(figure.at, _SHARES), strict=True)),
                "times_empty": dict(zip(_NAMES, map(figure.times_empty, _SHARES), strict=True)),
                "processor": {"milliseconds": work[0], "times_empty": work[1]} if work else None,
                "budget": asdict(figure.budget) if figure.budget else None,
                "verdict": figure.verdict,
                "note": figure.note,
            }
        )
    return {"figures": told, "skipped": list(skipped)}


_NAMES = ("p50", "p95", "p99")
_SHARES = (0.5, 0.95, 0.99)


def _actions(desk: Desk, where: dict[str, int]) -> dict[str, Any]:
    """What an editor asks with every move of the cursor."""
    span = {"start": where, "end": where}
    return {
        "textDocument": desk.named,
        "range": span,
        "context": {"diagnostics": [], "triggerKind": 2},
    }


def _at(line: int, character: int) -> dict[str, int]:
    return {"line": line, "character": character}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    parser.add_argument("--peers", type=Path, help="install other servers here, and compare")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures, skipped = measured(Path(folder))
        empty = [each for figure in figures for each in figure.empty]
        print(f"an empty request: {at(empty, 0.5):.2f} ms, p95 {at(empty, 0.95):.2f} ms\n")
        print(table(figures))
        if chosen.peers is not None:
            # Again a folder of its own: what is written there for others is nothing of ours.
            generated = generate(Path(folder) / "compared")
            print("\n" + editor_peers.compared(OURS, generated, chosen.peers.resolve()))
    for reason in skipped:
        print(f"skipped: {reason}")
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(as_json(figures, skipped), indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
