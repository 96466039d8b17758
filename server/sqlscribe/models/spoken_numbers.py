"""Numbers written as words where they can be nothing else: "top ten", 前十, "last seven days"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlscribe.notation.document import Span

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
    " fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ENGLISH = {word: number for number, word in enumerate(_ONES)}
_ENGLISH |= {word: 10 * number for number, word in enumerate(_TENS, 2)}
_ENGLISH |= {"hundred": 100, "a hundred": 100, "one hundred": 100, "dozen": 12, "a dozen": 12}
_CHINESE = {digit: number for number, digit in enumerate("零一二三四五六七八九")} | {"两": 2}

_WORD = "|".join(sorted(map(re.escape, _ENGLISH), key=len, reverse=True))
_PLACES = re.compile(
    rf"\b(?:top|first|last|past|bottom|previous|limit|least|most|than|over|above|under|below)\s+"
    rf"(?P<english>(?:{'|'.join(_TENS)})[\s-](?:{'|'.join(_ONES[1:10])})|{_WORD})\b"
    r"|(?:前|后|最近|近|过去|超过|至少|最多|大于|小于|少于|多于|不足|高于|低于)"
    r"(?P<chinese>[一二两三四五六七八九十百]{1,5})(?![一二两三四五六七八九十百千万季月])",
    re.IGNORECASE,
)


def spoken_numbers(question: str) -> Iterator[Span]:
    """Where numbers stand as words, after a word that takes a number."""
    for match in _PLACES.finditer(question):
        name = match.lastgroup or ""
        if as_number(match[name]) is not None:
            yield Span(*match.span(name))


def as_number(text: str) -> int | None:
    """``ten`` and ``十`` are 10; ``None`` for what is no such word."""
    folded = text.casefold().replace("-", " ")
    if folded in _ENGLISH:
        return _ENGLISH[folded]
    tens, _, ones = folded.partition(" ")
    if tens in _TENS and ones in _ONES[1:10]:
        return _ENGLISH[tens] + _ENGLISH[ones]
    return _chinese(folded)


def _chinese(text: str) -> int | None:
    """``二十五`` and ``一百`` and ``三百二十``."""
    match = re.fullmatch(
        r"(?:(?P<hundreds>[一二两三四五六七八九])百)?零?"
        r"(?:(?P<tens>[一二三四五六七八九])?(?P<ten>十))?(?P<ones>[一二两三四五六七八九])?",
        text,
    )
    if not text or match is None:
        return None
    tens = _CHINESE[match["tens"]] if match["tens"] else 1 if match["ten"] else 0
    hundreds = _CHINESE[match["hundreds"]] if match["hundreds"] else 0
    return 100 * hundreds + 10 * tens + (_CHINESE[match["ones"]] if match["ones"] else 0)
