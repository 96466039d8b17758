"""SQL with Jinja in it, as dbt has it, made plain without moving a single character.

What a template would give is not known without running it, and nothing here runs anything.
Calls of ``ref`` and ``source`` become the names of tables, tags and comments become blanks,
and other expressions become what surely parses where they stand. Every result is as long as
its template, so that each place in one is the same place in the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from sqlscribe.notation.document import Span
from sqlscribe.notation.jinja_places import Places
from sqlscribe.schema.identifiers import spelled


@dataclass(frozen=True)
class Reference:
    """A table that a template names; ``span`` is that of its last name, within the quotes.

    ``key`` is what the call names: ``orders``, ``orders.v2``, or ``raw.orders`` of a source.
    """

    kind: Literal["ref", "source"]
    key: str
    span: Span


@dataclass(frozen=True)
class Neutral:
    """A template as plain SQL of the same length.

    ``complete`` is false where the template may give other names or clauses than ``text``
    has: nothing can be called wrong in it then, neither names nor syntax. ``filled`` are the
    spans that hold a stand-in: what is found there says nothing about the template.
    """

    text: str
    references: tuple[Reference, ...] = ()
    complete: bool = True
    filled: tuple[Span, ...] = ()


_START = re.compile(r"\{\{|\{%|\{\#")


def is_templated(text: str) -> bool:
    """Whether there is any Jinja in a text."""
    return _START.search(text) is not None


def neutral(
    text: str, dialect: str = "", *, this: str = "", relations: Mapping[str, str] | None = None
) -> Neutral:
    """``text`` without its Jinja. Never raises.

    ``this`` is the name of the model whose template it is. ``relations`` says what the tables
    are called for which a reference's key is not the name, as they stand in SQL.
    The first branch of an ``if`` stands for all of them and the body of a ``for`` stands once.
    """
    if not is_templated(text):
        return Neutral(text)
    reading = _Reading(text, dialect, this, relations or {})
    reading.read()
    return reading.result()


# -- tags --------------------------------------------------------------------------------


class _Tag(NamedTuple):
    """``text[start:end]`` with its marks; ``inside`` is what stands between these."""

    mark: str
    start: int
    end: int
    inside: Span


_ENDS = {"{{": "}}", "{%": "%}", "{#": "#}"}
_PART = re.compile(r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\"|[{(\[]|[})\]%]\}?", re.DOTALL)
_END_RAW = re.compile(r"\{%[-+]?\s*endraw\s*[-+]?%\}")
_NAME = re.compile(r"\s*(\w+)")


def _tags(text: str) -> Iterator[_Tag]:
    """The tags in order; one that never ends is the last one, up to the text's end."""
    place = 0
    while (start := _START.search(text, place)) is not None:
        mark = start.group()
        end = text.find("#}", start.end()) if mark == "{#" else _end(text, start.end(), mark)
        if end < 0:
            yield _Tag("", start.start(), len(text), Span(start.end(), len(text)))
            return
        place = end + 2
        inner = Span(start.end(), end)
        body = inner.of(text)
        left = body[:1] in ("-", "+") and mark != "{#"
        right = body[-1:] in ("-", "+") and len(body) > left
        yield _Tag(mark, start.start(), place, Span(inner.start + left, inner.end - right))


def _end(text: str, place: int, mark: str) -> int:
    """Where the marks of the end stand that are in no string and close no dictionary, or -1."""
    depth = 0
    while (part := _PART.search(text, place)) is not None:
        found, place = part.group(), part.end()
        if found == _ENDS[mark] and (depth <= 0 or mark == "{%"):
            return part.start()
        if found[0] in "{([":
            depth += 1
        elif found[0] in "})]":
            depth -= 1
            # Of two braces the second one may already belong to the end.
            place = part.start() + 1
    return -1


# -- references --------------------------------------------------------------------------

_TEXT = r"(?:'[^'\\\n]*'|\"[^\"\\\n]*\")"
_CALL = re.compile(
    r"(?<![\w.])(?:builtins\s*+\.\s*+)?(?P<kind>ref|source)\s*+\(\s*+"
    rf"(?P<first>{_TEXT})(?:\s*+,\s*+(?P<second>{_TEXT}))?"
    rf"(?:\s*+,\s*+(?:v|version)\s*+=\s*+(?P<version>\w++|{_TEXT}))?\s*+(?:,\s*+)?\)"
    r"(?:\s*+\.\s*+(?:include|quote)\s*+\([^()]*+\))?"
)
_THIS = re.compile(r"\s*this(?:\s*\.\s*(?:identifier|name|table|render\s*\(\s*\)))?\s*")
_SET = re.compile(r"\s*set\s+(\w+)\s*=")
_WORD = re.compile(r"\s*(\w+)\s*")
_STRING = re.compile(rf"\s*({_TEXT})\s*")
_SILENT = re.compile(
    r"\s*(?:(?:config|log|print|return)\s*\(|(?:exceptions|dbt_utils\s*\.\s*(?:log|group_by))\b)"
)
"""Expressions that give no text, or none that holds names."""


