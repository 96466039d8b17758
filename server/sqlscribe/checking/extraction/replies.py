"""Where in a model's reply the SQL may be: fences, tags, JSON, and reasoning to leave out.

Everything here only cuts text. Whether a block holds SQL is for others to say.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

MAX_BLOCKS = 200


class Block(NamedTuple):
    """A marked part of a reply. ``start`` and ``end`` take in its marks.

    ``closed`` is false where the reply ends before the closing mark.
    """

    text: str
    start: int
    end: int
    closed: bool
    language: str = ""


SQL_START = re.compile(
    r"\s*(?:select|with|values|insert|update|delete|merge|create|alter|drop|truncate|replace"
    r"|explain|describe|show|pragma|from|--|/\*|\(\s*(?:select|with|\())(?!\w)",
    re.IGNORECASE,
)
_SQL_LANGUAGES = frozenset(
    """
    sql postgresql postgres pgsql psql plpgsql mysql mariadb sqlite sqlite3 tsql t-sql mssql
    plsql pl/sql oracle bigquery googlesql snowflake duckdb redshift spark sparksql spark-sql
    databricks hive hiveql hql presto prestosql trino clickhouse query sqlquery ansi
    """.split()
)
_OTHER_LANGUAGES = frozenset(
    """
    python py python3 bash sh shell zsh console powershell javascript js typescript ts java
    kotlin scala c cpp c++ c# csharp go rust ruby r php perl toml xml html css csv
    tsv mermaid dockerfile ini jinja jinja2 output graphql
    """.split()
)

_REASONING = re.compile(
    r"^[ \t]*(?:<((?:\w{1,20}:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad"
    r"|analysis))>|◁think▷|\[think\]|<\|(?:begin_of_thought|start_thinking)\|>"
    r"|<details>\s*<summary>[^<\n]{0,40}\b(?:think|thought|reason)[^<\n]{0,40}</summary>)",
    re.IGNORECASE | re.MULTILINE,
)
_REASONING_END = re.compile(
    r"</(?:\w{1,20}:)?(?:think|thinking|reasoning|thought)>|◁/think▷|\[/think\]"
    r"|<\|(?:end_of_thought|end_thinking)\|>",
    re.IGNORECASE,
)
_ENDS = {
    "◁": "◁/think▷",
    "[": "[/think]",
    "<|b": "<|end_of_thought|>",
    "<|s": "<|end_thinking|>",
    "<d": "</details>",
}
"""How what is no plain tag ends, by how it begins."""
_CHANNEL = re.compile(
    r"<\|channel\|>\s*(?:(?P<final>final)|commentary\s+to=)[^<>|]{0,80}"
    r"(?:<\|constrain\|>[^<>|]{0,20})?<\|message\|>"
)
"""Where the answer begins in a reply of several channels: the last one, or a call of a tool."""
_LOST_CHANNELS = re.compile(r"\s*analysis(?=[A-Z])")
_LOST_FINAL = "assistantfinal"
"""What is left of these channels where the server leaves their marks out."""
_CONTROL = re.compile(
    r"<\|(?:im_start|start_header_id)\|>\s*assistant(?:<\|end_header_id\|>)?\s*"
    r"|<\|[A-Za-z_]{2,24}\|>|<｜(?:begin|end)▁of▁sentence｜>"
    r"|<end_of_turn>|\A\s*<s>|</s>\s*\Z|(?:\A|(?<=<s>))\s*\[SQL\]"
)
# What a model that does not stop writes for the other side.
_NEXT_TURN = re.compile(
    r"(?:<\|(?:im_start|start_header_id|start)\|>|<start_of_turn>)\s*(?:user|system|human)\b"
    r"|<\|(?:user|human)\|>|\[INST\]"
)
# Models without chat go on with the next example of the kind that they have seen.
_NEXT_EXAMPLE = re.compile(
    r"^[ \t]*(?:#{3,4}[ \t]*(?:question|instruction|input|user|human|task)\b"
    r"|(?:question|user|human|q)[ \t]*:)",
    re.IGNORECASE | re.MULTILINE,
)
_QUERY_LINE = re.compile(r"(?:^|[:`])\s*(?:select|with)\b", re.IGNORECASE | re.MULTILINE)
_DISGUISED_FENCE = re.compile(
    r"^([ \t>]*)(?:(?:\\`){3}|｀{3}|‘{3}|’{3}|“{3}|”{3}|``(?!`))(?=[ \t]*[A-Za-z]{0,12}[ \t]*\r?$)",
    re.MULTILINE,
)


# Fields of a reply as DSPy has them written.
_FIELD = re.compile(r"^\[\[ ## (\w{1,60}) ## \]\]", re.MULTILINE)
_QUOTED_QUERY = re.compile(
    r"^[ \t]{0,3}>[ \t]*(?:select|with)\b.*(?:\n[ \t]{0,3}>.*)*", re.IGNORECASE | re.MULTILINE
)
_QUOTE_MARK = re.compile(r"^[ \t]{0,3}>[ \t]?", re.MULTILINE)


def plain_marks(reply: str) -> str:
    """The reply without a chat format's own tokens, and with fences that are meant as such.

    Servers with a wrong template let the tokens through; chat windows escape or curl the marks.
    """
    turn = next((turn for turn in _NEXT_TURN.finditer(reply) if not _is_value(turn)), None)
    if turn is not None and reply[: turn.start()].strip():
        reply = reply[: turn.start()]
    text = _CONTROL.sub(lambda mark: mark[0] if _is_value(mark) else "\n", reply)
    text = _without_next_example(text)
    for name in ("SQL", "QUERY"):
        if f"[/{name}]" in text:
            text = text.replace(f"[{name}]", "\n").replace(f"[/{name}]", "\n")
    text = _FIELD.sub(r"### \1", text)
    text = _QUOTED_QUERY.sub(lambda quoted: _QUOTE_MARK.sub("", quoted[0]), text)
    return _DISGUISED_FENCE.sub(r"\1```", text)


_QUOTE = re.compile(r"(?<!\w)'|'(?!\w)")
_LONG_LINE = 500


def _is_value(mark: re.Match[str]) -> bool:
    """True where a mark stands in quotes on its line: a query looks for it or builds markup."""
    text, start, end = mark.string, *mark.span()
    near = max(start - _LONG_LINE, 0)
    line = text[max(text.rfind("\n", near, start) + 1, near) : start]
    rest = text[end : end + _LONG_LINE].partition("\n")[0]
    return "'" in rest and len(_QUOTE.findall(line)) % 2 == 1


def _without_next_example(text: str) -> str:
    """The text up to where another question begins that has a query of its own."""
    query = _QUERY_LINE.search(text)
    example = _NEXT_EXAMPLE.search(text, query.end()) if query else None
    if example is None or not _QUERY_LINE.search(text, example.end()):
        return text
    return text[: example.start()]


def without_reasoning(reply: str) -> tuple[str, bool]:
    """The reply without the model's thinking aloud, and whether that thinking never ended."""
    if "<|channel|>" in reply:
        channels = list(_CHANNEL.finditer(reply))
        if channels:
            answer = next((c for c in reversed(channels) if c["final"]), channels[-1])
            return reply[answer.end() :].split("<|", 1)[0], False
        if reply.lstrip().startswith("<|channel|>"):
            return "", True
    if _LOST_CHANNELS.match(reply):
        _, final, text = reply.rpartition(_LOST_FINAL)
        return text if final else "", not final
    kept: list[str] = []
    position = 0
    while opening := _REASONING.search(reply, position):
        name, begun = opening[1], opening[0].strip().lower()
        end = f"</{name}>" if name else next(_ENDS[s] for s in _ENDS if begun.startswith(s))
        mark = re.compile(re.escape(end), re.IGNORECASE)
        closing = mark.search(reply, opening.end())
        kept.append(reply[position : opening.start()])
        if closing is None:
            return "".join(kept), True
        position = closing.end()
    text = "".join([*kept, reply[position:]])
    # Some servers send the closing mark alone, because the prompt held the opening one.
    orphans = [mark.end() for mark in _REASONING_END.finditer(text) if not _is_value(mark)]
    return text[orphans[-1] if orphans else 0 :], False


