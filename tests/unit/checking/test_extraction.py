"""What is taken out of a model's reply, and what is left as its words."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.checking.extraction import CHOICE_LABEL, INSUFFICIENT_LABEL, extract

QUERY = "SELECT name FROM staff LIMIT 5"


def check(reply: str, expected: str, dialect: str = "postgres") -> None:
    found = extract(reply, dialect)
    assert (found.outcome, found.sql) == ("sql", expected)


FENCED = {
    "sql": f"```sql\n{QUERY}\n```",
    "dialect's name": f"```postgresql\n{QUERY};\n```",
    "shouted": f"```SQL\n{QUERY}\n```",
    "no language": f"```\n{QUERY}\n```",
    "braces": f"```{{sql}}\n{QUERY}\n```",
    "info after the language": f"```sql title=staff.sql\n{QUERY}\n```",
    "tildes": f"~~~sql\n{QUERY}\n~~~",
    "apostrophes": f"'''sql\n{QUERY}\n'''",
    "one line": f"```sql {QUERY}```",
    "after words on the line": f"Here it is: ```sql\n{QUERY}\n```\nIt lists names.",
    "in a list": f"1. The query:\n   ```sql\n   {QUERY}\n   ```",
    "in a quotation": f"> ```sql\n> {QUERY}\n> ```",
    "in a longer fence": f"````markdown\n```sql\n{QUERY}\n```\n````",
    "never closed": f"```sql\n{QUERY}",
    "windows line ends": f"```sql\r\n{QUERY};\r\n```\r\n",
    "name of the language inside": f"```\nsql\n{QUERY}\n```",
    "name of the language alone": f"sql\n{QUERY}",
    "byte order mark": f"\ufeff{QUERY}",
    "before a result": f"```sql\n{QUERY}\n```\n```\n| name |\n|---|\n| Ada |\n```",
    "before JSON": f'```sql\n{QUERY}\n```\n```json\n{{"rows": 5}}\n```',
    "before a fragment": f"```sql\n{QUERY}\n```\nwhere\n```sql\nWHERE age > 5\n```",
    "curled apostrophes": f"‘‘‘sql\n{QUERY}\n’’’",
    "full-width backticks": f"｀｀｀sql\n{QUERY}\n｀｀｀",
    "escaped backticks": f"\\`\\`\\`sql\n{QUERY}\n\\`\\`\\`",
    "two backticks": f"``sql\n{QUERY}\n``",
    "yaml": f'```yaml\nsql: "{QUERY}"\n```',
    "changes": f"```diff\n- SELECT nme FROM staff LIMIT 5\n+{QUERY}\n```",
    "changes with a head": f"```diff\n--- a\n+++ b\n@@ -1 +1 @@\n-SELECT 1\n+{QUERY}\n```",
    "before an index": f"```sql\n{QUERY}\n```\n```sql\nCREATE INDEX i ON staff (name)\n```",
}


@pytest.mark.parametrize("reply", FENCED.values(), ids=FENCED)
def test_fences(reply: str) -> None:
    check(reply, QUERY)


MARKED = {
    "tag": f"<sql>\n{QUERY};\n</sql>",
    "tag around a fence": f"<answer>```sql\n{QUERY}\n```</answer>",
    "label": f"SQLQuery: {QUERY}\nSQLResult: 5\nAnswer: five",
    "bold label": f"**SQL:** {QUERY}",
    "inline code": f"Use `{QUERY}` for that.",
    "json": f'{{"sql": "{QUERY}", "chart": "bar"}}',
    "json, another key": f'{{"result": {{"statement": "{QUERY}"}}}}',
    "json, fence inside": f'{{"sql_query": "```sql\\n{QUERY}\\n```"}}',
    "json, trailing comma": f'{{"sql": "{QUERY}",}}',
    "json, single quotes": f"{{'sql': '{QUERY}', 'n': 1}}",
    "json, behind a plan": f'### PLAN\n1. read staff\n### RESULT\n{{"sql": "{QUERY}"}}',
    "json, twice encoded": f'{{"arguments": "{{\\"query\\": \\"{QUERY}\\"}}"}}',
    "json, fenced": f'Sure:\n```json\n{{"table": "staff", "sql": "{QUERY}"}}\n```',
    "quoted": f'"{QUERY}"',
    "reasoning": f"<think>perhaps\n```sql\nSELECT 1 FROM draft\n```\n</think>\n{QUERY}",
    "reasoning, opened elsewhere": f"SELECT x FROM draft?\n</think>\n```sql\n{QUERY}\n```",
    "json, a reason that quotes": f'{{"sql": "{QUERY}", "why": "SELECT name FROM staff is it"}}',
    "reasoning in brackets": f"[THINK]\n```sql\nSELECT 1 FROM draft\n```\n[/THINK]\n{QUERY}",
    "reasoning, named": f"<seed:think>```sql\nSELECT 1 FROM draft\n```</seed:think>{QUERY}",
    "reasoning, its own token": "<|begin_of_thought|>\n```sql\nSELECT 1\n```\n<|end_of_thought|>\n"
    + QUERY,
    "reasoning, folded": "<details><summary>Thinking</summary>\n```sql\nSELECT 1\n```\n</details>"
    + QUERY,
    "parameter": f'<invoke name="run"><parameter name="query">{QUERY}</parameter></invoke>',
    "paragraph": f"<p>{QUERY}</p>",
    "above a rule": f"{QUERY}\n\n---\n\nThis works.",
    "final channel": f"<|channel|>analysis<|message|>SELECT 1<|channel|>final<|message|>{QUERY}",
    "chinese": f"答案是：{QUERY}。希望有帮助。",
    "sentence before and after": f"The corrected query is: {QUERY}. This should work now.",
    "sentence on the next line": f"{QUERY}\nThis lists the first five.",
    "one word on the next line": f"{QUERY}\nEnjoy",
    "sentence that names clauses": f"{QUERY}\n\nIn this query, LIMIT keeps five rows.",
    "list below": f"{QUERY}\n\n- name: of the person",
    "square tags": f"[QUESTION]names[/QUESTION]\n[SQL]{QUERY}[/SQL]",
    "square tag that stays open": f"<s>[SQL] {QUERY} </s>",
    "end of text": f"{QUERY}<|endoftext|>",
    "chat format": f"<|im_start|>assistant\n{QUERY}<|im_end|>",
    "half a sentence behind it": f"We should run {QUERY}, which returns names.",
    "dash behind it": f"The corrected query is {QUERY} - this should work now.",
    "remark in parentheses": f"Corrected: {QUERY} (the column is called name).",
    "exploration first": f"I look first: SELECT DISTINCT age FROM staff.\nFinal: {QUERY}.",
}


@pytest.mark.parametrize("reply", MARKED.values(), ids=MARKED)
def test_marks_and_sentences(reply: str) -> None:
    check(reply, QUERY)


def test_escaped_quotes_are_undone() -> None:
    check('SQLQuery: "SELECT \\"name\\" FROM \\"staff\\""', 'SELECT "name" FROM "staff"')
    check(
        'SQLQuery: "SELECT \\"name\\",\\n  \\"age\\" FROM \\"staff\\""\nSQLResult:',
        'SELECT "name",\n  "age" FROM "staff"',
    )
    check('{"sql": "SELECT "name" FROM staff"}', 'SELECT "name" FROM staff')


def test_raw_line_ends_in_json() -> None:
    check('{"sql": "SELECT name\n  FROM staff", "why": "x"}', "SELECT name\n  FROM staff")


@pytest.mark.parametrize(
    "sql",
    [
        "WITH a AS (\n  SELECT 1 AS x\n),\nb AS (SELECT x FROM a)\nSELECT x FROM b",
        "SELECT name -- who?\nFROM staff /* all; of them */ WHERE note = ';'",
        "-- by age\nSELECT name FROM staff",
        "select now() - interval '7 days' as since, s.age::int\nfrom staff s",
        "(SELECT a FROM t) UNION (SELECT b FROM u)",
        "SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY age) FROM staff",
        "SELECT name\nFROM staff\n\nWHERE age > 5",
        "SELECT name FROM staff WHERE note LIKE '%```%'",
        """SELECT name FROM staff WHERE doc @> '{"sql": "SELECT 1 FROM other"}'""",
        "SELECT name FROM staff WHERE note = '，；（“x”） &gt; \\_'",
    ],
)
def test_the_models_own_text_is_kept(sql: str) -> None:
    check(f"```sql\n{sql};\n```", sql)
    check(f"<sql>{sql}</sql>", sql)
    check(f"{sql};", sql)


def test_a_question_the_model_repeats_is_left_out() -> None:
    check("```sql\n-- ask: all names\n-- by age\nSELECT 1\n```", "-- by age\nSELECT 1")


@pytest.mark.parametrize(
    ("reply", "dialect", "expected"),
    [
        ("SELECT staff\\_id FROM staff WHERE n LIKE '5\\_%'", "postgres",
         "SELECT staff_id FROM staff WHERE n LIKE '5\\_%'"),
        ("SELECT 姓名，SUM（年龄） AS 合计 FROM 员工 WHERE 备注 = '好；的'；", "mysql",
         "SELECT 姓名, SUM(年龄) AS 合计 FROM 员工 WHERE 备注 = '好；的'"),
        ("SELECT a FROM t WHERE b &gt; 5 AND c &lt;&gt; 2", "mysql",
         "SELECT a FROM t WHERE b > 5 AND c <> 2"),
        ("SELECT a FROM t WHERE b = ‘Rome’", "postgres", "SELECT a FROM t WHERE b = 'Rome'"),
        ("SELECT a FROM t WHERE b IN （'北京'，'上海，浦东'）；", "mysql",
         "SELECT a FROM t WHERE b IN ('北京', '上海，浦东')"),
        ("SELECT a FROM t WHERE b = 「東京」 LIMIT １０", "postgres",
         "SELECT a FROM t WHERE b = '東京' LIMIT 10"),
        ("SELECT a１ FROM t WHERE b = '１'", "postgres", "SELECT a１ FROM t WHERE b = '１'"),
        ("SELECT staff\\\\_id FROM t", "postgres", "SELECT staff_id FROM t"),
        ("SELECT [SQL] FROM [t]", "tsql", "SELECT [SQL] FROM [t]"),
        ("### SQL\nSELECT a FROM t\n### Explanation\nLists them.", "bigquery", "SELECT a FROM t"),
        ("## SQL\nSELECT a FROM t;\n## 说明\n列出全部。", "mysql", "SELECT a FROM t"),
        ("# all of them\nSELECT a FROM t", "mysql", "# all of them\nSELECT a FROM t"),
        ("SELECT\u00a0a,\u3000b FROM\u200b t", "postgres", "SELECT a, b FROM t"),
        ("```sql\nSELECT a\\nFROM t\n```", "postgres", "SELECT a\nFROM t"),
        ("```sql\nSELECT `a` FROM `t````", "mysql", "SELECT `a` FROM `t`"),
        ("```tsql\nSELECT [a] FROM [t];\nGO\n```", "tsql", "SELECT [a] FROM [t]"),
        ("```sql\nSELECT a FROM t\n/\n```", "oracle", "SELECT a FROM t"),
    ],
)  # fmt: skip
def test_what_chat_windows_do_to_sql_is_undone(reply: str, dialect: str, expected: str) -> None:
    check(reply, expected, dialect)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        " \n",
        "Sorry",
        "Top staff",
        "Call support",
        "抱歉",
        "请先告诉我需要哪些列。",
        "Explain the schema please",
        "show me the columns first",
        "Select the columns you want.",
        "Please select a date from the list below.",
        "I would query:\nSELECT name FROM the table.",
        "SELECT the best FROM what.",
        "You could update the staff table, or drop it.",
        "Values are missing from the column.",
        "The answer is SELECT.",
        "There were 42 orders last month.",
        "The query would select from staff.",
        '{"error": "no such table"}',
        '{"answer": "There were 42 orders."}',
        "Insert coin",
        "Update staff",
        "Delete staff",
        "Describe staff",
        "Show tables",
        "Pivot please",
        "From staff",
        "Commit",
        "Values of staff are good.",
        "```\nSorry\n```",
        "```sql\n\n```",
        "```python\nprint('SELECT 1 FROM t')\n```",
    ],
)
def test_prose_is_no_sql(reply: str) -> None:
    found = extract(reply, "postgres")
    assert (found.outcome, found.sql, found.prose) == ("no_sql", "", reply.strip())


@pytest.mark.parametrize(
    "reply",
    [
        "```sql\nSELECT name FROM (SELECT",
        "```sql\nSELECT name FROM staff WHERE city = 'Ro",
        "SELECT name FROM staff WHERE city IN ('Rome',",
        "SELECT name FROM staff WHERE age > 5 AND",
        '{"sql": "SELECT name FROM staff WHERE',
        "<sql>SELECT name, ag",
        "WITH a AS (SELECT 1 FROM t), b AS (SELECT 2 FROM u)",
        "<think>I could use SELECT 1 FROM t;",
        "```sql\nSELECT a FROM t\n```\nBetter:\n```sql\nSELECT b FROM",
    ],
)
def test_cut_off_replies(reply: str) -> None:
    found = extract(reply, "postgres")
    assert (found.outcome, found.sql) == ("truncated", "")


def test_the_provider_may_say_that_the_reply_is_cut_off() -> None:
    assert extract(QUERY, "postgres", cut_off=True).outcome == "truncated"
    closed = f"```sql\n{QUERY}\n```\nThis lists"
    assert extract(closed, "postgres", cut_off=True).sql == QUERY


def test_a_broken_query_is_still_the_answer() -> None:
    check("```sql\nSELECT a FROM t WHERE AND b = 1\n```", "SELECT a FROM t WHERE AND b = 1")
    check("```sql\nSELEC a FROM t WHERE b\n```", "SELEC a FROM t WHERE b")


def test_other_blocks_are_alternates() -> None:
    found = extract(f"```sql\nSELECT 1 FROM t\n```\nfinally\n```sql\n{QUERY}\n```", "postgres")
    assert (found.sql, found.alternates) == (QUERY, ("SELECT 1 FROM t",))
    assert found.prose == "```sql\nSELECT 1 FROM t\n```\nfinally"


def test_alternatives_in_one_block() -> None:
    reply = "SELECT a FROM t WHERE b >= '2024'\n-- 或者\nSELECT a FROM t WHERE c = 2024;\n以上。"
    found = extract(reply, "mysql")
    assert found.sql == "SELECT a FROM t WHERE b >= '2024'"
    assert found.alternates == ("SELECT a FROM t WHERE c = 2024",)


@pytest.mark.parametrize("between", ["\n\nor\n\n", ";\n或者：\n", ";\n/* oder */\n", "\nou\n"])
def test_alternatives_with_a_word_between(between: str) -> None:
    found = extract(f"SELECT a FROM t{between}SELECT b FROM u;", "mysql")
    assert (found.sql, found.alternates) == ("SELECT a FROM t", ("SELECT b FROM u",))


def test_words_that_only_parse_are_no_alternate() -> None:
    found = extract(f"{QUERY}\nSELECT your columns, rows", "postgres")
    assert (found.sql, found.alternates) == (QUERY, ())


def test_queries_among_sentences_are_alternates_of_the_last() -> None:
    found = extract(f"I look first: SELECT DISTINCT age FROM staff.\nFinal: {QUERY}.", "postgres")
    assert (found.sql, found.alternates) == (QUERY, ("SELECT DISTINCT age FROM staff",))


@pytest.mark.parametrize("form", ["{}", "```sql\n{}\n```", "Sure! {}"])
def test_statements_stay_together_where_one_is_no_query(form: str) -> None:
    found = extract(form.format("SELECT 1; DROP TABLE t; SELECT 2;"), "postgres")
    assert found.sql == "SELECT 1; DROP TABLE t; SELECT 2"
    assert found.statements == ("SELECT 1", "DROP TABLE t", "SELECT 2")


def test_the_end_of_a_transaction_hides_no_statement() -> None:
    found = extract("SELECT 1; COMMIT; DROP TABLE t", "postgres")
    assert found.statements == ("SELECT 1", "COMMIT", "DROP TABLE t")


def test_statements_that_write_are_sql() -> None:
    check("DROP TABLE t;", "DROP TABLE t")
    check("```sql\nDELETE FROM t;\n```", "DELETE FROM t")


@pytest.mark.parametrize(
    "reply",
    [
        f"{INSUFFICIENT_LABEL} no table holds refunds",
        "**INSUFFICIENT:** no table holds refunds",
        f"```\n{INSUFFICIENT_LABEL} no table holds refunds\n```",
        f"Sorry.\n{INSUFFICIENT_LABEL} no table holds refunds",
        f"<think>hm</think>\n{INSUFFICIENT_LABEL} no table holds refunds",
    ],
)
def test_the_model_may_decline(reply: str) -> None:
    found = extract(reply, "postgres")
    assert (found.outcome, found.declined) == ("insufficient", "no table holds refunds")


@pytest.mark.parametrize(
    "reply",
    [
        f"{CHOICE_LABEL} by order date | by ship date",
        "CHOICE：by order date ｜ by ship date",
        f"{CHOICE_LABEL}\n- by order date\n- by ship date",
    ],
)
def test_the_model_may_ask_back(reply: str) -> None:
    found = extract(reply, "postgres")
    assert found.outcome == "needs_choice"
    assert found.choices == ("by order date", "by ship date")


def test_a_fenced_query_comes_before_a_refusal() -> None:
    check(f"{INSUFFICIENT_LABEL} perhaps, but\n```sql\n{QUERY}\n```", QUERY)


@pytest.mark.parametrize(
    "reply",
    [
        "(" * 300_000,
        "```sql\n" * 50_000,
        "SELECT " * 50_000,
        '{"sql": "' * 40_000,
        "'" * 300_000,
        "\0" * 300_000,
        "SELECT a FROM t. " * 20_000,
        "SELECT " + "CASE WHEN " * 20_000,
        '{"a":' * 50_000,
        "SELECT a FROM t;\n" * 3_000_000,
    ],
    ids=lambda reply: reply[:12],
)
def test_large_and_nasty_replies_take_no_time(reply: str) -> None:
    start = time.process_time()
    extract(reply, "postgres")
    assert time.process_time() - start < 5


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [*" \n;'\"`()[]{}<>\\-*#：。，", "```", "sql", "SELECT a FROM t", "WITH", "FROM",
             "<think>", "</think>", "<sql>", "</sql>", '{"sql": "', '"}', "--", "/*", "*/",
             "Sorry", "CHOICE:", "\ud800", "\0", "$$"]
        ),
        max_size=30,
    ),
    st.sampled_from(["", "postgres", "mysql", "tsql", "bigquery", "duckdb"]),
)  # fmt: skip
def test_no_reply_raises(pieces: list[str], dialect: str) -> None:
    found = extract("".join(pieces), dialect)
    assert (found.outcome == "sql") == bool(found.sql)


@pytest.mark.parametrize("around", ["```sql\n{}\n```", "{}", "Here:\n\n{}\n", '{{"sql": "{}"}}'])
def test_the_beginning_of_a_query_that_is_too_long_to_read_is_no_answer(around: str) -> None:
    conditions = " ".join(f"OR id = {number}" for number in range(6_000))
    sql = f"SELECT name FROM t WHERE a = 1 {conditions} AND b = 2"
    found = extract(around.format(sql), "postgres")
    assert (found.outcome, found.sql) == ("truncated", "")


@pytest.mark.parametrize(
    ("reply", "prose"),
    [
        (f"The answer:\n\n{QUERY};\n\nIt lists names.", "The answer:\nIt lists names."),
        (f"sql\n{QUERY}", ""),
        (f'Label: "{QUERY}"', "Label:"),
        (f"'{QUERY};'", ""),
        (f"Use `{QUERY}` for it.", "Use\nfor it."),
    ],
)
def test_the_words_around_a_query_are_whole_words(reply: str, prose: str) -> None:
    found = extract(reply, "postgres")
    assert (found.sql, found.prose) == (QUERY, prose)


def test_undone_marks_leave_no_words_behind() -> None:
    assert extract("SELECT full\\_name FROM staff WHERE age &gt; 5", "postgres").prose == ""


@pytest.mark.parametrize("dialect", ["postgres", "mysql", "tsql"])
def test_a_heading_ends_a_query(dialect: str) -> None:
    query = "SELECT name FROM staff"
    check(f"### SQL:\n{query}\n### Notes:\nnone", query, dialect)
    check(f"### SQL\n{query}\n\n### Explanation\nsorted", query, dialect)


def test_a_semicolon_before_with_is_no_part_of_the_query() -> None:
    query = "WITH s AS (SELECT name FROM staff) SELECT name FROM s"
    check(f";{query};", query, "tsql")
    check(f"So:\n```sql\n;{query}\n```", query, "tsql")


@pytest.mark.parametrize(
    "turn",
    [
        "<|im_end|>\n<|im_start|>user\nthanks",
        "<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nthanks",
        "<end_of_turn>\n<start_of_turn>user\nthanks",
        " [INST] and by city? [/INST] SELECT city FROM staff",
    ],
)
def test_what_a_model_writes_for_the_other_side_is_no_part_of_the_reply(turn: str) -> None:
    check(QUERY + turn, QUERY)


def test_a_comment_at_the_end_keeps_its_words() -> None:
    check(
        "Try: SELECT name FROM staff -- fixed name\nThis time it uses that.",
        "SELECT name FROM staff -- fixed name",
    )


@pytest.mark.parametrize(
    "reply",
    [
        f"<|START_THINKING|>or SELECT 1 FROM t<|END_THINKING|><|START_RESPONSE|>{QUERY}"
        "<|END_RESPONSE|>",
        f"<|begin_of_box|>{QUERY}<|end_of_box|>",
        f"<think>hm</think><response>{QUERY}</response>",
        f"<corrected_sql>{QUERY}</corrected_sql>",
        f"<tool_call>run\n<arg_key>sql</arg_key>\n<arg_value>{QUERY}</arg_value>\n</tool_call>",
        f"[QUERY]{QUERY}[/QUERY]",
        "<|channel|>analysis<|message|>SELECT 1<|end|><|start|>assistant<|channel|>commentary "
        f'to=functions.run <|constrain|>json<|message|>{{"sql": "{QUERY}"}}<|call|>',
        "<|channel|>analysis<|message|>SELECT 1<|end|><|start|>assistant<|channel|>final "
        f'<|constrain|>json<|message|>{{"sql": "{QUERY}"}}<|return|>',
        f"analysisWe could SELECT 1 FROM t.assistantfinal{QUERY}",
        f"sql\nCopy code\n{QUERY}",
        f"SQL\nCopyEdit\n{QUERY}",
        f"{QUERY};\n\n### Question\nHow many?\n### SQL\nSELECT count(*) FROM staff",
        f"SQLQuery: {QUERY}\nAnswer: 5\n\nQuestion: how many?\nSQLQuery: SELECT 5 FROM staff",
    ],
)
def test_marks_of_chat_formats_and_tools(reply: str) -> None:
    check(reply, QUERY)


def test_thinking_whose_marks_the_server_left_out_is_no_answer() -> None:
    assert extract("analysisWe could try SELECT 1 FROM t;", "postgres").outcome == "truncated"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a FROM t WHERE body LIKE '%<result>%'",
        "SELECT a FROM t WHERE body LIKE '%<code>%' AND b = 1",
        "SELECT a FROM t WHERE b = '<response>SELECT 1 FROM z</response>'",
        "SELECT a FROM t WHERE prompt LIKE '%<|endoftext|>%' OR prompt LIKE '%<|user|>%'",
        "SELECT a FROM t WHERE b = '<think>' AND c LIKE '</think>%'",
        "SELECT '<sql>' || a || '</sql>' FROM t WHERE note = 'it''s [INST]'",
    ],
)
@pytest.mark.parametrize("around", ["{};", "```sql\n{}\n```", "I'd run:\n\n{};\n\nIt lists names."])
def test_a_mark_within_a_string_is_the_querys_own(sql: str, around: str) -> None:
    check(around.format(sql), sql, "mysql")


def test_an_apostrophe_in_a_sentence_hides_no_mark() -> None:
    check(f"I'd use the staff's names: <sql>{QUERY}</sql> It's done.", QUERY)


def test_a_comment_that_looks_like_a_heading_ends_no_query() -> None:
    sql = "SELECT a FROM t\n# user\nUNION SELECT b FROM u"
    check(f"```sql\n{sql}\n```", sql, "mysql")


def test_what_is_for_another_engine_is_an_alternate() -> None:
    reply = f"```sql\n{QUERY}\n```\nIn MySQL:\n```mysql\nSELECT `name` FROM staff\n```"
    found = extract(reply.replace("`name`", "name"), "postgres")
    assert (found.sql, found.alternates) == (QUERY, ("SELECT name FROM staff",))
    check(f"```mysql\n{QUERY}\n```", QUERY)
    check(f"```sql\nSELECT 1 FROM t\n```\nbetter:\n```postgresql\n{QUERY}\n```", QUERY)


def test_a_quoted_query_loses_the_marks_of_the_quotation() -> None:
    check("As asked:\n> SELECT name\n> FROM staff\n> WHERE age > 5\n\nDone.",
          "SELECT name\nFROM staff\nWHERE age > 5")  # fmt: skip


def test_named_fields_are_headings() -> None:
    check(
        "[[ ## reasoning ## ]]\nSELECT is needed here.\n\n"
        f"[[ ## sql ## ]]\n{QUERY}\n\n[[ ## completed ## ]]",
        QUERY,
    )


PARTS_OF_BROKEN = {
    "a WITH that ends early": "WITH t AS (SELECT name FROM staff GROUP BY name",
    "a WITH in lower case": "with t as (\n  select name from staff\n",
    "no comma between two": "WITH a AS (SELECT x FROM b) c AS (SELECT y FROM d) SELECT x FROM a",
    "a comma before the query": "WITH a AS (\n  SELECT x FROM b\n),\nSELECT x FROM a",
    "the second of a union": "SELECT a FRM t\nUNION ALL\nSELECT b FROM u",
    "a union in parentheses": "(SELECT a FROM t) UNION (SELECT b FROM u",
    "a list to look in": "SELECT a FROM t WHERE WHERE x IN (\n  SELECT b FROM u\n)",
    "an update": "UPDATE t SET a = (SELECT max(b) FROM u",
    "a deletion": "DELETE FROM t WHERE a IN (SELECT b FROM u",
    "an insertion": "INSERT INTO t (a b) SELECT a, b FROM u",
    "a view": "CREATE VIEW v AS (SELECT a FROM t",
}


@pytest.mark.parametrize("form", ["{}", "The query is:\n{}\n", "```sql\n{}\n```", "```sql\n{}"])
@pytest.mark.parametrize("broken", PARTS_OF_BROKEN.values(), ids=PARTS_OF_BROKEN)
def test_a_part_of_a_broken_statement_is_no_answer(broken: str, form: str) -> None:
    found = extract(form.format(broken), "postgres")
    assert found.sql in ("", broken.strip())
    assert not found.alternates


def test_a_query_behind_a_broken_one_is_the_answer() -> None:
    broken = "WITH t AS (SELECT x FROM"
    check(f"{broken}\n\nSorry, that was wrong, here it is again:\n\n{QUERY}", QUERY)
    check(f"{broken};\n{QUERY}", QUERY)
