"""The terms by which two texts are compared: words, CJK characters and pieces of words.

Question and entry go through the same functions, so that they meet in the same terms.
All terms are made of letters and digits; none can be read as search syntax.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Set
from itertools import pairwise

CJK = "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff"
CJK += "\U00020000-\U0003ffff"
_RUN = re.compile(rf"(?P<cjk>[{CJK}]+)|(?:(?![{CJK}])[^\W_])+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Looks behind itself, so that a long run of letters (base64 in a note) is read only once.
_IDENTIFIER = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z0-9]++(?:_++[A-Za-z0-9]++)++"
    r"|(?<![a-z0-9])[A-Z]?[a-z0-9]++[A-Z][A-Za-z0-9]*+"
)
_ANY_CJK = re.compile(f"[{CJK}]")
_DIACRITICS = re.compile("[\u0300-\u036f]")
_SURROGATES = re.compile("[\ud800-\udfff]")

_EDGE = "·"
"""Marks the edge of a word in its pieces: ``·cu``, ``cus`` … ``er·``."""

_STOP_WORDS = (
    "a an the of for in on at to by with from as is are was were be been do does did has have"
    " had i me my we us our you your it its they them their this that these those there here"
    " what which who whom whose how when where why many much some any please show give get list"
    " tell find want need can could would should will shall and or but if s t 的 了 吗 呢 吧 请"
)
STOP_WORDS = frozenset(_STOP_WORDS.split())


def clean(text: str) -> str:
    """``text`` in composed form (NFC), with nothing in it that UTF-8 cannot carry."""
    return unicodedata.normalize("NFC", _SURROGATES.sub("\ufffd", text))


def same_question(text: str) -> str:
    """``text`` in the form in which equal questions are equal: case, space, end marks aside."""
    folded = unicodedata.normalize("NFKC", clean(text)).casefold()
    return " ".join(folded.split()).rstrip(" .?!。;；")


def words(text: str) -> list[str]:
    """Words, parts of identifiers, CJK characters and pairs of them, in order, with repeats.

    Words that say nothing are left out, unless there is nothing else.
    """
    everything = list(_words(text))
    return [word for word in everything if word not in STOP_WORDS] or everything


def grams(text: str) -> list[str]:
    """Three-letter pieces of words and pairs of CJK characters, which survive misspelling."""
    found: list[str] = []
    for word in words(text):
        if not has_cjk(word):
            edged = f"{_EDGE}{word}{_EDGE}"
            found += [edged[start : start + 3] for start in range(len(edged) - 2)]
        elif len(word) == 2:
            found.append(word)
    return found


def name_parts(text: str) -> list[str]:
    """The words of names and sentences that are not in CJK characters: ``order``, ``items``."""
    text = unicodedata.normalize("NFKC", clean(text))
    return [
        part.casefold()
        for run in _RUN.finditer(text)
        if not run["cjk"]
        for part in _CAMEL.split(run.group())
    ]


def has_cjk(text: str) -> bool:
    return _ANY_CJK.search(text) is not None


def overlap(one: Set[str], other: Set[str]) -> float:
    """How much two sets of terms have in common (Dice): 0.0 nothing, 1.0 all."""
    if not one or not other:
        return 0.0
    return 2 * len(one & other) / (len(one) + len(other))


def _words(text: str) -> Iterator[str]:
    text = unicodedata.normalize("NFKC", clean(text))
    joined = (match.group().replace("_", "").casefold() for match in _IDENTIFIER.finditer(text))
    # An identifier is found by its parts and, written as one word, as a whole.
    yield from joined
    if not text.isascii():
        text = unicodedata.normalize("NFC", _DIACRITICS.sub("", unicodedata.normalize("NFD", text)))
    for run in _RUN.finditer(text):
        if run["cjk"]:
            characters = run["cjk"]
            yield from characters
            yield from map("".join, pairwise(characters))
        else:
            yield from (part.casefold() for part in _CAMEL.split(run.group()))
