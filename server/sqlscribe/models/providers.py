"""What is known about the providers without asking any library: their keys and places."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Provider:
    """``name`` is the part of a litellm model name before its first slash.

    ``model`` is taken where nothing but the key is configured; ``""``: never by itself.
    """

    name: str
    key_variable: str
    model: str = ""


PROVIDERS = (
    Provider("openai", "OPENAI_API_KEY", "openai/gpt-5-mini"),
    Provider("anthropic", "ANTHROPIC_API_KEY", "anthropic/claude-haiku-4-5"),
    Provider("gemini", "GEMINI_API_KEY", "gemini/gemini-2.5-flash"),
    Provider("deepseek", "DEEPSEEK_API_KEY", "deepseek/deepseek-chat"),
    Provider("mistral", "MISTRAL_API_KEY", "mistral/mistral-small-latest"),
    Provider("groq", "GROQ_API_KEY", "groq/openai/gpt-oss-120b"),
    Provider("openrouter", "OPENROUTER_API_KEY", "openrouter/openai/gpt-5-mini"),
    Provider("dashscope", "DASHSCOPE_API_KEY", "dashscope/qwen3-coder-plus"),
    Provider("moonshot", "MOONSHOT_API_KEY", "moonshot/kimi-latest"),
    Provider("azure", "AZURE_API_KEY"),
    Provider("cohere", "COHERE_API_KEY"),
    Provider("fireworks_ai", "FIREWORKS_AI_API_KEY"),
    Provider("perplexity", "PERPLEXITYAI_API_KEY"),
    Provider("together_ai", "TOGETHERAI_API_KEY"),
    Provider("xai", "XAI_API_KEY"),
    Provider("zai", "ZAI_API_KEY"),
)
"""In the order in which a key found in the environment is taken."""

KEY_VARIABLES = {provider.name: provider.key_variable for provider in PROVIDERS}

_HOSTS: Mapping[str, tuple[str, ...]] = {
    "openai": ("api.openai.com",),
    "anthropic": ("api.anthropic.com",),
    "gemini": ("generativelanguage.googleapis.com",),
    "deepseek": ("api.deepseek.com",),
    "mistral": ("api.mistral.ai",),
    "groq": ("api.groq.com",),
    "openrouter": ("openrouter.ai",),
    "dashscope": ("dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com"),
    "moonshot": ("api.moonshot.cn", "api.moonshot.ai"),
    "cohere": ("api.cohere.com", "api.cohere.ai"),
    "fireworks_ai": ("api.fireworks.ai",),
    "perplexity": ("api.perplexity.ai",),
    "together_ai": ("api.together.xyz",),
    "xai": ("api.x.ai",),
    "zai": ("api.z.ai", "open.bigmodel.cn"),
}
"""The providers' own hosts. A customer's own host at a provider is in nobody else's name."""

TAKES_ANY_KEY = frozenset(
    {
        "openai",
        "custom_openai",
        "openai_like",
        "hosted_vllm",
        "lm_studio",
        "llamafile",
        "ollama",
        "ollama_chat",
    }
)
"""Served from an address of one's own; nothing but the key that is given is sent there."""

# The library knows these names without a prefix.
_BARE = (
    (re.compile(r"(?:gpt-|chatgpt-|o[1-9](?:-|$)|text-embedding-)"), "openai"),
    (re.compile(r"claude-"), "anthropic"),
)


def provider_of(model: str) -> str:
    """The provider a model name belongs to, ``""`` where the name does not say."""
    prefix, slash, _ = model.partition("/")
    if slash:
        return prefix.lower()
    return next((name for pattern, name in _BARE if pattern.match(model)), "")


def key_variable(model: str) -> str:
    """The usual variable of a model's key, ``""`` where it needs none or is not known."""
    return KEY_VARIABLES.get(provider_of(model), "")


def is_owners(address: str | None, variable: str) -> bool:
    """True where the address is that of the provider whose key the variable usually holds."""
    try:
        parts = urlsplit(address or "")
        plain = parts.scheme == "https" and parts.port in (None, 443) and "@" not in parts.netloc
    except ValueError:
        return False
    owners = (name for name, usual in KEY_VARIABLES.items() if usual == variable)
    return plain and any(parts.hostname in _HOSTS.get(name, ()) for name in owners)


def is_ollama(name: str) -> bool:
    """Whether a model is one of Ollama's, by its litellm name."""
    return provider_of(name) in ("ollama", "ollama_chat")


def is_loopback(address: str | None) -> bool:
    """True where the address (``http://127.0.0.1:8077/v1``) can only mean this machine."""
    try:
        host = urlsplit(address or "").hostname or ""
    except ValueError:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
