"""Value profiles as YAML for people: written so that nothing in them changes when read again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from sqlscribe.knowledge.located import Node
from sqlscribe.knowledge.located_yaml import read_yaml
from sqlscribe.knowledge.profiles import Profile, read_profiles
from sqlscribe.notation.document import Document

_WIDTH = 100
_PLAIN = re.compile(r"[^\W\d_](?:[\w .()/&+'%-]*[\w.()/&+'%-])?")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,14})(?:\.\d{0,14}[1-9])?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
# What some reader of YAML or another takes for something else than text.
_WORDS = frozenset("y n yes no on off true false null none nan inf".split())


def to_yaml(profiles: Iterable[Profile]) -> str:
    """The profiles in the order given, those of one table together."""
    return "".join(
        f"{_scalar(table)}:\n" + "".join(_lines(columns, "  "))
        for table, columns in _by_table(profiles).items()
    )


def merged(existing: str, profiles: Iterable[Profile]) -> str:
    """``existing`` as it is, with the columns that it does not have yet added to their tables.

    A column that somebody described, or left empty on purpose, stays theirs. Raises
    ``ValueError`` with a sentence where the text is no file of profiles.
    """
    located = read_yaml(Document("", existing))
    if located.problem is not None:
        raise ValueError(located.problem.message)
    if any(root.kind not in ("mapping", "null") for root in located.roots):
        raise ValueError("A profile is a mapping of tables to columns.")
    new = _by_table(_not_in(profiles, located.roots))
    if not new:
        return existing
    text = _inserted(existing, located.roots, new)
    wanted = [profile for columns in new.values() for profile in columns]
    if not _holds(text, existing, wanted):
        # Aliases and texts in braces have no place for another line; a document of its own has.
        text = f"{_ended(existing)}---\n{to_yaml(wanted)}"
    return text


def _by_table(profiles: Iterable[Profile]) -> dict[str, list[Profile]]:
    found: dict[str, list[Profile]] = {}
    for profile in profiles:
        found.setdefault(profile.table, []).append(profile)
    return found


# -- writing -----------------------------------------------------------------------------


def _lines(columns: Iterable[Profile], indent: str) -> Iterator[str]:
    for profile in columns:
        line = f"{indent}{_scalar(profile.column)}: {_described(profile)}\n"
        if len(line) <= _WIDTH or profile.minimum or profile.maximum or profile.note:
            yield line
        else:
            yield f"{indent}{_scalar(profile.column)}:\n"
            yield from (f"{indent}  - {_scalar(value)}\n" for value in profile.values)


def _described(profile: Profile) -> str:
    values = f"[{', '.join(map(_scalar, profile.values))}]"
    parts = [f"values: {values}"] if profile.values else []
    parts += [f"min: {_bound(profile.minimum)}"] if profile.minimum else []
    parts += [f"max: {_bound(profile.maximum)}"] if profile.maximum else []
    parts += [f"note: {_scalar(profile.note)}"] if profile.note else []
    only_values = profile.values and len(parts) == 1
    return values if only_values else f"{{{', '.join(parts)}}}"


def _bound(text: str) -> str:
    return text if _DATE.fullmatch(text) else _scalar(text)


def _scalar(text: str) -> str:
    """``text`` plain where every reader takes it as it is, else in double quotes."""
    if _NUMBER.fullmatch(text):
        return text
    if text.isprintable() and _PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable():
        return character
    point = ord(character)
    if 0xD800 <= point < 0xE000:
        return "\ufffd"
    return f"\\x{point:02x}" if point < 256 else f"\\U{point:08x}"


# -- adding ------------------------------------------------------------------------------


def _not_in(profiles: Iterable[Profile], roots: Iterable[Node]) -> Iterator[Profile]:
    known = {
        (table.text.strip().casefold(), column.text.strip().casefold())
        for root in roots
        for table, columns in root.pairs
        for column, _ in columns.pairs
    }
    for profile in profiles:
        column = profile.column.casefold()
        if not any(name == column and _same(table, profile.table) for table, name in known):
            yield profile


def _same(one: str, other: str) -> bool:
    """Whether two names mean one table; either may be without its schema."""
    one, other = one.casefold(), other.casefold()
    if "." in one and "." in other:
        return one == other
    return one.rpartition(".")[2] == other.rpartition(".")[2]


def _inserted(existing: str, roots: tuple[Node, ...], new: dict[str, list[Profile]]) -> str:
    document = Document("", existing)
    tables = [pair for root in roots for pair in root.pairs]
    edits: list[tuple[int, str]] = []
    behind: list[str] = []
    root = roots[-1] if roots else None
    margin = _column_of(document, root.pairs[0][0]) if root and root.pairs else ""
    for table, profiles in new.items():
        found = next((pair for pair in reversed(tables) if _same(pair[0].text, table)), None)
        if found is None:
            behind += [f"{margin}{_scalar(table)}:\n", *_lines(profiles, f"{margin}  ")]
        else:
            edits.append(_addition(document, *found, profiles))
    text = existing
    for place, added in sorted(edits, key=lambda edit: -edit[0]):
        text = text[:place] + added.replace("\n", document.newline) + text[place:]
    if behind:
        text = _ended(text) + "".join(behind).replace("\n", document.newline)
    return text


def _addition(
    document: Document, key: Node, value: Node, profiles: list[Profile]
) -> tuple[int, str]:
    """Where the columns go behind those that a table has, and how they stand there."""
    if value.kind == "mapping" and document.text.startswith("{", value.span.start):
        inside = ", ".join(f"{_scalar(each.column)}: {_described(each)}" for each in profiles)
        if not value.pairs:
            return value.span.end - 1, inside
        return _end(document.text, value.pairs[-1][1]), f", {inside}"
    first = value.pairs[0][0] if value.pairs else None
    indent = _column_of(document, first) if first else f"{_column_of(document, key)}  "
    last = _end(document.text, value) if value.pairs else key.span.end
    line_end = document.line_span(document.line_of(last)).end
    return line_end, "\n" + "".join(_lines(profiles, indent)).rstrip("\n")


def _end(text: str, node: Node) -> int:
    """Where the last text of a node ends; what is in a block seems to end with the next one."""
    while not text.startswith(("[", "{"), node.span.start) and (node.pairs or node.items):
        node = node.pairs[-1][1] if node.pairs else node.items[-1]
    return node.span.start + len(node.span.of(text).rstrip())


def _column_of(document: Document, node: Node) -> str:
    start = document.line_starts[document.line_of(node.span.start)]
    return " " * (node.span.start - start)


def _ended(text: str) -> str:
    return text if not text or text.endswith(("\n", "\r")) else text + Document("", text).newline


def _holds(text: str, existing: str, wanted: Iterable[Profile]) -> bool:
    """Whether all that was there can still be read, and all that was added."""
    before, _ = read_profiles(Document("", existing), Path())
    after, _ = read_profiles(Document("", text), Path())
    found = [_facts(each) for each in after]
    added = {facts[1:] for facts in found}
    return all(_facts(each) in found for each in before) and all(
        _facts(each)[1:] in added for each in wanted
    )


def _facts(profile: Profile) -> tuple[object, ...]:
    given = (profile.values, profile.minimum, profile.maximum, profile.note)
    return (profile.table, profile.column, *given)
