import time
from collections import deque
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment

from sqlscribe.errors import TemplateError
from sqlscribe.prompting.bounds import Bounds, OutOfBounds
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
        ("{{ ask | truncate(0) }}", "expected length"),
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
    start = time.thread_time()
    with pytest.raises(TemplateError, match="loops for too long"):
        rendered(loop + "{% endfor %}{% endfor %}")
    assert time.thread_time() - start < 10


def test_a_machine_that_is_busy_or_asleep_ends_no_rendering(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bounds = Bounds()
    monkeypatch.setattr(time, "monotonic", lambda: 1e12)
    monkeypatch.setattr(time, "perf_counter", lambda: 1e12)
    for _ in range(1_000):
        bounds.turn(10)
    monkeypatch.setattr(time, "thread_time", lambda: 1e12)
    with pytest.raises(OutOfBounds, match="loops for too long"):
        bounds.turn(100_000)
    later = Bounds()
    later.turn(100_000)
    monkeypatch.setattr(time, "thread_time", lambda: 2e12)
    with pytest.raises(OutOfBounds, match="loops for too long"):
        deque((later.turn(10) for _ in range(1_000)), maxlen=0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{% set n = namespace(x=10) %}{% for i in r %}{% set n.x = n.x * n.x %}", "too large"),
        ("{% set n = namespace(x=9) %}{% for i in r %}{% set n.x = n.x + n.x ** 9 %}", "too large"),
        ("{% set n = namespace(t='xx') %}{% for i in r %}{% set n.t = (n.t, n.t) %}", "beyond"),
        ("{% set n = namespace(t='xx') %}{% for i in r %}{% set n.t = [n.t, n.t] %}", "beyond"),
        ("{% set n = namespace(t='xx') %}{% for i in r %}{% set n.t = {1: n.t, 2: n.t} %}", "bey"),
        ("{% set n = namespace(t='xx') %}{% for i in r %}{% set n.t = dict(a=n.t, b=n.t) %}", "be"),
        ("{% set n = namespace(t=['x']) %}{% for i in r %}{% set n.t = [n.t] * 9 %}", "beyond"),
        (
            "{% set n = namespace(t='xx') %}{% for i in r %}"
            "{% set n.t %}{{ n.t }}{{ n.t }}{% endset %}",
            "beyond",
        ),
        (
            "{% set n = namespace(t=[]) %}{% set a = 'x' * 3000000 %}{% for i in r %}"
            "{% set n.t = a[1:] %}",
            "makes more than",
        ),
        ("{% set a = 'x' * 3000000 %}{% for i in r %}{% set b = a | upper %}", "makes more than"),
        ("{% set a = 'x' * 3000000 %}{% for i in r %}{% set b = a.upper() %}", "makes more than"),
    ],
)
def test_nothing_grows_turn_by_turn_beyond_what_a_prompt_can_need(text: str, reason: str) -> None:
    loop = text.replace("for i in r ", "for i in range(99999) ") + "{% endfor %}"
    # On a slow machine the time may be over before the size is reached.
    with pytest.raises(TemplateError, match=f"{reason}|for too long"):
        rendered(loop + "{{ n.t }}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{{ [1] | batch(10**9, 'x') | list }}", "No filter named 'batch'"),
        ("{{ [1] | slice(10**9) | list }}", "No filter named 'slice'"),
        ("{{ 1.5 | round(10**8, 'floor') }}", "too many digits"),
        ("{{ ([[1]] * 90000) | sum(start=[]) }}", "adds numbers only"),
        ("{{ '{:>1000000000}'.format(1) }}", "'format' is not allowed"),
        ("{{ 'x'.encode().ljust(10**9) }}", "'encode' is not allowed"),
        ("{{ (1).to_bytes(10**9, 'big') }}", "'to_bytes' is not allowed"),
        ("{{ (range(99999) | list * 99) | sort | length }}", "beyond"),
        ("{{ ([range(99999)] * 999999) | map('max') | list }}", "for too long|beyond"),
        ("{% for a in [1] %}" * 30 + "{% endfor %}" * 30, "nested"),
        ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", "without end"),
        ("x" * 200_001, "more than 200,000 characters"),
    ],
)
def test_what_asks_for_much_at_once_is_refused(text: str, reason: str) -> None:
    with pytest.raises(TemplateError, match=reason):
        rendered(text)


@pytest.mark.parametrize("value", ["0", "none", "'x'", "[1, 'a', none]", "no_such_name"])
def test_any_filter_of_any_value_gives_text_or_a_reason(value: str) -> None:
    arguments = ("", "(0)", "(-1)", "(none)", "('x')", "([])", "(1.5)", "('x', 0)")
    tried = list(product(Environment().filters, arguments))
    reasons = []
    for name, argument in tried:
        try:
            rendered(f"{{{{ ({value}) | {name}{argument} }}}}")
        except TemplateError as error:
            reasons.append(str(error))
    # Some give text and some do not: both kinds were tried.
    assert 0 < len(reasons) < len(tried)
    assert all(reasons)


def test_a_namespace_holding_itself_twice_again_and_again_is_printed_as_a_word() -> None:
    step = "{% set m = namespace() %}{% set m.a = n %}{% set m.b = n %}{% set n = m %}"
    assert rendered("{% set n = namespace() %}" + step * 60 + "{{ n }}") == "namespace"


def test_what_templates_are_used_for_still_works() -> None:
    text = (
        "{% for t in tables | sort(attribute='name') %}{{ loop.index }}. {{ t.name | upper }}"
        "{% if not loop.last %}, {% endif %}{% endfor %}; {{ tables | map(attribute='name')"
        " | join('/') }}; {{ [1, 2.5] | sum }}; {{ 2.567 | round(1) }};"
        " {{ tables | tojson }}; {{ ask.replace('w', 'W') ~ ask[1:] }}; {{ '< &' | trim }}"
    )
    assert rendered(text) == (
        "1. ITEMS, 2. ORDERS; orders/items; 3.5; 2.6;"
        ' [{"name": "orders"}, {"name": "items"}]; Whathat; < &'
    )


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
