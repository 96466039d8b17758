"""YAML as located nodes.

Nothing in a file is executed or built: scalars stay text, tags are not followed, and aliases
are shared and counted, so that a small file cannot grow into a large structure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Literal

import yaml

from sqlscribe.knowledge.located import Kind, Node, Problem, rest_of_line
from sqlscribe.notation.document import Document, Span

_MOST_NODES = 500_000
"""With what aliases stand for counted in: larger than any file written by hand."""
_DEEPEST = 50
_SURROGATES = re.compile("[\ud800-\udfff]")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Located:
    """The documents in a file, as far as they could be read, and what stopped the reading."""

    roots: tuple[Node, ...]
    problem: Problem | None = None


def read_yaml(document: Document) -> Located:
    """Every document of a YAML file. After a mistake, the whole list items before it remain."""
    builder = _Builder(len(document.text))
    try:
        # libyaml takes UTF-8 and so no lone surrogates; the replacement is as long.
        for event in yaml.parse(_SURROGATES.sub("\ufffd", document.text), Loader=_LOADER):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        place = _index(error.problem_mark)
        if not document.text[place:].strip():
            # The mistake is where the unfinished thing starts, not where the file ends.
            place = _index(error.context_mark or error.problem_mark)
        problem = Problem(f"This is not YAML: {error.problem}.", rest_of_line(document, place))
    except yaml.reader.ReaderError as error:
        problem = Problem(
            f"This is not YAML: {error.reason}.", rest_of_line(document, error.position)
        )
    except _Refused as error:
        problem = Problem(str(error), rest_of_line(document, error.place))
    else:
        return builder.located(None)
    return builder.located(problem)


@dataclass
class _Open:
    """A list or mapping whose end has not come yet."""

    kind: Literal["list", "mapping"]
    start: int
    anchor: str | None
    children: list[Node] = field(default_factory=list)
    size: int = 1

    def closed(self, end: int) -> Node:
        span = Span(self.start, max(self.start, end))
        if self.kind == "list":
            return Node("list", span, items=tuple(self.children))
        pairs = list(zip(self.children[::2], self.children[1::2], strict=False))
        return Node("mapping", span, pairs=(*_merged(pairs), *_own(pairs)))


_Pairs = list[tuple[Node, Node]]


def _own(pairs: _Pairs) -> _Pairs:
    return [(key, value) for key, value in pairs if key.text != "<<"]


def _merged(pairs: _Pairs) -> _Pairs:
    """What ``<<: *base`` brings in, without the keys that the mapping has itself."""
    taken = {key.text for key, _ in pairs}
    merged: _Pairs = []
    for key, value in pairs:
        sources = value.items if value.kind == "list" else (value,)
        for source in sources if key.text == "<<" else ():
            new = [pair for pair in source.pairs if pair[0].text not in taken]
            taken |= {pair[0].text for pair in new}
            merged += new
    return merged


class _Refused(Exception):
    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


class _Builder:
    """Makes nodes of YAML's events; no recursion, so that deep nesting is only refused."""

    def __init__(self, end: int) -> None:
        self._end = end
        self._roots: list[Node] = []
        self._open: list[_Open] = []
        self._anchors: dict[str, tuple[Node, int]] = {}

    def take(self, event: yaml.Event) -> None:
        place = _index(event.start_mark)
        match event:
            case yaml.ScalarEvent():
                self._add(_scalar(event), 1, event.anchor, place)
            case yaml.AliasEvent():
                if event.anchor not in self._anchors:
                    raise _Refused(f"*{event.anchor} stands for nothing.", place)
                node, size = self._anchors[event.anchor]
                self._add(node, size, None, place)
            case yaml.SequenceStartEvent() | yaml.MappingStartEvent():
                if len(self._open) == _DEEPEST:
                    raise _Refused("This is nested too deeply.", place)
                is_list = isinstance(event, yaml.SequenceStartEvent)
                self._open.append(_Open("list" if is_list else "mapping", place, event.anchor))
            case yaml.SequenceEndEvent() | yaml.MappingEndEvent():
                ended = self._open.pop()
                self._add(ended.closed(_index(event.end_mark)), ended.size, ended.anchor, place)
            case yaml.DocumentEndEvent():
                self._anchors.clear()

    def located(self, problem: Problem | None) -> Located:
        """What was read. Of what is still open only the file's own list is worth keeping."""
        while self._open:
            unfinished = self._open.pop()
            parents = [parent.kind for parent in self._open]
            if not parents:
                self._roots.append(unfinished.closed(self._end))
            elif unfinished.kind == "list" and parents == ["mapping"]:
                self._open[-1].children.append(unfinished.closed(self._end))
        return Located(tuple(self._roots), problem)

    def _add(self, node: Node, size: int, anchor: str | None, place: int) -> None:
        if anchor:
            self._anchors[anchor] = (node, size)
        if not self._open:
            self._roots.append(node)
            return
        parent = self._open[-1]
        parent.children.append(node)
        parent.size += size
        if parent.size > _MOST_NODES:
            raise _Refused("The aliases in here stand for too much.", place)


_KINDS: dict[str, Kind] = {
    "null": "null",
    "bool": "truth",
    "int": "number",
    "float": "number",
    "timestamp": "date",
}


def _scalar(event: yaml.ScalarEvent) -> Node:
    span = Span(_index(event.start_mark), _index(event.end_mark))
    tag = event.tag or ""
    if not tag and event.implicit[0]:
        for plain_tag, pattern in yaml.SafeLoader.yaml_implicit_resolvers.get(event.value[:1], ()):
            if pattern.match(event.value):
                tag = plain_tag
                break
    return Node(_KINDS.get(tag.rpartition(":")[2], "text"), span, event.value)


def _index(mark: Any) -> int:
    return int(mark.index) if mark else 0
