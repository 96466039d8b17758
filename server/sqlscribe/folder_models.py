"""Which model answers the questions of one folder, and the connection to it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial

import attrs

from sqlscribe.errors import ConfigurationError, UnknownModel
from sqlscribe.knowledge.embedders import Embedder, LiteLLMEmbedder, builtin
from sqlscribe.models import discovery, editor
from sqlscribe.models.chat import ChatModel
from sqlscribe.models.litellm_client import LiteLLMChat
from sqlscribe.models.litellm_embedding import embed_texts
from sqlscribe.models.litellm_library import is_free
from sqlscribe.redaction import Redactor, secrets_in
from sqlscribe.settings import (
    CONFIGURATION,
    EmbeddingSettings,
    ModelSettings,
    Settings,
    key_for,
)
from sqlscribe.spending import Metered, Spending, metered_embedding

_DISCOVERY_SECONDS = 60.0
"""How long a model that was found stays the one, before it is looked for again."""


class FolderModels:
    """``environment`` gives the variables in force, in which keys are."""

    def __init__(self, environment: Callable[[], Mapping[str, str]], spending: Spending) -> None:
        self._environment = environment
        self._spending = spending
        self._editor: editor.EditorModels | None = None
        self._found: tuple[float, Mapping[str, str], discovery.Found] | None = None

    def offer(self, models: editor.EditorModels) -> None:
        """The editor has models of its own, which come first where the model is ``auto``."""
        self._editor = models

    def resolved(self, model: ModelSettings) -> tuple[ModelSettings, str]:
        """A model with a name to call, and why it is the one."""
        offered = self._editor.offered if self._editor is not None else ()
        if model.name == "auto" and offered:
            return attrs.evolve(model, name=editor.NAME), f"the editor offers {offered[0]}"
        if model.name != "auto":
            return model, "configured"
        found = self._discovered()
        address = found.api_base or model.api_base
        return attrs.evolve(model, name=found.name, api_base=address), found.reason

    def chosen(self, settings: Settings, name: str) -> ModelSettings:
        """The model in force, or the one called ``name`` in ``[models.…]``.

        Raises :class:`ConfigurationError` for a name that is not configured.
        """
        if name == discovery.VERIFIED:
            return ModelSettings(name=name)
        if not name:
            return self.resolved(settings.model)[0]
        if name not in settings.models:
            known = ", ".join(settings.models) or "none"
            raise ConfigurationError(
                f"no model is called {name!r} in {CONFIGURATION}; there are: {known}"
            )
        return self.resolved(settings.models[name])[0]

    async def connect(self, model: ModelSettings, cost_per_day: float | None) -> ChatModel | None:
        """A model that can be asked while the day's limit, in dollars, allows it; else ``None``.

        Raises :class:`ConfigurationError` and :class:`UnknownModel`.
        """
        environment = self._environment()
        redact = Redactor(secrets_in(environment))
        connected = self._connected(model, environment, redact)
        if connected is None:
            return None
        if model.name == editor.NAME or is_free(model.name, model.api_base):
            # Nothing of it ever counts.
            cost_per_day = None
        return Metered(connected, self._spending, cost_per_day, redact)

    def embedder(self, embedding: EmbeddingSettings, cost_per_day: float | None) -> Embedder:
        """What turns texts into vectors while the day's limit, in dollars, allows it."""
        name = embedding.name
        if name == "builtin":
            return builtin()
        environment = self._environment()
        embed = partial(embed_texts, name, embedding.api_base, key_for(embedding, environment))
        limit = None if is_free(name, embedding.api_base) else cost_per_day
        redact = Redactor(secrets_in(environment))
        return LiteLLMEmbedder(name, metered_embedding(embed, name, self._spending, limit, redact))

    def _connected(
        self, model: ModelSettings, environment: Mapping[str, str], redact: Redactor
    ) -> ChatModel | None:
        if model.name == discovery.VERIFIED:
            return None
        if model.name == editor.NAME:
            if self._editor is None or not self._editor.offered:
                raise UnknownModel("the editor offers no language model of its own")
            return editor.EditorChat(
                self._editor.offered[0],
                self._editor.complete,
                timeout_seconds=model.timeout_seconds,
                max_tokens=model.max_tokens,
                temperature=model.temperature,
            )
        return LiteLLMChat(
            name=model.name,
            api_base=model.api_base,
            api_key=key_for(model, environment),
            timeout_seconds=model.timeout_seconds,
            max_tokens=model.max_tokens,
            temperature=model.temperature,
            context_tokens=model.context_tokens,
            redact=redact,
        )

    def _discovered(self) -> discovery.Found:
        """What was found lately, unless a variable has changed: a key may have been added."""
        now, environment = time.monotonic(), self._environment()
        known = self._found
        if known is None or now - known[0] > _DISCOVERY_SECONDS or known[1] != environment:
            known = self._found = (now, environment, discovery.discover(environment))
        return known[2]
