"""Finds a model where none is configured, and never looks beyond this machine."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from sqlscribe.models.providers import PROVIDERS

VERIFIED = "verified"
"""The name of the built-in model."""


@dataclass(frozen=True, slots=True)
class Found:
    """A litellm model name, where it is served (``None``: by its provider), and why it."""

    name: str
    api_base: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Server:
    """A model server and its usual place on the loopback."""

    title: str
    port: int
    path: str
    """Answers with the list of models as JSON."""

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"


SERVERS = (
    Server("Ollama", 11434, "/api/tags"),
    Server("LM Studio", 1234, "/v1/models"),
    Server("llama.cpp", 8080, "/v1/models"),
    Server("vLLM", 8000, "/v1/models"),
)
"""In the order in which they are taken."""

Probe = Callable[[Server], Sequence[str]]

_SECONDS = 0.3
_LARGEST = 1_000_000
_NO_CHAT = ("embed", "rerank", "whisper", "bge-", "minilm")


def probe(server: Server) -> Sequence[str]:
    """Names of the models a server offers; none where there is no such server."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=_SECONDS)
    try:
        connection.request("GET", server.path, headers={"Accept": "application/json"})
        response = connection.getresponse()
        if response.status != 200:
            return ()
        return _names(json.loads(response.read(_LARGEST)))
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        # Nothing listens there, or something that is not a model server.
        return ()
    finally:
        connection.close()


def discover(environment: Mapping[str, str], probe: Probe = probe) -> Found:
    """The first that is there: a key, a model server on the loopback, the built-in model.

    It may take as long as the slowest server, so it belongs into a worker thread.
    """
    for provider in PROVIDERS:
        if provider.model and environment.get(provider.key_variable, "").strip():
            return Found(provider.model, None, f"{provider.key_variable} is set")
    for server, names in zip(SERVERS, _ask_all(probe), strict=True):
        if name := _best(names):
            return _served(server, name)
    return Found(VERIFIED, None, "no API key is set and no model server runs on this machine")


def _ask_all(probe: Probe) -> list[Sequence[str]]:
    with ThreadPoolExecutor(len(SERVERS), thread_name_prefix="probe") as pool:
        return list(pool.map(probe, SERVERS))


def _served(server: Server, name: str) -> Found:
    reason = f"{server.title} runs on port {server.port}"
    if server.title == "Ollama":
        # Only its own route takes the size of the context with each request.
        return Found(f"ollama_chat/{name}", server.root, reason)
    return Found(f"openai/{name}", f"{server.root}/v1", reason)


def _best(names: Sequence[str]) -> str:
    """A model made for code before any other; models that cannot chat never."""
    chat = [name for name in names if not any(word in name.lower() for word in _NO_CHAT)]
    return next((name for name in chat if "coder" in name.lower()), chat[0] if chat else "")


def _names(answer: object) -> Sequence[str]:
    """From Ollama's ``{"models": [{"name": …}]}`` or OpenAI's ``{"data": [{"id": …}]}``."""
    if not isinstance(answer, dict):
        return ()
    for many, one in (("models", "name"), ("data", "id")):
        entries = answer.get(many)
        if isinstance(entries, list):
            values = [entry.get(one) for entry in entries if isinstance(entry, dict)]
            return [value for value in values if isinstance(value, str) and value]
    return ()
