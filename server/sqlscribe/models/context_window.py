"""How much of a model's context a prompt takes, and whether a server has read all of it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlscribe.models.chat import Message
from sqlscribe.prompting.tokens import estimate

_TOKENS_A_MESSAGE = 4
"""What the marks around one message cost."""


def estimated_tokens(messages: Sequence[Message]) -> int:
    """About how many tokens the messages have."""
    return sum(estimate(message.content) + _TOKENS_A_MESSAGE for message in messages)


def context_size(needed: int, configured: int | None) -> int:
    """Tokens of context to ask Ollama for.

    In few steps, since Ollama loads a model anew whenever the size changes.
    """
    size = 4096
    while size < needed:
        size *= 2
    return max(size if configured is None else needed, configured or 0)


def cut_prompt(needed: int, read: int | None) -> list[str]:
    """Servers on one's own machine cut a long prompt without a word; the count tells."""
    if read is None or needed - read < 500:
        return []
    # Nothing but a full window ends at just such a number.
    is_window = read >= 1024 and read & (read - 1) == 0
    if read > needed / 2 and not is_window:
        return []
    limit = 1 << (read - 1).bit_length()
    return [
        f"the prompt needs about {needed} tokens, but the server read only {read}; "
        f"it may be limited to {limit}"
    ]
