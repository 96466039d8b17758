"""The parts of a question by their place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlscribe.notation import asks
from sqlscribe.notation.document import Document
from sqlscribe.notation.question_parts import question_parts


def parts(text: str, dialect: str = "mysql") -> list[tuple[str, str]]:
    script = asks.read(Document("q", text), dialect)
    return [
        (part.kind, part.span.of(text))
        for question in script.questions
        for part in question_parts(text, question)
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("-- ask: all @orders of @sales.customers", [
            ("mark", "ask"), ("mention", "@orders"), ("mention", "@sales.customers"),
        ]),
        ("SELECT 1;\n/* Refine: by @region */", [("mark", "Refine"), ("mention", "@region")]),
        ("SELECT 1;\n# error: no such column", [("mark", "error")]),
        ("--- ask[dialect=mysql, as_of = 2024-01-31]: x", [
            ("mark", "ask"), ("option", "dialect"), ("value", "mysql"),
            ("option", "as_of"), ("value", "2024-01-31"),
        ]),
        ("-- ask[model]: x", [("mark", "ask"), ("option", "model")]),
        ("-- ask[model=]: x", [("mark", "ask"), ("option", "model")]),
        ("-- ask: 统计@订单的总额\n-- 和 @客户", [
            ("mark", "ask"), ("mention", "@订单的总额"), ("mention", "@客户"),
        ]),
        ("SELECT 1; -- nothing asked", []),
    ],
)  # fmt: skip
def test_parts_are_found_where_they_stand(text: str, found: list[tuple[str, str]]) -> None:
    assert parts(text) == found


@given(st.text(st.sampled_from("-ask:[]=,@ord er\n#/*;x1"), max_size=60))
def test_parts_stand_in_order_and_do_not_overlap(text: str) -> None:
    script = asks.read(Document("q", text), "mysql")
    for question in script.questions:
        end = question.span.start
        for part in question_parts(text, question):
            assert end <= part.span.start <= part.span.end <= question.span.end
            end = part.span.end
