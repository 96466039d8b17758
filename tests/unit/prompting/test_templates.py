import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlscribe.errors import TemplateError
from sqlscribe.prompting.templates import Templates, references, render, variables

DATA = {"tables": [{"name": "orders"}, {"name": "items"}], "ask": "what", "question": "why"}


def rendered(text: str, **variables: object) -> str:
    return render(Templates({"t.j2": text}), "t.j2", {**DATA, **variables}).text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{{ ''.__class__.__mro__ }}", "'__class__' is not allowed"),
        ("{{ ask.__init__.__globals__ }}", "'__init__' is not allowed"),
        ("{{ tables | map(attribute='__class__') | list }}", "'__class__' is not allowed"),
        ("{% for i in range(10**9) %}x{% endfor %}", "Range too big"),
        ("{% include '/etc/hosts' %}", "no template '/etc/hosts'"),
        ("{% include '../secret.j2' %}", "no template"),
        ("{{ no_such_name }}", "'no_such_name' is undefined"),
        ("{{ tables[0].nme }}", "has no attribute 'nme'"),
        ("{{ tables.append(1) }}", "'append' is not allowed"),
        ("{{ 'x' * 10**9 }}", "grows beyond"),
        ("{{ 'x'.ljust(10**9) }}", "'ljust' is not allowed"),
        ("{{ '%1000000000d' % 1 }}", "use ~"),
        ("{{ 10**10**10 }}", "too large"),
        ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "itself without end"),
        ("{% include 't.j2' %}", "itself without end"),
        ("{{ ('a' * 1000)|replace('a', 'b' * 1000000) }}", "grows beyond"),
        ("{{ (['a' * 4000] * 4000)|join('b' * 4000) }}", "grows beyond"),
        (
            "{% set n = namespace(s='x') %}"
            "{% for i in range(99) %}{% set n.s = n.s ~ n.s %}{% endfor %}{{ n.s }}",
            "grows beyond",
        ),
        (
            "{% set n = namespace(s='x') %}"
            "{% for i in range(99) %}{% set n.s = n.s + n.s %}{% endfor %}{{ n.s }}",
            "grows beyond",
        ),
    ],
)
def test_a_hostile_template_is_stopped_with_a_reason_and_its_line(text: str, reason: str) -> None:
    with pytest.raises(TemplateError) as caught:
        rendered("first line\n" + text)
    assert reason in str(caught.value)
    assert caught.value.line == 2


def test_endless_work_without_output_is_stopped_soon() -> None:
    loop = "{% for i in range(90000) %}{% for j in range(90000) %}{% set x = 1 %}"
    start = time.monotonic()
    with pytest.raises(TemplateError, match="loops for too long"):
        rendered(loop + "{% endfor %}{% endfor %}")
    assert time.monotonic() - start < 30


@given(st.text())
def test_any_text_passes_through_unchanged(text: str) -> None:
    assert rendered("[{{ question }}]", question=text) == f"[{text}]"


def test_what_looks_like_a_template_in_a_value_stays_text() -> None:
    assert rendered("{{ question }}", question="{{ ask }} & < '") == "{{ ask }} & < '"


def test_a_workspace_template_overrides_by_name_and_may_include_the_shipped_one() -> None:
    templates = Templates(
        {"part.j2": "shipped", "t.j2": "{% include 'part.j2' %}"},
        {"part.j2": "own and {% include 'shipped:part.j2' %}"},
    )
    assert render(templates, "t.j2", {}).text == "own and shipped"
    assert templates.origin("part.j2") == "workspace"


def test_a_single_block_can_be_replaced() -> None:
    templates = Templates(
        {"t.j2": "{% block a %}A{% endblock %} {% block b %}B{% endblock %}"},
        {"t.j2": "{% extends 'shipped:t.j2' %}{% block b %}[{{ super() }}]{% endblock %}"},
    )
    found = render(templates, "t.j2", {})
    assert found.text == "A [B]"
    assert dict(found.blocks) == {"a": "A", "b": "[B]"}


def test_variables_and_references_are_found_at_their_lines() -> None:
    text = (
        "{% extends 'a.j2' %}\n{% for t in tables %}{{ t }}{{ x }}\n{% endfor %}"
        "{% include 'b.j2' %}{% include 'c.j2' ignore missing %}{{ x }}"
    )
    found = Templates({"t.j2": text})
    assert variables(found, "t.j2") == (("tables", 2), ("x", 2))
    assert references(found, "t.j2") == (("a.j2", 1), ("b.j2", 3))


@pytest.mark.parametrize("look", [variables, references])
def test_a_syntax_error_is_found_without_rendering(look: Callable[..., object]) -> None:
    with pytest.raises(TemplateError) as caught:
        look(Templates({"t.j2": "fine\n{% if %}"}), "t.j2")
    assert caught.value.line == 2
