"""A model server on the loopback that does what a test tells it to.

    with LoopbackModel(Say("SELECT 1"), Refuse(429)) as model:
        ...                                   # requests get the answers in that order
    model.exchanges[0].body                   # what was sent, byte for byte

It speaks the OpenAI style (``/chat/completions``, plain and streamed, ``/embeddings``,
``/models``) and Ollama's own (``/api/chat``, ``/api/tags``, ``/api/show``).
When the queue is empty the last answer is given again.
Every exchange tells whether the client closed the connection: ``exchange.closed.wait(5)``.
"""

from __future__ import annotations

import json
import select
import socket
import socketserver
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Protocol


@dataclass
class Exchange:
    """One request as it arrived; ``closed`` is set once the client has hung up."""

    method: str
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes
    closed: threading.Event = field(default_factory=threading.Event)

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Connection:
    """What a behaviour may do: send, wait, look whether the client is still there."""

    def __init__(self, sock: socket.socket, exchange: Exchange, stopped: socket.socket) -> None:
        self._socket = sock
        self._stopped = stopped
        self.exchange = exchange

    def send(self, data: bytes) -> bool:
        """False where the client is gone."""
        try:
            self._socket.sendall(data)
        except OSError:
            self.exchange.closed.set()
            return False
        return True

    def reply(
        self,
        body: bytes,
        status: int = 200,
        headers: Iterable[tuple[str, str]] = (),
        content_type: str = "application/json",
    ) -> None:
        head = [
            f"HTTP/1.1 {status} Status",
            f"Content-Type: {content_type}",
            f"Content-Length: {len(body)}",
            *(f"{name}: {value}" for name, value in headers),
        ]
        self.send("\r\n".join([*head, "", ""]).encode() + body)

    def stays(self, seconds: float | None = None) -> bool:
        """Wait; False as soon as the client hangs up or the server is stopped."""
        readable, _, _ = select.select([self._socket, self._stopped], [], [], seconds)
        if self._socket in readable:
            try:
                gone = not self._socket.recv(1, socket.MSG_PEEK)
            except OSError:
                gone = True
            if gone:
                self.exchange.closed.set()
        return not readable


class Behaviour(Protocol):
    """Answers one request; False where the connection is to be closed afterwards."""

    def __call__(self, connection: Connection) -> bool: ...


@dataclass(frozen=True)
class Say:
    """A proper reply in the form that the request's path asks for."""

    text: str
    finish_reason: str = "stop"
    prompt_tokens: int = 100
    completion_tokens: int = 10

    def __call__(self, connection: Connection) -> bool:
        path = connection.exchange.path
        if path.endswith("/api/chat"):
            connection.reply(_json(self._ollama()))
        elif path.endswith("/embeddings"):
            connection.reply(_json(_embeddings(connection.exchange.json["input"])))
        elif connection.exchange.json.get("stream"):
            events = [
                self._openai("chat.completion.chunk", {"delta": {"content": self.text}}),
                self._openai(
                    "chat.completion.chunk",
                    {"delta": {}, "finish_reason": self.finish_reason},
                ),
            ]
            lines = [b"data: " + _json(event) + b"\n\n" for event in events]
            connection.reply(b"".join([*lines, b"data: [DONE]\n\n"]), 200, (), _EVENTS)
        else:
            message = {"role": "assistant", "content": self.text}
            choice = {"message": message, "finish_reason": self.finish_reason}
            connection.reply(_json(self._openai("chat.completion", choice)))
        return True

    def _openai(self, kind: str, choice: dict[str, object]) -> dict[str, object]:
        return {
            "id": "chatcmpl-1",
            "object": kind,
            "created": 1700000000,
            "model": "loopback",
            "choices": [{"index": 0, **choice}],
            "usage": {
                "prompt_tokens": self.prompt_tokens,
                "completion_tokens": self.completion_tokens,
                "total_tokens": self.prompt_tokens + self.completion_tokens,
            },
        }

    def _ollama(self) -> dict[str, object]:
        return {
            "model": "loopback",
            "created_at": "2026-01-01T00:00:00Z",
            "message": {"role": "assistant", "content": self.text},
            "done": True,
            "done_reason": self.finish_reason,
            "prompt_eval_count": self.prompt_tokens,
            "eval_count": self.completion_tokens,
        }


