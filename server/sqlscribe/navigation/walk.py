"""Reading a statement by its words and brackets, in one pass; half a statement will do.

It knows just enough SQL to tell where sources, aliases and named queries stand. Nothing here
raises: what is odd is passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sqlscribe.navigation.ahead import Ahead
from sqlscribe.navigation.frames import Frame, find_target
from sqlscribe.navigation.items import item_of
from sqlscribe.navigation.reading import (
    LONGEST,
    Block,
    Clause,
    Context,
    Cte,
    Path,
    Reading,
    Source,
    is_name,
)
from sqlscribe.navigation.vocabulary import (
    BEFORE_NAME,
    BEFORE_SOURCE,
    BEGINS_QUERY,
    CHANGES,
    CLAUSES,
    GRANTS,
    NAMES_TABLE,
    NO_ALIAS,
    NO_CTE,
    NO_NEW_CHANGE,
    SEES_ITSELF,
    TAKES_FROM,
)
from sqlscribe.notation.document import Span
from sqlscribe.schema.ddl.tokens import Sort, Token, Tokens, tokenize, without_placeholders


@lru_cache(maxsize=256)
def read(sql: str, dialect: str) -> Reading:
    """A statement's names. Of a very long one only the beginning is read. Never raises."""
    return read_once(sql, dialect)


def read_once(sql: str, dialect: str) -> Reading:
    """The same for a statement that is not looked at again soon."""
    sql = sql[:LONGEST]
    masked = without_placeholders(sql, dialect)
    return _Walk(tokenize(sql, masked, Span(0, len(sql)), dialect)).run()


