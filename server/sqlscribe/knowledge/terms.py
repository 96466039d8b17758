"""The terms by which two texts are compared: words, CJK characters and pieces of words.

Question and entry go through the same functions, so that they meet in the same terms.
All terms are made of letters and digits; none can be read as search syntax.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Set
from functools import lru_cache
from itertools import pairwise

CJK = "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u9fff\uac00-\ud7af\uf900-\ufaff"
CJK += "\U00020000-\U0003ffff"
_RUN = re.compile(rf"(?P<cjk>[{CJK}]+)|(?:(?![{CJK}])[^\W_])+")
_ASCII_RUN = re.compile(r"[A-Za-z0-9]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Looks behind itself, so that a long run of letters (base64 in a note) is read only once.
_IDENTIFIER = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z0-9]++(?:_++[A-Za-z0-9]++)++"
    r"|(?<![a-z0-9])[A-Z]?[a-z0-9]++[A-Z][A-Za-z0-9]*+"
)
WORD = re.compile(rf"(?:(?![{CJK}])[^\W_])+")
"""A run of letters and digits that are not CJK characters."""
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
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _SURROGATES.sub("\ufffd", text))


def same_question(text: str) -> str:
    """``text`` in the form in which equal questions are equal: case, space, end marks aside."""
    folded = _composed(text).casefold()
    return " ".join(folded.split()).rstrip(" .?!。;；")


def words(text: str) -> list[str]:
    """Words, parts of identifiers, CJK characters and pairs of them, with repeats.

    Identifiers come first, written as one word: ``order_items`` is found by its parts and as a
    whole. Words that say nothing are left out, unless there is nothing else.
    """
    return [*identifiers(text), *plain_words(text)]


def identifiers(text: str) -> list[str]:
    """The names of several parts in a text, each as one word: ``orderitems``."""
    return [
        match.group().replace("_", "").casefold() for match in _IDENTIFIER.finditer(_composed(text))
    ]


def plain_words(text: str) -> list[str]:
    """The words of a text in order, as :func:`words` has them, without whole identifiers."""
    everything: list[str] = []
    for characters, parts in runs(text):
        everything += characters
        everything += map("".join, pairwise(characters))
        everything += parts
    return [word for word in everything if word not in STOP_WORDS] or everything


def grams(text: str) -> list[str]:
    """Three-letter pieces of words and pairs of CJK characters, which survive misspelling."""
    return pieces(plain_words(text))


def pieces(words: Iterable[str]) -> list[str]:
    """The pieces of plain words."""
    return [piece for word in words for piece in _pieces(word)]


def runs(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The runs of letters in a text: either CJK characters, or the parts of a word."""
    if text.isascii():
        for word in _ASCII_RUN.findall(text):
            yield "", _parts(word)
        return
    text = unicodedata.normalize("NFD", _composed(text))
    for run in _RUN.finditer(unicodedata.normalize("NFC", _DIACRITICS.sub("", text))):
        yield (run["cjk"], ()) if run["cjk"] else ("", _parts(run.group()))


def name_parts(text: str) -> list[str]:
    """The words of names and sentences that are not in CJK characters: ``order``, ``items``."""
    return [
        part
        for run in _RUN.finditer(_composed(text))
        if not run["cjk"]
        for part in _parts(run.group())
    ]


def singular(word: str) -> str:
    """A case-folded English word without the mark of its plural."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def has_cjk(text: str) -> bool:
    return not text.isascii() and _ANY_CJK.search(text) is not None


def overlap(one: Set[str], other: Set[str]) -> float:
    """How much two sets of terms have in common (Dice): 0.0 nothing, 1.0 all."""
    if not one or not other:
        return 0.0
    return 2 * len(one & other) / (len(one) + len(other))


def _composed(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", clean(text))


@lru_cache(maxsize=4_000)
def _parts(run: str) -> tuple[str, ...]:
    return tuple(part.casefold() for part in _CAMEL.split(run))


@lru_cache(maxsize=4_000)
def _pieces(word: str) -> tuple[str, ...]:
    if has_cjk(word):
        return (word,) if len(word) == 2 else ()
    edged = f"{_EDGE}{word}{_EDGE}"
    return tuple(edged[start : start + 3] for start in range(len(edged) - 2))
