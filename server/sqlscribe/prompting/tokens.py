"""How many tokens a text will cost, estimated with no tokenizer and no download.

Three characters a token, and one token for each CJK or full-width character: a little too
many for the tokenizers in use today, so that a prompt that fits by this count fits the model.
"""

from __future__ import annotations

import math
import re

_WIDE = re.compile(
    r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)
CHARACTERS_PER_TOKEN = 3


def estimate(text: str) -> int:
    """Estimated tokens of ``text``."""
    if text.isascii():
        return math.ceil(len(text) / CHARACTERS_PER_TOKEN)
    wide = len(_WIDE.findall(text))
    return wide + math.ceil((len(text) - wide) / CHARACTERS_PER_TOKEN)
