"""What is taken where no model is configured."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from loopback import Hang, LoopbackModel, Send
from sqlscribe.models.discovery import SERVERS, Found, Server, discover, probe
from sqlscribe.models.providers import PROVIDERS, is_loopback, key_variable, provider_of


def found(environment: dict[str, str], **served: list[str]) -> Found:
    """What is discovered where servers offer models, by the first word of their title."""

    def offered(server: Server) -> Sequence[str]:
        return served.get(server.title.partition(" ")[0].partition(".")[0], [])

    return discover(environment, offered)


@pytest.mark.parametrize("provider", [p for p in PROVIDERS if p.model], ids=lambda p: p.name)
def test_a_key_in_the_environment_chooses_its_provider(provider: object) -> None:
    variable, model = provider.key_variable, provider.model  # type: ignore[attr-defined]
    assert found({variable: "FAKE", "PATH": "/bin"}) == Found(model, None, f"{variable} is set")
    assert key_variable(model) == variable


def test_a_key_comes_before_a_server_and_an_empty_one_is_none() -> None:
    keys = {"OPENAI_API_KEY": "  ", "GEMINI_API_KEY": "FAKE", "GROQ_API_KEY": "FAKE"}
    assert found(keys, Ollama=["x"]).name == "gemini/gemini-2.5-flash"
    assert "FAKE" not in found(keys).reason


@pytest.mark.parametrize(
    ("served", "name", "api_base"),
    [
        ({"Ollama": ["llama3", "qwen2.5-coder:7b"]}, "ollama_chat/qwen2.5-coder:7b", "11434"),
        ({"Ollama": ["nomic-embed-text"], "LM": ["phi"]}, "openai/phi", "1234/v1"),
        ({"llama": ["m.gguf"], "vLLM": ["x-Coder"]}, "openai/m.gguf", "8080/v1"),
        ({"vLLM": ["a", "b"]}, "openai/a", "8000/v1"),
    ],
)
def test_the_first_server_with_a_chat_model_is_taken(
    served: dict[str, list[str]], name: str, api_base: str
) -> None:
    choice = found({}, **served)
    assert (choice.name, choice.api_base) == (name, f"http://127.0.0.1:{api_base}")
    assert choice.reason


def test_without_keys_and_servers_the_built_in_model_answers() -> None:
    choice = found({"PATH": "/bin"})
    assert (choice.name, choice.api_base) == ("verified", None)


def probed(path: str, body: bytes) -> Sequence[str]:
    with LoopbackModel(pages={path: body}) as model:
        return probe(Server("test", model.port, path))


@pytest.mark.parametrize(
    ("body", "names"),
    [
        (b'{"data": [{"id": "a"}, {"id": "b"}]}', ["a", "b"]),
        (b'{"models": [{"name": "qwen2.5-coder:7b"}]}', ["qwen2.5-coder:7b"]),
        (b'{"models": [{"name": 5}, 7, null, {"name": "x"}]}', ["x"]),
        (b"<html>some other program</html>", []),
        (b"", []),
        (b"[1]", []),
        (b"[" * 100_000, []),
        (b"\xff\xfe", []),
        (json.dumps({"data": {"id": "a"}}).encode(), []),
    ],
)
def test_a_server_is_asked_for_its_models(body: bytes, names: list[str]) -> None:
    assert list(probed("/v1/models", body)) == names


def test_servers_that_hang_or_refuse_or_are_not_there_offer_nothing() -> None:
    with LoopbackModel(Hang()) as model:
        assert probe(Server("test", model.port, "/v1/models")) == ()
        assert model.exchanges[0].closed.wait(10)
    assert probe(Server("test", model.port, "/v1/models")) == ()
    with LoopbackModel(Send(b'{"data": [{"id": "a"}]}', status=401)) as model:
        assert probe(Server("test", model.port, "/v1/models")) == ()


def test_only_this_machine_is_asked() -> None:
    assert all(is_loopback(server.root) for server in SERVERS)


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("http://127.0.0.1:8077/v1", True),
        ("http://localhost", True),
        ("http://[::1]:1", True),
        ("http://127.8.0.1", True),
        ("http://localhost.example", False),
        ("http://127.0.0.1.example", False),
        ("http://user@127.0.0.1@elsewhere.example", False),
        ("http://10.0.0.1", False),
        ("http://[", False),
        ("", False),
        (None, False),
    ],
)
def test_an_address_on_this_machine_is_known(address: str | None, local: bool) -> None:
    assert is_loopback(address) is local


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("openai/gpt-5", "openai"),
        ("gpt-5", "openai"),
        ("o3", "openai"),
        ("claude-x", "anthropic"),
        ("openrouter/openai/x", "openrouter"),
        ("no-such-model", ""),
        ("", ""),
    ],
)
def test_a_model_name_tells_its_provider(model: str, provider: str) -> None:
    assert provider_of(model) == provider