_MARK = re.compile(r"`{3,}|~{3,}|'{3,}|\"{3,}")
_LEAD = re.compile(r"[ \t>]*(?:(?:[-*+•]|\d{1,3}[.)])[ \t]+)?\Z")
_INFO = re.compile(
    r"[ \t]*(?:\{[ \t]*\.?(?P<braced>[\w-]+)[^}\n]*\}|(?P<word>[A-Za-z][\w+#./-]*))?"
)


def fences(text: str) -> Iterator[Block]:
    """Fenced blocks, outermost ones, in order."""
    marks = _MARK.finditer(text)
    pending: re.Match[str] | None = None
    done = 0
    for _ in range(MAX_BLOCKS):
        opening = pending or next((m for m in marks if m.start() >= done and _opens(text, m)), None)
        if opening is None:
            return
        pending = None
        language, start = _language(text, opening)
        closing = next((m for m in marks if _closes(text, opening, start, m)), None)
        if closing is None:
            body = _after_changes(_dedented(text[start:], text, opening), language)
            yield Block(body, opening.start(), len(text), False, language)
            return
        reopens = _alone(text, closing.start()) and _tagged_sql(text, closing)
        end = closing.start()
        if not reopens and not _alone(text, end):
            # Backticks of a quoted name may touch the closing mark.
            end = closing.end() - len(opening[0])
        body = _after_changes(_dedented(text[start:end], text, opening), language)
        done = end if reopens else closing.end()
        pending = closing if reopens else None
        yield Block(body, opening.start(), done, True, language)


