"""The server as a process: a clean standard output, a light start, and an end in time."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from editor import editor
from loopback import Hang, LoopbackModel
from shop import use_model

SERVE = [sys.executable, "-m", "sqlscribe", "serve"]


class RawServer:
    """The bare pipes, for what a client library would hide."""

    def __init__(self, command: list[str] | None = None, **environment: str) -> None:
        self.process = subprocess.Popen(
            command or SERVE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **environment},
        )

    def send(self, method: str, params: Any, number: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if number is not None:
            message["id"] = number
        self.write(message)

    def write(self, message: dict[str, Any]) -> None:
        body = json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        header = self.process.stdout.readline()
        assert header.startswith(b"Content-Length: "), header
        while self.process.stdout.readline() != b"\r\n":
            pass
        message: dict[str, Any] = json.loads(self.process.stdout.read(int(header[16:])))
        return message

    def response(self, number: int) -> dict[str, Any]:
        while True:
            message = self.receive()
            if message.get("id") == number and "method" not in message:
                return message

    def initialize(self, root: Path | None = None, **more: Any) -> dict[str, Any]:
        folders = [{"uri": root.as_uri(), "name": "w"}] if root else None
        self.send(
            "initialize",
            {"capabilities": {}, "processId": None, "workspaceFolders": folders, **more},
            1,
        )
        found = self.response(1)
        self.send("initialized", {})
        return found


@pytest.fixture
def server() -> Iterator[RawServer]:
    server = RawServer()
    yield server
    server.process.kill()
    server.process.wait()


def test_shutdown_and_exit_end_the_process_with_zero(server: RawServer) -> None:
    server.initialize()
    server.send("shutdown", None, 2)
    assert "result" in server.response(2)
    server.send("exit", None)
    assert server.process.wait(3) == 0


def test_exit_without_shutdown_ends_it_with_one(server: RawServer) -> None:
    server.initialize()
    server.send("exit", None)
    assert server.process.wait(3) == 1


def test_a_closed_pipe_ends_it_with_one(server: RawServer) -> None:
    server.initialize()
    assert server.process.stdin is not None
    server.process.stdin.close()
    assert server.process.wait(3) == 1


@pytest.mark.skipif(os.name == "nt", reason="kills a parent process by a POSIX signal")
def test_a_killed_editor_takes_the_server_with_it(server: RawServer) -> None:
    parent = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    server.initialize(processId=parent.pid)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert server.process.wait(5) == 1


def test_an_unfinished_call_to_a_model_does_not_hold_it_up(shop: Path) -> None:
    with LoopbackModel(Hang()) as model:
        use_model(shop, model.api_base)
        server = RawServer(TEST_MODEL_KEY="FAKE-key-1")
        try:
            server.initialize(shop)
            uri = (shop / "q.sql").as_uri()
            item = {"uri": uri, "languageId": "sql", "version": 1, "text": "-- ask: names\n"}
            server.send("textDocument/didOpen", {"textDocument": item})
            position = {"line": 0, "character": 3}
            server.send("sqlscribe/answer", {"textDocument": {"uri": uri}, "position": position}, 2)
            assert model.wait_for(1)
            server.send("shutdown", None, 3)
            assert "result" in server.response(3)
            server.send("exit", None)
            assert server.process.wait(3) == 0
        finally:
            server.process.kill()
            server.process.wait()


def test_nothing_but_the_protocol_is_written_to_standard_output() -> None:
    program = (
        "import os, sys\n"
        "sys.argv = ['sqlscribe', 'serve']\n"
        "from sqlscribe.lsp import server\n"
        "make = server.create_server\n"
        "def noisy():\n"
        "    print('printed'); os.write(1, b'written'); os.system('echo from a child')\n"
        "    return make()\n"
        "server.create_server = noisy\n"
        "from sqlscribe.__main__ import main\n"
        "main()\n"
    )
    server = RawServer([sys.executable, "-c", program])
    try:
        assert server.initialize()["result"]["serverInfo"]["name"] == "sqlscribe"
    finally:
        server.process.kill()
        _, errors = server.process.communicate()
    for said in (b"printed", b"written", b"from a child"):
        assert said in errors


def test_initialize_imports_nothing_heavy() -> None:
    program = (
        "import sys\n"
        "from sqlscribe.lsp import serve\n"
        "heavy = {'litellm', 'sqlglot', 'jinja2', 'apsw', 'numpy', 'wordllama', 'click',"
        " 'rich', 'yaml', 'httpx', 'pathspec', 'dotenv'}\n"
        "print(*sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def test_litellm_is_not_loaded_by_a_hover(shop: Path) -> None:
    program = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from sqlscribe.notation.document import Document\n"
        "from sqlscribe.session import Session, request_for\n"
        "async def hover():\n"
        "    from sqlscribe import answer\n"
        "    session = Session({})\n"
        "    session.set_roots([Path(sys.argv[1])])\n"
        "    document = Document('file:///q.sql', '-- ask: names')\n"
        "    session.open(document, Path(sys.argv[1]) / 'q.sql')\n"
        "    [question] = session.script(document).questions\n"
        "    snapshot = await session.snapshot(document, question)\n"
        "    answer.prepare(request_for(document, question), snapshot)\n"
        "asyncio.run(hover())\n"
        "print('litellm' in sys.modules, 'jinja2' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(shop)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "True"]


def test_unknown_methods_bad_positions_and_broken_json_leave_it_running(
    server: RawServer,
) -> None:
    server.initialize()
    assert server.process.stdin is not None
    server.process.stdin.write(b"Content-Length: 9\r\n\r\n{broken!!")
    server.send("textDocument/nothingOfTheKind", {}, 2)
    assert server.response(2)["error"]["code"] == -32601
    uri = "untitled:a.sql"
    item = {"uri": uri, "languageId": "sql", "version": 1, "text": "-- ask: x\n"}
    server.send("textDocument/didOpen", {"textDocument": item})
    far = {"line": 4_000_000, "character": 4_000_000}
    params = {
        "textDocument": {"uri": uri},
        "range": {"start": far, "end": far},
        "context": {"diagnostics": []},
    }
    server.send("textDocument/codeAction", params, 3)
    assert server.response(3)["result"] in ([], None)
    change = {"range": {"start": far, "end": far}, "text": "more"}
    server.send(
        "textDocument/didChange",
        {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]},
    )
    server.send("textDocument/codeAction", params, 4)
    assert "result" in server.response(4)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/hover", {"textDocument": 5, "position": "here"}),
        ("textDocument/hover", None),
        ("textDocument/codeAction", {"textDocument": {"uri": "untitled:a.sql"}}),
        ("codeLens/resolve", ["lens"]),
    ],
)
def test_parameters_that_cannot_be_read_are_refused(
    server: RawServer, method: str, params: Any
) -> None:
    server.initialize()
    server.send(method, params, 2)
    error = server.response(2)["error"]
    assert (error["code"], error["message"]) == (
        -32602,
        f"the parameters of {method} cannot be read",
    )
    server.send("shutdown", None, 3)
    assert server.response(3)["result"] is None


def test_an_answer_of_the_editors_that_cannot_be_read_counts_as_refused(
    server: RawServer,
) -> None:
    server.initialize(
        capabilities={"workspace": {"configuration": True}}, initializationOptions={"status": True}
    )
    while (asked := server.receive()).get("method") != "workspace/configuration":
        pass
    server.write({"jsonrpc": "2.0", "id": asked["id"], "result": 5})
    # What comes behind the answer shows that nobody waits for it any more.
    while server.receive().get("method") != "sqlscribe/status":
        pass


def test_wrong_arguments_are_told_with_exit_code_two() -> None:
    done = subprocess.run(
        [*SERVE, "--port", "x"], capture_output=True, text=True, check=False, timeout=30
    )
    assert done.returncode == 2
    assert done.stderr.startswith("usage: sqlscribe serve")


def test_initialize_is_answered_while_the_schema_is_large(tmp_path: Path) -> None:
    tables = "".join(f"CREATE TABLE t{n} (id int, name text);\n" for n in range(3000))
    (tmp_path / "schema.sql").write_text(tables)

    async def first_answer() -> float:
        async with editor(tmp_path) as ed:
            ed.open("q.sql", "-- ask: names\n")
            start = time.monotonic()
            assert await ed.actions("q.sql", 0)
            return time.monotonic() - start

    assert asyncio.run(first_answer()) < 5


def test_an_address_that_is_taken_is_told_with_exit_code_two() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        done = subprocess.run(
            [*SERVE, "--tcp", address], capture_output=True, text=True, check=False, timeout=30
        )
    assert done.returncode == 2
    assert done.stderr.startswith(f"sqlscribe: cannot listen on {address}: ")
    assert "Traceback" not in done.stderr


def test_over_tcp_one_editor_is_served_and_its_end_is_the_end() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = free.getsockname()
    process = subprocess.Popen([*SERVE, "--tcp", f"127.0.0.1:{address[1]}"])
    try:
        editor = connected(address)
        body = json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
        ).encode()
        editor.sendall(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        assert editor.recv(16) == b"Content-Length: "
        with pytest.raises(OSError, match="refused"):
            socket.create_connection(address, timeout=5)
        editor.close()
        assert process.wait(5) == 1
    finally:
        process.kill()
        process.wait()


def connected(address: tuple[str, int]) -> socket.socket:
    """A connection to a server that may still be starting."""
    end = time.monotonic() + 20
    while True:
        try:
            return socket.create_connection(address, timeout=5)
        except ConnectionRefusedError:
            assert time.monotonic() < end
            time.sleep(0.05)


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_ctrl_c_ends_it_without_a_traceback(server: RawServer) -> None:
    server.initialize()
    server.process.send_signal(signal.SIGINT)
    server.process.wait(5)
    assert server.process.stderr is not None
    assert b"Traceback" not in server.process.stderr.read()


def test_an_editor_that_sends_only_a_root_path_has_its_folder(
    server: RawServer, shop: Path
) -> None:
    server.initialize(rootPath=str(shop))
    item = {"uri": "untitled:q", "languageId": "sql", "version": 1, "text": "-- ask: names\n"}
    server.send("textDocument/didOpen", {"textDocument": item})
    at = {"textDocument": {"uri": "untitled:q"}, "position": {"line": 0, "character": 3}}
    server.send("textDocument/hover", at, 2)
    assert "customers" in server.response(2)["result"]["contents"]["value"]


@pytest.mark.parametrize(
    "params", [None, [], {}, {"textDocument": {}}, {"textDocument": {"uri": "untitled:q"}}]
)
def test_a_request_of_ours_with_other_parameters_is_told_what_it_takes(
    server: RawServer, params: object
) -> None:
    server.initialize()
    server.send("sqlscribe/answer", params, 2)
    error = server.response(2)["error"]
    assert error["code"] == -32602
    assert "{textDocument: {uri}, position: {line, character}}" in error["message"]


def test_an_editor_outside_of_the_container_is_not_missed(server: RawServer) -> None:
    server.initialize(processId=2**31 - 1)
    with pytest.raises(subprocess.TimeoutExpired):
        server.process.wait(1)
