"""What a client may send wrongly, and how it may go away."""

from __future__ import annotations

import array
import fcntl
import json
import os
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from faults.conftest import VERIFIED, Note
from loopback import Hang, LoopbackModel
from shop import SHOP, use_model, write
from wire import Wire, until

ASK = "-- ask: how many customers live in 'Oslo'?\n"
EXIT_SECONDS = 2.0
F_SETPIPE_SZ = 1031
"""Of Linux; Python knows it by name from 3.10 on Linux only."""


@pytest.fixture
def wire(shop: Path) -> Iterator[Wire]:
    """A server of this test's own."""
    with Wire(shop) as wire:
        yield wire


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    """One server through many faults: each finds it as the one before has left it."""
    root = write(tmp_path_factory.mktemp("clients") / "shop", SHOP | {"sqlscribe.toml": VERIFIED})
    with Wire(root) as wire:
        yield wire


def is_well(wire: Wire, name: str = "well.sql") -> None:
    """The server still does what it is for."""
    wire.open(name, ASK)
    assert "Generate SQL" in wire.titles(name)
    assert "city = 'Oslo'" in wire.answer(name)["sql"]
    wire.tell("textDocument/didClose", {"textDocument": {"uri": wire.uri(name)}})


def body(message: object) -> bytes:
    return json.dumps(message).encode()


PING = body({"jsonrpc": "2.0", "id": "lost", "method": "shutdown-not", "params": {}})


@pytest.mark.fault("broken frame: {what}")
@pytest.mark.parametrize(
    ("what", "sent"),
    [
        ("length is no number", b"Content-Length: many\r\n\r\n" + PING),
        ("length is negative", b"Content-Length: -5\r\n\r\n" + PING),
        ("length is 10^12", b"Content-Length: 1000000000000\r\n\r\n" + PING),
        ("length is 10^30", b"Content-Length: 1" + b"0" * 30 + b"\r\n\r\n" + PING),
        ("length is too small", b"Content-Length: 9\r\n\r\n" + PING),
        ("no length", b"Content-Type: text/plain\r\n\r\n" + PING),
        ("length is zero", b"Content-Length: 0\r\n\r\n"),
        ("no header at all", PING + b"\n"),
        ("a line of 1 MB", b"x" * 1_000_000 + b"\r\n\r\n"),
        ("other letter case, no blank", b"content-length:%d\r\n\r\n%s" % (len(PING), PING)),
        ("line ends of Unix", b"Content-Length: %d\n\n%s" % (len(PING), PING)),
        ("no JSON", b"Content-Length: 9\r\n\r\n{broken!!"),
        ("no UTF-8", b"Content-Length: 4\r\n\r\n\xff\xfe\xfd\xfc"),
        ("100,000 brackets", b"Content-Length: 100000\r\n\r\n" + b"[" * 100_000),
    ],
)
def test_a_broken_frame_costs_no_more_than_itself(lasting: Wire, what: str, sent: bytes) -> None:
    lasting.raw(sent)
    is_well(lasting)


@pytest.mark.fault("message of wrong types: {message}")
@pytest.mark.parametrize(
    "message",
    [
        [],
        [{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}],
        5,
        None,
        "initialize",
        {},
        {"jsonrpc": "2.0"},
        {"id": 7},
        {"jsonrpc": "1.0", "id": 7, "method": "shutdown"},
        {"jsonrpc": "2.0", "id": {"a": 1}, "method": "textDocument/hover", "params": 5},
        {"jsonrpc": "2.0", "id": 7, "method": 5, "params": {}},
        {"jsonrpc": "2.0", "id": 7, "method": "textDocument/hover", "params": "x"},
        {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": []},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": [1]}},
        {"jsonrpc": "2.0", "method": "$/setTrace", "params": {"value": "loud"}},
        {"jsonrpc": "2.0", "id": 999, "result": {}},
        {"jsonrpc": "2.0", "id": None, "error": {"code": "x"}},
        {"jsonrpc": "2.0", "method": "initialized"},
        {"jsonrpc": "2.0", "method": "workspace/didChangeConfiguration", "params": {"settings": 5}},
        {
            "jsonrpc": "2.0",
            "method": "workspace/didChangeWatchedFiles",
            "params": {"changes": [{"uri": "x", "type": 99}]},
        },
        {
            "jsonrpc": "2.0",
            "method": "textDocument/didOpen",
            "params": {"textDocument": {"uri": 5}},
        },
    ],
)
def test_a_message_of_wrong_types_is_refused_or_passed_over(lasting: Wire, message: object) -> None:
    lasting.send(message)
    is_well(lasting)


