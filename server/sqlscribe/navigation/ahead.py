"""Looking around in a run of tokens."""

from __future__ import annotations

from collections.abc import Sequence

from sqlscribe.navigation.reading import Path, goes_on, is_dot, is_name
from sqlscribe.schema.ddl.tokens import Token


class Ahead:
    """What stands at, before and behind a token; beyond the ends there is nothing."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens

    def word_at(self, at: int) -> str:
        """The word there in upper case, ``""`` where there is none."""
        return self.tokens[at].word if 0 <= at < len(self.tokens) else ""

    def calls(self, at: int) -> bool:
        """Whether a parenthesis opens behind it."""
        return at + 1 < len(self.tokens) and self.tokens[at + 1].text == "("

    def behind_dot(self, at: int) -> bool:
        """Whether it is a further part of a dotted name."""
        return at > 0 and is_dot(self.tokens[at - 1]) and goes_on(self.tokens, at)

    def path(self, at: int) -> tuple[Path, int]:
        """The dotted name that begins there, and where it ends. ``shop..orders`` is one too."""
        parts = [self.tokens[at]]
        at += 1
        while at + 1 < len(self.tokens) and is_dot(self.tokens[at]):
            following = self.tokens[at + 1]
            if is_dot(following):
                at += 1
            elif is_name(following) and goes_on(self.tokens, at + 1):
                parts.append(following)
                at += 2
            else:
                break
        return tuple(parts), at
