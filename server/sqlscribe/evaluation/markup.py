"""Text that becomes part of a page."""

from __future__ import annotations

import html
import re

_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
"""What a reader would not see, or what would turn the letters behind it around."""


def escaped(text: str) -> str:
    """Any text as text of a page or of an attribute in quotes."""
    plain = text.encode("utf-8", "replace").decode("utf-8")
    return html.escape(_UNSEEN.sub("\ufffd", plain), quote=True)


def joined(*pieces: str) -> str:
    return "".join(pieces)