def _reference(call: re.Match[str]) -> Reference | None:
    last = "second" if call["second"] else "first"
    name = call[last][1:-1]
    kind: Literal["ref", "source"] = "source" if call["kind"] == "source" else "ref"
    span = Span(call.start(last) + 1, call.end(last) - 1)
    if kind == "source":
        return Reference(kind, f"{call['first'][1:-1]}.{name}", span) if call["second"] else None
    version = (call["version"] or "").strip("'\"")
    return Reference(kind, f"{name}.v{version}" if version else name, span)


def references(text: str) -> tuple[Reference, ...]:
    """The calls of ``ref`` and ``source`` in an expression, with their places in it."""
    return tuple(found for found in map(_reference, _CALL.finditer(text)) if found)


def expressions(text: str) -> Iterator[str]:
    """What stands between ``{{`` and ``}}``, in order."""
    for tag in _tags(text):
        if tag.mark == "{{":
            yield tag.inside.of(text)


_CONFIG = re.compile(r"\s*config\s*\(")
_OFF = re.compile(r"(?<![\w.])enabled\s*=\s*false\b", re.IGNORECASE)


def is_switched_off(text: str) -> bool:
    """Whether a template says of itself that dbt is to pass it over."""
    return any(map(_says_off, expressions(text)))


def _says_off(expression: str) -> bool:
    return bool(_CONFIG.match(expression) and _OFF.search(expression))


# -- reading -----------------------------------------------------------------------------

_NOT_OUTPUT = frozenset({"macro", "test", "materialization", "call", "set", "docs", "data_test"})
_KEPT_BLOCKS = frozenset({"if", "for", "snapshot", "filter", "block", "with", "autoescape"})
_NO_BLOCKS = frozenset({"do", "import", "from", "break", "continue"})
_NEVER_ONCE = re.compile(r"\bnot\s+loop\s*\.\s*(?:last|first)\b")
_VISIBLE = re.compile(r"[^\r\n]")
_DEEPEST = 100
_MOST_STAND_INS = 2_000


def _blank(text: str) -> str:
    return _VISIBLE.sub(" ", text)


@dataclass
class _Block:
    """``kept`` says whether its text is in the result; ``decided`` that a branch already was.

    ``skipped`` is true in a branch which the template may well give.
    """

    name: str
    kept: bool
    decided: bool = True
    skipped: bool = False