@dataclass(frozen=True)
class Stream:
    """A reply in pieces, each sent as it is, in the form that the request's path asks for.

    ``thoughts`` come first. ``gate`` is waited for before the last piece. Without a
    ``finish_reason`` the reply just ends, without ``counts`` nobody says how long it is.
    ``pause`` is waited before each piece, in seconds; ``is_endless`` repeats them for ever.
    """

    pieces: tuple[str, ...]
    thoughts: tuple[str, ...] = ()
    finish_reason: str | None = "stop"
    counts: tuple[int, int] | None = (100, 10)
    gate: threading.Event | None = None
    pause: float = 0
    is_endless: bool = False

    def __call__(self, connection: Connection) -> bool:
        ollama = connection.exchange.path.endswith("/api/chat")
        kind = b"application/x-ndjson" if ollama else _EVENTS.encode()
        connection.send(
            b"HTTP/1.1 200 OK\r\nContent-Type: " + kind + b"\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        event = self._line if ollama else self._event
        for thought in self.thoughts:
            _send_chunk(connection, event(thought, "thinking" if ollama else "reasoning_content"))
        while True:
            for index, piece in enumerate(self.pieces):
                if self.gate is not None and index == len(self.pieces) - 1:
                    self.gate.wait(30)
                if self.pause and not connection.stays(self.pause):
                    return False
                if not _send_chunk(connection, event(piece, "content")):
                    return False
            if not self.is_endless:
                break
        if self.finish_reason is not None:
            _send_chunk(connection, self._ollama_end() if ollama else self._openai_end())
        return connection.send(b"0\r\n\r\n")

    def _event(self, text: str, field: str) -> bytes:
        return _event([{"index": 0, "delta": {field: text}, "finish_reason": None}])

    def _line(self, text: str, field: str) -> bytes:
        message = {"role": "assistant", "content": "", field: text}
        return _json({**_OLLAMA, "message": message, "done": False}) + b"\n"

    def _openai_end(self) -> bytes:
        end = _event([{"index": 0, "delta": {}, "finish_reason": self.finish_reason}])
        if self.counts is not None:
            prompt, completion = self.counts
            usage = {"prompt_tokens": prompt, "completion_tokens": completion}
            end += _event([], usage={**usage, "total_tokens": prompt + completion})
        return end + b"data: [DONE]\n\n"

    def _ollama_end(self) -> bytes:
        prompt, completion = self.counts or (0, 0)
        message = {"role": "assistant", "content": ""}
        done = {"done": True, "done_reason": self.finish_reason}
        counted = {"prompt_eval_count": prompt, "eval_count": completion}
        return _json({**_OLLAMA, "message": message, **done, **counted}) + b"\n"


_OLLAMA = {"model": "local", "created_at": "2026-01-01T00:00:00Z"}


def _event(choices: list[dict[str, object]], **more: object) -> bytes:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000}
    return b"data: " + _json({**head, "model": "loopback", "choices": choices, **more}) + b"\n\n"


def _send_chunk(connection: Connection, data: bytes) -> bool:
    return connection.send(b"%x\r\n%b\r\n" % (len(data), data))


@dataclass(frozen=True)
class Refuse:
    """An error as providers word it; ``body`` replaces the usual JSON whole."""

    status: int
    message: str = "refused"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None

    def __call__(self, connection: Connection) -> bool:
        error = {"error": {"message": self.message, "type": "error", "code": None}}
        connection.reply(
            _json(error) if self.body is None else self.body, self.status, self.headers
        )
        return True


@dataclass(frozen=True)
class Send:
    """Any bytes as the body of a reply: HTML, half a JSON, a list of models."""

    body: bytes
    content_type: str = "application/json"
    status: int = 200

    def __call__(self, connection: Connection) -> bool:
        connection.reply(self.body, self.status, (), self.content_type)
        return True


@dataclass(frozen=True)
class Hang:
    """Take the request and never answer."""

    def __call__(self, connection: Connection) -> bool:
        connection.stays()
        return False