@pytest.mark.fault("unknown methods")
def test_unknown_requests_are_refused_and_unknown_notifications_ignored(wire: Wire) -> None:
    for method in ("textDocument/nothingOfTheKind", "$/optional", "", "sqlscribe/other"):
        wire.tell(method, {})
        response = wire.wait(wire.start(method, {}))
        assert response["error"]["code"] in (-32601, -32600), response
    is_well(wire)


@pytest.mark.fault("position {line}:{character}")
@pytest.mark.parametrize(
    ("line", "character"),
    [
        (2**31 - 1, 2**31 - 1),
        (2**53, 0),
        (0, 2**53),
        (10**30, 10**30),
        (-1, -1),
        (0.5, 1.5),
        ("1", None),
    ],
)
def test_any_position_is_answered(lasting: Wire, line: int, character: int) -> None:
    wire = lasting
    wire.open("q.sql", ASK)
    at = wire.at("q.sql", line, character)
    range_ = {"start": at["position"], "end": at["position"]}
    for method, more in (
        ("textDocument/hover", {}),
        ("textDocument/completion", {}),
        ("textDocument/definition", {}),
        ("textDocument/codeAction", {"range": range_, "context": {"diagnostics": []}}),
        ("sqlscribe/answer", {}),
    ):
        response = wire.wait(wire.start(method, {**at, **more}))
        assert "result" in response or response["error"]["code"] == -32602, response
    change = {"range": range_, "text": "-- more\n"}
    identifier = {"uri": wire.uri("q.sql"), "version": 2}
    wire.tell("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})
    is_well(wire)


@pytest.mark.fault("versions out of order, documents never opened, opened twice")
def test_documents_out_of_order_do_no_harm(wire: Wire) -> None:
    whole = {"text": ASK}
    uri = wire.uri("q.sql")

    def change(version: object) -> None:
        identifier = {"uri": uri, "version": version}
        wire.tell("textDocument/didChange", {"textDocument": identifier, "contentChanges": [whole]})

    change(3)
    wire.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    wire.tell("textDocument/didSave", {"textDocument": {"uri": uri}})
    wire.open("q.sql", "-- ask: one\n", 5)
    wire.open("q.sql", "-- ask: two\n", 5)
    for version in (4, 9, 9, -1, None):
        change(version)
    # The client's last word counts, whatever number it has.
    assert "city = 'Oslo'" in wire.answer("q.sql")["sql"]
    is_well(wire)


@pytest.mark.fault("flood of 2,000 requests, half of them cancelled")
def test_a_flood_is_worked_off(wire: Wire, note: Note) -> None:
    wire.open("q.sql", ASK)
    at = wire.at("q.sql")
    start = time.monotonic()
    numbers = []
    for number in range(2000):
        numbers.append(wire.start("textDocument/hover" if number % 20 == 0 else "x/y", at))
        if number % 2:
            wire.tell("$/cancelRequest", {"id": numbers[-1]})
    answered = [wire.wait(number, 60) for number in numbers]
    assert len(answered) == 2000
    is_well(wire)
    note(f"all answered, {2000 / (time.monotonic() - start):,.0f} a second")


@pytest.mark.fault("flood of 500 edits while asking")
def test_a_flood_of_edits_leaves_the_last_text(wire: Wire) -> None:
    wire.open("q.sql", ASK)
    for version in range(2, 502):
        text = f"-- version {version}\n{ASK}"
        identifier = {"uri": wire.uri("q.sql"), "version": version}
        wire.tell(
            "textDocument/didChange",
            {"textDocument": identifier, "contentChanges": [{"text": text}]},
        )
        if version % 50 == 0:
            wire.start("textDocument/hover", wire.at("q.sql", 1))
    answer = wire.answer("q.sql", 1)
    [group] = answer["edit"]["documentChanges"]
    assert group["textDocument"]["version"] == 501


def is_gone(session: int) -> bool:
    """Whether no process of a session is left: neither the server nor a child of it."""
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == session and fields[0] not in "ZX":
            return False
    return True


def closed(wire: Wire) -> None:
    assert wire.process.stdin is not None
    wire.process.stdin.close()


def half_a_message(wire: Wire) -> None:
    wire.raw(b"Content-Length: 1000\r\n\r\n{")
    closed(wire)


def exit_alone(wire: Wire) -> None:
    wire.tell("exit", None)


LEAVINGS = {
    "stdin is closed": closed,
    "stdin is closed within a message": half_a_message,
    "exit without shutdown": exit_alone,
}


@pytest.mark.fault("{how}, {busy}")
@pytest.mark.parametrize(
    ("how", "busy"),
    [
        ("stdin is closed", "idle"),
        ("stdin is closed", "while a model is asked"),
        ("stdin is closed", "while 3,000 tables are read"),
        ("stdin is closed within a message", "idle"),
        ("exit without shutdown", "while 3,000 tables are read"),
    ],
)
def test_it_leaves_within_two_seconds_and_nothing_stays(
    shop: Path, how: str, busy: str, note: Note
) -> None:
    with LoopbackModel(Hang()) as model:
        if busy == "while a model is asked":
            use_model(shop, model.api_base)
        if busy == "while 3,000 tables are read":
            tables = "".join(f"CREATE TABLE t{n} (id int, name text);\n" for n in range(3000))
            (shop / "db" / "many.sql").write_text(tables)
        with Wire(shop, environment={"TEST_MODEL_KEY": "FAKE-key-1"}) as wire:
            wire.open("q.sql", "-- ask: names\n")
            if busy != "idle":
                wire.start("sqlscribe/answer", wire.at("q.sql"))
            if busy == "while a model is asked":
                assert model.wait_for(1)
            start = time.monotonic()
            LEAVINGS[how](wire)
            assert wire.ends(EXIT_SECONDS + 3) == 1
            until(lambda: is_gone(wire.process.pid), 1)
            took = time.monotonic() - start
            assert took < EXIT_SECONDS
            note(f"left after {took:.1f} s")


@pytest.mark.fault("the editor is killed, and the pipe stays open")
def test_a_killed_editor_takes_it_along(shop: Path, note: Note) -> None:
    parent = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    with Wire(shop, processId=parent.pid) as wire:
        wire.open("q.sql", ASK)
        start = time.monotonic()
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        assert wire.ends(EXIT_SECONDS + 3) == 1
        took = time.monotonic() - start
        assert is_gone(wire.process.pid)
        assert took < EXIT_SECONDS
        note(f"left after {took:.1f} s")


@pytest.mark.fault("stdin is closed by a client that reads nothing")
def test_a_client_that_never_reads_does_not_hold_it(shop: Path, note: Note) -> None:
    read_end, write_end = os.pipe()
    room = fcntl.fcntl(write_end, F_SETPIPE_SZ, 4096)
    process = subprocess.Popen(
        [sys.executable, "-m", "sqlscribe", "serve"],
        stdin=subprocess.PIPE,
        stdout=write_end,
        stderr=subprocess.DEVNULL,
    )
    try:
        os.close(write_end)
        assert process.stdin is not None
        first = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"capabilities": {}}}
        for message in (first, *({**first, "id": n, "method": "x" * 500} for n in range(1, 40))):
            sent = body(message)
            process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(sent), sent))
        process.stdin.flush()
        # More than a pipe holds was answered: the server waits for its client.
        until(lambda: waiting_in(read_end) > room // 2)
        start = time.monotonic()
        process.stdin.close()
        assert process.wait(EXIT_SECONDS + 3) == 1
        took = time.monotonic() - start
        assert took < EXIT_SECONDS
        note(f"left after {took:.1f} s")
    finally:
        process.kill()
        process.wait()
        os.close(read_end)


def waiting_in(pipe: int) -> int:
    """Bytes that nobody has read yet."""
    waiting = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, waiting)
    return waiting[0]