def is_sql(block: Block) -> bool:
    """False for a fence that says it holds something else."""
    return block.language not in _OTHER_LANGUAGES


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1


def _alone(text: str, offset: int) -> bool:
    """True where only indentation, quote marks or a list mark stand before on the line."""
    lead = text[max(_line_start(text, offset), offset - 40) : offset]
    return _LEAD.match(lead) is not None


def _opens(text: str, mark: re.Match[str]) -> bool:
    if mark[0][0] == "`":
        return True
    if not _alone(text, mark.start()):
        return False
    if mark[0][0] == "~":
        return True
    line_end = text.find("\n", mark.end())
    rest = text[mark.end() : line_end if line_end >= 0 else len(text)].strip().lower()
    return not rest or rest in _SQL_LANGUAGES


def _closes(text: str, opening: re.Match[str], start: int, mark: re.Match[str]) -> bool:
    if (
        mark.start() < opening.end()
        or mark[0][0] != opening[0][0]
        or len(mark[0]) < len(opening[0])
    ):
        return False
    # Between lines a fence also ends on a line's end, but not in the middle of a string.
    one_line = _line_start(text, start) != start
    rest = text[mark.end() : mark.end() + 80].split("\n", 1)[0]
    return one_line or not rest.strip() or _alone(text, mark.start())


def _tagged_sql(text: str, mark: re.Match[str]) -> bool:
    info = _INFO.match(text, mark.end())
    word = (info["word"] or "") if info else ""
    return word.lower() in _SQL_LANGUAGES


def _language(text: str, opening: re.Match[str]) -> tuple[str, int]:
    """The fence's language and where its content starts, which may be on the same line."""
    info = _INFO.match(text, opening.end())
    word = ((info["braced"] or info["word"]) if info else None) or ""
    if info is None or SQL_START.match(word):
        return "", opening.end()
    line_end = text.find("\n", info.end())
    if line_end < 0:
        return word.lower(), info.end()
    rest = text[info.end() : line_end]
    if opening[0] in rest or SQL_START.match(rest):
        return word.lower(), info.end()
    return word.lower(), line_end + 1


def _dedented(body: str, text: str, opening: re.Match[str]) -> str:
    """A fence inside a list or a quotation: what it is indented by is not its content."""
    lead = text[_line_start(text, opening.start()) : opening.start()]
    if not lead or not _alone(text, opening.start()):
        return body
    if ">" in lead:
        return re.sub(r"^[ \t]{0,3}>[ \t]?", "", body, flags=re.MULTILINE)
    return re.sub(rf"^[ \t]{{1,{min(len(lead), 99)}}}", "", body, flags=re.MULTILINE)


def _after_changes(body: str, language: str) -> str:
    """What a block of changes leads to: its lines without the marks, and none that goes away."""
    if language != "diff":
        return body
    lines = [line for line in body.split("\n") if not line.startswith(_GONE)]
    return "\n".join(line[1:] if line[:1] in ("+", " ") else line for line in lines)


_GONE = ("-", "+++", "@@", "diff ", "index ", "\\ No newline")

_TAG = re.compile(
    r"<((?:\w{1,20}_)?(?:sql|query)|sql_?(?:query|code|statement)|answer|final_answer|statement"
    r"|code|parameter|arg_value|response|result|solution|pre|p)"
    r"(?:\s[^<>\n]{0,80})?>",
    re.IGNORECASE,
)


def tags(text: str) -> Iterator[Block]:
    """Parts in tags such as ``<sql>…</sql>``."""
    folded = text.lower()
    position = 0
    for _ in range(MAX_BLOCKS):
        opening = next((tag for tag in _TAG.finditer(text, position) if not _is_value(tag)), None)
        if opening is None or len(folded) != len(text):
            return
        mark = f"</{opening[1].lower()}>"
        closing = folded.find(mark, opening.end())
        end = closing if closing >= 0 else len(text)
        body = text[opening.end() : end].strip()
        if body.startswith("<![CDATA["):
            body = body[9:].removesuffix("]]>")
        position = end + len(mark) if closing >= 0 else len(text)
        yield Block(body, opening.start(), position, closing >= 0)