@dataclass
class _Reading:
    text: str
    dialect: str
    this: str
    relations: Mapping[str, str]
    complete: bool = True
    blocks: list[_Block] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    expressions: list[tuple[_Tag, str | None]] = field(default_factory=list)
    """With the text that each one surely gives, ``None`` where nobody knows."""
    found: list[Reference] = field(default_factory=list)
    variables: dict[str, str | None] = field(default_factory=dict)

    def read(self) -> None:
        place = 0
        raw_end = -1
        for tag in _tags(self.text):
            if tag.start < raw_end:
                continue
            self.plain(place, tag.start)
            place = tag.end
            if tag.mark == "{%" and _first_word(tag.inside.of(self.text)) == "raw":
                closing = _END_RAW.search(self.text, tag.end)
                start, end = closing.span() if closing else (len(self.text), len(self.text))
                self.blank(tag.start, tag.end)
                self.plain(tag.end, start)
                self.blank(start, end)
                place = raw_end = end
            else:
                self.take(tag)
        self.plain(place, len(self.text))
        self.complete &= not self.blocks

    def blank(self, start: int, end: int) -> None:
        self.pieces.append(_blank(self.text[start:end]))

    def plain(self, start: int, end: int) -> None:
        piece = self.text[start:end]
        if all(block.kept for block in self.blocks):
            self.pieces.append(piece)
            return
        if piece.strip() and any(block.skipped for block in self.blocks):
            self.complete = False
        self.pieces.append(_blank(piece))

    def take(self, tag: _Tag) -> None:
        inside = tag.inside.of(self.text)
        if tag.mark in ("{{", "{%"):
            for each in references(inside):
                self.found.append(Reference(each.kind, each.key, each.span.moved(tag.inside.start)))
        if tag.mark == "{{" and all(block.kept for block in self.blocks):
            # Nobody looks at what a template refers to that is switched off.
            self.complete &= not _says_off(inside)
            self.expressions.append((tag, self.rendered(inside)))
            self.pieces.append(_VISIBLE.sub("x", self.text[tag.start : tag.end]))
            return
        if tag.mark == "{{" and any(block.skipped for block in self.blocks):
            self.complete = False
        self.blank(tag.start, tag.end)
        if tag.mark == "{%":
            self.statement(inside)
        elif not tag.mark:
            self.complete = False

    def statement(self, inside: str) -> None:
        name = _first_word(inside)
        if name == "set" and (given := _SET.match(inside)) is not None:
            known = self.rendered(inside[given.end() :])
            repeated = given[1] in self.variables or bool(self.blocks)
            self.variables[given[1]] = None if repeated else known
        elif name in ("elif", "else"):
            self.branch()
        elif name.startswith("end"):
            self.close(name[3:])
        elif name in _NOT_OUTPUT:
            said = re.match(r"\s*call\s+statement\b", inside)
            self.open(_Block(name, kept=False, skipped=name == "call" and not said))
        elif name in _KEPT_BLOCKS:
            kept = name != "if" or _NEVER_ONCE.search(inside) is None
            self.open(_Block(name, kept, decided=kept))
            for word in re.findall(r"\w+", inside.partition(" in ")[0]) if name == "for" else ():
                self.variables[word] = None
        elif name not in _NO_BLOCKS:
            self.complete = False

    def open(self, block: _Block) -> None:
        if len(self.blocks) < _DEEPEST:
            self.blocks.append(block)
        else:
            self.complete = False

    def branch(self) -> None:
        if not self.blocks or self.blocks[-1].name not in ("if", "for"):
            self.complete = False
            return
        block = self.blocks[-1]
        block.kept = not block.decided
        block.skipped = block.decided and block.name == "if"
        block.decided = True

    def close(self, name: str) -> None:
        if self.blocks and self.blocks[-1].name == name:
            self.blocks.pop()
            return
        self.complete = False
        open_ = [block.name for block in self.blocks]
        if name in open_:
            del self.blocks[len(open_) - 1 - open_[::-1].index(name) :]

    def rendered(self, expression: str) -> str | None:
        """The text that an expression gives, as far as it is known."""
        call = _CALL.fullmatch(expression.strip())
        if call is not None:
            found = _reference(call)
            return self.relation(found) if found else None
        if _THIS.fullmatch(expression):
            return spelled(self.this, False, self.dialect) if self.this else None
        if string := _STRING.fullmatch(expression):
            return string[1][1:-1]
        if _SILENT.match(expression):
            return ""
        word = _WORD.fullmatch(expression)
        if word is None:
            return None
        return word[1] if word[1].isdigit() else self.variables.get(word[1])

    def relation(self, found: Reference) -> str:
        known = self.relations.get(found.key)
        if known is None and found.kind == "ref":
            known = self.relations.get(found.key.partition(".v")[0])
        if known is not None:
            return known
        parts = found.key.split(".", 1) if found.kind == "source" else [found.key]
        if found.kind == "ref":
            parts = [re.sub(r"\.v\w+\Z", "", found.key)]
        return ".".join(spelled(part, False, self.dialect) for part in parts)

    def result(self) -> Neutral:
        masked = "".join(self.pieces)
        places = Places(masked, self.dialect)
        pieces: list[str] = []
        filled: list[Span] = []
        done = 0
        for tag, known in self.expressions:
            blanks = _blank(self.text[tag.start : tag.end])
            if known is not None and blanks.startswith(" " * len(known)):
                new = known + blanks[len(known) :]
                if _THIS.fullmatch(tag.inside.of(self.text)):
                    # A model is a table of its own, whether or not the schema has it already.
                    filled.append(Span(tag.start, tag.end))
            elif len(filled) == _MOST_STAND_INS:
                self.complete = False
                new = masked[tag.start : tag.end]
            else:
                stand_in, sure = places.stand_in(tag.start, tag.end)
                self.complete &= sure
                filled.append(Span(tag.start, tag.end))
                new = stand_in
            pieces += [masked[done : tag.start], new]
            done = tag.end
        text = "".join([*pieces, masked[done:]])
        return Neutral(text, tuple(self.found), self.complete, tuple(filled))


def _first_word(inside: str) -> str:
    found = _NAME.match(inside)
    return found[1] if found else ""
