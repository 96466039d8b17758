"""What a person may write at a place of a file: names, questions, options, settings."""

from __future__ import annotations

from sqlscribe.completion.suggestion import Suggestion

__all__ = ["Suggestion"]