_KEY = re.compile(r"""(?:"([A-Za-z_][\w -]{0,40})"|'([A-Za-z_][\w -]{0,40})')\s*:\s*(["'])""")
_SQL_KEY = re.compile(r"sql|query|statement|answer|code|command|result|output", re.IGNORECASE)
_OBJECT = re.compile(r"[{\[]\s*[{\[\"']")
_MAX_OBJECTS = 30


def json_strings(text: str) -> Iterator[Block]:
    """Strings of JSON objects in the text that may hold SQL, in order.

    Strict JSON first. What models write instead (raw line ends, trailing commas, single
    quotes, an object that is cut off) is read key by key.
    """
    decoder = json.JSONDecoder(strict=False)
    position = tries = 0
    found = False
    if text.lstrip().startswith('"'):
        yield from _whole_string(text, decoder)
    while tries < _MAX_OBJECTS and (start := _OBJECT.search(text, position)):
        tries += 1
        position = start.end() - 1
        try:
            value, end = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            continue
        for string in _strings(value):
            found = True
            yield Block(string, start.start(), end, True)
        position = end
    if not found:
        yield from _loose_strings(text)


def _whole_string(text: str, decoder: json.JSONDecoder) -> Iterator[Block]:
    """A reply that is one JSON string, with escaped quotes and line ends."""
    start = len(text) - len(text.lstrip())
    try:
        value, end = decoder.raw_decode(text, start)
    except ValueError:
        return
    if "\\" in text[start:end]:
        yield Block(str(value), start, end, True)


def _strings(value: object) -> Iterator[str]:
    """Strings under a likely key; every one that looks like a query, where none of those does."""
    keyed: list[str] = []
    others: list[str] = []
    waiting: list[tuple[str, object]] = [("", value)]
    while waiting:
        key, item = waiting.pop()
        if isinstance(item, dict):
            waiting += [(str(name), item[name]) for name in reversed(item)]
        elif isinstance(item, list):
            waiting += [(key, entry) for entry in reversed(item)]
        elif isinstance(item, str) and _SQL_KEY.search(key):
            keyed.append(item)
        elif isinstance(item, str) and (SQL_START.match(item) or item.lstrip().startswith("{")):
            others.append(item)
    # A reason may quote a query, too.
    yield from keyed if any(map(SQL_START.match, keyed)) else [*others, *keyed]


_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\n": "\n"}
_STRING_END = {
    '"': re.compile(r'"\s*(?:[,}\]]|\Z)'),
    "'": re.compile(r"'\s*(?:[,}\]]|\Z)"),
}


def _loose_strings(text: str) -> Iterator[Block]:
    position = 0
    for _ in range(MAX_BLOCKS):
        key = _KEY.search(text, position)
        if key is None:
            return
        start = key.end()
        end = _loose_end(text, start, key[3])
        position = end + 1 if end >= 0 else len(text)
        if not _SQL_KEY.search(key[1] or key[2]):
            continue
        raw = text[start : end if end >= 0 else len(text)]
        yield Block(_unescaped(raw), key.start(), position, end >= 0)


def _loose_end(text: str, start: int, quote: str) -> int:
    """The quote that ends the string: one that is not escaped and has JSON behind it."""
    for end in _STRING_END[quote].finditer(text, start):
        escapes = end.start()
        while escapes > start and text[escapes - 1] == "\\":
            escapes -= 1
        if (end.start() - escapes) % 2 == 0:
            return end.start()
    return -1


def _unescaped(raw: str) -> str:
    return re.sub(
        r"\\(?:u([0-9a-fA-F]{4})|(.))",
        lambda match: chr(int(match[1], 16)) if match[1] else _ESCAPES.get(match[2], match[2]),
        raw,
        flags=re.DOTALL,
    )


def outside(text: str, start: int, end: int) -> str:
    """What the model says around the part that was taken, without its quotes and semicolon."""
    if 0 < start < end and text[start - 1] + text[end - 1] in _PAIRS:
        start -= 1
    parts = (text[:start].strip(), text[end:].strip().lstrip(";；").strip())
    return "\n".join(part for part in parts if part)


_PAIRS = ('""', "''", "``", "“”", "‘’", "「」")
