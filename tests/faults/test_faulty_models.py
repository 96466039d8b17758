"""What a model's endpoint may do: one server process through all of it."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from faults.conftest import Note
from loopback import (
    Behaviour,
    CloseMidway,
    Connection,
    Hang,
    LoopbackModel,
    Refuse,
    Say,
    Send,
    Trickle,
)
from shop import SHOP, use_model, write
from wire import Wire, until

KEY = "FAKE-key-0123456789"
GOOD = "```sql\nSELECT full_name FROM customers\n```"
SECONDS = 2
MORE = f"timeout_seconds = {SECONDS}\nmax_repairs = 0\n"


@dataclass(frozen=True)
class Huge:
    """A reply of many megabytes, in one piece or as a stream, as the client asked."""

    megabytes: int

    def __call__(self, connection: Connection) -> bool:
        connection.send(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % (self.megabytes * 1_000_000)
        )
        piece = b"x" * 1_000_000
        for _ in range(self.megabytes):
            if not connection.send(piece):
                break
        return False


@dataclass(frozen=True)
class HugeHeader:
    def __call__(self, connection: Connection) -> bool:
        connection.send(b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 5_000_000)
        return False


@dataclass(frozen=True)
class NoHttp:
    def __call__(self, connection: Connection) -> bool:
        connection.send(b"SSH-2.0-OpenSSH_9.6\r\n" * 100)
        return False


ECHO = f"it went wrong with {KEY}; header Authorization: Bearer {KEY}"

FAULTS: dict[str, tuple[Behaviour, str]] = {
    "hangs": (Hang(), "no answer after"),
    "trickles": (Trickle(1.0), "no answer after"),
    "closes midway": (CloseMidway(), "connection"),
    "closes before a word": (CloseMidway(b""), "connection"),
    "answers HTML": (Send(b"<html>sign in</html>", "text/html"), "not a model's reply"),
    "answers half a JSON": (Send(b'{"choices": [{"mess'), "not a model's reply"),
    "answers another JSON": (Send(b'{"choices": "none"}'), "reply"),
    "answers bytes of no text": (Send(b"\xff\xfe\x00" * 99), "not a model's reply"),
    "answers 10,000 brackets": (Send(b"[" * 10_000), "not a model's reply"),
    "speaks no HTTP": (NoHttp(), ""),
    "sends an endless header": (HugeHeader(), ""),
    "429 with Retry-After": (Refuse(429, headers=(("Retry-After", "7"),)), "try again in 7 s"),
    "500 with the key in it": (Refuse(500, ECHO), "HTTP 500"),
    "401 with the key in it": (Refuse(401, ECHO), "refused the API key"),
    "503 in HTML": (Refuse(503, body=b"<html>down</html>"), "503"),
    "sends a reply of 100 MB": (Huge(100), "too large"),
    "sends prose": (Say("I am sorry, but I cannot."), ""),
    "sends a write": (Say("```sql\nDELETE FROM customers\n```"), ""),
    "sends two statements": (Say("```sql\nSELECT 1; DROP TABLE customers\n```"), ""),
}


@pytest.fixture(scope="module")
def model() -> Iterator[LoopbackModel]:
    with LoopbackModel() as model:
        yield model


@pytest.fixture(scope="module")
def wire(model: LoopbackModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wire]:
    root = write(tmp_path_factory.mktemp("faulty") / "shop", dict(SHOP))
    use_model(root, model.api_base, more=MORE)
    proxies = dict.fromkeys(("HTTP_PROXY", "http_proxy"), "http://127.0.0.1:9")
    trusted = {"SQLSCRIBE_TRUSTED_FOLDERS": str(root), "NO_PROXY": "no-such-host.invalid"}
    with Wire(root, environment={"TEST_MODEL_KEY": KEY, **proxies, **trusted}) as wire:
        # Once the library is imported, what is measured is the fault.
        model.replace(Say(GOOD))
        asked(wire, "first")
        yield wire


def asked(wire: Wire, about: str) -> dict[str, object]:
    """The answer to a question that nobody has asked before."""
    name = f"{about.replace(' ', '-')}.sql"
    wire.open(name, f"-- ask: names of customers, {about}\n")
    return wire.answer(name, seconds=60)


def is_well(wire: Wire, model: LoopbackModel, about: str) -> None:
    """The next question is answered, and nothing has told the key."""
    model.replace(Say(GOOD))
    answer = asked(wire, f"after {about}")
    assert answer["sql"] == "SELECT full_name FROM customers", answer
    assert KEY not in wire.said()
    kept = [path for path in wire.root.rglob("*") if path.is_file()]
    assert not [path for path in kept if KEY.encode() in path.read_bytes()]


@pytest.mark.fault("the model's endpoint {fault}")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_reply_is_one_sentence(
    wire: Wire, model: LoopbackModel, fault: str, note: Note
) -> None:
    behaviour, says = FAULTS[fault]
    model.replace(behaviour)
    before = wire.memory()
    answer = asked(wire, f"while it {fault}")
    assert answer["outcome"] in ("failed", "refused", "no_sql"), answer
    assert answer["edit"] is None
    message = str(answer["message"])
    assert says in message, message
    assert KEY not in str(answer)
    assert wire.memory() - before < 100
    is_well(wire, model, fault)
    note(f"{answer['outcome']}: {message[:60]}")


@pytest.mark.fault("code actions while the model's endpoint hangs")
def test_the_editor_is_served_while_a_model_hangs(wire: Wire, model: LoopbackModel) -> None:
    model.replace(Hang())
    wire.open("wait.sql", "-- ask: names of customers, waiting\n")
    before = len(model.exchanges)
    number = wire.start("sqlscribe/answer", wire.at("wait.sql"))
    until(lambda: len(model.exchanges) > before)
    for _ in range(5):
        assert "Generate SQL" in wire.titles("wait.sql")
        assert "customers" in wire.hover("wait.sql")
    assert wire.wait(number, 60)["result"]["outcome"] == "failed"


class Tls:
    """A port that speaks TLS with a certificate that nobody trusts, or closes at once."""

    def __init__(self, certificate: Path | None) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._context = None
        if certificate is not None:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(certificate)
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def address(self) -> str:
        return f"https://127.0.0.1:{self._listener.getsockname()[1]}/v1"

    def __enter__(self) -> Tls:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                if self._context is None:
                    continue
                try:
                    self._context.wrap_socket(connection, server_side=True).recv(1)
                except OSError:
                    continue


CERTIFICATE = Path(__file__).with_name("self_signed.pem")
"""For 127.0.0.1, with its key, valid for a hundred years and trusted by nobody."""


@pytest.mark.fault("TLS: {kind}")
@pytest.mark.parametrize("kind", ["a certificate nobody trusts", "no TLS there", "closes at once"])
def test_a_failure_of_tls_is_told(wire: Wire, model: LoopbackModel, kind: str, note: Note) -> None:
    before = len(model.exchanges)
    certificate = CERTIFICATE if kind == "a certificate nobody trusts" else None
    try:
        with Tls(certificate) as tls:
            address = tls.address
            if kind == "no TLS there":
                address = model.api_base.replace("http://", "https://")
            use_model(wire.root, address, more=MORE)
            answer = asked(wire, kind)
        assert answer["outcome"] == "failed"
        assert "cannot be reached" in str(answer["message"]), answer
        assert len(model.exchanges) == before
    finally:
        use_model(wire.root, model.api_base, more=MORE)
    is_well(wire, model, kind)
    note(str(answer["message"])[:70])


@pytest.mark.fault("the address: {kind}")
@pytest.mark.parametrize(
    ("kind", "address", "says"),
    [
        ("refuses connections", "http://127.0.0.1:9/v1", "nothing answers there"),
        ("has a name that nobody knows", "http://no-such-host.invalid/v1", "name is not known"),
        ("is behind a proxy that is down", "http://model.example/v1", "127.0.0.1:9 (HTTP_PROXY)"),
    ],
)
def test_an_address_without_a_model_is_told(
    wire: Wire, model: LoopbackModel, kind: str, address: str, says: str, note: Note
) -> None:
    use_model(wire.root, address, more=MORE)
    try:
        answer = asked(wire, kind)
        assert answer["outcome"] == "failed"
        assert says in str(answer["message"]), answer
    finally:
        use_model(wire.root, model.api_base, more=MORE)
    is_well(wire, model, kind)
    note(str(answer["message"])[:70])


@pytest.mark.fault("a redirection ({status}) to another host")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirection_is_not_followed(
    wire: Wire, model: LoopbackModel, status: int, note: Note
) -> None:
    with LoopbackModel(Say(GOOD)) as thief:
        for number, host in enumerate(("127.0.0.1", "localhost")):
            target = f"http://{host}:{thief.port}/v1/chat/completions"
            model.replace(Refuse(status, headers=(("Location", target),)))
            answer = asked(wire, f"redirected {status} {number}")
            assert answer["outcome"] == "failed"
            assert "elsewhere" in str(answer["message"])
        assert thief.exchanges == []
        assert thief.connections == 0
    is_well(wire, model, f"{status}")
    note(str(answer["message"])[:60])
