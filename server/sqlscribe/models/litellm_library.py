"""The library that speaks to every provider: its import, what it raises, what it knows of prices.

It takes seconds to import, so that happens at the first call and in a worker thread.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import sys
import warnings
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import CoroutineType
from typing import Any

from sqlscribe.models.providers import is_loopback, is_ollama


async def load() -> Any:
    """litellm, imported in a worker thread at the first call, which takes seconds."""
    return await asyncio.to_thread(imported)


@cache
def imported() -> Any:
    # In its other mode litellm loads a .env file into this process's environment, and a
    # workspace could redirect keys with that.
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_SUPPRESS_STARTUP_OUTPUT"] = "True"
    _bypass_proxy_for_loopback()
    _ignore_given_up_calls()
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx", "openai"):
        # They write addresses and headers, and some of it to standard output.
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm


def _ignore_given_up_calls() -> None:
    """Given up in the moment it begins, a call leaves a coroutine of the library's own behind.

    Python warns of that wherever the garbage is found. In code without builtins, such as that of
    ``namedtuple``, it cannot even import ``warnings``, and reports a ``KeyError`` of its own.
    """
    warnings.filterwarnings(
        "ignore", rf"coroutine '{_CALL.pattern}' was never awaited", RuntimeWarning
    )
    report = sys.unraisablehook

    def report_others(error: sys.UnraisableHookArgs) -> None:
        is_given_up = isinstance(error.object, CoroutineType) and _CALL.fullmatch(
            error.object.__qualname__
        )
        if not (is_given_up and repr(error.exc_value) == "KeyError('__import__')"):
            report(error)

    sys.unraisablehook = report_others


_CALL = re.compile(r"[\w.]*completion[\w.]*", re.IGNORECASE)
"""How the coroutines are called that the library makes of one call."""


def _bypass_proxy_for_loopback() -> None:
    """A proxy configured for the internet cannot reach this machine's own servers."""
    names = ("NO_PROXY", "no_proxy")
    # Who reads both takes the second one: what stands in only one of them must not be lost.
    set_there = ",".join(os.environ.get(name, "") for name in names).split(",")
    hosts = dict.fromkeys([*filter(None, set_there), "127.0.0.1", "localhost", "::1"])
    for name in names:
        os.environ[name] = "*" if "*" in hosts else ",".join(hosts)


@cache
def failures_of_library() -> tuple[type[Exception], ...]:
    """Everything that litellm is known to raise.

    Replies of an odd shape escape from it as the plain errors of the code that reads them.
    """
    from httpx import HTTPError, InvalidURL
    from litellm import exceptions
    from openai import OpenAIError

    own = [
        kind
        for kind in vars(exceptions).values()
        if isinstance(kind, type) and issubclass(kind, Exception)
    ]
    return (
        *own,
        OpenAIError,
        HTTPError,
        InvalidURL,
        OSError,
        ImportError,
        LookupError,
        AttributeError,
        TypeError,
        ValueError,
        RuntimeError,
        AssertionError,
    )


def is_free(name: str, api_base: str | None) -> bool:
    """Whether a model costs nothing: one on one's own machine, or served by Ollama."""
    # For Ollama's the library would ask its server.
    return is_loopback(api_base) or is_ollama(name)


def is_priced(name: str) -> bool:
    """Whether the library knows what a model costs. It takes seconds to import at first."""
    litellm = imported()
    try:
        prices = litellm.get_model_info(model=name)
    except failures_of_library():
        # It does not know every model.
        return False
    return bool(prices.get("input_cost_per_token") or prices.get("output_cost_per_token"))


def prompt_price(name: str, api_base: str | None) -> float | None:
    """US dollars of one token of a prompt, ``None`` where it is not known, or free.

    By the library's list of prices, which a hover may read; the library itself it may not import.
    """
    if is_free(name, api_base):
        return None
    listed = _listed_prices()
    provider, _, plain = name.partition("/")
    of_whom, price = listed.get(name) or listed.get(plain) or ("", None)
    return price if name in listed or of_whom == provider else None


@cache
def _listed_prices() -> dict[str, tuple[str, float]]:
    """Provider and price of the models of the list that comes with the library."""
    spec = find_spec("litellm")
    places = spec.submodule_search_locations if spec is not None else None
    try:
        listed = json.loads((Path((places or ("",))[0]) / _PRICES).read_bytes())
        return {
            name: (str(model.get("litellm_provider", "")), float(model["input_cost_per_token"]))
            for name, model in listed.items()
            if model.get("input_cost_per_token")
        }
    except (OSError, ValueError, TypeError, AttributeError):
        # It is the library's own affair what it is called and looks like.
        return {}


_PRICES = "model_prices_and_context_window_backup.json"


def cost(litellm: Any, answer: Any, **call: str) -> float | None:
    """US dollars of a call by its answer; ``call`` is what the answer does not tell of it."""
    try:
        return float(litellm.completion_cost(completion_response=answer, **call)) or None
    except failures_of_library():
        # litellm does not know the price of every model.
        return None