class _Walk:
    """One pass. The frames are those of the parentheses that are open."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens: Sequence[Token] = tokens.tokens
        self.all = tokens
        self.look = Ahead(tokens.tokens)
        self.dialect = tokens.dialect
        self.frames = [Frame("query")]
        self.contexts: list[Context] = []
        self.blocks: list[Block] = []
        self.ctes: list[Cte] = []
        self.tables: list[Path] = []
        self.grants = bool(self.tokens) and self.tokens[0].word in GRANTS

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def run(self) -> Reading:
        at = 0
        while at < len(self.tokens):
            self._note(at)
            following = self._token(at)
            while at + 1 < following:
                at += 1
                self._note(at)
            at += 1
        for frame in reversed(self.frames):
            self._end_item(frame, at)
        self._note(at)
        for block in self.blocks:
            find_target(block)
        return Reading(
            self.all.text,
            self.dialect,
            self.all,
            tuple(self.contexts),
            tuple(self.blocks),
            tuple(self.ctes),
            tuple(self.tables),
        )

    def _note(self, at: int) -> None:
        if len(self.contexts) <= at:
            now = self.frame
            self.contexts.append(
                Context(now.block, now.clause, now.expects_source, now.ctes, len(self.frames) - 1)
            )

    def _token(self, at: int) -> int:
        """Take one token, or a whole name; where to go on."""
        token = self.tokens[at]
        if token.sort is Sort.MARK:
            self._mark(token, at)
            return at + 1
        if token.sort is Sort.WORD and not self.look.behind_dot(at):
            return self._word(token, at)
        if token.sort in (Sort.NAME, Sort.WORD):
            return self._name(at)
        return at + 1

    # Marks.

    def _mark(self, token: Token, at: int) -> None:
        frame = self.frame
        match token.text:
            case "(":
                self._open(at)
            case ")" if len(self.frames) > 1:
                self._close(at)
            case ",":
                self._comma(frame, at)
            case ";":
                for each in reversed(self.frames):
                    self._end_item(each, at)
                self.frames = [Frame("query")]
            case "=" | "." | "@":
                pass
            case _:
                frame.source = None

    def _comma(self, frame: Frame, at: int) -> None:
        frame.source = None
        if frame.clause is Clause.WITH:
            frame.cte = None
        elif frame.clause is Clause.SELECT and frame.kind == "query":
            self._end_item(frame, at)
            frame.item = at + 1
        elif frame.clause in (Clause.FROM, Clause.ON, Clause.USING) and frame.kind != "group":
            frame.clause, frame.expects_source, frame.lateral = Clause.FROM, True, False

    def _open(self, at: int) -> None:
        frame = self.frame
        following = self.look.word_at(at + 1)
        begins = following in BEGINS_QUERY or (self.dialect == "duckdb" and following == "FROM")
        parent = frame.block or frame.parent
        if frame.cte is not None:
            self._open_for_cte(frame, frame.cte, parent)
        elif frame.expects_source and frame.block is not None:
            frame.expects_source = False
            if not begins:
                inner = Frame("sources", frame.block, frame.parent, frame.ctes, Clause.FROM, True)
                self.frames.append(inner)
                return
            around = parent if frame.lateral or self.dialect == "duckdb" else frame.parent
            source = Source(frame.block)
            frame.block.sources.append(source)
            frame.source, frame.lateral = source, False
            self.frames.append(Frame("query", parent=around, ctes=frame.ctes, blocks=source.blocks))
        elif self._lists_names(frame, at):
            assert frame.source is not None
            self.frames.append(Frame("names", frame.block, into=frame.source.columns))
        elif begins or (frame.kind == "query" and frame.block is None and not frame.insert):
            self.frames.append(Frame("query", parent=parent, ctes=frame.ctes))
        else:
            self._open_group(frame, at)

    def _open_for_cte(self, frame: Frame, cte: Cte, parent: Block | None) -> None:
        if not frame.defines:
            self.frames.append(Frame("names", into=cte.columns))
            return
        seen = frame.ctes
        if not frame.recursive and self.dialect not in SEES_ITSELF:
            seen = seen[:-1]
        around = frame.parent if frame.block is None else parent
        self.frames.append(Frame("query", parent=around, ctes=seen, blocks=cte.blocks))

    def _lists_names(self, frame: Frame, at: int) -> bool:
        """``AS t (a, b)``, where the parenthesis opens behind the alias."""
        source = frame.source
        if source is None or frame.clause is Clause.INTO:
            return False
        return self.tokens[at - 1] is source.alias or self.look.word_at(at - 1) == "AS"

    def _open_group(self, frame: Frame, at: int) -> None:
        clause = frame.clause
        if self.look.word_at(at - 1) == "USING":
            clause = Clause.USING
        elif clause is Clause.INTO:
            clause = Clause.COLUMNS
        elif clause in (Clause.FROM, Clause.LIMIT):
            clause = Clause.OTHER
        inner = Frame("group", frame.block, frame.parent, frame.ctes, clause, opened=at)
        self.frames.append(inner)

    def _close(self, at: int) -> None:
        frame = self.frames.pop()
        self._end_item(frame, at)
        around = self.frame
        if frame.kind == "query":
            around.cte, around.defines = None, False
            if around.kind == "query" and around.block is None:
                around.blocks += frame.blocks
        elif frame.kind == "sources" and frame.source is None and frame.block is not None:
            # ((SELECT …)) x: the alias is that of the query inside.
            last = frame.block.sources[-1:]
            around.source = last[0] if last and not last[0].alias else None

    def _end_item(self, frame: Frame, at: int) -> None:
        if frame.item >= 0 and frame.block is not None and frame.kind == "query":
            frame.block.items.append(item_of(self.tokens, frame.item, at))
        frame.item = -1

    # Names.

    def _name(self, at: int) -> int:
        frame = self.frame
        token = self.tokens[at]
        if frame.kind == "names":
            # Of ``(a int, b text)`` only what stands first is a name.
            if self.tokens[at - 1].sort is Sort.MARK:
                frame.into.append(token)
            return at + 1
        if frame.clause is Clause.WITH and frame.cte is None and self._begins_cte(at):
            frame.cte, frame.defines = Cte(token), False
            frame.ctes = (*frame.ctes, frame.cte)
            self.ctes.append(frame.cte)
            return at + 1
        if frame.expects_source and frame.block is not None:
            return self._source(at)
        if frame.source is not None and frame.source.alias is None:
            if token.word not in NO_ALIAS:
                frame.source.alias = token
                return at + 1
        elif frame.source is not None and self.look.word_at(at - 1) == "AS":
            # LATERAL VIEW explode(x) t AS item
            frame.source.columns.append(token)
            return at + 1
        frame.source = None
        return at + 1

    def _begins_cte(self, at: int) -> bool:
        """Whether a name of a query comes here; SEARCH and CYCLE may stand behind one."""
        return self.tokens[at - 1].text == "," or self.look.word_at(at - 1) in ("WITH", "RECURSIVE")

    def _source(self, at: int) -> int:
        frame = self.frame
        assert frame.block is not None
        path, end = self.look.path(at)
        source = Source(frame.block, path)
        following = self.tokens[end] if end < len(self.tokens) else None
        # A parenthesis behind the table of an INSERT holds its columns.
        source.is_call = (
            following is not None and following.text == "(" and frame.clause is not Clause.INTO
        )
        frame.block.sources.append(source)
        frame.source, frame.expects_source, frame.lateral = source, False, False
        return end

    # Words.

    def _word(self, token: Token, at: int) -> int:
        frame = self.frame
        word = token.word
        if frame.kind == "names":
            return self._name(at)
        if self.grants:
            return self._named_table(at) if word in ("ON", "TABLE") else at + 1
        if frame.expects_source and word in BEFORE_SOURCE:
            lateral = word == "LATERAL"
            if lateral or not self.look.calls(at):
                frame.lateral |= lateral
                return at + 1
        if word == "SELECT":
            self._select(frame, at)
        elif word in CHANGES and self._begins_change(word, at):
            self._change(frame, word)
        elif word == "WITH" and self._begins_with(frame, at):
            frame.clause, frame.cte = Clause.WITH, None
        else:
            return self._inner_word(frame, word, at)
        return at + 1

    def _inner_word(self, frame: Frame, word: str, at: int) -> int:
        """A word that begins no query and no change."""
        if frame.clause is Clause.WITH and self._in_with(frame, word):
            return at + 1
        if word in CLAUSES or word in ("RETURNING", "ON"):
            return self._clause(frame, word, at)
        if word in ("FROM", "JOIN", "APPLY", "STRAIGHT_JOIN", "USING"):
            return self._from(word, at)
        if word == "INTO" and frame.block is not None and frame.block is frame.insert:
            # INSERT ALL INTO … INTO …
            self._change(frame, "INSERT")
            return at + 1
        in_ddl = frame.block is None and (word in NAMES_TABLE or self._indexed(word))
        if in_ddl or (word == "INTO" and frame.block is not None):
            return self._named_table(at)
        if word in NO_ALIAS and not frame.expects_source:
            frame.source = None
            frame.lateral = word == "LATERAL"
            return at + 1
        return at + 1 if word == "AS" else self._name(at)

    def _indexed(self, word: str) -> bool:
        """``CREATE INDEX i ON orders``, ``COMMENT ON TABLE``, a trigger's table."""
        return word == "ON" and self.look.word_at(0) in ("CREATE", "COMMENT", "DROP")

    def _select(self, frame: Frame, at: int) -> None:
        self._end_item(frame, at)
        frame.cte, frame.source, frame.expects_source = None, None, False
        first = frame.block is not None and frame.block.kind == "FROM"
        if not first:
            self._begin(frame, "SELECT")
        elif frame.block is not None:
            frame.block.kind = "SELECT"
        frame.clause, frame.item = Clause.SELECT, at + 1

    def _begin(self, frame: Frame, kind: str) -> None:
        block = Block(kind, frame.parent, frame.ctes)
        frame.block = block
        frame.blocks.append(block)
        self.blocks.append(block)

    def _begins_change(self, word: str, at: int) -> bool:
        if self.look.calls(at) or self.look.word_at(at - 1) in NO_NEW_CHANGE:
            return False
        if at and self.tokens[at - 1].text == ",":
            # CREATE TRIGGER … AFTER INSERT, UPDATE
            return False
        block = self.frame.block
        if block is not None and block.kind == "MERGE" and word != "MERGE":
            # WHEN MATCHED THEN UPDATE SET … DELETE WHERE …
            return False
        if word == "REPLACE":
            return self.look.word_at(at + 1) in ("INTO", "DELAYED", "LOW_PRIORITY")
        return True

    def _change(self, frame: Frame, word: str) -> None:
        self._begin(frame, "INSERT" if word == "REPLACE" else word)
        frame.source, frame.cte = None, None
        is_insert = word in ("INSERT", "REPLACE")
        frame.insert = frame.block if is_insert else None
        frame.expects_source = word != "DELETE"
        if is_insert:
            frame.clause = Clause.INTO
        else:
            # MySQL names the tables to delete from before it says where they are.
            frame.clause = Clause.FROM if frame.expects_source else Clause.NONE

    def _begins_with(self, frame: Frame, at: int) -> bool:
        following = self.look.word_at(at + 1)
        if frame.kind != "query" or following in NO_CTE or self.look.calls(at):
            return False
        return frame.block is None or frame.block.kind != "SELECT" or frame.clause is Clause.NONE

    def _in_with(self, frame: Frame, word: str) -> bool:
        """Words between the names of WITH; true where nothing more is to be done."""
        if frame.cte is None:
            frame.recursive |= word == "RECURSIVE"
            return word == "RECURSIVE"
        frame.defines |= word == "AS"
        return word in ("AS", "NOT", "MATERIALIZED")

    def _clause(self, frame: Frame, word: str, at: int) -> int:
        before = self.look.word_at(at - 1)
        if (word, before) in (("GROUP", "WITHIN"), ("ON", "DISTINCT")):
            return at + 1
        if frame.block is None:
            if self._indexed(word):
                return self._named_table(at)
            return at + 1
        if word == "ON" and self.look.word_at(at + 1) in ("CONFLICT", "DUPLICATE"):
            self._end_item(frame, at)
            frame.block = frame.insert or frame.block
        if word == "RETURNING" and frame.insert is not None:
            self._end_item(frame, at)
            frame.block = frame.insert
        if frame.kind == "query":
            self._end_item(frame, at)
        frame.source, frame.expects_source, frame.lateral = None, False, False
        if word == "RETURNING":
            frame.clause, frame.item = Clause.SELECT, at + 1
        else:
            frame.clause = Clause.ON if word == "ON" else CLAUSES[word]
        return at + 1

    def _from(self, word: str, at: int) -> int:
        if word == "FROM":
            self._leave_unclosed(at)
        frame = self.frame
        if frame.kind == "group" or self._is_no_from(frame, word, at):
            return at + 1
        if (
            word == "USING"
            and self.look.calls(at)
            and self.look.word_at(at + 2) not in BEGINS_QUERY
        ):
            frame.source = None
            return at + 1
        if frame.block is None:
            if self.dialect != "duckdb" or word != "FROM":
                return at + 1
            self._begin(frame, "FROM")
        self._end_item(frame, at)
        frame.source, frame.lateral = None, word == "APPLY"
        frame.clause, frame.expects_source = Clause.FROM, True
        return at + 1

    def _leave_unclosed(self, at: int) -> None:
        """``SELECT sum( FROM orders``: the parenthesis is still to be closed."""
        while (
            self.frame.kind == "group"
            and self.frame.opened not in self.all.closing
            and self.look.word_at(self.frame.opened - 1) not in TAKES_FROM
        ):
            self._close(at)

    def _is_no_from(self, frame: Frame, word: str, at: int) -> bool:
        """``IS DISTINCT FROM``, a hint behind SELECT, and a join with an array of the row."""
        before = self.look.word_at(at - 1)
        if word == "FROM":
            return before == "DISTINCT" and self.look.word_at(at - 2) in ("IS", "NOT")
        if word == "JOIN" and before == "ARRAY":
            frame.clause, frame.source = Clause.OTHER, None
            return True
        return word == "STRAIGHT_JOIN" and frame.clause is Clause.SELECT

    def _named_table(self, at: int) -> int:
        """A table that is named, but gives no columns to a query."""
        frame = self.frame
        frame.source = None
        at += 1
        while self.look.word_at(at) in BEFORE_NAME:
            at += 1
        if at >= len(self.tokens) or not is_name(self.tokens[at]):
            return at
        if self.look.word_at(at) in BEGINS_QUERY:
            return at
        path, end = self.look.path(at)
        self.tables.append(path)
        return end