@dataclass(frozen=True)
class Trickle:
    """Start an answer and send one space every so often, for ever."""

    seconds: float = 0.05

    def __call__(self, connection: Connection) -> bool:
        connection.send(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        while connection.stays(self.seconds) and connection.send(b"1\r\n \r\n"):
            pass
        return False


@dataclass(frozen=True)
class CloseMidway:
    """Promise a long answer, send a part of it and hang up."""

    part: bytes = b'{"id": "chatcmpl-1", "choices": ['

    def __call__(self, connection: Connection) -> bool:
        connection.send(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            b"Content-Length: 100000\r\n\r\n" + self.part
        )
        return False


class LoopbackModel:
    """The server. Answers come from the queue; ``queue`` adds to it at any time.

    Paths in ``pages`` are answered from there and are not recorded: ``{"/api/tags": b"{}"}``.
    """

    def __init__(
        self, *answers: Behaviour, pages: Mapping[str, bytes] | None = None, port: int = 0
    ) -> None:
        self._answers = list(answers)
        self._lock = threading.Lock()
        self._arrived = threading.Condition(self._lock)
        self._stop, self.stopped = socket.socketpair()
        self.pages = dict(pages or {})
        self.exchanges: list[Exchange] = []
        self.connections = 0
        self._server = _Server(("127.0.0.1", port), self)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def api_base(self) -> str:
        """The OpenAI-style base; for Ollama's own routes take ``root``."""
        return f"{self.root}/v1"

    def queue(self, *answers: Behaviour) -> None:
        with self._lock:
            self._answers.extend(answers)

    def replace(self, *answers: Behaviour) -> None:
        """Forget the answers in the queue and give these."""
        with self._lock:
            self._answers[:] = answers

    def wait_for(self, requests: int, seconds: float = 30) -> bool:
        """True once so many requests have arrived."""
        with self._arrived:
            return self._arrived.wait_for(lambda: len(self.exchanges) >= requests, seconds)

    def next_answer(self, exchange: Exchange) -> Behaviour:
        with self._arrived:
            self.exchanges.append(exchange)
            self._arrived.notify_all()
            if len(self._answers) > 1:
                return self._answers.pop(0)
            return self._answers[0] if self._answers else Refuse(500, "no answer queued")

    def __enter__(self) -> LoopbackModel:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.close()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
        self.stopped.close()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, address: tuple[str, int], model: LoopbackModel) -> None:
        self.model = model
        super().__init__(address, _Handler)


class _Handler(socketserver.StreamRequestHandler):
    server: _Server

    def handle(self) -> None:
        model = self.server.model
        with model._lock:
            model.connections += 1
        while (exchange := self._read()) is not None:
            connection = Connection(self.connection, exchange, model.stopped)
            path = exchange.path.partition("?")[0]
            if path in model.pages:
                connection.reply(model.pages[path])
            elif not model.next_answer(exchange)(connection):
                return
            if not self._wait_for_next(connection):
                return

    def _wait_for_next(self, connection: Connection) -> bool:
        connection.stays()
        return not connection.exchange.closed.is_set() and connection._stopped.fileno() != -1

    def _read(self) -> Exchange | None:
        try:
            line = self.rfile.readline(65_537).decode("latin-1").split()
            if len(line) != 3 or not line[2].startswith("HTTP/"):
                # Such as the greeting of TLS, in whose random bytes there may be any number.
                return None
            headers: dict[str, str] = {}
            while (header := self.rfile.readline(65_537).decode("latin-1").strip()) != "":
                name, _, value = header.partition(":")
                headers[name.strip().lower()] = value.strip()
            body = self.rfile.read(int(headers.get("content-length", "0")))
        except OSError:
            return None
        return Exchange(line[0], line[1], headers, body)


_EVENTS = "text/event-stream"


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _embeddings(given: str | list[str]) -> dict[str, object]:
    """A tiny vector for each text: its length and its first character."""
    texts = [given] if isinstance(given, str) else given
    data = [
        {
            "object": "embedding",
            "index": place,
            "embedding": [float(len(text)), float(ord(text[0])) if text else 0.0],
        }
        for place, text in enumerate(texts)
    ]
    usage = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
    return {"object": "list", "model": "loopback", "data": data, "usage": usage}
